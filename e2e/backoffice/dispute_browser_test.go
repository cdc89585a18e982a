package backoffice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// disputedCards are card payments that their payers dispute, and the gateway's ids of the disputes.
func disputedCards(t *testing.T, s *harness.Shop, amounts ...string) (cards []harness.Payment, ids []string) {
	t.Helper()
	for _, amount := range amounts {
		card := s.Provider.Card(t, amount)
		card.Must(t, harness.Press("begin"), harness.WithCard(bank.TestCard("00")))
		harness.Eventually(t, func() error {
			if found := s.Operator.Transaction(t, card.TrackingCode); found.Status != "COMPLETED" {
				return fmt.Errorf("it is %s", found.Status)
			}
			return nil
		})
		d, err := s.Till.OpenDispute(s.Operator.Reference(t, card, "DEPOSIT"), nil, "not_received", bank.NeedsResponse)
		if err != nil {
			t.Fatal(err)
		}
		cards, ids = append(cards, card), append(ids, d.ID)
	}
	return cards, ids
}

// TestBrowserADisputeIsAnsweredOrConceded: the gateway tells of two disputes. One is answered on a phone, with a file of the transaction, and
// is won; the other is conceded on a desktop, and lost once a second person has agreed.
func TestBrowserADisputeIsAnsweredOrConceded(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	s := in.OpenShop()
	cards, ids := disputedCards(t, s, "250.00", "75.00")
	if id, a := s.Operator.Attach(t, cards[0].TrackingCode, "", "teslim.pdf", []byte("%PDF-1.4 delivered")); id == "" {
		t.Fatalf("the file is not taken: %s", a.Body)
	}
	list := "/disputes?state=NEEDS_RESPONSE&sort=EVIDENCE_DUE_ASC"
	b := inConsole(t, in, s.Server, "operator", "/console"+list, "en", 360)
	b.Until(`document.querySelectorAll(".list tbody tr").length === 2`)
	b.Visit(s.Server.URL + "/console/transactions/" + cards[0].TrackingCode)
	press(b, "a", "Show the dispute")
	press(b, "button", "Submit evidence")
	b.Has("[role=dialog] textarea[name=statement]")
	writes(b, "[role=dialog] textarea[name=statement]", "Delivered on the same day.")
	choose(b, "SERVICE", "teslim.pdf")
	screen(b, "dispute-evidence-en-360", 360)
	press(b, "[role=dialog] button", "Submit evidence")
	says(b, "Submitted")
	says(b, "Under review")
	says(b, "Delivered on the same day.")
	says(b, "teslim.pdf")
	if got := s.Till.Evidence(ids[0]); len(got) != 1 || got[0]["statement"] != "Delivered on the same day." || got[0]["service"] == "" {
		t.Errorf("the gateway has %v", got)
	}
	if err := s.Till.MoveDispute(ids[0], bank.Won); err != nil {
		t.Fatal(err)
	}
	says(b, "Won")
	screen(b, "dispute-won-en-360", 360)

	own := inConsole(t, in, s.Server, "operator", "/console"+list, "tr", 1280)
	press(own, "button", "İtirazı kabul et")
	writes(own, "[role=dialog] textarea[name=reason]", "Müşteri haklı")
	screen(own, "dispute-accept-tr-1280", 1280)
	press(own, "[role=dialog] button", "İtirazı kabul et")
	own.Has(`.results a[href^="/console/approvals/"]`)
	waiting := s.Operator.Requests(t, "WAITING")
	if len(waiting) != 1 {
		t.Fatalf("%d requests wait", len(waiting))
	}
	if err := s.Operator.Approve(waiting[0].ID); harness.CodeOf(err) != "OWN_REQUEST" {
		t.Errorf("approving one's own request gives %v", err)
	}
	if err := s.Admin.Approve(waiting[0].ID); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func() error {
		if found := s.Operator.Transaction(t, cards[1].TrackingCode); !strings.HasPrefix(found.Amount, "0") {
			return fmt.Errorf("it is credited with %s", found.Amount)
		}
		return nil
	})
	lookEverywhere(t, in, s.Server, "operator", sight{"disputes", "/disputes", func(b *harness.Tab) {
		b.Until(`document.querySelectorAll(".list tbody tr").length === 2 && document.querySelector(".facts") !== null`)
	}})
}

// writes puts a text into a field.
func writes(b *harness.Tab, selector, text string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`(() => { const f = document.querySelector(%q); f?.focus(); return f !== null && document.activeElement === f; })()`, selector))
	b.Key(text)
}
