package staff

import (
	"context"
	"crypto/rand"
	"testing"
	"testing/synctest"

	"github.com/vezne/vezne/core/fault"
)

// TestNobodyWhoIsKnownWaitsBehindStrangers: strangers who guess fill the places of strangers, however many they are.
func TestNobodyWhoIsKnownWaitsBehindStrangers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPasswords(rand.Reader)
		hash, err := p.hash(t.Context(), "a long password")
		if err != nil {
			t.Fatal(err)
		}
		for range maxStrangers {
			p.strangers <- struct{}{} // somebody's is hashed for ever
		}
		ctx, cancel := context.WithCancel(t.Context())
		waits := make(chan error)
		go func() {
			_, err := p.strangers.match(ctx, "a long password", hash)
			waits <- err
		}()
		synctest.Wait()
		if ok, err := p.known.match(t.Context(), "a long password", hash); !ok || err != nil {
			t.Errorf("whoever is known: %v, %v", ok, err)
		}
		cancel()
		if err := <-waits; !fault.Is(err, fault.Unavailable) {
			t.Errorf("a stranger beside the others: %v", err)
		}
	})
}
