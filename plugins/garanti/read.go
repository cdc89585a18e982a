package garanti

import (
	"context"
	"regexp"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// line is one transaction of an order's history.
type line struct {
	Type       string `xml:"Type"`
	Status     string `xml:"Status"`
	ReturnCode string `xml:"ReturnCode"`
	AuthAmount string `xml:"AuthAmount"` // in kuruş
	AuthDate   string `xml:"AuthDate"`   // 20060102, Istanbul's
	VoidDate   string `xml:"VoidDate"`
	RetrefNum  string `xml:"RetrefNum"`
	Currency   string `xml:"CurrencyCode"`
}

// maxLines bounds a history.
const maxLines = 1000

// history asks for all that happened under a reference. Error: NotFound, when no card was tried.
func (g *Gateway) history(ctx context.Context, ref gateway.Ref) ([]line, error) {
	a, err := g.call(ctx, g.asking, ref, transaction{Type: "orderhistoryinq", Amount: "100"}) // any amount does
	if err != nil {
		return nil, err
	}
	if h := a.Order.History; h == nil || len(h.Lines) == 0 || len(h.Lines) > maxLines {
		return nil, plugkit.Distrust(gateway.Retryable, "the history is missing, or has no end")
	}
	return a.Order.History.Lines, nil
}

func (l line) raw() string {
	raw := l.Type + "/" + l.Status
	if l.VoidDate != "" {
		raw += "/void"
	}
	return plugkit.Excerpt([]byte(raw))
}

// state is what a line means. One whose ReturnCode contradicts its Status is unknown.
func (l line) state() gateway.State {
	state := lines.Of(l.raw())
	isDone := state == gateway.Paid || state == gateway.Refunded
	if isDone != (l.ReturnCode == approved) || l.ReturnCode == "" {
		return gateway.Unknown
	}
	return state
}

// isKurus is what an amount looks like.
var isKurus = regexp.MustCompile(`^[0-9]{1,15}$`).MatchString

// money is a line's amount. Currencies are kept apart.
func (l line) money() (gateway.Money, error) {
	if !isKurus(l.AuthAmount) {
		return gateway.Money{}, plugkit.Distrust(gateway.Retryable, "a line's amount is no number of kuruş")
	}
	m, err := plugkit.Money(money.MustDecimal(l.AuthAmount).Mul(money.MustDecimal("0.01")).String(), l.Currency)
	if err == nil && l.Currency == lira {
		m.Asset = gateway.TRY
	}
	return m, err
}

// tally adds up an order's lines.
type tally struct {
	asset     gateway.Asset
	paid      money.Decimal // by all cards
	marked    money.Decimal // sales that have a VoidDate
	voided    money.Decimal // voids that are lines of their own
	credited  money.Decimal // refunds
	sales     int           // that took money
	isUnclear bool
	best      line // the line that says what became of the order
	rank      int
}

// ranks says which of several sales of an order counts: the one that took money.
var ranks = map[gateway.State]int{gateway.Failed: 1, gateway.Refunded: 2, gateway.Paid: 3}

func tallyOf(all []line) (tally, error) {
	var t tally
	for _, l := range all {
		state := l.state()
		if state == gateway.Unknown { // nobody knows what money it moved
			t.isUnclear, t.best = true, l
			continue
		}
		if l.Type == "sales" && ranks[state] > t.rank && !t.isUnclear {
			t.best, t.rank = l, ranks[state]
		}
		if state == gateway.Failed {
			continue
		}
		m, err := l.money()
		if err != nil {
			return tally{}, err
		}
		if t.asset == (gateway.Asset{}) {
			t.asset = m.Asset
		}
		t.isUnclear = t.isUnclear || m.Asset != t.asset
		t.add(l, m.Amount)
	}
	return t, nil
}

func (t *tally) add(l line, amount money.Decimal) {
	switch l.Type {
	case "sales":
		t.sales++
		t.paid = t.paid.Add(amount)
		if l.VoidDate != "" {
			t.marked = t.marked.Add(amount)
		}
	case "void":
		t.voided = t.voided.Add(amount)
	default:
		t.credited = t.credited.Add(amount)
	}
}

// back is what was given back. Whether a void shows as the sale's date, as a line or as both, no source says: each is taken, a
// line where it is of the whole.
func (t tally) back() (back money.Decimal, isClear bool) {
	undone, isWhole := t.marked, true
	if t.voided.Sign() > 0 {
		undone = t.voided
		isWhole = t.voided == t.paid
	}
	back = undone.Add(t.credited)
	return back, isWhole && back.Cmp(t.paid) <= 0
}

// left is what can still be given back, where everything that happened is known.
func (t tally) left() (left money.Decimal, isKnown bool) {
	back, isClear := t.back()
	return t.paid.Sub(back), isClear && !t.isUnclear && t.asset == gateway.TRY
}

// observe tells what the lines come to. A decline is the end of a try: no source says that the bank takes its order no more.
func (t tally) observe(o *gateway.Observation) {
	o.State, o.Raw = t.best.state(), t.best.raw()
	back, isClear := t.back()
	if t.paid.Sign() > 0 {
		o.Paid = &gateway.Money{Amount: t.paid, Asset: t.asset}
	}
	if back.Sign() > 0 && isClear {
		o.Refunded = &gateway.Money{Amount: back, Asset: t.asset}
	}
	switch {
	case t.isUnclear || !isClear || t.best == line{}:
		o.State = gateway.Unknown
	case o.State == gateway.Failed:
		o.CanStillPay, o.Reason = true, failures.Reason(t.best.ReturnCode, "")
	case back.Cmp(t.paid) >= 0:
		o.State = gateway.Refunded
	case back.Sign() > 0:
		o.State = gateway.PartRefunded
	default:
		o.State = gateway.Paid
	}
}

// ReadDeposit implements ports.DepositReader. The bank knows an order from the first card on. One whose form was given to the customer
// waits until then.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	o := gateway.Observation{Ref: k.Ref, External: gateway.ExternalRef{ID: string(k.Ref)}, Trust: gateway.Answered}
	t, err := g.seen(ctx, k.Ref)
	if gateway.IsClass(err, gateway.NotFound) && !k.External.IsZero() {
		o.State = gateway.Waiting
		return o, nil
	}
	if err != nil {
		return gateway.Observation{}, err
	}
	t.observe(&o)
	return o, nil
}

// seen adds up what happened to an order. Error: NotFound.
func (g *Gateway) seen(ctx context.Context, ref gateway.Ref) (tally, error) {
	all, err := g.history(ctx, ref)
	if err != nil {
		return tally{}, err
	}
	return tallyOf(all)
}
