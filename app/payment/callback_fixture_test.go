package payment_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// lease is how long a worker has a callback: the attempt's timeout and a margin.
const lease = 20 * time.Second

// ended makes a deposit at a site and cancels it, which leaves one callback due.
func ended(t apptest.TB, w *apptest.World, site owner.Site) payment.Payment {
	t.Helper()
	p := w.Start(t, payment.Request{Method: payment.ManualDeposit, Site: site, Amount: money.New(25000, money.TRY)})
	p, err := w.Deposits.Cancel(t.Context(), p)
	if err != nil {
		t.Fatalf("cancel: %v", err)
	}
	return p
}

func endedMany(t apptest.TB, w *apptest.World, site owner.Site, n int) []payment.Payment {
	t.Helper()
	payments := make([]payment.Payment, n)
	for i := range payments {
		payments[i] = ended(t, w, site)
	}
	return payments
}

// callbackOf returns a payment's only callback.
func callbackFor(t apptest.TB, w *apptest.World, p payment.Payment) payment.Callback {
	t.Helper()
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || len(callbacks) != 1 {
		t.Fatalf("%d callbacks, %v", len(callbacks), err)
	}
	return callbacks[0]
}

func attemptsOf(t apptest.TB, w *apptest.World, cb payment.Callback) []payment.Attempt {
	t.Helper()
	logs, err := w.Store.CallbackLogs(t.Context(), cb.PaymentID)
	if err != nil {
		t.Fatalf("attempts: %v", err)
	}
	at := slices.IndexFunc(logs, func(l payment.CallbackLog) bool { return l.ID == cb.ID })
	if at < 0 {
		t.Fatalf("no callback %s", cb.ID)
	}
	return logs[at].Attempts
}

// wantStates counts the payments' callbacks by state.
func wantStates(t apptest.TB, w *apptest.World, payments []payment.Payment, want map[payment.CallbackStatus]int) {
	t.Helper()
	got := map[payment.CallbackStatus]int{}
	for _, p := range payments {
		got[callbackFor(t, w, p).Status]++
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("callbacks by state: %v, want %v", got, want)
	}
}

// wantNoneWaiting: nothing is due, now or ever.
func wantNoneWaiting(t apptest.TB, w *apptest.World) {
	t.Helper()
	due, err := w.Store.DueReceivers(t.Context(), w.Clock.Now().Add(1000*time.Hour), "", 10)
	if err != nil || len(due) != 0 {
		t.Fatalf("callbacks still wait for %v, %v", due, err)
	}
}

// answers is a receiver that always answers alike.
func answers(status int) func(context.Context, apptest.Sent) payment.DeliveryResult {
	return func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{HTTPStatus: status}
	}
}

// sentTimes counts messages by tracking code.
func sentTimes(t apptest.TB, sent []apptest.Sent) map[string]int {
	t.Helper()
	times := map[string]int{}
	for _, s := range sent {
		times[payload(t, s).TrackingCode]++
	}
	return times
}

// body is the documented payload of a deposit's callback.
type body struct {
	TrackingCode string      `json:"tracking_code"`
	Status       string      `json:"status"`
	Amount       json.Number `json:"amount"`
	Username     string      `json:"username"`
	Fullname     string      `json:"fullname"`
	UserID       string      `json:"user_id"`
	SiteID       int64       `json:"site_id"`
	Timestamp    int64       `json:"timestamp"`
	Hash         string      `json:"hash"`
	IBAN         string      `json:"iban"`
}

func payload(t apptest.TB, s apptest.Sent) body {
	t.Helper()
	var b body
	if err := json.Unmarshal(s.Message.Body, &b); err != nil {
		t.Fatalf("%s: %v", s.Message.Body, err)
	}
	return b
}

// wantSigned checks a message as a receiver would, with nothing of ours: the contract's hash in headers and body, a
// fresh timestamp, and the Standard Webhooks signature.
func wantSigned(t apptest.TB, p owner.Provider, s apptest.Sent, at time.Time) {
	t.Helper()
	h := http.Header{}
	for _, header := range s.Message.Headers {
		h.Add(header.Name, header.Value)
	}
	b := payload(t, s)
	unix := fmt.Sprint(at.Unix())
	sum := sha256.Sum256([]byte(p.APIKey + p.SecretKey.Reveal() + b.TrackingCode + b.Status + unix))
	hash := hex.EncodeToString(sum[:])
	if h.Get("X-Hash") != hash || b.Hash != hash || h.Get("X-Timestamp") != unix || fmt.Sprint(b.Timestamp) != unix {
		t.Fatalf("hash %s in the header, %s in the body, want %s; timestamps %s and %d, want %s",
			h.Get("X-Hash"), b.Hash, hash, h.Get("X-Timestamp"), b.Timestamp, unix)
	}
	if h.Get("X-Api-Key") != p.APIKey || h.Get("X-Callback-Id") == "" || h.Get("Content-Type") != "application/json" {
		t.Fatalf("headers %v", h)
	}
	webhook, err := standardwebhooks.NewWebhook(p.WebhookSecret.Reveal())
	if err != nil {
		t.Fatalf("webhook secret: %v", err)
	}
	if err = webhook.VerifyIgnoringTimestamp(s.Message.Body, h); err != nil || h.Get("webhook-timestamp") != unix {
		t.Fatalf("webhook signature of %s: %v", h.Get("webhook-timestamp"), err)
	}
}

// another is one more process that delivers from the World's store, with a sender of its own.
func another(t *testing.T, w *apptest.World) (*payments.Callbacks, *apptest.CallbackSender) {
	t.Helper()
	sender := apptest.NewCallbackSender()
	s := &payments.Callbacks{
		UnitOfWork: w.UnitOfWork, Sender: sender, Timeout: w.Callbacks.Timeout, Log: w.Callbacks.Log,
	}
	s.Start()
	t.Cleanup(func() { _ = s.Stop(context.Background()) })
	return s, sender
}

// wake has a receiver's due callbacks delivered and waits for it.
func wake(t apptest.TB, s *payments.Callbacks, receiver string) {
	t.Helper()
	s.Wake(receiver)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatalf("wait: %v", err)
	}
}
