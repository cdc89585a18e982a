package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/ports"
)

// Bounds of what one press of the button sets going: how many gateways are tried, until when a further one is, and how
// long everything may take. A web server allows a request a minute.
const (
	maxFailovers = 3
	patience     = 15 * time.Second
	beginTimeout = 50 * time.Second
	quoteTimeout = 10 * time.Second
)

// maxDeposits bounds how often one payment is handed to a gateway: each time is an order there, and to be watched.
const maxDeposits = 30

// Begin is a customer who wants to pay through a gateway.
type Begin struct {
	Token     string
	Kind      gateway.Kind      // the way that was picked; empty: the payment's own
	GatewayID int64             // 0: the route decides (cards)
	Option    string            // the gateway's option that was picked, where it has several
	Fields    map[string]string // what the gateway's Needs ask for
	Addr      string            // the customer's
}

// Begin starts a payment at a gateway and returns the operation with its next step. Pressing again returns the same one, as
// long as the choice is the same; another choice calls the first one off. When a gateway is known not to have taken it,
// the next of the route is tried; an operation that is still Calling waits for the gateway to be asked. What was set
// going goes on when the customer's browser goes away, to press again, say: ctx only bounds it in time. Faults:
// NoGateway, Invalid (fields), Expired, AlreadyFinal, NotAllowed.
func (s *Service) Begin(ctx context.Context, b Begin) (payment.Payment, operation.Operation, error) {
	const op = "operation.Begin"
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginTimeout)
	defer cancel()
	p, err := s.UnitOfWork.Payments.PaymentByToken(ctx, b.Token)
	if err != nil {
		return p, operation.Operation{}, fault.E(op, "", err)
	}
	if b.Kind == "" {
		b.Kind = p.Method.Gateway()
	}
	if b.Kind != gateway.Crypto {
		b.Option = "" // the others have none, whatever a form says
	}
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return p, operation.Operation{}, fault.E(op, "", err)
	}
	if current, ok := operation.Current(operations); ok && isSame(b, current, s.UnitOfWork.Clock.Now()) {
		return p, current, nil
	}
	if operation.CountOf(operations, operation.DepositOperation) >= maxDeposits {
		return p, operation.Operation{}, fault.New(op, fault.NotAllowed, string(p.Status))
	}
	choices, err := s.choices(ctx, p, b, operations)
	if err != nil {
		return p, operation.Operation{}, fault.E(op, "", err)
	}
	return s.tryEach(ctx, p, choices[:min(len(choices), maxFailovers)], b)
}

// triesAt is how many deposits of a payment ended at the gateway of a choice.
func triesAt(c routing.Choice, operations []operation.Operation) (n int) {
	for _, o := range operations {
		if o.GatewayID == c.Gateway.ID && o.Phase == operation.Late {
			n++
		}
	}
	return n
}

// tryEach starts a payment at the first gateway that takes it.
func (s *Service) tryEach(ctx context.Context, p payment.Payment, choices []routing.Choice, b Begin) (payment.Payment, operation.Operation, error) {
	const op = "operation.tryEach"
	began := s.UnitOfWork.Clock.Now()
	for _, choice := range choices {
		if s.UnitOfWork.Clock.Now().Sub(began) > patience {
			break // the customer presses again, or picks another way
		}
		o, failed := s.begin(ctx, p, choice, b)
		now, err := s.UnitOfWork.Payments.PaymentByToken(ctx, b.Token)
		if err != nil {
			return p, o, fault.E(op, "", err)
		}
		p = now
		if p.Status.IsFinal() {
			o.Next = gateway.NextStep{} // called off meanwhile, or decided already: the customer goes nowhere
		}
		if isFailover := errors.Is(failed, errNotTaken); !isFailover || p.Status.IsFinal() {
			return p, o, unlessEnded(p, failed)
		}
	}
	return p, operation.Operation{}, fault.New(op, fault.NoGateway)
}

// unlessEnded is why a begin failed; a card that was refused is no failure of ours: the payment says so.
func unlessEnded(p payment.Payment, err error) error {
	if p.Status.IsFinal() && errors.Is(err, errNotTaken) {
		return nil
	}
	return wrap("operation.Begin", err)
}

func wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return fault.E(op, "", err)
}

// isSame reports whether a press of the button asks for what is under way. A deposit whose next step was lost with a crash,
// or whose payment details are over, is begun anew; one where the gateway sees money already is not.
func isSame(b Begin, current operation.Operation, now time.Time) bool {
	isSeen := gateway.State(current.Status) != gateway.Waiting && current.Status != ""
	pay := current.Next.Pay
	isOver := pay != nil && !pay.ExpiresAt.IsZero() && !now.Before(pay.ExpiresAt)
	if current.Phase == operation.Open && !isSeen && (current.Next.Kind() == "" || isOver) {
		return false
	}
	return b.GatewayID == 0 || b.GatewayID == current.GatewayID && b.Option == current.Option
}

// choices routes a payment, or takes the gateway that the customer picked. Where it was tried already comes behind all others.
func (s *Service) choices(ctx context.Context, p payment.Payment, b Begin, tried []operation.Operation) ([]routing.Choice, error) {
	const op = "operation.choices"
	if !slices.Contains(p.Method.Ways(), b.Kind) {
		return nil, fault.New(op, fault.WrongMethod, string(p.Method))
	}
	order, others, err := s.Gateways.Route(ctx, p, b.Kind)
	if err != nil {
		return nil, err
	}
	if b.GatewayID == 0 {
		if len(order) == 0 {
			s.Log.Warn("no gateway for a payment", "tracking_code", p.TrackingCode, "passed_over", fmt.Sprint(others))
			return nil, fault.New(op, fault.NoGateway)
		}
		slices.SortStableFunc(order, func(a, b routing.Choice) int { return triesAt(a, tried) - triesAt(b, tried) })
		return order, nil
	}
	for _, choice := range order {
		if choice.Gateway.ID == b.GatewayID {
			choice.Why = "picked by the customer"
			return []routing.Choice{choice}, nil
		}
	}
	return nil, fault.New(op, fault.NoGateway)
}

// errNotTaken: the gateway is known not to have taken it, and another may be tried.
var errNotTaken = errors.New("the gateway did not take it")

// begin starts a deposit at one gateway.
func (s *Service) begin(ctx context.Context, p payment.Payment, choice routing.Choice, b Begin) (operation.Operation, error) {
	g, err := s.Gateways.Open(choice.Gateway)
	if err != nil {
		return operation.Operation{}, errors.Join(errNotTaken, err)
	}
	if !g.Admit() {
		return operation.Operation{}, errNotTaken // it is failing, and another customer tries whether it still is
	}
	plan, err := s.plan(ctx, g, p, choice, b)
	if err != nil {
		return operation.Operation{}, err
	}
	p, o, err := s.commitTo(ctx, p, plan)
	if err != nil {
		return o, err
	}
	return s.start(ctx, g, p, o, b)
}

// plan freezes everything that the start will say: the fields, the quote, the address to come back to.
func (s *Service) plan(ctx context.Context, g *app.Gateway, p payment.Payment, choice routing.Choice, b Begin) (operation.DepositPlan, error) {
	plan := operation.DepositPlan{
		GatewayID: g.Account.ID, Option: b.Option, Why: choice.Why, Kind: b.Kind, PageToken: b.Token,
		Late: g.Descriptor.Deposit.Expiry.LateUntil, Lease: lease,
	}
	option, err := s.option(ctx, g, b.Option, plan.Kind)
	if err != nil {
		return plan, err
	}
	needs := append(gateway.NeedsOf(g.Descriptor.Deposit.Needs, plan.Kind), option.Needs...)
	fields, failed := gateway.CheckFields(needs, option.Asset, b.Fields)
	if err := fault.Fields("operation.plan", failed); err != nil {
		return plan, err
	}
	plan.Fields = fields
	if quoter, ok := g.Gateway.(ports.Quoter); ok && option.Asset.Code != "" && option.Asset.Code != money.TRY.Code {
		if plan.Quote, err = quote(ctx, g, quoter, p, option.Asset); err != nil {
			s.troubled(ctx, g, err)
			return plan, errors.Join(errNotTaken, err)
		}
	}
	plan.ReturnToken, err = core.NewPageToken(s.UnitOfWork.Clock.Now(), s.UnitOfWork.Random)
	return plan, err
}

// option finds the option that was picked; a gateway with one way to pay needs none.
func (s *Service) option(ctx context.Context, g *app.Gateway, id string, kind gateway.Kind) (gateway.Option, error) {
	if kind != gateway.Crypto {
		return gateway.Option{}, nil
	}
	options, err := g.Options(ctx)
	if err != nil {
		return gateway.Option{}, errors.Join(errNotTaken, err)
	}
	for _, o := range options {
		if o.ID == id {
			return o, nil
		}
	}
	return gateway.Option{}, fault.Fields("operation.option", []fault.Field{{Name: "option", Key: "field.required", Args: []any{"option"}}})
}

func quote(ctx context.Context, g *app.Gateway, q ports.Quoter, p payment.Payment, to gateway.Asset) (*gateway.Quote, error) {
	ctx, cancel := context.WithTimeout(ctx, quoteTimeout)
	defer cancel()
	given, err := app.Ask(ctx, g, gateway.CanQuote, func(ctx context.Context) (gateway.Quote, error) {
		given, err := q.Quote(ctx, gateway.QuoteRequest{From: gateway.Lira(p.Amount), To: to})
		isOne := given.To.Asset.Code == to.Code && given.To.Asset.Network == to.Network && given.To.Amount.Sign() > 0
		if err == nil && !isOne {
			err = &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawCode: "a quote of something else"}
		}
		return given, err
	})
	return &given, err
}

// commitTo puts the operation on record, as called, before anything is said to the gateway.
func (s *Service) commitTo(ctx context.Context, p payment.Payment, plan operation.DepositPlan) (payment.Payment, operation.Operation, error) {
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return p, operation.Operation{}, err
	}
	d, err := s.UnitOfWork.Decision(ctx, p, app.By(core.Actor{Kind: core.ByCustomer}))
	if err != nil {
		return p, operation.Operation{}, err
	}
	change, err := operation.DecideBegin(p, operations, plan, d)
	if err != nil {
		return p, operation.Operation{}, err
	}
	if err := s.UnitOfWork.Commit(ctx, change); err != nil {
		return p, operation.Operation{}, err // also a lost race: the page shows what came first
	}
	begun := core.RowsOf[operation.Operation](change)
	return core.RowsOf[payment.Payment](change)[0], begun[len(begun)-1], nil
}

// start makes the call that the operation was committed to.
func (s *Service) start(ctx context.Context, g *app.Gateway, p payment.Payment, o operation.Operation, b Begin) (operation.Operation, error) {
	order, err := s.order(g, p, o, b)
	if err != nil {
		return o, fault.E("operation.start", fault.Internal, err)
	}
	starter, _ := g.Gateway.(ports.DepositStarter)
	var started gateway.DepositStarted
	log, err := g.Call(ctx, gateway.CanStartDeposit, func(ctx context.Context) (string, error) {
		var err error
		if started, err = starter.StartDeposit(ctx, order); err == nil {
			named := started.Due
			started, err = app.Sanitizer{Gateway: g}.Started(o, started)
			s.checkDue(g, o, named, started.Due)
		}
		return string(started.Next.Kind()), err
	})
	if err != nil {
		return o, s.notStarted(ctx, g, o, log, err)
	}
	if started.Next.Kind() == "" { // taken, and nobody knows how to go on: asking may tell
		started.Next = gateway.NextStep{Wait: &gateway.Wait{}}
	}
	claims, err := s.mayShow(ctx, started.Next.Pay)
	if err == nil {
		_, err = s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideStarted(c, started, d).Merge(core.Rows(claims)), nil
		})
	}
	if fault.Is(err, fault.BankAccountTaken) {
		return o, s.collectsOnOurs(ctx, g, o, log, started.Next.Pay, err)
	}
	if err == nil && started.Next.Done != nil {
		err = s.report(ctx, g, o, app.Sanitizer{Gateway: g}.Observation(*started.Next.Done))
	}
	if err != nil {
		return o, err
	}
	return s.Operations.OperationBy(ctx, operation.Key{ID: o.ID})
}

// checkDue records a gateway that asks the customer for something else than was ordered.
func (s *Service) checkDue(g *app.Gateway, o operation.Operation, named, kept *gateway.Money) {
	if named != nil && kept == nil {
		s.Log.Error("a gateway names another amount than was ordered: what arrives is held to the order",
			"gateway", g.Account.Code, "ref", o.Reference, "ordered", o.Due.String(), "named", g.Excerpt(named.String()))
	}
}

// notStarted keeps a failed start. Only a gateway that is known not to have acted lets another be tried.
func (s *Service) notStarted(ctx context.Context, g *app.Gateway, o operation.Operation, log operation.GatewayCall, failure error) error {
	s.troubled(ctx, g, failure)
	e := gateway.ErrorOf(failure)
	if !gateway.HasNoEffect(failure) {
		keys := g.Descriptor.Deposit.Keys
		_, err := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNoAnswer(c, operation.Asked{Err: e, Keys: keys}, d)
		})
		return err
	}
	c, err := s.result(ctx, g, o, log, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotTaken(c, e, d)
	})
	if err != nil || c.Operation.Phase != operation.Calling {
		return err // a question or a notification has shown meanwhile that it is there
	}
	return errors.Join(errNotTaken, failure)
}

func (s *Service) order(g *app.Gateway, p payment.Payment, o operation.Operation, b Begin) (gateway.DepositOrder, error) {
	back, err := s.address(ReturnPath, o.ReturnToken)
	if err != nil {
		return gateway.DepositOrder{}, err
	}
	notify, err := s.address(NotifyPath, g.Account.HookToken)
	return gateway.DepositOrder{
		Ref: o.Reference, Key: o.Key, Amount: o.Amount, Quote: o.Quote, Kind: o.GatewayKind, Option: o.Option,
		Customer: customerOf(p, b.Addr), Fields: o.Fields, ReturnURL: back, NotifyURL: notify, ExpiresAt: p.ExpiresAt,
		Locale: string(p.Language), Text: p.Payer.Description,
	}, err
}

func customerOf(p payment.Payment, addr string) gateway.Customer {
	return gateway.Customer{
		ID: p.Customer.UserID, Username: p.Customer.Username, FullName: p.Customer.Fullname,
		FirstName: p.Payer.FirstName, LastName: p.Payer.LastName, Email: p.Payer.Email, Phone: p.Payer.Phone, IP: addr,
	}
}
