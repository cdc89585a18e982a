package sandbox_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestDuplicateNotificationsHaveOneIDAndComeTogether(t *testing.T) {
	t.Parallel()
	arrived := make(chan string, 3)
	var inside atomic.Int32
	together := make(chan struct{})
	var w *world
	w = newWorld(t, func(c *bank.Config, _ map[string]string) {
		c.Post = func(ctx context.Context, _ string, h http.Header, body []byte) (int, error) {
			n, err := w.gateway.ReadNotification(ctx, gateway.Inbound{Method: "POST", Header: headerOf(h), Body: body})
			arrived <- n.ID
			if inside.Add(1) == 3 {
				close(together)
			}
			<-together // all three are on their way at once, or this never ends
			return http.StatusOK, err
		}
	})
	b := w.browse(w.start(w.order(gateway.Card, "10.21")).Next.Redirect.URL)
	b.card(visa)
	w.pass(2 * time.Second)
	first := <-arrived
	w.check("the IDs", []string{<-arrived, <-arrived}, []string{first, first})
}

func TestNotificationsAreDroppedDelayedAndReordered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mishaps bank.DeliveryFaults
		soon    []string // within ten seconds
		later   []string // within twenty minutes
	}{
		"as they come": {bank.DeliveryFaults{}, []string{"payout queued", "payout sent", "payout done"}, nil},
		"dropped":      {bank.DeliveryFaults{Drop: 1}, []string{"payout sent", "payout done"}, nil},
		"delayed":      {bank.DeliveryFaults{Delay: 10 * time.Minute}, []string{"payout sent", "payout done"}, []string{"payout queued"}},
		"reordered":    {bank.DeliveryFaults{Reorder: true}, []string{"payout sent", "payout queued", "payout done"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.ok(w.bank.FailDeliveries(c.mishaps))
			_, err := w.gateway.SendPayout(w.ctx, w.payoutOrder("700.02"))
			w.ok(err)
			w.pass(10 * time.Second)
			w.check("soon", w.told(), c.soon)
			w.pass(20 * time.Minute)
			w.check("later", w.told(), c.later)
		})
	}
}

func TestRefusedNotificationComesAgainFourTimes(t *testing.T) {
	t.Parallel()
	var at []time.Duration
	var w *world
	w = newWorld(t, func(c *bank.Config, _ map[string]string) {
		c.Post = func(context.Context, string, http.Header, []byte) (int, error) {
			at = append(at, w.Clock.Now().Sub(conformance.Opening))
			if len(at)%2 == 0 {
				return 0, errors.New("nobody listens")
			}
			return http.StatusServiceUnavailable, nil
		}
	})
	_, err := w.gateway.SendPayout(w.ctx, w.payoutOrder("100.00"))
	w.ok(err)
	for range 3 * 60 * 60 {
		w.pass(time.Second)
	}
	w.check("times", at, []string{"1s", "11s", "1m11s", "11m11s", "1h11m11s"})
	w.check("the log", len(w.bank.State().Deliveries), 5)
}

func TestNotificationsAreSentOverHTTP(t *testing.T) {
	t.Parallel()
	got := make(chan gateway.Inbound, 2)
	var isMoved atomic.Bool
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		_, _ = r.Body.Read(body)
		got <- gateway.Inbound{Method: r.Method, Path: r.URL.Path, Header: headerOf(r.Header), Body: body}
		if isMoved.Load() {
			http.Redirect(rw, r, "/elsewhere", http.StatusFound)
		}
	}))
	t.Cleanup(receiver.Close)
	w := newWorld(t, func(c *bank.Config, _ map[string]string) {
		c.Post, c.NotifyURL = bank.PostOverHTTP(), receiver.URL+"/hook"
	})
	_, err := w.gateway.SendPayout(w.ctx, w.payoutOrder("100.00"))
	w.ok(err)
	w.pass(time.Second)
	in := <-got
	n, err := w.gateway.ReadNotification(w.ctx, in)
	w.ok(err)
	w.check("what came", []any{in.Method, in.Path, n.Type, n.Payouts[0].State}, []any{"POST", "/hook", "payout.done", gateway.PayoutDone})
	isMoved.Store(true)
	w.ok(w.bank.Fire("TPBW1", bank.Returned))
	w.pass(time.Second)
	<-got
	w.check("a redirect is not followed", len(got), 0)
	deliveries := w.bank.State().Deliveries
	w.check("and is no success", deliveries[len(deliveries)-1].Status, 302)
}

func TestEventsAndLinesHaveIDsOfTheirOwnAfterARestart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for run := range 2 {
		w := newWorld(t)
		w.pass(time.Duration(run) * time.Hour)
		w.start(w.order(gateway.Bank, "100.00"))
		w.pass(5 * time.Second)
		w.mu.Lock()
		event := w.letters[0].ID
		w.mu.Unlock()
		line := w.statement()[0].ID
		w.check("seen before", []bool{seen[event], seen[line]}, []bool{false, false})
		seen[event], seen[line] = true, true
	}
}

func TestEventByHandIsToldWhateverTheScenario(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(w.order(gateway.Bank, "100.23")) // of which nothing is told
	w.pass(5 * time.Second)
	w.check("by itself", w.told(), []string{})
	w.ok(w.bank.Fire("CC1", bank.Disputed))
	w.pass(2 * time.Second)
	w.check("by hand", w.told(), []string{"disputed"})
}
