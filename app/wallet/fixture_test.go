package wallet_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// opening is what the wallet holds at first, in lira.
const opening = 10_000

// world is a World with what these tests ask of it again and again.
type world struct {
	*apptest.World
	t *testing.T
}

// newWorld is a moment after the wallets were made: what the bank had booked until then is in their opening balance.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{apptest.New(t), t}
	w.Clock.Advance(time.Second)
	return w
}

func (w *world) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) fails(err error, want fault.Code) {
	w.t.Helper()
	if got := fault.CodeOf(err); got != want {
		w.t.Fatalf("got %q (%v), want %q", got, err, want)
	}
}

// later lets time pass, with the sweeper coming by at its end.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.Clock.Advance(d)
	w.no(w.Sweep.Sweep(w.t.Context()))
	w.no(w.Operations.Wait(w.t.Context()))
	w.no(w.Statements.Wait(w.t.Context()))
	w.Work(w.t)
}

// round is one more reading of the statement.
func (w *world) round() {
	w.t.Helper()
	w.later(w.Statements.Every)
}

// hours lets hours pass, one by one.
func (w *world) hours(n int) {
	w.t.Helper()
	for range n {
		w.later(time.Hour)
	}
}

// ayse pays for most customers here.
var ayse = gateway.Party{Name: "AYSE YILMAZ", IBAN: "TR330006100519786457841326"}

// stranger pays for nobody.
var stranger = gateway.Party{Name: "Vergi Dairesi", IBAN: "TR320010009999901234567890"}

// receive books money of a sender at the wallet's bank, now.
func (w *world) receive(amount money.Amount, from gateway.Party, text string) (lineID string) {
	return w.Bank.Receive(w.Wallet.BankAccountID, amount, from, text, time.Time{})
}

// take books money that leaves the account without Vezne, such as a fee.
func (w *world) take(amount money.Amount) (lineID string) {
	return w.Bank.BookLine(w.Wallet.BankAccountID, gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: amount.Decimal(), Text: "fee",
	})
}

func (w *world) feed() wallet.Feed {
	w.t.Helper()
	f, err := w.Store.Feed(w.t.Context(), w.Wallet.ID)
	w.no(err)
	return f
}

func (w *world) line(id string) wallet.BankLine {
	w.t.Helper()
	l, err := w.Store.BankLine(w.t.Context(), w.Wallet.ID, id)
	if err != nil {
		w.t.Fatalf("line %s: %v", id, err)
	}
	return l
}

// is checks where a line stands.
func (w *world) is(id string, want wallet.LineStatus) wallet.BankLine {
	w.t.Helper()
	l := w.line(id)
	if l.Status != want {
		w.t.Fatalf("line %s is %s (%s), want %s", id, l.Status, l.Note, want)
	}
	return l
}

// unknown checks that a line is not imported.
func (w *world) unknown(id string) {
	w.t.Helper()
	if _, err := w.Store.BankLine(w.t.Context(), w.Wallet.ID, id); !fault.Is(err, fault.NotFound) {
		w.t.Fatalf("line %s is imported: %v", id, err)
	}
}

// lines are all that are imported, newest first.
func (w *world) lines() []wallet.BankLine {
	w.t.Helper()
	all, err := w.Store.LinesIn(w.t.Context(), wallet.LineQuery{WalletID: w.Wallet.ID, Paging: core.Paging[core.ID]{Limit: 10_000}})
	w.no(err)
	return all
}

// holds checks what the wallet has in lira, and that its ledger adds up.
func (w *world) holds(available, reserved int64) {
	w.t.Helper()
	held := w.Held(w.t, w.Wallet)
	if held.AvailableBalance != lira(available) || held.Reserved != lira(reserved) {
		w.t.Errorf("the wallet has %s available, %s reserved, want %d and %d", held.AvailableBalance, held.Reserved, available, reserved)
	}
	sum, err := w.Store.AddUpLedger(w.t.Context(), w.Wallet.ID)
	w.no(err)
	if !sum.IsRight() {
		w.t.Errorf("the ledger does not add up: %+v", sum)
	}
}

// entries checks the kinds of the wallet's entries beside the opening one, in any order.
func (w *world) entries(want ...ledger.EntryKind) {
	w.t.Helper()
	all, err := w.Store.Entries(w.t.Context(), w.Wallet.ID, core.Paging[core.ID]{Limit: core.MaxPage})
	w.no(err)
	var got []ledger.EntryKind
	for _, e := range all {
		got = append(got, e.Kind)
	}
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(append(want, ledger.EntryOpening)))
	if !slices.Equal(got, want) {
		w.t.Errorf("entries %q, want %q", got, want)
	}
}

// offered is an E-IBAN deposit whose customer was shown the wallet's account.
func (w *world) offered(amount money.Amount, customer owner.Customer) payment.Payment {
	w.t.Helper()
	p := w.Start(w.t, payment.Request{Method: payment.EIBANDeposit, Amount: amount, Customer: customer})
	p, err := w.Deposits.Continue(w.t.Context(), p, amount)
	w.no(err)
	return p
}

// mehmet is a customer whose name nobody here shares.
var mehmet = owner.Customer{UserID: "u-2002", Username: "mehmet", Fullname: "Mehmet Demir"}

// has checks a payment's status.
func (w *world) has(p payment.Payment, want payment.Status) payment.Payment {
	w.t.Helper()
	p = w.Reload(w.t, p)
	if p.Status != want {
		w.t.Fatalf("%s is %s, want %s", p.TrackingCode, p.Status, want)
	}
	return p
}

func (w *world) callbacks(p payment.Payment) []payment.Callback {
	w.t.Helper()
	all, err := w.Store.CallbacksOf(w.t.Context(), p.ID)
	w.no(err)
	return all
}

func (w *world) moves(p payment.Payment) []payment.Transition {
	w.t.Helper()
	all, err := w.Store.MovesOf(w.t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	w.no(err)
	return all
}

// restart replaces the service by one that remembers nothing; every wake-up is lost.
func (w *world) restart() {
	w.t.Helper()
	w.no(w.Statements.Stop(w.t.Context()))
	w.Waker.Drain()
	w.Statements = w.another()
}

// another is one more service over the same store, as of another process.
func (w *world) another() *wallets.Statements {
	s := &wallets.Statements{
		UnitOfWork: w.UnitOfWork, Store: w.Store, Wallets: w.Statements.Wallets, Operations: w.Store, Reports: w.Store, Gateways: w.Statements.Gateways, Every: w.Statements.Every,
		AutoScore: w.Statements.AutoScore, Zone: w.Zone, Log: w.Statements.Log,
	}
	s.Start()
	w.t.Cleanup(func() { _ = s.Stop(context.Background()) })
	return s
}

// oddBank is the World's bank as a worse one would answer.
type oddBank struct {
	*apptest.AccountGateway
	read    func(gateway.StatementQuery, gateway.StatementPage) (gateway.StatementPage, error)
	balance func(gateway.Balance) (gateway.Balance, error)
}

// odd puts an oddBank in the place of the bank.
func (w *world) odd() *oddBank {
	b := &oddBank{AccountGateway: w.Bank}
	w.Bank.As = b
	w.Statements.Gateways = &app.Gateways{Plugins: w.Gateways.Plugins, Directory: w.Store, Doers: apptest.Hosts(nil), Clock: w.Clock}
	return b
}

func (b *oddBank) ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	page, err := b.AccountGateway.ReadStatement(ctx, q)
	if err == nil && b.read != nil && q.AccountID == "acc-1" {
		return b.read(q, page)
	}
	return page, err
}

func (b *oddBank) ReadBalance(ctx context.Context, id string) (gateway.Balance, error) {
	balance, err := b.AccountGateway.ReadBalance(ctx, id)
	if err == nil && b.balance != nil && id == "acc-1" {
		return b.balance(balance)
	}
	return balance, err
}

// listAgain has the bank list a line of the wallet once more at the end of every listing, under the same ID.
func (w *world) listAgain(id string) {
	var again gateway.StatementLine
	w.odd().read = func(q gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		for _, l := range page.Lines {
			if l.ID == id {
				again = l
			}
		}
		if page.Next == "" && again.ID != "" && !again.BookedAt.Before(q.From) && again.BookedAt.Before(q.To) {
			page.Lines = append(page.Lines, again)
		}
		return page, nil
	}
}

// pages has the bank's statements come in pages of so many lines. It counts from the first question on.
func (w *world) pages(size int) {
	w.Bank.Describes = func(d *gateway.Descriptor) { d.Account.PageSize = size }
}
