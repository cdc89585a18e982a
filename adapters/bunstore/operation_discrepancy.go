package bunstore

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
)

type discrepancyRow struct {
	bun.BaseModel `bun:"table:discrepancies"`

	ID           core.ID            `bun:"id,pk"`
	Version      int                `bun:"version"`
	PaymentID    core.ID            `bun:"payment_id"`
	TrackingCode string             `bun:"tracking_code"`
	OperationID  core.ID            `bun:"operation_id"`
	GatewayID    int64              `bun:"gateway_id"`
	DealerID     int64              `bun:"dealer_id,pk"`
	ProviderID   int64              `bun:"provider_id"`
	Kind         discrepancy.Kind   `bun:"kind"`
	State        discrepancy.Status `bun:"state"`
	CreatedAt    timestamp          `bun:"created_at,type:timestamptz"`
	Body         string             `bun:"body"`
}

// discrepancyJSON is what the body holds: nothing asks for it.
type discrepancyJSON struct {
	WalletID   int64         `json:"wallet_id,omitempty"`
	LineID     string        `json:"line_id,omitempty"`
	Expected   gateway.Money `json:"expected,omitzero"`
	Seen       gateway.Money `json:"seen,omitzero"`
	Detail     string        `json:"detail,omitempty"`
	RefundID   core.ID       `json:"refund_id,omitempty"`
	UpdatedAt  time.Time     `json:"updated_at,omitzero"`
	ResolvedBy actorJSON     `json:"resolved_by,omitzero"`
	Reason     string        `json:"reason,omitempty"`
}

type actorJSON struct {
	Kind core.ActorKind `json:"kind,omitempty"`
	ID   string         `json:"id,omitempty"`
	Name string         `json:"name,omitempty"`
	Addr string         `json:"addr,omitempty"`
}

func discrepancyRowOf(d discrepancy.Discrepancy) (discrepancyRow, error) {
	body, err := bodyText(discrepancyJSON{
		WalletID: d.WalletID, LineID: d.LineID,
		Expected: d.Expected, Seen: d.Seen, Detail: d.Detail, RefundID: d.RefundID, UpdatedAt: d.UpdatedAt,
		ResolvedBy: actorJSON(d.ResolvedBy), Reason: d.Reason,
	})
	return discrepancyRow{
		ID: d.ID, Version: d.Version, PaymentID: d.PaymentID, TrackingCode: d.TrackingCode, OperationID: d.OperationID,
		GatewayID: d.GatewayID, DealerID: d.DealerID, ProviderID: d.ProviderID, Kind: d.Kind, State: d.Status,
		CreatedAt: timestamp(d.CreatedAt), Body: body,
	}, err
}

func (r discrepancyRow) discrepancy() (discrepancy.Discrepancy, error) {
	b, err := bodyOf[discrepancyJSON](r.Body)
	return discrepancy.Discrepancy{
		ID: r.ID, Version: r.Version, PaymentID: r.PaymentID, TrackingCode: r.TrackingCode, OperationID: r.OperationID,
		GatewayID: r.GatewayID, DealerID: r.DealerID, ProviderID: r.ProviderID, Kind: r.Kind, Status: r.State,
		WalletID: b.WalletID, LineID: b.LineID, Expected: b.Expected, Seen: b.Seen, Detail: b.Detail, RefundID: b.RefundID, CreatedAt: time.Time(r.CreatedAt), UpdatedAt: b.UpdatedAt.UTC(),
		ResolvedBy: core.Actor(b.ResolvedBy), Reason: b.Reason,
	}, err
}

type gatewayCallRow struct {
	bun.BaseModel `bun:"table:gateway_calls"`

	ID          core.ID       `bun:"id,pk"`
	GatewayID   int64         `bun:"gateway_id"`
	OperationID core.ID       `bun:"operation_id"`
	PaymentID   core.ID       `bun:"payment_id"`
	Name        string        `bun:"name"`
	At          timestamp     `bun:"at,type:timestamptz"`
	Duration    time.Duration `bun:"duration_ns"`
	Outcome     string        `bun:"outcome"`
	Effect      string        `bun:"effect"`
	Detail      string        `bun:"detail"`
}

func gatewayCallRowOf(c operation.GatewayCall) gatewayCallRow {
	return gatewayCallRow{
		ID: c.ID, GatewayID: c.GatewayID, OperationID: c.OperationID, PaymentID: c.PaymentID, Name: c.Name,
		At: timestamp(c.At), Duration: c.Duration, Outcome: c.Outcome, Effect: c.Effect, Detail: c.Detail,
	}
}

func (r gatewayCallRow) call() (operation.GatewayCall, error) {
	return operation.GatewayCall{
		ID: r.ID, GatewayID: r.GatewayID, OperationID: r.OperationID, PaymentID: r.PaymentID, Name: r.Name,
		At: time.Time(r.At), Duration: r.Duration, Outcome: r.Outcome, Effect: r.Effect, Detail: r.Detail,
	}, nil
}
