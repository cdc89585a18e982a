package wallet

import (
	"context"
	"fmt"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// PageSize is D5's, always.
const PageSize = 100

// maxDays is how many calendar days may lie between D5's dates, both of which are included (decisions: Date range).
const maxDays = 3

// Wallets are the use cases of dealers' E-IBAN wallets: balances (D4), statements (D5), transfers (D6, D7).
type Wallets struct {
	UnitOfWork *app.UnitOfWork
	Wallets    ports.Wallets
	Gateways   *app.Gateways
	Sequences  ports.Sequences
	Zone       *time.Location // whose days D5's dates are
}

// List returns a dealer's active wallets (D4). Fault: MethodDisabled.
func (s *Wallets) List(ctx context.Context, d owner.Dealer) ([]wallet.WalletBalance, error) {
	if !d.IsEIBANEnabled {
		return nil, fault.New("eiban.List", fault.MethodDisabled)
	}
	all, err := s.Wallets.WalletsOf(ctx, d.ID)
	if err != nil {
		return nil, fault.E("eiban.List", "", err)
	}
	active := []wallet.WalletBalance{}
	for _, w := range all {
		if w.IsActive {
			active = append(active, w)
		}
	}
	return active, nil
}

// wallet finds a dealer's own active wallet; any other is not assigned to it.
func (s *Wallets) wallet(ctx context.Context, d owner.Dealer, walletID string) (wallet.WalletBalance, error) {
	const op = "eiban.wallet"
	if !d.IsEIBANEnabled {
		return wallet.WalletBalance{}, fault.New(op, fault.MethodDisabled)
	}
	w, err := s.Wallets.WalletBy(ctx, d.ID, walletID)
	if fault.Is(err, fault.NotFound) || err == nil && !w.IsActive {
		return wallet.WalletBalance{}, fault.New(op, fault.NoWallet)
	}
	return w, err
}

// Sending is a request for a transfer (D6). Its IBAN and its amount are as they came.
type Sending struct {
	app.Creation
	WalletID    string
	Recipient   string
	Description string
}

// Send creates a transfer (D6). Faults: MethodDisabled, NoWallet, BadIBAN, BelowMinimum, Insufficient; Invalid: more than
// the bank takes; Unavailable: the bank takes no transfers now.
func (s *Wallets) Send(ctx context.Context, r Sending) (app.Answer, error) {
	r.Method, r.IBAN = payment.EIBANTransfer, iban.Normalize(r.IBAN)
	plan, err := s.plan(ctx, r)
	if err != nil {
		return s.UnitOfWork.Refused(ctx, r.Creation, err)
	}
	r.Customer = owner.Customer{Fullname: r.Recipient, Username: r.Dealer.Name, UserID: plan.Wallet.WalletID}
	r.Decide = func(start payment.Request, b payment.CreateParams) (core.Changeset, error) {
		return wallet.DecideTransfer(start, plan, b), nil
	}
	answer, err := s.UnitOfWork.Create(ctx, r.Creation)
	if fault.Is(err, fault.Insufficient) { // perhaps since the same call has taken the money before
		return s.UnitOfWork.Refused(ctx, r.Creation, err)
	}
	return answer, err
}

// plan checks a request in the order of Send's faults.
func (s *Wallets) plan(ctx context.Context, r Sending) (wallet.TransferPlan, error) {
	const op = "eiban.plan"
	w, err := s.wallet(ctx, r.Dealer, r.WalletID)
	switch least := wallet.MinTransfer(); {
	case err != nil:
		return wallet.TransferPlan{}, err
	case !iban.IsValid(r.IBAN):
		return wallet.TransferPlan{}, fault.New(op, fault.BadIBAN)
	case r.Amount.Less(least):
		return wallet.TransferPlan{}, fault.New(op, fault.BelowMinimum, least.String())
	}
	bank, err := s.bank(ctx, w)
	if err != nil {
		return wallet.TransferPlan{}, fault.E(op, "", err)
	}
	var form core.Form
	switch least, greatest := bank.Account.Bounds(bank.Descriptor.Account.TransferMin, money.Decimal{}); {
	case r.Amount.Less(least):
		return wallet.TransferPlan{}, fault.New(op, fault.BelowMinimum, least.String())
	case !greatest.IsZero() && greatest.Less(r.Amount):
		form.Fail("amount", "field.range", greatest.String())
	}
	return wallet.TransferPlan{
		Wallet: w.Wallet, Gateway: bank.Account, Recipient: r.Recipient, Description: r.Description,
	}, form.Err(op)
}

// bank opens the gateway of a wallet. Fault Unavailable: it takes no transfers as it is now.
func (s *Wallets) bank(ctx context.Context, w wallet.WalletBalance) (*app.Gateway, error) {
	const op = "eiban.bank"
	g, err := s.Gateways.Gateway(ctx, w.GatewayID)
	if err != nil {
		return nil, fault.E(op, fault.Unavailable, err)
	}
	if !g.Account.Takes() || g.Descriptor.Account == nil {
		return nil, fault.E(op, fault.Unavailable, fmt.Errorf("%s takes no transfers: %s", g.Account.Ref(), g.Account.Trouble))
	}
	return g, nil
}

// Transfer finds a dealer's own transfer (D7). Faults: MethodDisabled, NoTransfer.
func (s *Wallets) Transfer(ctx context.Context, d owner.Dealer, transferID string) (payment.Payment, error) {
	const op = "eiban.Transfer"
	if !d.IsEIBANEnabled {
		return payment.Payment{}, fault.New(op, fault.MethodDisabled)
	}
	p, err := s.UnitOfWork.Payments.PaymentByTrackingCode(ctx, transferID)
	if fault.Is(err, fault.NotFound) || err == nil && (p.Method != payment.EIBANTransfer || p.DealerID != d.ID) {
		return payment.Payment{}, fault.New(op, fault.NoTransfer)
	}
	return p, err
}

// Page is one page of a wallet's statement.
type Page struct {
	Wallet     wallet.Wallet
	Lines      []wallet.BankLine
	Transfers  map[core.ID]payment.Payment // the dealer's own, by the payment of their lines
	Page       int
	TotalCount int
}

// PageCount is how many pages there are.
func (p Page) PageCount() int { return (p.TotalCount + PageSize - 1) / PageSize }

// Statement returns a page of a wallet's lines, newest first; both days are included (D5). Faults: MethodDisabled,
// NoWallet, BadDateRange, DateRangeExceeded.
func (s *Wallets) Statement(ctx context.Context, d owner.Dealer, walletID string, from, to time.Time, number int) (Page, error) {
	const op = "eiban.Statement"
	w, err := s.wallet(ctx, d, walletID)
	if err != nil {
		return Page{}, fault.E(op, "", err)
	}
	switch {
	case to.Before(from):
		return Page{}, fault.New(op, fault.BadDateRange)
	case to.After(from.AddDate(0, 0, maxDays)):
		return Page{}, fault.New(op, fault.DateRangeExceeded)
	}
	lines, total, err := s.Wallets.BankLines(ctx, wallet.BankLineQuery{
		WalletID: w.ID, From: from, Until: to.AddDate(0, 0, 1), Skip: (number - 1) * PageSize, Limit: PageSize,
	})
	if err != nil {
		return Page{}, fault.E(op, "", err)
	}
	transfers, err := s.transfersOf(ctx, d, lines)
	return Page{Wallet: w.Wallet, Lines: lines, Transfers: transfers, Page: number, TotalCount: total}, fault.E(op, "", err)
}

// transfersOf finds the dealer's own transfers that lines belong to.
func (s *Wallets) transfersOf(ctx context.Context, d owner.Dealer, lines []wallet.BankLine) (map[core.ID]payment.Payment, error) {
	var ids []core.ID
	for _, l := range lines {
		if l.Direction == gateway.Outgoing && l.PaymentID != "" {
			ids = append(ids, l.PaymentID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := s.UnitOfWork.Payments.PaymentsByID(ctx, core.Scope{DealerID: d.ID}, ids)
	transfers := make(map[core.ID]payment.Payment, len(found))
	for _, p := range found {
		if p.Method == payment.EIBANTransfer {
			transfers[p.ID] = p
		}
	}
	return transfers, err
}
