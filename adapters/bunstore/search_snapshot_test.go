package bunstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

const movedIBAN = "TR330006100519786457841326"

// between does something once, after a list of payments was read and before anything else of that search is.
type between struct {
	list      int // which one it is, from 1
	meanwhile func()
}

func (b *between) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (b *between) AfterQuery(_ context.Context, event *bun.QueryEvent) {
	if strings.Contains(event.Query, " AS f JOIN ") {
		if b.list--; b.list == 0 {
			b.meanwhile()
		}
	}
}

// inLine are payments whose last changes were one minute apart, the latest first. The first six are of another provider.
func inLine(now time.Time) []payment.Payment {
	all := make([]payment.Payment, 20)
	for i := range all {
		at := now.Add(-time.Duration(i) * time.Minute)
		all[i] = payment.Payment{
			ID: core.FirstID(at), Version: 1, TrackingCode: fmt.Sprintf("MAN-%02d", i), Token: fmt.Sprint("token ", i), Method: payment.ManualDeposit,
			Status: payment.Completed, ProviderID: 2, IBAN: movedIBAN, Amount: money.New(100, money.TRY), CreatedAt: at, UpdatedAt: at,
			FinishedAt: at,
		}
		if i < 6 {
			all[i].ProviderID = 1
		}
	}
	return all
}

// TestWhatMovesMeanwhileMovesNothingElse: a search stops, and before it has found where the next one goes on a payment
// changes its place, or is found in one more way. Every payment that stays where it was is listed, once.
func TestWhatMovesMeanwhileMovesNothingElse(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	for name, c := range map[string]struct {
		query     report.PaymentQuery
		page      int // of which only three payments are looked at
		meanwhile func(all []payment.Payment) core.Changeset
		want      func(payment.Payment) bool
	}{
		"it goes to the front": {
			report.PaymentQuery{Sort: report.LastChanged, ProviderID: 2}, 2,
			func(all []payment.Payment) core.Changeset {
				moved := all[4]
				moved.Version, moved.UpdatedAt = 2, now.Add(time.Hour)
				return core.Changeset{moved}
			},
			func(p payment.Payment) bool { return p.ProviderID == 2 },
		},
		"a bank line finds it, too": {
			report.PaymentQuery{IBAN: movedIBAN}, 1,
			func(all []payment.Payment) core.Changeset {
				return core.Changeset{wallet.BankLine{
					WalletID: 1, LineID: "late", ID: core.FirstID(now), Version: 1, Direction: gateway.Incoming, BookedAt: now, ImportedAt: now,
					Party: gateway.Party{IBAN: movedIBAN}, Status: wallet.LineMatched, PaymentID: all[0].ID, Amount: all[0].Amount,
				}}
			},
			func(payment.Payment) bool { return true },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forEach(t, func(t *testing.T, cfg bunstore.Config) {
				s, all := openStore(t, cfg), inLine(now)
				wallet := wallet.Wallet{ID: 1, Version: 1, WalletID: "W-1", DealerID: 1, CreatedAt: now, UpdatedAt: now}
				if err := s.Commit(t.Context(), core.Changeset{wallet}.Merge(core.Rows(all))); err != nil {
					t.Fatal(err)
				}
				hooked := s.WithHook(&between{list: c.page, meanwhile: func() {
					if err := s.Commit(t.Context(), c.meanwhile(all)); err != nil {
						t.Error(err)
					}
				}})
				var want, got []string
				for _, p := range all {
					if c.want(p) {
						want = append(want, p.TrackingCode)
					}
				}
				q := c.query
				q.Limit, q.MaxLooked = 10, 3
				for more := true; more; {
					found, err := hooked.SearchPayments(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					for _, p := range found.Payments {
						got = append(got, p.TrackingCode)
					}
					q, more = found.Next(q)
				}
				if !slices.Equal(got, want) {
					t.Errorf("listed are\n%q, want\n%q", got, want)
				}
			})
		})
	}
}
