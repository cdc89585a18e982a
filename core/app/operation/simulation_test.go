package operation_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/app/operation"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// shards times the library's hundred checks are the thousand interleavings.
const shards = 10

// TestWhateverHappensAtGatewaysNoMoneyIsLostOrCountedTwice lets customers, gateways, staff, the clock and workers do
// anything in any order, while gateways lose, refuse and forget, the store fails, and workers crash. Then the world calms
// down, and the books must be right.
func TestWhateverHappensAtGatewaysNoMoneyIsLostOrCountedTwice(t *testing.T) {
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
	mail []letter // notifications on their way: they may come late, twice, or never

	mu       sync.Mutex
	faults   []memory.Fault // of the next calls, one each
	trouble  int            // of the next commits: 1 fails before, 2 after it was made
	reported map[string][]string
}

type letter struct {
	token string
	in    gateway.Inbound
}

func newSimulation(t *rapid.T) *simulation {
	s := &simulation{World: apptest.New(t), reported: map[string][]string{}}
	s.Till.Fault, s.OtherTill.Fault = s.fault, s.fault
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
		"create": s.create, "begin": s.begin, "pay": s.pay, "return": s.comeBack, "write": s.write, "deliver": s.deliver,
		"work": s.work, "advance": s.advance, "cancel": s.cancel, "staff": s.staff, "crash": s.crash, "trouble": s.misfortune,
	}
	often := []string{
		"create", "create", "begin", "begin", "begin", "pay", "pay", "return", "return", "write", "deliver", "deliver", "work",
		"work", "work", "advance", "advance", "cancel", "staff", "crash", "trouble", "trouble",
	}
	s.create(t)
	for range rapid.IntRange(10, 80).Draw(t, "steps") {
		actions[rapid.SampledFrom(often).Draw(t, "action")](t)
	}
	s.calmDown(t)
	s.checkBooks(t)
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

// understood: an action fails for a reason that its caller can understand.
func understood(t *rapid.T, err error) {
	t.Helper()
	codes := []fault.Code{
		fault.NoGateway, fault.Expired, fault.AlreadyFinal, fault.NotAllowed, fault.Unavailable, fault.Conflict, fault.NotFound, fault.Invalid,
	}
	if err != nil && !slices.Contains(codes, fault.CodeOf(err)) {
		t.Fatalf("unexpected: %v", err)
	}
}

func (s *simulation) create(t *rapid.T) {
	s.mu.Lock()
	s.trouble = 0 // whether a provider's call succeeds is not the question here
	s.mu.Unlock()
	method := rapid.SampledFrom([]core.Method{
		core.CreditCard, core.CreditCard, core.BankDeposit, core.CryptoDeposit, core.WalletDeposit, core.BankWithdrawal, core.WalletWithdrawal,
	}).Draw(t, "method")
	amount := rapid.SampledFrom([]int64{5_000, 50_000, 500_000}).Draw(t, "amount")
	s.Start(t, core.Start{Method: method, Amount: money.New(amount, money.TRY)})
}

func (s *simulation) payments(t *rapid.T) []core.Payment {
	t.Helper()
	all, err := s.Store.ListPayments(context.Background(), core.PaymentQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (s *simulation) operations(t *rapid.T) []core.Operation {
	t.Helper()
	var all []core.Operation
	for _, p := range s.payments(t) {
		of, err := s.Store.OperationsOf(context.Background(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, of...)
	}
	return all
}

// any draws one of a list; ok is false when it is empty.
func draw[T any](t *rapid.T, list []T, label string) (one T, ok bool) {
	if len(list) == 0 {
		return one, false
	}
	return list[rapid.IntRange(0, len(list)-1).Draw(t, label)], true
}

func withPage(all []core.Payment) []core.Payment {
	return slices.DeleteFunc(slices.Clone(all), func(p core.Payment) bool { return p.Token == "" })
}

func (s *simulation) begin(t *rapid.T) {
	p, ok := draw(t, withPage(s.payments(t)), "payment")
	if !ok {
		return
	}
	b := operation.Begin{Token: p.Token}
	if p.Method != core.CreditCard {
		b.GatewayID = rapid.SampledFrom([]int64{s.Gateway.ID, s.OtherGateway.ID}).Draw(t, "gateway")
		b.Kind = rapid.SampledFrom([]gateway.Kind{"", gateway.Bank, gateway.Wallet}).Draw(t, "kind")
	}
	_, _, err := s.Operations.Begin(context.Background(), b)
	understood(t, err)
}

func (s *simulation) till(o core.Operation) *memory.Till {
	if o.GatewayID == s.Gateway.ID {
		return s.Till
	}
	return s.OtherTill
}

// pay changes what is true at a gateway.
func (s *simulation) pay(t *rapid.T) {
	o, ok := draw(t, s.operations(t), "operation")
	if !ok {
		return
	}
	what := rapid.SampledFrom([]string{"pays", "pays", "pays", "less", "more", "declined", "declined, may retry", "processing", "review", "canceled"}).Draw(t, "what")
	s.till(o).Change(o.Ref, func(at *memory.Order) {
		if o.Kind == core.PayoutOperation {
			changePayout(at, what)
		} else {
			changeDeposit(at, what)
		}
	})
}

func changePayout(at *memory.Order, what string) {
	if at.State != string(gateway.PayoutSent) {
		return
	}
	at.State = map[string]string{
		"pays": string(gateway.PayoutDone), "more": string(gateway.PayoutDone), "declined": string(gateway.PayoutRejected),
		"canceled": string(gateway.PayoutFailed),
	}[what]
	if at.State == "" {
		at.State = string(gateway.PayoutSent)
	}
}

// changeDeposit: a customer can pay what is not paid; a gateway takes nothing back.
func changeDeposit(at *memory.Order, what string) {
	isOpen := slices.Contains([]string{string(gateway.Waiting), string(gateway.Processing), string(gateway.Review)}, at.State) || at.CanStillPay
	if late := at.State == string(gateway.Canceled) && what == "pays"; !isOpen && !late {
		return
	}
	half := money.MustDecimal("0.5")
	at.CanStillPay = false
	switch what {
	case "pays":
		at.State, at.Paid = string(gateway.Paid), at.Amount
	case "less":
		at.State, at.Paid = string(gateway.PartPaid), gateway.Money{Amount: at.Amount.Amount.Mul(half), Asset: at.Amount.Asset}
	case "more":
		at.State, at.Paid = string(gateway.OverPaid), gateway.Money{Amount: at.Amount.Amount.Add(half), Asset: at.Amount.Asset}
	case "declined", "declined, may retry":
		at.State, at.CanStillPay = string(gateway.Failed), what != "declined"
		at.Reason = &gateway.Reason{Code: gateway.InsufficientFunds, RawCode: "51"}
	case "canceled":
		at.State = string(gateway.Canceled)
	default:
		at.State = what
	}
}

func (s *simulation) comeBack(t *rapid.T) {
	if o, ok := draw(t, s.operations(t), "operation"); ok && o.ReturnToken != "" {
		in := gateway.Inbound{Method: "POST", Body: []byte("status=success")}
		atOnce(t, rapid.IntRange(1, 3).Draw(t, "times"), func() error {
			_, err := s.Operations.Return(context.Background(), o.ReturnToken, in)
			return err
		})
	}
}

// atOnce does something several times at the same moment: two tabs, a gateway's retry.
func atOnce(t *rapid.T, times int, do func() error) {
	t.Helper()
	failed := make(chan error, times)
	for range times {
		go func() { failed <- do() }()
	}
	for range times {
		understood(t, <-failed)
	}
}

// write puts a notification of what is true now on its way.
func (s *simulation) write(t *rapid.T) {
	o, ok := draw(t, s.operations(t), "operation")
	if !ok {
		return
	}
	account := s.Gateway
	if o.GatewayID != account.ID {
		account = s.OtherGateway
	}
	trust := rapid.SampledFrom([]gateway.Trust{gateway.Signed, gateway.Hint}).Draw(t, "trust")
	s.mail = append(s.mail, letter{account.HookToken, s.till(o).Notification(fmt.Sprint("n-", len(s.mail)), o.Ref, trust)})
}

// deliver brings any letter, once or three times; it may come again later.
func (s *simulation) deliver(t *rapid.T) {
	l, ok := draw(t, s.mail, "letter")
	if !ok {
		return
	}
	atOnce(t, rapid.SampledFrom([]int{1, 3}).Draw(t, "times"), func() error {
		_, err := s.Operations.Notify(context.Background(), l.token, l.in)
		return err
	})
}

func (s *simulation) work(t *rapid.T) {
	understood(t, s.Sweep.Sweep(context.Background()))
	s.wait(t)
}

func (s *simulation) wait(t *rapid.T) {
	t.Helper()
	ctx := context.Background()
	if err := errors.Join(s.Operations.Wait(ctx), s.Statements.Wait(ctx), s.Callbacks.Wait(ctx)); err != nil {
		t.Fatal(err)
	}
}

func (s *simulation) advance(t *rapid.T) {
	s.Clock.Advance(rapid.SampledFrom([]time.Duration{
		time.Second, 11 * time.Second, time.Minute, 16 * time.Minute, 31 * time.Minute, 3 * time.Hour,
	}).Draw(t, "time"))
}

func (s *simulation) cancel(t *rapid.T) {
	if p, ok := draw(t, withPage(s.payments(t)), "payment"); ok {
		_, err := s.Operations.Cancel(context.Background(), p.Token)
		understood(t, err)
	}
}

func (s *simulation) staff(t *rapid.T) {
	payouts := slices.DeleteFunc(s.payments(t), func(p core.Payment) bool { return p.Method.Kind() != core.Payout })
	p, ok := draw(t, payouts, "payout")
	if !ok {
		return
	}
	by := apptest.By(s.Operator, p, "seen")
	var err error
	switch rapid.IntRange(0, 3).Draw(t, "decision") {
	case 0:
		_, err = s.Operations.RejectPayout(context.Background(), by)
	case 1:
		_, err = s.Operations.CancelPayout(context.Background(), by)
	default:
		_, err = s.Operations.ApprovePayout(context.Background(), by)
	}
	understood(t, err)
}

// crash replaces the worker by a new one, which remembers nothing; every ring is lost.
func (s *simulation) crash(t *rapid.T) {
	if err := s.Operations.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.Bell.Drain()
	old := s.Operations
	s.Operations = &operation.Service{
		Desk: old.Desk, Store: old.Store, Gateways: old.Gateways, Answers: old.Answers, Limiter: old.Limiter,
		BaseURL: old.BaseURL, ExpiryBankWithdrawal: old.ExpiryBankWithdrawal, Log: old.Log,
	}
	s.Operations.Start()
	fresh := s.Operations
	t.Cleanup(func() { _ = fresh.Stop(context.Background()) })
	s.Sweep.Operations = fresh
}

// calmDown: gateways and store work, and time passes with a sweep now and then. No ring, no letter, no customer comes.
func (s *simulation) calmDown(t *rapid.T) {
	s.mu.Lock()
	s.faults, s.trouble = nil, 0
	s.mu.Unlock()
	for range 4 { // what was leased, and what waits for its gateway to be probed
		s.Clock.Advance(2 * time.Minute)
		s.work(t)
	}
	for _, o := range s.operations(t) { // payouts end at their gateways
		if o.Kind == core.PayoutOperation {
			s.till(o).Change(o.Ref, func(at *memory.Order) { changePayout(at, "pays") })
		}
	}
	for range 30 {
		s.Clock.Advance(4 * time.Hour)
		s.work(t)
	}
}

// checkBooks holds the end against the books of the gateways.
func (s *simulation) checkBooks(t *rapid.T) {
	for _, p := range s.payments(t) {
		operations, err := s.Store.OperationsOf(context.Background(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		discrepancies, err := s.Store.DiscrepanciesOf(context.Background(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		s.checkEnd(t, p, operations, discrepancies)
		for _, o := range operations {
			if o.Kind == core.PayoutOperation {
				s.checkPayout(t, p, o, discrepancies)
			} else {
				s.checkDeposit(t, p, o, discrepancies)
			}
		}
	}
}

// checkEnd: one final status and one callback; what has not ended is held open by money that staff must look at, or
// waits for their approval.
func (s *simulation) checkEnd(t *rapid.T, p core.Payment, operations []core.Operation, known []core.Discrepancy) {
	callbacks, err := s.Store.CallbacksOf(context.Background(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := s.Store.Moves(context.Background(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	finals := 0
	for _, m := range moves {
		if m.To.IsFinal() {
			finals++
		}
	}
	if !p.Status.IsFinal() {
		isHeld := slices.ContainsFunc(known, core.Discrepancy.IsOpen)
		isAsked := p.Method.Kind() == core.Payout && p.Status == core.Showing
		isSeen := p.Status == core.Processing // the gateway saw money and has not decided: overdue, for staff to see
		if !isHeld && !isAsked && !isSeen || finals != 0 || len(callbacks) != 0 {
			t.Fatalf("%s stays %s: %d ends, %d callbacks, %+v, %+v", p.TrackingCode, p.Status, finals, len(callbacks), known, operations)
		}
		return
	}
	if finals != 1 || len(callbacks) != 1 || callbacks[0].Payload.Status != p.Status {
		t.Fatalf("%s is %s: %d ends, callbacks %+v", p.TrackingCode, p.Status, finals, callbacks)
	}
}

// checkDeposit: money at the gateway is the payment's, exactly, or somebody is told of it.
func (s *simulation) checkDeposit(t *rapid.T, p core.Payment, o core.Operation, known []core.Discrepancy) {
	till := s.till(o)
	if n := till.Finishes(o.Ref); n > 1 {
		t.Fatalf("%s: %d finishing calls", o.Ref, n)
	}
	at, ok := till.Deposit(o.Ref)
	isCredited := (p.Status == core.Success || p.Status == core.Completed) && p.AtGate.OperationID == o.ID
	isTold := slices.ContainsFunc(known, func(d core.Discrepancy) bool { return d.OperationID == o.ID })
	if !ok || at.Paid.Amount.Sign() == 0 {
		if isCredited {
			t.Fatalf("%s is %s, and nothing was paid under %s", p.TrackingCode, p.Status, o.Ref)
		}
		return
	}
	if isCredited && at.Paid != o.Due {
		t.Fatalf("%s is %s with %s of %s", p.TrackingCode, p.Status, at.Paid, o.Due)
	}
	isWatched := !o.LateUntil.IsZero() && at.State == string(gateway.Paid)
	if !isCredited && !isTold && isWatched {
		t.Fatalf("%s under %s is lost: %s is %s, %+v", at.Paid, o.Ref, p.TrackingCode, p.Status, o)
	}
}

// checkPayout: sent at most once, and called what it is.
func (s *simulation) checkPayout(t *rapid.T, p core.Payment, o core.Operation, known []core.Discrepancy) {
	at, ok := s.till(o).Payout(o.Ref)
	if at.Orders > 1 {
		t.Fatalf("%s was sent %d times", o.Ref, at.Orders)
	}
	isTold := slices.ContainsFunc(known, func(d core.Discrepancy) bool { return d.OperationID == o.ID })
	isPaid := ok && at.State == string(gateway.PayoutDone)
	if isPaid != (p.Status == core.Completed) && !isTold {
		t.Fatalf("%s is %s; at its gateway: %+v (%v); %+v", p.TrackingCode, p.Status, at, ok, o)
	}
}
