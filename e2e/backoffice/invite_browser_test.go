package backoffice_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/e2e/harness"
)

// step waits for a step of the invitation's page, and looks whether axe-core finds anything wrong with it.
func step(b *harness.Tab, name string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`(() => { const s = document.getElementById(%q); return s !== null && !s.hidden; })()`, name))
	for _, found := range b.Violations() {
		b.T.Errorf("%s: %s", name, found)
	}
}

// shots are pictures of a step: on a phone and on a desktop, in both languages.
func shots(b *harness.Tab, name string) {
	b.T.Helper()
	for range 2 {
		for screen, size := range map[string][2]int64{"phone": {harness.PhoneWidth, harness.PhoneHeight}, "desktop": {1280, 800}} {
			b.Do(chromedp.EmulateViewport(size[0], size[1]))
			b.Shot("invite-" + name + "-" + screen + "-" + text(b, `document.documentElement.lang`))
		}
		before := text(b, `document.documentElement.lang`)
		b.Click("#tongue")
		b.Until(fmt.Sprintf(`document.documentElement.lang !== %q`, before))
	}
	b.Do(chromedp.EmulateViewport(harness.PhoneWidth, harness.PhoneHeight))
}

// darken has the page look as on a dark desktop.
func darken(b *harness.Tab) {
	b.T.Helper()
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	if err != nil {
		b.T.Fatal(err)
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

// complains waits for what the step's form says is wrong.
func complains(b *harness.Tab, step, key string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`document.querySelector("#%s-problem:not([hidden])[role=alert] [data-say='problem.%s']") !== null`, step, key))
}

const chosenPassword = "a password of their own"

// TestBrowserAnInvitedPersonBecomesAMember: the link's page takes the token out of the address, wants a good password
// twice, and, since the role demands it, has an authenticator app set up. Then the person signs in with both, and the link
// is good for nobody any more. The page keeps its strict Content-Security-Policy.
func TestBrowserAnInvitedPersonBecomesAMember(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve("VEZNE_REQUIRE_SECOND_FACTOR=provider")
	link := invite(in, server)
	_, token, _ := strings.Cut(link, "#")
	harness.KeepSecret("an invitation's token", token)
	b := harness.OpenTab(t, link)
	step(b, "accept")
	b.Until(`location.hash === "" && location.pathname === "/invite" && history.length <= 2`)
	b.Until(`document.activeElement.matches("#accept h1")`)
	shots(b, "accept")
	b.Fill("password", "too short")
	b.Click("#accept .primary")
	complains(b, "accept", "short")
	b.Until(`document.activeElement.id === "password" && document.activeElement.getAttribute("aria-invalid") === "true"`)
	b.Fill("password", chosenPassword, "repeat", chosenPassword+"!")
	b.Click("#accept .primary")
	complains(b, "accept", "differ")
	shots(b, "differ")
	b.Click("#reveal")
	b.Until(`document.getElementById("password").type === "text" && document.getElementById("repeat").type === "text"`)
	b.Fill("repeat", chosenPassword)
	b.Click("#accept .primary")
	step(b, "offer")
	b.Until(`!document.getElementById("demanded").hidden && document.getElementById("later").hidden`)
	b.Until(`document.getElementById("password").value === "" && localStorage.length + sessionStorage.length === 0 && document.cookie === ""`)
	shots(b, "offer")
	secret := setUpApp(b)
	shots(b, "ready")
	b.Until(fmt.Sprintf(`document.getElementById("api").textContent === %q`, server.URL+"/graphql"))
	anybody := harness.Staff{Base: server.URL}
	first := login(t, anybody, harness.StaffKeys{Email: "new@other.example", Password: chosenPassword})
	if first.SecondFactor == nil {
		t.Fatalf("login gives %+v", first)
	}
	member, err := loginWithCode(anybody, first.SecondFactor.Challenge, harness.AppCode(t, secret, 1))
	if role, _ := role(member); err != nil || role != "PROVIDER" {
		t.Errorf("signed in as %q (%v)", role, err)
	}
	if mine := sessionCount(t, member); mine != 1 {
		t.Errorf("%d sessions: the page has left its own", mine)
	}
	b = harness.OpenTab(t, link)
	b.Fill("password", chosenPassword, "repeat", chosenPassword)
	b.Click("#accept .primary")
	step(b, "refused")
	shots(b, "refused")
	server.Stop(t)
}

// setUpApp goes on from the offer to the end, and returns the authenticator app's secret.
func setUpApp(b *harness.Tab) (secret string) {
	b.T.Helper()
	b.Click("#offer .primary")
	step(b, "factor")
	b.Has("#qr svg .ink")
	u, err := url.Parse(text(b, `document.getElementById("uri").getAttribute("href")`))
	if err != nil || u.Scheme != "otpauth" {
		b.T.Fatalf("the address is %v (%v)", u, err)
	}
	secret = u.Query().Get("secret")
	harness.KeepSecret("a TOTP secret", secret)
	if shown := text(b, `document.getElementById("secret").textContent`); strings.ReplaceAll(shown, " ", "") != secret {
		b.T.Errorf("the key is shown as %q", shown)
	}
	shots(b, "factor")
	b.Fill("code", "12345")
	b.Click("#factor .primary")
	complains(b, "factor", "digits")
	wrong := "000000"
	if wrong == harness.AppCode(b.T, secret, 0) {
		wrong = "111111"
	}
	b.Fill("code", wrong)
	b.Click("#factor .primary")
	complains(b, "factor", "BAD_CODE")
	b.Fill("code", harness.AppCode(b.T, secret, 0))
	b.Click("#factor .primary")
	step(b, "recovery")
	b.Until(`document.querySelectorAll("#codes li").length === 10`)
	b.Click("#recovery [data-copies]")
	b.Until(`document.querySelector("#recovery [data-copies] [data-say=copied]") !== null`)
	shots(b, "recovery")
	b.Click("#kept")
	step(b, "ready")
	b.Until(`document.querySelectorAll("#codes li").length === 0 && !document.getElementById("with-code").hidden`)
	return secret
}

// sessionCount is how many sessions the member has.
func sessionCount(t *testing.T, s harness.Staff) int {
	t.Helper()
	var data struct{ MySessions []struct{ ID string } }
	if err := s.Ask(`{ mySessions { id } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return len(data.MySessions)
}

// TestBrowserWhoNeedsNoSecondFactorMayLeaveItForLater, and a link that is cut or wrong is said to be so.
func TestBrowserWhoNeedsNoSecondFactorMayLeaveItForLater(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	link := invite(in, server)
	base, token, _ := strings.Cut(link, "#")
	harness.KeepSecret("an invitation's token", token)
	b := harness.OpenTab(t, base)
	darken(b)
	step(b, "missing")
	shots(b, "missing")
	b.Visit(base + "#" + token[:len(token)-1])
	b.Fill("password", chosenPassword, "repeat", chosenPassword)
	b.Click("#accept .primary")
	step(b, "refused")
	b.Visit(link)
	b.Fill("password", chosenPassword, "repeat", chosenPassword)
	b.Click("#accept .primary")
	step(b, "offer")
	shots(b, "dark")
	b.Until(`document.getElementById("demanded").hidden && !document.getElementById("advised").hidden`)
	b.Click("#later")
	step(b, "ready")
	b.Until(`!document.getElementById("without-code").hidden && document.querySelector("#ready a:not([href=console])") === null`)
	if anybody := (harness.Staff{Base: server.URL}); login(t, anybody, harness.StaffKeys{Email: "new@other.example", Password: chosenPassword}).Token == "" {
		t.Error("the new member can't sign in")
	}
	server.Stop(t)
}
