package payment_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// sentAt is 1773088260 in Unix seconds.
var sentAt = coretest.Evening.Add(61 * time.Minute)

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

// named gives a payment people with names that JSON and HTML escape.
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

// checkMessage compares a callback's headers and body with a golden file.
func checkMessage(t *testing.T, golden string, cb payment.Callback, keys payment.Signer, zone *time.Location) {
	t.Helper()
	message, err := cb.Message(keys, sentAt, zone)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, h := range message.Headers {
		fmt.Fprintf(&text, "%s: %s\n", h.Name, h.Value)
	}
	fmt.Fprintf(&text, "\n%s\n", message.Body)
	coretest.CheckGolden(t, golden, []byte(text.String()))
}

// TestCallbackMessage holds bodies and headers byte for byte: receivers hash and parse exactly these.
func TestCallbackMessage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		golden   string
		callback payment.Callback
	}{
		{"callback_deposit.golden", outcome(t, payment.ManualDeposit, payment.Approve)},
		{"callback_eiban_deposit.golden", outcome(t, payment.EIBANDeposit, payment.Cancel)},
		{"callback_withdrawal.golden", outcome(t, payment.ManualWithdrawal, payment.Reject)},
		{"callback_crypto_withdrawal.golden", outcome(t, payment.CryptoWithdrawal, payment.Expire)},
		{"callback_credit_card.golden", outcome(t, payment.CreditCard, payment.Succeed)},
		{"callback_credit_card_failed.golden", declined(t, lang.TR, gateway.InsufficientFunds)},
		{"callback_credit_card_cancelled.golden", outcome(t, payment.CreditCard, payment.Cancel)},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			t.Parallel()
			checkMessage(t, tt.golden, tt.callback, payment.SignerOf(coretest.Provider()), time.UTC)
		})
	}
}

// TestCorrectionMessage: a correction says what the callback before it reported, in the number's own form, behind the rest.
func TestCorrectionMessage(t *testing.T) {
	t.Parallel()
	for golden, cb := range map[string]payment.Callback{
		"correction_deposit.golden":     outcome(t, payment.ManualDeposit, payment.Approve),
		"correction_credit_card.golden": outcome(t, payment.CreditCard, payment.Succeed),
		"correction_dealer_card.golden": dealerOutcome(t, lang.EN, payment.Succeed),
	} {
		t.Run(golden, func(t *testing.T) {
			t.Parallel()
			cb.Sequence, cb.Payload.Correction = 2, payment.Correction{IsSet: true, PreviousAmount: coretest.Lira(99900)}
			keys := payment.SignerOf(coretest.Provider())
			if cb.Kind == payment.DealerCardCallback {
				keys = payment.SignerOfDealer(dealer())
			}
			checkMessage(t, golden, cb, keys, coretest.Istanbul)
		})
	}
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

// TestCallbackHash recomputes the contract's hash with nothing of ours, and finds it in body and headers alike.
func TestCallbackHash(t *testing.T) {
	t.Parallel()
	for method, command := range map[payment.Method]payment.Command{
		payment.ManualDeposit: payment.Reject, payment.EIBANWithdrawal: payment.Cancel, payment.CreditCard: payment.Cancel,
		payment.WalletDeposit: payment.Succeed, payment.WalletWithdrawal: payment.Reject,
	} {
		cb := outcome(t, method, command)
		message, err := cb.Message(payment.SignerOf(coretest.Provider()), sentAt, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte("vzp_0123456789abcdef" + "vzs_fedcba9876543210" + cb.Payload.TrackingCode + string(cb.Payload.Status) + "1773093060"))
		headers := headersOf(message)
		var body struct {
			Timestamp json.Number `json:"timestamp"`
			Hash      string      `json:"hash"`
		}
		if err := json.Unmarshal(message.Body, &body); err != nil {
			t.Fatal(err)
		}
		if want := hex.EncodeToString(sum[:]); headers.Get("X-Hash") != want || body.Hash != want {
			t.Errorf("%s: hash %s in the header, %s in the body, want %s", method, headers.Get("X-Hash"), body.Hash, want)
		}
		if headers.Get("X-Timestamp") != "1773093060" || body.Timestamp != "1773093060" {
			t.Errorf("%s: timestamp %s in the header, %s in the body", method, headers.Get("X-Timestamp"), body.Timestamp)
		}
	}
}

func headersOf(m payment.CallbackMessage) http.Header {
	headers := http.Header{}
	for _, h := range m.Headers {
		headers.Add(h.Name, h.Value)
	}
	return headers
}

// TestCallbackSignature has the Standard Webhooks library of the receivers' side verify what we sign.
func TestCallbackSignature(t *testing.T) {
	t.Parallel()
	message, err := outcome(t, payment.ManualDeposit, payment.Approve).Message(payment.SignerOf(coretest.Provider()), sentAt, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := standardwebhooks.NewWebhook(coretest.Provider().WebhookSecret.Reveal())
	if err != nil {
		t.Fatal(err)
	}
	if err := oracle.VerifyIgnoringTimestamp(message.Body, headersOf(message)); err != nil {
		t.Errorf("the signature does not verify: %v", err)
	}
	if err := oracle.VerifyIgnoringTimestamp(append(message.Body, ' '), headersOf(message)); err == nil {
		t.Error("the signature verifies for another body")
	}
}

// TestCallbackWithoutWebhookSecret: a provider from before Standard Webhooks gets the legacy hash alone.
func TestCallbackWithoutWebhookSecret(t *testing.T) {
	t.Parallel()
	p := coretest.Provider()
	p.WebhookSecret = core.Secret{}
	message, err := outcome(t, payment.ManualDeposit, payment.Approve).Message(payment.SignerOf(p), sentAt, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	if got := headersOf(message).Values("Webhook-Signature"); len(got) != 0 {
		t.Errorf("signed without a secret: %q", got)
	}
}

// TestCallbackIsFresh: each attempt is signed anew, under the same id, with nothing else changed.
func TestCallbackIsFresh(t *testing.T) {
	t.Parallel()
	cb := outcome(t, payment.ManualDeposit, payment.Approve)
	first, err := cb.Message(payment.SignerOf(coretest.Provider()), sentAt, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	second, err := cb.Message(payment.SignerOf(coretest.Provider()), sentAt.Add(30*time.Second), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	a, b := headersOf(first), headersOf(second)
	for _, name := range []string{"X-Hash", "X-Timestamp", "Webhook-Timestamp", "Webhook-Signature"} {
		if a.Get(name) == b.Get(name) {
			t.Errorf("%s is the same at both attempts: %s", name, a.Get(name))
		}
	}
	for _, name := range []string{"X-Api-Key", "X-Callback-Id", "Webhook-Id"} {
		if a.Get(name) != b.Get(name) || a.Get(name) == "" {
			t.Errorf("%s: %q, then %q", name, a.Get(name), b.Get(name))
		}
	}
}

// TestNewCallback: due at once, or parked when no URL is set.
func TestNewCallback(t *testing.T) {
	t.Parallel()
	d := coretest.Decision(t)
	d.Ladder = payment.Ladder{5 * time.Second, time.Minute}
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
		if cb.State != state || !cb.NextAttemptAt.Equal(next) || cb.Attempts != 0 || cb.Receiver != d.Target.Receiver {
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

// TestBothWebhookSecretsSignDuringTheGrace: the new one's signature first, and the old one's until its grace ends.
func TestBothWebhookSecretsSignDuringTheGrace(t *testing.T) {
	t.Parallel()
	const fresh = "whsec_bmV3LXNlY3JldC1uZXctc2VjcmV0"
	r := owner.Rotation{Kind: owner.WebhookKind, New: core.NewSecret(fresh), Grace: time.Hour, At: sentAt}
	p, err := coretest.Provider().Rotate(r)
	if err != nil {
		t.Fatal(err)
	}
	cb := outcome(t, payment.ManualDeposit, payment.Approve)
	for at, want := range map[time.Time]int{sentAt: 2, sentAt.Add(time.Hour - time.Second): 2, sentAt.Add(time.Hour): 1} {
		message, err := cb.Message(payment.SignerOf(p), at, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		headers := headersOf(message)
		if got := strings.Fields(headers.Get("Webhook-Signature")); len(got) != want {
			t.Errorf("%s: signed by %d", at, len(got))
		}
		for secret, isTaken := range map[string]bool{fresh: true, coretest.Provider().WebhookSecret.Reveal(): want == 2} {
			oracle, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			if err := oracle.VerifyIgnoringTimestamp(message.Body, headers); (err == nil) != isTaken {
				t.Errorf("%s: %v", at, err)
			}
		}
	}
}

// TestATestCallbackIsNobodys: no real code has its letters, and its kind's payload is whole.
func TestATestCallbackIsNobodys(t *testing.T) {
	t.Parallel()
	for _, kind := range append(payment.TestCallbackKinds(), payment.DealerCardCallback) {
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
