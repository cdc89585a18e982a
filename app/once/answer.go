package once

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// Answer is what came of a request: it names the rows that it changed, with what they said then. There is nothing secret in it.
type Answer struct {
	At       time.Time `json:"-"`
	Approval core.ID   `json:"approval,omitempty"` // the request that waits, or waited, for a second person
	Failure  *Failure  `json:"failure,omitempty"`
	Rows     []Row     `json:"rows,omitempty"`
}

// Failure is a gateway's refusal.
type Failure struct {
	Code fault.Code `json:"code"`
	Args []string   `json:"args,omitempty"`
}

// Err is the failure as it was told first.
func (f Failure) Err() error {
	args := make([]any, len(f.Args))
	for i, a := range f.Args {
		args[i] = a
	}
	return fault.New("once.Failure", f.Code, args...)
}

// Row is a row that was changed.
type Row struct {
	Kind   string `json:"kind"` // transaction, refund, discrepancy, bank_line, ledger_entry, job, callback
	ID     string `json:"id"`   // a transaction's tracking code; the others' id
	State  string `json:"state,omitempty"`
	Amount string `json:"amount,omitempty"`
}

// Find returns the id of the first row of a kind; empty: there is none.
func (a Answer) Find(kind string) core.ID {
	for _, r := range a.Rows {
		if r.Kind == kind {
			return core.ID(r.ID)
		}
	}
	return ""
}

// Kinds of rows.
const (
	TransactionRow = "transaction"
	RefundRow      = "refund"
	DiscrepancyRow = "discrepancy"
	LineRow        = "bank_line"
	EntryRow       = "ledger_entry"
	JobRow         = "job"
	CallbackRow    = "callback"
)

// answerOf names what a changeset changes.
func answerOf(c core.Changeset) Answer {
	var a Answer
	add := func(kind, id, state, amount string) {
		a.Rows = append(a.Rows, Row{Kind: kind, ID: id, State: state, Amount: amount})
	}
	for _, x := range core.RowsOf[approval.Approval](c) {
		a.Approval = x.ID
	}
	for _, p := range core.RowsOf[payment.Payment](c) {
		add(TransactionRow, p.TrackingCode, string(p.Status), p.Amount.String())
	}
	for _, o := range core.RowsOf[operation.Operation](c) {
		if o.Kind == operation.RefundOperation {
			add(RefundRow, string(o.ID), o.Status, o.Amount.Amount.String())
		}
	}
	for _, d := range core.RowsOf[discrepancy.Discrepancy](c) {
		add(DiscrepancyRow, string(d.ID), string(d.Status), d.Seen.Amount.String())
	}
	for _, l := range core.RowsOf[wallet.BankLine](c) {
		add(LineRow, l.LineID, string(l.Status), l.Amount.String())
	}
	for _, e := range core.RowsOf[ledger.Entry](c) {
		add(EntryRow, string(e.ID), string(e.Kind), e.Available.String())
	}
	for _, j := range core.RowsOf[report.Job](c) {
		add(JobRow, string(j.ID), string(j.Status), "")
	}
	for _, x := range core.RowsOf[payment.Callback](c) {
		add(CallbackRow, string(x.ID), string(x.Status), "")
	}
	return a
}
