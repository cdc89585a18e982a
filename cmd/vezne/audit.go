package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

type auditCommand struct {
	Verify auditVerify `cmd:"" help:"Verify the hash chain of the audit log. Exits with status 1 where it is broken."`
	Head   auditHead   `cmd:"" help:"Print the number and hash of the last entry, to be kept elsewhere and passed to verify later."`
}

type (
	auditVerify struct {
		Config
		From int64  `default:"1" help:"Number of the first entry to verify; earlier entries are trusted."`
		Head string `placeholder:"NO:HASH" help:"A head that was printed earlier; the chain must contain it."`
	}
	auditHead struct{ Config }
)

// errTampered makes the command end with a failure.
var errTampered = errors.New("the audit log was tampered with")

// Run checks the chain.
func (c auditVerify) Run(ctx context.Context, t terminal) (err error) {
	q := audit.Question{From: c.From}
	if c.From < 1 {
		return errors.New("--from must be 1 or more")
	}
	if c.Head != "" {
		if q.Head, err = core.ParseAuditHead(c.Head); err != nil {
			return fmt.Errorf("--head: %w", err)
		}
	}
	return c.withLog(ctx, func(s *audit.Service) error {
		report, err := s.Verify(ctx, q)
		if fault.Is(err, fault.NotFound) {
			return fmt.Errorf("there is no number %d to begin from: the chain is shorter, or was cut", c.From)
		}
		if err != nil {
			return cause(err)
		}
		return printReport(t, report)
	})
}

func printReport(t terminal, r audit.Report) error {
	text := fmt.Sprintf("checked %d links", r.Checked)
	if r.Checked > 0 {
		text += fmt.Sprintf("; the last is %s", r.Last)
	}
	text += fmt.Sprintf("\nnot chained yet: %d", r.Unchained)
	if r.Unchained > 0 {
		text += fmt.Sprintf(", the oldest of %s (a running worker chains within seconds)", r.OldestUnchained.Format(time.RFC3339))
	}
	if r.Late > 0 {
		text += fmt.Sprintf("\nchained long after they say they happened: %d, the first is number %d", r.Late, r.FirstLate)
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
	return c.withLog(ctx, func(s *audit.Service) error {
		last, err := s.Store.AuditHead(ctx)
		if err != nil {
			return cause(err)
		}
		if last.No == 0 {
			return errors.New("nothing is chained yet: a running worker does it within seconds")
		}
		_, err = fmt.Fprintln(t.out, last.Head())
		return err
	})
}

// withLog opens the database, of which only the audit log is read: it holds no secret, so that no key is needed.
func (c Config) withLog(ctx context.Context, work func(*audit.Service) error) error {
	set, config, err := c.database()
	if err != nil {
		return err
	}
	if config.Path != "" {
		if _, err := os.Stat(config.Path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no database %s: --data-dir or VEZNE_DATA_DIR says where it is", config.Path)
		}
	}
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return fmt.Errorf("opening the database: %w", set.databaseFault(err))
	}
	defer func() { _ = store.Close() }() // only read from
	if err := set.isUpToDate(ctx, store); err != nil {
		return err
	}
	return work(&audit.Service{Store: store, Log: slog.New(slog.DiscardHandler)})
}
