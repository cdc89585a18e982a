package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// situation is a payment and the deposit that the next report is about.
type situation struct {
	name string
	make func(t testingT) (*books, core.ID)
}

// after is a deposit of which the gateway has answered something before.
func after(m payment.Method, earlier ...gateway.Observation) func(t testingT) (*books, core.ID) {
	return func(t testingT) (*books, core.ID) {
		b, id := opened(t, m)
		for _, seen := range earlier {
			b.observe(t, id, seen)
		}
		return b, id
	}
}

// elsewhere is a deposit that was called off for another one, which brought its payment to an end or did not.
func elsewhere(m payment.Method, later ...gateway.Observation) func(t testingT) (*books, core.ID) {
	return func(t testingT) (*books, core.ID) {
		b, first := opened(t, m)
		second := b.begin(t, depositPlan(m))
		for _, seen := range later {
			b.observe(t, second, seen)
		}
		return b, first
	}
}

func called(m payment.Method) func(t testingT) (*books, core.ID) {
	return func(t testingT) (*books, core.ID) { return begun(t, m) }
}

func situations() []situation {
	paid, failed := answered(gateway.Paid, atGateway(25000)), answered(gateway.Failed)
	return []situation{
		{"card called", called(payment.CreditCard)},
		{"card open", after(payment.CreditCard)},
		{"card held for 200.00", after(payment.CreditCard, answered(gateway.PartPaid, atGateway(20000)))},
		{"card under review", after(payment.CreditCard, answered(gateway.Review, atGateway(25000)))},
		{"card success", after(payment.CreditCard, paid)},
		{"card success elsewhere", elsewhere(payment.CreditCard, paid)},
		{"card failed", after(payment.CreditCard, failed)},
		{"card open elsewhere", elsewhere(payment.CreditCard)},
		{"deposit showing", after(payment.WalletDeposit)},
		{"deposit processing", after(payment.WalletDeposit, answered(gateway.Processing))},
		{"deposit completed", after(payment.WalletDeposit, paid)},
		{"deposit expired", after(payment.WalletDeposit, answered(gateway.Expired))},
		{"deposit showing elsewhere", elsewhere(payment.WalletDeposit)},
	}
}

// sums are what a report can say of money, beside nothing.
func sums() map[string]gateway.Money {
	return map[string]gateway.Money{
		"exact": atGateway(25000), "short": atGateway(10000), "over": atGateway(30000), "coins": coins("250"),
	}
}

// outcomeOf says in a word or two what a report has changed.
func outcomeOf(b *books, id core.ID, before payment.Status, callbacks, known int) string {
	o := b.operation(id)
	text := string(o.Phase)
	if o.IsHeld {
		text += " held"
	}
	if b.payment.Status != before {
		text = string(b.payment.Status) + ", " + text
	}
	for i, d := range b.discrepancies {
		if i >= known {
			text += " +" + string(d.Kind)
		} else if d.State != discrepancy.DiscrepancyOpen {
			text += " " + string(d.Kind) + "=" + string(d.State)
		}
	}
	if len(b.callbacks) > callbacks {
		text += " called back"
	}
	return text
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
				seen := answered(state)
				if money, ok := sums()[sum]; ok {
					seen.Paid = &money
				}
				b, id := s.make(t)
				before, callbacks, known := b.payment.Status, len(b.callbacks), len(b.discrepancies)
				b.observe(t, id, seen)
				fmt.Fprintf(&table, " | %s%s", sum+strings.Repeat(": ", min(len(sum), 1)), outcomeOf(b, id, before, callbacks, known))
			}
			table.WriteByte('\n')
		}
	}
	checkGolden(t, "observed.golden", []byte(table.String()))
}

// TestOnlyAnswersAndSignedMoneyMove: whatever else anybody reports has the gateway asked at once, and changes nothing.
func TestOnlyAnswersAndSignedMoneyMove(t *testing.T) {
	t.Parallel()
	for _, s := range situations() {
		for _, trust := range []gateway.Trust{gateway.Hint, gateway.SharedSecret, gateway.Signed} {
			for _, state := range gateway.States() {
				for sum, paid := range sums() {
					seen := answered(state, paid)
					seen.Trust = trust
					b, id := s.make(t)
					before, wasAsked := b.operation(id), len(b.operations)
					change := b.observe(t, id, seen)
					isMoney := trust == gateway.Signed && state == gateway.Paid
					if operation.IsCue(seen) == isMoney {
						t.Errorf("%s %s: a cue %v", trust, state, !isMoney)
					}
					if isMoney {
						continue // as TestSignedMoneyIsAnswered says
					}
					want := before
					want.Version, want.CueVersion, want.CuedAt = before.Version+1, before.Version+1, b.now
					if isDue := !before.NextAt.IsZero() && !before.NextAt.After(b.now); !isDue {
						want.NextAt = b.now
					}
					if diff := cmp.Diff(want, b.operation(id), exactly); diff != "" || len(b.operations) != wasAsked {
						t.Errorf("%s, %s %s %s: the operation (-want +got):\n%s", s.name, trust, state, sum, diff)
					}
					change = core.Without[operation.Operation](change)
					if !isNothing(change) {
						t.Errorf("%s, %s %s %s: changes %+v", s.name, trust, state, sum, change)
					}
					if again := b.observe(t, id, seen); !isNothing(again) {
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
				seen := answered(gateway.Paid, paid)
				seen.Trust = trust
				before, callbacks, known := b.payment.Status, len(b.callbacks), len(b.discrepancies)
				b.observe(t, id, seen)
				got[i] = outcomeOf(b, id, before, callbacks, known)
			}
			if got[0] != got[1] {
				t.Errorf("%s %s: signed %q, answered %q", s.name, sum, got[0], got[1])
			}
		}
	}
	if seen := (gateway.Observation{State: gateway.Paid, Trust: gateway.Signed}); !operation.IsCue(seen) {
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
	b, id := opened(t, s.method)
	for _, seen := range s.seen {
		b.observe(t, id, seen)
	}
	if b.payment.Status != s.status || len(b.callbacks) != s.callbacks || !slices.Equal(b.kinds(id), s.discrepancies) {
		t.Errorf("%s: %s with %d callbacks and %q, want %s with %d and %q",
			s.name, b.payment.Status, len(b.callbacks), b.kinds(id), s.status, s.callbacks, s.discrepancies)
	}
}

// aTry is a failure after which the customer may try again on the same page.
func aTry() gateway.Observation {
	seen := answered(gateway.Failed)
	seen.CanStillPay, seen.Reason = true, &gateway.Reason{Code: gateway.InsufficientFunds, RawCode: "10051"}
	return seen
}

// TestStories: what gateways really do, one after the other.
func TestStories(t *testing.T) {
	t.Parallel()
	whole, part, over := atGateway(25000), atGateway(10000), atGateway(30000)
	paid, seen, expired := answered(gateway.Paid, whole), answered(gateway.Processing), answered(gateway.Expired)
	card, wallet := payment.CreditCard, payment.WalletDeposit
	for _, s := range []story{
		{"paid, told three times", card, []gateway.Observation{paid, paid, paid}, payment.Success, nil, 1},
		{"a failed card, then another on the same page", card, []gateway.Observation{aTry(), aTry(), paid}, payment.Success, nil, 1},
		{"a failed try told after the success", card, []gateway.Observation{paid, aTry()}, payment.Success, nil, 1},
		{"processing told after the success", card, []gateway.Observation{paid, seen}, payment.Success, nil, 1},
		{"failed after the success: taken back", card, []gateway.Observation{paid, answered(gateway.Failed), answered(gateway.Failed)},
			payment.Success, []string{"reversed open"}, 1},
		{"success after the end", card, []gateway.Observation{answered(gateway.Failed), paid, paid}, payment.Failed, []string{"late open"}, 1},
		{"a replaced transaction", wallet, []gateway.Observation{seen, answered(gateway.Waiting), seen, paid}, payment.Completed, nil, 1},
		{"seen and dropped", wallet, []gateway.Observation{answered(gateway.Processing, whole), answered(gateway.Waiting), expired},
			payment.Canceled, nil, 1},
		{"two parts that add up", wallet, []gateway.Observation{answered(gateway.PartPaid, part), paid}, payment.Completed, []string{"short settled"}, 1},
		{"two parts, the first told again", wallet, []gateway.Observation{answered(gateway.PartPaid, part), paid, answered(gateway.PartPaid, part)},
			payment.Completed, []string{"short settled"}, 1},
		{"a paid sum told again after more", card, []gateway.Observation{answered(gateway.Paid, part), paid, answered(gateway.Paid, part)},
			payment.Success, []string{"short settled"}, 1},
		{"two parts that are too much", wallet, []gateway.Observation{answered(gateway.PartPaid, part), answered(gateway.OverPaid, over)},
			payment.Processing, []string{"short settled", "over open"}, 0},
		{"a part, then its time is over", wallet, []gateway.Observation{answered(gateway.PartPaid, part), expired, expired},
			payment.Processing, []string{"short open"}, 0},
		{"a part told of only with the end", wallet, []gateway.Observation{answered(gateway.Expired, part)},
			payment.Processing, []string{"short open"}, 0},
		{"a part after the end", wallet, []gateway.Observation{expired, answered(gateway.PartPaid, part)}, payment.Expired, []string{"short open"}, 1},
		{"all of it in parts after the end", wallet, []gateway.Observation{expired, answered(gateway.PartPaid, part), paid},
			payment.Expired, []string{"short settled", "late open"}, 1},
		{"all of it, not called paid, then its time is over", card, []gateway.Observation{answered(gateway.PartPaid, whole), expired},
			payment.Pending, []string{"review open"}, 0},
		{"over, told again as exactly paid", card, []gateway.Observation{paid, answered(gateway.OverPaid, over), paid},
			payment.Success, []string{"over open"}, 1},
		{"another coin, then the right one", wallet, []gateway.Observation{answered(gateway.Paid, coins("250")), paid},
			payment.Completed, []string{"other_currency open"}, 1},
		{"the right coin, then another", wallet, []gateway.Observation{paid, answered(gateway.Paid, coins("250")), paid},
			payment.Completed, []string{"other_currency open"}, 1},
		{"under review, then approved", card, []gateway.Observation{answered(gateway.Review, whole), paid}, payment.Success, []string{"review settled"}, 1},
		{"under review, then declined", card, []gateway.Observation{answered(gateway.Review, whole), answered(gateway.Failed)},
			payment.Failed, []string{"review settled"}, 1},
		{"paid, and how much is not said", card, []gateway.Observation{answered(gateway.Paid), paid, answered(gateway.Paid)},
			payment.Success, []string{"review settled"}, 1},
		{"paid, and how much is never said", wallet, []gateway.Observation{answered(gateway.Paid), answered(gateway.Paid)},
			payment.Processing, []string{"review open"}, 0},
		{"paid, how much is not said, and then it failed", card, []gateway.Observation{answered(gateway.Paid), answered(gateway.Failed)},
			payment.Failed, []string{"review settled"}, 1},
		{"another coin in part after the success", card, []gateway.Observation{paid, answered(gateway.PartPaid, coins("1")), paid},
			payment.Success, []string{"other_currency open"}, 1},
		{"more in part after the success", card, []gateway.Observation{paid, answered(gateway.PartPaid, over), paid, answered(gateway.PartPaid, over)},
			payment.Success, []string{"over open"}, 1},
		{"a part, then more of it with the end", wallet,
			[]gateway.Observation{answered(gateway.Paid, part), answered(gateway.Expired, atGateway(20000)), paid},
			payment.Completed, []string{"short settled"}, 1},
		{"a state that nobody knows", card, []gateway.Observation{answered(gateway.Unknown, whole), paid, answered(gateway.Unknown)}, payment.Success, nil, 1},
		{"given back at the gateway", card, []gateway.Observation{paid, answered(gateway.Refunded), paid}, payment.Success, []string{"refund open"}, 1},
		{"disputed", card, []gateway.Observation{paid, answered(gateway.Disputed), answered(gateway.Disputed)}, payment.Success, []string{"dispute open"}, 1},
		{"paid and given back between two questions", card, []gateway.Observation{answered(gateway.Refunded, whole)},
			payment.Pending, []string{"refund open"}, 0},
	} {
		s.check(t)
	}
}

// TestOfTwoPaymentsForOneTheFirstCounts (two tabs, a double click): the second is a surplus, whichever was begun first.
func TestOfTwoPaymentsForOneTheFirstCounts(t *testing.T) {
	t.Parallel()
	paid := answered(gateway.Paid, atGateway(25000))
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		b, first := opened(t, payment.CreditCard)
		second := b.begin(t, depositPlan(payment.CreditCard))
		b.takeStart(t, second)
		ids := []core.ID{first, second}
		winner, loser := ids[order[0]], ids[order[1]]
		b.observe(t, winner, paid)
		if o := b.operation(loser); !o.IsUnwanted || !o.NextAt.Equal(b.now) {
			t.Errorf("the other try stays open: %+v", o)
		}
		b.observe(t, loser, paid)
		b.observe(t, loser, paid)
		if b.payment.Status != payment.Success || len(b.callbacks) != 1 || b.payment.AtGate.OperationID != winner {
			t.Errorf("%s at %s with %d callbacks", b.payment.Status, b.payment.AtGate.OperationID, len(b.callbacks))
		}
		if got := b.kinds(loser); !slices.Equal(got, []string{"surplus open"}) || len(b.kinds(winner)) != 0 {
			t.Errorf("the second brought %q, the first %q", got, b.kinds(winner))
		}
	}
}

// TestWhereMoneyIsSeenCounts: a deposit whose first try is being paid follows that one, not the try begun after it.
func TestWhereMoneyIsSeenCounts(t *testing.T) {
	t.Parallel()
	b, first := opened(t, payment.CryptoDeposit)
	second := b.begin(t, depositPlan(payment.CryptoDeposit))
	b.observe(t, first, answered(gateway.Processing))
	if b.payment.AtGate.OperationID != first || b.payment.Status != payment.Processing {
		t.Errorf("%s at %s", b.payment.Status, b.payment.AtGate.OperationID)
	}
	b.take(t, second, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotTaken(c, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}, d)
	})
	b.observe(t, first, answered(gateway.Failed))
	if b.payment.Status != payment.Canceled {
		t.Errorf("nothing is left that could be paid, and the payment is %s", b.payment.Status)
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
		b, id := opened(t, tt.method)
		if tt.isOver {
			b.now = b.payment.ExpiresAt
		}
		seen := answered(tt.state)
		seen.Reason = &gateway.Reason{Code: gateway.WrongCVC, RawCode: "10084"}
		b.observe(t, id, seen)
		if b.payment.Status != tt.want || b.payment.Failure.Code != tt.code {
			t.Errorf("%s %s, time over %v: %s %q, want %s %q", tt.method, tt.state, tt.isOver, b.payment.Status, b.payment.Failure.Code, tt.want, tt.code)
		}
		if o := b.operation(id); o.Phase != operation.Late || !o.EndedAt.Equal(b.now) || o.NextAt.IsZero() {
			t.Errorf("%s %s: money may still come, and the operation is %+v", tt.method, tt.state, o)
		}
		if got := b.moves[len(b.moves)-1].Reason; got != "WRONG_CVC 10084" {
			t.Errorf("%s %s: history says %q", tt.method, tt.state, got)
		}
	}
}

// TestASuccessHasNoRefusalAsItsReason, even where a card failed before it on the same page.
func TestASuccessHasNoRefusalAsItsReason(t *testing.T) {
	t.Parallel()
	b, id := opened(t, payment.CreditCard)
	b.observe(t, id, aTry())
	if o := b.operation(id); o.Phase != operation.Open || o.State != "" || o.Reason.Code != gateway.InsufficientFunds {
		t.Errorf("after a failed try: %+v", o)
	}
	b.observe(t, id, answered(gateway.Paid, atGateway(25000)))
	if last := b.moves[len(b.moves)-1]; last.Reason != "" || b.payment.Reason != "" {
		t.Errorf("the payment is a success because of %q", last.Reason)
	}
}

// TestOutOfOrderReportsLeaveTheOperation as the later one said, its own words included.
func TestOutOfOrderReportsLeaveTheOperation(t *testing.T) {
	t.Parallel()
	b, id := opened(t, payment.CreditCard)
	b.observe(t, id, answered(gateway.Paid, atGateway(25000)))
	before := b.operation(id)
	late := answered(gateway.Processing)
	late.Reason = &gateway.Reason{Code: gateway.Declined}
	b.now = b.now.Add(time.Hour)
	for _, seen := range []gateway.Observation{late, answered(gateway.Paid, atGateway(25000))} {
		b.observe(t, id, seen)
		if diff := cmp.Diff(before, b.operation(id), exactly, ignoringBookkeeping); diff != "" {
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
	refund := b.giveBack(t, deposit, operation.RefundPlan{})
	paidOut, payout := sent(t)
	for name, change := range map[string]core.Changeset{
		"money of a refund":  b.observe(t, refund, answered(gateway.Paid, atGateway(25000))),
		"money of a payout":  paidOut.observe(t, payout, answered(gateway.Paid, atGateway(25000))),
		"a deposit paid out": b.report(t, deposit, gateway.PayoutDone),
		"a payout refunded":  paidOut.refundReport(t, payout, gateway.RefundDone),
	} {
		if !isNothing(change) {
			t.Errorf("%s: %+v", name, change)
		}
	}
}

// TestMoneyOfAnUnknownStart: that it is known at last does not hide that money came with it.
func TestMoneyOfAnUnknownStart(t *testing.T) {
	t.Parallel()
	b, id := begun(t, payment.CreditCard)
	for len(b.kinds(id)) == 0 {
		b.now = b.operation(id).NextAt
		b.take(t, id, silent(gateway.Retryable, findable))
	}
	b.observe(t, id, answered(gateway.Expired, atGateway(20000)))
	b.observe(t, id, answered(gateway.Expired, atGateway(20100)))
	if got := b.kinds(id); !slices.Equal(got, []string{"unknown settled", "short open"}) {
		t.Errorf("%q", got)
	}
	if got := b.discrepancy(t, discrepancy.ShortMoney); got.Seen != atGateway(20100) {
		t.Errorf("of %s it says %s", b.operation(id).Paid, got.Seen)
	}
}

// TestRefundsOfOursAreNoNews: only what was given back beyond them is.
func TestRefundsOfOursAreNoNews(t *testing.T) {
	t.Parallel()
	back := func(minor int64) gateway.Observation {
		seen := answered(gateway.PartRefunded)
		money := atGateway(minor)
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
		{"how much is not said", answered(gateway.Refunding), nil},
		{"more than that", back(10001), []string{"refund open"}},
		{"everything", answered(gateway.Refunded), []string{"refund open"}},
	}
	for _, tt := range tests {
		b, id := after(payment.CreditCard, answered(gateway.Paid, atGateway(25000)))(t)
		if _, err := b.refund(t, id, operation.RefundPlan{Amount: atGateway(10000)}); err != nil {
			t.Fatal(err)
		}
		b.observe(t, id, tt.seen)
		if got := b.kinds(id); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestADiscrepancyNamesBothSums, and follows what the gateway says as long as it is open.
func TestADiscrepancyNamesBothSums(t *testing.T) {
	t.Parallel()
	b, id := opened(t, payment.CreditCard)
	b.observe(t, id, answered(gateway.PartPaid, atGateway(10000)))
	first := b.discrepancies[0]
	want := discrepancy.Discrepancy{
		ID: first.ID, Version: 1, PaymentID: b.payment.ID, TrackingCode: b.payment.TrackingCode, OperationID: id, GatewayID: 9,
		DealerID: 5, ProviderID: 7, Kind: discrepancy.ShortMoney, State: discrepancy.DiscrepancyOpen, Expected: atGateway(25000), Seen: atGateway(10000),
		Detail: "100.00 TRY of 250.00 TRY", CreatedAt: b.now, UpdatedAt: b.now,
	}
	if diff := cmp.Diff(want, first, exactly); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.now = b.now.Add(time.Second)
	b.observe(t, id, answered(gateway.PartPaid, atGateway(10000)))
	if diff := cmp.Diff(want, b.discrepancies[0], exactly); diff != "" {
		t.Errorf("the same again (-want +got):\n%s", diff)
	}
	b.observe(t, id, answered(gateway.PartPaid, atGateway(20000)))
	want.Version, want.Seen, want.Detail, want.UpdatedAt = 2, atGateway(20000), "200.00 TRY of 250.00 TRY", b.now
	if diff := cmp.Diff([]discrepancy.Discrepancy{want}, b.discrepancies, exactly); diff != "" {
		t.Errorf("more of it (-want +got):\n%s", diff)
	}
}
