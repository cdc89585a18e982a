// Package drill rehearses in a throwaway place what has to work on a bad day.
package drill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/inbox"
	"github.com/vezne/vezne/cmd/vezne/caller"
)

// Command is `vezne drill`.
type Command struct {
	Restore Restore `cmd:"" help:"Lose a database and restore its backup, in a throwaway installation. Exits with 1 when anything is lost or doubled."`
}

// Restore is `vezne drill restore`.
type Restore struct {
	From string `placeholder:"FILE" type:"existingfile" help:"Restore this backup of an embedded database instead, in a throwaway directory, and examine it. Nothing is served or sent."`
	Keys string `placeholder:"DIR" type:"existingdir" help:"With --from: the directory with master.key and audit.key."`
}

const (
	// maxDrill bounds the whole: a drill that hangs ends.
	maxDrill = 15 * time.Minute
	// reason is what the logs of the throwaway installation say.
	reason = "vezne drill restore"
)

// errUnwell makes the command end with a failure after everything was said.
var errUnwell = errors.New("the restore does not hold")

// Run makes an installation, loses it, restores it, and compares.
func (c Restore) Run(ctx context.Context, out io.Writer) (err error) {
	if (c.From == "") != (c.Keys == "") {
		return errors.New("--from names a backup, and --keys the directory with its keys: give both, or neither")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxDrill, fmt.Errorf("the drill has taken longer than %s", maxDrill))
	defer cancel()
	dir, err := os.MkdirTemp("", "vezne-drill-")
	if err != nil {
		return err
	}
	d := &drill{out: out, dir: dir, began: time.Now()}
	defer func() { err = errors.Join(err, d.close()) }()
	steps := []func(context.Context) error{d.make, d.work, d.lose, d.restore, d.ask, d.lookAndThaw, d.goOn, d.report}
	if c.From != "" {
		steps = []func(context.Context) error{func(ctx context.Context) error { return d.examine(ctx, c.From, c.Keys) }}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			return err
		}
	}
	return nil
}

// drill is one rehearsal.
type drill struct {
	out   io.Writer
	dir   string // of all that it makes
	began time.Time
	at    time.Time // when the present phase began

	installation *installation
	outside      *outside
	traffic      *traffic
	endOutside   context.CancelFunc

	lostAt, downFor time.Time
	isFrozen        bool // the installation is, after the restore; otherwise nobody is asked, and what comes of that is counted
	remains         []remain
	wrong           []string // what a frozen installation should not have done
}

func (d *drill) backup() string { return filepath.Join(d.dir, "backup.db") }

func (d *drill) close() (err error) {
	if d.installation != nil {
		d.installation.kill()
	}
	if d.outside != nil {
		d.endOutside()
		err = d.outside.Close()
	}
	return errors.Join(err, os.RemoveAll(d.dir))
}

// say prints a line about a phase that has ended, with how long it took.
func (d *drill) say(phase, format string, args ...any) error {
	_, err := fmt.Fprintf(d.out, "%-9s %6.1f s  %s\n", phase, time.Since(d.at).Seconds(), fmt.Sprintf(format, args...))
	d.at = time.Now()
	return err
}

// make makes an installation of a demo's people, whose gateway and bank and whose provider's receiver are in this process.
func (d *drill) make(ctx context.Context) error {
	d.at = d.began
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	d.endOutside = end
	var err error
	if d.outside, err = openOutside(ctx); err != nil {
		return err
	}
	if d.installation, err = newInstallation(ctx, filepath.Join(d.dir, "data")); err != nil {
		return err
	}
	in := d.installation
	if err := in.serve(ctx, "demo", "--no-past", "--callback-url", d.outside.URL+inbox.Path); err != nil {
		return err
	}
	keys, err := keysOf(in.dir)
	if err != nil {
		return err
	}
	people := &caller.Caller{Demo: keys}
	var found struct {
		GatewayAccount struct{ NotificationURL string }
	}
	id := fmt.Sprint(keys.Sandbox.GatewayID)
	err = people.Ask(ctx, "admin", `query($id: ID!) { gatewayAccount(id: $id) { notificationURL: notificationUrl } }`, map[string]any{"id": id}, &found)
	if err != nil {
		return fmt.Errorf("asking for the gateway account: %w", err)
	}
	d.outside.open(running, keys, found.GatewayAccount.NotificationURL)
	err = people.AskTwo(ctx, "admin", `mutation($input: UpdateGatewayAccountInput!) { updateGatewayAccount(input: $input) { gatewayAccount { id } } }`,
		map[string]any{"input": map[string]any{"id": id, "config": []any{map[string]any{"name": "base_url", "value": d.outside.URL}}}})
	if err != nil {
		return fmt.Errorf("leading the gateway account to the drill's gateway: %w", err)
	}
	if err := in.stop(); err != nil {
		return err
	}
	if err := in.serve(ctx, "serve"); err != nil {
		return err
	}
	d.traffic = newTraffic(people, d.outside)
	return d.say("made", "an installation in a temporary directory, with a gateway, a bank and a receiver of its own")
}

// Orders of each kind in each part of the day.
const (
	wholeEach = 2
	openEach  = 3 // begun before the backup and paid after it, begun after it, and not paid when the database is lost
)

// work is the day that is lost in the evening: payments before the backup, open at it, beside it and after it.
func (d *drill) work(ctx context.Context) error {
	t := d.traffic
	before := t.begin(wholeEach)
	if err := t.whole(ctx, before); err != nil {
		return err
	}
	release := d.outside.hold() // payouts are under way at the backup
	defer release()
	open := t.begin(openEach)
	if err := errors.Join(each(ctx, open, t.create), each(ctx, open[:len(kinds())], t.start)); err != nil {
		return err
	}
	for _, o := range slices.Concat(before, open) {
		o.IsBefore = true
	}
	if err := d.say("paid", "%d orders of %d kinds before the backup, of which %d are open", len(before)+len(open), len(kinds()), len(open)); err != nil {
		return err
	}
	beside := t.begin(wholeEach)
	ended := make(chan error, 1)
	go func() { ended <- t.whole(ctx, beside) }()
	err := d.installation.run(ctx, "backup", d.backup())
	release()
	if err := errors.Join(err, <-ended); err != nil {
		return err
	}
	info, err := os.Stat(d.backup())
	if err != nil {
		return err
	}
	if err := d.say("backed up", "%d bytes, while %d orders were paid", info.Size(), len(beside)); err != nil {
		return err
	}
	if err := each(ctx, open[:2*len(kinds())], t.finish); err != nil {
		return err
	}
	after, late, unpaid := t.begin(wholeEach), t.begin(1), t.begin(1)
	if err := t.whole(ctx, after); err != nil {
		return err
	}
	d.outside.set(func(o *outside) { o.isDeaf = true }) // ended, and their callers do not know it
	if err := t.whole(ctx, late); err != nil {
		return err
	}
	if err := each(ctx, unpaid, t.create); err != nil {
		return err
	}
	return d.say("worked on", "%d orders after the backup, of which the callers of %d do not know the end", len(after)+len(late)+len(unpaid), len(late)+len(unpaid))
}

// lose kills the process and takes its directory away. The keys are kept elsewhere, as docs/operators.md asks for.
func (d *drill) lose(context.Context) error {
	d.installation.kill()
	d.lostAt = time.Now()
	err := d.installation.lose()
	d.outside.set(func(o *outside) { o.isDeaf, o.isFrozen = false, true })
	if err != nil {
		return err
	}
	return d.say("lost", "killed, and the database deleted")
}

// restore puts the backup in place and starts it. It has to be frozen, and to take nothing.
func (d *drill) restore(ctx context.Context) error {
	if err := d.installation.run(ctx, "restore", d.backup(), "--reason", reason); err != nil {
		return err
	}
	if err := d.installation.serve(ctx, "serve"); err != nil {
		return err
	}
	d.traffic.SignOut()
	money, err := d.installation.money(ctx)
	if err != nil {
		return err
	}
	if d.isFrozen = money == "frozen"; !d.isFrozen {
		d.wrong = append(d.wrong, "after the restore /readyz says that money is "+money+", not frozen")
	}
	if _, _, err := d.traffic.read(ctx, d.traffic.list()[0].Codes[0]); !isRefused(err) {
		d.wrong = append(d.wrong, fmt.Sprintf("while frozen the provider API does not answer 503, but: %v", err))
	}
	return d.say("restored", "the process serves, and says that money is %s", money)
}

// isRefused reports whether an answer is 503.
func isRefused(err error) bool {
	refused := (*caller.StatusError)(nil)
	return errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable
}

// report reads what there is in the end, compares, and prints the verdict.
func (d *drill) report(ctx context.Context) error {
	w, err := d.world(ctx)
	if err != nil {
		return err
	}
	r := Count(w)
	d.outside.set(func(o *outside) { d.wrong = append(d.wrong, o.left...) })
	if d.installation.run(ctx, "audit", "verify") != nil { // heads from after the backup are kept outside: that it was restored is said
		d.check(d.installation.run(ctx, "audit", "adopt", "--reason", reason))
		d.check(d.installation.run(ctx, "audit", "verify"))
	}
	d.check(d.installation.run(ctx, "doctor"))
	if err := d.say("compared", "with what callers were answered, with the gateway, the bank and the receiver; doctor and audit verify have run"); err != nil {
		return err
	}
	gone := r.Known + r.Told + r.Repeated
	text := fmt.Sprintf(`
After the restore
  %3d payments are not there any more: their callers knew the end of %d, staff told them of %d, and %d were asked for again
  %3d movements of money (%s TRY) are paid outside, and no payment in the books is paid with them: the statement has them, or what remains
  %3d callbacks came again, or for the first time about a payment of before, and say so (restored_to)
  %3d things remained for people to look at: %s
`, gone, r.Known, r.Told, r.Repeated, r.OnlyOutside, r.OnlyOutsideSum, r.Marked, len(d.remains), d.kindsOfRemains())
	for _, finding := range slices.Concat(r.Findings, d.wrong) {
		text += "  ! " + finding + "\n"
	}
	verdict := fmt.Sprintf("drill restore: answered %d, lost %d, doubled %d, wrong %d, down or frozen for %.0f s, in %.1f minutes", r.Answered, r.Lost, r.Doubled, len(d.wrong),
		d.downFor.Sub(d.lostAt).Seconds(), time.Since(d.began).Minutes())
	if _, err := fmt.Fprintf(d.out, "%s\n%s\n", text, verdict); err != nil {
		return err
	}
	if r.Lost+r.Doubled+len(d.wrong) > 0 || r.Answered == 0 {
		return errUnwell
	}
	return nil
}

// check takes in what a command has found wrong.
func (d *drill) check(err error) {
	if err != nil {
		d.wrong = append(d.wrong, strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
	}
}

func (d *drill) kindsOfRemains() string {
	count := make(map[string]int)
	for _, r := range d.remains {
		count[r.Kind]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d %s", count[kind], kind))
	}
	return strings.Join(parts, ", ")
}
