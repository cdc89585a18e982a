package backoffice_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/e2e/harness"
)

// narrowed is an address of the console's list that finds what ordersOfTheConsole makes, and nothing else of the demo.
const narrowed = "/console/transactions?q=ayse&status=SHOWING,PENDING&method=MANUAL_DEPOSIT&min=1200&sort=AMOUNT_DESC"

// ordersOfTheConsole are three deposits that narrowed finds, and one that it does not.
func ordersOfTheConsole(t *testing.T, in *harness.Installation, p *harness.Process) {
	t.Helper()
	for _, amount := range []string{"1250.50", "1300.00", "1200.00", "900.00"} {
		in.Provider(p).Create(t, "start-manual-deposit", amount)
	}
}

// amounts is an expression: the amounts of the list's rows, in their order.
const amounts = `[...document.querySelectorAll("td.cell-amount")].map((cell) => cell.innerText).join(" | ")`

// look emulates the theme that the device is set to.
func look(b *harness.Tab, theme string) {
	b.T.Helper()
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		},
	})
	if err != nil {
		b.T.Fatal(err)
	}
}

// screen looks at what the console shows: nobody is shut out of it in either theme, and nothing scrolls sideways.
func screen(b *harness.Tab, name string, width int64) {
	b.T.Helper()
	for _, theme := range []string{"dark", "light"} {
		look(b, theme)
		for _, found := range b.Violations() {
			b.T.Errorf("%s, %s: %s", name, theme, found)
		}
		b.Shot("console-" + name + "-" + theme)
	}
	b.Until(fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width))
	if unreadable := text(b, crowded); unreadable != "" {
		b.T.Errorf("%s: %s", name, unreadable)
	}
}

// crowded are the cells of lists that stand on each other, or that have no room for what they say.
const crowded = `(() => {
	const found = [];
	const leaves = (cell) => [...cell.querySelectorAll("*"), cell].flatMap((e) => [...e.childNodes]
		.filter((n) => n.nodeType === Node.TEXT_NODE && n.data.trim().length > 2 && e.checkVisibility() && !e.closest("button, .sr-only"))
		.map((n) => {
			const range = document.createRange();
			range.selectNodeContents(n);
			let { left, right, top, bottom } = range.getBoundingClientRect();
			for (let around = e; around !== cell.parentElement; around = around.parentElement) {
				if (getComputedStyle(around).overflow === "visible") continue;
				const r = around.getBoundingClientRect();
				[left, right, top, bottom] = [Math.max(left, r.left), Math.min(right, r.right), Math.max(top, r.top), Math.min(bottom, r.bottom)];
			}
			return { left, right, top, bottom };
		}));
	for (const row of document.querySelectorAll(".list tbody tr")) {
		const cells = [...row.cells].filter((c) => c.innerText.trim().length > 2).map((cell) => ({ cell, leaves: leaves(cell) }));
		for (const { cell, leaves } of cells) {
			if (leaves.length > 0 && leaves.every((r) => r.right - r.left < 5)) found.push(cell.innerText + " has no room");
		}
		cells.forEach(({ cell, leaves }, i) => cells.slice(i + 1).forEach((other) => {
			const meet = leaves.some((a) => other.leaves.some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
				&& Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3));
			if (meet) found.push(cell.innerText + " stands on " + other.cell.innerText);
		}));
	}
	return [...new Set(found)].slice(0, 3).join("; ");
})()`

// sight is an address below the console's, with what waits until it is whole.
type sight struct {
	name, path string
	ready      func(b *harness.Tab)
}

// has waits until an expression of JavaScript holds.
func has(expression string) func(b *harness.Tab) {
	return func(b *harness.Tab) { b.Until(expression) }
}

// lookEverywhere looks at screens as a member of a role: in both languages and themes, on a desktop and a phone.
func lookEverywhere(t *testing.T, in *harness.Installation, p *harness.Process, role string, sights ...sight) {
	t.Helper()
	for _, language := range []string{"tr", "en"} {
		b := inConsole(t, in, p, role, "/console/account", language, 1280)
		for _, s := range sights {
			b.Visit(p.URL + "/console" + s.path)
			for _, width := range []int64{1280, 360} {
				b.Do(chromedp.EmulateViewport(width, 800))
				b.Until(`document.querySelector("h1") !== null && document.querySelector(".late, .state.waiting") === null`)
				s.ready(b)
				screen(b, fmt.Sprintf("%s-%s-%d", s.name, language, width), width)
			}
		}
	}
}

// elsewhere collects the addresses of other hosts that the tab asks.
func elsewhere(b *harness.Tab, base string) (asked func() []string) {
	b.T.Helper()
	var mu sync.Mutex
	var list []string
	err := chromedp.Listen(b.Ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, base+"/") && !strings.HasPrefix(e.Request.URL, "data:") {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, e.Request.URL)
		}
	})
	if err != nil {
		b.T.Fatal(err)
	}
	if _, err := chromedp.Call(b.Ctx, network.Enable, network.EnableParams{}); err != nil {
		b.T.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// openConsole opens an address of the console in a language and a width; nobody is signed in yet.
func openConsole(t *testing.T, p *harness.Process, path, language string, width int64) *harness.Tab {
	t.Helper()
	b := harness.OpenTab(t, p.URL+"/console/LICENSES.txt")
	b.Until(fmt.Sprintf(`localStorage.setItem("vezne.language", %q) === undefined`, language))
	b.Do(chromedp.EmulateViewport(width, 800))
	b.Visit(p.URL + path)
	b.Until(fmt.Sprintf(`document.documentElement.lang === %q`, language))
	b.Until(`document.activeElement.id === "email"`)
	return b
}

// enter signs a member in by the keyboard.
func enter(b *harness.Tab, m harness.StaffKeys) {
	b.T.Helper()
	retype(b, "email", m.Email)
	retype(b, "password", m.Password)
	b.Key(kb.Enter)
}

// retype writes a text in place of what a field has.
func retype(b *harness.Tab, id, text string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`(document.getElementById(%q).value = "") === ""`, id))
	b.Fill(id, text)
}

// TestBrowserTheConsoleListsTransactions: whoever opens a list that a colleague sent signs in and finds it narrowed as it was
// sent; it is gone through with the keyboard alone. In both languages, on a phone and a desktop, in both themes.
func TestBrowserTheConsoleListsTransactions(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	ordersOfTheConsole(t, in, p)
	for language, want := range map[string]struct{ amounts, status, wrong string }{
		"tr": {"1.300,00 TRY | 1.250,50 TRY | 1.200,00 TRY", "Ödeme bekleniyor", "parola"},
		"en": {"1,300.00 TRY | 1,250.50 TRY | 1,200.00 TRY", "Awaiting payment", "password"},
	} {
		for _, width := range []int64{360, 1280} {
			name := fmt.Sprintf("%s-%d", language, width)
			b := openConsole(t, p, narrowed, language, width)
			asked := elsewhere(b, p.URL)
			screen(b, "sign-in-"+name, width)
			enter(b, harness.StaffKeys{Email: in.Member("operator").Email, Password: "not the password"})
			b.Until(fmt.Sprintf(`document.querySelector("#problem").innerText.includes(%q)`, want.wrong))
			screen(b, "refused-"+name, width)
			enter(b, in.Member("operator"))
			b.Until(fmt.Sprintf(`%s === %q`, amounts, want.amounts))
			b.Until(fmt.Sprintf(`location.pathname + location.search === %q`, narrowed))
			b.Until(fmt.Sprintf(`document.querySelector(".cell-status:has(svg)").innerText === %q`, want.status))
			screen(b, "list-"+name, width)
			readsByKeyboard(b, name, width)
			b.Until(`Object.keys(localStorage).join() === "vezne.language" && sessionStorage.length === 0 && document.cookie === ""`)
			if urls := asked(); len(urls) > 0 {
				t.Errorf("%s asks elsewhere: %v", name, urls)
			}
		}
	}
	p.Stop(t)
}

// readsByKeyboard opens the second row, comes back to it, and opens the sheet of keys.
func readsByKeyboard(b *harness.Tab, name string, width int64) {
	b.T.Helper()
	second := text(b, `document.querySelectorAll("a.row")[1].innerText`)
	b.Key("j", "j", "j", "k")
	b.Until(fmt.Sprintf(`document.activeElement.innerText === %q`, second))
	b.Key(kb.Enter)
	b.Until(fmt.Sprintf(`document.querySelector("h1").innerText === %q`, second))
	b.Until(`document.querySelectorAll(".history li").length === 1`)
	b.Until(fmt.Sprintf(`location.pathname === "/console/transactions/" + %q && document.title.startsWith(%[1]q)`, second))
	screen(b, "detail-"+name, width)
	b.Key("u")
	b.Until(fmt.Sprintf(`location.pathname + location.search === %q && document.activeElement.innerText === %q`, narrowed, second))
	b.Key("?")
	b.Has("[role=dialog] kbd")
	screen(b, "keys-"+name, width)
	b.Key(kb.Escape)
	b.Until(`document.querySelector("[role=dialog]") === null`)
}

// TestBrowserTheConsoleNarrowsAList: what is chosen is in the address and can be taken away again, a page leads to the next and
// back, and a list without rows says so.
func TestBrowserTheConsoleNarrowsAList(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	in.Provider(p).CreateMany(t, "start-manual-deposit", 60, "77.00")
	b := openConsole(t, p, "/console/transactions", "en", 1280)
	enter(b, in.Member("viewer"))
	b.Until(`location.pathname === "/console/transactions" && document.querySelectorAll("a.row").length === 50`)
	b.Key("n")
	b.Until(`location.search.startsWith("?after=") && document.querySelectorAll("a.row").length !== 50`)
	b.Key("p")
	b.Until(`location.search.startsWith("?before=") && document.querySelectorAll("a.row").length === 50`)
	press(b, "button", "Status")
	press(b, "[role=menuitemcheckbox]", "Refunded")
	b.Until(`location.search === "?status=REFUNDED"`)
	screen(b, "menu-en-1280", 1280)
	b.Key(kb.Escape)
	b.Until(`document.querySelector(".state")?.innerText.includes("Nothing matches")`)
	screen(b, "empty-en-1280", 1280)
	press(b, ".chip", "Refunded")
	b.Until(`location.search === "" && document.querySelectorAll("a.row").length === 50`)
	press(b, "button", "Created")
	b.Has("[role=dialog] [role=grid]")
	screen(b, "days-en-1280", 1280)
	press(b, ".presets button", "Yesterday")
	b.Until(`/^\?from=[\d-]{10}&until=[\d-]{10}$/.test(location.search)`)
	press(b, ".chip", "Clear all filters")
	press(b, "button", "Amount")
	b.Fill("minimum", "a lot")
	b.Key(kb.Enter)
	b.Until(`document.querySelector("#amount-problem").innerText !== ""`)
	screen(b, "amount-en-1280", 1280)
	retype(b, "minimum", "1,250.5")
	b.Key(kb.Enter)
	b.Until(`location.search === "?min=1250.5"`)
	press(b, ".chip", "≥ 1,250.5")
	b.Key("/")
	b.Until(`document.activeElement.type === "search" && (document.activeElement.value = "") === ""`) // of the key's own character
	b.Key("no such customer", kb.Enter)
	b.Until(`location.search === "?q=no+such+customer" && document.querySelector(".state") !== null`)
	b.Do(chromedp.EmulateViewport(360, 800))
	press(b, "button", "Filters")
	b.Until(`document.getElementById("filters").checkVisibility()`)
	screen(b, "filters-en-360", 360)
	b.Visit(p.URL + "/console/nowhere")
	b.Until(`document.querySelector("h1")?.innerText === "There is no such page."`) // the session lasts over a reload
	p.Stop(t)
}

// press clicks the first of what a selector finds that has a text.
func press(b *harness.Tab, selector, text string) {
	b.T.Helper()
	b.ClickOn(fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.innerText.startsWith(%q) && e.checkVisibility() && !e.closest("[inert]"))`,
		selector, text))
}

// TestBrowserTheConsoleTakesASecondFactor: a code of the authenticator app, or one of recovery; a wrong one is said to be so.
func TestBrowserTheConsoleTakesASecondFactor(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	member := in.Member("support")
	secret, recovery := in.SignIn(p, "support").SetUpTOTP(t)
	for i, code := range []string{"", recovery[0]} {
		b := openConsole(t, p, "/console", "en", 360)
		enter(b, member)
		b.Has("#code")
		screen(b, fmt.Sprintf("code-%d", i), 360)
		b.Fill("code", "000000")
		b.Key(kb.Enter)
		b.Until(`document.querySelector("#problem").innerText !== ""`)
		if i == 0 {
			code = harness.AppCode(t, secret, 1) // of this moment: looking at the screen took a while
		}
		retype(b, "code", code)
		b.Key(kb.Enter)
		b.Until(`document.querySelector("h1").innerText.startsWith("Hello, ")`)
	}
	p.Stop(t)
}

// TestBrowserTheConsoleShowsWhatARoleHasUseOf, ends a session that the API does not know any more without losing the place, and
// ends one when it is told to.
func TestBrowserTheConsoleShowsWhatARoleHasUseOf(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	ordersOfTheConsole(t, in, p)
	const menu = `[...document.querySelectorAll("nav#navigation a")].map((a) => a.innerText).join()`
	b := openConsole(t, p, narrowed, "en", 1280)
	enter(b, in.Member("operator"))
	b.Until(menu + ` === "What waits,Deposits,Withdrawals,Payouts,Transactions,Callbacks,Jobs,Bank lines,Approvals,Customers,Discrepancies,Wallets,Statistics,Disputes,Providers,Dealers,Gateways,Routes" &&
		document.querySelectorAll("a.row").length === 3`)
	others := in.SignIn(p, "operator")
	if err := others.Ask(`mutation { revokeOtherSessions { sessions { id } } }`, nil, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	// The page may have been told already, and shows no rows any more; who clicks at that moment is led on all the same.
	b.Until(`([...document.querySelectorAll("a.row")].find((row) => row.textContent.includes("MAN-")).click(), true)`)
	b.Until(`document.querySelector(".note")?.checkVisibility() && location.pathname.startsWith("/console/transactions/MAN-")`)
	enter(b, in.Member("provider"))
	b.Until(menu + ` === "What waits,Transactions,Callbacks,Jobs,Customers,Statistics,Disputes,Our settings,API reference" && document.querySelector(".headline") !== null`)
	b.Click(".account")
	screen(b, "account-en-1280", 1280)
	press(b, "[role=menuitem]", "Sign out")
	b.Until(`document.activeElement.id === "email" && document.querySelector(".note") === null`)
	p.Stop(t)
}

// TestBrowserTheConsoleMendsALostConnection: it is said while it lasts, and what was asked for meanwhile arrives afterwards.
func TestBrowserTheConsoleMendsALostConnection(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	ordersOfTheConsole(t, in, p)
	b := openConsole(t, p, narrowed, "en", 360)
	enter(b, in.Member("operator"))
	b.Until(`document.querySelectorAll("a.row").length === 3`)
	offline(b, true)
	press(b, "a.row", "MAN-")
	b.Until(`document.querySelector(".connection").innerText.includes("No connection")`)
	screen(b, "offline-en-360", 360)
	offline(b, false)
	b.Until(`document.querySelector(".headline") !== null && document.querySelector(".connection").innerText === ""`)
	p.Stop(t)
}

// TestBrowserTheConsoleSaysThatItHasNotLoaded, where its script does not arrive, and is there once it does.
func TestBrowserTheConsoleSaysThatItHasNotLoaded(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Serve()
	b := openConsole(t, p, "/console", "tr", 360)
	unreachable(b, p.URL+"/console/app.js", true)
	b.Visit(p.URL + "/console")
	b.Until(`document.querySelector(".late a")?.checkVisibility({ visibilityProperty: true })`)
	screen(b, "not-loaded-360", 360)
	unreachable(b, p.URL+"/console/app.js", false)
	b.Click(".late a")
	b.Until(`document.activeElement.id === "email" && document.querySelector(".late") === null`)
	p.Stop(t)
}

func offline(b *harness.Tab, is bool) {
	b.T.Helper()
	unreachable(b, "", is)
}

// unreachable has the browser not reach an address, or any if it is empty, or reach it again.
func unreachable(b *harness.Tab, address string, is bool) {
	b.T.Helper()
	_, err := chromedp.Call(b.Ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{URLPattern: address, Offline: is, DownloadThroughput: -1, UploadThroughput: -1}},
	})
	if err != nil {
		b.T.Fatal(err)
	}
}
