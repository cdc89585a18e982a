package bank_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

var opening = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

// admin is the admin API over HTTP.
type admin struct {
	t    *testing.T
	bank *bank.Bank
	url  string
	key  string
}

func newAdmin(t *testing.T) *admin {
	t.Helper()
	b := bank.New(bank.Config{
		APIKey: "key-1", APISecret: "secret-1", AdminKey: "admin-1", NotifySecret: "notify-1",
		NotifyURL: "https://vezne.test/hook", Now: func() time.Time { return opening },
		Post: func(context.Context, string, http.Header, []byte) (int, error) { return http.StatusOK, nil },
	})
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	return &admin{t: t, bank: b, url: server.URL, key: "admin-1"}
}

// call makes a call and returns the status and the decoded answer.
func (a *admin) call(method, path, body string) (int, map[string]any) {
	a.t.Helper()
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.url+"/admin/"+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set(bank.AdminHeader, a.key)
	return a.do(request)
}

func (a *admin) do(r *http.Request) (int, map[string]any) {
	a.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	defer answer.Body.Close()
	var value map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&value); err != nil {
		a.t.Fatal(err)
	}
	return answer.StatusCode, value
}

// order orders a deposit by bank as the merchant does.
func (a *admin) order(ref, amount string) {
	a.t.Helper()
	status, answer := a.merchant("POST", "/v1/deposits", `{"reference":"`+ref+`","kind":"bank","amount":{"value":"`+amount+
		`","currency":"TRY"},"notify_url":"https://vezne.test/hook"}`)
	if status != http.StatusOK {
		a.t.Fatal(status, answer)
	}
}

// merchant makes a call of the API, signed as the README says.
func (a *admin) merchant(method, path, body string) (int, map[string]any) {
	a.t.Helper()
	request, err := http.NewRequestWithContext(a.t.Context(), method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set(bank.KeyHeader, "key-1")
	request.Header.Set(bank.IdempotencyHeader, "k")
	request.Header.Set(bank.SignatureHeader, hmacHex("secret-1", method+"\n"+path+"\n"+body))
	return a.do(request)
}

func (a *admin) check(what string, got, want any) {
	a.t.Helper()
	if got != want {
		a.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (a *admin) statusOf(ref string) string {
	for _, d := range a.bank.State().Deposits {
		if d.Reference == ref {
			return d.Status
		}
	}
	return "none"
}

func TestAdminAPINeedsItsKey(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	for _, key := range []string{"", "admin-2", "key-1"} {
		a.key = key
		status, _ := a.call("GET", "state", "")
		a.check("status with the key "+key, status, http.StatusUnauthorized)
	}
	closed := bank.New(bank.Config{APIKey: "key-1"})
	rec := httptest.NewRecorder()
	closed.ServeHTTP(rec, httptest.NewRequest("GET", "/admin/state", nil))
	a.check("without an admin key there is no admin API", rec.Code, http.StatusUnauthorized)
}

func TestAdminMovesTheClock(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.order("B1", "100.00")
	status, answer := a.call("POST", "clock", `{"advance":"20m"}`)
	a.check("status", status, http.StatusOK)
	a.check("the time", answer["now"], opening.Add(20*time.Minute).Format(time.RFC3339))
	a.check("what was due has happened", a.statusOf("B1"), bank.Paid)
	_, answer = a.call("POST", "step", "")
	a.check("notifications", answer["delivered"], 1.0)
	for _, bad := range []string{`{"advance":"-1s"}`, `{"advance":"0s"}`, `{"advance":"20"}`, `{"advance":"9601h"}`, `{}`} {
		status, _ = a.call("POST", "clock", bad)
		a.check(bad, status, http.StatusUnprocessableEntity)
	}
}

func TestAdminChoosesOutcomesAndFiresEvents(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.order("B1", "100.00")
	status, _ := a.call("POST", "outcomes", `{"reference":"B1","code":"26"}`)
	a.check("status", status, http.StatusOK)
	a.call("POST", "clock", `{"advance":"3s"}`)
	a.check("by the outcome", a.statusOf("B1"), bank.Underpaid)
	for _, event := range []string{bank.Processing, bank.Review, bank.Paid, bank.Overpaid, bank.Disputed, bank.Reversed, bank.Refunded} {
		status, _ = a.call("POST", "fire", `{"reference":"B1","event":"`+event+`"}`)
		a.check("status of "+event, status, http.StatusOK)
		a.check("after "+event, a.statusOf("B1"), event)
	}
	a.call("POST", "fire", `{"reference":"B1","event":"forgotten"}`)
	a.check("forgotten", a.statusOf("B1"), "none")
	for path, bad := range map[string]string{
		"outcomes": `{"reference":"B1","code":"1"}`, "fire": `{"reference":"nobody","event":"paid"}`, "pay": `{"reference":"nobody"}`,
	} {
		status, _ = a.call("POST", path, bad)
		a.check(path+" "+bad, status, http.StatusUnprocessableEntity)
	}
	a.order("B2", "100.00")
	status, _ = a.call("POST", "fire", `{"reference":"B2","event":"landed"}`)
	a.check("an event that is none", status, http.StatusUnprocessableEntity)
}

func TestAdminPays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ amounts, want string }{
		{"100", bank.Paid}, {"40", bank.Underpaid}, {"40 60", bank.Paid}, {"100 1", bank.Overpaid}, {"", bank.Paid},
	} {
		a := newAdmin(t)
		a.order("B1", "100.00")
		for _, amount := range strings.Fields(c.amounts) {
			status, _ := a.call("POST", "pay", `{"reference":"B1","amount":{"value":"`+amount+`","currency":"TRY"}}`)
			a.check("status", status, http.StatusOK)
		}
		if c.amounts == "" {
			a.call("POST", "pay", `{"reference":"B1"}`)
		}
		a.check("after "+c.amounts, a.statusOf("B1"), c.want)
	}
	a := newAdmin(t)
	a.order("B1", "100.00")
	a.call("POST", "pay", `{"reference":"B1","amount":{"value":"100","currency":"EUR"}}`)
	a.check("another currency", a.statusOf("B1"), bank.Review)
}

func TestAdminSpoilsTheNextNotifications(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.call("POST", "notifications", `{"drop":1}`)
	a.order("B1", "100.00")
	a.order("B2", "100.00")
	a.call("POST", "clock", `{"advance":"5s"}`)
	_, answer := a.call("POST", "step", "")
	a.check("one of two is lost", answer["delivered"], 1.0)
	for _, bad := range []string{`{"drop":-1}`, `{"drop":1001}`, `{"delay":"721h"}`, `{"drop":"x"}`, `[]`} {
		status, _ := a.call("POST", "notifications", bad)
		a.check(bad, status, http.StatusUnprocessableEntity)
	}
}

func TestAdminTakesTheBankDown(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.call("POST", "down", `{"for":"60s"}`)
	request, err := http.NewRequestWithContext(t.Context(), "GET", a.url+"/v1/ping", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	a.check("the API", answer.StatusCode, http.StatusServiceUnavailable)
	a.call("POST", "clock", `{"advance":"60s"}`)
	status, _ := a.merchant("GET", "/v1/ping", "")
	a.check("the API later", status, http.StatusOK)
	status, _ = a.call("POST", "down", `{"for":"2h"}`)
	a.check("too long", status, http.StatusUnprocessableEntity)
}

func TestAdminThrottlesAndRefusesKeys(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.call("POST", "throttle", `{"calls":1}`)
	status, _ := a.merchant("GET", "/v1/ping", "")
	a.check("throttled", status, http.StatusTooManyRequests)
	a.call("POST", "keys", `{"refuse":true}`)
	status, _ = a.merchant("GET", "/v1/ping", "")
	a.check("refused", status, http.StatusUnauthorized)
	a.call("POST", "keys", `{"refuse":false}`)
	status, _ = a.merchant("GET", "/v1/ping", "")
	a.check("taken again", status, http.StatusOK)
}

func TestAdminBooksAndReversesLines(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	status, line := a.call("POST", "lines", `{"account_id":"acc-2","direction":"in","amount":{"value":"12.5","currency":"TRY"},`+
		`"text":"EFT","party":{"name":"Ali Veli"},"booked_at":"2026-03-01T10:00:00Z"}`)
	a.check("status", status, http.StatusOK)
	a.check("the day", line["value_date"], "2026-03-01")
	status, back := a.call("POST", "lines", `{"account_id":"acc-2","reverses":"`+line["id"].(string)+`"}`)
	a.check("status of the reversal", status, http.StatusOK)
	a.check("the reversal", back["reverses"], line["id"])
	for _, bad := range []string{
		`{"account_id":"acc-9","direction":"in","amount":{"value":"1","currency":"TRY"}}`, `{"account_id":"acc-1","direction":"in"}`,
		`{"account_id":"acc-1","direction":"up","amount":{"value":"1","currency":"TRY"}}`,
		`{"account_id":"acc-1","direction":"in","amount":{"value":"0.001","currency":"TRY"}}`,
		`{"account_id":"acc-1","direction":"in","amount":{"value":"1e3","currency":"TRY"}}`,
		`{"account_id":"acc-1","reverses":"nothing"}`,
	} {
		status, _ = a.call("POST", "lines", bad)
		a.check(bad, status, http.StatusUnprocessableEntity)
	}
}

func TestAdminTellsOfAnUnknownOrder(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	status, _ := a.call("POST", "unknown-order", `{"notify_url":"https://vezne.test/hook/9"}`)
	a.check("status", status, http.StatusOK)
	_, answer := a.call("POST", "step", "")
	a.check("delivered", answer["delivered"], 1.0)
	status, _ = a.call("POST", "unknown-order", `{"notify_url":"file:///etc/passwd"}`)
	a.check("another address", status, http.StatusUnprocessableEntity)
}

func TestAdminShowsStateAndScenarios(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	a.order("B1", "100.00")
	_, state := a.call("GET", "state", "")
	for _, name := range []string{"now", "offset", "deposits", "refunds", "payouts", "accounts", "waiting", "deliveries"} {
		if _, ok := state[name]; !ok {
			t.Errorf("the state has no %s", name)
		}
	}
	_, list := a.call("GET", "scenarios", "")
	a.check("scenarios", len(list["items"].([]any)), len(bank.Scenarios()))
	status, _ := a.call("GET", "nothing", "")
	a.check("a call that is none", status, http.StatusUnprocessableEntity)
}

func TestAdminBodyIsBounded(t *testing.T) {
	t.Parallel()
	a := newAdmin(t)
	status, _ := a.call("POST", "fire", `{"reference":"`+strings.Repeat("a", 65<<10)+`"}`)
	a.check("status", status, http.StatusUnprocessableEntity)
}

func TestRunDeliversAsTimeGoesBy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		delivered := make(chan time.Duration, 8)
		b := bank.New(bank.Config{
			NotifyURL: "https://vezne.test/hook",
			Post: func(context.Context, string, http.Header, []byte) (int, error) {
				delivered <- time.Since(start)
				if len(delivered) == 1 {
					return 0, errors.New("nobody listens")
				}
				return http.StatusOK, nil
			},
		})
		ctx, cancel := context.WithCancel(t.Context())
		var ended bool
		go func() { b.Run(ctx); ended = true }()
		if _, err := b.Book("acc-1", bank.Line{Direction: bank.Incoming, Amount: tryAmount("5")}); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Minute) // of the bubble's own clock
		cancel()
		synctest.Wait()
		if first, second := <-delivered, <-delivered; first != time.Second || second < 11*time.Second || second > 12*time.Second {
			t.Errorf("delivered after %s and %s", first, second)
		}
		if !ended {
			t.Error("Run goes on after its context has ended")
		}
	})
}
