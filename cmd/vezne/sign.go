package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/sign"
)

// endpoint is what signing needs to know of one: its clause in the API document, its path, which header stands in the
// hash, and a body to try. Where the body holds the credential key, it stands there as {{key}}; a tracking code as
// {{tracking_code}}.
type endpoint struct {
	clause string
	path   string
	header string // X-Key, X-Credential-Key or none
	body   string
	isGet  bool
}

const (
	byKey        = "X-Key"
	byCredential = "X-Credential-Key"
	thirdParty   = "/api/provider/third-party/"
)

// endpoints by their names in the API documents.
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
)

type signCommand struct {
	Endpoint string `arg:"" help:"Which call to sign, by name, clause (E1 to E17) or path: welcome, sites, start-manual-deposit, credit-card-payment, bank-gateways, …, or callback."`

	Demo          string `help:"Take keys and address from this demo directory's demo.json." placeholder:"DIR"`
	BaseURL       string `help:"Address of the service." default:"http://127.0.0.1:8080"`
	APIKey        string `env:"VEZNE_SIGN_API_KEY" help:"The provider's API key."`
	SecretKey     string `env:"VEZNE_SIGN_SECRET_KEY" help:"The provider's secret key. Better as environment variable: arguments are visible to other users."`
	Key           string `env:"VEZNE_SIGN_KEY" help:"X-Key (sites) or the site's credential key (…start-…, credit-card-payment)."`
	Timestamp     int64  `help:"Unix seconds. Default: now."`
	Body          string `help:"The JSON body. Default: an example."`
	TrackingCode  string `help:"callback and credit-card-status: the tracking_code."`
	Status        string `help:"callback: its status."`
	CheckHash     string `help:"Compare with this hash and say which part differs." placeholder:"HASH"`
	ShowSecretKey bool   `help:"Print the hash input with the secret key in it."`
}

// Run prints the hash input, the hash, and a curl command that can be pasted.
func (c signCommand) Run(t terminal) error {
	if c.Demo != "" {
		if err := c.takeDemo(); err != nil {
			return err
		}
	}
	if c.APIKey == "" || c.SecretKey == "" {
		return errors.New("sign needs --api-key and --secret-key, or --demo DIR")
	}
	if c.Timestamp == 0 {
		c.Timestamp = time.Now().Unix()
	}
	if c.Endpoint == "callback" {
		return c.printHash(t, c.TrackingCode+c.Status, "tracking_code + status")
	}
	e, ok := findEndpoint(c.Endpoint)
	if !ok {
		return fmt.Errorf("no endpoint %q; there are %s and callback", c.Endpoint, strings.Join(endpointNames(), ", "))
	}
	if e.header != "" && c.Key == "" {
		return fmt.Errorf("%s needs --key, the value of %s", c.Endpoint, e.header)
	}
	if c.Body == "" && strings.Contains(e.body, keyMark) && c.Key == "" {
		return fmt.Errorf("%s needs --key, the credential_key of its body", c.Endpoint)
	}
	if c.Body == "" && strings.Contains(e.body, codeMark) && c.TrackingCode == "" {
		return fmt.Errorf("%s needs --tracking-code, or --body", c.Endpoint)
	}
	if err := c.printHash(t, c.hashed(e), e.header); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.out, "\n%s\n", c.curl(e))
	return err
}

// printHash shows how the hash is made: the parts in their order, without separators.
func (c signCommand) printHash(t terminal, middle, middleName string) error {
	stamp := strconv.FormatInt(c.Timestamp, 10)
	secret := "<SECRET_KEY>"
	if c.ShowSecretKey {
		secret = c.SecretKey
	}
	parts := "API_KEY + SECRET_KEY + timestamp"
	if middleName != "" {
		parts = "API_KEY + SECRET_KEY + " + middleName + " + timestamp"
	}
	hash := sign.Hash(c.APIKey, c.SecretKey, middle, stamp)
	if _, err := fmt.Fprintf(t.out, "parts  %s\ninput  %s\nX-Timestamp  %s\nX-Hash       %s\n",
		parts, c.APIKey+secret+middle+stamp, stamp, hash); err != nil {
		return err
	}
	if c.CheckHash == "" {
		return nil
	}
	_, err := fmt.Fprintln(t.out, c.explain(middle, stamp))
	return err
}

// mistake is what an integrator may have hashed.
type mistake struct {
	parts []string
	what  string
}

// explain names the mistake behind a hash that does not match, by trying the usual ones.
func (c signCommand) explain(middle, stamp string) string {
	a, s := c.APIKey, c.SecretKey
	mistakes := []mistake{
		{[]string{a, s, middle, stamp}, "The hash matches."},
		{[]string{a, s, stamp}, "The hash was made without the part between secret key and timestamp."},
		{[]string{a, s, stamp, middle}, "The hash has the timestamp before the key; it belongs at the end."},
		{[]string{a, middle, s, stamp}, "The hash has the key before the secret key; it belongs after it."},
		{[]string{s, a, middle, stamp}, "The hash has secret key and API key in the wrong order."},
		{[]string{a, s, middle}, "The hash was made without the timestamp."},
		{[]string{a, s, middle, stamp + "000"}, "The hash has the timestamp in milliseconds; it is in seconds."},
		{[]string{a + ":" + s + ":" + middle + ":" + stamp}, "The parts were joined with colons; there is no separator."},
		{[]string{a, s, middle, stamp, "\n"}, "A line break was hashed with the parts (echo without -n?)."},
	}
	if middle == "" {
		mistakes = append(mistakes,
			mistake{[]string{a, s, c.Key, stamp}, "The hash has a key between secret key and timestamp; this endpoint's has none."},
			mistake{[]string{a, s, c.TrackingCode, stamp}, "The hash has the tracking_code in it: credit-card-status takes that, too."})
	}
	for _, m := range mistakes {
		if sign.Matches(c.CheckHash, m.parts...) {
			return m.what
		}
	}
	return "The hash does not match, and none of the usual mistakes explains it: compare keys and timestamp one by one."
}

// keyMark and codeMark are where an example's body holds the credential key and the tracking code.
const (
	keyMark  = "{{key}}"
	codeMark = "{{tracking_code}}"
)

// hashed is the part of the hash between secret key and timestamp.
func (c signCommand) hashed(e endpoint) string {
	if e.header == "" {
		return ""
	}
	return c.Key
}

func (c signCommand) curl(e endpoint) string {
	stamp := strconv.FormatInt(c.Timestamp, 10)
	method := "POST"
	if e.isGet {
		method = "GET"
	}
	lines := []string{
		"curl -sS -X " + method + " " + shellQuote(c.BaseURL+e.path),
		"  -H " + shellQuote("X-Api-Key: "+c.APIKey),
		"  -H " + shellQuote("X-Timestamp: "+stamp),
		"  -H " + shellQuote("X-Hash: "+sign.Hash(c.APIKey, c.SecretKey, c.hashed(e), stamp)),
		"  -H 'Content-Type: application/json'",
	}
	if e.header != "" {
		lines = append(lines, "  -H "+shellQuote(e.header+": "+c.Key))
	}
	body := c.Body
	if body == "" {
		body = strings.NewReplacer(keyMark, c.Key, codeMark, c.TrackingCode).Replace(e.body)
	}
	if body != "" {
		lines = append(lines, "  -d "+shellQuote(body))
	}
	return strings.Join(lines, " \\\n")
}

func (c *signCommand) takeDemo() error {
	data, err := os.ReadFile(filepath.Join(c.Demo, demoFile))
	if err != nil {
		return fmt.Errorf("reading the demo's keys: %w", err)
	}
	var d demoData
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("reading the demo's keys: %w", err)
	}
	e, _ := findEndpoint(c.Endpoint) // an unknown one is told later
	c.BaseURL, c.APIKey, c.SecretKey = d.BaseURL, d.Provider.APIKey, d.Provider.SecretKey
	if c.Key == "" && e.header == byKey {
		c.Key = d.Provider.VerificationKey
	}
	if c.Key == "" && len(d.Sites) > 0 {
		c.Key = d.Sites[0].CredentialKey
	}
	return nil
}

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
	return endpoint{}, false
}

func endpointNames() []string {
	names := make([]string, 0, len(endpoints))
	for name := range endpoints {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// shellQuote puts a text into single quotes for a POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
