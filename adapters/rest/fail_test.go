package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

func TestEveryFaultHasItsAnswer(t *testing.T) {
	t.Parallel()
	for _, code := range fault.Codes() {
		w := httptest.NewRecorder()
		rest.Fail(w, httptest.NewRequest("POST", "/", nil), lang.EN, fault.New("op", code, "showing"))
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v: %s", code, err, w.Body)
		}
		if (w.Code == http.StatusInternalServerError) != (code == fault.Internal) {
			t.Errorf("%s is not in the table: %d", code, w.Code)
		}
		if w.Code < 400 || got["success"] != false || got["error"] == "" {
			t.Errorf("%s: %d %s", code, w.Code, w.Body)
		}
		if got["message"] == string(code) {
			t.Errorf("%s has no sentence", code)
		}
	}
}

// TestTheContractsErrorsAreWordForWord: the Errors table, and what decisions.md adds to it.
func TestTheContractsErrorsAreWordForWord(t *testing.T) {
	t.Parallel()
	for code, want := range map[fault.Code]struct {
		status int
		text   string
	}{
		fault.MissingHeaders: {401, "Missing required headers"}, fault.InvalidAPIKey: {401, "Invalid API key"},
		fault.TimestampExpired: {401, "Request timestamp expired"}, fault.InvalidHash: {401, "Invalid hash"},
		fault.ProviderInactive: {403, "Provider account is inactive"}, fault.AddressNotAllowed: {403, "IP address not allowed"},
		fault.InvalidCredential: {401, "Yetkisiz Credential Key"}, fault.SiteInactive: {403, "Site is inactive"},
		fault.DealerInactive: {403, "Dealer account is inactive"}, fault.RateLimited: {429, "Too many requests"},
		fault.InvalidJSON: {400, "Invalid JSON"}, fault.Internal: {500, "Internal error"}, fault.Blocked: {403, "Customer is blocked"},
		fault.CardsDisabled: {403, "Credit card payment is not enabled for this dealer"},
	} {
		for _, tag := range lang.Tags() {
			w := httptest.NewRecorder()
			rest.Fail(w, httptest.NewRequest("POST", "/", nil), tag, fault.New("op", code))
			var got struct{ Error, Message string }
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != want.status || got.Error != want.text || got.Message != lang.Say(tag, string(code)) {
				t.Errorf("%s: want %d %q, got %d %s", code, want.status, want.text, w.Code, w.Body)
			}
			if isClosing := w.Header().Get("Connection") == "close"; isClosing {
				t.Errorf("%s closes the connection", code)
			}
		}
	}
	w := httptest.NewRecorder()
	rest.Fail(w, httptest.NewRequest("POST", "/", nil), lang.EN, fault.New("op", fault.BodyTooLarge))
	if w.Code != http.StatusRequestEntityTooLarge || w.Header().Get("Connection") != "close" {
		t.Errorf("what is too large leaves the connection open: %d %v", w.Code, w.Header())
	}
}

func TestAnUnknownCodeIsInternal(t *testing.T) {
	t.Parallel()
	for _, err := range []error{fault.New("op", "NEVER_HEARD_OF"), json.Unmarshal([]byte("{"), new(int))} {
		w := httptest.NewRecorder()
		rest.Fail(w, httptest.NewRequest("POST", "/", nil), lang.EN, err)
		if w.Code != http.StatusInternalServerError {
			t.Errorf("%v: %d %s", err, w.Code, w.Body)
		}
	}
}

func TestRateLimitHeaders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		allowance                      core.Allowance
		limit, remaining, reset, retry string
	}{
		{core.Allowance{OK: true}, "", "", "", ""},
		{core.Allowance{OK: true, Limit: 10, Remaining: 9, Reset: time.Millisecond}, "10", "9", "1", ""},
		{core.Allowance{OK: true, Limit: 10, Remaining: 10}, "10", "10", "0", ""},
		{core.Allowance{Limit: 10, Reset: 5 * time.Second, Retry: 1001 * time.Millisecond}, "10", "0", "5", "2"},
		{core.Allowance{Limit: 10, Retry: time.Minute}, "10", "0", "60", "60"},
		{core.Allowance{}, "", "", "", ""},
	} {
		h := http.Header{}
		rest.SetRateLimit(h, tt.allowance)
		got := []string{h.Get("RateLimit-Limit"), h.Get("RateLimit-Remaining"), h.Get("RateLimit-Reset"), h.Get("Retry-After")}
		for i, want := range []string{tt.limit, tt.remaining, tt.reset, tt.retry} {
			if got[i] != want {
				t.Errorf("%+v: got %v", tt.allowance, h)
			}
		}
	}
}
