// Package program is the command line of vezne. A build with further gateways (vezne build) has a main of its own, which names them.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	_ "time/tzdata" // the configured time zone must be known on any machine

	"github.com/alecthomas/kong"

	"github.com/vezne/vezne/cmd/vezne/backup"
	"github.com/vezne/vezne/cmd/vezne/buildwith"
	"github.com/vezne/vezne/cmd/vezne/doctor"
	"github.com/vezne/vezne/cmd/vezne/drill"
	"github.com/vezne/vezne/cmd/vezne/listen"
	"github.com/vezne/vezne/cmd/vezne/monthly"
	"github.com/vezne/vezne/cmd/vezne/newplugin"
	"github.com/vezne/vezne/cmd/vezne/rekey"
	"github.com/vezne/vezne/cmd/vezne/sdkcheck"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/cmd/vezne/signing"
	"github.com/vezne/vezne/cmd/vezne/trigger"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/all"
)

// gateways are those of the program. Main sets them, before anything else.
var gateways []plugins.Registration

// servers are the commands that run for long.
var servers = []string{"serve", "demo"}

// Main runs the program, with the gateways of plugins/all and more.
func Main(more ...plugins.Registration) {
	if args := os.Args[1:]; len(args) > 0 && slices.Contains(servers, args[0]) {
		relaxTimers()
	}
	gateways = append(all.List(), more...)
	err := run(untilSignal(context.Background()), os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "vezne: "+err.Error())
		os.Exit(1)
	}
}

// errInterrupted is why a context ends when a person presses Ctrl-C, who does not want to wait for a load balancer.
var errInterrupted = errors.New("interrupted")

// untilSignal is a context that ends with the first signal to stop. The second one ends the process at once, as if nobody
// listened: what it was doing is as after a crash.
func untilSignal(parent context.Context) context.Context {
	ctx, end := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got := <-signals
		signal.Reset(os.Interrupt, syscall.SIGTERM)
		if got == os.Interrupt {
			end(errInterrupted)
		} else {
			end(context.Canceled)
		}
	}()
	return ctx
}

// commands is the command line.
type commands struct {
	Serve     serveCommand      `cmd:"" help:"Serve the API, the payment page, GraphQL and the worker."`
	Demo      demoCommand       `cmd:"" help:"Serve with demo data; needs no configuration."`
	Migrate   migrateCommand    `cmd:"" help:"Apply, revert or list database migrations."`
	Staff     staffCommand      `cmd:"" help:"Manage staff members."`
	Forget    forgetCommand     `cmd:"" help:"Forget a customer: destroy the key of their personal data."`
	Audit     auditCommand      `cmd:"" help:"Verify the hash chain of the audit log, or print its head."`
	Report    monthly.Command   `cmd:"" help:"Print a month's payments, callbacks, gateways and discrepancies."`
	Seed      seedCommand       `cmd:"" help:"Fill an empty or demo database with generated transactions."`
	Sign      signing.Command   `cmd:"" help:"Print the hash or the signature of a request, and a curl command that sends it."`
	Listen    listen.Command    `cmd:"" help:"Forward the callbacks of an account in a sandbox to an address of yours, and show them."`
	Trigger   trigger.Command   `cmd:"" help:"Make something happen in a demo, such as deposit.completed."`
	SDKCheck  sdkcheck.Command  `cmd:"" name:"sdk-check" help:"Make every call of a library for integrators against a running demo. Runs in a checkout."`
	Backup    backup.Command    `cmd:"" help:"Back up the embedded database to a file while it is used, and check the file."`
	Restore   backup.Restore    `cmd:"" help:"After a backup was restored: begin the next epoch, frozen until two people thaw it. Embedded, it also puts the backup in place."`
	Drill     drill.Command     `cmd:"" help:"Rehearse a restore in a throwaway place, and print minutes and differences."`
	Rekey     rekey.Command     `cmd:"" help:"Encrypt all stored secrets anew with the first master key, while the service runs."`
	Doctor    doctor.Command    `cmd:"" help:"Check configuration, database, Redis, clock and keys, and report problems."`
	NewPlugin newplugin.Command `cmd:"" help:"Create the folder of a new gateway plugin in a checkout of Vezne."`
	Build     buildwith.Command `cmd:"" help:"Build a vezne that has plugins from other repositories, too. Needs Go."`
	Health    healthCommand     `cmd:"" help:"Ask the server on this machine whether it is ready. Exits with 1 when it is not."`
	Version   versionCommand    `cmd:"" help:"Print the version, the commit, its date and what built it."`
}

// terminal is where a command prints.
type terminal struct{ out, err io.Writer }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	var cli commands
	parser, err := kong.New(&cli,
		kong.Name("vezne"),
		kong.Description("Vezne moves money between payment providers, their customers and dealers."),
		kong.UsageOnError(),
		kong.Writers(out, errs),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(terminal{out: out, err: errs}),
		kong.BindTo(out, (*io.Writer)(nil)),
		kong.Bind(settings.Version(version)),
		kong.Bind(gateways),
		kong.Resolvers(settings.FromFiles()),
	)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return parsed.Run()
}
