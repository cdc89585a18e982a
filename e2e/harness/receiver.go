package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Letter is one callback as it arrived.
type Letter struct {
	ID     string // X-Callback-Id
	Path   string
	Fields []string // of the body, sorted
	LetterBody
}

// LetterBody is what a callback says.
type LetterBody struct {
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
	Sequence     int         `json:"sequence"`
	Reason       string      `json:"reason"`
	PaidBy       string      `json:"paid_by"`
	Correction   struct {
		PreviousAmount json.Number `json:"previous_amount"`
	} `json:"correction"`

	// Of cards.
	OrderID       string `json:"order_id"`
	Currency      string `json:"currency"`
	CustomerName  string `json:"customer_name"`
	CustomerEmail string `json:"customer_email"`
	ErrorCode     string `json:"error_code"`
	ErrorMessage  string `json:"error_message"`

	// Of dealers' cards.
	Success       bool   `json:"success"`
	CustomerPhone string `json:"customer_phone"`
	StatusMessage string `json:"status_message"`
	CompletedAt   string `json:"completed_at"`
}

// Receiver is a provider's server for callbacks. It verifies both signatures of each; one that is wrong fails the test.
type Receiver struct {
	*httptest.Server
	keys   ProviderKeys
	answer func(Letter) int

	mu   sync.Mutex
	sent map[string][]Letter // by tracking code
	next []Letter            // what Next has not returned yet, in the order of arrival
}

// NewReceiver answers each callback with the HTTP status that answer gives.
func NewReceiver(t testing.TB, keys ProviderKeys, answer func(Letter) int) *Receiver {
	t.Helper()
	r := &Receiver{keys: keys, answer: answer, sent: make(map[string][]Letter)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		l, err := r.read(request)
		if err != nil {
			t.Errorf("a callback arrived that is not right: %v", err)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		r.mu.Lock()
		if before := r.sent[l.TrackingCode]; len(before) > 0 && !l.follows(before[len(before)-1]) {
			t.Errorf("%+v came after %+v", l, before[len(before)-1])
		}
		r.sent[l.TrackingCode] = append(r.sent[l.TrackingCode], l)
		r.next = append(r.next, l)
		r.mu.Unlock()
		w.WriteHeader(answer(l))
		_, _ = io.WriteString(w, `{"success": true}`) // the sender may be gone, killed by its test
	}))
	t.Cleanup(r.Close)
	return r
}

// follows reports whether a payment's callback may come after another: it is a later one, or the same one again.
func (l Letter) follows(before Letter) bool {
	before.Timestamp, before.Hash = l.Timestamp, l.Hash
	return l.Sequence > before.Sequence || l.ID == before.ID && l.LetterBody == before.LetterBody
}

// Accept is the answer of a receiver that has no trouble.
func Accept(Letter) int { return http.StatusOK }

// NewGatedReceiver answers 200 to a number of callbacks at once, and to the others when its gate is opened, at the latest
// by the end of the test.
func NewGatedReceiver(t testing.TB, keys ProviderKeys, atOnce int32) (r *Receiver, open func()) {
	t.Helper()
	gate := make(chan struct{})
	var arrived atomic.Int32
	r = NewReceiver(t, keys, func(Letter) int {
		if arrived.Add(1) > atOnce {
			<-gate
		}
		return http.StatusOK
	})
	open = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(open) // before the receiver's own, which waits for its requests
	return r, open
}

func (r *Receiver) read(request *http.Request) (l Letter, err error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(body, &l.LetterBody); err != nil {
		return l, fmt.Errorf("%w: %s", err, body)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return l, err
	}
	l.ID, l.Path = request.Header.Get("X-Callback-Id"), request.URL.Path
	l.Fields = slices.Sorted(maps.Keys(whole))
	return l, r.verify(request.Header, body, l)
}

// verify checks what a receiver has to, by means of its own.
func (r *Receiver) verify(h http.Header, body []byte, l Letter) error {
	if err := tellsNoTrace(h); err != nil {
		return err
	}
	stamp := h.Get("X-Timestamp")
	want := Sha256Hex(r.keys.APIKey + r.keys.SecretKey + l.TrackingCode + l.Status + stamp)
	switch {
	case h.Get("X-Api-Key") != r.keys.APIKey:
		return errors.New("X-Api-Key is not the provider's")
	case h.Get("X-Hash") != want || l.Hash != want:
		return fmt.Errorf("X-Hash is %s and the body's hash %s, want %s", h.Get("X-Hash"), l.Hash, want)
	case strconv.FormatInt(l.Timestamp, 10) != stamp:
		return fmt.Errorf("the body's timestamp is %d, X-Timestamp %s", l.Timestamp, stamp)
	case l.ID == "" || h.Get("webhook-id") != l.ID:
		return fmt.Errorf("X-Callback-Id is %q, webhook-id %q", l.ID, h.Get("webhook-id"))
	case l.Sequence < 1 || h.Get("X-Callback-Sequence") != strconv.Itoa(l.Sequence):
		return fmt.Errorf("X-Callback-Sequence is %q, sequence %d", h.Get("X-Callback-Sequence"), l.Sequence)
	case h.Get("Content-Type") != "application/json":
		return fmt.Errorf("Content-Type is %q", h.Get("Content-Type"))
	}
	if r.keys.WebhookSecret == "" { // a dealer's: it has no such signature
		if h.Get("webhook-signature") != "" {
			return errors.New("there is a webhook-signature of no secret")
		}
		return nil
	}
	webhook, err := standardwebhooks.NewWebhook(r.keys.WebhookSecret)
	if err != nil {
		return err
	}
	return webhook.Verify(body, h)
}

// tellsNoTrace checks that whoever is outside learns nothing of a trace: neither which requests belong together, nor that they are
// traced at all (W3C Trace Context and Baggage, and the older headers of Zipkin, Jaeger and AWS X-Ray).
func tellsNoTrace(h http.Header) error {
	for name := range h {
		for _, told := range []string{"Traceparent", "Tracestate", "Baggage", "B3", "X-B3-", "Uber-", "X-Amzn-Trace-Id"} {
			if strings.HasPrefix(name, told) {
				return fmt.Errorf("the header %s tells of a trace", name)
			}
		}
	}
	return nil
}

// Next is the next callback to arrive; it may not have been answered yet.
func (r *Receiver) Next(t testing.TB) (l Letter) {
	t.Helper()
	Eventually(t, func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.next) == 0 {
			return errors.New("no callback has come")
		}
		l, r.next = r.next[0], r.next[1:]
		return nil
	})
	return l
}

// Of returns what has arrived for a transaction.
func (r *Receiver) Of(code string) []Letter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Letter(nil), r.sent[code]...)
}

// Count is how many transactions something has arrived for.
func (r *Receiver) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.sent)
}

// Attempts is how many callbacks have arrived, repeated ones too.
func (r *Receiver) Attempts() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, letters := range r.sent {
		n += len(letters)
	}
	return n
}

// AwaitAll waits until something has arrived for every payment, always with the same status and id.
func (r *Receiver) AwaitAll(t testing.TB, payments []Payment, status string) {
	t.Helper()
	Eventually(t, func() error {
		for _, p := range payments {
			if len(r.Of(p.TrackingCode)) == 0 {
				return fmt.Errorf("%d of %d callbacks have arrived; that of %s has not", r.Count(), len(payments), p.TrackingCode)
			}
		}
		return nil
	})
	for _, p := range payments {
		for _, l := range r.Of(p.TrackingCode) {
			if l.Status != status || l.ID != r.Of(p.TrackingCode)[0].ID {
				t.Errorf("%s got a callback %s that says %s, want %s", p.TrackingCode, l.ID, l.Status, status)
			}
		}
	}
}
