package owner

import (
	"context"
	"time"

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
	if o.ProviderID != 0 {
		// A block outlives its customer's payments: who is forgotten would be unknown, and no longer be refused.
		_, err := f.Owners.BlockOf(ctx, owner.CustomerKey{ProviderID: o.ProviderID, UserID: o.UserID})
		if err == nil {
			return held, IsBlocked, nil
		}
		if !fault.Is(err, fault.NotFound) {
			return held, "", fault.E(op, "", err)
		}
	}
	return held, f.refusal(held, o, f.UnitOfWork.Clock.Now()), nil
}

func (f *Forgetting) refusal(held owner.HeldData, o Order, now time.Time) Refusal {
	switch {
	case held.IsErased:
		return ""
	case held.OpenCount > 0:
		return HasOpenPayments
	case held.PendingCount > 0:
		return HasPendingWork
	case o.DespiteTheLaw == "" && now.Before(held.KeepUntil()):
		return MustBeKept
	default:
		return ""
	}
}

// Forget destroys the key under which a customer's personal data is sealed, and clears what points to them. Amounts, statuses and
// histories stay. A forgetting that was broken off is finished. Faults: NotFound, Invalid, and Forbidden where it is refused.
func (f *Forgetting) Forget(ctx context.Context, by app.Request, o Order) (owner.HeldData, error) {
	const op = "directory.Forget"
	var held owner.HeldData
	err := f.UnitOfWork.Again(ctx, func() error {
		var (
			refusal Refusal
			err     error
		)
		if held, refusal, err = f.Held(ctx, o); err != nil {
			return err
		}
		if refusal != "" {
			return fault.New(op, fault.Forbidden)
		}
		if held.IsErased {
			return nil
		}
		if err := f.Subjects.EraseTerms(ctx, held); err != nil {
			return err
		}
		erasure := owner.Erasure{KeyID: held.KeyID, UserID: held.UserID, At: f.UnitOfWork.Clock.Now()}
		entry := core.AuditEntry{Action: "forgetCustomer", Target: held.Ref(), Reason: o.DespiteTheLaw}
		return f.UnitOfWork.CommitEntry(ctx, by, entry, core.Changeset{erasure})
	})
	if err != nil {
		return held, fault.E(op, "", err)
	}
	return held, fault.E(op, "", f.Subjects.EraseData(ctx, held))
}
