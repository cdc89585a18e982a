package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// Branch is an installation whose wallets are accounts at a bank of the test's own, which stays when every vezne has
// crashed, and knows what really happened.
type Branch struct {
	*Shop
	front    *Front
	Settings []string
	Dealer   DealerCaller
	Wallets  []Eiban // the dealer's, as D4 lists them at the beginning
}

// ReadOften has statements read every second.
const ReadOften = "VEZNE_STATEMENT_INTERVAL=1s"

// OpenBranch moves the wallets to a bank that tells of everything, and starts a process.
func (in *Installation) OpenBranch(env ...string) *Branch {
	in.T.Helper()
	b := in.ClosedBranch(true, env...)
	b.Open(b.Settings...)
	return b
}

// ClosedBranch moves the wallets to a bank; no process runs yet. A bank that tells of nothing has to be asked.
func (in *Installation) ClosedBranch(tells bool, env ...string) *Branch {
	in.T.Helper()
	return in.ChargedBranch(tells, money.Decimal{}, env...)
}

// ChargedBranch is a closed one whose bank has taken a fee of each account, of which it lists no line.
func (in *Installation) ChargedBranch(tells bool, fee money.Decimal, env ...string) *Branch {
	in.T.Helper()
	b := &Branch{front: NewFront(in.T)}
	b.Settings = append([]string{"VEZNE_BASE_URL=" + b.front.URL, "VEZNE_CALLBACK_TIMEOUT=1s", ReadOften}, env...)
	b.Settings = append(b.Settings, Simulated...)
	in.FreeStatements()
	b.Shop = &Shop{In: in, To: NewReceiver(in.T, in.Keys.Provider, Accept), Till: in.moveWallets(b.front.URL, tells, fee)}
	return b
}

// Open starts a process with some settings, for everybody who has to do with it.
func (b *Branch) Open(settings ...string) {
	t := b.In.T
	t.Helper()
	b.Server = b.In.Serve(settings...)
	b.front.Lead(t, b.Server)
	b.In.CallBack(b.Server, b.To)
	b.Provider, b.Dealer = b.In.Provider(b.Server), b.In.Dealer(b.Server)
	b.Operator, b.Admin = b.In.SignIn(b.Server, "operator"), b.In.SignIn(b.Server, "admin")
	var err error
	if b.Wallets, err = b.Dealer.Eibans(); err != nil || len(b.Wallets) != 2 {
		t.Fatalf("the dealer's wallets are %+v (%v)", b.Wallets, err)
	}
}

// moveWallets makes a bank with an account for every wallet, which holds what the wallet does without a fee, and has the
// gateway account lead there. Nothing may be running.
func (in *Installation) moveWallets(base string, tells bool, fee money.Decimal) *Till {
	in.T.Helper()
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	ctx := context.Background()
	wallets, err := store.WalletsOf(ctx, 0)
	if err != nil {
		in.T.Fatal(err)
	}
	accounts := []bank.Account{{
		ID: "acc-1", IBAN: bank.TurkishIBAN("99998", "1"), Bank: "SIM Bank", Holder: "Vezne Sandbox", IsOpen: true,
	}}
	for _, w := range wallets {
		accounts = append(accounts, bank.Account{
			ID: w.BankAccountID, IBAN: w.IBAN, Bank: w.BankName, Holder: w.Holder, IsOpen: true,
			Opening: bank.Money{Value: w.Balance().Decimal().Sub(fee), Currency: "TRY"},
		})
	}
	gateways, err := store.GatewayAccounts(ctx)
	if err != nil || len(gateways) != 1 {
		in.T.Fatalf("the gateway accounts are %+v (%v)", gateways, err)
	}
	account, notifyURL := gateways[0], ""
	if tells {
		notifyURL = base + operation.NotifyPath + account.HookToken
	}
	g := NewTill(in.T, in.Keys.Sandbox, notifyURL, accounts...)
	k := in.Keys.Sandbox
	config, err := owner.ConfigSecret(map[string]string{
		"base_url": g.URL, "api_key": k.APIKey, "api_secret": k.APISecret, "notify_secret": k.NotifySecret,
		"wallet_secret": k.WalletSecret,
	})
	account.Version++
	account.Config = config
	if err = errors.Join(err, store.Commit(ctx, core.Changeset{account})); err != nil {
		in.T.Fatal(err)
	}
	return g
}

// FreeStatements has every wallet's statement be due, whoever was reading it when it ended. Nothing may be running.
func (in *Installation) FreeStatements() {
	in.T.Helper()
	in.Settle()
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	feeds, err := store.FeedsAt(context.Background(), in.Keys.Sandbox.GatewayID)
	for i := range feeds {
		feeds[i].Version++
		feeds[i].NextReadAt, feeds[i].LeaseUntil = time.Now().UTC().Truncate(time.Microsecond), time.Time{}
	}
	if err = errors.Join(err, store.Commit(context.Background(), core.Rows(feeds))); err != nil {
		in.T.Fatal(err)
	}
}

// Account is a wallet's account at the bank.
func (b *Branch) Account(t testing.TB, w Eiban) bank.Holding {
	t.Helper()
	for _, a := range b.Till.State().Accounts {
		if a.IBAN == w.IBAN {
			return a
		}
	}
	t.Fatalf("the bank has no account %s", w.IBAN)
	return bank.Holding{}
}

// Booked is a line that the bank books on a wallet's account.
func (b *Branch) Booked(t testing.TB, w Eiban, direction, amount, text, name string) bank.Line {
	t.Helper()
	l, err := b.Till.Book(b.Account(t, w).ID, Line(direction, amount, text, name))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Line is a line of a statement, as the bank books it.
func Line(direction, amount, text, name string) bank.Line {
	return bank.Line{
		Direction: direction, Amount: bank.Money{Value: money.MustDecimal(amount), Currency: "TRY"}, Text: text,
		Party: bank.Party{Name: name, IBAN: CustomerIBAN},
	}
}

// Send calls D6, which has to succeed, for a scenario of the bank.
func (b *Branch) Send(t testing.TB, w Eiban, amount, code string) Transfer {
	t.Helper()
	sent, err := b.Dealer.TrySend(w.WalletID, bank.TestIBAN(code), amount, "")
	if err != nil {
		t.Fatal(err)
	}
	want := Transfer{
		ID: sent.ID, Status: "pending", Amount: sent.Amount, RecipientIBAN: bank.TestIBAN(code), RecipientName: "Ayşe Yılmaz",
		CreatedAt: sent.CreatedAt,
	}
	if sent != want || !strings.HasPrefix(sent.ID, "TRF-") || Kurus(t, sent.Amount) != Kurus(t, amount) {
		t.Errorf("D6 answers %+v", sent)
	}
	return sent
}

// Until waits until D7 has set the status of a transfer, and returns the transfer.
func (b *Branch) Until(t testing.TB, sent Transfer, status string) (found Transfer) {
	t.Helper()
	Eventually(t, func() (err error) {
		if found, err = b.Dealer.TransferStatus(sent.ID); err == nil && found.Status != status {
			err = fmt.Errorf("%s is %+v, want %s", sent.ID, found, status)
		}
		return err
	})
	want := sent
	want.Status, want.Description, want.CompletedAt = status, "Kasım ödemesi", found.CompletedAt
	_, err := time.Parse("2006-01-02T15:04:05", found.CompletedAt)
	if found != want || (err == nil) != (status == "completed") {
		t.Errorf("D7 says %+v, want %+v", found, want)
	}
	return found
}

// AllRecords reads a wallet's statement of these days, page by page, newest first.
func (b *Branch) AllRecords(t testing.TB, w Eiban) (all []Record) {
	t.Helper()
	from, to := TheseDays()
	for page := 1; ; page++ {
		p, err := b.Dealer.Records(w.WalletID, from, to, page)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p.Transactions...)
		if !p.Pagination.HasMore {
			if len(all) != p.Pagination.Records {
				t.Fatalf("D5 counts %d records and lists %d", p.Pagination.Records, len(all))
			}
			return all
		}
	}
}

// TheseDays are yesterday and tomorrow.
func TheseDays() (from, to string) {
	now := time.Now().In(shared.zone)
	return now.AddDate(0, 0, -1).Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
}

// Today is the installations' date.
func Today() string { return time.Now().In(shared.zone).Format(time.DateOnly) }

// Kurus reads an amount.
func Kurus(t testing.TB, amount string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.Replace(InLira(json.Number(amount)), ".", "", 1), 10, 64)
	if err != nil {
		t.Fatalf("%q is no amount: %v", amount, err)
	}
	return n
}

// AdminCall is a call of the bank's admin API.
func (b *Branch) AdminCall(path string, body any) error {
	a, err := PostJSON(b.Till.URL+"/admin/"+path, http.Header{bank.AdminHeader: {b.In.Keys.Sandbox.AdminKey}}, body)
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("%s answers %d %s", path, a.Status, a.Body)
	}
	return err
}
