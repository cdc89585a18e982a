package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// payoutKinds are E11, E14 and E17: where the money goes for a scenario of the gateway.
var payoutKinds = map[string]struct {
	prefix string
	to     func(code string) payee
}{
	"bank":   {"TPBW-", func(code string) payee { return payee{IBAN: bank.TestIBAN(code)} }},
	"wallet": {"TPWW-", func(code string) payee { return payee{WalletNumber: bank.TestWallet(code)} }},
	"crypto": {"TPCW-", func(code string) payee {
		return payee{CryptoType: "USDT (TRC20)", WalletAddress: bank.TestAddress("TRC20", code)}
	}},
}

// payout calls E11, E14 or E17 for a scenario of the gateway.
func (s *shop) payout(t *testing.T, kind, amount, code string) payment {
	t.Helper()
	p, err := s.provider.tryPayout(kind, amount, s.in.keys.Sandbox.GatewayID, payoutKinds[kind].to(code))
	if err != nil {
		t.Fatal(err)
	}
	if p.Status != "showing" || p.Method != kind || p.PaymentURL != "" || !strings.HasPrefix(p.TrackingCode, payoutKinds[kind].prefix) {
		t.Errorf("a payout by %s is answered with %+v", kind, p)
	}
	return p
}

// sent gives what the gateway has of a payout; none is not an error.
func (s *shop) sent(p payment) (found []bank.Payout) {
	for _, sent := range s.till.State().Payouts {
		if strings.HasPrefix(sent.Reference, strings.ReplaceAll(p.TrackingCode, "-", "")) {
			found = append(found, sent)
		}
	}
	return found
}

// expectCallback waits for the callback of a payout and compares it.
func (s *shop) expectCallback(t *testing.T, p payment, iban, status string) {
	t.Helper()
	l := s.to.callback(t, p)
	want := letterBody{
		TrackingCode: p.TrackingCode, Status: status, Amount: json.Number(inLira(p.Amount)), Username: "ayse.yilmaz",
		Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: s.in.keys.Sites[0].ID, Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, IBAN: iban,
	}
	if l.letterBody != want || len(l.Fields) != 11 {
		t.Errorf("the callback says\n%+v with %v, want\n%+v", l.letterBody, l.Fields, want)
	}
	if found := s.operator.settled(t, p.TrackingCode); found.Status != status || found.Callbacks[0].State != "delivered" {
		t.Errorf("%s: staff see %s with a callback that is %s", p.TrackingCode, found.Status, found.Callbacks[0].State)
	}
}

// TestGatewayLists: E10, E13 and E16 say what a payout needs.
func TestGatewayLists(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve(simulated...)
	for kind, required := range map[string][]string{
		"bank": {"iban"}, "crypto": {"crypto_type", "wallet_address"}, "wallet": {"wallet_number"},
	} {
		list, err := in.provider(server).gateways(kind)
		if err != nil || len(list) != 1 {
			t.Fatalf("the gateways by %s are %+v (%v)", kind, list, err)
		}
		g := list[0]
		want := listed{
			ID: in.keys.Sandbox.GatewayID, Name: "Vezne Sandbox", Code: "sandbox", Min: "10.00", Max: "100000.00", Required: required,
			Description: "Simulated: no money moves.",
		}
		if kind == "crypto" {
			want.Coins = []string{"USDT (TRC20)", "BTC (BTC)"}
		}
		if fmt.Sprint(g) != fmt.Sprint(want) {
			t.Errorf("the gateway by %s is %+v, want %+v", kind, g, want)
		}
	}
	server.stop(t)
	disallowed := in.serve()
	for _, kind := range []string{"bank", "crypto", "wallet"} {
		if list, err := in.provider(disallowed).gateways(kind); err != nil || len(list) != 0 {
			t.Errorf("where no simulator is allowed, the gateways by %s are %+v (%v)", kind, list, err)
		}
	}
	disallowed.stop(t)
}

// TestPayouts takes payouts of each kind to each end that the gateway gives them.
func TestPayouts(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		type ending struct {
			kind, amount, code, status string
			isSent                     bool
		}
		endings := []ending{
			{"bank", "500", "00", "completed", true},
			{"crypto", "400", "00", "completed", true},
			{"wallet", "10", "00", "completed", true},
			{"bank", "600", "02", "completed", true},    // queued, sent, done
			{"wallet", "600", "11", "failed", true},     // rejected by the payee's bank
			{"bank", "700", "12", "failed", false},      // the name is not the account's
			{"crypto", "700", "13", "failed", false},    // no such recipient
			{"bank", "999.99", "43", "completed", true}, // the answer is lost, and the payout is not
		}
		made := make([]payment, len(endings))
		for i, e := range endings {
			made[i] = s.payout(t, e.kind, e.amount, e.code)
		}
		for i, e := range endings {
			s.expectCallback(t, made[i], payoutKinds[e.kind].to(e.code).IBAN, e.status)
			if sent := s.sent(made[i]); e.isSent != (len(sent) == 1) || len(sent) > 1 {
				t.Errorf("%s by %s: at the gateway there is %+v", made[i].TrackingCode, e.kind, sent)
			}
			if n := s.till.orders(s.operator.reference(t, made[i], "payout")); n != 1 {
				t.Errorf("%s was sent %d times", made[i].TrackingCode, n)
			}
		}
		s.server.stop(t)
		for _, p := range made {
			if n := len(s.to.of(p.TrackingCode)); n != 1 {
				t.Errorf("%s has %d callbacks", p.TrackingCode, n)
			}
		}
	})
}

// TestPayoutsThatWait: from the account's threshold on nothing leaves before staff approve it.
func TestPayoutsThatWait(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		below := s.payout(t, "bank", "999.99", "00")
		approved, rejected := s.payout(t, "bank", "1000", "00"), s.payout(t, "wallet", "1000.00", "00")
		canceled, coded := s.payout(t, "crypto", "5000", "00"), s.payout(t, "bank", "2000", "01")
		iban := bank.TestIBAN("00")
		s.expectCallback(t, below, iban, "completed") // by then the others would have left
		waiting := []payment{approved, rejected, canceled, coded}
		for _, p := range waiting {
			if g := s.operator.at(t, p); g.Status != "showing" || !g.AwaitsApproval || len(s.sent(p)) > 0 || len(s.to.of(p.TrackingCode)) > 0 {
				t.Errorf("%s does not wait: %+v", p.TrackingCode, g)
			}
		}
		if _, err := in.signIn(s.server, "viewer").decide("approvePayout", approved.TrackingCode); codeOf(err) != "FORBIDDEN" {
			t.Errorf("an approval by a viewer gives %v", err)
		}

		s.operator.must(t, "approvePayout", approved.TrackingCode)
		s.expectCallback(t, approved, iban, "completed")
		s.operator.must(t, "rejectPayout", rejected.TrackingCode, "reason", "limit")
		s.expectCallback(t, rejected, "", "rejected")
		s.operator.must(t, "cancelPayout", canceled.TrackingCode, "reason", "müşteri vazgeçti")
		s.expectCallback(t, canceled, "", "canceled")
		s.checkSecondFactor(t, coded)
		for p, decision := range map[payment]string{approved: "rejectPayout", rejected: "approvePayout", canceled: "approvePayout"} {
			if _, err := s.operator.decide(decision, p.TrackingCode); codeOf(err) != "ALREADY_FINAL" {
				t.Errorf("%s of what has ended gives %v", decision, err)
			}
		}
		s.server.stop(t)
		for p, count := range map[payment]int{below: 1, approved: 1, rejected: 0, canceled: 0, coded: 1} {
			if sent := s.sent(p); len(sent) != count || len(s.to.of(p.TrackingCode)) != 1 {
				t.Errorf("%s: at the gateway there is %+v, and there are %d callbacks", p.TrackingCode, sent, len(s.to.of(p.TrackingCode)))
			}
		}
	})
}

// TestPayoutsThatCannotLeave: a payout for which the gateway has no funds is given up by staff, who are told how, and does not
// leave when there are funds again.
func TestPayoutsThatCannotLeave(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		p := s.payout(t, "wallet", "500", "10")
		eventually(t, func() error {
			_, err := s.operator.decide("failPayout", p.TrackingCode, "reason", "no funds")
			return err
		})
		s.expectCallback(t, p, "", "failed")
		for _, decision := range []string{"failPayout", "cancelPayout", "approvePayout"} {
			if _, err := s.operator.decide(decision, p.TrackingCode); codeOf(err) != "ALREADY_FINAL" {
				t.Errorf("%s of what was given up gives %v", decision, err)
			}
		}
		waiting := s.payout(t, "wallet", "5000", "00")
		if _, err := s.operator.decide("failPayout", waiting.TrackingCode); codeOf(err) != "NOT_ALLOWED_IN_STATUS" || !strings.Contains(err.Error(), "showing → cancel, reject") {
			t.Errorf("giving up what was never tried gives %v", err)
		}
		s.server.stop(t)
		if sent := s.sent(p); len(sent) != 0 {
			t.Errorf("at the gateway there is %+v", sent)
		}
	})
}

// checkSecondFactor approves a payout for which the gateway then wants a code.
func (s *shop) checkSecondFactor(t *testing.T, p payment) {
	t.Helper()
	s.operator.must(t, "approvePayout", p.TrackingCode)
	s.operator.discrepancy(t, p, "code_wanted")
	confirm := func(code string) error {
		var data any
		return s.operator.ask(`mutation($tracking: String!, $code: String!) {
			confirmPayout(trackingCode: $tracking, code: $code) { transaction { status } } }`, map[string]any{"tracking": p.TrackingCode, "code": code}, &data)
	}
	if err := confirm("000000"); codeOf(err) != "GATEWAY_FAILED" {
		t.Errorf("a wrong code gives %v", err)
	}
	if err := confirm(bank.Code); err != nil {
		t.Errorf("the right code gives %v", err)
	}
	s.expectCallback(t, p, bank.TestIBAN("01"), "completed")
	for _, d := range s.operator.at(t, p).Discrepancies {
		if d.State != "settled" {
			t.Errorf("after the payout is done, %s is %s", d.Kind, d.State)
		}
	}
}

// TestHangingGatewayCalls: calls that the gateway does not answer delay neither the account's other payouts nor cards.
func TestHangingGatewayCalls(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const hanging, others = 4, 20
		s := in.openShop()
		held := 0
		s.till.decideFates(func(c tillCall) fate {
			if c.path == "/v1/payouts" && held < hanging {
				held++
				return neverArrives
			}
			return answered
		})
		for range hanging {
			s.payout(t, "bank", "100", "00")
			received(t, "a call that hangs", s.till.stuck)
		}
		var made []payment
		for range others {
			made = append(made, s.payout(t, "wallet", "100", "00"))
		}
		s.paidCard(t, "250.00", "00")
		s.to.awaitAll(t, made, "completed")
		if gone := s.till.gone(); gone > 0 {
			t.Errorf("%d of %d hanging calls were over before the other payouts had left", gone, hanging)
		}
	})
}

// TestPayoutsExpire: a bank withdrawal that nobody approves in time is canceled, and never leaves.
func TestPayoutsExpire(t *testing.T) {
	t.Parallel()
	s := newEmbedded(t).openShop("VEZNE_EXPIRY_BANK_WITHDRAWAL=1s")
	p := s.payout(t, "bank", "1500", "00")
	s.expectCallback(t, p, bank.TestIBAN("00"), "canceled")
	if _, err := s.operator.decide("approvePayout", p.TrackingCode); codeOf(err) != "ALREADY_FINAL" {
		t.Errorf("approving it afterwards gives %v", err)
	}
	if sent := s.sent(p); len(sent) > 0 {
		t.Errorf("it left: %+v", sent)
	}
	s.server.stop(t)
}

// TestReturnedPayout: money that comes back a day after it was paid out is a matter for staff; the provider was told
// once, and stays told.
func TestReturnedPayout(t *testing.T) {
	t.Parallel()
	s := newEmbedded(t).openShop()
	p := s.payout(t, "bank", "500", "35")
	s.expectCallback(t, p, bank.TestIBAN("35"), "completed")
	s.till.advance(t, 25*time.Hour)
	s.operator.discrepancy(t, p, "returned")
	if g := s.operator.at(t, p); g.Status != "completed" {
		t.Errorf("the payout is now %s", g.Status)
	}
	s.server.stop(t)
	if n := len(s.to.of(p.TrackingCode)); n != 1 {
		t.Errorf("there are %d callbacks", n)
	}
}

// TestRefusedPayouts: what the gateway's bounds and needs do not allow is refused, all of it in one answer.
func TestRefusedPayouts(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve(simulated...)
	provider, id := in.provider(server), in.keys.Sandbox.GatewayID
	iban := bank.TestIBAN("00")
	for _, c := range []struct {
		kind, amount string
		gateway      int64
		to           payee
		wrong        int // fields
	}{
		{"bank", "9.99", id, payee{IBAN: iban}, 1},
		{"bank", "100000.01", id, payee{IBAN: iban}, 1},
		{"bank", "100", id + 1, payee{IBAN: iban}, 1},
		{"bank", "100.001", id, payee{IBAN: "TR1"}, 2},
		{"crypto", "100", id, payee{CryptoType: "USDT (ERC20)", WalletAddress: bank.TestAddress("TRC20", "00")}, 1},
		{"crypto", "100", id, payee{CryptoType: "USDT (TRC20)", WalletAddress: bank.TestAddress("BTC", "00")}, 1},
		{"wallet", "100", id, payee{}, 1},
	} {
		body := payoutStart{start: order(c.amount), GatewayID: c.gateway, payee: c.to}
		body.start.IBAN = c.to.IBAN
		a, _, err := provider.post("third-party/"+c.kind+"/start-withdrawal", "X-Credential-Key", provider.site.CredentialKey, body, "")
		var said struct {
			Success  bool
			Error    string
			Messages []string
		}
		if err != nil || a.status != 422 || json.Unmarshal(a.body, &said) != nil || len(said.Messages) != c.wrong {
			t.Errorf("%+v is answered with %d %s (%v)", body, a.status, a.body, err)
		}
	}
	if all := in.signIn(server, "viewer").all(t); len(all) > 0 {
		t.Errorf("refused payouts left %+v", all)
	}
	server.stop(t)
}
