package sandbox_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestWalletScenario(t *testing.T) {
	t.Parallel()
	paid := []string{"paid"}
	for _, c := range []struct {
		code  string
		back  bool
		state gateway.State
		told  []string
		later time.Duration
		ends  string
		tells []string
	}{
		{code: "00", back: true, state: gateway.Paid, told: paid},
		{code: "03", back: true, state: gateway.Canceled, told: []string{"canceled"}},
		{code: "04", state: gateway.Waiting, later: time.Hour, ends: "expired"},
		{code: "08", state: gateway.Waiting, later: 59 * time.Minute, ends: "expired"},
		{code: "08", state: gateway.Waiting, later: time.Hour, ends: "not-found"},
		{code: "09", back: true, state: gateway.Paid, told: []string{"paid by shared secret"}},
		{code: "10", back: true, state: gateway.Failed, told: []string{"failed"}},
		{code: "14", back: true, state: gateway.Failed, told: []string{"failed"}},
		{code: "20", back: true, state: gateway.Processing, later: 20 * time.Minute, ends: "paid", tells: paid},
		{code: "22", state: gateway.Paid, told: paid},
		{code: "24", state: gateway.Paid, told: paid},
		{code: "33", back: true, state: gateway.Paid, told: []string{"paid", "over-paid"}},
	} {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			for _, by := range []struct{ amount, number string }{
				{"90." + c.code, "5321234567"}, {"90.10", bank.TestWallet(c.code)},
			} {
				w := newWorld(t)
				b := w.browse(w.start(w.order(gateway.Wallet, by.amount)).Next.Redirect.URL)
				b.submit("wallet", url.Values{"wallet": {by.number}})
				w.check("the browser is back", b.isBack(), c.back)
				w.check("the state", w.state(), c.state)
				w.pass(10 * time.Second)
				w.check("notifications", w.told(), c.told)
				w.pass(c.later)
				w.check("later notifications", w.told(), c.tells)
				if c.ends != "" {
					w.check("the end", w.state(), c.ends)
				}
			}
		})
	}
}

func TestWalletSecretIsNothingWhereNoneIsConfigured(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(_ *bank.Config, values map[string]string) { delete(values, "wallet_secret") })
	b := w.browse(w.start(w.order(gateway.Wallet, "90.09")).Next.Redirect.URL)
	b.submit("wallet", url.Values{"wallet": {"5321234567"}})
	w.pass(2 * time.Second)
	w.check("refused", w.told(), []string{"unauthenticated"})
}

func TestWalletPageCancels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Wallet, "90.00")).Next.Redirect.URL)
	b.submit("cancel", nil)
	w.check("the browser is back", b.isBack(), true)
	w.check("the state", w.state(), gateway.Canceled)
}
