package harness

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
	Timeout:       Patience,
}

// Answer is a whole HTTP answer.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send sends a request and reads the whole answer.
func Send(r *http.Request) (Answer, error) {
	response, err := client.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, body}, err
}

// Get asks for an address.
func Get(t testing.TB, address string) Answer {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Send(r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Sha256Hex is the contract's hash, written here once more so that the service's own is not its judge.
func Sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Caller is a provider that calls a running process.
type Caller struct {
	Base  string
	Keys  ProviderKeys
	Site  SiteKeys
	Ahead time.Duration // of its clock
}

// Provider is the demo's provider, calling for its first site.
func (in *Installation) Provider(p *Process) Caller {
	return Caller{Base: p.URL, Keys: in.Keys.Provider, Site: in.Keys.Sites[0]}
}

// Signed makes a request as the contract says; keyHeader, when it has one, takes part in the hash.
func (c Caller) Signed(path, keyHeader, key, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, c.Base+"/api/provider/"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	stamp := strconv.FormatInt(time.Now().Add(c.Ahead).Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", c.Keys.APIKey)
	r.Header.Set("X-Timestamp", stamp)
	r.Header.Set("X-Hash", Sha256Hex(c.Keys.APIKey+c.Keys.SecretKey+key+stamp))
	if keyHeader != "" {
		r.Header.Set(keyHeader, key)
	}
	return r, nil
}

// Start is the body of a creating call.
type Start struct {
	Fullname string      `json:"fullname"`
	Username string      `json:"username"`
	UserID   string      `json:"user_id"`
	IBAN     string      `json:"iban,omitempty"`
	Amount   json.Number `json:"amount"`
}

// CustomerIBAN is where withdrawals go to.
const CustomerIBAN = "TR330006100519786457841326"

// Order is the body of a creating call by Ayşe Yılmaz.
func Order(amount string) Start {
	return Start{Fullname: "Ayşe Yılmaz", Username: "ayse.yilmaz", UserID: "u-1001", Amount: json.Number(amount)}
}

// Payment is what tests read of the answer to a creating call.
type Payment struct {
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

// Try sends a creating call, with an Idempotency-Key when one is given, and does not mind how it ends.
func (c Caller) Try(path string, body Start, idempotencyKey string) (Answer, Payment, error) {
	if strings.HasSuffix(path, "withdraw") {
		body.IBAN = CustomerIBAN
	}
	return c.Post(path, "X-Credential-Key", c.Site.CredentialKey, body, idempotencyKey)
}

// Post sends any creating call; keyHeader, when it has one, takes part in the hash with its key.
func (c Caller) Post(path, keyHeader, key string, body any, idempotencyKey string) (Answer, Payment, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return Answer{}, Payment{}, err
	}
	r, err := c.Signed(path, keyHeader, key, string(text))
	if err != nil {
		return Answer{}, Payment{}, err
	}
	if idempotencyKey != "" {
		r.Header.Set("Idempotency-Key", idempotencyKey)
	}
	a, err := Send(r)
	if err != nil || a.Status != http.StatusOK {
		return a, Payment{}, err
	}
	var whole struct {
		Success bool
		Data    Payment
	}
	if err := json.Unmarshal(a.Body, &whole); err != nil || !whole.Success || whole.Data.TrackingCode == "" {
		return a, Payment{}, fmt.Errorf("%s answers 200 with %s (%w)", path, a.Body, err)
	}
	KeepSecret("a page's token", PageToken(whole.Data.PaymentURL))
	return a, whole.Data, nil
}

// PageToken is the secret in the address of a payment page.
func PageToken(paymentURL string) string {
	_, token, _ := strings.Cut(paymentURL, "/pay/")
	return token
}

// Create sends a creating call that has to succeed.
func (c Caller) Create(t testing.TB, path, amount string) Payment {
	t.Helper()
	a, p, err := c.Try(path, Order(amount), "")
	if err != nil || a.Status != http.StatusOK {
		t.Fatalf("%s: %d %s (%v)", path, a.Status, a.Body, err)
	}
	return p
}

// CreateMany creates deposits, several at once.
func (c Caller) CreateMany(t testing.TB, path string, count int, amount string) []Payment {
	t.Helper()
	made := make([]Payment, count)
	InParallel(t, count, 16, func(i int) (err error) {
		var a Answer
		if a, made[i], err = c.Try(path, Order(amount), ""); err == nil && a.Status != http.StatusOK {
			err = fmt.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
		return err
	})
	return made
}

// InParallel does a number of things, at most some at once, and fails the test with their errors.
func InParallel(t testing.TB, count, atOnce int, do func(i int) error) {
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

// Customer is a customer on the payment page, in a browser without JavaScript.
type Customer struct{ Page string }

// At is the customer of a payment, at a process that may not be the one that created it.
func (p Payment) At(server *Process) Customer {
	return Customer{server.URL + "/pay/" + PageToken(p.PaymentURL)}
}

// Open gets the page.
func (c Customer) Open(t testing.TB) string {
	t.Helper()
	a := Get(t, c.Page)
	if a.Status != http.StatusOK {
		t.Fatalf("the payment page answers %d:\n%s", a.Status, a.Body)
	}
	return string(a.Body)
}

// Press gets the page, fills in the form that goes to an action, and sends it. It gives where the answer leads.
func (c Customer) Press(t testing.TB, action string, fields url.Values) string {
	t.Helper()
	at := c
	if action == "continue" { // the page opens on the details, and a link leads to the amount
		at.Page += "?step=amount"
	}
	shown := at.Open(t)
	target, inputs, ok := FindForm(shown, action)
	if !ok {
		t.Fatalf("the page has no form for %s:\n%s", action, shown)
	}
	for name, values := range fields {
		inputs[name] = values
	}
	base, err := url.Parse(c.Page)
	if err != nil {
		t.Fatal(err)
	}
	where, err := base.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	a, err := PostForm(where.String(), inputs)
	if err != nil || a.Status != http.StatusSeeOther {
		t.Fatalf("%s answers %d (%v):\n%s", action, a.Status, err, a.Body)
	}
	return a.Header.Get("Location")
}

// PostJSON posts a value as JSON.
func PostJSON(address string, header http.Header, body any) (Answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return Answer{}, err
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return Answer{}, err
	}
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	return Send(r)
}

// PostForm posts fields as a form does.
func PostForm(address string, fields url.Values) (Answer, error) {
	body := bytes.NewBufferString(fields.Encode())
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, body)
	if err != nil {
		return Answer{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return Send(r)
}

// Welcome calls E1 and returns the status and the error text.
func (c Caller) Welcome(t *testing.T, header ...string) (Answer, string) {
	t.Helper()
	r, err := c.Signed("welcome", "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	a, err := Send(r)
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ Error string }
	if err := json.Unmarshal(a.Body, &said); err != nil {
		t.Fatal(err)
	}
	return a, said.Error
}
