package payment_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

func TestMethods(t *testing.T) {
	t.Parallel()
	type facts struct {
		prefix   string
		kind     payment.Kind
		accounts owner.AccountKind
		callback payment.CallbackKind
		gateway  gateway.Kind
		hasPage  bool
	}
	want := map[payment.Method]facts{
		payment.ManualDeposit:    {"MAN-", payment.Deposit, owner.ManualAccount, payment.DepositCallback, "", true},
		payment.ManualWithdrawal: {"WIT-", payment.Withdrawal, "", payment.WithdrawalCallback, "", false},
		payment.EIBANDeposit:     {"EIBAN-", payment.Deposit, owner.EIBANAccount, payment.EIBANDepositCallback, "", true},
		payment.EIBANWithdrawal:  {"EIBAN-WIT-", payment.Withdrawal, "", payment.WithdrawalCallback, "", false},
		payment.CreditCard:       {"CC-", payment.Card, "", payment.CreditCardCallback, gateway.Card, true},
		payment.BankDeposit:      {"TPBD-", payment.Deposit, "", payment.DepositCallback, gateway.Bank, true},
		payment.BankWithdrawal:   {"TPBW-", payment.Payout, "", payment.WithdrawalCallback, gateway.Bank, false},
		payment.CryptoDeposit:    {"TPCD-", payment.Deposit, "", payment.DepositCallback, gateway.Crypto, true},
		payment.CryptoWithdrawal: {"TPCW-", payment.Payout, "", payment.WithdrawalCallback, gateway.Crypto, false},
		payment.WalletDeposit:    {"TPWD-", payment.Deposit, "", payment.DepositCallback, gateway.Wallet, true},
		payment.WalletWithdrawal: {"TPWW-", payment.Payout, "", payment.WithdrawalCallback, gateway.Wallet, false},
		payment.EIBANTransfer:    {"TRF-", payment.Transfer, "", "", gateway.Account, false},
	}
	if len(payment.Methods()) != len(want) {
		t.Fatalf("Methods() = %v", payment.Methods())
	}
	for _, m := range payment.Methods() {
		got := facts{m.Prefix(), m.Kind(), m.Accounts(), m.Callback(), m.Gateway(), m.HasPage()}
		if got != want[m] {
			t.Errorf("%s: %+v, want %+v", m, got, want[m])
		}
	}
}
