// Package signing prints how a call of the APIs, or a callback, is signed.
package signing

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core/sign"
)

// Command is `vezne sign`.
type Command struct {
	Endpoint string `arg:"" help:"Which call to sign, by name, clause (E1 to E17, D1 to D8), path or address: welcome, sites, start-manual-deposit, credit-card-payment, bank-gateways, dealer-settings, dealer-send-money, …, or callback, dealer-callback."`

	Demo           string `help:"Take keys and address from this demo directory's demo.json." placeholder:"DIR"`
	BaseURL        string `help:"Address of the service." default:"http://127.0.0.1:8080"`
	APIKey         string `env:"VEZNE_SIGN_API_KEY" help:"The provider's or the dealer's API key; with --site-token the token."`
	SecretKey      string `env:"VEZNE_SIGN_SECRET_KEY" help:"Its secret key. Better as environment variable: arguments are visible to other users."`
	Key            string `env:"VEZNE_SIGN_KEY" help:"X-Key (sites) or the site's credential key (…start-…, credit-card-payment)."`
	Timestamp      int64  `help:"Unix seconds. Default: now."`
	Body           string `help:"The JSON body. Default: an example."`
	Query          string `help:"dealer-transactions, dealer-transfer-status and dealer-transaction-status: the query. Default: an example."`
	TrackingCode   string `help:"callback, dealer-callback, credit-card-status, and both of transaction-status and test-clock: the tracking_code. dealer-transfer-status: the transfer_id."`
	Status         string `help:"callback and dealer-callback: the status."`
	WalletID       string `help:"dealer-transactions and dealer-send-money: the wallet_id. Default with --demo: the dealer's first."`
	SiteToken      bool   `help:"Sign a dealer's call with a site token in place of the API key."`
	CheckHash      string `help:"Compare with this hash and say which part differs." placeholder:"HASH"`
	V2             bool   `name:"v2" help:"Print a request signature (X-Signature, which covers method, path, body and a nonce) in place of the hash."`
	BodyFile       string `help:"With --v2: a file with the body, which is signed and sent byte by byte." placeholder:"FILE"`
	Nonce          string `help:"With --v2: the X-Nonce. Default: a random one."`
	IdempotencyKey string `help:"With --v2: the Idempotency-Key."`
	ShowSecretKey  bool   `help:"Print the hash input with the secret key in it."`
}

// Run prints the hash input, the hash, and a curl command that can be pasted.
func (c Command) Run(out io.Writer) error {
	address, err := c.takeAddress()
	if err != nil {
		return err
	}
	if c.Demo != "" {
		if err := c.takeDemo(); err != nil {
			return err
		}
	}
	if address != "" {
		c.BaseURL = address // and not the demo's
	}
	if c.APIKey == "" || c.SecretKey == "" {
		return errors.New("sign needs --api-key and --secret-key, or --demo DIR")
	}
	if c.Timestamp == 0 {
		c.Timestamp = time.Now().Unix()
	}
	if c.Endpoint == providersCallback || c.Endpoint == dealersCallback {
		if c.V2 {
			return errors.New("callbacks have no request signature")
		}
		if c.SiteToken {
			return errors.New("callbacks are signed with the API key, not with a site token")
		}
		return c.printHash(out, c.TrackingCode+c.Status, "tracking_code + status")
	}
	e, ok := findEndpoint(c.Endpoint)
	if !ok {
		return fmt.Errorf("no endpoint %q; there are %s, %s and %s",
			c.Endpoint, strings.Join(endpointNames(), ", "), providersCallback, dealersCallback)
	}
	if err := c.checkNeeds(e); err != nil {
		return err
	}
	if c.V2 {
		return c.printRequest(out, e)
	}
	if c.BodyFile+c.Nonce+c.IdempotencyKey != "" {
		return errors.New("--body-file, --nonce and --idempotency-key go with --v2")
	}
	if err := c.printHash(out, c.hashed(e), e.header); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\n%s\n", c.curl(e))
	return err
}

// checkNeeds tells what an endpoint can't be called without.
func (c Command) checkNeeds(e endpoint) error {
	example := e.body + e.query
	if c.Body+c.Query+c.BodyFile != "" {
		example = ""
	}
	switch {
	case c.SiteToken && !e.isForSite:
		return fmt.Errorf("%s takes no site token", c.Endpoint)
	case e.header != "" && c.Key == "":
		return fmt.Errorf("%s needs --key, the value of %s", c.Endpoint, e.header)
	case strings.Contains(example, keyMark) && c.Key == "":
		return fmt.Errorf("%s needs --key, the credential_key of its body", c.Endpoint)
	case strings.Contains(example, codeMark) && c.TrackingCode == "" && e.isGet:
		return fmt.Errorf("%s needs --tracking-code, or --query", c.Endpoint)
	case strings.Contains(example, codeMark) && c.TrackingCode == "":
		return fmt.Errorf("%s needs --tracking-code, or --body", c.Endpoint)
	case strings.Contains(example, walletMark) && c.WalletID == "":
		return fmt.Errorf("%s needs --wallet-id, or the whole of --body or --query", c.Endpoint)
	}
	return nil
}

// printHash shows how the hash is made: the parts in their order, without separators.
func (c Command) printHash(out io.Writer, middle, middleName string) error {
	stamp := strconv.FormatInt(c.Timestamp, 10)
	secret := "<SECRET_KEY>"
	if c.ShowSecretKey {
		secret = c.SecretKey
	}
	keys := "API_KEY + SECRET_KEY + "
	if c.SiteToken {
		keys = "SITE_TOKEN + SITE_SECRET_KEY + "
	}
	parts := keys + "timestamp"
	if middleName != "" {
		parts = keys + middleName + " + timestamp"
	}
	hash := sign.Hash(c.APIKey, c.SecretKey, middle, stamp)
	if _, err := fmt.Fprintf(out, "parts  %s\ninput  %s\nX-Timestamp  %s\nX-Hash       %s\n",
		parts, c.APIKey+secret+middle+stamp, stamp, hash); err != nil {
		return err
	}
	if c.CheckHash == "" {
		return nil
	}
	why, isRight := c.explain(middle, stamp)
	if _, err := fmt.Fprintln(out, why); err != nil || isRight {
		return err
	}
	return ErrMismatch
}

// ErrMismatch is that the hash to check is not the right one: a script sees it by the exit code.
var ErrMismatch = errors.New("the hash does not match")

// mistake is what an integrator may have hashed.
type mistake struct {
	parts []string
	what  string
}

// explain names the mistake behind a hash that does not match, by trying the usual ones.
func (c Command) explain(middle, stamp string) (why string, isRight bool) {
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
	e, _ := findEndpoint(c.Endpoint)
	switch {
	case middle != "":
	case e.isDealers:
		mistakes = append(mistakes,
			mistake{[]string{a, s, c.TrackingCode, stamp}, "The hash has the transfer_id in it; a dealer's has none."},
			mistake{[]string{a, s, c.WalletID, stamp}, "The hash has the wallet_id in it; a dealer's has none."})
	default:
		mistakes = append(mistakes,
			mistake{[]string{a, s, c.Key, stamp}, "The hash has a key between secret key and timestamp; this endpoint's has none."},
			mistake{[]string{a, s, c.TrackingCode, stamp}, "The hash has the tracking_code in it: credit-card-status takes that, too."})
	}
	for i, m := range mistakes {
		if sign.Matches(c.CheckHash, m.parts...) {
			return m.what, i == 0
		}
	}
	return "The hash does not match, and none of the usual mistakes explains it: compare keys and timestamp one by one.", false
}

// hashed is the part of the hash between secret key and timestamp.
func (c Command) hashed(e endpoint) string {
	if e.header == "" {
		return ""
	}
	return c.Key
}

// Example returns the curl command of a call by its name, with the example's body.
func (c Command) Example(name string) string { return c.curl(endpoints[name]) }

func (c Command) curl(e endpoint) string {
	stamp := strconv.FormatInt(c.Timestamp, 10)
	keyHeader := "X-Api-Key: "
	if c.SiteToken {
		keyHeader = "X-Site-Token: "
	}
	lines := []string{
		"curl -sS -X " + e.method() + " " + shellQuote(c.BaseURL+c.target(e)),
		"  -H " + shellQuote(keyHeader+c.APIKey),
		"  -H " + shellQuote("X-Timestamp: "+stamp),
		"  -H " + shellQuote("X-Hash: "+sign.Hash(c.APIKey, c.SecretKey, c.hashed(e), stamp)),
		"  -H 'Content-Type: application/json'",
	}
	if e.header != "" {
		lines = append(lines, "  -H "+shellQuote(e.header+": "+c.Key))
	}
	if body := c.filled(c.Body, e.body); body != "" {
		lines = append(lines, "  -d "+shellQuote(body))
	}
	return strings.Join(lines, " \\\n")
}

// filled is what was given, or else the example with its marks filled in.
func (c Command) filled(given, example string) string {
	if given != "" {
		return given
	}
	day := time.Unix(c.Timestamp, 0).Format(time.DateOnly)
	return strings.NewReplacer(keyMark, c.Key, codeMark, c.TrackingCode, walletMark, c.WalletID, dayMark, day).Replace(example)
}

func (c *Command) takeDemo() error {
	d, err := demofile.Read(c.Demo)
	if err != nil {
		return fmt.Errorf("reading the demo's keys: %w", err)
	}
	e, _ := findEndpoint(c.Endpoint) // an unknown one is told later
	c.BaseURL = d.BaseURL
	switch {
	case c.SiteToken:
		c.APIKey, c.SecretKey = d.SiteToken.Token, d.SiteToken.SecretKey
		return nil
	case e.isDealers:
		c.APIKey, c.SecretKey = d.Dealer.APIKey, d.Dealer.SecretKey
		if c.WalletID == "" && len(d.Wallets) > 0 {
			c.WalletID = d.Wallets[0].WalletID
		}
		return nil
	}
	c.APIKey, c.SecretKey = d.Provider.APIKey, d.Provider.SecretKey
	if c.Key == "" && e.header == byKey {
		c.Key = d.Provider.VerificationKey
	}
	if c.Key == "" && len(d.Sites) > 0 {
		c.Key = d.Sites[0].CredentialKey
	}
	return nil
}

// shellQuote puts a text into single quotes for a POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
