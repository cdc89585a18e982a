package paypage_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
)

// TestAmounts: an amount is understood or refused, never misread. An empty want is a refusal for the named reason.
func TestAmounts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		typed, tr, en string // the amount in tr and en, or why not
	}{
		{"250", "250.00", "250.00"},
		{"250,50", "250.50", "250.50"},
		{"250.50", "250.50", "250.50"},
		{"250,5", "250.50", "250.50"},
		{"0250", "250.00", "250.00"},
		{" 250 ", "250.00", "250.00"},
		{"1.250,50", "1250.50", "1250.50"},
		{"1,250.50", "1250.50", "1250.50"},
		{"1.250,50 ₺", "1250.50", "1250.50"},
		{"₺1,250.50", "1250.50", "1250.50"},
		{"₺ 250", "250.00", "250.00"},
		{"250TL", "250.00", "250.00"},
		{"250 tl", "250.00", "250.00"},
		{"250 TRY", "250.00", "250.00"},
		{"250 lira", "250.00", "250.00"},
		{"1 250", "1250.00", "1250.00"},
		{"1\u00a0250,50", "1250.50", "1250.50"},
		{"1\u202f250.50", "1250.50", "1250.50"},
		{"1.250", "1250.00", "ambiguous"},
		{"1,250", "ambiguous", "1250.00"},
		{"12.345", "12345.00", "ambiguous"},
		{"0.250", "decimals", "decimals"},
		{"0,250", "decimals", "decimals"},
		{"1250.500", "decimals", "decimals"},
		{"1250,505", "decimals", "decimals"},
		{"1.250,505", "decimals", "decimals"},
		{"250.5050", "decimals", "decimals"},
		{"1.2500", "decimals", "decimals"},
		{"12 50", "format", "format"},
		{"1 25 0", "format", "format"},
		{"1.25.00", "format", "format"},
		{"1.250,50,1", "format", "format"},
		{"1,250,50", "format", "format"},
		{"1.250 000,5", "format", "format"},
		{"01.250,50", "format", "format"},
		{"12.50,5", "format", "format"},
		{"250,", "format", "format"},
		{",50", "format", "format"},
		{".", "format", "format"},
		{"-250", "format", "format"},
		{"+250", "format", "format"},
		{"2e3", "format", "format"},
		{"0x10", "format", "format"},
		{"٢٥٠", "format", "format"},
		{"250₺ TL", "format", "format"},
		{"1'250", "format", "format"},
		{"250;DROP", "format", "format"},
		{"\xff250", "format", "format"},
		{"", "empty", "empty"},
		{"   ", "empty", "empty"},
		{"0", "small", "small"},
		{"0,99", "small", "small"},
		{"1", "1.00", "1.00"},
		{"1.000.000", "no_account", "no_account"},
		{"1,000,000", "no_account", "no_account"},
		{"999999999,99", "no_account", "no_account"},
		{"1000000000", "large", "large"},
		{strings.Repeat("9", 41), "large", "large"},
		{strings.Repeat("9", 8000), "large", "large"},
	}
	for _, tag := range lang.Tags() {
		t.Run(string(tag), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			for _, tt := range tests {
				want := tt.tr
				if tag == lang.EN {
					want = tt.en
				}
				if got := s.typed(tt.typed, tag); got != want {
					t.Errorf("%.50q in %s is %s, want %s", tt.typed, tag, got, want)
				}
			}
		})
	}
}

// typed has an amount typed into a new deposit's form and gives what came of it.
func (s *stage) typed(text string, tag lang.Tag) string {
	s.t.Helper()
	p := s.StartDeposit(s.t, payment.EIBANDeposit, lira(777))
	got := s.post(path(p)+"/continue?lang="+string(tag), url.Values{"amount": {text}})
	to := must(url.Parse(got.header.Get("Location")))(s.t)
	if got.status != http.StatusSeeOther || to.Path != path(p) || to.Query().Get("lang") != string(tag) {
		s.t.Errorf("%.50q: %d to %s", text, got.status, to)
	}
	now := s.Reload(s.t, p)
	if why := to.Query().Get("problem"); why != "" {
		if now.Account.AccountID != 0 || !now.Amount.Equal(p.Amount) {
			s.t.Errorf("%.50q was refused and still changed something", text)
		}
		s.shownAgain(to.RequestURI(), text)
		return why
	}
	return now.Amount.String()
}

// shownAgain checks that a refused amount is given back to be corrected, beside the reason.
func (s *stage) shownAgain(address, text string) {
	s.t.Helper()
	got := s.get(address)
	for _, want := range []string{`role="alert"`, `aria-invalid="true"`, `id="why" role="alert"`, `id="why"`} {
		if got.status != http.StatusOK || !strings.Contains(got.body, want) {
			s.t.Errorf("%.50q: %d, no %s", text, got.status, want)
		}
	}
	typed := regexp.MustCompile(`name="amount"[^>]* value="([^"]*)"`).FindStringSubmatch(got.body)
	if len(text) <= 64 && utf8.ValidString(text) && html.UnescapeString(typed[1]) != text {
		s.t.Errorf("%q is given back as %q", text, typed[1])
	}
}

// TestNoAccount: when no account fits, the customer is told what would, and nothing is lost.
func TestNoAccount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	got := s.post(path(p)+"/continue", url.Values{"amount": {"200000"}})
	page := s.get(got.header.Get("Location"))
	if want := "Try another amount from ₺1.00 to ₺100,000.00."; !strings.Contains(page.text(), want) {
		t.Errorf("want %q in\n%s", want, page.text())
	}
	if !strings.Contains(page.body, `value="200000"`) {
		t.Error("the typed amount is gone")
	}
	if now := s.Reload(t, p); now.Version != p.Version {
		t.Errorf("the payment changed: %+v", now)
	}
}

// TestClosed: where no account takes anything, the page says so at once, and keeps the payment for later.
func TestClosed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: lira(250), Provider: s.OtherProvider, Site: s.OtherSite})
	if got := s.get(path(p)); !strings.Contains(got.text(), "No account is available for deposits right now.") {
		t.Errorf("not closed:\n%s", got.text())
	}
	got := s.get(s.post(path(p)+"/continue", url.Values{"amount": {"250"}}).header.Get("Location"))
	if !strings.Contains(got.text(), "Your payment is kept; please try again in a few minutes.") {
		t.Errorf("not closed after Continue:\n%s", got.text())
	}
}

// TestRangeIsWhatIsLeft: the advice counts what other customers already hold of the day's limits.
func TestRangeIsWhatIsLeft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, amount := range []int64{100_000, 100_000, 100_000, 100_000, 98_000} { // of 500,000 a day
		other := s.StartDeposit(t, payment.ManualDeposit, lira(amount))
		must(s.Deposits.Continue(t.Context(), other, other.Amount))(t)
	}
	p := s.deposit()
	if got := s.get(form(p)).text(); !strings.Contains(got, "From ₺1.00 to ₺5,000.00.") {
		t.Errorf("the range is not what is left:\n%s", got)
	}
}

// TestPostsRedirect: every form is answered with 303 to the page, so that reloading never sends it again.
func TestPostsRedirect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	steps := []struct {
		action string
		form   url.Values
		want   payment.Status
	}{
		{"continue", url.Values{"amount": {"300"}}, payment.Showing},
		{"continue", url.Values{"amount": {"300"}}, payment.Showing}, // pressed twice
		{"paid", nil, payment.Processing},
		{"paid", nil, payment.Processing},
		{"cancel", nil, payment.Canceled},
		{"cancel", nil, payment.Canceled},
	}
	for _, step := range steps {
		got := s.post(path(p)+"/"+step.action, step.form)
		if got.status != http.StatusSeeOther || got.header.Get("Location") != path(p) {
			t.Errorf("%s: %d to %q", step.action, got.status, got.header.Get("Location"))
		}
		if now := s.Reload(t, p); now.Status != step.want || !now.Amount.Equal(lira(300)) {
			t.Errorf("%s: %s %s", step.action, now.Status, now.Amount)
		}
	}
}

// TestStaleForms: a form from an old tab never harms. It shows where the payment stands, with a notice.
func TestStaleForms(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	amount := url.Values{"amount": {"900"}}
	old := func(p payment.Payment) url.Values { return url.Values{"version": {strconv.Itoa(p.Version)}} }
	offer, changed := s.offered(), s.offered()
	must(s.Deposits.Continue(t.Context(), changed, lira(400)))(t)
	claim := must(s.Deposits.ClaimPaid(t.Context(), s.offered()))(t)
	completed := s.approve(s.claimed(), lira(250))
	gone := s.offered()
	s.Clock.Set(gone.ExpiresAt) // the time is over, the status not yet
	tests := []struct {
		name   string
		p      payment.Payment
		action string
		form   url.Values
		notice string
		status payment.Status
	}{
		{"paid after completion", completed, "paid", old(offer), "stale", payment.Completed},
		{"cancel after completion", completed, "cancel", old(offer), "stale", payment.Completed},
		{"continue after completion", completed, "continue", amount, "stale", payment.Completed},
		{"an unreadable amount after completion", completed, "continue", url.Values{"amount": {"x"}}, "stale", payment.Completed},
		{"continue after paid", claim, "continue", amount, "stale", payment.Processing},
		{"cancel of the offer after paid", claim, "cancel", old(offer), "changed", payment.Processing},
		{"paid to what was changed", changed, "paid", old(changed), "changed", payment.Showing},
		{"cancel of what was changed", changed, "cancel", old(changed), "changed", payment.Showing},
		{"continue after the time", gone, "continue", amount, "stale", payment.Showing},
	}
	for _, tt := range tests {
		got := s.post(path(tt.p)+"/"+tt.action, tt.form)
		to := got.header.Get("Location")
		if got.status != http.StatusSeeOther || to != path(tt.p)+"?notice="+tt.notice {
			t.Errorf("%s: %d to %q", tt.name, got.status, to)
			continue
		}
		if now := s.Reload(t, tt.p); now.Status != tt.status || now.Amount.Equal(lira(900)) {
			t.Errorf("%s: now %s %s", tt.name, now.Status, now.Amount)
		}
		if page := s.get(to); page.status != http.StatusOK || !strings.Contains(page.body, `<div class="notice"`) {
			t.Errorf("%s: no notice on\n%s", tt.name, page.text())
		}
	}
}

// TestPaidBeforeContinue: nobody can claim to have paid to an account that was never shown.
func TestPaidBeforeContinue(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	got := s.post(path(p)+"/paid", nil)
	if got.status != http.StatusSeeOther || got.header.Get("Location") != path(p)+"?notice=stale" {
		t.Errorf("%d to %q", got.status, got.header.Get("Location"))
	}
	if now := s.Reload(t, p); now.Status != payment.Showing {
		t.Errorf("now %s", now.Status)
	}
}
