package wallet

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// maxSearchChars bounds what wallets are searched for.
const maxSearchChars = 200

// WalletsFor returns the wallets that the staff member may see and that are asked for, by id. Fault: Invalid.
func (s *Wallets) WalletsFor(ctx context.Context, by staff.Staff, q wallet.WalletQuery) ([]wallet.WalletBalance, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(q.Text) > maxSearchChars {
		var form core.Form
		form.Fail("text", "field.max", maxSearchChars)
		return nil, form.Err("wallets.WalletsFor")
	}
	if scope := by.Scope().OfDealers(); scope.DealerID != 0 {
		if q.DealerID != 0 && q.DealerID != scope.DealerID {
			return nil, nil
		}
		q.DealerID = scope.DealerID
	}
	all, err := s.Wallets.WalletsOf(ctx, q.DealerID)
	return slices.DeleteFunc(all, func(w wallet.WalletBalance) bool { return !q.Holds(&w.Wallet) }), err
}

// WalletFor finds a wallet that the staff member may see. Fault: NotFound.
func (s *Wallets) WalletFor(ctx context.Context, by staff.Staff, walletID string) (wallet.WalletBalance, error) {
	return walletBy(ctx, s.Wallets, by, staff.ReadWallets, walletID)
}

// walletBy finds a wallet that the staff member may see; any other is not found.
func walletBy(
	ctx context.Context, wallets ports.Wallets, by staff.Staff, p staff.Permission, walletID string,
) (wallet.WalletBalance, error) {
	if err := by.Require(p); err != nil {
		return wallet.WalletBalance{}, err
	}
	return wallets.WalletBy(ctx, by.Scope().OfDealers().DealerID, walletID)
}

// WalletByID finds a wallet that the staff member may see by its own id. Fault: NotFound.
func (s *Wallets) WalletByID(ctx context.Context, by staff.Staff, id int64) (wallet.WalletBalance, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return wallet.WalletBalance{}, err
	}
	return s.Wallets.Wallet(ctx, by.Scope().OfDealers().DealerID, id)
}

// Bounds of a statement that staff ask for.
const (
	maxStaffDays = 31
	maxStaffPage = 10_000
)

// StatementFor is Statement for staff, over at most 31 days. Faults: NotFound, Invalid.
func (s *Wallets) StatementFor(ctx context.Context, by staff.Staff, w wallet.Wallet, from, until core.Day, number int) (Page, error) {
	const op = "eiban.StatementFor"
	if err := by.Require(staff.ReadWallets); err != nil {
		return Page{}, err
	}
	if !by.Scope().Covers(w.DealerID) {
		return Page{}, fault.New(op, fault.NotFound)
	}
	var form core.Form
	if last := from.Add(maxStaffDays - 1); until < from {
		form.Fail("until", "field.min", string(from))
	} else if until > last {
		form.Fail("until", "field.range", string(last))
	}
	if number < 1 || number > maxStaffPage {
		form.Fail("page", "field.between", 1, maxStaffPage)
	}
	if err := form.Err(op); err != nil {
		return Page{}, err
	}
	q := wallet.BankLineQuery{WalletID: w.ID, Skip: (number - 1) * PageSize, Limit: PageSize}
	q.From, _ = from.Bounds(s.Zone)
	_, q.Until = until.Bounds(s.Zone)
	lines, total, err := s.Wallets.BankLines(ctx, q)
	if err != nil {
		return Page{}, fault.E(op, "", err)
	}
	return Page{Wallet: w, Lines: lines, Page: number, TotalCount: total}, nil
}

// Entries returns a page of a wallet's ledger entries, newest first.
func (s *Wallets) Entries(
	ctx context.Context, by staff.Staff, w wallet.Wallet, page core.Paging[core.ID],
) ([]ledger.Entry, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	if !by.Scope().Covers(w.DealerID) {
		return nil, fault.New("eiban.Entries", fault.NotFound)
	}
	return s.Wallets.Entries(ctx, w.ID, page)
}

// BankAccounts returns the first app.MaxListed accounts at a gateway from which wallets can be made. Faults: GatewayUnusable, GatewayFailed.
func (s *Wallets) BankAccounts(ctx context.Context, by staff.Staff, gatewayID int64) ([]gateway.BankAccount, error) {
	const op = "eiban.BankAccounts"
	if err := by.Require(staff.EditWallets); err != nil {
		return nil, err
	}
	g, reader, err := s.behind(ctx, gatewayID)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	list, err := app.Ask(ctx, g, gateway.CanReadAccounts, reader.ListAccounts)
	return list[:min(len(list), app.MaxListed)], refused(op, err)
}

func (s *Wallets) behind(ctx context.Context, gatewayID int64) (*app.Gateway, ports.AccountReader, error) {
	g, err := s.Gateways.Gateway(ctx, gatewayID)
	if err != nil {
		return nil, nil, err
	}
	reader, ok := g.Gateway.(ports.AccountReader)
	if !ok || !g.Has(gateway.CanReadAccounts) || !g.Has(gateway.CanReadStatement) || !g.Has(gateway.CanTransfer) {
		return nil, nil, fault.New("eiban.behind", fault.GatewayUnusable)
	}
	return g, reader, nil
}

// refused is a gateway's failure as staff see it.
func refused(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{Op: op, Code: fault.GatewayFailed, Args: []any{string(gateway.ErrorOf(err).Class)}, Err: err}
}

// NewWallet is a wallet to be made of an account at a bank.
type NewWallet struct {
	DealerID      int64
	GatewayID     int64
	BankAccountID string // the bank's own id of it
	Min, Max      money.Amount
	DailyLimit    money.Amount // zero: none
}

// Create makes a wallet of a bank account for a dealer, and the E-IBAN account that its customers are shown. What the bank
// says that the account holds is the opening balance; the statement is imported from that moment on. Faults: Invalid,
// Conflict (the account is a wallet already), GatewayUnusable, GatewayFailed.
func (s *Wallets) Create(ctx context.Context, by app.Request, n NewWallet) (wallet.WalletBalance, error) {
	const op = "eiban.Create"
	if err := by.Require(staff.EditWallets); err != nil {
		return wallet.WalletBalance{}, err
	}
	n.DailyLimit = money.New(n.DailyLimit.Minor(), money.TRY) // an absent one has no currency
	if err := n.check(); err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	if _, err := s.UnitOfWork.Directory.Dealer(ctx, n.DealerID); err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	g, reader, err := s.behind(ctx, n.GatewayID)
	if err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	account, balance, err := s.ask(ctx, g, reader, n.BankAccountID)
	if err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	if err := s.isNew(ctx, account); err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	params, err := s.Params(ctx, by.Actor())
	if err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	change, err := wallet.DecideWallet(wallet.NewWallet{
		DealerID: n.DealerID, GatewayID: n.GatewayID, Account: account, Balance: balance, Min: n.Min, Max: n.Max,
		DailyLimit: n.DailyLimit,
	}, params)
	if err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	if err := s.UnitOfWork.CommitFor(ctx, by, change); err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	return s.Wallets.WalletBy(ctx, n.DealerID, core.RowsOf[wallet.Wallet](change)[0].WalletID)
}

// check holds the bounds of what customers are shown to the rules, before the bank is asked.
func (n NewWallet) check() error {
	var form core.Form
	if least := core.MinAmount(money.TRY); n.Min.Less(least) {
		form.Fail("min", "field.min", least.String())
	} else if n.Max.Less(n.Min) {
		form.Fail("max", "field.min", n.Min.String())
	}
	return form.Err("eiban.NewWallet.check")
}

// ask finds the account at the bank, which has to be open, and what it holds.
func (s *Wallets) ask(
	ctx context.Context, g *app.Gateway, reader ports.AccountReader, id string,
) (account gateway.BankAccount, balance gateway.Balance, err error) {
	const op = "eiban.ask"
	isThere := false
	_, err = g.Call(ctx, gateway.CanReadAccounts, func(ctx context.Context) (string, error) {
		list, err := reader.ListAccounts(ctx)
		at := slices.IndexFunc(list, func(a gateway.BankAccount) bool { return a.ID == id && a.IsOpen })
		if err != nil || at < 0 {
			return "read", err
		}
		account, isThere = list[at], true
		balance, err = reader.ReadBalance(ctx, id)
		return "read", err
	})
	if err == nil && !isThere {
		return account, balance, fault.Fields(op, []fault.Field{{Name: "bankAccountId", Key: "field.id", Args: []any{"bankAccountId"}}})
	}
	return account, balance, refused(op, err)
}

// isNew refuses an account that is a wallet already, be it through another gateway: its money would count twice. Of two
// that are made of it at once the store refuses one. It also refuses one wallet too many.
func (s *Wallets) isNew(ctx context.Context, a gateway.BankAccount) error {
	all, err := s.Wallets.WalletsOf(ctx, 0)
	if err != nil {
		return err
	}
	for _, w := range all {
		if w.IBAN == iban.Normalize(a.IBAN) {
			return fault.New("eiban.isNew", fault.Conflict)
		}
	}
	return app.CheckRoom("eiban.isNew", "wallets", len(all))
}

// Params gathers what a new wallet needs from outside.
func (s *Wallets) Params(ctx context.Context, by core.Actor) (wallet.WalletParams, error) {
	b := wallet.WalletParams{By: by, At: s.UnitOfWork.Clock.Now(), Zone: s.Zone}
	var err error
	if b.ID, err = s.Sequences.NextID(ctx, "wallet"); err != nil {
		return b, err
	}
	if b.AccountID, err = s.Sequences.NextID(ctx, "account"); err != nil {
		return b, err
	}
	if b.WalletID, err = wallet.NewWalletID(s.UnitOfWork.Random); err != nil {
		return b, fault.E("eiban.Params", fault.Internal, err)
	}
	b.IDs, err = core.NewIDs(b.At, s.UnitOfWork.Random)
	return b, err
}

// SetActive switches a wallet on or off for its dealer: one that is off is not listed (D4) and sends nothing (D6). Its
// statement is imported all the same. Fault: NotFound.
func (s *Wallets) SetActive(ctx context.Context, by app.Request, walletID string, isActive bool) (wallet.WalletBalance, error) {
	const op = "eiban.SetActive"
	err := s.UnitOfWork.Again(ctx, func() error {
		w, err := walletBy(ctx, s.Wallets, by.Staff, staff.EditWallets, walletID)
		if err != nil || w.IsActive == isActive {
			return err
		}
		after := w.Wallet
		after.Version++
		after.IsActive, after.UpdatedAt = isActive, s.UnitOfWork.Clock.Now()
		return s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
			At: after.UpdatedAt, Action: "setWalletActive", Target: "wallet/" + w.WalletID,
			Before: w.AuditState(), After: after.AuditState(),
		}, core.Changeset{after})
	})
	if err != nil {
		return wallet.WalletBalance{}, fault.E(op, "", err)
	}
	return walletBy(ctx, s.Wallets, by.Staff, staff.EditWallets, walletID)
}
