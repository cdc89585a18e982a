package operation_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// TestWhateverHappensAtTheBankTheLedgerIsRight lets a dealer, the bank, staff, the clock and workers do anything in any
// order, while the bank loses, refuses and forgets, the store fails, and workers crash. At any moment the wallet is what
// its entries say; in the end every transfer was sent at most once, and is what the bank says, or staff are told, and the
// wallet holds what its account at the bank does.
func TestWhateverHappensAtTheBankTheLedgerIsRight(t *testing.T) {
	t.Parallel()
	for shard := range 4 {
		t.Run(fmt.Sprint("shard ", shard), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { newBankSimulation(t).run(t) })
		})
	}
}

// bankSimulation is a simulation of one dealer's wallet.
type bankSimulation struct{ *simulation }

func newBankSimulation(t *rapid.T) *bankSimulation {
	s := &bankSimulation{newSimulation(t)}
	s.Bank.Fault = s.fault
	s.Clock.Advance(time.Second) // what the bank books at the very opening of a wallet is in its opening balance
	return s
}

func (s *bankSimulation) run(t *rapid.T) {
	actions := map[string]func(*rapid.T){
		"send": s.send, "bank": s.act, "write": s.writeOf, "deliver": s.deliver, "work": s.work, "advance": s.advance,
		"staff": s.decide, "resolve": s.resolve, "crash": s.crash, "trouble": s.misfortune,
	}
	often := []string{
		"send", "send", "send", "bank", "bank", "write", "deliver", "work", "work", "work", "advance", "advance", "staff",
		"resolve", "crash", "trouble", "trouble",
	}
	for range rapid.IntRange(10, 80).Draw(t, "steps") {
		actions[rapid.SampledFrom(often).Draw(t, "action")](t)
		s.checkLedger(t)
	}
	s.calm(t)
	s.checkLedger(t)
	for _, p := range s.payments(t) {
		s.checkTransfer(t, p)
	}
	s.checkBank(t)
}

// send asks for one transfer, or for two at the same moment.
func (s *bankSimulation) send(t *rapid.T) {
	amount := money.New(rapid.SampledFrom([]int64{1_000, 99_999, 400_000}).Draw(t, "amount"), money.TRY)
	times := rapid.IntRange(1, 2).Draw(t, "times")
	sent := make(chan error, times)
	for range times {
		go func() {
			_, err := s.Create(context.Background(), app.Creation{
				Start:  s.Fill(core.Start{Method: core.EIBANTransfer, Amount: amount}),
				Render: func(core.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil },
			})
			sent <- err
		}()
	}
	for range times {
		if err := <-sent; !fault.Is(err, fault.Insufficient) {
			understood(t, err)
		}
	}
}

// act changes what is true at the bank: a transfer under way ends, and one that was done may come back.
func (s *bankSimulation) act(t *rapid.T) {
	o, ok := draw(t, s.operations(t), "transfer")
	if !ok {
		return
	}
	act := rapid.SampledFrom([]string{"settle", "settle", "fail", "cancel", "return"}).Draw(t, "act")
	at, _ := s.Bank.Transfer(o.Ref)
	switch isOpen := at.State == gateway.PayoutSent; {
	case act == "return" && (isOpen || at.State == gateway.PayoutDone):
		s.Bank.Return(o.Ref)
	case isOpen && act == "settle":
		s.Bank.Settle(o.Ref)
	case isOpen && act == "fail":
		s.Bank.Fail(o.Ref)
	case isOpen && act == "cancel":
		s.Bank.Cancel(o.Ref)
	}
}

func (s *bankSimulation) writeOf(t *rapid.T) {
	if o, ok := draw(t, s.operations(t), "transfer"); ok {
		trust := rapid.SampledFrom([]gateway.Trust{gateway.Signed, gateway.Hint}).Draw(t, "trust")
		in := s.Bank.Notification(fmt.Sprint("n-", len(s.mail)), o.Ref, trust)
		s.mail = append(s.mail, letter{s.BankGateway.HookToken, in})
	}
}

// decide is staff who try whatever there is a button for.
func (s *bankSimulation) decide(t *rapid.T) {
	p, ok := draw(t, s.payments(t), "transfer")
	if !ok {
		return
	}
	try := rapid.SampledFrom([]func(context.Context, app.StaffMove) (core.Payment, error){
		s.Operations.CancelPayout, s.Operations.CancelPayout, s.Operations.RejectPayout, s.Operations.ApprovePayout,
		s.Withdrawals.Complete, s.Withdrawals.Fail,
	}).Draw(t, "decision")
	if _, err := try(context.Background(), apptest.By(s.Operator, p, "seen")); !fault.Is(err, fault.WrongMethod) {
		understood(t, err)
	}
}

// resolve is staff who settle what they are told of. That a transfer has left they only say when they see it there.
func (s *bankSimulation) resolve(t *rapid.T) {
	open, err := s.Store.Discrepancies(context.Background(), core.DiscrepancyQuery{
		States: []core.DiscrepancyState{core.DiscrepancyOpen}, Limit: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	d, ok := draw(t, open, "discrepancy")
	if !ok {
		return
	}
	o, err := s.Store.OperationBy(context.Background(), core.OperationKey{ID: d.OperationID})
	if err != nil {
		t.Fatal(err)
	}
	resolution := core.WriteOff
	if at, ok := s.Bank.Transfer(o.Ref); ok && at.LineID != "" {
		resolution = core.AcceptMoney
	}
	by := apptest.By(s.Operator, core.Payment{TrackingCode: d.TrackingCode}, "seen")
	_, err = s.Operations.Resolve(context.Background(), by, d.ID, resolution, money.Amount{})
	if !fault.Is(err, fault.WrongMethod) {
		understood(t, err)
	}
}

// calm: bank and store work, what is under way is done, and time passes with a sweep now and then.
func (s *bankSimulation) calm(t *rapid.T) {
	s.calmDown(t)
	for _, o := range s.operations(t) {
		if at, ok := s.Bank.Transfer(o.Ref); ok && at.State == gateway.PayoutSent {
			s.Bank.Settle(o.Ref)
		}
	}
	s.calmDown(t)
}

// checkLedger: what the wallet holds is what its entries add up to, each of which sums to zero, and what is reserved is
// what transfers under way have taken.
func (s *bankSimulation) checkLedger(t *rapid.T) {
	held := s.Held(t, s.Wallet)
	entries, err := s.Store.Entries(context.Background(), s.Wallet.ID, "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	var available, reserved, pending int64
	for _, e := range entries {
		if e.Available.Minor()+e.Reserved.Minor()+e.Outside.Minor() != 0 {
			t.Fatalf("an entry that does not sum to zero: %+v", e)
		}
		available, reserved = available+e.Available.Minor(), reserved+e.Reserved.Minor()
	}
	for _, p := range s.payments(t) {
		if !p.Status.IsFinal() {
			pending += p.Amount.Minor()
		}
		s.checkEntries(t, p, entries)
	}
	isRight := held.Available.Minor() == available && held.Reserved.Minor() == reserved && available >= 0 && reserved == pending
	if !isRight {
		t.Fatalf("the wallet has %s and %s; entries say %d and %d, pending are %d",
			held.Available, held.Reserved, available, reserved, pending)
	}
}

// checkEntries: a transfer is reserved, and then posted or given back; one that was posted may come back. Each once.
func (s *bankSimulation) checkEntries(t *rapid.T, p core.Payment, entries []core.LedgerEntry) {
	want := []core.EntryKind{core.EntryReserve}
	switch {
	case p.Status == core.Completed:
		want = []core.EntryKind{core.EntryPost, core.EntryReserve}
	case p.Status.IsFinal():
		want = []core.EntryKind{core.EntryRelease, core.EntryReserve}
	}
	var got []core.EntryKind
	for _, e := range entries {
		if e.PaymentID == p.ID {
			got = append(got, e.Kind)
		}
	}
	if p.Status == core.Completed && slices.Contains(got, core.EntryReturn) {
		want = append(want, core.EntryReturn)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s is %s and booked as %q", p.TrackingCode, p.Status, got)
	}
}

// checkTransfer: sent at most once, ended as the bank says, once, or somebody is told.
func (s *bankSimulation) checkTransfer(t *rapid.T, p core.Payment) {
	operations, err := s.Store.OperationsOf(context.Background(), p.ID)
	if err != nil || len(operations) != 1 {
		t.Fatalf("%s has %d operations: %v", p.TrackingCode, len(operations), err)
	}
	known, err := s.Store.DiscrepanciesOf(context.Background(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	at, isThere := s.Bank.Transfer(operations[0].Ref)
	want := core.Failed
	switch {
	case at.Orders > 1:
		t.Fatalf("%s was sent %d times", p.TrackingCode, at.Orders)
	case !isThere && p.Status == core.Cancelled:
		want = core.Cancelled // called off before it left
	case at.State == gateway.PayoutReturned && p.Status == core.Completed: // done first; the statement says the rest
		want = core.Completed
	case at.State == gateway.PayoutDone:
		want = core.Completed
	case at.State == gateway.PayoutCanceled:
		want = core.Cancelled
	}
	if p.Status != want && len(known) == 0 {
		t.Fatalf("%s is %s, %s at the bank (%v), and nobody is told: %+v", p.TrackingCode, p.Status, at.State, isThere, operations)
	}
	if !p.Status.IsFinal() && !slices.ContainsFunc(known, core.Discrepancy.IsOpen) {
		t.Fatalf("%s stays %s: %+v, %+v", p.TrackingCode, p.Status, operations, known)
	}
}

// checkBank: the wallet and its account at the bank hold the same, but for lines that took what the dealer had sent again
// meanwhile.
func (s *bankSimulation) checkBank(t *rapid.T) {
	ctx := context.Background()
	query := core.LineQuery{WalletID: s.Wallet.ID, States: []core.LineState{core.LineUnbooked}, Limit: 100}
	unbooked, err := s.Store.LinesIn(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	want := s.Held(t, s.Wallet).Balance().Decimal()
	for _, l := range unbooked {
		if l.Direction != gateway.Outgoing {
			t.Fatalf("the ledger does not take %+v", l)
		}
		want = want.Sub(l.Amount.Decimal())
	}
	if got, err := s.Bank.ReadBalance(ctx, s.Wallet.BankAccount); err != nil || got.Total != want {
		t.Fatalf("the bank has %s (%v), the wallet with its %d unbooked lines %s", got.Total, err, len(unbooked), want)
	}
}
