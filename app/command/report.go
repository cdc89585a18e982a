package command

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// ResendCallbackInput sends a callback again.
type ResendCallbackInput struct {
	CallbackID core.ID
	Said
}

// ResendCallbacksInput sends the callbacks of many payments again.
type ResendCallbacksInput struct {
	TrackingCodes []string
	Filter        *report.PaymentQuery
	Callbacks     *report.CallbackQuery
	Status        []payment.CallbackStatus
	DryRun        bool
	Said
}

// StartExportInput writes a file of transactions.
type StartExportInput struct {
	Filter   *report.PaymentQuery
	Format   report.ExportFormat
	Columns  []report.ExportColumn // none: all
	BOM      *bool                 // whether CSV begins with a byte order mark; nil: it does
	Language lang.Tag              // of the header
	Said
}

// ListOrder orders a file of something else.
type ListOrder struct {
	List       report.JobKind
	WalletID   string    // of a statement, a ledger and lines
	From       time.Time // of a statement, a ledger and statistics
	Until      time.Time
	Lines      *wallet.LineQuery
	Audit      *core.AuditQuery
	Statistics *report.StatisticsQuery
	Format     report.ExportFormat
	BOM        *bool
	Language   lang.Tag
	Said
}

type reportCommands struct {
	ExportList      Command[ListOrder, report.Job]
	ResendCallback  Command[ResendCallbackInput, payment.Callback]
	ResendCallbacks Command[ResendCallbacksInput, reports.Ordered]
	StartExport     Command[StartExportInput, report.Job]
}

func newReport(s Services) reportCommands {
	return reportCommands{
		ExportList: Command[ListOrder, report.Job]{
			Name: "exportList", Permission: staff.ReadTransactions,
			Do: func(ctx context.Context, by app.Request, in ListOrder) (report.Job, error) {
				order := reports.ListExport{
					Kind: in.List, WalletID: in.WalletID, From: in.From, Until: in.Until,
					Format: in.Format, Language: in.Language, HasBOM: in.BOM == nil || *in.BOM,
				}
				if in.Lines != nil {
					order.Lines = *in.Lines
				}
				if in.Audit != nil {
					order.Audit = *in.Audit
				}
				if in.Statistics != nil {
					order.Statistics = *in.Statistics
				}
				order.Statistics.From, order.Statistics.Until = in.From, in.Until
				return s.Jobs.ExportList(ctx, by, order)
			},
			Again: func(ctx context.Context, by app.Request, _ ListOrder, first once.Answer) (report.Job, error) {
				return s.Jobs.Job(ctx, by.Staff, first.Find(once.JobRow))
			},
		},
		ResendCallback: Command[ResendCallbackInput, payment.Callback]{
			Name: "resendCallback", Permission: staff.ResendCallbacks,
			Do: func(ctx context.Context, by app.Request, in ResendCallbackInput) (payment.Callback, error) {
				if err := core.CheckID(in.CallbackID); err != nil {
					return payment.Callback{}, err
				}
				return s.Jobs.ResendOne(ctx, by, in.CallbackID)
			},
			Again: func(ctx context.Context, by app.Request, in ResendCallbackInput, _ once.Answer) (payment.Callback, error) {
				return s.Jobs.Callback(ctx, by.Staff, in.CallbackID)
			},
		},
		ResendCallbacks: Command[ResendCallbacksInput, reports.Ordered]{
			Name: "resendCallbacks", Permission: staff.ResendCallbacks,
			Do: func(ctx context.Context, by app.Request, in ResendCallbacksInput) (reports.Ordered, error) {
				return s.Jobs.Resend(ctx, by, reports.Resend{
					Codes: in.TrackingCodes, Filter: in.Filter, Callbacks: in.Callbacks, States: in.Status, IsDryRun: in.DryRun,
				})
			},
			Again: func(ctx context.Context, by app.Request, _ ResendCallbacksInput, first once.Answer) (reports.Ordered, error) {
				j, err := s.Jobs.Job(ctx, by.Staff, first.Find(once.JobRow))
				return reports.Ordered{Count: j.Total, IsExact: j.IsTotalExact, Job: j}, err
			},
		},
		StartExport: Command[StartExportInput, report.Job]{
			Name: "startExport", Permission: staff.ReadTransactions,
			Do: func(ctx context.Context, by app.Request, in StartExportInput) (report.Job, error) {
				order := reports.Export{
					Format: in.Format, Columns: in.Columns, Language: in.Language, HasBOM: in.BOM == nil || *in.BOM,
				}
				if in.Filter != nil {
					order.Filter = *in.Filter
				}
				return s.Jobs.StartExport(ctx, by, order)
			},
			Again: func(ctx context.Context, by app.Request, _ StartExportInput, first once.Answer) (report.Job, error) {
				return s.Jobs.Job(ctx, by.Staff, first.Find(once.JobRow))
			},
		},
	}
}
