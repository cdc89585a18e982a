package bunstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

type epochRow struct {
	bun.BaseModel `bun:"table:epochs"`

	ID           string      `bun:"id,pk"`
	Version      int         `bun:"version"`
	Installation string      `bun:"installation"`
	Name         string      `bun:"name"`
	Number       int64       `bun:"number"`
	State        epoch.State `bun:"state"`
	Cause        epoch.Cause `bun:"cause"`
	RestoredTo   timestamp   `bun:"restored_to,type:timestamptz"`
	LostUntil    timestamp   `bun:"lost_until,type:timestamptz"`
	FrozenAt     timestamp   `bun:"frozen_at,type:timestamptz"`
	AskedAt      timestamp   `bun:"asked_at,type:timestamptz"`
	ThawedAt     timestamp   `bun:"thawed_at,type:timestamptz"`
}

func epochRowOf(e epoch.Epoch) epochRow {
	return epochRow{
		ID: epoch.Row, Version: e.Version, Installation: e.Installation, Name: e.Name, Number: e.Number, State: e.State, Cause: e.Cause,
		RestoredTo: timestamp(e.RestoredTo), LostUntil: timestamp(e.LostUntil), FrozenAt: timestamp(e.FrozenAt), AskedAt: timestamp(e.AskedAt), ThawedAt: timestamp(e.ThawedAt),
	}
}

func (r epochRow) epoch() (epoch.Epoch, error) {
	return epoch.Epoch{
		Version: r.Version, Installation: r.Installation, Name: r.Name, Number: r.Number, State: r.State, Cause: r.Cause,
		RestoredTo: time.Time(r.RestoredTo), LostUntil: time.Time(r.LostUntil), FrozenAt: time.Time(r.FrozenAt), AskedAt: time.Time(r.AskedAt), ThawedAt: time.Time(r.ThawedAt),
	}, nil
}

type remainRow struct {
	bun.BaseModel `bun:"table:remains"`

	ID           core.ID          `bun:"id,pk"`
	Version      int              `bun:"version"`
	Freeze       string           `bun:"epoch"` // which was its name before an epoch could be frozen twice
	Kind         epoch.RemainKind `bun:"kind"`
	Subject      string           `bun:"subject"`
	Facts        string           `bun:"facts"` // empty: of a release before them
	Detail       string           `bun:"detail"`
	FoundAt      timestamp        `bun:"found_at,type:timestamptz"`
	ByKind       core.ActorKind   `bun:"by_kind"`
	ByID         string           `bun:"by_id"`
	ByName       string           `bun:"by_name"`
	ByAddr       string           `bun:"by_addr"`
	Acknowledged timestamp        `bun:"acknowledged_at,type:timestamptz"`
	Reason       string           `bun:"reason"`
}

// factsJSON is epoch.Facts as they are kept.
type factsJSON struct {
	Amount     gateway.Money     `json:"amount,omitzero"`
	Status     payment.Status    `json:"status,omitempty"`
	State      gateway.State     `json:"state,omitempty"`
	Unanswered int               `json:"unanswered,omitempty"`
	Active     []epoch.RoleCount `json:"active,omitempty"`
	Missing    []epoch.Unlisted  `json:"missing,omitempty"`
	Gap        epoch.Gap         `json:"gap,omitempty"`
	Bank       string            `json:"bank,omitempty"`
	Trouble    string            `json:"trouble,omitempty"`
}

func remainRowOf(r epoch.Remain) (remainRow, error) {
	facts, err := json.Marshal(factsJSON(r.Facts))
	return remainRow{
		ID: r.ID, Version: r.Version, Freeze: r.Freeze, Kind: r.Kind, Subject: r.Subject, Facts: string(facts), Detail: r.Detail,
		FoundAt: timestamp(r.FoundAt), ByKind: r.By.Kind, ByID: r.By.ID, ByName: r.By.Name, ByAddr: r.By.Addr,
		Acknowledged: timestamp(r.Acknowledged), Reason: r.Reason,
	}, err
}

func (r remainRow) remain() (epoch.Remain, error) {
	var facts factsJSON
	var err error
	if r.Facts != "" {
		err = json.Unmarshal([]byte(r.Facts), &facts)
	}
	return epoch.Remain{
		ID: r.ID, Version: r.Version, Freeze: r.Freeze, Kind: r.Kind, Subject: r.Subject, Facts: epoch.Facts(facts), Detail: r.Detail,
		FoundAt: time.Time(r.FoundAt), By: core.Actor{Kind: r.ByKind, ID: r.ByID, Name: r.ByName, Addr: r.ByAddr},
		Acknowledged: time.Time(r.Acknowledged), Reason: r.Reason,
	}, err
}

// Epoch implements ports.Epochs.
func (s *Store) Epoch(ctx context.Context) (epoch.Epoch, error) {
	return one(ctx, s, "bunstore.Epoch", epochRow.epoch, "id = ?", epoch.Row)
}

// markRow is a mark beside the epoch that it belongs to.
type markRow struct {
	epochRow
	MarkNumber int64     `bun:"mark_number"`
	MarkAt     timestamp `bun:"mark_at"`
	MarkHome   string    `bun:"mark_home"`
}

// The mark grows in one statement, and is read with its epoch in another. Both are made outside of commits: nobody waits for them. It
// grows where it was read: between the two a standby may have taken over that has less, and would grow to what it lacks.
const (
	growMark = "UPDATE epoch_marks SET number = number + 1, at = ? WHERE id = '1' AND number >= ?"
	keepHome = "UPDATE epoch_marks SET home = ? WHERE id = '1' AND home = ''"
	moveHome = "UPDATE epoch_marks SET home = ? WHERE id = '1'"
	readMark = `SELECT e.*, m.number AS mark_number, m.at AS mark_at, m.home AS mark_home
		FROM epochs AS e JOIN epoch_marks AS m ON m.id = e.id`
)

// Mark implements ports.Epochs.
func (s *Store) Mark(ctx context.Context) (epoch.Epoch, epoch.Mark, error) {
	const op = "bunstore.Mark"
	if s.timeline != nil { // before the mark: were another server connected to in between, its timeline would be followed unread
		if err := s.timeline.see(ctx, s.pools); err != nil {
			return epoch.Epoch{}, epoch.Mark{}, fail(op, err)
		}
	}
	var r markRow
	if err := s.proofs.NewRaw(readMark).Scan(ctx, &r); err != nil {
		return epoch.Epoch{}, epoch.Mark{}, fail(op, err)
	}
	e, err := r.epoch()
	return e, epoch.Mark{Installation: e.Installation, Epoch: e.Number, Name: e.Name, Number: r.MarkNumber, At: time.Time(r.MarkAt)}, err
}

// Grow implements ports.Epochs.
func (s *Store) Grow(ctx context.Context, from epoch.Mark, at time.Time) error {
	_, err := s.proofs.NewRaw(growMark, timestamp(at), from.Number).Exec(ctx)
	return fail("bunstore.Grow", err)
}

// IsAtHome implements ports.Epochs.
func (s *Store) IsAtHome(ctx context.Context) (bool, error) {
	const op = "bunstore.IsAtHome"
	home, err := s.home(ctx)
	if err != nil || home == "" {
		return err == nil, fail(op, err)
	}
	if _, err := s.proofs.NewRaw(keepHome, home).Exec(ctx); err != nil {
		return false, fail(op, err)
	}
	var r markRow
	err = s.proofs.NewRaw(readMark).Scan(ctx, &r)
	return r.MarkHome == home, fail(op, err)
}

// Settle implements ports.Epochs.
func (s *Store) Settle(ctx context.Context) error {
	home, err := s.home(ctx)
	if err == nil && home != "" {
		_, err = s.proofs.NewRaw(moveHome, home).Exec(ctx)
	}
	return fail("bunstore.Settle", err)
}

// home is where the database is; empty: nobody can tell. A server that does not let this role ask says nothing, too.
func (s *Store) home(ctx context.Context) (home string, err error) {
	err = s.proofs.NewRaw(s.dialect.findHome()).Scan(ctx, &home)
	if isDenied(err) {
		return "", nil
	}
	return home, err
}

// findHome names the server and the database in it: both are others after a dump was restored, and the same ones after a failover.
func (postgres) findHome() string {
	return `SELECT c.system_identifier || '/' || d.oid FROM pg_control_system() AS c, pg_database AS d WHERE d.datname = current_database()`
}

func (sqliteFile) findHome() string { return "SELECT ''" } // a file may be anywhere

// Remains implements ports.Epochs.
func (s *Store) Remains(ctx context.Context, query epoch.RemainQuery) ([]epoch.Remain, error) {
	q := whereSet(s.reads.NewSelect().Model((*remainRow)(nil)), "epoch = ?", query.Freeze)
	q = whereAmong(whereAmong(q, "kind", query.Kinds), "id", query.IDs)
	if query.IsOpen != nil && *query.IsOpen {
		q = q.Where("acknowledged_at IS NULL")
	} else if query.IsOpen != nil {
		q = q.Where("acknowledged_at IS NOT NULL")
	}
	return pageOf(ctx, "bunstore.Remains", remainRow.remain, oldestFirst, query.Bounded(), q)
}

// LiveOperations implements ports.Epochs.
func (s *Store) LiveOperations(ctx context.Context, after core.ID, limit int) ([]operation.Operation, error) {
	q := s.reads.NewSelect().Model((*operationRow)(nil)).Where("phase <> ?", operation.Closed)
	return pageOf(ctx, "bunstore.LiveOperations", s.operation, oldestFirst, core.Paging[core.ID]{After: after, Limit: limit}, q)
}

// LiveDisputes implements ports.Epochs.
func (s *Store) LiveDisputes(ctx context.Context, after core.ID, limit int) ([]dispute.Dispute, error) {
	q := s.reads.NewSelect().Model((*disputeRow)(nil)).Where("next_at IS NOT NULL")
	return pageOf(ctx, "bunstore.LiveDisputes", disputeRow.dispute, oldestFirst, core.Paging[core.ID]{After: after, Limit: limit}, q)
}
