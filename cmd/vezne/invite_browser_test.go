package main_test

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// step waits for a step of the invitation's page, and looks whether axe-core finds anything wrong with it.
func (b *tab) step(name string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`(() => { const s = document.getElementById(%q); return s !== null && !s.hidden; })()`, name))
	axe, err := os.ReadFile("../../adapters/paypage/testdata/axe.min.js")
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](string(axe)))
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](
		`axe.run(document).then((r) => r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html).join("; ")))`,
		chromedp.EvalAwaitPromise))
	if err != nil || len(found) > 0 {
		b.t.Errorf("%s: %q (%v)", name, found, err)
	}
}

// shots are pictures of a step: on a phone and on a desktop, in both languages.
func (b *tab) shots(name string) {
	b.t.Helper()
	for range 2 {
		for screen, size := range map[string][2]int64{"phone": {phoneWidth, phoneHeight}, "desktop": {1280, 800}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.shot("invite-" + name + "-" + screen + "-" + b.text(`document.documentElement.lang`))
		}
		before := b.text(`document.documentElement.lang`)
		b.click("#tongue")
		b.until(fmt.Sprintf(`document.documentElement.lang !== %q`, before))
	}
	b.do(chromedp.EmulateViewport(phoneWidth, phoneHeight))
}

// darken has the page look as on a dark desktop.
func (b *tab) darken() {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// text is what an expression gives.
func (b *tab) text(expression string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// complains waits for what the step's form says is wrong.
func (b *tab) complains(step, key string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#%s-problem:not([hidden])[role=alert] [data-say='problem.%s']") !== null`, step, key))
}

const chosenPassword = "a password of their own"

// TestBrowserAnInvitedPersonBecomesAMember: the link's page takes the token out of the address, wants a good password
// twice, and, since the role demands it, has an authenticator app set up. Then the person signs in with both, and the link
// is good for nobody any more. The page keeps its strict Content-Security-Policy.
func TestBrowserAnInvitedPersonBecomesAMember(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve("VEZNE_REQUIRE_SECOND_FACTOR=provider")
	link := in.invite(server)
	_, token, _ := strings.Cut(link, "#")
	shared.keepSecret("an invitation's token", token)
	b := openTab(t, link)
	b.step("accept")
	b.until(`location.hash === "" && location.pathname === "/invite" && history.length <= 2`)
	b.until(`document.activeElement.matches("#accept h1")`)
	b.shots("accept")
	b.fill("password", "too short")
	b.click("#accept .primary")
	b.complains("accept", "short")
	b.until(`document.activeElement.id === "password" && document.activeElement.getAttribute("aria-invalid") === "true"`)
	b.fill("password", chosenPassword, "repeat", chosenPassword+"!")
	b.click("#accept .primary")
	b.complains("accept", "differ")
	b.shots("differ")
	b.click("#reveal")
	b.until(`document.getElementById("password").type === "text" && document.getElementById("repeat").type === "text"`)
	b.fill("repeat", chosenPassword)
	b.click("#accept .primary")
	b.step("offer")
	b.until(`!document.getElementById("demanded").hidden && document.getElementById("later").hidden`)
	b.until(`document.getElementById("password").value === "" && localStorage.length + sessionStorage.length === 0 && document.cookie === ""`)
	b.shots("offer")
	secret := b.setUpApp()
	b.shots("ready")
	b.until(fmt.Sprintf(`document.getElementById("api").textContent === %q`, server.url+"/graphql"))
	anybody := staff{base: server.url}
	first := anybody.login(t, staffKeys{Email: "new@other.example", Password: chosenPassword})
	if first.SecondFactor == nil {
		t.Fatalf("login gives %+v", first)
	}
	member, err := anybody.loginWithCode(first.SecondFactor.Challenge, appCode(t, secret, 1))
	if role, _ := member.role(); err != nil || role != "provider" {
		t.Errorf("signed in as %q (%v)", role, err)
	}
	if mine := member.sessionCount(t); mine != 1 {
		t.Errorf("%d sessions: the page has left its own", mine)
	}
	b = openTab(t, link)
	b.fill("password", chosenPassword, "repeat", chosenPassword)
	b.click("#accept .primary")
	b.step("refused")
	b.shots("refused")
	server.stop(t)
}

// setUpApp goes on from the offer to the end, and gives the authenticator app's secret.
func (b *tab) setUpApp() (secret string) {
	b.t.Helper()
	b.click("#offer .primary")
	b.step("factor")
	b.has("#qr svg .ink")
	u, err := url.Parse(b.text(`document.getElementById("uri").getAttribute("href")`))
	if err != nil || u.Scheme != "otpauth" {
		b.t.Fatalf("the address is %v (%v)", u, err)
	}
	secret = u.Query().Get("secret")
	shared.keepSecret("a TOTP secret", secret)
	if shown := b.text(`document.getElementById("secret").textContent`); strings.ReplaceAll(shown, " ", "") != secret {
		b.t.Errorf("the key is shown as %q", shown)
	}
	b.shots("factor")
	b.fill("code", "12345")
	b.click("#factor .primary")
	b.complains("factor", "digits")
	wrong := "000000"
	if wrong == appCode(b.t, secret, 0) {
		wrong = "111111"
	}
	b.fill("code", wrong)
	b.click("#factor .primary")
	b.complains("factor", "BAD_CODE")
	b.fill("code", appCode(b.t, secret, 0))
	b.click("#factor .primary")
	b.step("recovery")
	b.until(`document.querySelectorAll("#codes li").length === 10`)
	b.click("#recovery [data-copies]")
	b.until(`document.querySelector("#recovery [data-copies] [data-say=copied]") !== null`)
	b.shots("recovery")
	b.click("#kept")
	b.step("ready")
	b.until(`document.querySelectorAll("#codes li").length === 0 && !document.getElementById("with-code").hidden`)
	return secret
}

// sessionCount is how many sessions the member has.
func (s staff) sessionCount(t *testing.T) int {
	t.Helper()
	var data struct{ MySessions []struct{ ID string } }
	if err := s.ask(`{ mySessions { id } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return len(data.MySessions)
}

// TestBrowserWhoNeedsNoSecondFactorMayLeaveItForLater, and a link that is cut or wrong is said to be so.
func TestBrowserWhoNeedsNoSecondFactorMayLeaveItForLater(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve()
	link := in.invite(server)
	base, token, _ := strings.Cut(link, "#")
	shared.keepSecret("an invitation's token", token)
	b := openTab(t, base)
	b.darken()
	b.step("missing")
	b.shots("missing")
	b.visit(base + "#" + token[:len(token)-1])
	b.fill("password", chosenPassword, "repeat", chosenPassword)
	b.click("#accept .primary")
	b.step("refused")
	b.visit(link)
	b.fill("password", chosenPassword, "repeat", chosenPassword)
	b.click("#accept .primary")
	b.step("offer")
	b.shots("dark")
	b.until(`document.getElementById("demanded").hidden && !document.getElementById("advised").hidden`)
	b.click("#later")
	b.step("ready")
	b.until(`!document.getElementById("without-code").hidden && document.querySelector("#ready a") === null`)
	if anybody := (staff{base: server.url}); anybody.login(t, staffKeys{Email: "new@other.example", Password: chosenPassword}).Token == "" {
		t.Error("the new member can't sign in")
	}
	server.stop(t)
}
