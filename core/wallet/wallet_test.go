package wallet_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
)

func TestAllClaims(t *testing.T) {
	t.Parallel()
	c := core.Changeset{
		owner.Account{Version: 1, Kind: owner.EIBANAccount, IBAN: "tr 1"},
		owner.Account{Version: 2, IBAN: "TR2"},
		owner.Account{Version: 1},
		owner.Account{Version: 1, Kind: owner.ManualAccount, IBAN: "TR4"},
		wallet.Wallet{Version: 1, IBAN: "TR1"},
		wallet.Wallet{Version: 3, IBAN: "TR3"},
	}.Merge(core.Rows(owner.CollectingClaims(owner.GatewayAccount{CollectingIBANs: []string{"A", "B"}}, owner.GatewayAccount{CollectingIBANs: []string{"B", "C"}})))
	claim := func(account string, use owner.IBANUse, holders int) owner.IBANClaim {
		return owner.IBANClaim{IBAN: account, Use: use, Holders: holders}
	}
	got := owner.IBANClaimsOf(c.Merge(core.Changeset{claim("D", owner.ManualIBAN, 1), claim("D", owner.ManualIBAN, -1)}))
	want := []owner.IBANClaim{
		claim("A", owner.GatewayIBAN, -1), claim("C", owner.GatewayIBAN, 1), claim("TR1", owner.StatementIBAN, 2),
		claim("TR4", owner.ManualIBAN, 1),
	}
	if len(got) != len(want) {
		t.Fatalf("claims %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("claim %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

// seenAt is when the bank's balance was true: 23:49:30 in Istanbul, half a minute before evening.
var seenAt = coretest.Evening.Add(-30 * time.Second)

func newWallet(holds string) wallet.NewWallet {
	return wallet.NewWallet{
		DealerID: 7, GatewayID: 3, Min: coretest.Lira(1_000), Max: coretest.Lira(500_000), DailyLimit: coretest.Lira(5_000_000),
		Account: gateway.BankAccount{
			ID: "acc-1", IBAN: "tr33 0006 1005 1978 6457 8413 26", BankName: "Banka", Holder: "Hesap Sahibi", Asset: gateway.TRY, IsOpen: true,
		},
		Balance: gateway.Balance{Total: money.MustDecimal(holds), Asset: gateway.TRY, At: seenAt},
	}
}

func born(t coretest.T) wallet.WalletParams {
	return wallet.WalletParams{
		By: core.System, At: coretest.Evening, Zone: coretest.Istanbul, ID: 11, AccountID: 12, WalletID: "W-1", IDs: coretest.NewIDs(t, coretest.Evening),
	}
}

func TestAWalletIsMadeWithWhatTheBankSays(t *testing.T) {
	t.Parallel()
	change, err := wallet.DecideWallet(newWallet("1234.5"), born(t))
	if err != nil {
		t.Fatal(err)
	}
	total, zero := coretest.Lira(123_450), coretest.Lira(0)
	const iban = "TR330006100519786457841326"
	want := core.Changeset{
		wallet.Wallet{
			ID: 11, Version: 1, WalletID: "W-1", DealerID: 7, AccountID: 12, GatewayID: 3, BankAccountID: "acc-1", IBAN: iban,
			BankName: "Banka", Holder: "Hesap Sahibi", IsActive: true, CreatedAt: coretest.Evening, UpdatedAt: coretest.Evening,
		},
		owner.Account{
			ID: 12, Version: 1, DealerID: 7, Kind: owner.EIBANAccount, BankName: "Banka", Holder: "Hesap Sahibi", IBAN: iban,
			IsActive: true, Min: coretest.Lira(1_000), Max: coretest.Lira(500_000), DailyLimit: coretest.Lira(5_000_000), CreatedAt: coretest.Evening, UpdatedAt: coretest.Evening,
		},
		wallet.Feed{
			WalletID: 11, GatewayID: 3, Version: 1, OpenedAt: seenAt, ReadUntil: seenAt, SweptAt: coretest.Evening, NextReadAt: coretest.Evening,
			BankBalance: total, BankBalanceAt: seenAt,
		},
		wallet.Reconciliation{
			WalletID: 11, Day: "2026-03-08", Version: 1, DealerID: 7, ReconciledAt: coretest.Evening, LedgerIn: total, LedgerOut: zero,
			LedgerClosing: total, Adjusted: zero, BankIn: zero, BankOut: zero, BankClosing: total, HasBank: true,
		},
		core.AuditEntry{
			ID: core.RowsOf[core.AuditEntry](change)[0].ID, At: coretest.Evening, Actor: core.System, Action: "createWallet", Target: "wallet/W-1",
			After: `{"dealer":7,"gateway":3,"bankAccount":"acc-1","iban":"` + iban + `","isActive":true}`,
		},
		ledger.Entry{
			ID: core.RowsOf[ledger.Entry](change)[0].ID, WalletID: 11, Kind: ledger.EntryOpening, At: coretest.Evening, Available: total, Reserved: zero, Outside: coretest.Lira(-123_450),
		},
	}
	if diff := cmp.Diff(want, change, cmp.AllowUnexported(money.Amount{}, core.Secret{})); diff != "" {
		t.Error(diff)
	}
}

func TestAWalletOfNothingHasNoEntry(t *testing.T) {
	t.Parallel()
	change, err := wallet.DecideWallet(newWallet("0"), born(t))
	if err != nil || core.Has[ledger.Entry](change) || len(core.RowsOf[wallet.Wallet](change)) != 1 {
		t.Errorf("%+v, %v", change, err)
	}
}

func TestAWalletIsOfOneAccountInLira(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*wallet.NewWallet){
		"overdrawn":               func(n *wallet.NewWallet) { n.Balance.Total = money.MustDecimal("-0.01") },
		"parts of a kuruş":        func(n *wallet.NewWallet) { n.Balance.Total = money.MustDecimal("1.001") },
		"more than can be":        func(n *wallet.NewWallet) { n.Balance.Total = money.MustDecimal("99999999999999999999") },
		"a balance in dollars":    func(n *wallet.NewWallet) { n.Balance.Asset.Code = "USD" },
		"a balance of no moment":  func(n *wallet.NewWallet) { n.Balance.At = time.Time{} },
		"an account in dollars":   func(n *wallet.NewWallet) { n.Account.Asset.Code = "USD" },
		"a wrong IBAN":            func(n *wallet.NewWallet) { n.Account.IBAN = "TR340006100519786457841326" },
		"no IBAN":                 func(n *wallet.NewWallet) { n.Account.IBAN = "" },
		"no holder":               func(n *wallet.NewWallet) { n.Account.Holder = "" },
		"a minimum of nothing":    func(n *wallet.NewWallet) { n.Min = coretest.Lira(0) },
		"a maximum below minimum": func(n *wallet.NewWallet) { n.Max = coretest.Lira(999) },
	} {
		n := newWallet("1")
		spoil(&n)
		if change, err := wallet.DecideWallet(n, born(t)); !fault.Is(err, fault.Invalid) || core.Has[wallet.Wallet](change) {
			t.Errorf("%s: %+v, %v", name, change, err)
		}
	}
}

func TestWhatABankHoldsMayBeMoreThanOnePaymentOrLessThanNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"12345678901.23": 1_234_567_890_123, "-17.5": -1_750} {
		total, ok := wallet.BankTotal(gateway.Balance{Total: money.MustDecimal(text), Asset: gateway.TRY, At: seenAt})
		if !ok || total != coretest.Lira(want) {
			t.Errorf("%s is %s, %t", text, total, ok)
		}
	}
}
