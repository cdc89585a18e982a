package storetest_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// broken is the reference store with a defect of a kind that real adapters have had.
type broken struct {
	*memory.Store
	brokenGates
	brokenWallets
	brokenStatements
	brokenAudit
	brokenDirectory
	brokenSignIns
	brokenApprovals
	brokenCounts
	brokenAdjustments
	change   func(s *memory.Store, c *core.Changeset)                           // what a commit makes of its changeset
	commit   func(ctx context.Context, s *memory.Store, c core.Changeset) error // instead of the commit
	payment  func(p *core.Payment)                                              // what reads make of a payment
	query    func(q *core.PaymentQuery)
	lease    func(now, until time.Time) time.Time
	claims   func(claimed []core.Callback)
	heedless *heedless
	crowd    int // due receivers are sought among that many due callbacks
	due      func(due *core.DuePage[core.Payment])
	session  func(s core.Session) bool
	patient  bool // reads do not look at their context
	sequence *atomic.Int64
}

func (b broken) Commit(ctx context.Context, c core.Changeset) error {
	if b.change != nil {
		b.change(b.Store, &c)
	}
	if b.commit != nil {
		return b.commit(ctx, b.Store, c)
	}
	return b.Store.Commit(ctx, c)
}

func (b broken) PaymentByTrackingCode(ctx context.Context, code string) (core.Payment, error) {
	if b.patient {
		ctx = context.WithoutCancel(ctx)
	}
	p, err := b.Store.PaymentByTrackingCode(ctx, code)
	if b.payment != nil {
		b.payment(&p)
	}
	return p, err
}

func (b broken) ListPayments(ctx context.Context, q core.PaymentQuery) ([]core.Payment, error) {
	if b.query != nil {
		b.query(&q)
	}
	return b.Store.ListPayments(ctx, q)
}

func (b broken) DuePayments(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[core.Payment], error) {
	due, err := b.Store.DuePayments(ctx, now, after, limit)
	if b.due != nil {
		b.due(&due)
	}
	return due, err
}

func (b broken) ClaimCallbacks(
	ctx context.Context, receiver string, now, until time.Time, limit int,
) ([]core.Callback, error) {
	if b.lease != nil {
		until = b.lease(now, until)
	}
	b.heedless.give(b.Store, receiver, now)
	claimed, err := b.Store.ClaimCallbacks(ctx, receiver, now, until, limit)
	if b.claims != nil {
		b.claims(claimed)
	}
	return claimed, err
}

func (b broken) DueReceivers(ctx context.Context, now time.Time, after string, limit int) ([]string, error) {
	names, err := b.Store.DueReceivers(ctx, now, after, limit)
	backlog, _ := b.Backlog(ctx, now)
	if b.crowd > 0 && backlog.Due > b.crowd {
		return first(names, 1), err
	}
	return names, err
}

func (b broken) SessionByFingerprint(ctx context.Context, text string) (core.Session, core.Staff, error) {
	session, staff, err := b.Store.SessionByFingerprint(ctx, text)
	if err == nil && b.session != nil && !b.session(session) {
		return b.Store.SessionByFingerprint(ctx, "")
	}
	return session, staff, err
}

func (b broken) NextID(ctx context.Context, name string) (int64, error) {
	if b.sequence != nil {
		return b.sequence.Add(1), ctx.Err()
	}
	return b.Store.NextID(ctx, name)
}

func first[R any](rows []R, n int) []R { return rows[:min(n, len(rows))] }

// defect is a broken store and a sentence that it must fail.
type defect struct {
	name  string
	fails string
	store func() broken
}

func defects() []defect {
	return slices.Concat(commitDefects(), readDefects(), gateDefects(), gateLogDefects(), ledgerDefects(),
		walletReadDefects(), lineDefects(), statementDefects(), deskDefects(), auditDefects(), directoryDefects(),
		signInDefects(), approvalDefects(), countDefects(), adjustmentDefects())
}

func commitDefects() []defect {
	return []defect{
		{"ignores versions", "concurrency/of fifty writers of one version one wins and the others conflict", func() broken {
			return broken{change: takeAnyVersion}
		}},
		{"ignores versions, seen by the property", randomly, func() broken { return broken{change: takeAnyVersion} }},
		{"applies half", "commit/a changeset that fails anywhere leaves nothing of itself/session", func() broken {
			return broken{commit: commitInParts}
		}},
		{"applies half, seen by the property", randomly, func() broken { return broken{commit: commitInParts} }},
		{"lets a fault spoil the next commit", "concurrency/a neighbor's fault never spoils a changeset that is fine",
			func() broken { return broken{commit: spoiling(new(atomic.Bool))} }},
		{"loses the idempotency check", "idempotency/a key that exists is a duplicate and nothing of the changeset stays",
			func() broken { return broken{change: replaceBefore(time.Unix(math.MaxInt32, 0))} }},
		{"loses the idempotency check between twins",
			"concurrency/of concurrent twins of an idempotency key one commits and the others are duplicates",
			func() broken { return broken{change: replaceBefore(time.Unix(math.MaxInt32, 0))} }},
		{"keeps old answers for ever", "idempotency/a record older than ReplacesBefore is replaced", func() broken {
			return broken{change: replaceBefore(time.Time{})}
		}},
		{"ignores the block list", "commit/a blocked customer's changeset is refused", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { c.Unblocked = nil }}
		}},
		{"ignores what a use expects", "accounts/of concurrent uses that expect one version exactly one wins",
			func() broken { return broken{change: expectAnything} }},
		{"uses an account once per changeset", "accounts/several uses of one account in a changeset all count",
			func() broken { return broken{change: useOnce} }},
		{"forgets audit rows", "commit/a row that is only ever inserted is a conflict the second time", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { c.Audit = nil }}
		}},
		{"allows one token only", "commit/payments without a page token are as many as wanted", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { eachPayment(c, noEmptyToken) }}
		}},
		{"cuts names at 190", "payments/every field of a payment comes back", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { eachPayment(c, cutName) }}
		}},
		{"keeps milliseconds", "payments/every field of a payment comes back", func() broken {
			return broken{change: func(_ *memory.Store, c *core.Changeset) { eachPayment(c, milliseconds) }}
		}},
	}
}

const randomly = "random changesets give what the reference gives"

func readDefects() []defect {
	return []defect{
		{"reads local time", "payments/every field of a payment comes back", func() broken {
			return broken{payment: func(p *core.Payment) { p.CreatedAt = p.CreatedAt.In(time.FixedZone("", 3*60*60)) }}
		}},
		{"does not narrow to the scope", "payment lists/each filter narrows, alone and together with others/scope",
			func() broken { return broken{query: func(q *core.PaymentQuery) { q.DealerID = 0 }} }},
		{"ends a page after its cursor", "payment lists/pages cover everything once even while payments are created",
			func() broken { return broken{query: includeCursor} }},
		{"gives one row too many", "payment lists/there are at most Limit payments, newest first", func() broken {
			return broken{query: func(q *core.PaymentQuery) { q.Limit++ }}
		}},
		{"expires the newest first", "payments/the longest overdue payments come first", func() broken {
			return broken{due: func(due *core.DuePage[core.Payment]) { slices.Reverse(due.Rows) }}
		}},
		{"expires one of those that are due at one moment", "payments/what is due comes page by page, each payment once, also those due at one moment",
			func() broken {
				return broken{due: func(due *core.DuePage[core.Payment]) { due.Next.ID += "~" }}
			}},
		{"expires one page for ever", "payments/what is due comes page by page, each payment once, also those due at one moment",
			func() broken {
				return broken{due: func(due *core.DuePage[core.Payment]) { due.HasNext = false }}
			}},
		{"claims overlap", "claims/concurrent claimers get disjoint callbacks and together all of them", func() broken {
			return broken{lease: func(now, _ time.Time) time.Time { return now.Add(-time.Second) }}
		}},
		{"claims without saying so", "claims/claiming raises the version, sets the lease and changes nothing else",
			func() broken {
				return broken{claims: func(claimed []core.Callback) { eachCallback(claimed, oldVersion) }}
			}},
		{"claims whatever waits before it", "claims/no callback is given while an earlier one of its payment waits", func() broken {
			h := &heedless{first: map[core.ID]core.Callback{}}
			return broken{heedless: h, change: h.note}
		}},
		{"gives a number twice", "callbacks/no two callbacks of a payment have the same number", func() broken {
			return broken{change: numberAnew(new(atomic.Int64))}
		}},
		{"gives a number twice at once", "callbacks/of concurrent callbacks of a payment with the same number one wins",
			func() broken { return broken{change: numberAnew(new(atomic.Int64))} }},
		{"claims in no order", "claims/the earliest due callbacks are claimed first", func() broken {
			return broken{claims: slices.Reverse[[]core.Callback]}
		}},
		{"seeks receivers among a thousand rows",
			"claims/thousands of callbacks of one receiver do not hide the others", func() broken { return broken{crowd: 1000} }},
		{"hides revoked sessions", "staff/a revoked session is still given, as revoked", func() broken {
			return broken{session: func(s core.Session) bool { return s.RevokedAt.IsZero() }}
		}},
		{"has one sequence for all", "sequences/each sequence counts for itself", func() broken {
			return broken{sequence: new(atomic.Int64)}
		}},
		{"waits for nobody", "commit/a context that is over is an error and never a hang", func() broken {
			return broken{patient: true}
		}},
	}
}

func (d defect) open() ports.Store {
	b := d.store()
	b.Store = memory.NewStore()
	return b
}

func takeAnyVersion(s *memory.Store, c *core.Changeset) {
	c.Payments = slices.Clone(c.Payments)
	for i := range c.Payments {
		p := &c.Payments[i]
		stored, _ := s.PaymentByTrackingCode(context.Background(), p.TrackingCode)
		p.Version = stored.Version + 1
	}
}

func commitInParts(ctx context.Context, s *memory.Store, c core.Changeset) error {
	early := core.Changeset{Payments: c.Payments, Moves: c.Moves}
	c.Payments, c.Moves = nil, nil
	if err := s.Commit(ctx, early); err != nil {
		return err
	}
	return s.Commit(ctx, c)
}

// spoiling is a store that puts commits together and lets them share their fate.
func spoiling(spoiled *atomic.Bool) func(context.Context, *memory.Store, core.Changeset) error {
	return func(ctx context.Context, s *memory.Store, c core.Changeset) error {
		if spoiled.Swap(false) {
			return fault.New("spoiling", fault.Conflict)
		}
		err := s.Commit(ctx, c)
		spoiled.Store(err != nil)
		return err
	}
}

func replaceBefore(at time.Time) func(*memory.Store, *core.Changeset) {
	return func(_ *memory.Store, c *core.Changeset) {
		if c.Idempotency != nil {
			r := *c.Idempotency
			r.ReplacesBefore = at
			c.Idempotency = &r
		}
	}
}

func expectAnything(_ *memory.Store, c *core.Changeset) {
	c.Uses = slices.Clone(c.Uses)
	for i := range c.Uses {
		c.Uses[i].Expect = core.AnyVersion
	}
}

func useOnce(_ *memory.Store, c *core.Changeset) {
	seen := map[int64]bool{}
	c.Uses = slices.DeleteFunc(slices.Clone(c.Uses), func(u core.AccountUse) bool {
		wasSeen := seen[u.AccountID]
		seen[u.AccountID] = true
		return wasSeen
	})
}

func eachPayment(c *core.Changeset, change func(*core.Payment)) {
	c.Payments = slices.Clone(c.Payments)
	for i := range c.Payments {
		change(&c.Payments[i])
	}
}

func noEmptyToken(p *core.Payment) {
	if p.Token == "" {
		p.Token = "none"
	}
}

func cutName(p *core.Payment) {
	p.SiteName = strings.Join(first(strings.Split(p.SiteName, ""), 190), "")
}

func milliseconds(p *core.Payment) { p.CreatedAt = p.CreatedAt.Truncate(time.Millisecond) }

func includeCursor(q *core.PaymentQuery) {
	if q.After != "" {
		q.After += "0"
	}
}

func eachCallback(claimed []core.Callback, change func(*core.Callback)) {
	for i := range claimed {
		change(&claimed[i])
	}
}

func oldVersion(c *core.Callback) { c.Version-- }

// heedless is a claim that does not ask what waits before a callback: what does ends before it.
type heedless struct {
	mu    sync.Mutex
	first map[core.ID]core.Callback // by payment
}

func (h *heedless) note(_ *memory.Store, c *core.Changeset) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, cb := range c.Callbacks {
		if known, ok := h.first[cb.PaymentID]; !ok || known.ID == cb.ID {
			h.first[cb.PaymentID] = cb
		}
	}
}

func (h *heedless) give(s *memory.Store, receiver string, now time.Time) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, cb := range h.first {
		if cb.State == core.Waiting && (cb.Receiver != receiver || cb.NextAttemptAt.After(now) || !cb.LeaseUntil.IsZero()) {
			cb.Version++
			cb.State = core.Delivered
			_ = s.Commit(context.Background(), core.Changeset{Callbacks: []core.Callback{cb}})
		}
	}
}

// numberAnew is a store that keeps no index of numbers.
func numberAnew(last *atomic.Int64) func(*memory.Store, *core.Changeset) {
	return func(_ *memory.Store, c *core.Changeset) {
		for i := range c.Callbacks {
			c.Callbacks[i].Sequence = 1_000_000 + int(last.Add(1))
		}
	}
}
