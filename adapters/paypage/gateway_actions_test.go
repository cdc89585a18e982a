package paypage_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestBeginLeadsOn: each next step of a gateway leads where it has to.
func TestBeginLeadsOn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		next gateway.NextStep
		want string // {page}: the payment's page
		says string // of the page that follows
	}{
		"redirect": {gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://bank.test/3ds?id=1&x=%20"}}, "https://bank.test/3ds?id=1&x=%20", ""},
		"form": {gateway.NextStep{Form: &gateway.FormPost{Action: "https://bank.test/gate", Fields: [][2]string{{"b", "2"}, {"a", "1"}}}},
			"{page}/go", "Taking you to the secure payment page"},
		"document": {gateway.NextStep{HTML: &gateway.HostedHTML{Document: "<p>bank says hello", Origins: []string{"https://bank.test"}}}, "{page}/go", "bank says hello"},
		"by hand":  {gateway.NextStep{Pay: &gateway.Instructions{Kind: gateway.Bank, IBAN: exampleIBAN}}, "{page}", "TR19 0006 2000"},
		"wait":     {gateway.NextStep{Wait: &gateway.Wait{}}, "{page}", "We are checking your payment"},
		"unclear":  {gateway.NextStep{}, "{page}", "We are checking your payment"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.booth.leads(tt.next)
			p := s.StartDeposit(t, payment.WalletDeposit, lira(250))
			want := strings.Replace(tt.want, "{page}", path(p), 1)
			for range 2 { // pressed again, it is the same
				if got := s.begin(p, nil).header.Get("Location"); got != want {
					t.Fatalf("leads to %s, want %s", got, want)
				}
			}
			if tt.says != "" {
				if got := s.get(want).text(); !strings.Contains(got, tt.says) {
					t.Errorf("want %s in\n%s", tt.says, got)
				}
			}
			if n := len(s.booth.orders); n != 1 {
				t.Errorf("ordered %d times", n)
			}
		})
	}
}

// TestBeginTellsTheGateway what it has to know, and brings the customer back to an address without personal data.
func TestBeginTellsTheGateway(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.card()
	s.begin(p, nil)
	order := s.booth.orders[0]
	back := order.ReturnURL.String()
	if !strings.HasPrefix(back, "https://pay.vezne.test/pay/return/") || strings.Contains(back, p.Token) || strings.Contains(back, p.TrackingCode) {
		t.Errorf("comes back to %s", back)
	}
	if order.Customer.IP != "127.0.0.1" || order.Amount != gateway.Lira(p.Amount) || order.Kind != gateway.Card {
		t.Errorf("ordered %+v", order)
	}
}

// TestFormGoesOnInOrder: the page that leads by a form has its fields in order, hidden, and nothing else.
func TestFormGoesOnInOrder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.leads(gateway.NextStep{Form: &gateway.FormPost{
		Action: "https://bank.test/gate?a=1&b=2", Fields: [][2]string{{"z", `"><script>`}, {"a", "1"}, {"a", "2"}, {"submit", ""}},
	}})
	p := s.begun(payment.CreditCard, nil)
	got := s.get(path(p) + "/go")
	want := `<form method="post" action="https://bank.test/gate?a=1&amp;b=2" data-leave>
<input type="hidden" name="z" value="&#34;&gt;&lt;script&gt;">
<input type="hidden" name="a" value="1">
<input type="hidden" name="a" value="2">
<input type="hidden" name="submit" value="">
<button`
	if !strings.Contains(got.body, want) || !strings.Contains(got.body, "/leave.js") {
		t.Errorf("want\n%s in\n%s", want, got.body)
	}
}

// TestGoWithoutAnywhereToGo: the way out is closed before a payment is begun, and after it has ended.
func TestGoWithoutAnywhereToGo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.leads(gateway.NextStep{Form: &gateway.FormPost{Action: "https://bank.test/gate"}})
	fresh, done, over := s.card(), s.begun(payment.CreditCard, nil), s.begun(payment.CreditCard, nil)
	s.happens(done, paid)
	s.Clock.Set(over.ExpiresAt)
	for name, p := range map[string]payment.Payment{"not begun": fresh, "paid": done, "over": over} {
		got := s.get(path(p) + "/go?lang=tr")
		if got.status != http.StatusSeeOther || got.header.Get("Location") != path(p)+"?lang=tr" {
			t.Errorf("%s: %d to %s", name, got.status, got.header.Get("Location"))
		}
	}
	if got := s.get(path(s.offered()) + "/go"); got.status != http.StatusNotFound {
		t.Errorf("a deposit to an account: %d", got.status)
	}
}

// TestRefusingStart: a card that is refused at once ends the payment; another gateway is tried when one is down.
func TestRefusingStart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Sandbox.Fault = failing(apptest.Refusing)
	refused := s.begun(payment.CreditCard, nil)
	if got := s.get(path(refused)).text(); !strings.Contains(got, "The payment failed There are not enough funds") {
		t.Errorf("not refused:\n%s", got)
	}
	s.Sandbox.Fault = failing(apptest.NotSent)
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250))
	got := s.begin(p, pick(gateway.Crypto, s.Gateway.ID, "usdt"))
	if to := got.header.Get("Location"); to != path(p)+"?kind=crypto&notice=no_way" {
		t.Errorf("leads to %s", to)
	}
	if got := s.get(got.header.Get("Location")).text(); !strings.Contains(got, "not available right now") || !strings.Contains(got, "Hızlı Kripto") {
		t.Errorf("no other way:\n%s", got)
	}
	s.begin(p, pick(gateway.Crypto, s.OtherGateway.ID, "usdt"))
	if got := s.get(path(p)).text(); !strings.Contains(got, "Send 6.230779 USDT") {
		t.Errorf("the other gateway was not begun:\n%s", got)
	}
}

func failing(f apptest.Fault) func(gateway.Capability, gateway.Ref) apptest.Fault {
	return func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
		if call == gateway.CanStartDeposit {
			return f
		}
		return apptest.NoFault
	}
}

// needy is a booth that asks for everything there is.
func (s *stage) needy() {
	s.booth.needs = []gateway.FieldSpec{
		{Name: "iban", Label: "IBAN", Check: gateway.CheckIBAN}, {Name: "account_holder", Label: "Holder", Check: gateway.CheckName},
		{Name: "national_id", Check: gateway.CheckTCKN}, {Name: "wallet_number", Check: gateway.CheckWallet},
		{Name: "phone", Check: gateway.CheckPhone}, {Name: "email", Check: gateway.CheckEmail},
		{Name: "bank_code", Check: gateway.CheckChoice, Choices: []string{"0010", "0062"}},
		{Name: "nickname", Label: "Your <i>nickname</i>", Check: gateway.CheckText, IsOptional: true},
	}
	s.turn(&s.OtherGateway, false)
}

// TestFieldsAreChecked: each wrong field says why beside it, what was typed stays, and nothing is begun.
func TestFieldsAreChecked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.needy()
	for _, m := range []payment.Method{payment.CreditCard, payment.WalletDeposit} {
		p := s.StartDeposit(t, m, lira(250))
		form := pick(m.Gateway(), s.Gateway.ID, "")
		if m == payment.CreditCard {
			form.Del("gateway_id")
		}
		for name, value := range map[string]string{
			"iban": "TR00", "account_holder": "", "national_id": "12345678901", "wallet_number": "12", "phone": "x", "email": "ayse@",
			"bank_code": "9999", "nickname": `"><script>alert(1)</script>`,
		} {
			form.Set(name, value)
		}
		got := s.post(path(p)+"/begin?lang=tr", form)
		if got.status != http.StatusUnprocessableEntity {
			t.Fatalf("%s: %d\n%s", m, got.status, got.text())
		}
		for _, want := range []string{
			`<a href="#iban">IBAN’ınız</a>`, `id="why-iban">IBAN’ı kontrol edin;`, `<p class="why" id="why-account_holder">Bu alanı doldurun.`,
			`id="why-national_id">11 haneli`, `id="why-wallet_number">5 ile 20`, `id="why-phone">Telefon`, `id="why-email">E-posta`,
			`id="why-bank_code">Listeden`, `value="TR00" aria-invalid="true" aria-describedby="why-iban"`, `value="ayse@"`,
			`value="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"`, `Your &lt;i&gt;nickname&lt;/i&gt; <span class="hint">(isteğe bağlı)`,
			`<title>Hata: Bilgileri kontrol edin`,
		} {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s lacks %s:\n%s", m, want, got.body)
			}
		}
		if n := len(s.booth.orders); n != 0 {
			t.Fatalf("%s: ordered %d times", m, n)
		}
		for name, value := range map[string]string{
			"iban": exampleIBAN, "account_holder": "Ayşe Yılmaz", "national_id": "10000000146", "wallet_number": "1234 567",
			"phone": "+90 555 111 22 33", "email": "ayse@example.com", "bank_code": "0062", "nickname": "",
		} {
			form.Set(name, value)
		}
		s.begin(p, form)
		if fields := s.booth.orders[0].Fields; fields["wallet_number"] != "1234567" || fields["bank_code"] != "0062" || len(fields) != 7 {
			t.Errorf("%s: the gateway is told %v", m, fields)
		}
		s.booth.orders = nil
	}
}

// TestWhatWasNotAskedIsNoMistake: a coin that needs more than was on the form has it asked for, without a complaint.
func TestWhatWasNotAskedIsNoMistake(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.options[0].Needs = []gateway.FieldSpec{{Name: "wallet_address", Check: gateway.CheckAddress}}
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250))
	form := pick(gateway.Crypto, s.Gateway.ID, "usdt")
	got := s.post(path(p)+"/begin", form)
	if got.status != http.StatusUnprocessableEntity || strings.Contains(got.body, `class="why"`) || strings.Contains(got.body, `id="problem"`) ||
		!strings.Contains(got.body, `<label for="wallet_address">Your wallet address</label>`) || !strings.Contains(got.body, `value="usdt" checked`) {
		t.Fatalf("%d\n%s", got.status, got.body)
	}
	form.Set("wallet_address", "nonsense")
	if got := s.post(path(p)+"/begin", form); !strings.Contains(got.text(), "This address does not fit the chosen network.") {
		t.Errorf("not checked:\n%s", got.text())
	}
	form.Set("wallet_address", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC")
	s.begin(p, form)
}

// TestCardMayNeedMore: when the next gateway of a card's route needs more than the first, it is asked for.
func TestCardMayNeedMore(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.other.kinds = []gateway.Kind{gateway.Card}
	s.other.needs = []gateway.FieldSpec{{Name: "national_id", Check: gateway.CheckTCKN}}
	s.Sandbox.Fault = failing(apptest.NotSent)
	p := s.card()
	got := s.post(path(p)+"/begin", nil)
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `id="national_id"`) || strings.Contains(got.body, `id="problem"`) {
		t.Fatalf("%d\n%s", got.status, got.body)
	}
	s.begin(p, url.Values{"national_id": {"10000000146"}})
	if len(s.other.orders) != 1 || s.other.orders[0].Fields["national_id"] != "10000000146" {
		t.Errorf("ordered %+v", s.other.orders)
	}
}

// TestAnotherWay: picking another one calls the first off, and the same one again shows the same details.
func TestAnotherWay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.CryptoDeposit, pick(gateway.Crypto, s.Gateway.ID, "usdt"))
	first := s.last(p)
	s.begin(p, pick(gateway.Crypto, s.Gateway.ID, "usdt"))
	if again := s.last(p); again.ID != first.ID {
		t.Errorf("the same choice began %s after %s", again.ID, first.ID)
	}
	s.begin(p, pick(gateway.Bank, s.Gateway.ID, ""))
	if got := s.get(path(p)).text(); !strings.Contains(got, "Send ₺250.00") {
		t.Errorf("not by bank now:\n%s", got)
	}
	s.Work(t)
	if order, _ := s.Sandbox.FindDeposit(string(first.Reference)); order.Status != string(gateway.Canceled) {
		t.Errorf("the first one is %s at the gateway", order.Status)
	}
}

// TestStaleBegin: an outdated form never calls off what is under way; pressing for the same again is no harm.
func TestStaleBegin(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250))
	old := pick(gateway.Crypto, s.Gateway.ID, "usdt")
	old.Set("version", strconv.Itoa(p.Version))
	s.begin(p, old)
	first := s.last(p)
	if got := s.begin(p, old).header.Get("Location"); got != path(p) {
		t.Errorf("the same again leads to %s", got)
	}
	other := pick(gateway.Bank, s.Gateway.ID, "")
	other.Set("version", strconv.Itoa(p.Version))
	if got := s.begin(p, other).header.Get("Location"); got != path(p)+"?notice=changed" {
		t.Errorf("another from an old page leads to %s", got)
	}
	if s.last(p).ID != first.ID {
		t.Error("an old page began another")
	}
	card := s.card()
	cancel := url.Values{"version": {strconv.Itoa(card.Version)}}
	s.begin(card, nil)
	if got := s.post(path(card)+"/cancel", cancel); got.header.Get("Location") != path(card)+"?notice=changed" || s.Reload(t, card).Status.IsFinal() {
		t.Errorf("an old page's cancel leads to %s", got.header.Get("Location"))
	}
}

// TestBeginTooLate: what has ended, or is seen already, is begun no more.
func TestBeginTooLate(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	done, seen, over := s.happens(s.begun(payment.CreditCard, nil), paid), s.begun(payment.WalletDeposit, nil), s.card()
	s.happens(seen, is(gateway.Processing))
	s.Clock.Set(over.ExpiresAt)
	for name, tt := range map[string]struct {
		p    payment.Payment
		want string
	}{"paid": {done, "?notice=stale"}, "seen": {seen, ""}, "over": {over, "?notice=stale"}} {
		if got := s.begin(tt.p, nil).header.Get("Location"); got != path(tt.p)+tt.want {
			t.Errorf("%s leads to %s", name, got)
		}
	}
	if n := len(s.booth.orders); n != 2 {
		t.Errorf("ordered %d times", n)
	}
}

// TestCancelAtGateways: before money is seen the customer may call a payment off, and the gateway is told; after that not.
func TestCancelAtGateways(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bank := pick(gateway.Bank, s.Gateway.ID, "")
	open, away, paidMeanwhile, deciding := s.card(), s.begun(payment.CreditCard, nil), s.begun(payment.CreditCard, nil), s.begun(payment.CreditCard, nil)
	byHand, seen := s.begun(payment.BankDeposit, bank), s.begun(payment.BankDeposit, bank)
	s.happens(deciding, is(gateway.Processing))
	s.happens(seen, is(gateway.Processing))
	s.Sandbox.PayInFull(s.last(paidMeanwhile).Reference)
	for name, tt := range map[string]struct {
		p    payment.Payment
		want payment.Status
		to   string
	}{
		"open": {open, payment.Cancelled, ""}, "away": {away, payment.Cancelled, ""}, "by hand": {byHand, payment.Canceled, ""},
		"paid meanwhile": {paidMeanwhile, payment.Success, "?"}, "deciding": {deciding, payment.Pending, "?notice=stale"},
		"seen": {seen, payment.Processing, "?notice=stale"},
	} {
		got := s.post(path(tt.p)+"/cancel", nil)
		if got.status != http.StatusSeeOther || tt.to != "?" && got.header.Get("Location") != path(tt.p)+tt.to {
			t.Errorf("%s: %d to %s", name, got.status, got.header.Get("Location"))
		}
		if now := s.Reload(t, tt.p); now.Status != tt.want {
			t.Errorf("%s is %s now, want %s", name, now.Status, tt.want)
		}
	}
	if order, _ := s.Sandbox.FindDeposit(string(s.last(away).Reference)); order.Status != string(gateway.Canceled) {
		t.Errorf("at the gateway it is %s", order.Status)
	}
}

// TestEachKindHasItsOwnForms: what is only for one kind of payment is not found for the other.
func TestEachKindHasItsOwnForms(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	manual, card := s.offered(), s.card()
	for at, p := range map[string]payment.Payment{"/begin": manual, "/continue": card, "/paid": card} {
		if got := s.post(path(p)+at, url.Values{"amount": {"300"}}); got.status != http.StatusNotFound {
			t.Errorf("%s of %s: %d", at, p.Method, got.status)
		}
		if now := s.Reload(t, p); now.Version != p.Version {
			t.Errorf("%s changed %s", at, p.Method)
		}
	}
}
