package program

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/auditheads"
	"github.com/vezne/vezne/adapters/hostclock"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
)

type auditCommand struct {
	Verify auditVerify `cmd:"" help:"Verify the hash chain of the audit log against its signed heads. Exits with status 1 where it is broken."`
	Head   auditHead   `cmd:"" help:"Print the number and hash of the last entry, to be kept elsewhere and passed to verify later."`
	Adopt  auditAdopt  `cmd:"" help:"Go on from a chain that verify calls broken, after a backup was restored; an audit entry says so."`
}

type (
	auditVerify struct {
		settings.Config
		From  int64    `default:"1" help:"Number of the first entry to verify; earlier entries are trusted."`
		Head  string   `placeholder:"NO:HASH" help:"A head that was printed earlier; the chain must contain it."`
		Heads []string `placeholder:"FILE" type:"path" help:"Files with signed heads, the chain must contain all of them. Default: VEZNE_AUDIT_HEADS_FILE."`
	}
	auditHead  struct{ settings.Config }
	auditAdopt struct {
		settings.Config
		Reason string   `required:"" help:"Why the chain is not what it was, such as the backup that was restored."`
		Heads  []string `placeholder:"FILE" type:"path" help:"Files with signed heads. Default: VEZNE_AUDIT_HEADS_FILE."`
	}
)

// errTampered makes the command end with a failure.
var errTampered = errors.New("the audit log was tampered with, or an older backup was restored")

// progressEvery is how many links apart a long verification says how far it is.
const progressEvery = 100_000

// Run checks the chain.
func (c auditVerify) Run(ctx context.Context, t terminal) (err error) {
	q := audit.Question{From: c.From}
	if c.From < 1 {
		return errors.New("--from must be 1 or more")
	}
	if c.Head != "" {
		if q.Head, err = coreaudit.ParseHead(c.Head); err != nil {
			return fmt.Errorf("--head: %w", err)
		}
	}
	said := c.From
	q.Progress = func(no int64) {
		if no >= said+progressEvery {
			said = no
			_, _ = fmt.Fprintf(t.err, "whole up to number %d; --from %d goes on from there\n", no, no+1) // a closed terminal: nobody reads it
		}
	}
	return withLog(ctx, c.Config, c.Heads, true, func(s *audit.Service) error {
		report, err := s.Verify(ctx, q)
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("there is no number %d to begin from: the chain is shorter, or was cut", c.From)
		}
		if err != nil {
			return fault.Cause(err)
		}
		return printReport(t, report)
	})
}

func printReport(t terminal, r audit.Report) error {
	text := fmt.Sprintf("checked %d links", r.Checked)
	if r.Checked > 0 {
		text += fmt.Sprintf("; the last is %s", r.Last)
	}
	if d := r.Dropped; d.Until != "" {
		text += fmt.Sprintf("\nkept since %s: entries of before were dropped by retention, as a signed entry (%s) says that was chained behind number %d;"+
			" %d of the %d are gone, and what is proven of them is that they were there", d.Before().Format(time.DateOnly), coreaudit.DropAction,
			d.Through.No, r.Missing, d.Links)
	}
	if r.Plain > 0 {
		text += fmt.Sprintf("\nfrom before there were keys: %d of them", r.Plain)
	}
	text += fmt.Sprintf("\nheads that were kept outside the database and compared: %d", r.Heads)
	text += fmt.Sprintf("\nnot chained yet: %d", r.Unchained)
	if r.Unchained > 0 {
		text += fmt.Sprintf(", the oldest of %s (a running worker chains within seconds)", r.OldestUnchained.Format(time.RFC3339))
	}
	for _, e := range r.Waiting {
		text += fmt.Sprintf("\n  %s %s of %s", e.ID, e.Action, e.Target)
	}
	if r.Late > 0 {
		text += fmt.Sprintf("\nchained long after they say they happened: %d, the first is number %d", r.Late, r.FirstLate)
	}
	if r.Adopted > 0 {
		text += fmt.Sprintf("\nadopted by an operator: %d", r.Adopted)
	}
	for _, b := range r.Known {
		text += "\n  " + b.String()
	}
	if r.Break != nil {
		text += "\nBROKEN: " + r.Break.String()
	} else {
		text += "\nthe chain is whole"
	}
	if _, err := fmt.Fprintln(t.out, text); err != nil {
		return err
	}
	if r.Break != nil {
		return errTampered
	}
	return nil
}

// Run prints the chain's end.
func (c auditHead) Run(ctx context.Context, t terminal) error {
	return withLog(ctx, c.Config, nil, false, func(s *audit.Service) error {
		end, err := s.Store.AuditEnd(ctx, coreaudit.ChainName)
		if err != nil {
			return fault.Cause(err)
		}
		if end.Link.No == 0 {
			return errors.New("nothing is chained yet: a running worker does it within seconds")
		}
		_, err = fmt.Fprintln(t.out, end.Link.Head())
		return err
	})
}

// Run adopts what is wrong with the chain.
func (c auditAdopt) Run(ctx context.Context, t terminal) error {
	if strings.TrimSpace(c.Reason) == "" {
		return errors.New("--reason must say why the chain is not what it was")
	}
	return withLog(ctx, c.Config, c.Heads, true, func(s *audit.Service) error {
		if len(s.Keys) == 0 {
			return errors.New("VEZNE_AUDIT_KEY is missing: what is adopted is signed")
		}
		by := app.By(core.Actor{Kind: core.BySystem, Name: "vezne audit adopt"}).Because(c.Reason)
		adopted, err := s.Adopt(ctx, by)
		if err != nil {
			return fault.Cause(err)
		}
		for _, b := range adopted {
			if _, err := fmt.Fprintln(t.out, "adopted: "+b.String()); err != nil {
				return err
			}
		}
		s.Publish(ctx)
		for _, place := range s.Failing() {
			_, _ = fmt.Fprintf(t.err, "the new head could not be written to the %s; a running worker tries again\n", place)
		}
		_, err = fmt.Fprintln(t.out, "the chain goes on from here; the entry adoptAuditChain says so")
		return err
	})
}

// withLog opens the database, of which only the audit log is read or written: it holds no secret, so that no master key is
// needed.
func withLog(ctx context.Context, c settings.Config, heads []string, needsKey bool, work func(*audit.Service) error) error {
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	if set.IsEmbedded() {
		if _, err := os.Stat(set.SQLiteFile); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no database %s: --data-dir or VEZNE_DATA_DIR says where it is", set.SQLiteFile)
		}
	}
	var keys coreaudit.Keys
	if needsKey && (set.HasAuditKey() || !set.IsEmbedded()) {
		if keys, err = set.AuditKeys(); err != nil {
			return err
		}
	}
	for _, path := range heads {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("--heads: %w", err)
		}
	}
	config, err := set.StoreConfig(settings.NoSealer{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	store, err := set.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // what was written is committed
	places, kept := set.AuditPlaces(settings.Version(version))
	if len(heads) > 0 {
		kept = auditheads.Files(heads)
	}
	return work(&audit.Service{
		UnitOfWork: &app.UnitOfWork{Commits: store, Clock: hostclock.New(hostSource(), slog.New(slog.DiscardHandler)), Random: rand.Reader}, Store: store, Keys: keys, Places: places,
		Kept: kept, Log: slog.New(slog.DiscardHandler),
	})
}
