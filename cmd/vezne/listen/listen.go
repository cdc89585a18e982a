// Package listen forwards the callbacks of an account in a sandbox to an address that Vezne itself cannot reach.
package listen

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/sign"
)

// Command is `vezne listen`.
type Command struct {
	ForwardTo string `name:"forward-to" required:"" placeholder:"URL" help:"Where callbacks are sent, such as http://127.0.0.1:3000/callback."`
	Demo      string `help:"Take keys and address from this demo directory's demo.json." placeholder:"DIR"`
	BaseURL   string `help:"Address of the sandbox." default:"http://127.0.0.1:8080"`
	APIKey    string `env:"VEZNE_SIGN_API_KEY" help:"The provider's or the dealer's API key."`
	SecretKey string `env:"VEZNE_SIGN_SECRET_KEY" help:"Its secret key. Better as environment variable: arguments are visible to other users."`
	Dealer    bool   `help:"Listen as a dealer."`
}

const (
	pause       = time.Second      // between two questions
	timeout     = 10 * time.Second // of a question, and of a receiver as Vezne has it
	maxAnswer   = 16 << 20         // bytes
	maxReceived = 64 << 10
)

// errRefused ends listening: asking again changes nothing.
var errRefused = errors.New("the sandbox refuses to be listened to")

// ear asks for callbacks and forwards them.
type ear struct {
	Command
	http *http.Client
	out  io.Writer
	seen map[string]bool // ids of the answer before: its last ones come again
}

// Run forwards callbacks until it is stopped.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	var form core.Form
	if form.URL("--forward-to", &c.ForwardTo, &c.ForwardTo); form.Err("listen") != nil || c.ForwardTo == "" {
		return errors.New("--forward-to is no address of a receiver: it is an http or https URL without user and password")
	}
	if c.Demo != "" {
		d, err := demofile.Read(c.Demo)
		if err != nil {
			return fmt.Errorf("reading the demo's keys: %w", err)
		}
		c.BaseURL, c.APIKey, c.SecretKey = d.BaseURL, d.Provider.APIKey, d.Provider.SecretKey
		if c.Dealer {
			c.APIKey, c.SecretKey = d.Dealer.APIKey, d.Dealer.SecretKey
		}
	}
	if c.APIKey == "" || c.SecretKey == "" {
		return errors.New("listen needs --api-key and --secret-key, or --demo DIR")
	}
	e := &ear{Command: c, out: out, http: &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	return e.listen(ctx)
}

func (e *ear) listen(ctx context.Context) error {
	next, isListening, isLost := "", false, false
	for ctx.Err() == nil {
		answer, err := e.ask(ctx, next)
		switch {
		case errors.Is(err, errRefused):
			return err
		case err != nil && ctx.Err() == nil && !isLost:
			isLost = true
			e.print("%v; trying again", err)
		case err == nil:
			next, isLost = answer.Next, false
			if !isListening {
				isListening = true
				e.print("Listening to %s. What comes is sent to %s; Ctrl-C ends it.", e.BaseURL, e.ForwardTo)
			}
			e.forwardNew(ctx, answer.Callbacks)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}

func (e *ear) print(format string, args ...any) {
	_, _ = fmt.Fprintf(e.out, format+"\n", args...) // a closed terminal: nobody reads it
}

// callback is one as it is sent.
type callback struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

type heard struct {
	Callbacks []callback `json:"callbacks"`
	Next      string     `json:"next"`
}

// ask asks for the callbacks since the last answer.
func (e *ear) ask(ctx context.Context, after string) (h heard, err error) {
	target := "/api/provider/callbacks"
	if e.Dealer {
		target = "/api/dealer/callbacks"
	}
	if after != "" {
		target += "?after=" + after
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(e.BaseURL, "/")+target, http.NoBody)
	if err != nil {
		return h, fmt.Errorf("%w: %w", errRefused, err)
	}
	over := sign.Request{
		Method: r.Method, Target: target, APIKey: e.APIKey, Timestamp: strconv.FormatInt(time.Now().Unix(), 10), Nonce: rand.Text(),
	}
	for name, value := range map[string]string{
		"X-Api-Key": over.APIKey, "X-Timestamp": over.Timestamp, "X-Nonce": over.Nonce, "X-Signature": over.Signature(e.SecretKey),
		"Content-Type": "application/json", "Accept-Language": "en",
	} {
		r.Header.Set(name, value)
	}
	got, err := e.http.Do(r)
	if err != nil {
		return h, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer))
	if err != nil {
		return h, err
	}
	switch {
	case got.StatusCode == http.StatusNotFound:
		return h, fmt.Errorf("%w: %s is no sandbox, or not a Vezne that can be listened to", errRefused, e.BaseURL)
	case got.StatusCode == http.StatusTooManyRequests || got.StatusCode >= 500:
		return h, fmt.Errorf("the sandbox answers %d", got.StatusCode)
	case got.StatusCode != http.StatusOK:
		var why struct{ Message string }
		_ = json.Unmarshal(body, &why) // without a message the status has to do
		return h, fmt.Errorf("%w: %d %s", errRefused, got.StatusCode, why.Message)
	}
	return h, json.Unmarshal(body, &h)
}

// forwardNew forwards what was not in the answer before.
func (e *ear) forwardNew(ctx context.Context, list []callback) {
	now := make(map[string]bool, len(list))
	for _, c := range list {
		id := c.Headers["X-Callback-Id"]
		now[id] = true
		if !e.seen[id] {
			e.forward(ctx, c)
		}
	}
	e.seen = now
}

// forward sends a callback on, once, and shows it with what the receiver answers.
func (e *ear) forward(ctx context.Context, c callback) {
	var says struct {
		TrackingCode string      `json:"tracking_code"`
		Status       string      `json:"status"`
		Amount       json.Number `json:"amount"`
	}
	_ = json.Unmarshal([]byte(c.Body), &says) // it is shown whole below
	begun := time.Now()
	e.print("%s  %s %s %s → %s\n  %s", begun.Format(time.TimeOnly), says.TrackingCode, says.Status, says.Amount, e.send(ctx, c), c.Body)
}

func (e *ear) send(ctx context.Context, c callback) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.ForwardTo, bytes.NewReader([]byte(c.Body)))
	if err != nil {
		return err.Error()
	}
	for name, value := range c.Headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("X-Api-Key", e.APIKey)
	got, err := e.http.Do(r)
	if err != nil {
		return "no answer: " + err.Error()
	}
	defer got.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(got.Body, maxReceived)) // what it says does not matter
	if got.StatusCode != http.StatusOK {
		return fmt.Sprintf("%d: only 200 counts, Vezne would send it again", got.StatusCode)
	}
	return "200"
}
