package payment

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// StatusOf finds a payment of an owner by its tracking code or, where that is empty, the newest one with a reference. Fault NotFound:
// there is none, or it is somebody else's, which is the same to the caller.
func StatusOf(ctx context.Context, u *app.UnitOfWork, o payment.ReferenceOwner, trackingCode, reference string) (payment.Payment, error) {
	const op = "payment.StatusOf"
	find := func() (payment.Payment, error) { return u.Payments.PaymentByTrackingCode(ctx, trackingCode) }
	if trackingCode == "" {
		find = func() (payment.Payment, error) { return u.Payments.PaymentByReference(ctx, o, reference) }
	}
	p, err := find()
	if err != nil {
		return payment.Payment{}, fault.E(op, "", err)
	}
	isOwn := p.ProviderID == o.ProviderID && (!p.IsDealers() || p.DealerID == o.DealerID)
	if !isOwn || trackingCode == "" && p.Reference != reference { // a reference is found by a hash
		return payment.Payment{}, fault.New(op, fault.NotFound)
	}
	return p, nil
}
