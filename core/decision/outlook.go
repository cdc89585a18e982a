// Package decision tells what staff may decide about a payment, and what a decision will do before it is made.
package decision

import (
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// Warning is what whoever decides about a payment should have seen before.
type Warning string

// Warnings.
const (
	AmountDiffers   Warning = "amount_differs"    // from what the payment asks for
	NoAccountShown  Warning = "no_account_shown"  // the customer was shown no account to pay to
	NoMoneyReported Warning = "no_money_reported" // where a bank or a gateway reports money
	OverMultiple    Warning = "over_multiple"     // of what was requested
	OverMaximum     Warning = "over_maximum"      // of the account, or of what is left of its day
	OverDealerCap   Warning = "over_dealer_cap"   // of the dealer
	HadEnded        Warning = "had_ended"         // the payment had ended otherwise, or its time was over
	SuspectIBAN     Warning = "suspect_iban"      // its check digits are wrong
	TakesOver       Warning = "takes_over"        // somebody else's claim, who may have paid
	MayHaveLeft     Warning = "may_have_left"     // it was claimed or is under way: the money may have been sent
	PaidAlready     Warning = "paid_already"      // another payment of the same amount to or from the same place was completed lately
	NoCallbackURL   Warning = "no_callback_url"   // nobody is told
	ReportedBefore  Warning = "reported_before"   // another outcome was reported before, which is corrected
)

// Warnings lists all warnings.
func Warnings() []Warning {
	return []Warning{
		AmountDiffers, NoAccountShown, NoMoneyReported, OverMultiple, OverMaximum, OverDealerCap, HadEnded, SuspectIBAN, TakesOver,
		MayHaveLeft, PaidAlready, NoCallbackURL, ReportedBefore,
	}
}

// Outlook is what a changeset means for a payment, in money, before it is committed.
type Outlook struct {
	Before, After     payment.Payment
	IsChange          bool                     // whether anything does
	Credited          money.Amount             // what the customer, the dealer and the provider are credited with more, or less when negative
	Sent              gateway.Money            // what leaves to the customer; zero: nothing
	Refunded          gateway.Money            // what is given back; zero: nothing
	LeftToRefund      *gateway.Money           // what may be given back after that; nil: it is not about a refund
	Discrepancy       *discrepancy.Discrepancy // as it would be; nil: none is touched
	Callbacks         []payment.Callback       // that would go out
	Guards            []core.Guard             // what a second person would have to approve, if a rule says so
	NeedsSecondPerson bool                     // whether one has to
	Warnings          []Warning
}

// Status is where the payment would stand.
func (o Outlook) Status() payment.Status { return o.After.Status }

// Amount is what would count.
func (o Outlook) Amount() money.Amount { return o.After.Amount }

// DiscrepancyStatus is where the discrepancy would stand; empty: none is touched.
func (o Outlook) DiscrepancyStatus() discrepancy.Status {
	if o.Discrepancy == nil {
		return ""
	}
	return o.Discrepancy.Status
}

// OutlookOf says what a changeset means for a payment as it is stored, with its operations.
func OutlookOf(in core.Judged, before payment.Payment, operations []operation.Operation) Outlook {
	o := Outlook{
		Before: before, After: before, IsChange: len(in.Changeset) > 0, Credited: money.New(0, before.Amount.Currency()),
		Guards: in.Guards(),
	}
	for _, p := range core.RowsOf[payment.Payment](in.Changeset) {
		if p.ID == before.ID {
			o.After = p
		}
	}
	for _, k := range core.RowsOf[payment.Credit](in.Changeset) {
		if k.PaymentID == before.ID && k.Version == 1 {
			o.Credited = money.New(o.Credited.Minor()+k.Amount.Minor(), k.Amount.Currency())
			o.warn(warningOf(k.NeedsSecond))
		}
	}
	for _, c := range core.RowsOf[payment.Callback](in.Changeset) {
		if c.PaymentID == before.ID && c.Version == 1 {
			o.Callbacks = append(o.Callbacks, c)
		}
	}
	if d, ok := core.First[discrepancy.Discrepancy](in.Changeset); ok {
		o.Discrepancy = &d
	}
	o.move(in, operations)
	o.lookAtPayment()
	return o
}

// move takes in what of the changeset moves money at gateways.
func (o *Outlook) move(in core.Judged, operations []operation.Operation) {
	if isPaid(o.After) && !isPaid(o.Before) && !o.After.IsCreditable() {
		o.Sent = gateway.Lira(o.After.Amount)
	}
	for _, row := range core.RowsOf[operation.Operation](in.Changeset) {
		_, isOld := core.Before(in, row)
		switch {
		case row.PaymentID != o.Before.ID:
		case row.Kind == operation.RefundOperation && !isOld:
			o.Refunded = row.Amount
			left, _ := operation.CaseOf(o.Before, append(slices.Clone(operations), row), nil, nil, row.Of).Left()
			o.LeftToRefund = &left
		case row.Kind == operation.PayoutOperation && len(row.Guards(in)) > 0:
			o.Sent = row.Amount
		}
	}
}

func isPaid(p payment.Payment) bool {
	return p.Status == payment.Completed || p.Status == payment.Success
}

// lookAtPayment warns of what is unusual about the payment itself.
func (o *Outlook) lookAtPayment() {
	before, after := o.Before, o.After
	pays := isPaid(after) && !isPaid(before)
	takes := after.Claim.StaffID != 0 && after.Claim.StaffID != before.Claim.StaffID && !after.Status.IsFinal()
	isOut := before.Method.Kind() == payment.Withdrawal || before.Method.Kind() == payment.Payout
	gives := isOut && after.Status.IsFinal() && !before.Status.IsFinal() && !isPaid(after)
	o.warnIf(pays && before.IsCreditable() && (!after.Amount.Equal(before.Amount) || !after.Amount.Equal(before.RequestedAmount)), AmountDiffers)
	o.warnIf(pays && before.Method.Kind() == payment.Deposit && before.Method.Accounts() != "" && before.Account.AccountID == 0, NoAccountShown)
	o.warnIf(slices.ContainsFunc(o.Guards, func(g core.Guard) bool { return g.Action == core.GuardCompletion }) && o.Discrepancy == nil, HadEnded)
	o.warnIf(before.IsIBANSuspect && (pays || takes || o.Sent.Amount.Sign() > 0), SuspectIBAN)
	o.warnIf(takes && before.Claim.StaffID != 0, TakesOver)
	o.warnIf(gives && before.Status == payment.Processing, MayHaveLeft)
	for _, c := range o.Callbacks {
		o.warnIf(c.Status == payment.Skipped, NoCallbackURL)
		o.warnIf(c.Sequence > 1, ReportedBefore)
	}
}

// warn adds a warning once.
func (o *Outlook) warn(w Warning) {
	if w != "" && !slices.Contains(o.Warnings, w) {
		o.Warnings = append(o.Warnings, w)
	}
}

func (o *Outlook) warnIf(isSo bool, w Warning) {
	if isSo {
		o.warn(w)
	}
}

// WarnOf returns the outlook with another warning.
func (o Outlook) WarnOf(w Warning) Outlook {
	o.Warnings = slices.Clone(o.Warnings)
	o.warn(w)
	return o
}

func warningOf(needsSecond string) Warning {
	switch needsSecond {
	case payment.NeedsException:
		return NoMoneyReported
	case payment.NeedsMultiple:
		return OverMultiple
	case payment.NeedsMaximum:
		return OverMaximum
	case payment.NeedsDealerCap:
		return OverDealerCap
	default:
		return ""
	}
}
