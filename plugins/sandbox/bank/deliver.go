package bank

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Post delivers one notification and returns the receiver's status.
type Post func(ctx context.Context, url string, header http.Header, body []byte) (status int, err error)

// postTimeout bounds one delivery.
const postTimeout = 10 * time.Second

// PostOverHTTP delivers for real. Redirects are not followed.
func PostOverHTTP() Post {
	client := &http.Client{Timeout: postTimeout, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return func(ctx context.Context, url string, header http.Header, body []byte) (int, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		request.Header = header
		response, err := client.Do(request)
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, io.LimitReader(response.Body, maxBodyBytes))
		return response.StatusCode, err
	}
}

// retries is how long after a failed delivery the next one follows; after the last one the bank gives up.
var retries = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour}

// Delivery is one attempt to deliver a notification.
type Delivery struct {
	At        time.Time `json:"at"`
	EventID   string    `json:"event_id"`
	Type      string    `json:"type"`
	Reference string    `json:"reference"`
	Status    int       `json:"status"` // of the answer; 0: none
	Error     string    `json:"error,omitempty"`
}

// maxDeliveries bounds the log of deliveries.
const maxDeliveries = 200

// Step delivers every notification that is due and gives how many it tried. Those of one reference go out in the order
// in which they are due, and those that are due at the same moment go out at once.
func (b *Bank) Step(ctx context.Context) int {
	batch := b.takeDue()
	var all sync.WaitGroup
	places := make(chan struct{}, 16)
	for _, notifications := range byReference(batch) {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			b.deliverInOrder(ctx, notifications)
		})
	}
	all.Wait()
	return len(batch)
}

// StepOne delivers the one notification that is due first, on the caller's goroutine, and reports whether there was one.
func (b *Bank) StepOne(ctx context.Context) bool {
	b.mu.Lock()
	n, ok := b.notifications.pop(b.catchUp())
	b.mu.Unlock()
	if ok {
		b.deliver(ctx, n.item)
	}
	return ok
}

func (b *Bank) takeDue() []notification {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	var batch []notification
	for {
		n, ok := b.notifications.pop(now)
		if !ok {
			return batch
		}
		batch = append(batch, n.item)
	}
}

func byReference(batch []notification) map[string][]notification {
	groups := map[string][]notification{}
	for _, n := range batch {
		groups[n.ref] = append(groups[n.ref], n)
	}
	return groups
}

func (b *Bank) deliverInOrder(ctx context.Context, notifications []notification) {
	for len(notifications) > 0 {
		moment := notifications[0].at
		var together sync.WaitGroup
		for len(notifications) > 0 && notifications[0].at.Equal(moment) {
			n := notifications[0]
			notifications = notifications[1:]
			together.Go(func() { b.deliver(ctx, n) })
		}
		together.Wait()
	}
}

func (b *Bank) deliver(ctx context.Context, n notification) {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	status, err := b.config.Post(ctx, n.url, b.header(n.body, n.signing), n.body)
	b.mu.Lock()
	defer b.mu.Unlock()
	done := Delivery{At: b.now(), EventID: n.event.ID, Type: n.event.Type, Reference: n.ref, Status: status}
	if err != nil {
		done.Error = err.Error()
	}
	b.deliveries = append(b.deliveries, done)
	b.deliveries = b.deliveries[max(0, len(b.deliveries)-maxDeliveries):]
	isTaken := err == nil && status >= 200 && status < 300
	if isTaken || n.signing.mustBeRefused() || n.tries >= len(retries) {
		return
	}
	n.at = b.now().Add(retries[n.tries])
	n.tries++
	b.notifications.push(n.at, n)
}

// SignatureHeader carries "t=<unix seconds>,v1=<hex>": the HMAC-SHA256 of "<t>.<body>" under the notification secret.
const SignatureHeader = "X-Sandbox-Signature"

// header is what goes along with a body. The signature has the real time, whatever the admin API made of the bank's.
func (b *Bank) header(body []byte, s signing) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"vezne-sandbox-bank/1"}}
	secret, t := b.config.NotifySecret, b.config.Now()
	switch s {
	case unsigned:
		return h
	case signedWrong:
		secret = "a secret that nobody has"
	case signedWithPrevious:
		if b.config.PreviousSecret != "" {
			secret = b.config.PreviousSecret
		}
	case signedLongAgo:
		t = t.Add(-staleBy)
	case signed:
	}
	stamp := strconv.FormatInt(t.Unix(), 10)
	h.Set(SignatureHeader, "t="+stamp+",v1="+sign(secret, stamp+"."+string(body)))
	return h
}

// sign is the HMAC-SHA256 of a text in hex.
func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
