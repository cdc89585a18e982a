package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// TestWhateverGoesWrongEveryPaymentEndsOnceAndIsReportedOnce lets providers, customers, staff, the clock and workers do
// anything in any order, while the store fails before or after commits, rings are lost, workers crash and receivers
// answer as they like. Then the world calms down, and the books must be right.
func TestWhateverGoesWrongEveryPaymentEndsOnceAndIsReportedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := newSimulation(t)
		actions := map[string]func(*rapid.T){
			"create": s.step(s.create), "continue": s.step(s.continues), "customer": s.step(s.customer), "staff": s.step(s.staff),
			"advance": s.advance, "expire": s.step(s.expire), "rings": s.step(s.rings), "sweep": s.step(s.sweepAll), "crash": s.crash,
		}
		often := []string{ // what leads on comes more often than what ends things
			"create", "create", "create", "continue", "continue", "customer", "customer", "staff", "advance", "advance",
			"expire", "rings", "rings", "sweep", "sweep", "crash",
		}
		for range rapid.IntRange(10, 120).Draw(t, "steps") {
			actions[rapid.SampledFrom(often).Draw(t, "action")](t)
			s.checkBooks(t)
		}
		s.calmDown(t)
		s.checkBooks(t)
		s.checkReports(t)
	})
}

// trouble is how the store fails during one step.
type trouble string

const (
	noTrouble     trouble = "none"
	allBefore     trouble = "no commit is made"
	allAfter      trouble = "commits are made, their answers lost"
	firstBefore   trouble = "the first commit is not made"
	firstAfter    trouble = "the first commit is made, its answer lost"
	anyTroubleIn1 int     = 4 // a step in so many has trouble
)

// simulation is a World with everything that a receiver and a provider would remember.
type simulation struct {
	*apptest.World
	pending []core.Ring
	answers map[string]answered // by Idempotency-Key

	mu       sync.Mutex // the deliveries' goroutines come here too
	trouble  trouble
	failed   map[string]bool // what had its first failure in this step
	mood     string          // of the receivers in this step
	acked    map[string]bool // tracking codes that were acknowledged: they are so for ever
	statuses map[string]string
	broken   string // what a receiver must never see
}

type answered struct {
	body string
	at   time.Time
}

// steady is a random source that gives the same bytes in every run.
type steady struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

func (s *steady) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.src.Read(p)
}

var _ io.Reader = (*steady)(nil)

func newSimulation(t *rapid.T) *simulation {
	s := &simulation{
		World: apptest.New(t), answers: map[string]answered{}, trouble: noTrouble,
		acked: map[string]bool{}, statuses: map[string]string{},
	}
	s.Desk.Ladder = core.Ladder{0, time.Second, time.Minute} // short, so that some callbacks fail for good
	s.Desk.Random = &steady{src: rand.NewChaCha8([32]byte{1})}
	s.Desk.Commits = &apptest.Commits{Committer: s.Store,
		Before: func(c core.Changeset) error { return s.fail(c, allBefore, firstBefore) },
		After:  func(c core.Changeset) error { return s.fail(c, allAfter, firstAfter) },
	}
	s.Courier.AnswerWith(s.receive)
	return s
}

func (s *simulation) fail(c core.Changeset, always, first trouble) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	whose := "a caller"
	if len(c.Attempts) > 0 && len(c.Callbacks) > 0 {
		whose = c.Callbacks[0].Receiver // each delivery has a first commit of its own
	}
	if s.trouble == always || (s.trouble == first && !s.failed[whose]) {
		s.failed[whose] = true
		return fault.New("simulation", fault.Unavailable)
	}
	return nil
}

// receive is every receiver: it answers by its mood of this step, and acknowledges for ever what it once took.
func (s *simulation) receive(_ context.Context, sent memory.Sent) core.Answered {
	var b struct {
		TrackingCode string `json:"tracking_code"`
		Status       string `json:"status"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := json.Unmarshal(sent.Message.Body, &b); err != nil {
		s.broken = err.Error()
	}
	if before, ok := s.statuses[b.TrackingCode]; ok && before != b.Status {
		s.broken = fmt.Sprintf("%s was reported as %s and as %s", b.TrackingCode, before, b.Status)
	}
	s.statuses[b.TrackingCode] = b.Status
	h := fnv.New32a()
	fmt.Fprint(h, s.mood, b.TrackingCode)
	isTaken := s.mood == "well" || (s.mood != "down" && h.Sum32()%2 == 0)
	if s.acked[b.TrackingCode] = s.acked[b.TrackingCode] || isTaken; s.acked[b.TrackingCode] {
		return core.Answered{HTTPStatus: 200}
	}
	return core.Answered{HTTPStatus: int(h.Sum32()/2%2) * 500, Error: "no"}
}

// step runs an action under this step's trouble and moods.
func (s *simulation) step(action func(*rapid.T)) func(*rapid.T) {
	return func(t *rapid.T) {
		s.trouble, s.failed = noTrouble, map[string]bool{}
		if rapid.IntRange(1, anyTroubleIn1).Draw(t, "luck") == 1 {
			s.trouble = rapid.SampledFrom([]trouble{allBefore, allAfter, firstBefore, firstAfter}).Draw(t, "trouble")
		}
		s.mood = rapid.SampledFrom([]string{"well", "down", "down", "moody 1", "moody 2", "moody 3"}).Draw(t, "receivers")
		action(t)
		s.trouble = noTrouble
	}
}

// wantOneOf: an action fails for a reason that its caller can understand, or for the step's trouble.
func (s *simulation) wantOneOf(t *rapid.T, err error, codes ...fault.Code) {
	t.Helper()
	code := fault.CodeOf(err)
	if err == nil || slices.Contains(codes, code) || (code == fault.Unavailable && s.trouble != noTrouble) {
		return
	}
	t.Fatalf("unexpected: %v (trouble: %s)", err, s.trouble)
}

func (s *simulation) create(t *rapid.T) {
	c := app.Creation{
		Start: s.Fill(core.Start{
			Method: rapid.SampledFrom(manualMethods()).Draw(t, "method"),
			Amount: money.New(rapid.SampledFrom([]int64{100, 5_000, 300_000}).Draw(t, "amount"), money.TRY),
		}),
		Render: func(p core.Payment) (app.Answer, error) {
			return app.Answer{Status: 200, Body: []byte(p.TrackingCode)}, nil
		},
	}
	key := rapid.SampledFrom([]string{"", "k1", "k2", "k3"}).Draw(t, "key")
	if key != "" {
		c.Once = &app.Once{
			Key: core.IdempotencyKey{Caller: "provider/1", Endpoint: string(c.Method), Key: key}, RequestHash: c.Amount.String(),
		}
		key += string(c.Method)
	}
	answer, err := s.Create(t.Context(), c)
	s.wantOneOf(t, err, fault.KeyReused)
	if err != nil || key == "" {
		return
	}
	before, isKnown := s.answers[key]
	isKnown = isKnown && s.Clock.Now().Sub(before.at) <= core.IdempotencyWindow
	if isKnown && before.body != string(answer.Body) {
		t.Fatalf("key %s gave %s and then %s (replayed: %v)", key, before.body, answer.Body, answer.Replayed)
	}
	if !isKnown {
		s.answers[key] = answered{string(answer.Body), s.createdAt(t, string(answer.Body))}
	}
}

// manualMethods are those without a gateway, deposits more often. What happens at gateways has a simulation of its own.
func manualMethods() []core.Method {
	byGateway := func(m core.Method) bool { return m.Gateway() != "" }
	return append(slices.DeleteFunc(core.Methods(), byGateway), core.ManualDeposit, core.ManualDeposit)
}

func (s *simulation) createdAt(t *rapid.T, code string) time.Time {
	p, err := s.Store.PaymentByTrackingCode(t.Context(), code)
	if err != nil {
		t.Fatalf("an accepted payment is not there: %v", err)
	}
	return p.CreatedAt
}

// payments are all that were ever made, oldest first.
func (s *simulation) payments(t *rapid.T) []core.Payment {
	t.Helper()
	all, err := s.Store.ListPayments(t.Context(), core.PaymentQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b core.Payment) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all
}

// any draws a payment of a kind; ok is false when there is none.
func (s *simulation) any(t *rapid.T, kind core.Kind) (p core.Payment, ok bool) {
	of := slices.DeleteFunc(s.payments(t), func(p core.Payment) bool { return kind != "" && p.Method.Kind() != kind })
	if len(of) == 0 {
		return p, false
	}
	back := rapid.IntRange(0, min(len(of)-1, 9)).Draw(t, "which") // 0 is the newest
	return of[len(of)-1-back], true
}

func (s *simulation) continues(t *rapid.T) {
	p, ok := s.any(t, core.Deposit)
	if !ok {
		return
	}
	amount := money.New(rapid.SampledFrom([]int64{100, 250_000, 500_000, 40_000_000}).Draw(t, "amount"), money.TRY)
	got, err := s.Deposits.Continue(t.Context(), p.Token, amount)
	s.wantOneOf(t, err, fault.NoAccount, fault.Expired, fault.AlreadyFinal, fault.NotAllowed)
	if err != nil {
		return
	}
	for _, l := range s.loads(t, got.Account.Day) {
		isBeyond := (!l.DailyLimit.IsZero() && l.DailyLimit.Less(l.Used)) || (l.DailyCount > 0 && l.Count > l.DailyCount)
		if l.ID == got.Account.AccountID && isBeyond {
			t.Fatalf("offered account %d beyond its limits: %s in %d", l.ID, l.Used, l.Count)
		}
	}
}

func (s *simulation) customer(t *rapid.T) {
	p, ok := s.any(t, core.Deposit)
	if !ok {
		return
	}
	act := s.Deposits.ClaimPaid
	if rapid.IntRange(0, 2).Draw(t, "cancels") == 0 {
		act = s.Deposits.Cancel
	}
	_, err := act(t.Context(), p.Token)
	s.wantOneOf(t, err, fault.AlreadyFinal, fault.NotAllowed)
}

func (s *simulation) staff(t *rapid.T) {
	p, ok := s.any(t, "")
	if !ok {
		return
	}
	move := apptest.By(s.Operator, p, "")
	decisions := []func() (core.Payment, error){
		func() (core.Payment, error) { return s.Withdrawals.Claim(t.Context(), move, false) },
		func() (core.Payment, error) { return s.Withdrawals.Claim(t.Context(), move, false) },
		func() (core.Payment, error) { return s.Withdrawals.Release(t.Context(), move) },
		func() (core.Payment, error) { return s.Withdrawals.Complete(t.Context(), move) },
		func() (core.Payment, error) { return s.Withdrawals.Reject(t.Context(), move) },
		func() (core.Payment, error) { return s.Withdrawals.Fail(t.Context(), move) },
		func() (core.Payment, error) { return s.Withdrawals.Cancel(t.Context(), move) },
	}
	if p.Method.Kind() == core.Deposit {
		amount := money.New(rapid.SampledFrom([]int64{0, 100, 600_000}).Draw(t, "seen"), money.TRY)
		decisions = []func() (core.Payment, error){
			func() (core.Payment, error) { return s.Approve(t.Context(), move, amount) },
			func() (core.Payment, error) { return s.Deposits.Reject(t.Context(), move) },
		}
	}
	_, err := rapid.SampledFrom(decisions).Draw(t, "decision")()
	s.wantOneOf(t, err, fault.AlreadyFinal, fault.NotClaimed, fault.NotAllowed)
}
