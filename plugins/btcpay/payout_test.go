package btcpay_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestAPayoutIsOfLiraAndNotOfCoins: without an envelope the server would take 250 for 250 BTC.
func TestAPayoutIsOfLiraAndNotOfCoins(t *testing.T) {
	t.Parallel()
	for _, approved := range []string{"false", "true"} {
		s := opened(t, "payout_approved", approved)
		got, err := s.SendPayout(t.Context(), payoutOrder("P1", "250.5"))
		want := gateway.PayoutNeedsApproval
		if approved == "true" {
			want = gateway.PayoutQueued
		}
		if err != nil || got.State != want || got.Ref != "P1" || got.External.ID == "" || got.Trust != gateway.Answered || got.Sent != nil {
			t.Errorf("%+v, %v", got, err)
		}
		envelope, claim := s.bodyOf(t, "POST", "/pull-payments"), s.bodyOf(t, "POST", "/payouts")
		checkBody(t, envelope, `map[amount:250.50 autoApproveClaims:false currency:TRY description:payout P1 expiresAt:1772445600 `+
			`name:P1 payoutMethods:[BTC-CHAIN]]`)
		checkBody(t, claim, `map[amount:250.50 approved:`+approved+` destination:`+destination+
			` metadata:map[ref:P1 source:Vezne P1] payoutMethodId:BTC-CHAIN pullPaymentId:`+s.server.pulls[0].id+`]`)
	}
}

func checkBody(t *testing.T, got map[string]any, want string) {
	t.Helper()
	if text := fmt.Sprint(got); text != want {
		t.Errorf("sent %s\nwant %s", text, want)
	}
}

func TestAPayoutThatIsThereIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]gateway.PayoutState{
		"AwaitingApproval": gateway.PayoutNeedsApproval, "AwaitingPayment": gateway.PayoutQueued, "InProgress": gateway.PayoutSent,
		"Completed": gateway.PayoutDone, "Cancelled": gateway.PayoutCanceled, "Frozen": gateway.PayoutUnknown,
	} {
		s := opened(t)
		if _, err := s.SendPayout(t.Context(), payoutOrder("P1", "250")); err != nil {
			t.Fatal(err)
		}
		s.server.payouts[0].state = state
		before := s.server.writes
		got, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
		if err != nil || got.State != want || s.server.writes != before || len(s.server.sends("P1")) != 1 {
			t.Errorf("%s: %+v, %v, %d writes", state, got, err, s.server.writes-before)
		}
	}
}

// TestAPayoutIsFoundAmongThousands: the server has neither a filter nor pages for them.
func TestAPayoutIsFoundAmongThousands(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for n := range 3000 {
		ref := fmt.Sprintf("P%d", n)
		s.server.payouts = append(s.server.payouts, &payout{
			id: "id" + ref, state: "Completed", currency: "TRY", amount: money.MustDecimal("10"),
			metadata: map[string]any{"ref": ref, "source": "Vezne"}, ref: ref,
		})
	}
	s.server.payouts[5].metadata, s.server.payouts[6].metadata = nil, "P2999"
	for _, ref := range []gateway.Ref{"P0", "P1500", "P2999"} {
		got, err := s.ReadPayout(t.Context(), gateway.PayoutKey{Ref: ref})
		if err != nil || got.Ref != ref || got.External.ID != "id"+string(ref) || *got.Sent != conformance.Lira("10") {
			t.Errorf("%s: %+v, %v", ref, got, err)
		}
	}
	for _, ref := range []gateway.Ref{"P3000", "P", "p1", "", "P5"} {
		if got, err := s.ReadPayout(t.Context(), gateway.PayoutKey{Ref: ref}); !gateway.IsClass(err, gateway.NotFound) {
			t.Errorf("%q: %+v, %v", ref, got, err)
		}
	}
}

// TestOfSeveralPayoutsTheFurthestCounts: two calls at the same time, which the core does not make.
func TestOfSeveralPayoutsTheFurthestCounts(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for i, state := range []string{"Cancelled", "AwaitingPayment", "Completed", "AwaitingApproval"} {
		s.server.payouts = append(s.server.payouts, &payout{
			id: fmt.Sprint("p", i), state: state, currency: "TRY", amount: money.MustDecimal("10"), metadata: map[string]any{"ref": "P1"},
		})
	}
	got, err := s.ReadPayout(t.Context(), gateway.PayoutKey{Ref: "P1"})
	if err != nil || got.External.ID != "p2" || got.State != gateway.PayoutDone {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatFailsBeforeAPayoutSendsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, suffix string
		status         int
		body           string
		class          gateway.Class
	}{
		{"GET", "/payouts", 500, "", gateway.Retryable}, {"GET", "/payouts", 200, "[{", gateway.Retryable},
		{"GET", "/payouts", 404, "<html>", gateway.Retryable}, {"GET", "/payouts", 401, "", gateway.Misconfigured},
		{"POST", "/pull-payments", 500, "", gateway.Retryable}, {"POST", "/pull-payments", 200, "{}", gateway.Retryable},
		{"POST", "/pull-payments", 422, `[{"path":"currency","message":"Invalid currency"}]`, gateway.Invalid},
	} {
		s := opened(t)
		s.Answer(c.method, c.suffix, c.status, c.body)
		_, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
		checkError(t, err, c.class, gateway.EffectNone)
		s.Between(nil)
		if n := len(s.server.sends("P1")); n != 0 {
			t.Errorf("%s %s %d: %d payouts", c.method, c.suffix, c.status, n)
		}
	}
}

func TestAPayoutWhoseAnswerIsLostIsFound(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for _, body := range []string{"", "{}", "<html>"} {
		s.Between(func(r gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
			answer, err := send()
			if r.Method == "POST" && strings.HasSuffix(r.URL, "/payouts") {
				answer = gateway.Response{Status: 200, Body: []byte(body)}
			}
			return answer, err
		})
		ref := "P" + body
		_, err := s.SendPayout(t.Context(), payoutOrder(ref, "250"))
		checkError(t, err, gateway.Retryable, gateway.EffectUnknown)
		s.Between(nil)
		got, err := s.ReadPayout(t.Context(), gateway.PayoutKey{Ref: gateway.Ref(ref)})
		if err != nil || got.State != gateway.PayoutNeedsApproval {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// TestAnAddressThatIsTakenIsLookedAt: the server has one open payout to an address at a time.
func TestAnAddressThatIsTakenIsLookedAt(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.server.isStrict = true
	if _, err := s.SendPayout(t.Context(), payoutOrder("P1", "250")); err != nil {
		t.Fatal(err)
	}
	_, err := s.SendPayout(t.Context(), payoutOrder("P2", "250"))
	checkError(t, err, gateway.Refused, gateway.EffectNone)
	if e := gateway.ErrorOf(err); e.Reason == nil || e.Reason.Code != gateway.InvalidTarget || !e.Reason.Soft {
		t.Errorf("%+v", e)
	}
	// Another call for the same order was quicker.
	s = opened(t)
	s.server.isStrict = true
	quicker := payoutOrder("P1", "250")
	isFirst := true
	s.server.before = func(r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/payouts") && isFirst {
			isFirst = false
			if _, err := s.SendPayout(t.Context(), quicker); err != nil {
				t.Error(err)
			}
		}
	}
	got, err := s.SendPayout(t.Context(), quicker)
	if err != nil || got.State != gateway.PayoutNeedsApproval || len(s.server.sends("P1")) != 1 {
		t.Errorf("%+v, %v, %v", got, err, s.server.sends("P1"))
	}
}

// TestAnEnvelopePaysOnce: whoever claims from it again is refused by the server.
func TestAnEnvelopePaysOnce(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]gateway.Effect{
		"overdraft": gateway.EffectUnknown, "expired": gateway.EffectNone, "archived": gateway.EffectNone, "amount-too-low": gateway.EffectNone,
		"payment-method-not-supported": gateway.EffectNone,
	} {
		s := opened(t)
		s.Answer("POST", "/payouts", 400, `{"code":"`+code+`","message":"no"}`)
		_, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
		if e := gateway.ErrorOf(err); err == nil || e.Effect != want || e.RawCode != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	s := opened(t)
	isUsed := false
	s.Between(func(r gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
		isClaim := r.Method == "POST" && strings.HasSuffix(r.URL, "/payouts")
		switch {
		case isUsed:
			return gateway.Response{Status: 500}, nil
		case isClaim:
			isUsed = true
			return gateway.Response{Status: 400, Body: []byte(`{"code":"overdraft","message":"no"}`)}, nil
		default:
			return send()
		}
	})
	_, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
	checkError(t, err, gateway.Conflicting, gateway.EffectUnknown)
}

func TestAClockThatIsFarOffFindsEnvelopesExpired(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.server.now = func() time.Time { return conformance.Opening.Add(2 * time.Hour) }
	_, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
	checkError(t, err, gateway.Retryable, gateway.EffectNone)
}

func TestAPayoutThatMakesNoSenseIsNotSent(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*gateway.PayoutOrder){
		"nothing":          func(o *gateway.PayoutOrder) { o.Amount = conformance.Lira("0") },
		"coins":            func(o *gateway.PayoutOrder) { o.Amount.Asset = o.Asset },
		"half a kuruş":     func(o *gateway.PayoutOrder) { o.Amount = conformance.Lira("0.005") },
		"another coin":     func(o *gateway.PayoutOrder) { o.Asset = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6} },
		"another network":  func(o *gateway.PayoutOrder) { o.Asset.Network = "Lightning" },
		"no address":       func(o *gateway.PayoutOrder) { o.Fields = nil },
		"a wrong address":  func(o *gateway.PayoutOrder) { o.Fields = map[string]string{"wallet_address": destination + "x"} },
		"another's":        func(o *gateway.PayoutOrder) { o.Fields["wallet_address"] = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" },
		"no reference":     func(o *gateway.PayoutOrder) { o.Ref = "" },
		"a link and so on": func(o *gateway.PayoutOrder) { o.Fields["wallet_address"] = "bitcoin:" + destination + "?amount=1" },
	} {
		s := opened(t)
		o := payoutOrder("P1", "250")
		spoil(&o)
		_, err := s.SendPayout(t.Context(), o)
		if !gateway.HasNoEffect(err) || gateway.IsClass(err, gateway.Retryable) || len(s.Sent()) > 0 {
			t.Errorf("%s: %v after %d calls", name, err, len(s.Sent()))
		}
	}
}

func TestAPayoutIsProvenByItsTransaction(t *testing.T) {
	t.Parallel()
	for _, none := range []any{nil, "none", []any{1}, map[string]any{"id": 17}} {
		checkProof(t, none, "")
	}
	checkProof(t, map[string]any{"ProofType": "PayoutTransactionOnChainBlob", "TransactionId": "5f2a", "Candidates": []string{"5f2a"}, "Accounted": true}, "5f2a")
	checkProof(t, map[string]any{"ProofType": "PayoutTransactionOnChainBlob", "TransactionId": "5f2a"}, "5f2a")
	checkProof(t, map[string]any{"ProofType": "PayoutTransactionOnChainBlob", "TransactionId": "5f2a", "Accounted": false}, "")
	checkProof(t, map[string]any{"proofType": "PayoutTransactionOnChainBlob", "id": "5f2a", "link": "https://mempool.example.com/tx/5f2a"}, "5f2a")
	checkProof(t, map[string]any{"proofType": "Manual", "id": nil, "link": "https://example.com/proof"}, "https://example.com/proof")
	checkProof(t, map[string]any{"proofType": "Manual"}, "")
}

func checkProof(t *testing.T, proof any, want string) {
	t.Helper()
	s := opened(t)
	sent, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
	if err != nil {
		t.Fatal(err)
	}
	s.server.payouts[0].state, s.server.payouts[0].proof = "Completed", proof
	for _, k := range []gateway.PayoutKey{{Ref: "P1"}, {External: sent.External}} {
		got, err := s.ReadPayout(t.Context(), k)
		if err != nil || got.State != gateway.PayoutDone || got.Proof != want || got.Sent == nil || *got.Sent != conformance.Lira("250") {
			t.Errorf("%v: %+v, %v", proof, got, err)
		}
	}
}

// TestAPayoutWhoseEnvelopeWasArchivedIsNotSentAgain: archiving hides it from every list and read, and a bulk archive takes
// the envelopes along.
func TestAPayoutWhoseEnvelopeWasArchivedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"AwaitingApproval", "InProgress", "Completed"} {
		s := opened(t)
		sent, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
		if err != nil {
			t.Fatal(err)
		}
		s.server.payouts[0].state, s.server.pulls[0].isArchived = state, true
		_, err = s.SendPayout(t.Context(), payoutOrder("P1", "250"))
		checkError(t, err, gateway.Conflicting, gateway.EffectUnknown)
		if len(s.server.payouts) != 1 || len(s.server.pulls) != 1 {
			t.Errorf("%s: %d payouts, %d envelopes", state, len(s.server.payouts), len(s.server.pulls))
		}
		for _, k := range []gateway.PayoutKey{{Ref: "P1"}, {Ref: "P1", External: sent.External}} {
			if got, err := s.ReadPayout(t.Context(), k); err != nil || got.State != gateway.PayoutUnknown {
				t.Errorf("%s: %+v, %v: it is not known, and neither missing nor failed", state, got, err)
			}
		}
	}
}

// TestAnEnvelopeThatIsThereIsUsed: of a payout that was not made before. It pays once, whatever else goes wrong.
func TestAnEnvelopeThatIsThereIsUsed(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.Answer("POST", "/payouts", 500, "")
	if _, err := s.SendPayout(t.Context(), payoutOrder("P1", "250")); gateway.HasNoEffect(err) {
		t.Errorf("an answer that nobody understands: %v", err)
	}
	s.Between(nil)
	if _, err := s.SendPayout(t.Context(), payoutOrder("P1", "250")); err != nil || len(s.server.pulls) != 1 || len(s.server.payouts) != 1 {
		t.Errorf("%v: %d envelopes, %d payouts", err, len(s.server.pulls), len(s.server.payouts))
	}
	s.Answer("POST", "/payouts", 500, "")
	_, _ = s.SendPayout(t.Context(), payoutOrder("P2", "250"))
	s.Between(nil)
	s.Clock.Advance(2 * time.Hour) // it has expired, and nobody can claim it any more
	if _, err := s.SendPayout(t.Context(), payoutOrder("P2", "250")); err != nil || len(s.server.pulls) != 3 {
		t.Errorf("%v: %d envelopes", err, len(s.server.pulls))
	}
}

// TestWhatIsForbiddenIsLookedForOnceMore: from 2.4.0 on a missing invoice, and from 2.4.1 a missing payout, is 403. Only a key
// that may not list either is wrong.
func TestWhatIsForbiddenIsLookedForOnceMore(t *testing.T) {
	t.Parallel()
	for _, version := range []string{oldest, middle, newest} {
		s := opened(t)
		s.server.version = version
		_, err := s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: "R1", External: gateway.ExternalRef{ID: "gone"}})
		checkError(t, err, gateway.NotFound, gateway.EffectNone)
		_, err = s.ReadPayout(t.Context(), gateway.PayoutKey{Ref: "P1", External: gateway.ExternalRef{ID: "gone"}})
		checkError(t, err, gateway.NotFound, gateway.EffectNone)
		s.server.refuses = true
		_, err = s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: "R1", External: gateway.ExternalRef{ID: "gone"}})
		checkError(t, err, gateway.Misconfigured, gateway.EffectNone)
	}
	s := opened(t)
	const forbidden = `{"code":"missing-permission","message":"btcpay.store.canviewpayouts"}`
	s.Answer("GET", "/payouts", 403, forbidden)
	_, err := s.ReadPayout(t.Context(), gateway.PayoutKey{Ref: "P1", External: gateway.ExternalRef{ID: "gone"}})
	checkError(t, err, gateway.Misconfigured, gateway.EffectNone)
}

func TestOnlyAPayoutThatWasNotSentIsCanceled(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]gateway.PayoutState{
		"AwaitingApproval": gateway.PayoutCanceled, "AwaitingPayment": gateway.PayoutCanceled, "InProgress": gateway.PayoutSent,
		"Completed": gateway.PayoutDone, "Cancelled": gateway.PayoutCanceled, "Frozen": gateway.PayoutUnknown,
	} {
		s := opened(t)
		sent, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
		if err != nil {
			t.Fatal(err)
		}
		s.server.payouts[0].state = state
		got, err := s.CancelPayout(t.Context(), gateway.PayoutKey{Ref: "P1", External: sent.External})
		if err != nil || got.State != want {
			t.Errorf("%s: %+v, %v", state, got, err)
		}
	}
	s := opened(t)
	_, err := s.CancelPayout(t.Context(), gateway.PayoutKey{Ref: "P9"})
	checkError(t, err, gateway.NotFound, gateway.EffectNone)
}

// TestTheWalletMayBeFaster: the payout is sent between the question and the cancellation.
func TestTheWalletMayBeFaster(t *testing.T) {
	t.Parallel()
	s := opened(t)
	sent, err := s.SendPayout(t.Context(), payoutOrder("P1", "250"))
	if err != nil {
		t.Fatal(err)
	}
	s.server.before = func(r *http.Request) {
		if r.Method == http.MethodDelete {
			s.server.payouts[0].state = "InProgress"
		}
	}
	got, err := s.CancelPayout(t.Context(), gateway.PayoutKey{External: sent.External})
	if err != nil || got.State != gateway.PayoutSent {
		t.Errorf("%+v, %v", got, err)
	}
	s.server.before = nil
	s.server.payouts[0].state = "AwaitingPayment"
	s.Answer("DELETE", sent.External.ID, 500, "")
	_, err = s.CancelPayout(t.Context(), gateway.PayoutKey{External: sent.External})
	checkError(t, err, gateway.Retryable, gateway.EffectUnknown)
}
