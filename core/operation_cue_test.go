package core_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// cuedCase is an operation of some kind in some phase, and how its gateway's words reach it.
type cuedCase struct {
	name   string
	make   func(t testingT) (*books, core.ID)
	cue    decide
	answer decide // that changes nothing, or nothing more than the first time
	silent decide
}

// cuedCases has all kinds of operations in all phases in which a gateway may have them.
func cuedCases() []cuedCase {
	ofDeposit := func(name string, make func(t testingT) (*books, core.ID), s gateway.State, paid ...gateway.Money) cuedCase {
		cue := answered(s, paid...)
		cue.Trust = gateway.Hint
		return cuedCase{name, make, observed(cue), observed(answered(s, paid...)), silent(gateway.Retryable, findable)}
	}
	ofPayout := func(name string, make func(t testingT) (*books, core.ID), s gateway.PayoutState) cuedCase {
		return cuedCase{
			name, make, reported(gateway.PayoutReport{State: gateway.PayoutReturned, Trust: gateway.Signed}),
			reported(gateway.PayoutReport{State: s, Trust: gateway.Answered}), unanswered(gateway.Retryable),
		}
	}
	ofRefund := func(name string, make func(t testingT) (*books, core.ID), s gateway.RefundState) cuedCase {
		return cuedCase{
			name, make, refundReported(gateway.RefundReport{State: gateway.RefundDone, Trust: gateway.Signed}),
			refundReported(gateway.RefundReport{State: s, Trust: gateway.Answered}),
			func(c operation.Case, d payment.Decision) (core.Changeset, error) {
				return operation.DecideRefundNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: gateway.Retryable}}, d), nil
			},
		}
	}
	payoutAt := func(s ...gateway.PayoutState) func(t testingT) (*books, core.ID) {
		return func(t testingT) (*books, core.ID) {
			b, id := sent(t)
			for _, state := range s {
				b.report(t, id, state)
			}
			return b, id
		}
	}
	tried := func(t testingT) (*books, core.ID) {
		b, id := sent(t)
		b.take(t, id, notSent(&gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}))
		return b, id
	}
	refundAt := func(s ...gateway.RefundState) func(t testingT) (*books, core.ID) {
		return func(t testingT) (*books, core.ID) {
			b, of := bought(t, payment.CreditCard)
			return b, b.giveBack(t, of, operation.RefundPlan{}, s...)
		}
	}
	paid := atGateway(25000)
	return []cuedCase{
		ofDeposit("a deposit that was called", called(payment.WalletDeposit), gateway.Waiting),
		ofDeposit("an open deposit", after(payment.WalletDeposit), gateway.Waiting),
		ofDeposit("an open card", after(payment.CreditCard), gateway.Waiting),
		ofDeposit("a deposit that ended", after(payment.WalletDeposit, answered(gateway.Canceled)), gateway.Canceled),
		ofDeposit("a deposit that is paid", after(payment.WalletDeposit, answered(gateway.Paid, paid)), gateway.Paid, paid),
		ofDeposit("a card that is paid", after(payment.CreditCard, answered(gateway.Paid, paid)), gateway.Disputed, paid),
		ofPayout("a payout that was called", payoutAt(), gateway.PayoutSent),
		ofPayout("a payout that was tried without effect", tried, gateway.PayoutSent),
		ofPayout("a payout under way", payoutAt(gateway.PayoutSent), gateway.PayoutSent),
		ofPayout("a payout that is done", payoutAt(gateway.PayoutDone), gateway.PayoutReturned),
		ofPayout("a payout that failed", payoutAt(gateway.PayoutFailed), gateway.PayoutDone),
		ofRefund("a refund that was called", refundAt(), gateway.RefundPending),
		ofRefund("a refund under way", refundAt(gateway.RefundPending), gateway.RefundPending),
		ofRefund("a refund that is done", refundAt(gateway.RefundDone), gateway.RefundDone),
		ofRefund("a refund that failed", refundAt(gateway.RefundFailed), gateway.RefundDone),
	}
}

// untouched leaves a payment without an end of its own, so that only its operation is watched.
func untouched(b *books) {
	for i := range b.operations {
		b.operations[i].DeadlineAt, b.operations[i].LateUntil = time.Time{}, b.now.AddDate(1, 0, 0)
	}
}

// TestACueIsAskedAboutUntilItIsAnswered, in every phase: a question that fails is asked again, soon.
func TestACueIsAskedAboutUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	for _, tt := range cuedCases() {
		b, id := tt.make(t)
		untouched(b)
		b.take(t, id, tt.cue)
		if o := b.operation(id); !o.IsCued() || o.NextAt.IsZero() || o.NextAt.After(b.now) {
			t.Errorf("%s: not asked at once: %+v", tt.name, o)
		}
		for i := range 4 {
			b.take(t, id, tt.silent)
			if wait := b.operation(id).NextAt.Sub(b.now); !b.operation(id).IsCued() || wait <= 0 || wait > 2*time.Minute {
				t.Errorf("%s: after %d questions that failed, asked again in %s", tt.name, i+1, wait)
			}
			b.now = b.operation(id).NextAt
		}
		b.take(t, id, tt.answer)
		o := b.operation(id)
		if o.IsCued() || o.Phase == operation.Closed && !o.NextAt.IsZero() {
			t.Errorf("%s: answered, and asked on: %+v", tt.name, o)
		}
		if slices.Contains(b.kinds(id), "unconfirmed open") {
			t.Errorf("%s: answered, and staff are told: %q", tt.name, b.kinds(id))
		}
	}
}

// TestACueThatComesWhileAQuestionIsOnItsWay is not answered by it: the gateway is asked again at once.
func TestACueThatComesWhileAQuestionIsOnItsWay(t *testing.T) {
	t.Parallel()
	for _, tt := range cuedCases() {
		for name, outcome := range map[string]decide{"answered": tt.answer, "failed": tt.silent} {
			b, id := tt.make(t)
			untouched(b)
			asked := b.operation(id).Version
			b.take(t, id, tt.cue)
			b.now = b.now.Add(time.Second)
			b.takeAsked(t, id, asked, outcome)
			if o := b.operation(id); !o.IsCued() || o.NextAt.IsZero() || o.NextAt.After(b.now) {
				t.Errorf("%s: the question before %s, and the gateway is not asked again: %+v", tt.name, name, o)
			}
		}
	}
}

// TestTheOlderAnswerDoesNotWin: the answer to a question that was begun before one whose answer was taken is worth a
// question, and no more.
func TestTheOlderAnswerDoesNotWin(t *testing.T) {
	t.Parallel()
	b, id := after(payment.WalletDeposit)(t)
	older := b.operation(id).Version
	b.observe(t, id, answered(gateway.Waiting))
	b.observe(t, id, answered(gateway.Paid, atGateway(25000)))
	b.takeAsked(t, id, older, observed(answered(gateway.Canceled)))
	if got := b.kinds(id); len(got) != 0 || !b.operation(id).IsCued() || b.operation(id).NextAt.IsZero() {
		t.Errorf("canceled, it said before it said paid: %q, asked again at %s", got, b.operation(id).NextAt)
	}
	b.observe(t, id, answered(gateway.Canceled))
	if got := b.kinds(id); !slices.Equal(got, []string{"reversed open"}) {
		t.Errorf("and says it still: %q", got)
	}
	out, id := sent(t)
	older = out.operation(id).Version
	out.report(t, id, gateway.PayoutSent)
	out.report(t, id, gateway.PayoutSent)
	out.takeAsked(t, id, older, reported(gateway.PayoutReport{State: gateway.PayoutFailed, Trust: gateway.Answered}))
	if out.payment.Status != payment.Processing || !out.operation(id).IsCued() {
		t.Errorf("an older answer makes a payout %s", out.payment.Status)
	}
	b, of := bought(t, payment.CreditCard)
	id = b.giveBack(t, of, operation.RefundPlan{})
	older = b.operation(id).Version
	b.refundReport(t, id, gateway.RefundPending)
	b.refundReport(t, id, gateway.RefundPending)
	b.takeAsked(t, id, older, refundReported(gateway.RefundReport{State: gateway.RefundFailed, Trust: gateway.Answered}))
	if o := b.operation(id); o.Phase != operation.Open || !o.IsCued() {
		t.Errorf("an older answer makes a refund %s", o.State)
	}
}

// TestNewsThatNobodyConfirmsIsForStaff after a day; once they have settled it, the gateway is asked no more about it.
func TestNewsThatNobodyConfirmsIsForStaff(t *testing.T) {
	t.Parallel()
	for _, tt := range cuedCases() {
		b, id := tt.make(t)
		untouched(b)
		b.take(t, id, tt.cue)
		start, questions := b.now, 0
		for ; !slices.Contains(b.kinds(id), "unconfirmed open") && questions < 2000; questions++ {
			b.now = later(b.operation(id).NextAt, b.now)
			b.take(t, id, tt.silent)
		}
		if told := b.now.Sub(start); told < 24*time.Hour || told > 36*time.Hour || b.operation(id).NextAt.IsZero() {
			t.Errorf("%s: staff are told after %s and %d questions, %q", tt.name, told, questions, b.kinds(id))
			continue
		}
		answers := *b
		answers.take(t, id, tt.answer)
		if got := answers.kinds(id); !slices.Contains(got, "unconfirmed settled") || answers.operation(id).IsCued() {
			t.Errorf("%s: answered at last: %q", tt.name, got)
		}
		before := b.payment
		if err := b.resolve(t, discrepancy.UnconfirmedNews, operation.WriteOff, before.AtGate.Refunded); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if b.payment.Status != before.Status {
			t.Errorf("%s: settling it makes the payment %s", tt.name, b.payment.Status)
		}
		b.now = b.operation(id).NextAt
		b.take(t, id, tt.silent)
		if o := b.operation(id); o.IsCued() || o.Phase == operation.Closed && !o.NextAt.IsZero() {
			t.Errorf("%s: staff have settled it, and it is asked on: %+v", tt.name, o)
		}
		b.take(t, id, tt.cue)
		b.now = b.now.Add(25 * time.Hour)
		b.take(t, id, tt.silent)
		if got := b.kinds(id); !slices.Contains(got, "unconfirmed open") {
			t.Errorf("%s: news after that, and nobody is told: %q", tt.name, got)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// TestWhatMayBeAtTheGatewayIsNotSentAgain: of a payout whose tries had no effect, and of which there is news all the same,
// the gateway is asked before anything, and nobody calls it off.
func TestWhatMayBeAtTheGatewayIsNotSentAgain(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	b.take(t, id, notSent(&gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}))
	b.take(t, id, reported(gateway.PayoutReport{State: gateway.PayoutDone, Trust: gateway.Signed}))
	if b.send(t, id) {
		t.Fatal("sent again")
	}
	if err := b.order(t, id, callOff(payment.Fail)); err == nil {
		t.Error("failed, although it may have been paid out")
	}
	b.noAnswer(t, id, gateway.NotFound)
	if b.send(t, id) || b.operation(id).NextAt.IsZero() {
		t.Errorf("not found once, and sent again: %+v", b.operation(id))
	}
	b.report(t, id, gateway.PayoutDone)
	if b.payment.Status != payment.Completed {
		t.Errorf("it is %s", b.payment.Status)
	}
	unsent, id := planned(t)
	if change := unsent.take(t, id, reported(gateway.PayoutReport{State: gateway.PayoutDone, Trust: gateway.Signed})); !isNothing(change) {
		t.Error("news of what was never sent")
	}
}

// TestNewsAtTheDeadlineIsAskedAboutFirst, for a minute.
func TestNewsAtTheDeadlineIsAskedAboutFirst(t *testing.T) {
	t.Parallel()
	b, id := after(payment.WalletDeposit)(t)
	b.now = b.payment.ExpiresAt
	asked := b.operation(id).Version
	hint := answered(gateway.Paid, atGateway(25000))
	hint.Trust = gateway.Hint
	b.take(t, id, observed(hint))
	b.takeAsked(t, id, asked, observed(answered(gateway.Waiting)))
	b.take(t, id, deadline)
	if b.payment.Status != payment.Showing || b.operation(id).NextAt.After(b.now) {
		t.Fatalf("%s, asked again at %s", b.payment.Status, b.operation(id).NextAt)
	}
	paid := *b
	paid.observe(t, id, answered(gateway.Paid, atGateway(25000)))
	if paid.payment.Status != payment.Completed {
		t.Errorf("the news was right, and it is %s", paid.payment.Status)
	}
	b.now = b.now.Add(time.Minute)
	b.take(t, id, silent(gateway.Retryable, findable))
	if b.payment.Status != payment.Expired {
		t.Errorf("a minute later: %s", b.payment.Status)
	}
}

// question is one that is on its way: cues is how many cues there were when it was begun.
type question struct{ version, cues int }

// TestEveryCueIsAnsweredOrTold: cues come at any time, questions fail, come late and out of order, and each cue is followed
// by the answer to a question that was begun after it, or by a discrepancy. Until then there is always a next question.
func TestEveryCueIsAnsweredOrTold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tt := rapid.SampledFrom(cuedCases()).Draw(t, "case")
		b, id := tt.make(t)
		untouched(b)
		cues, answeredCues := 0, 0
		var asked []question
		isTold := func() bool {
			return slices.ContainsFunc(b.discrepancies, func(d discrepancy.Discrepancy) bool { return d.Kind == discrepancy.UnconfirmedNews })
		}
		outcome := func(answers bool, i int) {
			q := asked[i]
			asked = slices.Delete(asked, i, i+1)
			if !answers {
				b.takeAsked(t, id, q.version, tt.silent)
				return
			}
			wasOlder := q.version < b.operation(id).AnsweredVersion
			b.takeAsked(t, id, q.version, tt.answer)
			if !wasOlder {
				answeredCues = max(answeredCues, q.cues)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				o := b.operation(id)
				if cues > answeredCues && !isTold() && (!o.IsCued() || o.NextAt.IsZero()) {
					t.Fatalf("%s: cue %d of %d answered, and nobody asks: %+v", tt.name, answeredCues, cues, o)
				}
			},
			"cue": func(t *rapid.T) {
				b.take(t, id, tt.cue)
				cues++
			},
			"ask": func(t *rapid.T) {
				b.operations[slices.IndexFunc(b.operations, func(o operation.Operation) bool { return o.ID == id })].Version++ // claimed
				asked = append(asked, question{b.operation(id).Version, cues})
			},
			"answer": func(t *rapid.T) {
				if len(asked) > 0 {
					outcome(true, rapid.IntRange(0, len(asked)-1).Draw(t, "which"))
				}
			},
			"silence": func(t *rapid.T) {
				if len(asked) > 0 {
					outcome(false, rapid.IntRange(0, len(asked)-1).Draw(t, "which"))
				}
			},
			"wait": func(t *rapid.T) {
				b.now = b.now.Add(time.Duration(rapid.IntRange(1, 30_000).Draw(t, "seconds")) * time.Second)
			},
		})
		for range 2000 { // the worker asks whenever it is time, and nobody answers
			o := b.operation(id)
			if cues <= answeredCues || isTold() {
				return
			}
			b.now = later(o.NextAt, b.now)
			asked = append(asked, question{o.Version, cues})
			outcome(false, len(asked)-1)
		}
		t.Fatalf("%s: cue %d of %d is answered, and nobody is told: %q", tt.name, answeredCues, cues, b.kinds(id))
	})
}
