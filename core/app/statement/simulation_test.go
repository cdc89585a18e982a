package statement_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/app/statement"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// shards times the library's hundred checks are the sequences.
const shards = 3

// TestWhateverHappensTheWalletIsWhatTheBankSays lets customers, a dealer, the bank, staff, the clock and workers do
// anything in any order, while the bank loses, hides, repeats and books late, commits fail, and the reader crashes. Then
// the world calms down, and the wallet must be what the bank says, to the kuruş, line by line and day by day.
func TestWhateverHappensTheWalletIsWhatTheBankSays(t *testing.T) {
	t.Parallel()
	for shard := range shards {
		t.Run(fmt.Sprint("shard ", shard), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { newSimulation(t).run(t) })
		})
	}
}

// simulation is a World in which things go wrong.
type simulation struct {
	*apptest.World
	notified int
	passed   time.Duration

	mu      sync.Mutex
	faults  []memory.Fault // of the next calls to the bank, one each
	trouble int            // of the next commits: 1 fails before, 2 after it was made
}

func newSimulation(t *rapid.T) *simulation {
	s := &simulation{World: apptest.New(t)}
	s.Clock.Advance(time.Second)
	s.Bank.Fault = s.fault
	s.Bank.PageSize = rapid.SampledFrom([]int{1, 3, 100}).Draw(t, "page size")
	s.Bank.Lag = rapid.SampledFrom([]time.Duration{0, 30 * time.Second}).Draw(t, "lag")
	s.Desk.Commits = &apptest.Commits{Committer: s.Store,
		Before: func(core.Changeset) error { return s.fail(1) }, After: func(core.Changeset) error { return s.fail(2) },
	}
	return s
}

func (s *simulation) fault(gateway.Capability, gateway.Ref) memory.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return memory.NoFault
	}
	f := s.faults[0]
	s.faults = s.faults[1:]
	return f
}

func (s *simulation) fail(when int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble != when {
		return nil
	}
	s.trouble = 0
	return fault.New("simulation", fault.Unavailable)
}

func (s *simulation) run(t *rapid.T) {
	actions := map[string]func(*rapid.T){
		"deposit": s.deposit, "pay": s.pay, "receive": s.receive, "fee": s.fee, "send": s.send, "bank": s.act,
		"duplicate": s.duplicate, "hide": s.hide, "notify": s.notify, "work": s.work, "advance": s.advance,
		"trouble": s.misfortune, "crash": s.crash, "staff": s.staff, "reconcile": s.reconcile,
	}
	often := []string{
		"deposit", "deposit", "pay", "pay", "pay", "receive", "receive", "fee", "send", "send", "send", "bank", "bank", "bank",
		"duplicate", "hide", "notify", "work", "work", "work", "work", "advance", "advance", "advance", "trouble", "trouble",
		"crash", "staff", "reconcile",
	}
	for range rapid.IntRange(10, 60).Draw(t, "steps") {
		actions[rapid.SampledFrom(often).Draw(t, "action")](t)
	}
	s.calmDown(t)
	s.checkLines(t)
	s.checkDeposits(t)
	s.checkTransfers(t)
	s.checkBooks(t)
}

// understood: an action fails for a reason that its caller can understand.
func understood(t *rapid.T, err error) {
	t.Helper()
	codes := []fault.Code{
		fault.AlreadyFinal, fault.NotAllowed, fault.Unavailable, fault.Conflict, fault.GatewayFailed, fault.Insufficient, fault.Invalid,
	}
	if err != nil && !slices.Contains(codes, fault.CodeOf(err)) {
		t.Fatalf("unexpected: %v", err)
	}
}

// calmly does what is not in question here without trouble.
func (s *simulation) calmly() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = 0
}

var customers = []core.Customer{{UserID: "u-1001", Username: "ayse", Fullname: "Ayşe Yılmaz"}, mehmet, alike}

func (s *simulation) deposit(t *rapid.T) {
	s.calmly()
	amount := money.New(rapid.SampledFrom([]int64{5_000, 25_000}).Draw(t, "amount"), money.TRY)
	customer := rapid.SampledFrom(customers).Draw(t, "customer")
	p := s.Start(t, core.Start{Method: core.EIBANDeposit, Amount: amount, Customer: customer})
	p, err := s.Deposits.Continue(context.Background(), p.Token, amount)
	understood(t, err)
	if rapid.Bool().Draw(t, "claimed") {
		_, err = s.Deposits.ClaimPaid(context.Background(), p.Token)
		understood(t, err)
	}
}

func (s *simulation) payments(t *rapid.T, m core.Method) []core.Payment {
	t.Helper()
	all, err := s.Store.ListPayments(context.Background(), core.PaymentQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(p core.Payment) bool { return p.Method != m })
}

// draw draws one of a list; ok is false when it is empty.
func draw[T any](t *rapid.T, list []T, label string) (one T, ok bool) {
	if len(list) == 0 {
		return one, false
	}
	return list[rapid.IntRange(0, len(list)-1).Draw(t, label)], true
}

// when draws the moment at which the bank books something, which may lie behind it.
func (s *simulation) when(t *rapid.T) time.Time {
	late := rapid.SampledFrom([]time.Duration{
		0, 0, 0, time.Minute, 14 * time.Minute, 3 * time.Hour, 25 * time.Hour, 50 * time.Hour,
	}).Draw(t, "late")
	at, first := s.Clock.Now().Add(-late), apptest.Start.Add(time.Second)
	if at.Before(first) {
		return first
	}
	return at
}

// pay is a customer who pays a deposit, whatever has become of it.
func (s *simulation) pay(t *rapid.T) {
	p, ok := draw(t, s.payments(t, core.EIBANDeposit), "deposit")
	if !ok {
		return
	}
	text := rapid.SampledFrom([]string{"", p.TrackingCode}).Draw(t, "text")
	customer := gateway.Party{Name: p.Customer.Fullname, IBAN: "TR" + p.Customer.UserID}
	s.Bank.Receive(s.Wallet.BankAccount, p.Requested, customer, text, s.when(t))
}

func (s *simulation) receive(t *rapid.T) {
	amount := money.New(rapid.SampledFrom([]int64{1, 5_000, 300_000}).Draw(t, "amount"), money.TRY)
	sender := rapid.SampledFrom([]gateway.Party{ayse, stranger, {}}).Draw(t, "sender")
	s.Bank.Receive(s.Wallet.BankAccount, amount, sender, "", s.when(t))
}

func (s *simulation) fee(t *rapid.T) {
	amount := money.New(rapid.SampledFrom([]int64{300, 50_000}).Draw(t, "amount"), money.TRY)
	s.Bank.Book(s.Wallet.BankAccount, gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: amount.Decimal(), BookedAt: s.when(t),
	})
}

func (s *simulation) send(t *rapid.T) {
	amount := money.New(rapid.SampledFrom([]int64{1_000, 99_999, 400_000}).Draw(t, "amount"), money.TRY)
	_, err := s.Create(context.Background(), app.Creation{
		Start:  s.Fill(core.Start{Method: core.EIBANTransfer, Amount: amount}),
		Render: func(core.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil },
	})
	understood(t, err)
}

func (s *simulation) operation(t *rapid.T, p core.Payment) core.Operation {
	t.Helper()
	all, err := s.Store.OperationsOf(context.Background(), p.ID)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s has operations %+v: %v", p.TrackingCode, all, err)
	}
	return all[0]
}

// act changes what is true at the bank: a transfer ends, comes back, or leaves although it was called failed.
func (s *simulation) act(t *rapid.T) {
	p, ok := draw(t, s.payments(t, core.EIBANTransfer), "transfer")
	if !ok {
		return
	}
	ref := s.operation(t, p).Ref
	at, _ := s.Bank.Transfer(ref)
	isOpen, isDone := at.State == gateway.PayoutSent, at.State == gateway.PayoutDone
	switch act := rapid.SampledFrom([]string{"settle", "settle", "settle", "fail", "cancel", "return", "leave"}).Draw(t, "act"); {
	case act == "return" && (isOpen || isDone):
		s.Bank.Return(ref)
	case act == "leave" && at.State == gateway.PayoutFailed, act == "settle" && isOpen:
		s.Bank.Settle(ref)
	case act == "fail" && isOpen:
		s.Bank.Fail(ref)
	case act == "cancel" && isOpen:
		s.Bank.Cancel(ref)
	}
}

// written are the lines that the bank has written, hidden ones as well, each once.
func (s *simulation) written() []gateway.StatementLine { return s.Bank.Lines(s.Wallet.BankAccount) }

func (s *simulation) duplicate(t *rapid.T) {
	if l, ok := draw(t, s.written(), "line"); ok {
		s.Bank.Duplicate(l.ID)
	}
}

func (s *simulation) hide(t *rapid.T) {
	if l, ok := draw(t, s.written(), "line"); ok {
		if rapid.Bool().Draw(t, "hidden") {
			s.Bank.Hide(l.ID)
		} else {
			s.Bank.Show(l.ID)
		}
	}
}

func (s *simulation) notify(t *rapid.T) {
	if l, ok := draw(t, s.written(), "line"); ok {
		s.notified++
		in := s.Bank.LineNotification(fmt.Sprint("n-", s.notified), l.ID)
		_, err := s.Operations.Notify(context.Background(), s.BankGateway.HookToken, in)
		understood(t, err)
	}
}

func (s *simulation) work(t *rapid.T) {
	understood(t, s.Sweep.Sweep(context.Background()))
	for _, wait := range []func(context.Context) error{s.Operations.Wait, s.Statements.Wait, s.Callbacks.Wait} {
		if err := wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// advance lets time pass, but less than the week in which days are compared again.
func (s *simulation) advance(t *rapid.T) {
	by := rapid.SampledFrom([]time.Duration{
		time.Second, 30 * time.Second, 3 * time.Minute, 31 * time.Minute, 3 * time.Hour, 11 * time.Hour,
	}).Draw(t, "time")
	if s.passed += by; s.passed < 4*24*time.Hour {
		s.Clock.Advance(by)
	}
}

// misfortune prepares what will go wrong with the next calls and commits.
func (s *simulation) misfortune(t *rapid.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = rapid.SliceOfN(rapid.SampledFrom([]memory.Fault{
		memory.NoFault, memory.NotSent, memory.Lost, memory.Lost, memory.Broken, memory.Refusing,
	}), 0, 5).Draw(t, "faults")
	s.trouble = rapid.IntRange(0, 2).Draw(t, "trouble")
}

// crash replaces the reader by a new one, which remembers nothing; every ring is lost.
func (s *simulation) crash(t *rapid.T) {
	if err := s.Statements.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.Bell.Drain()
	old := s.Statements
	fresh := &statement.Service{
		Desk: old.Desk, Store: old.Store, Gateways: old.Gateways, Every: old.Every, AutoScore: old.AutoScore, Zone: old.Zone,
		Log: old.Log,
	}
	fresh.Start()
	t.Cleanup(func() { _ = fresh.Stop(context.Background()) })
	s.Statements, s.Sweep.Read = fresh, fresh.Wake
}

// staff decide about a line, twice at once.
func (s *simulation) staff(t *rapid.T) {
	ctx := context.Background()
	lines, err := s.Statements.Lines(ctx, s.Operator, core.LineQuery{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	line, ok := draw(t, lines, "line")
	p, hasDeposit := draw(t, s.payments(t, core.EIBANDeposit), "deposit")
	if !ok {
		return
	}
	var decide func() error
	switch what := rapid.IntRange(0, 3).Draw(t, "decision"); {
	case what < 2 && hasDeposit:
		decide = func() error {
			_, err := s.Statements.Credit(ctx, by(s.Operator, ""), s.Wallet.WalletID, line.LineID, p.TrackingCode)
			return err
		}
	case what == 2:
		decide = func() error {
			_, err := s.Statements.SetAside(ctx, by(s.Operator, "no customer's"), s.Wallet.WalletID, line.LineID)
			return err
		}
	default:
		decide = func() error {
			_, err := s.Statements.BringBack(ctx, by(s.Operator, "a customer's"), s.Wallet.WalletID, line.LineID)
			return err
		}
	}
	done := make(chan error)
	go func() { done <- decide() }()
	understood(t, decide())
	understood(t, <-done)
}

// reconcile compares today while the reader reads.
func (s *simulation) reconcile(t *rapid.T) {
	s.Statements.Wake()
	_, err := s.Statements.Reconcile(context.Background(), by(s.Operator, ""), s.Wallet.WalletID, core.DayOf(s.Clock.Now(), s.Zone))
	understood(t, err)
	s.work(t)
}
