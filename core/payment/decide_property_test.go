package payment_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// slot is what an account's day is kept under.
type slot struct {
	account int64
	day     core.Day
}

// hold is what the payment has taken of a slot, net.
type hold struct {
	minor int64
	count int
}

// life drives one payment through commands and keeps what a store would keep.
type life struct {
	payment   payment.Payment
	accounts  []owner.Account
	loads     map[slot]owner.DailyUsage
	held      map[slot]hold
	moves     []payment.Transition
	callbacks []payment.Callback
	ends      int             // commands that ended it, or ended it otherwise, and so are reported
	reported  payment.Payment // as the last of them left it
	last      payment.Command // of them
	ids       []core.ID
	now       time.Time
	random    *core.IDs
	golden    map[string]string
	commands  []payment.Command // that are given to this payment
}

// commandsFor leaves out what never comes together: money is paid to an account of ours, or through a gateway.
func commandsFor(m payment.Method) []payment.Command {
	return slices.DeleteFunc(slices.Clone(allCommands), func(c payment.Command) bool {
		return m.Kind() == payment.Deposit && (c == payment.Offer && m.Gateway() != "" || c == payment.Accept && m.Gateway() == "")
	})
}

// TestLife: whatever is ordered of a payment, by whomever and in whatever order, its history stays a chain, it ends
// once and for ever with one callback, unless money is accepted that came after the end, which has a callback of its own;
// and the accounts' loads hold exactly what it holds of them.
func TestLife(t *testing.T) {
	t.Parallel()
	golden := goldenMoves(t)
	rapid.Check(t, func(t *rapid.T) {
		l := bornLife(t, golden)
		t.Repeat(map[string]func(*rapid.T){
			"": l.check,
			// Offers are twice as likely, since only the first command that ends the payment counts.
			"offer":       func(t *rapid.T) { l.order(t, l.commands[0]) },
			"offer again": func(t *rapid.T) { l.order(t, l.commands[0]) },
			"anything":    func(t *rapid.T) { l.order(t, rapid.SampledFrom(l.commands).Draw(t, "command")) },
			"wait": func(t *rapid.T) {
				l.now = l.now.Add(time.Duration(rapid.IntRange(1, 1200).Draw(t, "seconds")) * time.Second)
			},
			"switch": func(t *rapid.T) {
				a := &l.accounts[rapid.IntRange(0, len(l.accounts)-1).Draw(t, "account")]
				a.IsActive = !a.IsActive
			},
		})
	})
}

func bornLife(t *rapid.T, golden map[string]string) *life {
	l := &life{
		loads: map[slot]owner.DailyUsage{}, held: map[slot]hold{}, now: coretest.Evening, random: coretest.NewIDs(t, coretest.Evening), golden: golden,
	}
	for id := range rapid.Int64Range(1, 3).Draw(t, "accounts") {
		a := coretest.Account(id + 1).Account
		a.Min, a.Max = coretest.Lira(100), coretest.Lira(rapid.Int64Range(100, 100_000).Draw(t, "max"))
		a.DailyLimit = coretest.Lira(rapid.SampledFrom([]int64{0, 50_000, 100_000}).Draw(t, "daily limit"))
		a.DailyCount = rapid.SampledFrom([]int{0, 1, 2}).Draw(t, "daily count")
		l.accounts = append(l.accounts, a)
	}
	method := rapid.SampledFrom(payment.Methods()).Draw(t, "method")
	l.commands = commandsFor(method)
	change := payment.DecideCreate(payment.Request{
		Method: method, Provider: owner.Provider{ID: 7}, Site: owner.Site{ID: 3}, Customer: owner.Customer{UserID: "u"},
		Amount: drawAmount(t), IBAN: "TR330006100519786457841326",
	}, payment.CreateParams{
		At: l.now, ExpiresIn: rapid.SampledFrom([]time.Duration{0, 30 * time.Minute}).Draw(t, "expires in"),
		TrackingCode: "MAN-1", Token: "T", IDs: l.random,
	})
	l.payment = core.RowsOf[payment.Payment](change)[0]
	l.ids = []core.ID{l.payment.ID}
	return l
}

func drawAmount(t *rapid.T) money.Amount {
	few := []int64{100, 25_000, 50_000} // so that the same amount comes again, and limits are met exactly
	return coretest.Lira(rapid.OneOf(rapid.SampledFrom(few), rapid.Int64Range(1, 120_000)).Draw(t, "amount"))
}

// order returns a command from anybody and holds the answer against the golden table.
func (l *life) order(t *rapid.T, c payment.Command) {
	before, day := l.payment, core.DayOf(l.now, coretest.Istanbul)
	want := l.golden[fmt.Sprintf("%s %s %s", subject(before), before.Status, c)]
	d := payment.Decision{
		By: core.Actor{Kind: rapid.SampledFrom([]core.ActorKind{core.ByProvider, core.ByCustomer, core.ByStaff, core.BySystem}).Draw(t, "by")},
		At: l.now, Reason: rapid.SampledFrom([]string{"", "why"}).Draw(t, "reason"),
		Target:   payment.Target{Receiver: "r", URL: rapid.SampledFrom([]string{"", "https://example.com"}).Draw(t, "url")},
		Schedule: payment.DefaultRetrySchedule, IDs: l.random, Callbacks: slices.Clone(l.callbacks),
	}
	var change core.Changeset
	var err error
	amount := drawAmount(t)
	loads := l.loadsOn(day)
	asked := slices.Clone(loads)
	switch c {
	case payment.Offer:
		change, err = payment.DecideOffer(before, amount, loads, day, d)
	default:
		credited := rapid.SampledFrom([]money.Amount{before.Amount, coretest.Lira(1), coretest.Lira(99_900)}).Draw(t, "credited")
		change, err = transition(before, c, credited, d)
	}
	if !reflect.DeepEqual(asked, loads) {
		t.Fatalf("%s changed the loads it was given", c)
	}
	switch {
	case err != nil:
		l.refused(t, c, change, err, want)
	case reflect.DeepEqual(change, core.Changeset{}):
		l.nothing(t, c, amount)
	default:
		if got := result(change, nil); got != want {
			t.Fatalf("%s %s: %s, want %s", before.Status, c, got, want)
		}
		l.apply(t, change, d, c)
	}
}

// refused: a refusal changes nothing, and says what the table says; only an offer has reasons of its own.
func (l *life) refused(t *rapid.T, c payment.Command, change core.Changeset, err error, want string) {
	if !reflect.DeepEqual(change, core.Changeset{}) {
		t.Fatalf("%s refused (%v), yet changes %+v", c, err, change)
	}
	code := fault.CodeOf(err)
	isOffersOwn := c == payment.Offer && want == string(payment.Showing) && (code == fault.NoAccount || code == fault.Expired)
	if string(code) != want && !isOffersOwn {
		t.Fatalf("%s %s: %v, want %s", l.payment.Status, c, err, want)
	}
	if isTimeOver := !l.payment.ExpiresAt.IsZero() && !l.now.Before(l.payment.ExpiresAt); isOffersOwn && (code == fault.Expired) != isTimeOver {
		t.Fatalf("offer at %s of a payment that expires at %s: %v", l.now, l.payment.ExpiresAt, err)
	}
}

// nothing: only Continue pressed again for what is shown already changes nothing without a fault.
func (l *life) nothing(t *rapid.T, c payment.Command, amount money.Amount) {
	shown := l.payment.Account
	if c != payment.Offer || shown.AccountID == 0 || shown.Day != core.DayOf(l.now, coretest.Istanbul) || !shown.Held.Equal(amount) {
		t.Fatalf("%s %s changes nothing, without a fault", l.payment.Status, c)
	}
}

func (l *life) loadsOn(day core.Day) []owner.DailyUsage {
	loads := make([]owner.DailyUsage, len(l.accounts))
	for i, a := range l.accounts {
		loads[i] = l.load(slot{a.ID, day})
		loads[i].Account, loads[i].Day = a, day
	}
	return loads
}

func (l *life) load(s slot) owner.DailyUsage {
	if load, ok := l.loads[s]; ok {
		return load
	}
	return owner.DailyUsage{Used: coretest.Lira(0)}
}

// apply commits the change as a store would, and checks every row of it.
func (l *life) apply(t *rapid.T, change core.Changeset, d payment.Decision, c payment.Command) {
	after, reason := core.RowsOf[payment.Payment](change)[0], cmp.Or(d.Reason, l.payment.Reason)
	if len(core.RowsOf[payment.Payment](change)) != 1 || after.Reason != reason || after.Version != l.payment.Version+1 || !after.UpdatedAt.Equal(d.At) {
		t.Fatalf("%s saves %+v after %+v", c, core.RowsOf[payment.Payment](change), l.payment)
	}
	if writtenOnce(after) != writtenOnce(l.payment) {
		t.Fatalf("%s changes what is written once: %+v, before %+v", c, after, l.payment)
	}
	from := l.payment.Status
	for _, m := range core.RowsOf[payment.Transition](change) {
		if m.From != from || m.PaymentID != after.ID || m.Actor != d.By || m.At != d.At || m.Command != c ||
			m.Reason != d.Reason || !m.Amount.Equal(after.Amount) {
			t.Fatalf("%s from %s made the move %+v", c, from, m)
		}
		from = m.To
		l.ids = append(l.ids, m.ID)
	}
	if after.Status != from {
		t.Fatalf("history says %s, the payment %s", from, after.Status)
	}
	for _, cb := range core.RowsOf[payment.Callback](change) {
		if cb.Version > 1 { // superseded
			if old := l.callbacks[cb.Sequence-1]; reported(cb) != reported(old) {
				t.Fatalf("%s changes what is written once: %+v, before %+v", c, cb, old)
			}
			l.callbacks[cb.Sequence-1] = cb
			continue
		}
		l.ids, l.callbacks = append(l.ids, cb.ID), append(l.callbacks, cb)
	}
	for _, u := range core.RowsOf[owner.LimitUsage](change) {
		l.use(t, u)
	}
	l.moves = append(l.moves, core.RowsOf[payment.Transition](change)...)
	l.payment = after
	if after.Status.IsFinal() && c != payment.Refund {
		l.ends++
		l.reported, l.last = after, c
	}
	checkWakeUps(t, change)
}

// writtenOnce is what no store saves of a payment that it has.
func writtenOnce(p payment.Payment) payment.Payment {
	return payment.Payment{
		ID: p.ID, Method: p.Method, TrackingCode: p.TrackingCode, TokenFingerprint: p.TokenFingerprint,
		ProviderID: p.ProviderID, SiteID: p.SiteID, SiteName: p.SiteName, DealerID: p.DealerID,
		RequestedAmount: p.RequestedAmount, Language: p.Language, Reference: p.Reference, ReturnURL: p.ReturnURL, CreatedAt: p.CreatedAt,
		Customer: p.Customer, IBAN: p.IBAN, IsIBANSuspect: p.IsIBANSuspect, Payer: p.Payer, Payee: p.Payee,
	}
}

// reported is what no store saves of a callback that it has.
func reported(c payment.Callback) payment.Callback {
	return payment.Callback{
		ID: c.ID, PaymentID: c.PaymentID, Sequence: c.Sequence, ProviderID: c.ProviderID, SiteID: c.SiteID, DealerID: c.DealerID,
		Kind: c.Kind, Receiver: c.Receiver, Payload: c.Payload, CreatedAt: c.CreatedAt, Trace: c.Trace,
	}
}

func (l *life) use(t *rapid.T, u owner.LimitUsage) {
	s := slot{u.AccountID, u.Day}
	load := l.load(s)
	if u.Expect != owner.AnyVersion && u.Expect != load.LoadVersion {
		t.Fatalf("use %+v of a load at version %d", u, load.LoadVersion)
	}
	load.Used, load.Count = coretest.Lira(load.Used.Minor()+u.Amount.Minor()), load.Count+u.Count
	load.LoadVersion++
	if !u.At.IsZero() {
		load.LastOfferedAt = u.At
	}
	l.loads[s] = load
	l.held[s] = hold{l.held[s].minor + u.Amount.Minor(), l.held[s].count + u.Count}
}

// checkWakeUps: a callback that can be sent wakes its receiver's worker, one that cannot wakes nobody.
func checkWakeUps(t *rapid.T, change core.Changeset) {
	var want []core.WakeUp
	for _, cb := range core.RowsOf[payment.Callback](change) {
		if cb.Status == payment.Waiting {
			want = append(want, core.WakeUp{Kind: core.DueCallbacks, Receiver: cb.Receiver, At: cb.NextAttemptAt})
		}
	}
	if got := change.WakeUps(); !reflect.DeepEqual(got, want) {
		t.Fatalf("wake-ups %+v, want %+v", got, want)
	}
}

// check holds after every command.
func (l *life) check(t *rapid.T) {
	p := l.payment
	if !slices.IsSortedFunc(l.ids, func(a, b core.ID) int { return strings.Compare(string(a), string(b)) }) {
		t.Fatalf("rows out of order: %q", l.ids)
	}
	at := p.Method.Kind().FirstStatus()
	for _, m := range l.moves {
		isAfterEnd := m.Command == payment.Accept || m.Command == payment.Refund || m.Command == payment.Correct || m.Command == payment.Dispute
		if m.From != at || m.From.IsFinal() && !isAfterEnd {
			t.Fatalf("history is no chain, or leaves a final status: %+v", l.moves)
		}
		at = m.To
	}
	if at != p.Status || p.FinishedAt.IsZero() == p.Status.IsFinal() {
		t.Fatalf("history ends %s, the payment is %s, finished at %s", at, p.Status, p.FinishedAt)
	}
	l.checkCallback(t)
	l.checkHeld(t)
}

func (l *life) checkCallback(t *rapid.T) {
	if l.payment.CallbackKind() == "" { // nobody is told of a transfer
		if len(l.callbacks) != 0 {
			t.Fatalf("callbacks of a %s: %+v", l.payment.Method, l.callbacks)
		}
		return
	}
	if len(l.callbacks) != l.ends || (l.ends > 0) != l.payment.Status.IsFinal() {
		t.Fatalf("%s after %d ends with %d callbacks", l.payment.Status, l.ends, len(l.callbacks))
	}
	if l.ends == 0 {
		return
	}
	p := l.reported
	want := payment.Payload{
		TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, UserID: p.Customer.UserID, SiteID: p.SiteID,
	}
	switch p.Method.Kind() {
	case payment.Withdrawal, payment.Payout:
		want.IBAN = p.IBAN
	case payment.Card:
		want.Card.OrderID = p.Payer.OrderID
	case payment.Deposit:
	}
	for i, old := range l.callbacks {
		if isLast := i == l.ends-1; old.Sequence != i+1 || !isLast && (old.SupersededAt.IsZero() || old.Status == payment.Waiting) {
			t.Fatalf("number %d of %d is %+v", i+1, l.ends, old)
		}
	}
	cb := l.callbacks[len(l.callbacks)-1]
	if isGivenBack := l.payment.Status == payment.Refunded; isGivenBack == cb.SupersededAt.IsZero() {
		t.Fatalf("%s with the callback %+v", l.payment.Status, cb)
	}
	if isFailed := p.Method.Kind() == payment.Card && p.Status == payment.Failed; isFailed != (cb.Payload.Card.ErrorCode != "") {
		t.Fatalf("%s with the error code %q", p.Status, cb.Payload.Card.ErrorCode)
	}
	cb.Payload.Card.ErrorCode, cb.Payload.Card.ErrorMessage = "", ""
	if isCanceled := p.Status == payment.Canceled; isCanceled != (cb.Payload.EndedBy != "") || isCanceled && cb.Payload.EndedBy != p.EndedBy {
		t.Fatalf("%s with the reason %q of %q", p.Status, cb.Payload.EndedBy, p.EndedBy)
	}
	cb.Payload.EndedBy = ""
	if l.last == payment.Correct || l.last == payment.Dispute {
		before := l.callbacks[len(l.callbacks)-2].Payload.Amount
		want.Correction = payment.Correction{IsSet: true, PreviousAmount: before}
	}
	if cb.Payload != want || cb.PaymentID != p.ID || cb.Kind != p.Method.Callback() {
		t.Fatalf("callback %+v of the payment %+v", cb, p)
	}
}

// checkHeld: the account's load holds what the open payment holds, what a completed one paid, and nothing of any other.
func (l *life) checkHeld(t *rapid.T) {
	p := l.payment
	shown := slot{p.Account.AccountID, p.Account.Day}
	for s, got := range l.held {
		var want hold
		if s == shown && !p.Status.IsFinal() {
			want = hold{p.Account.Held.Minor(), 1}
		}
		if s == shown && p.Status == payment.Completed {
			want = hold{p.Amount.Minor(), 1}
		}
		if got != want {
			t.Fatalf("%s: %+v of %+v are in use, want %+v", p.Status, got, s, want)
		}
	}
	if shown.account != 0 && l.held[shown].minor != p.Account.Held.Minor() {
		t.Fatalf("the payment says it holds %s, the load %d", p.Account.Held, l.held[shown].minor)
	}
}
