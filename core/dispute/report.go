package dispute

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// Case is what a decision about a dispute looks at.
type Case struct {
	Dispute Dispute
	// Deposit is the disputed one's case, with the payment's credits; of a zero payment where it is not known.
	Deposit operation.Case
	Others  []Dispute // the payment's other disputes
}

// maxRows bounds how often disputes change one payment's credit, and with it the callbacks that say so.
const maxRows = 200

// DecideReport takes the gateway's answer about a dispute. The same answer again changes nothing, and one that is older than an
// answer that was taken changes nothing either.
//
// What the gateway has withdrawn is taken from the payment's credit: as far as the credit has it, without what was given back to
// the customer or is on its way to them, and without what staff have taken by a correction since the dispute was opened. What the
// gateway has reinstated is given back, as far as this dispute had taken it. The totals are kept, and only what is new moves. What
// the credit does not have is a discrepancy. So is what contradicts an earlier answer, which leaves the state as it is.
func DecideReport(c Case, r gateway.DisputeReport, d payment.Decision) (core.Changeset, error) {
	before := c.Dispute
	if d.AskedVersion < before.AnsweredVersion {
		return core.Changeset{}, nil
	}
	w := &work{c: c, d: d, n: before}
	contradiction := w.learn(r)
	if c.Deposit.Payment.ID == "" {
		return core.Changeset{w.n}, nil
	}
	w.n.of(c.Deposit)
	if err := w.move(); err != nil {
		return nil, err
	}
	if len(w.change) == 0 && w.isNews() {
		w.tell()
	}
	w.discrepancies(contradiction)
	return append(core.Changeset{w.n}, w.change...), nil
}

// work is the work on one report.
type work struct {
	c      Case
	d      payment.Decision
	n      Dispute        // as it becomes
	owed   money.Amount   // reinstated, and given back to nobody
	change core.Changeset // of the payment
	found  []discrepancy.Discrepancy
}

// learn keeps what the report says of the dispute itself. It returns what in it contradicts what was said before.
func (w *work) learn(r gateway.DisputeReport) (contradiction string) {
	n, before := &w.n, w.c.Dispute
	n.Version++
	n.AnsweredVersion, n.Failures, n.Trouble = w.d.AskedVersion, 0, ""
	switch {
	case r.State == gateway.DisputeUnknown:
	case !CanBecome(n.State, r.State):
		contradiction = "the gateway says " + string(r.State) + " after " + string(n.State)
	default:
		n.State, n.RawState = r.State, r.Raw
	}
	n.Reason, n.RawReason, n.EvidenceDue = r.Reason, r.RawReason, r.EvidenceDue
	if !r.At.IsZero() {
		n.OpenedAt = r.At
	}
	if r.Amount.Amount.Sign() > 0 {
		n.Amount = r.Amount
	}
	raise(&n.Withdrawn, r.Withdrawn)
	raise(&n.Reinstated, r.Reinstated)
	raise(&n.Fee, r.Fee)
	if n.Reinstated.Amount.Cmp(n.Withdrawn.Amount) > 0 {
		of := gateway.Money{Amount: n.Withdrawn.Amount, Asset: n.Reinstated.Asset}
		contradiction = "the gateway has reinstated " + n.Reinstated.String() + " of " + of.String()
	}
	if n.State.IsOver() {
		n.EvidenceDue = time.Time{}
	}
	n.settleEvidence(r.Answered, w.d.At)
	switch {
	case !n.State.IsOver():
		n.EndedAt = time.Time{}
	case n.State != before.State:
		n.EndedAt = w.d.At
	}
	n.schedule(w.d.At)
	if before.Version != w.d.AskedVersion {
		n.NextAt = w.d.At // there was news while the gateway was asked
	}
	if w.isNews() {
		n.UpdatedAt = w.d.At
	}
	return contradiction
}

// raise takes a total over where it is more than was known. Totals never fall.
func raise(known *gateway.Money, told *gateway.Money) {
	if told != nil && told.Amount.Sign() > 0 && (known.Amount.Sign() == 0 || told.IsSameAsset(*known) && told.Amount.Cmp(known.Amount) > 0) {
		*known = *told
	}
}

// of says whose the dispute is.
func (n *Dispute) of(c operation.Case) {
	p := c.Payment
	n.PaymentID, n.TrackingCode, n.OperationID, n.DealerID, n.ProviderID = p.ID, p.TrackingCode, c.Operation.ID, p.DealerID, p.ProviderID
}

// isNews reports whether the dispute is otherwise than before in what people are told of it.
func (w *work) isNews() bool {
	n, before := w.n, w.c.Dispute
	return n.PaymentID != before.PaymentID || n.State != before.State || n.Reason != before.Reason || n.Amount != before.Amount ||
		n.Withdrawn != before.Withdrawn || n.Reinstated != before.Reinstated || n.Taken != before.Taken ||
		n.Returned != before.Returned || !n.EvidenceDue.Equal(before.EvidenceDue)
}

// move brings the payment's credit to what the gateway has withdrawn and not reinstated.
func (w *work) move() error {
	n, deposit := &w.n, w.c.Deposit
	currency := deposit.Payment.Amount.Currency()
	amount := func(minor int64) money.Amount { return money.New(minor, currency) }
	withdrawn, _ := deposit.Operation.Worth(n.Withdrawn)
	reinstated, _ := deposit.Operation.Worth(n.Reinstated)
	gone := max(withdrawn.Minor()-reinstated.Minor(), 0)
	taken := n.Taken.Minor() - n.Returned.Minor()
	covered := min(max(w.byStaff(), 0), max(gone-taken, 0))
	delta := gone - taken - covered // to be taken; less than nothing: to be given back
	take, back := min(max(delta, 0), w.room()), max(-delta, 0)
	if back > 0 && !w.mayMove() {
		back = 0
	}
	w.owed = amount(max(-delta, 0) - back + max(w.c.Dispute.Covered.Minor()-covered, 0))
	n.Taken, n.Returned = amount(n.Taken.Minor()+take), amount(n.Returned.Minor()+back)
	n.Covered, n.Uncovered = amount(covered), amount(max(delta, 0)-take)
	if take == back { // neither
		return nil
	}
	return w.credit(amount(back - take))
}

// mayMove reports whether the payment stands as completed with the disputed deposit's money, so that its credit can change.
func (w *work) mayMove() bool {
	p := w.c.Deposit.Payment
	return p.IsCredited() && p.Gateway.OperationID == w.c.Deposit.Operation.ID && len(w.c.Deposit.Credits) > 0 &&
		len(w.c.Deposit.Credits) <= maxRows
}

// room is how much can be taken of the payment's credit: what is given back to the customer, or on its way to them, stays in it.
func (w *work) room() int64 {
	if !w.mayMove() {
		return 0
	}
	p := w.c.Deposit.Payment
	left, _ := w.c.Deposit.Left()
	worth, _ := w.c.Deposit.Operation.Worth(left)
	return max(min(p.Amount.Minor()-p.Gateway.Refunded.Minor(), worth.Minor()), 0)
}

// byStaff is what staff have taken from the credit by corrections since the dispute was opened, and no other dispute counts as its own.
func (w *work) byStaff() int64 {
	since := w.n.OpenedAt
	if since.IsZero() {
		since = w.n.CreatedAt
	}
	var sum int64
	for _, k := range w.c.Deposit.Credits {
		if k.Number > 1 && k.Source == payment.CreditOfStaff && !k.At.Before(since) {
			sum -= k.Amount.Minor()
		}
	}
	for _, other := range w.c.Others {
		sum -= other.Covered.Minor()
	}
	return sum
}

// credit changes the payment's credit by an amount, with a row that names the dispute. The callback says so.
func (w *work) credit(by money.Amount) error {
	p, d := w.c.Deposit.Payment, w.d
	d.Reason = "" // of the payment's own decisions
	change, err := payment.Advance(p, payment.Dispute, money.New(p.Amount.Minor()+by.Minor(), p.Amount.Currency()), d)
	if err != nil {
		return err
	}
	change = core.Edit(change, func(after *payment.Payment) {
		after.CorrectedAmount = money.New(p.CorrectedAmount.Minor()+by.Minor(), p.Amount.Currency())
		w.count(after)
	})
	change = core.Edit(change, func(t *payment.Transition) { t.Reason = w.said() })
	k := payment.Credit{Amount: by, Source: payment.CreditOfDispute, DisputeID: w.n.ID}
	if by.Minor() > 0 {
		k.Brought = by
	}
	d.Reason = w.said()
	w.change = append(w.payload(change), k.Of(p, len(w.c.Deposit.Credits)+1, d))
	return nil
}

// count keeps with the payment what disputes have to do with it.
func (w *work) count(p *payment.Payment) {
	net := w.n.Taken.Minor() - w.n.Returned.Minor()
	for _, other := range w.c.Others {
		net += other.Taken.Minor() - other.Returned.Minor()
	}
	p.Gateway.Disputes, p.Gateway.Disputed = len(w.c.Others)+1, money.New(net, p.Amount.Currency())
}

// tell has the payment's receiver told of a dispute that has moved no money.
func (w *work) tell() {
	p := w.c.Deposit.Payment
	p.Version++
	p.UpdatedAt = w.d.At
	w.count(&p)
	note := p.Note(payment.Dispute, w.n.Amount, w.d.By, w.said(), payment.TransitionID{ID: w.d.IDs.Next(), At: w.d.At})
	w.change = core.Changeset{p, note}
	if p.IsCredited() {
		w.change = append(w.change, w.payload(core.Rows(payment.Tell(p, w.d)))...)
	}
}

// payload says of the dispute what a new callback tells.
func (w *work) payload(change core.Changeset) core.Changeset {
	n, o := w.n, w.c.Deposit.Operation
	amount, _ := o.Worth(n.Amount)
	return core.Edit(change, func(cb *payment.Callback) {
		if cb.Version == 1 {
			cb.Payload.Dispute = payment.DisputeNote{
				ID: n.ID, State: n.State, Reason: n.Reason, Amount: amount, Withdrawn: n.Taken, Reinstated: n.Returned, EvidenceDue: n.EvidenceDue,
			}
		}
	})
}

// said is what a payment's history says of the dispute.
func (w *work) said() string {
	return "dispute " + w.n.ExternalID + ": " + string(w.n.State) + ", " + string(w.n.Reason)
}

// discrepancies keeps what does not fit for staff. That the deposit is disputed is none any more: the dispute says so itself.
func (w *work) discrepancies(contradiction string) {
	uncovered, before := w.n.Uncovered.Minor(), w.c.Dispute.Uncovered.Minor()
	for _, other := range w.c.Others {
		uncovered, before = uncovered+other.Uncovered.Minor(), before+other.Uncovered.Minor()
	}
	_, isForeign := w.c.Deposit.Operation.Worth(w.n.Withdrawn)
	isForeign = !isForeign && w.n.Withdrawn.Amount.Sign() > 0
	currency := w.c.Deposit.Payment.Amount.Currency()
	name := "dispute " + w.n.ExternalID + ": "
	switch {
	case contradiction != "":
		w.open(w.n.Amount, name+contradiction)
	case isForeign:
		w.open(w.n.Withdrawn, name+w.n.Withdrawn.String()+" was withdrawn, which is not the payment's currency")
	case w.owed.Minor() > 0:
		w.open(gateway.Lira(w.owed), name+"reinstated, and the payment was not credited with it again")
	case uncovered > 0:
		w.open(gateway.Lira(money.New(uncovered, currency)), name+"more was withdrawn than the payment is still credited with")
	case before > 0 || w.c.Dispute.PaymentID == "":
		w.settle()
	}
	w.change = append(w.change, core.Rows(w.found)...)
}

func (w *work) open(seen gateway.Money, detail string) {
	p, o := w.c.Deposit.Payment, w.c.Deposit.Operation
	found, isNews := discrepancy.Record(w.c.Deposit.Discrepancies, discrepancy.Discrepancy{
		ID: w.d.IDs.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, OperationID: o.ID, GatewayID: o.GatewayID,
		DealerID: p.DealerID, ProviderID: p.ProviderID, Kind: discrepancy.Dispute, Status: discrepancy.Open, Expected: o.Due,
		Seen: seen, Detail: detail, CreatedAt: w.d.At, UpdatedAt: w.d.At,
	}, time.Time{})
	if isNews {
		w.found = append(w.found, found)
	}
}

func (w *work) settle() {
	for _, known := range w.c.Deposit.Discrepancies {
		if known.OperationID == w.c.Deposit.Operation.ID && known.Kind == discrepancy.Dispute && known.Status == discrepancy.Open {
			known.Version++
			known.Status, known.UpdatedAt, known.ResolvedBy, known.Reason = discrepancy.Settled, w.d.At, core.System, "kept as a dispute"
			w.found = append(w.found, known)
		}
	}
}
