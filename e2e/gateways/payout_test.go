package gateways_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// payoutKinds are E11, E14 and E17: where the money goes for a scenario of the gateway.
var payoutKinds = map[string]struct {
	prefix string
	to     func(code string) harness.Payee
}{
	"bank":   {"TPBW-", func(code string) harness.Payee { return harness.Payee{IBAN: bank.TestIBAN(code)} }},
	"wallet": {"TPWW-", func(code string) harness.Payee { return harness.Payee{WalletNumber: bank.TestWallet(code)} }},
	"crypto": {"TPCW-", func(code string) harness.Payee {
		return harness.Payee{CryptoType: "USDT (TRC20)", WalletAddress: bank.TestAddress("TRC20", code)}
	}},
}

// payout calls E11, E14 or E17 for a scenario of the gateway.
func payout(t *testing.T, s *harness.Shop, kind, amount, code string) harness.Payment {
	t.Helper()
	p, err := s.Provider.TryPayout(kind, amount, s.In.Keys.Sandbox.GatewayID, payoutKinds[kind].to(code))
	if err != nil {
		t.Fatal(err)
	}
	if p.Status != "showing" || p.Method != kind || p.PaymentURL != "" || !strings.HasPrefix(p.TrackingCode, payoutKinds[kind].prefix) {
		t.Errorf("a payout by %s is answered with %+v", kind, p)
	}
	return p
}

// expectCallback waits for the callback of a payout and compares it; one that was canceled says by whom.
func expectCallback(t *testing.T, s *harness.Shop, p harness.Payment, iban, status string, by ...string) {
	t.Helper()
	l := s.To.Callback(t, p)
	want := harness.LetterBody{
		TrackingCode: p.TrackingCode, Status: status, Amount: json.Number(harness.InLira(p.Amount)), Username: "ayse.yilmaz",
		Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: s.In.Keys.Sites[0].ID, Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, IBAN: iban,
	}
	want.Reason = strings.Join(by, "")
	if l.LetterBody != want || len(l.Fields) != 11+len(by) {
		t.Errorf("the callback says\n%+v with %v, want\n%+v", l.LetterBody, l.Fields, want)
	}
	if found := s.Operator.Settled(t, p.TrackingCode); found.Status != harness.InGraphQL(status) || found.Callbacks[0].Status != "DELIVERED" {
		t.Errorf("%s: staff see %s with a callback that is %s", p.TrackingCode, found.Status, found.Callbacks[0].Status)
	}
}

// TestGatewayLists: E10, E13 and E16 say what a payout needs.
func TestGatewayLists(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve(harness.Simulated...)
	for kind, required := range map[string][]string{
		"bank": {"iban"}, "crypto": {"crypto_type", "wallet_address"}, "wallet": {"wallet_number"},
	} {
		list, err := in.Provider(server).Gateways(kind)
		if err != nil || len(list) != 1 {
			t.Fatalf("the gateways by %s are %+v (%v)", kind, list, err)
		}
		g := list[0]
		want := harness.Listed{
			ID: in.Keys.Sandbox.GatewayID, Name: "Vezne Sandbox", Code: "sandbox", Min: "10.00", Max: "100000.00", Required: required,
			Description: "Deneme: para hareket etmez · Simulated: no money moves",
		}
		if kind == "crypto" {
			want.Coins = []string{"USDT (TRC20)", "BTC (BTC)"}
		}
		if fmt.Sprint(g) != fmt.Sprint(want) {
			t.Errorf("the gateway by %s is %+v, want %+v", kind, g, want)
		}
	}
	server.Stop(t)
	disallowed := in.Serve()
	for _, kind := range []string{"bank", "crypto", "wallet"} {
		if list, err := in.Provider(disallowed).Gateways(kind); err != nil || len(list) != 0 {
			t.Errorf("where no simulator is allowed, the gateways by %s are %+v (%v)", kind, list, err)
		}
	}
	disallowed.Stop(t)
}

// TestPayouts takes payouts of each kind to each end that the gateway gives them.
func TestPayouts(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
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
		made := make([]harness.Payment, len(endings))
		for i, e := range endings {
			made[i] = payout(t, s, e.kind, e.amount, e.code)
		}
		for i, e := range endings {
			expectCallback(t, s, made[i], payoutKinds[e.kind].to(e.code).IBAN, e.status)
			if sent := s.Sent(made[i]); e.isSent != (len(sent) == 1) || len(sent) > 1 {
				t.Errorf("%s by %s: at the gateway there is %+v", made[i].TrackingCode, e.kind, sent)
			}
			if n := s.Till.Orders(s.Operator.Reference(t, made[i], "PAYOUT")); n != 1 {
				t.Errorf("%s was sent %d times", made[i].TrackingCode, n)
			}
		}
		s.Server.Stop(t)
		for _, p := range made {
			if n := len(s.To.Of(p.TrackingCode)); n != 1 {
				t.Errorf("%s has %d callbacks", p.TrackingCode, n)
			}
		}
	})
}

// TestPayoutsThatWait: from the account's threshold on nothing leaves before staff approve it.
func TestPayoutsThatWait(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		below := payout(t, s, "bank", "999.99", "00")
		approved, rejected := payout(t, s, "bank", "1000", "00"), payout(t, s, "wallet", "1000.00", "00")
		canceled, coded := payout(t, s, "crypto", "5000", "00"), payout(t, s, "bank", "2000", "01")
		iban := bank.TestIBAN("00")
		expectCallback(t, s, below, iban, "completed") // by then the others would have left
		waiting := []harness.Payment{approved, rejected, canceled, coded}
		for _, p := range waiting {
			if g := s.Operator.At(t, p); g.Status != "SHOWING" || !g.AwaitsApproval || len(s.Sent(p)) > 0 || len(s.To.Of(p.TrackingCode)) > 0 {
				t.Errorf("%s does not wait: %+v", p.TrackingCode, g)
			}
		}
		if _, err := in.SignIn(s.Server, "viewer").Decide("approvePayout", approved.TrackingCode); harness.CodeOf(err) != "FORBIDDEN" {
			t.Errorf("an approval by a viewer gives %v", err)
		}

		s.Operator.Must(t, "approvePayout", approved.TrackingCode)
		expectCallback(t, s, approved, iban, "completed")
		s.Operator.Must(t, "rejectPayout", rejected.TrackingCode, "reason", "limit")
		expectCallback(t, s, rejected, "", "rejected")
		s.Operator.Must(t, "cancelPayout", canceled.TrackingCode, "reason", "müşteri vazgeçti")
		expectCallback(t, s, canceled, "", "canceled", "staff")
		checkSecondFactor(t, s, coded)
		for p, decision := range map[harness.Payment]string{approved: "rejectPayout", rejected: "approvePayout", canceled: "approvePayout"} {
			if _, err := s.Operator.Decide(decision, p.TrackingCode); harness.CodeOf(err) != "ALREADY_FINAL" {
				t.Errorf("%s of what has ended gives %v", decision, err)
			}
		}
		s.Server.Stop(t)
		for p, count := range map[harness.Payment]int{below: 1, approved: 1, rejected: 0, canceled: 0, coded: 1} {
			if sent := s.Sent(p); len(sent) != count || len(s.To.Of(p.TrackingCode)) != 1 {
				t.Errorf("%s: at the gateway there is %+v, and there are %d callbacks", p.TrackingCode, sent, len(s.To.Of(p.TrackingCode)))
			}
		}
	})
}

// TestPayoutsThatCannotLeave: a payout for which the gateway has no funds is given up by staff, who are told how, and does not
// leave when there are funds again.
func TestPayoutsThatCannotLeave(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		p := payout(t, s, "wallet", "500", "10")
		harness.Eventually(t, func() error {
			_, err := s.Operator.Decide("failPayout", p.TrackingCode, "reason", "no funds")
			return err
		})
		expectCallback(t, s, p, "", "failed")
		for _, decision := range []string{"failPayout", "cancelPayout", "approvePayout"} {
			if _, err := s.Operator.Decide(decision, p.TrackingCode); harness.CodeOf(err) != "ALREADY_FINAL" {
				t.Errorf("%s of what was given up gives %v", decision, err)
			}
		}
		waiting := payout(t, s, "wallet", "5000", "00")
		if _, err := s.Operator.Decide("failPayout", waiting.TrackingCode); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" || !strings.Contains(err.Error(), "showing → cancel, reject") {
			t.Errorf("giving up what was never tried gives %v", err)
		}
		s.Server.Stop(t)
		if sent := s.Sent(p); len(sent) != 0 {
			t.Errorf("at the gateway there is %+v", sent)
		}
	})
}

// checkSecondFactor approves a payout for which the gateway then wants a code.
func checkSecondFactor(t *testing.T, s *harness.Shop, p harness.Payment) {
	t.Helper()
	s.Operator.Must(t, "approvePayout", p.TrackingCode)
	s.Operator.Discrepancy(t, p, "CODE_WANTED")
	confirm := func(code string) error {
		var data any
		return s.Operator.Ask(`mutation($tracking: String!, $code: String!) {
			confirmPayout(input: {trackingCode: $tracking, code: $code}) { transaction { status } } }`, map[string]any{"tracking": p.TrackingCode, "code": code}, &data)
	}
	if err := confirm("000000"); harness.CodeOf(err) != "GATEWAY_FAILED" {
		t.Errorf("a wrong code gives %v", err)
	}
	if err := confirm(bank.Code); err != nil {
		t.Errorf("the right code gives %v", err)
	}
	expectCallback(t, s, p, bank.TestIBAN("01"), "completed")
	for _, d := range s.Operator.At(t, p).Discrepancies {
		if d.Status != "SETTLED" {
			t.Errorf("after the payout is done, %s is %s", d.Kind, d.Status)
		}
	}
}

// TestHangingGatewayCalls: calls that the gateway does not answer delay neither the account's other payouts nor cards.
func TestHangingGatewayCalls(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const hanging, others = 4, 20
		s := in.OpenShop()
		held := 0
		s.Till.DecideFates(func(c harness.TillCall) harness.Fate {
			if c.Path == "/v1/payouts" && held < hanging {
				held++
				return harness.NeverArrives
			}
			return harness.Answered
		})
		for range hanging {
			payout(t, s, "bank", "100", "00")
			harness.Received(t, "a call that hangs", s.Till.Stuck)
		}
		var made []harness.Payment
		for range others {
			made = append(made, payout(t, s, "wallet", "100", "00"))
		}
		paidCard(t, s, "250.00", "00")
		s.To.AwaitAll(t, made, "completed")
		if gone := s.Till.Gone(); gone > 0 {
			t.Errorf("%d of %d hanging calls were over before the other payouts had left", gone, hanging)
		}
	})
}

// TestPayoutsExpire: a bank withdrawal that nobody approves in time is canceled, and never leaves.
func TestPayoutsExpire(t *testing.T) {
	t.Parallel()
	s := harness.NewEmbedded(t).OpenShop("VEZNE_EXPIRY_BANK_WITHDRAWAL=1s")
	p := payout(t, s, "bank", "1500", "00")
	expectCallback(t, s, p, bank.TestIBAN("00"), "canceled", "expired")
	if _, err := s.Operator.Decide("approvePayout", p.TrackingCode); harness.CodeOf(err) != "ALREADY_FINAL" {
		t.Errorf("approving it afterwards gives %v", err)
	}
	if sent := s.Sent(p); len(sent) > 0 {
		t.Errorf("it left: %+v", sent)
	}
	s.Server.Stop(t)
}

// TestReturnedPayout: money that comes back a day after it was paid out is a matter for staff; the provider was told
// once, and stays told.
func TestReturnedPayout(t *testing.T) {
	t.Parallel()
	s := harness.NewEmbedded(t).OpenShop()
	p := payout(t, s, "bank", "500", "35")
	expectCallback(t, s, p, bank.TestIBAN("35"), "completed")
	s.Till.AdvanceClock(t, 25*time.Hour)
	s.Operator.Discrepancy(t, p, "RETURNED")
	if g := s.Operator.At(t, p); g.Status != "COMPLETED" {
		t.Errorf("the payout is now %s", g.Status)
	}
	s.Server.Stop(t)
	if n := len(s.To.Of(p.TrackingCode)); n != 1 {
		t.Errorf("there are %d callbacks", n)
	}
}

// TestRefusedPayouts: what the gateway's bounds and needs do not allow is refused, all of it in one answer.
func TestRefusedPayouts(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve(harness.Simulated...)
	provider, id := in.Provider(server), in.Keys.Sandbox.GatewayID
	iban := bank.TestIBAN("00")
	for _, c := range []struct {
		kind, amount string
		gateway      int64
		to           harness.Payee
		wrong        int // fields
	}{
		{"bank", "9.99", id, harness.Payee{IBAN: iban}, 1},
		{"bank", "100000.01", id, harness.Payee{IBAN: iban}, 1},
		{"bank", "100", id + 1, harness.Payee{IBAN: iban}, 1},
		{"bank", "100.001", id, harness.Payee{IBAN: "TR1"}, 2},
		{"crypto", "100", id, harness.Payee{CryptoType: "USDT (ERC20)", WalletAddress: bank.TestAddress("TRC20", "00")}, 1},
		{"crypto", "100", id, harness.Payee{CryptoType: "USDT (TRC20)", WalletAddress: bank.TestAddress("BTC", "00")}, 1},
		{"wallet", "100", id, harness.Payee{}, 1},
	} {
		body := harness.PayoutStart{Start: harness.Order(c.amount), GatewayID: c.gateway, Payee: c.to}
		body.Start.IBAN = c.to.IBAN
		a, _, err := provider.Post("third-party/"+c.kind+"/start-withdrawal", "X-Credential-Key", provider.Site.CredentialKey, body, "")
		var said struct {
			Success  bool
			Error    string
			Messages []string
		}
		if err != nil || a.Status != 422 || json.Unmarshal(a.Body, &said) != nil || len(said.Messages) != c.wrong {
			t.Errorf("%+v is answered with %d %s (%v)", body, a.Status, a.Body, err)
		}
	}
	if all := in.SignIn(server, "viewer").All(t); len(all) > 0 {
		t.Errorf("refused payouts left %+v", all)
	}
	server.Stop(t)
}
