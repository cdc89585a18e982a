// Package restore takes an installation from a restored backup to the moment at which money moves again: it has gateways and banks
// asked what happened after the backup, lists what nobody could be asked about, and lets two people thaw it.
package restore

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

const (
	// DefaultPeriod is the time between two looks at a frozen installation.
	DefaultPeriod = 2 * time.Second
	// Patience is how long answers are waited for. What has none by then remains; it goes on being asked about.
	Patience = 10 * time.Minute
	// Grace is how long, after the restore, what was open goes on at least: staff decide in it what was decided after the backup.
	Grace = 24 * time.Hour

	batch = 200 // rows read and changed at once
)

// Service is the use cases of a restore. Fill it, then Run it.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Epochs     ports.Epochs
	Operations ports.Operations
	Disputes   ports.Disputes
	Wallets    ports.Wallets
	Statements ports.Statements
	Reports    ports.Reports
	Staff      ports.Staff
	Gateways   *app.Gateways
	Log        *slog.Logger
	Patience   time.Duration // 0: Patience

	mu      sync.Mutex
	doubted string // the freeze of which everything is in doubt already
}

// Run looks every period until ctx ends. It does nothing while the installation is live.
func (s *Service) Run(ctx context.Context, period time.Duration) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	isWell := true
	for {
		err := s.Step(ctx)
		if err != nil && isWell && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "asking what happened after the backup; it is tried again until it succeeds", "error", err)
		}
		isWell = err == nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Step takes a frozen installation one step further. The first puts in doubt all that was open; the gateways' workers ask then, as
// do those of statements. When nothing is left to be asked, or after Patience, the last one lists what remains.
func (s *Service) Step(ctx context.Context) error {
	const op = "restore.Step"
	if s.UnitOfWork.MayAsk() != nil {
		return nil // said once, by the clock or the fence
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.Epochs.Epoch(ctx)
	if err != nil || !e.IsFrozen() || !e.AskedAt.IsZero() {
		return fault.E(op, "", err)
	}
	if freeze := e.Freeze(); s.doubted != freeze {
		if err := s.doubt(ctx, e); err != nil {
			return fault.E(op, "", err)
		}
		s.doubted = freeze
	}
	return fault.E(op, "", s.UnitOfWork.Again(ctx, func() error { return s.conclude(ctx) }))
}

// doubt puts in doubt what is at gateways, has statements read at once, and has what is open without a gateway go on for the time of
// grace.
func (s *Service) doubt(ctx context.Context, e epoch.Epoch) error {
	until := e.FrozenAt.Add(Grace)
	feeds, _, err := s.unreadFeeds(ctx, e)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if err := s.settle(s.UnitOfWork.Commit(ctx, core.Changeset{f.Due(s.UnitOfWork.Clock.Now())})); err != nil {
			return err
		}
	}
	err = s.live(ctx, func(all []operation.Operation) error {
		now := s.UnitOfWork.Clock.Now()
		for _, o := range all {
			if doubted, ok := o.Doubt(e.FrozenAt, until, now); ok {
				if err := s.settle(s.UnitOfWork.Commit(ctx, core.Changeset{doubted})); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for after, hasNext := (core.DueCursor{}), true; hasNext && err == nil; {
		var due core.DuePage[payment.Payment]
		if due, err = s.UnitOfWork.Payments.DuePayments(ctx, until.Add(-time.Microsecond), after, batch); err != nil {
			break
		}
		for _, p := range due.Rows {
			if prolonged, ok := p.Prolonged(until, s.UnitOfWork.Clock.Now()); ok {
				if err = s.settle(s.UnitOfWork.Commit(ctx, core.Changeset{prolonged})); err != nil {
					break
				}
			}
		}
		after, hasNext = due.Next, due.HasNext
	}
	if err != nil {
		return err
	}
	return s.doubtDisputes(ctx)
}

// doubtDisputes has gateways asked about every dispute that is asked about at all, and list those that were opened after the backup.
func (s *Service) doubtDisputes(ctx context.Context) error {
	listings, err := s.Disputes.DisputeListings(ctx)
	if err != nil {
		return err
	}
	for _, l := range listings {
		if doubted, ok := l.Doubt(s.UnitOfWork.Clock.Now()); ok {
			if err := s.settle(s.UnitOfWork.Commit(ctx, core.Changeset{doubted})); err != nil {
				return err
			}
		}
	}
	return s.liveDisputes(ctx, func(all []dispute.Dispute) error {
		for _, d := range all {
			if doubted, ok := d.Doubt(s.UnitOfWork.Clock.Now()); ok {
				if err := s.settle(s.UnitOfWork.Commit(ctx, core.Changeset{doubted})); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// settle takes a lost race for what it is: the gateway has been asked meanwhile, or somebody has decided. A look that finds more is
// made before the installation is asked out.
func (s *Service) settle(err error) error {
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// live goes through all operations that are not closed.
func (s *Service) live(ctx context.Context, each func([]operation.Operation) error) error {
	return inBatches(ctx, s.Epochs.LiveOperations, func(o operation.Operation) core.ID { return o.ID }, each)
}

// liveDisputes goes through all disputes about which gateways are asked.
func (s *Service) liveDisputes(ctx context.Context, each func([]dispute.Dispute) error) error {
	return inBatches(ctx, s.Epochs.LiveDisputes, func(d dispute.Dispute) core.ID { return d.ID }, each)
}

func inBatches[T any](ctx context.Context, read func(context.Context, core.ID, int) ([]T, error), idOf func(T) core.ID, each func([]T) error) error {
	for after := core.ID(""); ; {
		page, err := read(ctx, after, batch)
		if err == nil {
			err = each(page)
		}
		if err != nil || len(page) < batch {
			return err
		}
		after = idOf(page[len(page)-1])
	}
}

// conclude lists what remains when nothing is left to be asked, or nobody has answered for long. Fault: Conflict.
func (s *Service) conclude(ctx context.Context) error {
	e, err := s.Epochs.Epoch(ctx)
	if err != nil || !e.IsFrozen() || !e.AskedAt.IsZero() {
		return err
	}
	silent, isUndoubted, err := s.silent(ctx, e)
	if err != nil {
		return err
	}
	if isUndoubted { // a lost race: once more
		s.doubted = ""
		return nil
	}
	unread, err := s.unread(ctx, e)
	if err != nil {
		return err
	}
	patience := s.Patience
	if patience == 0 {
		patience = Patience
	}
	if len(silent)+len(unread) > 0 && s.UnitOfWork.Clock.Now().Before(e.FrozenAt.Add(patience)) {
		return nil
	}
	found, err := s.settings(ctx)
	if err != nil {
		return err
	}
	found = slices.Concat(found, silent, unread)
	for _, look := range []func(context.Context, epoch.Epoch) ([]epoch.Remain, error){s.byHand, s.unknown} {
		more, err := look(ctx, e)
		if err != nil {
			return err
		}
		found = append(found, more...)
	}
	return s.keep(ctx, e, found)
}

// keep commits what remains and was not known, batch by batch, and with the last one that all was asked.
func (s *Service) keep(ctx context.Context, e epoch.Epoch, found []epoch.Remain) error {
	var known []epoch.Remain
	for q := (epoch.RemainQuery{Freeze: e.Freeze(), Paging: core.Paging[core.ID]{Limit: core.MaxPage}}); ; {
		page, err := s.Epochs.Remains(ctx, q)
		if err != nil {
			return err
		}
		known = append(known, page...)
		if len(page) < q.Limit {
			break
		}
		q.After = page[len(page)-1].ID
	}
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return fault.E("restore.keep", fault.Internal, err)
	}
	missing := epoch.Missing(found, known)
	for i := range missing {
		missing[i].ID, missing[i].Version, missing[i].Freeze, missing[i].FoundAt = ids.Next(), 1, e.Freeze(), now
		missing[i].Detail = missing[i].English()
	}
	for len(missing) > batch {
		if err := s.UnitOfWork.Commit(ctx, core.Rows(missing[:batch])); err != nil {
			return err
		}
		missing = missing[batch:]
	}
	before := e.AuditState()
	e.Version++
	e.AskedAt = now
	s.Log.WarnContext(ctx, "gateways and banks were asked what happened after the backup; people have to look at what remains", "remains", len(found))
	return s.UnitOfWork.CommitEntry(ctx, app.BySystem, core.AuditEntry{
		At: now, Action: "askAfterRestore", Target: e.Ref(), Reason: fmt.Sprintf("%d remain", len(found)), Before: before, After: e.AuditState(),
	}, append(core.Rows(missing), e))
}

// Status is a frozen or once frozen installation.
type Status struct {
	epoch.Epoch
	OpenCount int // of what remains; counting stops at core.MaxPage + 1
}

// Status returns how far the last restore is. Fault: Forbidden.
func (s *Service) Status(ctx context.Context, by staff.Staff) (Status, error) {
	if err := by.Require(staff.AdjustWallets); err != nil {
		return Status{}, err
	}
	e, err := s.Epochs.Epoch(ctx)
	if err != nil {
		return Status{}, err
	}
	open, err := s.Epochs.Remains(ctx, epoch.RemainQuery{Freeze: e.Freeze(), IsOpen: new(true), Paging: core.Paging[core.ID]{Limit: core.MaxPage + 1}})
	return Status{e, len(open)}, err
}

// Remains returns a page of what remains of the last freeze, in the order in which it was found. Fault: Forbidden.
func (s *Service) Remains(ctx context.Context, by staff.Staff, query epoch.RemainQuery) ([]epoch.Remain, error) {
	if err := by.Require(staff.AdjustWallets); err != nil {
		return nil, err
	}
	e, err := s.Epochs.Epoch(ctx)
	if err != nil {
		return nil, err
	}
	query.Freeze = e.Freeze()
	return s.Epochs.Remains(ctx, query)
}

// Acknowledge keeps that a person has looked at some of what remains, and why it is in order. Who works here is looked at by
// somebody who may see it: whoever was switched off after the backup could be one of the others. Faults: Forbidden, Invalid (no reason,
// none or too many are named), NotFound (one is not of the last freeze), AlreadyFinal (somebody has before).
func (s *Service) Acknowledge(ctx context.Context, by app.Request, ids []core.ID) ([]epoch.Remain, error) {
	const op = "restore.Acknowledge"
	if err := by.Require(staff.AdjustWallets); err != nil {
		return nil, fault.E(op, "", err)
	}
	by, err := by.Checked()
	var form core.Form
	switch {
	case err != nil:
		return nil, fault.E(op, "", err)
	case by.Reason == "":
		form.Fail("reason", "field.required")
	case len(ids) == 0 || len(ids) > core.MaxPage:
		form.Fail("ids", "field.items", core.MaxPage)
	}
	if err := form.Err(op); err != nil {
		return nil, err
	}
	var done []epoch.Remain
	err = s.UnitOfWork.Again(ctx, func() error {
		found, err := s.Remains(ctx, by.Staff, epoch.RemainQuery{IDs: ids, Paging: core.Paging[core.ID]{Limit: core.MaxPage}})
		if err != nil {
			return err
		}
		if len(found) != len(ids) {
			return fault.New(op, fault.NotFound)
		}
		done = done[:0]
		for _, r := range found {
			if r.Subject == epoch.StaffSettings {
				if err := by.Require(staff.ReadStaff); err != nil {
					return err
				}
			}
			r, err = r.Acknowledge(by.Actor(), s.UnitOfWork.Clock.Now(), by.Reason)
			if err != nil {
				return err
			}
			done = append(done, r)
		}
		return s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
			Action: "acknowledgeRemains", Target: found[0].Freeze, Reason: by.Reason, After: core.AuditJSON(subjects(done)),
		}, core.Rows(done))
	})
	return done, fault.E(op, "", err)
}

// subjectState is what was acknowledged, in the audit log.
type subjectState struct {
	Kind    epoch.RemainKind `json:"kind"`
	Subject string           `json:"subject"`
}

func subjects(all []epoch.Remain) []subjectState {
	list := make([]subjectState, len(all))
	for i, r := range all {
		list[i] = subjectState{r.Kind, r.Subject}
	}
	return list
}

// Thaw lets money move again. It takes two people, whatever the rules say. Faults: Forbidden, Invalid (no reason), NotAllowed (it
// is not frozen, something is left to be asked, or to be acknowledged), ApprovalNeeded.
func (s *Service) Thaw(ctx context.Context, by app.Request) (Status, error) {
	const op = "restore.Thaw"
	if err := by.Require(staff.AdjustWallets); err != nil {
		return Status{}, fault.E(op, "", err)
	}
	by, err := by.Checked()
	if err == nil && by.Reason == "" {
		var form core.Form
		form.Fail("reason", "field.required")
		err = form.Err(op)
	}
	if err != nil {
		return Status{}, fault.E(op, "", err)
	}
	var after epoch.Epoch
	err = s.UnitOfWork.Again(ctx, func() error {
		now, err := s.Status(ctx, by.Staff)
		if err != nil {
			return err
		}
		if !now.IsFrozen() || now.AskedAt.IsZero() || now.OpenCount > 0 {
			return fault.New(op, fault.NotAllowed, string(now.State))
		}
		name, err := epoch.NewName(s.UnitOfWork.Random)
		if err != nil {
			return fault.E(op, fault.Internal, err)
		}
		after = epoch.Thaw(now.Epoch, s.UnitOfWork.Clock.Now(), name)
		if err := s.Epochs.Settle(ctx); err != nil { // a live epoch is at home where it is; a frozen one is not asked
			return err
		}
		return s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
			Action: "thaw", Target: now.Ref(), Reason: by.Reason, Before: now.AuditState(), After: after.AuditState(),
		}, core.Changeset{after})
	})
	return Status{Epoch: after}, fault.E(op, "", err)
}

// StaffCommits is what staff's changes pass last: while the installation is frozen they are about who works here, what is
// approved, and the restore itself, and about nothing that has to do with money.
type StaffCommits struct {
	Next  ports.Committer
	Fence ports.Fence
}

// Commit implements ports.Committer. Fault beyond those of Next: Frozen.
func (c StaffCommits) Commit(ctx context.Context, change core.Changeset) error {
	if err := c.Fence.MayMove(); fault.Is(err, fault.Frozen) && !epoch.MayStaff(change) {
		return fault.E("restore.StaffCommits", "", err)
	}
	return c.Next.Commit(ctx, change)
}
