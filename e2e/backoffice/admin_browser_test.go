package backoffice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/e2e/harness"
)

// write types a text in place of what the field of that name has.
func write(b *harness.Tab, name, text string) {
	b.T.Helper()
	field := fmt.Sprintf(`[name=%q]`, name)
	b.Has(field)
	b.Until(fmt.Sprintf(`(() => { const f = document.querySelector(%q); f.focus(); f.select(); return document.activeElement === f; })()`, field))
	b.Do(chromedp.SendKeys(chromedp.CSS(field), text))
}

// choose picks a value of a select, or the first whose words have a text.
func choose(b *harness.Tab, name, value string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`(() => {
		const field = document.querySelector('select[name=%q]');
		const option = [...field?.options ?? []].find((o) => o.value === %q || o.text.includes(%[2]q));
		if (!option) return false;
		Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(field, option.value);
		field.dispatchEvent(new Event("change", {bubbles: true}));
		return true;
	})()`, name, value))
}

// TestBrowserAnAdminSetsAGatewayUpAndSeesWhichFails: a gateway is added with the form of its plugin, tested, and found to fail; a route
// leads payments there, and who gets one is said as it then happens.
func TestBrowserAnAdminSetsAGatewayUpAndSeesWhichFails(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	s := in.OpenShop()
	b := inConsole(t, in, s.Server, "admin", "/console/gateways", "en", 1280)
	press(b, "a", "Add a gateway")
	choose(b, "plugin", "sandbox")
	b.Has(`[name="base_url"]`)
	press(b, "button", "Add the gateway")
	b.Until(`document.activeElement.name === "base_url" && document.activeElement.getAttribute("aria-invalid") === "true"`)
	for name, text := range map[string]string{
		"base_url": s.Till.URL, "api_key": "not-the-key", "api_secret": "no", "notify_secret": "nor-this", "name": "Second bank", "code": "Second!",
		"priority": "5", // of two alike, the payment's code would draw one
	} {
		write(b, name, text)
	}
	press(b, "button", "Add the gateway")
	b.Until(`document.querySelector('[name="code"]').getAttribute("aria-invalid") === "true"`) // what the API says stands beside its field
	write(b, "code", "second-bank")
	press(b, "button", "Add the gateway")
	says(b, "Test it before you switch it on.")
	press(b, "button", "Test now")
	says(b, "Something does not work")
	press(b, "button", "Switch on")
	press(b, "[role=dialog] button", "Switch on")
	says(b, "The gateway is on.")
	id := text(b, `location.pathname.split("/").at(-1)`)

	b.Visit(s.Server.URL + "/console/routes")
	press(b, "button", "Add a route")
	write(b, "name", "Large cards")
	choose(b, "kind", "CARD")
	write(b, "min", "1000")
	choose(b, "gatewayId", "Second bank")
	press(b, "[role=dialog] button", "Save")
	says(b, "The route is saved.")

	who := func(amount, code string) string {
		b.Visit(s.Server.URL + "/console/routes/who")
		write(b, "amount", amount)
		if code != "" {
			write(b, "code", code)
		}
		press(b, "button", "Show who gets it")
		b.Until(`location.search.includes("amount=") && document.querySelector("[aria-label='The answer']")?.innerText.match(/Passed over|gets it/) !== null`)
		return text(b, `document.querySelector(".ranks li")?.dataset.gateway ?? "nobody"`)
	}
	small := s.Provider.Card(t, "250.00")
	small.Must(t, harness.Press("begin"))
	if said, got := who("250", small.TrackingCode), s.Operator.At(t, small).Operations[0].Gateway.ID; said != got {
		t.Errorf("250.00 was said to go to %s, and went to %s", said, got)
	}
	if said := who("1500.50", ""); said != id {
		t.Errorf("1500.50 is said to go to %s, and the route leads to %s", said, id)
	}
	screen(b, "who-en-1280", 1280)
	large := s.Provider.Card(t, "1500.50")
	_, _ = large.Walk(harness.Press("begin")) // the second gateway refuses its keys
	if tried := s.Operator.At(t, large).Operations; len(tried) == 0 || tried[0].Gateway.ID != id {
		t.Errorf("1500.50 went to %+v", tried)
	}

	seen := inConsole(t, in, s.Server, "operator", "/console/", "en", 360)
	says(seen, "Failing gateways") // at home
	seen.Click("header .only-narrow")
	press(seen, "nav a", "Gateways")
	seen.Until(`[...document.querySelectorAll("tr")].some((row) => row.innerText.includes("Second bank") && row.innerText.includes("1 of 1 failed"))`)
	press(seen, "a.row", "Second bank")
	says(seen, "Failed last")

	b.Visit(s.Server.URL + "/console/gateways/" + id)
	press(b, "button", "Switch off")
	says(b, "Large cards") // the route that still leads there
	screen(b, "gateway-off-en-1280", 1280)
	press(b, "[role=dialog] button", "Switch off")
	says(b, "The gateway is off.")
	if said := who("1500.50", ""); said != "nobody" {
		t.Errorf("with its gateway off the payment is said to go to %s", said)
	}
	says(b, "Switched off")
	lookEverywhere(t, in, s.Server, "admin",
		sight{"gateways-compared", "/statistics?by=GATEWAY", has(`["Success by gateway", "Ağ geçidine göre başarı"].some((name) =>
			document.querySelector('section[aria-label="' + name + '"] canvas') !== null)`)},
		sight{"gateways", "/gateways", has(`document.querySelectorAll("a.row").length === 2`)},
		sight{"gateway", "/gateways/" + id, has(`document.querySelector(".strip") !== null && document.querySelector(".plot canvas") !== null`)},
		sight{"gateway-edit", "/gateways/" + id + "/edit", has(`document.querySelector("[name=api_key]") !== null`)},
		sight{"gateway-new", "/gateways/new", has(`document.querySelector("[name=plugin]") !== null`)},
		sight{"routes", "/routes", has(`document.querySelector(".row") !== null`)},
		sight{"who", "/routes/who?method=CREDIT_CARD&amount=250", has(`document.querySelector(".verdict") !== null`)},
	)
}

// TestBrowserAnAdminGivesADealerABrand: what is set in the console stands in its preview, and on the page of the dealer's own card payment.
func TestBrowserAnAdminGivesADealerABrand(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	card, err := in.Dealer(p).TryCard("250.00")
	if err != nil {
		t.Fatal(err)
	}
	b := inConsole(t, in, p, "admin", "/console/dealers/1", "en", 1280)
	press(b, "button", "Payment page")
	write(b, "displayName", "Marmara Kart")
	write(b, "color", "red")
	press(b, "[role=dialog] button", "Save")
	b.Until(`document.querySelector('[name="color"]').getAttribute("aria-invalid") === "true"`) // what the API says stands beside its field
	write(b, "color", "#1d4ed8")
	write(b, "supportEmail", "destek@marmara.example")
	write(b, "homeUrl", "https://marmara.example/")
	press(b, "[role=dialog] button", "Save")
	says(b, "The change is saved.")
	press(b, "button", "Payment page")
	b.Until(`document.querySelectorAll(".brand-sample").length === 2 && document.querySelector(".brand-sample.light .brand-top").innerText.includes("Marmara Kart")`)
	screen(b, "dealer-brand-en-1280", 1280)
	if page := card.At(p).Open(t); !strings.Contains(page, "Marmara Kart") || !strings.Contains(page, "mailto:destek@marmara.example") || !strings.Contains(page, "<style>:root{--brand:") {
		t.Errorf("the page of the dealer's own payment:\n%s", page)
	}
}

// TestBrowserAScreenThatIsNotForARoleSaysSo: whoever opens the address of one is told, and led back; the menu does not name it.
func TestBrowserAScreenThatIsNotForARoleSaysSo(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	b := inConsole(t, in, p, "viewer", "/console/", "en", 1280)
	for _, path := range notForViewers {
		b.Visit(p.URL + "/console" + path)
		says(b, "This page is not for your role.")
		b.Until(fmt.Sprintf(`document.querySelector("nav#navigation a[href='/console%s']") === null`, strings.Split(path, "?")[0]))
	}
	// The last of them asks again every few seconds: what it says stays there meanwhile, so that its link can be pressed at any moment.
	b.Until(`(() => {
		if (window.answers !== undefined) return window.answers > 0;
		[window.answers, window.wentAway] = [0, false];
		const send = window.fetch;
		window.fetch = async (...call) => {
			const answer = await send(...call);
			if (String(call[1]?.body).includes("query Queues")) window.answers++;
			return answer;
		};
		new MutationObserver((seen) => { window.wentAway ||= seen.some((s) => [...s.removedNodes].some((n) => n.querySelector?.(".state a"))); })
			.observe(document.body, {childList: true, subtree: true});
		return false;
	})()`)
	if text(b, `String(window.wentAway)`) != "false" {
		t.Error("what is refused comes and goes")
	}
	screen(b, "forbidden-en-1280", 1280)
	b.Do(chromedp.EmulateViewport(360, 800))
	screen(b, "forbidden-en-360", 360)
	press(b, ".state a", "What waits")
	b.Until(`document.querySelector("h1").innerText.startsWith("Hello, ")`)
}

// notForViewers are addresses that a viewer has no use of.
var notForViewers = []string{"/gateways", "/gateways/1", "/routes", "/routes/who?method=CREDIT_CARD&amount=250", "/staff", "/audit", "/queues"}

// issued reads a credential from the dialog that shows it once, by what it is.
func issued(b *harness.Tab, kind string) string {
	b.T.Helper()
	b.Has(fmt.Sprintf(`code[data-credential=%q]`, kind))
	value := text(b, fmt.Sprintf(`document.querySelector('code[data-credential=%q]').innerText`, kind))
	harness.KeepSecret("a credential of the console's", value)
	return value
}

// TestBrowserAnAdminAddsAProviderWhoseKeySigns: a provider, a dealer and a site are added; the keys, shown once and not left by a slip, sign a
// request that makes a payment. A test callback shows what the receiver answers, and a new key is issued beside the old one.
func TestBrowserAnAdminAddsAProviderWhoseKeySigns(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	b := inConsole(t, in, p, "admin", "/console/providers", "en", 1280)
	press(b, "button", "Add a provider")
	write(b, "name", "Initech")
	press(b, "[role=dialog] button", "Add and show its keys")
	keys := harness.Caller{Base: p.URL, Keys: harness.ProviderKeys{
		APIKey: issued(b, "API_KEY"), SecretKey: issued(b, "SECRET_KEY"), VerificationKey: issued(b, "VERIFICATION_KEY"),
	}}
	screen(b, "keys-once-en-1280", 1280)
	press(b, "[role=dialog] button", "Close")
	says(b, "Store them first")
	b.Key(kb.Escape)
	b.Has(`code[data-credential="API_KEY"]`)
	b.Click(`[role=dialog] input[type=checkbox]`)
	press(b, "[role=dialog] button", "Close")
	b.Until(`document.querySelector("h1")?.innerText === "Initech" && document.querySelector("[data-credential]") === null`)
	press(b, "button", "Add a site")
	write(b, "name", "initech.example")
	b.Until(`document.querySelector("select[name=dealerId]").options.length > 1`)
	choose(b, "dealerId", fmt.Sprint(in.Keys.Dealer.ID))
	press(b, "[role=dialog] button", "Add and show its key")
	keys.Site.CredentialKey = issued(b, "CREDENTIAL_KEY")
	b.Click(`[role=dialog] input[type=checkbox]`)
	press(b, "[role=dialog] button", "Close")
	if made := keys.Create(t, "start-manual-deposit", "250.00"); made.TrackingCode == "" {
		t.Errorf("the keys make %+v", made)
	}
	b.Click(`button[aria-label="New key for Initech"]`)
	choose(b, "credential", "SECRET_KEY")
	press(b, "[role=dialog] button", "New key")
	if issued(b, "SECRET_KEY") == keys.Keys.SecretKey {
		t.Error("the new key is the old one")
	}
	b.Click(`[role=dialog] input[type=checkbox]`)
	press(b, "[role=dialog] button", "Close")
	says(b, "Not used since")
	if made := keys.Create(t, "start-manual-deposit", "251.00"); made.TrackingCode == "" {
		t.Errorf("the old key makes %+v", made)
	}
	press(b, "button", "Send a test callback")
	press(b, "[role=dialog] button", "Send")
	b.Until(`document.querySelector("[role=dialog] .problem.boxed") !== null`)                      // no URL is set
	b.Until(`Object.keys(localStorage).join() === "vezne.language" && sessionStorage.length === 0`) // no key is kept in the browser
	provider := text(b, `location.pathname.split("/").at(-1)`)
	lookEverywhere(t, in, p, "admin",
		sight{"providers", "/providers", has(`document.querySelectorAll("a.row").length > 1`)},
		sight{"provider", "/providers/" + provider, has(`document.querySelector(".facts") !== null`)},
		sight{"dealers", "/dealers", has(`document.querySelectorAll("a.row").length > 0`)},
		sight{"dealer", "/dealers/1", has(`document.querySelector(".entries li") !== null`)},
	)
}

// TestBrowserAnInvitedMemberSignsIn: an admin asks for an invitation, another approves it; whoever is invited takes the link, and signs in. Each
// screen of staff, rules, the audit log and the queues is looked at.
func TestBrowserAnInvitedMemberSignsIn(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	b := inConsole(t, in, p, "admin", "/console/staff", "en", 1280)
	press(b, "button", "Invite somebody")
	write(b, "email", "deniz@example.com")
	choose(b, "role", "VIEWER")
	press(b, "[role=dialog] button", "Make the link")
	b.Until(`document.querySelector('[data-credential], .result.waiting') !== null`)
	if text(b, `document.querySelector("[data-credential]") === null ? "waits" : ""`) == "waits" {
		second, err := in.SignIn(p, "admin").Second()
		if err != nil {
			t.Fatal(err)
		}
		id := second.Requests(t, "WAITING")[0].ID
		if err := second.Approve(id); err != nil {
			t.Fatal(err)
		}
		b.Visit(p.URL + "/console/approvals/" + id)
		press(b, "button", "Take the result")
		b.Until(`[...document.querySelectorAll(".does code")].some((c) => c.innerText.includes("/invite#"))`)
	}
	link := text(b, `[...document.querySelectorAll("code")].map((c) => c.innerText).find((c) => c.includes("/invite#"))`)
	harness.KeepSecret("an invitation", link[strings.Index(link, "#")+1:])
	token := link[strings.Index(link, "#")+1:]
	const password = "ten-purple-elephants"
	if err := (harness.Staff{Base: p.URL}).Ask(`mutation($token: String!, $password: String!) {
		acceptInvitation(input: {token: $token, password: $password}) { token } }`, map[string]any{"token": token, "password": password}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	invited := openConsole(t, p, "/console/transactions", "en", 360)
	enter(invited, harness.StaffKeys{Email: "deniz@example.com", Password: password})
	invited.Until(`document.querySelector("h1")?.innerText === "Transactions"`)
	b.Visit(p.URL + "/console/staff")
	press(b, "a.row", "deniz@example.com")
	press(b, "button", "End")
	says(b, "There are no open sessions.")
	invited.Visit(p.URL + "/console/transactions")
	invited.Until(`document.activeElement.id === "email"`)
	member := text(b, `location.pathname.split("/").at(-1)`)
	b.Visit(p.URL + "/console/audit?action=inviteStaff")
	b.Until(`document.querySelector(".row")?.innerText === "Invite staff"`)
	b.Click("td button")
	b.Has("[role=dialog] .differs")
	screen(b, "audit-entry-en-1280", 1280)
	lookEverywhere(t, in, p, "admin",
		sight{"staff", "/staff", has(`document.querySelectorAll("a.row").length > 3`)},
		sight{"member", "/staff/" + member, has(`document.querySelector(".facts") !== null`)},
		sight{"roles", "/staff/roles", has(`document.querySelector(".rights td.yes") !== null`)},
		sight{"invitations", "/staff/invitations", has(`document.querySelector(".row") !== null`)},
		sight{"rules", "/rules", has(`document.querySelectorAll(".rule-cards > li").length > 10`)},
		sight{"audit", "/audit", has(`document.querySelector(".row") !== null && document.querySelector(".chain .hash") !== null`)},
		sight{"queues", "/queues", has(`document.querySelectorAll(".rule-cards > li").length === 5 && document.querySelectorAll("table.small thead th").length === 9`)},
	)
}
