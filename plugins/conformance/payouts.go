package conformance

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

func payoutAndTransferCases(s suite) []testCase {
	var list []testCase
	if s.d.Payout != nil {
		list = append(payoutType(s).commonCases(), payoutCases(s)...)
	}
	if s.d.Account != nil {
		list = append(list, transferType(s).commonCases()...)
		list = append(list, testCase{"a transfer without a right IBAN or a name is refused and not sent", transferNeedsPayee})
	}
	return list
}

// commonCases are the test cases that payouts and transfers have in common.
func (t orderType) commonCases() []testCase {
	return slices.Concat(t.sendCases(), t.readCases(t.queries), t.refusalCases())
}

func payoutCases(s suite) []testCase {
	return slices.Concat(
		[]testCase{
			{"every kind of payout can be sent", everyKindIsSent},
			{"a payout without what the payee must say is refused and not sent", payoutNeedsFields},
			{"a payout that waits for a second factor says so, and takes no other", payoutNeedsApproval},
		},
		when(s.has(gateway.CanCheckPayout), testCase{"checking a payout sends nothing", checkSendsNothing}),
		when(s.has(gateway.CanCancelPayout), payoutType(s).cancelCases()...))
}

// payoutType is payouts as a type of order.
func payoutType(s suite) orderType {
	t := sendType(payoutName, "ReadPayout", s.d.Payout.Keys, s.d.Payout.Min, s.d.Payout.Max)
	t.cancelName = "CancelPayout"
	t.newOrder = func(w *world, amount money.Decimal) order {
		return w.payout(w.payoutOrder(w.payoutKinds()[0], amount))
	}
	t.heldName, t.heldBy = "Fake.Payouts", func(f Fake) func(gateway.Ref) []gateway.Money { return f.Payouts }
	return t
}

// transferType is transfers as a type of order.
func transferType(s suite) orderType {
	t := sendType("a transfer", "ReadTransfer", s.d.Account.Keys, s.d.Account.TransferMin, money.Decimal{})
	t.newOrder = func(w *world, amount money.Decimal) order { return w.transfer(w.transferOrder(amount)) }
	t.heldName, t.heldBy = "Fake.Transfers", func(f Fake) func(gateway.Ref) []gateway.Money { return f.Transfers }
	return t
}

// sendType is the part of an order type that payouts and transfers have in common.
func sendType(name, readName string, keys gateway.KeyTraits, low, high money.Decimal) orderType {
	return orderType{
		name: name, readName: readName, keys: keys, low: low, high: high, usual: near(money.MustDecimal("310.75"), low, high),
		expectations: []expectation{
			{IsQueued, "not done yet", states(gateway.PayoutQueued, gateway.PayoutSent), nil},
			{IsSent, "Sent and not done", states(gateway.PayoutSent, gateway.PayoutQueued), nil},
			{IsDone, "Done", states(gateway.PayoutDone), sentIsOrdered},
			{IsRejected, "Rejected", states(gateway.PayoutRejected, gateway.PayoutFailed), nil},
			{IsFailed, "Failed", states(gateway.PayoutFailed, gateway.PayoutRejected), nil},
			{IsReturned, "Returned, and not done", states(gateway.PayoutReturned), nil},
			{IsUnlisted, "Unknown, never Failed and never Done", states(gateway.PayoutUnknown), nil},
		},
		contradictions: map[Situation][]string{
			IsDone: states(gateway.PayoutFailed, gateway.PayoutRejected, gateway.PayoutReturned),
		},
		cancelable: IsQueued, canceled: states(gateway.PayoutCanceled), final: IsDone, finalState: string(gateway.PayoutDone),
	}
}

func sentIsOrdered(o order, r receipt, got report) string {
	if got.amount == nil || o.isFor(r, *got.amount) {
		return ""
	}
	return fmt.Sprintf("%s was ordered", o.amount)
}

// newSending makes the order of a payout or transfer.
func newSending(
	ref gateway.Ref, key gateway.Key, amount gateway.Money, asset gateway.Asset,
	send func(w *world) (gateway.PayoutReport, error), read func(*world, gateway.PayoutKey) (gateway.PayoutReport, error),
) order {
	keyAt := func(r receipt) gateway.PayoutKey { return gateway.PayoutKey{Ref: ref, Key: key, External: r.external} }
	return order{
		ref: ref, amount: amount,
		send: func(w *world) (receipt, error) {
			p, err := send(w)
			return receipt{external: p.External, due: amount, payout: p}, err
		},
		read: func(w *world, r receipt) (report, error) { return reportOfPayout(read(w, keyAt(r))) },
		cancel: func(w *world, r receipt) (report, error) {
			return reportOfPayout(call(w, "CancelPayout", ports.PayoutCanceler.CancelPayout, keyAt(r)))
		},
		// How much of a coin the amount comes to is for the gateway to say.
		isFor: func(_ receipt, asked gateway.Money) bool {
			if asked.IsSameAsset(amount) {
				return isSame(asked, amount)
			}
			return asked.Asset.Code == asset.Code && asked.Asset.Network == asset.Network && asked.Amount.Sign() > 0
		},
	}
}

func (w *world) payout(o gateway.PayoutOrder) order {
	send := func(w *world) (gateway.PayoutReport, error) { return w.sendPayout(o) }
	return newSending(o.Ref, o.Key, o.Amount, o.Asset, send, (*world).readPayout)
}

func (w *world) payoutOrder(kind gateway.Kind, amount money.Decimal) gateway.PayoutOrder {
	ref := w.refs.next()
	return gateway.PayoutOrder{
		Ref: ref, Key: keyOf(ref), Amount: lira(amount), Kind: kind, Asset: w.assetFor(kind, w.d.Payout.Assets),
		Customer: customer, Fields: w.fieldsFor(gateway.NeedsOf(w.d.Payout.Needs, kind)), Text: "Payout 48151623",
	}
}

// payoutKinds are the kinds that payouts are of: those that their Needs name, or else the first that money can go to.
func (s suite) payoutKinds() []gateway.Kind {
	var kinds []gateway.Kind
	for _, k := range []gateway.Kind{gateway.Bank, gateway.Wallet, gateway.Crypto} {
		isNamed := slices.ContainsFunc(s.d.Payout.Needs, func(f gateway.FieldSpec) bool { return slices.Contains(f.Kinds, k) })
		if isNamed || len(kinds) == 0 && slices.Contains(s.d.Kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return []gateway.Kind{kindOf(s.d.Kinds)}
	}
	return kinds
}

const (
	exampleIBAN = "TR330006100519786457841326" // the example of the Turkish registry
	wrongIBAN   = "TR340006100519786457841326" // with wrong check digits
)

func (w *world) transferOrder(amount money.Decimal) gateway.TransferOrder {
	ref := w.refs.next()
	to := gateway.Party{Name: customer.FullName, IBAN: exampleIBAN, NationalID: w.Fields["national_id"]}
	return gateway.TransferOrder{
		Ref: ref, Key: keyOf(ref), AccountID: w.account().ID, To: to, Amount: lira(amount), Text: "Transfer 48151623",
	}
}

func (w *world) transfer(o gateway.TransferOrder) order {
	send := func(w *world) (gateway.PayoutReport, error) { return w.sendTransfer(o) }
	return newSending(o.Ref, o.Key, o.Amount, o.Amount.Asset, send, (*world).readTransfer)
}

// refusalCases are about orders that the gateway refuses for a reason that the core has to know.
func (t orderType) refusalCases() []testCase {
	var list []testCase
	for _, e := range []struct {
		situation Situation
		reason    gateway.ReasonCode
		classes   []gateway.Class
		hasReason bool // an error must have the reason
		advice    string
	}{
		{HasNoFunds, gateway.NoFunds, []gateway.Class{gateway.OutOfFunds}, false, "so that it waits for money and is not told as " +
			"a decline"},
		{HasWrongName, gateway.NameMismatch, []gateway.Class{gateway.Refused, gateway.Invalid}, true, "with the reason in the " +
			"error, too"},
	} {
		name := fmt.Sprintf("%s that is %s says so, and is not sent", t.name, e.situation)
		list = append(list, testCase{name, func(w *world) {
			o := t.newOrder(w, t.usual)
			if !w.set(o.ref, e.situation) {
				return
			}
			r, err := o.send(w)
			failure := gateway.ErrorOf(err)
			isRefused := gateway.HasNoEffect(err) && isOneOf(failure.Class, e.classes...) &&
				(!e.hasReason || failure.Reason != nil && failure.Reason.Code == e.reason)
			isRejected := err == nil && isOneOf(r.payout.State, gateway.PayoutRejected, gateway.PayoutFailed) &&
				r.payout.Reason != nil && r.payout.Reason.Code == e.reason
			w.check(isRefused || isRejected,
				"%s that is %s gave state %q and error %v: it is an error of class %q with effect none, or a rejection with the "+
					"reason %s, %s", t.name, e.situation, r.payout.State, err, e.classes, e.reason, e.advice)
		}})
	}
	return list
}

func everyKindIsSent(w *world) {
	for _, kind := range w.payoutKinds() {
		t := payoutType(w.suite)
		o := w.payout(w.payoutOrder(kind, t.usual))
		r, err := o.send(w)
		w.ok("SendPayout of kind "+string(kind), err)
		t.checkHeld(w, o, r, "it is of kind "+string(kind))
	}
}

func payoutNeedsFields(w *world) {
	for _, kind := range w.payoutKinds() {
		for _, spec := range gateway.NeedsOf(w.d.Payout.Needs, kind) {
			wrong := []string{}
			if !spec.IsOptional {
				wrong = append(wrong, "")
			}
			if spec.Name == "iban" {
				wrong = append(wrong, wrongIBAN)
			}
			for _, value := range wrong {
				o := w.payoutOrder(kind, payoutType(w.suite).usual)
				o.Fields = maps.Clone(o.Fields)
				o.Fields[spec.Name] = value
				if value == "" {
					delete(o.Fields, spec.Name)
				}
				what := fmt.Sprintf("a payout of kind %q with %q as its field %s", kind, value, spec.Name)
				payoutType(w.suite).isRefused(w, what, w.payout(o))
			}
		}
	}
}

func transferNeedsPayee(w *world) {
	t := transferType(w.suite)
	for what, spoil := range map[string]func(*gateway.Party){
		"no IBAN":                       func(p *gateway.Party) { p.IBAN = "" },
		"an IBAN of wrong check digits": func(p *gateway.Party) { p.IBAN = wrongIBAN },
		"no name":                       func(p *gateway.Party) { p.Name = "" },
	} {
		o := w.transferOrder(t.usual)
		spoil(&o.To)
		t.isRefused(w, "a transfer with "+what, w.transfer(o))
	}
	o := w.transferOrder(t.usual)
	o.To.Name = strings.Repeat("Gizem ", 100)
	_, err := w.sendTransfer(o)
	w.check(err == nil || gateway.HasNoEffect(err) && len(t.held(w, o.Ref)) == 0,
		"a transfer to a very long name is neither sent nor refused without effect: %v", err)
}

// isRefused checks that a wrong order is refused, and that the gateway does not hold it.
func (t orderType) isRefused(w *world, what string, o order) {
	r, err := o.send(w)
	w.check(err != nil, "%s is reported as %s: check it before anything is sent (gateway.CheckFields, iban.IsValid)", what,
		r.payout.State)
	w.check(err == nil || gateway.HasNoEffect(err) && !gateway.IsClass(err, gateway.Retryable),
		"%s must be refused for good and without effect: %v", what, err)
	w.check(len(t.held(w, o.ref)) == 0, "%s was sent", what)
}

// defaultCode is the second factor that fakes take when the Subject does not say.
const defaultCode = "123456"

func payoutNeedsApproval(w *world) {
	approval := w.d.Payout.Approval
	o := w.payoutOrder(w.payoutKinds()[0], payoutType(w.suite).usual)
	if !w.set(o.Ref, NeedsApproval) {
		w.check(!w.has(gateway.CanApprovePayout) && isOneOf(approval, gateway.NoApproval, ""),
			"Payout.Approval is %q, and the fake knows no payout that is %s", approval, NeedsApproval)
		return
	}
	sent, err := w.sendPayout(o)
	w.ok("SendPayout", err)
	w.check(isOneOf(approval, gateway.CodeApproval, gateway.ManualApproval),
		"payouts can need approval, and Payout.Approval is %q", approval)
	k := gateway.PayoutKey{Ref: o.Ref, Key: o.Key, External: sent.External}
	read, err := w.readPayout(k)
	w.ok("ReadPayout", err)
	w.check(sent.State == gateway.PayoutNeedsApproval && read.State == gateway.PayoutNeedsApproval,
		"SendPayout reports %s and ReadPayout %s of a payout that is %s", sent.State, read.State, NeedsApproval)
	if w.has(gateway.CanApprovePayout) {
		w.approvedByCode(k, cmp.Or(w.ApprovalCode, defaultCode))
	}
}

// approvedByCode checks that a payout is approved by the right second factor, and by no other.
func (w *world) approvedByCode(k gateway.PayoutKey, right string) {
	for _, wrong := range []string{"", "000001", right + "1"} {
		got, err := w.approvePayout(k, wrong)
		w.check(err != nil || got.State == gateway.PayoutNeedsApproval, "ApprovePayout with a wrong code reports %s", got.State)
		w.check(err == nil || gateway.HasNoEffect(err), "a wrong code has no effect, and the error must say so: %v", err)
	}
	got, err := w.approvePayout(k, right)
	w.ok("ApprovePayout with the right code (Subject.ApprovalCode)", err)
	w.check(isOneOf(got.State, gateway.PayoutQueued, gateway.PayoutSent, gateway.PayoutDone),
		"ApprovePayout with the right code reports %s", got.State)
}

func checkSendsNothing(w *world) {
	before := w.fake.Mutations()
	o := w.payoutOrder(w.payoutKinds()[0], payoutType(w.suite).usual)
	verdict, err := call(w, "CheckPayout", ports.PayoutChecker.CheckPayout, o)
	w.ok("CheckPayout", err)
	w.check(verdict.OK, "CheckPayout of a payout that would go through is not OK: %+v", verdict)
	w.unchanged(before, "CheckPayout changed something at the gateway: it is a dry run")
}
