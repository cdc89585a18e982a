package main_test

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

// dealerCaller is a dealer that calls a running process, or its website with a site token.
type dealerCaller struct {
	base, key, secret string
	isSite            bool
}

// dealer is the demo's dealer.
func (in *installation) dealer(p *process) dealerCaller {
	return dealerCaller{base: p.url, key: in.keys.Dealer.APIKey, secret: in.keys.Dealer.SecretKey}
}

// website is the demo's dealer's website.
func (in *installation) website(p *process) dealerCaller {
	return dealerCaller{base: p.url, key: in.keys.SiteToken.Token, secret: in.keys.SiteToken.SecretKey, isSite: true}
}

// at is the same caller at another process.
func (d dealerCaller) at(p *process) dealerCaller {
	d.base = p.url
	return d
}

// signed makes a request as the contract says.
func (d dealerCaller) signed(method, path, body string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.Background(), method, d.base+"/api/dealer/"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	stamp, keyHeader := strconv.FormatInt(time.Now().Unix(), 10), "X-Api-Key"
	if d.isSite {
		keyHeader = "X-Site-Token"
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(keyHeader, d.key)
	r.Header.Set("X-Timestamp", stamp)
	r.Header.Set("X-Hash", sha256Hex(d.key+d.secret+stamp))
	return r, nil
}

// dealerRefusal is the answer to a call that was not taken.
type dealerRefusal struct {
	Status    int    `json:"-"`
	Success   bool   `json:"success"`
	ErrorCode string `json:"error_code"`
	Text      string `json:"error"`
	Message   string `json:"message"`
}

func (r dealerRefusal) Error() string { return fmt.Sprintf("%d %s %s", r.Status, r.ErrorCode, r.Text) }

// call sends a request and reads what is answered; of what is refused the error is a dealerRefusal.
func (d dealerCaller) call(method, path, idempotencyKey string, body, into any) (answer, error) {
	text := []byte(nil)
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return answer{}, err
		}
	}
	r, err := d.signed(method, path, string(text))
	if err != nil {
		return answer{}, err
	}
	if idempotencyKey != "" {
		r.Header.Set("Idempotency-Key", idempotencyKey)
	}
	a, err := send(r)
	if err != nil {
		return a, err
	}
	if a.status != http.StatusOK {
		refused := dealerRefusal{Status: a.status}
		if err := json.Unmarshal(a.body, &refused); err != nil || refused.Success || refused.Text == "" || refused.Message == "" {
			return a, fmt.Errorf("%s answers %d %s (%w)", path, a.status, a.body, err)
		}
		return a, refused
	}
	if err := json.Unmarshal(a.body, into); err != nil || !strings.HasPrefix(string(a.body), `{"success":true,`) {
		return a, fmt.Errorf("%s answers 200 %s (%w)", path, a.body, err)
	}
	return a, nil
}

// dealerSettings is D1.
type dealerSettings struct {
	Message        string            `json:"message"`
	DealerName     string            `json:"dealer_name"`
	PaymentMethods map[string]string `json:"payment_methods"`
}

func (d dealerCaller) settings() (s dealerSettings, err error) {
	_, err = d.call(http.MethodGet, "settings", "", nil, &s)
	return s, err
}

// offer is D2's data.
type offer struct {
	TrackingCode string      `json:"tracking_code"`
	BankName     string      `json:"bank_name"`
	AccountName  string      `json:"account_name"`
	IBAN         string      `json:"iban_no"`
	Amount       json.Number `json:"amount"`
	Formatted    string      `json:"formatted_iban"`
}

// offer calls D2 for Ayşe Yılmaz.
func (d dealerCaller) offer(amount string) (offer, error) {
	var whole struct{ Data offer }
	_, err := d.call(http.MethodPost, "manual-iban/deposit", "", map[string]any{
		"username": "ayse.yilmaz", "userid": "u-1001", "fullname": "Ayşe Yılmaz", "amount": json.Number(amount),
	}, &whole)
	return whole.Data, err
}

// withdrawalRequest is D3's data.
type withdrawalRequest struct {
	TrackingCode  string      `json:"tracking_code"`
	Status        string      `json:"status"`
	Amount        json.Number `json:"amount"`
	RecipientName string      `json:"recipient_name"`
	RecipientIBAN string      `json:"recipient_iban"`
}

// withdraw calls D3.
func (d dealerCaller) withdraw(amount string) (withdrawalRequest, error) {
	var whole struct{ Data withdrawalRequest }
	_, err := d.call(http.MethodPost, "manual-iban/withdraw", "", map[string]any{
		"username": "ayse.yilmaz", "userid": "u-1001", "amount": json.Number(amount), "recipient_name": "Ayşe Yılmaz",
		"recipient_iban": customerIBAN,
	}, &whole)
	return whole.Data, err
}

// eiban is an account in D4's list.
type eiban struct {
	ID        int64  `json:"id"`
	IBAN      string `json:"iban_no"`
	Bank      string `json:"bank_name"`
	Holder    string `json:"account_name"`
	WalletID  string `json:"wallet_id"`
	Balance   string `json:"balance"`
	Available string `json:"available_balance"`
}

// eibans calls D4.
func (d dealerCaller) eibans() ([]eiban, error) {
	var whole struct {
		DealerName string `json:"dealer_name"`
		Total      int    `json:"total_eibans"`
		EIBANs     []eiban
	}
	_, err := d.call(http.MethodGet, "eibans", "", nil, &whole)
	if err == nil && (whole.DealerName == "" || whole.Total != len(whole.EIBANs)) {
		err = fmt.Errorf("D4 says %+v", whole)
	}
	return whole.EIBANs, err
}

// eiban finds a wallet in D4's list.
func (d dealerCaller) eiban(t testing.TB, walletID string) eiban {
	t.Helper()
	list, err := d.eibans()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.WalletID == walletID {
			return e
		}
	}
	t.Fatalf("D4 does not list %s but %+v", walletID, list)
	return eiban{}
}

// record is an E-IBAN transaction of D5.
type record struct {
	ID          string `json:"transactionId"`
	Amount      string `json:"amount"`
	Type        string `json:"type"`
	Description string `json:"description"`
	SenderName  string `json:"senderName"`
	SenderIBAN  string `json:"senderIban"`
	Date        string `json:"date"`
}

// recordPage is D5.
type recordPage struct {
	WalletID  string `json:"wallet_id"`
	DateRange struct {
		Start string `json:"start_date"`
		End   string `json:"end_date"`
	} `json:"date_range"`
	Pagination   pagination
	Transactions []record
}

type pagination struct {
	Page    int  `json:"current_page"`
	PerPage int  `json:"per_page"`
	Records int  `json:"total_records"`
	Pages   int  `json:"total_pages"`
	HasMore bool `json:"has_more"`
}

// records calls D5.
func (d dealerCaller) records(walletID, from, to string, page int) (p recordPage, err error) {
	query := url.Values{"wallet_id": {walletID}, "start_date": {from}, "end_date": {to}}
	if page > 0 {
		query.Set("page", strconv.Itoa(page))
	}
	_, err = d.call(http.MethodGet, "transactions?"+query.Encode(), "", nil, &p)
	return p, err
}

// transfer is D6 and D7.
type transfer struct {
	ID            string `json:"transfer_id"`
	Status        string `json:"status"`
	Amount        string `json:"amount"`
	RecipientIBAN string `json:"recipient_iban"`
	RecipientName string `json:"recipient_name"`
	Description   string `json:"description"`
	CreatedAt     string `json:"created_at"`
	CompletedAt   string `json:"completed_at"`
}

// payment is a transfer as staff and the bank know it.
func (s transfer) payment() payment {
	return payment{TrackingCode: s.ID, Amount: json.Number(s.Amount)}
}

// trySend calls D6.
func (d dealerCaller) trySend(walletID, iban, amount, idempotencyKey string) (transfer, error) {
	var whole struct{ Transfer transfer }
	_, err := d.call(http.MethodPost, "send-money", idempotencyKey, map[string]any{
		"wallet_id": walletID, "recipient_iban": iban, "recipient_name": "Ayşe Yılmaz", "amount": json.Number(amount),
		"description": "Kasım ödemesi",
	}, &whole)
	return whole.Transfer, err
}

// transferStatus calls D7.
func (d dealerCaller) transferStatus(id string) (transfer, error) {
	var whole struct{ Transfer transfer }
	_, err := d.call(http.MethodGet, "transfer-status?transfer_id="+url.QueryEscape(id), "", nil, &whole)
	return whole.Transfer, err
}

// tryCard calls D8.
func (d dealerCaller) tryCard(amount string) (payment, error) {
	var whole struct{ Data payment }
	_, err := d.call(http.MethodPost, "credit-card/payment", "", map[string]any{
		"username": "ayse.yilmaz", "firstname": "Ayşe", "lastname": "Yılmaz", "email": "ayse@example.com",
		"phone": "+905321234567", "amount": json.Number(amount), "description": "Sipariş 4711",
	}, &whole)
	if err == nil {
		shared.keepSecret("a page's token", pageToken(whole.Data.PaymentURL))
	}
	return whole.Data, err
}
