package main_test

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

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/operation"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// branch is an installation whose wallets are accounts at a bank of the test's own, which stays when every vezne has
// crashed, and knows what really happened.
type branch struct {
	*shop
	front    *front
	settings []string
	dealer   dealerCaller
	wallets  []eiban // the dealer's, as D4 lists them at the beginning
}

// readOften has statements read every second.
const readOften = "VEZNE_STATEMENT_INTERVAL=1s"

// openBranch moves the wallets to a bank that tells of everything, and starts a process.
func (in *installation) openBranch(env ...string) *branch {
	in.t.Helper()
	b := in.closedBranch(true, env...)
	b.open(b.settings...)
	return b
}

// closedBranch moves the wallets to a bank; no process runs yet. A bank that tells of nothing has to be asked.
func (in *installation) closedBranch(tells bool, env ...string) *branch {
	in.t.Helper()
	return in.chargedBranch(tells, money.Decimal{}, env...)
}

// chargedBranch is a closed one whose bank has taken a fee of each account, of which it lists no line.
func (in *installation) chargedBranch(tells bool, fee money.Decimal, env ...string) *branch {
	in.t.Helper()
	b := &branch{front: newFront(in.t)}
	b.settings = append([]string{"VEZNE_BASE_URL=" + b.front.URL, "VEZNE_CALLBACK_TIMEOUT=1s", readOften}, env...)
	b.settings = append(b.settings, simulated...)
	in.freeStatements()
	b.shop = &shop{in: in, to: newReceiver(in.t, in.keys.Provider, accept), till: in.moveWallets(b.front.URL, tells, fee)}
	return b
}

// open starts a process with some settings, for everybody who has to do with it.
func (b *branch) open(settings ...string) {
	t := b.in.t
	t.Helper()
	b.server = b.in.serve(settings...)
	b.front.lead(t, b.server)
	b.in.callBack(b.server, b.to)
	b.provider, b.dealer = b.in.provider(b.server), b.in.dealer(b.server)
	b.operator, b.admin = b.in.signIn(b.server, "operator"), b.in.signIn(b.server, "admin")
	var err error
	if b.wallets, err = b.dealer.eibans(); err != nil || len(b.wallets) != 2 {
		t.Fatalf("the dealer's wallets are %+v (%v)", b.wallets, err)
	}
}

// moveWallets makes a bank with an account for every wallet, which holds what the wallet does without a fee, and has the
// gateway account lead there. Nothing may be running.
func (in *installation) moveWallets(base string, tells bool, fee money.Decimal) *till {
	in.t.Helper()
	store := in.openStore()
	defer func() { _ = store.Close() }()
	ctx := context.Background()
	wallets, err := store.WalletsOf(ctx, 0)
	if err != nil {
		in.t.Fatal(err)
	}
	accounts := []bank.Account{{
		ID: "acc-1", IBAN: bank.TurkishIBAN("99998", "1"), Bank: "SIM Bank", Holder: "Vezne Sandbox", IsOpen: true,
	}}
	for _, w := range wallets {
		accounts = append(accounts, bank.Account{
			ID: w.BankAccount, IBAN: w.IBAN, Bank: w.BankName, Holder: w.Holder, IsOpen: true,
			Opening: bank.Money{Value: w.Balance().Decimal().Sub(fee), Currency: "TRY"},
		})
	}
	gateways, err := store.GatewayAccounts(ctx)
	if err != nil || len(gateways) != 1 {
		in.t.Fatalf("the gateway accounts are %+v (%v)", gateways, err)
	}
	account, notifyURL := gateways[0], ""
	if tells {
		notifyURL = base + operation.NotifyPath + account.HookToken
	}
	g := newTill(in.t, in.keys.Sandbox, notifyURL, accounts...)
	k := in.keys.Sandbox
	config, err := core.ConfigSecret(map[string]string{
		"base_url": g.url, "api_key": k.APIKey, "api_secret": k.APISecret, "notify_secret": k.NotifySecret,
		"wallet_secret": k.WalletSecret,
	})
	account.Version++
	account.Config = config
	if err = errors.Join(err, store.Commit(ctx, core.Changeset{GatewayAccounts: []core.GatewayAccount{account}})); err != nil {
		in.t.Fatal(err)
	}
	return g
}

// freeStatements has every wallet's statement be due, whoever was reading it when it ended. Nothing may be running.
func (in *installation) freeStatements() {
	in.t.Helper()
	in.settle()
	store := in.openStore()
	defer func() { _ = store.Close() }()
	feeds, err := store.FeedsOf(context.Background(), in.keys.Sandbox.GatewayID)
	for i := range feeds {
		feeds[i].Version++
		feeds[i].NextAt, feeds[i].LeaseUntil = time.Now().UTC().Truncate(time.Microsecond), time.Time{}
	}
	if err = errors.Join(err, store.Commit(context.Background(), core.Changeset{Feeds: feeds})); err != nil {
		in.t.Fatal(err)
	}
}

// account is a wallet's account at the bank.
func (b *branch) account(t testing.TB, w eiban) bank.Holding {
	t.Helper()
	for _, a := range b.till.State().Accounts {
		if a.IBAN == w.IBAN {
			return a
		}
	}
	t.Fatalf("the bank has no account %s", w.IBAN)
	return bank.Holding{}
}

// booked is a line that the bank books on a wallet's account.
func (b *branch) booked(t testing.TB, w eiban, direction, amount, text, name string) bank.Line {
	t.Helper()
	l, err := b.till.Book(b.account(t, w).ID, line(direction, amount, text, name))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func line(direction, amount, text, name string) bank.Line {
	return bank.Line{
		Direction: direction, Amount: bank.Money{Value: money.MustDecimal(amount), Currency: "TRY"}, Text: text,
		Party: bank.Party{Name: name, IBAN: customerIBAN},
	}
}

// send calls D6, which has to succeed, for a scenario of the bank.
func (b *branch) send(t testing.TB, w eiban, amount, code string) transfer {
	t.Helper()
	sent, err := b.dealer.trySend(w.WalletID, bank.TestIBAN(code), amount, "")
	if err != nil {
		t.Fatal(err)
	}
	want := transfer{
		ID: sent.ID, Status: "pending", Amount: sent.Amount, RecipientIBAN: bank.TestIBAN(code), RecipientName: "Ayşe Yılmaz",
		CreatedAt: sent.CreatedAt,
	}
	if sent != want || !strings.HasPrefix(sent.ID, "TRF-") || kurus(t, sent.Amount) != kurus(t, amount) {
		t.Errorf("D6 answers %+v", sent)
	}
	return sent
}

// until waits until D7 gives a transfer a status, and gives the transfer.
func (b *branch) until(t testing.TB, sent transfer, status string) (found transfer) {
	t.Helper()
	eventually(t, func() (err error) {
		if found, err = b.dealer.transferStatus(sent.ID); err == nil && found.Status != status {
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

// allRecords reads a wallet's statement of these days, page by page, newest first.
func (b *branch) allRecords(t testing.TB, w eiban) (all []record) {
	t.Helper()
	from, to := theseDays()
	for page := 1; ; page++ {
		p, err := b.dealer.records(w.WalletID, from, to, page)
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

// theseDays are yesterday and tomorrow.
func theseDays() (from, to string) {
	now := time.Now().In(shared.zone)
	return now.AddDate(0, 0, -1).Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
}

func today() string { return time.Now().In(shared.zone).Format(time.DateOnly) }

// kurus reads an amount.
func kurus(t testing.TB, amount string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.Replace(inLira(json.Number(amount)), ".", "", 1), 10, 64)
	if err != nil {
		t.Fatalf("%q is no amount: %v", amount, err)
	}
	return n
}

// adminCall is a call of the bank's admin API.
func (b *branch) adminCall(path string, body any) error {
	a, err := postJSON(b.till.url+"/admin/"+path, http.Header{bank.AdminHeader: {b.in.keys.Sandbox.AdminKey}}, body)
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("%s answers %d %s", path, a.status, a.body)
	}
	return err
}
