package graph_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// readStatements lets time pass until every bank was asked.
func (a *api) readStatements(t testing.TB) {
	t.Helper()
	a.Clock.Advance(a.Statements.Every)
	a.Statements.Wake()
	if err := a.Statements.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// senderID is the identity number that the bank tells of whoever sends money.
const senderID = "10000000146"

// identifying is the bank as one that tells the identity number of senders.
type identifying struct{ *apptest.AccountGateway }

func (b identifying) ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	page, err := b.AccountGateway.ReadStatement(ctx, q)
	for i := range page.Lines {
		if page.Lines[i].Direction == gateway.Incoming {
			page.Lines[i].Party.NationalID = senderID
		}
	}
	return page, err
}

// receive has money come in on a wallet, and its line imported.
func (a *api) receive(t testing.TB, w wallet.Wallet, amount money.Amount, name, text string) wallet.BankLine {
	t.Helper()
	a.Clock.Advance(time.Second)
	id := a.Bank.Receive(w.BankAccountID, amount, gateway.Party{
		Name: name, IBAN: "TR320010009999901234567890",
	}, text, a.Clock.Now())
	a.readStatements(t)
	return a.line(t, w, id)
}

func (a *api) line(t testing.TB, w wallet.Wallet, id string) wallet.BankLine {
	t.Helper()
	l, err := a.Store.BankLine(t.Context(), w.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// shown is an E-IBAN deposit whose customer has seen the wallet's account.
func (a *api) shown(t testing.TB, amount money.Amount) payment.Payment {
	t.Helper()
	p := a.Start(t, payment.Request{Method: payment.EIBANDeposit, Amount: amount})
	p, err := a.Deposits.Continue(t.Context(), p, amount)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// doubtful is a deposit, and a line of its amount from somebody of another name: it waits for staff.
func doubtful(a *api, t *testing.T) subject {
	t.Helper()
	p := a.shown(t, lira(25000))
	l := a.receive(t, a.Wallet, lira(25000), "Mehmet Demir", "havale")
	if l.Status != wallet.LineDoubtful {
		t.Fatalf("the line is %s: %s", l.Status, l.Note)
	}
	return subject{Payment: p, line: l.LineID}
}

// aside is a line that was set aside.
func aside(a *api, t *testing.T) subject {
	t.Helper()
	s := doubtful(a, t)
	by := app.Request{Staff: a.Admin, Addr: "192.0.2.7", Reason: "the dealer's own money"}
	if _, err := a.Statements.SetAside(t.Context(), by, a.Wallet.WalletID, s.line); err != nil {
		t.Fatal(err)
	}
	return s
}

// missing is a line that the bank does not list any more: today does not agree.
func missing(a *api, t *testing.T) subject {
	t.Helper()
	p := a.start(t, payment.ManualDeposit)
	l := a.receive(t, a.Wallet, lira(1000), "Mehmet Demir", "havale")
	a.Bank.Hide(l.LineID, true)
	r := a.reconcile(t, a.Wallet, a.today())
	for _, d := range r.Differences {
		if d.LineID == l.LineID && d.Kind == wallet.MissingThere {
			return subject{Payment: p, line: l.LineID, entry: d.EntryID}
		}
	}
	t.Fatalf("the day has the differences %+v", r.Differences)
	return subject{}
}

// unsettled is the first day, which is over: the bank has taken a fee of which it lists no line, and everything is explained.
func unsettled(a *api, t *testing.T) subject {
	t.Helper()
	day := firstDay(a)
	if a.today() == day {
		a.Clock.Advance(24 * time.Hour)
		a.readStatements(t)
		a.signIn(t)
	}
	a.Bank.Hide(a.Bank.BookLine(a.Wallet.BankAccountID, gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: lira(100).Decimal(), Text: "fee",
	}), true)
	a.Clock.Advance(time.Second)
	a.reconcile(t, a.Wallet, a.today())
	r := a.reconcile(t, a.Wallet, day)
	for _, d := range r.Differences {
		by := app.Request{Staff: a.Admin, Addr: "192.0.2.7", Reason: "a fee"}
		if _, err := a.Statements.Explain(t.Context(), by, a.Wallet.WalletID, day, d.Kind, d.LineID, d.EntryID); err != nil {
			t.Fatal(err)
		}
	}
	return subject{amount: money.New(r.BankClosing.Minor()-r.LedgerClosing.Minor(), money.TRY).String()}
}

// firstDay is the day on which the wallets were made.
func firstDay(a *api) core.Day { return core.DayOf(apptest.Start, a.Zone) }

func (a *api) today() core.Day { return core.DayOf(a.Clock.Now(), a.Zone) }

func (a *api) reconcile(t testing.TB, w wallet.Wallet, day core.Day) wallet.Reconciliation {
	t.Helper()
	r, err := a.Statements.Reconcile(t.Context(), app.Request{Staff: a.Admin, Addr: "192.0.2.7"}, w.WalletID, day)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// openAccount opens an account at the bank that is no wallet yet.
func openAccount(a *api, t *testing.T) subject {
	t.Helper()
	p := a.start(t, payment.ManualDeposit)
	id := "new-" + strings.ToLower(p.TrackingCode)
	a.Bank.AddAccount(gateway.BankAccount{
		ID: id, IBAN: "TR070006200000000000000013", BankName: "Vezne E-IBAN", Holder: "Ege Ödeme A.Ş.",
	}, lira(123456))
	return subject{Payment: p, line: id}
}

// names are what differs from run to run: ids, cursors, tracking codes and references.
var names = regexp.MustCompile(`W-[0-9A-Z]{16}|[A-Z]+(-WIT)?-[0-9A-Z]{16}|\b01[0-9A-HJKMNP-TV-Z]{24}\b|\bMDF[\w-]{32}\b`)

// checkScrubbed is checkGolden with the names numbered in order of their appearance.
func checkScrubbed(t *testing.T, name, got string) {
	t.Helper()
	known := map[string]string{}
	checkGolden(t, name, names.ReplaceAllStringFunc(got, func(text string) string {
		if _, ok := known[text]; !ok {
			prefix, _, isCode := strings.Cut(text, "-")
			if !isCode {
				prefix = "ID"
			}
			known[text] = fmt.Sprintf("%s-%d", prefix, len(known)+1)
		}
		return known[text]
	}))
}
