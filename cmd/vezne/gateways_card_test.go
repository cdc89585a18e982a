package main_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// shop is an installation with a server, a gateway, a receiver of callbacks and staff.
type shop struct {
	in       *installation
	server   *process
	till     *till
	to       *receiver
	provider caller
	operator staff
	admin    staff
}

// openShop starts everything that payments at gateways need.
func (in *installation) openShop(env ...string) *shop {
	in.t.Helper()
	server := in.serve(append(env, simulated...)...)
	s := &shop{
		in: in, server: server, to: newReceiver(in.t, in.keys.Provider, accept), provider: in.provider(server),
		operator: in.signIn(server, "operator"), admin: in.signIn(server, "admin"),
	}
	in.callBack(server, s.to)
	s.till = in.till(server)
	return s
}

// cardCareer is one way of a card payment from E7 to its end.
type cardCareer struct {
	name   string
	amount string
	steps  []step // from the payment's page on
	event  string // what happens at the gateway afterwards, if something must
	phase  string // of the page in the end
	status string
	code   string // error_code
}

func code(typed string) step { return press("code", "code", typed) }

func cardCareers() []cardCareer {
	begin := press("begin")
	with := func(code string) step { return withCard(bank.TestCard(code)) }
	return []cardCareer{
		{"paid without a challenge", "250.00", []step{begin, with("00")}, "", "completed", "success", ""},
		{"paid with the right code", "99.9", []step{begin, with("01"), code("000000"), code(bank.Code)}, "", "completed", "success", ""},
		{"paid at the second try", "1", []step{begin, with("32"), withCard("4242 4242 4242 4242")}, "", "completed", "success", ""},
		{"paid, and the browser does not come back", "20.00", []step{begin, with("24")}, "", "completed", "success", ""},
		{"paid, and never told", "20.00", []step{begin, with("23")}, "", "completed", "success", ""},
		{"paid, told thrice", "20.00", []step{begin, with("21")}, "", "completed", "success", ""},
		{"paid, told out of order", "20.00", []step{begin, with("25")}, "", "completed", "success", ""},
		{"paid, told with a wrong signature", "20.00", []step{begin, with("29")}, "", "completed", "success", ""},
		{"declined", "250.00", []step{begin, with("10")}, "", "failed", "failed", "INSUFFICIENT_FUNDS"},
		{"declined for a reason that is nobody's business", "250.00", []step{begin, with("15")}, "", "failed", "failed", "DO_NOT_HONOUR"},
		{
			"wrong codes", "250.00", []step{begin, with("01"), code("1"), code("000000"), code("999999")}, "",
			"failed", "failed", "AUTHENTICATION_FAILED",
		},
		{"refused before any page", "250.05", []step{begin}, "", "failed", "failed", "AUTHENTICATION_FAILED"},
		{"canceled at the gateway", "250.00", []step{begin, press("cancel")}, "", "canceled", "cancelled", ""},
		{"canceled in the challenge", "250.00", []step{begin, with("01"), press("cancel")}, "", "canceled", "cancelled", ""},
		{"canceled before the gateway", "250.00", []step{press("cancel")}, "", "canceled", "cancelled", ""},
		{"canceled by the gateway itself", "250.00", []step{begin}, bank.Canceled, "canceled", "cancelled", ""},
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
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		made := make(map[string]cardCareer)
		for _, c := range cardCareers() {
			p := s.provider.card(t, c.amount)
			s.provider.expectStatus(t, p, "pending")
			v, err := p.walk(c.steps...)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if c.event != "" {
				s.till.fire(t, s.operator.reference(t, p, "deposit"), c.event)
			} else if isBack := strings.HasPrefix(v.url, s.server.url); isBack && v.shows(c.phase) != nil {
				t.Errorf("%s: %v", c.name, v.shows(c.phase))
			}
			checkCardCareer(t, s, p, c)
			made[p.TrackingCode] = c
		}
		eventually(t, s.till.hasTold) // everything that it tells late changes nothing any more
		s.server.stop(t)
		for code, c := range made {
			if n := len(s.to.of(code)); n != 1 {
				t.Errorf("%s: its callback came %d times", c.name, n)
			}
		}
	})
}

func checkCardCareer(t *testing.T, s *shop, p payment, c cardCareer) {
	t.Helper()
	l := s.to.callback(t, p)
	p.Amount = json.Number(inLira(p.Amount))
	want := letterBody{
		TrackingCode: p.TrackingCode, OrderID: p.OrderID, Status: c.status, Amount: p.Amount, Currency: "TRY",
		Username: "ayse.yilmaz", UserID: "u-1001", SiteID: s.in.keys.Sites[0].ID, CustomerName: "Ayşe Yılmaz",
		CustomerEmail: "ayse@example.com", Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, ErrorCode: c.code, ErrorMessage: l.ErrorMessage,
	}
	fields := cardFields
	if c.code != "" {
		fields = append(slices.Clone(cardFields), "error_code", "error_message")
		slices.Sort(fields)
	}
	if l.letterBody != want || !slices.Equal(l.Fields, fields) || (l.ErrorMessage == "") != (c.code == "") {
		t.Errorf("%s: the callback says\n%+v with %v, want\n%+v", c.name, l.letterBody, l.Fields, want)
	}
	s.provider.expectStatus(t, p, c.status)
	p.sees(t, c.phase)
	found := s.operator.settled(t, p.TrackingCode)
	if found.Callbacks[0].State != "delivered" || found.Status != c.status {
		t.Errorf("%s: staff see %s with a callback that is %s", c.name, found.Status, found.Callbacks[0].State)
	}
}

// inLira is an amount with its two decimals.
func inLira(amount json.Number) string {
	whole, cents, _ := strings.Cut(string(amount), ".")
	return whole + "." + (cents + "00")[:2]
}

// TestCardAfterTrouble: a gateway that is known not to have taken a payment costs the customer another click, no more.
func TestCardAfterTrouble(t *testing.T) {
	t.Parallel()
	s := newEmbedded(t).openShop()
	for _, trouble := range []string{"41", "44", "47"} { // too many requests, a failure in an answer that is fine, maintenance
		p := s.provider.card(t, "20."+trouble)
		if err := s.till.SetOutcome(p.OrderID+"N2", "00"); err != nil {
			t.Fatal(err)
		}
		v := p.must(t, press("begin"))
		if err := v.shows("card"); err != nil || !strings.Contains(v.url, "notice=no_way") {
			t.Fatalf("trouble %s leads to %s (%v)", trouble, v.url, err)
		}
		if err := errors.Join(v.press("begin", nil), withCard("4242424242424242")(v), v.shows("completed")); err != nil {
			t.Fatal(err)
		}
		if l := s.to.callback(t, p); l.Status != "success" {
			t.Errorf("after trouble %s the callback says %s", trouble, l.Status)
		}
	}
	s.server.stop(t)
}

// TestCardsTimeOut: whoever does not pay in time has not paid, wherever they are; the gateway is told.
func TestCardsTimeOut(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop("VEZNE_EXPIRY_CARD=4s")
		ways := map[string][]step{
			"the page is never opened":            nil,
			"the gateway's page is left as it is": {press("begin")},
			"the challenge is left as it is":      {press("begin"), withCard(bank.TestCard("01"))},
			"the customer closes the page":        {press("begin"), withCard(bank.TestCard("04"))},
		}
		made := make(map[string]payment)
		for name, steps := range ways {
			made[name] = s.provider.card(t, "250.00")
			if steps != nil {
				made[name].must(t, steps...)
			}
		}
		for name, p := range made {
			l := s.to.callback(t, p)
			if l.Status != "failed" || l.ErrorCode != "TIMEOUT" || l.ErrorMessage == "" {
				t.Errorf("%s: the callback says %+v", name, l)
			}
			s.provider.expectStatus(t, p, "failed")
			p.sees(t, "expired")
		}
		for _, d := range s.till.State().Deposits {
			if d.Status != bank.Canceled {
				t.Errorf("the gateway still has an order %s that is %s", d.Reference, d.Status)
			}
		}
		s.server.stop(t)
	})
}

// paidCard is a card payment that has succeeded.
func (s *shop) paidCard(t *testing.T, amount, code string) payment {
	t.Helper()
	p := s.provider.card(t, amount)
	p.must(t, press("begin"), withCard(bank.TestCard(code)))
	s.to.callback(t, p)
	return p
}

// TestRefunds: what staff give back shows in E8 once all of it is back, and has no callback.
func TestRefunds(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		refund := func(p payment, amount string) error {
			arguments := []string{"reason", "iade"}
			if amount != "" {
				arguments = append(arguments, "amount", amount)
			}
			_, err := s.admin.decide("refundTransaction", p.TrackingCode, arguments...)
			return err
		}
		isRefunded := func(amount, status string) func(gatewayTransaction) bool {
			return func(g gatewayTransaction) bool { return g.RefundedAmount == amount && g.Status == status }
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		whole, parts, slow, failing := s.paidCard(t, "250.00", "00"), s.paidCard(t, "100.00", "54"), s.paidCard(t, "80.51", "51"), s.paidCard(t, "80.00", "52")

		must(refund(whole, ""))
		s.admin.until(t, whole, isRefunded("250.00", "refunded"))
		s.provider.expectStatus(t, whole, "refunded")
		whole.sees(t, "refunded")

		must(refund(parts, "30.25"))
		s.admin.until(t, parts, isRefunded("30.25", "success"))
		s.provider.expectStatus(t, parts, "success")
		if err := refund(parts, "69.76"); codeOf(err) != "INVALID" {
			t.Errorf("giving back more than was paid gives %v", err)
		}
		must(refund(parts, "69.75"))
		s.admin.until(t, parts, isRefunded("100.00", "refunded"))
		s.provider.expectStatus(t, parts, "refunded")

		must(refund(slow, ""))
		s.admin.until(t, slow, func(g gatewayTransaction) bool {
			return len(g.Operations) == 2 && g.Operations[1].State == "pending"
		})
		s.provider.expectStatus(t, slow, "success")
		s.till.fire(t, s.admin.reference(t, slow, "refund"), bank.RefundDone)
		s.admin.until(t, slow, isRefunded("80.51", "refunded"))

		must(refund(failing, ""))
		s.admin.until(t, failing, func(g gatewayTransaction) bool { return len(g.Operations) == 2 && g.Operations[1].State == "pending" })
		s.till.fire(t, s.admin.reference(t, failing, "refund"), bank.RefundFailed)
		s.admin.until(t, failing, func(g gatewayTransaction) bool { return g.Operations[1].State == "failed" })
		s.provider.expectStatus(t, failing, "success")

		for _, err := range []error{refund(whole, ""), refund(s.provider.card(t, "10"), "")} {
			if code := codeOf(err); code != "NOT_ALLOWED_IN_STATUS" {
				t.Errorf("giving back what is not there gives %v", err)
			}
		}
		if _, err := s.in.signIn(s.server, "viewer").decide("refundTransaction", failing.TrackingCode); codeOf(err) != "FORBIDDEN" {
			t.Errorf("a refund by a viewer gives %v", err)
		}
		s.server.stop(t)
		for _, p := range []payment{whole, parts, slow, failing} {
			if n := len(s.to.of(p.TrackingCode)); n != 1 {
				t.Errorf("%s has %d callbacks", p.TrackingCode, n)
			}
		}
	})
}
