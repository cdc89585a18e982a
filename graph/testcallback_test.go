package graph_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vezne/vezne/adapters/callbackhttp"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

const testCallback = `mutation($input: SendTestCallbackInput!) { sendTestCallback(input: $input) {
	trackingCode url isAccepted warning httpStatus durationMs answer error } }`

// post is a callback that came over HTTP.
type post struct {
	path   string
	header http.Header
	body   []byte
}

// posts is a receiver on this machine, and a sender that goes there.
func (a *api) posts(t *testing.T, answer http.HandlerFunc) (string, <-chan post) {
	t.Helper()
	came := make(chan post, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		came <- post{r.URL.Path, r.Header, body}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	courier := callbackhttp.New(callbackhttp.Config{Version: "test", AllowLoopback: true})
	t.Cleanup(courier.Close)
	a.Directory.Sender = courier
	return server.URL, came
}

// callTo has every callback of the first provider, its site and its dealer sent to a receiver.
func (a *api) callTo(t *testing.T, url string) {
	t.Helper()
	for query, v := range map[string]vars{
		updateProvider: {"input": vars{"id": 1,
			"callbackUrl": url + "/in", "depositCallbackUrl": url + "/eiban", "withdrawalCallbackUrl": url + "/out", "creditCardCallbackUrl": url + "/cc",
		}},
		updateSite:   {"input": vars{"id": 1, "withdrawalCallbackUrl": url + "/site-out"}},
		updateDealer: {"input": vars{"id": 1, "creditCardCallbackUrl": url + "/dealer"}},
	} {
		if answer := a.as(t, staff.Admin, query, v); answer.code() != "" {
			t.Fatal(answer.Raw)
		}
	}
}

// testResult is what tests read of an answer.
type testResult struct {
	TrackingCode, URL string
	IsAccepted        bool
	Warning           *string
	HTTPStatus        *int
	DurationMs        int
	Answer            string
	Error             *string
}

func TestATestCallbackIsSentAndSignedAsRealOnesAre(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	url, came := a.posts(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "tamam") })
	a.callTo(t, url)
	for _, tt := range []struct {
		to           vars
		path, prefix string
		status       string
		apiKey       string
		secret       core.Secret
	}{
		{vars{"providerId": 1, "kind": "DEPOSIT"}, "/in", "MAN-TESTONLY", "completed", a.Provider.APIKey, a.Provider.SecretKey},
		{vars{"providerId": 1, "kind": "EIBAN_DEPOSIT"}, "/eiban", "EIBAN-TESTONLY", "completed", a.Provider.APIKey, a.Provider.SecretKey},
		{vars{"siteId": 1, "kind": "WITHDRAWAL"}, "/site-out", "WIT-TESTONLY", "completed", a.Provider.APIKey, a.Provider.SecretKey},
		{vars{"siteId": 1, "kind": "CREDIT_CARD"}, "/cc", "CC-TESTONLY", "success", a.Provider.APIKey, a.Provider.SecretKey},
		{vars{"dealerId": 1, "kind": "DEALER_CARD"}, "/dealer", "CC-TESTONLY", "success", a.Dealer.APIKey, a.Dealer.SecretKey},
	} {
		var result testResult
		a.as(t, staff.Operator, testCallback, vars{"input": tt.to}).into(t, "sendTestCallback", &result)
		if !result.IsAccepted || result.Warning != nil || *result.HTTPStatus != 200 || result.Answer != "tamam" || result.Error != nil || result.URL != url+tt.path {
			t.Errorf("%v: got %+v", tt.to, result)
		}
		p := <-came
		var body struct {
			TrackingCode string `json:"tracking_code"`
			Status       string
			Hash         string
		}
		if err := json.Unmarshal(p.body, &body); err != nil {
			t.Fatal(err)
		}
		want := sign.Hash(tt.apiKey, tt.secret.Reveal(), body.TrackingCode, body.Status, p.header.Get("X-Timestamp"))
		if p.path != tt.path || p.header.Get("X-Hash") != want || body.Hash != want || p.header.Get("X-Callback-Test") != "true" ||
			p.header.Get("X-Api-Key") != tt.apiKey || body.Status != tt.status || body.TrackingCode != result.TrackingCode {
			t.Errorf("%v: came %s %v %s", tt.to, p.path, p.header, p.body)
		}
		if !strings.HasPrefix(body.TrackingCode, tt.prefix) || len(body.TrackingCode) != len(tt.prefix)+8 {
			t.Errorf("%v: is about %s", tt.to, body.TrackingCode)
		}
		if _, err := a.Store.PaymentByTrackingCode(t.Context(), body.TrackingCode); !fault.Is(err, fault.NotFound) {
			t.Errorf("%v: a payment has its code: %v", tt.to, err)
		}
	}
	if due, err := a.Store.DueReceivers(t.Context(), a.Clock.Now().Add(time.Hour), "", 10); err != nil || len(due) != 0 || len(a.Sender.Sent()) != 0 {
		t.Errorf("the outbox has something for %v (%v)", due, err)
	}
}

// TestBothWebhookSecretsSignDuringTheGrace: a receiver with either verifies; when the grace is over, with the new one only.
func TestBothWebhookSecretsSignDuringTheGrace(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	url, came := a.posts(t, func(http.ResponseWriter, *http.Request) {})
	a.callTo(t, url)
	var rotated struct{ Credentials []issued }
	a.as(t, staff.Admin, rotateProvider, vars{"input": vars{"id": 1, "credential": "WEBHOOK_SECRET", "graceHours": 1}}).
		into(t, "rotateProviderCredential", &rotated)
	var secret struct{ Credentials []issued }
	a.as(t, staff.Admin, rotateProvider, vars{"input": vars{"id": 1, "credential": "SECRET_KEY", "graceHours": 1}}).
		into(t, "rotateProviderCredential", &secret)
	verify := func(key string) error {
		w, err := standardwebhooks.NewWebhook(key)
		if err != nil {
			t.Fatal(err)
		}
		var p post
		if answer := a.as(t, staff.Admin, testCallback, vars{"input": vars{"providerId": 1, "kind": "DEPOSIT"}}); answer.code() != "" {
			t.Fatal(answer.Raw)
		}
		p = <-came
		if hash := p.header.Get("X-Hash"); !sign.Matches(hash, a.Provider.APIKey, secret.Credentials[0].Value, codeIn(t, p.body), "completed", p.header.Get("X-Timestamp")) {
			t.Error("the hash is not of the new secret key")
		}
		return w.VerifyIgnoringTimestamp(p.body, p.header)
	}
	old := a.Provider.WebhookSecret.Reveal()
	if err := errors.Join(verify(old), verify(rotated.Credentials[0].Value)); err != nil {
		t.Errorf("during the grace: %v", err)
	}
	a.Clock.Advance(time.Hour)
	if verify(old) == nil || verify(rotated.Credentials[0].Value) != nil {
		t.Error("after the grace the new secret alone signs")
	}
}

func codeIn(t *testing.T, body []byte) string {
	t.Helper()
	var b struct {
		TrackingCode string `json:"tracking_code"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatal(err)
	}
	return b.TrackingCode
}

func TestWhatATestCallbackMeets(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	url, _ := a.posts(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, strings.Repeat("ş", 4096))
	})
	a.callTo(t, url)
	send := func(to vars) (r testResult, code string) {
		t.Helper()
		answer := a.as(t, staff.Operator, testCallback, vars{"input": to})
		if code = answer.code(); code == "" {
			answer.into(t, "sendTestCallback", &r)
		}
		return r, code
	}
	if r, _ := send(vars{"providerId": 1, "kind": "DEPOSIT"}); r.IsAccepted || *r.HTTPStatus != 418 || len(r.Answer) != 4096 {
		t.Errorf("got %+v", r)
	}
	a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 1, "callbackUrl": "http://127.0.0.1:1/", "depositCallbackUrl": "http://169.254.169.254/"}})
	for _, kind := range []string{"DEPOSIT", "EIBAN_DEPOSIT"} {
		if r, _ := send(vars{"providerId": 1, "kind": kind}); r.IsAccepted || r.HTTPStatus != nil || r.Error == nil || *r.Error == "" {
			t.Errorf("%s: got %+v", kind, r)
		}
	}
	a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 1, "creditCardCallbackUrl": ""}})
	for _, to := range []vars{
		{"kind": "DEPOSIT"}, {"providerId": 1, "siteId": 1, "kind": "DEPOSIT"}, {"providerId": 1, "kind": "DEALER_CARD"},
		{"dealerId": 1, "kind": "DEPOSIT"}, {"dealerId": 2, "kind": "DEALER_CARD"}, {"providerId": 1, "kind": "CREDIT_CARD"},
	} {
		if _, code := send(to); code != "INVALID" {
			t.Errorf("%v: %q", to, code)
		}
	}
	for _, to := range []vars{{"providerId": 99, "kind": "DEPOSIT"}, {"siteId": 99, "kind": "DEPOSIT"}, {"dealerId": 99, "kind": "DEALER_CARD"}} {
		if _, code := send(to); code != "NOT_FOUND" {
			t.Errorf("%v: %q", to, code)
		}
	}
	for range 3 {
		if _, code := send(vars{"providerId": 1, "kind": "WITHDRAWAL"}); code != "" {
			t.Fatal(code)
		}
	}
	if _, code := send(vars{"providerId": 1, "kind": "WITHDRAWAL"}); code != "RATE_LIMITED" {
		t.Errorf("the seventh within a minute: %q", code)
	}
	if _, code := send(vars{"siteId": 1, "kind": "WITHDRAWAL"}); code != "" {
		t.Errorf("another owner: %q", code)
	}
	a.Clock.Advance(time.Minute)
	if _, code := send(vars{"providerId": 1, "kind": "WITHDRAWAL"}); code != "" {
		t.Errorf("a minute later: %q", code)
	}
}

// TestATestCallbackWarnsOfAnswersThatNearlyAcknowledge: 201 and 204 do where the setting says so, and otherwise somebody is told before
// real callbacks come again and again.
func TestATestCallbackWarnsOfAnswersThatNearlyAcknowledge(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var answer atomic.Int32
	url, came := a.posts(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(answer.Load())) })
	a.callTo(t, url)
	for _, setting := range []string{"STATUS_200", "ANY_2XX"} {
		for query, id := range map[string]int{updateProvider: 1, updateDealer: 1} {
			if got := a.as(t, staff.Admin, query, vars{"input": vars{"id": id, "callbackAcknowledgement": setting}}); got.code() != "" {
				t.Fatal(got.Raw)
			}
		}
		for _, status := range []int32{200, 201, 204, 404} {
			answer.Store(status)
			for _, to := range []vars{{"siteId": 1, "kind": "WITHDRAWAL"}, {"dealerId": 1, "kind": "DEALER_CARD"}} {
				var result testResult
				a.as(t, staff.Operator, testCallback, vars{"input": to}).into(t, "sendTestCallback", &result)
				<-came
				isTaken := status == 200 || setting == "ANY_2XX" && status < 300
				isWarned := setting == "STATUS_200" && (status == 201 || status == 204)
				if result.IsAccepted != isTaken || (result.Warning != nil) != isWarned || isWarned && *result.Warning != "NOT_STATUS_200" {
					t.Errorf("%s: %d to %v: %+v", setting, status, to, result)
				}
			}
			a.Clock.Advance(time.Minute) // six a minute go to one owner
		}
	}
}

// TestATestCallbackDoesNotWaitForEver: the staff member is told before the operation's own time is over.
func TestATestCallbackDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Directory.Timeout = 50 * time.Millisecond
	gate := make(chan struct{})
	url, _ := a.posts(t, func(http.ResponseWriter, *http.Request) { <-gate })
	t.Cleanup(func() { close(gate) })
	a.callTo(t, url)
	r, err := a.Directory.SendTestCallback(t.Context(), app.Request{Staff: a.Admin}, owner.TestCallback{ProviderID: 1, Kind: payment.DepositCallback})
	if err != nil || r.HTTPStatus != 0 || !strings.Contains(r.Error, "did not answer within 50ms") {
		t.Errorf("got %+v %v", r, err)
	}
}
