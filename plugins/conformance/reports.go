package conformance

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

// problemsOf returns what is wrong with a report, whatever the gateway and its situation.
func problemsOf(report any) []string {
	var p problems
	switch r := report.(type) {
	case gateway.Observation:
		p.ofObservations(r)
	case gateway.ObservationPage:
		p.ofObservations(r.Items...)
	case gateway.DepositStarted:
		p.ofStart(r)
	case gateway.PayoutReport:
		p.ofPayouts(r)
	case gateway.RefundReport:
		p.ofRefunds(r)
	case gateway.Notification:
		p.ofObservations(r.Events...)
		p.ofPayouts(r.Payouts...)
		p.ofRefunds(r.Refunds...)
		p.ofLines(r.Lines...)
	case gateway.StatementPage:
		p.ofLines(r.Lines...)
	}
	return p
}

type problems []string

func (p *problems) unless(ok bool, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Sprintf(format, args...))
	}
}

// floated is a number that went through a float.
var floated = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?[eE]\+?[0-9]+$`)

func (p *problems) ofExternal(e gateway.ExternalRef) {
	for _, name := range append(slices.Collect(maps.Values(e.Alt)), e.ID) {
		p.unless(!floated.MatchString(name), "External has %q, which was a number and went through a float: read identifiers as text or "+
			"json.Number", name)
	}
	p.unless(len(e.State) <= gateway.MaxStateBytes, "External.State has %d bytes, and at most %d are kept", len(e.State),
		gateway.MaxStateBytes)
}

func (p *problems) ofTrust(t gateway.Trust) {
	p.unless(t >= gateway.Hint && t <= gateway.Answered, "Trust is %d: take one of the constants", int(t))
}

func (p *problems) ofObservations(all ...gateway.Observation) {
	for _, o := range all {
		p.unless(slices.Contains(gateway.States(), o.State),
			"State %q must be one of %v; what the table lacks is gateway.Unknown", o.State, gateway.States())
		p.unless(!isPaid(o.State) || o.Paid != nil,
			"State is %s and Paid is nil: say what really arrived; where the gateway doesn't state it, take DepositKey.Due, and "+
				"of a notification report gateway.Processing", o.State)
		p.unless(o.Paid == nil || o.Paid.Amount.Sign() >= 0, "Paid is negative")
		p.unless(!isPaid(o.State) || o.Paid == nil || o.Paid.Amount.Sign() > 0, "State is %s and Paid is 0", o.State)
		p.ofExternal(o.External)
		p.ofTrust(o.Trust)
		p.ofWords(o.Raw, o.Reason)
	}
}

// cardNumber is what a card number looks like.
var cardNumber = regexp.MustCompile(`[3-69][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{3,4}`)

// hasCardNumber reports whether a text of the gateway's quotes a card number.
func hasCardNumber(text string) bool {
	for _, found := range cardNumber.FindAllString(text, -1) {
		sum, digits := 0, strings.NewReplacer(" ", "", "-", "").Replace(found)
		for i := range digits {
			n := int(digits[len(digits)-1-i] - '0')
			if i%2 == 1 {
				if n *= 2; n > 9 {
					n -= 9
				}
			}
			sum += n
		}
		if sum%10 == 0 {
			return true
		}
	}
	return false
}

func (p *problems) ofWords(raw string, why *gateway.Reason) {
	if why != nil {
		raw += " " + why.RawText + " " + why.RawCode
	}
	p.unless(!hasCardNumber(raw), "Raw or Reason has a card number, which is kept and shown to staff: cut it out of what the gateway says")
}

// isPaid reports whether a state says that money has come.
func isPaid(s gateway.State) bool {
	return isOneOf(s, gateway.Paid, gateway.PartPaid, gateway.OverPaid)
}

func (p *problems) ofStart(s gateway.DepositStarted) {
	p.unless(s.Next.Kind() != "", "exactly one step of NextStep must be set")
	p.unless(s.Due == nil || s.Due.Amount.Sign() > 0, "Due must be more than nothing")
	p.ofExternal(s.External)
}

func (p *problems) ofPayouts(all ...gateway.PayoutReport) {
	for _, r := range all {
		p.unless(slices.Contains(gateway.PayoutStates(), r.State),
			"State %q must be one of %v; what the table lacks is gateway.PayoutUnknown", r.State, gateway.PayoutStates())
		p.unless(r.Sent == nil || r.Sent.Amount.Sign() > 0, "Sent must be more than nothing")
		p.ofExternal(r.External)
		p.ofTrust(r.Trust)
	}
}

func (p *problems) ofRefunds(all ...gateway.RefundReport) {
	states := []gateway.RefundState{gateway.RefundPending, gateway.RefundDone, gateway.RefundFailed, gateway.RefundUnknown}
	for _, r := range all {
		p.unless(slices.Contains(states, r.State), "State %q must be one of %v", r.State, states)
		p.unless(r.Amount == nil || r.Amount.Amount.Sign() > 0, "Amount must be more than nothing")
		p.ofExternal(r.External)
		p.ofTrust(r.Trust)
	}
}

func (p *problems) ofLines(all ...gateway.StatementLine) {
	for _, l := range all {
		p.unless(l.ID != "", "a statement line has no ID: derive one from its content where the bank has none")
		p.unless(l.Amount.Sign() > 0, "a statement line's Amount is %s: it is positive, and Direction says which way it went",
			l.Amount)
		p.unless(isOneOf(l.Direction, gateway.Incoming, gateway.Outgoing), "Direction %q must be %q or %q", l.Direction,
			gateway.Incoming, gateway.Outgoing)
		p.unless(!l.BookedAt.IsZero(), "a statement line has no BookedAt")
		p.unless(l.Asset.Code != "", "a statement line has no Asset")
	}
}
