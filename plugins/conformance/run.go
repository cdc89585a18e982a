package conformance

import (
	"runtime/debug"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

// testCase is one promise: its name says what holds, and run tests it in a world of its own.
type testCase struct {
	name string
	run  func(w *world)
}

// when returns the test cases if they apply.
func when(applies bool, cases ...testCase) []testCase {
	if applies {
		return cases
	}
	return nil
}

// group is the test cases of one side of a gateway. A gateway that lacks that side does not run them.
type group struct {
	name    string
	applies bool
	lacks   string // why it does not apply
	cases   func(s suite) []testCase
}

// Run holds the subject to every promise that its descriptor makes. Each test case has a fake and a gateway of its own,
// and many run at a time.
func Run(t *testing.T, s Subject) {
	t.Helper()
	RunGroup(t, s, "")
}

// RunGroup is Run for one group; empty: all of them.
func RunGroup(t *testing.T, s Subject, only string) {
	t.Helper()
	if s.Plugin == nil || s.NewFake == nil {
		t.Fatal("a Subject needs a Plugin and a NewFake")
	}
	all := newSuite(s)
	if only == "" && s.Documents != nil {
		t.Cleanup(func() {
			for _, where := range s.Documents.unused() {
				t.Errorf("the deviation %q of Subject.Documents excuses nothing: take it out", where)
			}
		})
	}
	if only == "" && !begins(t, s) {
		return
	}
	for _, g := range all.groups() {
		switch {
		case only != "" && only != g.name:
		case !g.applies:
			t.Logf("%q does not apply: %s", g.name, g.lacks)
		default:
			t.Run(g.name, func(t *testing.T) {
				t.Parallel()
				for _, c := range g.cases(all) {
					t.Run(c.name, func(t *testing.T) {
						t.Parallel()
						w := newWorld(t, s)
						defer w.finish()
						c.run(w)
					})
				}
			})
		}
	}
}

// begins tries the first calls of a gateway, one after another. Until they work there is one sentence to go by, and not a
// hundred.
func begins(t *testing.T, s Subject) bool {
	t.Helper()
	return t.Run("begin", func(t *testing.T) {
		w := newWorld(t, s)
		defer w.finish()
		for _, kind := range w.orderTypes() {
			o := kind.newOrder(w, kind.usual)
			r, err := o.send(w)
			if err != nil {
				t.Fatalf("begin with %s: the first one gave %v. The other test cases wait for it", kind.sendName(), err)
			}
			if len(kind.held(w, o.ref)) != 1 {
				t.Fatalf("begin with %s and %s: the fake has to keep the order, and shows it %d times. The other test cases wait for it",
					kind.sendName(), kind.heldName, len(kind.held(w, o.ref)))
			}
			w.set(o.ref, kind.final)
			if got, err := o.read(w, r); err != nil || got.state != kind.finalState {
				t.Fatalf("%s works; go on with %s: of an order that is %s it gave %q and %v. The other test cases wait for it",
					kind.sendName(), kind.readName, kind.final, got.state, err)
			}
		}
	})
}

// sendName is the method that sends an order.
func (t orderType) sendName() string {
	switch t.name {
	case depositName:
		return "StartDeposit"
	case payoutName:
		return "SendPayout"
	default:
		return "SendTransfer"
	}
}

// finish ends a test case. A panic of the plugin fails it, and so does a finding of the leak detector.
func (w *world) finish() {
	w.t.Helper()
	if cause := recover(); cause != nil {
		w.t.Errorf("a plugin must never panic, whatever it is given: %v\n%s", cause, debug.Stack())
	}
	for _, finding := range w.leaks.findings() {
		w.t.Error(finding)
	}
}

// Groups returns the names of all groups.
func Groups(s Subject) (names []string) {
	for _, g := range newSuite(s).groups() {
		names = append(names, g.name)
	}
	return names
}

// suite is the subject with its descriptor. The groups choose their test cases by it.
type suite struct {
	Subject
	d gateway.Descriptor
}

func newSuite(s Subject) suite { return suite{Subject: s, d: s.Plugin.Describe()} }

func (s suite) has(c gateway.Capability) bool { return s.Plugin.Has(c) }

func (s suite) groups() []group {
	return []group{
		{"descriptor and config", true, "", descriptorCases},
		{"signatures", s.d.Notify != nil || len(s.Vectors) > 0, "Descriptor.Notify is nil and Subject.Vectors is empty",
			signatureCases},
		{"notifications", s.d.Notify != nil, "Descriptor.Notify is nil", notificationCases},
		{"start", s.d.Deposit != nil, "Descriptor.Deposit is nil", startCases},
		{"return", s.has(gateway.CanFinishReturn), "the gateway has no method FinishReturn", returnCases},
		{"read", s.d.Deposit != nil, "Descriptor.Deposit is nil", depositReadCases},
		{"cancel and refund", s.has(gateway.CanCancelDeposit) || s.has(gateway.CanRefund),
			"the gateway has neither CancelDeposit nor Refund", giveBackCases},
		{"disputes", s.has(gateway.CanReadDispute), "the gateway has no method ReadDispute", disputeCases},
		{"payout and transfer", s.d.Payout != nil || s.d.Account != nil, "Descriptor.Payout and Descriptor.Account are nil",
			payoutAndTransferCases},
		{"accounts", s.d.Account != nil, "Descriptor.Account is nil", accountCases},
		{"as documented", s.d.Maturity != gateway.Draft && !s.d.IsSimulator || s.Documents != nil,
			"the plugin is a draft or moves no money, and Subject.Documents is empty", documentCases},
		{"readme", s.d.Maturity != gateway.Draft || len(s.Tables) > 0, "the plugin is a draft, and Subject.Tables is empty", readmeCases},
		{"hygiene", true, "", hygieneCases},
	}
}
