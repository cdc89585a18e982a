package graph_test

import (
	"bytes"
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/passkey"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/graph"
)

// api is /graphql over a World.
type api struct {
	*apptest.World
	http.Handler
	tokens     map[staff.Role]string
	refreshing *sync.Mutex
	refreshed  map[string]time.Time // when each session was proven
}

// newAPI builds a World and signs its staff in.
func newAPI(t testing.TB, set ...func(*graph.Config)) *api {
	t.Helper()
	w := apptest.New(t)
	w.Bank.As = identifying{w.Bank}
	w.Staff = appstaff.New(staffConfig(t, w))
	c := graph.Config{
		Staff: w.Staff, Directory: w.Directory, Withdrawals: w.Withdrawals, Notes: w.Notes, Backoffice: w.Backoffice,
		Gateways: w.GatewayAdmin, Wallets: w.Wallets, Statements: w.Statements,
		Audit: w.Audit, Queues: w.Queues, Jobs: w.Jobs, Live: w.Live, Statistics: w.Statistics, Approvals: w.Approvals, Restore: w.Restore,
		Clock:      w.Clock,
		Log:        slog.New(slog.NewTextHandler(w.Logs, nil)),
		ClientAddr: func(r *http.Request) netip.Addr { return netip.MustParseAddrPort(r.RemoteAddr).Addr() },
		RequestID:  func(r *http.Request) string { return r.Header.Get("X-Request-Id") },
	}
	for _, s := range set {
		s(&c)
	}
	w.Staff = c.Staff
	c.Commands = w.Commands()
	a := &api{World: w, Handler: graph.New(c), tokens: map[staff.Role]string{}, refreshing: &sync.Mutex{}, refreshed: map[string]time.Time{}}
	a.signIn(t)
	return a
}

// staffConfig is the world's, with passkeys.
func staffConfig(t testing.TB, w *apptest.World) appstaff.Config {
	t.Helper()
	c := w.Staff.Config
	var err error
	if c.Passkeys, err = passkey.New(c.BaseURL, "Vezne"); err != nil {
		t.Fatal(err)
	}
	return c
}

// signIn returns one staff member of each role a session, which ends after twelve hours.
func (a *api) signIn(t testing.TB) {
	t.Helper()
	for _, member := range a.staff() {
		a.tokens[member.Role] = a.session(t, member)
	}
}

// staff are one member of each role.
func (a *api) staff() []staff.Staff {
	return []staff.Staff{
		a.Admin, a.Operator, a.Finance, a.Support, a.Auditor, a.Viewer, a.DealerStaff, a.ProviderStaff, a.DealerManager, a.ProviderManager,
	}
}

// session makes a session without hashing a password, which takes its time.
func (a *api) session(t testing.TB, member staff.Staff) (token string) {
	t.Helper()
	token, err := core.NewKey(core.StaffSessionKey, cryptorand.Reader)
	now := a.Clock.Now()
	ids, err2 := core.NewIDs(now, cryptorand.Reader)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	a.keep(t, staff.Session{
		ID: ids.Next(), Version: 1, Fingerprint: sign.Fingerprint(token), StaffID: member.ID, Address: "192.0.2.7",
		UserAgent: "Firefox", CreatedAt: now, LastSeenAt: now, ProvenAt: now, ExpiresAt: now.Add(staff.SessionLife),
	})
	return token
}

func (a *api) keep(t testing.TB, s staff.Session) {
	t.Helper()
	if err := a.Store.Commit(t.Context(), core.Changeset{s}); err != nil {
		t.Fatal(err)
	}
}

// refresh keeps the session of a role from growing idle, and proven.
func (a *api) refresh(t testing.TB, role staff.Role) {
	t.Helper()
	a.refreshing.Lock() // of many at one moment, one writes
	defer a.refreshing.Unlock()
	token, now := a.tokens[role], a.Clock.Now()
	if seen, ok := a.refreshed[token]; ok && now.Sub(seen) < staff.SeenEvery {
		return
	}
	err := fault.New("refresh", fault.Conflict)
	for fault.Is(err, fault.Conflict) { // with the server, which keeps when a session was seen
		s, _, missing := a.Store.SessionByFingerprint(t.Context(), sign.Fingerprint(token))
		if missing != nil {
			return
		}
		if err = nil; now.Sub(s.ProvenAt) >= staff.SeenEvery {
			s.Version++
			s.LastSeenAt, s.ProvenAt = now, now
			err = a.Store.Commit(t.Context(), core.Changeset{s})
		}
		a.refreshed[token] = s.ProvenAt
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withIntrospection lets the schema be read from the API.
func withIntrospection(c *graph.Config) { c.HasIntrospection = true }

// unlimited lets everybody send as much as they want: the clock stands still while a test asks for very much.
func unlimited(c *graph.Config) { c.Staff.Limiter = noLimit{} }

type noLimit struct{}

func (noLimit) Take(context.Context, string, int, core.Rate) core.Allowance {
	return core.Allowance{OK: true}
}

func (noLimit) Peek(context.Context, string, core.Rate) core.Allowance {
	return core.Allowance{OK: true}
}

// withoutGateways is an installation that has none.
func withoutGateways(c *graph.Config) {
	c.Gateways, c.Wallets, c.Statements = nil, nil, nil
}

// reply is an answer of /graphql.
type reply struct {
	Status int
	Header http.Header
	Raw    string

	Data   map[string]json.RawMessage `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Path       []any  `json:"path"`
		Extensions struct {
			Code      string `json:"code"`
			RequestID string `json:"requestId"`
			Fields    []struct {
				Name    string `json:"name"`
				Message string `json:"message"`
			} `json:"fields"`
		} `json:"extensions"`
	} `json:"errors"`
}

// code is the first error's code; nothing when there is none.
func (r reply) code() string {
	if len(r.Errors) == 0 {
		return ""
	}
	return r.Errors[0].Extensions.Code
}

// field is the first failed field and its sentence.
func (r reply) field() (name, sentence string) {
	if len(r.Errors) == 0 || len(r.Errors[0].Extensions.Fields) == 0 {
		return "", ""
	}
	f := r.Errors[0].Extensions.Fields[0]
	return f.Name, f.Message
}

// into decodes what an operation gave: "login", or one field of it, "approveDeposit.transaction".
func (r reply) into(t testing.TB, path string, to any) {
	t.Helper()
	if len(r.Errors) > 0 {
		t.Fatalf("errors: %s", r.Raw)
	}
	operation, field, isInside := strings.Cut(path, ".")
	value := r.Data[operation]
	if isInside {
		var payload map[string]json.RawMessage
		if err := json.Unmarshal(value, &payload); err != nil {
			t.Fatalf("%v in %s", err, r.Raw)
		}
		value = payload[field]
	}
	if err := json.Unmarshal(value, to); err != nil {
		t.Fatalf("%v in %s", err, r.Raw)
	}
}

// vars are an operation's variables.
type vars map[string]any

// as sends an operation with the token of a role's staff member; an empty role sends none.
func (a *api) as(t testing.TB, role staff.Role, query string, v vars) reply {
	t.Helper()
	a.refresh(t, role)
	return a.send(t, request(t, a.tokens[role], query, v))
}

func request(t testing.TB, token, query string, v vars) *http.Request {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": v})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", "en")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

func (a *api) send(t testing.TB, r *http.Request) reply {
	t.Helper()
	recorder := httptest.NewRecorder()
	a.ServeHTTP(recorder, r)
	answer := reply{Status: recorder.Code, Header: recorder.Header(), Raw: recorder.Body.String()}
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
		t.Fatalf("the answer is not JSON: %v: %s", err, answer.Raw)
	}
	return answer
}

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

// fixRandom makes the tracking codes and IDs of everything that follows the same in every run. No statement is read any
// more: its reader would draw some at any moment.
func (a *api) fixRandom(t testing.TB) {
	t.Helper()
	feeds, err := a.Store.FeedsAt(t.Context(), a.BankGateway.ID)
	for i := range feeds {
		feeds[i].Version++
		feeds[i].NextReadAt = time.Time{}
	}
	if err == nil {
		err = a.UnitOfWork.Commit(t.Context(), core.Rows(feeds))
	}
	if err != nil {
		t.Fatal(err)
	}
	a.UnitOfWork.Random = &lockedReader{from: rand.NewChaCha8([32]byte{7})}
}

type lockedReader struct {
	mu   sync.Mutex
	from *rand.ChaCha8
}

func (l *lockedReader) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.from.Read(p)
}

func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
