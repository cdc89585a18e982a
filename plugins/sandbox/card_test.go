package sandbox_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

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

// TestScenarioIsOfTheReferenceThenOfWhatWasTypedThenOfTheAmount: what each scenario does is played by the use cases, in
// app/operation.
func TestScenarioIsOfTheReferenceThenOfWhatWasTypedThenOfTheAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount, number, byHand string
		want                   gateway.ReasonCode
	}{
		{"250.10", visa, "", gateway.InsufficientFunds},
		{"250.10", bank.TestCard("14"), "", gateway.LimitExceeded},
		{"250.10", bank.TestCard("14"), "15", gateway.LostOrStolen},
	} {
		w := newWorld(t)
		if c.byHand != "" {
			w.ok(w.bank.SetOutcome("CC1", c.byHand))
		}
		w.browse(w.start(w.order(gateway.Card, c.amount)).Next.Redirect.URL).card(c.number)
		w.check("the reason", w.read().Reason.Code, c.want)
	}
	w := newWorld(t)
	w.browse(w.start(w.order(gateway.Wallet, "90.00")).Next.Redirect.URL).submit("wallet", url.Values{"wallet": {bank.TestWallet("14")}})
	w.check("the reason of a wallet", w.read().Reason.Code, gateway.LimitExceeded)
}
