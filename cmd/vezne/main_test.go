// Package main_test runs the real binary as its users do: processes on free ports, embedded and on real servers, asked
// over HTTP, killed and started again.
package main_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Sizes of a run. Tests here mostly wait, so more of them run at once than there are processors; each has at most three
// processes.
const (
	parallelTests = "8"
	testVersion   = "v0.0.0-test"
)

// workshop is what all tests of a run share. TestMain fills it before the first test; mu guards what grows later.
type workshop struct {
	dir    string // temporary, of the run
	binary string
	zone   *time.Location // of every installation: it is about noon there, so that no test runs into another day
	// A demo was run once on each kind of installation; tests work on copies of what it left.
	embedded, servers seeded
	databases         databaseServer
	queues            queueServer
	chromium          sharedBrowser

	mu        sync.Mutex
	processes []*process
	secrets   map[string]string // what must not be printed, and what it is
}

var shared = workshop{secrets: make(map[string]string)}

func TestMain(m *testing.M) {
	flag.Parse()
	isChosen := false
	flag.Visit(func(f *flag.Flag) { isChosen = isChosen || f.Name == "test.parallel" })
	if !isChosen {
		_ = flag.Set("test.parallel", parallelTests)
	}
	if limit, _ := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); limit > 0 {
		patience, client.Timeout = limit/4, limit/4
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) (code int) {
	err := shared.open()
	if err == nil {
		code = m.Run()
		err = shared.leaks()
	}
	if err = errors.Join(err, shared.close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// open builds the binary, finds the servers, and seeds an installation of each kind.
func (w *workshop) open() (err error) {
	if w.databases, err = findDatabaseServer(); err != nil {
		return err
	}
	if w.queues, err = findQueueServer(); err != nil {
		return err
	}
	w.zone = noonZone(time.Now())
	if w.dir, err = os.MkdirTemp("", "vezne-e2e-"); err != nil {
		return err
	}
	w.binary = filepath.Join(w.dir, "vezne")
	build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false",
		"-ldflags", "-X main.version="+testVersion, "-o", w.binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building vezne: %w\n%s", err, said)
	}
	if w.embedded, err = seedEmbedded(); err != nil {
		return fmt.Errorf("seeding an embedded installation: %w", err)
	}
	if w.servers, err = seedServers(); err != nil {
		return fmt.Errorf("seeding an installation on the servers: %w", err)
	}
	return nil
}

// noonZone is a time zone in which it is the twelfth hour.
func noonZone(now time.Time) *time.Location {
	ahead := 12 - now.UTC().Hour()
	return time.FixedZone(fmt.Sprintf("Etc/GMT%+d", -ahead), ahead*60*60) // the name's sign is that of the west
}

func (w *workshop) close() error {
	w.chromium.close()
	var err error
	if w.servers.database != "" {
		err = w.databases.drop(w.servers.database)
	}
	return errors.Join(err, os.RemoveAll(w.dir))
}

// keepSecret has the end of the run look for a text in everything that was printed.
func (w *workshop) keepSecret(what, text string) {
	if text == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.secrets[text] = what
}

func (w *workshop) addProcess(p *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.processes = append(w.processes, p)
}
