package bunstore_test

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// BenchmarkCommit creates deposits, a payment each, with callers that wait for their commit before they ask again.
func BenchmarkCommit(b *testing.B) {
	for name, config := range databases() {
		for _, callers := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d", name, callers), func(b *testing.B) {
				s := openStore(b, config(b))
				var made atomic.Int64
				var all sync.WaitGroup
				b.ResetTimer()
				for range callers {
					all.Go(func() {
						for made.Add(1) <= int64(b.N) {
							if err := s.Commit(b.Context(), newDeposit(b)); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				all.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
			})
		}
	}
}

// BenchmarkEncode turns changesets into statements: of a new deposit, and of its end.
func BenchmarkEncode(b *testing.B) {
	s := openStore(b, sqliteConfig(b))
	created := newDeposit(b)
	if err := s.Commit(b.Context(), created); err != nil {
		b.Fatal(err)
	}
	p := core.RowsOf[payment.Payment](created)[0]
	ids, err := core.NewIDs(p.CreatedAt, rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	ended, err := payment.Decide(p, payment.Cancel, payment.Decision{
		At: p.CreatedAt, Target: payment.Target{Receiver: "provider/1/deposit", URL: "https://example.com"}, Schedule: payment.DefaultRetrySchedule, IDs: ids,
	})
	if err != nil {
		b.Fatal(err)
	}
	for name, change := range map[string]core.Changeset{"created": created, "ended": ended} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Encode(b.Context(), change); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// newDeposit is the changeset of E3, as the core decides it.
func newDeposit(t testing.TB) core.Changeset {
	t.Helper()
	at := time.Now()
	ids, err := core.NewIDs(at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	code, err := core.NewTrackingCode(payment.ManualDeposit.Prefix(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	token, err := core.NewPageToken(at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return payment.DecideCreate(payment.Request{
		Method:   payment.ManualDeposit,
		Provider: owner.Provider{ID: 1},
		Site:     owner.Site{ID: 1, Name: "Example Shop", DealerID: 1},
		Customer: owner.Customer{UserID: "customer-" + code[4:10], Username: "ayse.yilmaz", Fullname: "Ayşe Yılmaz"},
		Amount:   money.New(25_000, money.TRY),
		Language: lang.TR,
	}, payment.CreateParams{At: at, ExpiresIn: 30 * time.Minute, TrackingCode: code, Token: token, IDs: ids})
}
