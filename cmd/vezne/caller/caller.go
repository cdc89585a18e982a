// Package caller calls an installation that was made by vezne demo: as its provider, its customer and its staff.
package caller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core/sign"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 4 << 20

// Caller knows the keys of an installation. It is safe for concurrent use.
type Caller struct {
	Demo  demofile.File
	Ahead time.Duration // of the provider's clock

	mu     sync.Mutex
	tokens map[string]string // of sessions, by role
}

// Payment is what a creating call answers.
type Payment struct {
	TrackingCode string `json:"tracking_code"`
	PaymentURL   string `json:"payment_url"`
}

// StatusError is an answer to the provider's API that is none of success.
type StatusError struct {
	Status  int // of HTTP
	Message string
}

// Error implements error.
func (e *StatusError) Error() string { return fmt.Sprintf("answered %d: %s", e.Status, e.Message) }

// Create creates a payment as the provider, for its first site, by a path below /api/provider. What fields does not say about the
// customer is made up. An empty key: without Idempotency-Key. Errors: *StatusError, or that of the connection.
func (c *Caller) Create(ctx context.Context, path, key string, fields map[string]any) (p Payment, err error) {
	site := c.Demo.Sites[0].CredentialKey
	body := map[string]any{
		"fullname": "Ayşe Yılmaz", "username": "ayse.yilmaz", "user_id": "u-1001", "iban": "TR330006100519786457841326", "credential_key": site,
		"firstname": "Ayşe", "lastname": "Yılmaz", "email": "ayse@example.com", "phone": "+905551112233",
	}
	maps.Copy(body, fields)
	signed := site
	if path == "credit-card/payment" { // E7 signs no site
		signed = ""
	}
	return p, c.Provide(ctx, path, key, signed, body, &p)
}

// Provide makes any call of the provider API (POST), whose hash has signed in it, and reads the answer's data. Errors: as Create's.
func (c *Caller) Provide(ctx context.Context, path, key, signed string, body map[string]any, data any) error {
	k, stamp := c.Demo.Provider, strconv.FormatInt(time.Now().Add(c.Ahead).Unix(), 10)
	header := map[string]string{
		"X-Api-Key": k.APIKey, "X-Credential-Key": c.Demo.Sites[0].CredentialKey, "X-Timestamp": stamp, "X-Hash": sign.Hash(k.APIKey, k.SecretKey, signed, stamp),
	}
	if key != "" {
		header["Idempotency-Key"] = key
	}
	answer := struct {
		Success bool
		Data    any
		Message string
		Error   string
	}{Data: data}
	status, err := post(ctx, c.Demo.BaseURL+"/api/provider/"+path, body, header, &answer)
	if err == nil && !answer.Success {
		err = &StatusError{status, strings.TrimSpace(answer.Error + " " + answer.Message)}
	}
	return err
}

// post sends JSON and reads JSON, whatever the status is.
func post(ctx context.Context, address string, body any, header map[string]string, answer any) (status int, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", "en")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer got.Body.Close()
	if err := json.NewDecoder(io.LimitReader(got.Body, maxAnswer)).Decode(answer); err != nil {
		return got.StatusCode, fmt.Errorf("answered %d: %w", got.StatusCode, err)
	}
	return got.StatusCode, nil
}

// Refusal is why GraphQL has not done something. With an approval it waits for a second person.
type Refusal struct {
	Message    string
	Extensions struct {
		Code       string
		ApprovalID string `json:"approvalId"`
	}
}

// Error implements error.
func (r Refusal) Error() string { return r.Message }

// Ask sends a GraphQL operation as a member of staff of a role; without a role as nobody. Errors: Refusal, or that of the connection.
func (c *Caller) Ask(ctx context.Context, role, operation string, variables map[string]any, data any) error {
	header := map[string]string{}
	if role != "" {
		token, err := c.signIn(ctx, role)
		if err != nil {
			return fmt.Errorf("signing in: %w", err)
		}
		header["Authorization"] = "Bearer " + token
	}
	answer := struct {
		Data   any
		Errors []Refusal
	}{Data: data}
	_, err := post(ctx, c.Demo.BaseURL+"/graphql", map[string]any{"query": operation, "variables": variables}, header, &answer)
	if err == nil && len(answer.Errors) > 0 {
		err = answer.Errors[0]
	}
	return err
}

// Decide decides about a payment as the operator; an admin approves what takes two.
func (c *Caller) Decide(ctx context.Context, code, mutation string, with map[string]any) error {
	input := map[string]any{"trackingCode": code}
	maps.Copy(input, with)
	query := fmt.Sprintf("mutation($input: %sInput!) { %s(input: $input) { transaction { status } } }", strings.ToUpper(mutation[:1])+mutation[1:], mutation)
	return c.AskTwo(ctx, "operator", query, map[string]any{"input": input})
}

// AskTwo sends a GraphQL mutation as a member of staff of a role; an admin approves what takes two.
func (c *Caller) AskTwo(ctx context.Context, role, mutation string, variables map[string]any) error {
	err := c.Ask(ctx, role, mutation, variables, nil)
	var waits Refusal
	if errors.As(err, &waits) && waits.Extensions.ApprovalID != "" {
		return c.Ask(ctx, "admin", `mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`,
			map[string]any{"id": waits.Extensions.ApprovalID}, nil)
	}
	return err
}

// signIn returns the token of a session, which the first who asks begins.
func (c *Caller) signIn(ctx context.Context, role string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if token := c.tokens[role]; token != "" {
		return token, nil
	}
	at := slices.IndexFunc(c.Demo.Staff, func(m demofile.Staff) bool { return m.Role == role })
	if at < 0 {
		return "", errors.New("the demo has no " + role)
	}
	var data struct{ Login struct{ Token string } }
	err := c.Ask(ctx, "", `mutation($email: String!, $password: String!) { login(input: {email: $email, password: $password}) { token } }`,
		map[string]any{"email": c.Demo.Staff[at].Email, "password": c.Demo.Staff[at].Password}, &data)
	if err == nil && data.Login.Token == "" {
		err = errors.New("the " + role + " has a second factor, or another password")
	}
	if c.tokens == nil {
		c.tokens = make(map[string]string)
	}
	c.tokens[role] = data.Login.Token
	return data.Login.Token, err
}

// SignOut forgets all sessions: whoever asks next signs in again.
func (c *Caller) SignOut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens = nil
}
