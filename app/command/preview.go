package command

import (
	"cmp"
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/decision"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// AnyDecision is a decision about one payment or about money that differs: exactly one of its fields is given. A preview and a batch
// take any; each is the command of its name.
type AnyDecision struct {
	ApproveDeposit     *ApproveDepositInput
	RejectDeposit      *Decision
	CorrectCredit      *CorrectCreditInput
	ClaimWithdrawal    *ClaimWithdrawalInput
	ReleaseWithdrawal  *Decision
	CompleteWithdrawal *CompleteWithdrawalInput
	RejectWithdrawal   *Decision
	FailWithdrawal     *Decision
	CancelWithdrawal   *Decision
	ApprovePayout      *Decision
	RejectPayout       *Decision
	FailPayout         *Decision
	CancelPayout       *Decision
	RefundTransaction  *RefundTransactionInput
	ResolveDiscrepancy *ResolveDiscrepancyInput
	RefundDiscrepancy  *RefundDiscrepancyInput
}

// deciding is one of the decisions, whatever it is about.
type deciding struct {
	name        string
	code        string  // of the payment; empty: that of the discrepancy
	discrepancy core.ID // empty: it is about a payment
	look        func(ctx context.Context, by app.Request) error
	run         func(ctx context.Context, all *Commands, by app.Request) error
}

// one makes a decision of a command and its input.
func one[I, R any](list *[]deciding, c Command[I, R], input *I) {
	if input == nil {
		return
	}
	d := deciding{
		name: c.Name,
		look: func(ctx context.Context, by app.Request) error {
			if err := by.Require(c.Permission); err != nil {
				return err
			}
			_, err := c.Do(ctx, by.Because(saidOf(*input).Reason).Expecting(expectedOf(*input)), *input)
			return err
		},
		run: func(ctx context.Context, all *Commands, by app.Request) error {
			_, _, err := Run(ctx, all, c, by, *input)
			return err
		},
	}
	switch about := any(*input).(type) {
	case interface{ PaymentCode() string }:
		d.code = about.PaymentCode()
	case interface{ discrepancy() core.ID }:
		d.discrepancy = about.discrepancy()
	}
	*list = append(*list, d)
}

// of finds the decision that is given. Fault: Invalid (none, or several).
func (a AnyDecision) of(all *Commands) (deciding, error) {
	var given []deciding
	one(&given, all.ApproveDeposit, a.ApproveDeposit)
	one(&given, all.RejectDeposit, a.RejectDeposit)
	one(&given, all.CorrectCredit, a.CorrectCredit)
	one(&given, all.ClaimWithdrawal, a.ClaimWithdrawal)
	one(&given, all.ReleaseWithdrawal, a.ReleaseWithdrawal)
	one(&given, all.CompleteWithdrawal, a.CompleteWithdrawal)
	one(&given, all.RejectWithdrawal, a.RejectWithdrawal)
	one(&given, all.FailWithdrawal, a.FailWithdrawal)
	one(&given, all.CancelWithdrawal, a.CancelWithdrawal)
	one(&given, all.ApprovePayout, a.ApprovePayout)
	one(&given, all.RejectPayout, a.RejectPayout)
	one(&given, all.FailPayout, a.FailPayout)
	one(&given, all.CancelPayout, a.CancelPayout)
	one(&given, all.RefundTransaction, a.RefundTransaction)
	one(&given, all.ResolveDiscrepancy, a.ResolveDiscrepancy)
	one(&given, all.RefundDiscrepancy, a.RefundDiscrepancy)
	if len(given) != 1 {
		var form core.Form
		form.Fail("decision", "field.one")
		return deciding{}, form.Err("command.AnyDecision")
	}
	return given[0], nil
}

// Preview says what a decision would do, and does nothing: the same command runs on what is stored now, and is stopped where it would
// be committed. Faults: those of the command.
func (all *Commands) Preview(ctx context.Context, by app.Request, a AnyDecision) (decision.Outlook, error) {
	const op = "command.Preview"
	d, err := a.of(all)
	if err != nil {
		return decision.Outlook{}, err
	}
	look := all.Approvals.Gate.Look()
	if err := look.Err(d.look(core.After(ctx, core.Latest), by.Through(look))); err != nil {
		return decision.Outlook{}, fault.E(op, "", err)
	}
	code := d.code
	if d.discrepancy != "" {
		about, err := all.DiscrepancyOf(ctx, by, d.discrepancy)
		if err != nil {
			return decision.Outlook{}, fault.E(op, "", err)
		}
		code = about.TrackingCode
	}
	return all.outlook(ctx, by, code, look)
}

// PreviewOf says what approving a request about a payment would do; ok is false where it is about none. Faults: those of
// approval.LookAt.
func (all *Commands) PreviewOf(
	ctx context.Context, by app.Request, waiting coreapproval.Approval,
) (o decision.Outlook, ok bool, err error) {
	const op = "command.PreviewOf"
	codes := waiting.PaymentCodes()
	if len(codes) == 0 {
		return o, false, nil
	}
	look, err := all.Approvals.LookAt(ctx, waiting, all.Approved)
	if err != nil {
		return o, false, fault.E(op, "", err)
	}
	o, err = all.outlook(ctx, by, codes[0], look)
	return o, true, err
}

// lately is how far back an equal payment is worth a warning.
const lately = 48 * time.Hour

func (all *Commands) outlook(ctx context.Context, by app.Request, code string, look *approval.Look) (decision.Outlook, error) {
	const op = "command.outlook"
	p, err := all.Backoffice.Transaction(ctx, by.Staff, code)
	if err != nil {
		return decision.Outlook{}, fault.E(op, "", err)
	}
	operations, err := all.Operations.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return decision.Outlook{}, fault.E(op, "", err)
	}
	o := decision.OutlookOf(look.Judged, p, operations)
	o.NeedsSecondPerson = look.Needs != nil
	isPaid, err := all.isPaidAlready(ctx, by.Staff, o)
	if err == nil && isPaid {
		o = o.WarnOf(decision.PaidAlready)
	}
	return o, fault.E(op, "", err)
}

// isPaidAlready reports whether money of the same amount went to the same IBAN, or came from the same customer, lately: with
// what is about to be paid it may have been paid twice.
func (all *Commands) isPaidAlready(ctx context.Context, member staff.Staff, o decision.Outlook) (bool, error) {
	p := o.Before
	moves := o.Credited.Minor() > 0 || o.Sent.Amount.Sign() > 0 || o.After.Claim != p.Claim
	if !moves || p.Status == payment.Completed || p.Status == payment.Success {
		return false, nil
	}
	query := report.PaymentQuery{
		ProviderID: p.ProviderID, MinAmount: p.Amount, MaxAmount: p.Amount, Statuses: []payment.Status{payment.Completed, payment.Success},
		CreatedFrom: all.Clock.Now().Add(-lately), Paging: core.Paging[report.Cursor]{Limit: 2},
	}
	switch {
	case p.IBAN != "":
		query.IBAN = p.IBAN
	case p.Customer.UserID != "":
		query.UserID, query.Methods = p.Customer.UserID, []payment.Method{p.Method}
	default:
		return false, nil
	}
	found, err := all.Backoffice.Transactions(ctx, member, query)
	for _, other := range found.Payments {
		if other.ID != p.ID {
			return true, err
		}
	}
	return false, err
}

// MaxBatch bounds a batch of decisions.
const MaxBatch = 100

// Decided is what came of one decision of a batch.
type Decided struct {
	TrackingCode string
	Discrepancy  core.ID
	Err          error // nil: it was done
}

// Subject is what the decision was about, as it was asked for.
func (d Decided) Subject() string { return cmp.Or(d.TrackingCode, string(d.Discrepancy)) }

// IsDone reports whether the decision was carried out.
func (d Decided) IsDone() bool { return d.Err == nil }

// Code is why it was not; empty: it was.
func (d Decided) Code() fault.Code {
	if d.Err == nil {
		return ""
	}
	return fault.CodeOf(d.Err)
}

// ApprovalID is the request that waits for a second person; empty: none does.
func (d Decided) ApprovalID() core.ID {
	if args := fault.ArgsOf(d.Err); d.Code() == fault.ApprovalNeeded && len(args) > 0 {
		if id, ok := args[0].(string); ok {
			return core.ID(id)
		}
	}
	return ""
}

// WantsProof reports whether one of the decisions wants a fresh proof of who one is, whatever its amount.
func WantsProof(decisions []AnyDecision) bool {
	for _, a := range decisions {
		if a.CorrectCredit != nil || a.RefundTransaction != nil || a.ResolveDiscrepancy != nil || a.RefundDiscrepancy != nil {
			return true
		}
	}
	return false
}

// Many carries decisions out one after the other, each as if it had been asked for alone: with its own commit, its own audit entry, and
// what the day and the rules of its person say after those before it. What is refused holds up none of the others. Fault: Invalid
// (none, or too many, or one that is none).
func (all *Commands) Many(ctx context.Context, by app.Request, decisions []AnyDecision) ([]Decided, error) {
	const op = "command.Many"
	if len(decisions) == 0 || len(decisions) > MaxBatch {
		var form core.Form
		form.Fail("decisions", "field.count", 1, MaxBatch)
		return nil, form.Err(op)
	}
	given := make([]deciding, len(decisions))
	for i, a := range decisions {
		var err error
		if given[i], err = a.of(all); err != nil {
			return nil, err
		}
	}
	results := make([]Decided, len(given))
	for i, d := range given {
		results[i] = Decided{TrackingCode: d.code, Discrepancy: d.discrepancy}
		if ctx.Err() != nil { // the operation's time is over: nothing of this row has begun
			results[i].Err = fault.E(op, fault.Unavailable, ctx.Err())
			continue
		}
		results[i].Err = d.run(ctx, all, by)
	}
	return results, nil
}
