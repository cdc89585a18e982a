// Package tickettest is the conformance kit of ports.Tickets.
package tickettest

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Run tests the keepers that open gives, which may share one store: the kit draws its keys. pass lets time pass for the
// keeper that was opened last.
func Run(t *testing.T, open func(t *testing.T) (tickets ports.Tickets, pass func(time.Duration))) {
	t.Helper()
	for says, test := range map[string]func(k *keeper){
		"what is kept is found, any number of times": found,
		"what is taken is gone":                      gone,
		"of many who take at once one gets it":       oneTakes,
		"what was kept for a while is gone after it": over,
		"keeping again replaces":                     replaced,
		"a key that nobody used is not found":        unknown,
		"a context that is over is unavailable":      endedContext,
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			tickets, pass := open(t)
			test(&keeper{T: t, Tickets: tickets, pass: pass, key: rand.Text()})
		})
	}
}

type keeper struct {
	*testing.T
	ports.Tickets
	pass func(time.Duration)
	key  string
}

const text = "İ'\\ \x00 \n text"

func (k *keeper) keep(text string, life time.Duration) {
	k.Helper()
	if err := k.Keep(k.Context(), k.key, text, life); err != nil {
		k.Fatal(err)
	}
}

func (k *keeper) gives(what string, got string, err error, want string, code fault.Code) {
	k.Helper()
	if got != want || fault.CodeOf(err) != code {
		k.Fatalf("%s gives %q, %v; want %q, %q", what, got, err, want, code)
	}
}

func found(k *keeper) {
	k.keep(text, time.Hour)
	for range 2 {
		got, err := k.Kept(k.Context(), k.key)
		k.gives("Kept", got, err, text, "")
	}
}

func gone(k *keeper) {
	k.keep(text, time.Hour)
	got, err := k.Take(k.Context(), k.key)
	k.gives("Take", got, err, text, "")
	got, err = k.Take(k.Context(), k.key)
	k.gives("a second Take", got, err, "", fault.NotFound)
	got, err = k.Kept(k.Context(), k.key)
	k.gives("Kept after Take", got, err, "", fault.NotFound)
}

func oneTakes(k *keeper) {
	k.keep(text, time.Hour)
	var all sync.WaitGroup
	var taken atomic.Int64
	for range 20 {
		all.Go(func() {
			if got, err := k.Take(k.Context(), k.key); err == nil && got == text {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if n := taken.Load(); n != 1 {
		k.Errorf("%d got it", n)
	}
}

func over(k *keeper) {
	k.keep(text, time.Second)
	k.pass(1100 * time.Millisecond)
	got, err := k.Kept(k.Context(), k.key)
	k.gives("Kept after its time", got, err, "", fault.NotFound)
	got, err = k.Take(k.Context(), k.key)
	k.gives("Take after its time", got, err, "", fault.NotFound)
}

func replaced(k *keeper) {
	k.keep("other", time.Second)
	k.keep(text, time.Hour)
	k.pass(1100 * time.Millisecond)
	got, err := k.Kept(k.Context(), k.key)
	k.gives("Kept", got, err, text, "")
}

func unknown(k *keeper) {
	got, err := k.Kept(k.Context(), k.key)
	k.gives("Kept", got, err, "", fault.NotFound)
	got, err = k.Take(k.Context(), k.key)
	k.gives("Take", got, err, "", fault.NotFound)
}

func endedContext(k *keeper) {
	ended, end := context.WithCancel(k.Context())
	end()
	got, err := k.Kept(ended, k.key)
	k.gives("Kept", got, err, "", fault.Unavailable)
	got, err = k.Take(ended, k.key)
	k.gives("Take", got, err, "", fault.Unavailable)
	if err := k.Keep(ended, k.key, text, time.Hour); !fault.Is(err, fault.Unavailable) {
		k.Errorf("Keep gives %v", err)
	}
}
