// Command testenv starts the real servers that a test run needs, and stops them
// afterwards:
//
//	go run ./cmd/testenv -- go test ./...
//	go run ./cmd/testenv -need postgres -- go test ./adapters/bunstore/...
//	go run ./cmd/testenv -durable -need postgres,redis -- go run ./cmd/bench
//
// It starts a throwaway PostgreSQL and a throwaway Redis on free loopback
// ports, finds Chromium, PHP, Laravel, Python, Django, Node.js and Mono, installs what is missing from Debian's packages, and
// runs the command with these variables set:
//
//	VEZNE_TEST_DATABASE_URL   postgres://… of an empty database; the user may create more
//	VEZNE_TEST_PG_BIN         directory of pg_ctl and its kin
//	VEZNE_TEST_PG_DATA        data directory; a test that restarts the server runs pg_ctl as its owner
//	VEZNE_TEST_REDIS_URL      redis://127.0.0.1:PORT/0
//	VEZNE_TEST_REDIS_SERVER   path of redis-server, for a test that wants one of its own
//	VEZNE_TEST_CHROMIUM       path of the browser
//	VEZNE_TEST_DIR            a folder for what tests make once for all packages; it goes with that PostgreSQL
//	TMPDIR                    a folder in memory, on Linux with enough of it, unless -durable or the caller says otherwise
//
// A DATABASE_URL, REDIS_URL or CHROMIUM that the caller has set is passed on as
// it is and nothing is started for it. The exit code is the command's; 2 means
// that testenv itself could not do its part.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// exitFailed is the exit code for a failure of testenv's own.
const exitFailed = 2

func main() {
	// Children get a parent-death signal, which Linux ties to the thread that
	// started them: the goroutine that starts servers must never leave its thread.
	runtime.LockOSThread()
	endWithParent()
	os.Exit(run(os.Args[1:], os.Environ(), os.Stderr))
}

// options is the command line, parsed.
type options struct {
	needs   []need
	command []string
	janitor bool // internal: be the process that cleans up, see janitor.go
	begin   bool // internal: wait, and become the command, see command.go
	install bool // internal: install the packages named as arguments, see debian.go
	durable bool // PostgreSQL waits for the disk
}

// need is something that tests may ask for.
type need struct {
	name  string
	pkg   string                             // Debian's packages
	given string                             // the variable in which the caller may give it; empty: in none
	find  func() (path string, isFound bool) // its program
	start func(e *environment, ctx context.Context, path string, keeper *janitor) error
}

// allNeeds are what tests may ask for.
var allNeeds = []need{
	{"postgres", "postgresql", varDatabaseURL, findPostgres, (*environment).startPostgres},
	{"redis", "redis-server", varRedisURL, program("redis-server"), (*environment).startRedis},
	{
		"chromium", "chromium", varChromium,
		program("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"), (*environment).takeChromium,
	},
	{"curl", "curl", "", program("curl"), (*environment).takeTool}, // the README's examples use it
	{"openssl", "openssl", "", program("openssl"), (*environment).takeTool},
	{"node", "npm", "", program("npm"), (*environment).takeNode},          // the console is built with it; Node.js comes with it
	{"php", "php-cli php-curl", "", findPHP, (*environment).takeLanguage}, // the libraries for integrators, as python
	{"python", "python3", "", program("python3"), (*environment).takeLanguage},
	{"laravel", "php-cli php-curl php-sqlite3 php-laravel-framework", "", findLaravel, (*environment).takeLanguage}, // the examples, as django
	{"django", "python3-django", "", findDjango, (*environment).takeLanguage},
	{"caddy", "caddy", "", program("caddy"), (*environment).takeTool}, // make drill: what deploys Vezne is tried with it, as the next eight
	{"nginx", "nginx-light", "", program("nginx"), (*environment).takeTool},
	{"promtool", "prometheus", "", program("promtool"), (*environment).takeTool},
	{"buildah", "buildah ca-certificates", "", program("buildah"), (*environment).takeTool},
	{"lintian", "lintian", "", program("lintian"), (*environment).takeTool},
	{"mmdebstrap", "mmdebstrap", "", program("mmdebstrap"), (*environment).takeTool},
	{"systemd-nspawn", "systemd-container iproute2", "", program("systemd-nspawn"), (*environment).takeTool},
	{"dockerd", "docker.io iproute2", "", program("dockerd", "/usr/sbin/dockerd"), (*environment).takeTool},
	{"qemu", "qemu-user-static", "", program("qemu-aarch64-static"), (*environment).takeTool},
	{"haproxy", "haproxy", "", program("haproxy", "/usr/sbin/haproxy"), (*environment).takeTool}, // make drill-ha, as the next three
	{"patroni", "patroni python3-etcd python3-psycopg2", "", program("patroni"), (*environment).takeTool},
	{"etcd", "etcd-server", "", program("etcd"), (*environment).takeTool},
	{"pgbouncer", "pgbouncer", "", program("pgbouncer", "/usr/sbin/pgbouncer"), (*environment).takeTool},
	{"mono", "mono-mcs mono-runtime libmono-system-net-http4.0-cil", "", findMono, (*environment).takeLanguage}, // of C#
}

// run does the whole job and returns the exit code.
func run(args, environ []string, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return fail(stderr, err)
	case opts.janitor:
		return clean(os.Stdin, stderr)
	case opts.begin:
		err = begin(opts.command)
	case opts.install:
		err = installAsRoot(context.Background(), opts.command)
	default:
		var code int
		if code, err = provide(opts, environ, stderr); err == nil {
			return code
		}
	}
	if err != nil {
		return fail(stderr, err)
	}
	return 0
}

// fail prints an error the way a person reads it and returns the exit code for it.
func fail(stderr io.Writer, err error) int {
	_, _ = fmt.Fprintf(stderr, "testenv: %v\n", err)
	var stopped signalled
	if errors.As(err, &stopped) {
		return 128 + int(stopped.signal)
	}
	return exitFailed
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	flags := flag.NewFlagSet("testenv", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		_, _ = fmt.Fprintln(stderr, "usage: testenv [-need postgres,redis,chromium,curl,openssl,node,php,python,laravel,django,mono] -- command [argument ...]")
		flags.PrintDefaults()
	}
	needs := flags.String("need", "postgres,redis,chromium,curl,openssl,node,php,python,laravel,django,mono", "what the command needs, comma-separated")
	flags.BoolVar(&opts.durable, "durable", false, "have PostgreSQL outlive a power cut, as in production: what is measured counts that")
	flags.BoolVar(&opts.janitor, "janitor", false, "internal: clean up when standard input ends")
	flags.BoolVar(&opts.begin, "begin", false, "internal: wait, and become the command")
	flags.BoolVar(&opts.install, "install", false, "internal: install the named Debian packages as root")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	opts.command = flags.Args()
	if len(opts.command) == 0 && !opts.janitor {
		return options{}, errors.New("no command given: testenv [-need …] -- command [argument ...]")
	}
	var err error
	opts.needs, err = parseNeeds(*needs)
	return opts, err
}

// parseNeeds splits and checks the value of -need.
func parseNeeds(list string) ([]need, error) {
	var needs []need
	for name := range strings.SplitSeq(list, ",") {
		at := slices.IndexFunc(allNeeds, func(n need) bool { return n.name == strings.TrimSpace(name) })
		if at < 0 {
			return nil, fmt.Errorf("unknown need %q: postgres, redis, chromium, curl, node, php, python and mono are known", name)
		}
		needs = append(needs, allNeeds[at])
	}
	return needs, nil
}

// provide starts what is needed, runs the command and cleans up, whatever
// happens in between; a panic or a kill is covered by the janitor process.
func provide(opts options, environ []string, stderr io.Writer) (code int, err error) {
	ctx, stop := signalContext()
	defer stop()
	keeper, err := startJanitor(stderr)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, keeper.finish()) }()

	begun := time.Now()
	env := newEnvironment(environ)
	env.isDurable = opts.durable
	if err := env.keepInMemory(keeper); err != nil {
		return 0, err
	}
	missing := env.missing(opts.needs)
	if err := ensurePackages(ctx, missing, stderr); err != nil {
		return 0, orSignal(ctx, err)
	}
	for _, n := range missing {
		if err := env.provide(ctx, n, keeper); err != nil {
			return 0, orSignal(ctx, err)
		}
	}
	_, _ = fmt.Fprintf(stderr, "testenv: %s (%.1f s)\n", env.summary(), time.Since(begun).Seconds())
	return runCommand(ctx, opts.command, env.list(), keeper)
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ signal syscall.Signal }

func (s signalled) Error() string { return "stopped by signal: " + s.signal.String() }

// signalContext ends on the first signal that asks the process to stop. The
// signals stay caught until stop, so that an impatient second Ctrl-C does not
// end testenv before its servers.
func signalContext() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		select {
		case s := <-signals:
			if number, ok := s.(syscall.Signal); ok {
				cancel(signalled{number})
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil); signal.Stop(signals) }
}

// orSignal prefers the signal that ended ctx to the failure that it led to.
func orSignal(ctx context.Context, err error) error {
	var stopped signalled
	if errors.As(context.Cause(ctx), &stopped) {
		return stopped
	}
	return err
}
