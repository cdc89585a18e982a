package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Resend is an order to send callbacks again: those of a selection, or of everything that a filter matches.
type Resend struct {
	Codes  []string
	Filter *report.PaymentQuery // what payments are narrowed to
	// Callbacks are what callbacks are narrowed to. There is one of the three.
	Callbacks *report.CallbackQuery
	States    []payment.CallbackStatus
	IsDryRun  bool
}

// Ordered is what an order comes to. Job is zero after a dry run.
type Ordered struct {
	Count   int
	IsExact bool // else there are at least Count
	Job     report.Job
}

// ResendOne sends one callback again, at once, also one that waits for its next attempt. One that is being sent or has not been tried
// stays as it is. Faults: Forbidden; NotFound; Replaced:
// a later callback of its payment says otherwise; Outdated: what it reports was given back since.
func (s *Jobs) ResendOne(ctx context.Context, m app.Request, id core.ID) (payment.Callback, error) {
	if err := m.Staff.Require(staff.ResendCallbacks); err != nil {
		return payment.Callback{}, err
	}
	reason, err := core.CheckReason(m.Reason, app.MaxReasonChars)
	if err != nil {
		return payment.Callback{}, err
	}
	var sent payment.Callback
	err = s.UnitOfWork.Again(ctx, func() error {
		c, all, p, err := s.callbackFor(ctx, m.Staff, id)
		now := s.UnitOfWork.Clock.Now()
		if sent = c; err != nil || c.Status == payment.Waiting && !c.IsHurriable(now) {
			return err
		}
		ids, err := core.NewIDs(now, s.UnitOfWork.Random)
		if err != nil {
			return fault.E("job.ResendOne", fault.Internal, err)
		}
		change, err := payment.DecideResend(c, all, p, m.Actor(), reason, now, ids)
		if err != nil {
			return err
		}
		sent = core.RowsOf[payment.Callback](change)[0]
		return s.UnitOfWork.CommitFor(ctx, m, change)
	})
	return sent, err
}

// Callback returns a callback of a payment within the scope. Faults: Forbidden, NotFound.
func (s *Jobs) Callback(ctx context.Context, member staff.Staff, id core.ID) (payment.Callback, error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return payment.Callback{}, err
	}
	c, _, err := s.anyCallback(ctx, member, id)
	return c, err
}

func (s *Jobs) anyCallback(ctx context.Context, staff staff.Staff, id core.ID) (payment.Callback, payment.Payment, error) {
	c, err := s.UnitOfWork.Callbacks.Callback(ctx, id)
	if err != nil {
		return payment.Callback{}, payment.Payment{}, err
	}
	p, err := s.UnitOfWork.Payments.PaymentByID(ctx, c.PaymentID)
	if err == nil && !p.IsIn(staff.Scope()) {
		err = fault.New("job.anyCallback", fault.NotFound)
	}
	if err != nil {
		return payment.Callback{}, p, err
	}
	return c, p, nil
}

// callbackFor finds a callback of a payment within the scope, and all that its payment has.
func (s *Jobs) callbackFor(
	ctx context.Context, staff staff.Staff, id core.ID,
) (payment.Callback, []payment.Callback, payment.Payment, error) {
	c, p, err := s.anyCallback(ctx, staff, id)
	if err != nil {
		return payment.Callback{}, nil, p, err
	}
	all, err := s.UnitOfWork.Callbacks.CallbacksOf(ctx, p.ID)
	return c, all, p, err
}

// Resend counts what an order comes to and, unless it is a dry run, makes it a job. Faults: Forbidden, Invalid, RateLimited.
func (s *Jobs) Resend(ctx context.Context, m app.Request, r Resend) (Ordered, error) {
	if err := m.Staff.Require(staff.ResendCallbacks); err != nil {
		return Ordered{}, err
	}
	r, err := r.check()
	if err != nil {
		return Ordered{}, err
	}
	order := report.JobOrder{Kind: report.ResendJob, Codes: distinct(r.Codes), States: distinct(r.States)}
	if r.Filter != nil {
		order.Filter = *r.Filter
	}
	order.Filter = within(m.Staff, order.Filter)
	if r.Callbacks != nil {
		q := *r.Callbacks
		q.Scope, q.Statuses, q.IsReplaced, q.IDs, q.Paging = cmp.Or(m.Staff.Scope(), q.Scope), order.States, new(false), nil, core.Paging[core.ID]{}
		order.Callbacks = &q
	}
	if order.Total, order.IsTotalExact, err = s.countCallbacks(ctx, order); err != nil {
		return Ordered{}, err
	}
	return s.place(ctx, m, order, r.IsDryRun)
}

// ResendableStates are those in which staff may send a callback again.
func ResendableStates() []payment.CallbackStatus {
	return []payment.CallbackStatus{payment.Undeliverable, payment.Skipped, payment.Delivered}
}

// ways counts how it is said what is sent again.
func (r Resend) ways() (n int) {
	for _, isSaid := range []bool{len(r.Codes) > 0, r.Filter != nil, r.Callbacks != nil} {
		if isSaid {
			n++
		}
	}
	return n
}

// check returns the order with its filter as it is searched.
func (r Resend) check() (Resend, error) {
	var form core.Form
	switch {
	case r.ways() != 1:
		form.Fail("filter", "field.selection")
	case len(r.Codes) > report.MaxJobCodes:
		form.Fail("trackingCodes", "field.items", report.MaxJobCodes)
	case slices.ContainsFunc(r.Codes, func(c string) bool { return c == "" || len(c) > maxCodeBytes || !core.IsCleanText(c) }):
		form.Fail("trackingCodes", "field.text")
	}
	isStrange := func(state payment.CallbackStatus) bool { return !slices.Contains(ResendableStates(), state) }
	if len(r.States) == 0 || len(r.States) > len(ResendableStates()) || slices.ContainsFunc(r.States, isStrange) {
		form.Fail("states", "field.choice", fmt.Sprint(ResendableStates()))
	}
	if r.Filter != nil {
		cleaned := r.Filter.Cleaned(&form)
		r.Filter = &cleaned
	}
	if r.Callbacks != nil {
		r.Callbacks.Check(&form)
	}
	return r, form.Err("job.Resend")
}

// maxCodeBytes is more than any tracking code has.
const maxCodeBytes = 64

// within narrows a filter to what the staff member may see.
func within(staff staff.Staff, q report.PaymentQuery) report.PaymentQuery {
	q.Scope = cmp.Or(staff.Scope(), q.Scope)
	q.Paging, q.MaxLooked, q.Sort, q.IDs = core.Paging[report.Cursor]{}, 0, report.NewestFirst, nil
	return q
}

// distinct keeps the first of what comes several times.
func distinct[T comparable](list []T) []T {
	var kept []T
	seen := map[T]bool{}
	for _, v := range list {
		if !seen[v] {
			seen[v], kept = true, append(kept, v)
		}
	}
	return kept
}

// place makes an order that was counted a job. Fault: RateLimited (the member has ordered as much as they may for now).
func (s *Jobs) place(ctx context.Context, m app.Request, o report.JobOrder, isDryRun bool) (Ordered, error) {
	const op = "job.place"
	ordered := Ordered{Count: o.Total, IsExact: o.IsTotalExact}
	if isDryRun {
		return ordered, nil
	}
	end, err := s.orders.Lock(ctx, m.Staff.ID)
	if err != nil {
		return Ordered{}, fault.E(op, fault.Unavailable, err)
	}
	defer end()
	now := s.UnitOfWork.Clock.Now()
	newest, err := s.Reports.ListJobs(ctx, report.JobQuery{
		StaffID: m.Staff.ID, Paging: core.Paging[core.ID]{Limit: report.MaxJobsADay},
	})
	if err == nil {
		err = report.CheckOrder(newest, now)
	}
	if err != nil {
		return Ordered{}, fault.E(op, "", err)
	}
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return Ordered{}, fault.E(op, fault.Internal, err)
	}
	change := report.DecideJob(o, m.Staff, m.Addr, now, ids)
	ordered.Job = core.RowsOf[report.Job](change)[0]
	return ordered, s.UnitOfWork.CommitFor(ctx, m, change)
}

// countCallbacks counts what would be sent again, as the job does, of at most countBound payments.
func (s *Jobs) countCallbacks(ctx context.Context, o report.JobOrder) (n int, isExact bool, err error) {
	var p report.JobProgress
	for looks := 0; p.Looked < countBound && looks < countPages; looks++ {
		b, err := s.gather(ctx, o, p, pageRows)
		if err != nil {
			return 0, false, err
		}
		for i := range b.payments {
			if c, why := weigh(b.callbacks[b.payments[i].ID], o.States); c.ID != "" && why == "" {
				n++
			}
		}
		p.Cursor = b.next
		if p.Looked += b.looked; b.isLast {
			return n, true, nil
		}
	}
	return n, false, nil
}
