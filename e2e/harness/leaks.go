package harness

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// leakShapes are what secrets look like, for those that no test has kept. Every key but the public API keys is 32 characters
// of Crockford base32, a page token 40.
var leakShapes = map[string]*regexp.Regexp{
	"an issued secret":       regexp.MustCompile(`\bvz(s|v|c|ds|ts|t|g|q|qs|x|i)_[0-9a-z]{32}`),
	"a webhook secret":       regexp.MustCompile(`whsec_[0-9A-Za-z+/=]{20}`),
	"a page's address":       regexp.MustCompile(`/pay/(return/)?[0-9A-Z]{20}`),
	"a gateway's address":    regexp.MustCompile(`/gateways/notify/[0-9A-Za-z_]{20}`),
	"a test card":            regexp.MustCompile(`\b999999[0-9]{10}\b`),
	"a bearer token":         regexp.MustCompile(`Bearer [0-9A-Za-z_]{8}`),
	"a password in an URL":   regexp.MustCompile(`[a-z]+://[^/\s:@"]*:[^/\s:@"]+@`),
	"a sealed secret's text": regexp.MustCompile(`v1\.[0-9a-f]{8}\.[0-9A-Za-z_-]{20}`),
}

// leaks looks for secrets in everything that every process has printed. What demo and sign print on standard output is
// meant to be read by who started them.
func (w *workshop) leaks() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []error
	for _, p := range w.processes {
		texts := map[string]string{"standard error": p.Stderr.String()}
		if p.command() != "demo" && p.command() != "sign" {
			texts["standard output"] = p.Stdout.String()
		}
		for where, text := range texts {
			if what := w.leakIn(text); what != "" {
				found = append(found, fmt.Errorf("%s prints %s on %s", p, what, where))
			}
		}
	}
	return errors.Join(found...)
}

func (w *workshop) leakIn(text string) string {
	text = strings.ReplaceAll(text, "://user:password@", "://") // the example in help and errors
	for secret, what := range w.secrets {
		if at := strings.Index(text, secret); at >= 0 {
			return what + ": " + around(text, at)
		}
	}
	for what, shape := range leakShapes {
		if at := shape.FindStringIndex(text); at != nil {
			return what + ": " + around(text, at[0])
		}
	}
	return ""
}

// around is the line of a position, as far as it helps to find where it comes from.
func around(text string, at int) string {
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[begin:], "\n")
	return line[:min(len(line), 400)]
}
