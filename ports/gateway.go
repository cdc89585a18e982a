package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// Plugin makes gateways of one sort. It is registered by package plugins.
type Plugin interface {
	Describe() gateway.Descriptor
	// Has reports whether the gateways that Open gives have a capability.
	Has(gateway.Capability) bool
	// Open makes a gateway from a checked configuration. It reaches no network. Two gateways share nothing.
	Open(env GatewayEnv) (Gateway, error)
}

// Plugins finds plugins.
type Plugins interface {
	// Plugin finds a plugin by its descriptor's code.
	Plugin(code string) (Plugin, bool)
	// Plugins returns all, by code.
	Plugins() []Plugin
}

// GatewayEnv is all that a gateway has of the world: it knows no other clock, network, disk or database.
type GatewayEnv struct {
	Environment string // gateway.Sandbox or gateway.Production
	Config      gateway.Config
	HTTP        Doer
	Clock       Clock
}

// Doer is a gateway's only way out. It reaches only the hosts that the descriptor and the configuration name, follows
// no redirect, reads at most gateway.MaxAnswerBytes and keeps to a timeout. Every error is a *gateway.Error: its effect
// is none when the request certainly did not leave, unknown otherwise. An answer of any status is no error.
type Doer interface {
	Do(ctx context.Context, r gateway.Request) (gateway.Response, error)
}

// DoerMaker makes the Doer of one gateway account.
type DoerMaker interface {
	// Doer returns a Doer that reaches only the hosts ("api.example.com", "127.0.0.1:8080"). What is logged or recorded
	// of its exchanges has the secrets blotted out.
	Doer(hosts, secrets []string) Doer
}

// Gateway is an opened gateway account. What else it can do shows in which of the interfaces below it has. All of them
// are safe for concurrent use; every error is a *gateway.Error, and a canceled context ends a call at once.
type Gateway interface {
	// Probe reports whether the account works. It changes nothing at the gateway.
	Probe(ctx context.Context) gateway.ProbeReport
	// Close lets go of what Open took.
	Close() error
}

// DepositStarter takes deposits.
type DepositStarter interface {
	StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error)
}

// DepositReader is had by every gateway that takes deposits. It must find a deposit by our reference alone; where it
// can't, the descriptor says so (KeyTraits.Find). Nothing found is a NotFound error.
type DepositReader interface {
	ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error)
}

// ReturnFinisher settles a customer's return, where the gateway needs that or can tell sooner. It is called at most
// once for a deposit; what the browser brought proves nothing unless it is signed.
type ReturnFinisher interface {
	FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error)
}

// DepositLister lists deposits, for reconciliation.
type DepositLister interface {
	ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error)
}

// DepositCanceler closes an unpaid deposit. Of a paid one it reports Paid and changes nothing.
type DepositCanceler interface {
	CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error)
}

// DepositReviewer decides about a deposit that the gateway holds, where that can be done by a call. The report says what the deposit is then.
// Of one that is not held, or that was decided already, it reports what it is and changes nothing.
type DepositReviewer interface {
	ReviewDeposit(ctx context.Context, o gateway.ReviewOrder) (gateway.Observation, error)
}

// Refunder returns money back.
type Refunder interface {
	Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error)
	ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error)
}

// Quoter says what an amount of TRY is in a coin, where the gateway does not price in TRY.
type Quoter interface {
	Quote(ctx context.Context, q gateway.QuoteRequest) (gateway.Quote, error)
}

// OptionLister lists coins or banks as they are offered now.
type OptionLister interface {
	ListOptions(ctx context.Context) ([]gateway.Option, error)
}

// NotificationReader reads what the gateway tells of its own accord.
type NotificationReader interface {
	// ReadNotification checks and translates. It is pure: no network, no storage. Errors: Unauthenticated for a bad
	// signature, Invalid for what is no notification. An unknown type, status or order is no error.
	ReadNotification(ctx context.Context, in gateway.Inbound) (gateway.Notification, error)
	// Acknowledge returns the answer in the gateway's own words.
	Acknowledge(d gateway.Disposition) gateway.Reply
}

// Payer pays out. ReadPayout must find a payout by our reference alone; nothing found is a NotFound error.
type Payer interface {
	SendPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error)
	ReadPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error)
}

// PayoutChecker tries a payout without sending it.
type PayoutChecker interface {
	CheckPayout(ctx context.Context, o gateway.PayoutOrder) (gateway.PayoutCheck, error)
}

// PayoutApprover returns the gateway the second factor that it asks for.
type PayoutApprover interface {
	ApprovePayout(ctx context.Context, k gateway.PayoutKey, code string) (gateway.PayoutReport, error)
}

// PayoutCanceler stops a payout that was not sent yet. Of a done one it reports Done and changes nothing.
type PayoutCanceler interface {
	CancelPayout(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error)
}

// AccountReader reads the accounts behind E-IBAN.
type AccountReader interface {
	ListAccounts(ctx context.Context) ([]gateway.BankAccount, error)
	ReadBalance(ctx context.Context, accountID string) (gateway.Balance, error)
}

// StatementReader reads bookings, oldest first.
type StatementReader interface {
	ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error)
}

// TransferSender sends money from an account. ReadTransfer must find a transfer by our reference alone.
type TransferSender interface {
	SendTransfer(ctx context.Context, o gateway.TransferOrder) (gateway.PayoutReport, error)
	ReadTransfer(ctx context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error)
}

// DisputeReader reads disputes (chargebacks) of deposits. Without it a disputed deposit is only a discrepancy.
type DisputeReader interface {
	// ReadDispute finds a dispute by the gateway's own id. Nothing found is a NotFound error.
	ReadDispute(ctx context.Context, id string) (gateway.DisputeReport, error)
}

// DisputeLister lists the disputes that were opened in a window. Each is then read.
type DisputeLister interface {
	ListDisputes(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.DisputePage, error)
}

// DisputeAccepter concedes a dispute: the payer keeps the money. Of one that has ended it reports what it is and changes nothing.
type DisputeAccepter interface {
	AcceptDispute(ctx context.Context, id string, key gateway.Key) (gateway.DisputeReport, error)
}

// DisputeAnswerer submits evidence against a dispute, for good.
type DisputeAnswerer interface {
	// AnswerDispute submits evidence. The gateway keeps the order's Key with the dispute, and every report about it says which Key
	// was the last (DisputeReport.Answered). The same order again submits nothing more. Of a dispute that takes no evidence the error
	// has effect none and class Invalid, and nothing is changed.
	AnswerDispute(ctx context.Context, o gateway.EvidenceOrder) (gateway.DisputeReport, error)
}

// CallTimeout bounds one call of a plugin, whatever it does inside.
const CallTimeout = 25 * time.Second

// CapabilityOf reports whether a gateway has the interface of a capability. It looks at the type alone, so that a nil
// pointer of the type will do.
func CapabilityOf(g Gateway, c gateway.Capability) bool {
	is := map[gateway.Capability]func() bool{
		gateway.CanStartDeposit:     has[DepositStarter](g),
		gateway.CanReadDeposit:      has[DepositReader](g),
		gateway.CanFinishReturn:     has[ReturnFinisher](g),
		gateway.CanListDeposits:     has[DepositLister](g),
		gateway.CanCancelDeposit:    has[DepositCanceler](g),
		gateway.CanReviewDeposit:    has[DepositReviewer](g),
		gateway.CanRefund:           has[Refunder](g),
		gateway.CanQuote:            has[Quoter](g),
		gateway.CanListOptions:      has[OptionLister](g),
		gateway.CanReadNotification: has[NotificationReader](g),
		gateway.CanPayOut:           has[Payer](g),
		gateway.CanCheckPayout:      has[PayoutChecker](g),
		gateway.CanApprovePayout:    has[PayoutApprover](g),
		gateway.CanCancelPayout:     has[PayoutCanceler](g),
		gateway.CanReadAccounts:     has[AccountReader](g),
		gateway.CanReadStatement:    has[StatementReader](g),
		gateway.CanTransfer:         has[TransferSender](g),
		gateway.CanReadDispute:      has[DisputeReader](g),
		gateway.CanListDisputes:     has[DisputeLister](g),
		gateway.CanAcceptDispute:    has[DisputeAccepter](g),
		gateway.CanAnswerDispute:    has[DisputeAnswerer](g),
	}[c]
	return is != nil && is()
}

func has[I any](g Gateway) func() bool {
	return func() bool { _, ok := g.(I); return ok }
}
