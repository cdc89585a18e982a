package operation

import (
	"context"
	"errors"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// maxFailovers bounds how many gateways are tried for one press of the button.
const maxFailovers = 3

// Begin is a customer who wants to pay through a gateway.
type Begin struct {
	Token     string
	Kind      gateway.Kind      // the way that was picked; empty: the payment's own
	GatewayID int64             // 0: the route decides (cards)
	Option    string            // the gateway's option that was picked, where it has several
	Fields    map[string]string // what the gateway's Needs ask for
	Addr      string            // the customer's
}

// Begin hands a payment to a gateway and gives the operation with its next step. Pressing again gives the same one, as
// long as the choice is the same; another choice calls the first one off. When a gateway is known not to have taken it,
// the next of the route is tried; an operation that is still Calling waits for the gateway to be asked. Faults:
// NoGateway, Invalid (fields), Expired, AlreadyFinal, NotAllowed.
func (s *Service) Begin(ctx context.Context, b Begin) (core.Payment, core.Operation, error) {
	const op = "operation.Begin"
	p, err := s.Store.PaymentByToken(ctx, b.Token)
	if err != nil {
		return p, core.Operation{}, fault.E(op, "", err)
	}
	if b.Kind == "" {
		b.Kind = p.Method.Gateway()
	}
	operations, err := s.Store.OperationsOf(ctx, p.ID)
	if err != nil {
		return p, core.Operation{}, fault.E(op, "", err)
	}
	if current, ok := core.Current(operations); ok && isSame(b, current) {
		return p, current, nil
	}
	choices, err := s.choices(ctx, p, b)
	if err != nil {
		return p, core.Operation{}, fault.E(op, "", err)
	}
	for _, choice := range choices[:min(len(choices), maxFailovers)] {
		o, failed := s.begin(ctx, p, choice, b)
		if p, err = s.Store.PaymentByToken(ctx, b.Token); err != nil {
			return p, o, fault.E(op, "", err)
		}
		if isFailover := errors.Is(failed, errNotTaken); !isFailover || p.Status.IsFinal() {
			return p, o, unlessEnded(p, failed)
		}
	}
	return p, core.Operation{}, fault.New(op, fault.NoGateway)
}

// unlessEnded is why a begin failed; a card that was refused is no failure of ours: the payment says so.
func unlessEnded(p core.Payment, err error) error {
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

// kindsOf lists the ways in which a payment can be paid: a card by card, a third-party deposit by its own way and the
// others (E9: the customer picks).
func kindsOf(p core.Payment) []gateway.Kind {
	own := p.Method.Gateway()
	if own == "" || own == gateway.Card {
		return []gateway.Kind{own}
	}
	kinds := []gateway.Kind{own}
	for _, k := range []gateway.Kind{gateway.Bank, gateway.Crypto, gateway.Wallet} {
		if k != own {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// isSame tells whether a press of the button asks for what is under way. A deposit that is open, but whose next step was
// lost with a crash, is begun anew.
func isSame(b Begin, current core.Operation) bool {
	if current.Phase == core.Open && current.Next.Kind() == "" {
		return false
	}
	return b.GatewayID == 0 || b.GatewayID == current.GatewayID && b.Option == current.Option
}

// choices routes a payment, or takes the gateway that the customer picked.
func (s *Service) choices(ctx context.Context, p core.Payment, b Begin) ([]core.Choice, error) {
	const op = "operation.choices"
	if !slices.Contains(kindsOf(p), b.Kind) {
		return nil, fault.New(op, fault.WrongMethod, string(p.Method))
	}
	candidates, err := s.Gateways.Candidates(ctx, b.Kind, p.Amount)
	if err != nil {
		return nil, err
	}
	rules, err := s.Store.RouteRules(ctx)
	if err != nil {
		return nil, err
	}
	order, skipped := core.DecideRoute(p, b.Kind, candidates, rules)
	if b.GatewayID == 0 {
		if len(order) == 0 {
			s.Log.Warn("no gateway for a payment", "tracking_code", p.TrackingCode, "skipped", skipped)
			return nil, fault.New(op, fault.NoGateway)
		}
		return order, nil
	}
	for _, choice := range order {
		if choice.Account.ID == b.GatewayID {
			choice.Why = "picked by the customer"
			return []core.Choice{choice}, nil
		}
	}
	return nil, fault.New(op, fault.NoGateway)
}

// errNotTaken: the gateway is known not to have taken it, and another may be tried.
var errNotTaken = errors.New("the gateway did not take it")

// begin starts a deposit at one gateway.
func (s *Service) begin(ctx context.Context, p core.Payment, choice core.Choice, b Begin) (core.Operation, error) {
	g, err := s.Gateways.Open(choice.Account)
	if err != nil {
		return core.Operation{}, errors.Join(errNotTaken, err)
	}
	plan, err := s.plan(ctx, g, p, choice, b)
	if err != nil {
		return core.Operation{}, err
	}
	p, o, err := s.commitTo(ctx, p, plan)
	if err != nil {
		return o, err
	}
	return s.start(ctx, g, p, o, b)
}

// plan freezes everything that the start will say: the fields, the quote, the address to come back to.
func (s *Service) plan(ctx context.Context, g *app.Gateway, p core.Payment, choice core.Choice, b Begin) (core.DepositPlan, error) {
	plan := core.DepositPlan{
		GatewayID: g.Account.ID, Option: b.Option, Why: choice.Why, Kind: b.Kind,
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
	plan.ReturnToken, err = core.NewPageToken(s.Desk.Random)
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

func quote(ctx context.Context, g *app.Gateway, q ports.Quoter, p core.Payment, to gateway.Asset) (*gateway.Quote, error) {
	var given gateway.Quote
	_, err := g.Call(ctx, gateway.CanQuote, func(ctx context.Context) (string, error) {
		var err error
		given, err = q.Quote(ctx, gateway.QuoteRequest{From: gateway.Lira(p.Amount), To: to})
		return "quoted", err
	})
	return &given, err
}

// commitTo puts the operation on record, as called, before anything is said to the gateway.
func (s *Service) commitTo(ctx context.Context, p core.Payment, plan core.DepositPlan) (core.Payment, core.Operation, error) {
	operations, err := s.Store.OperationsOf(ctx, p.ID)
	if err != nil {
		return p, core.Operation{}, err
	}
	by := core.Actor{Kind: core.ByCustomer, ID: p.Customer.UserID, Name: p.Customer.Username}
	d, err := s.Desk.Decision(ctx, p, by, "")
	if err != nil {
		return p, core.Operation{}, err
	}
	change, err := core.DecideBegin(p, operations, plan, d)
	if err != nil {
		return p, core.Operation{}, err
	}
	if err := s.Desk.Commit(ctx, change); err != nil {
		return p, core.Operation{}, err // also a lost race: the page shows what came first
	}
	return change.Payments[0], change.Operations[len(change.Operations)-1], nil
}

// start makes the call that the operation was committed to.
func (s *Service) start(ctx context.Context, g *app.Gateway, p core.Payment, o core.Operation, b Begin) (core.Operation, error) {
	order, err := s.order(g, p, o, b)
	if err != nil {
		return o, fault.E("operation.start", fault.Internal, err)
	}
	starter, _ := g.Gateway.(ports.DepositStarter)
	var started gateway.DepositStarted
	log, err := g.Call(ctx, gateway.CanStartDeposit, func(ctx context.Context) (string, error) {
		var err error
		started, err = starter.StartDeposit(ctx, order)
		return string(started.Next.Kind()), err
	})
	if err != nil {
		return o, s.notStarted(ctx, g, o, log, err)
	}
	if started.Next.Kind() == "" { // taken, and nobody knows how to go on: asking may tell
		started.Next = gateway.NextStep{Wait: &gateway.Wait{}}
	}
	_, err = s.result(ctx, g, o, log, func(c core.Case, d core.Decision) (core.Changeset, error) {
		return core.DecideStarted(c, started, d), nil
	})
	if err == nil && started.Next.Done != nil {
		err = s.report(ctx, g, o, *started.Next.Done)
	}
	if err != nil {
		return o, err
	}
	return s.Store.OperationBy(ctx, core.OperationKey{ID: o.ID})
}

// notStarted keeps a failed start. Only a gateway that is known not to have acted lets another be tried.
func (s *Service) notStarted(ctx context.Context, g *app.Gateway, o core.Operation, log core.GatewayCall, failure error) error {
	s.troubled(ctx, g, failure)
	e := gateway.ErrorOf(failure)
	if !gateway.HasNoEffect(failure) {
		keys := g.Descriptor.Deposit.Keys
		_, err := s.result(ctx, g, o, log, func(c core.Case, d core.Decision) (core.Changeset, error) {
			return core.DecideNoAnswer(c, core.Asked{Err: e, Keys: keys}, d)
		})
		return err
	}
	_, err := s.result(ctx, g, o, log, func(c core.Case, d core.Decision) (core.Changeset, error) {
		return core.DecideNotTaken(c, e, d)
	})
	if err != nil {
		return err
	}
	return errors.Join(errNotTaken, failure)
}

func (s *Service) order(g *app.Gateway, p core.Payment, o core.Operation, b Begin) (gateway.DepositOrder, error) {
	back, err := s.address(ReturnPath, o.ReturnToken)
	if err != nil {
		return gateway.DepositOrder{}, err
	}
	notify, err := s.address(NotifyPath, g.Account.HookToken)
	return gateway.DepositOrder{
		Ref: o.Ref, Key: o.Key, Amount: o.Amount, Quote: o.Quote, Kind: o.GatewayKind, Option: o.Option,
		Customer: customerOf(p, b.Addr), Fields: o.Fields, ReturnURL: back, NotifyURL: notify, ExpiresAt: p.ExpiresAt,
		Locale: string(p.Language), Text: p.Payer.Description,
	}, err
}

func customerOf(p core.Payment, addr string) gateway.Customer {
	return gateway.Customer{
		ID: p.Customer.UserID, Username: p.Customer.Username, FullName: p.Customer.Fullname,
		FirstName: p.Payer.FirstName, LastName: p.Payer.LastName, Email: p.Payer.Email, Phone: p.Payer.Phone, IP: addr,
	}
}
