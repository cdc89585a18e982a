package live_test

import (
	"strconv"
	"testing"

	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/e2e/apptest"
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

// BenchmarkEvent is how long an event takes to a watcher while others watch with filters of their own, and how often the store is
// read for it.
func BenchmarkEvent(b *testing.B) {
	for _, n := range []int{1, 100, 900} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			w := apptest.New(b)
			store := &sick{Payments: w.Store}
			s := newService(b, w, store, w.News)
			p := w.StartDeposit(b, payment.ManualDeposit, money.New(25000, money.TRY))
			for i := range n - 1 {
				q := report.PaymentQuery{MinAmount: money.New(int64(10_000_000+i), money.TRY)}
				if _, err := s.Transactions(b.Context(), w.Admin, q); err != nil {
					b.Fatal(err)
				}
			}
			all, err := s.Transactions(b.Context(), w.Admin, report.PaymentQuery{})
			if err != nil {
				b.Fatal(err)
			}
			<-all.Events
			began := store.reads.Load()
			for b.Loop() {
				w.News.Publish(core.Event{Kind: core.PaymentChanged, ID: p.ID, DealerID: p.DealerID, ProviderID: p.ProviderID})
				for e := range all.Events {
					if e.Row != nil {
						break
					}
				}
			}
			b.ReportMetric(float64(store.reads.Load()-began)/float64(b.N), "reads/event")
		})
	}
}
