package owner

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/ports"
)

// Forgetting erases what is known of customers.
type Forgetting struct {
	UnitOfWork *app.UnitOfWork
	Subjects   ports.Subjects
	Owners     ports.Owners
}

// Refusal is why a customer is not forgotten.
type Refusal string

// Refusals.
const (
	HasOpenPayments Refusal = "open payments"
	HasPendingWork  Refusal = "pending work"
	IsBlocked       Refusal = "blocked"
	MustBeKept      Refusal = "must be kept"
)

// Order asks for a customer to be forgotten.
type Order struct {
	owner.Subject
	// DespiteTheLaw is why what the law says has to be kept is not; empty: it is kept.
	DespiteTheLaw string
}

// Held returns what would be forgotten, and why it is not to be; no refusal: it may be. Faults: NotFound, Invalid.
func (f *Forgetting) Held(ctx context.Context, o Order) (owner.HeldData, Refusal, error) {
	const op = "directory.Held"
	if (o.ProviderID == 0) == (o.DealerID == 0) || o.UserID == "" {
		return owner.HeldData{}, "", fault.New(op, fault.Invalid)
	}
	held, err := f.Subjects.HeldData(ctx, o.Subject)
	if err != nil {
		return held, "", fault.E(op, "", err)
	}
	refusal, err := f.refusal(ctx, held)
	if refusal == "" && !held.IsErased && o.DespiteTheLaw == "" && f.UnitOfWork.Clock.Now().Before(held.KeepUntil()) {
		refusal = MustBeKept
	}
	return held, refusal, fault.E(op, "", err)
}

// refusal is why a customer cannot be forgotten, however long ago their last payment was.
func (f *Forgetting) refusal(ctx context.Context, held owner.HeldData) (Refusal, error) {
	if held.ProviderID != 0 {
		// A block outlives its customer's payments: who is forgotten would be unknown, and no longer be refused.
		_, err := f.Owners.BlockOf(ctx, owner.CustomerKey{ProviderID: held.ProviderID, UserID: held.UserID})
		if err == nil {
			return IsBlocked, nil
		}
		if !fault.Is(err, fault.NotFound) {
			return "", err
		}
	}
	switch {
	case held.IsErased:
		return "", nil
	case held.OpenCount > 0:
		return HasOpenPayments, nil
	case held.PendingCount > 0:
		return HasPendingWork, nil
	default:
		return "", nil
	}
}

// Forget destroys the key under which a customer's personal data is sealed, and clears what points to them. Amounts, statuses and
// histories stay. A forgetting that was broken off is finished. It returns why, where the customer is not forgotten; that may be
// another reason than Held has returned, since payments begin meanwhile. Faults: NotFound, Invalid.
func (f *Forgetting) Forget(ctx context.Context, by app.Request, o Order) (held owner.HeldData, refusal Refusal, err error) {
	const op = "directory.Forget"
	err = f.UnitOfWork.Again(ctx, func() error {
		if held, refusal, err = f.Held(ctx, o); err != nil || refusal != "" {
			return err
		}
		return f.take(ctx, by, held, o.DespiteTheLaw)
	})
	if err != nil || refusal != "" {
		return held, refusal, fault.E(op, "", err)
	}
	return held, "", fault.E(op, "", f.Subjects.EraseData(ctx, held))
}

// take takes the key, unless it is taken already.
func (f *Forgetting) take(ctx context.Context, by app.Request, held owner.HeldData, reason string) error {
	if held.IsErased {
		return nil
	}
	entry := core.AuditEntry{Action: "forgetCustomer", Target: held.Ref(), Reason: reason}
	return f.UnitOfWork.CommitEntry(ctx, by, entry, core.Changeset{held.Erasure(f.UnitOfWork.Clock.Now())})
}
