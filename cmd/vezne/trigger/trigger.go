// Package trigger makes an event happen in a demo: as its provider, its customer and its staff.
package trigger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core/sign"
)

// Command is `vezne trigger`.
type Command struct {
	Event string `arg:"" help:"What is to happen: deposit.completed, deposit.canceled, withdrawal.completed, withdrawal.rejected, withdrawal.failed, card.success, card.failed or card.cancelled."`
	Demo  string `help:"The data directory of a demo that is running." default:"demo-data" placeholder:"DIR"`
}

// event is how something is made to happen: a payment, and what is done with it.
type event struct {
	path string
	do   func(*stage, context.Context, payment) error
}

// events by what their callbacks say.
func events() map[string]event {
	const deposit, withdrawal, card = "start-manual-deposit", "start-manual-withdraw", "credit-card/payment"
	because := map[string]any{"reason": "vezne trigger"}
	return map[string]event{
		"deposit.completed": {deposit, func(s *stage, ctx context.Context, p payment) error {
			return s.decide(ctx, p, "approveDeposit", map[string]any{"reason": "vezne trigger", "expectedAmount": amount})
		}},
		"deposit.canceled": {deposit, func(s *stage, ctx context.Context, p payment) error {
			return s.decide(ctx, p, "rejectDeposit", because)
		}},
		"withdrawal.completed": {withdrawal, claimed("completeWithdrawal", nil)},
		"withdrawal.rejected":  {withdrawal, claimed("rejectWithdrawal", because)},
		"withdrawal.failed":    {withdrawal, claimed("failWithdrawal", because)},
		"card.success":         {card, pay("4242424242424242")},
		"card.failed":          {card, pay("9999991800000006")}, // fraud: of other refusals the customer may try another gateway
		"card.cancelled":       {card, func(s *stage, ctx context.Context, p payment) error { return s.press(ctx, p.PaymentURL, "cancel", nil) }},
	}
}

const amount = "250.00"

// claimed decides about a withdrawal as whoever has claimed it.
func claimed(mutation string, with map[string]any) func(*stage, context.Context, payment) error {
	return func(s *stage, ctx context.Context, p payment) error {
		return errors.Join(s.decide(ctx, p, "claimWithdrawal", nil), s.decide(ctx, p, mutation, with))
	}
}

// pay enters a test card on the gateway's page.
func pay(number string) func(*stage, context.Context, payment) error {
	return func(s *stage, ctx context.Context, p payment) error {
		if err := s.press(ctx, p.PaymentURL, "begin", nil); err != nil {
			return err
		}
		return s.press(ctx, "", "card", url.Values{"holder": {"AYSE YILMAZ"}, "number": {number}, "expiry": {"12/40"}, "cvc": {"123"}})
	}
}

// stage is the demo, and the page on which its customer is.
type stage struct {
	demo   demofile.File
	tokens map[string]string // of sessions, by role
	at     *url.URL
	page   string
}

// payment is what a creating call answers.
type payment struct {
	TrackingCode string `json:"tracking_code"`
	PaymentURL   string `json:"payment_url"`
}

const (
	timeout = 30 * time.Second
	maxPage = 4 << 20
)

// Run makes the event happen.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	e, ok := events()[c.Event]
	if !ok {
		return fmt.Errorf("no event %q; there are %s", c.Event, strings.Join(slices.Sorted(maps.Keys(events())), ", "))
	}
	d, err := demofile.Read(c.Demo)
	if err != nil {
		return fmt.Errorf("reading the demo's keys: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	s := &stage{demo: d, tokens: map[string]string{}}
	p, err := s.start(ctx, e.path)
	if err != nil {
		return err
	}
	if err := e.do(s, ctx, p); err != nil {
		return fmt.Errorf("%s of %s: %w", c.Event, p.TrackingCode, err)
	}
	_, err = fmt.Fprintf(out, "%s %s\nIts callback goes to %s, and to whoever listens.\n", c.Event, p.TrackingCode, d.CallbackURL)
	return err
}

// start creates a payment as the provider.
func (s *stage) start(ctx context.Context, path string) (p payment, err error) {
	fields := map[string]any{
		"fullname": "Ayşe Yılmaz", "username": "ayse.yilmaz", "user_id": "u-1001", "amount": amount, "iban": "TR330006100519786457841326",
		"credential_key": s.demo.Sites[0].CredentialKey, "firstname": "Ayşe", "lastname": "Yılmaz", "email": "ayse@example.com",
		"phone": "+905551112233", "reference": "vezne-trigger",
	}
	k, stamp, middle := s.demo.Provider, strconv.FormatInt(time.Now().Unix(), 10), s.demo.Sites[0].CredentialKey
	if path == "credit-card/payment" {
		middle = ""
	}
	var answer struct {
		Data    payment
		Message string
	}
	err = s.post(ctx, s.demo.BaseURL+"/api/provider/"+path, fields, map[string]string{
		"X-Api-Key": k.APIKey, "X-Credential-Key": s.demo.Sites[0].CredentialKey, "X-Timestamp": stamp,
		"X-Hash": sign.Hash(k.APIKey, k.SecretKey, middle, stamp),
	}, &answer)
	if err == nil && answer.Data.TrackingCode == "" {
		err = fmt.Errorf("the payment was not created: %s", answer.Message)
	}
	return answer.Data, err
}

// post sends JSON and reads JSON, whatever the status is.
func (s *stage) post(ctx context.Context, address string, body any, header map[string]string, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", "en")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	if err := json.NewDecoder(io.LimitReader(got.Body, maxPage)).Decode(answer); err != nil {
		return fmt.Errorf("the demo answers %d: %w", got.StatusCode, err)
	}
	return nil
}

// refusal is why GraphQL has not done something. With an approval it waits for a second person.
type refusal struct {
	Message    string
	Extensions struct {
		ApprovalID string `json:"approvalId"`
	}
}

func (r refusal) Error() string { return r.Message }

// ask sends a GraphQL mutation as a member of staff of a role; without a role as nobody.
func (s *stage) ask(ctx context.Context, role, mutation string, variables map[string]any, data any) error {
	header := map[string]string{}
	if role != "" {
		token, err := s.signIn(ctx, role)
		if err != nil {
			return fmt.Errorf("signing in: %w", err)
		}
		header["Authorization"] = "Bearer " + token
	}
	answer := struct {
		Data   any
		Errors []refusal
	}{Data: data}
	err := s.post(ctx, s.demo.BaseURL+"/graphql", map[string]any{"query": mutation, "variables": variables}, header, &answer)
	if err == nil && len(answer.Errors) > 0 {
		err = answer.Errors[0]
	}
	return err
}

// decide decides about a payment as the operator; an admin approves what takes two.
func (s *stage) decide(ctx context.Context, p payment, mutation string, with map[string]any) error {
	input := map[string]any{"trackingCode": p.TrackingCode}
	maps.Copy(input, with)
	query := fmt.Sprintf("mutation($input: %sInput!) { %s(input: $input) { transaction { status } } }", strings.ToUpper(mutation[:1])+mutation[1:], mutation)
	err := s.ask(ctx, "operator", query, map[string]any{"input": input}, nil)
	var waits refusal
	if errors.As(err, &waits) && waits.Extensions.ApprovalID != "" {
		return s.ask(ctx, "admin", `mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`,
			map[string]any{"id": waits.Extensions.ApprovalID}, nil)
	}
	return err
}

// signIn returns the token of a session, which the first who asks begins.
func (s *stage) signIn(ctx context.Context, role string) (string, error) {
	if token := s.tokens[role]; token != "" {
		return token, nil
	}
	at := slices.IndexFunc(s.demo.Staff, func(m demofile.Staff) bool { return m.Role == role })
	if at < 0 {
		return "", errors.New("the demo has no " + role)
	}
	var data struct{ Login struct{ Token string } }
	err := s.ask(ctx, "", `mutation($email: String!, $password: String!) { login(input: {email: $email, password: $password}) { token } }`,
		map[string]any{"email": s.demo.Staff[at].Email, "password": s.demo.Staff[at].Password}, &data)
	if err == nil && data.Login.Token == "" {
		err = errors.New("the " + role + " has a second factor, or another password")
	}
	s.tokens[role] = data.Login.Token
	return data.Login.Token, err
}

var (
	forms  = regexp.MustCompile(`(?s)<form[^>]*\saction="([^"]*)"[^>]*>(.*?)</form>`)
	inputs = regexp.MustCompile(`<input[^>]*>`)
	name   = regexp.MustCompile(`\sname="([^"]*)"`)
	value  = regexp.MustCompile(`\svalue="([^"]*)"`)
)

// press sends the form of a page that goes to an action, as its customer. An empty address: the page that the last one led to.
func (s *stage) press(ctx context.Context, address, action string, fields url.Values) error {
	if address != "" {
		if err := s.open(ctx, http.MethodGet, address, nil); err != nil {
			return err
		}
	}
	for _, form := range forms.FindAllStringSubmatch(s.page, -1) {
		target, err := s.at.Parse(html.UnescapeString(form[1]))
		if err != nil || !strings.HasSuffix(target.Path, "/"+action) {
			continue
		}
		sent := url.Values{}
		for _, input := range inputs.FindAllString(form[2], -1) {
			if n := name.FindStringSubmatch(input); n != nil {
				v := append(value.FindStringSubmatch(input), "", "")
				sent.Set(n[1], html.UnescapeString(v[1]))
			}
		}
		maps.Copy(sent, fields)
		return s.open(ctx, http.MethodPost, target.String(), sent)
	}
	return fmt.Errorf("the customer's page has no form for %s", action)
}

// open goes to an address, and on to where that leads.
func (s *stage) open(ctx context.Context, method, address string, fields url.Values) error {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(fields.Encode()))
	if err != nil {
		return err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	page, err := io.ReadAll(io.LimitReader(got.Body, maxPage))
	s.at, s.page = got.Request.URL, string(page)
	return err
}
