package payment_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// outcome is the callback of a payment that staff brought to its end.
func outcome(t coretest.T, m payment.Method, c payment.Command) payment.Callback {
	t.Helper()
	p := named(coretest.Started(t, m))
	change, err := order(t, p, c)
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return core.RowsOf[payment.Callback](change)[0]
}

// named returns a payment people with names that JSON and HTML escape.
func named(p payment.Payment) payment.Payment {
	p.Customer.Fullname = `Ayşe "Gül" <Yılmaz> & Söhne`
	if p.Method == payment.CryptoWithdrawal {
		p.IBAN = "" // it goes to an address; the field is there all the same
	}
	if p.Method.Kind() == payment.Card {
		p.Payer.FirstName, p.Payer.LastName, p.Payer.Email = `Ayşe "Gül"`, "<Yılmaz> & Söhne", "ayse+gul@example.com"
	}
	return p
}

// declined is the callback of a provider's card payment that its bank declines.
func declined(t coretest.T, language lang.Tag, code gateway.ReasonCode) payment.Callback {
	t.Helper()
	return declinedOf(t, func(p payment.Payment) payment.Payment { p.Language = language; return p }, code)
}

// declinedOf is the same of whom owned makes the payment.
func declinedOf(t coretest.T, owned func(payment.Payment) payment.Payment, code gateway.ReasonCode) payment.Callback {
	t.Helper()
	p := owned(named(coretest.Started(t, payment.CreditCard)))
	p.Failure = payment.FailureOf(code, p.Language)
	d := coretest.Decision(t)
	d.IDs.Next() // the golden files' payments were begun at a gateway, which made two rows
	d.IDs.Next()
	change, err := payment.Decide(p, payment.Fail, d)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return core.RowsOf[payment.Callback](change)[0]
}

// TestAFailedCardSaysWhy: error_code and error_message are there whoever ended it and however, in the payment's language;
// what only concerns the bank and the gateway is told to nobody.
func TestAFailedCardSaysWhy(t *testing.T) {
	t.Parallel()
	for _, tag := range lang.Tags() {
		tests := map[gateway.ReasonCode]gateway.ReasonCode{
			gateway.InsufficientFunds: gateway.InsufficientFunds, gateway.LostOrStolen: gateway.DoNotHonour,
			gateway.FraudSuspected: gateway.DoNotHonour, gateway.NoFunds: gateway.Declined, "": gateway.Declined,
			"A_CODE_OF_THE_PLUGIN": gateway.Declined,
		}
		for code, want := range tests {
			got := declined(t, tag, code).Payload.Card
			if got.ErrorCode != string(want) || got.ErrorMessage != lang.Say(tag, "reason."+string(want)) {
				t.Errorf("%q in %s: %q, %q, want %s", code, tag, got.ErrorCode, got.ErrorMessage, want)
			}
		}
	}
	for c, want := range map[payment.Command]gateway.ReasonCode{
		payment.Expire: gateway.TimedOut, payment.Reject: gateway.Declined, payment.Fail: gateway.Declined,
	} {
		if got := outcome(t, payment.CreditCard, c).Payload.Card; got.ErrorCode != string(want) || got.ErrorMessage == "" {
			t.Errorf("ended by %s: %+v", c, got)
		}
	}
	for _, c := range []payment.Command{payment.Succeed, payment.Cancel} {
		if got := outcome(t, payment.CreditCard, c).Payload.Card; got.ErrorCode+got.ErrorMessage != "" {
			t.Errorf("%s: %+v", c, got)
		}
	}
}

// TestNewCallback: due at once, or parked when no URL is set.
func TestNewCallback(t *testing.T) {
	t.Parallel()
	d := coretest.Decision(t)
	d.Schedule = payment.RetrySchedule{5 * time.Second, time.Minute}
	for _, url := range []string{"https://example.com", ""} {
		d.Target.URL = url
		change, err := payment.Decide(coretest.Started(t, payment.ManualDeposit), payment.Cancel, d)
		if err != nil {
			t.Fatal(err)
		}
		cb := core.RowsOf[payment.Callback](change)[0]
		state, next := payment.Waiting, d.At.Add(5*time.Second)
		if url == "" {
			state, next = payment.Skipped, time.Time{}
		}
		if cb.Status != state || !cb.NextAttemptAt.Equal(next) || cb.AttemptCount != 0 || cb.Receiver != d.Target.Receiver {
			t.Errorf("URL %q: %+v", url, cb)
		}
	}
}

// TestTargetOf walks the settings from the most to the least specific (decisions: Callback URLs).
func TestTargetOf(t *testing.T) {
	t.Parallel()
	p, s := owner.Provider{ID: 7}, owner.Site{ID: 3}
	tests := []struct {
		name           string
		provider, site owner.CallbackURLs
		kind           payment.CallbackKind
		want           payment.Target
	}{
		{"none", owner.CallbackURLs{}, owner.CallbackURLs{}, payment.DepositCallback, payment.Target{Receiver: "provider/7/deposit"}},
		{"none for E-IBAN", owner.CallbackURLs{Withdrawal: "w", CreditCard: "c"}, owner.CallbackURLs{}, payment.EIBANDepositCallback, payment.Target{Receiver: "provider/7/eiban_deposit"}},
		{"provider's", owner.CallbackURLs{Deposit: "d", EIBANDeposit: "e", Withdrawal: "w"}, owner.CallbackURLs{}, payment.DepositCallback, payment.Target{Receiver: "provider/7/deposit", URL: "d"}},
		{"site's", owner.CallbackURLs{Deposit: "d"}, owner.CallbackURLs{Deposit: "sd"}, payment.DepositCallback, payment.Target{Receiver: "site/3/deposit", URL: "sd"}},
		{"withdrawal never takes another's", owner.CallbackURLs{Deposit: "d", EIBANDeposit: "e"}, owner.CallbackURLs{Deposit: "sd"}, payment.WithdrawalCallback, payment.Target{Receiver: "provider/7/withdrawal"}},
		{"card never takes another's", owner.CallbackURLs{Deposit: "d", EIBANDeposit: "e", Withdrawal: "w"}, owner.CallbackURLs{Deposit: "sd"}, payment.CreditCardCallback, payment.Target{Receiver: "provider/7/credit_card"}},
		{"card", owner.CallbackURLs{CreditCard: "c"}, owner.CallbackURLs{}, payment.CreditCardCallback, payment.Target{Receiver: "provider/7/credit_card", URL: "c"}},
		{"card, site's own", owner.CallbackURLs{CreditCard: "c"}, owner.CallbackURLs{CreditCard: "sc"}, payment.CreditCardCallback, payment.Target{Receiver: "site/3/credit_card", URL: "sc"}},
		{"withdrawal", owner.CallbackURLs{Withdrawal: "w"}, owner.CallbackURLs{}, payment.WithdrawalCallback, payment.Target{Receiver: "provider/7/withdrawal", URL: "w"}},
		{"E-IBAN, site's own", owner.CallbackURLs{EIBANDeposit: "e"}, owner.CallbackURLs{EIBANDeposit: "se"}, payment.EIBANDepositCallback, payment.Target{Receiver: "site/3/eiban_deposit", URL: "se"}},
		{"E-IBAN, provider's before the site's callback_url", owner.CallbackURLs{EIBANDeposit: "e"}, owner.CallbackURLs{Deposit: "sd"}, payment.EIBANDepositCallback, payment.Target{Receiver: "provider/7/eiban_deposit", URL: "e"}},
		{"E-IBAN falls back to callback_url", owner.CallbackURLs{Deposit: "d"}, owner.CallbackURLs{Deposit: "sd"}, payment.EIBANDepositCallback, payment.Target{Receiver: "site/3/deposit", URL: "sd"}},
		{"E-IBAN falls back to the provider's callback_url", owner.CallbackURLs{Deposit: "d"}, owner.CallbackURLs{}, payment.EIBANDepositCallback, payment.Target{Receiver: "provider/7/deposit", URL: "d"}},
		{"a deposit never takes deposit_callback_url", owner.CallbackURLs{EIBANDeposit: "e"}, owner.CallbackURLs{}, payment.DepositCallback, payment.Target{Receiver: "provider/7/deposit"}},
		{"unknown kind", owner.CallbackURLs{Deposit: "d"}, owner.CallbackURLs{}, "card", payment.Target{Receiver: "provider/7/card"}},
	}
	for _, tt := range tests {
		p.URLs, s.URLs = tt.provider, tt.site
		if got := payment.TargetOf(p, s, tt.kind); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// TestATestCallbackIsNobodys: no real code has its letters, and its kind's payload is whole.
func TestATestCallbackIsNobodys(t *testing.T) {
	t.Parallel()
	for _, kind := range append(payment.TestCallbackKinds(), payment.TestDealerCallbackKinds()...) {
		cb, err := payment.NewTestCallback(kind, 7, coretest.Evening, strings.NewReader(strings.Repeat("\xff", 40)))
		if err != nil {
			t.Fatal(err)
		}
		_, mark, _ := strings.Cut(cb.Payload.TrackingCode, "-")
		if !strings.HasPrefix(strings.TrimPrefix(mark, "WIT-"), "TESTONLY") || cb.ID == "" || cb.Payload.SiteID != 7 || cb.Payload.Amount.IsZero() {
			t.Errorf("%s: %+v", kind, cb)
		}
		if _, err := cb.Message(payment.SignerOf(coretest.Provider()), coretest.Evening, time.UTC); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if _, err := payment.NewTestCallback(kind, 7, coretest.Evening, strings.NewReader("short")); err == nil {
			t.Errorf("%s: made without randomness", kind)
		}
	}
}

// dealers makes a card payment a dealer's own.
func dealers(language lang.Tag) func(payment.Payment) payment.Payment {
	return func(p payment.Payment) payment.Payment {
		p.ProviderID, p.SiteID, p.SiteName, p.Language = 0, 0, "", language
		p.Payer.Phone = "+90 555 111 22 33"
		return p
	}
}

// dealersOwn is the callback of a dealer's own payment of any method.
func dealersOwn(t coretest.T, m payment.Method, c payment.Command) payment.Callback {
	t.Helper()
	p := dealers(lang.TR)(named(coretest.Started(t, m)))
	if m == payment.EIBANTransfer {
		p.Customer, p.Payee.Recipient = owner.Customer{}, `Ayşe "Gül" <Yılmaz>`
	}
	change, err := order(t, p, c)
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return core.RowsOf[payment.Callback](change)[0]
}

// dealerOutcome is the callback of a dealer's own card payment.
func dealerOutcome(t coretest.T, language lang.Tag, c payment.Command) payment.Callback {
	t.Helper()
	change, err := order(t, dealers(language)(named(coretest.Started(t, payment.CreditCard))), c)
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return core.RowsOf[payment.Callback](change)[0]
}

// TestTargetOfDealer: each of the methods that a dealer's own API has is told, to the dealer's address for it; transfers go where withdrawals do.
func TestTargetOfDealer(t *testing.T) {
	t.Parallel()
	d := dealer()
	if got := payment.TargetOfDealer(d, payment.DealerCardCallback); got != (payment.Target{Receiver: "dealer/5/dealer_card"}) {
		t.Errorf("without a URL: %+v", got)
	}
	d.URLs.CreditCard = "https://dealer.test/cards"
	if got := payment.TargetOfDealer(d, payment.DealerCardCallback); got.URL != d.URLs.CreditCard {
		t.Errorf("%+v", got)
	}
	d.URLs.Deposit, d.URLs.Withdrawal = "https://dealer.test/in", "https://dealer.test/out"
	told := map[payment.Method]string{
		payment.CreditCard: d.URLs.CreditCard, payment.ManualDeposit: d.URLs.Deposit, payment.ManualWithdrawal: d.URLs.Withdrawal,
		payment.EIBANTransfer: d.URLs.Withdrawal,
	}
	for _, m := range payment.Methods() {
		kind := dealers(lang.EN)(coretest.Started(t, m)).CallbackKind()
		if got := payment.TargetOfDealer(d, kind).URL; (kind != "") != (told[m] != "") || got != told[m] {
			t.Errorf("a dealer's own %s has the callback %q to %q", m, kind, got)
		}
	}
}
