package sandbox_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// cardCase is one of the card scenarios: what the customer types, and what Vezne learns.
type cardCase struct {
	code   string
	types  []string // cards and codes in turn: "card" is a card, anything else a code
	back   bool     // the browser is sent back
	reason gateway.ReasonCode
	state  gateway.State // after the customer is done
	told   []string      // within ten seconds
	later  time.Duration // and then, after so long
	ends   gateway.State
	tells  []string
	paid   string // in the end; empty: nothing
}

func cardCases() []cardCase {
	card := []string{"card"}
	paid := []string{"paid"}
	declined := func(code string, reason gateway.ReasonCode) cardCase {
		return cardCase{code: code, types: card, back: true, state: gateway.Failed, reason: reason, told: []string{"failed"}}
	}
	return []cardCase{
		{code: "00", types: card, back: true, state: gateway.Paid, told: paid, paid: "250"},
		{code: "01", types: []string{"card", bank.Code}, back: true, state: gateway.Paid, told: paid, paid: "250"},
		{code: "01", types: []string{"card", "111111", "", bank.Code}, back: true, state: gateway.Paid, told: paid, paid: "250"},
		{code: "01", types: []string{"card", "1", "2", "3"}, back: true, state: gateway.Failed, reason: gateway.AuthFailed, told: []string{"failed"}},
		{code: "02", types: []string{"card", bank.Code, bank.Code, bank.Code}, back: true, state: gateway.Failed, reason: gateway.AuthFailed, told: []string{"failed"}},
		{code: "03", types: card, back: true, state: gateway.Canceled, reason: gateway.CanceledByPayer, told: []string{"canceled"}},
		{code: "04", types: card, state: gateway.Waiting, later: 15 * time.Minute, ends: gateway.Expired},
		{code: "06", types: card, back: true, state: gateway.Failed, reason: gateway.AuthFailed, told: []string{"failed"}},
		{code: "07", types: []string{"card", "card", bank.Code}, back: true, state: gateway.Paid, told: []string{"failed", "paid"}, paid: "250"},
		declined("10", gateway.InsufficientFunds), declined("11", gateway.DoNotHonour), declined("12", gateway.ExpiredCard),
		declined("13", gateway.WrongCVC), declined("14", gateway.LimitExceeded), declined("15", gateway.LostOrStolen),
		declined("18", gateway.FraudSuspected),
		{code: "16", types: card, back: true, state: gateway.Processing, told: []string{"processing"}, later: 2 * time.Minute, ends: gateway.Paid, tells: paid, paid: "250"},
		{code: "17", types: card, back: true, state: gateway.Processing, told: []string{"processing"}, later: 2 * time.Minute, ends: gateway.Failed, tells: []string{"failed"}},
		{code: "20", types: card, back: true, state: gateway.Processing, later: 21 * time.Minute, ends: gateway.Paid, tells: paid, paid: "250"},
		{code: "21", types: card, back: true, state: gateway.Paid, told: []string{"paid", "paid", "paid"}, paid: "250"},
		{code: "22", types: card, state: gateway.Paid, told: paid, paid: "250"},
		{code: "23", types: card, back: true, state: gateway.Paid, paid: "250"},
		{code: "24", types: card, state: gateway.Paid, told: paid, paid: "250"},
		{code: "25", types: card, back: true, state: gateway.Paid, told: []string{"paid", "failed", "processing"}, paid: "250"},
		{code: "26", types: card, back: true, state: gateway.PartPaid, told: []string{"part-paid"}, paid: "125"},
		{code: "27", types: card, back: true, state: gateway.OverPaid, told: []string{"over-paid"}, paid: "375"},
		{code: "28", types: card, back: true, state: gateway.Paid, told: paid, paid: "250"},
		{code: "29", types: card, back: true, state: gateway.Paid, told: []string{"unauthenticated", "paid", "unauthenticated"}, paid: "250"},
		{code: "30", types: card, back: true, state: gateway.Review, told: []string{"review"}, later: time.Minute, ends: gateway.Paid, tells: paid, paid: "250"},
		{code: "31", types: card, back: true, state: gateway.Review, told: []string{"review"}, later: time.Minute, ends: gateway.Failed, tells: []string{"failed"}},
		{code: "32", types: []string{"card", "card"}, back: true, state: gateway.Paid, told: []string{"failed", "paid"}, paid: "250"},
		{code: "33", types: card, back: true, state: gateway.Paid, told: []string{"paid", "over-paid"}, later: time.Second, ends: gateway.OverPaid, paid: "500"},
		{code: "55", types: card, back: true, state: gateway.Paid, told: paid, later: 25 * time.Hour, ends: gateway.Disputed, tells: []string{"disputed"}},
		{code: "99", types: card, back: true, state: gateway.Paid, told: paid, paid: "250"}, // not in the table: as 00
	}
}

func TestCardScenarioByTheKurusOfTheAmount(t *testing.T) {
	t.Parallel()
	for _, c := range cardCases() {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.play(w, w.order(gateway.Card, "250."+c.code), visa)
		})
	}
}

func TestCardScenarioByTestCard(t *testing.T) {
	t.Parallel()
	for _, c := range cardCases() {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.play(w, w.order(gateway.Card, "250.10"), bank.TestCard(c.code)) // the card counts for more than the kuruş
		})
	}
}

func TestCardScenarioByHandCountsForMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok(w.bank.SetOutcome("CC1", "15"))
	c := cardCase{types: []string{"card"}, back: true, state: gateway.Failed, reason: gateway.LostOrStolen, told: []string{"failed"}}
	c.play(w, w.order(gateway.Card, "250.10"), bank.TestCard("00"))
}

// play goes through a scenario as a customer does.
func (c cardCase) play(w *world, o gateway.DepositOrder, number string) {
	w.t.Helper()
	s := w.start(o)
	w.check("the next step", s.Next.Kind(), gateway.StepRedirect)
	b := w.browse(s.Next.Redirect.URL)
	for _, text := range c.types {
		if text == "card" {
			b.card(number)
		} else {
			b.submit("code", url.Values{"code": {text}})
		}
		w.pass(time.Second)
	}
	w.check("the browser is back", b.isBack(), c.back)
	seen, err := w.gateway.FinishReturn(w.ctx, gateway.ReturnVisit{DepositKey: gateway.DepositKey{Ref: o.Ref}})
	w.ok(err)
	w.check("the state at the return", seen.State, c.state)
	c.hasReason(w, seen)
	w.pass(10 * time.Second)
	w.check("notifications", w.told(), c.told)
	w.pass(c.later)
	w.check("later notifications", w.told(), c.tells)
	end := w.read()
	if c.ends != "" {
		w.check("the end", end.State, c.ends)
	}
	c.hasMoney(w, end)
}

func (c cardCase) hasReason(w *world, o gateway.Observation) {
	w.t.Helper()
	if c.reason == "" {
		return
	}
	if o.Reason == nil || o.Reason.Code != c.reason {
		w.t.Errorf("the reason is %+v, want %s", o.Reason, c.reason)
	}
}

func (c cardCase) hasMoney(w *world, o gateway.Observation) {
	w.t.Helper()
	switch {
	case o.State == gateway.Disputed:
	case c.paid == "" && o.Paid != nil:
		w.t.Errorf("paid is %s, want nothing", o.Paid)
	case c.paid != "" && o.Paid == nil:
		w.t.Errorf("paid is nothing, want %s", c.paid)
	case c.paid != "":
		whole, _, _ := cutPoint(o.Paid.Amount.Fixed(2))
		w.check("paid", whole, c.paid)
		w.check("its currency", o.Paid.Asset.Code, map[bool]string{true: "USD", false: "TRY"}[c.code == "28"])
	}
}

func TestSoftDeclineCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	for code, soft := range map[string]gateway.ReasonCode{"07": gateway.AuthFailed, "32": gateway.DoNotHonour} {
		w := newWorld(t)
		b := w.browse(w.start(w.order(gateway.Card, "10."+code)).Next.Redirect.URL)
		b.card(visa)
		o := w.read()
		w.check("the state after the first try", o.State, gateway.Failed)
		w.check("can still pay, softly, because", []any{o.CanStillPay, o.Reason.Soft, o.Reason.Code}, []any{true, true, soft})
		w.check("settled", o.IsSettled(), false)
	}
}

func TestThreeDSecureThatCannotBeStartedIsRefusedBeforeThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.gateway.StartDeposit(w.ctx, w.order(gateway.Card, "10.05"))
	e := gateway.ErrorOf(err)
	if e.Class != gateway.Refused || e.Effect != gateway.EffectNone || e.Reason == nil || e.Reason.Code != gateway.AuthFailed {
		t.Errorf("got %+v", e)
	}
	w.check("nothing is kept", w.state(), gateway.NotFound)
}

func TestAttemptedThreeDSecureIsPerPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attempted)
	b := w.browse(w.start(w.order(gateway.Card, "10.06")).Next.Redirect.URL)
	b.card(visa)
	w.check("the state", w.state(), gateway.Paid)
}

func TestSlowReturnGoesOverAPageWithALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.22")).Next.Redirect.URL)
	b.card(visa)
	w.bank.Step(w.ctx)
	w.check("the notification is there before the browser", w.told(), []string{"paid"})
	w.check("the browser is back", b.isBack(), false)
	w.check("the page goes on by itself", b.header.Get("Refresh")[:8], "3; url=h")
	w.check("the link leads back", strings.HasPrefix(link(b.body), "https://vezne.test/back/3f1c?"), true)
}

func TestReferenceIsIdempotent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	o := w.order(gateway.Card, "10.00")
	first, second := w.start(o), w.start(o)
	w.check("the same order", second.External.ID, first.External.ID)
	o.Key = "another key"
	_, err := w.gateway.StartDeposit(w.ctx, o)
	w.check("another key", gateway.ErrorOf(err).Class, gateway.Conflicting)
	o = w.order(gateway.Card, "11.00")
	_, err = w.gateway.StartDeposit(w.ctx, o)
	w.check("another amount", gateway.ErrorOf(err).Class, gateway.Conflicting)
}

func TestCanceledOrderCannotBePaidAndPaidOneCannotBeCanceled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL
	b := w.browse(page)
	cancel := gateway.CancelOrder{DepositKey: gateway.DepositKey{Ref: "CC1"}, Key: "c", Why: "expired"}
	o, err := w.gateway.CancelDeposit(w.ctx, cancel)
	w.ok(err)
	w.check("canceled", o.State, gateway.Canceled)
	b.card(visa)
	w.check("after the card", w.state(), gateway.Canceled)

	w = newWorld(t)
	b = w.browse(w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL)
	b.card(visa)
	o, err = w.gateway.CancelDeposit(w.ctx, cancel)
	w.ok(err)
	w.check("paid", o.State, gateway.Paid)
}

func TestExpiredPageTakesNoCard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL)
	w.pass(15 * time.Minute)
	b.card(visa)
	w.check("the state", w.state(), gateway.Expired)
	w.check("nothing is told", w.told(), []string{})
}
