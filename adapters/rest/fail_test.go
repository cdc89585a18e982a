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
