package paypage_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="12" fill="#7a1fa2"/><script>alert(1)</script></svg>`

// branded gives the site a brand.
func (s *stage) branded(p owner.BrandPatch) {
	s.t.Helper()
	site := must(p.Apply(s.Site, true, s.Clock.Now()))(s.t)
	if err := s.Store.Commit(s.t.Context(), core.Changeset{site}); err != nil {
		s.t.Fatal(err)
	}
	s.Site = site
}

// whole is a brand with everything.
func whole() owner.BrandPatch {
	return owner.BrandPatch{
		DisplayName: new("Çiçek & Dal"), Logo: new(base64.StdEncoding.EncodeToString([]byte(drawing))), Color: new("#ffb300"),
		SupportEmail: new("destek@cicek.example"), SupportPhone: new("+90 (212) 000 00 00"), SupportURL: new("https://cicek.example/destek"),
		TermsURL: new("https://cicek.example/kosullar?a=1&b=2"), PrivacyURL: new("https://cicek.example/gizlilik"),
		ReturnLabel: new("Siparişime dön"), HomeURL: new("https://cicek.example/siparis"),
	}
}

// TestThePageIsTheSites: every page of a payment shows the site's name, logo, contacts and links, and never its own name for the house.
func TestThePageIsTheSites(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.branded(whole())
	for name, address := range s.everyPage() {
		got := s.get(address)
		if name == "missing" {
			continue
		}
		for _, want := range []string{
			"<title>", "Çiçek &amp; Dal", `href="mailto:destek@cicek.example"`, `href="tel:&#43;902120000000"`, `href="https://cicek.example/destek" rel="noreferrer"`,
			`href="https://cicek.example/kosullar?a=1&amp;b=2" rel="noreferrer"`, `href="https://cicek.example/gizlilik"`, `<img class="logo"`, "<style>:root{--brand:",
		} {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		if strings.Contains(got.body, "Acme Pay Site") {
			t.Errorf("%s still says the house's name of the site", name)
		}
		if policy := got.header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe-inline") || !strings.Contains(policy, "style-src 'self' 'sha256-") {
			t.Errorf("%s: the policy is %s", name, policy)
		}
	}
	p := s.deposit()
	must(s.Deposits.Cancel(t.Context(), p))(t)
	if got := s.get(path(p)); !strings.Contains(got.text(), "Siparişime dön") {
		t.Error("the way back is not called as the site calls it")
	}
}

// dealersCard is a card payment of the dealer's own.
func (s *stage) dealersCard() (made payment.Payment) {
	s.t.Helper()
	must(s.Dealers.StartCard(s.t.Context(), app.Creation{
		Request: payment.Request{
			Method: payment.CreditCard, Dealer: s.Dealer, Amount: lira(250), Language: lang.TR,
			Customer: owner.Customer{UserID: "u-1", Username: "u-1", Fullname: "Ayşe Yılmaz"},
		},
		Render: func(p payment.Payment) (app.Answer, error) {
			made = p
			return app.Answer{Status: http.StatusOK}, nil
		},
	}))(s.t)
	return made
}

// TestADealersOwnPageIsTheDealers: it has the dealer's brand and logo, at once and whenever the brand is changed; the page of a site whose
// payments the dealer processes has none of it.
func TestADealersOwnPageIsTheDealers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p, site := s.dealersCard(), s.card()
	if got := s.get(path(p)); strings.Contains(got.body, "<style>") || !strings.Contains(got.body, s.Dealer.Name) {
		t.Errorf("a dealer without a brand has one, or no name:\n%s", got.body)
	}
	if got := s.get(path(p) + "/logo"); got.status != http.StatusNotFound {
		t.Errorf("no logo: %d", got.status)
	}
	brand := whole()
	s.Dealer = must(owner.DealerPatch{Brand: &brand, ReturnsPatch: owner.ReturnsPatch{HomeURL: brand.HomeURL}}.Apply(s.Dealer, s.Clock.Now()))(t)
	if err := s.Store.Commit(t.Context(), core.Changeset{s.Dealer}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Çiçek &amp; Dal", `href="mailto:destek@cicek.example"`, `href="https://cicek.example/gizlilik"`, `<img class="logo"`, "<style>:root{--brand:"} {
		if got := s.get(path(p)); !strings.Contains(got.body, want) {
			t.Errorf("the dealer's own page lacks %s", want)
		}
		if got := s.get(path(site)); strings.Contains(got.body, want) {
			t.Errorf("the page of the site has %s", want)
		}
	}
	if got := s.get(path(p) + "/logo?v=" + s.Dealer.Brand.Logo.Hash()); got.status != http.StatusOK || got.body != string(s.Dealer.Brand.Logo.Content()) {
		t.Errorf("the logo: %d %s", got.status, got.body)
	}
	if got := s.get(path(site) + "/logo"); got.status != http.StatusNotFound {
		t.Errorf("the logo of the site: %d", got.status)
	}
	if got := s.get(path(p)); strings.Contains(got.body, s.Dealer.Name) {
		t.Error("the page still says the house's name of the dealer")
	}
}

// TestTheLogoIsAPicture: served as what it is, from here, with nothing that runs; not where there is none, and not without a payment.
func TestTheLogoIsAPicture(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	if got := s.get(path(p) + "/logo"); got.status != http.StatusNotFound {
		t.Errorf("no logo: %d", got.status)
	}
	if got := s.get(path(p)); strings.Contains(got.body, "<style>") || strings.Contains(got.body, "class=\"logo\"") {
		t.Error("a site without a brand has one")
	}
	s.branded(whole())
	at := path(p) + "/logo?v=" + s.Site.Brand.Logo.Hash()
	got := s.get(at)
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "image/svg+xml" || strings.Contains(got.body, "script") || !strings.Contains(got.body, "<rect") {
		t.Errorf("got %d %s %s", got.status, got.header.Get("Content-Type"), got.body)
	}
	if policy := got.header.Get("Content-Security-Policy"); policy != "default-src 'none'; sandbox; frame-ancestors 'none'" || got.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the policy is %s", policy)
	}
	if kept := s.get(path(p) + "/logo?v=other").header.Get("Cache-Control"); !strings.Contains(got.header.Get("Cache-Control"), "immutable") || kept != "no-store" {
		t.Errorf("kept: %s, and under another name: %s", got.header.Get("Cache-Control"), kept)
	}
	if got := s.get("/pay/nothing/logo/" + s.Site.Brand.Logo.Hash()); got.status != http.StatusNotFound {
		t.Errorf("without a payment: %d", got.status)
	}
}
