// Package sdkcheck makes every call of a library for integrators against a running demo.
package sdkcheck

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/sdk"
)

// Command is `vezne sdk-check`.
type Command struct {
	Language string `arg:"" help:"Which library: php, python, node, go, csharp, or all."`
	Demo     string `help:"The data directory of a demo that is running." default:"demo-data" placeholder:"DIR"`
	SDK      string `name:"sdk" help:"The folder with the libraries." default:"sdk" placeholder:"DIR"`
}

// errFailed ends the command after what failed has been printed.
var errFailed = errors.New("a library does not do what it should")

// all is what stands for every language.
const all = "all"

// Run makes the calls and prints what became of each.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	d, err := demofile.Read(c.Demo)
	if err != nil {
		return fmt.Errorf("reading the demo's keys: %w", err)
	}
	if _, err := os.Stat(filepath.Join(c.SDK, "vectors")); err != nil {
		return fmt.Errorf("%s has no libraries: run this in a checkout of Vezne, or say where they are with --sdk", c.SDK)
	}
	languages := sdk.Languages()
	if c.Language != all {
		l, err := sdk.Find(c.Language)
		if err != nil {
			return err
		}
		languages = []sdk.Language{l}
	}
	examples, err := sdk.Requests()
	if err != nil {
		return err
	}
	isRight := true
	for _, l := range languages {
		driver, err := sdk.Start(ctx, c.SDK, l)
		if err != nil {
			return err
		}
		failed := 0
		for _, signing := range []string{"v2", "hash"} {
			p := &play{driver: driver, out: out, demo: d, examples: examples, language: l.Name, signing: signing, made: map[string]bool{}}
			p.run()
			failed += p.failed
		}
		if err := driver.Close(); err != nil {
			return err
		}
		verdict := "every call was answered as it should be"
		if failed > 0 {
			isRight, verdict = false, fmt.Sprintf("%d calls were not answered as they should be", failed)
		}
		if _, err := fmt.Fprintf(out, "%s: %s\n", l.Name, verdict); err != nil {
			return err
		}
	}
	if !isRight {
		return errFailed
	}
	return nil
}

// play makes all calls by one kind of signature.
type play struct {
	driver            *sdk.Driver
	out               io.Writer
	demo              demofile.File
	examples          []sdk.Request
	language, signing string
	made              map[string]bool // clauses
	failed            int
}

// run makes the calls in an order in which each finds what it asks for.
func (p *play) run() {
	p.provider()
	p.dealer()
	for _, e := range p.examples {
		if !p.made[e.Clause] {
			p.fail(e.Clause, "it was not called")
		}
	}
}

func (p *play) fail(clause, why string) {
	p.failed++
	p.print(clause, "FAILED: "+why)
}

func (p *play) print(clause, what string) {
	_, _ = fmt.Fprintf(p.out, "%-6s %-4s %-3s  %s\n", p.language, p.signing, clause, what) // a closed terminal: nobody reads it
}

// provider makes the calls of the provider's API.
func (p *play) provider() {
	p.expect("E1", nil, "provider", "name", p.demo.Provider.Name)
	p.expect("E2", nil, "provider", "name", p.demo.Provider.Name)
	status := ""
	for _, clause := range []string{"E3", "E4", "E5", "E6", "E9", "E12", "E15"} {
		made := p.create(clause, nil)
		if clause == "E3" {
			status = text(made, "tracking_code")
		}
	}
	card := p.create("E7", sdk.Fields{"credential_key": nil})
	p.expect("E8", sdk.Fields{"tracking_code": text(card, "tracking_code")}, "data", "amount", "250.00")
	for _, pair := range [][2]string{{"E10", "E11"}, {"E13", "E14"}, {"E16", "E17"}} {
		list := p.call(pair[0], nil)
		if gateway := p.first(pair[0], object(list.Fields, "data"), "gateways"); gateway != nil {
			p.create(pair[1], sdk.Fields{"gateway_id": gateway["id"]})
		}
	}
	p.expect("V1", sdk.Fields{"tracking_code": status}, "data", "amount", "250.00")
	p.moves("E3", "V1", "V3")
	p.refusals(status)
}

// create makes a payment twice with one key, which makes one payment, and returns its data.
func (p *play) create(clause string, with sdk.Fields) sdk.Fields {
	key := rand.Text()
	first, again := p.callAs(clause, with, key, p.client(clause)), p.callAs(clause, with, key, p.client(clause))
	data := object(first.Fields, "data")
	if clause == "D6" {
		data = object(first.Fields, "transfer")
	}
	switch {
	case first.IsError || again.IsError: // that is told
	case first.IdempotencyKey != key || first.IsReplayed || !again.IsReplayed:
		p.fail(clause, "the repetition with one key is not replayed")
	case string(first.Raw) != string(again.Raw):
		p.fail(clause, "the repetition with one key made another payment")
	case text(data, "amount") != "250.00":
		p.fail(clause, fmt.Sprintf("the amount is %v, and not the text 250.00", data["amount"]))
	}
	return data
}

// refusals are errors as integrators meet them.
func (p *play) refusals(code string) {
	stranger := p.client("E1")
	stranger.SecretKey += "x"
	p.refused("E1", nil, "", stranger, 401, "")
	p.refused("V1", sdk.Fields{"tracking_code": code + "X"}, "", p.client("V1"), 404, "")
	p.refused("E3", sdk.Fields{"fullname": ""}, "", p.client("E3"), 422, "fullname")
	key := rand.Text()
	p.callAs("E3", nil, key, p.client("E3"))
	p.refused("E3", sdk.Fields{"amount": "251.00"}, key, p.client("E3"), 409, "")
}

// dealer makes the calls of the dealer's API, with the key and, where that is taken, with a site token.
func (p *play) dealer() {
	p.expect("D1", nil, "payment_methods", "eiban", "active")
	website := p.client("D1")
	website.APIKey, website.SiteToken, website.SecretKey = "", p.demo.SiteToken.Token, p.demo.SiteToken.SecretKey
	p.callAs("D1", nil, "", website)
	p.refused("D4", nil, "", website, 403, "")
	p.create("D2", nil)
	paid := p.create("D3", nil)
	p.create("D8", nil)
	wallet := p.first("D4", p.call("D4", nil).Fields, "eibans")
	if wallet == nil {
		return
	}
	day := time.Now().Format(time.DateOnly)
	p.expect("D5", sdk.Fields{"wallet_id": wallet["wallet_id"], "start_date": day, "end_date": day, "page": "1"}, "date_range", "start_date", day)
	transfer := p.create("D6", sdk.Fields{"wallet_id": wallet["wallet_id"]})
	p.expect("D7", sdk.Fields{"transfer_id": transfer["transfer_id"]}, "transfer", "amount", "250.00")
	p.expect("V2", sdk.Fields{"tracking_code": paid["tracking_code"], "reference": nil}, "data", "amount", "250.00")
	p.moves("D2", "V2", "V4")
}

// moves makes a test payment and moves its clock: its expiry comes earlier.
func (p *play) moves(create, status, clock string) {
	code := text(p.create(create, sdk.Fields{"test": sdk.Fields{"outcome": "completed", "amount": "200.00", "after": 3600}}), "tracking_code")
	before := p.call(status, sdk.Fields{"tracking_code": code, "reference": nil})
	after := p.call(clock, sdk.Fields{"tracking_code": code, "seconds": 600})
	from, to := text(object(before.Fields, "data"), "expires_at"), text(object(after.Fields, "data"), "expires_at")
	if !before.IsError && !after.IsError && (to == "" || to >= from) {
		p.fail(clock, fmt.Sprintf("the expiry was %s, and is %s", from, to))
	}
}

// first is the first of a list in an answer.
func (p *play) first(clause string, in sdk.Fields, name string) sdk.Fields {
	list, _ := in[name].([]any)
	if len(list) == 0 {
		p.fail(clause, "the list "+name+" is empty")
		return nil
	}
	one, _ := list[0].(map[string]any)
	return one
}

// expect makes a call and looks at one of the answer's fields.
func (p *play) expect(clause string, with sdk.Fields, in, name, want string) {
	if a := p.call(clause, with); !a.IsError && text(object(a.Fields, in), name) != want {
		p.fail(clause, fmt.Sprintf("%s.%s is %v, and not %s", in, name, object(a.Fields, in)[name], want))
	}
}

func (p *play) call(clause string, with sdk.Fields) sdk.Answer {
	return p.callAs(clause, with, "", p.client(clause))
}

// callAs makes a call that should succeed.
func (p *play) callAs(clause string, with sdk.Fields, key string, by sdk.Client) sdk.Answer {
	a, e := p.send(clause, with, key, by)
	switch {
	case a.IsError || a.Refused != "":
		a.IsError = true
		p.fail(clause, fmt.Sprintf("%s: %d %s%s %s", e.Call, a.Status, a.Message, a.Refused, a.Raw))
	case a.Status != 200 || a.Fields["success"] != true || a.RequestID == "":
		p.fail(clause, fmt.Sprintf("%s: %d, request %q, %s", e.Call, a.Status, a.RequestID, a.Raw))
	default:
		p.print(clause, e.Call)
	}
	return a
}

// refused makes a call that should be refused, and looks whether the error says everything.
func (p *play) refused(clause string, with sdk.Fields, key string, by sdk.Client, status int, field string) {
	a, e := p.send(clause, with, key, by)
	isRight := a.IsError && a.Status == status && a.RequestID != "" && len(a.Raw) > 0 && a.Message != "" && a.Error != "" && !a.MayRepeat
	names := slices.ContainsFunc(a.Errors, func(e sdk.FieldError) bool { return e.Field == field && e.Code != "" })
	hasKey := e.Headers["Idempotency-Key"] == "" || a.IdempotencyKey != "" && (key == "" || key == a.IdempotencyKey)
	if !isRight || field != "" && !names || !hasKey {
		p.fail(clause, fmt.Sprintf("%s: it should be refused with %d, and is %+v", e.Call, status, a))
		return
	}
	p.print(clause, fmt.Sprintf("%s, refused with %d %s", e.Call, status, a.Error))
}

// send makes a call with the fields of the vectors' example, of which with changes some; one that is nil is left out.
func (p *play) send(clause string, with sdk.Fields, key string, by sdk.Client) (sdk.Answer, sdk.Request) {
	at := slices.IndexFunc(p.examples, func(e sdk.Request) bool { return e.Clause == clause })
	example := p.examples[at]
	p.made[clause] = true
	fields := sdk.Fields{}
	for name, value := range example.Fields {
		fields[name] = value
	}
	for name, value := range with {
		fields[name] = value
		if value == nil {
			delete(fields, name)
		}
	}
	if example.Fields == nil {
		fields = nil
	}
	a, err := p.driver.Call(sdk.Call{Client: by, Name: example.Call, Fields: fields, IdempotencyKey: key})
	if err != nil {
		a = sdk.Answer{IsError: true, Message: err.Error()}
	}
	return a, example
}

// client is whose call a clause is.
func (p *play) client(clause string) sdk.Client {
	c := sdk.Client{Kind: "provider", BaseURL: p.demo.BaseURL, Signing: p.signing}
	if clause[0] == 'D' || clause == "V2" || clause == "V4" {
		c.Kind, c.APIKey, c.SecretKey = "dealer", p.demo.Dealer.APIKey, p.demo.Dealer.SecretKey
		return c
	}
	c.APIKey, c.SecretKey, c.VerificationKey = p.demo.Provider.APIKey, p.demo.Provider.SecretKey, p.demo.Provider.VerificationKey
	c.CredentialKey = p.demo.Sites[0].CredentialKey
	return c
}

func object(in sdk.Fields, name string) sdk.Fields {
	inner, _ := in[name].(map[string]any)
	return inner
}

func text(in sdk.Fields, name string) string {
	switch v := in[name].(type) {
	case string:
		return v
	case json.Number:
		return "the number " + v.String()
	default:
		return ""
	}
}
