package paytr_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// house plays PayTR's side, as its documentation tells it. It shares no code with the plugin.
type house struct {
	mu          sync.Mutex
	id, key     string
	salt        string
	now         func() time.Time
	orders      []*order
	refuses     map[string]bool
	writes      int
	isShut      bool
	instead     func(path string) (body string, isThere bool)
	lastMinutes string
}

type object = map[string]any

// order is one whose token was given.
type order struct {
	oid, back, test  string
	kurus, total     int64
	currency, status string // status: "", success, failed or what nobody documented
	returns          []object
	isPending        bool // its refunds stay so
	isOld            bool
	isUntold         bool // its notification was not answered
	tries            int
}

func newHouse(c func(string) string, now func() time.Time) *house {
	return &house{id: c("merchant_id"), key: c("merchant_key"), salt: c("merchant_salt"), now: now, refuses: map[string]bool{}}
}

func (h *house) mac(parts ...string) string {
	m := hmac.New(sha256.New, []byte(h.key))
	m.Write([]byte(strings.Join(parts, "")))
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// ServeHTTP implements http.Handler.
func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	raw, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(raw))
	text, _ := json.Marshal(h.answer(r.URL.Path, form))
	if h.instead != nil {
		if other, isThere := h.instead(r.URL.Path); isThere {
			text = []byte(other)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

func failed(code, message string) object {
	return object{"status": "error", "err_no": code, "err_msg": message}
}

func (h *house) answer(path string, f url.Values) object {
	oid := f.Get("merchant_oid")
	o := h.byOID(oid)
	isKnown := !h.isShut && f.Get("merchant_id") == h.id
	switch path {
	case "/odeme/api/get-token":
		return h.start(f, isKnown)
	case "/odeme/durum-sorgu":
		switch {
		case !isKnown:
			return failed("001", "Gecersiz istek veya magaza aktif degil")
		case f.Get("paytr_token") != h.mac(h.id, oid, h.salt):
			return failed("003", "paytr_token gonderilmedi veya gecersiz")
		case o == nil || o.status == "" || o.status == "failed":
			return failed("004", "merchant_oid ile basarili odeme bulunamadi")
		}
		return h.payment(o)
	case "/odeme/iade":
		switch {
		case !isKnown:
			return failed("001", "Gecersiz istek veya magaza aktif degil")
		case f.Get("paytr_token") != h.mac(h.id, oid, f.Get("return_amount"), h.salt):
			return failed("004", "paytr_token gonderilmedi veya gecersiz")
		}
		return h.refund(o, f)
	}
	return failed("001", "Gecersiz istek veya magaza aktif degil")
}

func (h *house) start(f url.Values, isKnown bool) object {
	get := f.Get
	want := h.mac(h.id, get("user_ip"), get("merchant_oid"), get("email"), get("payment_amount"), get("user_basket"), get("no_installment"),
		get("max_installment"), get("currency"), get("test_mode"), h.salt)
	var kurus int64
	_, err := fmt.Sscanf(get("payment_amount"), "%d", &kurus)
	var basket [][]any
	items, _ := base64.StdEncoding.DecodeString(get("user_basket"))
	isAlnum := regexp.MustCompile(`^[0-9A-Za-z]{1,64}$`).MatchString
	switch {
	case !isKnown:
		return object{"status": "failed", "reason": "Gecersiz istek veya magaza aktif degil"}
	case get("paytr_token") != want:
		return object{"status": "failed", "reason": "paytr_token gonderilmedi veya gecersiz (get-token)"}
	case err != nil || kurus <= 0 || !isAlnum(get("merchant_oid")) || json.Unmarshal(items, &basket) != nil || len(basket) != 1,
		get("user_name") == "" || get("user_address") == "" || get("user_phone") == "" || get("merchant_ok_url") != get("merchant_fail_url"),
		len([]rune(get("user_name"))) > 60, h.refuses[get("merchant_oid")]:
		return object{"status": "failed", "reason": "Zorunlu alan degeri gecersiz veya gonderilmedi: payment_amount"}
	}
	h.orders = append(h.orders, &order{
		oid: get("merchant_oid"), back: get("merchant_ok_url"), test: get("test_mode"), kurus: kurus, currency: get("currency"),
	})
	h.lastMinutes = get("timeout_limit")
	h.writes++
	return object{"status": "success", "token": fmt.Sprintf("28cc613c3d7633cfa4ed0956fdf901e0%06d", len(h.orders))}
}

// comma is an amount as the documentation shows it: "10,8".
func comma(kurus int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d,%02d", kurus/100, kurus%100), "0"), ",")
}

func (h *house) payment(o *order) object {
	returns := []any{}
	for _, r := range o.returns {
		returns = append(returns, r)
	}
	return object{
		"status": o.status, "payment_amount": comma(o.kurus), "payment_total": comma(o.total), "payment_date": h.now().UTC().Format(time.DateTime),
		"currency": o.currency, "net_tutar": "9.76", "kesinti_tutari": "0.24", "taksit": "0", "kart_marka": "BONUS", "masked_pan": "455359AAA6747",
		"odeme_tipi": "KART", "test_mode": o.test, "returns": returns,
	}
}

func (o *order) given() (sum int64) {
	for _, r := range o.returns {
		sum += kurusOf(fmt.Sprint(r["return_amount"]))
	}
	return sum
}

func kurusOf(s string) int64 {
	var lira, kurus int64
	fmt.Sscanf(s, "%d.%02d", &lira, &kurus)
	return lira*100 + kurus
}

func (h *house) giveBack(o *order, amount, ref string) {
	r := object{
		"return_amount": amount, "return_date": h.now().UTC().Format(time.DateTime), "return_type": "", "date_completed": "",
		"return_auth_code": "", "return_ref_num": "", "reference_no": ref, "return_source": "",
	}
	if !o.isPending {
		r["date_completed"] = r["return_date"]
	}
	o.returns = append(o.returns, r)
	h.writes++
}

func (h *house) refund(o *order, f url.Values) object {
	amount := f.Get("return_amount")
	kurus := kurusOf(amount)
	switch {
	case !regexp.MustCompile(`^[0-9]+\.[0-9]{2}$`).MatchString(amount) || kurus <= 0:
		return failed("003", "Gecersiz return_amount")
	case o == nil || o.status != "success":
		return failed("005", "merchant_oid ile basarili odeme bulunamadi")
	case o.isUntold:
		return failed("007", "merchant_oid bulundu ancak odeme henuz siteye bildirilmemis")
	case o.isOld:
		return failed("011", "Bir yildan eski islemler icin iade islemi yapilamaz.")
	case o.given()+kurus > o.total:
		return failed("009", "Toplam iade tutari odeme tutarindan fazla olamaz")
	}
	h.giveBack(o, amount, f.Get("reference_no"))
	return object{
		"status": "success", "is_test": o.test, "merchant_oid": o.oid, "return_amount": amount, "reference_no": f.Get("reference_no"),
	}
}

func (h *house) byOID(oid string) *order {
	for i := len(h.orders) - 1; i >= 0; i-- {
		if h.orders[i].oid == oid {
			return h.orders[i]
		}
	}
	return nil
}

// newFake returns the house to the conformance kit.
func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	return newHouse(c.Text, now).fake()
}

func (h *house) fake() conformance.Fake {
	return conformance.Fake{
		Handler: h, Set: h.set, Notification: h.notification, Deposits: h.deposits,
		Mutations: func() int {
			h.mu.Lock()
			defer h.mu.Unlock()
			return h.writes
		},
		Addresses: func(ref gateway.Ref) (back, notify string) {
			h.mu.Lock()
			defer h.mu.Unlock()
			if o := h.byOID(string(ref)); o != nil {
				back = o.back
			}
			return back, ""
		},
		RefuseCredentials: func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.isShut = true
		},
	}
}

func (h *house) deposits(ref gateway.Ref) []gateway.Money {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []gateway.Money
	for _, o := range h.orders {
		if o.oid == string(ref) {
			all = append(all, gateway.Money{Amount: money.MustDecimal(fmt.Sprintf("%d.%02d", o.kurus/100, o.kurus%100)), Asset: gateway.TRY})
		}
	}
	return all
}

func (o *order) pay() {
	o.status, o.total = "success", o.kurus
}

// set brings an order into a situation.
func (h *house) set(ref gateway.Ref, s conformance.Situation) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.byOID(string(ref))
	if o == nil {
		if s == conformance.StartIsRefused {
			h.refuses[string(ref)] = true
		}
		return s == conformance.StartIsRefused
	}
	paid := func() {
		if o.status != "success" {
			o.pay()
		}
	}
	text := func(kurus int64) string { return fmt.Sprintf("%d.%02d", kurus/100, kurus%100) }
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:             func() { o.status = "" },
		conformance.IsPaid:                o.pay,
		conformance.IsPaidLess:            func() { o.pay(); o.total /= 2 },
		conformance.IsPaidMore:            func() { o.pay(); o.total += o.total / 2 },
		conformance.IsPaidInOtherCurrency: func() { o.pay(); o.currency = "USD" },
		conformance.IsFailed:              func() { o.status, o.tries = "failed", o.tries+1 },
		conformance.IsUnlisted:            func() { o.pay(); o.status = "partly_cloudy" },
		conformance.IsPaidAmongFailures:   o.pay,
		conformance.IsRefunded:            func() { paid(); h.giveBack(o, text(o.total), "") },
		conformance.IsPartRefunded:        func() { paid(); h.giveBack(o, text(o.total/5), "") },
		conformance.IsOfOtherMode: func() {
			paid()
			o.test = map[string]string{"0": "1", "1": "0"}[o.test]
		},
		conformance.IsPastVoidTime:  func() { paid(); o.isOld = true },
		conformance.RefundIsPending: func() { paid(); o.isPending = true },
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// lacks is what PayTR does not tell.
var lacks = map[conformance.Situation]string{
	conformance.IsProcessing: "PayTR answers about paid orders only",
	conformance.IsInReview:   "a payment that is held shows nowhere",
	conformance.IsCanceled:   "a customer who leaves is told as a failure",
	conformance.IsExpired:    "an order that ended is told as a failure, and by no answer",
	conformance.IsNotFound:   "PayTR has one code for an order that it does not know and one that nobody paid",
	conformance.IsDisputed:   "a chargeback shows in no documented answer",
	conformance.IsMarkedPaid: "nobody marks an order by hand",
	conformance.RefundFails:  "no documented answer shows a refund that failed later",
}

// notification is what PayTR posts when a card succeeded or failed.
func (h *house) notification(ref gateway.Ref) (gateway.Inbound, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := h.byOID(string(ref))
	if o == nil || o.status == "" {
		return gateway.Inbound{}, false
	}
	return h.inbound(h.result(o)), true
}

func (h *house) result(o *order) url.Values {
	total := fmt.Sprint(o.total)
	if o.status != "success" {
		total = "0"
	}
	f := url.Values{
		"merchant_oid": {o.oid}, "status": {o.status}, "total_amount": {total}, "payment_amount": {fmt.Sprint(o.kurus)}, "payment_type": {"card"},
		"currency": {o.currency}, "test_mode": {o.test}, "hash": {h.mac(o.oid, h.salt, o.status, total)},
	}
	if o.status == "failed" {
		f.Set("failed_reason_code", fmt.Sprint(o.tries%3))
		f.Set("failed_reason_msg", "Kartin limiti yetersiz")
	}
	return f
}

func (h *house) inbound(f url.Values) gateway.Inbound {
	return gateway.Inbound{
		Method: "POST", Path: "/hook/paytr", Body: []byte(f.Encode()), Peer: netip.MustParseAddr("203.0.113.40"), Arrived: h.now(),
		Header: gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}},
	}
}
