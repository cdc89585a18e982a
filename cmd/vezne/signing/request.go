package signing

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/sign"
)

// maxBodyBytes is what the API takes at most.
const maxBodyBytes = 64 << 10

// printRequest shows how a request signature is made: the string to sign, the headers, and a curl command.
func (c Command) printRequest(out io.Writer, e endpoint) error {
	if c.CheckHash != "" {
		return fmt.Errorf("--check-hash is about hashes: compare the string to sign that --v2 prints with yours")
	}
	if c.Nonce == "" {
		var raw [16]byte
		_, _ = rand.Read(raw[:]) // it never fails
		c.Nonce = hex.EncodeToString(raw[:])
	}
	if !sign.IsNonce(c.Nonce) {
		return fmt.Errorf("--nonce has %d to %d letters, digits, hyphens and underscores", sign.MinNonceChars, sign.MaxNonceChars)
	}
	r, err := c.over(e)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "string to sign\n%s\n\nX-Timestamp  %s\nX-Nonce      %s\nX-Signature  %s\n",
		r.StringToSign(), r.Timestamp, r.Nonce, r.Signature(c.SecretKey)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\n%s\n", c.curlOf(r))
	return err
}

// over is what is signed.
func (c Command) over(e endpoint) (sign.Request, error) {
	r := sign.Request{
		Method: e.method(), Target: c.target(e), Timestamp: strconv.FormatInt(c.Timestamp, 10), Nonce: c.Nonce,
		IdempotencyKey: c.IdempotencyKey, Body: []byte(c.filled(c.Body, e.body)),
	}
	if c.SiteToken {
		r.SiteToken = c.APIKey
	} else {
		r.APIKey = c.APIKey
	}
	switch e.header {
	case byKey:
		r.Key = c.Key
	case byCredential:
		r.CredentialKey = c.Key
	}
	if c.BodyFile == "" {
		return r, nil
	}
	var err error
	r.Body, err = readBodyFile(c.BodyFile)
	return r, err
}

// target is the path and query of a call, character by character as curl sends them.
func (c Command) target(e endpoint) string {
	target := e.path
	if query := c.filled(c.Query, e.query); query != "" {
		target += "?" + query
	}
	return target
}

func readBodyFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(file, maxBodyBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the body: %w", err)
	case len(body) > maxBodyBytes:
		return nil, fmt.Errorf("%s has more than the %d bytes that the API takes", name, maxBodyBytes)
	}
	return body, nil
}

// curlOf is the command that sends a signed request. The secret key is not in it.
func (c Command) curlOf(r sign.Request) string {
	// --path-as-is and --globoff: curl sends the address as it was signed.
	lines := []string{"curl -sS --path-as-is --globoff -X " + r.Method + " " + shellQuote(c.BaseURL+r.Target)}
	for _, h := range [][2]string{
		{"X-Api-Key", r.APIKey}, {"X-Site-Token", r.SiteToken}, {"X-Credential-Key", r.CredentialKey}, {"X-Key", r.Key},
		{"Idempotency-Key", r.IdempotencyKey}, {"X-Timestamp", r.Timestamp}, {"X-Nonce", r.Nonce},
		{"X-Signature", r.Signature(c.SecretKey)}, {"Content-Type", "application/json"},
	} {
		if h[1] != "" {
			lines = append(lines, "  -H "+shellQuote(h[0]+": "+h[1]))
		}
	}
	switch {
	case c.BodyFile != "":
		lines = append(lines, "  --data-binary "+shellQuote("@"+c.BodyFile))
	case len(r.Body) > 0:
		lines = append(lines, "  --data-raw "+shellQuote(string(r.Body)))
	}
	return strings.Join(lines, " \\\n")
}

// takeAddress reads an endpoint that is given as a whole address, whose query is the one to sign, and returns what it is
// below; empty: the endpoint is no address.
func (c *Command) takeAddress() (string, error) {
	if !strings.HasPrefix(c.Endpoint, "http://") && !strings.HasPrefix(c.Endpoint, "https://") {
		return "", nil
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return "", fmt.Errorf("%s is no address of an endpoint", c.Endpoint)
	}
	c.Endpoint = u.EscapedPath()
	if u.RawQuery != "" {
		c.Query = u.RawQuery
	}
	return u.Scheme + "://" + u.Host, nil
}
