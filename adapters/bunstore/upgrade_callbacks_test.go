package bunstore_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
)

// TestCallbacksAreNumberedByTheUpgrade: of a payment's callbacks, which used to know nothing of each other, the last one
// holds, in the order of their IDs; and none of a payment that was given back.
func TestCallbacksAreNumberedByTheUpgrade(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		at := time.UnixMicro(1_800_000_000_000_001).UTC()
		row := func(id, payment string, number int, state core.CallbackState, next, lease time.Duration) core.Callback {
			c := core.Callback{
				ID: core.ID(id), Version: 1, PaymentID: core.ID(payment), Sequence: number, State: state, Receiver: "İ'\\",
				CreatedAt: at.Add(time.Duration(number) * time.Hour),
			}
			if lease != 0 {
				c.LeaseUntil = at.Add(lease)
			}
			if c.NextAttemptAt = at.Add(next); state != core.Waiting {
				c.NextAttemptAt, c.FinishedAt = time.Time{}, at
			}
			return c
		}
		refunded := newDeposit(t)
		p := &refunded.Payments[0]
		p.Method, p.Status, p.UpdatedAt = core.CreditCard, core.Refunded, at.Add(9*time.Hour)
		old := []core.Callback{
			row("A1", "A", 1, core.Waiting, time.Minute, 0),
			row("B1", "B", 1, core.Delivered, 0, 0), row("B2", "B", 2, core.Undeliverable, 0, 0), row("B3", "B", 3, core.Delivered, 0, 0),
			row("C1", "C", 1, core.Waiting, 0, 2*time.Hour), row("C2", "C", 2, core.Waiting, time.Minute, 0),
			row("D1", string(p.ID), 1, core.Waiting, 0, 0),
		}
		refunded.Callbacks = slices.Clone(old)
		if err := s.Commit(t.Context(), refunded); err != nil {
			t.Fatal(err)
		}
		all, err := s.Migrations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		before := slices.IndexFunc(all, func(m bunstore.Migration) bool { return strings.Contains(m.Name, "callback_sequence") })
		if _, err := bunstore.MigrateDown(t.Context(), cfg, len(all)-before); err != nil {
			t.Fatal(err)
		}
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(old)
		want[1].SupersededAt, want[2].SupersededAt = want[2].CreatedAt, want[3].CreatedAt
		for i, since := range map[int]time.Time{4: want[5].CreatedAt, 6: p.UpdatedAt} {
			c := &want[i]
			c.Version, c.State, c.NextAttemptAt, c.FinishedAt, c.SupersededAt = 2, core.Superseded, time.Time{}, since, since
		}
		want[5].NextAttemptAt = want[4].LeaseUntil
		var got []core.Callback
		for _, id := range []core.ID{"A", "B", "C", p.ID} {
			some, err := s.CallbacksOf(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, some...)
		}
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("after the upgrade (-want +got)\n%s", cmp.Diff(want, got, cmp.Comparer(func(a, b core.Payload) bool { return a == b })))
			}
		}
	})
}
