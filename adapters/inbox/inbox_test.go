package inbox_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/inbox"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

var now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// sender is the provider that the callbacks are for, as Vezne signs them.
var sender = owner.Provider{
	Name: "Acme Pay", APIKey: "vzp_acme", SecretKey: core.NewSecret("vzs_acme"),
	WebhookSecret: core.NewSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
}

// dealer is one whose card payments are told, without Standard Webhooks.
var dealer = owner.Dealer{Name: "Marmara Finans", APIKey: "vzd_marmara", SecretKey: core.NewSecret("vzs_marmara")}

func newInbox(t *testing.T) (*inbox.Inbox, http.Handler) {
	t.Helper()
	box, err := inbox.New(inbox.Config{
		Receiver: func(_ context.Context, key string) (inbox.Receiver, error) {
			switch key {
			case sender.APIKey:
				return inbox.Receiver{Name: sender.Name, Signer: payment.SignerOf(sender)}, nil
			case dealer.APIKey:
				return inbox.Receiver{Name: dealer.Name, Signer: payment.SignerOfDealer(dealer)}, nil
			default:
				return inbox.Receiver{}, fault.New("test", fault.NotFound)
			}
		},
		Now: func() time.Time { return now }, Zone: time.FixedZone("+03", 3*60*60), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return box, box.Handler()
}

// message is a signed callback with an id.
func message(t *testing.T, id string, change func(*payment.Payload)) payment.CallbackMessage {
	t.Helper()
	cb := payment.Callback{ID: core.ID(id), Kind: payment.DepositCallback, Payload: payment.Payload{
		TrackingCode: "MAN-0123456789ABCDEF", Status: payment.Completed, Amount: money.New(25000, money.TRY), Username: "ayse",
	}}
	if change != nil {
		change(&cb.Payload)
	}
	m, err := cb.Message(payment.SignerOf(sender), now, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func do(t *testing.T, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// post sends a callback; change may spoil its headers.
func post(t *testing.T, h http.Handler, m payment.CallbackMessage, change func(http.Header)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, inbox.Path, bytes.NewReader(m.Body))
	for _, header := range m.Headers {
		r.Header.Set(header.Name, header.Value)
	}
	if change != nil {
		change(r.Header)
	}
	return do(t, h, r)
}

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	return do(t, h, httptest.NewRequest(http.MethodGet, path, nil))
}

func TestRightCallbackIsAcknowledged(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	w := post(t, h, message(t, "CB1", nil), nil)
	if w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"success":true}` || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
	letters := box.Letters()
	if len(letters) != 1 {
		t.Fatalf("%d letters", len(letters))
	}
	l := letters[0]
	if !l.IsHashRight || !l.IsHookRight || l.Problem != "" || l.Times != 1 || l.Receiver != "Acme Pay" || l.Status != "completed" ||
		l.Amount != "250.00" || l.TrackingCode != "MAN-0123456789ABCDEF" || l.CallbackID != "CB1" || !l.At.Equal(now) {
		t.Errorf("letter %+v", l)
	}
}

// TestACallbackForADealerIsTakenToo: a card payment that failed, which has no Standard Webhooks signature.
func TestACallbackForADealerIsTakenToo(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	cb := payment.Callback{ID: "CB1", Kind: payment.DealerCardCallback, DealerID: 3, Payload: payment.Payload{
		TrackingCode: "CC-0123456789ABCDEF", Status: payment.Failed, Amount: money.New(25000, money.TRY),
		Card: payment.CardPayload{OrderID: "CC0123456789ABCDEF", CustomerName: "Ayşe Yılmaz", ErrorCode: "TIMEOUT", ErrorMessage: "-"},
	}}
	m, err := cb.Message(payment.SignerOfDealer(dealer), now, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	if w := post(t, h, m, nil); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if l := box.Letters()[0]; !l.IsHashRight || l.HasHook || l.IsHookRight || l.Problem != "" || l.Receiver != "Marmara Finans" || l.Status != "failed" {
		t.Errorf("letter %+v", l)
	}
	if page := get(t, h, inbox.Path).Body.String(); strings.Contains(page, "webhook-signature") || !strings.Contains(page, "X-Hash is right") {
		t.Errorf("the page tells of a signature that a dealer's callback has not:\n%s", page)
	}
	m.Headers[1].Value = sender.APIKey // a provider's key in place of the dealer's
	if w := post(t, h, m, nil); w.Code != 401 {
		t.Errorf("with another's key: %d %s", w.Code, w.Body)
	}
}

func TestWrongSignaturesAreRefusedAndShown(t *testing.T) {
	t.Parallel()
	hash := func(parts ...string) string {
		sum := sha256.Sum256([]byte(strings.Join(parts, "")))
		return hex.EncodeToString(sum[:])
	}
	unix := fmt.Sprint(now.Unix())
	for name, tt := range map[string]struct {
		spoil          func(http.Header)
		isHash, isHook bool
		problem        string
	}{
		"no hash":        {func(h http.Header) { h.Del("X-Hash") }, false, true, "differs"},
		"no timestamp":   {func(h http.Header) { h.Del("X-Timestamp") }, false, true, "differs"},
		"other hash":     {func(h http.Header) { h.Set("X-Hash", hash("else")) }, false, true, "differs"},
		"other time":     {func(h http.Header) { h.Set("X-Timestamp", "1") }, false, true, "differs"},
		"unknown sender": {func(h http.Header) { h.Set("X-Api-Key", "vzp_nobody") }, false, false, "X-Api-Key"},
		"no sender":      {func(h http.Header) { h.Del("X-Api-Key") }, false, false, "X-Api-Key"},
		"no webhook":     {func(h http.Header) { h.Del("webhook-signature") }, true, false, ""},
		"other webhook":  {func(h http.Header) { h.Set("webhook-timestamp", "1") }, true, false, ""},
		"another's id":   {func(h http.Header) { h.Set("webhook-id", "CB2") }, true, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box, h := newInbox(t)
			w := post(t, h, message(t, "CB1", nil), tt.spoil)
			if want := map[bool]int{true: 200, false: 401}[tt.isHash]; w.Code != want {
				t.Errorf("answered %d, want %d", w.Code, want)
			}
			l := box.Letters()[0]
			if l.IsHashRight != tt.isHash || l.IsHookRight != tt.isHook || !strings.Contains(l.Problem, tt.problem) || (tt.problem == "") != (l.Problem == "") {
				t.Errorf("letter %+v", l)
			}
		})
	}
	// A hash that fits headers and body, made with another secret.
	box, h := newInbox(t)
	forged := payment.CallbackMessage{Headers: []payment.CallbackHeader{
		{Name: "X-Api-Key", Value: sender.APIKey}, {Name: "X-Timestamp", Value: unix},
		{Name: "X-Hash", Value: hash(sender.APIKey, "guess", "MAN-1", "completed", unix)},
	}}
	forged.Body = fmt.Appendf(nil, `{"tracking_code":"MAN-1","status":"completed","timestamp":%s,"hash":%q}`, unix, forged.Headers[2].Value)
	if w := post(t, h, forged, nil); w.Code != 401 || box.Letters()[0].IsHashRight {
		t.Errorf("forged: %d %+v", w.Code, box.Letters()[0])
	}
}

func TestChangedBodyIsRefused(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	for name, change := range map[string]func([]byte) []byte{
		"status":    func(b []byte) []byte { return bytes.Replace(b, []byte("completed"), []byte("canceled"), 1) },
		"code":      func(b []byte) []byte { return bytes.Replace(b, []byte("MAN-0"), []byte("MAN-1"), 1) },
		"not JSON":  func([]byte) []byte { return []byte("status=completed") },
		"empty":     func([]byte) []byte { return nil },
		"an array":  func(b []byte) []byte { return append(append([]byte{'['}, b...), ']') },
		"trailing":  func(b []byte) []byte { return append(b, '{') },
		"bad types": func([]byte) []byte { return []byte(`{"status":7,"timestamp":"now"}`) },
	} {
		m := message(t, "", nil)
		m.Body = change(m.Body)
		if w := post(t, h, m, nil); w.Code != 401 || strings.TrimSpace(w.Body.String()) != `{"success":false}` {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if l := box.Letters()[0]; l.IsHashRight || l.IsHookRight {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

func TestChangedAmountIsSeenByTheWebhookSignatureOnly(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	m := message(t, "CB1", nil)
	m.Body = bytes.Replace(m.Body, []byte("250.00"), []byte("999.00"), 1)
	post(t, h, m, nil) // the contract's hash does not cover the amount
	if l := box.Letters()[0]; !l.IsHashRight || l.IsHookRight || l.Amount != "999.00" {
		t.Errorf("letter %+v", l)
	}
}

func TestSameCallbackAgainIsCountedAndComesOnTop(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	for _, id := range []string{"CB1", "CB2", "CB1", "CB3", "CB1", "", ""} {
		post(t, h, message(t, id, nil), func(h http.Header) {
			if id == "" {
				h.Del("X-Callback-Id")
			}
		})
	}
	var got []string
	for _, l := range box.Letters() {
		got = append(got, fmt.Sprintf("%s×%d", l.CallbackID, l.Times))
	}
	if want := "×1 ×1 CB1×3 CB3×1 CB2×1"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if page := get(t, h, inbox.Path).Body.String(); strings.Count(page, "arrived 3 times") != 1 || strings.Contains(page, "arrived 1 times") {
		t.Error("the page does not say that one arrived three times")
	}
}

func TestBodiesBeyond64KiBAreRefused(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	for size, want := range map[int]int{64 << 10: 401, 64<<10 + 1: 413, 10 << 20: 413} {
		w := post(t, h, payment.CallbackMessage{Body: bytes.Repeat([]byte{' '}, size)}, nil)
		if w.Code != want {
			t.Errorf("%d bytes: %d, want %d", size, w.Code, want)
		}
	}
	if n := len(box.Letters()); n != 1 {
		t.Errorf("%d letters were kept", n)
	}
}

func TestOnlyTheNewestTwoHundredAreKept(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	for i := range 205 {
		post(t, h, message(t, fmt.Sprintf("CB%d", i), nil), nil)
	}
	letters := box.Letters()
	if len(letters) != 200 || letters[0].CallbackID != "CB204" || letters[199].CallbackID != "CB5" {
		t.Errorf("%d letters, %s to %s", len(letters), letters[0].CallbackID, letters[len(letters)-1].CallbackID)
	}
}

func TestPageShowsWhatCame(t *testing.T) {
	t.Parallel()
	_, h := newInbox(t)
	if page := get(t, h, inbox.Path).Body.String(); !strings.Contains(page, "Nothing has arrived yet") {
		t.Error("the empty page says nothing")
	}
	post(t, h, message(t, "CB1", nil), nil)
	for _, path := range []string{inbox.Path, inbox.Path + "/letters"} {
		w := get(t, h, path)
		for _, want := range []string{"MAN-0123456789ABCDEF", "completed", "250.00", "Acme Pay", "12:00:00", "X-Hash is right"} {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s does not show %s", path, want)
			}
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if isWhole := strings.Contains(w.Body.String(), "<!doctype html>"); isWhole != (path == inbox.Path) {
			t.Errorf("%s: whole page: %v", path, isWhole)
		}
	}
	for path, want := range map[string]string{"inbox.css": "text/css", "inbox.js": "text/javascript"} {
		if w := get(t, h, inbox.Path+"/files/"+path); w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), want) {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

func TestHTMLInCallbacksIsShownAsText(t *testing.T) {
	t.Parallel()
	_, h := newInbox(t)
	const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	post(t, h, message(t, attack, func(p *payment.Payload) {
		p.TrackingCode, p.Status, p.Fullname, p.Username = attack, payment.Status(attack), attack, attack
	}), nil)
	post(t, h, payment.CallbackMessage{Body: []byte(attack)}, nil)
	w := get(t, h, inbox.Path)
	page := w.Body.String()
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") || !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Errorf("not escaped:\n%s", page)
	}
	csp := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", w.Header())
	}
}

func TestManySendersAtOnce(t *testing.T) {
	t.Parallel()
	box, h := newInbox(t)
	var senders sync.WaitGroup
	for i := range 20 {
		m := message(t, fmt.Sprintf("CB%d", i%10), nil)
		senders.Go(func() {
			for range 10 {
				post(t, h, m, nil)
				get(t, h, inbox.Path+"/letters")
			}
		})
	}
	senders.Wait()
	times := 0
	for _, l := range box.Letters() {
		times += l.Times
	}
	if n := len(box.Letters()); n != 10 || times != 200 {
		t.Errorf("%d letters that came %d times", n, times)
	}
}
