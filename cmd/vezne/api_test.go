package main_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// client follows no redirect and opens as many connections as a test wants.
var client = &http.Client{
	Transport:     &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: 10 * time.Second},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Timeout:       patience,
}

// answer is a whole HTTP answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func send(r *http.Request) (answer, error) {
	response, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, body}, err
}

func get(t testing.TB, address string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := send(r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sha256Hex is the contract's hash, written here once more so that the service's own is not its judge.
func sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// caller is a provider that calls a running process.
type caller struct {
	base string
	keys providerKeys
	site siteKeys
}

// provider is the demo's provider, calling for its first site.
func (in *installation) provider(p *process) caller {
	return caller{base: p.url, keys: in.keys.Provider, site: in.keys.Sites[0]}
}

// signed makes a request as the contract says; keyHeader, when it has one, takes part in the hash.
func (c caller) signed(path, keyHeader, key, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, c.base+"/api/provider/"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", c.keys.APIKey)
	r.Header.Set("X-Timestamp", stamp)
	r.Header.Set("X-Hash", sha256Hex(c.keys.APIKey+c.keys.SecretKey+key+stamp))
	if keyHeader != "" {
		r.Header.Set(keyHeader, key)
	}
	return r, nil
}

// start is the body of a creating call.
type start struct {
	Fullname string      `json:"fullname"`
	Username string      `json:"username"`
	UserID   string      `json:"user_id"`
	IBAN     string      `json:"iban,omitempty"`
	Amount   json.Number `json:"amount"`
}

const customerIBAN = "TR330006100519786457841326"

// order is the body of a creating call by Ayşe Yılmaz.
func order(amount string) start {
	return start{Fullname: "Ayşe Yılmaz", Username: "ayse.yilmaz", UserID: "u-1001", Amount: json.Number(amount)}
}

// payment is what tests read of the answer to a creating call.
type payment struct {
	TrackingCode string      `json:"tracking_code"`
	PaymentURL   string      `json:"payment_url"`
	OrderID      string      `json:"order_id"`
	Type         string      `json:"type"`
	Method       string      `json:"payment_method"`
	IBAN         string      `json:"iban"`
	Amount       json.Number `json:"amount"`
	Status       string      `json:"status"`
	ExpiresAt    string      `json:"expires_at"`
	Site         struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	} `json:"site"`
}

// try sends a creating call, with an Idempotency-Key when one is given, and does not mind how it ends.
func (c caller) try(path string, body start, idempotencyKey string) (answer, payment, error) {
	if strings.HasSuffix(path, "withdraw") {
		body.IBAN = customerIBAN
	}
	return c.post(path, "X-Credential-Key", c.site.CredentialKey, body, idempotencyKey)
}

// post sends any creating call; keyHeader, when it has one, takes part in the hash with its key.
func (c caller) post(path, keyHeader, key string, body any, idempotencyKey string) (answer, payment, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{}, payment{}, err
	}
	r, err := c.signed(path, keyHeader, key, string(text))
	if err != nil {
		return answer{}, payment{}, err
	}
	if idempotencyKey != "" {
		r.Header.Set("Idempotency-Key", idempotencyKey)
	}
	a, err := send(r)
	if err != nil || a.status != http.StatusOK {
		return a, payment{}, err
	}
	var whole struct {
		Success bool
		Data    payment
	}
	if err := json.Unmarshal(a.body, &whole); err != nil || !whole.Success || whole.Data.TrackingCode == "" {
		return a, payment{}, fmt.Errorf("%s answers 200 with %s (%w)", path, a.body, err)
	}
	shared.keepSecret("a page's token", pageToken(whole.Data.PaymentURL))
	return a, whole.Data, nil
}

func pageToken(paymentURL string) string {
	_, token, _ := strings.Cut(paymentURL, "/pay/")
	return token
}

// create sends a creating call that has to succeed.
func (c caller) create(t testing.TB, path, amount string) payment {
	t.Helper()
	a, p, err := c.try(path, order(amount), "")
	if err != nil || a.status != http.StatusOK {
		t.Fatalf("%s: %d %s (%v)", path, a.status, a.body, err)
	}
	return p
}

// createMany creates deposits, several at once.
func (c caller) createMany(t testing.TB, path string, count int, amount string) []payment {
	t.Helper()
	made := make([]payment, count)
	inParallel(t, count, 16, func(i int) (err error) {
		var a answer
		if a, made[i], err = c.try(path, order(amount), ""); err == nil && a.status != http.StatusOK {
			err = fmt.Errorf("%s: %d %s", path, a.status, a.body)
		}
		return err
	})
	return made
}

// inParallel does a number of things, at most some at once, and fails the test with their errors.
func inParallel(t testing.TB, count, atOnce int, do func(i int) error) {
	t.Helper()
	var all sync.WaitGroup
	slots, failed := make(chan struct{}, atOnce), make(chan error, count)
	for i := range count {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			if err := do(i); err != nil {
				failed <- err
			}
		})
	}
	all.Wait()
	close(failed)
	shown := 0
	for err := range failed {
		if shown++; shown <= 5 {
			t.Error(err)
		}
	}
	if shown > 0 {
		t.Fatalf("%d of %d failed", shown, count)
	}
}

// customer is a customer on the payment page, in a browser without JavaScript.
type customer struct{ page string }

// at is the customer of a payment, at a process that may not be the one that created it.
func (p payment) at(server *process) customer {
	return customer{server.url + "/pay/" + pageToken(p.PaymentURL)}
}

// open gets the page.
func (c customer) open(t testing.TB) string {
	t.Helper()
	a := get(t, c.page)
	if a.status != http.StatusOK {
		t.Fatalf("the payment page answers %d:\n%s", a.status, a.body)
	}
	return string(a.body)
}

// press gets the page, fills in the form that goes to an action, and sends it. It gives where the answer leads.
func (c customer) press(t testing.TB, action string, fields url.Values) string {
	t.Helper()
	target, inputs, ok := findForm(c.open(t), action)
	if !ok {
		t.Fatalf("the page has no form for %s:\n%s", action, c.open(t))
	}
	for name, values := range fields {
		inputs[name] = values
	}
	base, err := url.Parse(c.page)
	if err != nil {
		t.Fatal(err)
	}
	where, err := base.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	a, err := postForm(where.String(), inputs)
	if err != nil || a.status != http.StatusSeeOther {
		t.Fatalf("%s answers %d (%v):\n%s", action, a.status, err, a.body)
	}
	return a.header.Get("Location")
}

func postJSON(address string, header http.Header, body any) (answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return answer{}, err
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	return send(r)
}

func postForm(address string, fields url.Values) (answer, error) {
	body := bytes.NewBufferString(fields.Encode())
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, body)
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return send(r)
}
