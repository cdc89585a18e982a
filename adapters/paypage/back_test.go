package paypage_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
)

// leadsTo is where the pages of the site's payments lead back to from now on.
func (s *stage) leadsTo(address string) {
	s.t.Helper()
	s.Site.HomeURL = address
	s.Site.Version++
	if err := s.Store.Commit(s.t.Context(), core.Changeset{s.Site}); err != nil {
		s.t.Fatal(err)
	}
}

// TestTheWayBack: where a payment has ended the page leads back, in both languages; before that it does not.
func TestTheWayBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.leadsTo(`https://shop.example/thanks?a=1&b="><script>`)
	ended := map[string]bool{"completed": true, "canceled": true, "expired": true}
	for phase, p := range s.inEachPhase() {
		for tag, text := range map[string]string{"tr": "Acme Pay Site sitesine dön", "en": "Back to Acme Pay Site"} {
			got := s.get(path(p) + "?lang=" + tag)
			if leads := strings.Contains(got.text(), text); leads != ended[phase] || strings.Contains(got.body, `"><script>`) {
				t.Errorf("%s in %s leads back: %t\n%s", phase, tag, leads, got.body)
			}
			if leads := strings.Contains(got.body, `href="https://shop.example/thanks?a=1`); leads != ended[phase] {
				t.Errorf("%s in %s leads to the address: %t", phase, tag, leads)
			}
			if ended[phase] && !strings.Contains(got.body, `rel="noreferrer"`) {
				t.Errorf("%s tells the address of the page", phase)
			}
		}
	}
}

// TestTheWayBackIsAWebsites: what is no address of one leads nowhere, whoever wrote it into the database, and nothing leads nowhere.
func TestTheWayBackIsAWebsites(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, address := range []string{"", "javascript:alert(1)", "data:text/html,x", "//evil.example", "/evil", " https://evil.example"} {
		s.leadsTo(address)
		p := s.deposit()
		must(s.Deposits.Cancel(t.Context(), p))(t)
		if got := s.get(path(p)); !strings.Contains(got.text(), "The payment was canceled") || strings.Contains(got.text(), "Back to Acme") ||
			strings.Contains(got.body, "evil.example") || strings.Contains(got.body, "alert(1)") {
			t.Errorf("the page leads to %q:\n%s", address, got.body)
		}
	}
}
