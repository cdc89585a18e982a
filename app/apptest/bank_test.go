package apptest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/app/apptest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// bank is a Bank with 100.00 on its account acc.
type bank struct {
	*apptest.Bank
	t     *testing.T
	clock *apptest.Clock
}

func newBank(t *testing.T) *bank {
	t.Helper()
	clock := apptest.NewClock(start)
	b := &bank{apptest.NewBank("bank", clock), t, clock}
	b.AddAccount(gateway.BankAccount{ID: "acc"}, lira(100))
	return b
}

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

func (b *bank) send(ref gateway.Ref, amount int64) (gateway.PayoutReport, error) {
	b.t.Helper()
	return b.SendTransfer(b.t.Context(), gateway.TransferOrder{Ref: ref, AccountID: "acc", Amount: gateway.Lira(lira(amount))})
}

// wants checks what a transfer is at the bank.
func (b *bank) wants(ref gateway.Ref, want gateway.PayoutState) {
	b.t.Helper()
	got, err := b.ReadTransfer(b.t.Context(), gateway.PayoutKey{Ref: ref})
	if err != nil || got.State != want {
		b.t.Errorf("%s is %q (%v), want %q", ref, got.State, err, want)
	}
}

// holds checks the balance in lira.
func (b *bank) holds(total, available string) {
	b.t.Helper()
	got, err := b.ReadBalance(b.t.Context(), "acc")
	if err != nil || got.Total.String() != total || got.Available.String() != available {
		b.t.Errorf("it holds %s, available %s (%v), want %s and %s", got.Total, got.Available, err, total, available)
	}
}

// lines reads the whole statement of the day, page by page.
func (b *bank) lines() (all []gateway.StatementLine) {
	b.t.Helper()
	day := gateway.Window{From: start.Add(-24 * time.Hour), To: start.Add(24 * time.Hour)}
	q := gateway.StatementQuery{AccountID: "acc", Window: day}
	for {
		page, err := b.ReadStatement(b.t.Context(), q)
		if err != nil || len(page.Lines) > b.PageSize {
			b.t.Fatalf("%d lines in a page: %v", len(page.Lines), err)
		}
		all = append(all, page.Lines...)
		if q.Cursor = page.Next; q.Cursor == "" {
			return all
		}
	}
}

func (b *bank) ids() (ids []string) {
	b.t.Helper()
	for _, l := range b.lines() {
		ids = append(ids, l.ID)
	}
	return ids
}

// TestBankTransfer is reserved while it is under way, and shows on the statement when it is done.
func TestBankTransfer(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	if sent, err := b.send("R1", 30); err != nil || sent.State != gateway.PayoutSent || sent.Ref != "R1" {
		t.Errorf("sent: %+v, %v", sent, err)
	}
	b.holds("100", "70")
	b.Settle("R1")
	b.Settle("R1")
	b.wants("R1", gateway.PayoutDone)
	b.holds("70", "70")
	lines := b.lines()
	if len(lines) != 1 || lines[0].Direction != gateway.Outgoing || lines[0].EndToEnd != "R1" ||
		lines[0].BalanceAfter.String() != "70" {
		t.Fatalf("the statement has %+v", lines)
	}
	back := b.Return("R1")
	b.wants("R1", gateway.PayoutReturned)
	b.holds("100", "100")
	if l := b.lines()[1]; l.ID != back || l.Reverses != lines[0].ID || l.Direction != gateway.Incoming {
		t.Errorf("it came back as %+v", l)
	}
	if b.Return("R1") != "" {
		t.Error("it came back twice")
	}
}

func TestBankTransferThatDoesNotLeave(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	for ref, end := range map[gateway.Ref]func(gateway.Ref){"F": b.Fail, "C": b.Cancel} {
		if _, err := b.send(ref, 40); err != nil {
			t.Fatal(err)
		}
		end(ref)
	}
	b.wants("F", gateway.PayoutFailed)
	b.wants("C", gateway.PayoutCanceled)
	b.holds("100", "100")
	_, err := b.send("MUCH", 101)
	if !gateway.IsClass(err, gateway.OutOfFunds) || !gateway.HasNoEffect(err) {
		t.Errorf("more than there is: %v", err)
	}
	_, err = b.ReadTransfer(t.Context(), gateway.PayoutKey{Ref: "MUCH"})
	if !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("what was refused: %v", err)
	}
}

// TestBankFaults: what was lost was done, what was broken was not, and being ordered twice shows.
func TestBankFaults(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	fault := apptest.NoFault
	b.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return fault }
	for f, wantOrders := range map[apptest.Fault]int{
		apptest.NotSent: 0, apptest.Broken: 0, apptest.Refusing: 0, apptest.Misset: 0, apptest.Lost: 1,
	} {
		fault = f
		ref := gateway.Ref("R" + string(rune('0'+int(f))))
		if _, err := b.send(ref, 10); err == nil {
			t.Errorf("fault %d did not show", f)
		}
		if at, _ := b.Transfer(ref); at.Orders != wantOrders {
			t.Errorf("fault %d: ordered %d times with effect", f, at.Orders)
		}
	}
	fault = apptest.NoFault
	for range 2 {
		if _, err := b.send("TWICE", 1); err != nil {
			t.Fatal(err)
		}
	}
	if at, _ := b.Transfer("TWICE"); at.Orders != 2 {
		t.Errorf("ordered %d times", at.Orders)
	}
}

// TestBankStatement lists lines in the order in which they were written, also those of a later day's booking, in pages.
func TestBankStatement(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	b.PageSize = 2
	first := b.Receive("acc", lira(1), gateway.Party{Name: "Ayşe"}, "one", start)
	late := b.Receive("acc", lira(2), gateway.Party{}, "late", start.Add(-time.Hour))
	third := b.Receive("acc", lira(3), gateway.Party{}, "three", start.Add(time.Hour))
	b.Receive("acc", lira(4), gateway.Party{}, "another day", start.Add(48*time.Hour))
	b.Duplicate(first)
	b.Hide(late)
	if got := b.ids(); !slices.Equal(got, []string{first, third, first}) {
		t.Errorf("listed %q", got)
	}
	b.Show(late)
	if got := b.ids(); !slices.Equal(got, []string{first, late, third, first}) {
		t.Errorf("then listed %q", got)
	}
	b.holds("110", "110")
}

// TestBankBalanceLags: it says of when it is, and that is before the last line.
func TestBankBalanceLags(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	b.Lag = time.Minute
	b.Receive("acc", lira(5), gateway.Party{}, "", start)
	b.holds("100", "100")
	b.clock.Advance(time.Minute)
	b.holds("105", "105")
	if got, err := b.ReadBalance(t.Context(), "acc"); err != nil || !got.At.Equal(start) {
		t.Errorf("as of %s, %v", got.At, err)
	}
}

func TestBankNotifications(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	if _, err := b.send("R1", 30); err != nil {
		t.Fatal(err)
	}
	line := b.Receive("acc", lira(5), gateway.Party{}, "", start)
	n, err := b.ReadNotification(t.Context(), b.Notification("n-1", "R1", gateway.Hint))
	if err != nil || n.ID != "n-1" || len(n.Payouts) != 1 || n.Payouts[0].State != gateway.PayoutSent ||
		n.Payouts[0].Trust != gateway.Hint {
		t.Errorf("of a transfer: %+v, %v", n, err)
	}
	n, err = b.ReadNotification(t.Context(), b.LineNotification("n-2", line))
	if err != nil || len(n.Lines) != 1 || n.Lines[0].ID != line || n.Lines[0].Amount.String() != "5" {
		t.Errorf("of a line: %+v, %v", n, err)
	}
	forged := b.Notification("n-3", "R1", gateway.Signed)
	forged.Header[0].Value = "wrong"
	if _, err := b.ReadNotification(t.Context(), forged); !gateway.IsClass(err, gateway.Unauthenticated) {
		t.Errorf("a forged one: %v", err)
	}
}
