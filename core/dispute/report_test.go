package dispute_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// life is a payment with its disputes.
type life struct {
	*coretest.Store
	of       core.ID // the deposit
	disputes []dispute.Dispute
	past     []life // what it was before each of the last changes
}

// now is the life as it is.
func (l *life) now() life {
	store := *l.Store
	return life{Store: &store, of: l.of, disputes: slices.Clone(l.disputes)}
}

// unchanged is what so many reads see between which nothing happens.
func (l *life) unchanged(reads int) []life { return slices.Repeat([]life{l.now()}, reads) }

// keep applies what was decided, unless what it was decided from has changed.
func (l *life) keep(change core.Changeset) bool {
	before, disputes := l.now(), slices.Clone(l.disputes)
	for _, next := range core.RowsOf[dispute.Dispute](change) {
		i := slices.IndexFunc(disputes, func(d dispute.Dispute) bool { return d.ID == next.ID })
		if i < 0 || next.Version != disputes[i].Version+1 {
			return false
		}
		disputes[i] = next
	}
	if !l.Commits(change) {
		return false
	}
	l.disputes, l.past = disputes, coretest.Remember(l.past, before)
	return true
}

// decide keeps what is decided from so many reads, between which others may have changed what is read. Where that is so, it is decided anew.
func (l *life) decide(t *rapid.T, reads int, decide func(read []life) (core.Changeset, error)) error {
	change, err := decide(coretest.Reads(t, append(slices.Clone(l.past), l.now()), reads))
	if err == nil && l.keep(change) {
		return nil
	}
	if change, err = decide(l.unchanged(reads)); err == nil && !l.keep(change) {
		t.Fatalf("lost a race against itself: %+v", change)
	}
	return err
}

// bought is a payment of 250.00 that the gateway says is paid.
func bought(t coretest.T, m payment.Method) *life {
	t.Helper()
	b, of := coretest.After(m, coretest.Answered(gateway.Paid, coretest.AtGateway(25_000)))(t)
	return &life{Store: b, of: of}
}

// named keeps a dispute that was named.
func (l *life) named(id string) int {
	l.disputes = append(l.disputes, dispute.Named(9, id, l.IDs.Next(), l.Now))
	return len(l.disputes) - 1
}

// reports has the gateway answer about a dispute.
func (l *life) reports(t coretest.T, i int, r gateway.DisputeReport) core.Changeset {
	t.Helper()
	return l.reportsTo(t, i, l.disputes[i].Version, r)
}

// reportsTo is an answer to a question that was begun at a version.
func (l *life) reportsTo(t coretest.T, i, asked int, r gateway.DisputeReport) core.Changeset {
	t.Helper()
	change, err := l.answered(l.caseIn(l.unchanged(6), i), asked, r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if saved := core.RowsOf[dispute.Dispute](change); slices.ContainsFunc(saved, func(d dispute.Dispute) bool { return d.ID != l.disputes[i].ID }) {
		t.Fatalf("saved %+v over %+v", saved, l.disputes[i])
	}
	if !l.keep(change) {
		t.Fatalf("lost a race against itself: %+v", change)
	}
	return change
}

// latest is each callback as it was saved last.
func (l *life) latest() []payment.Callback {
	var all []payment.Callback
	for _, cb := range l.Callbacks {
		if i := slices.IndexFunc(all, func(known payment.Callback) bool { return known.ID == cb.ID }); i >= 0 {
			all[i] = cb
		} else {
			all = append(all, cb)
		}
	}
	return all
}

// says is an answer about a dispute of an amount, with what was withdrawn and reinstated in all.
func says(s gateway.DisputeState, amount, withdrawn, reinstated int64) gateway.DisputeReport {
	r := gateway.DisputeReport{State: s, Reason: gateway.DisputeFraud, Amount: coretest.AtGateway(amount), Raw: "raw " + string(s)}
	if withdrawn > 0 {
		m := coretest.AtGateway(withdrawn)
		r.Withdrawn = &m
	}
	if reinstated > 0 {
		m := coretest.AtGateway(reinstated)
		r.Reinstated = &m
	}
	return r
}

// corrected is a correction by staff, who read the payment, its credits, its discrepancies and its operations.
func (l *life) corrected(read []life, to int64) (core.Changeset, error) {
	c := wallet.CreditCorrection{
		Amount: coretest.Lira(to), Expected: read[0].Payment.Amount,
		Credits: read[1].Credits, Discrepancies: read[2].Discrepancies, Operations: read[3].Operations,
	}
	d := l.Decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why")
	d.Callbacks = l.latest()
	return wallet.DecideCorrection(read[0].Payment, c, d)
}

func (l *life) correct(t coretest.T, to int64) error {
	t.Helper()
	change, err := l.corrected(l.unchanged(4), to)
	if err == nil && !l.keep(change) {
		t.Fatalf("lost a race against itself: %+v", change)
	}
	return err
}

// deposit is the case of an operation of a life that is read: the operations, the payment, its discrepancies and its credits.
func deposit(read []life, id core.ID) operation.Case {
	return operation.CaseOf(read[1].Payment, slices.Clone(read[0].Operations), slices.Clone(read[2].Discrepancies), slices.Clone(read[3].Credits), id)
}

// caseIn is the case of a dispute in a life that is read: the dispute, the payment, its operations, its discrepancies, its credits and its
// other disputes.
func (l *life) caseIn(read []life, i int) dispute.Case {
	n := l.disputes[i]
	if i < len(read[0].disputes) {
		n = read[0].disputes[i]
	}
	others := slices.DeleteFunc(slices.Clone(read[5].disputes), func(d dispute.Dispute) bool { return d.ID == n.ID })
	deposit := operation.CaseOf(read[1].Payment, slices.Clone(read[2].Operations), slices.Clone(read[3].Discrepancies), slices.Clone(read[4].Credits), l.of)
	return dispute.Case{Dispute: n, Deposit: deposit, Others: others}
}

// answered is the gateway's answer to a question about a dispute that was begun at a version.
func (l *life) answered(c dispute.Case, asked int, r gateway.DisputeReport) (core.Changeset, error) {
	d := l.Decision(core.Actor{Kind: core.ByGateway, ID: "9"}, "")
	d.AskedVersion, d.Callbacks = asked, l.latest()
	return dispute.DecideReport(c, r, d)
}

// TestMoneyOfADispute follows disputes as card schemes have them: what the payment is credited with after each answer, what is
// open for staff then, and the callback's state.
func TestMoneyOfADispute(t *testing.T) {
	t.Parallel()
	type step struct {
		says     gateway.DisputeReport
		credited int64
		open     int // discrepancies of the deposit that wait for somebody
	}
	inquiry, needs, review := gateway.DisputeInquiry, gateway.DisputeNeedsResponse, gateway.DisputeUnderReview
	won, lost, closed := gateway.DisputeWon, gateway.DisputeLost, gateway.DisputeClosed
	for name, steps := range map[string][]step{
		"an inquiry moves no money": {{says(inquiry, 25_000, 0, 0), 25_000, 0}, {says(closed, 25_000, 0, 0), 25_000, 0}},
		"an inquiry becomes a chargeback, which is lost": {
			{says(inquiry, 25_000, 0, 0), 25_000, 0}, {says(needs, 25_000, 25_000, 0), 0, 0}, {says(lost, 25_000, 25_000, 0), 0, 0},
		},
		"a chargeback that is won gives everything back": {
			{says(needs, 25_000, 25_000, 0), 0, 0}, {says(review, 25_000, 25_000, 0), 0, 0}, {says(won, 25_000, 25_000, 25_000), 25_000, 0},
		},
		"a part is disputed": {{says(needs, 10_000, 10_000, 0), 15_000, 0}, {says(won, 10_000, 10_000, 10_000), 25_000, 0}},
		"the same answer again moves nothing": {
			{says(needs, 10_000, 10_000, 0), 15_000, 0}, {says(needs, 10_000, 10_000, 0), 15_000, 0}, {says(won, 10_000, 10_000, 10_000), 25_000, 0},
			{says(won, 10_000, 10_000, 10_000), 25_000, 0},
		},
		"won, and charged back a second time": {
			{says(needs, 25_000, 25_000, 0), 0, 0}, {says(won, 25_000, 25_000, 25_000), 25_000, 0}, {says(lost, 25_000, 50_000, 25_000), 0, 0},
		},
		"a lost one is overturned":              {{says(lost, 25_000, 25_000, 0), 0, 0}, {says(won, 25_000, 25_000, 25_000), 25_000, 0}},
		"the gateway takes only what is lost":   {{says(needs, 25_000, 0, 0), 25_000, 0}, {says(lost, 25_000, 25_000, 0), 0, 0}},
		"more is withdrawn than was paid":       {{says(needs, 30_000, 30_000, 0), 0, 1}, {says(won, 30_000, 30_000, 30_000), 25_000, 0}},
		"more is reinstated than was withdrawn": {{says(won, 25_000, 10_000, 25_000), 25_000, 1}},
		"totals do not fall":                    {{says(needs, 25_000, 25_000, 0), 0, 0}, {says(review, 25_000, 10_000, 0), 0, 0}},
		"what contradicts leaves the state":     {{says(lost, 25_000, 25_000, 0), 0, 0}, {says(needs, 25_000, 25_000, 0), 0, 1}},
		"another currency is taken by nobody": {{func() gateway.DisputeReport {
			r := says(needs, 25_000, 25_000, 0)
			r.Withdrawn.Asset = gateway.Asset{Code: "EUR", Decimals: 2}
			return r
		}(), 25_000, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := bought(t, payment.CreditCard)
			i := l.named("dp_1")
			for n, s := range steps {
				l.Now = l.Now.Add(time.Hour)
				l.reports(t, i, s.says)
				open := 0
				for _, d := range l.Discrepancies {
					if d.IsOpen() {
						open++
					}
				}
				if got := l.Payment.Amount.Minor(); got != s.credited || open != s.open {
					t.Errorf("after answer %d: %d credited and %d open (%+v), want %d and %d", n+1, got, open, l.Discrepancies, s.credited, s.open)
				}
				l.adds(t)
			}
		})
	}
}

// adds checks what must hold of a payment and its disputes, whatever was said.
func (l *life) adds(t coretest.T) {
	t.Helper()
	net := int64(0)
	for _, d := range l.disputes {
		withdrawn, _ := l.Operation(l.of).Worth(d.Withdrawn)
		if d.Returned.Minor() > d.Taken.Minor() || d.Taken.Minor() > withdrawn.Minor() || d.Returned.Minor() < 0 {
			t.Fatalf("taken %s and returned %s of %s", d.Taken, d.Returned, d.Withdrawn)
		}
		net += d.Taken.Minor() - d.Returned.Minor()
		sum := int64(0)
		for _, k := range l.Credits {
			if k.DisputeID == d.ID {
				sum += k.Amount.Minor()
			}
		}
		if sum != d.Returned.Minor()-d.Taken.Minor() {
			t.Fatalf("its rows add up to %d, and it says %s less %s", sum, d.Returned, d.Taken)
		}
	}
	p := l.Payment
	if p.Gateway.Disputed.Minor() != net || p.Amount.Minor() < p.Gateway.Refunded.Minor() {
		t.Fatalf("the payment has %s, of which %s was given back, and says %s is disputed, want %d", p.Amount, p.Gateway.Refunded, p.Gateway.Disputed, net)
	}
	given := int64(0)
	for _, o := range l.Operations {
		if o.Kind == operation.RefundOperation && gateway.RefundState(o.Status) != gateway.RefundFailed {
			amount, _ := o.Worth(o.Amount)
			given += amount.Minor()
		}
	}
	if net+given > 25_000 {
		t.Fatalf("250.00 came, and %d was taken by disputes and %d given back", net, given)
	}
}

// TestThePayerIsNotPaidTwice: what a dispute has taken can't be refunded or credited again, and what is refunded, or on its way, is not
// taken by a dispute.
func TestThePayerIsNotPaidTwice(t *testing.T) {
	t.Parallel()
	l := bought(t, payment.CreditCard)
	i := l.named("dp_1")
	l.reports(t, i, says(gateway.DisputeNeedsResponse, 20_000, 20_000, 0))
	if _, err := l.Refund(t, l.of, operation.RefundPlan{Amount: coretest.AtGateway(5_001)}); err == nil {
		t.Error("more was refunded than the dispute has left")
	}
	if err := l.correct(t, 5_001); err == nil {
		t.Error("a correction gave back what the dispute has taken")
	}
	l.GiveBack(t, l.of, operation.RefundPlan{}, gateway.RefundDone)
	if p := l.Payment; p.Status != payment.Refunded || p.Gateway.Refunded.Minor() != 5_000 {
		t.Errorf("the rest was given back: %s, %s", p.Status, p.Gateway.Refunded)
	}
	l.adds(t)
	l.reports(t, i, says(gateway.DisputeWon, 20_000, 20_000, 20_000))
	if d := l.Discrepancy(t, discrepancy.Dispute); d.Status != discrepancy.Open || d.Seen != coretest.AtGateway(20_000) {
		t.Errorf("reinstated to a payment that is refunded: %+v", d)
	}

	l = bought(t, payment.CreditCard)
	l.GiveBack(t, l.of, operation.RefundPlan{Amount: coretest.AtGateway(15_000)}) // on its way
	i = l.named("dp_1")
	l.reports(t, i, says(gateway.DisputeLost, 25_000, 25_000, 0))
	if d := l.Discrepancy(t, discrepancy.Dispute); l.Payment.Amount.Minor() != 15_000 || d.Seen != coretest.AtGateway(15_000) {
		t.Errorf("%s is left, and open is %+v", l.Payment.Amount, d)
	}
	l.adds(t)
}

// TestWhatStaffHaveTakenIsNotTakenAgain, as they did before gateways told disputes.
func TestWhatStaffHaveTakenIsNotTakenAgain(t *testing.T) {
	t.Parallel()
	l := bought(t, payment.CreditCard)
	opened := l.Now
	l.Now = l.Now.Add(time.Hour)
	if err := l.correct(t, 15_000); err != nil {
		t.Fatal(err)
	}
	i := l.named("dp_1")
	r := says(gateway.DisputeNeedsResponse, 10_000, 10_000, 0)
	r.At = opened
	l.reports(t, i, r)
	if l.Payment.Amount.Minor() != 15_000 || l.disputes[i].Covered.Minor() != 10_000 {
		t.Errorf("%s is credited: %+v", l.Payment.Amount, l.disputes[i])
	}
	other := l.named("dp_2")
	r = says(gateway.DisputeNeedsResponse, 10_000, 10_000, 0)
	r.At = opened
	l.reports(t, other, r)
	if l.Payment.Amount.Minor() != 5_000 {
		t.Errorf("another dispute counts the same correction: %s", l.Payment.Amount)
	}
	r = says(gateway.DisputeWon, 10_000, 10_000, 10_000)
	r.At = opened
	l.reports(t, i, r)
	if d := l.Discrepancy(t, discrepancy.Dispute); l.Payment.Amount.Minor() != 5_000 || !d.IsOpen() {
		t.Errorf("what staff took is theirs to give back: %s, %+v", l.Payment.Amount, d)
	}
	l.adds(t)
}

// TestAnOlderAnswerChangesNothing, and news that came while the gateway was asked has it asked again.
func TestAnOlderAnswerChangesNothing(t *testing.T) {
	t.Parallel()
	l := bought(t, payment.CreditCard)
	i := l.named("dp_1")
	asked := l.disputes[i].Version
	l.disputes[i] = l.disputes[i].Cued(l.Now)
	l.reportsTo(t, i, asked, says(gateway.DisputeNeedsResponse, 25_000, 25_000, 0))
	if !l.disputes[i].NextAt.Equal(l.Now) {
		t.Errorf("news came while it was asked, and it is asked at %s", l.disputes[i].NextAt)
	}
	l.reports(t, i, says(gateway.DisputeWon, 25_000, 25_000, 25_000))
	if change := l.reportsTo(t, i, asked, says(gateway.DisputeNeedsResponse, 25_000, 25_000, 0)); len(change) != 0 {
		t.Errorf("an older answer changes %+v", change)
	}
}

// TestADisputeIsTold: the receiver learns of every change by the payment's next callback, which says what the money has done.
func TestADisputeIsTold(t *testing.T) {
	t.Parallel()
	l := bought(t, payment.CreditCard)
	i := l.named("dp_1")
	due := l.Now.Add(7 * 24 * time.Hour)
	r := says(gateway.DisputeInquiry, 10_000, 0, 0)
	r.EvidenceDue = due
	l.reports(t, i, r)
	l.reports(t, i, r) // the same again is no news
	r = says(gateway.DisputeNeedsResponse, 10_000, 10_000, 0)
	r.EvidenceDue = due
	l.reports(t, i, r)
	l.reports(t, i, says(gateway.DisputeWon, 10_000, 10_000, 4_000))
	var told []payment.Payload
	for _, cb := range l.latest() {
		told = append(told, cb.Payload)
	}
	if len(told) != 4 {
		t.Fatalf("%d callbacks", len(told))
	}
	for n, want := range []struct {
		amount   int64
		state    gateway.DisputeState
		corrects int64 // 0: nothing
		due      time.Time
	}{{25_000, "", 0, time.Time{}}, {25_000, gateway.DisputeInquiry, 0, due}, {15_000, gateway.DisputeNeedsResponse, 25_000, due}, {19_000, gateway.DisputeWon, 15_000, time.Time{}}} {
		p := told[n]
		d := p.Dispute
		if p.Amount.Minor() != want.amount || d.State != want.state || p.Correction.PreviousAmount.Minor() != want.corrects ||
			p.Status != payment.Success || !d.EvidenceDue.Equal(want.due) || (d.ID != "") != (n > 0) {
			t.Errorf("callback %d says %+v", n+1, p)
		}
	}
	if d := told[3].Dispute; d.Withdrawn.Minor() != 10_000 || d.Reinstated.Minor() != 4_000 || d.Amount.Minor() != 10_000 {
		t.Errorf("the last one says %+v", d)
	}
	if p := l.Payment; p.CorrectedAmount.Minor() != -6_000 || p.Gateway.Disputes != 1 || p.Reason != "" {
		t.Errorf("the payment says %+v", p)
	}
}

// TestADisputeOfNobodyIsKept, and a deposit that was not credited owes nothing.
func TestADisputeOfNobodyIsKept(t *testing.T) {
	t.Parallel()
	l := bought(t, payment.CreditCard)
	i := l.named("dp_1")
	d := l.Decision(core.Actor{Kind: core.ByGateway, ID: "9"}, "")
	d.AskedVersion = 1
	change, err := dispute.DecideReport(dispute.Case{Dispute: l.disputes[i]}, says(gateway.DisputeLost, 100, 100, 0), d)
	if kept := core.RowsOf[dispute.Dispute](change); err != nil || len(change) != 1 || kept[0].State != gateway.DisputeLost || kept[0].PaymentID != "" {
		t.Errorf("kept %+v, %v", change, err)
	}
	b, of := coretest.After(payment.CreditCard, coretest.Answered(gateway.Failed))(t)
	l = &life{Store: b, of: of}
	i = l.named("dp_1")
	l.reports(t, i, says(gateway.DisputeNeedsResponse, 100, 100, 0))
	if d := l.Discrepancy(t, discrepancy.Dispute); l.Payment.Status != payment.Failed || d.Seen != coretest.AtGateway(100) {
		t.Errorf("%s, %+v", l.Payment.Status, d)
	}
}

// TestWhenItIsAskedAbout: soon when evidence is due soon, and seldom once it is over; a name that is never found is given up.
func TestWhenItIsAskedAbout(t *testing.T) {
	t.Parallel()
	l := bought(t, payment.CreditCard)
	i := l.named("dp_1")
	r := says(gateway.DisputeNeedsResponse, 100, 0, 0)
	for due, want := range map[time.Duration]time.Duration{0: 6 * time.Hour, 47 * time.Hour: time.Hour, 49 * time.Hour: 6 * time.Hour} {
		if r.EvidenceDue = l.Now.Add(due); due == 0 {
			r.EvidenceDue = time.Time{}
		}
		l.reports(t, i, r)
		if got := l.disputes[i].NextAt.Sub(l.Now); got != want {
			t.Errorf("evidence due in %s: asked in %s, want %s", due, got, want)
		}
	}
	l.reports(t, i, says(gateway.DisputeLost, 100, 100, 0))
	if got := l.disputes[i].NextAt.Sub(l.Now); got != 7*24*time.Hour {
		t.Errorf("it is lost, and asked about in %s", got)
	}
	l.Now = l.Now.Add(121 * 24 * time.Hour)
	l.reports(t, i, says(gateway.DisputeLost, 100, 100, 0))
	if !l.disputes[i].NextAt.IsZero() {
		t.Errorf("it has been over for months, and is asked about at %s", l.disputes[i].NextAt)
	}
	unknown, outage := l.disputes[l.named("dp_2")], l.disputes[l.named("dp_3")]
	for range 8 {
		unknown = unknown.NoAnswer(&gateway.Error{Class: gateway.NotFound}, l.Now)
		outage = outage.NoAnswer(&gateway.Error{Class: gateway.Retryable}, l.Now)
	}
	if !unknown.NextAt.IsZero() || outage.NextAt.IsZero() {
		t.Errorf("a name that is none is asked about at %s, and one that could not be asked about at %s", unknown.NextAt, outage.NextAt)
	}
}

// TestNothingCountsTwice, whatever gateways say of several disputes, and whatever is refunded and corrected beside them.
func TestNothingCountsTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := bought(t, rapid.SampledFrom([]payment.Method{payment.CreditCard, payment.WalletDeposit}).Draw(t, "method"))
		amount := rapid.Int64Range(0, 60_000)
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) { l.adds(t) },
			"report": func(t *rapid.T) {
				l.Now = l.Now.Add(time.Minute)
				if len(l.disputes) < 3 && rapid.Bool().Draw(t, "another") {
					l.named("dp_" + string(rune('1'+len(l.disputes))))
				}
				if len(l.disputes) == 0 {
					return
				}
				i := rapid.IntRange(0, len(l.disputes)-1).Draw(t, "dispute")
				r := says(rapid.SampledFrom(gateway.DisputeStates()).Draw(t, "state"), 10_000, amount.Draw(t, "withdrawn"), amount.Draw(t, "reinstated"))
				if err := l.decide(t, 6, func(read []life) (core.Changeset, error) {
					c := l.caseIn(read, i)
					return l.answered(c, c.Dispute.Version, r)
				}); err != nil {
					t.Fatalf("%v", err)
				}
			},
			"refund": func(t *rapid.T) {
				plan := operation.RefundPlan{Amount: coretest.AtGateway(amount.Draw(t, "refund"))}
				before := len(l.Operations)
				_ = l.decide(t, 4, func(read []life) (core.Changeset, error) {
					return operation.DecideRefund(deposit(read, l.of), plan, l.Decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why"))
				})
				if len(l.Operations) > before {
					l.Send(t, l.Operations[before].ID)
				}
			},
			"outcome": func(t *rapid.T) {
				var refunds []core.ID // one that is made after it counted as failed is a discrepancy
				for _, o := range l.Operations {
					if o.Kind == operation.RefundOperation && o.Status != string(gateway.RefundFailed) {
						refunds = append(refunds, o.ID)
					}
				}
				if len(refunds) == 0 {
					return
				}
				id := rapid.SampledFrom(refunds).Draw(t, "refund")
				states := []gateway.RefundState{gateway.RefundDone, gateway.RefundFailed, gateway.RefundPending}
				r := gateway.RefundReport{State: rapid.SampledFrom(states).Draw(t, "outcome"), Trust: gateway.Answered}
				err := l.decide(t, 4, func(read []life) (core.Changeset, error) {
					c, d := deposit(read, id), l.Decision(core.System, "")
					d.AskedVersion, d.Callbacks = c.Operation.Version, l.latest()
					return operation.DecideRefundReported(c, r, d)
				})
				if err != nil {
					t.Fatalf("%v", err)
				}
			},
			"correct": func(t *rapid.T) {
				to := amount.Draw(t, "corrected")
				_ = l.decide(t, 4, func(read []life) (core.Changeset, error) { return l.corrected(read, to) })
			},
			"observe": func(t *rapid.T) {
				l.Observe(t, l.of, coretest.Answered(gateway.Disputed, coretest.AtGateway(25_000)))
			},
		})
	})
}
