// Command driver does what JSON lines on standard input say, and answers each with a line: the tests and `vezne sdk-check` drive the
// library so.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	vezne "github.com/vezne/vezne/sdk/go"
)

type step struct {
	Do     string
	Client struct {
		Kind            string
		BaseURL         string `json:"base_url"`
		APIKey          string `json:"api_key"`
		SecretKey       string `json:"secret_key"`
		CredentialKey   string `json:"credential_key"`
		VerificationKey string `json:"verification_key"`
		SiteToken       string `json:"site_token"`
		Signing         string
		Language        string
	}
	Name           string
	Fields         vezne.Fields
	IdempotencyKey string `json:"idempotency_key"`
	Now            int64

	Headers   map[string]string
	Body      []byte
	Secrets   []string
	Tolerance int64

	APIKey    string `json:"api_key"`
	SecretKey string `json:"secret_key"`
	Middle    string
	Method    string
	Target    string
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var s step
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.UseNumber()
		if err := d.Decode(&s); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(s.play()); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func (s step) play() any {
	switch s.Do {
	case "call":
		return s.call()
	case "sign":
		return map[string]string{
			"hash":      vezne.SignHash(s.APIKey, s.SecretKey, s.Middle, s.Headers["X-Timestamp"]),
			"signature": vezne.SignV2(s.SecretKey, s.Method, s.Target, s.header(), s.Body),
		}
	default:
		return s.verify()
	}
}

func (s step) header() http.Header {
	h := http.Header{}
	for name, value := range s.Headers {
		h.Set(name, value)
	}
	return h
}

func (s step) clock() func() time.Time {
	if s.Now == 0 {
		return nil
	}
	return func() time.Time { return time.Unix(s.Now, 0) }
}

func (s step) verify() any {
	check := vezne.Check{Secrets: s.Secrets, Tolerance: time.Duration(s.Tolerance) * time.Second, Clock: s.clock()}
	var event vezne.Fields
	var err error
	if s.Do == "verify" {
		event, err = check.Callback(s.header(), s.Body)
	} else {
		event, err = check.Hash(s.header(), s.Body, s.APIKey)
	}
	var why vezne.Reason
	errors.As(err, &why)
	return map[string]any{"ok": err == nil, "reason": string(why), "event": plain(map[string]any(event))}
}

func (s step) client() any {
	c := s.Client
	o := vezne.Options{Hash: c.Signing == "hash", Language: c.Language, Clock: s.clock()}
	if c.Kind == "dealer" {
		return vezne.NewDealer(c.BaseURL, vezne.DealerKeys{APIKey: c.APIKey, SiteToken: c.SiteToken, SecretKey: c.SecretKey}, o)
	}
	return vezne.NewProvider(c.BaseURL, vezne.ProviderKeys{
		APIKey: c.APIKey, SecretKey: c.SecretKey, CredentialKey: c.CredentialKey, VerificationKey: c.VerificationKey,
	}, o)
}

func (s step) call() any {
	name := ""
	for _, word := range strings.Split(s.Name, "-") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	if s.Fields != nil {
		arguments = append(arguments, reflect.ValueOf(vezne.Fields(native(map[string]any(s.Fields)).(map[string]any))))
	}
	if s.IdempotencyKey != "" {
		arguments = append(arguments, reflect.ValueOf(s.IdempotencyKey))
	}
	results := reflect.ValueOf(s.client()).MethodByName(name).Call(arguments)
	if err, isError := results[1].Interface().(error); isError {
		var e *vezne.Error
		if !errors.As(err, &e) {
			return map[string]any{"refused": err.Error()}
		}
		return map[string]any{
			"is_error": true, "message": e.Message, "status": e.Status, "error": e.Text, "code": e.Code, "errors": e.Fields,
			"request_id": e.RequestID, "raw": e.Raw, "idempotency_key": e.IdempotencyKey, "retry_after": int(e.RetryAfter / time.Second),
			"may_repeat": e.MayRepeat(),
		}
	}
	a := results[0].Interface().(*vezne.Answer)
	return map[string]any{
		"fields": plain(map[string]any(a.Fields)), "status": a.Status, "request_id": a.RequestID, "raw": a.Raw,
		"idempotency_key": a.IdempotencyKey, "is_replayed": a.IsReplayed,
	}
}

// native makes the numbers of a request what a program has: whole ones int64, others float64.
func native(v any) any {
	return each(v, func(n json.Number) any {
		if whole, err := n.Int64(); err == nil {
			return whole
		}
		f, _ := n.Float64()
		return f
	})
}

// plain writes numbers as the other languages' libraries give them: those with decimals as text.
func plain(v any) any {
	return each(v, func(n json.Number) any {
		if _, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return n
		}
		return n.String()
	})
}

func each(v any, change func(json.Number) any) any {
	switch v := v.(type) {
	case json.Number:
		return change(v)
	case map[string]any:
		for name, inner := range v {
			v[name] = each(inner, change)
		}
	case []any:
		for i, inner := range v {
			v[i] = each(inner, change)
		}
	}
	return v
}
