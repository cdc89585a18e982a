package payment_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// dealers makes a card payment a dealer's own.
func dealers(language lang.Tag) func(payment.Payment) payment.Payment {
	return func(p payment.Payment) payment.Payment {
		p.ProviderID, p.SiteID, p.SiteName, p.Language = 0, 0, "", language
		p.Payer.Phone = "+90 555 111 22 33"
		return p
	}
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

// dealer is one with the keys that the golden callbacks to dealers are signed with.
func dealer() owner.Dealer {
	return owner.Dealer{ID: 5, APIKey: "vzd_0123456789abcdef", SecretKey: core.NewSecret("vzds_fedcba9876543210")}
}

// TestDealersCallbackMessage holds the dealer document's callback byte for byte, with its times in the service's zone.
func TestDealersCallbackMessage(t *testing.T) {
	t.Parallel()
	for golden, callback := range map[string]payment.Callback{
		"callback_dealer_card.golden":           dealerOutcome(t, lang.EN, payment.Succeed),
		"callback_dealer_card_tr.golden":        dealerOutcome(t, lang.TR, payment.Succeed),
		"callback_dealer_card_failed.golden":    declinedOf(t, dealers(lang.EN), gateway.InsufficientFunds),
		"callback_dealer_card_timeout.golden":   dealerOutcome(t, lang.TR, payment.Expire),
		"callback_dealer_card_cancelled.golden": dealerOutcome(t, lang.TR, payment.Cancel),
	} {
		t.Run(golden, func(t *testing.T) {
			t.Parallel()
			checkMessage(t, golden, callback, payment.SignerOfDealer(dealer()), coretest.Istanbul)
		})
	}
}

// TestDealersCallbackHash recomputes the document's hash over what the body says, whatever became of the payment: of a
// canceled one too it is over the status that the receiver reads.
func TestDealersCallbackHash(t *testing.T) {
	t.Parallel()
	for c, want := range map[payment.Command]struct {
		status    string
		isSuccess bool
		code      string
	}{
		payment.Succeed: {"success", true, ""}, payment.Expire: {"failed", false, "TIMEOUT"}, payment.Cancel: {"failed", false, "CANCELLED"},
		payment.Fail: {"failed", false, "DECLINED"}, payment.Reject: {"failed", false, "DECLINED"},
	} {
		cb := dealerOutcome(t, lang.EN, c)
		message, err := cb.Message(payment.SignerOfDealer(dealer()), sentAt, coretest.Istanbul)
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Success      bool
			TrackingCode string `json:"tracking_code"`
			Status       string
			ErrorCode    string `json:"error_code"`
			Timestamp    json.Number
			Hash         string
		}
		if err := json.Unmarshal(message.Body, &body); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte("vzd_0123456789abcdef" + "vzds_fedcba9876543210" + body.TrackingCode + body.Status + body.Timestamp.String()))
		headers := headersOf(message)
		if hash := hex.EncodeToString(sum[:]); body.Hash != hash || headers.Get("X-Hash") != hash || headers.Get("X-Timestamp") != body.Timestamp.String() {
			t.Errorf("%s: want the hash %s, got %s and %v", c, hash, body.Hash, headers)
		}
		if body.Status != want.status || body.Success != want.isSuccess || body.ErrorCode != want.code || headers.Get("X-Api-Key") != dealer().APIKey {
			t.Errorf("%s: %s", c, message.Body)
		}
	}
}

// TestTargetOfDealer: only a card payment is told, to the dealer's one address.
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
	for _, m := range payment.Methods() {
		p := dealers(lang.EN)(coretest.Started(t, m))
		if isTold := p.CallbackKind() != ""; isTold != (m == payment.CreditCard) {
			t.Errorf("a dealer's own %s has the callback %q", m, p.CallbackKind())
		}
	}
}
