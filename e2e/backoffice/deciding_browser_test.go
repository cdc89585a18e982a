package backoffice_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// paidBy is a deposit of which a customer says that it is paid.
func paidBy(t *testing.T, in *harness.Installation, p *harness.Process, who harness.Start) harness.Payment {
	t.Helper()
	a, made, err := in.Provider(p).Try("start-manual-deposit", who, "")
	if err != nil || a.Status != http.StatusOK {
		t.Fatalf("a deposit is answered %d %s (%v)", a.Status, a.Body, err)
	}
	customer := made.At(p)
	customer.Press(t, "continue", url.Values{"amount": {string(who.Amount)}})
	customer.Press(t, "paid", nil)
	return made
}

// zeynep is a customer of whom there is one deposit.
func zeynep(amount string) harness.Start {
	return harness.Start{Fullname: "Zeynep Şahin", Username: "zeynep.sahin", UserID: "u-7777", Amount: json.Number(amount)}
}

// opened waits for a dialog whose preview says a text.
func opened(b *harness.Tab, text string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.querySelector("[role=dialog] .outcome[aria-busy=false]")?.innerText.includes(%q) ?? false`, text))
}

// TestBrowserADepositIsFoundAndApprovedByKeyboard: an operator finds yesterday's 250 TRY by the customer's first name and approves it, and
// never touches the mouse; what will happen is said before, in money.
func TestBrowserADepositIsFoundAndApprovedByKeyboard(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	made := paidBy(t, in, p, zeynep("250.00"))
	paidBy(t, in, p, harness.Order("250.00"))
	next := paidBy(t, in, p, zeynep("99.90"))
	b := inConsole(t, in, p, "operator", "/console/deposits", "tr", 1280)
	b.Until(`document.querySelectorAll("a.row").length >= 3`)
	b.Key("/")
	b.Until(`document.activeElement.type === "search" && (document.activeElement.value = "") === ""`)
	b.Key("zeynep", kb.Enter)
	b.Until(`document.querySelectorAll("a.row").length === 2 && location.search === "?q=zeynep"`)
	b.Key("j")
	b.Key("a")
	opened(b, "Müşterinin hesabına 250,00 TRY geçer.")
	b.Until(`document.activeElement.name === "amount" && document.activeElement.value === "250,00"`)
	screen(b, "approve-tr-1280", 1280)
	b.Key(kb.Enter)
	says(b, "Onaylandı: "+made.TrackingCode)
	b.Until(fmt.Sprintf(`document.activeElement.dataset.code === %q`, next.TrackingCode)) // the keyboard goes on at the next row
	b.Key("a")
	opened(b, "Müşterinin hesabına 99,90 TRY geçer.")
	b.Key(kb.Enter)
	says(b, "Onaylandı: "+next.TrackingCode)
	says(b, "Bu filtrelere uyan satır yok.")
	if found := in.SignIn(p, "operator").Transaction(t, made.TrackingCode); found.Status != "COMPLETED" || found.Amount != "250.00" {
		t.Errorf("it is %s with %s", found.Status, found.Amount)
	}
}

// TestBrowserDepositsAreDecided: another amount is warned of, a refusal takes a reason, and several are decided at once with a result for
// each; a colleague's decision is one of the results.
func TestBrowserDepositsAreDecided(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	first := paidBy(t, in, p, zeynep("310.00"))
	var many []harness.Payment
	for _, amount := range []string{"311.10", "312.20", "313.30"} {
		many = append(many, paidBy(t, in, p, zeynep(amount)))
	}
	lookEverywhere(t, in, p, "operator", sight{"deposits", "/deposits?q=zeynep", has(`document.querySelectorAll("a.row").length === 4`)})
	b := inConsole(t, in, p, "operator", "/console/deposits?q=zeynep", "en", 360)
	b.Until(`document.querySelector("a.row")?.innerText === ` + quoted(first.TrackingCode)) // the oldest
	b.Click(".row-actions .button.primary")
	opened(b, "310.00 TRY is credited")
	b.Until(`(() => { const f = document.querySelector("[name=amount]"); f.select(); return document.activeElement === f; })()`)
	b.Key("300")
	opened(b, "300.00 TRY is credited")
	says(b, "The customer asked for 310.00 TRY")
	screen(b, "approve-differs-en-360", 360)
	press(b, "[role=dialog] button[type=submit]", "Approve")
	says(b, "Approved: "+first.TrackingCode)
	b.Until(`document.querySelectorAll("a.row").length === 3`)

	b.Click(".row-actions .button.refuse")
	opened(b, "No money moves.")
	press(b, "[role=dialog] button[type=submit]", "Decline")
	says(b, "Fill this in.")
	press(b, "[role=dialog] .chip", "No money has arrived")
	screen(b, "decline-en-360", 360)
	press(b, "[role=dialog] button[type=submit]", "Decline")
	says(b, "Declined: "+many[0].TrackingCode)

	b.Until(`document.querySelectorAll("a.row").length === 2`)
	b.Click("tbody tr:nth-child(1) input[type=checkbox]")
	b.Click("tbody tr:nth-child(2) input[type=checkbox]")
	press(b, ".bulk button", "Approve the selected")
	says(b, "625.50 TRY")
	in.SignIn(p, "operator").Must(t, "rejectDeposit", many[2].TrackingCode) // a colleague, from elsewhere
	press(b, "[role=dialog] button[type=submit]", "Approve (2)")
	says(b, "1 of 2 are done.")
	screen(b, "many-en-360", 360)
	press(b, "[role=dialog] button.wide", "Close")
	says(b, "Nothing matches these filters.")
	operator := in.SignIn(p, "operator")
	for i, want := range []string{"CANCELED", "COMPLETED", "CANCELED"} {
		if found := operator.Transaction(t, many[i].TrackingCode); found.Status != want {
			t.Errorf("%s is %s, want %s", many[i].TrackingCode, found.Status, want)
		}
	}
}

func quoted(text string) string { return fmt.Sprintf("%q", text) }

// tap touches the middle of what a selector finds.
func tap(b *harness.Tab, selector string) {
	b.T.Helper()
	b.Has(selector)
	b.Until(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" }) !== null`, selector))
	at, err := chromedp.Run(b.Ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(
		`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector)))
	if err != nil {
		b.T.Fatal(err)
	}
	for _, kind := range []input.DispatchTouchEventType{input.DispatchTouchEventTypeTouchStart, input.DispatchTouchEventTypeTouchEnd} {
		touch := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		if kind == input.DispatchTouchEventTypeTouchStart {
			touch.TouchPoints = append(touch.TouchPoints, &input.TouchPoint{X: at[0], Y: at[1]})
		}
		if _, err := chromedp.Call(b.Ctx, input.DispatchTouchEvent, touch); err != nil {
			b.T.Fatal(err)
		}
	}
}

// withTouch makes the tab a phone's: what is pressed is touched.
func withTouch(b *harness.Tab) {
	b.T.Helper()
	if _, err := chromedp.Call(b.Ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 1}); err != nil {
		b.T.Fatal(err)
	}
}

// png is a receipt: one pixel.
var png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82")

// chooses gives a file to a field.
func chooses(b *harness.Tab, selector, name string, content []byte) {
	b.T.Helper()
	path := filepath.Join(b.T.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		b.T.Fatal(err)
	}
	b.Has(selector)
	root, err := chromedp.Call(b.Ctx, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		b.T.Fatal(err)
	}
	found, err := chromedp.Call(b.Ctx, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.Root.NodeID, Selector: selector})
	if err != nil {
		b.T.Fatal(err)
	}
	if _, err := chromedp.Call(b.Ctx, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{path}, NodeID: found.NodeID}); err != nil {
		b.T.Fatal(err)
	}
}

// TestBrowserAWithdrawalIsClaimedAndPaidByTouch: on a phone of 360 px a cashier claims a withdrawal, has what the bank needs to copy, and
// records it with the bank's reference and the receipt, which the transaction then shows.
func TestBrowserAWithdrawalIsClaimedAndPaidByTouch(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	made := in.Provider(p).Create(t, "start-manual-withdraw", "321.45")
	lookEverywhere(t, in, p, "dealer", sight{"desk", "/desk", func(b *harness.Tab) { says(b, made.TrackingCode) }})
	b := inConsole(t, in, p, "dealer", "/console/desk?free=true", "tr", 360)
	withTouch(b)
	says(b, made.TrackingCode)
	row := fmt.Sprintf("tr[data-key=%q] ", made.TrackingCode)
	tap(b, row+".cell-do button")
	opened(b, "Durum")
	screen(b, "claim-tr-360", 360)
	tap(b, "[role=dialog] button[type=submit]")
	b.Until(`document.querySelector("[role=dialog] [name=bankReference]") !== null && document.querySelector("[role=dialog] .countdown") !== null`)
	opened(b, "Müşteriye 321,45 TRY gider.")
	b.Until(`document.querySelectorAll("[role=dialog] .about .facts button").length === 4`) // name, IBAN, amount and code to copy
	tap(b, "[role=dialog] [name=bankReference]")
	b.Key("HVL-20261125-42")
	chooses(b, "[role=dialog] input[name=receipt]", "dekont.png", png)
	says(b, "dekont.png")
	screen(b, "pay-tr-360", 360)
	tap(b, "[role=dialog] button[type=submit]")
	says(b, "Ödendi olarak kaydedildi: "+made.TrackingCode)
	b.Visit(p.URL + "/console/transactions/" + made.TrackingCode)
	says(b, "HVL-20261125-42")
	says(b, "dekont.png")
	press(b, ".lines button", "dekont.png")
	b.Until(`document.querySelector(".receipt img")?.naturalWidth === 1`)
	screen(b, "receipt-tr-360", 360)
	var found struct {
		Transaction struct {
			Status string
			Notes  []struct {
				Kind, Text string
				File       *struct{ Type string }
			}
		}
	}
	if err := in.SignIn(p, "operator").Ask(`query($code: String!) { transaction(trackingCode: $code) { status notes { kind text file { type } } } }`,
		map[string]any{"code": made.TrackingCode}, &found); err != nil {
		t.Fatal(err)
	}
	if n := found.Transaction.Notes; found.Transaction.Status != "COMPLETED" || len(n) != 2 || n[0].File == nil || n[1].Text != "HVL-20261125-42" {
		t.Errorf("it is kept as %+v", found)
	}
}

// TestBrowserTwoColleaguesAtOneRow: two at one withdrawal and at one deposit, each at a process of their own: who is slower is told who was
// quicker before anything is done, and nothing is done twice.
func TestBrowserTwoColleaguesAtOneRow(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	servers := in.ServeAll()
	w := in.Provider(servers[0]).Create(t, "start-manual-withdraw", "654.32")
	d := paidBy(t, in, servers[0], zeynep("765.43"))
	one := inConsole(t, in, servers[0], "operator", "/console/desk", "en", 1280)
	other := inConsole(t, in, servers[len(servers)-1], "admin", "/console/desk", "en", 1280)
	says(one, w.TrackingCode)
	button := fmt.Sprintf("tr[data-key=%q] .cell-do button", w.TrackingCode)
	other.Click(button)
	opened(other, "becomes")
	one.Click(button)
	opened(one, "becomes")
	press(one, "[role=dialog] button[type=submit]", "Claim")
	one.Has("[role=dialog] [name=bankReference]")
	says(other, "Somebody was quicker.")
	says(other, in.Member("operator").Email)
	says(other, "This cannot be done any more.")
	screen(other, "quicker-en-1280", 1280)
	press(other, "[role=dialog] .state button", "Close")
	other.Until(fmt.Sprintf(`document.querySelector('tr[data-key=%q]').innerText.includes(%q)`, w.TrackingCode, in.Member("operator").Email))

	other.Visit(servers[len(servers)-1].URL + "/console/transactions/" + d.TrackingCode)
	one.Visit(servers[0].URL + "/console/transactions/" + d.TrackingCode)
	one.Has(".decisions .button.primary")
	other.Has(".decisions .button.primary")
	other.Key("a")
	opened(other, "765.43 TRY is credited")
	one.Key("r")
	opened(one, "No money moves.")
	press(one, "[role=dialog] .chip", "No money has arrived")
	press(one, "[role=dialog] button[type=submit]", "Decline")
	says(one, "Declined: "+d.TrackingCode)
	says(other, "Somebody was quicker.")
	if found := in.SignIn(servers[0], "operator").Transaction(t, d.TrackingCode); found.Status != "CANCELED" {
		t.Errorf("it is %s", found.Status)
	}
}

// TestBrowserARefundGoesOnAfterTheProof: finance gives a part of a card payment back. What is left is said before; the session's proof is
// old, so that it is asked for, and then the refund goes on by itself and is done once. What needs a second person says so and leads there.
func TestBrowserARefundGoesOnAfterTheProof(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	path := "/console/transactions"
	before, _ := in.ServeAtWrongTime(-30*time.Minute, harness.Simulated...)
	b := inConsole(t, in, before, "finance", path, "en", 360)
	before.Stop(t)
	p := in.Serve(harness.Simulated...) // half an hour later
	till := in.Till(p)
	card := in.Provider(p).Card(t, "400.00")
	card.Must(t, harness.Press("begin"), harness.WithCard(bank.TestCard("00")))
	operator := in.SignIn(p, "operator")
	harness.Eventually(t, func() error {
		if found := operator.Transaction(t, card.TrackingCode); found.Status != "COMPLETED" {
			return fmt.Errorf("it is %s", found.Status)
		}
		return nil
	})
	lookEverywhere(t, in, p, "operator", sight{"card", "/transactions/" + card.TrackingCode, func(b *harness.Tab) { says(b, card.OrderID) }})
	b.Visit(p.URL + path + "/" + card.TrackingCode)
	press(b, ".decisions button", "Refund")
	opened(b, "400.00 TRY is given back.")
	b.Until(`(() => { const f = document.querySelector("[name=amount]"); f.select(); return document.activeElement === f; })()`)
	b.Key("150.50")
	opened(b, "249.50 TRY can still be given back afterwards.")
	screen(b, "refund-en-360", 360)
	press(b, "[role=dialog] button[type=submit]", "Refund")
	says(b, "Confirm that it is you")
	b.Fill("proof", in.Member("finance").Password)
	b.Key(kb.Enter)
	says(b, "The refund is on its way: "+card.TrackingCode)
	says(b, "249.50 TRY") // can be given back
	screen(b, "refunded-en-360", 360)
	reference := operator.Reference(t, card, "REFUND")
	harness.Eventually(t, func() error {
		if n := till.Orders(reference); n != 1 {
			return fmt.Errorf("the gateway was asked %d times", n)
		}
		return nil
	})
}

// TestBrowserPayoutsWaitForStaff: an operator approves one, having seen what leaves, gives the gateway its code for another after a wrong
// one, and declines a third; all of it is said live to a colleague who looks at the transaction.
func TestBrowserPayoutsWaitForStaff(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	s := in.OpenShop()
	payout := func(code string) harness.Payment {
		made, err := s.Provider.TryPayout("bank", "5000", in.Keys.Sandbox.GatewayID, harness.Payee{IBAN: bank.TestIBAN(code)})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	plain, coded := payout("00"), payout("01")
	lookEverywhere(t, in, s.Server, "operator", sight{"payouts", "/payouts", func(b *harness.Tab) {
		says(b, plain.TrackingCode)
		says(b, coded.TrackingCode)
	}})
	watching := inConsole(t, in, s.Server, "support", "/console/transactions/"+plain.TrackingCode, "en", 1280)
	watching.Has(".headline")
	b := inConsole(t, in, s.Server, "operator", "/console/payouts", "en", 1280)
	b.Until(fmt.Sprintf(`document.querySelector("a.row")?.innerText === %q`, plain.TrackingCode))
	b.Key("j")
	b.Key("a")
	opened(b, "5,000.00 TRY goes to the customer.")
	screen(b, "payout-en-1280", 1280)
	b.Key(kb.Tab)
	press(b, "[role=dialog] button[type=submit]", "Approve the payout")
	says(b, "It leaves now: "+plain.TrackingCode)
	says(watching, in.Member("operator").Email+": Payout released,") // live, though it went on by itself

	b.Until(fmt.Sprintf(`document.querySelector("a.row")?.innerText === %q`, coded.TrackingCode))
	s.Operator.Must(t, "approvePayout", coded.TrackingCode)
	press(b, ".row-actions button", "Enter the code")
	for _, c := range []struct{ typed, said string }{{"000000", "the code is wrong"}, {bank.Code, "The gateway has the code: " + coded.TrackingCode}} {
		b.Until(`(() => { const f = document.querySelector("[role=dialog] [name=code]"); f.select(); return document.activeElement === f; })()`)
		b.Key(c.typed, kb.Enter)
		says(b, c.said)
	}
	says(b, "No payout waits for you.")
	if found := s.Operator.Settled(t, coded.TrackingCode); found.Status != "COMPLETED" {
		t.Errorf("it is %s", found.Status)
	}
}

// TestBrowserATransactionSaysWhoHasToAgree: claiming a large withdrawal says before that it takes two, and becomes a request, which the desk
// and the transaction show; a colleague is led to it. A provider's staff see the transaction, and nothing to decide.
func TestBrowserATransactionSaysWhoHasToAgree(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	w := in.Provider(p).Create(t, "start-manual-withdraw", "10000.01")
	address := "/console/transactions/" + w.TrackingCode
	colleague := inConsole(t, in, p, "admin", address, "en", 1280)
	colleague.Has(".decisions")
	b := inConsole(t, in, p, "operator", "/console/desk", "en", 1280)
	says(b, w.TrackingCode)
	b.Key("j")
	b.Key("a")
	opened(b, "A second person has to approve this first.")
	press(b, "[role=dialog] button[type=submit]", "Ask a second person")
	b.Until(`document.querySelector("[role=dialog]") === null && document.querySelector(".result.waiting a") !== null`)
	b.Until(fmt.Sprintf(`document.querySelector('tr[data-key=%q]').innerText.includes("Waits for a second person")`, w.TrackingCode))
	screen(b, "desk-waits-en-1280", 1280)
	says(colleague, in.Member("operator").Email+" asked for a second person") // live
	screen(colleague, "transaction-waits-en-1280", 1280)
	press(colleague, ".news a.button", "Decide")
	colleague.Until(`location.pathname === "/console/approvals" && location.search.includes("shown=")`)
	says(colleague, w.TrackingCode)
	lookEverywhere(t, in, p, "provider", sight{"transaction-provider", strings.TrimPrefix(address, "/console"), func(b *harness.Tab) {
		b.Until(`document.querySelector(".headline") !== null && document.querySelector(".decisions, .news, .write") === null`)
	}})
}

// TestBrowserManyDecisionsAskForOneProof: of several deposits that are approved at once some are above what takes a fresh proof of who one
// is. It is asked for once; then those alone are asked again, and each has its result.
func TestBrowserManyDecisionsAskForOneProof(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	before, _ := in.ServeAtWrongTime(-30 * time.Minute)
	b := inConsole(t, in, before, "operator", "/console/jobs", "en", 1280)
	before.Stop(t)
	p := in.Serve("VEZNE_STEP_UP_ABOVE=300") // half an hour later
	var many []harness.Payment
	for _, amount := range []string{"100.00", "310.10", "320.20"} {
		many = append(many, paidBy(t, in, p, zeynep(amount)))
	}
	b.Visit(p.URL + "/console/deposits?q=zeynep")
	b.Until(`document.querySelectorAll("a.row").length === 3`)
	for i := range many {
		b.Click(fmt.Sprintf("tbody tr:nth-child(%d) input[type=checkbox]", i+1))
	}
	press(b, ".bulk button", "Approve the selected")
	says(b, "730.30 TRY")
	press(b, "[role=dialog] button[type=submit]", "Approve (3)")
	says(b, "Confirm that it is you")
	b.Fill("proof", in.Member("operator").Password)
	b.Key(kb.Enter)
	b.Until(`document.querySelector("#proof") === null && document.querySelectorAll("a.row").length === 0`)
	operator := in.SignIn(p, "operator")
	for _, one := range many {
		found := operator.Transaction(t, one.TrackingCode)
		if found.Status != "COMPLETED" || len(found.Callbacks) != 1 {
			t.Errorf("%s is %s, and has %d callbacks", one.TrackingCode, found.Status, len(found.Callbacks))
		}
	}
	p.Stop(t)
}
