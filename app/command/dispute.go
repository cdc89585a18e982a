package command

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/staff"
)

// AcceptDisputeInput concedes a dispute.
type AcceptDisputeInput struct {
	ID core.ID
	Said
}

// RecordDisputeInput keeps what a letter says of a dispute.
type RecordDisputeInput struct {
	Decision
	Reference     string // the bank's, under which it is kept
	State         gateway.DisputeState
	DisputeReason gateway.DisputeReason
	Amount        money.Amount
	Withdrawn     *money.Amount // nil: nothing
	Reinstated    *money.Amount // nil: nothing
	EvidenceDueAt *time.Time    // nil: none is taken
}

// SubmitDisputeEvidenceInput submits evidence against a dispute.
type SubmitDisputeEvidenceInput struct {
	ID        core.ID
	Statement string
	Product   string
	Files     []dispute.Piece
	Said
}

type disputeCommands struct {
	AcceptDispute Command[AcceptDisputeInput, dispute.Dispute]
	RecordDispute Command[RecordDisputeInput, dispute.Dispute]

	SubmitDisputeEvidence Command[SubmitDisputeEvidenceInput, dispute.Dispute]
}

func newDispute(s Services) disputeCommands {
	return disputeCommands{
		AcceptDispute: Command[AcceptDisputeInput, dispute.Dispute]{
			Name: "acceptDispute", Permission: staff.ResolveDiscrepancies,
			Do: func(ctx context.Context, by app.Request, in AcceptDisputeInput) (dispute.Dispute, error) {
				if err := core.CheckID(in.ID); err != nil {
					return dispute.Dispute{}, err
				}
				return s.Disputes.Accept(ctx, by, in.ID)
			},
			Again: func(ctx context.Context, by app.Request, in AcceptDisputeInput, _ once.Answer) (dispute.Dispute, error) {
				return s.Backoffice.Dispute(ctx, by.Staff, in.ID)
			},
		},
		SubmitDisputeEvidence: Command[SubmitDisputeEvidenceInput, dispute.Dispute]{
			Name: "submitDisputeEvidence", Permission: staff.ResolveDiscrepancies,
			Do: func(ctx context.Context, by app.Request, in SubmitDisputeEvidenceInput) (dispute.Dispute, error) {
				if err := core.CheckID(in.ID); err != nil {
					return dispute.Dispute{}, err
				}
				return s.Disputes.Submit(ctx, by, in.ID, dispute.NewEvidence{Statement: in.Statement, Product: in.Product, Files: in.Files})
			},
			Again: func(ctx context.Context, by app.Request, in SubmitDisputeEvidenceInput, _ once.Answer) (dispute.Dispute, error) {
				return s.Backoffice.Dispute(ctx, by.Staff, in.ID)
			},
		},
		RecordDispute: Command[RecordDisputeInput, dispute.Dispute]{
			Name: "recordDispute", Permission: staff.ResolveDiscrepancies,
			Do: func(ctx context.Context, by app.Request, in RecordDisputeInput) (dispute.Dispute, error) {
				none := money.New(0, money.TRY)
				withdrawn, err := atLeast(in.Withdrawn, none)
				if err != nil {
					return dispute.Dispute{}, err
				}
				reinstated, err := atLeast(in.Reinstated, none)
				if err != nil {
					return dispute.Dispute{}, err
				}
				told := dispute.Told{
					State: in.State, Reason: in.DisputeReason, Amount: in.Amount, Withdrawn: money.New(withdrawn.Minor(), money.TRY),
					Reinstated: money.New(reinstated.Minor(), money.TRY),
				}
				if in.EvidenceDueAt != nil {
					told.EvidenceDue = in.EvidenceDueAt.UTC()
				}
				return s.Disputes.Record(ctx, app.StaffMove{Request: by, TrackingCode: in.TrackingCode}, in.Reference, told)
			},
			Again: func(ctx context.Context, by app.Request, in RecordDisputeInput, _ once.Answer) (dispute.Dispute, error) {
				return s.Disputes.Recorded(ctx, by, in.TrackingCode, in.Reference)
			},
		},
	}
}
