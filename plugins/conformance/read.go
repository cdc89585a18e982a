package conformance

import (
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func readSentences(k kit) []sentence {
	var list []sentence
	for _, e := range expectations() {
		list = append(list, sentence{fmt.Sprintf("a deposit that is %s is %s", e.situation, e.says),
			func(w *world) { w.meetsExpectation(e) }})
	}
	list = append(list, sentence{"a deposit that the gateway does not know is not found, and not failed", forgottenIsNotFound})
	if k.d.Deposit.Keys.Find {
		list = append(list, sentence{"a reference that was never started is not found", neverStarted})
	}
	if k.has(gateway.CanListDeposits) {
		list = append(list,
			sentence{"a listing has every paid deposit of its window, and none twice", listsAll},
			sentence{"a listing ends at its window", listsNoOthers})
	}
	return append(list, readingSentences(depositReadings)...)
}

// expectation is what a deposit must read as.
type expectation struct {
	situation Situation
	says      string
	isKnown   bool // every gateway has it
	states    []gateway.State
	more      func(o gateway.Observation, due gateway.Money) string // what else is wrong; empty: nothing
}

func expectations() []expectation {
	is := func(states ...gateway.State) []gateway.State { return states }
	return []expectation{
		{IsWaiting, "Waiting", true, is(gateway.Waiting), nil},
		{IsProcessing, "not settled", false, is(gateway.Processing, gateway.Authorized, gateway.Waiting), nil},
		{IsPaid, "Paid with exactly what was due", true, is(gateway.Paid), paidIsDue},
		{IsPaidLess, "PartPaid, with what really came", false, is(gateway.PartPaid, gateway.Review, gateway.Paid), paidIsLess},
		{IsPaidMore, "OverPaid, with what really came", false, is(gateway.OverPaid, gateway.Review, gateway.Paid), paidIsMore},
		{IsPaidElse, "never Paid with what was due", false,
			is(gateway.Paid, gateway.PartPaid, gateway.OverPaid, gateway.Review, gateway.Unknown), paidIsElse},
		{IsInReview, "Review, apart from Paid", false, is(gateway.Review), nil},
		{IsFailed, "Failed, or Waiting where the customer can try again", false, is(gateway.Failed, gateway.Waiting), nil},
		{IsCanceled, "Canceled", false, is(gateway.Canceled, gateway.Failed), nil},
		{IsExpired, "Expired", false, is(gateway.Expired, gateway.Canceled, gateway.Failed), nil},
		{IsRefunded, "Refunded", false, is(gateway.Refunded, gateway.Refunding), nil},
		{IsUnlisted, "Unknown, never Failed and never Paid", true, is(gateway.Unknown), nil},
		{IsMarkedPaid, "not Paid: nobody saw the money", false, is(gateway.Review, gateway.Unknown), nil},
	}
}

func paidIsDue(o gateway.Observation, due gateway.Money) string {
	if o.Paid == nil || !isSame(*o.Paid, due) {
		return fmt.Sprintf("Paid must be %s", due)
	}
	return ""
}

func paidIsLess(o gateway.Observation, due gateway.Money) string {
	return paidDiffers(o, due, -1, "0.5")
}

func paidIsMore(o gateway.Observation, due gateway.Money) string {
	return paidDiffers(o, due, 1, "1.5")
}

// paidDiffers wants Paid on one side of what was due: by half, where the asset divides so finely.
func paidDiffers(o gateway.Observation, due gateway.Money, side int, times string) string {
	if o.Paid == nil || !o.Paid.IsSameAsset(due) || o.Paid.Amount.Cmp(due.Amount) != side {
		return fmt.Sprintf("Paid must say what really came, and not %s", due)
	}
	exact := due.Amount.Mul(money.MustDecimal(times))
	if exact.Places() <= due.Asset.Decimals && o.Paid.Amount != exact {
		return fmt.Sprintf("Paid must be %s", exact)
	}
	return ""
}

func paidIsElse(o gateway.Observation, due gateway.Money) string {
	if isPaid(o.State) && (o.Paid == nil || o.Paid.IsSameAsset(due)) {
		return fmt.Sprintf("another currency than %s came, and Paid must say which", due.Asset)
	}
	return ""
}

func (w *world) meetsExpectation(e expectation) {
	w.t.Helper()
	d := w.start()
	if e.isKnown {
		w.mustSet(d.order.Ref, e.situation)
	} else if !w.set(d.order.Ref, e.situation) {
		return
	}
	w.reads(d, d.key(), e)
	if w.d.Deposit.Keys.Find && (!w.FindsOncePaid || isMoney(e.situation)) {
		w.reads(d, d.blind(), e)
	}
}

// isMoney reports whether money came in a situation.
func isMoney(s Situation) bool {
	return slices.Contains([]Situation{IsPaid, IsPaidLess, IsPaidMore, IsPaidElse, IsInReview}, s)
}

func (w *world) reads(d deposit, k gateway.DepositKey, e expectation) {
	w.t.Helper()
	how := "ReadDeposit"
	if k.External.IsZero() {
		how = "ReadDeposit by Ref alone (or say Deposit.Keys.Find=false)"
	}
	o, err := w.readDeposit(k)
	if e.situation == IsExpired && gateway.IsClass(err, gateway.NotFound) {
		return // some gateways delete what expired
	}
	if err != nil {
		w.t.Errorf("%s of a deposit that is %s failed: %v", how, e.situation, err)
		return
	}
	w.check(slices.Contains(e.states, o.State),
		"%s of a deposit that is %s reports %s, and must report one of %v (raw %q): see the plugin's status table", how,
		e.situation, o.State, e.states, o.Raw)
	w.check(o.Trust == gateway.Answered, "%s was answered by the gateway, and Trust is %q", how, o.Trust)
	w.check(o.Ref == "" || o.Ref == d.order.Ref, "%s of %s reports %s", how, d.order.Ref, o.Ref)
	if e.more != nil {
		problem := e.more(o, d.due())
		w.check(problem == "", "%s of a deposit that is %s reports %v as Paid: %s", how, e.situation, o.Paid, problem)
	}
}

func forgottenIsNotFound(w *world) {
	d := w.start()
	if !w.set(d.order.Ref, IsForgotten) {
		return
	}
	o, err := w.readDeposit(d.key())
	w.isNotFound("ReadDeposit", o.State, err)
}

func neverStarted(w *world) {
	w.start()
	o, err := w.readDeposit(gateway.DepositKey{Ref: w.refs.next(), Due: lira(w.usual())})
	w.isNotFound("ReadDeposit by Ref alone", o.State, err)
}

func (w *world) isNotFound(what string, state any, err error) {
	w.t.Helper()
	w.check(gateway.IsClass(err, gateway.NotFound),
		"%s of what the gateway does not know gave state %q and error %v: it is an error of class %q, since the gateway may "+
			"only not know it yet", what, state, err, gateway.NotFound)
}

// maxPages bounds a listing: one that is longer goes round in circles.
const maxPages = 200

func (w *world) listAll(span gateway.Window) map[gateway.Ref]int {
	w.t.Helper()
	seen := map[gateway.Ref]int{}
	var cursor gateway.Cursor
	for range maxPages {
		page, err := w.listDeposits(span, cursor)
		w.ok("ListDeposits", err)
		for _, o := range page.Items {
			seen[o.Ref]++
			w.check(o.Trust == gateway.Answered, "ListDeposits was answered by the gateway, and Trust is %q", o.Trust)
		}
		if cursor = page.Next; cursor == "" {
			return seen
		}
	}
	w.t.Fatalf("ListDeposits gave %d pages and goes on: Next must be empty on the last", maxPages)
	return nil
}

func listsAll(w *world) {
	var paid []gateway.Ref
	started := map[gateway.Ref]bool{}
	for i := range 9 {
		d := w.start()
		started[d.order.Ref] = true
		if i%3 != 0 {
			w.mustSet(d.order.Ref, IsPaid)
			paid = append(paid, d.order.Ref)
		}
		w.clock.advance(time.Duration(i%2) * time.Minute) // every other one has the time of the one before
	}
	seen := w.listAll(gateway.Window{From: opening.Add(-time.Hour), To: w.clock.Now().Add(time.Hour)})
	for _, ref := range paid {
		w.check(seen[ref] == 1, "ListDeposits has %s, which is paid, %d times, and must have it once", ref, seen[ref])
	}
	for ref, times := range seen {
		w.check(started[ref] && times == 1, "ListDeposits has %s %d times", ref, times)
	}
}

func listsNoOthers(w *world) {
	w.start()
	before := w.listAll(gateway.Window{From: opening.Add(-48 * time.Hour), To: opening.Add(-24 * time.Hour)})
	after := w.listAll(gateway.Window{From: opening.Add(24 * time.Hour), To: opening.Add(48 * time.Hour)})
	w.check(len(before)+len(after) == 0, "ListDeposits gives deposits outside of its window: %v %v", before, after)
}
