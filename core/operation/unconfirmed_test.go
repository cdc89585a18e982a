package operation_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// cuedCase is an operation of some kind in some phase, and how its gateway's words reach it.
type cuedCase struct {
	name   string
	make   func(t coretest.T) (*coretest.Store, core.ID)
	cue    coretest.Decide
	answer coretest.Decide // that changes nothing, or nothing more than the first time
	silent coretest.Decide
}

// cuedCases has all kinds of operations in all phases in which a gateway may have them.
func cuedCases() []cuedCase {
	ofDeposit := func(name string, make func(t coretest.T) (*coretest.Store, core.ID), s gateway.State, paid ...gateway.Money) cuedCase {
		cue := coretest.Answered(s, paid...)
		cue.Trust = gateway.Hint
		return cuedCase{name, make, coretest.Observed(cue), coretest.Observed(coretest.Answered(s, paid...)), silent(gateway.Retryable, coretest.Findable)}
	}
	ofPayout := func(name string, make func(t coretest.T) (*coretest.Store, core.ID), s gateway.PayoutState) cuedCase {
		return cuedCase{
			name, make, coretest.Reported(gateway.PayoutReport{State: gateway.PayoutReturned, Trust: gateway.Signed}),
			coretest.Reported(gateway.PayoutReport{State: s, Trust: gateway.Answered}), coretest.Unanswered(gateway.Retryable),
		}
	}
	ofRefund := func(name string, make func(t coretest.T) (*coretest.Store, core.ID), s gateway.RefundState) cuedCase {
		return cuedCase{
			name, make, coretest.RefundReported(gateway.RefundReport{State: gateway.RefundDone, Trust: gateway.Signed}),
			coretest.RefundReported(gateway.RefundReport{State: s, Trust: gateway.Answered}),
			refundUnanswered(gateway.Retryable),
		}
	}
	payoutAt := func(s ...gateway.PayoutState) func(t coretest.T) (*coretest.Store, core.ID) {
		return func(t coretest.T) (*coretest.Store, core.ID) {
			b, id := sent(t)
			for _, state := range s {
				b.Report(t, id, state)
			}
			return b, id
		}
	}
	tried := func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := sent(t)
		b.Take(t, id, coretest.NotSent(gateway.Maintenance))
		return b, id
	}
	refundAt := func(s ...gateway.RefundState) func(t coretest.T) (*coretest.Store, core.ID) {
		return func(t coretest.T) (*coretest.Store, core.ID) {
			b, of := bought(t, payment.CreditCard)
			return b, b.GiveBack(t, of, operation.RefundPlan{}, s...)
		}
	}
	paid := coretest.AtGateway(25000)
	return []cuedCase{
		ofDeposit("a deposit that was called", called(payment.WalletDeposit), gateway.Waiting),
		ofDeposit("an open deposit", coretest.After(payment.WalletDeposit), gateway.Waiting),
		ofDeposit("an open card", coretest.After(payment.CreditCard), gateway.Waiting),
		ofDeposit("a deposit that ended", coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Canceled)), gateway.Canceled),
		ofDeposit("a deposit that is paid", coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Paid, paid)), gateway.Paid, paid),
		ofDeposit("a card that is paid", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, paid)), gateway.Disputed, paid),
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
func untouched(b *coretest.Store) {
	for i := range b.Operations {
		b.Operations[i].DeadlineAt, b.Operations[i].LateUntil = time.Time{}, b.Now.AddDate(1, 0, 0)
	}
}

// TestACueIsAskedAboutUntilItIsAnswered, in every phase: a question that fails is asked again, soon.
func TestACueIsAskedAboutUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	for _, tt := range cuedCases() {
		b, id := tt.make(t)
		untouched(b)
		b.Take(t, id, tt.cue)
		if o := b.Operation(id); !o.IsCued() || o.NextAt.IsZero() || o.NextAt.After(b.Now) {
			t.Errorf("%s: not asked at once: %+v", tt.name, o)
		}
		for i := range 4 {
			b.Take(t, id, tt.silent)
			if wait := b.Operation(id).NextAt.Sub(b.Now); !b.Operation(id).IsCued() || wait <= 0 || wait > 2*time.Minute {
				t.Errorf("%s: after %d questions that failed, asked again in %s", tt.name, i+1, wait)
			}
			b.Now = b.Operation(id).NextAt
		}
		b.Take(t, id, tt.answer)
		o := b.Operation(id)
		if o.IsCued() || o.Phase == operation.Closed && !o.NextAt.IsZero() {
			t.Errorf("%s: answered, and asked on: %+v", tt.name, o)
		}
		if slices.Contains(b.Kinds(id), "unconfirmed open") {
			t.Errorf("%s: answered, and staff are told: %q", tt.name, b.Kinds(id))
		}
	}
}

// TestACueThatComesWhileAQuestionIsOnItsWay is not answered by it: the gateway is asked again at once.
func TestACueThatComesWhileAQuestionIsOnItsWay(t *testing.T) {
	t.Parallel()
	for _, tt := range cuedCases() {
		for name, outcome := range map[string]coretest.Decide{"answered": tt.answer, "failed": tt.silent} {
			b, id := tt.make(t)
			untouched(b)
			asked := b.Operation(id).Version
			b.Take(t, id, tt.cue)
			b.Now = b.Now.Add(time.Second)
			b.TakeAsked(t, id, asked, outcome)
			if o := b.Operation(id); !o.IsCued() || o.NextAt.IsZero() || o.NextAt.After(b.Now) {
				t.Errorf("%s: the question before %s, and the gateway is not asked again: %+v", tt.name, name, o)
			}
		}
	}
}

// TestTheOlderAnswerDoesNotWin: the answer to a question that was begun before one whose answer was taken is worth a
// question, and no more.
func TestTheOlderAnswerDoesNotWin(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.WalletDeposit)(t)
	older := b.Operation(id).Version
	b.Observe(t, id, coretest.Answered(gateway.Waiting))
	b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
	b.TakeAsked(t, id, older, coretest.Observed(coretest.Answered(gateway.Canceled)))
	if got := b.Kinds(id); len(got) != 0 || !b.Operation(id).IsCued() || b.Operation(id).NextAt.IsZero() {
		t.Errorf("canceled, it said before it said paid: %q, asked again at %s", got, b.Operation(id).NextAt)
	}
	b.Observe(t, id, coretest.Answered(gateway.Canceled))
	if got := b.Kinds(id); !slices.Equal(got, []string{"reversed open"}) {
		t.Errorf("and says it still: %q", got)
	}
	out, id := sent(t)
	older = out.Operation(id).Version
	out.Report(t, id, gateway.PayoutSent)
	out.Report(t, id, gateway.PayoutSent)
	out.TakeAsked(t, id, older, coretest.Reported(gateway.PayoutReport{State: gateway.PayoutFailed, Trust: gateway.Answered}))
	if out.Payment.Status != payment.Processing || !out.Operation(id).IsCued() {
		t.Errorf("an older answer makes a payout %s", out.Payment.Status)
	}
	b, of := bought(t, payment.CreditCard)
	id = b.GiveBack(t, of, operation.RefundPlan{})
	older = b.Operation(id).Version
	b.RefundReport(t, id, gateway.RefundPending)
	b.RefundReport(t, id, gateway.RefundPending)
	b.TakeAsked(t, id, older, coretest.RefundReported(gateway.RefundReport{State: gateway.RefundFailed, Trust: gateway.Answered}))
	if o := b.Operation(id); o.Phase != operation.Open || !o.IsCued() {
		t.Errorf("an older answer makes a refund %s", o.Status)
	}
}

// TestNewsThatNobodyConfirmsIsForStaff after a day; once they have settled it, the gateway is asked no more about it.
func TestNewsThatNobodyConfirmsIsForStaff(t *testing.T) {
	t.Parallel()
	for _, tt := range cuedCases() {
		b, id := tt.make(t)
		untouched(b)
		b.Take(t, id, tt.cue)
		start, questions := b.Now, 0
		for ; !slices.Contains(b.Kinds(id), "unconfirmed open") && questions < 2000; questions++ {
			b.Now = later(b.Operation(id).NextAt, b.Now)
			b.Take(t, id, tt.silent)
		}
		if settled := b.Now.Sub(start); settled < 24*time.Hour || settled > 36*time.Hour || b.Operation(id).NextAt.IsZero() {
			t.Errorf("%s: staff are told after %s and %d questions, %q", tt.name, settled, questions, b.Kinds(id))
			continue
		}
		answers := *b
		answers.Take(t, id, tt.answer)
		if got := answers.Kinds(id); !slices.Contains(got, "unconfirmed settled") || answers.Operation(id).IsCued() {
			t.Errorf("%s: answered at last: %q", tt.name, got)
		}
		before := b.Payment
		if err := b.Resolve(t, discrepancy.UnconfirmedNews, operation.WriteOff, before.Gateway.Refunded); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if b.Payment.Status != before.Status {
			t.Errorf("%s: settling it makes the payment %s", tt.name, b.Payment.Status)
		}
		b.Now = b.Operation(id).NextAt
		b.Take(t, id, tt.silent)
		if o := b.Operation(id); o.IsCued() || o.Phase == operation.Closed && !o.NextAt.IsZero() {
			t.Errorf("%s: staff have settled it, and it is asked on: %+v", tt.name, o)
		}
		b.Take(t, id, tt.cue)
		b.Now = b.Now.Add(25 * time.Hour)
		b.Take(t, id, tt.silent)
		if got := b.Kinds(id); !slices.Contains(got, "unconfirmed open") {
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
	b.Take(t, id, coretest.NotSent(gateway.Maintenance))
	b.Take(t, id, coretest.Reported(gateway.PayoutReport{State: gateway.PayoutDone, Trust: gateway.Signed}))
	if b.Send(t, id) {
		t.Fatal("sent again")
	}
	if err := b.Order(t, id, callOff(payment.Fail)); err == nil {
		t.Error("failed, although it may have been paid out")
	}
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	if b.Send(t, id) || b.Operation(id).NextAt.IsZero() {
		t.Errorf("not found once, and sent again: %+v", b.Operation(id))
	}
	b.Report(t, id, gateway.PayoutDone)
	if b.Payment.Status != payment.Completed {
		t.Errorf("it is %s", b.Payment.Status)
	}
	unsent, id := planned(t)
	if change := unsent.Take(t, id, coretest.Reported(gateway.PayoutReport{State: gateway.PayoutDone, Trust: gateway.Signed})); len(change) > 0 {
		t.Error("news of what was never sent")
	}
}

// TestNewsAtTheDeadlineIsAskedAboutFirst, for a minute.
func TestNewsAtTheDeadlineIsAskedAboutFirst(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.WalletDeposit)(t)
	b.Now = b.Payment.ExpiresAt
	asked := b.Operation(id).Version
	hint := coretest.Answered(gateway.Paid, coretest.AtGateway(25000))
	hint.Trust = gateway.Hint
	b.Take(t, id, coretest.Observed(hint))
	b.TakeAsked(t, id, asked, coretest.Observed(coretest.Answered(gateway.Waiting)))
	b.Take(t, id, deadline)
	if b.Payment.Status != payment.Showing || b.Operation(id).NextAt.After(b.Now) {
		t.Fatalf("%s, asked again at %s", b.Payment.Status, b.Operation(id).NextAt)
	}
	paid := *b
	paid.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
	if paid.Payment.Status != payment.Completed {
		t.Errorf("the news was right, and it is %s", paid.Payment.Status)
	}
	b.Now = b.Now.Add(time.Minute)
	b.Take(t, id, silent(gateway.Retryable, coretest.Findable))
	if b.Payment.Status != payment.Expired {
		t.Errorf("a minute later: %s", b.Payment.Status)
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
			return slices.ContainsFunc(b.Discrepancies, func(d discrepancy.Discrepancy) bool { return d.Kind == discrepancy.UnconfirmedNews })
		}
		outcome := func(answers bool, i int) {
			q := asked[i]
			asked = slices.Delete(asked, i, i+1)
			if !answers {
				b.TakeAsked(t, id, q.version, tt.silent)
				return
			}
			wasOlder := q.version < b.Operation(id).AnsweredVersion
			b.TakeAsked(t, id, q.version, tt.answer)
			if !wasOlder {
				answeredCues = max(answeredCues, q.cues)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				o := b.Operation(id)
				if cues > answeredCues && !isTold() && (!o.IsCued() || o.NextAt.IsZero()) {
					t.Fatalf("%s: cue %d of %d answered, and nobody asks: %+v", tt.name, answeredCues, cues, o)
				}
			},
			"cue": func(t *rapid.T) {
				b.Take(t, id, tt.cue)
				cues++
			},
			"ask": func(t *rapid.T) {
				b.Operations[slices.IndexFunc(b.Operations, func(o operation.Operation) bool { return o.ID == id })].Version++ // claimed
				asked = append(asked, question{b.Operation(id).Version, cues})
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
				b.Now = b.Now.Add(time.Duration(rapid.IntRange(1, 30_000).Draw(t, "seconds")) * time.Second)
			},
		})
		for range 2000 { // the worker asks whenever it is time, and nobody answers
			o := b.Operation(id)
			if cues <= answeredCues || isTold() {
				return
			}
			b.Now = later(o.NextAt, b.Now)
			asked = append(asked, question{o.Version, cues})
			outcome(false, len(asked)-1)
		}
		t.Fatalf("%s: cue %d of %d is answered, and nobody is told: %q", tt.name, answeredCues, cues, b.Kinds(id))
	})
}
