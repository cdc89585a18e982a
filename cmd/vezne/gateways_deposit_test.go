package main_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// depositCareer is one way of a third-party deposit from E9, E12 or E15 to its end.
type depositCareer struct {
	name   string
	kind   string // of the endpoint
	amount string
	steps  []step // from the payment's page on
	event  string // what happens at the gateway afterwards; empty: nothing must
	phase  string // before that
	status string
}

// thirdParty are E9, E12 and E15: the kind and its type and prefix.
var thirdParty = map[string][2]string{
	"bank":   {"third_party_bank_deposit", "TPBD-"},
	"crypto": {"third_party_crypto_deposit", "TPCD-"},
	"wallet": {"third_party_wallet_deposit", "TPWD-"},
}

func depositCareers() []depositCareer {
	coin := press("begin", "option", "USDT-TRC20")
	withWallet := func(code string) step { return press("wallet", "wallet", bank.TestWallet(code)) }
	byWallet := func(v *visitor) error { return v.open(v.url + "?step=pick&kind=wallet") }
	return []depositCareer{
		{"by bank", "bank", "250.00", []step{press("begin")}, "", "details pay", "completed"},
		{"in a coin", "crypto", "400.00", []step{coin}, "", "details pay", "completed"},
		{"in a coin, by hand", "crypto", "400.04", []step{coin}, bank.Paid, "details pay", "completed"},
		{"by wallet", "wallet", "75.5", []step{press("begin"), withWallet("00")}, "", "completed", "completed"},
		{"by wallet, told without a signature", "wallet", "80", []step{press("begin"), withWallet("09")}, "", "completed", "completed"},
		{"by wallet instead", "bank", "75.50", []step{byWallet, press("begin"), withWallet("00")}, "", "completed", "completed"},
		{"declined by the wallet", "wallet", "80.00", []step{press("begin"), withWallet("10")}, "", "canceled", "canceled"},
		{"canceled in the wallet", "wallet", "80.00", []step{press("begin"), press("cancel")}, "", "canceled", "canceled"},
		{"canceled on the page", "bank", "80.04", []step{press("begin"), press("cancel")}, "", "canceled", "canceled"},
	}
}

// TestThirdPartyDeposits takes each kind from its endpoint over the page to the callback.
func TestThirdPartyDeposits(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		careers := depositCareers()
		made := make([]payment, len(careers))
		for i, c := range careers {
			p := s.startDeposit(t, c.kind, c.amount)
			v := p.must(t, c.steps...)
			if err := v.shows(c.phase); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if c.phase == "details pay" {
				s.checkDetails(t, p, v)
			}
			if c.event != "" {
				s.till.fire(t, s.operator.reference(t, p, "deposit"), c.event)
			}
			made[i] = p
		}
		for i, c := range careers {
			s.checkDepositCareer(t, made[i], c)
		}
		eventually(t, s.till.hasTold)
		s.server.stop(t)
		for i, c := range careers {
			if n := len(s.to.of(made[i].TrackingCode)); n != 1 {
				t.Errorf("%s: its callback came %d times", c.name, n)
			}
		}
	})
}

// startDeposit calls E9, E12 or E15.
func (s *shop) startDeposit(t *testing.T, kind, amount string) payment {
	t.Helper()
	p := s.provider.create(t, "third-party/"+kind+"/start-deposit", amount)
	want := thirdParty[kind]
	if p.Status != "showing" || p.Type != want[0] || p.Method != kind || !strings.HasPrefix(p.TrackingCode, want[1]) {
		t.Errorf("a deposit by %s is answered with %+v", kind, p)
	}
	return p
}

// checkDetails compares what the page tells the customer to pay with what the gateway waits for.
func (s *shop) checkDetails(t *testing.T, p payment, v *visitor) {
	t.Helper()
	d := s.till.deposit(t, s.operator.reference(t, p, "deposit"))
	wanted := []string{d.Next.Pay.IBAN, d.Next.Pay.Holder, d.Next.Pay.Reference, d.Next.Pay.Address}
	if d.Kind == bank.KindCrypto {
		wanted = append(wanted, d.Due.Value.String(), d.Due.Currency, d.Due.Network)
	}
	for _, text := range wanted {
		if !strings.Contains(v.page, text) {
			t.Errorf("the page does not show %q:\n%s", text, v.body())
		}
	}
}

func (s *shop) checkDepositCareer(t *testing.T, p payment, c depositCareer) {
	t.Helper()
	l := s.to.callback(t, p)
	want := letterBody{
		TrackingCode: p.TrackingCode, Status: c.status, Amount: json.Number(inLira(p.Amount)), Username: "ayse.yilmaz",
		Fullname: "Ayşe Yılmaz", UserID: "u-1001", SiteID: s.in.keys.Sites[0].ID, Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1,
	}
	if l.letterBody != want || len(l.Fields) != 10 {
		t.Errorf("%s: the callback says\n%+v with %v, want\n%+v", c.name, l.letterBody, l.Fields, want)
	}
	p.sees(t, c.status)
	if found := s.operator.settled(t, p.TrackingCode); found.Status != c.status || found.Callbacks[0].State != "delivered" {
		t.Errorf("%s: staff see %s with a callback that is %s", c.name, found.Status, found.Callbacks[0].State)
	}
}

// TestLateMoney: what arrives for a deposit that has expired waits for staff. Accepted, it completes the deposit, with a
// second callback; given back, it does not.
func TestLateMoney(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop("VEZNE_EXPIRY_DEPOSIT=4s")
		accepted, refunded, unpaid := s.startDeposit(t, "bank", "300.04"), s.startDeposit(t, "bank", "400.04"), s.startDeposit(t, "wallet", "500")
		refs := make(map[string]string)
		for _, p := range []payment{accepted, refunded, unpaid} {
			p.must(t, press("begin"))
			refs[p.TrackingCode] = s.operator.reference(t, p, "deposit")
		}
		var ids []string
		for _, p := range []payment{accepted, refunded, unpaid} {
			l := s.to.callback(t, p)
			if l.Status != "expired" {
				t.Errorf("%s ends as %s", p.TrackingCode, l.Status)
			}
			p.sees(t, "expired")
			ids = append(ids, l.ID)
		}
		for _, p := range []payment{accepted, refunded} {
			s.till.fire(t, refs[p.TrackingCode], bank.Paid)
		}

		late := s.operator.discrepancy(t, accepted, "late")
		if late.Seen == nil || late.Seen.Amount != "300.04" || late.Seen.Asset != "TRY" {
			t.Errorf("what came late is %+v", late.Seen)
		}
		s.operator.resolve(t, late, "accept", "geç geldi")
		second := s.to.callbacks(t, accepted, 2)[1]
		if second.Status != "completed" || second.ID == ids[0] || second.Amount != "300.04" {
			t.Errorf("the second callback is %+v", second)
		}
		accepted.sees(t, "completed")
		if err := s.tryResolve(late); codeOf(err) != "ALREADY_FINAL" {
			t.Errorf("accepting once more gives %v", err)
		}

		s.refundDiscrepancy(t, s.operator.discrepancy(t, refunded, "late"))
		s.operator.until(t, refunded, func(g gatewayTransaction) bool {
			return g.Status == "expired" && g.Discrepancies[0].State == "refunded"
		})
		if d := s.till.deposit(t, refs[refunded.TrackingCode]); d.Status != bank.Refunded {
			t.Errorf("at the gateway the money that was given back is %s", d.Status)
		}
		s.server.stop(t)
		if len(s.to.of(accepted.TrackingCode)) != 2 || len(s.to.of(refunded.TrackingCode)) != 1 {
			t.Errorf("callbacks came %d and %d times", len(s.to.of(accepted.TrackingCode)), len(s.to.of(refunded.TrackingCode)))
		}
	})
}

// TestTheReceiversLastWordIsTheNewest: the receiver takes nothing of a deposit that has expired, which is tried again and
// again; staff accept its money. What the receiver hears then is completed, and expired never again.
func TestTheReceiversLastWordIsTheNewest(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop("VEZNE_EXPIRY_DEPOSIT=2s", "VEZNE_CALLBACK_SCHEDULE=0s"+strings.Repeat(",1s", 49))
		s.to = newReceiver(t, in.keys.Provider, func(l letter) int {
			if l.Status == "expired" {
				return http.StatusServiceUnavailable
			}
			return http.StatusOK
		})
		in.callBack(s.server, s.to)
		p := s.startDeposit(t, "bank", "300.04")
		p.must(t, press("begin"))
		ref := s.operator.reference(t, p, "deposit")
		for range 3 {
			if l := s.to.next(t); l.Status != "expired" || l.Sequence != 1 {
				t.Errorf("first comes %+v", l)
			}
		}
		s.till.fire(t, ref, bank.Paid)
		s.operator.resolve(t, s.operator.discrepancy(t, p, "late"), "accept", "geç geldi")
		for heard := ""; heard != "completed"; {
			heard = s.to.next(t).Status
		}
		found := s.operator.until(t, p, func(g gatewayTransaction) bool {
			return len(g.Callbacks) == 2 && g.Callbacks[1].State == "delivered"
		})
		old, last := found.Callbacks[0], found.Callbacks[1]
		if old.State != "superseded" || old.Sequence != 1 || len(old.Attempts) < 2 || old.SupersededAt == "" || last.Sequence != 2 {
			t.Errorf("staff see %+v", found.Callbacks)
		}
		if err := s.operator.resend(old.ID); codeOf(err) != "CALLBACK_REPLACED" {
			t.Errorf("sending the old one again gives %v", err)
		}
		if err := s.operator.resend(last.ID); err != nil {
			t.Errorf("sending the newest again gives %v", err)
		}
		if l := s.to.next(t); l.Status != "completed" || l.ID != last.ID {
			t.Errorf("in the end comes %+v", l)
		}
		s.server.stop(t)
	})
}

func (s staff) resend(callbackID string) error {
	var data any
	return s.ask(`mutation($id: ID!) { resendCallback(callbackId: $id, reason: "yeniden") { callback { id } } }`, map[string]any{"id": callbackID}, &data)
}

func (s *shop) tryResolve(d discrepancy) error {
	var data any
	return s.operator.ask(`mutation($id: ID!) { resolveDiscrepancy(id: $id, resolution: accept) { discrepancy { id } } }`, map[string]any{"id": d.ID}, &data)
}

func (s *shop) refundDiscrepancy(t *testing.T, d discrepancy) {
	t.Helper()
	var data struct {
		RefundDiscrepancy struct{ Discrepancy discrepancy }
	}
	err := s.operator.ask(`mutation($id: ID!) { refundDiscrepancy(id: $id, reason: "iade") { discrepancy `+discrepancyFields+` } }`,
		map[string]any{"id": d.ID}, &data)
	if state := data.RefundDiscrepancy.Discrepancy.State; err != nil || state != "refunding" && state != "refunded" {
		t.Fatalf("giving a discrepancy back gives %+v (%v)", data.RefundDiscrepancy, err)
	}
}

// TestMoneyThatDoesNotFit: less, more, or another currency than was due holds a payment open until staff decide.
func TestMoneyThatDoesNotFit(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		for _, c := range []struct {
			kuruş, kind, resolution, status, amount string
		}{
			{"26", "short", "accept", "completed", "250.13"}, // no more than what came
			{"26", "short", "write_off", "canceled", "500.26"}, {"27", "over", "accept", "completed", "500.27"},
			{"63", "review", "accept", "completed", "500.63"},
		} {
			p := s.startDeposit(t, "bank", "500."+c.kuruş)
			p.must(t, press("begin"))
			d := s.operator.discrepancy(t, p, c.kind)
			p.sees(t, "held")
			if n := len(s.to.of(p.TrackingCode)); n > 0 {
				t.Errorf("while staff look at it, %s has %d callbacks", p.TrackingCode, n)
			}
			s.operator.resolve(t, d, c.resolution, "bakıldı")
			if l := s.to.callback(t, p); l.Status != c.status || string(l.Amount) != c.amount {
				t.Errorf("%s, then %s: the callback says %s of %s", c.kind, c.resolution, l.Status, l.Amount)
			}
		}
		card := s.provider.card(t, "500.00")
		card.must(t, press("begin"), withCard(bank.TestCard("28")))
		s.operator.resolve(t, s.operator.discrepancy(t, card, "other_currency"), "write_off", "dolar geldi")
		if l := s.to.callback(t, card); l.Status != "failed" {
			t.Errorf("a card payment in dollars that was written off is %s", l.Status)
		}
		s.server.stop(t)
	})
}
