package core

// Method is how money moves: the four that need no third party. Each has its own endpoint, prefix and status table.
type Method string

// Methods.
const (
	ManualDeposit    Method = "manual_deposit"    // E3
	ManualWithdrawal Method = "manual_withdrawal" // E4
	EIBANDeposit     Method = "eiban_deposit"     // E5
	EIBANWithdrawal  Method = "eiban_withdrawal"  // E6
)

// Kind groups the methods that share a status table and a callback.
type Kind string

// Kinds.
const (
	Deposit    Kind = "deposit"
	Withdrawal Kind = "withdrawal"
)

// methodFacts is what differs between methods.
type methodFacts struct {
	prefix   string
	kind     Kind
	accounts AccountKind  // deposits: which of the dealer's accounts receive the money
	callback CallbackKind // whose URL setting the callback goes to
}

var methods = map[Method]methodFacts{
	ManualDeposit:    {"MAN-", Deposit, ManualAccount, DepositCallback},
	ManualWithdrawal: {"WIT-", Withdrawal, "", WithdrawalCallback},
	EIBANDeposit:     {"EIBAN-", Deposit, EIBANAccount, EIBANDepositCallback},
	EIBANWithdrawal:  {"EIBAN-WIT-", Withdrawal, "", WithdrawalCallback},
}

// Methods lists all methods in the contract's order.
func Methods() []Method {
	return []Method{ManualDeposit, ManualWithdrawal, EIBANDeposit, EIBANWithdrawal}
}

// IsMethod tells whether m is one of Methods.
func IsMethod(m Method) bool { _, ok := methods[m]; return ok }

// Prefix starts the method's tracking codes.
func (m Method) Prefix() string { return methods[m].prefix }

// Kind is the method's kind.
func (m Method) Kind() Kind { return methods[m].kind }

// Accounts is the kind of IBAN account that a deposit of this method is paid to.
func (m Method) Accounts() AccountKind { return methods[m].accounts }

// Callback is the kind of callback that reports this method's outcome.
func (m Method) Callback() CallbackKind { return methods[m].callback }
