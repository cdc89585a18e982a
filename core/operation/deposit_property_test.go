package operation_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// gateLife drives a payment at gateways: customers who begin, cancel and begin anew, gateways that report anything in
// any order and as often as they like, or nothing, workers who ask and give up, and staff who decide.
type gateLife struct {
	*coretest.Store
	past       []coretest.Store // what it was before each of the last changes
	ends       int              // how often it ended, or ended otherwise, and so was reported
	staffActed bool
}

// seen is what somebody reads while others change it: operations first, then the payment, and then what belongs to it, each as late as
// they happen to come. Who decides about an operation has seen what it is at.
func (l *gateLife) seen(t *rapid.T, id core.ID) *coretest.Store {
	read, mixed := coretest.Reads(t, append(slices.Clone(l.past), *l.Store), 4), *l.Store
	mixed.Operations, mixed.Payment, mixed.Discrepancies, mixed.Credits = read[0].Operations, read[1].Payment, read[2].Discrepancies, read[3].Credits
	if id != "" && mixed.Operation(id).Phase != l.Operation(id).Phase {
		return l.Store
	}
	return &mixed
}

// decide keeps what is decided from what is seen. Where that was changed meanwhile, it is decided anew from what there is.
func (l *gateLife) decide(t *rapid.T, id core.ID, decide func(seen *coretest.Store) (core.Changeset, error)) (core.Changeset, error) {
	change, err := decide(l.seen(t, id))
	if err == nil && l.keep(t, change) {
		return change, nil
	}
	if change, err = decide(l.Store); err == nil && !l.keep(t, change) {
		t.Fatalf("lost a race against itself: %+v", change)
	}
	return change, err
}

// TestMoneyAtGateways: whatever gateways, customers and staff do, no money is lost, credited twice or given back twice,
// and no payment is left that nobody looks after.
func TestMoneyAtGateways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		method := rapid.SampledFrom([]payment.Method{payment.CreditCard, payment.CryptoDeposit, payment.BankDeposit}).Draw(t, "method")
		l := &gateLife{Store: coretest.NewStore(t, method)}
		l.begins(t)
		t.Repeat(map[string]func(*rapid.T){
			"":        l.check,
			"begin":   l.begins,
			"start":   l.starts,
			"report":  l.reports,
			"more":    l.reports, // as likely as three others: the money is in the reports
			"again":   l.reports,
			"silence": l.silence,
			"end":     l.over,
			"cancel":  l.cancels,
			"finish":  l.finishes,
			"resolve": l.resolves,
			"reject":  l.rejects,
			"credit":  l.credits,
			"refund":  l.refunds,
			"work":    l.worksOnRefund,
			"wait": func(t *rapid.T) {
				l.Now = l.Now.Add(time.Duration(rapid.IntRange(1, 7200).Draw(t, "seconds")) * time.Second)
			},
		})
		l.drain(t)
	})
}

// keep applies what was decided, unless what it was decided from has changed, and counts ends.
func (l *gateLife) keep(t *rapid.T, change core.Changeset) bool {
	before := *l.Store
	if !l.Commits(change) {
		return false
	}
	l.past = coretest.Remember(l.past, before)
	for _, m := range core.RowsOf[payment.Transition](change) {
		if m.Command == payment.Succeed {
			l.checkCredit(t, before.Payment, change)
			break
		}
	}
	if n := len(core.RowsOf[payment.Transition](change)); n > 0 {
		last := core.RowsOf[payment.Transition](change)[n-1]
		if last.To.IsFinal() && last.To != last.From && last.Command != payment.Refund {
			l.ends++
		}
	}
	return true
}

// checkCredit: the gateway's word completes a payment with exactly what was due, and nothing else does.
func (l *gateLife) checkCredit(t *rapid.T, before payment.Payment, change core.Changeset) {
	id := core.RowsOf[payment.Payment](change)[0].Gateway.OperationID
	for _, o := range core.RowsOf[operation.Operation](change) {
		if o.ID == id && (o.Paid.Amount != o.Due.Amount || !o.Paid.IsSameAsset(o.Due) || o.Phase != operation.Closed) {
			t.Fatalf("completed with %s of %s: %+v", o.Paid, o.Due, o)
		}
	}
	if len(core.RowsOf[payment.Credit](change)) != 1 || core.RowsOf[payment.Credit](change)[0].OperationID != id || core.RowsOf[payment.Credit](change)[0].Source != payment.CreditOfOperation {
		t.Fatalf("completed with the credits %+v", core.RowsOf[payment.Credit](change))
	}
	if !core.RowsOf[payment.Payment](change)[0].Amount.Equal(before.Amount) {
		t.Fatalf("completed with %s instead of %s", core.RowsOf[payment.Payment](change)[0].Amount, before.Amount)
	}
}

// work is a worker's decision: it never fails, or the worker would come back for ever.
func (l *gateLife) work(t *rapid.T, id core.ID, decide coretest.Decide) core.Changeset {
	hasOtherWay := rapid.Bool().Draw(t, "another way")
	change, err := l.decide(t, id, func(seen *coretest.Store) (core.Changeset, error) {
		c, d := seen.CaseOf(id), l.Decision(core.System, "")
		c.HasOtherWay, d.AskedVersion = hasOtherWay, c.Operation.Version
		return decide(c, d)
	})
	if err != nil {
		t.Fatalf("a worker's decision fails: %v\n%+v\n%+v", err, l.Payment, l.Operation(id))
	}
	return change
}

// byStaff is a person's decision: a refusal is theirs to read.
func (l *gateLife) byStaff(t *rapid.T, id core.ID, decide coretest.Decide) {
	change, err := l.decide(t, id, func(seen *coretest.Store) (core.Changeset, error) {
		return decide(seen.CaseOf(id), l.Decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why"))
	})
	switch fault.CodeOf(err) {
	case "":
		l.staffActed = true
	case fault.NotAllowed, fault.AlreadyFinal, fault.Invalid, fault.MoreThanSeen:
		if len(change) > 0 {
			t.Fatalf("refused with %v, yet changes %+v", err, change)
		}
	default:
		t.Fatalf("a person is told %v", err)
	}
}

// draw picks one of the operations that fit.
func (l *gateLife) draw(t *rapid.T, fits func(operation.Operation) bool) (operation.Operation, bool) {
	var all []operation.Operation
	for _, o := range l.Operations {
		if fits(o) {
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		return operation.Operation{}, false
	}
	return all[rapid.IntRange(0, len(all)-1).Draw(t, "operation")], true
}

func isDeposit(o operation.Operation) bool { return o.Kind == operation.DepositOperation }

func (l *gateLife) begins(t *rapid.T) {
	plan := coretest.DepositPlan(l.Payment.Method)
	plan.Late = rapid.SampledFrom([]time.Duration{0, time.Hour, -1}).Draw(t, "late")
	if l.Payment.Method == payment.CryptoDeposit {
		plan.Quote = &gateway.Quote{From: coretest.AtGateway(25000), To: coretest.Coins("7.1")}
	}
	_, err := l.decide(t, "", func(seen *coretest.Store) (core.Changeset, error) {
		return operation.DecideBegin(seen.Payment, seen.Operations, plan, l.Decision(core.Actor{Kind: core.ByCustomer}, ""))
	})
	switch fault.CodeOf(err) {
	case "", fault.Expired, fault.AlreadyFinal, fault.NotAllowed:
	default:
		t.Fatalf("the customer is told %v", err)
	}
}

func (l *gateLife) starts(t *rapid.T) {
	o, ok := l.draw(t, isDeposit)
	if !ok {
		return
	}
	if rapid.Bool().Draw(t, "taken") {
		next := rapid.SampledFrom([]gateway.NextStep{{Wait: &gateway.Wait{}}, {Redirect: &gateway.Redirect{URL: "https://pay.example.com"}}}).Draw(t, "next")
		started := gateway.DepositStarted{External: gateway.ExternalRef{ID: "x"}, Next: next}
		l.work(t, o.ID, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideStarted(c, started, d), nil
		})
		return
	}
	l.work(t, o.ID, notTaken(drawClass(t)))
}

func drawClass(t *rapid.T) gateway.Class {
	return rapid.SampledFrom([]gateway.Class{
		gateway.Retryable, gateway.NotFound, gateway.NotFound, gateway.Refused, gateway.Misconfigured, gateway.OutOfFunds,
	}).Draw(t, "class")
}

// drawMoney is what a report says of money: nothing, or around what is due.
func drawMoney(t *rapid.T, due gateway.Money, label string) *gateway.Money {
	texts := []string{"", "", "0", "-1", "100", "200", "250", "250", "250", "300", "7.1", "7.1", "7.100001"}
	text := rapid.SampledFrom(texts).Draw(t, label)
	if text == "" {
		return nil
	}
	m := gateway.Money{Amount: money.MustDecimal(text), Asset: due.Asset}
	if rapid.IntRange(0, 9).Draw(t, label+" in another asset") == 0 {
		m.Asset = gateway.Asset{Code: "USD", Decimals: 2}
	}
	return &m
}

func drawReport(t *rapid.T, due gateway.Money) gateway.Observation {
	seen := gateway.Observation{
		State:       rapid.SampledFrom(gateway.States()).Draw(t, "state"),
		Trust:       rapid.SampledFrom([]gateway.Trust{gateway.Hint, gateway.SharedSecret, gateway.Signed, gateway.Answered, gateway.Answered, gateway.Answered}).Draw(t, "trust"),
		Paid:        drawMoney(t, due, "paid"),
		CanStillPay: rapid.Bool().Draw(t, "can still pay"),
	}
	if rapid.Bool().Draw(t, "reason") {
		seen.Reason = &gateway.Reason{Code: gateway.DoNotHonour}
	}
	if rapid.IntRange(0, 3).Draw(t, "refunded?") == 0 {
		seen.Refunded = drawMoney(t, due, "refunded")
	}
	return seen
}

// reports has a gateway say anything, twice: what is not to be trusted moves nothing, and the second time nothing moves.
func (l *gateLife) reports(t *rapid.T) {
	o, ok := l.draw(t, isDeposit)
	if !ok {
		return
	}
	seen := drawReport(t, o.Due)
	before := *l.Store
	l.work(t, o.ID, coretest.Observed(seen))
	if seen.IsCue() {
		l.checkSame(t, before, o.ID, "an untrusted report")
	}
	first := *l.Store
	l.Now = l.Now.Add(time.Second)
	l.work(t, o.ID, coretest.Observed(seen))
	l.checkSame(t, first, o.ID, "the same report again")
}

// checkSame: nothing has changed but how often and when is asked.
func (l *gateLife) checkSame(t *rapid.T, before coretest.Store, id core.ID, what string) {
	if diff := cmp.Diff(before.Payment, l.Payment, coretest.Exactly); diff != "" {
		t.Fatalf("%s changes the payment:\n%s", what, diff)
	}
	if diff := cmp.Diff(before.Discrepancies, l.Discrepancies, coretest.Exactly); diff != "" {
		t.Fatalf("%s changes the discrepancies:\n%s", what, diff)
	}
	if len(l.Operations) != len(before.Operations) || len(l.Callbacks) != len(before.Callbacks) || len(l.Moves) != len(before.Moves) {
		t.Fatalf("%s makes rows", what)
	}
	was, is := before.Operation(id), l.Operation(id)
	if was.Phase == operation.Late && is.Phase == operation.Closed && !l.Now.Before(is.LateUntil) {
		is.Phase = operation.Late // the watch was over meanwhile
	}
	if l.Payment.Status.IsFinal() {
		is.IsHeld = was.IsHeld // there is no end any more to hold it from
	}
	if diff := cmp.Diff(was, is, coretest.Exactly, ignoringBookkeeping); diff != "" {
		t.Fatalf("%s changes the operation:\n%s", what, diff)
	}
}

func (l *gateLife) silence(t *rapid.T) {
	o, ok := l.draw(t, isDeposit)
	if !ok {
		return
	}
	asked := operation.Asked{
		Err:  &gateway.Error{Class: drawClass(t), RetryAfter: rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(t, "retry after")},
		Keys: gateway.KeyTraits{Find: rapid.Bool().Draw(t, "find"), Settle: time.Minute},
	}
	l.work(t, o.ID, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNoAnswer(c, asked, d)
	})
}

func (l *gateLife) over(t *rapid.T) {
	if o, ok := l.draw(t, isDeposit); ok {
		l.work(t, o.ID, deadline)
	}
	l.sweep(t)
}

// sweep expires a payment that no gateway has, as the sweeper does.
func (l *gateLife) sweep(t *rapid.T) {
	_, err := l.decide(t, "", func(seen *coretest.Store) (core.Changeset, error) {
		p := seen.Payment
		if p.Gateway.OperationID != "" || l.Now.Before(p.ExpiresAt) || p.Status.IsFinal() || p.Status == payment.Processing {
			return nil, nil
		}
		return payment.Decide(p, payment.Expire, l.Decision(core.System, ""))
	})
	if err != nil {
		t.Fatalf("it can't expire: %v", err)
	}
}

// cancels is the customer, who calls off what a gateway has, and then the payment.
func (l *gateLife) cancels(t *rapid.T) {
	_, err := l.decide(t, "", func(seen *coretest.Store) (core.Changeset, error) {
		o, ok := operation.Current(seen.Operations)
		if !ok {
			return nil, nil
		}
		return operation.DecideUnwanted(o, l.Now), nil
	})
	if err == nil && rapid.Bool().Draw(t, "only calls it off") {
		return
	}
	_, err = l.decide(t, "", func(seen *coretest.Store) (core.Changeset, error) {
		if seen.Payment.Status.IsFinal() || seen.Payment.Status == payment.Processing {
			return nil, nil
		}
		return payment.Decide(seen.Payment, payment.Cancel, l.Decision(core.Actor{Kind: core.ByCustomer}, ""))
	})
	if err != nil {
		t.Fatalf("it can't be canceled: %v", err)
	}
}

func (l *gateLife) finishes(t *rapid.T) {
	o, ok := l.draw(t, isDeposit)
	if !ok {
		return
	}
	_, _ = l.decide(t, o.ID, func(seen *coretest.Store) (core.Changeset, error) {
		change, _ := operation.DecideFinishing(seen.Operation(o.ID), l.Now, time.Minute)
		return change, nil
	})
}

func (l *gateLife) resolves(t *rapid.T) {
	if len(l.Discrepancies) == 0 {
		return
	}
	known := rapid.SampledFrom(l.Discrepancies).Draw(t, "discrepancy")
	r := rapid.SampledFrom([]operation.Resolution{operation.AcceptMoney, operation.WriteOff}).Draw(t, "resolution")
	amount := coretest.Lira(rapid.SampledFrom([]int64{0, 0, 20000, 30000, -1}).Draw(t, "amount"))
	l.byStaff(t, known.OperationID, resolved(known.ID, r, amount))
}

func (l *gateLife) rejects(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
		l.byStaff(t, "", ended(payment.Reject))
	}
}

// credits is two people's word that the money came, before its gateway says so: it is first in line for what comes.
func (l *gateLife) credits(t *rapid.T) {
	amount := coretest.Lira(rapid.SampledFrom([]int64{0, 20000, 30000}).Draw(t, "amount"))
	if rapid.IntRange(0, 4).Draw(t, "really") > 0 || l.Payment.Method == payment.CreditCard {
		return
	}
	l.byStaff(t, "", func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideApproval(c.Payment, coretest.ByHand(c.Payment, amount), c.Others, d)
	})
}

func (l *gateLife) refunds(t *rapid.T) {
	o, ok := l.draw(t, isDeposit)
	if !ok {
		return
	}
	var plan operation.RefundPlan
	if m := drawMoney(t, o.Due, "give back"); m != nil {
		plan.Amount = *m
	}
	for _, d := range l.Discrepancies {
		if d.OperationID == o.ID && rapid.Bool().Draw(t, "named") {
			plan.Discrepancy = d.ID
		}
	}
	l.byStaff(t, o.ID, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefund(c, plan, d)
	})
}

// worksOnRefund sends a refund, or has the gateway say anything about it, twice.
func (l *gateLife) worksOnRefund(t *rapid.T) {
	o, ok := l.draw(t, func(o operation.Operation) bool { return o.Kind == operation.RefundOperation })
	if !ok {
		return
	}
	if o.Phase == operation.Planned {
		l.work(t, o.ID, sending)
		return
	}
	switch rapid.IntRange(0, 4).Draw(t, "what") {
	case 0:
		l.work(t, o.ID, notGivenBack(drawClass(t)))
	case 1:
		l.work(t, o.ID, refundUnanswered(drawClass(t)))
	default:
		states := []gateway.RefundState{gateway.RefundPending, gateway.RefundDone, gateway.RefundFailed, gateway.RefundUnknown}
		r := gateway.RefundReport{
			State: rapid.SampledFrom(states).Draw(t, "state"),
			Trust: rapid.SampledFrom([]gateway.Trust{gateway.Hint, gateway.SharedSecret, gateway.Signed, gateway.Answered}).Draw(t, "trust"),
		}
		before := *l.Store
		l.work(t, o.ID, coretest.RefundReported(r))
		if r.Trust < gateway.Signed {
			l.checkSame(t, before, o.ID, "an untrusted report")
		}
		first := *l.Store
		l.work(t, o.ID, coretest.RefundReported(r))
		l.checkSame(t, first, o.ID, "the same report again")
	}
}

// check holds after every step.
func (l *gateLife) check(t *rapid.T) {
	if len(l.Callbacks) != l.ends || !l.staffActed && l.ends > 1 {
		t.Fatalf("%d callbacks of %d ends, staff acted %v", len(l.Callbacks), l.ends, l.staffActed)
	}
	if l.ends == 0 == l.Payment.Status.IsFinal() {
		t.Fatalf("%s after %d ends", l.Payment.Status, l.ends)
	}
	for _, o := range l.Operations {
		if isDeposit(o) {
			l.checkAccounted(t, o)
			l.checkGivenBack(t, o)
		}
		if isWatched := !o.NextAt.IsZero(); !isWatched && o.Phase != operation.Closed {
			t.Fatalf("nobody looks after %+v", o)
		}
	}
	for _, d := range l.Discrepancies {
		if d.Status == discrepancy.Refunding && l.Operation(d.RefundID).Phase == operation.Closed {
			t.Fatalf("given back by a refund that has ended: %+v", d)
		}
	}
	l.checkCared(t)
}

// checkAccounted: what came is either the payment's, exactly as was due, or stands as a discrepancy.
func (l *gateLife) checkAccounted(t *rapid.T, o operation.Operation) {
	isGood := slices.Contains([]payment.Status{payment.Completed, payment.Success, payment.Refunded}, l.Payment.Status)
	isExact := o.Paid.Amount == o.Due.Amount && o.Paid.IsSameAsset(o.Due)
	isCredited := isGood && isExact && l.Payment.Gateway.OperationID == o.ID
	if o.Paid.Amount.Sign() > 0 && !isCredited && len(l.Kinds(o.ID)) == 0 {
		t.Fatalf("%s of %s came, the payment is %s, and nobody knows: %+v", o.Paid, o.Due, l.Payment.Status, o)
	}
}

// checkGivenBack: never more than came, unless the gateway made a refund that it had called failed, which staff are told.
func (l *gateLife) checkGivenBack(t *rapid.T, o operation.Operation) {
	var sum money.Decimal
	for _, r := range l.Operations {
		isOf := r.Of == o.ID && r.Status != string(gateway.RefundFailed) && r.Amount.IsSameAsset(o.Paid)
		if isOf && !slices.ContainsFunc(l.Kinds(r.ID), func(k string) bool { return k[:6] == "refund" }) {
			sum = sum.Add(r.Amount.Amount)
		}
	}
	if sum.Cmp(o.Paid.Amount) > 0 {
		t.Fatalf("gives back %s of %s", sum, o.Paid)
	}
	if p := l.Payment; p.Amount.Less(p.Gateway.Refunded) && isDeposit(o) && len(l.Discrepancies) == 0 {
		t.Fatalf("the payment of %s gave back %s", p.Amount, p.Gateway.Refunded)
	}
}

// checkCared: an open payment has a deposit that is watched, or waits for staff who are told, or expires by itself.
func (l *gateLife) checkCared(t *rapid.T) {
	p := l.Payment
	if p.Status.IsFinal() || p.Gateway.OperationID == "" {
		return
	}
	o := l.Operation(p.Gateway.OperationID)
	isTold := slices.ContainsFunc(l.Discrepancies, func(d discrepancy.Discrepancy) bool { return d.OperationID == o.ID && d.IsOpen() })
	if !o.IsLive() && (!o.IsHeld || !isTold) {
		t.Fatalf("%s, and nobody cares: %+v with %q", p.Status, o, l.Kinds(o.ID))
	}
}

// drain lets time pass, gateways answer and staff write off: every payment ends, and every discrepancy with it.
func (l *gateLife) drain(t *rapid.T) {
	for i := range 40 {
		l.Now = l.Now.Add(12 * time.Hour)
		for _, o := range l.Operations {
			l.answer(t, o)
		}
		for _, d := range l.Discrepancies {
			if d.Status == discrepancy.Open {
				l.byStaff(t, d.OperationID, resolved(d.ID, operation.WriteOff, money.Amount{}))
			}
		}
		l.sweep(t)
		if i > 20 && l.Payment.Status == payment.Processing { // it waits for staff, not for the clock
			l.byStaff(t, "", ended(payment.Reject))
		}
		l.check(t)
		if l.Payment.Status.IsFinal() && !slices.ContainsFunc(l.Discrepancies, discrepancy.Discrepancy.IsOpen) {
			return
		}
	}
	t.Fatalf("never ends: %s at %+v\n%+v", l.Payment.Status, l.Payment.Gateway, l.Discrepancies)
}

// answer has a gateway say that it is over, and give back what it is asked to.
func (l *gateLife) answer(t *rapid.T, o operation.Operation) {
	switch {
	case o.Phase == operation.Closed:
	case o.Kind == operation.RefundOperation && o.MaySend():
		l.work(t, o.ID, sending)
	case o.Kind == operation.RefundOperation:
		l.work(t, o.ID, coretest.RefundReported(gateway.RefundReport{State: gateway.RefundDone, Trust: gateway.Answered}))
	case o.Phase == operation.Calling:
		l.work(t, o.ID, silent(gateway.NotFound, coretest.Findable))
	default:
		l.work(t, o.ID, coretest.Observed(coretest.Answered(gateway.Expired)))
		l.work(t, o.ID, deadline)
	}
}
