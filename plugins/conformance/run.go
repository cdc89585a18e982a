package conformance

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

// sentence is one promise: what holds, and its test in a world of its own.
type sentence struct {
	says string
	test func(w *world)
}

// group is the sentences of one side of a gateway. Where it lacks something, the group does not run.
type group struct {
	name      string
	lacks     string // why the group does not apply; empty: it does
	sentences func(k kit) []sentence
}

// Run holds the subject to every promise that its descriptor makes. Each sentence has a fake and a gateway of its own,
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
	k := newKit(s)
	for _, g := range k.groups() {
		switch {
		case only != "" && only != g.name:
		case g.lacks != "":
			t.Logf("%q does not apply: %s", g.name, g.lacks)
		default:
			t.Run(g.name, func(t *testing.T) {
				t.Parallel()
				g.run(t, k)
			})
		}
	}
}

func (g group) run(t *testing.T, k kit) {
	t.Helper()
	for _, each := range g.sentences(k) {
		t.Run(each.says, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, k.Subject)
			defer w.judge()
			each.test(w)
		})
	}
}

// judge ends a sentence: a panic of the plugin fails it, and so does what every sentence watches for.
func (w *world) judge() {
	w.t.Helper()
	if cause := recover(); cause != nil {
		w.t.Errorf("a plugin must never panic, whatever it is given: %v\n%s", cause, debug.Stack())
	}
	for _, complaint := range w.ear.complaints() {
		w.t.Error(complaint)
	}
	for _, stray := range w.wire.strays() {
		w.t.Error(stray)
	}
}

// Groups returns the names of all groups.
func Groups(s Subject) (names []string) {
	for _, g := range newKit(s).groups() {
		names = append(names, g.name)
	}
	return names
}

// kit is the subject as the groups look at it, to say which sentences apply.
type kit struct {
	Subject
	d gateway.Descriptor
}

func newKit(s Subject) kit { return kit{Subject: s, d: s.Plugin.Describe()} }

func (k kit) has(c gateway.Capability) bool { return k.Plugin.Has(c) }

// unless explains why a group does not apply.
func unless(applies bool, lacks string) string {
	if applies {
		return ""
	}
	return lacks
}

func silent(of string) string { return fmt.Sprintf("the descriptor says nothing of %s", of) }

func (k kit) groups() []group {
	canGiveBack := k.has(gateway.CanCancelDeposit) || k.has(gateway.CanRefund)
	deposits := unless(k.d.Deposit != nil, silent("deposits"))
	return []group{
		{"form and config", "", formSentences},
		{"signatures", unless(k.d.Notify != nil || len(k.Vectors) > 0, silent("notifications")+", and there are no vectors"),
			signatureSentences},
		{"notifications", unless(k.d.Notify != nil, silent("notifications")), notificationSentences},
		{"start", deposits, startSentences},
		{"return", unless(k.has(gateway.CanFinishReturn), silent("customers that return")), returnSentences},
		{"read", deposits, readSentences},
		{"cancel and refund", unless(canGiveBack, silent("canceling and refunding")), giveBackSentences},
		{"payout and transfer", unless(k.d.Payout != nil || k.d.Account != nil, silent("payouts and accounts")),
			sendingSentences},
		{"accounts", unless(k.d.Account != nil, silent("accounts")), accountSentences},
		{"hygiene", "", hygieneSentences},
	}
}
