package paypage_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
)

// TestPhases: every state says what it has to say, in both languages, with the tracking code to copy.
func TestPhases(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	payments := s.inEachPhase()
	tests := []struct {
		phase, tr, en string
	}{
		{"amount", "Tutarı onaylayın", "Confirm the amount"},
		{"amount", "En az 1,00\u00a0₺, en çok 100.000,00\u00a0₺.", "From ₺1.00 to ₺100,000.00."},
		{"pay", "250,00\u00a0₺ gönderin", "Send ₺250.00"},
		{"pay", "Kalan süre 30:00 Bitiş: 13:01 (GMT+3)", "Time left 30:00 Until 13:01 (GMT+3)"},
		{"pay", "Açıklama alanını boş bırakın.", "Leave the description empty."},
		{"checking", "Ödemeniz kontrol ediliyor", "We are checking your payment"},
		{"checking", "2 Mart 2026 12:31 (GMT+3)", "2 March 2026, 12:31 (GMT+3)"},
		{"late", "Kontrol biraz uzun sürüyor", "Checking is taking a little longer"},
		{"completed", "Ödemeniz tamamlandı 280,00\u00a0₺", "Your payment is complete ₺280.00"},
		{"completed", "başta istenen 250,00\u00a0₺ tutarından farklı", "differs from the ₺250.00 asked for"},
		{"canceled", "Ödeme iptal edildi", "The payment was canceled"},
		{"expired", "Ödeme süresi doldu", "This payment has expired"},
		{"expired", "Acme Pay Site desteğine bu takip kodunu", "Give Acme Pay Site support this tracking code"},
	}
	for _, tt := range tests {
		p := payments[tt.phase]
		for tag, want := range map[string]string{"tr": tt.tr, "en": tt.en} {
			got := s.get(shown(tt.phase, p) + "lang=" + tag)
			if got.status != http.StatusOK || !strings.Contains(got.text(), plain(want)) {
				t.Errorf("%s in %s: status %d, want %q in\n%s", tt.phase, tag, got.status, want, got.text())
			}
			if !strings.Contains(got.body, `<html lang="`+tag+`">`) {
				t.Errorf("%s: no lang=%q", tt.phase, tag)
			}
			if !strings.Contains(got.body, `data-copy="`+p.TrackingCode+`"`) {
				t.Errorf("%s: the tracking code cannot be copied", tt.phase)
			}
			if strings.Contains(got.body, "suspicion") {
				t.Errorf("%s shows the reason of staff", tt.phase)
			}
		}
	}
}

// TestAccount: the page of an offer has everything to pay with.
func TestAccount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	got := s.get(path(p))
	iban := p.Account.IBAN
	for _, want := range []string{
		iban[:4] + " " + iban[4:8] + " " + iban[8:12] + " ", `data-copy="` + iban + `"`, `data-copy="250"`,
		p.Account.BankName, p.Account.Holder, `data-copy="` + p.Account.Holder + `"`,
		`<svg viewBox="0 0 33 33" role="img" aria-label="QR code of the IBAN"`, `action="/pay/` + p.Token + `/paid"`,
		`action="/pay/` + p.Token + `/cancel"`, `href="/pay/` + p.Token + `?step=amount"`,
	} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the page of an offer lacks %s", want)
		}
	}
}

// TestEIBAN: an E-IBAN deposit is offered an E-IBAN account.
func TestEIBAN(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.StartDeposit(t, payment.EIBANDeposit, lira(90_000))
	if got := s.post(path(p)+"/continue", url.Values{"amount": {"90.000,00"}}); got.status != http.StatusSeeOther {
		t.Fatalf("continue: %d", got.status)
	}
	if got := s.get(path(p)); !strings.Contains(got.body, "Vezne E-IBAN") {
		t.Errorf("no E-IBAN account in\n%s", got.text())
	}
}

// TestLanguage: the payment's language first; a link to the other one, which every further link and form keeps.
func TestLanguage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.inTurkish()
	if got := s.get(form(p)); !strings.Contains(got.body, `<html lang="tr">`) || !strings.Contains(got.body, `value="1250,50"`) {
		t.Errorf("a Turkish payment does not start in Turkish:\n%s", got.body)
	}
	if got := s.get(path(p) + "?lang=xx"); !strings.Contains(got.body, `<html lang="tr">`) {
		t.Error("an unknown language is not ignored")
	}
	got := s.get(path(p) + "?lang=en")
	for _, link := range regexp.MustCompile(`(?:action|href|data-self|data-state)="(/pay/`+p.Token+`[^"]*)"`).FindAllStringSubmatch(got.body, -1) {
		if !strings.Contains(link[1], "lang=") {
			t.Errorf("%s loses the language", link[1])
		}
	}
	if !strings.Contains(got.body, `hreflang="tr">Türkçe</a>`) {
		t.Error("no way back to Turkish")
	}
	after := s.post(path(p)+"/continue?lang=en", url.Values{"amount": {"250"}})
	if to := after.header.Get("Location"); to != path(p)+"?lang=en" {
		t.Errorf("Continue leads to %s", to)
	}
}

// TestState: what the script is told, and that it changes exactly when the page does.
func TestState(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for phase, p := range s.inEachPhase() {
		got := s.get(path(p) + "/state")
		var state struct {
			Status      string `json:"status"`
			Page        string `json:"page"`
			ExpiresInMS *int64 `json:"expires_in_ms"`
		}
		if err := json.Unmarshal([]byte(got.body), &state); err != nil || got.status != http.StatusOK {
			t.Fatalf("%s: %d %q: %v", phase, got.status, got.body, err)
		}
		if state.Status != string(p.Status) {
			t.Errorf("%s: status %s, want %s", phase, state.Status, p.Status)
		}
		if !strings.Contains(s.get(shown(phase, p)).body, `data-page="`+state.Page+`"`) {
			t.Errorf("%s: the page and its state disagree on %q", phase, state.Page)
		}
		hasClock := phase == "amount" || phase == "pay"
		if hasClock != (state.ExpiresInMS != nil) {
			t.Errorf("%s: expires_in_ms is %v", phase, state.ExpiresInMS)
		}
		if hasClock && *state.ExpiresInMS != (30*time.Minute).Milliseconds() {
			t.Errorf("%s: expires in %d ms", phase, *state.ExpiresInMS)
		}
	}
}

// TestRefresh: without a script only a page that waits reloads itself, and never one with an amount to type.
func TestRefresh(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	payments := s.inEachPhase()
	reloads := regexp.MustCompile(`<noscript><meta http-equiv="refresh" content="\d+;url=/pay/[^"]+"></noscript>`)
	for phase, want := range map[string]bool{
		"amount": false, "pay": true, "checking": true, "late": true, "completed": false, "canceled": false, "expired": false,
	} {
		if got := reloads.MatchString(s.get(shown(phase, payments[phase])).body); got != want {
			t.Errorf("%s reloads: %v, want %v", phase, got, want)
		}
	}
	if reloads.MatchString(s.get(path(payments["pay"]) + "?step=amount").body) {
		t.Error("the form to change the amount reloads")
	}
}

// TestTimeOver: once the time is over nobody is shown an account to pay to, even before the payment has expired.
func TestTimeOver(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	s.Clock.Set(p.ExpiresAt.Add(-time.Microsecond))
	if got := s.get(path(p)); !strings.Contains(got.body, p.Account.IBAN) {
		t.Error("no account before the end")
	}
	s.Clock.Set(p.ExpiresAt)
	got := s.get(path(p))
	if strings.Contains(got.body, p.Account.IBAN) || !strings.Contains(got.text(), "This payment has expired") {
		t.Errorf("at the end:\n%s", got.text())
	}
	if !strings.Contains(got.body, "data-state=") {
		t.Error("the page does not wait for the payment to expire")
	}
}

// TestEndTomorrow: the end of the time carries its date when that is not today, in the service's zone.
func TestEndTomorrow(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Clock.Set(time.Date(2026, 3, 2, 20, 45, 0, 0, time.UTC))
	if got := s.get(path(s.deposit()) + "?lang=tr").text(); !strings.Contains(got, "Bitiş: 3 Mart 2026 00:15 (GMT+3)") {
		t.Errorf("no date in\n%s", got)
	}
}

// TestHostileName: a site's name is text, wherever it stands.
func TestHostileName(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	site := s.Site
	site.Name = `"><script>alert(1)</script>`
	p := s.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: lira(10), Site: site, Language: lang.TR})
	if got := s.get(path(p)); strings.Contains(got.body, "<script>alert") || !strings.Contains(got.body, "&lt;script&gt;alert") {
		t.Errorf("the name is not escaped:\n%s", got.body)
	}
}

// TestThePageOpensOnTheDetails: the amount that was asked for is offered an account at once, to who looks: not to a program that asks
// whether the page is there, nor ahead of a click. Where no account takes it the form says so, and the offer stays as it is afterwards.
func TestThePageOpensOnTheDetails(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	ahead := s.request(http.MethodGet, path(p), nil)
	ahead.Header.Set("Sec-Purpose", "prefetch")
	for _, r := range []*http.Request{ahead, s.request(http.MethodHead, path(p), nil), s.request(http.MethodGet, form(p), nil)} {
		if s.send(r); s.Reload(t, p).Account.AccountID != 0 {
			t.Errorf("%s %s with %v has an account offered", r.Method, r.URL, r.Header)
		}
	}
	for range 2 {
		if got := s.get(path(p)); !strings.Contains(got.text(), "Send ₺250.00") || !strings.Contains(got.text(), "in the name of Ayşe Yılmaz") {
			t.Errorf("not the details:\n%s", got.text())
		}
	}
	if now := s.Reload(t, p); now.Account.AccountID == 0 || now.Version != p.Version+1 || !now.Amount.Equal(p.Amount) {
		t.Errorf("now %+v", now)
	}
	large := s.StartDeposit(t, payment.ManualDeposit, lira(200_000))
	got := s.get(path(large) + "?lang=en")
	to := must(url.Parse(got.header.Get("Location")))(t).Query()
	if got.status != http.StatusSeeOther || to.Get("problem") != "no_account" || to.Get("amount") != "200000" || to.Get("lang") != "en" {
		t.Errorf("an amount that no account takes: %d to %v", got.status, to)
	}
	if text := s.get(got.header.Get("Location")).text(); strings.Count(text, "Try another amount from") != 2 { // once in the title
		t.Errorf("said once in the page and once in the title:\n%s", text)
	}
}

// TestTheDescriptionOfATransfer: where the bank's lines are read, the code that a line is found by is shown to be copied; where people
// look, the description stays empty.
func TestTheDescriptionOfATransfer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	read, looked := s.StartDeposit(t, payment.EIBANDeposit, lira(90_000)), s.deposit()
	if got := s.get(path(read)); !strings.Contains(got.text(), "Put the code above, and nothing else, in the description") ||
		strings.Count(got.body, `data-copy="`+read.TrackingCode+`"`) != 2 {
		t.Errorf("the code is not told:\n%s", got.text())
	}
	if got := s.get(path(looked)); !strings.Contains(got.text(), "Leave the description empty.") || strings.Contains(got.text(), "Put the code above") {
		t.Errorf("the description is not to be left empty:\n%s", got.text())
	}
}

// TestHowLongCheckingTakes is said where it is known, and no longer once it has passed.
func TestHowLongCheckingTakes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := must(s.Deposits.ClaimPaid(t.Context(), s.offered()))(t)
	says := func(want ...string) {
		t.Helper()
		for i, tag := range []string{"tr", "en"} {
			if got := s.get(path(p) + "?lang=" + tag).text(); want[i] != "" && !strings.Contains(got, want[i]) || want[i] == "" && (strings.Contains(got, "genellikle") || strings.Contains(got, "usual")) {
				t.Errorf("%s: want %q in %s", tag, want[i], got)
			}
		}
	}
	says("", "")
	s.usualWait = 5 * time.Minute
	says("Kontrol genellikle 5 dakika içinde biter.", "Checking is usually done within 5 minutes.")
	s.usualWait = time.Minute
	says("genellikle 1 dakika içinde", "within 1 minute.")
	s.usualWait = 2 * time.Hour
	says("genellikle 2 saat içinde", "within 2 hours.")
	s.usualWait = time.Minute
	s.Clock.Advance(2 * time.Minute)
	says("Bu kez her zamankinden uzun sürüyor", "It is taking longer than usual")
}
