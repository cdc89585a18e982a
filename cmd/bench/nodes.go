package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun/driver/pgdriver"
)

// nodesClients is how many clients all nodes have together.
const nodesClients = 64

// node is a PostgreSQL cluster with a Redis and a Vezne of its own: those of its dealers. It runs in a bench beside this one.
type node struct {
	command *exec.Cmd
	tell    io.WriteCloser
	answers *bufio.Reader
	url     string // of its PostgreSQL
}

// nodeReport is what a node has done.
type nodeReport struct {
	Created             int
	Length              time.Duration
	Vezne, Database, Us time.Duration // of processor
}

// nodes measures what one, two and four nodes do beside each other on this machine, each with the payments of its own dealers, as the
// shards of a distributed database have them; and what a commit costs that touches two of them.
func nodes(ctx context.Context, o options) error {
	fmt.Printf("\nnodes, each a PostgreSQL, a Redis and a Vezne; %d clients in all\n", nodesClients)
	for _, count := range []int{1, 2, 4} {
		if err := nodesAtOnce(ctx, o, count); err != nil {
			return err
		}
	}
	return nil
}

func nodesAtOnce(ctx context.Context, o options, count int) error {
	var all []*node
	defer func() {
		for _, n := range all {
			n.stop()
		}
	}()
	for range count {
		n, err := startNode(ctx, o, nodesClients/count)
		if err != nil {
			return err
		}
		all = append(all, n)
	}
	reports := make([]nodeReport, count)
	failures := make([]error, count)
	var running sync.WaitGroup
	for i, n := range all {
		running.Go(func() { reports[i], failures[i] = n.measure() })
	}
	running.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	var sum nodeReport
	perSecond := 0
	for _, r := range reports {
		perSecond += int(int64(r.Created) * int64(time.Second) / int64(r.Length))
		sum.Created, sum.Vezne, sum.Database, sum.Us = sum.Created+r.Created, sum.Vezne+r.Vezne, sum.Database+r.Database, sum.Us+r.Us
	}
	each := func(d time.Duration) int64 { return (d / time.Duration(max(sum.Created, 1))).Microseconds() }
	fmt.Printf("  %d at once: %6d created/s in all   µs of processor each: Vezne %d, clients %d, PostgreSQL %d\n",
		count, perSecond, each(sum.Vezne), each(sum.Us), each(sum.Database))
	if count == 2 {
		return twoPhases(ctx, o, all[0].url, all[1].url)
	}
	return nil
}

// startNode returns when a node is ready.
func startNode(ctx context.Context, o options, clients int) (*node, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	n := &node{command: exec.CommandContext(ctx, "go", "run", "./cmd/testenv", "-durable", "-need", "postgres,redis", "--",
		self, "-only", "node", "-time", o.seconds.String(), "-clients", strconv.Itoa(clients))}
	n.command.Stderr = os.Stderr
	n.command.Env = append(os.Environ(), "VEZNE_TEST_DATABASE_URL=", "VEZNE_TEST_REDIS_URL=", "VEZNE_TEST_PG_DATA=")
	n.command.Cancel = func() error { return n.command.Process.Signal(os.Interrupt) }
	if n.tell, err = n.command.StdinPipe(); err != nil {
		return nil, err
	}
	said, err := n.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	n.answers = bufio.NewReader(said)
	if err := n.command.Start(); err != nil {
		return nil, err
	}
	for { // what else it prints is nobody's
		line, err := n.answers.ReadString('\n')
		if err != nil {
			n.stop()
			return nil, fmt.Errorf("a node ended before it was ready: %w", err)
		}
		if url, isReady := strings.CutPrefix(line, nodeIsReady); isReady {
			n.url = strings.TrimSpace(url)
			return n, nil
		}
	}
}

// nodeIsReady is what a node says before the address of its PostgreSQL.
const nodeIsReady = "ready "

// measure has a node create payments, and waits for what it has done.
func (n *node) measure() (r nodeReport, err error) {
	if _, err = io.WriteString(n.tell, "begin\n"); err == nil {
		var line string
		if line, err = n.answers.ReadString('\n'); err == nil {
			err = json.Unmarshal([]byte(line), &r)
		}
	}
	if err == nil && (r.Created == 0 || r.Length <= 0) {
		err = errors.New("a node has created nothing")
	}
	return r, err
}

// stop ends a node: it waits for the end of what it reads.
func (n *node) stop() {
	_ = n.tell.Close()   // it may have ended
	_ = n.command.Wait() // why it has failed it has said
}

// beNode is the other side: this bench is a node.
func beNode(ctx context.Context, o options, binary, dir string, env []string) error {
	v, err := start(ctx, binary, filepath.Join(dir, "node"), env)
	if err != nil {
		return err
	}
	defer v.stop()
	fmt.Println(nodeIsReady + o.databaseU)
	words := bufio.NewReader(os.Stdin)
	if _, err := words.ReadString('\n'); err != nil {
		return err
	}
	before := v.usage()
	r := v.create(ctx, o.clients, 0, o.seconds)
	after := v.usage()
	if err := json.NewEncoder(os.Stdout).Encode(nodeReport{
		Created: len(r.took), Length: r.length,
		Vezne: after.vezne - before.vezne, Database: after.database - before.database, Us: after.bench - before.bench,
	}); err != nil {
		return err
	}
	_, err = words.ReadString('\n') // the others may still be at work
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// twoPhases measures commits of a row on one cluster beside those of a row on each of two, which both prepare before both commit.
func twoPhases(ctx context.Context, o options, urls ...string) error {
	var pools []*sql.DB
	for _, url := range urls {
		pool := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(url)))
		defer func() { _ = pool.Close() }() // nothing is left to be written
		pool.SetMaxIdleConns(nodesClients)
		if _, err := pool.ExecContext(ctx, "CREATE TABLE bench_rows (id bigserial PRIMARY KEY, body text NOT NULL)"); err != nil {
			return err
		}
		pools = append(pools, pool)
	}
	const insert = "INSERT INTO bench_rows (body) VALUES (repeat('x', 400))"
	var mu sync.Mutex
	count := 0
	id := func() string {
		mu.Lock()
		defer mu.Unlock()
		count++
		return fmt.Sprintf("'bench %d'", count)
	}
	for _, kind := range []struct {
		name   string
		commit func() error
	}{
		{"on one of two nodes", func() error {
			_, err := pools[0].ExecContext(ctx, insert)
			return err
		}},
		{"on both, in two phases", func() error {
			name := id()
			if err := onAll(ctx, pools, "BEGIN; "+insert+"; PREPARE TRANSACTION "+name); err != nil {
				return err
			}
			return onAll(ctx, pools, "COMMIT PREPARED "+name)
		}},
	} {
		n, err := repeated(ctx, o.seconds, kind.commit)
		if err != nil {
			return err
		}
		fmt.Printf("  a row and a commit %s, %d clients: %d/s\n", kind.name, nodesClients, n)
	}
	return nil
}

// onAll runs a statement on all nodes at once.
func onAll(ctx context.Context, pools []*sql.DB, statement string) error {
	failures := make([]error, len(pools))
	var running sync.WaitGroup
	for i, pool := range pools {
		running.Go(func() { _, failures[i] = pool.ExecContext(ctx, statement) })
	}
	running.Wait()
	return errors.Join(failures...)
}

// repeated has clients do something for a while, and returns how often a second it was done.
func repeated(ctx context.Context, length time.Duration, do func() error) (perSecond int, err error) {
	var mu sync.Mutex
	var running sync.WaitGroup
	done, began := 0, time.Now()
	for range nodesClients {
		running.Go(func() {
			for time.Since(began) < length && ctx.Err() == nil {
				failure := do()
				mu.Lock()
				done++
				err = errors.Join(err, failure)
				mu.Unlock()
				if failure != nil {
					return
				}
			}
		})
	}
	running.Wait()
	return int(int64(done) * int64(time.Second) / int64(time.Since(began))), err
}
