package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// cardStart is the body of E7.
type cardStart struct {
	CredentialKey string      `json:"credential_key"`
	Username      string      `json:"username"`
	UserID        string      `json:"user_id"`
	FirstName     string      `json:"firstname"`
	LastName      string      `json:"lastname"`
	Email         string      `json:"email"`
	Phone         string      `json:"phone"`
	Amount        json.Number `json:"amount"`
	Description   string      `json:"description,omitempty"`
}

// TryCard calls E7 for Ayşe Yılmaz.
func (c Caller) TryCard(amount string) (Payment, error) {
	a, p, err := c.Post("credit-card/payment", "", "", cardStart{
		CredentialKey: c.Site.CredentialKey, Username: "ayse.yilmaz", UserID: "u-1001", FirstName: "Ayşe", LastName: "Yılmaz",
		Email: "ayse@example.com", Phone: "+905321234567", Amount: json.Number(amount), Description: "Sipariş 4711",
	}, "")
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("E7 answers %d %s", a.Status, a.Body)
	}
	return p, err
}

// Card calls E7, which has to succeed.
func (c Caller) Card(t testing.TB, amount string) Payment {
	t.Helper()
	p, err := c.TryCard(amount)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// cardStatus is the data of E8.
type cardStatus struct {
	TrackingCode string      `json:"tracking_code"`
	OrderID      string      `json:"order_id"`
	Status       string      `json:"status"`
	Amount       json.Number `json:"amount"`
	Currency     string      `json:"currency"`
	Username     string      `json:"username"`
	UserID       string      `json:"user_id"`
	CreatedAt    string      `json:"created_at"`
	UpdatedAt    string      `json:"updated_at"`
}

// status calls E8.
func (c Caller) status(t testing.TB, p Payment) cardStatus {
	t.Helper()
	r, err := c.Signed("credit-card/status", "", "", fmt.Sprintf(`{"tracking_code": %q}`, p.TrackingCode))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Send(r)
	var whole struct {
		Success bool
		Data    cardStatus
	}
	if err != nil || a.Status != http.StatusOK || json.Unmarshal(a.Body, &whole) != nil || !whole.Success {
		t.Fatalf("E8 answers %d %s (%v)", a.Status, a.Body, err)
	}
	return whole.Data
}

// ExpectStatus fails the test unless E8 says a status, and everything else as it was created.
func (c Caller) ExpectStatus(t testing.TB, p Payment, status string) {
	t.Helper()
	got := c.status(t, p)
	want := cardStatus{
		TrackingCode: p.TrackingCode, OrderID: p.OrderID, Status: status, Amount: p.Amount, Currency: "TRY",
		Username: "ayse.yilmaz", UserID: "u-1001", CreatedAt: got.CreatedAt, UpdatedAt: got.UpdatedAt,
	}
	if got != want {
		t.Errorf("E8 says %+v, want %+v", got, want)
	}
	for _, text := range []string{got.CreatedAt, got.UpdatedAt} {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			t.Errorf("E8 has a time that is not ISO 8601: %q", text)
		}
	}
}

// Listed is a gateway in the lists of E10, E13 and E16.
type Listed struct {
	ID          int64       `json:"id"`
	Name        string      `json:"name"`
	Code        string      `json:"code"`
	Min         json.Number `json:"min_amount"`
	Max         json.Number `json:"max_amount"`
	Required    []string    `json:"required_fields"`
	Description string      `json:"description"`
	Coins       []string    `json:"supported_crypto_types"`
}

// Gateways calls E10, E13 or E16.
func (c Caller) Gateways(kind string) (list []Listed, err error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, c.Base+"/api/provider/third-party/"+kind+"/gateways", nil)
	if err != nil {
		return nil, err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("X-Api-Key", c.Keys.APIKey)
	r.Header.Set("X-Timestamp", stamp)
	r.Header.Set("X-Hash", Sha256Hex(c.Keys.APIKey+c.Keys.SecretKey+stamp))
	a, err := Send(r)
	if err != nil {
		return nil, err
	}
	var whole struct {
		Success bool
		Data    struct {
			Gateways []Listed
			Count    int
		}
	}
	if a.Status != http.StatusOK || json.Unmarshal(a.Body, &whole) != nil || !whole.Success || whole.Data.Count != len(whole.Data.Gateways) {
		return nil, fmt.Errorf("the list of %s gateways is answered with %d %s", kind, a.Status, a.Body)
	}
	return whole.Data.Gateways, nil
}

// Payee is where a payout goes: some of these, by its kind.
type Payee struct {
	IBAN          string `json:"-"` // in start
	CryptoType    string `json:"crypto_type,omitempty"`
	WalletAddress string `json:"wallet_address,omitempty"`
	WalletNumber  string `json:"wallet_number,omitempty"`
}

// PayoutStart is the body of E11, E14 and E17.
type PayoutStart struct {
	Start
	GatewayID int64 `json:"gateway_id"`
	Payee
}

// TryPayout calls E11, E14 or E17.
func (c Caller) TryPayout(kind, amount string, gatewayID int64, to Payee) (Payment, error) {
	body := PayoutStart{Start: Order(amount), GatewayID: gatewayID, Payee: to}
	body.Start.IBAN = to.IBAN
	path := "third-party/" + kind + "/start-withdrawal"
	a, p, err := c.Post(path, "X-Credential-Key", c.Site.CredentialKey, body, "")
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("%s answers %d %s", path, a.Status, a.Body)
	}
	return p, err
}
