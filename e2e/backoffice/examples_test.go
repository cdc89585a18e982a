package backoffice_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// examplePage has operations for staff, each with a comment that says how it is run here.
const examplePage = "../../docs/staff.md"

// exampleBlock is one of them: how it is run, the operation, and its variables.
var exampleBlock = regexp.MustCompile("(?s)<!-- run as ([^>]*?) -->\n```graphql\n(.*?)\n```(?:\n```json\n(.*?)\n```)?")

// example says how an operation is run: by whom, with whose login, how often, and what of its answer later ones need.
type example struct {
	role, email      string
	refused          string   // the code that it has to be refused with
	keep, until      []string // name=path
	query, variables string
}

// readExamples finds every operation of the page; one that the pattern does not know fails.
func readExamples(t *testing.T) (list []example) {
	t.Helper()
	text, err := os.ReadFile(examplePage)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range exampleBlock.FindAllStringSubmatch(string(text), -1) {
		e := example{query: found[2], variables: found[3]}
		for i, part := range strings.Split(found[1], "; ") {
			word, rest, _ := strings.Cut(part, " ")
			switch {
			case i == 0:
				e.role = part
			case word == "email":
				e.email = rest
			case word == "refused":
				e.refused = rest
			case word == "keep":
				e.keep = append(e.keep, rest)
			case word == "until":
				e.until = append(e.until, rest)
			default:
				t.Fatalf("%s: %q says nothing that is known", examplePage, part)
			}
		}
		list = append(list, e)
	}
	graphql, variables := strings.Count(string(text), "```graphql"), strings.Count(string(text), "```json")
	withVariables := 0
	for _, e := range list {
		if e.variables != "" {
			withVariables++
		}
	}
	if len(list) == 0 || graphql != len(list) || variables != withVariables {
		t.Fatalf("%s has %d operations and %d blocks of variables; %d and %d of them are run", examplePage, graphql, variables,
			len(list), withVariables)
	}
	return list
}

// exampleRun is a demo in which the page's operations are run one after the other.
type exampleRun struct {
	*testing.T
	in      *harness.Installation
	server  *harness.Process
	known   map[string]string // what stands for what is in angle brackets
	signed  map[string]harness.Staff
	otpauth string
}

// TestExamples runs every operation of docs/staff.md, in its order, in a demo that has what they are about.
func TestExamples(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	in := harness.NewEmpty(t)
	r := exampleRun{T: t, in: in, server: in.Seed(), known: map[string]string{}, signed: map[string]harness.Staff{}}
	for _, m := range in.Keys.Staff {
		role := m.Role
		if _, isSecond := r.signed[role]; isSecond {
			role = "second " + role
		}
		var err error
		if r.signed[role], err = harness.SignIn(r.server.URL, m.Email, m.Password); err != nil {
			t.Fatal(err)
		}
	}
	r.prepare()
	for _, e := range examples {
		r.run(e)
	}
	if !slices.ContainsFunc(r.server.Log("request"), func(l harness.LogLine) bool { return l.Path == "/graphql" && strings.HasPrefix(l.Caller, "staff/") }) {
		t.Error("the log does not say whose requests of /graphql were")
	}
	r.server.Stop(t)
}

// prepare makes what the operations need.
func (r *exampleRun) prepare() {
	r.Helper()
	provider := r.in.Provider(r.server)
	for name, made := range map[string]harness.Payment{
		"deposit": provider.Create(r, "start-manual-deposit", "250.00"), "third deposit": provider.Create(r, "start-manual-deposit", "250.00"), "other deposit": provider.Create(r, "start-manual-deposit", "75.00"),
		"withdrawal": provider.Create(r, "start-manual-withdraw", "500.00"), "large withdrawal": provider.Create(r, "start-manual-withdraw", "12500.00"),
	} {
		r.known[name] = made.TrackingCode
		if name == "deposit" || name == "third deposit" { // an account is shown: one person's word is enough
			made.At(r.server).Press(r, "continue", url.Values{"amount": {"250,00"}})
		}
	}
	byWallet := provider.Create(r, "third-party/wallet/start-deposit", "250.50")
	byWallet.Must(r, harness.Press("begin"), harness.Press("wallet", "wallet", bank.TestWallet("00")))
	over := provider.Create(r, "third-party/bank/start-deposit", "250.27")
	over.Must(r, harness.Press("begin"))
	harness.Eventually(r, func() error {
		if got := r.signed["operator"].Transaction(r, byWallet.TrackingCode); got.Status != "COMPLETED" {
			return fmt.Errorf("the deposit by wallet is %s", got.Status)
		}
		return nil
	})
	r.known["deposit by gateway"] = byWallet.TrackingCode
	r.dispute(provider)
	r.known["E-IBAN deposit"] = r.payByStranger(provider)
	zone, err := time.LoadLocation("Europe/Istanbul")
	if err != nil {
		r.Fatal(err)
	}
	r.known["sandbox"] = r.server.URL + "/sandbox"
	r.known["today"] = time.Now().In(zone).Format(time.DateOnly)
}

// dispute has two payers dispute what they have paid by card.
func (r *exampleRun) dispute(provider harness.Caller) {
	r.Helper()
	for range 2 {
		card := provider.Card(r, "250.00")
		card.Must(r, harness.Press("begin"), harness.WithCard(bank.TestCard("00")))
		harness.Eventually(r, func() error {
			if got := r.signed["operator"].Transaction(r, card.TrackingCode); got.Status != "COMPLETED" {
				return fmt.Errorf("the card payment is %s", got.Status)
			}
			return nil
		})
		k := r.in.Keys.Sandbox
		a, err := harness.PostJSON(k.URL+"/admin/disputes", http.Header{bank.AdminHeader: {k.AdminKey}}, map[string]any{
			"reference": r.signed["operator"].Reference(r, card, "DEPOSIT"), "reason": "fraudulent", "status": bank.NeedsResponse,
		})
		if err != nil || a.Status != http.StatusOK {
			r.Fatalf("%v: %d %s", err, a.Status, a.Body)
		}
		r.known["disputed"] = card.TrackingCode
	}
}

// payByStranger makes an E-IBAN deposit, and has somebody pay it whose name it does not have.
func (r *exampleRun) payByStranger(provider harness.Caller) string {
	r.Helper()
	made := provider.Create(r, "start-eiban-deposit", "321.50")
	made.At(r.server).Press(r, "continue", url.Values{"amount": {"321,50"}})
	iban := r.signed["operator"].Transaction(r, made.TrackingCode).Account.IBAN
	v := &harness.Visitor{}
	err := v.Open(r.server.URL + "/sandbox/branch")
	if err == nil {
		err = v.Press("branch", url.Values{"iban": {iban}, "name": {"MEHMET KAYA"}, "amount": {"321,50"}, "text": {"havale"}, "arrives": {"now"}})
	}
	if err != nil {
		r.Fatal(err)
	}
	return made.TrackingCode
}

func (r *exampleRun) run(e example) {
	r.Helper()
	if strings.HasPrefix(e.query, "subscription") {
		r.follow(e)
		return
	}
	if len(e.until) == 0 {
		r.once(e)
		return
	}
	harness.Eventually(r, func() error {
		answer := r.once(e)
		for _, wanted := range e.until {
			path, is, _ := strings.Cut(wanted, "=")
			if strings.Contains(is, ".") { // name=path: until there is one
				path, is = is, ""
			}
			if got := answer.at(path); got == "" || is != "" && got != is {
				return fmt.Errorf("%s is %q in the answer to\n%s", path, got, e.query)
			}
		}
		return nil
	})
}

// exampleAnswer is an answer's data, with what its errors' extensions say beside.
type exampleAnswer map[string]any

// at is the text at a path such as nodes.0.id; nothing when there is none.
func (a exampleAnswer) at(path string) string {
	var v any = map[string]any(a)
	for part := range strings.SplitSeq(path, ".") {
		switch inner := v.(type) {
		case map[string]any:
			v = inner[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(inner) {
				return ""
			}
			v = inner[i]
		default:
			return ""
		}
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// once runs an operation once. It has to be answered without an error, or with the one that the page says.
func (r *exampleRun) once(e example) exampleAnswer {
	r.Helper()
	a, err := harness.Send(r.request(e))
	var whole struct {
		Data   exampleAnswer
		Errors []struct {
			Message    string
			Extensions map[string]any
		}
	}
	if err != nil || json.Unmarshal(a.Body, &whole) != nil {
		r.Fatalf("%d %s (%v)", a.Status, a.Body, err)
	}
	answer, code := whole.Data, ""
	if len(whole.Errors) > 0 {
		answer = whole.Errors[0].Extensions
		code = answer.at("code")
	}
	if code != e.refused {
		r.Fatalf("as %s:\n%s\n%s\nis answered by %s", e.role, e.query, e.variables, a.Body)
	}
	for _, item := range slices.Concat(e.keep, e.until) {
		name, path, _ := strings.Cut(item, "=")
		if value := answer.at(path); !strings.Contains(name, ".") {
			r.remember(name, value)
		}
	}
	if token := answer.at("login.token"); token != "" {
		harness.KeepSecret("a staff session's token", token)
	}
	return answer
}

// remember keeps a value for the angle brackets of later operations.
func (r *exampleRun) remember(name, value string) {
	r.known[name] = value
	switch name {
	case "otpauth":
		link, err := url.Parse(value)
		if err != nil {
			r.Fatal(err)
		}
		r.otpauth = link.Query().Get("secret")
	case "link":
		_, r.known["token of the link"], _ = strings.Cut(value, "#")
	}
}

var bracket = regexp.MustCompile(`<[^<>"]+>`)

// request is an operation as it is sent.
func (r *exampleRun) request(e example) *http.Request {
	r.Helper()
	login := e.email
	if login == "" {
		login = e.role
	}
	if login == "nobody" {
		login = "operator"
	}
	member := r.in.Member(strings.TrimPrefix(login, "second ")) // who signs in on the page is the first of a role
	known := map[string]string{"email": member.Email, "password": member.Password}
	if r.otpauth != "" {
		known["code"], known["next code"] = harness.AppCode(r.T, r.otpauth, 0), harness.AppCode(r.T, r.otpauth, 1)
	}
	variables := bracket.ReplaceAllStringFunc(e.variables, func(text string) string {
		name := text[1 : len(text)-1]
		value := known[name]
		if value == "" {
			value = r.known[name]
		}
		if value == "" {
			r.Fatalf("nothing is known for %s in\n%s\n%s", text, e.query, e.variables)
		}
		return value
	})
	if variables == "" {
		variables = "{}"
	}
	body, err := json.Marshal(map[string]any{"query": e.query, "variables": json.RawMessage(variables)})
	if err != nil {
		r.Fatalf("%v:\n%s", err, variables)
	}
	q, err := http.NewRequestWithContext(r.Context(), http.MethodPost, r.server.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		r.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	if s, isStaff := r.signed[e.role]; isStaff {
		q.Header.Set("Authorization", "Bearer "+s.Token)
	}
	return q
}

// follow subscribes as the page says for curl, and is told first that there may be a gap.
func (r *exampleRun) follow(e example) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), harness.Patience)
	defer cancel()
	q := r.request(e).WithContext(ctx)
	q.Header.Set("Accept", "text/event-stream")
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }() // it has no end
	lines := bufio.NewScanner(a.Body)
	for lines.Scan() {
		if data, isData := strings.CutPrefix(lines.Text(), "data:"); isData {
			if !strings.Contains(data, `"hasGap":true`) || strings.Contains(data, `"errors"`) {
				r.Errorf("the first event of\n%s\nis %s", e.query, data)
			}
			return
		}
	}
	r.Errorf("no event of\n%s\n(%v)", e.query, lines.Err())
}
