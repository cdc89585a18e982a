package bunstore

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/audit"
)

// checkpointRow is the signed end of a chain.
type checkpointRow struct {
	bun.BaseModel `bun:"table:audit_checkpoints"`

	Name      string    `bun:"name,pk"`
	Version   int       `bun:"version"`
	No        int64     `bun:"no"`
	Hash      string    `bun:"hash"`
	At        timestamp `bun:"at,type:timestamptz"`
	Adoptions string    `bun:"adoptions"`
	KeyID     string    `bun:"key_id"`
	Signature string    `bun:"signature"`
}

func checkpointRowOf(c audit.Checkpoint) checkpointRow {
	return checkpointRow{
		Name: c.Name, Version: c.Version, No: c.Head.No, Hash: c.Head.Hash.String(), At: timestamp(c.At),
		Adoptions: c.Adoptions.String(), KeyID: c.KeyID, Signature: c.Signature.String(),
	}
}

// checkpoint returns what somebody has written by hand without what cannot be read of it: its signature is not valid.
func (r checkpointRow) checkpoint() audit.Checkpoint {
	hash, _ := audit.ParseHash(r.Hash)
	signature, _ := audit.ParseHash(r.Signature)
	adoptions, _ := audit.ParseAdoptions(r.Adoptions)
	return audit.Checkpoint{
		Name: r.Name, Version: r.Version, Head: audit.Head{No: r.No, Hash: hash}, At: time.Time(r.At), Adoptions: adoptions,
		KeyID: r.KeyID, Signature: signature,
	}
}

// auditCheckRow is what the last check found.
type auditCheckRow struct {
	bun.BaseModel `bun:"table:audit_checks"`

	Name     string    `bun:"name,pk"`
	Version  int       `bun:"version"`
	At       timestamp `bun:"at,type:timestamptz"`
	No       int64     `bun:"no"`
	Hash     string    `bun:"hash"`
	KeyID    string    `bun:"key_id"`
	Problems string    `bun:"problems"`
	Failing  string    `bun:"failing"`
}

// problemJSON is a problem as the row has it.
type problemJSON struct {
	Kind    audit.Break `json:"kind"`
	No      int64       `json:"no"`
	EntryID core.ID     `json:"entry_id,omitempty"`
}

func auditCheckRowOf(c audit.Check) (auditCheckRow, error) {
	var problems []problemJSON
	for _, p := range c.Problems {
		problems = append(problems, problemJSON(p))
	}
	list, err1 := json.Marshal(problems)
	failing, err2 := json.Marshal(c.FailingPlaces)
	return auditCheckRow{
		Name: c.Name, Version: c.Version, At: timestamp(c.At), No: c.Verified.No, Hash: c.Verified.Hash.String(), KeyID: c.KeyID,
		Problems: string(list), Failing: string(failing),
	}, errors.Join(err1, err2)
}

func (r auditCheckRow) check() (audit.Check, error) {
	hash, err1 := audit.ParseHash(r.Hash)
	c := audit.Check{
		Name: r.Name, Version: r.Version, At: time.Time(r.At), Verified: audit.Head{No: r.No, Hash: hash}, KeyID: r.KeyID,
	}
	var problems []problemJSON
	err2, err3 := json.Unmarshal([]byte(r.Problems), &problems), json.Unmarshal([]byte(r.Failing), &c.FailingPlaces)
	for _, p := range problems {
		c.Problems = append(c.Problems, audit.Problem(p))
	}
	return c, errors.Join(err1, err2, err3)
}

// AuditCheck implements ports.AuditLog.
func (s *Store) AuditCheck(ctx context.Context, name string) (audit.Check, error) {
	return one(ctx, s, "bunstore.AuditCheck", auditCheckRow.check, "name = ?", name)
}

// endRow is the chain's end and its checkpoint, whose columns are all null where there is none.
type endRow struct {
	linkRow
	IsLinked   bool      `bun:"is_linked"`
	Checked    bool      `bun:"is_checked"`
	CName      string    `bun:"c_name"`
	CVersion   int       `bun:"c_version"`
	CNo        int64     `bun:"c_no"`
	CHash      string    `bun:"c_hash"`
	CAt        timestamp `bun:"c_at"`
	CAdoptions string    `bun:"c_adoptions"`
	CKeyID     string    `bun:"c_key_id"`
	CSignature string    `bun:"c_signature"`
}

// auditEnd is one statement, so that both are of one moment.
const auditEnd = `SELECT l.no IS NOT NULL AS is_linked, l.no, l.entry_id, l.version, l.hash, l.key_id,
	c.name IS NOT NULL AS is_checked, c.name AS c_name, c.version AS c_version, c.no AS c_no, c.hash AS c_hash, c.at AS c_at, c.adoptions AS c_adoptions,
	c.key_id AS c_key_id, c.signature AS c_signature
FROM (SELECT 1 AS one) AS o
LEFT JOIN (SELECT * FROM audit_chain ORDER BY no DESC LIMIT 1) AS l ON 1 = 1
LEFT JOIN (SELECT * FROM audit_checkpoints WHERE name = ?0) AS c ON 1 = 1`

func (r endRow) end() (e audit.End, err error) {
	if r.IsLinked {
		e.Link = r.link()
	}
	if r.Checked {
		e.Checkpoint = checkpointRow{
			Name: r.CName, Version: r.CVersion, No: r.CNo, Hash: r.CHash, At: r.CAt, Adoptions: r.CAdoptions, KeyID: r.CKeyID,
			Signature: r.CSignature,
		}.checkpoint()
	}
	return e, nil
}

// AuditEnd implements ports.AuditLog.
func (s *Store) AuditEnd(ctx context.Context, name string) (audit.End, error) {
	rows, err := raw(ctx, s, "bunstore.AuditEnd", endRow.end, auditEnd, name)
	if err != nil || len(rows) == 0 {
		return audit.End{}, err
	}
	return rows[0], nil
}
