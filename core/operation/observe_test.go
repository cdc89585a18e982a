package operation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// situation is a payment and the deposit that the next report is about.
type situation struct {
	name string
	make func(t coretest.T) (*coretest.Store, core.ID)
}

// elsewhere is a deposit that was called off for another one, which brought its payment to an end or did not.
func elsewhere(m payment.Method, later ...gateway.Observation) func(t coretest.T) (*coretest.Store, core.ID) {
	return func(t coretest.T) (*coretest.Store, core.ID) {
		b, first := coretest.Opened(t, m)
		second := b.Begin(t, coretest.DepositPlan(m))
		for _, seen := range later {
			b.Observe(t, second, seen)
		}
		return b, first
	}
}

func called(m payment.Method) func(t coretest.T) (*coretest.Store, core.ID) {
	return func(t coretest.T) (*coretest.Store, core.ID) { return coretest.Begun(t, m) }
}

func situations() []situation {
	paid, failed := coretest.Answered(gateway.Paid, coretest.AtGateway(25000)), coretest.Answered(gateway.Failed)
	return []situation{
		{"card called", called(payment.CreditCard)},
		{"card open", coretest.After(payment.CreditCard)},
		{"card held for 200.00", coretest.After(payment.CreditCard, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))},
		{"card under review", coretest.After(payment.CreditCard, coretest.Answered(gateway.Review, coretest.AtGateway(25000)))},
		{"card success", coretest.After(payment.CreditCard, paid)},
		{"card success elsewhere", elsewhere(payment.CreditCard, paid)},
		{"card failed", coretest.After(payment.CreditCard, failed)},
		{"card open elsewhere", elsewhere(payment.CreditCard)},
		{"deposit showing", coretest.After(payment.WalletDeposit)},
		{"deposit processing", coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Processing))},
		{"deposit completed", coretest.After(payment.WalletDeposit, paid)},
		{"deposit expired", coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Expired))},
		{"deposit showing elsewhere", elsewhere(payment.WalletDeposit)},
	}
}

// sums are what a report can say of money, beside nothing.
func sums() map[string]gateway.Money {
	return map[string]gateway.Money{
		"exact": coretest.AtGateway(25000), "short": coretest.AtGateway(10000), "over": coretest.AtGateway(30000), "coins": coretest.Coins("250"),
	}
}

// outcomeOf says in a word or two what a report has changed.
func outcomeOf(b *coretest.Store, id core.ID, before payment.Status, callbacks, known int) string {
	o := b.Operation(id)
	text := string(o.Phase)
	if o.IsHeld {
		text += " held"
	}
	if b.Payment.Status != before {
		text = string(b.Payment.Status) + ", " + text
	}
	for i, d := range b.Discrepancies {
		if i >= known {
			text += " +" + string(d.Kind)
		} else if d.Status != discrepancy.Open {
			text += " " + string(d.Kind) + "=" + string(d.Status)
		}
	}
	if len(b.Callbacks) > callbacks {
		text += " called back"
	}
	return text
}

// TestWhatAQuestionTaughtGoesBackToThePlugin: a payment's id is learnt by reading, and a refund needs it. A cue teaches nothing.
func TestWhatAQuestionTaughtGoesBackToThePlugin(t *testing.T) {
	t.Parallel()
	b, id := coretest.Begun(t, payment.CreditCard)
	for _, learnt := range []struct {
		trust   gateway.Trust
		payment string
		want    string
	}{{gateway.Answered, "1", "1"}, {gateway.Signed, "forged", "1"}, {gateway.Hint, "forged", "1"}, {gateway.Answered, "2", "2"}} {
		seen := coretest.Answered(gateway.Processing)
		seen.Trust, seen.External = learnt.trust, gateway.ExternalRef{ID: "form", Alt: map[string]string{"payment": learnt.payment}}
		b.Observe(t, id, seen)
		if got := b.Operation(id).External; got.ID != "form" || got.Alt["payment"] != learnt.want {
			t.Errorf("after %+v: %+v", learnt, got)
		}
	}
}

// TestObserved writes what the gateway's own answers do, for every state with every sum in every situation.
// testdata/observed.golden was read against the money rules: exact money completes an open payment, once; any other money
// is a discrepancy; nothing moves a payment that has ended.
func TestObserved(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for _, s := range situations() {
		fmt.Fprintf(&table, "%s\n", s.name)
		for _, state := range gateway.States() {
			fmt.Fprintf(&table, "  %s", state)
			for _, sum := range []string{"", "exact", "short", "over", "coins"} {
				seen := coretest.Answered(state)
				if money, ok := sums()[sum]; ok {
					seen.Paid = &money
				}
				b, id := s.make(t)
				before, callbacks, known := b.Payment.Status, len(b.Callbacks), len(b.Discrepancies)
				b.Observe(t, id, seen)
				fmt.Fprintf(&table, " | %s%s", sum+strings.Repeat(": ", min(len(sum), 1)), outcomeOf(b, id, before, callbacks, known))
			}
			table.WriteByte('\n')
		}
	}
	coretest.CheckGolden(t, "observed.golden", []byte(table.String()))
}

// TestOnlyAnswersAndSignedMoneyMove: whatever else anybody reports has the gateway asked at once, and changes nothing.
func TestOnlyAnswersAndSignedMoneyMove(t *testing.T) {
	t.Parallel()
	for _, s := range situations() {
		for _, trust := range []gateway.Trust{gateway.Hint, gateway.SharedSecret, gateway.Signed} {
			for _, state := range gateway.States() {
				for sum, paid := range sums() {
					seen := coretest.Answered(state, paid)
					seen.Trust = trust
					b, id := s.make(t)
					before, wasAsked := b.Operation(id), len(b.Operations)
					change := b.Observe(t, id, seen)
					isMoney := trust == gateway.Signed && state == gateway.Paid
					if seen.IsCue() == isMoney {
						t.Errorf("%s %s: a cue %v", trust, state, !isMoney)
					}
					if isMoney {
						continue // as TestSignedMoneyIsAnswered says
					}
					want := before
					want.Version, want.CueVersion, want.CuedAt = before.Version+1, before.Version+1, b.Now
					if isDue := !before.NextAt.IsZero() && !before.NextAt.After(b.Now); !isDue {
						want.NextAt = b.Now
					}
					if diff := cmp.Diff(want, b.Operation(id), coretest.Exactly); diff != "" || len(b.Operations) != wasAsked {
						t.Errorf("%s, %s %s %s: the operation (-want +got):\n%s", s.name, trust, state, sum, diff)
					}
					change = core.Without[operation.Operation](change)
					if len(change) > 0 {
						t.Errorf("%s, %s %s %s: changes %+v", s.name, trust, state, sum, change)
					}
					if again := b.Observe(t, id, seen); len(again) > 0 {
						t.Errorf("%s, %s %s %s: told again, it changes %+v", s.name, trust, state, sum, again)
					}
				}
			}
		}
	}
}

// TestSignedMoneyIsAnswered: a signature over all of it is as good as an answer; without the sum it covers nothing.
func TestSignedMoneyIsAnswered(t *testing.T) {
	t.Parallel()
	for _, s := range situations() {
		for sum, paid := range sums() {
			var got [2]string
			for i, trust := range []gateway.Trust{gateway.Signed, gateway.Answered} {
				b, id := s.make(t)
				seen := coretest.Answered(gateway.Paid, paid)
				seen.Trust = trust
				before, callbacks, known := b.Payment.Status, len(b.Callbacks), len(b.Discrepancies)
				b.Observe(t, id, seen)
				got[i] = outcomeOf(b, id, before, callbacks, known)
			}
			if got[0] != got[1] {
				t.Errorf("%s %s: signed %q, answered %q", s.name, sum, got[0], got[1])
			}
		}
	}
	if seen := (gateway.Observation{State: gateway.Paid, Trust: gateway.Signed}); !seen.IsCue() {
		t.Error("signed and without a sum, it moves money")
	}
}

// story is a payment's course told by the gateway's answers.
type story struct {
	name          string
	method        payment.Method
	seen          []gateway.Observation
	status        payment.Status
	discrepancies []string
	callbacks     int
}

func (s story) check(t *testing.T) {
	t.Helper()
	b, id := coretest.Opened(t, s.method)
	for _, seen := range s.seen {
		b.Observe(t, id, seen)
	}
	if b.Payment.Status != s.status || len(b.Callbacks) != s.callbacks || !slices.Equal(b.Kinds(id), s.discrepancies) {
		t.Errorf("%s: %s with %d callbacks and %q, want %s with %d and %q",
			s.name, b.Payment.Status, len(b.Callbacks), b.Kinds(id), s.status, s.callbacks, s.discrepancies)
	}
}

// aTry is a failure after which the customer may try again on the same page.
func aTry() gateway.Observation {
	seen := coretest.Answered(gateway.Failed)
	seen.CanStillPay, seen.Reason = true, &gateway.Reason{Code: gateway.InsufficientFunds, RawCode: "10051"}
	return seen
}

// TestStories: what gateways really do, one after the other.
func TestStories(t *testing.T) {
	t.Parallel()
	whole, part, over := coretest.AtGateway(25000), coretest.AtGateway(10000), coretest.AtGateway(30000)
	paid, seen, expired := coretest.Answered(gateway.Paid, whole), coretest.Answered(gateway.Processing), coretest.Answered(gateway.Expired)
	card, wallet := payment.CreditCard, payment.WalletDeposit
	for _, s := range []story{
		{"paid, told three times", card, []gateway.Observation{paid, paid, paid}, payment.Success, nil, 1},
		{"a failed card, then another on the same page", card, []gateway.Observation{aTry(), aTry(), paid}, payment.Success, nil, 1},
		{"a failed try told after the success", card, []gateway.Observation{paid, aTry()}, payment.Success, nil, 1},
		{"processing told after the success", card, []gateway.Observation{paid, seen}, payment.Success, nil, 1},
		{"failed after the success: taken back", card, []gateway.Observation{paid, coretest.Answered(gateway.Failed), coretest.Answered(gateway.Failed)},
			payment.Success, []string{"reversed open"}, 1},
		{"success after the end", card, []gateway.Observation{coretest.Answered(gateway.Failed), paid, paid}, payment.Failed, []string{"late open"}, 1},
		{"a replaced transaction", wallet, []gateway.Observation{seen, coretest.Answered(gateway.Waiting), seen, paid}, payment.Completed, nil, 1},
		{"seen and dropped", wallet, []gateway.Observation{coretest.Answered(gateway.Processing, whole), coretest.Answered(gateway.Waiting), expired},
			payment.Canceled, nil, 1},
		{"two parts that add up", wallet, []gateway.Observation{coretest.Answered(gateway.PartPaid, part), paid}, payment.Completed, []string{"short settled"}, 1},
		{"two parts, the first told again", wallet, []gateway.Observation{coretest.Answered(gateway.PartPaid, part), paid, coretest.Answered(gateway.PartPaid, part)},
			payment.Completed, []string{"short settled"}, 1},
		{"a paid sum told again after more", card, []gateway.Observation{coretest.Answered(gateway.Paid, part), paid, coretest.Answered(gateway.Paid, part)},
			payment.Success, []string{"short settled"}, 1},
		{"two parts that are too much", wallet, []gateway.Observation{coretest.Answered(gateway.PartPaid, part), coretest.Answered(gateway.OverPaid, over)},
			payment.Processing, []string{"short settled", "over open"}, 0},
		{"a part, then its time is over", wallet, []gateway.Observation{coretest.Answered(gateway.PartPaid, part), expired, expired},
			payment.Processing, []string{"short open"}, 0},
		{"a part told of only with the end", wallet, []gateway.Observation{coretest.Answered(gateway.Expired, part)},
			payment.Processing, []string{"short open"}, 0},
		{"a part after the end", wallet, []gateway.Observation{expired, coretest.Answered(gateway.PartPaid, part)}, payment.Expired, []string{"short open"}, 1},
		{"all of it in parts after the end", wallet, []gateway.Observation{expired, coretest.Answered(gateway.PartPaid, part), paid},
			payment.Expired, []string{"short settled", "late open"}, 1},
		{"all of it, not called paid, then its time is over", card, []gateway.Observation{coretest.Answered(gateway.PartPaid, whole), expired},
			payment.Pending, []string{"review open"}, 0},
		{"over, told again as exactly paid", card, []gateway.Observation{paid, coretest.Answered(gateway.OverPaid, over), paid},
			payment.Success, []string{"over open"}, 1},
		{"another coin, then the right one", wallet, []gateway.Observation{coretest.Answered(gateway.Paid, coretest.Coins("250")), paid},
			payment.Completed, []string{"other_currency open"}, 1},
		{"the right coin, then another", wallet, []gateway.Observation{paid, coretest.Answered(gateway.Paid, coretest.Coins("250")), paid},
			payment.Completed, []string{"other_currency open"}, 1},
		{"under review, then approved", card, []gateway.Observation{coretest.Answered(gateway.Review, whole), paid}, payment.Success, []string{"review settled"}, 1},
		{"under review, then declined", card, []gateway.Observation{coretest.Answered(gateway.Review, whole), coretest.Answered(gateway.Failed)},
			payment.Failed, []string{"review settled"}, 1},
		{"paid, and how much is not said", card, []gateway.Observation{coretest.Answered(gateway.Paid), paid, coretest.Answered(gateway.Paid)},
			payment.Success, []string{"review settled"}, 1},
		{"paid, and how much is never said", wallet, []gateway.Observation{coretest.Answered(gateway.Paid), coretest.Answered(gateway.Paid)},
			payment.Processing, []string{"review open"}, 0},
		{"paid, how much is not said, and then it failed", card, []gateway.Observation{coretest.Answered(gateway.Paid), coretest.Answered(gateway.Failed)},
			payment.Failed, []string{"review settled"}, 1},
		{"another coin in part after the success", card, []gateway.Observation{paid, coretest.Answered(gateway.PartPaid, coretest.Coins("1")), paid},
			payment.Success, []string{"other_currency open"}, 1},
		{"more in part after the success", card, []gateway.Observation{paid, coretest.Answered(gateway.PartPaid, over), paid, coretest.Answered(gateway.PartPaid, over)},
			payment.Success, []string{"over open"}, 1},
		{"a part, then more of it with the end", wallet,
			[]gateway.Observation{coretest.Answered(gateway.Paid, part), coretest.Answered(gateway.Expired, coretest.AtGateway(20000)), paid},
			payment.Completed, []string{"short settled"}, 1},
		{"a state that nobody knows", card, []gateway.Observation{coretest.Answered(gateway.Unknown, whole), paid, coretest.Answered(gateway.Unknown)}, payment.Success, nil, 1},
		{"given back at the gateway", card, []gateway.Observation{paid, coretest.Answered(gateway.Refunded), paid}, payment.Success, []string{"refund open"}, 1},
		{"disputed", card, []gateway.Observation{paid, coretest.Answered(gateway.Disputed), coretest.Answered(gateway.Disputed)}, payment.Success, []string{"dispute open"}, 1},
		{"paid and given back between two questions", card, []gateway.Observation{coretest.Answered(gateway.Refunded, whole)},
			payment.Pending, []string{"refund open"}, 0},
	} {
		s.check(t)
	}
}

// TestOfTwoPaymentsForOneTheFirstCounts (two tabs, a double click): the second is a surplus, whichever was begun first.
func TestOfTwoPaymentsForOneTheFirstCounts(t *testing.T) {
	t.Parallel()
	paid := coretest.Answered(gateway.Paid, coretest.AtGateway(25000))
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		b, first := coretest.Opened(t, payment.CreditCard)
		second := b.Begin(t, coretest.DepositPlan(payment.CreditCard))
		b.TakeStart(t, second)
		ids := []core.ID{first, second}
		winner, loser := ids[order[0]], ids[order[1]]
		b.Observe(t, winner, paid)
		if o := b.Operation(loser); !o.IsUnwanted || !o.NextAt.Equal(b.Now) {
			t.Errorf("the other try stays open: %+v", o)
		}
		b.Observe(t, loser, paid)
		b.Observe(t, loser, paid)
		if b.Payment.Status != payment.Success || len(b.Callbacks) != 1 || b.Payment.Gateway.OperationID != winner {
			t.Errorf("%s at %s with %d callbacks", b.Payment.Status, b.Payment.Gateway.OperationID, len(b.Callbacks))
		}
		if got := b.Kinds(loser); !slices.Equal(got, []string{"surplus open"}) || len(b.Kinds(winner)) != 0 {
			t.Errorf("the second brought %q, the first %q", got, b.Kinds(winner))
		}
	}
}

// TestWhereMoneyIsSeenCounts: a deposit whose first try is being paid follows that one, not the try begun after it.
func TestWhereMoneyIsSeenCounts(t *testing.T) {
	t.Parallel()
	b, first := coretest.Opened(t, payment.CryptoDeposit)
	second := b.Begin(t, coretest.DepositPlan(payment.CryptoDeposit))
	b.Observe(t, first, coretest.Answered(gateway.Processing))
	if b.Payment.Gateway.OperationID != first || b.Payment.Status != payment.Processing {
		t.Errorf("%s at %s", b.Payment.Status, b.Payment.Gateway.OperationID)
	}
	b.Take(t, second, notTaken(gateway.Retryable))
	b.Observe(t, first, coretest.Answered(gateway.Failed))
	if b.Payment.Status != payment.Canceled {
		t.Errorf("nothing is left that could be paid, and the payment is %s", b.Payment.Status)
	}
}

// TestTheEndAsTheGatewayTellsIt: whose words the payment ends in.
func TestTheEndAsTheGatewayTellsIt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		method payment.Method
		state  gateway.State
		isOver bool
		want   payment.Status
		code   string
	}{
		{payment.CreditCard, gateway.Canceled, false, payment.Cancelled, ""},
		{payment.CreditCard, gateway.Canceled, true, payment.Failed, "TIMEOUT"}, // we had it canceled
		{payment.CreditCard, gateway.Expired, false, payment.Failed, "TIMEOUT"},
		{payment.CreditCard, gateway.Failed, true, payment.Failed, "WRONG_CVC"},
		{payment.WalletDeposit, gateway.Canceled, false, payment.Canceled, ""},
		{payment.WalletDeposit, gateway.Canceled, true, payment.Expired, ""},
		{payment.WalletDeposit, gateway.Expired, false, payment.Expired, ""},
		{payment.WalletDeposit, gateway.Failed, false, payment.Canceled, ""},
	}
	for _, tt := range tests {
		b, id := coretest.Opened(t, tt.method)
		if tt.isOver {
			b.Now = b.Payment.ExpiresAt
		}
		seen := coretest.Answered(tt.state)
		seen.Reason = &gateway.Reason{Code: gateway.WrongCVC, RawCode: "10084"}
		b.Observe(t, id, seen)
		if b.Payment.Status != tt.want || b.Payment.Failure.Code != tt.code {
			t.Errorf("%s %s, time over %v: %s %q, want %s %q", tt.method, tt.state, tt.isOver, b.Payment.Status, b.Payment.Failure.Code, tt.want, tt.code)
		}
		if o := b.Operation(id); o.Phase != operation.Late || !o.EndedAt.Equal(b.Now) || o.NextAt.IsZero() {
			t.Errorf("%s %s: money may still come, and the operation is %+v", tt.method, tt.state, o)
		}
		if got := b.Moves[len(b.Moves)-1].Reason; got != "WRONG_CVC 10084" {
			t.Errorf("%s %s: history says %q", tt.method, tt.state, got)
		}
	}
}

// TestASuccessHasNoRefusalAsItsReason, even where a card failed before it on the same page.
func TestASuccessHasNoRefusalAsItsReason(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	b.Observe(t, id, aTry())
	if o := b.Operation(id); o.Phase != operation.Open || o.Status != "" || o.Reason.Code != gateway.InsufficientFunds {
		t.Errorf("after a failed try: %+v", o)
	}
	b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
	if last := b.Moves[len(b.Moves)-1]; last.Reason != "" || b.Payment.Reason != "" {
		t.Errorf("the payment is a success because of %q", last.Reason)
	}
}

// TestOutOfOrderReportsLeaveTheOperation as the later one said, its own words included.
func TestOutOfOrderReportsLeaveTheOperation(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
	before := b.Operation(id)
	late := coretest.Answered(gateway.Processing)
	late.Reason = &gateway.Reason{Code: gateway.Declined}
	b.Now = b.Now.Add(time.Hour)
	for _, seen := range []gateway.Observation{late, coretest.Answered(gateway.Paid, coretest.AtGateway(25000))} {
		b.Observe(t, id, seen)
		if diff := cmp.Diff(before, b.Operation(id), coretest.Exactly, ignoringBookkeeping); diff != "" {
			t.Errorf("%s changes (-before +after):\n%s", seen.State, diff)
		}
	}
}

// ignoringBookkeeping leaves out what counts and schedules questions.
var ignoringBookkeeping = cmp.FilterPath(func(p cmp.Path) bool {
	return slices.Contains([]string{
		"Version", "Checks", "NextAt", "LeaseUntil", "CuedAt", "CueVersion", "CueTries", "AnsweredVersion", "AnsweredAt",
	}, p.Last().String()[min(1, len(p.Last().String())):])
}, cmp.Ignore())

// TestAReportAboutAnotherKindOfOperation is passed over: a notification may name anything.
func TestAReportAboutAnotherKindOfOperation(t *testing.T) {
	t.Parallel()
	b, deposit := bought(t, payment.CreditCard)
	refund := b.GiveBack(t, deposit, operation.RefundPlan{})
	paidOut, payout := sent(t)
	for name, change := range map[string]core.Changeset{
		"money of a refund":  b.Observe(t, refund, coretest.Answered(gateway.Paid, coretest.AtGateway(25000))),
		"money of a payout":  paidOut.Observe(t, payout, coretest.Answered(gateway.Paid, coretest.AtGateway(25000))),
		"a deposit paid out": b.Report(t, deposit, gateway.PayoutDone),
		"a payout refunded":  paidOut.RefundReport(t, payout, gateway.RefundDone),
	} {
		if len(change) > 0 {
			t.Errorf("%s: %+v", name, change)
		}
	}
}

// TestMoneyOfAnUnknownStart: that it is known at last does not hide that money came with it.
func TestMoneyOfAnUnknownStart(t *testing.T) {
	t.Parallel()
	b, id := coretest.Begun(t, payment.CreditCard)
	for len(b.Kinds(id)) == 0 {
		b.Now = b.Operation(id).NextAt
		b.Take(t, id, silent(gateway.Retryable, coretest.Findable))
	}
	b.Observe(t, id, coretest.Answered(gateway.Expired, coretest.AtGateway(20000)))
	b.Observe(t, id, coretest.Answered(gateway.Expired, coretest.AtGateway(20100)))
	if got := b.Kinds(id); !slices.Equal(got, []string{"unknown settled", "short open"}) {
		t.Errorf("%q", got)
	}
	if got := b.Discrepancy(t, discrepancy.ShortMoney); got.Seen != coretest.AtGateway(20100) {
		t.Errorf("of %s it says %s", b.Operation(id).Paid, got.Seen)
	}
}

// TestRefundsOfOursAreNoNews: only what was given back beyond them is.
func TestRefundsOfOursAreNoNews(t *testing.T) {
	t.Parallel()
	back := func(minor int64) gateway.Observation {
		seen := coretest.Answered(gateway.PartRefunded)
		money := coretest.AtGateway(minor)
		seen.Refunded = &money
		return seen
	}
	tests := []struct {
		name string
		seen gateway.Observation
		want []string
	}{
		{"just as much", back(10000), nil},
		{"some of it so far", back(5000), nil},
		{"how much is not said", coretest.Answered(gateway.Refunding), nil},
		{"more than that", back(10001), []string{"refund open"}},
		{"everything", coretest.Answered(gateway.Refunded), []string{"refund open"}},
	}
	for _, tt := range tests {
		b, id := coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))(t)
		if _, err := b.Refund(t, id, operation.RefundPlan{Amount: coretest.AtGateway(10000)}); err != nil {
			t.Fatal(err)
		}
		b.Observe(t, id, tt.seen)
		if got := b.Kinds(id); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestADiscrepancyNamesBothSums, and follows what the gateway says as long as it is open.
func TestADiscrepancyNamesBothSums(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	b.Observe(t, id, coretest.Answered(gateway.PartPaid, coretest.AtGateway(10000)))
	first := b.Discrepancies[0]
	want := discrepancy.Discrepancy{
		ID: first.ID, Version: 1, PaymentID: b.Payment.ID, TrackingCode: b.Payment.TrackingCode, OperationID: id, GatewayID: 9,
		DealerID: 5, ProviderID: 7, Kind: discrepancy.ShortMoney, Status: discrepancy.Open, Expected: coretest.AtGateway(25000), Seen: coretest.AtGateway(10000),
		Detail: "100.00 TRY of 250.00 TRY", CreatedAt: b.Now, UpdatedAt: b.Now,
	}
	if diff := cmp.Diff(want, first, coretest.Exactly); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.Now = b.Now.Add(time.Second)
	b.Observe(t, id, coretest.Answered(gateway.PartPaid, coretest.AtGateway(10000)))
	if diff := cmp.Diff(want, b.Discrepancies[0], coretest.Exactly); diff != "" {
		t.Errorf("the same again (-want +got):\n%s", diff)
	}
	b.Observe(t, id, coretest.Answered(gateway.PartPaid, coretest.AtGateway(20000)))
	want.Version, want.Seen, want.Detail, want.UpdatedAt = 2, coretest.AtGateway(20000), "200.00 TRY of 250.00 TRY", b.Now
	if diff := cmp.Diff([]discrepancy.Discrepancy{want}, b.Discrepancies, coretest.Exactly); diff != "" {
		t.Errorf("more of it (-want +got):\n%s", diff)
	}
}
