package gateway

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/vezne/vezne/core/money"
)

// PortVersion is the version of this vocabulary; a plugin states the one that it was written for.
const PortVersion = 1

// Kind is what a gateway is for. It is the contract's payment_method, plus card and account.
type Kind string

// Kinds.
const (
	Card    Kind = "card"    // E7, D8
	Bank    Kind = "bank"    // E9 to E11
	Crypto  Kind = "crypto"  // E12 to E14
	Wallet  Kind = "wallet"  // E15 to E17
	Account Kind = "account" // the bank behind E-IBAN: D4 to D7
)

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{Card, Bank, Crypto, Wallet, Account} }

// Maturity says how far a plugin has been proven.
type Maturity string

// Maturities.
const (
	Draft        Maturity = "draft"        // proven against nothing but its author's own reading
	Experimental Maturity = "experimental" // proven against fakes that are held to the makers' own documents
	Beta         Maturity = "beta"         // proven in the gateway's own sandbox
	Stable       Maturity = "stable"       // proven with real money
)

// Environments that a gateway account can be in.
const (
	Sandbox    = "sandbox"
	Production = "production"
)

// Descriptor is everything that a plugin says of itself before it is opened. It is constant.
type Descriptor struct {
	Code        string // "iyzico": lower-case letters, digits and dashes; stored with every account
	Title       string // for people: "iyzico Checkout Form"
	Version     string // of the plugin
	PortVersion int
	Maturity    Maturity
	Kinds       []Kind
	// Notice is what an operator must know before switching it on: the law, a licence.
	Notice       string
	Config       []ConfigField
	Environments []Environment
	Setup        []SetupStep
	// Turkish has what the texts above are in Turkish, by the English ones: Title, Notice, Label, Help and the steps of Setup. What
	// is not there is said in English.
	Turkish map[string]string
	// IsSimulator marks a gateway that moves no money: refused in production unless the operator allows it.
	IsSimulator bool

	// What it can do, by kind of operation; nil: it cannot. Registration checks these against the interfaces that the
	// opened gateway has.
	Deposit *DepositTraits
	Payout  *PayoutTraits
	Account *AccountTraits
	Notify  *NotifyTraits
}

// In returns the descriptor with its texts for people in a language, "tr" or "en".
func (d Descriptor) In(language string) Descriptor {
	if language != "tr" || len(d.Turkish) == 0 {
		return d
	}
	say := func(text string) string { return cmp.Or(d.Turkish[text], text) }
	d.Title, d.Notice = say(d.Title), say(d.Notice)
	d.Config, d.Setup = slices.Clone(d.Config), slices.Clone(d.Setup)
	for i, f := range d.Config {
		d.Config[i].Label, d.Config[i].Help = say(f.Label), say(f.Help)
	}
	for i, s := range d.Setup {
		d.Setup[i] = SetupStep{say(s.Title), say(s.Text)}
	}
	return d
}

// Texts lists its texts for people.
func (d Descriptor) Texts() []string {
	list := []string{d.Title, d.Notice}
	for _, f := range d.Config {
		list = append(list, f.Label, f.Help)
	}
	for _, s := range d.Setup {
		list = append(list, s.Title, s.Text)
	}
	return list
}

// Environment is one of the gateway's own, with the only hosts that a plugin may reach in it.
type Environment struct {
	Name  string   // Sandbox or Production
	Hosts []string // "sandbox-api.iyzipay.com"; empty where every host comes from configuration
}

// SetupStep is something that a person does in the gateway's own panel.
type SetupStep struct{ Title, Text string }

// FieldType is what a configuration field holds.
type FieldType string

// Types of configuration fields.
const (
	TextField    FieldType = "text"
	SecretField  FieldType = "secret"
	URLField     FieldType = "url" // its host becomes one of those that the plugin may reach
	IntField     FieldType = "int"
	BoolField    FieldType = "bool" // "true", "false"
	ChoiceField  FieldType = "choice"
	ListField    FieldType = "list"    // of texts, separated by commas
	DecimalField FieldType = "decimal" // exact
)

// ConfigField is one setting of a gateway account, as the back office asks for it.
type ConfigField struct {
	Name       string // "api_key"
	Label      string
	Help       string
	Type       FieldType
	IsRequired bool
	Default    string
	Choices    []string // ChoiceField
	Pattern    string   // a regular expression that the whole value matches; empty: any
	// IsRotating: the value before a change is taken beside the new one (notification secrets).
	IsRotating bool
	// Collects: its texts are the IBANs to which the gateway has customers pay. Each that a NextStep.Pay shows must be among
	// them.
	Collects bool
}

// FieldSpec is something that the customer supplies: a name of required_fields in the gateway lists.
type FieldSpec struct {
	Name       string // keep to: iban, account_holder, wallet_number, crypto_type, wallet_address, memo, national_id, phone, email, bank_code
	Label      string // in English; well-known names have their own sentences
	Check      FieldCheck
	Choices    []string // CheckChoice
	IsOptional bool
	Kinds      []Kind // the kinds of payment that it is asked for; empty: every one
}

// NeedsOf returns the specs that are asked for a payment of a kind, in their order: one descriptor may serve bank payouts,
// which need an IBAN (E11), and wallet payouts, which need a wallet number (E17).
func NeedsOf(specs []FieldSpec, k Kind) []FieldSpec {
	var asked []FieldSpec
	for _, s := range specs {
		if len(s.Kinds) == 0 || slices.Contains(s.Kinds, k) {
			asked = append(asked, s)
		}
	}
	return asked
}

// FieldCheck is the shape that a customer's field must have.
type FieldCheck string

// Checks.
const (
	CheckText    FieldCheck = "text"
	CheckIBAN    FieldCheck = "iban"
	CheckName    FieldCheck = "name"
	CheckTCKN    FieldCheck = "tckn"           // Turkish national id
	CheckWallet  FieldCheck = "wallet-number"  // 5 to 20 digits
	CheckAddress FieldCheck = "crypto-address" // of the chosen asset's network
	CheckPhone   FieldCheck = "phone"
	CheckEmail   FieldCheck = "email"
	CheckChoice  FieldCheck = "choice"
)

// DepositTraits is how a gateway takes deposits.
type DepositTraits struct {
	// Assets that a customer can pay with. The order is always in TRY; where the gateway does not price in TRY, it
	// quotes (ports.Quoter).
	Assets   []Asset
	Min, Max money.Decimal // of the order, in TRY; 0: no bound
	Steps    []StepKind    // the next steps that StartDeposit may give
	Needs    []FieldSpec
	Expiry   ExpiryTraits
	Keys     KeyTraits
	Refund   RefundTraits
}

// ExpiryTraits is when an unpaid deposit ends at the gateway.
type ExpiryTraits struct {
	Settable bool          // DepositOrder.ExpiresAt is honoured, within Min and Max
	Min, Max time.Duration // from the start
	Fixed    time.Duration // not settable: after this long; 0: not stated
	// LateUntil is how long after our own deadline money can still arrive. 0: it cannot; negative: for ever.
	LateUntil time.Duration
}

// KeyMode is how a gateway recognizes the same order sent again.
type KeyMode string

// Key modes.
const (
	NoKey     KeyMode = "none"      // it does not: sending again may make a second one
	HeaderKey KeyMode = "header"    // by the key
	RefKey    KeyMode = "reference" // by our reference, which must be unique
)

// KeyTraits is what protects against doing it twice.
type KeyTraits struct {
	Mode   KeyMode
	Window time.Duration // after this the same key means a new order; 0: never
	// Find: the gateway finds an order by our reference alone. Without it an unknown outcome is for people.
	Find bool
	// Settle is how long after a start the gateway may still not know it: before that, not found means unknown.
	Settle time.Duration
}

// RefundTraits is what a gateway gives back.
type RefundTraits struct {
	Partial     bool
	Window      time.Duration // after payment; 0: not stated
	NeedsTarget []FieldSpec   // what the payee must say: an address
	Keys        KeyTraits     // where they differ from those of the start; a zero Mode: they do not
}

// RefundKeys is what protects against giving back twice.
func (d DepositTraits) RefundKeys() KeyTraits {
	if d.Refund.Keys.Mode == "" {
		return d.Keys
	}
	return d.Refund.Keys
}

// PayoutTraits is how a gateway pays out.
type PayoutTraits struct {
	Assets   []Asset
	Min, Max money.Decimal // in TRY; 0: no bound
	Needs    []FieldSpec
	Keys     KeyTraits
	Approval ApprovalMode
}

// ApprovalMode is what a payout needs at the gateway after it was sent.
type ApprovalMode string

// Approval modes.
const (
	NoApproval     ApprovalMode = "none"
	CodeApproval   ApprovalMode = "code"   // a second factor, through ports.PayoutApprover
	ManualApproval ApprovalMode = "manual" // by a person in the gateway's own panel
)

// AccountTraits is how a bank behind E-IBAN behaves.
type AccountTraits struct {
	StatementSpan time.Duration // the longest window of one question; 0: any
	PageSize      int
	TransferMin   money.Decimal
	Keys          KeyTraits
}

// NotifyTraits is how a gateway tells of events.
type NotifyTraits struct {
	Trust        Trust          // the best that a notification can have
	PerPayment   bool           // the address goes with each order; otherwise it is set once in the gateway's panel
	SourceRanges []netip.Prefix // where notifications come from; empty: not stated
	GivesUpAfter time.Duration
}

// Capability is one of the small interfaces that an opened gateway may have.
type Capability string

// Capabilities, each named after its interface in package ports.
const (
	CanStartDeposit     Capability = "start_deposit"
	CanReadDeposit      Capability = "read_deposit"
	CanFinishReturn     Capability = "finish_return"
	CanListDeposits     Capability = "list_deposits"
	CanCancelDeposit    Capability = "cancel_deposit"
	CanReviewDeposit    Capability = "review_deposit"
	CanRefund           Capability = "refund"
	CanQuote            Capability = "quote"
	CanListOptions      Capability = "list_options"
	CanReadNotification Capability = "read_notification"
	CanPayOut           Capability = "pay_out"
	CanCheckPayout      Capability = "check_payout"
	CanApprovePayout    Capability = "approve_payout"
	CanCancelPayout     Capability = "cancel_payout"
	CanReadAccounts     Capability = "read_accounts"
	CanReadStatement    Capability = "read_statement"
	CanTransfer         Capability = "transfer"
	CanReadDispute      Capability = "read_dispute"
	CanListDisputes     Capability = "list_disputes"
	CanAcceptDispute    Capability = "accept_dispute"
	CanAnswerDispute    Capability = "answer_dispute"
)

// Capabilities lists all capabilities.
func Capabilities() []Capability {
	return []Capability{
		CanStartDeposit, CanReadDeposit, CanFinishReturn, CanListDeposits, CanCancelDeposit, CanReviewDeposit, CanRefund, CanQuote,
		CanListOptions, CanReadNotification, CanPayOut, CanCheckPayout, CanApprovePayout, CanCancelPayout,
		CanReadAccounts, CanReadStatement, CanTransfer, CanReadDispute, CanListDisputes, CanAcceptDispute, CanAnswerDispute,
	}
}
