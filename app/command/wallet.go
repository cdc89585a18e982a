package command

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// LineDecision is asked about a bank line.
type LineDecision struct {
	WalletID string
	LineID   string
	Said
}

// CreditBankLineInput credits a bank line to a deposit.
type CreditBankLineInput struct {
	LineDecision
	TrackingCode string
}

// SetWalletActiveInput switches a wallet.
type SetWalletActiveInput struct {
	WalletID string
	IsActive bool
}

// AdjustDifferenceInput books what a day differs by.
type AdjustDifferenceInput struct {
	WalletID string
	Day      core.Day
	Said
	Amount money.Decimal // the bank's less ours; negative where the ledger has more
}

type walletCommands struct {
	CreateWallet      Command[wallets.NewWallet, wallet.WalletBalance]
	SetWalletActive   Command[SetWalletActiveInput, wallet.WalletBalance]
	CreditBankLine    Command[CreditBankLineInput, wallet.BankLine]
	SetAsideBankLine  Command[LineDecision, wallet.BankLine]
	BringBackBankLine Command[LineDecision, wallet.BankLine]
	AdjustDifference  Command[AdjustDifferenceInput, wallets.Adjusted]
}

func newWallet(s Services) walletCommands {
	return walletCommands{
		CreateWallet: plain("createWallet", staff.EditWallets, s.Wallets.Create),
		SetWalletActive: plain("setWalletActive", staff.EditWallets,
			func(ctx context.Context, by app.Request, in SetWalletActiveInput) (wallet.WalletBalance, error) {
				return s.Wallets.SetActive(ctx, by, in.WalletID, in.IsActive)
			}),
		CreditBankLine: onLine(s, "creditBankLine",
			func(ctx context.Context, by app.Request, in CreditBankLineInput) (wallet.BankLine, error) {
				return s.Statements.Credit(ctx, by, in.WalletID, in.LineID, in.TrackingCode)
			}),
		SetAsideBankLine: onLine(s, "setAsideBankLine",
			func(ctx context.Context, by app.Request, in LineDecision) (wallet.BankLine, error) {
				return s.Statements.SetAside(ctx, by, in.WalletID, in.LineID)
			}),
		BringBackBankLine: onLine(s, "bringBackBankLine",
			func(ctx context.Context, by app.Request, in LineDecision) (wallet.BankLine, error) {
				return s.Statements.BringBack(ctx, by, in.WalletID, in.LineID)
			}),
		AdjustDifference: Command[AdjustDifferenceInput, wallets.Adjusted]{
			Name: "adjustDifference", Permission: staff.AdjustWallets,
			Do: func(ctx context.Context, by app.Request, in AdjustDifferenceInput) (wallets.Adjusted, error) {
				var form core.Form
				text := core.Input{Kind: core.TextInput, Text: in.Amount.String()}
				expected := form.Amount("amount", text, money.New(-money.MaxMinor, money.TRY))
				if err := form.Err("command.AdjustDifference"); err != nil {
					return wallets.Adjusted{}, err
				}
				return s.Statements.Adjust(ctx, by, in.WalletID, in.Day, expected)
			},
			Again: func(ctx context.Context, by app.Request, in AdjustDifferenceInput, first once.Answer) (wallets.Adjusted, error) {
				return s.Statements.Adjustment(ctx, by.Staff, in.WalletID, in.Day, first.Find(once.EntryRow))
			},
		},
	}
}

func (d LineDecision) line() LineDecision { return d }

// onLine is a command about a bank line.
func onLine[I interface{ line() LineDecision }](
	s Services, name string, do func(context.Context, app.Request, I) (wallet.BankLine, error),
) Command[I, wallet.BankLine] {
	return Command[I, wallet.BankLine]{
		Name: name, Permission: staff.DecideDeposits, Do: do,
		Again: func(ctx context.Context, by app.Request, in I, _ once.Answer) (wallet.BankLine, error) {
			return s.Statements.Line(ctx, by.Staff, in.line().WalletID, in.line().LineID)
		},
	}
}
