package conformance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vezne/vezne/core/gateway"
)

func payoutSentences(k kit) []sentence {
	list := []sentence{
		{"every kind of payout can be sent", everyKindIsSent},
		{"a payout without what the payee must say is refused and not sent", payoutNeedsFields},
		{"a payout that waits for a second factor says so", payoutNeedsApproval},
	}
	if slices.ContainsFunc(k.d.Payout.Needs, func(f gateway.FieldSpec) bool { return f.Name == "iban" }) {
		list = append(list, sentence{"a payout to an IBAN of wrong check digits is refused and not sent", payoutNeedsIBAN})
	}
	if k.has(gateway.CanCheckPayout) {
		list = append(list, sentence{"checking a payout sends nothing", checkSendsNothing})
	}
	if k.has(gateway.CanApprovePayout) {
		list = append(list, sentence{"a payout is approved by the right code, and by no other", payoutIsApproved})
	}
	if k.has(gateway.CanCancelPayout) {
		list = append(list,
			sentence{"a payout that is queued can be canceled", payoutIsCanceled},
			sentence{"cancelling a done payout reports Done and changes nothing", cancelOfDone})
	}
	return list
}

func (w *world) usualPayout() gateway.PayoutOrder {
	w.t.Helper()
	return w.payoutOrder(payoutRail(w.kit).usual())
}

func everyKindIsSent(w *world) {
	for _, kind := range w.payoutKinds() {
		s := w.payout(w.payoutOrderOf(kind, payoutRail(w.kit).usual()))
		_, err := s.send(w)
		w.ok("SendPayout of kind "+string(kind), err)
		held := w.fake.Payouts(s.ref)
		w.check(len(held) == 1 && s.isFor(held[0]), "a payout of %s of kind %q made the gateway send %v", s.amount, kind, held)
	}
}

func payoutNeedsFields(w *world) {
	for _, kind := range w.payoutKinds() {
		for _, spec := range gateway.NeedsOf(w.d.Payout.Needs, kind) {
			if !spec.IsOptional {
				w.refusesField(kind, spec.Name, "")
			}
		}
	}
}

// refusesField sends a payout one of whose fields is not as it must be; without a value it is missing.
func (w *world) refusesField(kind gateway.Kind, name, value string) {
	w.t.Helper()
	o := w.payoutOrderOf(kind, payoutRail(w.kit).usual())
	o.Fields = maps.Clone(o.Fields)
	o.Fields[name] = value
	if value == "" {
		delete(o.Fields, name)
	}
	w.isStopped(fmt.Sprintf("a payout of kind %q with %q as its field %s", kind, value, name), w.payout(o), w.fake.Payouts)
}

func payoutNeedsIBAN(w *world) {
	for _, kind := range w.payoutKinds() {
		for _, spec := range gateway.NeedsOf(w.d.Payout.Needs, kind) {
			if spec.Name == "iban" {
				w.refusesField(kind, spec.Name, "TR340006100519786457841326")
			}
		}
	}
}

// waiting sends a payout that needs a second factor; false: this gateway knows none.
func (w *world) waiting() (sending, gateway.PayoutReport, bool) {
	w.t.Helper()
	s := w.payout(w.usualPayout())
	if !w.set(s.ref, NeedsApproval) {
		return s, gateway.PayoutReport{}, false
	}
	report, err := s.send(w)
	w.ok("SendPayout", err)
	return s, report, true
}

func payoutNeedsApproval(w *world) {
	s, report, ok := w.waiting()
	if !ok {
		w.check(w.d.Payout.Approval == gateway.NoApproval || w.d.Payout.Approval == "",
			"Payout.Approval is %q, and the fake knows no payout that is %s", w.d.Payout.Approval, NeedsApproval)
		return
	}
	w.check(report.State == gateway.PayoutNeedsApproval, "SendPayout reports %s of a payout that is %s", report.State,
		NeedsApproval)
	w.check(w.d.Payout.Approval == gateway.CodeApproval || w.d.Payout.Approval == gateway.ManualApproval,
		"payouts can need approval, and Payout.Approval is %q", w.d.Payout.Approval)
	read, err := w.readPayout(s.at(report.External))
	w.ok("ReadPayout", err)
	w.check(read.State == gateway.PayoutNeedsApproval, "ReadPayout reports %s of a payout that is %s", read.State,
		NeedsApproval)
}

// defaultCode is the second factor that fakes take when the Subject does not say.
const defaultCode = "123456"

func payoutIsApproved(w *world) {
	s, report, ok := w.waiting()
	if !ok {
		w.t.Fatalf("the gateway approves payouts by code, and the fake knows none that is %s", NeedsApproval)
	}
	right := w.ApprovalCode
	if right == "" {
		right = defaultCode
	}
	for _, wrong := range []string{"", "000001", right + "1"} {
		got, err := w.approvePayout(s.at(report.External), wrong)
		w.check(err != nil || got.State == gateway.PayoutNeedsApproval, "ApprovePayout with a wrong code reports %s", got.State)
		w.check(err == nil || gateway.HasNoEffect(err), "a wrong code has no effect, and the error must say so: %v", err)
	}
	got, err := w.approvePayout(s.at(report.External), right)
	if err != nil {
		w.t.Fatalf("ApprovePayout with the right code failed (Subject.ApprovalCode says which it is): %v", err)
	}
	w.check(slices.Contains([]gateway.PayoutState{gateway.PayoutQueued, gateway.PayoutSent, gateway.PayoutDone}, got.State),
		"ApprovePayout with the right code reports %s", got.State)
}

func checkSendsNothing(w *world) {
	o := w.usualPayout()
	before := w.fake.Writes()
	verdict, err := w.checkPayout(o)
	w.ok("CheckPayout", err)
	w.check(verdict.OK, "CheckPayout of a payout that would go through is not OK: %+v", verdict)
	w.check(w.fake.Writes() == before && (w.fake.Payouts == nil || len(w.fake.Payouts(o.Ref)) == 0),
		"CheckPayout changed something at the gateway: it is a dry run")
}

func payoutIsCanceled(w *world) {
	s, report := payoutRail(w.kit).sent(w)
	if !w.set(s.ref, IsQueued) {
		return
	}
	got, err := w.cancelPayout(s.at(report.External))
	w.ok("CancelPayout", err)
	w.check(got.State == gateway.PayoutCanceled, "CancelPayout of a queued payout reports %s", got.State)
	read, err := w.readPayout(s.at(report.External))
	w.ok("ReadPayout", err)
	w.check(read.State == gateway.PayoutCanceled, "ReadPayout reports %s of a canceled payout", read.State)
}

func cancelOfDone(w *world) {
	s, report := payoutRail(w.kit).sent(w)
	w.mustSet(s.ref, IsDone)
	before := w.fake.Writes()
	got, err := w.cancelPayout(s.at(report.External))
	w.ok("CancelPayout of a done payout", err)
	w.check(got.State == gateway.PayoutDone, "CancelPayout of a done payout reports %s, and the money is gone", got.State)
	w.check(w.fake.Writes() == before, "CancelPayout of a done payout changed something at the gateway")
}
