package payment_test

import (
	"bytes"
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

// ofProvider and ofDealer sign the golden callbacks.
var (
	ofProvider = payment.SignerOf(coretest.Provider())
	ofDealer   = payment.SignerOfDealer(dealer())
)

// dealer is one with the keys that the golden callbacks to dealers are signed with.
func dealer() owner.Dealer {
	return owner.Dealer{ID: 5, APIKey: "vzd_0123456789abcdef", SecretKey: core.NewSecret("vzds_fedcba9876543210")}
}

// TestCallbackMessage holds bodies and headers byte for byte: receivers hash and parse exactly these. The dealer document's
// times are in the service's zone. A correction says what the callback before it reported, in the number's own form, behind
// the rest.
func TestCallbackMessage(t *testing.T) {
	t.Parallel()
	corrected := func(cb payment.Callback) payment.Callback {
		cb.Sequence, cb.Payload.Correction = 2, payment.Correction{IsSet: true, PreviousAmount: coretest.Lira(99900)}
		return cb
	}
	disputed := func(cb payment.Callback) payment.Callback {
		cb = corrected(cb)
		cb.Payload.Dispute = payment.DisputeNote{
			ID: "01J00000000000000000000001", State: gateway.DisputeNeedsResponse, Reason: gateway.DisputeFraud, Amount: coretest.Lira(74900),
			Withdrawn: coretest.Lira(74900), Reinstated: coretest.Lira(0), EvidenceDue: sentAt.Add(7 * 24 * time.Hour),
		}
		return cb
	}
	for golden, c := range map[string]struct {
		callback payment.Callback
		keys     payment.Signer
	}{
		"callback_deposit.golden":               {outcome(t, payment.ManualDeposit, payment.Approve), ofProvider},
		"callback_eiban_deposit.golden":         {outcome(t, payment.EIBANDeposit, payment.Cancel), ofProvider},
		"callback_withdrawal.golden":            {outcome(t, payment.ManualWithdrawal, payment.Reject), ofProvider},
		"callback_crypto_withdrawal.golden":     {outcome(t, payment.CryptoWithdrawal, payment.Expire), ofProvider},
		"callback_credit_card.golden":           {outcome(t, payment.CreditCard, payment.Succeed), ofProvider},
		"callback_credit_card_failed.golden":    {declined(t, lang.TR, gateway.InsufficientFunds), ofProvider},
		"callback_credit_card_cancelled.golden": {outcome(t, payment.CreditCard, payment.Cancel), ofProvider},
		"callback_dealer_card.golden":           {dealerOutcome(t, lang.EN, payment.Succeed), ofDealer},
		"callback_dealer_card_tr.golden":        {dealerOutcome(t, lang.TR, payment.Succeed), ofDealer},
		"callback_dealer_card_failed.golden":    {declinedOf(t, dealers(lang.EN), gateway.InsufficientFunds), ofDealer},
		"callback_dealer_card_timeout.golden":   {dealerOutcome(t, lang.TR, payment.Expire), ofDealer},
		"callback_dealer_card_cancelled.golden": {dealerOutcome(t, lang.TR, payment.Cancel), ofDealer},
		"callback_dealer_deposit.golden":        {dealersOwn(t, payment.ManualDeposit, payment.Approve), ofDealer},
		"callback_dealer_withdrawal.golden":     {dealersOwn(t, payment.ManualWithdrawal, payment.Reject), ofDealer},
		"callback_dealer_transfer.golden":       {dealersOwn(t, payment.EIBANTransfer, payment.Complete), ofDealer},
		"correction_deposit.golden":             {corrected(outcome(t, payment.ManualDeposit, payment.Approve)), ofProvider},
		"correction_credit_card.golden":         {corrected(outcome(t, payment.CreditCard, payment.Succeed)), ofProvider},
		"dispute_credit_card.golden":            {disputed(outcome(t, payment.CreditCard, payment.Succeed)), ofProvider},
		"dispute_dealer_card.golden":            {disputed(dealerOutcome(t, lang.EN, payment.Succeed)), ofDealer},
		"correction_dealer_card.golden":         {corrected(dealerOutcome(t, lang.EN, payment.Succeed)), ofDealer},
	} {
		t.Run(golden, func(t *testing.T) {
			t.Parallel()
			message, err := c.callback.Message(c.keys, sentAt, coretest.Istanbul)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for _, h := range message.Headers {
				fmt.Fprintf(&text, "%s: %s\n", h.Name, h.Value)
			}
			fmt.Fprintf(&text, "\n%s\n", message.Body)
			coretest.CheckGolden(t, golden, []byte(text.String()))
		})
	}
}

// TestCallbackHash recomputes the documents' hash with nothing of ours, and finds it in body and headers alike. It is over the
// status that the receiver reads, which a dealer has of two only.
func TestCallbackHash(t *testing.T) {
	t.Parallel()
	check := func(cb payment.Callback, keys payment.Signer, apiKey, secret, status string) (body map[string]any) {
		t.Helper()
		message, err := cb.Message(keys, sentAt, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(message.Body))
		decoder.UseNumber()
		if err := decoder.Decode(&body); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(apiKey + secret + cb.Payload.TrackingCode + status + "1773093060"))
		headers, want := headersOf(message), hex.EncodeToString(sum[:])
		isSigned := headers.Get("X-Hash") == want && body["hash"] == want && headers.Get("X-Api-Key") == apiKey
		isTimed := headers.Get("X-Timestamp") == "1773093060" && body["timestamp"] == json.Number("1773093060")
		if !isSigned || !isTimed || body["status"] != status || body["tracking_code"] != cb.Payload.TrackingCode {
			t.Errorf("want the hash %s of %s: %v and %s", want, status, headers, message.Body)
		}
		return body
	}
	for method, command := range map[payment.Method]payment.Command{
		payment.ManualDeposit: payment.Reject, payment.EIBANWithdrawal: payment.Cancel, payment.CreditCard: payment.Cancel,
		payment.WalletDeposit: payment.Succeed, payment.WalletWithdrawal: payment.Reject,
	} {
		cb := outcome(t, method, command)
		check(cb, ofProvider, "vzp_0123456789abcdef", "vzs_fedcba9876543210", string(cb.Payload.Status))
	}
	for c, code := range map[payment.Command]string{
		payment.Succeed: "", payment.Expire: "TIMEOUT", payment.Cancel: "CANCELLED", payment.Fail: "DECLINED", payment.Reject: "DECLINED",
	} {
		status := "failed"
		if code == "" {
			status = "success"
		}
		body := check(dealerOutcome(t, lang.EN, c), ofDealer, "vzd_0123456789abcdef", "vzds_fedcba9876543210", status)
		if told, _ := body["error_code"].(string); told != code || body["success"] != (code == "") {
			t.Errorf("%s: %v", c, body)
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
	message, err := outcome(t, payment.ManualDeposit, payment.Approve).Message(ofProvider, sentAt, time.UTC)
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
	first, err := cb.Message(ofProvider, sentAt, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	second, err := cb.Message(ofProvider, sentAt.Add(30*time.Second), time.UTC)
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
