package signing

import (
	"maps"
	"slices"
	"strings"
)

// endpoint is what signing needs to know of one: its clause in the API document, its path, which header stands in the
// hash, and a body or query to try. What of these is the caller's stands there as a mark.
type endpoint struct {
	clause    string
	path      string
	header    string // X-Key, X-Credential-Key or none
	body      string
	query     string
	isGet     bool
	isDealers bool
	isForSite bool // a dealer's, that takes site tokens
}

// method is the endpoint's verb.
func (e endpoint) method() string {
	if e.isGet {
		return "GET"
	}
	return "POST"
}

const (
	byKey        = "X-Key"
	byCredential = "X-Credential-Key"
	thirdParty   = "/api/provider/third-party/"
	ofDealers    = "/api/dealer/"
)

// Marks in an example, for the credential key, the tracking code or transfer_id, the wallet_id, and the day of the
// timestamp.
const (
	keyMark    = "{{key}}"
	codeMark   = "{{tracking_code}}"
	walletMark = "{{wallet_id}}"
	dayMark    = "{{day}}"
)

// endpoints by their names in the API documents. A dealer's begin with dealer-.
var endpoints = map[string]endpoint{
	"welcome":                 {clause: "E1", path: "/api/provider/welcome"},
	"sites":                   {clause: "E2", path: "/api/provider/sites", header: byKey},
	"start-manual-deposit":    {clause: "E3", path: "/api/provider/start-manual-deposit", header: byCredential, body: depositExample},
	"start-manual-withdraw":   {clause: "E4", path: "/api/provider/start-manual-withdraw", header: byCredential, body: withdrawalExample},
	"start-eiban-deposit":     {clause: "E5", path: "/api/provider/start-eiban-deposit", header: byCredential, body: depositExample},
	"start-eiban-withdraw":    {clause: "E6", path: "/api/provider/start-eiban-withdraw", header: byCredential, body: withdrawalExample},
	"credit-card-payment":     {clause: "E7", path: "/api/provider/credit-card/payment", body: cardExample},
	"credit-card-status":      {clause: "E8", path: "/api/provider/credit-card/status", body: `{"tracking_code":"{{tracking_code}}"}`},
	"bank-start-deposit":      {clause: "E9", path: thirdParty + "bank/start-deposit", header: byCredential, body: depositExample},
	"bank-gateways":           {clause: "E10", path: thirdParty + "bank/gateways", isGet: true},
	"bank-start-withdrawal":   {clause: "E11", path: thirdParty + "bank/start-withdrawal", header: byCredential, body: bankExample},
	"crypto-start-deposit":    {clause: "E12", path: thirdParty + "crypto/start-deposit", header: byCredential, body: depositExample},
	"crypto-gateways":         {clause: "E13", path: thirdParty + "crypto/gateways", isGet: true},
	"crypto-start-withdrawal": {clause: "E14", path: thirdParty + "crypto/start-withdrawal", header: byCredential, body: cryptoExample},
	"wallet-start-deposit":    {clause: "E15", path: thirdParty + "wallet/start-deposit", header: byCredential, body: depositExample},
	"wallet-gateways":         {clause: "E16", path: thirdParty + "wallet/gateways", isGet: true},
	"wallet-start-withdrawal": {clause: "E17", path: thirdParty + "wallet/start-withdrawal", header: byCredential, body: walletExample},

	"transaction-status": {clause: "V1", path: "/api/provider/transaction-status", body: `{"tracking_code":"{{tracking_code}}"}`},
	"test-clock":         {clause: "V3", path: "/api/provider/test-clock", body: clockExample},

	"dealer-settings":             {clause: "D1", path: ofDealers + "settings", isGet: true, isDealers: true, isForSite: true},
	"dealer-manual-iban-deposit":  {clause: "D2", path: ofDealers + "manual-iban/deposit", body: offerExample, isDealers: true, isForSite: true},
	"dealer-manual-iban-withdraw": {clause: "D3", path: ofDealers + "manual-iban/withdraw", body: withdrawExample, isDealers: true, isForSite: true},
	"dealer-eibans":               {clause: "D4", path: ofDealers + "eibans", isGet: true, isDealers: true},
	"dealer-transactions": {
		clause: "D5", path: ofDealers + "transactions", isGet: true, isDealers: true,
		query: "wallet_id={{wallet_id}}&start_date={{day}}&end_date={{day}}",
	},
	"dealer-send-money":          {clause: "D6", path: ofDealers + "send-money", body: sendExample, isDealers: true},
	"dealer-transfer-status":     {clause: "D7", path: ofDealers + "transfer-status", query: "transfer_id={{tracking_code}}", isGet: true, isDealers: true},
	"dealer-credit-card-payment": {clause: "D8", path: ofDealers + "credit-card/payment", body: dealerCardExample, isDealers: true, isForSite: true},
	"dealer-transaction-status": {
		clause: "V2", path: ofDealers + "transaction-status", query: "tracking_code={{tracking_code}}", isGet: true, isDealers: true,
	},
	"dealer-test-clock": {clause: "V4", path: ofDealers + "test-clock", body: clockExample, isDealers: true},
}

const (
	depositExample    = `{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","amount":250.00}`
	withdrawalExample = `{"fullname":"Ayşe Yılmaz","username":"ayse.yilmaz","user_id":"u-1001","iban":"TR330006100519786457841326","amount":250.00}`
	cardExample       = `{"credential_key":"{{key}}","username":"ayse.yilmaz","user_id":"u-1001","firstname":"Ayşe","lastname":"Yılmaz",` +
		`"email":"ayse@example.com","phone":"+905551112233","amount":250.00,"description":"Order 42"}`
	bankExample   = `{"user_id":"u-1001","username":"ayse.yilmaz","fullname":"Ayşe Yılmaz","amount":250.00,"gateway_id":1,"iban":"TR330006100519786457841326"}`
	cryptoExample = `{"user_id":"u-1001","username":"ayse.yilmaz","fullname":"Ayşe Yılmaz","amount":250.00,"gateway_id":1,` +
		`"crypto_type":"USDT (TRC20)","wallet_address":"TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"}`
	walletExample = `{"user_id":"u-1001","username":"ayse.yilmaz","fullname":"Ayşe Yılmaz","amount":250.00,"gateway_id":1,"wallet_number":"1234567890"}`

	clockExample = `{"tracking_code":"{{tracking_code}}","seconds":1800}`

	offerExample    = `{"username":"ayse.yilmaz","userid":"u-1001","fullname":"Ayşe Yılmaz","amount":250.00}`
	withdrawExample = `{"username":"ayse.yilmaz","userid":"u-1001","amount":250.00,"recipient_name":"Ayşe Yılmaz","recipient_iban":"TR330006100519786457841326"}`
	sendExample     = `{"wallet_id":"{{wallet_id}}","recipient_iban":"TR330006100519786457841326","recipient_name":"Ayşe Yılmaz",` +
		`"amount":250.00,"description":"Invoice 42"}`
	dealerCardExample = `{"username":"ayse.yilmaz","firstname":"Ayşe","lastname":"Yılmaz","email":"ayse@example.com","phone":"+905551112233",` +
		`"amount":250.00,"description":"Order 42"}`
)

// The two callbacks, which have no path: what is hashed is tracking_code and status.
const (
	providersCallback = "callback"
	dealersCallback   = "dealer-callback"
)

// findEndpoint finds an endpoint by its name, its clause (E3) or its path.
func findEndpoint(name string) (endpoint, bool) {
	if e, ok := endpoints[name]; ok {
		return e, true
	}
	for _, e := range endpoints {
		if strings.EqualFold(name, e.clause) || name == e.path {
			return e, true
		}
	}
	return endpoint{isDealers: name == dealersCallback}, false
}

func endpointNames() []string { return slices.Sorted(maps.Keys(endpoints)) }
