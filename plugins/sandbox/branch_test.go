package sandbox_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func withBranch(c *bank.Config, _ map[string]string) { c.HasBranch = true }

// toBranch opens the branch in a world that has one.
func toBranch(w *world, query string) *browser {
	w.t.Helper()
	b := w.browse(w.server.URL + "/sim/branch" + query)
	w.check("status", b.status, http.StatusOK)
	return b
}

// ibanOf is the IBAN of an account of the bank.
func (w *world) ibanOf(account int) string { return w.bank.State().Accounts[account].IBAN }

// slip is a form that is right, with changes: field, value, field, value.
func (w *world) slip(changes ...string) url.Values {
	form := url.Values{"iban": {w.ibanOf(0)}, "name": {"Ayşe Yılmaz"}, "amount": {"250"}, "arrives": {"now"}}
	for i := 0; i < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	return form
}

// says reports whether the page has a text, as its reader sees it.
func (b *browser) says(text string) bool {
	return strings.Contains(strings.ReplaceAll(html.UnescapeString(b.body), "\u00a0", " "), text)
}

func TestBranchIsThereOnlyWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browse(w.server.URL + "/sim/branch")
	w.check("GET", b.status, http.StatusNotFound)
	request, err := http.NewRequestWithContext(w.ctx, http.MethodPost, w.server.URL+"/sim/branch", strings.NewReader(w.slip().Encode()))
	w.ok(err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	b.do(request)
	w.check("POST", b.status, http.StatusNotFound)
	w.check("lines", len(w.bank.State().Accounts[0].Lines), 0)
}

func TestBranchSpeaksTurkishAndEnglish(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	w.book("1250.5", 0)
	for query, texts := range map[string][]string{
		"": {`<html lang="tr">`, "SIM / Sandbox – gerçek para yok", "SIM Bank şubesi", ">Alıcının IBAN'ı</label>",
			">Gönderenin adı</label>", ">Tutar</label>", ">Açıklama (isteğe bağlı)</label>", ">Gönderenin IBAN'ı (isteğe bağlı)</label>",
			"<legend>Hesaba geçiş</legend>", ">Para gönder</button>", "Bakiye <strong>1.001.250,50 TRY</strong>", "+1.250,50 TRY",
			">Gelen<", ">02.03.2026 12:00</time>", "Hareket yok."},
		"?lang=en": {`<html lang="en">`, "SIM / Sandbox – no real money", "SIM Bank branch", ">IBAN of the account</label>",
			">Sender's name</label>", ">Amount</label>", ">Text (optional)</label>", ">Sender's IBAN (optional)</label>",
			"<legend>Arrives</legend>", ">Send money</button>", "Balance <strong>1,001,250.50 TRY</strong>", "+1,250.50 TRY",
			">In<", ">2 Mar 2026 12:00</time>", "No lines yet."},
	} {
		b := toBranch(w, query)
		for _, want := range append(texts, iban.Grouped(w.ibanOf(0)), iban.Grouped(w.ibanOf(1)), "Vezne Sandbox A.Ş. (SIM)") {
			w.check(query+" says "+want, b.says(want), true)
		}
		w.check("keys without a sentence", regexp.MustCompile(`>\s*(branch|problem|title|arrives|sim)\.[a-z.]+`).FindString(b.body), "")
	}
	b := w.browse(w.server.URL + "/sim/branch")
	request, err := http.NewRequestWithContext(w.ctx, http.MethodGet, w.server.URL+"/sim/branch", nil)
	w.ok(err)
	request.Header.Set("Accept-Language", "en-GB,en;q=0.8")
	b.do(request)
	w.check("an English browser's page", b.says("Send money"), true)
}

func TestBranchSendsMoneyAndTheMerchantIsTold(t *testing.T) {
	t.Parallel()
	for query, done := range map[string]string{
		"": "Gönderildi: 1.250,50 TRY", "?lang=en": "Sent: 1,250.50 TRY",
	} {
		w := newWorld(t, withBranch)
		b := toBranch(w, query)
		b.submit("branch", w.slip("amount", "1250,50", "text", "VZ 7K3M", "iban", strings.ToLower(iban.Grouped(w.ibanOf(0)))))
		w.check("the form led to a page of its own", []any{b.status, b.at.Query().Has("sent")}, []any{200, true})
		w.check("it confirms", []any{b.says(done), strings.Contains(b.body, `role="status"`)}, []any{true, true})
		w.check("the form is empty again", b.says(`value="Ayşe Yılmaz"`), false)
		w.pass(2 * time.Second)
		w.check("told", w.told(), []string{"line"})
		lines := w.statement()
		w.check("lines", len(lines), 1)
		l := lines[0]
		w.check("the line", []any{l.Direction, l.Amount, l.Text, l.Party.Name, l.BookedAt},
			[]any{gateway.Incoming, "1250.5", "VZ 7K3M", "Ayşe Yılmaz", conformance.Opening})
		w.check("from an IBAN of another bank", []any{iban.IsValid(l.Party.IBAN), l.Party.IBAN[4:9]}, []any{true, "99990"})
		b.get(b.at.String())
		w.check("to load the page again sends nothing", len(w.statement()), 1)
	}
}

func TestREADMEHasTheFieldsOfTheBranch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	b := toBranch(w, "")
	text := readme(t)
	for _, found := range regexp.MustCompile(`<input[^>]* name="([a-z]+)"`).FindAllStringSubmatch(b.body, -1) {
		w.check("the README has the field "+found[1], strings.Contains(text, "| `"+found[1]+"` |"), true)
	}
}

func TestEverySenderAtTheBranchHasAnIBANOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	for _, name := range []string{"Ayşe Yılmaz", "Ali Veli", "Ayşe Yılmaz"} {
		toBranch(w, "").submit("branch", w.slip("name", name))
	}
	lines := w.statement()
	w.check("lines", len(lines), 3)
	w.check("the same person's is the same", lines[0].Party.IBAN == lines[2].Party.IBAN, true)
	w.check("another's is another", lines[0].Party.IBAN != lines[1].Party.IBAN, true)
}

func TestBranchTakesTheSendersIBAN(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	toBranch(w, "").submit("branch", w.slip("from", iban.Grouped(bank.TestIBAN("10")), "iban", w.ibanOf(1)))
	lines := w.bank.State().Accounts[1].Lines
	w.check("lines", len(lines), 1)
	w.check("the sender", lines[0].Party.IBAN, bank.TestIBAN("10"))
}

func TestBranchSendsWhatIsBookedYesterday(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	w.book("1", 0)
	b := toBranch(w, "?lang=en")
	b.submit("branch", w.slip("arrives", "late"))
	w.check("it says when it was booked", b.says("1 Mar 2026 12:00"), true)
	line := w.bank.State().Accounts[0].Lines[0]
	w.check("the line", []any{line.BookedAt, line.ValueDate, line.Amount.Value}, []any{conformance.Opening.Add(-24 * time.Hour), "2026-03-01", "250"})
	w.check("its balance is of when it was written", line.BalanceAfter.Value, "1000251")
	w.pass(2 * time.Second)
	w.check("told", w.told(), []string{"line", "line"})
}

func TestBranchMarksMistakesAtTheirFields(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 200)
	for name, c := range map[string]struct{ field, value, tr, en string }{
		"no IBAN":                     {"iban", "", "IBAN geçerli değil", "The IBAN is not valid"},
		"an IBAN with a wrong digit":  {"iban", "TR000001000000000000000001", "IBAN geçerli değil", "The IBAN is not valid"},
		"an IBAN that is too long":    {"iban", long, "IBAN geçerli değil", "The IBAN is not valid"},
		"another bank's IBAN":         {"iban", bank.TestIBAN("00"), "Bu IBAN bu bankada değil", "not of this bank"},
		"a closed account":            {"iban", bank.TurkishIBAN("99998", "3"), "Bu hesap kapalı.", "This account is closed."},
		"no name":                     {"name", " ", "Gönderenin adını yazın", "Enter the sender's name"},
		"a name of one letter":        {"name", "Ş", "Gönderenin adını yazın", "Enter the sender's name"},
		"a name with a bell":          {"name", "Ali\x07Veli", "Gönderenin adını yazın", "Enter the sender's name"},
		"a name that is too long":     {"name", strings.Repeat("ş", 101), "Gönderenin adını yazın", "Enter the sender's name"},
		"no amount":                   {"amount", "", "1250,50 gibi yazın", "Enter the amount like"},
		"nothing":                     {"amount", "0,00", "1250,50 gibi yazın", "Enter the amount like"},
		"less than nothing":           {"amount", "-5", "1250,50 gibi yazın", "Enter the amount like"},
		"an amount of two meanings":   {"amount", "1.250", "1250,50 gibi yazın", "Enter the amount like"},
		"an amount that is too fine":  {"amount", "1,255", "1250,50 gibi yazın", "Enter the amount like"},
		"an amount that is too great": {"amount", "10000000,01", "1250,50 gibi yazın", "Enter the amount like"},
		"an amount in exponents":      {"amount", "1e3", "1250,50 gibi yazın", "Enter the amount like"},
		"an amount of many digits":    {"amount", long, "1250,50 gibi yazın", "Enter the amount like"},
		"a text that is too long":     {"text", strings.Repeat("ş", 141), "en çok 140 karakter", "at most 140 characters"},
		"a text with a line feed":     {"text", "a\nb", "en çok 140 karakter", "at most 140 characters"},
		"a sender's IBAN that is not": {"from", "TR1", "IBAN geçerli değil", "The IBAN is not valid"},
		"a sender of this bank":       {"from", bank.TurkishIBAN("99998", "2"), "başka bir bankada", "must be at another bank"},
		"another time":                {"arrives", "tomorrow", "Hesaba geçişi seçin.", "Choose when it arrives."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, withBranch, withClosedAccount)
			for query, problem := range map[string]string{"": c.tr, "?lang=en": c.en} {
				b := toBranch(w, query)
				b.submit("branch", w.slip(c.field, c.value))
				w.check("status", b.status, http.StatusUnprocessableEntity)
				w.check("the field is marked", strings.Contains(b.body, ` aria-describedby="`+c.field+`-problem"`), true)
				w.check("nothing else is", len(regexp.MustCompile(`id="[a-z]+-problem"`).FindAllString(b.body, -1)), 1)
				w.check("beside it stands "+problem, b.says(problem), true)
				w.check("what was typed is still there", c.field == "name" || b.says(`value="Ayşe Yılmaz"`), true)
			}
			w.pass(2 * time.Second)
			w.check("told", w.told(), []string{})
			w.check("lines", len(w.bank.State().Accounts[0].Lines), 0)
		})
	}
}

// withClosedAccount returns the bank a third account, which is closed.
func withClosedAccount(c *bank.Config, _ map[string]string) {
	for _, a := range bank.New(bank.Config{}).State().Accounts {
		c.Accounts = append(c.Accounts, a.Account)
	}
	c.Accounts = append(c.Accounts, bank.Account{ID: "acc-3", IBAN: bank.TurkishIBAN("99998", "3")})
}

func TestBranchReadsAmountsAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	for typed, want := range map[string]string{
		"1250": "1250", "1250,5": "1250.5", "1250.50": "1250.5", "1.250,50": "1250.5", "1,250.50": "1250.5",
		"1.234.567,89": "1234567.89", " 5 TL ": "5", "₺7": "7", "0,01": "0.01", "10000000": "10000000", "12 TRY": "12",
	} {
		toBranch(w, "").submit("branch", w.slip("amount", typed))
		lines := w.bank.State().Accounts[0].Lines
		w.check(typed, lines[len(lines)-1].Amount.Value, want)
	}
}

func TestBranchFormIsFilledInByALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	query := url.Values{"iban": {w.ibanOf(1)}, "amount": {"12,50"}, "name": {`"><b>Ali`}, "lang": {"en"}}
	b := toBranch(w, "?"+query.Encode())
	for _, want := range []string{
		`name="iban" type="text" inputmode="text" maxlength="64" value="` + w.ibanOf(1) + `"`,
		`name="amount" type="text" inputmode="decimal" maxlength="20" value="12,50"`, `value="&#34;&gt;&lt;b&gt;Ali"`,
	} {
		w.check("the page has "+want, strings.Contains(b.body, want), true)
	}
	w.check("no mistakes yet", strings.Contains(b.body, "aria-invalid"), false)
	other := regexp.MustCompile(`<nav><a href="([^"]+)"`).FindStringSubmatch(b.body)
	there, err := b.at.Parse(html.UnescapeString(other[1]))
	w.ok(err)
	b.get(there.String())
	w.check("the other language has it, too", []any{b.says(`<html lang="tr">`), b.says(`value="12,50"`), b.says(w.ibanOf(1))}, []any{true, true, true})
	b = toBranch(w, "?"+url.Values{"name": {strings.Repeat("x", 600)}, "amount": {"1\x002"}}.Encode())
	w.check("nothing that nobody would type", []any{strings.Contains(b.body, "xxx"), strings.Contains(b.body, `value="1`)}, []any{false, false})
}

func TestBranchLinksFillInEachAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	b := toBranch(w, "?lang=en")
	links := regexp.MustCompile(`href="([^"]+#send)"`).FindAllStringSubmatch(b.body, -1)
	w.check("links", len(links), 2)
	for i, found := range links {
		there, err := b.at.Parse(html.UnescapeString(found[1]))
		w.ok(err)
		b := w.browse(there.String())
		w.check("the form has the account's IBAN, in English", []any{b.says(`value="` + w.ibanOf(i) + `"`), b.says("Send money")}, []any{true, true})
	}
}

func TestBranchEscapesWhatPeopleCallThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	const name, text = `<script>alert(1)</script> & "Co" 'x'`, `</bdi><img src=x onerror=alert(1)>`
	b := toBranch(w, "")
	b.submit("branch", w.slip("name", name, "text", text))
	w.check("the line has them as they are", []any{w.statement()[0].Party.Name, w.statement()[0].Text}, []any{name, text})
	w.check("the page shows them", []any{b.says(name), b.says(text)}, []any{true, true})
	for _, bad := range []string{"<script", "<img"} {
		w.check("the page has "+bad, strings.Contains(b.body, bad), false)
	}
	b.submit("branch", w.slip("name", name, "text", text, "amount", "x"))
	w.check("nor in the form", []any{b.status, strings.Contains(b.body, "<script"), strings.Contains(b.body, "<img")}, []any{422, false, false})
}

func TestBranchShowsTheNewestLinesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	for i := range 25 {
		w.book(fmt.Sprint(100+i), time.Duration(i)*time.Minute)
	}
	if _, err := w.bank.Book("acc-1", bank.Line{
		Direction: bank.Outgoing, Amount: bank.Money{Value: conformance.Lira("99").Amount, Currency: "TRY"}, BookedAt: conformance.Opening.Add(time.Hour),
	}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, found := range regexp.MustCompile(`<strong>([+−]\d+)`).FindAllStringSubmatch(html.UnescapeString(toBranch(w, "").body), -1) {
		got = append(got, found[1])
	}
	want := []string{"−99"}
	for i := 24; len(want) < 20; i-- {
		want = append(want, fmt.Sprint("+", 100+i))
	}
	w.check("lines", got, want)
}

func TestBranchConfirmsOnlyWhatWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	in := w.book("5", 0)
	out, err := w.bank.Reverse("acc-1", in.ID)
	w.ok(err)
	for id, want := range map[string]bool{in.ID: true, out.ID: false, "acc-1-1-1": false, strings.Repeat("a", 5000): false} {
		b := toBranch(w, "?"+url.Values{"sent": {id}}.Encode())
		w.check("a confirmation of "+id, strings.Contains(b.body, `role="status"`), want)
	}
}

func TestBranchIsAsStrictAsTheOtherPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	b := toBranch(w, "")
	isStrict := func() {
		t.Helper()
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
			"Cache-Control":           "no-store", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY", "X-Robots-Tag": "noindex, nofollow",
		} {
			w.check(name, b.header.Get(name), want)
		}
		for _, bad := range []string{"<script", " style=", "<style", "javascript:", " onclick", "<img", "<iframe", "//"} {
			w.check("the page has "+bad, strings.Contains(b.body, bad), false)
		}
	}
	isStrict()
	style, err := b.at.Parse(regexp.MustCompile(`href="([^"]+\.css)"`).FindStringSubmatch(b.body)[1])
	w.ok(err)
	w.check("the style sheet", w.browse(style.String()).status, http.StatusOK)
	b.submit("branch", w.slip("amount", "x"))
	isStrict()
	b.submit("branch", w.slip())
	isStrict()
}

func TestBranchRefusesOtherSitesAndWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withBranch)
	b := toBranch(w, "")
	request, err := http.NewRequestWithContext(w.ctx, http.MethodPost, b.at.String(), strings.NewReader(w.slip().Encode()))
	w.ok(err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	b.do(request)
	w.check("another site's form", b.status, http.StatusForbidden)
	b = toBranch(w, "")
	b.submit("branch", w.slip("text", strings.Repeat("a", 9000)))
	w.check("a form that is too large", b.status, http.StatusBadRequest)
	w.ok(w.bank.Down(time.Minute))
	w.check("a bank that is down", w.browse(w.server.URL+"/sim/branch").status, http.StatusServiceUnavailable)
	w.check("lines", len(w.bank.State().Accounts[0].Lines), 0)
}
