package akbank_test

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// bank plays Akbank's side, as recorded requests and answers show it. It shares no code with the plugin.
type bank struct {
	mu                         sync.Mutex
	merchant, terminal, secret string
	now                        func() time.Time
	orders                     []*order
	randoms                    map[string]bool // that were used
	writes, serial             int
	isShut                     bool
	voidCode                   string // how a void is refused, where it is
	isPlain                    bool   // refunds show as the sale's mark, and not as lines
}

// order is one whose form was posted.
type order struct {
	id, amount, back, lang string
	lines                  []*line
	failed                 string // responseCode of a try in 3-D Secure
}

// line is one of a history.
type line struct {
	txn, status, code, host, text, id, rrn string
	kurus                                  int64
	currency                               int
	at                                     time.Time
}

func newBank(values func(string) string, now func() time.Time) *bank {
	return &bank{
		merchant: values("merchant_safe_id"), terminal: values("terminal_safe_id"), secret: values("secret_key"), now: now,
		randoms: map[string]bool{},
	}
}

func (b *bank) mac(text string) string {
	h := hmac.New(sha512.New, []byte(b.secret))
	io.WriteString(h, text)
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// post takes the customer's form, whose hash covers these fields in this order.
func (b *bank) post(body string) (problem string) {
	f, err := url.ParseQuery(body)
	text := ""
	for _, name := range strings.Fields("paymentModel txnCode merchantSafeId terminalSafeId orderId lang amount ccbRewardAmount pcbRewardAmount " +
		"xcbRewardAmount currencyCode installCount okUrl failUrl emailAddress subMerchantId creditCard expiredDate cvv randomNumber " +
		"requestDateTime b2bIdentityNumber") {
		text += f.Get(name)
	}
	switch {
	case err != nil || f.Get("hash") != b.mac(text):
		return "the hash is wrong"
	case f.Get("merchantSafeId") != b.merchant || f.Get("terminalSafeId") != b.terminal || f.Get("paymentModel") != "3D_PAY_HOSTING" ||
		f.Get("txnCode") != "3000" || f.Get("currencyCode") != "949" || f.Get("installCount") != "1" || f.Get("okUrl") != f.Get("failUrl"):
		return "the form is wrong"
	case f.Has("creditCard") || f.Has("cvv") || f.Has("expiredDate") || kurusOf(f.Get("amount")) <= 0 || f.Get("okUrl") == "":
		return "the form has what it must not, or lacks what it must have"
	case f.Get("lang") != "TR" && f.Get("lang") != "EN":
		return "the language is not known"
	}
	if problem := b.isFresh(f.Get("randomNumber"), f.Get("requestDateTime")); problem != "" {
		return problem
	}
	o := b.byID(f.Get("orderId"))
	if o == nil {
		o = &order{id: f.Get("orderId")}
		b.orders = append(b.orders, o)
		b.writes++
	}
	o.amount, o.back, o.lang = f.Get("amount"), f.Get("okUrl"), f.Get("lang")
	return ""
}

// isFresh wants a number of 128 digits that was never used, and the time of Istanbul.
func (b *bank) isFresh(random, at string) (problem string) {
	when, err := time.Parse("2006-01-02T15:04:05.000", at)
	age := b.now().Add(3 * time.Hour).Sub(when.UTC())
	switch {
	case len(random) != 128 || strings.Trim(random, "0123456789ABCDEF") != "" || b.randoms[random]:
		return "Geçersiz rastgele sayı"
	case err != nil || age < -5*time.Minute || age > 5*time.Minute:
		return "Geçerli talep tarihi giriniz."
	}
	b.randoms[random] = true
	return ""
}

func (b *bank) byID(id string) *order {
	for _, o := range b.orders {
		if o.id == id {
			return o
		}
	}
	return nil
}

// call is what the API takes.
type call struct {
	Terminal    map[string]string `json:"terminal"`
	Version     string            `json:"version"`
	Txn         string            `json:"txnCode"`
	At          string            `json:"requestDateTime"`
	Random      string            `json:"randomNumber"`
	Order       map[string]string `json:"order"`
	Transaction *struct {
		Amount   string `json:"amount"`
		Currency int    `json:"currencyCode"`
	} `json:"transaction"`
}

// ServeHTTP implements http.Handler.
func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	raw, _ := io.ReadAll(r.Body)
	if strings.HasSuffix(r.URL.Path, "/payhosting") {
		if problem := b.post(string(raw)); problem != "" {
			http.Error(w, problem, http.StatusBadRequest)
		}
		return
	}
	var c call
	var answer map[string]any
	status := http.StatusOK
	switch {
	case r.Method != "POST" || r.URL.Path != "/api/v1/payment/virtualpos/transaction/process" || json.Unmarshal(raw, &c) != nil || c.Version != "1.00":
		answer, status = map[string]any{"code": 400, "message": "Bad Request"}, http.StatusBadRequest
	case b.isShut || r.Header.Get("auth-hash") != b.mac(string(raw)) || c.Terminal["merchantSafeId"] != b.merchant || c.Terminal["terminalSafeId"] != b.terminal:
		answer = map[string]any{"code": "401", "message": "Unauthorized"}
	default:
		if problem := b.isFresh(c.Random, c.At); problem != "" {
			answer = b.refused(c, "VPS-1073", problem)
		} else {
			answer = b.answer(c)
		}
	}
	w.Header().Set("Content-Type", "application/json;charset=UTF-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(answer)
}

func (b *bank) answered(c call, code, text string) map[string]any {
	return map[string]any{
		"txnCode": c.Txn, "responseCode": code, "responseMessage": text, "txnDateTime": b.stamp(b.now()),
		"terminal": map[string]string{"merchantSafeId": b.merchant, "terminalSafeId": b.terminal},
	}
}

// refused is an answer to a void or a refund that was not done.
func (b *bank) refused(c call, code, text string) map[string]any {
	a := b.answered(c, code, text)
	if c.Txn != "1010" {
		a["order"] = c.Order
	}
	if c.Txn == "1002" {
		a["transaction"] = map[string]any{"stan": 0, "rrn": "0", "batchNumber": 0}
	}
	return a
}

func (b *bank) stamp(at time.Time) string {
	return at.UTC().Add(3 * time.Hour).Format("2006-01-02T15:04:05.000")
}

func (b *bank) answer(c call) map[string]any {
	id := c.Order["orderId"]
	o := b.byID(id)
	switch {
	case c.Txn == "1010" && (o == nil || len(o.lines) == 0):
		return b.answered(c, "VPS-1123", "İşlem bulunamadı. Sipariş Numarası : "+id)
	case c.Txn == "1010":
		return b.history(c, o)
	case o == nil || o.net() == 0 && !o.isVoided():
		return b.refused(c, "VPS-1007", "Orjinal İşlem bulunamadı. Sipariş Numarası : "+id)
	case o.isVoided():
		return b.refused(c, "VPS-1008", "Daha önce iptal edilmiş işlem")
	case c.Txn == "1003":
		return b.void(c, o)
	case c.Txn == "1002" && c.Transaction != nil && c.Transaction.Currency == 949:
		return b.refund(c, o, kurusOf(c.Transaction.Amount))
	}
	return b.refused(c, "VPS-1999", "Geçersiz işlem kodu")
}

func (b *bank) history(c call, o *order) map[string]any {
	var all []map[string]any
	for _, l := range o.lines {
		e := map[string]any{
			"txnCode": l.txn, "txnStatus": l.status, "orderId": l.id, "orgOrderId": o.id, "amount": number(l.kurus), "currencyCode": l.currency,
			"txnDateTime": b.stamp(l.at), "rrn": l.rrn, "installCount": 1, "batchNumber": 39, "stan": 137, "ccbRewardAmount": 0, "pcbRewardAmount": 0,
			"xcbRewardAmount": 0, "settlementId": "ca0fff81-1379-4e8f-a86c-d505b4eb441c", "maskedCardNumber": "521807******2834",
		}
		if l.code != "" {
			e["responseCode"], e["hostResponseCode"], e["hostMessage"], e["responseMessage"] = l.code, l.host, l.text, "Provizyon Hatası"
		}
		if l.code == "VPS-0000" {
			e["authCode"], e["responseMessage"] = "305957", "BAŞARILI"
		}
		all = append(all, e)
	}
	a := b.answered(c, "VPS-0000", "BAŞARILI")
	a["txnDetailList"] = all
	return a
}

// number is an amount as the bank prints it: as short as can be.
func number(kurus int64) json.Number {
	text := fmt.Sprintf("%d.%02d", kurus/100, kurus%100)
	return json.Number(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

func (o *order) isVoided() bool {
	for _, l := range o.lines {
		if l.txn == "1000" && l.status == "V" {
			return true
		}
	}
	return false
}

// net is what was paid and not given back.
func (o *order) net() (sum int64) {
	for _, l := range o.lines {
		switch {
		case l.code != "VPS-0000" || l.status != "N":
		case l.txn == "1000":
			sum += l.kurus
		case l.txn == "1002":
			sum -= l.kurus
		}
	}
	return sum
}

func (b *bank) void(c call, o *order) map[string]any {
	if b.voidCode != "" {
		return b.refused(c, b.voidCode, "İptal edilemez")
	}
	for _, l := range o.lines {
		if l.txn == "1000" && l.code == "VPS-0000" {
			l.status = "V"
		}
	}
	b.writes++
	a := b.answered(c, "VPS-0000", "BAŞARILI")
	a["order"], a["hostResponseCode"], a["hostMessage"] = c.Order, "00", "000 ONAY KODU XXXXXX"
	return a
}

func (b *bank) refund(c call, o *order, kurus int64) map[string]any {
	if kurus <= 0 || kurus > o.net() {
		return b.refused(c, "VPS-1998", "Hatalı Tutar")
	}
	l := b.line("1002", "N", "VPS-0000", kurus)
	if o.lines = append(o.lines, l); b.isPlain {
		o.lines = o.lines[:1]
		o.lines[0].status = "R"
	}
	b.writes++
	a := b.answered(c, "VPS-0000", "BAŞARILI")
	a["order"], a["hostResponseCode"], a["hostMessage"] = c.Order, "00", "000 ONAY KODU XXXXXX"
	a["transaction"] = map[string]any{"authCode": "305965", "rrn": l.rrn, "batchNumber": 41, "stan": 17}
	return a
}

// line makes one, with an order number of the bank's own.
func (b *bank) line(txn, status, code string, kurus int64) *line {
	b.serial++
	l := &line{txn: txn, status: status, code: code, kurus: kurus, currency: 949, at: b.now(), rrn: fmt.Sprintf("4107%08d", b.serial),
		id: fmt.Sprintf("d2f58999-5143-4f5c-b503-%012d", b.serial), host: "00", text: "000 ONAY KODU XXXXXX"}
	if code != "VPS-0000" {
		l.host, l.text = "51", "051 RED-YETERSIZ BAKIYE"
	}
	return l
}

// charge tries a card.
func (b *bank) charge(o *order, status, code string) *line {
	l := b.line("1000", status, code, kurusOf(o.amount))
	l.id = o.id
	o.lines = append(o.lines, l)
	return l
}

// kurusOf reads an amount with a dot and two decimals; 0 where it is none.
func kurusOf(text string) int64 {
	var lira, kurus int64
	if n, err := fmt.Sscanf(text, "%d.%02d", &lira, &kurus); err != nil || n != 2 || fmt.Sprintf("%d.%02d", lira, kurus) != text {
		return 0
	}
	return lira*100 + kurus
}
