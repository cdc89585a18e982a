package wallets_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// console opens an address of the console in English for a member, who signs in.
func console(t *testing.T, in *harness.Installation, p *harness.Process, role, path string, width int64) *harness.Tab {
	t.Helper()
	b := harness.OpenTab(t, p.URL+"/console/LICENSES.txt")
	b.Until(`localStorage.setItem("vezne.language", "en") === undefined`)
	b.Do(chromedp.EmulateViewport(width, 900))
	b.Visit(p.URL + path)
	b.Until(`document.activeElement.id === "email"`)
	m := in.Member(role)
	b.Fill("email", m.Email, "password", m.Password)
	b.Key(kb.Enter)
	b.Until(`document.querySelector("h1") !== null && document.querySelector("#email") === null`)
	return b
}

// shows waits for a text on the page.
func shows(b *harness.Tab, text string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
}

// push presses the button, or link, whose words begin so.
func push(b *harness.Tab, words string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`(() => {
		document.querySelector("[data-pushed]")?.removeAttribute("data-pushed");
		const found = [...document.querySelectorAll("button, a, summary")].filter((e) => e.innerText.trim().startsWith(%q)
			&& e.checkVisibility() && !e.disabled && !e.closest("[inert], [aria-hidden=true]")).at(-1);
		found?.setAttribute("data-pushed", "");
		return found !== undefined;
	})()`, words))
	b.Click("[data-pushed]")
}

// because fills in why.
func because(b *harness.Tab, reason string) {
	b.T.Helper()
	b.Has("[role=dialog] textarea")
	b.Do(chromedp.SendKeys(chromedp.CSS("[role=dialog] textarea"), reason))
}

// pictured looks at what the console shows in both themes: axe finds nothing, and nothing scrolls sideways.
func pictured(b *harness.Tab, name string, width int64) {
	b.T.Helper()
	for _, theme := range []string{"dark", "light"} {
		_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		if err != nil {
			b.T.Fatal(err)
		}
		for _, found := range b.Violations() {
			b.T.Errorf("%s, %s: %s", name, theme, found)
		}
		b.Shot("banking-" + name + "-" + theme)
	}
	b.Until(fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width))
}

// TestBrowserALineIsMatchedByKeyboard: of two deposits of one amount a person chooses, by a digit and a, with what speaks for and
// against each before them. The line that comes while they look is there by itself. Whoever has the same line in another window, and
// credits the other deposit with it, is refused.
func TestBrowserALineIsMatchedByKeyboard(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	branch := in.OpenBranch()
	b := console(t, in, branch.Server, "operator", "/console/bank-lines", 1280)
	shows(b, "No lines wait here.")
	first, second, w := twins(t, branch, "418.30")
	l := branch.Booked(t, w, bank.Incoming, "418.30", "havale", "AYSE YILMAZ")
	stands(t, branch, w, l.ID, "DOUBTFUL")
	b.Until(`document.querySelectorAll(".candidate").length >= 2`) // live
	shows(b, "Amount")
	pictured(b, "line-en-1280", 1280)
	other := console(t, in, branch.Server, "operator", "/console/bank-lines", 360)
	other.Until(`document.querySelectorAll(".candidate").length >= 2`)
	pictured(other, "line-en-360", 360)
	b.Until(`document.querySelector(".candidate:nth-of-type(2)") !== null`)
	push(other, "Credit this deposit")
	because(other, "the brother paid")

	b.Key("1")
	chosen := text(b, `document.querySelector(".candidate[aria-current=true] .code").innerText`)
	b.Key("a")
	shows(b, "The line can credit no other deposit afterwards.")
	pictured(b, "credit-en-1280", 1280)
	because(b, "the text says so")
	push(b, "Credit this deposit")
	stands(t, branch, w, l.ID, "MATCHED")
	shows(b, "No lines wait here.")
	other.Until(`document.querySelector("[role=dialog]") === null`) // who was not as quick sees whose it is
	shows(other, chosen)
	if found := branch.Operator.Transaction(t, chosen); found.Status != "COMPLETED" {
		t.Errorf("%s is %s", chosen, found.Status)
	}
	for _, p := range []harness.Payment{first, second} {
		if found := branch.Operator.Transaction(t, p.TrackingCode); p.TrackingCode != chosen && found.Status == "COMPLETED" {
			t.Errorf("%s was credited with the same line", p.TrackingCode)
		}
	}
}

// text is what an expression gives.
func text(b *harness.Tab, expression string) string {
	b.T.Helper()
	text, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.T.Fatal(err)
	}
	return text
}

// TestBrowserADayIsExplainedAndAdjustedByTwo: the operator explains a fee of which the bank lists no line, and finance books it, having seen
// what it does.
func TestBrowserADayIsExplainedAndAdjustedByTwo(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	branch := in.ChargedBranch(true, money.MustDecimal("5"), "VEZNE_RATE_LIMIT=off")
	branch.Open(branch.Settings...)
	w, finance := branch.Wallets[0], in.SignIn(branch.Server, "finance")
	opened := openedOn(t, finance, w.WalletID)
	for date := opened; date.Format(time.DateOnly) <= harness.Today(); date = date.AddDate(0, 0, 1) {
		finance.Reconcile(t, w.WalletID, date.Format(time.DateOnly))
	}
	day := opened.Format(time.DateOnly)
	path := "/console/wallets/" + w.WalletID + "?day=" + day
	operator := console(t, in, branch.Server, "operator", path, 1280)
	push(operator, "Explain")
	because(operator, "yearly fee, see the letter")
	push(operator, "Explain")
	shows(operator, "yearly fee, see the letter")
	pictured(operator, "day-en-1280", 1280)
	lister := console(t, in, branch.Server, "finance", "/console/wallets?active=true", 360)
	lister.Until(`document.querySelectorAll("a.row").length > 0 && location.search === "?active=true"`)
	pictured(lister, "wallets-en-360", 360)
	lister.Visit(branch.Server.URL + "/console/wallets?q=no such bank")
	lister.Until(`document.querySelector(".state") !== null && document.querySelectorAll("a.row").length === 0`)
	booker := console(t, in, branch.Server, "finance", path, 360)
	push(booker, "Adjust the ledger")
	shows(booker, "-5.00 TRY is booked in the ledger.")
	shows(booker, "The closing balance becomes 249,995.00 TRY instead of 250,000.00 TRY.")
	pictured(booker, "adjust-en-360", 360)
	because(booker, "yearly fee")
	push(booker, "Adjust the ledger")
	booker.Until(`document.querySelector("[role=dialog]") === null`)
	if d := finance.Reconcile(t, w.WalletID, day); d.Status != "AGREED" || d.LedgerClosing != "249995.00" {
		t.Errorf("the day is %+v", d)
	}
}
