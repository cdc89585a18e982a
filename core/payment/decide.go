package payment

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// Decision is what every decision about a payment is given from outside: who, when and why, where its callback would
// go, and the IDs for the rows it makes.
type Decision struct {
	By       core.Actor
	At       time.Time
	Reason   string
	Target   Target // of the payment's callback
	Schedule RetrySchedule
	IDs      *core.IDs

	// AskedVersion is, of the answer to a question, the operation's Version when the question was begun; 0: it answers none.
	AskedVersion int
	Callbacks    []Callback // all that a payment which has ended before has had, read after the payment
}

// Decide moves a payment along its status table: ClaimPaid, Reject, Cancel, Expire, Take, Complete and Fail. The
// Changeset holds the payment, a history row for each step, and, when the payment has ended, its callback and what
// releases the account's daily limit.
func Decide(p Payment, c Command, d Decision) (core.Changeset, error) {
	return Advance(p, c, p.Amount, d)
}

// maxOfferVersion bounds how often a deposit's amount and account are settled, and with it the rows of its history.
const maxOfferVersion = 100

// DecideOffer settles the amount that the customer wants to pay and chooses the account (D2's rule) among the dealer's
// accounts with their loads on day.
func DecideOffer(p Payment, amount money.Amount, loads []owner.DailyUsage, day core.Day, d Decision) (core.Changeset, error) {
	if _, err := PathOf(p, Offer); err != nil {
		return core.Changeset{}, err
	}
	if !p.ExpiresAt.IsZero() && !d.At.Before(p.ExpiresAt) {
		return core.Changeset{}, fault.New("core.DecideOffer", fault.Expired)
	}
	chosen, err := owner.ChooseAccount(loads, amount, p.Account)
	if err != nil {
		return core.Changeset{}, err
	}
	if p.Account.AccountID == chosen.ID && p.Account.Day == day && p.Amount.Equal(amount) {
		return core.Changeset{}, nil // Continue pressed again: shown already, nothing changes
	}
	if p.Version >= maxOfferVersion {
		return core.Changeset{}, fault.New("core.DecideOffer", fault.RateLimited)
	}
	uses := offerUses(p.Account, chosen, amount, day, d.At)
	p.Account = owner.OfferedAccount{
		AccountID: chosen.ID, BankName: chosen.BankName, Holder: chosen.Holder, IBAN: chosen.IBAN, Day: day, Held: amount,
	}
	change, err := Advance(p, Offer, amount, d)
	change = change.Merge(core.Rows(uses))
	return change, err
}

// offerUses takes the amount from the chosen account's day and gives back what an earlier offer held.
func offerUses(before owner.OfferedAccount, chosen owner.DailyUsage, amount money.Amount, day core.Day, at time.Time) []owner.LimitUsage {
	take := owner.LimitUsage{AccountID: chosen.ID, Day: day, Amount: amount, Count: 1, Expect: chosen.LoadVersion, At: at}
	if before.AccountID == 0 {
		return []owner.LimitUsage{take}
	}
	if before.AccountID == chosen.ID && before.Day == day {
		take.Amount, take.Count = money.New(amount.Minor()-before.Held.Minor(), amount.Currency()), 0
		return []owner.LimitUsage{take}
	}
	return []owner.LimitUsage{take, giveBack(before)}
}

func giveBack(o owner.OfferedAccount) owner.LimitUsage {
	return owner.LimitUsage{
		AccountID: o.AccountID, Day: o.Day, Amount: money.New(-o.Held.Minor(), o.Held.Currency()), Count: -1,
		Expect: owner.AnyVersion,
	}
}

// Advance makes a move that credits nobody: completing a deposit or a card payment takes a credit (CompleteWith). Fault
// Uncredited: the command would.
func Advance(p Payment, c Command, amount money.Amount, d Decision) (core.Changeset, error) {
	change, err := transition(p, c, amount, d)
	if after, ok := core.First[Payment](change); ok && after.IsCredited() && !p.IsCredited() {
		return core.Changeset{}, fault.New("core.decide", fault.Uncredited)
	}
	return change, err
}

// transition makes a move along the status table.
func transition(p Payment, c Command, amount money.Amount, d Decision) (core.Changeset, error) {
	steps, err := PathOf(p, c)
	if err != nil {
		return core.Changeset{}, err
	}
	var change core.Changeset
	for _, to := range steps {
		change = append(change, Transition{
			ID: d.IDs.Next(), PaymentID: p.ID, At: d.At, Actor: d.By, Command: c, From: p.Status, To: to,
			Amount: amount, Reason: d.Reason,
		})
		p.Status = to
	}
	p.Version++
	before := p.Amount
	p.Amount, p.UpdatedAt = amount, d.At
	if d.Reason != "" {
		p.Reason = d.Reason
	}
	if p.Status == Failed && p.Method.Kind() == Card {
		p.Failure = failureBy(c, p)
	}
	if c == Refund { // decisions: a refund has no callback, it shows in E8
		change = change.Merge(core.Rows(Supersede(nil, d.Callbacks, d.At)))
	} else if p.Status.IsFinal() {
		var correction Correction
		if c == Correct || c == Dispute {
			correction = Correction{IsSet: true, PreviousAmount: before}
		} else {
			p.FinishedAt, p.EndedBy = d.At, endedBy(p, c, d.By)
		}
		if p.paidBy() != "" {
			p.PaidBy = p.paidBy()
		}
		change = change.Merge(core.Rows(reports(p, correction, d))).Merge(core.Rows(finalUses(&p))).Merge(core.Rows(endTransfer(p, d)))
	}
	change = append(change, p)
	return change, nil
}

// failureBy is why a card payment failed: what its gateway said, or, where none did, the clock (E7: TIMEOUT) or staff.
func failureBy(c Command, p Payment) Failure {
	switch {
	case c == Expire:
		return FailureOf(gateway.TimedOut, p.Language)
	case p.Failure.Code == "":
		return FailureOf(gateway.Declined, p.Language)
	default:
		return p.Failure
	}
}

// finalUses settles what an ended deposit holds of its account's day: what was really paid stays, the rest goes back.
func finalUses(p *Payment) []owner.LimitUsage {
	held := p.Account
	if held.AccountID == 0 {
		return nil
	}
	if p.Status != Completed {
		p.Account.Held = money.New(0, p.Amount.Currency())
		return []owner.LimitUsage{giveBack(held)}
	}
	if held.Held.Equal(p.Amount) {
		return nil
	}
	p.Account.Held = p.Amount
	use := owner.LimitUsage{
		AccountID: held.AccountID, Day: held.Day, Expect: owner.AnyVersion,
		Amount: money.New(p.Amount.Minor()-held.Held.Minor(), p.Amount.Currency()),
	}
	if held.Held.IsZero() {
		use.Count = 1 // its end had given all of it back, and its money came all the same
	}
	return []owner.LimitUsage{use}
}
