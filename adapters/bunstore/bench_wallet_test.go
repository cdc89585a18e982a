package bunstore_test

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// BenchmarkTransfers sends from one wallet: each transfer reserves its amount in the commit that creates it, and posts
// it in the one that completes it, with the payment, its operation and its history.
func BenchmarkTransfers(b *testing.B) {
	for name, config := range databases() {
		for _, callers := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("%s/%d", name, callers), func(b *testing.B) {
				s := openStore(b, config(b))
				wallet := fundedWallet(b, s)
				var made atomic.Int64
				var all sync.WaitGroup
				b.ResetTimer()
				for range callers {
					all.Go(func() {
						for made.Add(1) <= int64(b.N) {
							if err := transfer(b, s, wallet); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				all.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "transfers/s")
			})
		}
	}
}

// BenchmarkEntries books on one wallet, an entry in each commit and nothing else.
func BenchmarkEntries(b *testing.B) {
	for name, config := range databases() {
		b.Run(name, func(b *testing.B) {
			const callers = 64
			s := openStore(b, config(b))
			wallet := fundedWallet(b, s)
			var made atomic.Int64
			var all sync.WaitGroup
			b.ResetTimer()
			for range callers {
				all.Go(func() {
					for made.Add(1) <= int64(b.N) {
						if err := s.Commit(b.Context(), core.Changeset{incoming(b, wallet, 1)}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// fundedWallet has ten million lira.
func fundedWallet(t testing.TB, s *bunstore.Store) wallet.Wallet {
	t.Helper()
	wallet := wallet.Wallet{ID: 1, Version: 1, WalletID: "W-1", DealerID: 1, CreatedAt: time.Now(), UpdatedAt: time.Now()}
	err := s.Commit(t.Context(), core.Changeset{
		wallet,
		incoming(t, wallet, 1_000_000_000),
	})
	if err != nil {
		t.Fatal(err)
	}
	return wallet
}

func incoming(t testing.TB, wallet wallet.Wallet, minor int64) ledger.Entry {
	t.Helper()
	return ledger.Entry{
		ID: newIDs(t).Next(), WalletID: wallet.ID, Kind: ledger.EntryIncoming, At: time.Now(),
		Available: money.New(minor, money.TRY), Outside: money.New(-minor, money.TRY),
	}
}

func newIDs(t testing.TB) *core.IDs {
	t.Helper()
	ids, err := core.NewIDs(time.Now(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func transfer(t testing.TB, s *bunstore.Store, wallet wallet.Wallet) error {
	t.Helper()
	made := newTransfer(t, wallet)
	if err := s.Commit(t.Context(), made); err != nil {
		return err
	}
	done, err := operation.DecidePayoutReported(
		operation.Case{Payment: core.RowsOf[payment.Payment](made)[0], Operation: core.RowsOf[operation.Operation](made)[0]},
		gateway.PayoutReport{State: gateway.PayoutDone, Trust: gateway.Answered, Proof: "20261121-000001"},
		payment.Decision{By: core.System, At: time.Now(), IDs: newIDs(t)},
	)
	if err != nil {
		return err
	}
	return s.Commit(t.Context(), done)
}

// newTransfer is the changeset of D6, as the core decides it: 12.34 lira.
func newTransfer(t testing.TB, w wallet.Wallet) core.Changeset {
	t.Helper()
	code, err := core.NewTrackingCode(payment.EIBANTransfer.Prefix(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return wallet.DecideTransfer(payment.Request{
		Method: payment.EIBANTransfer, Dealer: owner.Dealer{ID: 1}, Amount: money.New(1_234, money.TRY),
		IBAN: "TR330006100519786457841326",
	}, wallet.TransferPlan{
		Wallet: w, Gateway: owner.GatewayAccount{ID: 1}, Recipient: "Ayşe Yılmaz", Description: "Kasım ödemesi",
	}, payment.CreateParams{At: time.Now(), TrackingCode: code, IDs: newIDs(t)})
}

// BenchmarkRefused has 64 callers ask an empty wallet in vain, alone and beside 32 who create deposits.
func BenchmarkRefused(b *testing.B) {
	for name, config := range databases() {
		for _, others := range []int{0, 32} {
			b.Run(fmt.Sprintf("%s/beside %d", name, others), func(b *testing.B) {
				s := openStore(b, config(b))
				wallet := wallet.Wallet{ID: 1, Version: 1, WalletID: "W-1", CreatedAt: time.Now(), UpdatedAt: time.Now()}
				if err := s.Commit(b.Context(), core.Changeset{wallet}); err != nil {
					b.Fatal(err)
				}
				var refused, created atomic.Int64
				var all sync.WaitGroup
				b.ResetTimer()
				for range 64 {
					all.Go(func() {
						for refused.Add(1) <= int64(b.N) {
							if err := transfer(b, s, wallet); !fault.Is(err, fault.Insufficient) {
								b.Error(err)
								return
							}
						}
					})
				}
				for range others {
					all.Go(func() {
						for refused.Load() < int64(b.N) {
							if err := s.Commit(b.Context(), newDeposit(b)); err != nil {
								b.Error(err)
								return
							}
							created.Add(1)
						}
					})
				}
				all.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "refused/s")
				b.ReportMetric(float64(created.Load())/b.Elapsed().Seconds(), "deposits/s")
			})
		}
	}
}
