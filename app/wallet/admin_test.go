package wallet_test

import (
	"fmt"
	"strings"
	"sync"
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
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// newAccount is an account at the bank that is no wallet yet.
const newAccount = "acc-77"

// withAccount is a World whose bank has one more account, which holds 1,234.50 TRY since a minute.
func withAccount(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.New(t)
	w.Bank.AddAccount(gateway.BankAccount{
		ID: newAccount, IBAN: "tr25 0006 2000 0000 0000 0000 77", BankName: "Vezne Bank", Holder: "Marmara Finans A.Ş.",
	}, inLira(1_000))
	w.Bank.Receive(newAccount, money.New(23_450, money.TRY), gateway.Party{}, "before", w.Clock.Now())
	w.Clock.Advance(time.Minute)
	return w
}

func asked(w *apptest.World) wallets.NewWallet {
	return wallets.NewWallet{
		DealerID: w.Dealer.ID, GatewayID: w.BankGateway.ID, BankAccountID: newAccount,
		Min: inLira(10), Max: inLira(5_000), DailyLimit: inLira(50_000),
	}
}

func byAdmin(w *apptest.World) app.Request { return app.Request{Staff: w.Admin, Addr: "192.0.2.7"} }

// auditsOf collects every audit row from now on.
func auditsOf(w *apptest.World) *[]core.AuditEntry {
	var mu sync.Mutex
	all := &[]core.AuditEntry{}
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		mu.Lock()
		defer mu.Unlock()
		*all = append(*all, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	return all
}

// read has the statements read, again and again for some time.
func read(t *testing.T, w *apptest.World) {
	t.Helper()
	for range 4 {
		w.Clock.Advance(w.Statements.Every)
		w.Statements.Wake()
		if err := w.Statements.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAWalletBeginsWithWhatItsAccountHolds(t *testing.T) {
	t.Parallel()
	w := withAccount(t)
	audits := auditsOf(w)
	made, err := w.Wallets.Create(t.Context(), byAdmin(w), asked(w))
	if err != nil {
		t.Fatal(err)
	}
	if made.AvailableBalance != money.New(123_450, money.TRY) || !made.Reserved.IsZero() || made.IBAN != "TR250006200000000000000077" ||
		made.BankName != "Vezne Bank" || made.Holder != "Marmara Finans A.Ş." || !made.IsActive || !strings.HasPrefix(made.WalletID, "W-") {
		t.Errorf("the wallet is %+v", made)
	}
	if len(*audits) != 1 || (*audits)[0].Action != "createWallet" || (*audits)[0].Actor != w.Admin.Actor("192.0.2.7") ||
		(*audits)[0].Target != "wallet/"+made.WalletID || !strings.Contains((*audits)[0].After, newAccount) {
		t.Errorf("audited as %+v", *audits)
	}
	loads, err := w.Store.AccountLoads(t.Context(), w.Dealer.ID, owner.EIBANAccount, core.DayOf(w.Clock.Now(), w.Zone))
	if err != nil || len(loads) != 2 {
		t.Fatalf("%+v, %v", loads, err)
	}
	if shown := loads[1].Account; shown.ID != made.AccountID || shown.IBAN != made.IBAN || shown.Min != inLira(10) ||
		shown.Max != inLira(5_000) || shown.DailyLimit != inLira(50_000) || !shown.IsActive || shown.Kind != owner.EIBANAccount {
		t.Errorf("customers are shown %+v", shown)
	}
	list, err := w.Wallets.List(t.Context(), w.Dealer)
	if err != nil || len(list) != 2 || list[1].WalletID != made.WalletID {
		t.Errorf("the dealer sees %+v, %v", list, err)
	}
}

func TestOnlyWhatIsBookedAfterTheBeginningIsImported(t *testing.T) {
	t.Parallel()
	for name, lag := range map[string]time.Duration{"at once": 0, "behind the truth": 30 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withAccount(t)
			w.Bank.Lag(lag)
			w.Clock.Advance(time.Minute)
			w.Bank.Receive(newAccount, inLira(5), gateway.Party{}, "just now", w.Clock.Now())
			w.Clock.Advance(10 * time.Second)
			made, err := w.Wallets.Create(t.Context(), byAdmin(w), asked(w))
			if err != nil {
				t.Fatal(err)
			}
			w.Clock.Advance(time.Second)
			w.Bank.Receive(newAccount, inLira(7), gateway.Party{}, "after", w.Clock.Now())
			read(t, w)
			w.Clock.Advance(15 * time.Hour)
			read(t, w)
			if held := w.Held(t, made.Wallet); held.AvailableBalance != money.New(123_450+1_200, money.TRY) {
				t.Errorf("the wallet has %s", held.AvailableBalance)
			}
			lines, err := w.Store.LinesIn(t.Context(), wallet.LineQuery{WalletID: made.ID, Paging: core.Paging[core.ID]{Limit: 10}})
			if want := map[bool]int{true: 1, false: 2}[lag == 0]; err != nil || len(lines) != want || lines[0].Text != "after" {
				t.Errorf("imported are %+v, %v", lines, err)
			}
			days, err := w.Store.Reconciliations(t.Context(), wallet.ReconciliationQuery{WalletID: made.ID, Paging: core.Paging[wallet.DayCursor]{Limit: 10}})
			if err != nil || len(days) != 2 || days[0].OpenCount() > 0 || days[0].BankClosing != days[0].LedgerClosing {
				t.Errorf("the days are %+v, %v", days, err)
			}
		})
	}
}

func TestAnEmptyAccountMakesAWalletToo(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Bank.AddAccount(gateway.BankAccount{ID: newAccount, IBAN: "TR250006200000000000000077", BankName: "B", Holder: "H"}, inLira(0))
	made, err := w.Wallets.Create(t.Context(), byAdmin(w), asked(w))
	if err != nil || !made.Balance().IsZero() {
		t.Fatalf("%+v, %v", made, err)
	}
	if entries, err := w.Wallets.Entries(t.Context(), w.Admin, made.Wallet, core.Paging[core.ID]{Limit: 10}); err != nil || len(entries) > 0 {
		t.Errorf("entries %+v, %v", entries, err)
	}
}

func TestAnAccountIsOneWalletOnly(t *testing.T) {
	t.Parallel()
	w := withAccount(t)
	const tries = 8
	failures := make([]error, tries)
	var all sync.WaitGroup
	for i := range tries {
		all.Go(func() { _, failures[i] = w.Wallets.Create(t.Context(), byAdmin(w), asked(w)) })
	}
	all.Wait()
	made := 0
	for _, err := range failures {
		if err == nil {
			made++
		} else {
			refused(t, err, fault.Conflict)
		}
	}
	if list, err := w.Store.WalletsOf(t.Context(), w.Dealer.ID); made != 1 || err != nil || len(list) != 2 {
		t.Errorf("%d were made: %+v, %v", made, list, err)
	}
	other := asked(w)
	other.DealerID = w.OtherDealer.ID
	_, err := w.Wallets.Create(t.Context(), byAdmin(w), other)
	refused(t, err, fault.Conflict)
}

func TestAnAccountThatIsReachedThroughTwoGatewaysIsOneWallet(t *testing.T) {
	t.Parallel()
	w := withAccount(t)
	if _, err := w.Wallets.Create(t.Context(), byAdmin(w), asked(w)); err != nil {
		t.Fatal(err)
	}
	second := w.BankGateway
	second.ID, second.Version, second.Code, second.HookToken = 99, 1, "bank-again", "another-hook"
	save(t, w, core.Changeset{second})
	again := asked(w)
	again.GatewayID = second.ID
	_, err := w.Wallets.Create(t.Context(), byAdmin(w), again)
	refused(t, err, fault.Conflict)
}

// TestThereIsRoomForSoManyWallets, and of a bank's accounts no more are listed either.
func TestThereIsRoomForSoManyWallets(t *testing.T) {
	t.Parallel()
	w := withAccount(t)
	var change core.Changeset
	for id := range int64(app.MaxListed - 1) { // beside the world's own
		text := fmt.Sprint("w", id)
		w.Bank.AddAccount(gateway.BankAccount{ID: text, IBAN: text, BankName: "B", Holder: "H"}, inLira(0))
		change = append(change, wallet.Wallet{
			ID: 1000 + id, Version: 1, WalletID: text, DealerID: w.Dealer.ID, AccountID: 1000 + id, GatewayID: w.BankGateway.ID,
			BankAccountID: text, CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now(),
		})
	}
	save(t, w, change)
	_, err := w.Wallets.Create(t.Context(), byAdmin(w), asked(w))
	refused(t, err, fault.Invalid)
	listed, err := w.Wallets.BankAccounts(t.Context(), w.Admin, w.BankGateway.ID)
	if err != nil || len(listed) != app.MaxListed {
		t.Errorf("%d accounts are listed, %v", len(listed), err)
	}
}

func TestAWalletThatCantBeMadeIsNot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*apptest.World, *wallets.NewWallet)
		want  fault.Code
	}{
		"no such dealer":      {func(_ *apptest.World, n *wallets.NewWallet) { n.DealerID = 999 }, fault.NotFound},
		"no such gateway":     {func(_ *apptest.World, n *wallets.NewWallet) { n.GatewayID = 999 }, fault.NotFound},
		"a gateway of cards":  {func(w *apptest.World, n *wallets.NewWallet) { n.GatewayID = w.Gateway.ID }, fault.GatewayUnusable},
		"no such account":     {func(_ *apptest.World, n *wallets.NewWallet) { n.BankAccountID = "acc-404" }, fault.Invalid},
		"no minimum":          {func(_ *apptest.World, n *wallets.NewWallet) { n.Min = inLira(0) }, fault.Invalid},
		"limits upside down":  {func(_ *apptest.World, n *wallets.NewWallet) { n.Max = inLira(9) }, fault.Invalid},
		"an IBAN that is not": {badAccount("TR250006200000000000000078", inLira(1)), fault.Invalid},
		"an overdrawn one":    {badAccount("TR250006200000000000000077", inLira(-1)), fault.Invalid},
		"a bank that is down": {func(w *apptest.World, _ *wallets.NewWallet) {
			w.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
		}, fault.GatewayFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withAccount(t)
			n := asked(w)
			c.spoil(w, &n)
			_, err := w.Wallets.Create(t.Context(), byAdmin(w), n)
			refused(t, err, c.want)
			if all, err := w.Store.WalletsOf(t.Context(), 0); err != nil || len(all) != 2 {
				t.Errorf("there are %+v, %v", all, err)
			}
		})
	}
}

// badAccount asks for a wallet of another account.
func badAccount(iban string, holds money.Amount) func(*apptest.World, *wallets.NewWallet) {
	return func(w *apptest.World, n *wallets.NewWallet) {
		n.BankAccountID = "acc-bad"
		w.Bank.AddAccount(gateway.BankAccount{ID: n.BankAccountID, IBAN: iban, BankName: "B", Holder: "H"}, holds)
	}
}

func TestAWalletThatIsOffTakesNoPartButIsRead(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	audits := auditsOf(w)
	for range 2 { // the second changes nothing
		off, err := w.Wallets.SetActive(t.Context(), byAdmin(w), w.Wallet.WalletID, false)
		if err != nil || off.IsActive {
			t.Fatalf("%+v, %v", off, err)
		}
	}
	if len(*audits) != 1 || (*audits)[0].Action != "setWalletActive" || !strings.Contains((*audits)[0].Before, `"isActive":true`) ||
		!strings.Contains((*audits)[0].After, `"isActive":false`) {
		t.Errorf("audited as %+v", *audits)
	}
	list, err := w.Wallets.List(t.Context(), w.Dealer)
	if err != nil || len(list) > 0 {
		t.Errorf("the dealer sees %+v, %v", list, err)
	}
	_, err = w.Wallets.Send(t.Context(), sending(w, inLira(100)))
	refused(t, err, fault.NoWallet)
	w.Clock.Advance(time.Second)
	w.Bank.Receive("acc-1", inLira(3), gateway.Party{}, "", w.Clock.Now())
	read(t, w)
	if held := w.Held(t, w.Wallet); held.AvailableBalance.Minor() != apptest.Opening.Minor()+300 {
		t.Errorf("the wallet has %s", held.AvailableBalance)
	}
	if on, err := w.Wallets.SetActive(t.Context(), byAdmin(w), w.Wallet.WalletID, true); err != nil || !on.IsActive {
		t.Errorf("%+v, %v", on, err)
	}
	_, err = w.Wallets.SetActive(t.Context(), byAdmin(w), "W-NONE", true)
	refused(t, err, fault.NotFound)
}

func TestWalletsAreMadeByAdminsOnly(t *testing.T) {
	t.Parallel()
	w := withAccount(t)
	gone := w.Admin
	gone.IsActive = false
	for _, s := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff, gone} {
		by := app.Request{Staff: s}
		_, err := w.Wallets.Create(t.Context(), by, asked(w))
		refused(t, err, fault.Forbidden)
		_, err = w.Wallets.SetActive(t.Context(), by, w.Wallet.WalletID, false)
		refused(t, err, fault.Forbidden)
		_, err = w.Wallets.BankAccounts(t.Context(), s, w.BankGateway.ID)
		refused(t, err, fault.Forbidden)
	}
	list, err := w.Wallets.BankAccounts(t.Context(), w.Admin, w.BankGateway.ID)
	if err != nil || len(list) != 3 || list[2].ID != newAccount {
		t.Errorf("the bank has %+v, %v", list, err)
	}
	_, err = w.Wallets.BankAccounts(t.Context(), w.Admin, w.Gateway.ID)
	refused(t, err, fault.GatewayUnusable)
	w.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Misset }
	_, err = w.Wallets.BankAccounts(t.Context(), w.Admin, w.BankGateway.ID)
	refused(t, err, fault.GatewayFailed)
	if args := fault.ArgsOf(err); len(args) != 1 || args[0] != string(gateway.Misconfigured) {
		t.Errorf("the arguments are %v", args)
	}
}

func TestDealersStaffSeeTheirOwnWalletsOnly(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	ctx := t.Context()
	nobodys := w.DealerStaff
	nobodys.DealerID = 0
	count := func(s staff.Staff, dealerID int64) int {
		list, err := w.Wallets.WalletsFor(ctx, s, wallet.WalletQuery{DealerID: dealerID})
		if err != nil {
			t.Errorf("%s: %v", s.Email, err)
		}
		return len(list)
	}
	if count(w.Operator, 0) != 2 || count(w.Operator, w.OtherDealer.ID) != 1 || count(w.DealerStaff, 0) != 1 ||
		count(w.DealerStaff, w.Dealer.ID) != 1 || count(w.DealerStaff, w.OtherDealer.ID) != 0 || count(nobodys, 0) != 0 {
		t.Error("somebody sees too much or too little")
	}
	_, err := w.Wallets.WalletsFor(ctx, w.Viewer, wallet.WalletQuery{})
	refused(t, err, fault.Forbidden)
	for _, one := range []struct {
		staff  staff.Staff
		wallet wallet.Wallet
		want   fault.Code
	}{
		{w.Operator, w.OtherWallet, ""}, {w.DealerStaff, w.Wallet, ""}, {w.DealerStaff, w.OtherWallet, fault.NotFound},
		{nobodys, w.Wallet, fault.NotFound}, {w.Viewer, w.Wallet, fault.Forbidden},
		{w.Operator, wallet.Wallet{ID: 999, WalletID: "W-NONE"}, fault.NotFound},
	} {
		_, byName := w.Wallets.WalletFor(ctx, one.staff, one.wallet.WalletID)
		_, byID := w.Wallets.WalletByID(ctx, one.staff, one.wallet.ID)
		refused(t, byName, one.want)
		refused(t, byID, one.want)
		if one.wallet.ID == 999 {
			continue
		}
		entries, err := w.Wallets.Entries(ctx, one.staff, one.wallet, core.Paging[core.ID]{Limit: 10})
		refused(t, err, one.want)
		day := core.DayOf(w.Clock.Now(), w.Zone)
		_, err = w.Wallets.StatementFor(ctx, one.staff, one.wallet, day, day, 1)
		refused(t, err, one.want)
		if one.want == "" && (len(entries) != 1 || entries[0].Kind != ledger.EntryOpening) {
			t.Errorf("%s sees %+v", one.staff.Email, entries)
		}
	}
}

func TestStaffReadAStatementOfAMonth(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for range 3 {
		w.Clock.Advance(10 * 24 * time.Hour)
		w.Bank.Receive("acc-1", inLira(1), gateway.Party{}, "", w.Clock.Now())
	}
	read(t, w)
	last := core.DayOf(w.Clock.Now(), w.Zone)
	page, err := w.Wallets.StatementFor(t.Context(), w.DealerStaff, w.Wallet, last.Add(-30), last, 1)
	if err != nil || page.TotalCount != 3 || len(page.Lines) != 3 || !page.Lines[0].BookedAt.After(page.Lines[1].BookedAt) {
		t.Errorf("%+v, %v", page, err)
	}
	if page, err = w.Wallets.StatementFor(t.Context(), w.DealerStaff, w.Wallet, last, last, 1); err != nil || page.TotalCount != 1 {
		t.Errorf("the last day: %+v, %v", page, err)
	}
	for _, bad := range []struct {
		from, to core.Day
		page     int
	}{{last.Add(-31), last, 1}, {last, last.Before(), 1}, {last, last, 0}, {last, last, 10_001}} {
		_, err := w.Wallets.StatementFor(t.Context(), w.DealerStaff, w.Wallet, bad.from, bad.to, bad.page)
		refused(t, err, fault.Invalid)
	}
}
