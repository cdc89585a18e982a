package payment

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// HandCredit is a deposit that a staff member credits by hand, with what bounds one person's word.
type HandCredit struct {
	Amount     money.Amount // what they saw; zero: what they expected
	Expected   money.Amount // the payment's amount as they saw it
	AccountMax money.Amount // HandMax of the account that the customer was shown
	DayVersion int          // of what AccountMax was made from
	MostTimes  int          // how many times the requested amount one person may credit
	DealerCap  money.Amount // of the payment's dealer; zero: none
}

// DecideHandCredit completes a deposit by hand. A manual deposit whose account was shown rests on one person's word, up to the
// bounds; beyond them it needs a second one. Where a bank or a gateway reports money (E-IBAN and third-party deposits), and
// where no account was shown, it is an exception: with a reason, by two people, and the deposit stays first in line for its
// money. Faults: Changed (the amount is not what the staff member saw), Invalid (a negative amount; an exception without a
// reason), those of Decide.
func DecideHandCredit(p Payment, h HandCredit, d Decision) (core.Changeset, error) {
	const op = "payment.DecideHandCredit"
	if _, err := PathOf(p, Approve); err != nil {
		return core.Changeset{}, err
	}
	if !h.Expected.Equal(p.Amount) {
		return core.Changeset{}, fault.New(op, fault.Changed, p.Amount.String())
	}
	k := Credit{Amount: h.Amount, Source: CreditOfStaff}
	if k.Amount.IsZero() {
		k.Amount = h.Expected
	}
	isException := p.Method != ManualDeposit || p.Account.AccountID == 0
	k.AwaitsMoney = p.Method != ManualDeposit
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
	change, err := CompleteWith(p, Approve, k, d)
	if k.NeedsSecond != "" {
		return change, err
	}
	return core.Edit(change, func(u *owner.LimitUsage) {
		if u.Amount.Minor() > 0 { // more than was held: of two that there is room for alone, the later one is judged anew
			u.Expect = h.DayVersion
		}
	}), err
}

// needsSecond says why one person's word does not do; empty: it does.
func (h HandCredit) needsSecond(p Payment, amount money.Amount, isException bool) string {
	most := money.New(p.RequestedAmount.Minor()*int64(max(h.MostTimes, 1)), p.RequestedAmount.Currency())
	switch {
	case isException:
		return NeedsException
	case most.Less(amount):
		return NeedsMultiple
	case h.AccountMax.Less(amount) || h.AccountMax.IsZero():
		return NeedsMaximum
	case !h.DealerCap.IsZero() && h.DealerCap.Less(amount):
		return NeedsDealerCap
	default:
		return ""
	}
}
