package main_test

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

// tryCard calls E7 for Ayşe Yılmaz.
func (c caller) tryCard(amount string) (payment, error) {
	a, p, err := c.post("credit-card/payment", "", "", cardStart{
		CredentialKey: c.site.CredentialKey, Username: "ayse.yilmaz", UserID: "u-1001", FirstName: "Ayşe", LastName: "Yılmaz",
		Email: "ayse@example.com", Phone: "+905321234567", Amount: json.Number(amount), Description: "Sipariş 4711",
	}, "")
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("E7 answers %d %s", a.status, a.body)
	}
	return p, err
}

// card calls E7, which has to succeed.
func (c caller) card(t testing.TB, amount string) payment {
	t.Helper()
	p, err := c.tryCard(amount)
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
func (c caller) status(t testing.TB, p payment) cardStatus {
	t.Helper()
	r, err := c.signed("credit-card/status", "", "", fmt.Sprintf(`{"tracking_code": %q}`, p.TrackingCode))
	if err != nil {
		t.Fatal(err)
	}
	a, err := send(r)
	var whole struct {
		Success bool
		Data    cardStatus
	}
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &whole) != nil || !whole.Success {
		t.Fatalf("E8 answers %d %s (%v)", a.status, a.body, err)
	}
	return whole.Data
}

// expectStatus fails the test unless E8 says a status, and everything else as it was created.
func (c caller) expectStatus(t testing.TB, p payment, status string) {
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

// listed is a gateway in the lists of E10, E13 and E16.
type listed struct {
	ID          int64       `json:"id"`
	Name        string      `json:"name"`
	Code        string      `json:"code"`
	Min         json.Number `json:"min_amount"`
	Max         json.Number `json:"max_amount"`
	Required    []string    `json:"required_fields"`
	Description string      `json:"description"`
	Coins       []string    `json:"supported_crypto_types"`
}

// gateways calls E10, E13 or E16.
func (c caller) gateways(kind string) (list []listed, err error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, c.base+"/api/provider/third-party/"+kind+"/gateways", nil)
	if err != nil {
		return nil, err
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("X-Api-Key", c.keys.APIKey)
	r.Header.Set("X-Timestamp", stamp)
	r.Header.Set("X-Hash", sha256Hex(c.keys.APIKey+c.keys.SecretKey+stamp))
	a, err := send(r)
	if err != nil {
		return nil, err
	}
	var whole struct {
		Success bool
		Data    struct {
			Gateways []listed
			Count    int
		}
	}
	if a.status != http.StatusOK || json.Unmarshal(a.body, &whole) != nil || !whole.Success || whole.Data.Count != len(whole.Data.Gateways) {
		return nil, fmt.Errorf("the list of %s gateways is answered with %d %s", kind, a.status, a.body)
	}
	return whole.Data.Gateways, nil
}

// payee is where a payout goes: some of these, by its kind.
type payee struct {
	IBAN          string `json:"-"` // in start
	CryptoType    string `json:"crypto_type,omitempty"`
	WalletAddress string `json:"wallet_address,omitempty"`
	WalletNumber  string `json:"wallet_number,omitempty"`
}

// payoutStart is the body of E11, E14 and E17.
type payoutStart struct {
	start
	GatewayID int64 `json:"gateway_id"`
	payee
}

// tryPayout calls E11, E14 or E17.
func (c caller) tryPayout(kind, amount string, gatewayID int64, to payee) (payment, error) {
	body := payoutStart{start: order(amount), GatewayID: gatewayID, payee: to}
	body.start.IBAN = to.IBAN
	path := "third-party/" + kind + "/start-withdrawal"
	a, p, err := c.post(path, "X-Credential-Key", c.site.CredentialKey, body, "")
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("%s answers %d %s", path, a.status, a.body)
	}
	return p, err
}
