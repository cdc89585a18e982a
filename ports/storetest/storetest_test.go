package storetest_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports/storetest"
)

// broken is a real store with a defect that would cost money.
type broken struct {
	*bunstore.Store
	commit func(ctx context.Context, s *bunstore.Store, c core.Changeset) error // instead of the commit
	lease  func(now, until time.Time) time.Time
}

func (b broken) Commit(ctx context.Context, c core.Changeset) error {
	if b.commit != nil {
		return b.commit(ctx, b.Store, c)
	}
	return b.Store.Commit(ctx, c)
}

func (b broken) ClaimCallbacks(
	ctx context.Context, receiver string, now, until time.Time, limit int,
) ([]payment.Callback, error) {
	if b.lease != nil {
		until = b.lease(now, until)
	}
	return b.Store.ClaimCallbacks(ctx, receiver, now, until, limit)
}

func (b broken) ClaimOperations(
	ctx context.Context, gatewayID int64, now, until time.Time, limit int,
) ([]operation.Operation, error) {
	if b.lease != nil {
		until = b.lease(now, until)
	}
	return b.Store.ClaimOperations(ctx, gatewayID, now, until, limit)
}

// defect is what a store does wrong, and a test case that it must fail.
type defect struct {
	name  string
	fails string
	broken
}

// defects are a few of each promise whose breach costs money.
func defects() []defect {
	anything := func(core.Changeset) bool { return true }
	credits := func(c core.Changeset) bool { return core.Has[payment.Credit](c) }
	approvals := func(c core.Changeset) bool { return core.Has[approval.Approval](c) }
	links := func(c core.Changeset) bool { return core.Has[audit.Link](c) }
	noLease := broken{lease: func(now, _ time.Time) time.Time { return now.Add(-time.Second) }}
	neverNew := changing(func(c *core.Changeset) { replaceBefore(c, time.Unix(math.MaxInt32, 0)) })
	alwaysOld := changing(func(c *core.Changeset) { replaceBefore(c, time.Time{}) })
	anyVersion := changing(func(c *core.Changeset) {
		*c = core.Edit(*c, func(u *owner.LimitUsage) { u.Expect = owner.AnyVersion })
	})
	nameless := changing(func(c *core.Changeset) {
		*c = core.Edit(*c, func(e *ledger.Entry) { e.LineID = "" })
	})
	const race = "concurrency/of many who want the same at once one wins and the others leave nothing/"
	return []defect{
		{"takes any version", race + "next version", overlooking(fault.Conflict, anything)},
		{"applies half", "commit/a changeset that fails anywhere leaves nothing of itself/the same of sessions", broken{commit: commitInParts}},
		{"ignores what a use expects", race + "next use of an account", anyVersion},
		{"ignores the block list", "commit/a blocked customer's changeset is refused, and only that provider's customer is blocked", changing(func(c *core.Changeset) { *c = core.Without[owner.NotBlocked](*c) })},
		{"ignores limits of open deposits", "commit/those who create at the same moment keep the limits together", changing(func(c *core.Changeset) { *c = core.Without[payment.OpenBound](*c) })},

		{"credits a source twice", "credits/a bank line is behind one credit, ever, and for no more than it brought", overlooking(fault.Conflict, credits)},
		{"credits a source twice at once", race + "credit of a line", overlooking(fault.Conflict, credits)},
		{"credits more than was brought", "credits/an operation is behind one credit, ever, and for no more than it brought", overlooking(fault.Uncredited, credits)},
		{"completes without a credit", "credits/a payment is completed with its credit, and never without one or for another amount", overlooking(fault.Uncredited, anything)},
		{"corrects below nothing", "credits/a correction stays within what its source brought, and above nothing", overlooking(fault.Uncredited, credits)},

		{"overdraws", "ledger/everything that is there may be taken, and nothing more", overlooking(fault.Insufficient, anything)},
		{"overdraws between transfers", "concurrency/of concurrent transfers as many succeed as the balance is enough for", overlooking(fault.Insufficient, anything)},
		{"books a line twice", "concurrency/a line that many import at the same time is kept and credited once", nameless},
		{"settles a day twice", race + "adjustment of a day", overlooking(fault.Conflict, anything)},

		{"leases callbacks twice", "claims/concurrent claimers get disjoint rows and together all of them/callbacks", noLease},
		{"leases operations twice", "claims/concurrent claimers get disjoint rows and together all of them/operations", noLease},

		{"forgets keys", race + "idempotency key", neverNew},
		{"forgets keys between twins", race + "idempotency key", overlooking(fault.Duplicate, anything)},
		{"keeps keys for ever", "idempotency/a record older than ReplacesBefore is replaced", alwaysOld},

		{"lets requesters approve", "approvals/nobody decides about their own request, and somebody does", overlooking(fault.OwnRequest, approvals)},
		{"decides as often as it is asked", race + "decision about a request", overlooking(fault.Conflict, approvals)},
		{"approves what was refused", "approvals/what has ended is not decided again by who saw it waiting", overlooking(fault.Conflict, approvals)},

		{"chains two entries under one number", "audit chain/a number is taken once, and an entry is chained once", overlooking(fault.Conflict, links)},
		{"lets two chain at once", race + "number in the audit chain", overlooking(fault.Conflict, links)},
	}
}

// overlooking is a store that says yes where some changesets are refused.
func overlooking(code fault.Code, some func(core.Changeset) bool) broken {
	return broken{commit: func(ctx context.Context, s *bunstore.Store, c core.Changeset) error {
		if err := s.Commit(ctx, c); !fault.Is(err, code) || !some(c) {
			return err
		}
		return nil
	}}
}

// changing is a store that commits something else.
func changing(change func(*core.Changeset)) broken {
	return broken{commit: func(ctx context.Context, s *bunstore.Store, c core.Changeset) error {
		change(&c)
		return s.Commit(ctx, c)
	}}
}

func replaceBefore(c *core.Changeset, at time.Time) {
	*c = core.Edit(*c, func(r *payment.IdempotencyRecord) { r.ReplacesBefore = at })
}

func commitInParts(ctx context.Context, s *bunstore.Store, c core.Changeset) error {
	early := core.Rows(core.RowsOf[payment.Payment](c)).Merge(core.Rows(core.RowsOf[payment.Transition](c)))
	c = core.Without[payment.Payment](core.Without[payment.Transition](c))
	if err := s.Commit(ctx, early); err != nil {
		return err
	}
	return s.Commit(ctx, c)
}

// asSubject is set where this test binary runs itself, to put the broken stores through the kit.
const asSubject = "STORETEST_BROKEN"

// TestBrokenStores holds the kit to finding every defect, by the test case that is about it. A test cannot look on as
// another one fails, so the test case meets the broken store in a second process.
func TestBrokenStores(t *testing.T) {
	t.Parallel()
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if os.Getenv(asSubject) != "" {
				storetest.Run(t, func(t *testing.T) storetest.Store {
					return storetest.Of(broken{sqlitetest.Open(t), d.commit, d.lease})
				})
				return
			}
			name := underscored("TestBrokenStores/" + d.name + "/" + d.fails)
			kit := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+exactly(name), "-test.v")
			kit.Env = append(os.Environ(), asSubject+"=1")
			output, err := kit.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: "+name+" (") {
				t.Errorf("the kit does not say that %q fails", d.fails)
			}
		})
	}
}

// exactly is the pattern of one test's name.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// underscored is a test's name as the testing package prints it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }
