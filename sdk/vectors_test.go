package sdk_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/sdk"
)

// Keys of nobody, which the documentation has too.
const (
	apiKey          = "vzp_example"
	secretKey       = "vzs_example"
	credentialKey   = "vzc_example"
	verificationKey = "vzv_example"
	dealerKey       = "vzd_example"
	dealerSecret    = "vzds_example"

	webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	oldSecret     = "whsec_c2VjcmV0IG9mIGxhc3QgeWVhciwgcm90YXRlZA=="
	wrongSecret   = "whsec_bm90IHRoZSByaWdodCBzZWNyZXQgYXQgYWxsIQ=="
	plainSecret   = "a secret that is no base64!"

	nonce  = "0J9m2yQfW8vXk4Lr"
	onceID = "order-4711-payment-1"
)

// at is when everything of the vectors happens: 1772442000 in Unix seconds.
var at = time.Unix(1772442000, 0)

// call is one of the two APIs' calls, with an example of its fields.
type call struct {
	clause, name, method, path string
	header                     string // with a key that the hash covers
	fields                     string
	creates                    bool
}

const (
	customer  = `"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001"`
	reference = `,"reference":"order-4711"`
	iban      = `,"iban":"TR330006100519786457841326"`
	cardFrom  = `"username":"ayse.yilmaz","firstname":"Ayşe","lastname":"Yılmaz","email":"ayse@example.com","phone":"+905551112233","amount":"250.00"`
)

// calls are all of them: TestNoCallIsMissing compares them with the OpenAPI document.
func calls() []call {
	deposit := "{" + customer + `,"amount":"250.00"` + reference + "}"
	withdrawal := "{" + customer + iban + `,"amount":"250.00"` + reference + "}"
	through := func(more string) string {
		return "{" + customer + `,"amount":"250.00","gateway_id":1` + more + reference + "}"
	}
	const byKey, byCredential, third = "X-Key", "X-Credential-Key", "third-party/"
	return []call{
		{"E1", "welcome", "POST", "welcome", "", "", false},
		{"E2", "sites", "POST", "sites", byKey, "", false},
		{"E3", "start-manual-deposit", "POST", "start-manual-deposit", byCredential, deposit, true},
		{"E4", "start-manual-withdraw", "POST", "start-manual-withdraw", byCredential, withdrawal, true},
		{"E5", "start-eiban-deposit", "POST", "start-eiban-deposit", byCredential, deposit, true},
		{"E6", "start-eiban-withdraw", "POST", "start-eiban-withdraw", byCredential, withdrawal, true},
		{"E7", "credit-card-payment", "POST", "credit-card/payment", "",
			`{"credential_key":"` + credentialKey + `","user_id":"u-1001",` + cardFrom + reference + "}", true},
		{"E8", "credit-card-status", "POST", "credit-card/status", "", `{"tracking_code":"CC-0123456789ABCDEF"}`, false},
		{"E9", "bank-start-deposit", "POST", third + "bank/start-deposit", byCredential, deposit, true},
		{"E10", "bank-gateways", "GET", third + "bank/gateways", "", "", false},
		{"E11", "bank-start-withdrawal", "POST", third + "bank/start-withdrawal", byCredential, through(iban), true},
		{"E12", "crypto-start-deposit", "POST", third + "crypto/start-deposit", byCredential, deposit, true},
		{"E13", "crypto-gateways", "GET", third + "crypto/gateways", "", "", false},
		{"E14", "crypto-start-withdrawal", "POST", third + "crypto/start-withdrawal", byCredential,
			through(`,"crypto_type":"USDT (TRC20)","wallet_address":"TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"`), true},
		{"E15", "wallet-start-deposit", "POST", third + "wallet/start-deposit", byCredential, deposit, true},
		{"E16", "wallet-gateways", "GET", third + "wallet/gateways", "", "", false},
		{"E17", "wallet-start-withdrawal", "POST", third + "wallet/start-withdrawal", byCredential, through(`,"wallet_number":"1234567890"`), true},
		{"V1", "transaction-status", "POST", "transaction-status", "", `{"tracking_code":"MAN-0123456789ABCDEF"}`, false},
		{"V3", "test-clock", "POST", "test-clock", "", `{"tracking_code":"MAN-0123456789ABCDEF","seconds":1800}`, false},

		{"D1", "settings", "GET", "settings", "", "", false},
		{"D2", "manual-iban-deposit", "POST", "manual-iban/deposit", "",
			`{"username":"ayse.yilmaz","userid":"u-1001","fullname":"Ayşe Yılmaz","amount":"250.00"` + reference + "}", true},
		{"D3", "manual-iban-withdraw", "POST", "manual-iban/withdraw", "",
			`{"username":"ayse.yilmaz","userid":"u-1001","amount":"250.00","recipient_name":"Ayşe Yılmaz","recipient_iban":"TR330006100519786457841326"` + reference + "}", true},
		{"D4", "eibans", "GET", "eibans", "", "", false},
		{"D5", "transactions", "GET", "transactions", "", `{"wallet_id":"w-1 & ş","start_date":"2026-03-01","end_date":"2026-03-02","page":"2"}`, false},
		{"D6", "send-money", "POST", "send-money", "",
			`{"wallet_id":"w-1","recipient_iban":"TR330006100519786457841326","recipient_name":"Ayşe Yılmaz","amount":"250.00","description":"Invoice 42"` + reference + "}", true},
		{"D7", "transfer-status", "GET", "transfer-status", "", `{"transfer_id":"TR-1"}`, false},
		{"D8", "credit-card-payment", "POST", "credit-card/payment", "", "{" + cardFrom + reference + "}", true},
		{"V2", "transaction-status", "GET", "transaction-status", "", `{"reference":"order #4711/1"}`, false},
		{"V4", "test-clock", "POST", "test-clock", "", `{"tracking_code":"WIT-0123456789ABCDEF","seconds":1800}`, false},
	}
}

// testPayment is a call that says what becomes of its payment.
func testPayment() call {
	return call{
		"E3", "start-manual-deposit", "POST", "start-manual-deposit", "X-Credential-Key",
		"{" + customer + `,"amount":"250.00"` + reference + `,"test":{"outcome":"completed","amount":"200.00","after":3600,"callbacks":"twice"}}`, true,
	}
}

// api is whose call it is.
func (c call) api() string {
	if c.clause[0] == 'D' || c.clause == "V2" || c.clause == "V4" {
		return "dealer"
	}
	return "provider"
}

// request is what a library makes of a call, with both signatures.
func (c call) request(t *testing.T) sdk.Request {
	t.Helper()
	r := sdk.Request{
		Clause: c.clause, Call: c.name, API: c.api(), Method: c.method, Target: "/api/" + c.api() + "/" + c.path,
		Headers: map[string]string{"X-Api-Key": apiKey, "X-Timestamp": strconv.FormatInt(at.Unix(), 10), "X-Nonce": nonce},
	}
	key, secret := "", secretKey
	if c.api() == "dealer" {
		r.Headers["X-Api-Key"], secret = dealerKey, dealerSecret
	}
	switch c.header {
	case "X-Key":
		key = verificationKey
	case "X-Credential-Key":
		key = credentialKey
	}
	if key != "" {
		r.Headers[c.header] = key
	}
	if c.creates {
		r.Headers["Idempotency-Key"] = onceID
	}
	if c.fields != "" {
		if err := json.Unmarshal([]byte(c.fields), &r.Fields); err != nil {
			t.Fatalf("%s: %v", c.clause, err)
		}
	}
	if c.method == "GET" && r.Fields != nil {
		var pairs []string
		for _, name := range slices.Sorted(maps.Keys(r.Fields)) {
			pairs = append(pairs, name+"="+escape(r.Fields[name].(string)))
		}
		r.Target += "?" + strings.Join(pairs, "&")
	} else {
		r.Body = c.fields
	}
	h := r.Headers
	over := sign.Request{
		Method: r.Method, Target: r.Target, APIKey: h["X-Api-Key"], CredentialKey: h["X-Credential-Key"], Key: h["X-Key"],
		IdempotencyKey: h["Idempotency-Key"], Timestamp: h["X-Timestamp"], Nonce: nonce, Body: []byte(r.Body),
	}
	r.HashInput = h["X-Api-Key"] + secret + key + h["X-Timestamp"]
	r.Hash = sign.Hash(h["X-Api-Key"], secret, key, h["X-Timestamp"])
	r.StringToSign, r.Signature = over.StringToSign(), over.Signature(secret)
	return r
}

// escape writes what is no letter, digit, hyphen, dot, underscore or tilde by its bytes.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if strings.IndexByte("-._~", c) >= 0 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(c)+0x100, 16)[1:]))
		}
	}
	return b.String()
}

// TestRequestVectors writes what each call is signed as.
func TestRequestVectors(t *testing.T) {
	t.Parallel()
	var list []sdk.Request
	for _, c := range append(calls(), testPayment()) {
		list = append(list, c.request(t))
	}
	checkVectors(t, "requests", "Every call of both APIs, with the contract's hash and with the request signature. "+
		"A provider's secret_key is "+secretKey+", a dealer's is "+dealerSecret+".", "requests", list)
}

// TestNoCallIsMissing compares the calls with the OpenAPI document.
func TestNoCallIsMissing(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../adapters/rest/apidoc/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for path, verbs := range document.Paths {
		for verb := range verbs {
			isListened := strings.HasSuffix(path, "/callbacks") // which vezne listen asks
			if strings.HasPrefix(path, "/api/") && verb != "parameters" && !isListened {
				described[strings.ToUpper(verb)+" "+path] = true
			}
		}
	}
	made := map[string]bool{}
	for _, c := range calls() {
		made[c.method+" /api/"+c.api()+"/"+c.path] = true
	}
	if !maps.Equal(described, made) || len(made) < 27 {
		t.Errorf("the document has\n%v\nand the libraries have\n%v", slices.Sorted(maps.Keys(described)), slices.Sorted(maps.Keys(made)))
	}
}

// callbackVector is a callback as it may come, and what a library says of it. A body that is no UTF-8 is in body_base64.
type callbackVector struct {
	Name       string            `json:"name"`
	Check      string            `json:"check"` // webhook or hash
	Headers    map[string]string `json:"headers"`
	Body       string            `json:"body"`
	BodyBase64 string            `json:"body_base64,omitempty"`
	APIKey     string            `json:"api_key,omitempty"`
	Secrets    []string          `json:"secrets"`
	Tolerance  int64             `json:"tolerance"`
	Now        int64             `json:"now"`
	Reason     string            `json:"reason"`
	Event      sdk.Fields        `json:"event,omitempty"`
}

func (v callbackVector) bytes(t *testing.T) []byte {
	t.Helper()
	if v.BodyBase64 == "" {
		return []byte(v.Body)
	}
	raw, err := base64.StdEncoding.DecodeString(v.BodyBase64)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// sent is a callback as Vezne sends it.
func sent(t *testing.T, cb payment.Callback, by payment.Signer) (headers map[string]string, body []byte) {
	t.Helper()
	m, err := cb.Message(by, at, time.FixedZone("+03", 3*60*60))
	if err != nil {
		t.Fatal(err)
	}
	headers = map[string]string{}
	for _, h := range m.Headers {
		headers[h.Name] = h.Value
	}
	return headers, m.Body
}

// outcomes are callbacks of each kind.
func outcomes() map[string]payment.Callback {
	base := payment.Payload{
		TrackingCode: "MAN-0123456789ABCDEF", Status: payment.Completed, Amount: money.New(25000, money.TRY), Username: "ayse.yilmaz",
		Fullname: `Ayşe "Ayş" Yılmaz / A&B <C> \ 😀`, UserID: "u-1001", SiteID: 1, Reference: "order-4711",
	}
	withdrawal, card := base, base
	withdrawal.TrackingCode, withdrawal.Status, withdrawal.IBAN = "WIT-0123456789ABCDEF", payment.Rejected, "TR330006100519786457841326"
	card.TrackingCode, card.Status = "CC-0123456789ABCDEF", payment.Failed
	card.Card = payment.CardPayload{
		OrderID: "CC0123456789ABCDEF", CustomerName: "Ayşe Yılmaz", CustomerEmail: "ayse@example.com", ErrorCode: "TIMEOUT",
		ErrorMessage: "Süre doldu\u2028\n",
	}
	corrected := base
	corrected.Correction = payment.Correction{IsSet: true, PreviousAmount: money.New(99900, money.TRY)}
	called := base
	called.Status, called.EndedBy = payment.Canceled, payment.EndedByCustomer
	paid := card
	paid.Status, paid.Card.ErrorCode, paid.Card.ErrorMessage, paid.Card.CustomerPhone = payment.Success, "", "", "+905551112233"
	paid.Card.FinishedAt = at
	return map[string]payment.Callback{
		"a deposit":            {ID: "01CALLBACK0000000000000001", Sequence: 1, Kind: payment.DepositCallback, Payload: base},
		"a corrected deposit":  {ID: "01CALLBACK0000000000000002", Sequence: 2, Kind: payment.DepositCallback, Payload: corrected},
		"a deposit called off": {ID: "01CALLBACK0000000000000003", Sequence: 1, Kind: payment.DepositCallback, Payload: called},
		"a withdrawal":         {ID: "01CALLBACK0000000000000004", Sequence: 1, Kind: payment.WithdrawalCallback, Payload: withdrawal},
		"a card payment":       {ID: "01CALLBACK0000000000000005", Sequence: 1, Kind: payment.CreditCardCallback, Payload: card},
		"a dealer's card":      {ID: "01CALLBACK0000000000000006", Sequence: 1, Kind: payment.DealerCardCallback, Payload: paid},
		"a dealer's lost card": {ID: "01CALLBACK0000000000000007", Sequence: 1, Kind: payment.DealerCardCallback, Payload: card},
	}
}

var (
	provider = payment.Signer{APIKey: apiKey, SecretKey: core.NewSecret(secretKey), WebhookSecret: core.NewSecret(webhookSecret)}
	dealer   = payment.Signer{APIKey: dealerKey, SecretKey: core.NewSecret(dealerSecret)}
)

func isDealers(cb payment.Callback) bool { return cb.Kind == payment.DealerCardCallback }

// TestCallbackVectors writes callbacks as Vezne sends them, and as what stands on the way spoils them.
func TestCallbackVectors(t *testing.T) {
	t.Parallel()
	var list []callbackVector
	add := func(v callbackVector, body []byte) {
		if v.Tolerance == 0 {
			v.Tolerance = 300
		}
		if v.Now == 0 {
			v.Now = at.Unix()
		}
		if utf8.Valid(body) {
			v.Body = string(body)
		} else {
			v.BodyBase64 = base64.StdEncoding.EncodeToString(body)
		}
		if v.Reason == "" {
			v.Event = read(t, body)
		}
		list = append(list, v)
	}
	all := outcomes()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		signer, key, secret := provider, apiKey, secretKey
		if isDealers(all[name]) {
			signer, key, secret = dealer, dealerKey, dealerSecret
		}
		headers, body := sent(t, all[name], signer)
		if !isDealers(all[name]) {
			add(callbackVector{Name: name, Check: "webhook", Headers: headers, Secrets: []string{webhookSecret}}, body)
		}
		add(callbackVector{Name: name + " by its hash", Check: "hash", Headers: headers, APIKey: key, Secrets: []string{secret}}, body)
	}
	headers, body := sent(t, all["a deposit"], provider)
	webhook := func(name, reason string, spoil func(*callbackVector), body []byte) {
		v := callbackVector{Name: name, Check: "webhook", Headers: maps.Clone(headers), Secrets: []string{webhookSecret}, Reason: reason}
		if spoil != nil {
			spoil(&v)
		}
		add(v, body)
	}
	hash := func(name, reason string, spoil func(*callbackVector), body []byte) {
		v := callbackVector{Name: name, Check: "hash", Headers: maps.Clone(headers), APIKey: apiKey, Secrets: []string{secretKey}, Reason: reason}
		if spoil != nil {
			spoil(&v)
		}
		add(v, body)
	}

	webhook("headers in lower case", "", func(v *callbackVector) { v.Headers = lower(v.Headers) }, body)
	webhook("the newest moment", "", func(v *callbackVector) { v.Now = at.Unix() - 300 }, body)
	webhook("the oldest moment", "", func(v *callbackVector) { v.Now = at.Unix() + 300 }, body)
	webhook("too old", "stale", func(v *callbackVector) { v.Now = at.Unix() + 301 }, body)
	webhook("too new", "future", func(v *callbackVector) { v.Now = at.Unix() - 301 }, body)
	webhook("too old for a small tolerance", "stale", func(v *callbackVector) { v.Tolerance, v.Now = 10, at.Unix()+11 }, body)
	webhook("old, with a large tolerance", "", func(v *callbackVector) { v.Tolerance, v.Now = 86400, at.Unix()+80000 }, body)
	webhook("two secrets, the second is right", "", func(v *callbackVector) { v.Secrets = []string{wrongSecret, webhookSecret} }, body)
	webhook("another secret", "wrong_secret", func(v *callbackVector) { v.Secrets = []string{wrongSecret} }, body)
	webhook("no secret", "wrong_secret", func(v *callbackVector) { v.Secrets = []string{} }, body)
	webhook("another message's id", "wrong_secret", func(v *callbackVector) { v.Headers["webhook-id"] += "X" }, body)
	webhook("another moment", "wrong_secret", func(v *callbackVector) { v.Headers["webhook-timestamp"] = "1772442001" }, body)
	webhook("another amount", "wrong_secret", nil, bytes.Replace(body, []byte("250.00"), []byte("999.00"), 1))
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		webhook("without "+name, "no_signature", func(v *callbackVector) { delete(v.Headers, name) }, body)
	}
	webhook("a signature of another version", "no_signature", func(v *callbackVector) {
		v.Headers["webhook-signature"] = "v2" + strings.TrimPrefix(v.Headers["webhook-signature"], "v1")
	}, body)
	stamps := map[string]string{
		"a word": "now", "below zero": "-1", "too long": "1772442000000000", "a fraction": "1772442000.0", "spaced": " 1772442000",
		"a line": "1772442000\n", "hex": "0x69a54d50",
	}
	for _, name := range slices.Sorted(maps.Keys(stamps)) {
		webhook("a timestamp that is "+name, "no_signature", func(v *callbackVector) { v.Headers["webhook-timestamp"] = stamps[name] }, body)
	}
	// Somebody whose receiver has an empty secret, because a variable is not set, takes nothing: not even what is signed with nothing.
	forged := maps.Clone(headers)
	forged["webhook-signature"] = emptySignature(headers, body)
	webhook("an empty secret", "wrong_secret", func(v *callbackVector) { v.Headers, v.Secrets = forged, []string{""} }, body)
	webhook("a prefix without a secret", "wrong_secret", func(v *callbackVector) { v.Headers, v.Secrets = forged, []string{"whsec_"} }, body)
	rotated := provider
	rotated.PreviousWebhook = owner.PreviousKey{Key: core.NewSecret(oldSecret), Until: at.Add(time.Hour)}
	twice, _ := sent(t, all["a deposit"], rotated)
	webhook("two signatures and the new secret", "", func(v *callbackVector) { v.Headers = twice }, body)
	webhook("two signatures and the old secret", "", func(v *callbackVector) { v.Headers, v.Secrets = twice, []string{oldSecret} }, body)
	imported := provider
	imported.WebhookSecret = core.NewSecret(plainSecret)
	plain, _ := sent(t, all["a deposit"], imported)
	webhook("a secret that is no base64", "", func(v *callbackVector) { v.Headers, v.Secrets = plain, []string{plainSecret} }, body)
	for _, name := range slices.Sorted(maps.Keys(reencoded)) {
		webhook("re-encoded: "+name, "body_changed", nil, reencoded[name](t, body))
	}

	hash("the hash in capitals", "", func(v *callbackVector) { v.Headers["X-Hash"] = strings.ToUpper(v.Headers["X-Hash"]) }, body)
	hash("the hash of a re-encoded body", "", nil, reencoded["spaces"](t, body))
	hash("two secret keys, the second is right", "", func(v *callbackVector) { v.Secrets = []string{"vzs_other", secretKey} }, body)
	hash("another secret key", "wrong_secret", func(v *callbackVector) { v.Secrets = []string{"vzs_other"} }, body)
	hash("another API key", "wrong_secret", func(v *callbackVector) { v.APIKey = "vzp_other" }, body)
	hash("an empty secret key", "wrong_secret", func(v *callbackVector) {
		v.Headers["X-Hash"] = sign.Hash(apiKey, "MAN-0123456789ABCDEFcompleted", "1772442000")
		v.Secrets = []string{""}
	}, bytes.Replace(body, []byte(headers["X-Hash"]), []byte(sign.Hash(apiKey, "MAN-0123456789ABCDEFcompleted", "1772442000")), 1))
	hash("another status", "wrong_secret", nil, bytes.Replace(body, []byte("completed"), []byte("canceled"), 1))
	hash("another hash in the body", "body_changed", func(v *callbackVector) { v.Secrets = []string{"vzs_other"} }, bytes.Replace(body, []byte(`"hash":"`), []byte(`"hash":"0`), 1))
	hash("an empty body by its hash", "body_changed", nil, nil)
	hash("a form by its hash", "body_changed", nil, reencoded["a form"](t, body))
	hash("a hash that is too old", "stale", func(v *callbackVector) { v.Now = at.Unix() + 301 }, body)
	hash("a hash that is too new", "future", func(v *callbackVector) { v.Now = at.Unix() - 301 }, body)
	hash("without X-Hash", "no_signature", func(v *callbackVector) { delete(v.Headers, "X-Hash") }, body)
	hash("without X-Timestamp", "no_signature", func(v *callbackVector) { delete(v.Headers, "X-Timestamp") }, body)
	checkVectors(t, "callbacks", "Callbacks as Vezne sends them, and as what stands on the way spoils them. An empty reason: it is right, "+
		"and event is what it says, where a number with decimals is text.", "callbacks", list)
}

func emptySignature(headers map[string]string, body []byte) string {
	return sign.Webhook("whsec_", headers["webhook-id"], headers["webhook-timestamp"], body)
}

func lower(headers map[string]string) map[string]string {
	made := map[string]string{}
	for name, value := range headers {
		made[strings.ToLower(name)] = value
	}
	return made
}

// reencoded is what frameworks make of a body that they have read as JSON.
var reencoded = map[string]func(*testing.T, []byte) []byte{
	"spaces":                func(_ *testing.T, b []byte) []byte { return bytes.ReplaceAll(b, []byte(`":`), []byte(`": `)) }, // json.dumps
	"JSON.stringify":        func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte("250.00"), []byte("250"), 1) },
	"a float":               func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte("250.00"), []byte("250.0"), 1) },
	"an amount as text":     func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte("250.00"), []byte(`"250.00"`), 1) },
	"json_encode":           func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte(" / "), []byte(` \/ `), 1) },
	"escapes":               func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte("ş"), []byte(`\u015f`), 1) },
	"escapes of HTML":       func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte("<"), []byte(`\u003c`), 1) },
	"a line feed behind":    func(_ *testing.T, b []byte) []byte { return append(slices.Clone(b), '\n') },
	"a byte order mark":     func(_ *testing.T, b []byte) []byte { return append([]byte("\xef\xbb\xbf"), b...) },
	"Latin-5":               func(_ *testing.T, b []byte) []byte { return bytes.Replace(b, []byte("ş"), []byte("\xfe "), 1)[1:] },
	"nothing":               func(*testing.T, []byte) []byte { return nil },
	"a form":                func(*testing.T, []byte) []byte { return []byte("tracking_code=MAN-0123456789ABCDEF&status=completed") },
	"in alphabetical order": sorted,
	"indented": func(t *testing.T, b []byte) []byte {
		var out bytes.Buffer
		if err := json.Indent(&out, b, "", "  "); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	},
}

func sorted(t *testing.T, b []byte) []byte {
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(fields); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

// read is a JSON object as the libraries give it: numbers with decimals are text.
func read(t *testing.T, body []byte) sdk.Fields {
	t.Helper()
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&fields); err != nil {
		t.Fatal(err)
	}
	asText(fields)
	return fields
}

func asText(v any) any {
	switch v := v.(type) {
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return v.String()
		}
	case map[string]any:
		for name, inner := range v {
			v[name] = asText(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = asText(inner)
		}
	}
	return v
}

// answerVector is an answer, and what a library makes of it.
type answerVector struct {
	Name    string            `json:"name"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Expect  answerExpect      `json:"expect"`
}

type answerExpect struct {
	IsError    bool             `json:"is_error"`
	Fields     sdk.Fields       `json:"fields,omitempty"`
	RequestID  string           `json:"request_id"`
	IsReplayed bool             `json:"is_replayed,omitempty"`
	Message    string           `json:"message,omitempty"`
	Error      string           `json:"error,omitempty"`
	Code       string           `json:"code,omitempty"`
	Errors     []sdk.FieldError `json:"errors,omitempty"`
	RetryAfter int              `json:"retry_after,omitempty"`
	MayRepeat  bool             `json:"may_repeat,omitempty"`
}

// answers are Vezne's, those of a newer Vezne, and those of what may stand before it.
func answers() []answerVector {
	id := map[string]string{"Content-Type": "application/json", "X-Request-Id": "01REQUEST"}
	with := func(name, value string) map[string]string {
		h := maps.Clone(id)
		h[name] = value
		return h
	}
	html := map[string]string{"Content-Type": "text/html"}
	const page = "<html><body>502 Bad Gateway</body></html>"
	return []answerVector{
		{"an answer", 200, id, `{"success":true,"data":{"tracking_code":"MAN-0123456789ABCDEF","amount":250.00,"status":"showing"}}`,
			answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{"success": true, "data": map[string]any{"tracking_code": "MAN-0123456789ABCDEF", "amount": "250.00", "status": "showing"}}}},
		{"amounts that no float has", 200, id, `{"success":true,"a":999999999.99,"b":0.10,"c":-0.07,"d":[1.00,{"e":9007199254740993.01}],"f":1e2,"g":"1.50 and \"2.50\""}`,
			answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{"success": true, "a": "999999999.99", "b": "0.10", "c": "-0.07", "d": []any{"1.00", map[string]any{"e": "9007199254740993.01"}}, "f": "1e2", "g": `1.50 and "2.50"`}}},
		{"fields and values of a newer Vezne", 200, id, `{"success":true,"data":{"status":"teleported","payment_url":null,"more":{"of":["it",1,true]}},"novelty":-1}`,
			answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{"success": true, "data": map[string]any{"status": "teleported", "payment_url": nil, "more": map[string]any{"of": []any{"it", 1, true}}}, "novelty": -1}}},
		{"a warning of what was ignored", 200, id, `{"success":true,"data":{"amount":250.00},"warnings":[{"field":"currency","code":"currency","message":"Tutarlar Türk lirasıdır: …"}]}`,
			answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{"success": true, "data": map[string]any{"amount": "250.00"}, "warnings": []any{map[string]any{"field": "currency", "code": "currency", "message": "Tutarlar Türk lirasıdır: …"}}}}},
		{"a replayed answer", 200, with("Idempotent-Replayed", "true"), `{"success":true}`, answerExpect{RequestID: "01REQUEST", IsReplayed: true, Fields: sdk.Fields{"success": true}}},
		{"another 2xx", 201, id, `{"success":true}`, answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{"success": true}}},
		{"nothing", 204, id, "", answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{}}},
		{"a 2xx that is no JSON", 200, html, "<html>", answerExpect{Fields: sdk.Fields{}}},
		{"a 2xx that is half of JSON", 200, id, `{"success":true`, answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{}}},
		{"a 2xx that is a list", 200, id, `[1.50]`, answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{}}},
		{"a 2xx that is deep", 200, id, strings.Repeat("[", 3000), answerExpect{RequestID: "01REQUEST", Fields: sdk.Fields{}}},
		{"a redirect", 302, map[string]string{"Location": "/elsewhere"}, "", answerExpect{IsError: true, Message: "HTTP 302"}},
		{"a wrong hash", 401, id, `{"success":false,"error":"Invalid hash","message":"X-Hash must be …"}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Error: "Invalid hash", Message: "X-Hash must be …"}},
		{"two failed fields", 422, id, `{"success":false,"error":"Validation failed","messages":["a is missing","b is wrong"],"errors":[{"field":"a","code":"required"},{"field":"b","code":"new_code"}]}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Error: "Validation failed", Message: "a is missing; b is wrong", Errors: []sdk.FieldError{{Field: "a", Code: "required"}, {Field: "b", Code: "new_code"}}}},
		{"a dealer's error", 422, id, `{"success":false,"error_code":"INSUFFICIENT_BALANCE","message":"Too little"}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Code: "INSUFFICIENT_BALANCE", Message: "Too little"}},
		{"a used key", 409, id, `{"success":false,"error":"Idempotency key reused","message":"Use a new key"}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Error: "Idempotency key reused", Message: "Use a new key"}},
		{"too many requests", 429, with("Retry-After", "7"), `{"success":false,"error":"Too many requests","message":"Wait"}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Error: "Too many requests", Message: "Wait", RetryAfter: 7, MayRepeat: true}},
		{"a time of day to wait for", 503, with("Retry-After", "Mon, 02 Mar 2026 09:00:00 GMT"), `{"success":false,"error":"Service unavailable","message":"Wait"}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Error: "Service unavailable", Message: "Wait", MayRepeat: true}},
		{"an internal error", 500, id, `{"success":false,"error":"Internal error","message":"Sorry","request_id":"01REQUEST"}`,
			answerExpect{IsError: true, RequestID: "01REQUEST", Error: "Internal error", Message: "Sorry", MayRepeat: true}},
		{"a proxy's page", 502, html, page, answerExpect{IsError: true, Message: "HTTP 502", MayRepeat: true}},
		{"an error of other types", 400, id, `{"success":false,"messages":"no list","errors":{"a":1}}`, answerExpect{IsError: true, RequestID: "01REQUEST", Message: "HTTP 400"}},
	}
}

// TestAnswerVectors writes the answers for who writes a library of their own.
func TestAnswerVectors(t *testing.T) {
	t.Parallel()
	for _, a := range answers() {
		if http.StatusText(a.Status) == "" {
			t.Errorf("%s has the status %d", a.Name, a.Status)
		}
	}
	checkVectors(t, "answers", "Answers, and what a library makes of them: those of 2xx are no errors, a number with decimals is text.", "answers", answers())
}

// checkVectors compares a file of vectors with what this Vezne would write.
func checkVectors(t *testing.T, name, about, listName string, list any) {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(map[string]any{"about": about + " Written by Vezne's tests.", listName: list}); err != nil {
		t.Fatal(err)
	}
	coretest.CheckGolden(t, "../vectors/"+name+".json", out.Bytes())
}
