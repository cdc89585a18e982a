package paypage_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/console/axe"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// everyPage returns the address of each page that a customer may see, by a name.
func (s *stage) everyPage() map[string]string {
	s.t.Helper()
	pages := map[string]string{"missing": "/pay/nothing?"}
	payments := s.inEachPhase()
	for phase, p := range payments {
		pages[phase] = shown(phase, p)
	}
	pages["change"] = pages["pay"] + "step=amount&"
	pages["refused"] = pages["amount"] + "amount=250000&problem=no_account&"
	pages["notice"] = pages["pay"] + "notice=changed&"
	maps.Copy(pages, s.atGateways())
	quiet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	s.t.Cleanup(quiet.Close) // nobody is led away by it
	s.booth.leads(gateway.NextStep{Form: &gateway.FormPost{Action: quiet.URL}})
	pages["leave"] = path(s.begun(payment.CreditCard, nil)) + "/go?"
	return pages
}

// TestBrowserAxe: axe-core finds nothing wrong with any page, in either scheme and language, with what can be opened open. The
// dark scheme is looked at in one language: what differs is the colors.
func TestBrowserAxe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	pages := s.everyPage()
	for _, dark := range []bool{false, true} {
		d := phone
		d.dark = dark
		b := s.open(payment.Payment{Token: "nothing"}, d)
		for name, address := range pages {
			for _, tag := range map[bool][]string{false: {"tr", "en"}, true: {"en"}}[dark] {
				b.visit(s.server.URL + address + "lang=" + tag)
				for _, found := range b.faults() {
					t.Errorf("%s in %s, dark %v: %s", name, tag, dark, found)
				}
			}
		}
	}
}

// faults are what axe-core finds wrong with the page as it is, all that can be opened open.
func (b *tab) faults() []string {
	b.t.Helper()
	eval[bool](b, `document.querySelectorAll("details").forEach((d) => { d.open = true; }) || true`)
	b.do(chromedp.Evaluate[chromedp.Void](axe.Script))
	return eval[[]string](b, axe.Violations)
}

// TestBrowserAxeOfForms: nor with a form that was sent with mistakes, a long list of coins, and the page without a way to pay.
func TestBrowserAxeOfForms(t *testing.T) {
	t.Parallel()
	for _, dark := range []bool{false, true} {
		s := newStage(t)
		s.needy()
		s.booth.options = coins(9)
		p, d := s.StartDeposit(t, payment.CryptoDeposit, lira(250)), phone
		d.dark = dark
		b := s.open(p, d)
		b.click("main .primary")
		b.until(`document.querySelectorAll(".why").length === 8`)
		for _, found := range b.faults() {
			t.Errorf("the form, dark %v: %s", dark, found)
		}
		s.turn(&s.Gateway, false)
		b.visit(b.url)
		b.shows("none")
		for _, found := range b.faults() {
			t.Errorf("no way, dark %v: %s", dark, found)
		}
	}
}

// TestBrowserSmallPhone: at 360 px, and at 320 px with large text (WCAG 1.4.10), nothing scrolls sideways, and all that can be
// pressed is 44 px high.
func TestBrowserSmallPhone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.open(payment.Payment{Token: "nothing"}, smallPhone)
	small := `[...document.querySelectorAll("a, button, summary, select, label:has(input), input:not([type=hidden], [type=radio])")]
		.filter((e) => e.checkVisibility() && !e.closest(".problem"))
		.filter((e) => e.getBoundingClientRect().height < 44 || e.getBoundingClientRect().width < 44).map((e) => e.outerHTML)`
	for name, address := range s.everyPage() {
		for _, tag := range []string{"tr", "en"} {
			b.visit(s.server.URL + address + "lang=" + tag)
			eval[bool](b, `document.querySelectorAll("details").forEach((d) => { d.open = true; }) || true`)
			if found := eval[[]string](b, small); len(found) > 0 {
				t.Errorf("%s in %s: too small to press: %s", name, tag, strings.Join(found, "\n"))
			}
			for _, width := range []int64{360, 320} {
				b.do(chromedp.EmulateViewport(width, 640))
				if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > int(width) {
					t.Errorf("%s in %s is %d px wide on %d", name, tag, wide, width)
				}
			}
		}
	}
}

// TestBrowserHeadings: one h1, first, and no level is left out.
func TestBrowserHeadings(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.open(payment.Payment{Token: "nothing"}, phone)
	for name, address := range s.everyPage() {
		b.visit(s.server.URL + address)
		levels := eval[string](b, `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((h) => h.tagName[1]).join("")`)
		if !strings.HasPrefix(levels, "1") || strings.Trim(levels[1:], "2") != "" {
			t.Errorf("%s has the headings %s", name, levels)
		}
	}
}
