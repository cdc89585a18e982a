package statement_test

import (
	"context"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// calmDown: bank and store work, everything is shown, what is under way ends, staff settle what they are told of, and
// there is money for what the bank has taken. Two days pass.
func (s *simulation) calmDown(t *rapid.T) {
	s.mu.Lock()
	s.faults, s.trouble = nil, 0
	s.mu.Unlock()
	for _, l := range s.written() {
		s.Bank.Show(l.ID)
	}
	for range 4 { // what was leased, and what waits for the bank to be probed
		s.Clock.Advance(2 * time.Minute)
		s.work(t)
	}
	for _, p := range s.payments(t, core.EIBANTransfer) {
		ref := s.operation(t, p).Ref
		if at, ok := s.Bank.Transfer(ref); ok && at.State == gateway.PayoutSent {
			s.Bank.Settle(ref)
		}
	}
	s.Bank.Receive(s.Wallet.BankAccount, money.New(5_000_000, money.TRY), stranger, "a loan", time.Time{})
	for range 16 {
		s.Clock.Advance(3 * time.Hour)
		s.work(t)
		s.resolve(t)
	}
	s.Clock.Advance(time.Minute)
	s.work(t)
}

// resolve is staff who settle what they are told of. That a transfer has left they only say when they see it there.
func (s *simulation) resolve(t *rapid.T) {
	ctx := context.Background()
	open, err := s.Store.Discrepancies(ctx, core.DiscrepancyQuery{States: []core.DiscrepancyState{core.DiscrepancyOpen}, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range open {
		o, err := s.Store.OperationBy(ctx, core.OperationKey{ID: d.OperationID})
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Store.PaymentByID(ctx, o.PaymentID)
		if err != nil {
			t.Fatal(err)
		}
		resolution := core.WriteOff
		if at, _ := s.Bank.Transfer(o.Ref); at.LineID != "" && !p.Status.IsFinal() {
			resolution = core.AcceptMoney
		}
		by := apptest.By(s.Operator, core.Payment{TrackingCode: d.TrackingCode}, "seen")
		_, err = s.Operations.Resolve(ctx, by, d.ID, resolution, money.Amount{})
		understood(t, err)
	}
}

// checkLines: every line of the bank is imported as it is, once, and the ledger accounts for it: by an entry of its own,
// or, where it is a completed transfer's, by that one's post.
func (s *simulation) checkLines(t *rapid.T) {
	ctx := context.Background()
	entries, err := s.Store.Entries(ctx, s.Wallet.ID, "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	booked := map[string]core.LedgerEntry{}
	for _, e := range entries {
		if e.LineID != "" {
			booked[e.LineID] = e
		}
	}
	written := map[string]gateway.StatementLine{}
	for _, l := range s.written() {
		written[l.ID] = l
	}
	lines, err := s.Store.LinesIn(ctx, core.LineQuery{WalletID: s.Wallet.ID, Limit: 10_000})
	if err != nil || len(lines) != len(written) {
		t.Fatalf("%d lines are imported of %d: %v", len(lines), len(written), err)
	}
	for _, l := range lines {
		theirs, ok := written[l.LineID]
		e, isBooked := booked[l.LineID]
		isPosted := l.State == core.LineMatched && l.Direction == gateway.Outgoing && !isBooked
		if isPosted {
			p, err := s.Store.PaymentByID(ctx, l.PaymentID)
			isPosted = err == nil && p.Status == core.Completed && p.Amount == l.Amount
		}
		isSame := theirs.Direction == l.Direction && theirs.Amount.Cmp(l.Amount.Decimal()) == 0 && theirs.BookedAt.Equal(l.BookedAt)
		if !ok || !isSame || l.State == core.LineUnbooked || isBooked == isPosted || isBooked && abs(e.Outside) != l.Amount {
			t.Fatalf("the bank has %+v, we have %+v, booked as %+v", theirs, l, e)
		}
	}
}

func abs(a money.Amount) money.Amount { return money.New(max(a.Minor(), -a.Minor()), money.TRY) }

// checkDeposits: a completed one has one line and one callback that says so; any other has neither.
func (s *simulation) checkDeposits(t *rapid.T) {
	ctx := context.Background()
	for _, p := range s.payments(t, core.EIBANDeposit) {
		lines, err := s.Store.LinesOf(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		callbacks, err := s.Store.CallbacksOf(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, c := range callbacks {
			if c.Payload.Status == core.Completed {
				told++
			}
		}
		isOnce := len(lines) == 1 && told == 1 && lines[0].Amount == p.Amount && lines[0].State == core.LineMatched
		isNone := len(lines) == 0 && told == 0
		if p.Status == core.Completed && !isOnce || p.Status != core.Completed && !isNone {
			t.Fatalf("%s is %s with lines %+v and callbacks %+v", p.TrackingCode, p.Status, lines, callbacks)
		}
	}
}

// checkTransfers: each was sent at most once, and has ended as the bank says, or staff were told.
func (s *simulation) checkTransfers(t *rapid.T) {
	for _, p := range s.payments(t, core.EIBANTransfer) {
		at, _ := s.Bank.Transfer(s.operation(t, p).Ref)
		known, err := s.Store.DiscrepanciesOf(context.Background(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		hasLeft := at.State == gateway.PayoutDone
		isRight := at.State == gateway.PayoutReturned || hasLeft == (p.Status == core.Completed)
		if at.Orders > 1 || !p.Status.IsFinal() || !isRight && len(known) == 0 {
			t.Fatalf("%s is %s, %s at the bank after %d orders, and staff know %+v", p.TrackingCode, p.Status, at.State, at.Orders, known)
		}
	}
}

// checkBooks: the wallet holds what the bank's account does, its ledger adds up, and every day agrees.
func (s *simulation) checkBooks(t *rapid.T) {
	ctx := context.Background()
	s.Bank.Lag = 0
	bank, err := s.Bank.ReadBalance(ctx, s.Wallet.BankAccount)
	if err != nil {
		t.Fatal(err)
	}
	held := s.Held(t, s.Wallet)
	sum, err := s.Store.AddUpLedger(ctx, s.Wallet.ID)
	if err != nil {
		t.Fatal(err)
	}
	if held.Balance().Decimal().Cmp(bank.Total) != 0 || held.Reserved.Minor() != 0 || !sum.IsRight() {
		t.Fatalf("the bank holds %s, the wallet %s and %s, its entries %+v", bank.Total, held.Available, held.Reserved, sum)
	}
	days, err := s.Store.Reconciliations(ctx, core.ReconciliationQuery{WalletID: s.Wallet.ID, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	next := core.DayOf(s.Clock.Now().Add(-4*time.Hour), s.Zone) // the first day that may not be compared yet
	for _, d := range days {
		if d.Day > next {
			continue // staff have looked at it
		}
		if d.Open() > 0 || d.Day < next.Before() {
			t.Fatalf("day %s, before %s: %+v", d.Day, next, d)
		}
		next = d.Day
	}
	feed, err := s.Store.Feed(ctx, s.Wallet.ID)
	if err != nil || feed.Failures > 0 || feed.Trouble != "" || feed.IsLedgerOff {
		t.Fatalf("the feed is %+v: %v", feed, err)
	}
	if logs := s.Logs.String(); strings.Contains(logs, "panic") {
		t.Fatal(logs)
	}
}
