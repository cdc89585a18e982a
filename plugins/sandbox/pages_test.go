package sandbox_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestCardPageSaysThatItIsASimulation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "1250.00")).Next.Redirect.URL)
	w.check("status and type", []any{b.status, b.header.Get("Content-Type")}, []any{200, "text/html; charset=utf-8"})
	for _, want := range []string{`<html lang="tr">`, "SIM / Sandbox – gerçek para yok", "1250.00 TRY", bank.TestCard("00"), "width=device-width"} {
		w.check("the page has "+want, strings.Contains(b.body, want), true)
	}
}

func TestPagesLoadNothingFromElsewhereAndRunNoScript(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.01")).Next.Redirect.URL)
	isStrict := func(b *browser) {
		t.Helper()
		w.check("policy", b.header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'self'; frame-ancestors 'none'; "+
			"base-uri 'none'; form-action 'self' https://vezne.test")
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		} {
			w.check(name, b.header.Get(name), want)
		}
		for _, bad := range []string{"<script", " style=", "<style", "javascript:", " onclick", "<img", "<iframe"} {
			w.check("the page has "+bad, strings.Contains(b.body, bad), false)
		}
		for _, found := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(b.body, -1) {
			w.check("leads away: "+found[1], strings.Contains(found[1], "//") && !strings.HasPrefix(found[1], "https://vezne.test/back/"), false)
		}
	}
	isStrict(b)
	b.card(visa) // the challenge
	isStrict(b)
	b.submit("code", url.Values{"code": {"1"}})
	isStrict(b)
	style, err := b.at.Parse(regexp.MustCompile(`href="([^"]+\.css)"`).FindStringSubmatch(b.body)[1])
	w.ok(err)
	b.get(style.String())
	w.check("the style sheet", []any{b.status, b.header.Get("Content-Type")}, []any{200, "text/css; charset=utf-8"})
	w.check("loads nothing", strings.Contains(b.body, "url("), false)
}

func TestFormMistakesAreMarkedAtTheirFields(t *testing.T) {
	t.Parallel()
	good := url.Values{"holder": {"Ali Veli"}, "number": {"4242-4242 4242 4242"}, "expiry": {"03 / 26"}, "cvc": {"1234"}}
	long := strings.Repeat("9", 400)
	for name, c := range map[string]struct{ field, value string }{
		"a name that is missing":       {"holder", " "},
		"a name with a control":        {"holder", "Ali\x07Veli"},
		"a name that is too long":      {"holder", strings.Repeat("a", 101)},
		"a number that is missing":     {"number", ""},
		"a number with a wrong digit":  {"number", "4242424242424241"},
		"a number with letters":        {"number", "4242x4242"},
		"a number that is too long":    {"number", long},
		"an expiry that is past":       {"expiry", "02/26"},
		"an expiry of no month":        {"expiry", "13/30"},
		"an expiry that is too long":   {"expiry", long},
		"a code that is too short":     {"cvc", "12"},
		"a code with a letter":         {"cvc", "12a"},
		"a code that is much too long": {"cvc", long},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			b := w.browse(w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL)
			form := url.Values{}
			for k, v := range good {
				form[k] = v
			}
			form.Set(c.field, c.value)
			b.submit("card", form)
			w.check("status", b.status, http.StatusUnprocessableEntity)
			w.check("the field is marked", strings.Contains(b.body, `aria-describedby="`+c.field+`-problem"`), true)
			w.check("one field is", strings.Count(b.body, "aria-invalid"), 1)
			w.check("no card is given back", strings.Contains(b.body, "4242"), false)
			w.check("the state", w.state(), gateway.Waiting)
			b.submit("card", good)
			w.check("the browser is back after it was corrected", b.isBack(), true)
		})
	}
}

func TestPageIsInTheLanguageOfTheBrowserOrOfTheLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.start(w.order(gateway.Card, "10.01")).Next.Redirect.URL
	for _, c := range []struct{ accept, query, want string }{
		{"", "", "tr"}, {"en-GB,en;q=0.8", "", "en"}, {"de", "", "tr"}, {"en", "?lang=tr", "tr"}, {"tr", "?lang=en", "en"},
		{"en", "?lang=xx", "en"},
	} {
		b := w.browse(page)
		request, err := http.NewRequestWithContext(w.ctx, http.MethodGet, page+c.query, nil)
		w.ok(err)
		request.Header.Set("Accept-Language", c.accept)
		b.do(request)
		w.check("the language for "+c.accept+c.query, strings.Contains(b.body, `<html lang="`+c.want+`">`), true)
	}
	b := w.browse(page + "?lang=en")
	b.card(visa)
	w.check("it stays over a form", strings.Contains(b.body, "3-D Secure check"), true)
}

func TestPageOfAnotherTokenIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL
	for _, address := range []string{page + "x", strings.Replace(page, "CC1", "CC2", 1), page[:len(page)-4] + "0000"} {
		b := w.browse(address)
		w.check(address, b.status, http.StatusNotFound)
	}
	other := w.order(gateway.Bank, "10.04")
	other.Ref, other.Key = "TPBD1", "k"
	w.start(other)
	b := w.browse(strings.Replace(page, "CC1", "TPBD1", 1))
	w.check("an order without a page", b.status, http.StatusNotFound)
}

func TestFormOfAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL
	request, err := http.NewRequestWithContext(w.ctx, http.MethodPost, page+"/cancel", nil)
	w.ok(err)
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	b := w.browse(page)
	b.do(request)
	w.check("status", b.status, http.StatusForbidden)
	w.check("the state", w.state(), gateway.Waiting)
}

func TestFormThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL)
	b.submit("card", url.Values{"holder": {strings.Repeat("a", 9000)}})
	w.check("status", b.status, http.StatusBadRequest)
}

func TestFormSentTwiceIsOnePayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL)
	again := *b
	b.card(visa)
	again.card(visa)
	w.check("the second shows where it stands", []any{again.isBack(), strings.Contains(again.body, "Ödendi.")}, []any{false, true})
	w.check("its link leads back", strings.HasPrefix(link(again.body), "https://vezne.test/back/3f1c?"), true)
	w.pass(5 * time.Second)
	w.check("told once", w.told(), []string{"paid"})
}

func TestReturnAddressKeepsItsQueryAndSaysNothingPersonal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL)
	b.card(visa)
	q := b.at.Query()
	w.check("its own", q.Get("x"), "1")
	w.check("added", []any{q.Get("sandbox_status"), strings.HasPrefix(q.Get("sandbox_deposit"), "dep_"), len(q)}, []any{"paid", true, 3})
}

func TestChallengeCanBeCanceled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.01")).Next.Redirect.URL)
	b.card(visa)
	w.check("tries left", strings.Contains(b.body, "Kalan deneme: 3"), true)
	b.submit("cancel", nil)
	w.check("the browser is back", b.isBack(), true)
	w.check("the state", w.state(), gateway.Canceled)
}

func TestPageThatWasLeftSaysThatTheBankDoesNotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.start(w.order(gateway.Card, "10.04")).Next.Redirect.URL)
	b.card(visa)
	w.check("no way back", link(b.body), "")
	w.check("it says so", strings.Contains(b.body, "Bankadan yanıt yok."), true)
}

func TestPagesAreDownWithTheBank(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL
	w.ok(w.bank.Down(time.Minute))
	w.check("status", w.browse(page).status, http.StatusServiceUnavailable)
	w.pass(time.Minute)
	w.check("status later", w.browse(page).status, http.StatusOK)
}

func TestPagesAreAtThePublicAddressWhereOneIsGiven(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *bank.Config, _ map[string]string) { c.PublicURL = "https://sandbox.example.com/sim/" })
	page := w.start(w.order(gateway.Card, "10.00")).Next.Redirect.URL
	w.check("the address", strings.HasPrefix(page, "https://sandbox.example.com/sim/pay/CC1/"), true)
}
