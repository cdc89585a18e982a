package ccpayment_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// brand plays a payment institution's side, as its documentation and the clients tell it. It shares no code with the plugin.
type brand struct {
	mu                  sync.Mutex
	appID, appSecret    string
	merchant            string
	saleHook, backHook  string
	now                 func() time.Time
	tokens              map[string]time.Time
	made                int // tokens
	orders              []*order
	refuses             map[string]bool
	writes              int
	isShut              bool
	expiresAt           func(end time.Time) string
	beforeToken, before func() // what happens while a call is on its way
	serial              int
}

type object = map[string]any

// order is one whose link was given.
type order struct {
	invoice, order, back    string
	kurus, charged          int64 // charged: transaction_amount
	state, kind, bank       string
	code                    int
	back100                 int64 // given back, in kuruş
	refundRefs              map[string]bool
	isPending, isOld, isCut bool
	tries                   int
}

func newBrand(value func(string) string, now func() time.Time) *brand {
	return &brand{
		appID: value("app_id"), appSecret: value("app_secret"), merchant: value("merchant_key"), saleHook: value("sale_webhook_key"),
		backHook: value("refund_webhook_key"), now: now, tokens: map[string]time.Time{}, refuses: map[string]bool{},
		expiresAt: func(end time.Time) string { return end.Add(3 * time.Hour).UTC().Format("2006-01-02 15:04:05") },
	}
}

// cipherOf is AES-256 under the first 32 digits of SHA-256 of SHA-1 of the secret, with the salt.
func cipherOf(secret, salt string) cipher.Block {
	key := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%x%s", sha1.Sum([]byte(secret)), salt)))
	b, err := aes.NewCipher([]byte(key[:32]))
	if err != nil {
		panic(err)
	}
	return b
}

// opened is what a hash key says; nothing, where it can't be opened.
func (b *brand) opened(hashKey string) string {
	parts := strings.Split(strings.ReplaceAll(hashKey, "__", "/"), ":")
	if len(parts) != 3 || !regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString(parts[0]) || len(parts[1]) != 4 {
		return ""
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) == 0 || len(raw)%16 != 0 {
		return ""
	}
	cipher.NewCBCDecrypter(cipherOf(b.appSecret, parts[1]), []byte(parts[0])).CryptBlocks(raw, raw)
	padding := int(raw[len(raw)-1])
	if padding < 1 || padding > 16 {
		return ""
	}
	return string(raw[:len(raw)-padding])
}

// sealed makes a hash key.
func (b *brand) sealed(parts ...string) string {
	b.serial++
	random := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "%d", b.serial)))
	text := strings.Join(parts, "|")
	padding := 16 - len(text)%16
	raw := []byte(text + strings.Repeat(string(rune(padding)), padding))
	cipher.NewCBCEncrypter(cipherOf(b.appSecret, random[16:20]), []byte(random[:16])).CryptBlocks(raw, raw)
	return strings.ReplaceAll(random[:16]+":"+random[16:20]+":"+base64.StdEncoding.EncodeToString(raw), "/", "__")
}

// ServeHTTP implements http.Handler.
func (b *brand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in object
	raw, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &in)
	b.mu.Lock()
	meanwhile := b.before
	if r.URL.Path == "/ccpayment/api/token" {
		meanwhile = b.beforeToken
	}
	b.mu.Unlock()
	if meanwhile != nil {
		meanwhile()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	status, answer := b.answer(r, in)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

func refused(code int, text string) object {
	return object{"status_code": code, "status_description": text}
}

func (b *brand) answer(r *http.Request, in object) (int, object) {
	path, isOurs := strings.CutPrefix(r.URL.Path, "/ccpayment")
	if r.Method != "POST" || !isOurs || r.Header.Get("Content-Type") != "application/json" {
		return 404, object{"message": "Not Found"}
	}
	if path == "/api/token" {
		return 200, b.token(in)
	}
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if end, isKnown := b.tokens[token]; !isBearer || !isKnown || !b.now().Before(end) || b.isShut {
		return 401, object{"message": "Unauthenticated."}
	}
	switch path {
	case "/purchase/link":
		return 200, b.link(in)
	case "/api/checkstatus":
		return 200, b.check(in)
	case "/api/refund":
		return 200, b.refund(in)
	}
	return 404, object{"message": "Not Found"}
}

func (b *brand) token(in object) object {
	if b.isShut || in["app_id"] != b.appID || in["app_secret"] != b.appSecret {
		return object{"status_code": 30, "status_description": "Geçersiz kimlik bilgileri", "data": nil}
	}
	b.made++
	token := fmt.Sprintf("eyJ0eXAi.%d", b.made)
	end := b.now().Add(2 * time.Hour)
	b.tokens[token] = end
	return object{"status_code": 100, "status_description": "Successfully Generated token", "data": object{
		"token": token, "is_3d": 4, "expires_at": b.expiresAt(end),
	}}
}

// page is the invoice of a link.
type page struct {
	Invoice     string `json:"invoice_id"`
	Description string `json:"invoice_description"`
	Total       string `json:"total"`
	Back        string `json:"return_url"`
	Cancel      string `json:"cancel_url"`
	Method      string `json:"response_method"`
	Max         int    `json:"max_installment"`
	Hook        string `json:"sale_web_hook_key"`
	Hash        string `json:"hash_key"`
	Items       []struct {
		Name     string `json:"name"`
		Price    string `json:"price"`
		Quantity int    `json:"quantity"`
		Qnantity int    `json:"qnantity"`
		About    string `json:"description"`
	} `json:"items"`
}

func (b *brand) link(in object) object {
	var p page
	text, _ := in["invoice"].(string)
	err := json.Unmarshal([]byte(text), &p)
	kurus := kurusOf(p.Total)
	hasNames := in["name"] != "" && in["name"] != nil && in["surname"] != "" && in["surname"] != nil
	switch {
	case in["merchant_key"] != b.merchant:
		return refused(14, "Üye işyeri bulunamadı!")
	case err != nil || !hasNames || p.Invoice == "" || p.Description == "" || b.refuses[p.Invoice]:
		return refused(1, "Temel doğrulama")
	case in["currency_code"] != "TRY" || kurus <= 0 || len(p.Items) != 1 || p.Items[0].Quantity != 1 || p.Items[0].Qnantity != 1 || p.Items[0].Name == "":
		return refused(12, "Öğeler bir dizi olmalı, Geçersiz Para Birimi kodu, Geçersiz öğe biçimi")
	case p.Items[0].Price != p.Total:
		return refused(13, "Ürün fiyatınızın toplamı fatura toplamına eşit değil")
	case p.Back == "" || p.Cancel != p.Back || p.Max != 1 || p.Method != "POST":
		return refused(404, "İptal URL'si boş bırakılmamalıdır")
	case p.Hook != b.saleHook:
		return refused(56, "Geçersiz satış webhook anahtarı! Lütfen Sipay'deki anahtar adını kontrol ediniz")
	case b.opened(p.Hash) != p.Total+"|TRY|"+b.merchant+"|"+p.Invoice:
		return refused(68, "Hash key ile toplam tutar uyuşmazlığı")
	}
	o := b.byInvoice(p.Invoice)
	if o != nil && o.state == "Completed" {
		return refused(117, "Fatura kimliği zaten işlendi")
	}
	o = &order{
		invoice: p.Invoice, order: fmt.Sprintf("VP1739373116%07d", len(b.orders)), back: p.Back, kurus: kurus, kind: "Auth",
		refundRefs: map[string]bool{},
	}
	b.orders = append(b.orders, o)
	b.writes++
	return object{
		"status": true, "status_code": 100, "success_message": "Success", "order_id": o.order,
		"link": fmt.Sprintf("https://app.sipay.com.tr/ccpayment/purchase/%x", sha1.Sum([]byte(o.order))),
	}
}

// lira is an amount as PHP prints a number: 125.5, 20.
func lira(kurus int64) json.Number {
	text := fmt.Sprintf("%d.%02d", kurus/100, kurus%100)
	return json.Number(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

func kurusOf(text string) int64 {
	var lira, kurus int64
	if n, err := fmt.Sscanf(text, "%d.%02d", &lira, &kurus); err != nil || n != 2 || fmt.Sprintf("%d.%02d", lira, kurus) != text {
		return 0
	}
	return lira*100 + kurus
}

func (b *brand) check(in object) object {
	invoice, _ := in["invoice_id"].(string)
	hash, _ := in["hash_key"].(string)
	answer := object{
		"status_code": 32, "transaction_status": "Failed", "order_id": "", "transaction_id": "", "message": "Invalid invoice id",
		"reason": "No Request found for this invoice id", "bank_status_code": "", "bank_status_description": "", "invoice_id": invoice,
		"total_refunded_amount": 0, "product_price": 0, "transaction_amount": 0, "ref_number": "",
	}
	o := b.byInvoice(invoice)
	switch {
	case in["merchant_key"] != b.merchant:
		return object{
			"status_code": 14, "transaction_status": "", "order_id": "", "message": "Invalid merchant key", "reason": "", "bank_status_code": "",
			"bank_status_description": "", "invoice_id": invoice, "total_refunded_amount": 0,
		}
	case b.opened(hash) != invoice+"|"+b.merchant:
		answer["status_code"], answer["transaction_status"], answer["message"] = 90, "", "Geçersiz Hash key"
		return answer
	case o == nil || o.state == "" || in["include_pending_status"] != true:
		return answer
	}
	message := "An order has been taken place for this invoice id: " + invoice
	answer["status_code"], answer["status_description"], answer["transaction_status"] = o.code, message, o.state
	answer["message"], answer["reason"], answer["order_id"] = message, "", o.order
	answer["transaction_id"], answer["transaction_type"] = "M7BpJ-9sb-TC10-98950-200923", o.kind
	answer["product_price"], answer["transaction_amount"] = fmt.Sprintf("%d.%02d", o.kurus/100, o.kurus%100), lira(o.charged)
	answer["total_refunded_amount"], answer["original_bank_error_code"] = lira(o.back100), o.bank
	return answer
}

func (b *brand) refund(in object) object {
	text := func(name string) string { s, _ := in[name].(string); return s }
	o, amount, ref := b.byInvoice(text("invoice_id")), text("amount"), text("refund_transaction_id")
	kurus := kurusOf(amount)
	answer := object{"status_code": 49, "status_description": "Refund Failed", "order_no": "", "invoice_id": text("invoice_id"), "ref_no": ""}
	if o != nil {
		answer["order_no"] = o.order
	}
	say := func(code int, text string) object {
		answer["status_code"], answer["status_description"] = code, text
		return answer
	}
	switch {
	case in["app_id"] != b.appID || in["app_secret"] != b.appSecret || in["merchant_key"] != b.merchant:
		return say(30, "Geçersiz kimlik bilgileri")
	case b.opened(text("hash_key")) != amount+"|"+text("invoice_id")+"|"+b.merchant:
		return say(68, "Hash key ile toplam tutar uyuşmazlığı")
	case ref == "" || text("refund_web_hook_key") != b.backHook:
		return say(1, "Temel doğrulama")
	case o == nil || o.state != "Completed" && o.state != "Refunded":
		return say(31, "İşlem bulunamadı")
	case o.refundRefs[ref]:
		return say(104, "İade işlem ID si benzersiz olmalı")
	case o.isOld || kurus <= 0 || o.back100+kurus > o.charged:
		return answer
	}
	o.refundRefs[ref] = true
	b.writes++
	if o.isPending {
		return say(101, "İade talebiniz başarıyla oluşturuldu. Ekibimiz iade işlemini tamamlayacaktır")
	}
	o.giveBack(kurus)
	if o.isCut { // the bank took it, and the answer to that was lost on the way here
		return answer
	}
	return say(100, "Refund completed successfully")
}

func (o *order) giveBack(kurus int64) {
	if o.back100 += kurus; o.back100 >= o.charged {
		o.state = "Refunded"
	}
}

func (b *brand) byInvoice(invoice string) *order {
	for i := len(b.orders) - 1; i >= 0; i-- {
		if b.orders[i].invoice == invoice {
			return b.orders[i]
		}
	}
	return nil
}
