package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/payment"
)

// Disputes reads disputes of deposits, and leases what is due to workers.
type Disputes interface {
	// Dispute finds a dispute by ID; NotFound otherwise.
	Dispute(ctx context.Context, id core.ID) (dispute.Dispute, error)
	// DisputeNamed finds a dispute by its gateway account and the gateway's own id; NotFound otherwise.
	DisputeNamed(ctx context.Context, gatewayID int64, externalID string) (dispute.Dispute, error)
	// DisputesOf returns the disputes of payments: by payment, and of each oldest first.
	DisputesOf(ctx context.Context, payments ...payment.Key) ([]dispute.Dispute, error)
	// ListDisputes returns the query's page of disputes, newest first.
	ListDisputes(ctx context.Context, query dispute.Query) ([]dispute.Dispute, error)
	// DisputesByDeadline returns a page of the query's disputes that have a deadline for evidence: the nearest first, and of one moment in the
	// order of their IDs. The query's own page does not count.
	DisputesByDeadline(ctx context.Context, query dispute.Query, page core.Paging[core.DueCursor]) ([]dispute.Dispute, error)
	// ClaimDisputes leases at most limit disputes of a gateway account whose NextAt is set and not after now and whose lease,
	// if any, ended before or at now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimDisputes(ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int) ([]dispute.Dispute, error)
	// ClaimDisputeListings leases the listing of a gateway account as ClaimDisputes leases disputes.
	ClaimDisputeListings(ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int) ([]dispute.Listing, error)
	// DisputeListings returns the listings of all gateway accounts, by account.
	DisputeListings(ctx context.Context) ([]dispute.Listing, error)
	// DueDisputeGateways returns the gateway accounts, in order, that have what ClaimDisputes or ClaimDisputeListings would return.
	DueDisputeGateways(ctx context.Context, now time.Time) ([]int64, error)
}
