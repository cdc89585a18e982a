package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// forAnyCaller are the faults that dealers are told as providers are: the decisions give their shape.
var forAnyCaller = map[fault.Code]string{
	fault.MissingHeaders: "Missing required headers", fault.InvalidAPIKey: "Invalid API key", fault.InvalidHash: "Invalid hash",
	fault.TimestampExpired: "Request timestamp expired", fault.DealerInactive: "Dealer account is inactive",
	fault.AddressNotAllowed: "IP address not allowed", fault.SiteTokenRefused: "Not allowed for site tokens",
	fault.RateLimited: "Too many requests", fault.InvalidJSON: "Invalid JSON", fault.BodyTooLarge: "Request body too large",
	fault.RouteNotFound: "Not found", fault.MethodNotAllowed: "Method not allowed", fault.Invalid: "Validation failed",
	fault.Internal: "Internal error", fault.Unavailable: "Service unavailable",
	fault.Frozen:            "Service unavailable",
	fault.SignatureRequired: "Request signature required", fault.InvalidSignature: "Invalid signature",
	fault.InvalidNonce: "Invalid nonce", fault.NonceUsed: "Nonce already used",
}

func failDealer(t *testing.T, tag lang.Tag, err error) (*httptest.ResponseRecorder, map[string]any) {
	t.Helper()
	w := httptest.NewRecorder()
	rest.FailDealer(w, httptest.NewRequest(http.MethodPost, "/", nil), tag, err)
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got["success"] != false {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return w, got
}

// TestEveryFaultHasItsAnswerForDealers: with its code as error_code, or in the shape that it has for any caller.
func TestEveryFaultHasItsAnswerForDealers(t *testing.T) {
	t.Parallel()
	for _, code := range fault.Codes() {
		for _, tag := range lang.Tags() {
			err := fault.New("op", code)
			w, got := failDealer(t, tag, err)
			provider := httptest.NewRecorder()
			rest.Fail(provider, httptest.NewRequest(http.MethodPost, "/", nil), tag, err)
			if w.Code != provider.Code || (w.Header().Get("Retry-After") == "") != (provider.Header().Get("Retry-After") == "") {
				t.Errorf("%s: %d %v, of a provider %d", code, w.Code, w.Header(), provider.Code)
			}
			text, isForAny := forAnyCaller[code]
			switch {
			case isForAny && (got["error_code"] != nil || got["error"] != text):
				t.Errorf("%s: want %q and no error_code, got %s", code, text, w.Body)
			case isForAny && code != fault.MissingHeaders && w.Body.String() != provider.Body.String():
				t.Errorf("%s: want %s, got %s", code, provider.Body, w.Body)
			case !isForAny && (got["error_code"] != string(code) || got["error"] == "" || got["message"] != lang.Say(tag, string(code)) || len(got) != 4):
				t.Errorf("%s: got %s", code, w.Body)
			}
		}
	}
}

// TestTheDealersErrorsAreWordForWord: the dealer document's Errors table, and what decisions.md adds to it.
func TestTheDealersErrorsAreWordForWord(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		code   fault.Code
		status int
	}{
		"DATE_RANGE_EXCEEDED": {fault.DateRangeExceeded, 422}, "INVALID_DATE_RANGE": {fault.BadDateRange, 422},
		"WALLET_NOT_ASSIGNED": {fault.NoWallet, 403}, "INSUFFICIENT_BALANCE": {fault.Insufficient, 422},
		"INVALID_IBAN": {fault.BadIBAN, 422}, "MIN_AMOUNT_ERROR": {fault.BelowMinimum, 422},
		"NO_AVAILABLE_IBAN": {fault.NoAccount, 422}, "TRANSFER_NOT_FOUND": {fault.NoTransfer, 404},
		"METHOD_DISABLED": {fault.MethodDisabled, 403}, "CREDIT_CARD_DISABLED": {fault.CardsDisabled, 403},
		"IDEMPOTENCY_KEY_REUSED": {fault.KeyReused, 409}, "TOO_MANY_OPEN_DEPOSITS": {fault.TooManyOpen, 422},
	} {
		if w, got := failDealer(t, lang.EN, fault.New("op", want.code, "10.00")); w.Code != want.status || got["error_code"] != name {
			t.Errorf("want %d %s, got %d %s", want.status, name, w.Code, w.Body)
		}
	}
}

func TestAnUnknownCodeIsInternalForDealersToo(t *testing.T) {
	t.Parallel()
	if w, got := failDealer(t, lang.EN, fault.New("op", "NEVER_HEARD_OF")); w.Code != http.StatusInternalServerError || got["error_code"] != nil {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
