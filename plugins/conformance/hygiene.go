package conformance

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func hygieneCases(suite) []testCase {
	return append(sourceCases(),
		testCase{"fifty questions at a time get fifty right answers", fiftyAtOnce},
		testCase{"questions are answered a day later, too", answersLater},
		testCase{"a question does not wait for another one's answer", waitsForNoOther},
		testCase{"what must be new with each request is", noncesAreNew},
		testCase{"nothing goes on after Close", nothingGoesOn},
		testCase{"probing changes nothing and finds a working account working", probeSucceeds},
		testCase{"probing that meets a failure says which it is", probeFails},
	)
}

func fiftyAtOnce(w *world) {
	const crowd = 50
	queries := w.allQueries()
	want := make([]string, len(queries))
	for i, q := range queries {
		answer, err := q.ask(w)
		w.ok(q.name, err)
		want[i] = answer
	}
	answers, errs := make([]string, crowd), make([]error, crowd)
	w.together(crowd, func(i int) { answers[i], errs[i] = queries[i%len(queries)].ask(w) })
	for i := range crowd {
		w.ok("one of fifty questions at a time", errs[i])
		w.check(answers[i] == want[i%len(want)], "one of fifty questions at a time got the answer %s, and alone it gets %s",
			answers[i], want[i%len(want)])
	}
}

// answersLater asks again when whatever was begun for the first questions has ended, in its time or before.
func answersLater(w *world) {
	all := func(when, advice string) {
		for _, q := range w.allQueries() {
			_, err := q.ask(w)
			w.check(err == nil, "%s failed %s (%v): %s", q.name, when, err, advice)
		}
	}
	all("at first", "it is asked for what is there")
	w.clock.Advance(25 * time.Hour)
	all("a day later", "a session or token ends, and the next call begins another one. Keep it for less than it holds, by GatewayEnv.Clock")
	if w.fake.EndSessions != nil {
		w.fake.EndSessions()
		all("after its session was ended by the gateway", "one that is refused is begun again once, and the call is made again")
	}
}

// waitsForNoOther lets the first question of a gateway hang, which begins a session where there is one, and asks the same under a context
// that is over.
func waitsForNoOther(w *world) {
	for _, q := range w.allQueries() {
		fresh := w.on(w.open(w.config, w.transport))
		over, cancel := context.WithCancel(w.ctx)
		cancel()
		waits, first, second := w.transport.hang(), make(chan struct{}), make(chan struct{})
		go w.guarded(func() { defer close(first); _, _ = q.ask(fresh) })
		select {
		case <-waits:
			go w.guarded(func() { defer close(second); _, _ = q.ask(fresh.under(over)) })
			select {
			case <-second:
			case <-time.After(watchdog):
				w.t.Fatalf("%s under a context that is over waits for the answer to another call: wait for a session that another call begins in "+
					"a select beside ctx.Done(), and not for a mutex", q.name)
			}
		case <-first: // it makes no call
		}
		w.transport.restore()
		<-first
	}
}

// nothingGoesOn labels the goroutine that opens, uses and closes a gateway: what it starts has the label, too.
func nothingGoesOn(w *world) {
	label := fmt.Sprintf("%s %p", w.d.Code, w)
	pprof.Do(w.ctx, pprof.Labels("conformance", label), func(ctx context.Context) {
		g, err := w.tryOpen(w.config, w.transport)
		w.ok("Open", err)
		used := w.on(g).under(ctx)
		used.askAll()
		used.probe()
		w.ok("Close", g.Close())
		w.ok("a second Close", g.Close())
	})
	w.transport.client.CloseIdleConnections() // their goroutines have the label
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	left := goroutines(label)
	for range 200 { // a goroutine that was canceled may need a moment
		if left == "" {
			return
		}
		<-poll.C
		left = goroutines(label)
	}
	w.t.Errorf("a goroutine goes on after Close; a plugin needs none of its own:\n%s", left)
}

// goroutines returns the stacks that have a label.
func goroutines(label string) string {
	var all bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
		return err.Error()
	}
	stacks := slices.DeleteFunc(strings.Split(all.String(), "\n\n"), func(s string) bool { return !strings.Contains(s, label) })
	return strings.Join(stacks, "\n\n")
}

func probeSucceeds(w *world) {
	before := w.fake.Mutations()
	report := w.probe()
	w.check(report.IsOK(), "Probe of a working account is not fine, or tried nothing: %+v", report)
	w.unchanged(before, "Probe changed something at the gateway: staff press that button at any time")
	for _, c := range report.Checks {
		w.check(c.Name != "", "a check of Probe has no Name")
	}
}

func probeFails(w *world) {
	for _, m := range failureModes() {
		if m.name == emptyObject {
			continue // enough for a call that only tries the keys
		}
		before := w.transport.count()
		w.meet(m, nil)
		report := w.probe()
		w.transport.restore()
		isFound := slices.ContainsFunc(report.Checks, func(c gateway.ProbeCheck) bool {
			return !c.IsOK && isOneOf(c.Failure, m.classes...)
		})
		w.check(isFound || m.name != refusedKeys && w.transport.count() == before,
			"Probe that meets %s must have a failed check of one of the classes %q: make a call that needs the keys (%+v)", m.name,
			m.classes, report)
	}
}
