package akbank

import (
	"context"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// line is one transaction of an order's history.
type line struct {
	Txn      plugkit.Text `json:"txnCode"`
	Status   plugkit.Text `json:"txnStatus"`
	Code     plugkit.Text `json:"responseCode"`
	Text     plugkit.Text `json:"responseMessage"`
	HostCode plugkit.Text `json:"hostResponseCode"`
	HostText plugkit.Text `json:"hostMessage"`
	Order    plugkit.Text `json:"orderId"`
	Original plugkit.Text `json:"orgOrderId"` // of a line whose orderId the bank made
	Amount   plugkit.Text `json:"amount"`
	Currency plugkit.Text `json:"currencyCode"`
	At       plugkit.Text `json:"txnDateTime"` // Istanbul's time
	RRN      plugkit.Text `json:"rrn"`
}

// maxLines bounds a history.
const maxLines = 1000

// history asks for all that happened under a reference. Error: NotFound, when no card was tried.
func (g *Gateway) history(ctx context.Context, ref gateway.Ref) ([]line, error) {
	a, err := g.call(ctx, txnHistory, ref, nil)
	if err != nil {
		return nil, err
	}
	if len(a.Lines) == 0 || len(a.Lines) > maxLines {
		return nil, plugkit.Distrust(gateway.Retryable, "the history is empty or has no end")
	}
	for _, l := range a.Lines {
		about := l.Original
		if about == "" {
			about = l.Order
		}
		if err := plugkit.IsAbout(string(about), ref); err != nil {
			return nil, err
		}
	}
	return a.Lines, nil
}

func (l line) isSale() bool { return l.Txn == "1000" || l.Txn == "3000" }

func (l line) raw() string { return plugkit.Excerpt([]byte(l.Txn + "/" + l.Status)) }

// state is what a line means. A suspicious one is unknown even where it has a code.
func (l line) state() gateway.State {
	switch {
	case l.Code == codeDone:
		return lines.Of(l.raw())
	case l.Status == "S":
		return gateway.Unknown
	case l.Code != "":
		return gateway.Failed
	case l.isSale() && l.Status == "N": // not yet decided
		return gateway.Processing
	case l.isSale() && l.Status == "R": // a technical reversal has no code
		return gateway.Canceled
	default:
		return gateway.Unknown
	}
}

// reason is why a line failed, in the host's own words where there are any.
func (l line) reason() *gateway.Reason {
	if l.HostCode != "" {
		return failures.Reason(string(l.HostCode), string(l.HostText))
	}
	return failures.Reason(string(l.Code), string(l.Text))
}

// money is a line's amount. Currencies are kept apart.
func (l line) money() (gateway.Money, error) {
	m, err := plugkit.Money(string(l.Amount), string(l.Currency))
	if err == nil && m.Amount.Places() > gateway.TRY.Decimals {
		err = plugkit.Distrust(gateway.Retryable, "a line's amount has parts of a kuruş")
	}
	if err == nil && l.Currency == lira {
		m.Asset = gateway.TRY
	}
	return m, err
}

// tally adds up an order's lines.
type tally struct {
	asset     gateway.Asset
	paid      money.Decimal // by all cards
	undone    money.Decimal // voids and reversals, which show as the sale's status
	credited  money.Decimal // refunds, which are lines of their own
	sales     int           // that took money
	reversed  int           // of those, by reversal
	isUnclear bool
	best      line // the line that says what became of the order
	rank      int
}

// ranks says which of several sales of an order counts: the one that took money, then one that may yet.
var ranks = map[gateway.State]int{gateway.Failed: 1, gateway.Canceled: 2, gateway.Processing: 3, gateway.Refunded: 4, gateway.Paid: 5}

func tallyOf(all []line) (tally, error) {
	var t tally
	for _, l := range all {
		state := l.state()
		if state == gateway.Unknown { // nobody knows what money it moved
			t.isUnclear, t.best = true, l
			continue
		}
		if l.isSale() && ranks[state] > t.rank && !t.isUnclear {
			t.best, t.rank = l, ranks[state]
		}
		if state != gateway.Paid && state != gateway.Refunded {
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
		t.add(l, state, m.Amount)
	}
	return t, nil
}

func (t *tally) add(l line, state gateway.State, amount money.Decimal) {
	if !l.isSale() {
		t.credited = t.credited.Add(amount)
		return
	}
	t.paid = t.paid.Add(amount)
	t.sales++
	if state == gateway.Refunded {
		t.undone = t.undone.Add(amount)
	}
	if strings.EqualFold(string(l.Status), "R") {
		t.reversed++
	}
}

// back is what was given back. A sale that is marked as reversed beside a refund of its own counts by the refund: whether the mark
// stands for that, no source says. Any other two marks of one order are unclear.
func (t tally) back() (back money.Decimal, isClear bool) {
	back = t.undone.Add(t.credited)
	if t.undone.Sign() > 0 && t.credited.Sign() > 0 {
		back, isClear = t.credited, t.sales == 1 && t.reversed == 1
		return back, isClear && back.Cmp(t.paid) <= 0
	}
	return back, back.Cmp(t.paid) <= 0
}

// left is what can still be given back, where everything that happened is known.
func (t tally) left() (left money.Decimal, isKnown bool) {
	back, isClear := t.back()
	return t.paid.Sub(back), isClear && !t.isUnclear && t.asset == gateway.TRY
}

// observe tells what the lines come to.
func (t tally) observe(o *gateway.Observation) {
	o.State, o.Raw = t.best.state(), t.best.raw()
	back, isClear := t.back()
	if o.State == gateway.Failed {
		o.Reason = t.best.reason()
	}
	if t.paid.Sign() > 0 {
		o.Paid = &gateway.Money{Amount: t.paid, Asset: t.asset}
	}
	if back.Sign() > 0 && isClear {
		o.Refunded = &gateway.Money{Amount: back, Asset: t.asset}
	}
	switch {
	case t.isUnclear || !isClear:
		o.State, o.Reason = gateway.Unknown, nil
	case t.paid.Sign() > 0 && back.Cmp(t.paid) >= 0:
		o.State = gateway.Refunded
	case t.paid.Sign() > 0 && back.Sign() > 0:
		o.State = gateway.PartRefunded
	case t.paid.Sign() > 0:
		o.State = gateway.Paid
	}
}

// ReadDeposit implements ports.DepositReader. The bank knows an order from the first card on. One whose form was given to the
// customer waits until then.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	o := gateway.Observation{Ref: k.Ref, External: gateway.ExternalRef{ID: string(k.Ref)}, Trust: gateway.Answered}
	all, err := g.history(ctx, k.Ref)
	if gateway.IsClass(err, gateway.NotFound) && !k.External.IsZero() {
		o.State = gateway.Waiting
		return o, nil
	}
	var t tally
	if err == nil {
		t, err = tallyOf(all)
	}
	if err != nil {
		return gateway.Observation{}, err
	}
	t.observe(&o)
	return o, nil
}
