package wallet_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// inLira is an amount of whole lira.
func inLira(n int64) money.Amount { return money.New(n*100, money.TRY) }

func refused(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// sending is a request for a transfer whose answer nobody reads.
func sending(w *apptest.World, amount money.Amount) wallets.Sending {
	return wallets.Sending{
		Creation: app.Creation{
			Request: payment.Request{Dealer: w.Dealer, Amount: amount, IBAN: "TR33 0006 1005 1978 6457 8413 26"},
			Render:  func(payment.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil },
		},
		WalletID: w.Wallet.WalletID, Recipient: "Ayşe Yılmaz", Description: "Invoice 7",
	}
}

// saveWallet and saveBank save a change.
func saveWallet(t *testing.T, w *apptest.World, change func(*wallet.Wallet)) {
	t.Helper()
	change(&w.Wallet)
	w.Wallet.Version++
	save(t, w, core.Changeset{w.Wallet})
}

func saveBank(t *testing.T, w *apptest.World, change func(*owner.GatewayAccount)) {
	t.Helper()
	change(&w.BankGateway)
	w.BankGateway.Version++
	save(t, w, core.Changeset{w.BankGateway})
}

func save(t *testing.T, w *apptest.World, change core.Changeset) {
	t.Helper()
	if err := w.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

func TestADealersActiveWalletsAreListed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.StartTransfer(t, inLira(250))
	second := w.Wallet
	second.ID, second.Version, second.WalletID, second.BankAccountID = 90, 1, "W-SECOND", "acc-9"
	second.IBAN = "TR830006200000000000000003"
	closed := second
	closed.ID, closed.WalletID, closed.BankAccountID, closed.IsActive = 91, "W-CLOSED", "acc-10", false
	closed.IBAN = "TR560006200000000000000004"
	save(t, w, core.Changeset{second, closed})
	list, err := w.Wallets.List(t.Context(), w.Dealer)
	if err != nil || len(list) != 2 || list[0].ID != w.Wallet.ID || list[1].WalletID != "W-SECOND" {
		t.Fatalf("%+v, %v", list, err)
	}
	if b := list[0]; !b.Balance().Equal(apptest.Opening) || !b.AvailableBalance.Equal(inLira(9750)) || !list[1].Balance().IsZero() {
		t.Errorf("balance %s, available %s; of the second %s", b.Balance(), b.AvailableBalance, list[1].Balance())
	}
	off := w.Dealer
	off.IsEIBANEnabled = false
	_, err = w.Wallets.List(t.Context(), off)
	refused(t, err, fault.MethodDisabled)
}

func TestATransferReservesItsAmountAndIsSent(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartTransfer(t, inLira(250))
	if p.Status != payment.Pending || p.Method != payment.EIBANTransfer || p.DealerID != w.Dealer.ID || p.ProviderID != 0 || !p.ExpiresAt.IsZero() ||
		p.Payee.WalletID != w.Wallet.ID || p.Payee.Recipient != "Ayşe Yılmaz" || p.Payee.Description != "Invoice 7" {
		t.Errorf("%+v", p)
	}
	if held := w.Held(t, w.Wallet); !held.AvailableBalance.Equal(inLira(9750)) || !held.Reserved.Equal(inLira(250)) {
		t.Errorf("%s available, %s reserved", held.AvailableBalance, held.Reserved)
	}
	operations, err := w.Store.OperationsOf(t.Context(), p.ID)
	if err != nil || len(operations) != 1 || operations[0].GatewayID != w.BankGateway.ID || !operations[0].NextAt.Equal(apptest.Start) {
		t.Errorf("operations: %+v, %v", operations, err)
	}
	found, err := w.Wallets.Transfer(t.Context(), w.Dealer, p.TrackingCode)
	if err != nil || found.ID != p.ID {
		t.Errorf("found %s, %v", found.ID, err)
	}
	_, err = w.Wallets.Transfer(t.Context(), w.OtherDealer, p.TrackingCode)
	refused(t, err, fault.NoTransfer)
}

// TestWhatIsWrongWithATransferIsToldInOrder: each request has its own mistake and all later ones.
func TestWhatIsWrongWithATransferIsToldInOrder(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	off := w.Dealer
	off.IsEIBANEnabled = false
	spoil := []struct {
		change func(*wallets.Sending)
		want   fault.Code
	}{
		{func(r *wallets.Sending) { r.Dealer = off }, fault.MethodDisabled},
		{func(r *wallets.Sending) { r.WalletID = w.OtherWallet.WalletID }, fault.NoWallet},
		{func(r *wallets.Sending) { r.IBAN = "TR34 0006 1005 1978 6457 8413 26" }, fault.BadIBAN},
		{func(r *wallets.Sending) { r.Amount = money.New(999, money.TRY) }, fault.BelowMinimum},
		{func(r *wallets.Sending) { r.Amount = money.New(1_000_001, money.TRY) }, fault.Insufficient},
	}
	for i, first := range spoil {
		r := sending(w, inLira(250))
		for n := len(spoil) - 1; n >= i; n-- {
			spoil[n].change(&r)
		}
		_, err := w.Wallets.Send(t.Context(), r)
		refused(t, err, first.want)
	}
	if held := w.Held(t, w.Wallet); !held.AvailableBalance.Equal(apptest.Opening) || !held.Reserved.IsZero() {
		t.Errorf("%s available, %s reserved", held.AvailableBalance, held.Reserved)
	}
}

// TestTheBanksBoundsCountToo, where they are tighter than the contract's.
func TestTheBanksBoundsCountToo(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	saveBank(t, w, func(a *owner.GatewayAccount) { a.Min, a.Max = inLira(5), inLira(1000) })
	_, err := w.Wallets.Send(t.Context(), sending(w, money.New(999, money.TRY)))
	refused(t, err, fault.BelowMinimum)
	if args := fault.ArgsOf(err); len(args) != 1 || args[0] != "10.00" {
		t.Errorf("the least is %v", args)
	}
	_, err = w.Wallets.Send(t.Context(), sending(w, money.New(100_001, money.TRY)))
	refused(t, err, fault.Invalid)
	if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != "amount" {
		t.Errorf("fields %+v", fields)
	}
	for _, n := range []int64{10, 1000} {
		if _, err := w.Wallets.Send(t.Context(), sending(w, inLira(n))); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
	saveBank(t, w, func(a *owner.GatewayAccount) { a.Min = inLira(20) })
	_, err = w.Wallets.Send(t.Context(), sending(w, money.New(1999, money.TRY)))
	refused(t, err, fault.BelowMinimum)
	if args := fault.ArgsOf(err); len(args) != 1 || args[0] != "20.00" {
		t.Errorf("the bank's least is %v", args)
	}
}

// TestAStatementHoldsBothDaysInTheServicesZone, and pages of a hundred.
func TestAStatementHoldsBothDaysInTheServicesZone(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, w.Zone)
	ids, err := core.NewIDs(apptest.Start, w.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	var lines []wallet.BankLine
	for id, at := range map[string]time.Time{
		"a second before": day.Add(-time.Second), "midnight": day, "the last second": day.AddDate(0, 0, 2).Add(-time.Second),
		"midnight after": day.AddDate(0, 0, 2),
	} {
		lines = append(lines, wallet.BankLine{
			WalletID: w.Wallet.ID, LineID: id, ID: ids.Next(), Version: 1, Status: wallet.LineUnmatched,
			Direction: gateway.Incoming, Amount: inLira(1), BookedAt: at, ImportedAt: at,
		})
	}
	save(t, w, core.Rows(lines))
	page, err := w.Wallets.Statement(t.Context(), w.Dealer, w.Wallet.WalletID, day, day.AddDate(0, 0, 1), 1)
	if err != nil || page.TotalCount != 2 || page.PageCount() != 1 || page.Wallet.ID != w.Wallet.ID || len(page.Lines) != 2 ||
		page.Lines[0].LineID != "the last second" || page.Lines[1].LineID != "midnight" {
		t.Errorf("%+v, %v", page, err)
	}
	if page, err = w.Wallets.Statement(t.Context(), w.Dealer, w.Wallet.WalletID, day, day, 2); err != nil || page.TotalCount != 1 || len(page.Lines) != 0 {
		t.Errorf("the second page: %+v, %v", page, err)
	}
}

func TestStatementsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, w.Zone)
	off := w.Dealer
	off.IsEIBANEnabled = false
	for _, tt := range []struct {
		dealer owner.Dealer
		wallet string
		until  time.Time
		want   fault.Code
	}{
		{off, "W-1", day.AddDate(0, 0, -1), fault.MethodDisabled},
		{w.Dealer, "W-1", day.AddDate(0, 0, -1), fault.NoWallet},
		{w.Dealer, w.OtherWallet.WalletID, day.AddDate(0, 0, 4), fault.NoWallet},
		{w.Dealer, w.Wallet.WalletID, day.AddDate(0, 0, -1), fault.BadDateRange},
		{w.Dealer, w.Wallet.WalletID, day.AddDate(0, 0, 4), fault.DateRangeExceeded},
		{w.Dealer, w.Wallet.WalletID, day.AddDate(0, 0, 3), ""},
	} {
		_, err := w.Wallets.Statement(t.Context(), tt.dealer, tt.wallet, day, tt.until, 1)
		refused(t, err, tt.want)
	}
	saveWallet(t, w, func(x *wallet.Wallet) { x.IsActive = false })
	_, err := w.Wallets.Statement(t.Context(), w.Dealer, w.Wallet.WalletID, day, day, 1)
	refused(t, err, fault.NoWallet)
}
