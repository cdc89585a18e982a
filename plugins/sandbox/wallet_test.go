package sandbox_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

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
