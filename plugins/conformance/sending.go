package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func sendingSentences(k kit) []sentence {
	var list []sentence
	if k.d.Payout != nil {
		list = append(list, railSentences(payoutRail(k))...)
		list = append(list, payoutSentences(k)...)
	}
	if k.d.Account != nil {
		list = append(list, railSentences(transferRail(k))...)
		list = append(list, sentence{"a transfer without a right IBAN or a name is refused and not sent", transferNeedsPayee})
	}
	return list
}

func railSentences(r rail) []sentence {
	var list []sentence
	add := func(says string, test func(w *world)) { list = append(list, sentence{r.what + " " + says, test}) }
	for _, amount := range shapes() {
		add(fmt.Sprintf("of %s lira, or the nearest amount that is allowed, arrives exactly", amount),
			func(w *world) { r.arrivesExactly(w, amount) })
	}
	for _, e := range sendingExpectations() {
		add(fmt.Sprintf("that is %s is %s", e.situation, e.says), func(w *world) { r.meetsExpectation(w, e) })
	}
	add("that the gateway does not know is not found", r.forgottenIsNotFound)
	add("beside others does not mix with them", r.doNotMix)
	add("that is refused for lack of funds says so, and is not sent", r.hasNoFunds)
	add("that is refused because the name differs says so, and is not sent", r.hasWrongName)
	if r.keys.Find {
		add("that was never sent is not found", r.neverSent)
	}
	if isKeyed(r.keys) {
		add("that is sent again is sent once", r.sendsOnce)
	}
	for _, t := range troubles() {
		add("is never decided by "+t.says, func(w *world) { w.neverAnswers(r.readings(w), t) })
	}
	add("is never decided by refused keys", func(w *world) { w.neverTells(r.readings(w)) })
	add("can be asked for as often as one likes", func(w *world) { w.changesNothing(r.readings(w)) })
	return append(list, writeSentences(r.what, r.write)...)
}

// readings are the questions about a sending that is done.
func (r rail) readings(w *world) []reading {
	w.t.Helper()
	s, report := r.sent(w)
	w.mustSet(s.ref, IsDone)
	list := []reading{{r.asks, func(w *world) error { return only(r.read(w, s.at(report.External))) }}}
	if r.keys.Find {
		list = append(list, reading{r.asks + " by Ref alone", func(w *world) error {
			return only(r.read(w, s.at(gateway.ExternalRef{})))
		}})
	}
	return list
}

func (r rail) arrivesExactly(w *world, amount money.Decimal) {
	s := r.order(w, near(amount, r.low, r.high))
	_, err := s.send(w)
	w.ok(r.what, err)
	held := r.held(w, s.ref)
	w.check(len(held) == 1 && s.isFor(held[0]),
		"%s of %s made the gateway send %v: check the units of the call (lira or kuruş, how many decimals), and never go "+
			"through a float", r.what, s.amount, held)
}

// sendingExpectation is what a payout or transfer must read as.
type sendingExpectation struct {
	situation Situation
	says      string
	isKnown   bool // every gateway has it
	states    []gateway.PayoutState
}

func sendingExpectations() []sendingExpectation {
	is := func(states ...gateway.PayoutState) []gateway.PayoutState { return states }
	return []sendingExpectation{
		{IsQueued, "not done yet", false, is(gateway.PayoutQueued, gateway.PayoutSent)},
		{IsSent, "Sent and not done", false, is(gateway.PayoutSent, gateway.PayoutQueued)},
		{IsDone, "Done", true, is(gateway.PayoutDone)},
		{IsRejected, "Rejected", false, is(gateway.PayoutRejected, gateway.PayoutFailed)},
		{IsBroken, "Failed", false, is(gateway.PayoutFailed, gateway.PayoutRejected)},
		{IsReturned, "Returned, and not done", false, is(gateway.PayoutReturned)},
		{IsUnlisted, "Unknown, never Failed and never Done", true, is(gateway.PayoutUnknown)},
	}
}

func (r rail) meetsExpectation(w *world, e sendingExpectation) {
	s, report := r.sent(w)
	if e.isKnown {
		w.mustSet(s.ref, e.situation)
	} else if !w.set(s.ref, e.situation) {
		return
	}
	r.reads(w, s, report.External, e)
	if r.keys.Find {
		r.reads(w, s, gateway.ExternalRef{}, e)
	}
}

func (r rail) reads(w *world, s sending, at gateway.ExternalRef, e sendingExpectation) {
	w.t.Helper()
	how := r.asks
	if at.IsZero() {
		how += " by Ref alone (or say Keys.Find=false)"
	}
	got, err := r.read(w, s.at(at))
	if err != nil {
		w.t.Errorf("%s of what is %s failed: %v", how, e.situation, err)
		return
	}
	w.check(slices.Contains(e.states, got.State),
		"%s of what is %s reports %s, and must report one of %v (raw %q): see the plugin's status table", how, e.situation,
		got.State, e.states, got.Raw)
	w.check(got.Trust == gateway.Answered, "%s was answered by the gateway, and Trust is %q", how, got.Trust)
	w.check(got.Ref == "" || got.Ref == s.ref, "%s of %s reports %s", how, s.ref, got.Ref)
	w.check(got.State != gateway.PayoutDone || got.Sent == nil || s.isFor(*got.Sent),
		"%s reports that %v was sent, and %s was ordered", how, got.Sent, s.amount)
}

func (r rail) forgottenIsNotFound(w *world) {
	s, report := r.sent(w)
	if !w.set(s.ref, IsForgotten) {
		return
	}
	got, err := r.read(w, s.at(report.External))
	w.isNotFound(r.asks, got.State, err)
}

func (r rail) neverSent(w *world) {
	r.sent(w)
	ref := w.refs.next()
	got, err := r.read(w, gateway.PayoutKey{Ref: ref, Key: keyOf(ref)})
	w.isNotFound(r.asks+" by Ref alone", got.State, err)
}

func (r rail) doNotMix(w *world) {
	const crowd = 8
	sendings, errs := make([]sending, crowd), make([]error, crowd)
	for i := range sendings {
		sendings[i] = r.order(w, near(r.usual().Add(money.MustDecimal(fmt.Sprintf("%d.%02d", i, i))), r.low, r.high))
	}
	w.together(crowd, func(i int) { _, errs[i] = sendings[i].send(w) })
	for i, s := range sendings {
		w.ok(r.what+" beside others", errs[i])
		held := r.held(w, s.ref)
		w.check(len(held) == 1 && s.isFor(held[0]),
			"%s of %s beside others made the gateway send %v: keep nothing of an order in the gateway's own fields", r.what,
			s.amount, held)
	}
}

func (r rail) sendsOnce(w *world) {
	s, _ := r.sent(w)
	_, err := s.send(w)
	w.takesAgain(r.what, r.keys, err)
	w.check(len(r.held(w, s.ref)) == 1,
		"%s sent twice with the same Ref and Key was made %d times: send Key (or Ref) as the gateway's own key, or say "+
			"Keys.Mode=%q", r.what, len(r.held(w, s.ref)), gateway.NoKey)
}

func (r rail) hasNoFunds(w *world) {
	s := r.order(w, r.usual())
	if !w.set(s.ref, HasNoFunds) {
		return
	}
	report, err := s.send(w)
	isTold := gateway.IsClass(err, gateway.OutOfFunds) && gateway.HasNoEffect(err)
	w.check(isTold || err == nil && isDead(report, gateway.NoFunds),
		"%s for which we have too little gave state %q and error %v: it is an error of class %q with effect none, or a "+
			"rejection with the reason %s, so that it waits for money and is not told as a decline", r.what, report.State, err,
		gateway.OutOfFunds, gateway.NoFunds)
}

func (r rail) hasWrongName(w *world) {
	s := r.order(w, r.usual())
	if !w.set(s.ref, HasWrongName) {
		return
	}
	report, err := s.send(w)
	reason := gateway.ErrorOf(err).Reason
	isTold := err != nil && gateway.HasNoEffect(err) && reason != nil && reason.Code == gateway.NameMismatch &&
		(gateway.IsClass(err, gateway.Refused) || gateway.IsClass(err, gateway.Invalid))
	w.check(isTold || err == nil && isDead(report, gateway.NameMismatch),
		"%s whose name differs gave state %q and error %v: it is an error of class %q or %q with effect none, or a "+
			"rejection, with the reason %s", r.what, report.State, err, gateway.Refused, gateway.Invalid, gateway.NameMismatch)
}

// isDead reports whether a report is the end of a sending, for a reason.
func isDead(p gateway.PayoutReport, why gateway.ReasonCode) bool {
	return (p.State == gateway.PayoutRejected || p.State == gateway.PayoutFailed) && p.Reason != nil && p.Reason.Code == why
}

func transferNeedsPayee(w *world) {
	for what, spoil := range map[string]func(*gateway.Party){
		"no IBAN":                       func(p *gateway.Party) { p.IBAN = "" },
		"an IBAN of wrong check digits": func(p *gateway.Party) { p.IBAN = "TR340006100519786457841326" },
		"no name":                       func(p *gateway.Party) { p.Name = "" },
	} {
		o := w.transferOrder(near(money.MustDecimal("310.75"), w.d.Account.TransferMin, money.Decimal{}))
		spoil(&o.To)
		w.isStopped("a transfer with "+what, w.transfer(o), w.fake.Transfers)
	}
	o := w.transferOrder(near(money.MustDecimal("310.75"), w.d.Account.TransferMin, money.Decimal{}))
	o.To.Name = strings.Repeat("Gizem ", 100)
	s := w.transfer(o)
	_, err := s.send(w)
	w.check(err == nil || gateway.HasNoEffect(err) && len(w.fake.Transfers(s.ref)) == 0,
		"a transfer to a very long name is neither sent nor refused without effect: %v", err)
}

// isStopped checks that an order that makes no sense is refused, and that the gateway does not hold it.
func (w *world) isStopped(what string, s sending, held func(gateway.Ref) []gateway.Money) {
	w.t.Helper()
	report, err := s.send(w)
	w.check(err != nil, "%s is reported as %s: check it before anything is sent (gateway.CheckFields, iban.IsValid)", what,
		report.State)
	w.check(err == nil || gateway.HasNoEffect(err) && !gateway.IsClass(err, gateway.Retryable),
		"%s must be refused for good and without effect: %v", what, err)
	w.check(held != nil && len(held(s.ref)) == 0, "%s was sent", what)
}
