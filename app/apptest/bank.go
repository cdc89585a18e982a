package apptest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Bank is a bank behind E-IBAN: accounts, their statements and transfers are in memory, and what becomes of a transfer is
// what a test says. Fault is asked about questions for transfers as ReadingTransfer.
type Bank struct {
	fake
	// AtOnce has every transfer done when it is sent; otherwise it is on its way until a test ends it.
	AtOnce bool
	// PageSize is the most lines that the bank gives in one page.
	PageSize int
	// Lag is how far behind the truth a balance is.
	Lag time.Duration

	clock     ports.Clock
	accounts  []*bankAccount
	transfers map[gateway.Ref]*BankTransfer
	hidden    map[string]bool // lines by ID that are in no listing
}

var (
	_ ports.Plugin             = (*Bank)(nil)
	_ ports.AccountReader      = (*Bank)(nil)
	_ ports.StatementReader    = (*Bank)(nil)
	_ ports.TransferSender     = (*Bank)(nil)
	_ ports.NotificationReader = (*Bank)(nil)
)

// ReadingTransfer is what Bank.Fault is asked about before a transfer is read; CanTransfer is the sending of one.
const ReadingTransfer gateway.Capability = "read_transfer"

// BankTransfer is a transfer that a Bank was asked for.
type BankTransfer struct {
	gateway.TransferOrder
	State  gateway.PayoutState
	Reason *gateway.Reason
	Orders int    // how often it was ordered with effect
	LineID string // of its booking; empty: not booked
	at     time.Time
}

// bankAccount is an account with its lines in the order in which the bank wrote them.
type bankAccount struct {
	gateway.BankAccount
	opening money.Decimal
	lines   []bankLine
}

type bankLine struct {
	gateway.StatementLine
	at       time.Time // when the bank wrote it, which may be later than BookedAt
	isRepeat bool      // it was listed before: no money moved
}

// NewBank is a bank without accounts.
func NewBank(code string, clock ports.Clock) *Bank {
	w := &Bank{
		fake: fake{Code: code}, PageSize: 100, clock: clock, transfers: map[gateway.Ref]*BankTransfer{}, hidden: map[string]bool{},
	}
	w.self = w
	return w
}

// AddAccount opens an account that holds an amount before its first line.
func (w *Bank) AddAccount(a gateway.BankAccount, opening money.Amount) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a.Asset, a.IsOpen = gateway.TRY, true
	w.accounts = append(w.accounts, &bankAccount{BankAccount: a, opening: opening.Decimal()})
}

// Receive books money that came in, and gives the line's ID. A bookedAt before now is a late booking.
func (w *Bank) Receive(accountID string, amount money.Amount, party gateway.Party, text string, bookedAt time.Time) string {
	return w.Book(accountID, gateway.StatementLine{
		Direction: gateway.Incoming, Amount: amount.Decimal(), Party: party, Text: text, BookedAt: bookedAt,
	})
}

// Book writes a line, with an ID of its own where it has none, and gives the ID; there is none without the account.
func (w *Bank) Book(accountID string, l gateway.StatementLine) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.account(accountID)
	if a == nil {
		return ""
	}
	return a.book(l, w.clock.Now())
}

// Duplicate has the bank list a line once more, as its last one, under the same ID.
func (w *Bank) Duplicate(lineID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range w.accounts {
		if l, ok := a.line(lineID); ok {
			l.at, l.isRepeat = w.clock.Now(), true
			a.lines = append(a.lines, l)
		}
	}
}

// Hide leaves a line out of every listing, although its money moved; Show lists it again, at its place.
func (w *Bank) Hide(lineID string) { w.hide(lineID, true) }

// Show ends Hide.
func (w *Bank) Show(lineID string) { w.hide(lineID, false) }

func (w *Bank) hide(lineID string, isHidden bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hidden[lineID] = isHidden
}

// Transfer returns the transfer of a reference.
func (w *Bank) Transfer(ref gateway.Ref) (BankTransfer, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t, ok := w.transfers[ref]; ok {
		return *t, true
	}
	return BankTransfer{}, false
}

// Settle books a transfer: the money has left. It does so also with one that the bank had called failed.
func (w *Bank) Settle(ref gateway.Ref) { w.Change(ref, w.settle) }

// settle is Settle for who holds b.mu.
func (w *Bank) settle(t *BankTransfer) {
	a := w.account(t.AccountID)
	if t.LineID != "" || a == nil {
		return
	}
	t.State, t.Reason = gateway.PayoutDone, nil
	now := w.clock.Now()
	t.LineID = a.book(gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: t.Amount.Amount, Party: t.To, Text: t.Text, EndToEnd: string(t.Ref), BookedAt: now,
	}, now)
}

// Fail ends a transfer that has not left: the payee's bank could not take it.
func (w *Bank) Fail(ref gateway.Ref) { w.end(ref, gateway.PayoutFailed) }

// Cancel ends a transfer that has not left: the bank called it off.
func (w *Bank) Cancel(ref gateway.Ref) { w.end(ref, gateway.PayoutCanceled) }

func (w *Bank) end(ref gateway.Ref, state gateway.PayoutState) {
	w.Change(ref, func(t *BankTransfer) {
		if t.LineID == "" {
			t.State, t.Reason = state, &gateway.Reason{Code: gateway.InvalidTarget, RawCode: "AC03"}
		}
	})
}

// Return books a transfer, where it is not, and brings its money back with a line that reverses that booking. It gives
// the new line's ID; a transfer comes back once.
func (w *Bank) Return(ref gateway.Ref) (lineID string) {
	w.Change(ref, func(t *BankTransfer) {
		w.settle(t)
		a := w.account(t.AccountID)
		if a == nil || t.State != gateway.PayoutDone {
			return
		}
		t.State = gateway.PayoutReturned
		now := w.clock.Now()
		lineID = a.book(gateway.StatementLine{
			Direction: gateway.Incoming, Amount: t.Amount.Amount, Party: t.To, Text: "return " + t.Text, EndToEnd: string(t.Ref),
			BookedAt: now, Reverses: t.LineID,
		}, now)
	})
	return lineID
}

// Notification is what the bank would tell of a transfer now, signed, or as a mere hint.
func (w *Bank) Notification(id string, ref gateway.Ref, trust gateway.Trust) gateway.Inbound {
	t, _ := w.Transfer(ref)
	return message{ID: id, Payout: &gateway.PayoutReport{
		Ref: ref, External: gateway.ExternalRef{ID: "bank-" + string(ref)}, State: t.State, Trust: trust,
	}}.inbound()
}

// LineNotification is what the bank would tell of a line.
func (w *Bank) LineNotification(id, lineID string) gateway.Inbound {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := message{ID: id}
	for _, a := range w.accounts {
		if l, ok := a.line(lineID); ok {
			m.Line = &l.StatementLine
		}
	}
	return m.inbound()
}

// Change changes a transfer, if there is one. It books nothing.
func (w *Bank) Change(ref gateway.Ref, change func(*BankTransfer)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t, ok := w.transfers[ref]; ok {
		change(t)
	}
}

// account finds an account; nil: there is none. The caller holds b.mu.
func (w *Bank) account(id string) *bankAccount {
	for _, a := range w.accounts {
		if a.ID == id {
			return a
		}
	}
	return nil
}

func (a *bankAccount) line(id string) (bankLine, bool) {
	for _, l := range a.lines {
		if l.ID == id {
			return l, true
		}
	}
	return bankLine{}, false
}

// book writes a line after all others.
func (a *bankAccount) book(l gateway.StatementLine, now time.Time) string {
	if l.ID == "" {
		l.ID = fmt.Sprintf("%s-%d", a.ID, len(a.lines)+1)
	}
	if l.BookedAt.IsZero() {
		l.BookedAt = now
	}
	l.Asset = gateway.TRY
	a.lines = append(a.lines, bankLine{StatementLine: l, at: now})
	after := a.total(now)
	a.lines[len(a.lines)-1].BalanceAfter = &after
	return l.ID
}

// total is what the account held by what the bank had written at a moment.
func (a *bankAccount) total(at time.Time) money.Decimal {
	sum := a.opening
	for _, l := range a.lines {
		switch {
		case l.isRepeat || l.at.After(at):
		case l.Direction == gateway.Incoming:
			sum = sum.Add(l.Amount)
		default:
			sum = sum.Sub(l.Amount)
		}
	}
	return sum
}
