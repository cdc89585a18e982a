package live_test

import (
	"strconv"
	"testing"

	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// BenchmarkCommit is what announcing adds to a commit that itself costs nothing, while somebody listens.
func BenchmarkCommit(b *testing.B) {
	events := localevents.New()
	go events.Listen(b.Context(), func([]core.Event) {})
	for name, commits := range map[string]ports.Committer{
		"plain": committer{}, "announced": live.Announce(committer{}, events),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				change := core.Changeset{payment.Payment{ID: core.ID(strconv.Itoa(i)), Version: 1, DealerID: 1}}
				if err := commits.Commit(b.Context(), change); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
