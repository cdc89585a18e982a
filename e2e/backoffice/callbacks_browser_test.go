package backoffice_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/e2e/harness"
)

// statuses is an expression: the statuses of the list's rows, in their order.
const statuses = `[...document.querySelectorAll("tbody tr")].map((row) => row.querySelector("td:not(.cell-choose)").innerText.trim()).join(" | ")`

// lateReceiver answers 503 until it is alive.
func lateReceiver(t *testing.T, in *harness.Installation, p *harness.Process) (isAlive *atomic.Bool, to *harness.Receiver) {
	t.Helper()
	isAlive = new(atomic.Bool)
	to = harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int {
		if isAlive.Load() {
			return http.StatusOK
		}
		return http.StatusServiceUnavailable
	})
	in.CallBack(p, to)
	return isAlive, to
}

// TestBrowserACallbackThatWaitsIsSentNow: its provider's own people see that it waits and what was answered, and do not wait for the next
// attempt; the row says by itself what came of it.
func TestBrowserACallbackThatWaitsIsSentNow(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s,6h")
	isAlive, to := lateReceiver(t, in, p)
	made := in.Provider(p).CreateMany(t, "start-manual-deposit", 2, "25.00")
	in.SignIn(p, "operator").DecideAll(t, "rejectDeposit", made)
	to.Next(t)
	to.Next(t)
	const list = "/console/callbacks?status=WAITING&answer=SERVER_ERROR"
	b := inConsole(t, in, p, "provider_manager", list, "en", 1280)
	b.Until(statuses + ` === "Waiting | Waiting"`)
	b.Until(fmt.Sprintf(`location.pathname + location.search === %q`, list))
	press(b, "tbody tr:first-child button", "503 · 1 attempt")
	b.Until(`document.querySelector("[role=dialog] details") !== null`)
	b.Key(kb.Escape)
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/callbacks?answer=SERVER_ERROR,SUCCESS")
	b.Until(statuses + ` === "Waiting | Waiting"`)
	isAlive.Store(true)
	press(b, "tbody tr:last-child button", "Send now")
	says(b, "The callback is being sent now.")
	b.Until(statuses + ` === "Waiting | Delivered"`)
	b.Visit(p.URL + list)
	b.Until(statuses + ` === "Waiting"`)
	press(b, "button", "Open in GraphiQL")
	p.Stop(t)
}

// TestBrowserWhatFailedLastNightIsSentAgain: from home to the callbacks that failed, narrowed to a day and an answer, counted, and sent again
// in one order; the rest is left alone. A dealer's staff see none of it.
func TestBrowserWhatFailedLastNightIsSentAgain(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s")
	isAlive, to := lateReceiver(t, in, p)
	operator := in.SignIn(p, "operator")
	made := in.Provider(p).CreateMany(t, "start-manual-deposit", 3, "25.00")
	operator.DecideAll(t, "rejectDeposit", made)
	for _, m := range made {
		if c := operator.Settled(t, m.TrackingCode).Callbacks[0]; c.Status != "FAILED" {
			t.Fatalf("a dead receiver leaves %+v", c)
		}
	}
	b := inConsole(t, in, p, "support", "/console/", "en", 1280)
	b.Click(`ul.work a[href^="/console/callbacks"]`)
	b.Until(`location.pathname === "/console/callbacks"`)
	b.Until(`document.querySelectorAll("a.row").length >= 3`)
	day := text(b, `new Date(Date.now() - 86400000).toISOString().slice(0, 10)`)
	b.Visit(fmt.Sprintf("%s/console/callbacks?status=FAILED&answer=SERVER_ERROR&from=%s&held=true", p.URL, day))
	b.Until(statuses + ` === "Failed | Failed | Failed"`)
	press(b, "button.filter", "Dealer")
	press(b, "[role=menuitemradio]", "Marmara Finans") // whose own payments these are not
	b.Until(`/[?&]dealer=/.test(location.search) && document.querySelector(".state") !== null`)
	press(b, ".chip", "Dealer: Marmara Finans")
	press(b, "button.filter", "Site")
	press(b, "[role=menuitemradio]", "acme.example")
	b.Until(`/[?&]site=/.test(location.search) && !/[?&]dealer=/.test(location.search) && ` + statuses + ` === "Failed | Failed | Failed"`)
	isAlive.Store(true)
	press(b, ".title .actions button", "Send callbacks again")
	says(b, "3 callbacks will be sent again.")
	press(b, "[role=dialog] button[type=submit]", "Send again")
	says(b, "3 callbacks are on their way.")
	b.Until(`document.querySelectorAll("tbody tr").length === 0`)
	for _, m := range made {
		if c := operator.Settled(t, m.TrackingCode).Callbacks[0]; c.Status != "DELIVERED" || len(to.Of(m.TrackingCode)) != 2 {
			t.Errorf("%s: %+v after %d letters", m.TrackingCode, c, len(to.Of(m.TrackingCode)))
		}
	}
	lookEverywhere(t, in, p, "support",
		sight{"callbacks", "/callbacks", has(`document.querySelectorAll("a.row").length > 0`)},
		sight{"callbacks-none", "/callbacks?answer=REDIRECT", has(`document.querySelector(".state") !== null`)},
	)
	d := inConsole(t, in, p, "dealer", "/console/callbacks", "en", 1280)
	d.Until(`document.querySelector(".state") !== null && document.querySelectorAll("a.row").length === 0`)
	p.Stop(t)
}
