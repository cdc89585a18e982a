package drill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/cmd/vezne/health"
)

const (
	// patience bounds each wait for something that comes within seconds on a machine that is not busy.
	patience = time.Minute
	look     = 50 * time.Millisecond
	maxLog   = 64 << 10 // bytes of a process's log that are kept: its end
)

// installation is a Vezne of the drill's own: a directory, an address, and processes of this program.
type installation struct {
	program string
	dir     string // of the data
	listen  string
	running *process
}

// newInstallation has a directory that is not there yet, and a port that is free.
func newInstallation(ctx context.Context, dir string) (*installation, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &installation{program: program, dir: dir, listen: listener.Addr().String()}, listener.Close()
}

func (in *installation) URL() string { return "http://" + in.listen }

// environment is all that a process gets: none of the settings of whoever runs the drill, so that nothing of it reaches an
// installation that is used.
func (in *installation) environment() []string {
	env := []string{
		"VEZNE_DATA_DIR=" + in.dir, "VEZNE_LISTEN=" + in.listen, "VEZNE_ADMIN_LISTEN=off", "VEZNE_DRAIN_DELAY=0s", "VEZNE_RATE_LIMIT=off",
		"VEZNE_OPEN_DEPOSITS_PER_CUSTOMER=0", "VEZNE_CALLBACK_ALLOW_PRIVATE=true", "VEZNE_GATEWAY_SANDBOX=true", "VEZNE_GATEWAY_ALLOW_PRIVATE=true",
		"VEZNE_STATEMENT_INTERVAL=1s",
	}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "SystemRoot", "TEMP"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// process is a vezne that was started.
type process struct {
	name  string
	cmd   *exec.Cmd
	said  *tail // to standard error
	ended chan struct{}
}

// start starts a command. Without out what it prints goes nowhere: a demo prints its keys.
func (in *installation) start(ctx context.Context, out io.Writer, args ...string) (*process, error) {
	p := &process{name: "vezne " + args[0], cmd: exec.CommandContext(ctx, in.program, args...), said: &tail{}, ended: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir = in.environment(), filepath.Dir(in.dir)
	p.cmd.Stdout, p.cmd.Stderr = out, p.said
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.ended)
	}()
	return p, nil
}

// run runs a command to its end.
func (in *installation) run(ctx context.Context, args ...string) error {
	return in.print(ctx, nil, args...)
}

// print runs a command to its end, and writes what it prints to out.
func (in *installation) print(ctx context.Context, out io.Writer, args ...string) error {
	p, err := in.start(ctx, out, args...)
	if err != nil {
		return err
	}
	<-p.ended
	return p.failure()
}

func (p *process) failure() error {
	if p.cmd.ProcessState.ExitCode() == 0 {
		return nil
	}
	return fmt.Errorf("%s has failed (%s):\n%s", p.name, p.cmd.ProcessState, p.said)
}

// serve starts a process that serves, and waits until it is ready.
func (in *installation) serve(ctx context.Context, args ...string) error {
	p, err := in.start(ctx, nil, args...)
	if err != nil {
		return err
	}
	in.running = p
	return await(ctx, p.name+" is not ready", func() error {
		select {
		case <-p.ended:
			return hopelessError{p.failure()}
		default:
			_, err := health.Ask(ctx, in.listen, "/readyz")
			return err
		}
	})
}

// money is what /readyz says of whether money moves.
func (in *installation) money(ctx context.Context) (string, error) {
	answer, err := health.Ask(ctx, in.listen, "/readyz")
	var ready struct{ Money string }
	if err == nil {
		err = json.Unmarshal([]byte(answer), &ready)
	}
	return ready.Money, err
}

// stop ends the process that serves, as an operator does: it finishes what it has begun.
func (in *installation) stop() error {
	p := in.running
	in.running = nil
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	<-p.ended
	return p.failure()
}

// kill ends the process that serves, as a crash does.
func (in *installation) kill() {
	if in.running != nil {
		_ = in.running.cmd.Process.Kill() // it may have ended by itself
		<-in.running.ended
		in.running = nil
	}
}

// lose takes away everything that was in the directory but what is kept elsewhere, too: the keys and the heads of the audit log.
func (in *installation) lose() error {
	files, err := os.ReadDir(in.dir)
	for _, file := range files {
		if name := file.Name(); !strings.HasSuffix(name, ".key") && name != "audit-heads.jsonl" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(in.dir, name)))
		}
	}
	return err
}

// hopelessError is one that waiting does not change.
type hopelessError struct{ error }

// await asks until it is so, for as long as patience lasts.
func await(ctx context.Context, what string, isSo func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("it has taken too long"))
	defer cancel()
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		err := isSo()
		if err == nil {
			return nil
		}
		if hopeless := (hopelessError{}); errors.As(err, &hopeless) {
			return fmt.Errorf("%s: %w", what, hopeless.error)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w: %w", what, context.Cause(ctx), err)
		case <-tick.C:
		}
	}
}

// tail keeps the end of what a process says.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p)
	if over := t.text.Len() - maxLog; over > 0 {
		t.text.Next(over)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
