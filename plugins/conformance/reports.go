package conformance

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core/gateway"
)

// problemsOf says what is wrong with a report, whatever the gateway and its situation.
func problemsOf(report any) []string {
	switch r := report.(type) {
	case gateway.Observation:
		return observationProblems(r)
	case gateway.ObservationPage:
		return each(r.Items, observationProblems)
	case gateway.DepositStarted:
		return startProblems(r)
	case gateway.PayoutReport:
		return payoutProblems(r)
	case gateway.RefundReport:
		return refundProblems(r)
	case gateway.Notification:
		return slices.Concat(each(r.Events, observationProblems), each(r.Payouts, payoutProblems),
			each(r.Refunds, refundProblems), each(r.Lines, lineProblems))
	case gateway.StatementPage:
		return each(r.Lines, lineProblems)
	default:
		return nil
	}
}

func each[R any](rows []R, problems func(R) []string) []string {
	var all []string
	for _, r := range rows {
		all = append(all, problems(r)...)
	}
	return all
}

// findings collects problems.
type findings []string

func (f *findings) unless(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Sprintf(format, args...))
	}
}

func (f *findings) external(e gateway.ExternalRef) {
	f.unless(len(e.State) <= gateway.MaxStateBytes, "External.State has %d bytes, and at most %d are kept", len(e.State),
		gateway.MaxStateBytes)
}

func (f *findings) trust(t gateway.Trust) {
	f.unless(t >= gateway.Hint && t <= gateway.Answered, "Trust is %d: take one of the constants", int(t))
}

func observationProblems(o gateway.Observation) []string {
	var f findings
	f.unless(slices.Contains(gateway.States(), o.State),
		"State %q must be one of %v; what the table lacks is gateway.Unknown", o.State, gateway.States())
	f.unless(!isPaid(o.State) || o.Paid != nil,
		"State is %s and Paid is nil: say what really arrived; where the gateway doesn't state it, take DepositKey.Due, and "+
			"of a notification report gateway.Processing", o.State)
	f.unless(o.Paid == nil || o.Paid.Amount.Sign() >= 0, "Paid is negative")
	f.unless(!isPaid(o.State) || o.Paid == nil || o.Paid.Amount.Sign() > 0, "State is %s and Paid is 0", o.State)
	f.external(o.External)
	f.trust(o.Trust)
	return f
}

// isPaid reports whether a state says that money has come.
func isPaid(s gateway.State) bool {
	return s == gateway.Paid || s == gateway.PartPaid || s == gateway.OverPaid
}

func startProblems(s gateway.DepositStarted) []string {
	var f findings
	f.unless(s.Next.Kind() != "", "exactly one step of NextStep must be set")
	f.unless(s.Due == nil || s.Due.Amount.Sign() > 0, "Due must be more than nothing")
	f.external(s.External)
	return f
}

func payoutProblems(p gateway.PayoutReport) []string {
	var f findings
	f.unless(slices.Contains(gateway.PayoutStates(), p.State),
		"State %q must be one of %v; what the table lacks is gateway.PayoutUnknown", p.State, gateway.PayoutStates())
	f.unless(p.Sent == nil || p.Sent.Amount.Sign() > 0, "Sent must be more than nothing")
	f.external(p.External)
	f.trust(p.Trust)
	return f
}

func refundProblems(r gateway.RefundReport) []string {
	var f findings
	states := []gateway.RefundState{gateway.RefundPending, gateway.RefundDone, gateway.RefundFailed, gateway.RefundUnknown}
	f.unless(slices.Contains(states, r.State), "State %q must be one of %v", r.State, states)
	f.unless(r.Amount == nil || r.Amount.Amount.Sign() > 0, "Amount must be more than nothing")
	f.external(r.External)
	f.trust(r.Trust)
	return f
}

func lineProblems(l gateway.StatementLine) []string {
	var f findings
	f.unless(l.ID != "", "a statement line has no ID: derive one from its content where the bank has none")
	f.unless(l.Amount.Sign() > 0, "a statement line's Amount is %s: it is positive, and Direction says which way it went",
		l.Amount)
	f.unless(l.Direction == gateway.Incoming || l.Direction == gateway.Outgoing, "Direction %q must be %q or %q", l.Direction,
		gateway.Incoming, gateway.Outgoing)
	f.unless(!l.BookedAt.IsZero(), "a statement line has no BookedAt")
	f.unless(l.Asset.Code != "", "a statement line has no Asset")
	return f
}
