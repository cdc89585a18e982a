package conformance

import (
	"bytes"
	"fmt"
	"regexp"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// otherAmountStart changes the amount and the currency that the answer to a start names. An answer that names none can't be held
// to that.
func otherAmountStart(w *world) {
	amount := w.usual()
	kurus := amount.Mul(money.MustDecimal("100")).Fixed(0)
	named := regexp.MustCompile(`([^0-9.])(` + regexp.QuoteMeta(amount.Fixed(2)) + `|` + regexp.QuoteMeta(amount.String()) + `|` + kurus + `)([^0-9.])`)
	currency := regexp.MustCompile(`"(TRY|try|TL)"`)
	for what, change := range map[string]func(body []byte) []byte{
		"amount":   func(body []byte) []byte { return named.ReplaceAll(body, []byte("${1}7.77${3}")) },
		"currency": func(body []byte) []byte { return currency.ReplaceAll(body, []byte(`"USD"`)) },
	} {
		isNamed := false
		w.transport.stand(func(_ gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
			answer, err := send()
			changed := change(answer.Body)
			isNamed = isNamed || !bytes.Equal(changed, answer.Body)
			answer.Body = changed
			return answer, err
		})
		_, err := w.startDeposit(w.depositOrder(kindOf(w.d.Kinds), amount))
		w.transport.stand(nil)
		w.check(!isNamed || err != nil && !gateway.HasNoEffect(err),
			"a start of %s whose answer is of another %s was taken (%v): hold both to the order (plugkit.IsFor), or a customer pays what nobody "+
				"asked for. What became of ours is not known, so that the effect is unknown", amount, what, err)
	}
}

// stand puts an exchange in the way of every request; nil: nothing.
func (x *transport) stand(between Exchange) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.between = between
}

// replayedStays sends a right message once more, to the address of another order and with another order's signature.
func replayedStays(w *world) {
	in, right := w.signedNotification()
	other := w.finalOrder()
	foreign, ok := w.notificationOf(other)
	if !ok {
		return
	}
	moved := in
	moved.Query, moved.Path = "of="+string(other)+"&reference="+string(other), foreign.Path
	if foreign.Query != "" {
		moved.Query = foreign.Query
	}
	w.isHarmless("the address of another order", moved, right)
	if !bytes.Equal(in.Body, foreign.Body) && fmt.Sprint(in.Header) != fmt.Sprint(foreign.Header) {
		crossed := in
		crossed.Header = foreign.Header
		w.isHarmless("the headers of another order's", crossed, right)
	}
	hints, err := w.readNotification(moved)
	for _, got := range reportsOf(hints) {
		w.check(err != nil || got.ref != other, "a message about one order that is sent to the address of %s reports %s: an address is "+
			"not signed, and whoever has one message could have it count for each order", other, other)
	}
}

// otherModeMovesNothing hears and reads of money that is none here: a test's in production, or the other way round.
func otherModeMovesNothing(w *world) {
	d, ok := w.startIn(IsOfOtherMode)
	if !ok {
		return
	}
	in, isTold := w.notificationOf(d.order.Ref)
	if n, err := w.readNotification(in); isTold && err == nil {
		for _, e := range n.Events {
			w.check(e.IsCue(), "a message of the other mode is believed: it reports %s with trust %q. Hold the mode that it names to "+
				"GatewayEnv.Environment or to the configuration", e.State, e.Trust)
		}
	}
	o, err := w.readDeposit(d.key())
	w.check(err != nil || !isPaid(o.State), "ReadDeposit reports %s of a deposit that was paid in the other mode: a try moves no money", o.State)
}

// isInTime checks the time of an event: nothing happens before the test began, or later than now.
func (w *world) isInTime(what string, at time.Time) {
	w.check(at.IsZero() || !at.Before(Opening.Add(-time.Minute)) && !at.After(w.clock.Now().Add(time.Minute)),
		"%s says that it happened at %s, and it is %s: a time without a zone is in the gateway's own (time.ParseInLocation), and seconds are "+
			"no milliseconds", what, at, w.clock.Now())
}

// givenBackIs wants Refunded to be that much of what was paid.
func givenBackIs(times string) func(order, receipt, report) string {
	return func(_ order, r receipt, got report) string {
		part := r.due.Amount.Mul(money.MustDecimal(times))
		switch {
		case got.state == string(gateway.Refunding), got.refunded == nil && got.state == string(gateway.Refunded):
			return ""
		case got.refunded == nil:
			return "Refunded must say how much was given back: the core holds it to its own refunds"
		case !got.refunded.IsSameAsset(r.due) || part.Places() <= r.due.Asset.Decimals && got.refunded.Amount != part:
			return fmt.Sprintf("Refunded is %s, and %s of %s was given back: mind lira and kuruş", got.refunded, part, r.due)
		default:
			return ""
		}
	}
}

// gaveBack checks what a deposit says after a refund: how much the gateway gave back, and in not the state.
func (w *world) gaveBack(k gateway.DepositKey, amount gateway.Money, not gateway.State) {
	o, err := w.readDeposit(k)
	w.ok("ReadDeposit after a refund", err)
	w.check(o.State != not, "after a refund of %s the deposit reads as %s: the gateway was told another amount (lira or kuruş?)", amount, o.State)
	w.check(o.Refunded == nil || o.State == gateway.Refunding || isSame(*o.Refunded, amount),
		"after a refund of %s the deposit says that %s was given back: the gateway was told another amount (lira or kuruş?)", amount, o.Refunded)
}
