package stripe_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// house plays Stripe's side of the API, as its document tells it. It shares no code with the plugin.
type house struct {
	mu       sync.Mutex
	key      string
	secret   string
	now      func() time.Time
	sessions []*checkout
	saved    map[string]saved  // by idempotency key
	refuses  map[string]bool   // starts, by reference
	files    map[string]string // SHA-256 of what was uploaded, by id
	writes   int
	serial   int
	isShut   bool
	behind   time.Duration // how long a search lacks what is new
	instead  func(method, path string) (status int, body string)
}

type object = map[string]any

// saved is the first answer of an idempotency key.
type saved struct {
	form   string
	status int
	body   object
}

// checkout is a session.
type checkout struct {
	id, ref, url    string
	back, backAgain string // success_url and cancel_url
	amount          int64
	created, ends   time.Time
	status          string
	meta, cardMeta  object
	pay             *try
	isGone, isOther bool
}

// try is a payment intent, with its latest charge.
type try struct {
	id, status, currency string
	received             int64
	created              time.Time
	lastError            object
	back                 []*giveBack
	isDisputed           bool
	dispute              *chargeback
	review               *bool // whether it is open
	events               int
	isPending            bool // its refunds stay so
	isFinal              bool // it can't be refunded
}

type giveBack struct {
	id, status string
	amount     int64
	meta       object
}

// chargeback is a dispute, with what it has moved of the balance.
type chargeback struct {
	id, status, reason string
	created            time.Time
	moves              []any
	key                string
	evidence           []map[gateway.EvidenceKind]string
}

func (t *try) refunded() (sum int64) {
	for _, b := range t.back {
		if b.status != "failed" {
			sum += b.amount
		}
	}
	return sum
}

func newHouse(key, secret string, now func() time.Time) *house {
	return &house{key: key, secret: secret, now: now, saved: map[string]saved{}, refuses: map[string]bool{}, files: map[string]string{}}
}

func (h *house) id(prefix string) string {
	h.serial++
	return fmt.Sprintf("%s_%s%024d", prefix, map[bool]string{true: "live_", false: "test_"}[h.isLive()], h.serial)
}

func (h *house) isLive() bool { return strings.Contains(h.key, "_live_") }

func failed(status int, kind, code, message string) (int, object) {
	e := object{"type": kind, "message": message}
	if code != "" {
		e["code"] = code
	}
	return status, object{"error": e}
}

func invalid(code, message string) (int, object) {
	return failed(400, "invalid_request_error", code, message)
}

// ServeHTTP implements http.Handler.
func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	status, answer := h.answer(r, string(body))
	text, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if h.instead != nil {
		if other, body := h.instead(r.Method, r.URL.Path); other != 0 {
			status, text = other, []byte(body)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

func (h *house) answer(r *http.Request, body string) (int, object) {
	switch {
	case h.isShut || r.Header.Get("Authorization") != "Bearer "+h.key:
		return failed(401, "invalid_request_error", "", "Invalid API Key provided: sk_test_****")
	case r.Header.Get("Stripe-Version") != "2026-08-26.dahlia":
		return invalid("", "Invalid Stripe API version")
	}
	if r.Method == http.MethodGet {
		return h.read(r)
	}
	if r.URL.Path == "/v1/files" {
		return h.upload(r, body)
	}
	form, err := url.ParseQuery(body)
	if err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		return invalid("", "Invalid request")
	}
	key := r.Header.Get("Idempotency-Key")
	before, isKnown := h.saved[key]
	switch {
	case len(key) > 255:
		return invalid("", "Idempotency-Key must be at most 255 characters")
	case key != "" && isKnown && before.form != r.URL.Path+" "+form.Encode():
		return failed(400, "idempotency_error", "", "Keys for idempotent requests can only be used with the same parameters")
	case key != "" && isKnown:
		return before.status, before.body
	}
	status, answer := h.write(r.URL.Path, form)
	if key != "" && status != 400 {
		h.saved[key] = saved{r.URL.Path + " " + form.Encode(), status, answer}
	}
	return status, answer
}

func (h *house) write(path string, form url.Values) (int, object) {
	if of, isClose := strings.CutSuffix(strings.TrimPrefix(path, "/v1/disputes/"), "/close"); isClose {
		return h.closeDispute(of)
	}
	if of, isDispute := strings.CutPrefix(path, "/v1/disputes/"); isDispute {
		return h.answerDispute(of, form)
	}
	id, isExpire := strings.CutSuffix(strings.TrimPrefix(path, "/v1/checkout/sessions/"), "/expire")
	switch {
	case path == "/v1/checkout/sessions":
		return h.start(form)
	case path == "/v1/refunds":
		return h.refund(form)
	case isExpire:
		return h.expire(id, form)
	}
	return failed(404, "invalid_request_error", "", "Unrecognized request URL")
}

func (h *house) start(form url.Values) (int, object) {
	get := form.Get
	amount, err := strconv.ParseInt(get("line_items[0][price_data][unit_amount]"), 10, 64)
	ends, endsErr := strconv.ParseInt(get("expires_at"), 10, 64)
	life := time.Unix(ends, 0).Sub(h.now())
	ref := get("client_reference_id")
	switch {
	case get("mode") != "payment" || get("line_items[0][quantity]") != "1" || get("line_items[0][price_data][product_data][name]") == "":
		return invalid("parameter_missing", "Missing required param")
	case get("line_items[0][price_data][currency]") != "try" || get("payment_method_types[0]") != "card":
		return invalid("", "Invalid currency")
	case err != nil || amount <= 0 || amount > 99999999:
		return invalid("parameter_invalid_integer", "Invalid integer")
	case endsErr != nil || life < 30*time.Minute || life > 24*time.Hour:
		return invalid("", "The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.")
	case get("success_url") == "" || len(ref) > 200:
		return invalid("parameter_missing", "Missing required param: success_url.")
	case h.refuses[ref]:
		return invalid("amount_too_small", "The Checkout Session's total amount must convert to at least 50 cents.")
	}
	c := &checkout{
		id: h.id("cs"), ref: ref, back: get("success_url"), backAgain: get("cancel_url"), amount: amount, created: h.now(),
		ends: time.Unix(ends, 0), status: "open", meta: under(form, "metadata"), cardMeta: under(form, "payment_intent_data[metadata]"),
	}
	c.url = "https://checkout.stripe.com/c/pay/" + c.id
	h.sessions = append(h.sessions, c)
	h.writes++
	return 200, h.session(c, nil)
}

// under is the values of a form whose names begin with a prefix.
func under(form url.Values, prefix string) object {
	all := object{}
	for name := range form {
		if inner, ok := strings.CutPrefix(name, prefix+"["); ok {
			all[strings.TrimSuffix(inner, "]")] = form.Get(name)
		}
	}
	return all
}

func (h *house) expire(id string, form url.Values) (int, object) {
	c := h.byID(id)
	switch {
	case c == nil:
		return missing("checkout.session", id)
	case h.statusOf(c) != "open":
		return invalid("", "Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of "+h.statusOf(c))
	}
	c.status = "expired"
	if c.pay != nil {
		c.pay.status = "canceled"
	}
	h.writes++
	return 200, h.session(c, form["expand[]"])
}

func missing(what, id string) (int, object) {
	return failed(404, "invalid_request_error", "resource_missing", "No such "+what+": '"+id+"'")
}

func (h *house) refund(form url.Values) (int, object) {
	amount, err := strconv.ParseInt(form.Get("amount"), 10, 64)
	_, t := h.byIntent(form.Get("payment_intent"))
	switch {
	case err != nil || amount <= 0:
		return invalid("parameter_invalid_integer", "Invalid integer")
	case t == nil:
		return missing("payment_intent", form.Get("payment_intent"))
	case t.status != "succeeded":
		return invalid("payment_intent_unexpected_state", "This PaymentIntent does not have a successful charge to refund.")
	case t.isFinal:
		return invalid("charge_not_refundable", "This charge can no longer be refunded.")
	case t.isDisputed:
		return invalid("charge_disputed", "The charge has been charged back")
	case t.refunded() == t.received:
		return invalid("charge_already_refunded", "Charge has already been refunded.")
	case t.refunded()+amount > t.received:
		return invalid("", "Refund amount is greater than unrefunded amount on charge")
	}
	b := &giveBack{id: h.id("re"), status: "succeeded", amount: amount, meta: under(form, "metadata")}
	if t.isPending {
		b.status = "pending"
	}
	t.back = append(t.back, b)
	t.events++
	h.writes++
	return 200, h.refundObject(t, b)
}

func (h *house) read(r *http.Request) (int, object) {
	q := r.URL.Query()
	switch path := r.URL.Path; path {
	case "/v1/checkout/sessions":
		var all []any
		for _, c := range h.sessions {
			if id := q.Get("payment_intent"); !c.isGone && (id == "" || c.pay != nil && c.pay.id == id) {
				all = append(all, h.session(c, inData(q)))
			}
		}
		return 200, pageOf("list", "/v1/checkout/sessions", all, q)
	case "/v1/payment_intents", "/v1/payment_intents/search":
		return h.intents(path, q)
	case "/v1/disputes":
		return 200, pageOf("list", path, h.disputesIn(q), q)
	case "/v1/refunds":
		_, t := h.byIntent(q.Get("payment_intent"))
		if t == nil {
			return missing("payment_intent", q.Get("payment_intent"))
		}
		var all []any
		for _, b := range slices.Backward(t.back) {
			all = append(all, h.refundObject(t, b))
		}
		return 200, pageOf("list", "/v1/refunds", all, q)
	default:
		if id, isDispute := strings.CutPrefix(path, "/v1/disputes/"); isDispute {
			if c := h.byDispute(id); c != nil {
				return 200, h.disputeObject(c)
			}
			return missing("dispute", id)
		}
		id, isOne := strings.CutPrefix(path, "/v1/checkout/sessions/")
		c := h.byID(id)
		if !isOne || c == nil {
			return missing("checkout.session", id)
		}
		return 200, h.session(c, q["expand[]"])
	}
}

func (h *house) intents(path string, q url.Values) (int, object) {
	var all []any
	kind, want := "list", ""
	if strings.HasSuffix(path, "/search") {
		kind = "search_result"
		name, value, ok := strings.Cut(q.Get("query"), ":")
		if want = strings.Trim(value, `"`); !ok || name != `metadata["vezne_ref"]` || value != `"`+want+`"` {
			return invalid("", "The search query can't be read")
		}
	}
	from, _ := strconv.ParseInt(q.Get("created[gte]"), 10, 64)
	to, _ := strconv.ParseInt(q.Get("created[lt]"), 10, 64)
	for _, c := range slices.Backward(h.sessions) {
		switch {
		case c.pay == nil || c.isGone:
		case kind == "list" && (c.pay.created.Unix() < from || c.pay.created.Unix() >= to):
		case kind != "list" && (c.cardMeta["vezne_ref"] != want || h.now().Sub(c.pay.created) < h.behind):
		default:
			all = append(all, h.intent(c, inData(q)))
		}
	}
	return 200, pageOf(kind, path, all, q)
}

// inData is what is to be expanded of the objects of a list.
func inData(q url.Values) (all []string) {
	for _, name := range q["expand[]"] {
		if inner, ok := strings.CutPrefix(name, "data."); ok {
			all = append(all, inner)
		}
	}
	return all
}

// pageOf is a page of objects.
func pageOf(kind, path string, all []any, q url.Values) object {
	if after := q.Get("starting_after"); after != "" {
		i := slices.IndexFunc(all, func(o any) bool { return o.(object)["id"] == after })
		all = all[i+1:]
	}
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		limit = 10
	}
	hasMore := len(all) > limit
	return object{"object": kind, "url": path, "has_more": hasMore, "data": append([]any{}, all[:min(len(all), limit)]...)}
}

func (h *house) byID(id string) *checkout {
	for _, c := range h.sessions {
		if c.id == id && !c.isGone {
			return c
		}
	}
	return nil
}

func (h *house) byRef(ref string) *checkout {
	for _, c := range slices.Backward(h.sessions) {
		if c.ref == ref && (!c.isGone || c.isOther) {
			return c
		}
	}
	return nil
}

func (h *house) byIntent(id string) (*checkout, *try) {
	for _, c := range h.sessions {
		if c.pay != nil && c.pay.id == id && !c.isGone {
			return c, c.pay
		}
	}
	return nil, nil
}

func (h *house) statusOf(c *checkout) string {
	if c.status == "open" && !h.now().Before(c.ends) {
		return "expired"
	}
	return c.status
}

// session is a session as JSON.
func (h *house) session(c *checkout, expand []string) object {
	o := object{
		"id": c.id, "object": "checkout.session", "livemode": h.isLive(), "mode": "payment", "status": h.statusOf(c),
		"payment_status": "unpaid", "payment_method_types": []string{"card"}, "amount_total": c.amount, "currency": "try",
		"client_reference_id": c.ref, "metadata": maps.Clone(c.meta), "created": c.created.Unix(), "expires_at": c.ends.Unix(),
		"success_url": c.back, "cancel_url": c.backAgain, "automatic_tax": object{"enabled": false}, "custom_fields": []any{},
		"custom_text": object{}, "shipping_options": []any{}, "url": nil, "payment_intent": nil,
	}
	if o["status"] == "open" {
		o["url"] = c.url
	}
	if c.pay == nil {
		return o
	}
	if c.pay.status == "succeeded" {
		o["payment_status"] = "paid"
	}
	o["payment_intent"] = c.pay.id
	var inner []string
	for _, name := range expand {
		if rest, ok := strings.CutPrefix(name, "payment_intent."); ok {
			inner = append(inner, rest)
		}
	}
	if len(inner) > 0 || slices.Contains(expand, "payment_intent") {
		o["payment_intent"] = h.intent(c, inner)
	}
	return o
}

// intent is a payment intent as JSON.
func (h *house) intent(c *checkout, expand []string) object {
	t := c.pay
	o := object{
		"id": t.id, "object": "payment_intent", "livemode": h.isLive(), "status": t.status, "amount": c.amount,
		"amount_received": t.received, "currency": t.currency, "created": t.created.Unix(), "metadata": maps.Clone(c.cardMeta),
		"latest_charge": nil, "review": nil, "last_payment_error": nil,
	}
	if t.lastError != nil {
		o["last_payment_error"] = t.lastError
	}
	if t.status == "succeeded" || t.lastError != nil {
		o["latest_charge"] = strings.Replace(t.id, "pi_", "ch_", 1)
	}
	if t.review != nil {
		o["review"] = strings.Replace(t.id, "pi_", "prv_", 1)
	}
	if slices.Contains(expand, "latest_charge") && o["latest_charge"] != nil {
		o["latest_charge"] = h.charge(c)
	}
	if slices.Contains(expand, "review") && t.review != nil {
		o["review"] = object{
			"id": o["review"], "object": "review", "open": *t.review, "created": t.created.Unix(), "livemode": h.isLive(),
			"opened_reason": "rule", "reason": map[bool]string{true: "rule", false: "approved"}[*t.review], "payment_intent": t.id,
		}
	}
	return o
}

func (h *house) charge(c *checkout) object {
	t := c.pay
	isPaid := t.status == "succeeded"
	return object{
		"id": strings.Replace(t.id, "pi_", "ch_", 1), "object": "charge", "livemode": h.isLive(), "amount": c.amount,
		"amount_captured": t.received, "amount_refunded": t.refunded(), "billing_details": object{}, "captured": isPaid,
		"created": t.created.Unix(), "currency": t.currency, "disputed": t.isDisputed, "metadata": maps.Clone(c.cardMeta),
		"paid": isPaid, "refunded": isPaid && t.refunded() == t.received, "status": map[bool]string{true: "succeeded", false: "failed"}[isPaid],
		"payment_intent": t.id,
	}
}

func (h *house) refundObject(t *try, b *giveBack) object {
	o := object{
		"id": b.id, "object": "refund", "status": b.status, "amount": b.amount, "currency": t.currency, "created": t.created.Unix(),
		"payment_intent": t.id, "metadata": maps.Clone(b.meta),
	}
	if b.status == "failed" {
		o["failure_reason"] = "lost_or_stolen_card"
	}
	return o
}

// sign is the header of a message.
func (h *house) sign(body []byte) string {
	stamp := strconv.FormatInt(h.now().Unix(), 10)
	m := hmac.New(sha256.New, []byte(h.secret))
	m.Write([]byte(stamp + "." + string(body)))
	header := "t=" + stamp + ",v1=" + hex.EncodeToString(m.Sum(nil))
	if !h.isLive() { // an old scheme comes along with what is sent for a try
		header += ",v0=" + strings.Repeat("0", 64)
	}
	return header
}

func (h *house) deposits(ref gateway.Ref) []gateway.Money {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []gateway.Money
	for _, c := range h.sessions {
		if c.ref == string(ref) {
			all = append(all, gateway.Money{Amount: money.MustDecimal(fmt.Sprintf("%d.%02d", c.amount/100, c.amount%100)), Asset: gateway.TRY})
		}
	}
	return all
}
