package redislimit_test

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/adapters/redislimit"
	"github.com/vezne/vezne/core"
)

// TestKeysAreForgotten: a key is kept until all of it is back, whatever comes meanwhile, and not for long after that.
func TestKeysAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, once, often := redislimit.NewLocal(), core.Rate{Events: 1, Per: 15 * time.Minute}, core.Rate{Events: 10, Per: time.Minute}
		take := func(key string, rate core.Rate) bool { return l.Take(t.Context(), key, 1, rate).OK }
		if !take("once", once) {
			t.Fatal("the first one is refused")
		}
		for i := range 100 {
			take("before "+strconv.Itoa(i), often)
		}
		for range int(once.Per/time.Second) - 1 {
			take("meanwhile", often)
			time.Sleep(time.Second)
		}
		if take("once", once) {
			t.Error("it is forgotten before it is back")
		}
		if time.Sleep(time.Second); !take("once", once) {
			t.Error("still refused when all of it is back")
		}
		for range 3 {
			take("after", often)
			time.Sleep(once.Per)
		}
		if known := l.Known(); known > 2 {
			t.Errorf("%d keys are known when one is used", known)
		}
	})
}
