package conformance_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
)

// bank is the sample's gateway side.
type bank struct {
	config gateway.Config
	now    func() time.Time

	mu        sync.Mutex
	last      int
	writes    int
	isClosed  bool // refuses every key
	held      []*entry
	plans     map[string]conformance.Situation // what will become of orders that are not there yet
	finishes  map[string]int
	statement map[string][]booking
}

// entry is an order that the bank holds.
type entry struct {
	order
	key      string
	at       time.Time
	isHidden bool
	refunds  conformance.Situation // what becomes of its refunds
	refunded money.Decimal
	deposit  *entry // of a refund
}

func newBank(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	b := &bank{
		config: c, now: now, plans: map[string]conformance.Situation{}, finishes: map[string]int{},
		statement: map[string][]booking{"1": nil, "2": nil},
	}
	return conformance.Fake{
		Handler: b.routes(), Writes: func() int { return locked(b, func() int { return b.writes }) },
		Deposits: b.asked("deposits"), Payouts: b.asked("payouts"), Transfers: b.asked("transfers"),
		Finishes: func(ref gateway.Ref) int { return locked(b, func() int { return b.finishes[string(ref)] }) },
		Set: func(ref gateway.Ref, s conformance.Situation) bool {
			return locked(b, func() bool { return b.set(string(ref), s) })
		},
		Notification: func(ref gateway.Ref) (gateway.Inbound, bool) { return b.message(ref) },
		Batch:        func(refs ...gateway.Ref) (gateway.Inbound, bool) { return b.message(refs...) },
		Strange:      b.strange,
		Return:       b.returns, AddLine: b.addLine,
		RefuseCredentials: func() { locked(b, func() bool { b.isClosed = true; return true }) },
	}
}

func locked[R any](b *bank, do func() R) R {
	b.mu.Lock()
	defer b.mu.Unlock()
	return do()
}

func (b *bank) asked(kind string) func(gateway.Ref) []gateway.Money {
	return func(ref gateway.Ref) []gateway.Money {
		return locked(b, func() []gateway.Money {
			var all []gateway.Money
			for _, e := range b.held {
				if e.Kind == kind && e.Ref == string(ref) {
					amount, _ := amountOf(e.Amount, e.Currency)
					all = append(all, amount)
				}
			}
			return all
		})
	}
}

func (b *bank) find(ref string) *entry {
	i := slices.IndexFunc(b.held, func(e *entry) bool { return e.Ref == ref && !e.isHidden })
	if i < 0 {
		return nil
	}
	return b.held[i]
}

// statuses are the bank's words for the situations that are nothing but a status.
func statuses() map[conformance.Situation]string {
	return map[conformance.Situation]string{
		conformance.IsWaiting: "waiting", conformance.IsProcessing: "authorized",
		conformance.IsFailed: "failed", conformance.IsCanceled: "canceled", conformance.IsExpired: "expired",
		conformance.IsRefunded: "refunded", conformance.IsUnlisted: "on_the_moon", conformance.IsMarkedPaid: "marked",
		conformance.IsQueued: "queued", conformance.IsSent: "sent", conformance.IsDone: "done", conformance.IsRejected: "rejected",
		conformance.IsBroken: "broken", conformance.IsReturned: "returned",
	}
}

func (b *bank) set(ref string, s conformance.Situation) bool {
	switch s {
	case conformance.NeedsApproval, conformance.HasNoFunds, conformance.HasWrongName:
		b.plans[ref] = s
		return true
	}
	e := b.find(ref)
	if e == nil {
		return false
	}
	amount := money.MustDecimal(e.Amount)
	switch s {
	case conformance.IsPaid:
		e.Status, e.Paid, e.PaidIn = "paid", e.Amount, e.Currency
	case conformance.IsInReview:
		e.Status, e.Paid, e.PaidIn = "review", e.Amount, e.Currency
	case conformance.IsPaidLess:
		e.Status, e.Paid, e.PaidIn = "paid", amount.Mul(money.MustDecimal("0.5")).String(), e.Currency
	case conformance.IsPaidMore:
		e.Status, e.Paid, e.PaidIn = "paid", amount.Mul(money.MustDecimal("1.5")).String(), e.Currency
	case conformance.IsPaidElse:
		e.Status, e.Paid, e.PaidIn = "paid", e.Amount, "USD"
	case conformance.IsForgotten:
		e.isHidden = true
	case conformance.RefundIsPending, conformance.RefundFails, conformance.IsPastVoidTime:
		e.refunds = s
	default:
		e.Status = statuses()[s]
	}
	return true
}

func (b *bank) message(refs ...gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var m message
	for _, ref := range refs {
		e := b.find(string(ref))
		if e == nil {
			return gateway.Inbound{}, false
		}
		m.ID += "evt-" + e.Ref + "-" + e.Status
		m.Events = append(m.Events, e.order)
	}
	return b.signed(m), true
}

func (b *bank) strange() (gateway.Inbound, bool) {
	return b.signed(message{ID: "evt-strange", Events: []order{{Kind: "comets", Ref: "KIT000001", Status: "in sight"}}}), true
}

func (b *bank) signed(m message) gateway.Inbound {
	body, _ := json.Marshal(m)
	stamp := strconv.FormatInt(b.now().Unix(), 10)
	sum := plugkit.HMAC256(b.config.Text("hook_secret"), stamp, ".", string(body))
	return gateway.Inbound{Method: "POST", Path: "/hook", Body: body, Header: gateway.Header{
		{Name: "Content-Type", Value: "application/json; charset=utf-8"},
		{Name: signatureHeader, Value: fmt.Sprintf("t=%s,v1=%x", stamp, sum)},
	}}
}

func (b *bank) returns(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.find(string(ref))
	if e == nil {
		return gateway.Inbound{}, false
	}
	return gateway.Inbound{Method: "GET", Path: "/return", Query: "token=" + e.Token + "&status=" + e.Status}, true
}

func (b *bank) addLine(account string, l gateway.StatementLine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	if l.ID == "" {
		l.ID = fmt.Sprintf("L%06d", b.last)
	}
	if l.Direction == gateway.Outgoing {
		l.Amount = money.Decimal{}.Sub(l.Amount)
	}
	lines := slices.Concat(b.statement[account], []booking{{ID: l.ID, Amount: l.Amount, BookedAt: l.BookedAt, Text: l.Text}})
	slices.SortFunc(lines, func(x, y booking) int { return cmp.Or(x.BookedAt.Compare(y.BookedAt), cmp.Compare(x.ID, y.ID)) })
	b.statement[account] = lines
}

// answer is what a route gives: an error's code and status, or a value.
type answer struct {
	status int
	value  any
}

func refuse(code string) answer {
	return answer{422, map[string]string{"error": code, "message": "refused: " + code}}
}

func give(e *entry) answer {
	if e == nil {
		return answer{404, map[string]string{"error": "not_found"}}
	}
	return answer{200, e.order}
}

func (b *bank) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, route := range b.table() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			b.mu.Lock()
			defer b.mu.Unlock()
			var in order
			got := answer{401, map[string]string{"error": "unauthorized"}}
			isKnown := !b.isClosed && r.Header.Get("Authorization") == "Bearer "+b.config.Text("api_key")
			if err := json.NewDecoder(r.Body).Decode(&in); isKnown && (err == nil || r.Method == "GET") {
				got = route(r, in)
			} else if isKnown {
				got = refuse("bad_request")
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(got.status)
			_ = json.NewEncoder(w).Encode(got.value) // the kit reads to the end
		})
	}
	return mux
}
