package backoffice_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/e2e/harness"
)

// TestBrowserASessionEndsInTheMiddleOfAForm: what somebody has typed when their session ends is still there after they have signed in
// again, and is sent once.
func TestBrowserASessionEndsInTheMiddleOfAForm(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	member := in.Member("operator")
	paid := in.Provider(p).Create(t, "start-manual-deposit", "75.00")
	b := inConsole(t, in, p, "operator", "/console/transactions/"+paid.TrackingCode, "en", 1280)
	says(b, "Decline")
	b.Key("r")
	b.Has("[role=dialog] textarea")
	says(b, "No money moves.") // the dialog is as large as it gets
	b.Do(chromedp.SendKeys(chromedp.CSS("[role=dialog] textarea"), "Seen on no statement"))
	b.Until(`document.querySelector("[role=dialog] textarea").value === "Seen on no statement"`)
	if err := in.SignIn(p, "operator").Ask(`mutation { revokeOtherSessions { sessions { id } } }`, nil, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	// The console may be told that the session is over before anybody presses.
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[role=dialog] button[type=submit]")?.click()`))
	b.Until(`document.querySelector("#email")?.checkVisibility()`)
	screen(b, "session-over-en-1280", 1280)
	enter(b, member)
	b.Until(`document.querySelector("[role=dialog] textarea")?.value === "Seen on no statement"`)
	press(b, "[role=dialog] button[type=submit]", "Decline")
	b.Until(`document.querySelector("[role=dialog]") === null`)
	found := in.SignIn(p, "viewer").Transaction(t, paid.TrackingCode)
	if found.Status != "CANCELED" {
		t.Errorf("the deposit is %s", found.Status)
	}
	says(b, "Seen on no statement")
	p.Stop(t)
}

// TestBrowserRowsAreCurrentAfterAnInterruption: what happened while the console had no connection is in its list as soon as it has one
// again, and the list goes on living; nobody reloads anything.
func TestBrowserRowsAreCurrentAfterAnInterruption(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	caller := in.Provider(p)
	caller.Create(t, "start-manual-deposit", "11.00")
	b := inConsole(t, in, p, "viewer", "/console/transactions", "en", 1280)
	b.Until(`document.querySelectorAll("a.row").length === 1`)
	offline(b, true)
	caller.Create(t, "start-manual-deposit", "22.00")
	offline(b, false)
	b.Until(`document.querySelectorAll("a.row").length === 2`)
	caller.Create(t, "start-manual-deposit", "33.00")
	b.Until(`document.querySelectorAll("a.row").length === 3`)
	p.Stop(t)
}

// TestBrowserALifeAcrossProcesses: what a provider asks of one process, and a colleague decides at another, shows in a console that
// talks to the first, and counts among what waits.
func TestBrowserALifeAcrossProcesses(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	all := in.ServeAll()
	b := inConsole(t, in, all[0], "operator", "/console/transactions", "en", 1280)
	says(b, "There are no transactions yet.")
	made := in.Provider(all[1]).Create(t, "start-manual-deposit", "44.00")
	b.Until(fmt.Sprintf(`document.querySelector("a.row")?.innerText === %q`, made.TrackingCode))
	in.SignIn(all[1], "operator").Must(t, "approveDeposit", made.TrackingCode)
	b.Until(`document.querySelector("td.cell-status").innerText.includes("Completed")`)
	for _, p := range all {
		p.Stop(t)
	}
}

// TestBrowserABankLineKeepsItsPlace: whoever decides about a line sees it whatever the list does meanwhile; filters and what is looked at
// are in the address, and a view keeps the filters.
func TestBrowserABankLineKeepsItsPlace(t *testing.T) {
	t.Parallel()
	in, p := pastDemo(t)
	b := inConsole(t, in, p, "operator", "/console/bank-lines", "en", 1280)
	b.Until(`document.querySelectorAll("button.row").length === 3`)
	screen(b, "lines-en-1280", 1280)
	b.Key("j", "j")
	b.Until(`location.search.startsWith("?shown=") && document.activeElement.getAttribute("aria-current") === "true"`)
	name := text(b, `document.activeElement.innerText`)
	says(b, "Which deposit may it be?")
	b.Key("s")
	b.Has("[role=dialog] textarea")
	b.Click("[role=dialog] textarea")
	b.Key("Not ours")
	press(b, "[role=dialog] button[type=submit]", "")
	b.Until(`document.querySelectorAll("button.row").length === 2`)
	press(b, "button", "Decided ones, too")
	b.Until(fmt.Sprintf(`new URLSearchParams(location.search).get("all") === "true" &&
		[...document.querySelectorAll("tr")].some((row) => row.innerText.includes(%q) && row.innerText.includes("Set aside"))`, name))
	press(b, "button", "Views")
	b.Has("[role=dialog] input")
	b.Click("[role=dialog] input")
	b.Key("All lines", kb.Enter)
	b.Until(`document.querySelector("[role=dialog]") === null`)
	b.Visit(p.URL + "/console/bank-lines")
	b.Until(`document.querySelectorAll("button.row").length === 2`)
	press(b, "button", "Views")
	press(b, "[role=dialog] button", "All lines")
	b.Until(`location.search.includes("all=true") && document.querySelectorAll("button.row").length > 3`)
	p.Stop(t)
}
