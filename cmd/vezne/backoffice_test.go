package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// staff is a signed-in staff member.
type staff struct {
	base  string
	token string
	// second is an admin who is somebody else, signed in when first needed; nil where there is none.
	second func() (staff, error)
}

// signIn signs the demo's member of a role in. The session is one from before the installation was copied, as long as what it
// proves is not half as old as it may get.
func (in *installation) signIn(p *process, role string) staff {
	in.t.Helper()
	session := func(member staffKeys) (staff, error) {
		if token := in.from.sessions[member.Email]; token != "" && time.Since(in.from.signedInAt) < 5*time.Minute {
			return staff{base: p.url, token: token}, nil
		}
		return signIn(p.url, member.Email, member.Password)
	}
	for _, member := range in.keys.Staff {
		if member.Role == role {
			s, err := session(member)
			if err != nil {
				in.t.Fatal(err)
			}
			for _, other := range in.keys.Staff {
				if other.Role == "admin" && other.Email != member.Email {
					s.second = sync.OnceValues(func() (staff, error) { return session(other) })
				}
			}
			return s
		}
	}
	in.t.Fatalf("demo.json has nobody of role %s", role)
	return staff{}
}

func signIn(base, email, password string) (staff, error) {
	s := staff{base: base}
	var data struct{ Login *struct{ Token string } }
	err := s.ask(`mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token } }`,
		map[string]any{"email": email, "password": password}, &data)
	if err != nil {
		return s, err
	}
	s.token = data.Login.Token
	shared.keepSecret("a staff session's token", s.token)
	return s, nil
}

// refusal is a GraphQL error.
type refusal struct {
	Message    string
	Extensions struct{ Code, ApprovalID string }
}

func (r refusal) Error() string { return r.Extensions.Code + ": " + r.Message }

// ask runs an operation; its error is a refusal when GraphQL gave one.
func (s staff) ask(query string, variables map[string]any, data any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.base+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", "en")
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	a, err := send(r)
	if err != nil {
		return err
	}
	var whole struct {
		Data   json.RawMessage
		Errors []refusal
	}
	if err := json.Unmarshal(a.body, &whole); err != nil {
		return fmt.Errorf("GraphQL answers %d with %s", a.status, a.body)
	}
	if len(whole.Errors) > 0 {
		return whole.Errors[0]
	}
	return json.Unmarshal(whole.Data, data)
}

// codeOf is the code of a refusal; empty when there was none.
func codeOf(err error) string {
	var refused refusal
	if errors.As(err, &refused) {
		return refused.Extensions.Code
	}
	return ""
}

// transaction is what tests read of one.
type transaction struct {
	TrackingCode    string
	Status          string
	Amount          string
	RequestedAmount string
	Account         *struct{ BankName, Holder, IBAN string }
	History         []struct{ Command, From, To, Amount string }
	Callbacks       []struct {
		ID           string
		Sequence     int
		State        string
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

const transactionFields = `{ trackingCode status amount requestedAmount account { bankName holder iban }
	history { command from to amount } callbacks { id state attemptCount attempts { number url httpStatus error answer } } }`

// transaction reads one.
func (s staff) transaction(t testing.TB, code string) transaction {
	t.Helper()
	found, err := s.read(code)
	if err != nil {
		t.Fatalf("transaction %s: %v", code, err)
	}
	return found
}

func (s staff) read(code string) (transaction, error) {
	var data struct{ Transaction transaction }
	err := s.ask(`query($code: String!) { transaction(trackingCode: $code) `+transactionFields+` }`,
		map[string]any{"code": code}, &data)
	return data.Transaction, err
}

// decide runs a decision's mutation; further arguments go by their names. A deposit that is approved without the money that
// a bank reports has a reason, and a second person's approval.
func (s staff) decide(mutation, code string, arguments ...string) (transaction, error) {
	if mutation != "approveDeposit" {
		return s.decideAlone(mutation, code, arguments...)
	}
	for name, value := range map[string]func() string{
		"expectedAmount": func() string { return s.amountOf(code) }, "reason": func() string { return "seen" },
	} {
		if !slices.Contains(arguments, name) {
			arguments = append(arguments, name, value())
		}
	}
	done, err := s.decideAlone(mutation, code, arguments...)
	if s.second == nil || waitingBy(err) == "" {
		return done, err
	}
	if err := s.agreed(err); err != nil {
		return done, err
	}
	return s.read(code)
}

// decideAlone runs a decision's mutation as one person.
func (s staff) decideAlone(mutation, code string, arguments ...string) (transaction, error) {
	variables, declared, passed := map[string]any{"code": code}, "$code: String!", "trackingCode: $code"
	for i := 0; i+1 < len(arguments); i += 2 {
		name := arguments[i]
		variables[name] = arguments[i+1]
		declared += ", $" + name + ": String"
		if name == "expectedAmount" {
			declared += "!"
		}
		passed += ", " + name + ": $" + name
	}
	var data map[string]struct{ Transaction transaction }
	err := s.ask("mutation("+declared+") { "+mutation+"("+passed+") { transaction "+transactionFields+" } }", variables, &data)
	return data[mutation].Transaction, err
}

// amountOf is a transaction's amount as the staff member sees it now; "0" where they see none.
func (s staff) amountOf(code string) string {
	var data struct{ Transaction struct{ Amount string } }
	err := s.ask("query($code: String!) { transaction(trackingCode: $code) { amount } }", map[string]any{"code": code}, &data)
	if err != nil {
		return "0"
	}
	return data.Transaction.Amount
}

// must runs a decision that has to succeed.
func (s staff) must(t testing.TB, mutation, code string, arguments ...string) transaction {
	t.Helper()
	decided, err := s.decide(mutation, code, arguments...)
	if err != nil {
		t.Fatalf("%s %s: %v", mutation, code, err)
	}
	return decided
}

// pay claims a withdrawal and then decides about it: only who has claimed one may say that it was paid, or that paying
// failed.
func (s staff) pay(mutation, code string, arguments ...string) (transaction, error) {
	if claimed, err := s.decide("claimWithdrawal", code); err != nil {
		return claimed, err
	}
	return s.decide(mutation, code, arguments...)
}

// mustPay is pay for tests.
func (s staff) mustPay(t testing.TB, mutation, code string, arguments ...string) transaction {
	t.Helper()
	paid, err := s.pay(mutation, code, arguments...)
	if err != nil {
		t.Fatalf("%s %s: %v", mutation, code, err)
	}
	return paid
}

// all lists every transaction, page by page.
func (s staff) all(t testing.TB) (list []transaction) {
	t.Helper()
	query := `query($after: String) { transactions(first: 200, after: $after) {
		nodes { trackingCode status amount account { iban } } pageInfo { hasNextPage endCursor } } }`
	after := any(nil)
	for {
		var data struct {
			Transactions struct {
				Nodes    []transaction
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		if err := s.ask(query, map[string]any{"after": after}, &data); err != nil {
			t.Fatal(err)
		}
		list = append(list, data.Transactions.Nodes...)
		if !data.Transactions.PageInfo.HasNextPage {
			return list
		}
		after = data.Transactions.PageInfo.EndCursor
	}
}

// updateProvider changes settings of a provider: callbackUrl and the like.
func (s staff) updateProvider(t testing.TB, id int64, settings map[string]any) {
	t.Helper()
	var data struct {
		UpdateProvider struct{ Provider struct{ ID string } }
	}
	err := s.ask(`mutation($id: ID!, $input: UpdateProviderInput!) { updateProvider(id: $id, input: $input) { provider { id } } }`,
		map[string]any{"id": fmt.Sprint(id), "input": settings}, &data)
	if err != nil || data.UpdateProvider.Provider.ID != fmt.Sprint(id) {
		t.Fatalf("updateProvider gives %q (%v)", data.UpdateProvider.Provider.ID, err)
	}
}

// callBack points the callbacks of the demo's provider at a receiver.
func (in *installation) callBack(p *process, to *receiver) {
	in.t.Helper()
	in.signIn(p, "admin").updateProvider(in.t, in.keys.Provider.ID, map[string]any{
		"callbackUrl": to.URL, "withdrawalCallbackUrl": to.URL, "creditCardCallbackUrl": to.URL,
	})
}

// settled waits until a transaction's only callback is no longer waiting, and gives the transaction.
func (s staff) settled(t testing.TB, code string) (found transaction) {
	t.Helper()
	eventually(t, func() error {
		found = s.transaction(t, code)
		if len(found.Callbacks) != 1 {
			return fmt.Errorf("%s has %d callbacks, not one", code, len(found.Callbacks))
		}
		if found.Callbacks[0].State == "waiting" {
			return fmt.Errorf("the callback of %s waits: %+v", code, found.Callbacks[0])
		}
		return nil
	})
	return found
}

// decideAll runs a decision on many payments, several at once.
func (s staff) decideAll(t testing.TB, mutation string, payments []payment) {
	t.Helper()
	inParallel(t, len(payments), 16, func(i int) error {
		_, err := s.decide(mutation, payments[i].TrackingCode)
		return err
	})
}

// payAll completes many withdrawals, several at once.
func (s staff) payAll(t testing.TB, payments []payment) {
	t.Helper()
	inParallel(t, len(payments), 16, func(i int) error {
		_, err := s.pay("completeWithdrawal", payments[i].TrackingCode)
		return err
	})
}
