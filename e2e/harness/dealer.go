package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// DealerCaller is a dealer that calls a running process, or its website with a site token.
type DealerCaller struct {
	Base, Key, Secret string
	IsSite            bool
}

// Dealer is the demo's dealer.
func (in *Installation) Dealer(p *Process) DealerCaller {
	return DealerCaller{Base: p.URL, Key: in.Keys.Dealer.APIKey, Secret: in.Keys.Dealer.SecretKey}
}

// Website is the demo's dealer's website.
func (in *Installation) Website(p *Process) DealerCaller {
	return DealerCaller{Base: p.URL, Key: in.Keys.SiteToken.Token, Secret: in.Keys.SiteToken.SecretKey, IsSite: true}
}

// At is the same caller at another process.
func (d DealerCaller) At(p *Process) DealerCaller {
	d.Base = p.URL
	return d
}

// signed makes a request as the contract says.
func (d DealerCaller) signed(method, path, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.Background(), method, d.Base+"/api/dealer/"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	stamp, keyHeader := strconv.FormatInt(time.Now().Unix(), 10), "X-Api-Key"
	if d.IsSite {
		keyHeader = "X-Site-Token"
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(keyHeader, d.Key)
	r.Header.Set("X-Timestamp", stamp)
	r.Header.Set("X-Hash", Sha256Hex(d.Key+d.Secret+stamp))
	return r, nil
}

// DealerRefusal is the answer to a call that was not taken.
type DealerRefusal struct {
	Status    int    `json:"-"`
	Success   bool   `json:"success"`
	ErrorCode string `json:"error_code"`
	Text      string `json:"error"`
	Message   string `json:"message"`
}

func (r DealerRefusal) Error() string { return fmt.Sprintf("%d %s %s", r.Status, r.ErrorCode, r.Text) }

// Call sends a request and reads what is answered; of what is refused the error is a DealerRefusal.
func (d DealerCaller) Call(method, path, idempotencyKey string, body, into any) (Answer, error) {
	text := []byte(nil)
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return Answer{}, err
		}
	}
	r, err := d.signed(method, path, string(text))
	if err != nil {
		return Answer{}, err
	}
	if idempotencyKey != "" {
		r.Header.Set("Idempotency-Key", idempotencyKey)
	}
	a, err := Send(r)
	if err != nil {
		return a, err
	}
	if a.Status != http.StatusOK {
		refused := DealerRefusal{Status: a.Status}
		if err := json.Unmarshal(a.Body, &refused); err != nil || refused.Success || refused.Text == "" || refused.Message == "" {
			return a, fmt.Errorf("%s answers %d %s (%w)", path, a.Status, a.Body, err)
		}
		return a, refused
	}
	if err := json.Unmarshal(a.Body, into); err != nil || !strings.HasPrefix(string(a.Body), `{"success":true,`) {
		return a, fmt.Errorf("%s answers 200 %s (%w)", path, a.Body, err)
	}
	return a, nil
}

// DealerSettings is D1.
type DealerSettings struct {
	Message        string            `json:"message"`
	DealerName     string            `json:"dealer_name"`
	PaymentMethods map[string]string `json:"payment_methods"`
}

// Settings reads the dealer's settings.
func (d DealerCaller) Settings() (s DealerSettings, err error) {
	_, err = d.Call(http.MethodGet, "settings", "", nil, &s)
	return s, err
}

// Offer is D2's data.
type Offer struct {
	TrackingCode string      `json:"tracking_code"`
	BankName     string      `json:"bank_name"`
	AccountName  string      `json:"account_name"`
	IBAN         string      `json:"iban_no"`
	Amount       json.Number `json:"amount"`
	Formatted    string      `json:"formatted_iban"`
}

// Offer calls D2 for Ayşe Yılmaz.
func (d DealerCaller) Offer(amount string) (Offer, error) {
	var whole struct{ Data Offer }
	_, err := d.Call(http.MethodPost, "manual-iban/deposit", "", map[string]any{
		"username": "ayse.yilmaz", "userid": "u-1001", "fullname": "Ayşe Yılmaz", "amount": json.Number(amount),
	}, &whole)
	return whole.Data, err
}

// WithdrawalRequest is D3's data.
type WithdrawalRequest struct {
	TrackingCode  string      `json:"tracking_code"`
	Status        string      `json:"status"`
	Amount        json.Number `json:"amount"`
	RecipientName string      `json:"recipient_name"`
	RecipientIBAN string      `json:"recipient_iban"`
}

// Withdraw calls D3.
func (d DealerCaller) Withdraw(amount string) (WithdrawalRequest, error) {
	var whole struct{ Data WithdrawalRequest }
	_, err := d.Call(http.MethodPost, "manual-iban/withdraw", "", map[string]any{
		"username": "ayse.yilmaz", "userid": "u-1001", "amount": json.Number(amount), "recipient_name": "Ayşe Yılmaz",
		"recipient_iban": CustomerIBAN,
	}, &whole)
	return whole.Data, err
}

// Eiban is an account in D4's list.
type Eiban struct {
	ID        int64  `json:"id"`
	IBAN      string `json:"iban_no"`
	Bank      string `json:"bank_name"`
	Holder    string `json:"account_name"`
	WalletID  string `json:"wallet_id"`
	Balance   string `json:"balance"`
	Available string `json:"available_balance"`
}

// Eibans calls D4.
func (d DealerCaller) Eibans() ([]Eiban, error) {
	var whole struct {
		DealerName string `json:"dealer_name"`
		Total      int    `json:"total_eibans"`
		EIBANs     []Eiban
	}
	_, err := d.Call(http.MethodGet, "eibans", "", nil, &whole)
	if err == nil && (whole.DealerName == "" || whole.Total != len(whole.EIBANs)) {
		err = fmt.Errorf("D4 says %+v", whole)
	}
	return whole.EIBANs, err
}

// Eiban finds a wallet in D4's list.
func (d DealerCaller) Eiban(t testing.TB, walletID string) Eiban {
	t.Helper()
	list, err := d.Eibans()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.WalletID == walletID {
			return e
		}
	}
	t.Fatalf("D4 does not list %s but %+v", walletID, list)
	return Eiban{}
}

// Record is an E-IBAN transaction of D5.
type Record struct {
	ID          string `json:"transactionId"`
	Amount      string `json:"amount"`
	Type        string `json:"type"`
	Description string `json:"description"`
	SenderName  string `json:"senderName"`
	SenderIBAN  string `json:"senderIban"`
	Date        string `json:"date"`
}

// RecordPage is D5.
type RecordPage struct {
	WalletID  string `json:"wallet_id"`
	DateRange struct {
		Start string `json:"start_date"`
		End   string `json:"end_date"`
	} `json:"date_range"`
	Pagination   Pagination
	Transactions []Record
}

// Pagination is where a page is in its list.
type Pagination struct {
	Page    int  `json:"current_page"`
	PerPage int  `json:"per_page"`
	Records int  `json:"total_records"`
	Pages   int  `json:"total_pages"`
	HasMore bool `json:"has_more"`
}

// Records calls D5.
func (d DealerCaller) Records(walletID, from, to string, page int) (p RecordPage, err error) {
	query := url.Values{"wallet_id": {walletID}, "start_date": {from}, "end_date": {to}}
	if page > 0 {
		query.Set("page", strconv.Itoa(page))
	}
	_, err = d.Call(http.MethodGet, "transactions?"+query.Encode(), "", nil, &p)
	return p, err
}

// Transfer is D6 and D7.
type Transfer struct {
	ID            string `json:"transfer_id"`
	Status        string `json:"status"`
	Amount        string `json:"amount"`
	RecipientIBAN string `json:"recipient_iban"`
	RecipientName string `json:"recipient_name"`
	Description   string `json:"description"`
	CreatedAt     string `json:"created_at"`
	CompletedAt   string `json:"completed_at"`
}

// Payment is a transfer as staff and the bank know it.
func (s Transfer) Payment() Payment {
	return Payment{TrackingCode: s.ID, Amount: json.Number(s.Amount)}
}

// TrySend calls D6.
func (d DealerCaller) TrySend(walletID, iban, amount, idempotencyKey string) (Transfer, error) {
	var whole struct{ Transfer Transfer }
	_, err := d.Call(http.MethodPost, "send-money", idempotencyKey, map[string]any{
		"wallet_id": walletID, "recipient_iban": iban, "recipient_name": "Ayşe Yılmaz", "amount": json.Number(amount),
		"description": "Kasım ödemesi",
	}, &whole)
	return whole.Transfer, err
}

// TransferStatus calls D7.
func (d DealerCaller) TransferStatus(id string) (Transfer, error) {
	var whole struct{ Transfer Transfer }
	_, err := d.Call(http.MethodGet, "transfer-status?transfer_id="+url.QueryEscape(id), "", nil, &whole)
	return whole.Transfer, err
}

// TryCard calls D8.
func (d DealerCaller) TryCard(amount string) (Payment, error) {
	var whole struct{ Data Payment }
	_, err := d.Call(http.MethodPost, "credit-card/payment", "", map[string]any{
		"username": "ayse.yilmaz", "firstname": "Ayşe", "lastname": "Yılmaz", "email": "ayse@example.com",
		"phone": "+905321234567", "amount": json.Number(amount), "description": "Sipariş 4711",
	}, &whole)
	if err == nil {
		KeepSecret("a page's token", PageToken(whole.Data.PaymentURL))
	}
	return whole.Data, err
}
