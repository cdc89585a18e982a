package provider_test

import (
	"strings"
	"testing"
	"time"

	directory "github.com/vezne/vezne/app/owner"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// set changes the first gateway.
func (s *server) set(t *testing.T, patch owner.GatewayPatch) {
	t.Helper()
	var err error
	if s.Gateway, err = s.GatewayAdmin.Update(t.Context(), app.Request{Staff: s.Admin}, directory.GatewayUpdate{ID: s.Gateway.ID, GatewayPatch: patch}); err != nil {
		t.Fatal(err)
	}
}

func TestPayoutsThatTheirGatewayDoesNotTake(t *testing.T) {
	t.Parallel()
	const (
		unknown = "The gateway_id field must be the id of a gateway in this method's list."
		noID    = "The gateway_id field must be the id of a record."
		coin    = "The crypto_type field must be one of the gateway's supported_crypto_types."
		address = "The wallet_address field must be a valid address for USDT (TRC20)."
		number  = "The wallet_number field must be a wallet number of 5 to 20 digits."
		low     = "The amount field must be at least 10.00."
		high    = "The amount field may be at most 50000.00."
	)
	for _, tt := range []struct{ path, old, sent, want string }{
		{bank, "250.00", "10", ""}, {bank, "250.00", "50000.00", ""}, {bank, "250.00", "9.99", low}, {bank, "250.00", "50000.01", high},
		{crypto, "250.00", "9.99", low}, {crypto, "250.00", "50000.01", high}, {wallet, "250.00", "9.99", low}, {wallet, "250.00", "50000.01", high},
		{bank, `"gateway_id":1`, `"gateway_id":2`, ""}, {bank, `"gateway_id":1`, `"gateway_id":"2"`, ""},
		{bank, `"gateway_id":1`, `"gateway_id":3`, unknown}, {crypto, `"gateway_id":1`, `"gateway_id":9223372036854775807`, unknown},
		{wallet, `"gateway_id":1`, `"gateway_id":0`, noID}, {bank, `"gateway_id":1`, `"gateway_id":1.0`, noID}, {bank, `"gateway_id":1`, `"gateway_id":-1`, noID},
		{bank, `"gateway_id":1`, `"gateway_id":"till"`, noID}, {bank, `"gateway_id":1`, `"gateway_id":{}`, noID}, {bank, `"gateway_id":1`, `"gateway_id":1e999999`, noID},
		{crypto, "USDT (TRC20)", " usdt (trc20) ", ""}, {crypto, "USDT (TRC20)", "USDT", coin}, {crypto, "USDT (TRC20)", "TRY", coin},
		{crypto, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD", address},
		{crypto, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "0x52908400098527886E0F7030069857D2E4169EE7", address},
		{crypto, `"TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"`, "7", "The wallet_address field must be a string."},
		{wallet, "1234567890", " 1234-5678 90 ", ""}, {wallet, "1234567890", "1234", number}, {wallet, "1234567890", "12345x", number},
		{wallet, `"1234567890"`, "true", "The wallet_number field must be a string."},
		{wallet, `"1234567890"`, `""`, "The wallet_number field is required."},
	} {
		s := newServer(t)
		got := s.Send(t, s.call(tt.path, strings.Replace(creating[tt.path], tt.old, tt.sent, 1)))
		if tt.want != "" {
			got.WantMessages(t, tt.want)
		} else if got.Status != 200 {
			t.Errorf("%s %s: %d %s", tt.path, tt.sent, got.Status, got.Body)
		}
	}
}

// TestFieldsOfTheBodyAndOfTheGatewayFailTogether, in the documented order.
func TestFieldsOfTheBodyAndOfTheGatewayFailTogether(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	body := `{"user_id":"u-1001","username":"","fullname":"Ayşe","amount":5,"gateway_id":1,"crypto_type":"USDT (TRC20)","wallet_address":"TJRyWw"}`
	s.Send(t, s.call(crypto, body).With("Idempotency-Key", "with space")).WantMessages(t,
		"The username field is required.", "The amount field must be at least 10.00.",
		"The wallet_address field must be a valid address for USDT (TRC20).",
		"The Idempotency-Key header must have 1 to 255 visible ASCII characters: no spaces and no other letters.")
	body = `{"user_id":true,"username":"a","fullname":"Ayşe","amount":250,"gateway_id":7,"iban":"TR1"}`
	s.Send(t, s.call(bank, body)).WantMessages(t, "The user_id field must be a string.",
		"The gateway_id field must be the id of a gateway in this method's list.", "The iban field must be 15 to 34 characters long.")
}

func TestGatewaysThatAreNotInUse(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	off := false
	s.set(t, owner.GatewayPatch{IsEnabled: &off})
	for _, path := range []string{bank, crypto, wallet} {
		s.Send(t, s.call(path, creating[path])).WantMessages(t, "The gateway_id field must be the id of a gateway in this method's list.")
		got := s.Send(t, s.call(strings.Replace(path, "start-withdrawal", "gateways", 1), ""))
		if got.Want(t, 200, ""); strings.Contains(got.Body, `"id":1,`) || !strings.Contains(got.Body, `"count":1`) {
			t.Errorf("listed: %s", got.Body)
		}
	}
}

// TestARepeatedPayoutIsTheFirstAnswer although its gateway has been switched off since.
func TestARepeatedPayoutIsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	for _, path := range []string{bank, crypto, wallet} {
		s := newServer(t)
		r := s.call(path, creating[path]).With(idempotency, "k")
		first := s.Send(t, r)
		off := false
		s.set(t, owner.GatewayPatch{IsEnabled: &off})
		again := s.Send(t, r)
		if again.Status != 200 || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("want %s\ngot %d %s", first.Body, again.Status, again.Body)
		}
		s.Send(t, r.With(idempotency, "l")).Want(t, 422, "Validation failed")
		if made := s.Payments(t); len(made) != 1 {
			t.Errorf("%d payments", len(made))
		}
	}
}

// TestARepeatedCallOfABlockedCustomerIsTheFirstAnswer: blocked after the first one.
func TestARepeatedCallOfABlockedCustomerIsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	firsts := map[string]answer{}
	for path, body := range creating {
		firsts[path] = s.Send(t, s.call(path, body).With(idempotency, "k"))
	}
	s.block(t, "u-1001")
	s.changeProvider(t, func(p *owner.Provider) { p.IsCreditCardEnabled = false })
	for path, body := range creating {
		if again := s.Send(t, s.call(path, body).With(idempotency, "k")); again.Status != 200 || again.Body != firsts[path].Body {
			t.Errorf("%s: want %s\ngot %d %s", path, firsts[path].Body, again.Status, again.Body)
		}
	}
}

// TestEveryMethodsPaymentIsKept: method, first status, site and expiry of what each endpoint creates.
func TestEveryMethodsPaymentIsKept(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]struct {
		method  payment.Method
		status  payment.Status
		expires time.Duration // 0: never
	}{
		"/start-manual-deposit":             {payment.ManualDeposit, payment.Showing, 30 * time.Minute},
		"/start-manual-withdraw":            {payment.ManualWithdrawal, payment.Pending, 0},
		"/start-eiban-deposit":              {payment.EIBANDeposit, payment.Showing, 30 * time.Minute},
		"/start-eiban-withdraw":             {payment.EIBANWithdrawal, payment.Pending, 0},
		card:                                {payment.CreditCard, payment.Pending, 15 * time.Minute},
		"/third-party/bank/start-deposit":   {payment.BankDeposit, payment.Showing, 30 * time.Minute},
		bank:                                {payment.BankWithdrawal, payment.Showing, 24 * time.Hour},
		"/third-party/crypto/start-deposit": {payment.CryptoDeposit, payment.Showing, 30 * time.Minute},
		crypto:                              {payment.CryptoWithdrawal, payment.Showing, 0},
		"/third-party/wallet/start-deposit": {payment.WalletDeposit, payment.Showing, 30 * time.Minute},
		wallet:                              {payment.WalletWithdrawal, payment.Showing, 0},
	} {
		s := newServer(t)
		s.Send(t, s.call(path, creating[path])).Want(t, 200, "")
		p := s.Payments(t)[0]
		expires := time.Duration(0)
		if !p.ExpiresAt.IsZero() {
			expires = p.ExpiresAt.Sub(p.CreatedAt)
		}
		if p.Method != want.method || p.Status != want.status || expires != want.expires || p.SiteID != s.Site.ID ||
			p.ProviderID != s.Provider.ID || p.Customer.UserID != "u-1001" || p.Language != lang.EN || p.Amount.String() != "250.00" {
			t.Errorf("%s made %+v", path, p)
		}
		if isPayout := p.Method.Kind() == payment.Payout; isPayout != (p.Gateway.GatewayID == s.Gateway.ID) {
			t.Errorf("%s: at gateway %d", path, p.Gateway.GatewayID)
		}
	}
}

// TestAccountHolderMayBeSentAlong: fields that no gateway here asks for are ignored, whatever they are.
func TestAccountHolderMayBeSentAlong(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Send(t, s.call(bank, strings.Replace(bankBody, "{", `{"account_holder":"Fatma Kaya","phone":"\u0000","memo":"x",`, 1))).Want(t, 200, "")
}

// TestADepositThatNoGatewayEverTakesIsRefused instead of having its customer wait; an outage or a switched-off gateway refuses nothing.
func TestADepositThatNoGatewayEverTakesIsRefused(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	most := money.New(300_00, money.TRY)
	accounts, err := s.Store.GatewayAccounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		by := app.Request{Staff: s.Admin}
		if _, err := s.GatewayAdmin.Update(t.Context(), by, directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{Max: &most}}); err != nil {
			t.Fatal(err)
		}
	}
	for path, body := range creating {
		if strings.HasSuffix(path, "withdrawal") || strings.Contains(path, "withdraw") || strings.Contains(path, "manual") || strings.Contains(path, "eiban") {
			continue
		}
		above := strings.Replace(body, "250.00", "300.01", 1)
		got := s.Send(t, s.call(path, above).With("Accept-Language", "en"))
		got.WantMessages(t, "The amount field may be at most 300.00.")
		s.Send(t, s.call(path, strings.Replace(body, "250.00", "300.00", 1))).Want(t, 200, "")
	}
}
