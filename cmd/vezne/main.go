// Command vezne is the whole service in one binary: server, worker, demo, migrations and the tools around them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // the configured time zone must be known on any machine

	"github.com/alecthomas/kong"

	"github.com/vezne/vezne/cmd/vezne/doctor"
	"github.com/vezne/vezne/cmd/vezne/newplugin"
	"github.com/vezne/vezne/cmd/vezne/rekey"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/cmd/vezne/signing"
)

// version is set by the build.
var version = "dev"

func main() {
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
	Seed      seedCommand       `cmd:"" help:"Fill an empty or demo database with generated transactions."`
	Sign      signing.Command   `cmd:"" help:"Print the hash or the signature of a request, and a curl command that sends it."`
	Rekey     rekey.Command     `cmd:"" help:"Encrypt all stored secrets anew with the first master key, while the service runs."`
	Doctor    doctor.Command    `cmd:"" help:"Check configuration, database, Redis, clock and keys, and report problems."`
	NewPlugin newplugin.Command `cmd:"" help:"Create the folder of a new gateway plugin in a checkout of Vezne."`
	Version   versionCommand    `cmd:"" help:"Print the version."`
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

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(t terminal) error {
	_, err := fmt.Fprintln(t.out, "vezne "+version)
	return err
}
