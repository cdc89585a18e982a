// Package rekey encrypts everything anew under the first master key, and says what each key has encrypted.
package rekey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Command is `vezne rekey`.
type Command struct {
	settings.Config
	Pause time.Duration `default:"20ms" help:"Wait between two batches of at most 100 rows, in which the service has the database."`
}

// errSealedByOthers makes the command end with a failure: an old key must not go yet.
var errSealedByOthers = errors.New("not everything is encrypted with the first master key")

// Run encrypts everything anew with the first master key.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	if c.Pause < 0 {
		return errors.New("--pause must not be negative")
	}
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	sealer, err := set.Sealer()
	if err != nil {
		return err
	}
	ring, ok := sealer.(ports.Keyring)
	if !ok {
		return errors.New("there are no master keys to tell apart")
	}
	config, err := set.StoreConfig(sealer, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	config.IsPrimary = true
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return fmt.Errorf("opening the database: %w", fault.Cause(err))
	}
	err = c.rekey(ctx, out, store, ring)
	return errors.Join(err, store.Close())
}

func (c Command) rekey(ctx context.Context, out io.Writer, store *bunstore.Store, ring ports.Keyring) error {
	pending, err := store.Pending(ctx)
	if err == nil && pending > 0 {
		err = fmt.Errorf("the database lacks %d migrations: run `vezne migrate up`", pending)
	}
	if err != nil {
		return fault.Cause(err)
	}
	say(out, "Encrypting with key %s. Every process of the service must have it among its master keys already.", ring.KeyIDs()[0])
	result, err := store.Rekey(ctx, bunstore.RekeyOptions{Pause: c.Pause, Progress: progressTo(out)})
	if err != nil {
		return fmt.Errorf("after %d rows; run the command again, it goes on where it was: %w", result.Sealed, fault.Cause(err))
	}
	for _, damaged := range result.Damaged {
		say(out, "cannot be decrypted: %s.%s of %s: %v", damaged.Table, damaged.Column, damaged.Key, fault.Cause(damaged.Err))
	}
	others := 0
	for _, k := range Findings(result.Counts, ring, true) {
		say(out, "%s", k.Text)
		others += k.Others
	}
	switch {
	case others == 0:
		return nil
	case len(result.Damaged) == 0:
		return fmt.Errorf("%w: does every process have %s as its first key? Then run this again", errSealedByOthers, ring.KeyIDs()[0])
	default:
		return errSealedByOthers
	}
}

// progressInterval is how often a long table is heard of.
const progressInterval = 2 * time.Second

// progressTo prints how far it is: a line for a table in which there was anything to do, and one now and then for a long one.
func progressTo(out io.Writer) func(bunstore.RekeyProgress) {
	printed := time.Now()
	return func(p bunstore.RekeyProgress) {
		if isLong := time.Since(printed) >= progressInterval; isLong || p.IsDone && p.Sealed > 0 {
			printed = time.Now()
			say(out, "pass %d, %s: %d of %d rows encrypted anew", p.Pass, p.Table, p.Sealed, p.Looked)
		}
	}
}

// Finding is what is said about one key.
type Finding struct {
	Text   string
	Others int  // values that the first key has not encrypted
	IsLost bool // it is not among those that are configured, or no key at all
}

// Findings says for each key what it has encrypted: the configured ones in their order, and then those that are missing.
func Findings(counts bunstore.SealedCounts, ring ports.Keyring, isWhole bool) []Finding {
	var list []Finding
	isKnown := map[string]bool{}
	for i, id := range ring.KeyIDs() {
		isKnown[id] = true
		n, where := under(counts, id)
		k := Finding{Text: fmt.Sprintf("key %s: %d values", id, n)}
		switch {
		case i == 0 && !isWhole:
			k.Text = fmt.Sprintf("key %s encrypts", id)
		case i == 0:
		case n > 0:
			k.Others = n
			k.Text = fmt.Sprintf("key %s is still in use: %s", id, where)
		case isWhole:
			k.Text = fmt.Sprintf("key %s has encrypted nothing that is left: it may be removed", id)
		default:
			k.Text = fmt.Sprintf("key %s was not found where tables begin and end; `vezne doctor --sealed` looks everywhere", id)
		}
		list = append(list, k)
	}
	for _, id := range counts.Keys() {
		if isKnown[id] {
			continue
		}
		if n, where := under(counts, id); n > 0 && id == "" {
			list = append(list, Finding{"no key has encrypted: " + where, n, true})
		} else if n > 0 {
			list = append(list, Finding{"key " + id + " is MISSING from the master keys: " + where, n, true})
		}
	}
	return list
}

// under is how many values a key has encrypted, and of which columns.
func under(counts bunstore.SealedCounts, key string) (n int, where string) {
	var parts []string
	for _, column := range counts.Under(key) {
		parts = append(parts, fmt.Sprintf("%s.%s %d", column.Table, column.Column, counts[column][key]))
		n += counts[column][key]
	}
	return n, strings.Join(parts, ", ")
}

func say(out io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(out, format+"\n", args...) // a closed terminal: nobody reads it
}
