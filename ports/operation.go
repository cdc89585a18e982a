package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// Operations reads what is done at gateways and what they say, and leases what is due to workers.
type Operations interface {
	// OperationsOf returns the operations of payments: by payment, and of each oldest first.
	OperationsOf(ctx context.Context, payments ...core.ID) ([]operation.Operation, error)
	// OperationBy finds one operation: by ID, by reference, by return token, or by gateway account and the gateway's own
	// id, main or of the payment (gateway.AltPayment). Exactly one of these is set in the key. NotFound otherwise.
	OperationBy(ctx context.Context, key operation.Key) (operation.Operation, error)
	// ClaimOperations leases at most limit operations of a gateway account whose NextAt is set and not after now and
	// whose lease, if any, ended before or at now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimOperations(ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int) ([]operation.Operation, error)
	// DueGateways returns the gateway accounts, in order, that have an operation which ClaimOperations would return.
	DueGateways(ctx context.Context, now time.Time) ([]int64, error)
	// DiscrepanciesOf returns the discrepancies of payments: by payment, and of each oldest first.
	DiscrepanciesOf(ctx context.Context, payments ...payment.Key) ([]discrepancy.Discrepancy, error)
	// DiscrepancyPages returns a page of the discrepancies of each of the payments, in the same order.
	DiscrepancyPages(ctx context.Context, payments []payment.Key, page core.Paging[core.ID]) ([]discrepancy.Discrepancy, error)
	// Discrepancies returns the query's page of discrepancies, newest first.
	Discrepancies(ctx context.Context, query discrepancy.Query) ([]discrepancy.Discrepancy, error)
	// GatewayCalls returns at most query.Limit calls of each payment or gateway account that is asked for, newest first.
	GatewayCalls(ctx context.Context, query operation.GatewayCallQuery) ([]operation.GatewayCall, error)
	// ClaimNotifications leases at most limit waiting notifications whose lease, if any, ended before or at now, oldest
	// first. Claiming raises Version by one and sets LeaseUntil.
	ClaimNotifications(ctx context.Context, now, leaseUntil time.Time, limit int) ([]notification.Notification, error)
	// Notifications returns the query's page of notifications, newest first.
	Notifications(ctx context.Context, query notification.Query) ([]notification.Notification, error)
}
