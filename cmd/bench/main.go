// Command bench measures the real binary over HTTP, embedded and on PostgreSQL and Redis, beside pgbench running the
// same insert on the same PostgreSQL in the same run; then what statistics cost, pages of the back office's lists of
// transactions, look-ups and statistics; and, where it is asked for, all of the hot path while the database grows. Absolute
// figures differ between machines: compare the ratios.
//
// It expects VEZNE_TEST_DATABASE_URL and VEZNE_TEST_REDIS_URL, as `make bench` sets them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

// expiresIn is the life of the deposits whose expiry measures deliveries alone.
const expiresIn = 15 * time.Second

// atRest is how long after a load memory is looked at: by then a process has given back what only the load needed.
const atRest = 5 * time.Second

// options of a run.
type options struct {
	seconds   time.Duration // each measurement
	callbacks int           // sent to measure delivery
	listed    int           // transactions that lists are measured on; 0: those that the database has
	payments  int           // that growth ends with
	clients   int           // of a node
	only      string
	databaseU string
	redisU    string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o := options{databaseU: os.Getenv("VEZNE_TEST_DATABASE_URL"), redisU: os.Getenv("VEZNE_TEST_REDIS_URL")}
	flag.DurationVar(&o.seconds, "time", 5*time.Second, "length of each measurement")
	flag.IntVar(&o.callbacks, "callbacks", 20_000, "callbacks to deliver")
	flag.IntVar(&o.listed, "transactions", 100_000, "transactions to seed for the lists; 0: the database has some")
	flag.IntVar(&o.payments, "payments", 10_000_000, "payments that growth ends with")
	flag.IntVar(&o.clients, "clients", nodesClients, "clients of a node")
	flag.StringVar(&o.only, "only", "", "embedded, servers, statistics, lists, growth or nodes: measure that only; the last two are measured only so")
	flag.Parse()
	if o.databaseU == "" || o.redisU == "" {
		return errors.New("VEZNE_TEST_DATABASE_URL and VEZNE_TEST_REDIS_URL are not set: run `make bench`")
	}
	if o.only == "nodes" {
		return nodes(ctx, o)
	}
	dir, err := os.MkdirTemp("", "vezne-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary := filepath.Join(dir, "vezne")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/vezne").CombinedOutput(); err != nil {
		return fmt.Errorf("building vezne: %w\n%s", err, out)
	}
	if o.only == "" || o.only == "embedded" {
		title := "embedded (SQLite synchronous=FULL, in-process Redis)"
		if _, err := measure(ctx, o, title, binary, filepath.Join(dir, "embedded"), nil); err != nil {
			return err
		}
	}
	if o.only == "embedded" {
		return nil
	}
	if err := warm(ctx, o.databaseU); err != nil {
		return err
	}
	env := []string{"VEZNE_DATABASE_URL=" + o.databaseU, "VEZNE_REDIS_URL=" + o.redisU}
	switch o.only {
	case "growth":
		return growth(ctx, o, binary, dir, env)
	case "statistics":
		return statisticsCost(ctx, o, binary, dir, env)
	case "node":
		return beNode(ctx, o, binary, dir, env)
	}
	if o.only != "lists" {
		title := "servers (PostgreSQL fsync=on synchronous_commit=on, Redis)"
		half, err := measure(ctx, o, title, binary, filepath.Join(dir, "servers"), env)
		if err == nil {
			err = pgbench(ctx, o, dir, half)
		}
		if err != nil {
			return err
		}
	}
	if o.only == "servers" {
		return nil
	}
	if o.only == "" {
		if err := statisticsCost(ctx, o, binary, dir, env); err != nil {
			return err
		}
	}
	return lists(ctx, o, binary, dir, env)
}

// measure runs everything against one installation, and says what half of its load was.
func measure(ctx context.Context, o options, title, binary, dir string, env []string) (half int, err error) {
	fmt.Printf("\n%s\n", title)
	v, err := start(ctx, binary, dir, env)
	if err != nil {
		return 0, err
	}
	defer v.stop() // again does nothing
	fmt.Printf("  ready after %s, %d MB resident when idle\n", v.readyAfter.Round(time.Millisecond), v.residentMB())
	for _, clients := range []int{1, 16, 64} {
		before := v.usage()
		r := v.create(ctx, clients, 0, o.seconds)
		fmt.Printf("  %2d clients: %s%s\n", clients, r, before.each(v.usage(), len(r.took)))
		half = r.perSecond() / 2
	}
	if half > 0 {
		fmt.Printf("  half load (%d/s, 64 clients): %s\n", half, v.create(ctx, 64, half, o.seconds))
	}
	if err := v.deliver(ctx); err != nil {
		return 0, err
	}
	if err := v.end(ctx, o.seconds); err != nil {
		return 0, err
	}
	loaded := v.residentMB()
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(atRest):
	}
	fmt.Printf("  %d MB resident at the end of the load, %d MB %s later\n", loaded, v.residentMB(), atRest)
	v.stop()
	quick, err := start(ctx, binary, dir+"-drain", append(env, "VEZNE_EXPIRY_DEPOSIT="+expiresIn.String()))
	if err != nil {
		return 0, err
	}
	defer quick.stop()
	_, err = quick.drain(ctx, o.callbacks)
	return half, err
}
