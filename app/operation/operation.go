// Package operation does things at gateways: it starts deposits, pays out, gives back, asks what became of each, takes
// notifications and customers' returns in, and lets staff decide about what does not fit. Every call is committed to
// before it is made; every answer is decided on by the pure core.
package operation

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/ports"
)

// lease is how long one worker has an operation: a call, and the commit of its result. It is also how long an operation
// waits after the crash of the worker that had it.
const lease = ports.CallTimeout + 10*time.Second

// keepTimeout bounds keeping a result whose request is gone, and probeTimeout testing an account meanwhile.
const (
	keepTimeout  = 15 * time.Second
	probeTimeout = 5 * time.Second
)

// Service is the use cases of operations. Fill it, then Start it.
type Service struct {
	UnitOfWork *app.UnitOfWork
	Operations ports.Operations
	Owners     ports.Owners
	Statements ports.Statements
	Disputes   ports.Disputes
	Gateways   *app.Gateways
	Limiter    ports.Limiter
	BaseURL    string // of return and notification addresses, without a slash at its end
	Log        *slog.Logger
	// ExpiryBankWithdrawal is how long a bank withdrawal may wait unprocessed (decisions: Expiry).
	ExpiryBankWithdrawal time.Duration

	advancing app.Worker[int64, task] // by gateway account
	applying  app.Worker[app.All, *notification.Notification]
}

// ReturnPath and NotifyPath are where customers and gateways come back to, below BaseURL, followed by a token.
const (
	ReturnPath = "/pay/return/"
	NotifyPath = "/gateways/notify/"
)

// decide is a decision about a case.
type decide func(c operation.Case, d payment.Decision) (core.Changeset, error)

// take loads the case of an operation, decides and commits, again after a lost race, and returns the case as it stood
// before. The log is committed along, once.
func (s *Service) take(
	ctx context.Context, o operation.Operation, by app.Request, log []operation.GatewayCall, decide decide,
) (operation.Case, error) {
	var c operation.Case
	err := s.UnitOfWork.Again(ctx, func() error {
		var d payment.Decision
		var err error
		if c, d, err = s.load(ctx, o, by); err != nil {
			return err
		}
		change, err := decide(c, d)
		if err != nil {
			return err
		}
		for i := range log {
			log[i].ID, log[i].OperationID, log[i].PaymentID = d.IDs.Next(), o.ID, o.PaymentID
		}
		change = change.Merge(core.Rows(log))
		return s.UnitOfWork.CommitFor(ctx, by, change)
	})
	return c, err
}

// load reads a case. The operation is saved by every decision, and the payment by few, so that the operations are read first: a commit
// in between then either changed the operation, which is a conflict, or is in the payment that is read.
func (s *Service) load(ctx context.Context, o operation.Operation, by app.Request) (operation.Case, payment.Decision, error) {
	operations, err := s.Operations.OperationsOf(ctx, o.PaymentID)
	if err != nil {
		return operation.Case{}, payment.Decision{}, err
	}
	p, err := s.UnitOfWork.Payments.PaymentByID(ctx, o.PaymentID)
	if err != nil {
		return operation.Case{}, payment.Decision{}, err
	}
	if err := by.CheckSeen(p); err != nil {
		return operation.Case{}, payment.Decision{}, err
	}
	known, err := s.Operations.DiscrepanciesOf(ctx, p.Key())
	if err != nil {
		return operation.Case{}, payment.Decision{}, err
	}
	var credits []payment.Credit
	if p.IsCredited() {
		if credits, err = s.UnitOfWork.Payments.CreditsOf(ctx, p.Key()); err != nil {
			return operation.Case{}, payment.Decision{}, err
		}
	}
	d, err := s.UnitOfWork.Decision(ctx, p, by)
	c := operation.CaseOf(p, operations, known, credits, o.ID)
	c.HasOtherWay = s.hasOtherWay(ctx, c)
	return c, d, err
}

// hasOtherWay reports whether another way than the case's takes a payment that is open. Not to know is to have none.
func (s *Service) hasOtherWay(ctx context.Context, c operation.Case) bool {
	if c.Payment.Status.IsFinal() || c.Operation.Kind != operation.DepositOperation {
		return false
	}
	return slices.ContainsFunc(c.Payment.Method.Ways(), func(kind gateway.Kind) bool {
		order, _, err := s.Gateways.Route(ctx, c.Payment, kind)
		return err == nil && slices.ContainsFunc(order, func(way routing.Choice) bool {
			return way.Gateway.ID != c.Operation.GatewayID || kind != c.Operation.GatewayKind
		})
	})
}

// keep is a context for what must be kept although its request may be gone.
func keep(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
}

// result takes the outcome of a call into an operation, whatever became of the request that made it. The operation is given
// as it was before the call: news that came since is not what the gateway was asked about.
func (s *Service) result(
	ctx context.Context, g *app.Gateway, o operation.Operation, log operation.GatewayCall, decide decide,
) (operation.Case, error) {
	return s.resultFor(ctx, app.By(g.Account.Actor()), g, o, log, decide)
}

// resultFor is result of a call that staff made: what came of it is the gateway's doing, beside which theirs is audited.
func (s *Service) resultFor(
	ctx context.Context, by app.Request, g *app.Gateway, o operation.Operation, log operation.GatewayCall, decide decide,
) (operation.Case, error) {
	kept, cancel := keep(ctx)
	defer cancel()
	c, err := s.take(kept, o, by, []operation.GatewayCall{log}, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		d.By, d.AskedVersion, d.Reason = g.Account.Actor(), o.Version, ""
		return decide(c, d)
	})
	if err != nil {
		return c, fault.E("operation.result", "", err)
	}
	return c, nil
}

// observed is the decision about a report.
func observed(seen gateway.Observation) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideObserved(c, seen, d)
	}
}

// troubled keeps an account whose keys are refused from new payments, until a test succeeds. One refusal alone may be
// about one customer's request (a firewall that takes a name for an attack): the account is tested first, unless nothing
// has worked for some time.
func (s *Service) troubled(ctx context.Context, g *app.Gateway, err error) {
	app.LogPanic(s.Log, "gateway "+g.Account.Code, err)
	e := gateway.ErrorOf(err)
	if e.Class != gateway.Misconfigured && e.Class != gateway.Unauthenticated || g.Account.Trouble != "" {
		return
	}
	kept, cancel := keep(ctx)
	defer cancel()
	probing, stop := context.WithTimeout(kept, probeTimeout)
	defer stop()
	if !g.IsFailing() && g.Probe(probing).IsOK() {
		s.Log.Warn("a gateway refuses its configuration for one call, and takes it for others", "gateway", g.Account.Code, "error", err)
		return
	}
	s.suspend(kept, g.Account, "the gateway refuses its configuration: "+app.Sanitizer{Gateway: g}.Word(e.RawCode), err)
}

func (s *Service) suspend(ctx context.Context, a owner.GatewayAccount, trouble string, cause error) {
	a.Version++
	a.Trouble, a.UpdatedAt = trouble, s.UnitOfWork.Clock.Now()
	s.Log.Error("a gateway account takes no new payments until a test succeeds", "gateway", a.Code, "error", cause)
	entry := core.AuditEntry{At: a.UpdatedAt, Action: "suspendGateway", Target: a.Ref(), Reason: a.Trouble}
	err := s.UnitOfWork.CommitEntry(ctx, app.BySystem, entry, core.Changeset{a})
	if err != nil && !fault.Is(err, fault.Conflict) {
		s.Log.Error("suspending a gateway account", "gateway", a.Code, "error", err)
	}
}

// address is one of our own, with a token.
func (s *Service) address(path, token string) (*url.URL, error) {
	return url.Parse(s.BaseURL + path + token)
}
