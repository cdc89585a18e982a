package machines

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

const (
	callers = 8
	// lifeEvery is how often each caller begins a payment: all of them make some 25 a second, which ends in some 100 calls.
	lifeEvery = 300 * time.Millisecond
	// slowly is how many payments all of them make at most in what lasts long, so that an hour is no test of how much a machine stores.
	slowly = 1500
	// again is the pause before a call that was refused is repeated.
	again = 100 * time.Millisecond
	// ahead are the callers' clocks, by almost as much as is taken. After a freeze only calls from five minutes later are new ones for sure,
	// and are answered once money moves again.
	ahead = 295 * time.Second
)

// Load is callers who create payments and end them, all day, and write down what they were answered. A call that is not answered, or
// answered by 502, 503 or 504, is repeated as the contract says: under the same Idempotency-Key, until it is answered.
type Load struct {
	t        *testing.T
	in       *harness.Installation
	provider harness.Caller
	operator atomic.Pointer[harness.Staff] // signed in
	receiver *harness.Receiver
	before   map[string]bool // tracking codes that were there
	stop     chan struct{}
	lives    *sync.WaitGroup
	through  atomic.Int64
	every    atomic.Int64 // how often each caller begins a payment, as a time.Duration
	refuses  atomic.Bool  // the receiver

	mu       sync.Mutex
	answered []Answered
	took     []time.Duration // by answered calls
	refused  []span          // calls that were refused, to when they were repeated
	wrong    []string        // answers that are none of an outage
	last     string          // refusal
}

type span struct{ from, to time.Time }

// Begin signs staff in over the front, has callbacks come to a receiver, and starts the callers.
func (m *Machines) Begin() *Load {
	t, in, front := m.T, m.Installation, m.Front
	t.Helper()
	l := &Load{
		t: t, in: in, provider: harness.Caller{Base: front, Keys: in.Keys.Provider, Site: in.Keys.Sites[0], Ahead: ahead},
		before: make(map[string]bool), stop: make(chan struct{}),
	}
	l.receiver = harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int {
		if l.refuses.Load() {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	operator := m.signIn("operator", front)
	l.operator.Store(&operator)
	m.signIn("admin", front).UpdateProvider(t, in.Keys.Provider.ID, map[string]any{
		"callbackUrl": l.receiver.URL, "withdrawalCallbackUrl": l.receiver.URL, "creditCardCallbackUrl": l.receiver.URL,
	})
	for _, s := range l.stored() {
		l.before[s.Code] = true
	}
	t.Cleanup(sync.OnceFunc(l.end))
	l.every.Store(int64(lifeEvery))
	var turn atomic.Int64
	l.lives = harness.StartLoad(callers, func() bool {
		n := turn.Add(1)
		pause := time.NewTimer(time.Duration(l.every.Load()))
		defer pause.Stop()
		l.live(int(n))
		select {
		case <-pause.C:
		case <-l.stop:
		}
		return !l.isOver()
	})
	return l
}

// signIn signs a member in anew.
func (m *Machines) signIn(role, base string) harness.Staff {
	m.T.Helper()
	member := m.Member(role)
	s, err := harness.SignIn(base, member.Email, member.Password)
	if err != nil {
		m.T.Fatal(err)
	}
	return s
}

// asOperator has the operator do something. Whose session has ended, as all do at a freeze, signs in and does it again.
func (l *Load) asOperator(do func(harness.Staff) error) error {
	s := l.operator.Load()
	err := do(*s)
	if harness.CodeOf(err) != "UNAUTHENTICATED" {
		return err
	}
	member := l.in.Member("operator")
	again, failed := harness.SignIn(l.provider.Base, member.Email, member.Password)
	if failed == nil {
		l.operator.CompareAndSwap(s, &again)
	}
	return fmt.Errorf("%w: %w", errRefused, errors.Join(err, failed))
}

func (l *Load) isOver() bool {
	select {
	case <-l.stop:
		return true
	default:
		return false
	}
}

func (l *Load) end() {
	if !l.isOver() {
		close(l.stop)
	}
	l.lives.Wait()
}

// Last has the load go on for a while, in which it makes no more than some payments; afterwards it is as it was.
func (l *Load) Last(d time.Duration) {
	l.every.Store(int64(max(lifeEvery, d*callers/slowly)))
	ctx, cancel := context.WithTimeout(l.t.Context(), d)
	defer cancel()
	<-ctx.Done()
	l.every.Store(int64(lifeEvery))
}

// AwaitMore waits until so many more payments are through.
func (l *Load) AwaitMore(n int64) {
	l.t.Helper()
	wanted := l.through.Load() + n
	harness.Eventually(l.t, func() error {
		if now := l.through.Load(); now < wanted {
			l.mu.Lock()
			defer l.mu.Unlock()
			return fmt.Errorf("%d payments are through, not %d; %d answers were wrong %q; the last refusal was %s", now, wanted,
				len(l.wrong), l.wrong[max(0, len(l.wrong)-3):], l.last)
		}
		return nil
	})
}

// AwaitRefusal waits until a call is refused after a moment. It may have begun before: HAProxy leads new ones away from a process at which
// some hang.
func (l *Load) AwaitRefusal(since time.Time) {
	l.t.Helper()
	harness.Eventually(l.t, func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, s := range l.refused {
			if s.to.After(since) {
				return nil
			}
		}
		return errors.New("no call is refused")
	})
}

// live is a payment from its creation to its end, and a look at it afterwards.
func (l *Load) live(n int) {
	key, path := rand.Text(), "start-manual-deposit"
	if n%4 == 0 {
		path = "start-manual-withdraw"
	}
	var made harness.Payment
	if !l.until(path, func() (err error) {
		var a harness.Answer
		a, made, err = l.provider.Try(path, harness.Order("10.00"), key)
		return outcome(a, err, http.StatusOK)
	}) {
		return
	}
	at := l.note(Answered{Key: key, Code: made.TrackingCode, Status: made.Status})
	status := "canceled"
	var isEnded bool
	switch n % 4 {
	case 0:
		status = "completed"
		isEnded = l.decide("claimWithdrawal", made) && l.decide("completeWithdrawal", made)
	case 1:
		isEnded = l.decide("rejectDeposit", made)
	default:
		isEnded = l.until("cancel", func() error { return cancel(l.provider.Base, made) })
	}
	if !isEnded {
		return
	}
	l.mu.Lock()
	l.answered[at].Status = status
	l.mu.Unlock()
	l.until("transaction", func() error {
		var found harness.Transaction
		err := l.asOperator(func(s harness.Staff) (err error) {
			found, err = s.Read(made.TrackingCode)
			return err
		})
		if err == nil && found.Status != strings.ToUpper(status) {
			return fmt.Errorf("%s was answered as %s and is read as %s", made.TrackingCode, status, found.Status)
		}
		return refusal(err)
	})
	l.through.Add(1)
}

func (l *Load) note(a Answered) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered = append(l.answered, a)
	return len(l.answered) - 1
}

// errRefused is of a call that the caller is to repeat.
var errRefused = errors.New("refused")

// until repeats a call until it is answered, and reports whether the answer was what it should be.
func (l *Load) until(what string, try func() error) bool {
	for began := time.Now(); ; {
		at := time.Now()
		err := try()
		took := time.Since(at)
		if errors.Is(err, errRefused) && time.Since(began) < harness.Patience {
			pause := time.NewTimer(again)
			<-pause.C
			l.mu.Lock()
			l.refused, l.last = append(l.refused, span{at, time.Now()}), what+": "+err.Error()
			l.mu.Unlock()
			continue
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil {
			l.wrong = append(l.wrong, what+": "+err.Error())
			return false
		}
		l.took = append(l.took, took)
		return true
	}
}

// outcome judges an HTTP answer.
func outcome(a harness.Answer, err error, wanted int) error {
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errRefused, err) // no answer, or half of one
	case a.Status == http.StatusBadGateway, a.Status == http.StatusServiceUnavailable, a.Status == http.StatusGatewayTimeout:
		return fmt.Errorf("%w: %d", errRefused, a.Status)
	case a.Status != wanted:
		return fmt.Errorf("%d %s", a.Status, a.Body)
	}
	return nil
}

// refusal judges what came of an operation of GraphQL.
func refusal(err error) error {
	switch code := harness.CodeOf(err); {
	case err == nil, errors.Is(err, errRefused):
		return err
	case code == "" || code == "UNAVAILABLE" || code == "FROZEN": // nothing that GraphQL says, or that
		return fmt.Errorf("%w: %w", errRefused, err)
	default:
		return err
	}
}

// decide has staff decide. A decision whose answer was lost has counted: then it is final already.
func (l *Load) decide(mutation string, made harness.Payment) bool {
	isRepeated := false
	return l.until(mutation, func() error {
		err := l.asOperator(func(s harness.Staff) error {
			_, err := s.Decide(mutation, made.TrackingCode)
			return err
		})
		if isRepeated && harness.CodeOf(err) == "ALREADY_FINAL" {
			return nil
		}
		isRepeated = true
		return refusal(err)
	})
}

// places are the customers' addresses, each of which may send so many forms a minute.
var places atomic.Uint32

// cancel is what a customer does on the page of a payment, from an address of their own on this machine.
func cancel(front string, made harness.Payment) error {
	n := places.Add(1)
	here := &net.TCPAddr{IP: net.IPv4(127, 77, byte(n>>8), byte(n))}
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: here}).DialContext}
	defer transport.CloseIdleConnections()
	customer := http.Client{
		Transport: transport, Timeout: harness.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, front+"/pay/"+harness.PageToken(made.PaymentURL)+"/cancel",
		strings.NewReader(""))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := customer.Do(r)
	if err != nil {
		return outcome(harness.Answer{}, err, http.StatusSeeOther)
	}
	_ = answer.Body.Close()
	return outcome(harness.Answer{Status: answer.StatusCode}, nil, http.StatusSeeOther)
}

// Result is what a drill has shown.
type Result struct {
	Tally
	Name     string
	Answered int           // calls
	Refused  time.Duration // in which some call was refused
	P99      time.Duration // of the answered calls
	Longest  time.Duration // of all calls, refused ones too
	Wrong    []string
	Epoch    Epoch
}

// Epoch is what the fence has made of the installation: which epoch its database is in, and why it was frozen last, if it ever was.
type Epoch struct {
	Number       int
	State, Cause string
}

// live is the epoch of an installation that was never frozen.
var live = Epoch{Number: 1, State: "live"}

// String says it in words.
func (e Epoch) String() string {
	return fmt.Sprintf("%s in epoch %d (cause: %s)", e.State, e.Number, cmp.Or(e.Cause, "none"))
}

// Epoch reads it from the database, once that answers.
func (m *Machines) Epoch() Epoch {
	m.T.Helper()
	return epochOf(m.Installation)
}

func epochOf(in *harness.Installation) (e Epoch) {
	in.T.Helper()
	db := in.OpenDatabase()
	harness.Eventually(in.T, func() error {
		return db.QueryRowContext(in.T.Context(), "SELECT number, state, cause FROM epochs").Scan(&e.Number, &e.State, &e.Cause)
	})
	return e
}

// String is the line of the report.
func (r Result) String() string {
	return fmt.Sprintf("%s: answered %d, lost %d, doubled %d, refused for %.1f s, p99 %d ms", r.Name, r.Answered, r.Lost, r.Doubled,
		r.Refused.Seconds(), r.P99.Milliseconds())
}

// Finish is Compare of a drill.
func (l *Load) Finish(name string) Result {
	l.t.Helper()
	return l.Compare("drill " + name)
}

// Compare ends the callers, waits for the callbacks, compares, and prints the result.
func (l *Load) Compare(name string) Result {
	l.t.Helper()
	l.end()
	stored := slices.DeleteFunc(l.stored(), func(s Stored) bool { return l.before[s.Code] })
	l.awaitCallbacks(stored)
	stored = slices.DeleteFunc(l.stored(), func(s Stored) bool { return l.before[s.Code] })
	r := Result{Name: name, Tally: Count(l.answered, stored, l.told(stored)), Answered: len(l.took), Refused: length(l.refused), Wrong: l.wrong,
		Epoch: epochOf(l.in)}
	slices.Sort(l.took)
	if len(l.took) > 0 {
		r.P99, r.Longest = l.took[(len(l.took)-1)*99/100], l.took[len(l.took)-1]
	}
	for _, s := range l.refused {
		r.Longest = max(r.Longest, s.to.Sub(s.from)-again)
	}
	_, _ = fmt.Fprintln(os.Stdout, r)
	l.t.Logf("the longest call took %s", r.Longest.Round(time.Millisecond))
	return r
}

// MustHold fails the drill when something was lost, doubled or answered as it should not be, and when an installation's own check of
// its books says so.
func (l *Load) MustHold(r Result) {
	l.t.Helper()
	for _, finding := range slices.Concat(r.Findings, r.Wrong[:min(len(r.Wrong), maxFindings)]) {
		l.t.Error(finding)
	}
	if r.Lost+r.Doubled+len(r.Wrong) > 0 || r.Answered == 0 {
		l.t.Errorf("%s; %d answers were wrong", r, len(r.Wrong))
	}
	if r.Epoch != live {
		l.t.Errorf("nothing was lost, and the installation is %s: no call but by people would be answered", r.Epoch)
	}
	l.in.Succeed("doctor")
}

// awaitCallbacks waits until every payment that is there and has ended was told, and not forever: who was not told is counted.
func (l *Load) awaitCallbacks(stored []Stored) {
	_ = harness.Await(func() error {
		for _, s := range stored {
			if len(l.receiver.Of(s.Code)) == 0 && s.Ends > 0 {
				return errors.New("a callback has not come")
			}
		}
		return nil
	})
}

func (l *Load) told(stored []Stored) (all []Told) {
	for _, s := range stored {
		for _, letter := range l.receiver.Of(s.Code) {
			all = append(all, Told{letter.TrackingCode, letter.ID, letter.Status})
		}
	}
	return all
}

// stored reads what the database has, once it answers.
func (l *Load) stored() (all []Stored) {
	l.t.Helper()
	db := l.in.OpenDatabase()
	harness.Eventually(l.t, func() (err error) {
		all, err = read(l.t.Context(), db)
		return err
	})
	return all
}

func read(ctx context.Context, db *sql.DB) (all []Stored, err error) {
	rows, err := db.QueryContext(ctx, `SELECT p.tracking_code, p.status,
		(SELECT count(*) FROM moves AS m WHERE m.payment_id = p.id AND m.to_status IN ('completed', 'canceled')),
		(SELECT count(*) FROM callbacks AS c WHERE c.payment_id = p.id) FROM payments AS p`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s Stored
		if err := rows.Scan(&s.Code, &s.Status, &s.Ends, &s.Callbacks); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// length is how long at least one of the spans lasts.
func length(spans []span) (total time.Duration) {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from.UnixNano(), b.from.UnixNano()) })
	var until time.Time
	for _, s := range spans {
		if s.from.Before(until) {
			s.from = until
		}
		if s.to.After(s.from) {
			total += s.to.Sub(s.from)
			until = s.to
		}
	}
	return total
}
