package gateways_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// cardCareer is one way of a card payment from E7 to its end.
type cardCareer struct {
	name   string
	amount string
	steps  []harness.Step // from the payment's page on
	event  string         // what happens at the gateway afterwards, if something must
	phase  string         // of the page in the end
	status string
	code   string // error_code
}

func cardCareers() []cardCareer {
	begin := harness.Press("begin")
	with := func(code string) harness.Step { return harness.WithCard(bank.TestCard(code)) }
	return []cardCareer{
		{"paid without a challenge", "250.00", []harness.Step{begin, with("00")}, "", "completed", "success", ""},
		{"paid with the right code", "99.9", []harness.Step{begin, with("01"), harness.Code("000000"), harness.Code(bank.Code)}, "", "completed", "success", ""},
		{"paid at the second try", "1", []harness.Step{begin, with("32"), harness.WithCard("4242 4242 4242 4242")}, "", "completed", "success", ""},
		{"paid, and the browser does not come back", "20.00", []harness.Step{begin, with("24")}, "", "completed", "success", ""},
		{"paid, and never told", "20.00", []harness.Step{begin, with("23")}, "", "completed", "success", ""},
		{"paid, told thrice", "20.00", []harness.Step{begin, with("21")}, "", "completed", "success", ""},
		{"paid, told out of order", "20.00", []harness.Step{begin, with("25")}, "", "completed", "success", ""},
		{"paid, told with a wrong signature", "20.00", []harness.Step{begin, with("29")}, "", "completed", "success", ""},
		{"declined", "250.00", []harness.Step{begin, with("10")}, "", "failed", "failed", "INSUFFICIENT_FUNDS"},
		{"declined for a reason that is nobody's business", "250.00", []harness.Step{begin, with("15")}, "", "failed", "failed", "DO_NOT_HONOUR"},
		{
			"wrong codes", "250.00", []harness.Step{begin, with("01"), harness.Code("1"), harness.Code("000000"), harness.Code("999999")}, "",
			"failed", "failed", "AUTHENTICATION_FAILED",
		},
		{"refused before any page", "250.05", []harness.Step{begin}, "", "failed", "failed", "AUTHENTICATION_FAILED"},
		{"canceled at the gateway", "250.00", []harness.Step{begin, harness.Press("cancel")}, "", "canceled", "cancelled", ""},
		{"canceled in the challenge", "250.00", []harness.Step{begin, with("01"), harness.Press("cancel")}, "", "canceled", "cancelled", ""},
		{"canceled before the gateway", "250.00", []harness.Step{harness.Press("cancel")}, "", "canceled", "cancelled", ""},
		{"canceled by the gateway itself", "250.00", []harness.Step{begin}, bank.Canceled, "canceled", "cancelled", ""},
	}
}

// cardFields are those of the card callback; a failed one has two more.
var cardFields = []string{
	"amount", "currency", "customer_email", "customer_name", "hash", "order_id", "sequence", "site_id", "status",
	"timestamp", "tracking_code", "user_id", "username",
}

// TestCards takes card payments from E7 over both pages to the callback and E8.
func TestCards(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		made := make(map[string]cardCareer)
		for _, c := range cardCareers() {
			p := s.Provider.Card(t, c.amount)
			s.Provider.ExpectStatus(t, p, "pending")
			v, err := p.Walk(c.steps...)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if c.event != "" {
				s.Till.FireEvent(t, s.Operator.Reference(t, p, "DEPOSIT"), c.event)
			} else if isBack := strings.HasPrefix(v.URL, s.Server.URL); isBack && v.Shows(c.phase) != nil {
				t.Errorf("%s: %v", c.name, v.Shows(c.phase))
			}
			checkCardCareer(t, s, p, c)
			made[p.TrackingCode] = c
		}
		harness.Eventually(t, s.Till.HasTold) // everything that it tells late changes nothing any more
		s.Server.Stop(t)
		for code, c := range made {
			if n := len(s.To.Of(code)); n != 1 {
				t.Errorf("%s: its callback came %d times", c.name, n)
			}
		}
	})
}

func checkCardCareer(t *testing.T, s *harness.Shop, p harness.Payment, c cardCareer) {
	t.Helper()
	l := s.To.Callback(t, p)
	p.Amount = json.Number(harness.InLira(p.Amount))
	want := harness.LetterBody{
		TrackingCode: p.TrackingCode, OrderID: p.OrderID, Status: c.status, Amount: p.Amount, Currency: "TRY",
		Username: "ayse.yilmaz", UserID: "u-1001", SiteID: s.In.Keys.Sites[0].ID, CustomerName: "Ayşe Yılmaz",
		CustomerEmail: "ayse@example.com", Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, ErrorCode: c.code, ErrorMessage: l.ErrorMessage,
	}
	fields := cardFields
	if c.code != "" {
		fields = append(slices.Clone(cardFields), "error_code", "error_message")
		slices.Sort(fields)
	}
	if l.LetterBody != want || !slices.Equal(l.Fields, fields) || (l.ErrorMessage == "") != (c.code == "") {
		t.Errorf("%s: the callback says\n%+v with %v, want\n%+v", c.name, l.LetterBody, l.Fields, want)
	}
	s.Provider.ExpectStatus(t, p, c.status)
	p.Sees(t, c.phase)
	found := s.Operator.Settled(t, p.TrackingCode)
	if found.Callbacks[0].Status != "DELIVERED" || found.Status != harness.InGraphQL(c.status) {
		t.Errorf("%s: staff see %s with a callback that is %s", c.name, found.Status, found.Callbacks[0].Status)
	}
}

// TestCardAfterTrouble: a gateway that is known not to have taken a payment costs the customer another click, no more.
func TestCardAfterTrouble(t *testing.T) {
	t.Parallel()
	s := harness.NewEmbedded(t).OpenShop()
	for _, trouble := range []string{"41", "44", "47"} { // too many requests, a failure in an answer that is fine, maintenance
		p := s.Provider.Card(t, "20."+trouble)
		if err := s.Till.SetOutcome(p.OrderID+"N2", "00"); err != nil {
			t.Fatal(err)
		}
		v := p.Must(t, harness.Press("begin"))
		if err := v.Shows("card"); err != nil || !strings.Contains(v.URL, "notice=no_way") {
			t.Fatalf("trouble %s leads to %s (%v)", trouble, v.URL, err)
		}
		if err := errors.Join(v.Press("begin", nil), harness.WithCard("4242424242424242")(v), v.Shows("completed")); err != nil {
			t.Fatal(err)
		}
		if l := s.To.Callback(t, p); l.Status != "success" {
			t.Errorf("after trouble %s the callback says %s", trouble, l.Status)
		}
	}
	s.Server.Stop(t)
}

// TestCardsTimeOut: whoever does not pay in time has not paid, wherever they are; the gateway is told.
func TestCardsTimeOut(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop("VEZNE_EXPIRY_CARD=4s")
		ways := map[string][]harness.Step{
			"the page is never opened":            nil,
			"the gateway's page is left as it is": {harness.Press("begin")},
			"the challenge is left as it is":      {harness.Press("begin"), harness.WithCard(bank.TestCard("01"))},
			"the customer closes the page":        {harness.Press("begin"), harness.WithCard(bank.TestCard("04"))},
		}
		made := make(map[string]harness.Payment)
		for name, steps := range ways {
			made[name] = s.Provider.Card(t, "250.00")
			if steps != nil {
				made[name].Must(t, steps...)
			}
		}
		for name, p := range made {
			l := s.To.Callback(t, p)
			if l.Status != "failed" || l.ErrorCode != "TIMEOUT" || l.ErrorMessage == "" {
				t.Errorf("%s: the callback says %+v", name, l)
			}
			s.Provider.ExpectStatus(t, p, "failed")
			p.Sees(t, "expired")
		}
		for _, d := range s.Till.State().Deposits {
			if d.Status != bank.Canceled {
				t.Errorf("the gateway still has an order %s that is %s", d.Reference, d.Status)
			}
		}
		s.Server.Stop(t)
	})
}

// paidCard is a card payment that has succeeded.
func paidCard(t *testing.T, s *harness.Shop, amount, code string) harness.Payment {
	t.Helper()
	p := s.Provider.Card(t, amount)
	p.Must(t, harness.Press("begin"), harness.WithCard(bank.TestCard(code)))
	s.To.Callback(t, p)
	return p
}

// TestRefunds: what staff give back shows in E8 once all of it is back, and has no callback.
func TestRefunds(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		refund := func(p harness.Payment, amount string) error {
			arguments := []string{"reason", "iade"}
			if amount != "" {
				arguments = append(arguments, "amount", amount)
			}
			_, err := s.Admin.Decide("refundTransaction", p.TrackingCode, arguments...)
			return err
		}
		isRefunded := func(amount, status string) func(harness.GatewayTransaction) bool {
			return func(g harness.GatewayTransaction) bool { return g.RefundedAmount == amount && g.Status == status }
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		whole, parts, slow, failing := paidCard(t, s, "250.00", "00"), paidCard(t, s, "100.00", "54"), paidCard(t, s, "80.51", "51"), paidCard(t, s, "80.00", "52")

		must(refund(whole, ""))
		s.Admin.Until(t, whole, isRefunded("250.00", "REFUNDED"))
		s.Provider.ExpectStatus(t, whole, "refunded")
		whole.Sees(t, "refunded")

		must(refund(parts, "30.25"))
		s.Admin.Until(t, parts, isRefunded("30.25", "COMPLETED"))
		s.Provider.ExpectStatus(t, parts, "success")
		if err := refund(parts, "69.76"); harness.CodeOf(err) != "INVALID" {
			t.Errorf("giving back more than was paid gives %v", err)
		}
		must(refund(parts, "69.75"))
		s.Admin.Until(t, parts, isRefunded("100.00", "REFUNDED"))
		s.Provider.ExpectStatus(t, parts, "refunded")

		must(refund(slow, ""))
		s.Admin.Until(t, slow, func(g harness.GatewayTransaction) bool {
			return len(g.Operations) == 2 && g.Operations[1].Status == "pending"
		})
		s.Provider.ExpectStatus(t, slow, "success")
		s.Till.FireEvent(t, s.Admin.Reference(t, slow, "REFUND"), bank.RefundDone)
		s.Admin.Until(t, slow, isRefunded("80.51", "REFUNDED"))

		must(refund(failing, ""))
		s.Admin.Until(t, failing, func(g harness.GatewayTransaction) bool {
			return len(g.Operations) == 2 && g.Operations[1].Status == "pending"
		})
		s.Till.FireEvent(t, s.Admin.Reference(t, failing, "REFUND"), bank.RefundFailed)
		s.Admin.Until(t, failing, func(g harness.GatewayTransaction) bool { return g.Operations[1].Status == "failed" })
		s.Provider.ExpectStatus(t, failing, "success")

		for _, err := range []error{refund(whole, ""), refund(s.Provider.Card(t, "10"), "")} {
			if code := harness.CodeOf(err); code != "NOT_ALLOWED_IN_STATUS" {
				t.Errorf("giving back what is not there gives %v", err)
			}
		}
		if _, err := s.In.SignIn(s.Server, "viewer").Decide("refundTransaction", failing.TrackingCode); harness.CodeOf(err) != "FORBIDDEN" {
			t.Errorf("a refund by a viewer gives %v", err)
		}
		s.Server.Stop(t)
		for _, p := range []harness.Payment{whole, parts, slow, failing} {
			if n := len(s.To.Of(p.TrackingCode)); n != 1 {
				t.Errorf("%s has %d callbacks", p.TrackingCode, n)
			}
		}
	})
}
