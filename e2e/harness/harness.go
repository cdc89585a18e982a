// Package harness runs the real binary as its users do, for the tests in the folders beside it: processes on free ports,
// embedded and on real servers, asked over HTTP, killed and started again. A package of tests has one line for it:
//
//	func TestMain(m *testing.M) { harness.Main(m) }
package harness

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

// Tests here mostly wait, so more of them run at once than there are processors; each has at most three processes.
const parallelTests = "8"

// workshop is what all tests of a package share. Main fills it before the first test; mu guards what grows later.
type workshop struct {
	groundwork
	dir       string // temporary, of this package
	zone      *time.Location
	databases databaseServer
	queues    queueServer
	chromium  sharedBrowser

	mu        sync.Mutex
	processes []*Process
	secrets   map[string]string // what must not be printed, and what it is
}

var shared = workshop{secrets: make(map[string]string)}

// Main runs the tests of a package and ends the process.
func Main(m *testing.M) {
	flag.Parse()
	isChosen := false
	flag.Visit(func(f *flag.Flag) { isChosen = isChosen || f.Name == "test.parallel" })
	if !isChosen {
		_ = flag.Set("test.parallel", parallelTests)
	}
	if limit, _ := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration); limit > 0 {
		Patience, client.Timeout = limit/4, limit/4
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

// open finds the servers and the groundwork.
func (w *workshop) open() (err error) {
	if w.databases, err = findDatabaseServer(); err != nil {
		return err
	}
	if w.queues, err = findQueueServer(); err != nil {
		return err
	}
	if w.dir, err = os.MkdirTemp("", "vezne-e2e-"); err != nil {
		return err
	}
	return w.findGroundwork()
}

func (w *workshop) close() error {
	w.chromium.close()
	return errors.Join(w.dropGroundwork(), os.RemoveAll(w.dir))
}

// Zone is the time zone of every installation: it is about noon there, so that no test runs into another day.
func Zone() *time.Location { return shared.zone }

// Binary is the path of the binary under test, which is called vezne.
func Binary() string { return shared.Binary }

// DatabaseURL leads to a database of the server that tests make theirs on.
func DatabaseURL(name string) string { return shared.databases.url(name) }

// KeepSecret has the end of the run look for a text in everything that was printed.
func KeepSecret(what, text string) {
	if text == "" {
		return
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.secrets[text] = what
}

// LeakIn returns what of a text must not be printed; empty: nothing.
func LeakIn(text string) string { return shared.leakIn(text) }

func (w *workshop) addProcess(p *Process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.processes = append(w.processes, p)
}
