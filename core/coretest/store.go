package coretest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// Store keeps one payment and everything of it at gateways.
type Store struct {
	Payment       payment.Payment
	Operations    []operation.Operation
	Discrepancies []discrepancy.Discrepancy
	Credits       []payment.Credit
	Moves         []payment.Transition
	Callbacks     []payment.Callback
	Now           time.Time
	IDs           *core.IDs
}

// NewStore has a payment of 250.00, a minute old, of which no gateway knows yet.
func NewStore(t T, m payment.Method) *Store {
	t.Helper()
	now := Evening.Add(time.Minute)
	return &Store{Payment: Started(t, m), Now: now, IDs: NewIDs(t, now)}
}

// Operation is one of the payment's.
func (b *Store) Operation(id core.ID) operation.Operation { return b.CaseOf(id).Operation }

// CaseOf is what a decision about an operation is made from.
func (b *Store) CaseOf(id core.ID) operation.Case {
	return operation.CaseOf(b.Payment, slices.Clone(b.Operations), slices.Clone(b.Discrepancies), slices.Clone(b.Credits), id)
}

// Kinds lists the discrepancies of an operation with their states, in the order in which they came.
func (b *Store) Kinds(id core.ID) []string {
	var all []string
	for _, d := range b.Discrepancies {
		if d.OperationID == id {
			all = append(all, string(d.Kind)+" "+string(d.Status))
		}
	}
	return all
}

// Discrepancy is the latest of a kind.
func (b *Store) Discrepancy(t T, kind discrepancy.Kind) discrepancy.Discrepancy {
	t.Helper()
	for _, d := range slices.Backward(b.Discrepancies) {
		if d.Kind == kind {
			return d
		}
	}
	t.Fatalf("no discrepancy %s among %+v", kind, b.Discrepancies)
	return discrepancy.Discrepancy{}
}

// Decision is somebody's, now.
func (b *Store) Decision(by core.Actor, reason string) payment.Decision {
	return payment.Decision{
		By: by, At: b.Now, Reason: reason, Target: payment.Target{Receiver: "r", URL: "https://example.com"},
		Schedule: payment.DefaultRetrySchedule, IDs: b.IDs,
	}
}

// Decide is a decision about an operation.
type Decide func(c operation.Case, d payment.Decision) (core.Changeset, error)

// Take has the system decide about an operation, and keeps what comes of it. An answer is one to a question that was just
// begun.
func (b *Store) Take(t T, id core.ID, decide Decide) core.Changeset {
	t.Helper()
	return b.TakeAsked(t, id, b.Operation(id).Version, decide)
}

// TakeAsked is Take for the answer to a question that was begun at a version of the operation.
func (b *Store) TakeAsked(t T, id core.ID, asked int, decide Decide) core.Changeset {
	t.Helper()
	d := b.Decision(core.System, "")
	d.AskedVersion = asked
	change, err := decide(b.CaseOf(id), d)
	if err != nil {
		t.Fatalf("the decision fails: %v\n%+v", err, b.Operation(id))
	}
	b.Apply(t, change)
	return change
}

// Order has staff decide. An error is theirs to read, and keeps nothing.
func (b *Store) Order(t T, id core.ID, decide Decide) error {
	t.Helper()
	change, err := decide(b.CaseOf(id), b.Decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why"))
	if err == nil {
		b.Apply(t, change)
	} else if len(change) > 0 {
		t.Fatalf("refused with %v, yet changes %+v", err, change)
	}
	return err
}

// Apply keeps a changeset, which must not have lost a race.
func (b *Store) Apply(t T, change core.Changeset) {
	t.Helper()
	if !b.Commits(change) {
		t.Fatalf("lost a race against itself: %+v", change)
	}
	for _, d := range core.RowsOf[discrepancy.Discrepancy](change) {
		isByNews := d.Status == discrepancy.Settled && d.ResolvedBy.Kind != core.ByStaff
		if lang.Detail(lang.TR, d.Detail) == d.Detail || isByNews && lang.Detail(lang.TR, d.Reason) == d.Reason {
			t.Fatalf("not said in Turkish: %q, %q", d.Detail, d.Reason)
		}
	}
}

// Commits keeps a changeset as a database does, and reports whether it could: a row replaces the one whose version is one
// less, an operation's reference is its own, an operation credits once, and credits are covered.
func (b *Store) Commits(change core.Changeset) bool {
	payments, ok1 := saved([]payment.Payment{b.Payment}, change, nil)
	operations, ok2 := saved(b.Operations, change, func(o operation.Operation) string { return string(o.Reference) })
	discrepancies, ok3 := saved(b.Discrepancies, change, nil)
	credits, ok4 := saved(b.Credits, change, func(k payment.Credit) string { return string(k.OperationID) })
	if !ok1 || !ok2 || !ok3 || !ok4 || !isCovered(payments[0], operations, credits) {
		return false
	}
	b.Payment, b.Operations, b.Discrepancies, b.Credits = payments[0], operations, discrepancies, credits
	b.Moves = append(slices.Clone(b.Moves), core.RowsOf[payment.Transition](change)...)
	b.Callbacks = append(slices.Clone(b.Callbacks), core.RowsOf[payment.Callback](change)...)
	return true
}

// saved replaces rows by a changeset's. Unique is a text that no two rows share, unless it is empty.
func saved[R core.Row](rows []R, change core.Changeset, unique func(R) string) ([]R, bool) {
	rows = slices.Clone(rows)
	for _, next := range core.RowsOf[R](change) {
		id := next.Identity()
		i := slices.IndexFunc(rows, func(r R) bool { return r.Identity().Key == id.Key })
		isTaken := unique != nil && unique(next) != "" && slices.ContainsFunc(rows, func(r R) bool {
			return unique(r) == unique(next) && r.Identity().Key != id.Key
		})
		switch {
		case isTaken:
			return nil, false
		case i < 0 && id.Version == 1:
			rows = append(rows, next)
		case i >= 0 && id.Version == rows[i].Identity().Version+1:
			rows[i] = next
		default:
			return nil, false
		}
	}
	return rows, true
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
