// Package dispute asks gateways about disputes of deposits, and takes their answers in. Nothing that a notification or a list says of
// a dispute is believed: each is read by its id.
package dispute

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// lease is how long one worker has a dispute: a call, and the commit of its result. A listing is many calls.
const (
	lease        = ports.CallTimeout + 10*time.Second
	listingLease = 5 * time.Minute
)

// perGateway is how many disputes of one gateway account are worked on at once.
const perGateway = 4

// maxPages bounds one listing: what is beyond is listed in the next round.
const maxPages = 100

// maxDisputes bounds how many disputes of one payment count.
const maxDisputes = 100

// keepTimeout bounds keeping an answer after a stop.
const keepTimeout = 15 * time.Second

// noGatewayFor is how long what can't be asked about rests.
const noGatewayFor = 10 * time.Minute

// Service is the use cases of disputes. Fill it, then Start it.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Disputes   ports.Disputes
	Operations ports.Operations
	Notes      ports.Notes
	Gateways   *app.Gateways
	Log        *slog.Logger

	asking app.Worker[int64, task] // by gateway account

	mu     sync.Mutex
	listed map[int64]bool // gateway accounts that are known to have a listing
}

// task is what is leased to us: a dispute, or a listing.
type task struct {
	dispute *dispute.Dispute
	listing *dispute.Listing
	g       *app.Gateway   // nil: it can't be asked
	unasked *gateway.Error // why; nil: it can
}

// Start allows work until Stop.
func (s *Service) Start() {
	s.asking.Start(app.Work[int64, task]{
		Name: "disputes", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: perGateway, Claim: s.claim, Do: s.do,
		MovesNothing: true, // do sends nothing while the installation is frozen
		Failed: func(_ context.Context, _ task, err error) {
			s.Log.Error("asking about a dispute; it is tried again when its lease ends", "error", err)
		},
		HandBack: func(t task) core.Changeset {
			if t.listing != nil {
				return core.Changeset{t.listing.HandedBack()}
			}
			return core.Changeset{t.dispute.HandedBack()}
		},
	})
}

// Stop takes no new work and waits for calls under way; ctx bounds the waiting.
func (s *Service) Stop(ctx context.Context) error { return s.asking.Stop(ctx) }

// Wait waits until nothing is being worked on.
func (s *Service) Wait(ctx context.Context) error { return s.asking.Wait(ctx) }

// Wake has a gateway account's due disputes asked about; it returns at once.
func (s *Service) Wake(gatewayID int64) { s.asking.Wake(gatewayID) }

// Step is app.Worker.Step for the disputes of a gateway account.
func (s *Service) Step(gatewayID int64) (more bool, err error) {
	return s.asking.Step(gatewayID, perGateway)
}

// Due begins the listing of accounts that have none yet, and wakes the work on every account with something due.
func (s *Service) Due(ctx context.Context, wake func(core.WakeUp)) error {
	const op = "dispute.Due"
	begun := s.begin(ctx)
	ids, err := s.Disputes.DueDisputeGateways(ctx, s.UnitOfWork.Clock.Now())
	for _, id := range ids {
		wake(core.WakeUp{Kind: core.DueDisputes, GatewayID: id})
	}
	return errors.Join(fault.E(op, "", begun), fault.E(op, "", err))
}

// begin lists the disputes of every enabled account that can list them, from now on: what was opened before an account could is
// not taken from credits of which staff have taken it already.
func (s *Service) begin(ctx context.Context) error {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := slices.DeleteFunc(slices.Clone(accounts), func(a owner.GatewayAccount) bool {
		plugin, ok := s.Gateways.Plugins.Plugin(a.Plugin)
		return s.listed[a.ID] || !a.IsEnabled || !ok || !plugin.Has(gateway.CanListDisputes)
	})
	if len(fresh) == 0 {
		return nil
	}
	known, err := s.Disputes.DisputeListings(ctx)
	if err != nil {
		return err
	}
	if s.listed == nil {
		s.listed = map[int64]bool{}
	}
	for _, l := range known {
		s.listed[l.GatewayID] = true
	}
	for _, a := range fresh {
		if s.listed[a.ID] {
			continue
		}
		err := s.UnitOfWork.Commit(ctx, core.Changeset{dispute.NewListing(a.ID, s.UnitOfWork.Clock.Now())})
		if err != nil && !fault.Is(err, fault.Conflict) { // another process was first
			return err
		}
		s.listed[a.ID] = true
	}
	return nil
}

// claim leases what is due at an account. What is due at one that can't be asked rests.
func (s *Service) claim(ctx context.Context, gatewayID int64, room int) (tasks []task, more bool, err error) {
	const op = "dispute.claim"
	now := s.UnitOfWork.Clock.Now()
	t, until := task{}, now.Add(lease)
	t.g, err = s.Gateways.Gateway(ctx, gatewayID)
	switch {
	case fault.Is(err, fault.GatewayUnusable), fault.Is(err, fault.NotFound):
		t.unasked = &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, RawCode: "the account can't be opened", RetryAfter: noGatewayFor, Err: err}
	case err != nil:
		return nil, false, fault.E(op, "", err)
	case t.g.MayTry(room) == 0:
		wait := max(t.g.ProbeIn(), time.Minute)
		t.unasked = &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawCode: "not asked: it does not answer", RetryAfter: wait}
	case !t.g.Has(gateway.CanReadDispute):
		t.unasked = &gateway.Error{Class: gateway.Unsupported, Effect: gateway.EffectNone, RawCode: "the gateway can't be asked", RetryAfter: noGatewayFor}
	default:
		room = t.g.MayTry(room)
	}
	listings, err := s.Disputes.ClaimDisputeListings(ctx, gatewayID, now, now.Add(listingLease), 1)
	if err != nil {
		return nil, false, fault.E(op, "", err)
	}
	for i := range listings {
		tasks = append(tasks, task{listing: &listings[i], g: t.g, unasked: t.unasked})
	}
	rows, err := s.Disputes.ClaimDisputes(ctx, gatewayID, now, until, room-len(tasks))
	for i := range rows {
		tasks = append(tasks, task{dispute: &rows[i], g: t.g, unasked: t.unasked})
	}
	return tasks, len(rows) > 0 && len(tasks) == room, fault.E(op, "", err)
}

func (s *Service) do(ctx context.Context, t task) error {
	switch {
	case t.listing != nil:
		return s.list(ctx, t)
	case t.unasked != nil:
		return s.kept(ctx, t.dispute.NoAnswer(t.unasked, s.UnitOfWork.Clock.Now()))
	case s.UnitOfWork.MayMove() != nil: // what is to be sent may have been sent after the backup: it is asked about
		return s.ask(ctx, t.g, *t.dispute)
	case t.dispute.IsToAccept() && t.g.Has(gateway.CanAcceptDispute):
		return s.accept(ctx, t.g, *t.dispute)
	case t.dispute.IsToAnswer() && t.g.Has(gateway.CanAnswerDispute):
		return s.answer(ctx, t.g, *t.dispute)
	default:
		return s.ask(ctx, t.g, *t.dispute)
	}
}

// accept tells a gateway that a dispute is conceded. It is told again until it says that the dispute has ended.
func (s *Service) accept(ctx context.Context, g *app.Gateway, d dispute.Dispute) error {
	accepter, _ := g.Gateway.(ports.DisputeAccepter)
	isEnded := func(seen gateway.DisputeReport) bool { return seen.State.IsOver() }
	return s.send(ctx, g, d, gateway.CanAcceptDispute, isEnded, dispute.Dispute.NoAnswer, func(ctx context.Context) (gateway.DisputeReport, error) {
		return accepter.AcceptDispute(ctx, d.ExternalID, d.Key())
	})
}

// failing is a dispute after a call that brought no answer.
type failing func(dispute.Dispute, *gateway.Error, time.Time) dispute.Dispute

// send tells a gateway something of a dispute. Each try begins with a question: what a try of which nobody knows the outcome has done is
// seen then, also one of a database that was lost after the backup, and nothing is sent where the answer says that it is done or too late.
// unsent is the dispute after what was sent brought no answer.
func (s *Service) send(
	ctx context.Context, g *app.Gateway, d dispute.Dispute, name gateway.Capability, isDone func(seen gateway.DisputeReport) bool, unsent failing,
	send func(context.Context) (gateway.DisputeReport, error),
) error {
	reader, _ := g.Gateway.(ports.DisputeReader) // claim has seen that it can
	failed := failing(dispute.Dispute.NoAnswer)
	return s.call(ctx, g, d, name,
		func(d dispute.Dispute, e *gateway.Error, now time.Time) dispute.Dispute { return failed(d, e, now) },
		func(ctx context.Context) (gateway.DisputeReport, error) {
			seen, err := reader.ReadDispute(ctx, d.ExternalID)
			if err == nil {
				err = isAbout(d, seen)
			}
			if err != nil || isDone(seen) {
				return seen, err
			}
			failed = unsent
			return send(ctx)
		})
}

// keep is a context for what must be kept although the worker stops.
func keep(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
}

// ask reads a dispute at its gateway and takes the answer in.
func (s *Service) ask(ctx context.Context, g *app.Gateway, d dispute.Dispute) error {
	reader, _ := g.Gateway.(ports.DisputeReader) // claim has seen that it can
	return s.call(ctx, g, d, gateway.CanReadDispute, dispute.Dispute.NoAnswer, func(ctx context.Context) (gateway.DisputeReport, error) {
		return reader.ReadDispute(ctx, d.ExternalID)
	})
}

// call makes one call about a dispute, and takes in what it says; failed is the dispute after one that says nothing.
func (s *Service) call(
	ctx context.Context, g *app.Gateway, d dispute.Dispute, name gateway.Capability, failed failing,
	call func(context.Context) (gateway.DisputeReport, error),
) error {
	var report gateway.DisputeReport
	log, failure := g.Call(ctx, name, func(ctx context.Context) (string, error) {
		said, err := call(ctx)
		report = app.Sanitizer{Gateway: g}.Dispute(said)
		if err == nil {
			err = isAbout(d, report)
		}
		return string(report.State), err
	})
	kept, cancel := keep(ctx)
	defer cancel()
	if failure != nil {
		app.LogPanic(s.Log, "gateway "+g.Account.Code, failure)
		return s.kept(kept, failed(d, gateway.ErrorOf(failure), s.UnitOfWork.Clock.Now()))
	}
	return fault.E("dispute.call", "", s.take(kept, g, d, log, report))
}

// take decides about an answer and commits, again after a lost race. The dispute is given as it was before the question.
func (s *Service) take(ctx context.Context, g *app.Gateway, asked dispute.Dispute, log operation.GatewayCall, r gateway.DisputeReport) error {
	by := app.By(g.Account.Actor())
	return s.UnitOfWork.Again(ctx, func() error {
		d, err := s.Disputes.Dispute(ctx, asked.ID)
		if err != nil {
			return err
		}
		c, decision, err := s.load(ctx, by, d, r)
		if err != nil {
			return err
		}
		decision.AskedVersion = asked.Version
		change, err := dispute.DecideReport(c, r, decision)
		if err != nil || len(change) == 0 {
			return err
		}
		log.ID, log.OperationID, log.PaymentID = decision.IDs.Next(), c.Deposit.Operation.ID, c.Deposit.Payment.ID
		return s.UnitOfWork.CommitFor(ctx, by, append(change, log))
	})
}

// load reads what a decision about a dispute looks at. A dispute stays with the deposit that it was found to be of.
func (s *Service) load(ctx context.Context, by app.Request, d dispute.Dispute, r gateway.DisputeReport) (c dispute.Case, decision payment.Decision, err error) {
	c.Dispute = d
	o, err := s.depositOf(ctx, d, r)
	if fault.Is(err, fault.NotFound) {
		s.Log.Warn("a dispute is of no deposit that is known here", "gateway", d.GatewayID, "dispute", d.ExternalID)
		decision, err = s.UnitOfWork.Decision(ctx, payment.Payment{}, by)
		return c, decision, err
	}
	if err != nil {
		return c, decision, err
	}
	return s.caseOf(ctx, by, d, o)
}

// caseOf reads what a decision about a dispute of a deposit looks at.
func (s *Service) caseOf(
	ctx context.Context, by app.Request, d dispute.Dispute, o operation.Operation,
) (c dispute.Case, decision payment.Decision, err error) {
	c.Dispute = d
	p, err := s.UnitOfWork.Payments.PaymentByID(ctx, o.PaymentID)
	if err != nil {
		return c, decision, err
	}
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return c, decision, err
	}
	known, err := s.Operations.DiscrepanciesOf(ctx, p.Key())
	if err != nil {
		return c, decision, err
	}
	credits, err := s.UnitOfWork.Payments.CreditsOf(ctx, p.Key())
	if err != nil {
		return c, decision, err
	}
	all, err := s.Disputes.DisputesOf(ctx, p.Key())
	if err != nil {
		return c, decision, err
	}
	c.Others = slices.DeleteFunc(all, func(other dispute.Dispute) bool { return other.ID == d.ID })
	if len(c.Others) >= maxDisputes {
		s.Log.Error("A PAYMENT HAS TOO MANY DISPUTES; one more is kept and takes nothing", "tracking_code", p.TrackingCode, "dispute", d.ExternalID)
		decision, err = s.UnitOfWork.Decision(ctx, payment.Payment{}, by)
		return dispute.Case{Dispute: d}, decision, err
	}
	c.Deposit = operation.CaseOf(p, operations, known, credits, o.ID)
	decision, err = s.UnitOfWork.Decision(ctx, p, by)
	return c, decision, err
}

func (s *Service) depositOf(ctx context.Context, d dispute.Dispute, r gateway.DisputeReport) (operation.Operation, error) {
	if d.OperationID != "" {
		return s.Operations.OperationBy(ctx, operation.Key{ID: d.OperationID})
	}
	return app.OperationNamed(ctx, s.Operations, app.Named{GatewayID: d.GatewayID, Kind: operation.DepositOperation, Ref: r.Ref, External: r.External})
}

// isAbout holds an answer to the dispute that was asked about.
func isAbout(d dispute.Dispute, r gateway.DisputeReport) error {
	if r.ID == d.ExternalID {
		return nil
	}
	return &gateway.Error{Class: gateway.Retryable, RawCode: "the answer is about another dispute"}
}

// kept keeps a dispute after a call that said nothing of it.
func (s *Service) kept(ctx context.Context, d dispute.Dispute) error {
	err := s.UnitOfWork.Commit(ctx, core.Changeset{d})
	if fault.Is(err, fault.Conflict) {
		return nil // there was news meanwhile: it is asked about again when its lease ends
	}
	return fault.E("dispute.kept", "", err)
}

// list finds disputes that are not known, each of which is then asked about.
func (s *Service) list(ctx context.Context, t task) error {
	const op = "dispute.list"
	now := s.UnitOfWork.Clock.Now()
	err := error(nil)
	if t.unasked != nil {
		err = t.unasked
	} else {
		err = s.listWindow(ctx, t.g, t.listing.Window(now))
	}
	after := t.listing.Listed(now, now)
	if err != nil {
		var e *gateway.Error
		if !errors.As(err, &e) {
			return fault.E(op, "", err)
		}
		if t.listing.Failures == 0 {
			s.Log.Warn("listing disputes; going on until it succeeds", "gateway", t.listing.GatewayID, "error", err)
		}
		after = t.listing.Failed(string(e.Class), now)
	}
	kept, cancel := keep(ctx)
	defer cancel()
	return fault.E(op, "", s.UnitOfWork.Commit(kept, core.Changeset{after}))
}

// listWindow keeps the name of every dispute that was opened in a window and is not known. Pages that do not end are an error.
func (s *Service) listWindow(ctx context.Context, g *app.Gateway, w gateway.Window) error {
	lister, ok := g.Gateway.(ports.DisputeLister)
	if !ok {
		return &gateway.Error{Class: gateway.Unsupported, Effect: gateway.EffectNone, RawCode: "the gateway can't list disputes any more"}
	}
	var cursor gateway.Cursor
	for range maxPages {
		page, err := app.Ask(ctx, g, gateway.CanListDisputes, func(ctx context.Context) (gateway.DisputePage, error) {
			return lister.ListDisputes(ctx, w, cursor)
		})
		if err != nil {
			return err
		}
		for _, id := range page.IDs {
			if err := s.note(ctx, g.Account.ID, id); err != nil {
				return err
			}
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
	return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawCode: "its pages do not end"}
}

// note keeps the name of a dispute that is not known.
func (s *Service) note(ctx context.Context, gatewayID int64, id string) error {
	_, err := s.Disputes.DisputeNamed(ctx, gatewayID, id)
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	change, err := app.NoteDispute(ctx, s.UnitOfWork, s.Disputes, gatewayID, id)
	if err == nil {
		err = s.UnitOfWork.Commit(ctx, change)
	}
	if fault.Is(err, fault.Conflict) {
		return nil // a notification was first
	}
	return err
}
