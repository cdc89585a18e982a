package sweep_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestNoncesAreForgottenAfterADay, and not while a process whose clock is wrong might still find their timestamps fresh.
func TestNoncesAreForgottenAfterADay(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	used := owner.Nonce{Caller: "dealer/1", Value: "0123456789abcdef", UsedAt: w.Clock.Now()}
	if err := w.Store.Commit(t.Context(), core.Changeset{used}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		wait time.Duration
		want fault.Code
	}{{owner.NonceLife, fault.Conflict}, {10 * time.Minute, ""}} {
		w.Clock.Advance(step.wait)
		if err := w.Sweep.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.Store.Commit(t.Context(), core.Changeset{used}); (step.want == "") != (err == nil) || err != nil && !fault.Is(err, step.want) {
			t.Errorf("after %s: %v", step.wait, err)
		}
	}
}
