package gateways_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// depositCareer is one way of a third-party deposit from E9, E12 or E15 to its end.
type depositCareer struct {
	name   string
	kind   string // of the endpoint
	amount string
	steps  []harness.Step // from the payment's page on
	event  string         // what happens at the gateway afterwards; empty: nothing must
	phase  string         // before that
	status string
	how    string // paid, if it completed; else who ended it
}

func depositCareers() []depositCareer {
	coin := harness.Press("begin", "option", "USDT-TRC20")
	withWallet := func(code string) harness.Step { return harness.Press("wallet", "wallet", bank.TestWallet(code)) }
	byWallet := func(v *harness.Visitor) error { return v.Open(v.URL + "?step=pick&kind=wallet") }
	return []depositCareer{
		{"by bank", "bank", "250.00", []harness.Step{harness.Press("begin")}, "", "details pay", "completed", "bank"},
		{"in a coin", "crypto", "400.00", []harness.Step{coin}, "", "details pay", "completed", "crypto"},
		{"in a coin, by hand", "crypto", "400.04", []harness.Step{coin}, bank.Paid, "details pay", "completed", "crypto"},
		{"by wallet", "wallet", "75.5", []harness.Step{harness.Press("begin"), withWallet("00")}, "", "completed", "completed", "wallet"},
		{"by wallet, told without a signature", "wallet", "80", []harness.Step{harness.Press("begin"), withWallet("09")}, "", "completed", "completed", "wallet"},
		{"by wallet instead", "bank", "75.50", []harness.Step{byWallet, harness.Press("begin"), withWallet("00")}, "", "completed", "completed", "wallet"},
		{"declined by the wallet, then paid", "wallet", "80.00", []harness.Step{harness.Press("begin"), withWallet("10"), harness.Press("begin"), withWallet("00")},
			"", "completed", "completed", "wallet"},
		{"canceled in the wallet, then here", "wallet", "80.00", []harness.Step{harness.Press("begin"), harness.Press("cancel"), harness.Press("cancel")},
			"", "canceled", "canceled", "customer"},
		{"canceled on the page", "bank", "80.04", []harness.Step{harness.Press("begin"), harness.Press("cancel")}, "", "canceled", "canceled", "customer"},
	}
}

// TestThirdPartyDeposits takes each kind from its endpoint over the page to the callback.
func TestThirdPartyDeposits(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		careers := depositCareers()
		made := make([]harness.Payment, len(careers))
		for i, c := range careers {
			p := s.StartDeposit(t, c.kind, c.amount)
			v := p.Must(t, c.steps...)
			if err := v.Shows(c.phase); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if c.phase == "details pay" {
				checkDetails(t, s, p, v)
			}
			if c.event != "" {
				s.Till.FireEvent(t, s.Operator.Reference(t, p, "DEPOSIT"), c.event)
			}
			made[i] = p
		}
		for i, c := range careers {
			checkDepositCareer(t, s, made[i], c)
		}
		harness.Eventually(t, s.Till.HasTold)
		s.Server.Stop(t)
		for i, c := range careers {
			if n := len(s.To.Of(made[i].TrackingCode)); n != 1 {
				t.Errorf("%s: its callback came %d times", c.name, n)
			}
		}
	})
}

// checkDetails compares what the page tells the customer to pay with what the gateway waits for.
func checkDetails(t *testing.T, s *harness.Shop, p harness.Payment, v *harness.Visitor) {
	t.Helper()
	d := s.Till.Deposit(t, s.Operator.Reference(t, p, "DEPOSIT"))
	wanted := []string{d.Next.Pay.IBAN, d.Next.Pay.Holder, d.Next.Pay.Reference, d.Next.Pay.Address}
	if d.Kind == bank.KindCrypto {
		wanted = append(wanted, d.Due.Value.String(), d.Due.Currency, d.Due.Network)
	}
	for _, text := range wanted {
		if !strings.Contains(v.Page, text) {
			t.Errorf("the page does not show %q:\n%s", text, v.Body())
		}
	}
}

func checkDepositCareer(t *testing.T, s *harness.Shop, p harness.Payment, c depositCareer) {
	t.Helper()
	l := s.To.Callback(t, p)
	want := harness.LetterBody{
		TrackingCode: p.TrackingCode, Status: c.status, Amount: json.Number(harness.InLira(p.Amount)), Username: "ayse.yilmaz",
		Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: s.In.Keys.Sites[0].ID, Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, PaidBy: c.how,
	}
	if c.status != "completed" {
		want.PaidBy, want.Reason = "", c.how
	}
	if l.LetterBody != want || len(l.Fields) != 11 {
		t.Errorf("%s: the callback says\n%+v with %v, want\n%+v", c.name, l.LetterBody, l.Fields, want)
	}
	p.Sees(t, c.status)
	if found := s.Operator.Settled(t, p.TrackingCode); found.Status != harness.InGraphQL(c.status) || found.Callbacks[0].Status != "DELIVERED" {
		t.Errorf("%s: staff see %s with a callback that is %s", c.name, found.Status, found.Callbacks[0].Status)
	}
}

// TestLateMoney: what arrives for a deposit that has expired waits for staff. Accepted, it completes the deposit, with a
// second callback; given back, it does not.
func TestLateMoney(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop("VEZNE_EXPIRY_DEPOSIT=4s")
		accepted, refunded, unpaid := s.StartDeposit(t, "bank", "300.04"), s.StartDeposit(t, "bank", "400.04"), s.StartDeposit(t, "wallet", "500")
		refs := make(map[string]string)
		for _, p := range []harness.Payment{accepted, refunded, unpaid} {
			p.Must(t, harness.Press("begin"))
			refs[p.TrackingCode] = s.Operator.Reference(t, p, "DEPOSIT")
		}
		var ids []string
		for _, p := range []harness.Payment{accepted, refunded, unpaid} {
			l := s.To.Callback(t, p)
			if l.Status != "expired" {
				t.Errorf("%s ends as %s", p.TrackingCode, l.Status)
			}
			p.Sees(t, "expired")
			ids = append(ids, l.ID)
		}
		for _, p := range []harness.Payment{accepted, refunded} {
			s.Till.FireEvent(t, refs[p.TrackingCode], bank.Paid)
		}

		late := s.Operator.Discrepancy(t, accepted, "LATE")
		if late.Seen == nil || late.Seen.Amount != "300.04" || late.Seen.Asset != "TRY" {
			t.Errorf("what came late is %+v", late.Seen)
		}
		s.Operator.Resolve(t, late, "ACCEPT", "geç geldi")
		second := s.To.Callbacks(t, accepted, 2)[1]
		if second.Status != "completed" || second.ID == ids[0] || second.Amount != "300.04" {
			t.Errorf("the second callback is %+v", second)
		}
		accepted.Sees(t, "completed")
		if err := tryResolve(s, late); harness.CodeOf(err) != "ALREADY_FINAL" {
			t.Errorf("accepting once more gives %v", err)
		}

		refundDiscrepancy(t, s, s.Operator.Discrepancy(t, refunded, "LATE"))
		s.Operator.Until(t, refunded, func(g harness.GatewayTransaction) bool {
			return g.Status == "EXPIRED" && g.Discrepancies[0].Status == "REFUNDED"
		})
		if d := s.Till.Deposit(t, refs[refunded.TrackingCode]); d.Status != bank.Refunded {
			t.Errorf("at the gateway the money that was given back is %s", d.Status)
		}
		s.Server.Stop(t)
		if len(s.To.Of(accepted.TrackingCode)) != 2 || len(s.To.Of(refunded.TrackingCode)) != 1 {
			t.Errorf("callbacks came %d and %d times", len(s.To.Of(accepted.TrackingCode)), len(s.To.Of(refunded.TrackingCode)))
		}
	})
}

// TestTheReceiversLastWordIsTheNewest: the receiver takes nothing of a deposit that has expired, which is tried again and
// again; staff accept its money. What the receiver hears then is completed, and expired never again.
func TestTheReceiversLastWordIsTheNewest(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop("VEZNE_EXPIRY_DEPOSIT=2s", "VEZNE_CALLBACK_SCHEDULE=0s"+strings.Repeat(",1s", 49))
		s.To = harness.NewReceiver(t, in.Keys.Provider, func(l harness.Letter) int {
			if l.Status == "expired" {
				return http.StatusServiceUnavailable
			}
			return http.StatusOK
		})
		in.CallBack(s.Server, s.To)
		p := s.StartDeposit(t, "bank", "300.04")
		p.Must(t, harness.Press("begin"))
		ref := s.Operator.Reference(t, p, "DEPOSIT")
		for range 3 {
			if l := s.To.Next(t); l.Status != "expired" || l.Sequence != 1 {
				t.Errorf("first comes %+v", l)
			}
		}
		s.Till.FireEvent(t, ref, bank.Paid)
		s.Operator.Resolve(t, s.Operator.Discrepancy(t, p, "LATE"), "ACCEPT", "geç geldi")
		for heard := ""; heard != "completed"; {
			heard = s.To.Next(t).Status
		}
		found := s.Operator.Until(t, p, func(g harness.GatewayTransaction) bool {
			return len(g.Callbacks) == 2 && g.Callbacks[1].Status == "DELIVERED"
		})
		old, last := found.Callbacks[0], found.Callbacks[1]
		if old.Status != "SUPERSEDED" || old.Sequence != 1 || len(old.Attempts) < 2 || old.SupersededAt == "" || last.Sequence != 2 {
			t.Errorf("staff see %+v", found.Callbacks)
		}
		if err := resend(s.Operator, old.ID); harness.CodeOf(err) != "CALLBACK_REPLACED" {
			t.Errorf("sending the old one again gives %v", err)
		}
		if err := resend(s.Operator, last.ID); err != nil {
			t.Errorf("sending the newest again gives %v", err)
		}
		if l := s.To.Next(t); l.Status != "completed" || l.ID != last.ID {
			t.Errorf("in the end comes %+v", l)
		}
		s.Server.Stop(t)
	})
}

func resend(s harness.Staff, callbackID string) error {
	var data any
	return s.Ask(`mutation($id: ID!) { resendCallback(input: {callbackId: $id, reason: "yeniden"}) { callback { id } } }`, map[string]any{"id": callbackID}, &data)
}

func tryResolve(s *harness.Shop, d harness.Discrepancy) error {
	var data any
	return s.Operator.Ask(`mutation($id: ID!) { resolveDiscrepancy(input: {id: $id, resolution: ACCEPT}) { discrepancy { id } } }`, map[string]any{"id": d.ID}, &data)
}

func refundDiscrepancy(t *testing.T, s *harness.Shop, d harness.Discrepancy) {
	t.Helper()
	var data struct {
		RefundDiscrepancy struct{ Discrepancy harness.Discrepancy }
	}
	err := s.Operator.Ask(`mutation($id: ID!) { refundDiscrepancy(input: {id: $id, reason: "iade"}) { discrepancy `+harness.DiscrepancyFields+` } }`,
		map[string]any{"id": d.ID}, &data)
	if status := data.RefundDiscrepancy.Discrepancy.Status; err != nil || status != "REFUNDING" && status != "REFUNDED" {
		t.Fatalf("giving a discrepancy back gives %+v (%v)", data.RefundDiscrepancy, err)
	}
}

// TestMoneyThatDoesNotFit: less, more, or another currency than was due holds a payment open until staff decide.
func TestMoneyThatDoesNotFit(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		for _, c := range []struct {
			kuruş, kind, resolution, status, amount string
		}{
			{"26", "SHORT", "ACCEPT", "completed", "250.13"}, // no more than what came
			{"26", "SHORT", "WRITE_OFF", "canceled", "500.26"}, {"27", "OVER", "ACCEPT", "completed", "500.27"},
			{"63", "REVIEW", "ACCEPT", "completed", "500.63"},
		} {
			p := s.StartDeposit(t, "bank", "500."+c.kuruş)
			p.Must(t, harness.Press("begin"))
			d := s.Operator.Discrepancy(t, p, c.kind)
			p.Sees(t, "held")
			if n := len(s.To.Of(p.TrackingCode)); n > 0 {
				t.Errorf("while staff look at it, %s has %d callbacks", p.TrackingCode, n)
			}
			s.Operator.Resolve(t, d, c.resolution, "bakıldı")
			if l := s.To.Callback(t, p); l.Status != c.status || string(l.Amount) != c.amount {
				t.Errorf("%s, then %s: the callback says %s of %s", c.kind, c.resolution, l.Status, l.Amount)
			}
		}
		card := s.Provider.Card(t, "500.00")
		card.Must(t, harness.Press("begin"), harness.WithCard(bank.TestCard("28")))
		s.Operator.Resolve(t, s.Operator.Discrepancy(t, card, "OTHER_CURRENCY"), "WRITE_OFF", "dolar geldi")
		if l := s.To.Callback(t, card); l.Status != "failed" {
			t.Errorf("a card payment in dollars that was written off is %s", l.Status)
		}
		s.Server.Stop(t)
	})
}
