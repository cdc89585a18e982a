package core_test

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// exactly lets cmp compare amounts and decimals by their own equality.
var exactly = cmp.Options{sameMoney, cmp.Comparer(func(a, b money.Decimal) bool { return a == b })}

// books keep one payment and everything of it at gateways, as a store does.
type books struct {
	payment       payment.Payment
	operations    []operation.Operation
	discrepancies []discrepancy.Discrepancy
	credits       []payment.Credit
	moves         []payment.Move
	callbacks     []payment.Callback
	now           time.Time
	ids           *core.IDs
}

// newBooks has a payment of 250.00, a minute old, of which no gateway knows yet.
func newBooks(t testingT, m payment.Method) *books {
	t.Helper()
	now := evening.Add(time.Minute)
	return &books{payment: started(t, m), now: now, ids: newIDs(t, now)}
}

// payoutBooks has a payout of 250.00 that leaves at once, or waits for approval from an amount on.
func payoutBooks(t testingT, m payment.Method, approvalFrom money.Amount) *books {
	t.Helper()
	b := &books{now: evening.Add(time.Minute), ids: newIDs(t, evening)}
	change := operation.DecidePayout(payment.Start{
		Method: m, Provider: owner.Provider{ID: 7}, Site: owner.Site{ID: 3, ProviderID: 7, DealerID: 5, Name: "Site"},
		Customer: owner.Customer{UserID: "u-1", Username: "ayse", Fullname: "Ayşe Yılmaz"}, Amount: lira(25000),
		IBAN: "TR330006100519786457841326",
	}, operation.PayoutPlan{
		Gateway: owner.GatewayAccount{ID: 9, ApprovalFrom: approvalFrom}, Fields: map[string]string{"iban": "TR33"},
	}, payment.Birth{At: evening, ExpiresIn: 24 * time.Hour, TrackingCode: m.Prefix() + "0123456789ABCDEF", IDs: b.ids})
	b.payment, b.operations = core.RowsOf[payment.Payment](change)[0], core.RowsOf[operation.Operation](change)
	return b
}

// depositPlan is a start at gateway 9 that money can follow for two hours after the payment's end.
func depositPlan(m payment.Method) operation.DepositPlan {
	return operation.DepositPlan{
		GatewayID: 9, Kind: m.Gateway(), Why: "default, priority 1", ReturnToken: "R", Late: 2 * time.Hour, Lease: 35 * time.Second,
	}
}

// begun is a payment that is on its way to a gateway.
func begun(t testingT, m payment.Method) (*books, core.ID) {
	t.Helper()
	b := newBooks(t, m)
	return b, b.begin(t, depositPlan(m))
}

// opened is a payment whose deposit the gateway has taken.
func opened(t testingT, m payment.Method) (*books, core.ID) {
	t.Helper()
	b, id := begun(t, m)
	b.takeStart(t, id)
	return b, id
}

func (b *books) begin(t testingT, plan operation.DepositPlan) core.ID {
	t.Helper()
	change, err := operation.DecideBegin(b.payment, b.operations, plan, b.decision(core.Actor{Kind: core.ByCustomer}, ""))
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	b.apply(t, change)
	return b.payment.AtGate.OperationID
}

func (b *books) takeStart(t testingT, id core.ID) {
	t.Helper()
	b.take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideStarted(c, gateway.DepositStarted{
			External: gateway.ExternalRef{ID: "ext-" + string(id)},
			Next:     gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://pay.example.com"}},
		}, d), nil
	})
}

func (b *books) observe(t testingT, id core.ID, seen gateway.Observation) core.Changeset {
	t.Helper()
	return b.take(t, id, observed(seen))
}

func observed(seen gateway.Observation) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideObserved(c, seen, d)
	}
}

// decide is a decision about a case.
type decide func(c operation.Case, d payment.Decision) (core.Changeset, error)

// take has the system decide about an operation, and keeps what comes of it. An answer is one to a question that was just
// begun.
func (b *books) take(t testingT, id core.ID, decide decide) core.Changeset {
	t.Helper()
	return b.takeAsked(t, id, b.operation(id).Version, decide)
}

// takeAsked is take for the answer to a question that was begun at a version of the operation.
func (b *books) takeAsked(t testingT, id core.ID, asked int, decide decide) core.Changeset {
	t.Helper()
	d := b.decision(core.System, "")
	d.AskedVersion = asked
	change, err := decide(b.caseOf(id), d)
	if err != nil {
		t.Fatalf("the decision fails: %v\n%+v", err, b.operation(id))
	}
	b.apply(t, change)
	return change
}

// order has staff decide; an error is theirs to read, and keeps nothing.
func (b *books) order(t testingT, id core.ID, decide decide) error {
	t.Helper()
	change, err := decide(b.caseOf(id), b.decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why"))
	if err == nil {
		b.apply(t, change)
	} else if !isNothing(change) {
		t.Fatalf("refused with %v, yet changes %+v", err, change)
	}
	return err
}

func isNothing(c core.Changeset) bool {
	return len(c) == 0
}

func (b *books) caseOf(id core.ID) operation.Case {
	return operation.CaseOf(b.payment, slices.Clone(b.operations), slices.Clone(b.discrepancies), slices.Clone(b.credits), id)
}

func (b *books) decision(by core.Actor, reason string) payment.Decision {
	return payment.Decision{
		By: by, At: b.now, Reason: reason, Target: payment.Target{Receiver: "r", URL: "https://example.com"},
		Ladder: payment.DefaultLadder, IDs: b.ids,
	}
}

// apply keeps a changeset as a store does: a row replaces the one whose version is one less, or the commit fails.
func (b *books) apply(t testingT, change core.Changeset) {
	t.Helper()
	if !b.commits(change) {
		t.Fatalf("lost a race against itself: %+v", change)
	}
}

// commits keeps a changeset unless it lost a race.
func (b *books) commits(change core.Changeset) bool {
	payments, ok1 := saved([]payment.Payment{b.payment}, core.RowsOf[payment.Payment](change), func(p payment.Payment) row { return row{string(p.ID), p.Version, ""} })
	operations, ok2 := saved(b.operations, core.RowsOf[operation.Operation](change), func(o operation.Operation) row { return row{string(o.ID), o.Version, string(o.Ref)} })
	discrepancies, ok3 := saved(b.discrepancies, core.RowsOf[discrepancy.Discrepancy](change), func(d discrepancy.Discrepancy) row { return row{string(d.ID), d.Version, ""} })
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	credits, ok4 := saved(b.credits, core.RowsOf[payment.Credit](change), func(k payment.Credit) row { return row{string(k.ID), k.Version, string(k.OperationID)} })
	if !ok4 || !isCovered(payments[0], operations, credits) {
		return false
	}
	b.payment, b.operations, b.discrepancies, b.credits = payments[0], operations, discrepancies, credits
	b.moves = append(slices.Clone(b.moves), core.RowsOf[payment.Move](change)...)
	b.callbacks = append(slices.Clone(b.callbacks), core.RowsOf[payment.Callback](change)...)
	return true
}

// isCovered is what the database holds every commit to: a payment counts as paid by what its credits add up to, and those of
// an operation are within what that brought.
func isCovered(p payment.Payment, operations []operation.Operation, credits []payment.Credit) bool {
	if p.IsCredited() && (len(credits) == 0 || payment.Credited(credits) != p.Amount) {
		return false
	}
	for _, k := range credits {
		if k.OperationID == "" {
			continue
		}
		i := slices.IndexFunc(operations, func(o operation.Operation) bool { return o.ID == k.OperationID })
		isWithin := k.Source != payment.CreditOfOperation || !k.Brought.Less(payment.Credited(credits))
		if i < 0 || operations[i].Brought.Less(k.Brought) || !isWithin {
			return false
		}
	}
	return true
}

// row is what a store looks at when it saves one.
type row struct {
	id      string
	version int
	unique  string // another text that no two rows share
}

func saved[T any](rows, changed []T, of func(T) row) ([]T, bool) {
	rows = slices.Clone(rows)
	for _, c := range changed {
		next := of(c)
		i := slices.IndexFunc(rows, func(r T) bool { return of(r).id == next.id })
		isTaken := slices.ContainsFunc(rows, func(r T) bool {
			return next.unique != "" && of(r).unique == next.unique && of(r).id != next.id
		})
		switch {
		case isTaken:
			return nil, false
		case i < 0 && next.version == 1:
			rows = append(rows, c)
		case i >= 0 && next.version == of(rows[i]).version+1:
			rows[i] = c
		default:
			return nil, false
		}
	}
	return rows, true
}

func (b *books) operation(id core.ID) operation.Operation { return b.caseOf(id).Operation }

// kinds lists the discrepancies of an operation with their states, in the order in which they came.
func (b *books) kinds(id core.ID) []string {
	var all []string
	for _, d := range b.discrepancies {
		if d.OperationID == id {
			all = append(all, string(d.Kind)+" "+string(d.State))
		}
	}
	return all
}

// discrepancy is the latest of a kind.
func (b *books) discrepancy(t testingT, kind discrepancy.DiscrepancyKind) discrepancy.Discrepancy {
	t.Helper()
	for _, d := range slices.Backward(b.discrepancies) {
		if d.Kind == kind {
			return d
		}
	}
	t.Fatalf("no discrepancy %s among %+v", kind, b.discrepancies)
	return discrepancy.Discrepancy{}
}

func (b *books) resolve(t testingT, kind discrepancy.DiscrepancyKind, r operation.Resolution, amount money.Amount) error {
	t.Helper()
	known := b.discrepancy(t, kind)
	return b.order(t, known.OperationID, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideResolution(c, known.ID, r, amount, d)
	})
}

// refund plans a refund of a deposit and gives it.
func (b *books) refund(t testingT, of core.ID, plan operation.RefundPlan) (core.ID, error) {
	t.Helper()
	err := b.order(t, of, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefund(c, plan, d)
	})
	if err != nil {
		return "", err
	}
	return b.operations[len(b.operations)-1].ID, nil
}

// send commits to sending a payout or a refund.
func (b *books) send(t testingT, id core.ID) (ok bool) {
	t.Helper()
	b.take(t, id, func(c operation.Case, d payment.Decision) (change core.Changeset, err error) {
		change, ok, err = operation.DecideSend(c, d, time.Minute)
		return change, err
	})
	return ok
}

// atGateway is an amount of kuruş at a gateway.
func atGateway(minor int64) gateway.Money { return gateway.Lira(lira(minor)) }

var usdt = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

func coins(text string) gateway.Money {
	return gateway.Money{Amount: money.MustDecimal(text), Asset: usdt}
}

// answered is the gateway's own answer about a deposit, without money or with some.
func answered(s gateway.State, paid ...gateway.Money) gateway.Observation {
	seen := gateway.Observation{State: s, Trust: gateway.Answered, Raw: "raw " + string(s)}
	if len(paid) > 0 {
		seen.Paid = &paid[0]
	}
	return seen
}
