package paypage_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

const (
	strictPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	// Browsers hold the redirect that answers a form to form-action, too.
	beginPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"form-action 'self' https: http:; frame-ancestors 'none'; base-uri 'none'"
)

// TestGatewayHeaders: every page is locked down; only a form that may end at a gateway may lead out.
func TestGatewayHeaders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, page := range s.atGateways() {
		got := s.get(page)
		want := s.narrowed(strictPolicy)
		if strings.Contains(got.body, `/begin`) {
			want = s.narrowed(beginPolicy)
		}
		for header, value := range map[string]string{
			"Content-Security-Policy": want, "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
			"X-Content-Type-Options": "nosniff",
		} {
			if got.header.Get(header) != value {
				t.Errorf("%s: %s is %q, want %q", name, header, got.header.Get(header), value)
			}
		}
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie", name)
		}
	}
	p := s.card()
	for name, got := range map[string]answer{"begin": s.begin(p, nil), "return": s.get(s.back(p)), "go": s.get(path(p) + "/go")} {
		if got.header.Get("Referrer-Policy") != "no-referrer" || got.header.Get("Cache-Control") != "no-store" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", name, got.header)
		}
	}
}

// TestLeavingIsNarrow: the page that sends a form lets it go to its one place; a gateway's document reaches its own
// hosts only, in an origin of its own.
func TestLeavingIsNarrow(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		next gateway.NextStep
		want string
	}{
		"form": {
			gateway.NextStep{Form: &gateway.FormPost{Action: "https://Bank.test:8443/gate?x=1"}},
			strings.Replace(strictPolicy, "form-action 'self'", "form-action https://Bank.test:8443", 1),
		},
		"document": {
			gateway.NextStep{HTML: &gateway.HostedHTML{Document: "<script>x</script>", Origins: []string{"https://api.bank.test", "https://acs.test:444/"}}},
			"default-src 'none'; sandbox allow-forms allow-scripts; base-uri 'none'; frame-ancestors 'none'; " +
				"connect-src https://api.bank.test https://acs.test:444; font-src https://api.bank.test https://acs.test:444; " +
				"frame-src https://api.bank.test https://acs.test:444; form-action https://api.bank.test https://acs.test:444; " +
				"img-src data: https://api.bank.test https://acs.test:444; script-src 'unsafe-inline' https://api.bank.test https://acs.test:444; " +
				"style-src 'unsafe-inline' https://api.bank.test https://acs.test:444",
		},
		"document alone": {
			gateway.NextStep{HTML: &gateway.HostedHTML{Document: "<p>"}},
			"default-src 'none'; sandbox allow-forms allow-scripts; base-uri 'none'; frame-ancestors 'none'; connect-src 'none'; " +
				"font-src 'none'; frame-src 'none'; form-action 'none'; img-src data:; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.booth.leads(tt.next)
			got := s.get(path(s.begun(payment.CreditCard, nil)) + "/go")
			if policy := got.header.Get("Content-Security-Policy"); got.status != http.StatusOK || policy != s.narrowed(tt.want) {
				t.Errorf("%d\n%s, want\n%s", got.status, policy, tt.want)
			}
			if html := tt.next.HTML; html != nil && got.body != html.Document {
				t.Errorf("the document is %s", got.body)
			}
		})
	}
}

// TestBadAddresses: a gateway whose address is no plain http or https one leads nowhere; it is logged, and said kindly.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"javascript:alert(1)", "data:text/html,x", "//bank.test/x", "/pay/x", "", "ftp://bank.test/", "https://", "https:bank.test",
		"http://user:secret-of-gateway@bank.test/", "https://bank.test;script-src%20*/", "https://bank.test,evil/", "https://b\u00e4nk.test/",
		"https://bank.test\x00/", "https://*/", "vbscript:x", "https://bank'test/", "HTTPS://:443/",
	} {
		for name, next := range map[string]gateway.NextStep{
			"redirect": {Redirect: &gateway.Redirect{URL: bad}}, "form": {Form: &gateway.FormPost{Action: bad}},
			"document": {HTML: &gateway.HostedHTML{Origins: []string{"https://bank.test", bad}}},
		} {
			s := newStage(t)
			s.booth.leads(next)
			p := s.StartDeposit(t, payment.WalletDeposit, lira(250))
			got := s.post(path(p)+"/begin?lang=en", nil)
			if got.header.Get("Location") == path(p)+"/go?lang=en" {
				got = s.get(path(p) + "/go?lang=en")
			}
			if got.status != http.StatusBadGateway || !strings.Contains(got.text(), "The secure payment page could not be opened") ||
				got.header.Get("Location") != "" || bad != "" && strings.Contains(got.body, `"`+bad) {
				t.Errorf("%s to %q: %d to %q\n%s", name, bad, got.status, got.header.Get("Location"), got.text())
			}
			if logs := s.Logs.String(); !strings.Contains(logs, "GATEWAY_UNUSABLE") || strings.Contains(logs, "secret-of-gateway") || strings.Contains(logs, p.Token) {
				t.Errorf("%s to %q: logs\n%s", name, bad, logs)
			}
			if got := s.get(path(p) + "?step=pick"); got.status != http.StatusOK || !strings.Contains(got.text(), "How would you like to pay?") {
				t.Errorf("%s to %q: no other way\n%s", name, bad, got.text())
			}
		}
	}
}

// TestOriginsWithMore: what a document may reach is whole hosts; an address below one is a mistake of the plugin's.
func TestOriginsWithMore(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"https://bank.test/path", "https://bank.test?x", "https://bank.test/#x", "https://bank.test'unsafe-eval'"} {
		s := newStage(t)
		s.booth.leads(gateway.NextStep{HTML: &gateway.HostedHTML{Origins: []string{bad}}})
		if got := s.get(path(s.begun(payment.CreditCard, nil)) + "/go"); got.status != http.StatusBadGateway {
			t.Errorf("%s: %d, %s", bad, got.status, got.header.Get("Content-Security-Policy"))
		}
	}
}

const hostile = `"><script>alert(1)</script>`

// TestHostileGateway: whatever a gateway says is text, wherever it stands.
func TestHostileGateway(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.rename(&s.Gateway, hostile, hostile)
	s.booth.options = []gateway.Option{
		{ID: hostile, Title: hostile, Asset: gateway.Asset{Code: hostile, Network: hostile, Decimals: 2}}, {ID: "b", Title: "B"},
	}
	s.booth.needs = []gateway.FieldSpec{
		{Name: hostile, Label: hostile, IsOptional: true}, {Name: "bank_code", Check: gateway.CheckChoice, Choices: []string{hostile}, IsOptional: true},
	}
	s.booth.leads(gateway.NextStep{Pay: &gateway.Instructions{
		Kind: gateway.Crypto, Address: hostile, Memo: hostile, QR: hostile, Lines: [][2]string{{hostile, hostile}},
		Asset: gateway.Asset{Code: hostile, Network: hostile, Decimals: 2}, Reference: hostile, Holder: hostile, Bank: hostile,
	}})
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250))
	pages := []answer{
		s.get(path(p)), s.get(path(p) + "?kind=crypto&gateway=" + pick("", s.Gateway.ID, "").Get("gateway_id")),
		s.get(path(p) + "?" + url.Values{"kind": {hostile}, "gateway": {hostile}, "option": {hostile}, "notice": {hostile}, "step": {hostile}}.Encode()),
		s.post(path(p)+"/begin", pick(gateway.Crypto, s.Gateway.ID, "")), s.post(path(p)+"/begin", pick(gateway.Bank, s.Gateway.ID, hostile)),
	}
	s.begin(p, pick(gateway.Crypto, s.Gateway.ID, hostile))
	pages = append(pages, s.get(path(p)))
	for i, got := range pages {
		if strings.Contains(got.body, "<script>alert") || strings.Contains(got.body, hostile) {
			t.Errorf("page %d is not escaped:\n%s", i, got.body)
		}
	}
	if !strings.Contains(pages[len(pages)-1].body, "&gt;&lt;script&gt;alert(1)") {
		t.Errorf("the details are not shown:\n%s", pages[len(pages)-1].body)
	}
}

// TestGatewayNothingInline: no page at gateways has a script, a style or a handler of its own, nor anything of another
// host.
func TestGatewayNothingInline(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bad := regexp.MustCompile(`(?i)<script>|<style|\sstyle=|\son[a-z]+=|javascript:|(?:src|href|action)="(?:https?:)?//`)
	for name, page := range s.atGateways() {
		if found := bad.FindString(s.get(page).body); found != "" {
			t.Errorf("%s has %q", name, found)
		}
	}
}

// TestGatewaySize: every page at gateways weighs less than 30 KB with all that belongs to it.
func TestGatewaySize(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	pages := s.atGateways()
	s.booth.leads(gateway.NextStep{Form: &gateway.FormPost{Action: "https://bank.test/gate", Fields: [][2]string{{"a", "1"}}}})
	pages["leave"] = path(s.begun(payment.CreditCard, nil)) + "/go?"
	for name, page := range pages {
		for _, tag := range []string{"tr", "en"} {
			if total := s.weigh(s.get(page + "lang=" + tag)); total >= 30_000 {
				t.Errorf("%s in %s weighs %d bytes", name, tag, total)
			} else {
				t.Logf("%s in %s: %d bytes", name, tag, total)
			}
		}
	}
}

// weigh is the size of a page with its assets.
func (s *stage) weigh(page answer) int {
	s.t.Helper()
	total := len(page.body)
	for _, asset := range assetOf.FindAllStringSubmatch(page.body, -1) {
		total += len(s.get(asset[1]).body)
	}
	return total
}

// TestGatewayCrossSite: no other site can begin a payment, or call it off.
func TestGatewayCrossSite(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.card()
	for _, action := range []string{"/begin", "/cancel"} {
		r := s.request(http.MethodPost, path(p)+action, nil)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		if got := s.send(r); got.status != http.StatusForbidden {
			t.Errorf("%s: %d", action, got.status)
		}
		huge := url.Values{"iban": {strings.Repeat("x", 9000)}}
		if got := s.post(path(p)+action, huge); got.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s of 9 KB: %d", action, got.status)
		}
	}
	if now := s.Reload(t, p); now.Version != p.Version {
		t.Errorf("it changed: %+v", now)
	}
	for at, allow := range map[string]string{"/begin": "POST", "/go": "GET, HEAD"} {
		got := s.send(s.request(http.MethodDelete, path(p)+at, nil))
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != allow {
			t.Errorf("%s: %d, Allow %q", at, got.status, got.header.Get("Allow"))
		}
	}
}

// TestForeignToken: a token of one payment does nothing to another, whatever a form says.
func TestForeignToken(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mine, theirs := s.card(), s.card()
	s.begin(mine, url.Values{"token": {theirs.Token}, "tracking_code": {theirs.TrackingCode}})
	if s.Reload(t, theirs).Version != theirs.Version || s.Reload(t, mine).Version == mine.Version {
		t.Error("the wrong payment was begun")
	}
	for _, below := range []string{"/begin", "/cancel"} {
		if got := s.post("/pay/"+strings.Repeat("0", len(mine.Token))+below, nil); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", below, got.status)
		}
	}
	for _, below := range []string{"/go", "/state"} {
		if got := s.get("/pay/" + strings.Repeat("0", len(mine.Token)) + below); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", below, got.status)
		}
	}
}

// TestClientAddress is asked of whoever knows the proxies in front.
func TestClientAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.behindProxy("203.0.113.9")
	p := s.card()
	s.begin(p, nil)
	s.get(s.back(p))
	if ip := s.booth.orders[0].Customer.IP; ip != "203.0.113.9" {
		t.Errorf("the order is from %s", ip)
	}
	if peer := s.booth.visits[0].Peer.String(); peer != "203.0.113.9" {
		t.Errorf("the return is from %s", peer)
	}
}
