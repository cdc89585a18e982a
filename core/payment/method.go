package payment

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
)

// Method is how money moves. Each has its own endpoint and prefix.
type Method string

// Methods.
const (
	ManualDeposit    Method = "manual_deposit"    // E3
	ManualWithdrawal Method = "manual_withdrawal" // E4
	EIBANDeposit     Method = "eiban_deposit"     // E5
	EIBANWithdrawal  Method = "eiban_withdrawal"  // E6

	CreditCard       Method = "credit_card"                   // E7
	BankDeposit      Method = "third_party_bank_deposit"      // E9
	BankWithdrawal   Method = "third_party_bank_withdrawal"   // E11
	CryptoDeposit    Method = "third_party_crypto_deposit"    // E12
	CryptoWithdrawal Method = "third_party_crypto_withdrawal" // E14
	WalletDeposit    Method = "third_party_wallet_deposit"    // E15
	WalletWithdrawal Method = "third_party_wallet_withdrawal" // E17

	EIBANTransfer Method = "eiban_transfer" // D6
)

// Kind groups the methods that share a status table and a callback.
type Kind string

// Kinds.
const (
	Deposit    Kind = "deposit"
	Withdrawal Kind = "withdrawal" // by a dealer's staff
	Card       Kind = "card"
	Payout     Kind = "payout"   // a withdrawal through a gateway
	Transfer   Kind = "transfer" // from a dealer's E-IBAN wallet
)

// methodFacts is what differs between methods.
type methodFacts struct {
	prefix   string
	kind     Kind
	accounts owner.AccountKind // deposits: which of the dealer's accounts receive the money
	callback CallbackKind      // whose URL setting the callback goes to
	gateway  gateway.Kind      // which gateways move the money; empty: none does
}

var methods = map[Method]methodFacts{
	ManualDeposit:    {"MAN-", Deposit, owner.ManualAccount, DepositCallback, ""},
	ManualWithdrawal: {"WIT-", Withdrawal, "", WithdrawalCallback, ""},
	EIBANDeposit:     {"EIBAN-", Deposit, owner.EIBANAccount, EIBANDepositCallback, ""},
	EIBANWithdrawal:  {"EIBAN-WIT-", Withdrawal, "", WithdrawalCallback, ""},
	CreditCard:       {"CC-", Card, "", CreditCardCallback, gateway.Card},
	BankDeposit:      {"TPBD-", Deposit, "", DepositCallback, gateway.Bank},
	BankWithdrawal:   {"TPBW-", Payout, "", WithdrawalCallback, gateway.Bank},
	CryptoDeposit:    {"TPCD-", Deposit, "", DepositCallback, gateway.Crypto},
	CryptoWithdrawal: {"TPCW-", Payout, "", WithdrawalCallback, gateway.Crypto},
	WalletDeposit:    {"TPWD-", Deposit, "", DepositCallback, gateway.Wallet},
	WalletWithdrawal: {"TPWW-", Payout, "", WithdrawalCallback, gateway.Wallet},
	EIBANTransfer:    {"TRF-", Transfer, "", "", gateway.Account},
}

// Methods lists all methods in the contract's order.
func Methods() []Method {
	return []Method{
		ManualDeposit, ManualWithdrawal, EIBANDeposit, EIBANWithdrawal, CreditCard, BankDeposit, BankWithdrawal,
		CryptoDeposit, CryptoWithdrawal, WalletDeposit, WalletWithdrawal, EIBANTransfer,
	}
}

// Prefix starts the method's tracking codes.
func (m Method) Prefix() string { return methods[m].prefix }

// Kind is the method's kind.
func (m Method) Kind() Kind { return methods[m].kind }

// Accounts is the kind of IBAN account that a deposit of this method is paid to.
func (m Method) Accounts() owner.AccountKind { return methods[m].accounts }

// Callback is the kind of callback that reports this method's outcome.
func (m Method) Callback() CallbackKind { return methods[m].callback }

// Gateway is the kind of gateway that moves the money of this method: the contract's payment_method of third-party
// ones. Empty: none does.
func (m Method) Gateway() gateway.Kind { return methods[m].gateway }

// Ways lists the kinds of gateways by which a deposit of this method can be paid: a card by card, a third-party deposit by its
// own kind and the others (E9: the customer picks). None: no gateway moves it, or it is a withdrawal.
func (m Method) Ways() []gateway.Kind {
	own := m.Gateway()
	switch {
	case own == "" || !m.HasPage():
		return nil
	case own == gateway.Card:
		return []gateway.Kind{own}
	}
	ways := []gateway.Kind{own}
	for _, k := range []gateway.Kind{gateway.Bank, gateway.Crypto, gateway.Wallet} {
		if k != own {
			ways = append(ways, k)
		}
	}
	return ways
}

// HasPage reports whether the customer pays on the hosted page.
func (m Method) HasPage() bool { return m.Kind() == Deposit || m.Kind() == Card }
