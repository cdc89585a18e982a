package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Staff is a signed-in staff member.
type Staff struct {
	Base  string
	Token string
	// second is an admin who is somebody else, signed in when first needed; nil where there is none.
	Second func() (Staff, error)
}

// SignIn signs the demo's member of a role in. The session is one from before the installation was copied, as long as what it
// proves is not half as old as it may get.
func (in *Installation) SignIn(p *Process, role string) Staff {
	in.T.Helper()
	session := func(member StaffKeys) (Staff, error) {
		if token := in.from.Sessions[member.Email]; token != "" && time.Since(in.from.SignedInAt) < 5*time.Minute {
			return Staff{Base: p.URL, Token: token}, nil
		}
		return SignIn(p.URL, member.Email, member.Password)
	}
	for _, member := range in.Keys.Staff {
		if member.Role == role {
			s, err := session(member)
			if err != nil {
				in.T.Fatal(err)
			}
			for _, other := range in.Keys.Staff {
				if other.Role == "admin" && other.Email != member.Email {
					s.Second = sync.OnceValues(func() (Staff, error) { return session(other) })
				}
			}
			return s
		}
	}
	in.T.Fatalf("demo.json has nobody of role %s", role)
	return Staff{}
}

// SignIn signs a member in.
func SignIn(base, email, password string) (Staff, error) {
	s := Staff{Base: base}
	var data struct{ Login *struct{ Token string } }
	err := s.Ask(`mutation($email: String!, $password: String!) { login(input: {email: $email, password: $password}) { token } }`,
		map[string]any{"email": email, "password": password}, &data)
	if err != nil {
		return s, err
	}
	s.Token = data.Login.Token
	KeepSecret("a staff session's token", s.Token)
	return s, nil
}

// Refusal is a GraphQL error.
type Refusal struct {
	Message    string
	Extensions struct{ Code, ApprovalID string }
}

func (r Refusal) Error() string { return r.Extensions.Code + ": " + r.Message }

// Ask runs an operation; its error is a refusal when GraphQL gave one.
func (s Staff) Ask(query string, variables map[string]any, data any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.Base+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", "en")
	if s.Token != "" {
		r.Header.Set("Authorization", "Bearer "+s.Token)
	}
	a, err := Send(r)
	if err != nil {
		return err
	}
	var whole struct {
		Data   json.RawMessage
		Errors []Refusal
	}
	if err := json.Unmarshal(a.Body, &whole); err != nil {
		return fmt.Errorf("GraphQL answers %d with %s", a.Status, a.Body)
	}
	if len(whole.Errors) > 0 {
		return whole.Errors[0]
	}
	return json.Unmarshal(whole.Data, data)
}

// CodeOf is the code of a refusal; empty when there was none.
func CodeOf(err error) string {
	var refused Refusal
	if errors.As(err, &refused) {
		return refused.Extensions.Code
	}
	return ""
}

// InGraphQL is the status of a payment as staff see it, from the word that the provider's and the dealer's API and callbacks have
// for it.
func InGraphQL(status string) string {
	switch status {
	case "success":
		return "COMPLETED"
	case "cancelled":
		return "CANCELED"
	default:
		return strings.ToUpper(status)
	}
}

// Nodes are the rows of a page.
type Nodes[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (n *Nodes[T]) UnmarshalJSON(text []byte) error {
	var page struct{ Nodes []T }
	err := json.Unmarshal(text, &page)
	*n = page.Nodes
	return err
}

// Transaction is what tests read of one.
type Transaction struct {
	TrackingCode    string
	Status          string
	Amount          string
	RequestedAmount string
	Account         *struct{ BankName, Holder, IBAN string }
	History         Nodes[struct{ Command, From, To, Amount string }]
	Callbacks       []struct {
		ID           string
		Sequence     int
		Status       string
		SupersededAt string
		AttemptCount int
		Attempts     []struct {
			Number     int
			URL        string
			HTTPStatus int
			Error      string
			Answer     string
		}
	}
}

// IsToldToNobody reports whether the payment's end is written down, and its owner has no URL to be told at.
func (t Transaction) IsToldToNobody() bool {
	return len(t.Callbacks) == 1 && t.Callbacks[0].Status == "SKIPPED"
}

const transactionFields = `{ trackingCode status amount requestedAmount account { bankName holder iban }
	history { nodes { command from to amount } } callbacks { id status attemptCount attempts { number url httpStatus error answer } } }`

// Transaction reads one.
func (s Staff) Transaction(t testing.TB, code string) Transaction {
	t.Helper()
	found, err := s.Read(code)
	if err != nil {
		t.Fatalf("transaction %s: %v", code, err)
	}
	return found
}

// Read is Transaction for whoever minds how it ends.
func (s Staff) Read(code string) (Transaction, error) {
	var data struct{ Transaction Transaction }
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) `+transactionFields+` }`,
		map[string]any{"code": code}, &data)
	return data.Transaction, err
}

// Decide runs a decision's mutation; further arguments go by their names. A deposit that is approved without the money that
// a bank reports has a reason, and a second person's approval.
func (s Staff) Decide(mutation, code string, arguments ...string) (Transaction, error) {
	if mutation != "approveDeposit" {
		return s.DecideAlone(mutation, code, arguments...)
	}
	for name, value := range map[string]func() string{
		"expectedAmount": func() string { return s.amountOf(code) }, "reason": func() string { return "seen" },
	} {
		if !slices.Contains(arguments, name) {
			arguments = append(arguments, name, value())
		}
	}
	done, err := s.DecideAlone(mutation, code, arguments...)
	if s.Second == nil || WaitingBy(err) == "" {
		return done, err
	}
	if err := s.Agreed(err); err != nil {
		return done, err
	}
	return s.Read(code)
}

// DecideAlone runs a decision's mutation as one person.
func (s Staff) DecideAlone(mutation, code string, arguments ...string) (Transaction, error) {
	input := map[string]any{"trackingCode": code}
	for i := 0; i+1 < len(arguments); i += 2 {
		input[arguments[i]] = arguments[i+1]
	}
	var data map[string]struct{ Transaction Transaction }
	query := fmt.Sprintf("mutation($input: %sInput!) { %s(input: $input) { transaction %s } }",
		strings.ToUpper(mutation[:1])+mutation[1:], mutation, transactionFields)
	err := s.Ask(query, map[string]any{"input": input}, &data)
	return data[mutation].Transaction, err
}

// amountOf is a transaction's amount as the staff member sees it now; "0" where they see none.
func (s Staff) amountOf(code string) string {
	var data struct{ Transaction struct{ Amount string } }
	err := s.Ask("query($code: String!) { transaction(trackingCode: $code) { amount } }", map[string]any{"code": code}, &data)
	if err != nil {
		return "0"
	}
	return data.Transaction.Amount
}

// Must runs a decision that has to succeed.
func (s Staff) Must(t testing.TB, mutation, code string, arguments ...string) Transaction {
	t.Helper()
	decided, err := s.Decide(mutation, code, arguments...)
	if err != nil {
		t.Fatalf("%s %s: %v", mutation, code, err)
	}
	return decided
}

// Pay claims a withdrawal and then decides about it: only who has claimed one may say that it was paid, or that paying
// failed.
func (s Staff) Pay(mutation, code string, arguments ...string) (Transaction, error) {
	if claimed, err := s.Decide("claimWithdrawal", code); err != nil {
		return claimed, err
	}
	return s.Decide(mutation, code, arguments...)
}

// MustPay is pay for tests.
func (s Staff) MustPay(t testing.TB, mutation, code string, arguments ...string) Transaction {
	t.Helper()
	paid, err := s.Pay(mutation, code, arguments...)
	if err != nil {
		t.Fatalf("%s %s: %v", mutation, code, err)
	}
	return paid
}

// All lists every transaction, page by page.
func (s Staff) All(t testing.TB) (list []Transaction) {
	t.Helper()
	query := `query($after: String) { transactions(first: 200, after: $after) {
		nodes { trackingCode status amount account { iban } } pageInfo { hasNextPage endCursor } } }`
	after := any(nil)
	for {
		var data struct {
			Transactions struct {
				Nodes    []Transaction
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		if err := s.Ask(query, map[string]any{"after": after}, &data); err != nil {
			t.Fatal(err)
		}
		list = append(list, data.Transactions.Nodes...)
		if !data.Transactions.PageInfo.HasNextPage {
			return list
		}
		after = data.Transactions.PageInfo.EndCursor
	}
}

// UpdateProvider changes settings of a provider: callbackUrl and the like.
func (s Staff) UpdateProvider(t testing.TB, id int64, settings map[string]any) {
	t.Helper()
	var data struct {
		UpdateProvider struct{ Provider struct{ ID string } }
	}
	err := s.Ask(`mutation($input: UpdateProviderInput!) { updateProvider(input: $input) { provider { id } } }`,
		map[string]any{"input": withID(settings, id)}, &data)
	if err != nil || data.UpdateProvider.Provider.ID != fmt.Sprint(id) {
		t.Fatalf("updateProvider gives %q (%v)", data.UpdateProvider.Provider.ID, err)
	}
}

// CallBack points the callbacks of the demo's provider at a receiver.
func (in *Installation) CallBack(p *Process, to *Receiver) {
	in.T.Helper()
	in.SignIn(p, "admin").UpdateProvider(in.T, in.Keys.Provider.ID, map[string]any{
		"callbackUrl": to.URL, "withdrawalCallbackUrl": to.URL, "creditCardCallbackUrl": to.URL,
	})
}

// Settled waits until a transaction's only callback is no longer waiting, and returns the transaction.
func (s Staff) Settled(t testing.TB, code string) (found Transaction) {
	t.Helper()
	Eventually(t, func() error {
		found = s.Transaction(t, code)
		if len(found.Callbacks) != 1 {
			return fmt.Errorf("%s has %d callbacks, not one", code, len(found.Callbacks))
		}
		if found.Callbacks[0].Status == "WAITING" {
			return fmt.Errorf("the callback of %s waits: %+v", code, found.Callbacks[0])
		}
		return nil
	})
	return found
}

// DecideAll runs a decision on many payments, several at once.
func (s Staff) DecideAll(t testing.TB, mutation string, payments []Payment) {
	t.Helper()
	InParallel(t, len(payments), 16, func(i int) error {
		_, err := s.Decide(mutation, payments[i].TrackingCode)
		return err
	})
}

// PayAll completes many withdrawals, several at once.
func (s Staff) PayAll(t testing.TB, payments []Payment) {
	t.Helper()
	InParallel(t, len(payments), 16, func(i int) error {
		_, err := s.Pay("completeWithdrawal", payments[i].TrackingCode)
		return err
	})
}

// Member is the demo's member of a role.
func (in *Installation) Member(role string) StaffKeys {
	in.T.Helper()
	for _, m := range in.Keys.Staff {
		if m.Role == role {
			return m
		}
	}
	in.T.Fatalf("demo.json has nobody of role %s", role)
	return StaffKeys{}
}
