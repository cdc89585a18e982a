package report

import (
	"context"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// batch is a number of payments with all of their callbacks.
type batch struct {
	payments  []payment.Payment
	callbacks map[core.ID][]payment.Callback // by payment
	missing   []string                       // tracking codes of the selection that name nothing the maker may see
	looked    int
	next      core.ID // from where the next goes on, unless a selection is worked through
	isLast    bool
}

// gather reads what follows on how far a job has come: the next of its selection, or the next page of its filter.
func (s *Jobs) gather(ctx context.Context, o report.JobOrder, p report.JobProgress, limit int) (b batch, err error) {
	switch {
	case len(o.Codes) > 0:
		err = s.selected(ctx, o, p.Looked, limit, &b)
	case o.Callbacks != nil:
		err = s.narrowed(ctx, o, p.Cursor, limit, &b)
	default:
		var page page
		page, err = s.page(ctx, o.Filter, p.Cursor)
		b.payments, b.next, b.isLast = page.rows, page.next, page.isLast
		if len(b.payments) > limit {
			b.payments, b.next, b.isLast = b.payments[:limit], b.payments[limit-1].ID, false
		}
		b.looked = len(b.payments)
	}
	if err != nil {
		return b, err
	}
	ids := make([]core.ID, len(b.payments))
	for i := range b.payments {
		ids[i] = b.payments[i].ID
	}
	list, err := s.UnitOfWork.Callbacks.CallbacksOf(ctx, ids...)
	b.callbacks = make(map[core.ID][]payment.Callback, len(ids))
	for _, c := range list {
		b.callbacks[c.PaymentID] = append(b.callbacks[c.PaymentID], c)
	}
	return b, err
}

// narrowed reads the payments of the next callbacks that are asked for.
func (s *Jobs) narrowed(ctx context.Context, o report.JobOrder, after core.ID, limit int, b *batch) error {
	q := *o.Callbacks
	q.Paging = core.Paging[core.ID]{After: after, Limit: min(limit, pageRows)}
	found, err := s.UnitOfWork.Callbacks.CallbacksIn(ctx, q)
	if err != nil {
		return err
	}
	ids := make([]core.ID, len(found.Callbacks))
	for i, c := range found.Callbacks {
		ids[i] = c.PaymentID
	}
	next, more := found.Next(q)
	b.looked, b.next, b.isLast = len(ids), next.After, !more
	b.payments, err = s.UnitOfWork.Payments.PaymentsByID(ctx, q.Scope, ids)
	return err
}

func (s *Jobs) selected(ctx context.Context, o report.JobOrder, from, limit int, b *batch) error {
	codes := o.Codes[from:min(from+limit, len(o.Codes))]
	for _, code := range codes {
		p, err := s.UnitOfWork.Payments.PaymentByTrackingCode(ctx, code)
		switch {
		case fault.Is(err, fault.NotFound), err == nil && !p.IsIn(o.Filter.Scope):
			b.missing = append(b.missing, code)
		case err != nil:
			return err
		default:
			b.payments = append(b.payments, p)
		}
	}
	b.looked, b.isLast = len(codes), from+len(codes) == len(o.Codes)
	return nil
}

// weigh returns a payment's latest callback, the only one that may be sent again, and why it is left alone; empty: it is
// sent again, where there is one.
func weigh(callbacks []payment.Callback, states []payment.CallbackStatus) (latest payment.Callback, why report.SkipReason) {
	latest, ok := payment.LatestOf(callbacks)
	isAsked := slices.Contains(states, latest.Status)
	switch {
	case ok && latest.Status == payment.Waiting:
		why = report.SkippedWaiting
	case ok && !latest.SupersededAt.IsZero() && (isAsked || latest.Status == payment.Superseded):
		why = report.SkippedRefunded // of the latest nothing else makes untrue what it reports
	case ok && !isAsked:
		why = report.SkippedState
	}
	return latest, why
}

// resend sends the callbacks of a batch again. A batch that meets another change of one of its callbacks is taken apart,
// so that it costs the others nothing.
func (w *work) resend(ctx context.Context) error {
	before := w.job
	err := w.resendSome(ctx, pageRows)
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	for i := 0; fault.Is(err, fault.Conflict) && i < maxConflicts; i++ {
		stored, readErr := w.Reports.Job(ctx, before.ID)
		if readErr != nil {
			return readErr
		}
		if stored.Version != before.Version {
			return err // canceled, or another worker's
		}
		err = w.resendSome(ctx, 1)
	}
	return err
}

// maxConflicts bounds how often one callback is tried while others keep changing it.
const maxConflicts = 10

func (w *work) resendSome(ctx context.Context, limit int) error {
	b, err := w.gather(ctx, w.job.JobOrder, w.job.JobProgress, limit)
	if err != nil {
		return err
	}
	p, now := w.job.JobProgress, w.UnitOfWork.Clock.Now()
	var change core.Changeset
	for _, code := range b.missing {
		p = p.Fail(code, fault.NotFound)
	}
	for i := range b.payments {
		payment := &b.payments[i]
		latest, why := weigh(b.callbacks[payment.ID], w.job.States)
		isSelected := len(w.job.Codes) > 0
		switch {
		case latest.ID == "" && isSelected:
			p = p.Fail(payment.TrackingCode, fault.NoCallback)
		case latest.ID == "", why == report.SkippedState && !isSelected: // none of the order's
		case why != "":
			p = p.Skip(why)
		default:
			change = append(change, latest.Resent(now))
			p.Done++
		}
	}
	p.Cursor, p.Looked = b.next, p.Looked+b.looked
	return w.commit(ctx, p, b.isLast, change)
}
