package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

func hygieneSentences(kit) []sentence {
	return append(sourceSentences(),
		sentence{"fifty questions at a time get fifty right answers", fiftyAtOnce},
		sentence{"nothing goes on after Close", nothingGoesOn},
		sentence{"probing changes nothing and finds a working account working", probeIsFine},
		sentence{"probing with refused keys says that they are refused", probeIsRefused},
		sentence{"probing that meets trouble is not fine", probeMeetsTrouble},
	)
}

// questions are asked many at a time; each gives its answer as text.
func (w *world) questions() []func(w *world) (string, error) {
	w.t.Helper()
	var all []func(w *world) (string, error)
	if w.d.Deposit != nil {
		for _, s := range []Situation{IsWaiting, IsPaid, IsUnlisted} {
			d := w.start()
			w.mustSet(d.order.Ref, s)
			all = append(all, func(w *world) (string, error) { return asText(w.readDeposit(d.key())) })
		}
	}
	if w.d.Payout != nil {
		rail := payoutRail(w.kit)
		s, report := rail.sent(w)
		w.mustSet(s.ref, IsDone)
		all = append(all, func(w *world) (string, error) { return asText(w.readPayout(s.at(report.External))) })
	}
	if w.d.Account != nil {
		id := w.account().ID
		all = append(all, func(w *world) (string, error) { return asText(w.readBalance(id)) })
	}
	return all
}

func asText(report any, err error) (string, error) {
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(report)
	return string(text), err
}

func fiftyAtOnce(w *world) {
	const crowd = 50
	questions := w.questions()
	want := make([]string, len(questions))
	for i, ask := range questions {
		answer, err := ask(w)
		w.ok("a question", err)
		want[i] = answer
	}
	answers, errs := make([]string, crowd), make([]error, crowd)
	w.together(crowd, func(i int) { answers[i], errs[i] = questions[i%len(questions)](w) })
	for i := range crowd {
		w.ok("one of fifty questions at a time", errs[i])
		w.check(answers[i] == want[i%len(want)], "one of fifty questions at a time got the answer %s, and alone it gets %s",
			answers[i], want[i%len(want)])
	}
}

// direct is a Doer that calls the fake without a network, and so starts nothing that could be taken for the plugin's.
type direct struct{ handler http.Handler }

var _ ports.Doer = direct{}

// Do implements ports.Doer.
func (d direct) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	answer := httptest.NewRecorder()
	d.handler.ServeHTTP(answer, request)
	return gateway.Response{Status: answer.Code, Header: fields(answer.Header()), Body: answer.Body.Bytes()}, nil
}

// nothingGoesOn marks the goroutine that opens, uses and closes a gateway: whatever it starts carries the mark.
func nothingGoesOn(w *world) {
	mark := fmt.Sprintf("%s %p", w.d.Code, w)
	pprof.Do(w.ctx, pprof.Labels("conformance", mark), func(ctx context.Context) {
		g, err := w.Plugin.Open(ports.GatewayEnv{
			Environment: w.Environment, Config: w.config, HTTP: direct{w.fake.Handler}, Clock: w.clock,
		})
		w.ok("Open", err)
		used := w.on(g).under(ctx)
		for _, ask := range used.questions() {
			_, err := ask(used)
			w.ok("a question", err)
		}
		used.probe()
		w.ok("Close", g.Close())
		w.ok("a second Close", g.Close())
	})
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	left := goroutines(mark)
	for range 200 { // what was told to end may need a moment
		if left == "" {
			return
		}
		<-poll.C
		left = goroutines(mark)
	}
	w.t.Errorf("a goroutine goes on after Close; a plugin needs none of its own:\n%s", left)
}

// goroutines returns the stacks that carry a mark.
func goroutines(mark string) string {
	var all bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&all, 1); err != nil {
		return err.Error()
	}
	stacks := slices.DeleteFunc(strings.Split(all.String(), "\n\n"), func(s string) bool { return !strings.Contains(s, mark) })
	return strings.Join(stacks, "\n\n")
}

func probeIsFine(w *world) {
	before := w.fake.Writes()
	report := w.probe()
	w.check(report.IsOK(), "Probe of a working account is not fine, or tried nothing: %+v", report)
	w.check(w.fake.Writes() == before, "Probe changed something at the gateway: staff press that button at any time")
	for _, c := range report.Checks {
		w.check(c.Name != "", "a check of Probe has no Name")
	}
}

func probeIsRefused(w *world) {
	w.refuse()
	report := w.probe()
	w.check(!report.IsOK(), "Probe with refused keys is fine: it must make a call that needs them")
	said := slices.ContainsFunc(report.Checks, func(c gateway.ProbeCheck) bool {
		return !c.IsOK && (c.Failure == gateway.Misconfigured || c.Failure == gateway.Unauthenticated)
	})
	w.check(said, "Probe with refused keys must have a check of class %q or %q: %+v", gateway.Misconfigured,
		gateway.Unauthenticated, report)
}

func probeMeetsTrouble(w *world) {
	for _, t := range troubles() {
		before := len(w.wire.requests())
		w.wire.down(t, nil)
		report := w.probe()
		w.wire.heal()
		if len(w.wire.requests()) > before {
			w.check(!report.IsOK(), "Probe that meets %s is fine", t.says)
		}
	}
}
