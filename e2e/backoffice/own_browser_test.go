package backoffice_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/e2e/harness"
)

// the names of the menu's links.
const inMenu = `[...document.querySelectorAll("nav#navigation a")].map((a) => a.innerText).join()`

// named waits for a button with an accessible name and touches it.
func named(b *harness.Tab, name string) {
	b.T.Helper()
	tap(b, fmt.Sprintf(`button[aria-label=%q]`, name))
}

// TestBrowserAProvidersManagerKeepsItsCallbacks: on a phone, by touch, from one screen: where callbacks go is changed and tried, a key is
// issued anew, and what did not arrive is read and sent again. Of another provider there is nothing, on no screen.
func TestBrowserAProvidersManagerKeepsItsCallbacks(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	isUp := make(chan struct{})
	to := harness.NewReceiver(t, in.Keys.Provider, func(l harness.Letter) int {
		select {
		case <-isUp:
			return http.StatusOK
		default:
			return http.StatusTeapot
		}
	})
	b := inConsole(t, in, p, "provider_manager", "/console/", "en", 1280)
	b.Until(inMenu + ` === "What waits,Transactions,Callbacks,Jobs,Approvals,Customers,Statistics,Disputes,Our settings,API reference"`)
	b.Do(chromedp.EmulateViewport(360, 800))
	withTouch(b)
	b.Visit(p.URL + "/console/own")
	name := in.Keys.Provider.Name
	b.Until(fmt.Sprintf(`document.querySelector("h1")?.innerText === %q`, name))
	named(b, "Change addresses of "+name)
	write(b, "callbackUrl", "ftp://here.test")
	tap(b, "[role=dialog] button[type=submit]")
	b.Until(`document.querySelector('[name="callbackUrl"]').getAttribute("aria-invalid") === "true"`)
	write(b, "callbackUrl", to.URL)
	choose(b, "callbackAcknowledgement", "ANY_2XX")
	screen(b, "own-urls-en-360", 360)
	tap(b, "[role=dialog] button[type=submit]")
	says(b, "The change is saved.")
	says(b, to.URL)
	says(b, "Any 2xx")

	test := func() {
		tap(b, `section[aria-labelledby=urls] .actions button:last-child`)
		tap(b, "[role=dialog] button[type=submit]")
	}
	test()
	says(b, "The receiver did not take it")
	says(b, "HTTP 418")
	tap(b, "[role=dialog] summary")
	b.Until(`document.querySelector("[role=dialog] details pre").innerText.includes("TESTONLY")`)
	screen(b, "own-test-en-360", 360)
	b.Key(kb.Escape)
	b.Until(`document.querySelector("[role=dialog]") === null`)

	made := paidBy(t, in, p, zeynep("432.10"))
	in.SignIn(p, "operator").Must(t, "approveDeposit", made.TrackingCode)
	to.Next(t) // the test
	to.Next(t) // the payment's first
	close(isUp)
	b.Visit(p.URL + "/console/transactions/" + made.TrackingCode)
	tap(b, "section[aria-labelledby=callbacks] summary")
	b.Until(fmt.Sprintf(`document.querySelector("section[aria-labelledby=callbacks] details pre").innerText.includes(%q)`, made.TrackingCode))
	b.Until(`!document.body.innerText.includes("Dealer")`)
	screen(b, "own-callback-en-360", 360)

	b.Visit(p.URL + "/console/own")
	named(b, "New key for "+name)
	choose(b, "credential", "VERIFICATION_KEY")
	tap(b, "[role=dialog] button[type=submit]")
	fresh := issued(b, "VERIFICATION_KEY")
	tap(b, "[role=dialog] input[type=checkbox]")
	press(b, "[role=dialog] button", "Close")
	says(b, "Not used since")
	b.Visit(p.URL + "/console/own") // and never again
	says(b, "Not used since")
	b.Until(fmt.Sprintf(`!document.documentElement.innerHTML.includes(%q)`, fresh))

	other := in.Keys.OtherProvider
	for path, said := range map[string]string{
		fmt.Sprintf("/providers/%d", other.ID):           "No such record.",
		"/dealers/1":                                     "This page is not for your role.",
		fmt.Sprintf("/customers/%d/u-1001", other.ID):    "",
		"/statistics?by=DEALER":                          "",
		"/wallets":                                       "This page is not for your role.",
		fmt.Sprintf("/statistics?provider=%d", other.ID): "",
		"/statistics?by=SITE&site=3":                     "",
	} {
		b.Visit(p.URL + "/console" + path)
		b.Until(`document.querySelector(".late, .state.waiting") === null && document.querySelector("main")?.innerText.length > 20`)
		if said != "" {
			says(b, said)
		}
		b.Until(fmt.Sprintf(`!document.body.innerText.includes(%q)`, other.Name))
	}
	manager := in.SignIn(p, "provider_manager")
	for _, query := range []string{
		`mutation($id: ID!) { updateCallbackUrls(input: {providerId: $id, callbackUrl: "https://x.test"}) { provider { name } } }`,
		`mutation($id: ID!) { rotateProviderCredential(input: {id: $id, credential: SECRET_KEY}) { provider { name } } }`,
		`mutation($id: ID!) { sendTestCallback(input: {providerId: $id, kind: DEPOSIT}) { url } }`,
		`query($id: ID!) { provider(id: $id) { name } }`,
	} {
		var refused harness.Refusal
		if err := manager.Ask(query, map[string]any{"id": other.ID}, &struct{}{}); !errors.As(err, &refused) || refused.Extensions.Code != "NOT_FOUND" {
			t.Errorf("%s: %v", query, err)
		}
	}
	lookEverywhere(t, in, p, "provider_manager",
		sight{"own-provider", "/own", has(`document.querySelector("#ways") !== null`)},
		sight{"own-statistics-sites", "/statistics?by=SITE", has(`document.querySelector("h1") !== null`)},
		sight{"own-statistics", "/statistics", has(`document.querySelector("h1") !== null`)},
		sight{"own-customers", "/customers?q=zeynep", has(`document.querySelectorAll("a.row").length > 0`)},
	)
}

// TestBrowserADemotedManagerChangesNothing: with the dialog open in one window, and the key's in another, at the moment at which an admin takes
// the role away.
func TestBrowserADemotedManagerChangesNothing(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	name := in.Keys.Provider.Name
	one := inConsole(t, in, p, "provider_manager", "/console/own", "en", 1280)
	other := inConsole(t, in, p, "provider_manager", "/console/own", "en", 360)
	one.Click(fmt.Sprintf(`button[aria-label="Change addresses of %s"]`, name))
	write(one, "callbackUrl", "https://thief.test/in")
	other.Click(fmt.Sprintf(`button[aria-label="New key for %s"]`, name))
	choose(other, "credential", "SECRET_KEY")
	admin, manager := in.SignIn(p, "admin"), in.SignIn(p, "provider_manager")
	var me struct{ Me struct{ ID string } }
	if err := manager.Ask(`{ me { id } }`, nil, &me); err != nil {
		t.Fatal(err)
	}
	err := admin.Ask(`mutation($id: ID!, $at: ID!) { updateStaff(input: {id: $id, role: PROVIDER, providerId: $at}) { __typename } }`,
		map[string]any{"id": me.Me.ID, "at": in.Keys.OtherProvider.ID}, &struct{}{})
	if err != nil {
		err = admin.Agreed(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const isRefused = `document.querySelector("[role=dialog] .problem.boxed") !== null || document.querySelector("#email") !== null`
	press(one, "[role=dialog] button[type=submit]", "Save")
	one.Until(isRefused)
	press(other, "[role=dialog] button[type=submit]", "New key")
	other.Until(isRefused)
	other.Until(`document.querySelector("[data-credential]") === null`)
	var found struct {
		Provider struct {
			CallbackURL    *string `json:"callbackUrl"`
			OldCredentials []struct{ Credential string }
		}
	}
	if err := admin.Ask(`query($id: ID!) { provider(id: $id) { callbackUrl oldCredentials { credential } } }`,
		map[string]any{"id": in.Keys.Provider.ID}, &found); err != nil {
		t.Fatal(err)
	}
	if url := found.Provider.CallbackURL; url != nil && *url == "https://thief.test/in" || len(found.Provider.OldCredentials) > 0 {
		t.Errorf("it is changed: %+v", found)
	}
	again := inConsole(t, in, p, "provider_manager", "/console/own", "en", 1280)
	again.Until(fmt.Sprintf(`document.querySelector("h1")?.innerText === %q`, in.Keys.OtherProvider.Name))
	again.Until(fmt.Sprintf(`!document.body.innerText.includes(%q) && document.querySelector("button[aria-label^='Change addresses']") === null &&
		document.querySelector("button[aria-label^='New key']") === null`, name+"\n"))
}

// TestBrowserADealersManagerKeepsItsAccounts: by keyboard at a desk: an IBAN is switched off and on, and a new one waits for the house.
func TestBrowserADealersManagerKeepsItsAccounts(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	lookEverywhere(t, in, p, "dealer_manager", sight{"own-dealer", "/own", has(`document.querySelector("#accounts") !== null && document.querySelector("#ways") !== null`)})
	b := inConsole(t, in, p, "dealer_manager", "/console/own", "en", 1280)
	b.Until(inMenu + ` === "What waits,Deposits,Withdrawals,Transactions,Callbacks,Jobs,Bank lines,Approvals,Customers,Wallets,Statistics,Disputes,Our settings,API reference"`)
	enterOn := func(selector string) {
		b.Until(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e?.focus(); return e !== null && document.activeElement === e; })()`, selector))
		b.Key(kb.Enter)
	}
	for _, turn := range [][2]string{{"off", "Customers are not offered the IBAN any more."}, {"on", "Customers are offered the IBAN again."}} {
		enterOn(fmt.Sprintf(`section[aria-labelledby=accounts] li:first-child button[aria-label^="Switch %s"]`, turn[0]))
		b.Until(`document.querySelector("[role=dialog]")?.contains(document.activeElement) ?? false`) // it has taken the focus, and takes it no more
		enterOn("[role=dialog] button[type=submit]")
		says(b, turn[1])
		b.Until(`document.querySelector("[role=dialog]") === null`)
	}
	enterOn(`section[aria-labelledby=accounts] .title button`)
	const iban = "TR360006200000777123456789"
	write(b, "iban", iban)
	for name, text := range map[string]string{"bankName": "Ziraat", "holder": "Marmara Finans", "min": "10", "max": "1000"} {
		write(b, name, text)
	}
	b.Key(kb.Enter)
	admin := in.SignIn(p, "admin")
	says(b, "Show the request")
	waiting := admin.Requests(t, "WAITING")
	if len(waiting) != 1 {
		t.Fatalf("there wait %+v", waiting)
	}
	b.Until(fmt.Sprintf(`!document.querySelector("section[aria-labelledby=accounts]").innerText.replaceAll(" ", "").includes(%q)`, iban))
	if err := admin.Approve(waiting[0].ID); err != nil {
		t.Fatal(err)
	}
	b.Visit(p.URL + "/console/own")
	b.Until(fmt.Sprintf(`document.querySelector("section[aria-labelledby=accounts]")?.innerText.replaceAll(" ", "").includes(%q)`, iban))
	for _, path := range []string{"/dealers/2", "/providers/1"} {
		b.Visit(p.URL + "/console" + path)
		b.Until(`document.querySelector("main .state:not(.waiting)") !== null`)
	}
	seen := inConsole(t, in, p, "dealer", "/console/own", "tr", 360) // whoever is no manager looks, and changes nothing
	seen.Until(`document.querySelector("#accounts") !== null && document.querySelector("section[aria-labelledby=accounts] button") === null`)
}

// TestBrowserWhereCustomersAreLedBackTakesTwo: a provider's manager allows an address on a phone. A colleague of theirs who would lead
// customers elsewhere is stopped by the house: with the rule on it waits, is seen to wait, and is not in force until it is approved.
func TestBrowserWhereCustomersAreLedBackTakesTwo(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	b := inConsole(t, in, p, "provider_manager", "/console/own", "en", 360)
	edit := func(origins string) {
		named(b, "Change addresses of acme.example")
		write(b, "returnOrigins", origins)
		tap(b, "[role=dialog] button[type=submit]")
	}
	withTouch(b)
	edit("https://shop.example/with/a/path")
	b.Until(`document.querySelector('[name="returnOrigins"]').getAttribute("aria-invalid") === "true"`)
	write(b, "returnOrigins", "https://shop.example")
	screen(b, "own-returns-en-360", 360)
	tap(b, "[role=dialog] button[type=submit]")
	says(b, "The change is saved.")
	says(b, "https://shop.example")

	admin := in.SignIn(p, "admin")
	rule := `mutation { setApprovalRule(input: {action: CALLBACK_URL, isOn: true}) { approvalRule { isOn } } }`
	if err := admin.Ask(rule, nil, &struct{}{}); err != nil {
		if err := admin.Agreed(err); err != nil {
			t.Fatal(err)
		}
	}
	edit("https://shop.example\nhttps://thief.example")
	press(b, "a", "Show the request")
	b.Until(`location.pathname.startsWith("/console/approvals") && document.body.innerText.includes("https://thief.example")`)
	screen(b, "own-request-en-360", 360)
	b.Until(`![...document.querySelectorAll("main button")].some((e) => e.innerText.startsWith("Approve"))`)
	colleague := in.SignIn(p, "provider_manager")
	waiting := admin.Requests(t, "WAITING")
	if len(waiting) != 1 {
		t.Fatalf("there wait %+v", waiting)
	}
	if err := colleague.Approve(waiting[0].ID); err == nil {
		t.Error("a provider's manager approves it")
	}
	b.Visit(p.URL + "/console/own")
	says(b, "https://shop.example")
	b.Until(`!document.body.innerText.includes("thief.example")`)
	p.Stop(t)
}
