package belltest_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/belltest"
)

// bell is the least that passes the kit, with room for defects.
type bell struct {
	ctx      context.Context
	received chan core.WakeUp
	defect   string
	mu       sync.Mutex
	waiting  map[core.WakeUp]bool
	busy     map[core.WakeUp]bool
	gone     bool
}

func newBell(t *testing.T, defect string) *bell {
	t.Helper()
	b := &bell{
		ctx: t.Context(), received: make(chan core.WakeUp), defect: defect,
		waiting: map[core.WakeUp]bool{}, busy: map[core.WakeUp]bool{},
	}
	return b
}

func (b *bell) Ring(rings ...core.WakeUp) {
	if len(rings) == 0 && b.defect == "rings nothing" {
		rings = []core.WakeUp{{}}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone && b.defect == "stops at an outage" {
		return
	}
	for _, r := range rings {
		at := r.At.Truncate(time.Second)
		if at.Before(r.At) && b.defect != "comes early" {
			at = at.Add(time.Second)
		}
		if r.At = at; !at.After(time.Now()) {
			r.At = time.Time{}
		}
		if b.defect == "cuts the key" {
			r.Receiver = strings.TrimSpace(r.Receiver)
		}
		if b.waiting[r] && b.defect != "sends every ring" || b.busy[r] && b.defect == "loses rings in flight" ||
			len(b.waiting) >= 1000 && b.defect == "has no room" {
			continue
		}
		b.waiting[r] = true
		go b.deliver(r, time.Until(r.At))
	}
}

func (b *bell) deliver(r core.WakeUp, wait time.Duration) {
	select {
	case <-time.After(wait):
	case <-b.ctx.Done():
		return
	}
	b.mu.Lock()
	delete(b.waiting, r)
	b.busy[r] = true
	b.mu.Unlock()
	select {
	case b.received <- core.WakeUp{Kind: r.Kind, Receiver: r.Receiver, GatewayID: r.GatewayID}:
	case <-b.ctx.Done():
	}
	select {
	case <-time.After(2 * time.Millisecond):
	case <-b.ctx.Done():
	}
	b.mu.Lock()
	delete(b.busy, r)
	b.mu.Unlock()
}

func (b *bell) setGone(gone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = b.gone || gone
}

func run(t *testing.T, defect string) {
	belltest.Run(t, func(t *testing.T) (ports.Bell, <-chan core.WakeUp) {
		b := newBell(t, defect)
		return b, b.received
	})
	belltest.RunOutage(t, func(t *testing.T) belltest.Breakable {
		b := newBell(t, defect)
		return belltest.Breakable{Bell: b, Received: b.received, Stop: func() { b.setGone(true) }, Start: func() { b.setGone(false) }}
	})
}

func TestReference(t *testing.T) {
	t.Parallel()
	run(t, "")
}

// defects are broken bells, each with a sentence that it must fail.
var defects = map[string]string{
	"loses rings in flight": "a worker starts after the last ring of a key",
	"sends every ring":      "many rings of one key become few",
	"comes early":           "a ring for the future does not arrive before its time",
	"cuts the key":          "a ring arrives with its kind and its key as they are",
	"has no room":           "thousands of keys arrive",
	"rings nothing":         "ringing nothing wakes nobody",
	"stops at an outage":    "rings are heard again after every outage",
}

const asSubject = "BELLTEST_BROKEN"

// TestBrokenBells runs, in a second process for each broken bell, the sentence that it must fail.
func TestBrokenBells(t *testing.T) {
	t.Parallel()
	subject := os.Getenv(asSubject)
	for defect, fails := range defects {
		t.Run(defect, func(t *testing.T) {
			t.Parallel()
			if subject != "" {
				run(t, defect)
				return
			}
			name := strings.ReplaceAll("TestBrokenBells/"+defect+"/"+fails, " ", "_")
			pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^") + "$"
			kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+pattern, "-test.v", "-test.timeout=12s")
			kit.Env = append(os.Environ(), asSubject+"=1")
			output, err := kit.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: "+name+" (") {
				t.Errorf("the kit does not fail it: %v", err)
			}
		})
	}
}
