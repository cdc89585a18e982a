package bunstore_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// due has three rows of everything that workers ask for, all of them due at a moment: A and B before the last, C.
func due(now time.Time) core.Changeset {
	var all core.Changeset
	for i, name := range []string{"A", "B", "C"} {
		id, at := core.ID(name+strings.Repeat("0", 25)), now.Add(time.Duration(i-3)*time.Minute)
		all = all.Merge(core.Changeset{
			payment.Payment{
				ID: id, Version: 1, TrackingCode: "MAN-" + name, Token: name, Method: payment.ManualDeposit, Status: payment.Showing,
				ExpiresAt: at, CreatedAt: at, UpdatedAt: at,
			},
			payment.Callback{
				ID: id, Version: 1, PaymentID: id, Sequence: 1, Receiver: "receiver", Status: payment.Waiting, NextAttemptAt: at, CreatedAt: at,
			},
			operation.Operation{
				ID: id, Version: 1, PaymentID: id, GatewayID: 7, Reference: gateway.Ref(name), ReturnToken: name, Phase: operation.Open, NextAt: at, CreatedAt: at,
			},
			notification.Notification{
				ID: id, Version: 1, GatewayID: 7, Key: name, Status: notification.Waiting, ReceivedAt: at,
			},
			report.Job{ID: id, Version: 1, JobOrder: report.JobOrder{Kind: report.ExportJob}, Status: report.JobQueued, NextAt: at, CreatedAt: at},
			approval.Approval{
				ID: id, Version: 1, Status: approval.Waiting, RequesterID: 7, CreatedAt: at, ExpiresAt: at,
			},
		})
	}
	return all
}

// TestDamagedRowsHoldUpNobody: somebody has written into the database by hand. Workers get everything else, however few
// they ask for at a time, and what is damaged is logged and counted once.
func TestDamagedRowsHoldUpNobody(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		var (
			logs    bytes.Buffer
			damaged []string
		)
		cfg.Log = slog.New(slog.NewTextHandler(&logs, nil))
		cfg.Damaged = func(table string) { damaged = append(damaged, table) }
		s, now := openStore(t, cfg), time.Unix(1_800_000_000, 0)
		if err := s.Commit(t.Context(), due(now)); err != nil {
			t.Fatal(err)
		}
		db, tables := rawDatabase(t, cfg), map[string]string{
			"payments": "details", "callbacks": "payload", "operations": "body", "notifications": "body", "jobs": "body", "approvals": "body",
		}
		for table, column := range tables {
			execute(t, db, fmt.Sprintf("UPDATE %s SET %s = '{damaged' WHERE id LIKE 'A0%%' OR id LIKE 'B0%%'", table, column))
		}
		for name, work := range dueWork(t.Context(), s) {
			for round := range 2 { // the leases of the first are over
				for limit := 1; limit <= 3; limit++ {
					at := now.Add(time.Duration(10*round+limit) * time.Hour)
					if got, err := work(at, limit); err != nil || !slices.Equal(got, []core.ID{"C" + core.ID(strings.Repeat("0", 25))}) {
						t.Errorf("%s, %d at a time: %q, %v", name, limit, got, err)
					}
				}
			}
		}
		slices.Sort(damaged)
		if got := strings.Join(damaged, " "); got != "approvals approvals callbacks callbacks jobs jobs notifications notifications "+
			"operations operations payments payments" {
			t.Errorf("counted are %s", got)
		}
		if n := strings.Count(logs.String(), "level=ERROR"); n != 2*len(tables) || !strings.Contains(logs.String(), "MAN-A") {
			t.Errorf("%d damaged rows are logged:\n%s", n, logs.String())
		}
	})
}

// dueWork is all that workers ask for, until there is nothing more.
func dueWork(ctx context.Context, s *bunstore.Store) map[string]func(now time.Time, limit int) ([]core.ID, error) {
	return map[string]func(time.Time, int) ([]core.ID, error){
		"DuePayments": func(now time.Time, limit int) ([]core.ID, error) {
			return paged(func(p payment.Payment) core.ID { return p.ID }, func(after core.DueCursor) (core.DuePage[payment.Payment], error) {
				return s.DuePayments(ctx, now, after, limit)
			})
		},
		"DueApprovals": func(now time.Time, limit int) ([]core.ID, error) {
			return paged(func(a approval.Approval) core.ID { return a.ID }, func(after core.DueCursor) (core.DuePage[approval.Approval], error) {
				return s.DueApprovals(ctx, now, after, limit)
			})
		},
		"ClaimCallbacks": func(now time.Time, limit int) ([]core.ID, error) {
			rows, err := s.ClaimCallbacks(ctx, "receiver", now, now.Add(time.Minute), limit)
			return idsOf(func(c payment.Callback) core.ID { return c.ID }, rows), err
		},
		"ClaimOperations": func(now time.Time, limit int) ([]core.ID, error) {
			rows, err := s.ClaimOperations(ctx, 7, now, now.Add(time.Minute), limit)
			return idsOf(func(o operation.Operation) core.ID { return o.ID }, rows), err
		},
		"ClaimNotifications": func(now time.Time, limit int) ([]core.ID, error) {
			rows, err := s.ClaimNotifications(ctx, now, now.Add(time.Minute), limit)
			return idsOf(func(n notification.Notification) core.ID { return n.ID }, rows), err
		},
		"ClaimJobs": func(now time.Time, limit int) ([]core.ID, error) {
			rows, err := s.ClaimJobs(ctx, now, now.Add(time.Minute), limit)
			return idsOf(func(j report.Job) core.ID { return j.ID }, rows), err
		},
	}
}

func paged[T any](id func(T) core.ID, read func(core.DueCursor) (core.DuePage[T], error)) (ids []core.ID, err error) {
	for after, hasNext := (core.DueCursor{}), true; hasNext; {
		page, err := read(after)
		if err != nil {
			return nil, err
		}
		ids = append(ids, idsOf(id, page.Rows)...)
		after, hasNext = page.Next, page.HasNext
	}
	return ids, nil
}

func idsOf[T any](id func(T) core.ID, rows []T) (ids []core.ID) {
	for _, row := range rows {
		ids = append(ids, id(row))
	}
	return ids
}
