package app

import (
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/ports"
)

// Named is how a gateway names an operation in what it says: by our reference, or by its own id of it or of its payment.
type Named struct {
	GatewayID int64
	Kind      operation.Kind
	Ref       gateway.Ref
	External  gateway.ExternalRef
}

// OperationNamed finds what a gateway names; always within the account, and of the kind. A gateway may give a deposit and its
// refunds one id. Fault: NotFound.
func OperationNamed(ctx context.Context, store ports.Operations, n Named) (operation.Operation, error) {
	const op = "app.OperationNamed"
	keys := []operation.Key{{Reference: string(n.Ref)}}
	if n.Ref == "" {
		keys = nil
		for _, name := range n.External.Names() {
			keys = append(keys, operation.Key{GatewayID: n.GatewayID, ExternalID: name})
		}
	}
	o, err := operation.Operation{}, fault.New(op, fault.NotFound)
	for i := 0; i < len(keys) && fault.Is(err, fault.NotFound); i++ {
		o, err = store.OperationBy(ctx, keys[i])
	}
	switch {
	case err != nil:
		return o, err
	case o.GatewayID != n.GatewayID:
		return operation.Operation{}, fault.New(op, fault.NotFound)
	case o.Kind == n.Kind:
		return o, nil
	}
	return sibling(ctx, store, o, n)
}

// sibling finds the operation of the kind that has the same id at the gateway.
func sibling(ctx context.Context, store ports.Operations, o operation.Operation, n Named) (operation.Operation, error) {
	all, err := store.OperationsOf(ctx, o.PaymentID)
	if err != nil {
		return operation.Operation{}, err
	}
	for _, other := range all {
		isSame := other.GatewayID == o.GatewayID && n.Ref == "" && slices.Contains(n.External.Names(), other.External.ID)
		if other.Kind == n.Kind && isSame {
			return other, nil
		}
	}
	return operation.Operation{}, fault.New("app.sibling", fault.NotFound)
}

// NoteDispute returns the row that has a gateway asked about a dispute which was named: the known one, or a new one. A name that
// can't be kept is none.
func NoteDispute(ctx context.Context, u *UnitOfWork, store ports.Disputes, gatewayID int64, id string) (core.Changeset, error) {
	const op = "app.NoteDispute"
	if id == "" || id != OneLine(id, gateway.MaxDisputeIDBytes) {
		return nil, nil
	}
	now := u.Clock.Now()
	known, err := store.DisputeNamed(ctx, gatewayID, id)
	switch {
	case err == nil:
		return core.Changeset{known.Cued(now)}, nil
	case !fault.Is(err, fault.NotFound):
		return nil, fault.E(op, "", err)
	}
	ids, err := core.NewIDs(now, u.Random)
	if err != nil {
		return nil, fault.E(op, fault.Internal, err)
	}
	return core.Changeset{dispute.Named(gatewayID, id, ids.Next(), now)}, nil
}
