package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/vezne/vezne/adapters/auditheads"
	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app/audit"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// auditKey reads the keys of the audit log.
func (d *doctor) auditKey() {
	if !d.set.HasAuditKey() && d.set.IsEmbedded() {
		d.say("audit key", "will be made at the first start, in "+d.set.AuditKeyFile, nil)
		return
	}
	keys, err := d.set.AuditKeys()
	d.auditKeys = keys
	d.say("audit key", "readable; a process of the role api needs none", err)
}

// auditLog looks at the end of the chain, at what the last check has found, and at the places outside. The whole chain takes
// longer than a doctor should: `vezne audit verify` walks it.
func (d *doctor) auditLog(ctx context.Context, store *bunstore.Store) {
	_, kept := d.set.AuditPlaces(d.version)
	service := &audit.Service{Store: store, Keys: d.auditKeys, Kept: kept, Log: slog.New(slog.DiscardHandler)}
	end, err := store.AuditEnd(ctx, coreaudit.ChainName)
	var report audit.Report
	if err == nil && len(d.auditKeys) > 0 {
		report, err = service.Verify(ctx, audit.Question{From: end.Link.No + 1})
		if err == nil && report.Break != nil {
			err = errors.New(report.Break.String())
		}
	}
	if err == nil {
		err = d.lastCheck(ctx, store)
	}
	if err != nil {
		err = fmt.Errorf("see `vezne audit verify`: %w", fault.Cause(err))
	}
	good := fmt.Sprintf("%d links, whose end is signed; %d entries not chained yet", end.Link.No, report.Unchained)
	if from := report.Dropped; from.Until != "" {
		good += ", kept since " + from.Before().Format(time.DateOnly)
	}
	if len(d.auditKeys) == 0 {
		good = fmt.Sprintf("%d links, not checked without the audit key", end.Link.No)
	}
	d.say("audit log", good, err)
	d.auditHeads(ctx, end)
}

// lastCheck is what the last check of a running service has found.
func (d *doctor) lastCheck(ctx context.Context, store *bunstore.Store) error {
	check, err := store.AuditCheck(ctx, coreaudit.ChainName)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err == nil && len(check.Problems) > 0 {
		err = fmt.Errorf("the last check, of %s, found it broken at number %d", check.At, check.Problems[0].No)
	}
	return err
}

// auditHeads tries the places to which heads are written. What is posted once more contradicts nothing.
func (d *doctor) auditHeads(ctx context.Context, end coreaudit.End) {
	const what = "audit heads"
	places, _ := d.set.AuditPlaces(d.version)
	if len(places) == 0 {
		d.say(what, "written nowhere: an older state of the database that is put back goes unnoticed; see VEZNE_AUDIT_HEADS_FILE", nil)
		return
	}
	for _, place := range places {
		d.say(what, "can be written to the "+place.Name(), d.tryPlace(ctx, place, end))
	}
}

func (d *doctor) tryPlace(ctx context.Context, place ports.AuditPlace, end coreaudit.End) (err error) {
	if file, ok := place.(auditheads.File); ok {
		err = file.Check()
	} else if end.Checkpoint.Version > 0 && end.IsSound(d.auditKeys) {
		err = place.Write(ctx, end.Checkpoint)
	}
	if err != nil {
		return fmt.Errorf("cannot be written to the %s: %w", place.Name(), err)
	}
	return nil
}
