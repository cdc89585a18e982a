package bunstore

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// ReplicaConfig says where reads go that may be some seconds old.
type ReplicaConfig struct {
	// URL is of a hot standby of the same PostgreSQL.
	URL string
	// MaxLag is how far behind the standby may be; beyond it the primary is read from.
	MaxLag time.Duration
	// Read is told of each read where it went. Nil: nobody is told.
	Read func(fromReplica bool)
}

// Replica is a store beside which there may be a hot standby. What may be long and some seconds old is read from the standby: the lists,
// searches and statistics at the end of this file, where whoever asks says so (core.After). Everything else is read from the primary, and
// all of it while the standby is too far behind or does not answer. One of a store alone reads everything from that.
type Replica struct {
	*Store // the primary

	cfg  ReplicaConfig
	view Store   // reads from the standby
	ask  *bun.DB // nil: there is no standby

	mu      sync.Mutex
	seen    []mark    // of the primary, at most maxMarks, the standby has not all of them yet
	has     wal       // what the standby has replayed
	isKnown bool      // the last look has succeeded
	freshAt time.Time // everything that was committed before it is on the standby; zero: not known
	looked  time.Time
	began   time.Time
}

// wal is a place in the log of a cluster.
type wal uint64

// mark is how far the primary was at a time.
type mark struct {
	at   time.Time
	upTo wal
}

const (
	lookEvery     = 500 * time.Millisecond // at the replica, while there are reads
	lookTimeout   = time.Second
	maxMarks      = 64
	replicaChecks = 2 // connections
)

// WithReplica opens a standby beside the store. One that cannot be reached is no fault: the primary is read from until it can. Faults:
// Invalid for a database that is not of the same cluster.
func (s *Store) WithReplica(ctx context.Context, cfg Config, replica ReplicaConfig) (*Replica, error) {
	const op = "bunstore.WithReplica"
	if !s.plan.isShared {
		return nil, fault.E(op, fault.Invalid, errors.New("SQLite has no standby"))
	}
	cfg.IsPrimary = false
	reads, err := postgresPool(cfg, replica.URL, s.reads.Stats().MaxOpenConnections, postgresReadTimeout, nil, nil)
	if err != nil {
		return nil, fault.E(op, fault.Invalid, err)
	}
	ask, err := postgresPool(cfg, replica.URL, replicaChecks, lookTimeout, nil, nil)
	if err != nil {
		return nil, fault.E(op, fault.Invalid, err)
	}
	r := &Replica{Store: s, cfg: replica, view: *s, ask: ask, began: time.Now()}
	r.view.reads, r.view.keyCache = reads, newKeyCache(cfg.Sealer)
	if r.cfg.Read == nil {
		r.cfg.Read = func(bool) {}
	}
	if err := r.sameCluster(ctx); err != nil {
		return nil, errors.Join(fault.E(op, fault.Invalid, err), r.CloseReplica())
	}
	return r, nil
}

const findCluster = "SELECT system_identifier::text FROM pg_control_system()"

// sameCluster refuses another database than a standby of this one: what it says would be about other payments.
func (r *Replica) sameCluster(ctx context.Context) error {
	var here, there string
	if err := r.ask.NewRaw(findCluster).Scan(ctx, &there); err != nil {
		return nil //nolint:nilerr // it is asked again when it answers
	}
	if err := r.reads.NewRaw(findCluster).Scan(ctx, &here); err != nil {
		return err
	}
	if here != there {
		return errors.New("the database to read from is no standby of the primary: they are different clusters")
	}
	return nil
}

// CloseReplica lets the connections to the standby go. The store stays.
func (r *Replica) CloseReplica() error {
	if r.ask == nil {
		return nil
	}
	return errors.Join(r.view.reads.Close(), r.ask.Close())
}

// Position returns a place behind everything that was committed before the call.
func (r *Replica) Position(ctx context.Context) (core.Position, error) {
	if r.ask == nil {
		return core.Latest, nil
	}
	var at string
	err := r.keyed.NewRaw("SELECT pg_current_wal_insert_lsn()::text").Scan(ctx, &at)
	return core.Position(at), fail("bunstore.Position", err)
}

// parseWAL reads a place as PostgreSQL writes it: two numbers of 32 bits in hexadecimal. What is none is before everything.
func parseWAL(text string) wal {
	high, low, _ := strings.Cut(text, "/")
	h, err := strconv.ParseUint(high, 16, 32)
	l, failed := strconv.ParseUint(low, 16, 32)
	if errors.Join(err, failed) != nil {
		return 0
	}
	return wal(h<<32 | l)
}

// Lag is by how much the standby is known to be behind: at most. It grows while the standby does not answer.
func (r *Replica) Lag() time.Duration {
	r.look(context.Background())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.freshAt.IsZero() {
		return time.Since(r.began)
	}
	return time.Since(r.freshAt)
}

// Answers reports whether the standby answers, and is one.
func (r *Replica) Answers(ctx context.Context) bool {
	r.look(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.isKnown
}

// look asks both databases how far they are, unless somebody has a moment ago. What the primary had at a time is on the standby
// as soon as that has replayed as much: no clock but this process's is needed.
func (r *Replica) look(ctx context.Context) {
	r.mu.Lock()
	if time.Since(r.looked) < lookEvery {
		r.mu.Unlock()
		return
	}
	r.looked = time.Now()
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	at := time.Now()
	if here, err := r.Position(ctx); err == nil {
		r.mu.Lock()
		r.seen = append(r.seen[max(0, len(r.seen)-maxMarks+1):], mark{at, parseWAL(string(here))})
		r.mu.Unlock()
	}
	r.catchUp(ctx)
}

const findReplayed = `SELECT COALESCE(pg_last_wal_replay_lsn()::text, '') AS replayed, pg_is_in_recovery() AS is_standby,
	(SELECT system_identifier::text FROM pg_control_system()) AS cluster`

// catchUp asks the standby what it has. One that has become a primary of its own is none any more.
func (r *Replica) catchUp(ctx context.Context) {
	var there struct {
		Replayed, Cluster string
		IsStandby         bool
	}
	err := r.ask.NewRaw(findReplayed).Scan(ctx, &there)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isKnown = err == nil && there.IsStandby
	if !r.isKnown {
		return
	}
	r.has = parseWAL(there.Replayed)
	for len(r.seen) > 0 && r.seen[0].upTo <= r.has {
		r.freshAt, r.seen = r.seen[0].at, r.seen[1:]
	}
}

// from returns the standby, if it is near enough for what is read.
func (r *Replica) from(ctx context.Context, wanted core.Position) *Store {
	r.look(ctx)
	needed := parseWAL(string(wanted))
	if !r.reaches(needed) && needed > 0 {
		r.catchUp(ctx)
	}
	if !r.reaches(needed) {
		return nil
	}
	return &r.view
}

func (r *Replica) reaches(needed wal) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.isKnown && r.has >= needed && !r.freshAt.IsZero() && time.Since(r.freshAt) <= r.cfg.MaxLag
}

// nearby reads from the standby what may be old, or from the primary where that fails.
func nearby[Q, T any](ctx context.Context, r *Replica, q Q, read func(*Store, context.Context, Q) (T, error)) (T, error) {
	wanted := core.PositionOf(ctx)
	if r.ask == nil || wanted == core.Latest {
		return read(r.Store, ctx, q)
	}
	if s := r.from(ctx, wanted); s != nil {
		got, err := read(s, ctx, q)
		if err == nil || fault.Is(err, fault.Invalid) {
			r.cfg.Read(true)
			return got, err
		}
		r.mu.Lock()
		r.isKnown = false // until the next look
		r.mu.Unlock()
	}
	r.cfg.Read(false)
	return read(r.Store, ctx, q)
}

// SearchPayments implements ports.Reports.
func (r *Replica) SearchPayments(ctx context.Context, q report.PaymentQuery) (report.Page, error) {
	return nearby(ctx, r, q, (*Store).SearchPayments)
}

// Statistics implements ports.Reports.
func (r *Replica) Statistics(ctx context.Context, q report.StatisticsQuery) ([]report.StatisticsRow, error) {
	return nearby(ctx, r, q, (*Store).Statistics)
}

// LastWaits implements ports.Reports.
func (r *Replica) LastWaits(ctx context.Context, q report.WaitQuery) ([]time.Duration, error) {
	return nearby(ctx, r, q, (*Store).LastWaits)
}

// ListJobs implements ports.Reports.
func (r *Replica) ListJobs(ctx context.Context, q report.JobQuery) ([]report.Job, error) {
	return nearby(ctx, r, q, (*Store).ListJobs)
}

// CallbacksIn implements ports.Callbacks.
func (r *Replica) CallbacksIn(ctx context.Context, q report.CallbackQuery) (report.CallbackPage, error) {
	return nearby(ctx, r, q, (*Store).CallbacksIn)
}

// Discrepancies implements ports.Operations.
func (r *Replica) Discrepancies(ctx context.Context, q discrepancy.Query) ([]discrepancy.Discrepancy, error) {
	return nearby(ctx, r, q, (*Store).Discrepancies)
}

// Notifications implements ports.Operations.
func (r *Replica) Notifications(ctx context.Context, q notification.Query) ([]notification.Notification, error) {
	return nearby(ctx, r, q, (*Store).Notifications)
}

// GatewayCalls implements ports.Operations.
func (r *Replica) GatewayCalls(ctx context.Context, q operation.GatewayCallQuery) ([]operation.GatewayCall, error) {
	return nearby(ctx, r, q, (*Store).GatewayCalls)
}

// ListDisputes implements ports.Disputes.
func (r *Replica) ListDisputes(ctx context.Context, q dispute.Query) ([]dispute.Dispute, error) {
	return nearby(ctx, r, q, (*Store).ListDisputes)
}

// LinesIn implements ports.Statements.
func (r *Replica) LinesIn(ctx context.Context, q wallet.LineQuery) ([]wallet.BankLine, error) {
	return nearby(ctx, r, q, (*Store).LinesIn)
}

// Reconciliations implements ports.Wallets.
func (r *Replica) Reconciliations(ctx context.Context, q wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
	return nearby(ctx, r, q, (*Store).Reconciliations)
}

// AuditEntries implements ports.AuditLog.
func (r *Replica) AuditEntries(ctx context.Context, q core.AuditQuery) ([]core.AuditRecord, error) {
	return nearby(ctx, r, q, (*Store).AuditEntries)
}

// NotesOf implements ports.Notes.
func (r *Replica) NotesOf(ctx context.Context, payments ...core.ID) ([]note.Note, error) {
	return nearby(ctx, r, payments, func(s *Store, ctx context.Context, payments []core.ID) ([]note.Note, error) {
		return s.NotesOf(ctx, payments...)
	})
}

// StatisticsUntil implements ports.Reports.
func (r *Replica) StatisticsUntil(ctx context.Context) (time.Time, error) {
	return nearby(ctx, r, struct{}{}, func(s *Store, ctx context.Context, _ struct{}) (time.Time, error) { return s.StatisticsUntil(ctx) })
}

// DisputesByDeadline implements ports.Disputes.
func (r *Replica) DisputesByDeadline(ctx context.Context, q dispute.Query, page core.Paging[core.DueCursor]) ([]dispute.Dispute, error) {
	return nearby(ctx, r, q, func(s *Store, ctx context.Context, q dispute.Query) ([]dispute.Dispute, error) {
		return s.DisputesByDeadline(ctx, q, page)
	})
}

// Entries implements ports.Wallets.
func (r *Replica) Entries(ctx context.Context, walletID int64, page core.Paging[core.ID]) ([]ledger.Entry, error) {
	return nearby(ctx, r, walletID, func(s *Store, ctx context.Context, id int64) ([]ledger.Entry, error) { return s.Entries(ctx, id, page) })
}

// BankLines implements ports.Wallets.
func (r *Replica) BankLines(ctx context.Context, q wallet.BankLineQuery) (lines []wallet.BankLine, total int, err error) {
	lines, err = nearby(ctx, r, q, func(s *Store, ctx context.Context, q wallet.BankLineQuery) (found []wallet.BankLine, err error) {
		found, total, err = s.BankLines(ctx, q)
		return found, err
	})
	return lines, total, err
}
