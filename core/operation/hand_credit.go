package operation

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// HandCredit is a deposit that a staff member credits by hand, with what bounds one person's word.
type HandCredit struct {
	Amount     money.Amount // what they saw; zero: what they expected
	Expected   money.Amount // the payment's amount as they saw it
	AccountMax money.Amount // HandMax of the account that the customer was shown
	MostTimes  int          // how many times the requested amount one person may credit
	DealerCap  money.Amount // of the payment's dealer; zero: none
	Operations []Operation  // the payment's operations at gateways
}

// DecideApproval credits a deposit by hand. A manual deposit whose account was shown rests on one person's word, up to the
// bounds; beyond them it needs a second one. Where a bank or a gateway reports money (E-IBAN and third-party deposits), and
// where no account was shown, it is an exception: with a reason, by two people, and the deposit stays first in line for its
// money. Faults: Changed (the amount is not what the staff member saw), Invalid (a negative amount; an exception without a
// reason), those of Decide.
func DecideApproval(p payment.Payment, h HandCredit, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideApproval"
	if _, err := payment.PathOf(p, payment.Approve); err != nil {
		return core.Changeset{}, err
	}
	if !h.Expected.Equal(p.Amount) {
		return core.Changeset{}, fault.New(op, fault.Changed, p.Amount.String())
	}
	k := payment.Credit{Amount: h.Amount, Source: payment.CreditOfStaff}
	if k.Amount.IsZero() {
		k.Amount = h.Expected
	}
	isException := p.Method != payment.ManualDeposit || p.Account.AccountID == 0
	k.AwaitsMoney = p.Method != payment.ManualDeposit
	k.NeedsSecond = h.needsSecond(p, k.Amount, isException)
	var form core.Form
	if k.Amount.Minor() <= 0 {
		form.Fail("amount", "field.min", money.New(1, k.Amount.Currency()).String())
	}
	if isException && d.Reason == "" {
		form.Fail("reason", "field.required")
	}
	if err := form.Err(op); err != nil {
		return core.Changeset{}, err
	}
	change, err := payment.CompleteWith(p, payment.Approve, k, d)
	change = change.Merge(core.Rows(Case{Others: h.Operations}.calledOff(d.At)))
	return change, err
}

// needsSecond says why one person's word does not do; empty: it does.
func (h HandCredit) needsSecond(p payment.Payment, amount money.Amount, isException bool) string {
	most := money.New(p.RequestedAmount.Minor()*int64(max(h.MostTimes, 1)), p.RequestedAmount.Currency())
	switch {
	case isException:
		return payment.NeedsException
	case most.Less(amount):
		return payment.NeedsMultiple
	case h.AccountMax.Less(amount) || h.AccountMax.IsZero():
		return payment.NeedsMaximum
	case !h.DealerCap.IsZero() && h.DealerCap.Less(amount):
		return payment.NeedsDealerCap
	default:
		return ""
	}
}
