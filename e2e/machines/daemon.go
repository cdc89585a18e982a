package machines

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/e2e/harness"
)

// Daemon is a server beside Vezne that a drill starts, kills and starts again: HAProxy, etcd, Patroni, PgBouncer.
type Daemon struct {
	t    *testing.T
	path string
	args []string
	env  []string
	dir  string
	as   *syscall.Credential // nil: who runs the drill

	run    *exec.Cmd
	ended  chan struct{}
	output lines
	ready  func() error
}

// lines keeps what a daemon prints.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.String()
	return text[max(0, len(text)-9000):]
}

// Up starts it and waits until it is as it should be. The end of the drill stops it.
func (d *Daemon) Up(isReady func() error) {
	d.t.Helper()
	d.ready = isReady
	d.run = exec.CommandContext(context.Background(), d.path, d.args...)
	d.run.Dir, d.run.Env = d.dir, append([]string{"PATH=/usr/local/sbin:/usr/sbin:/sbin:" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC", "HOME=" + d.dir}, d.env...)
	d.run.Stdout, d.run.Stderr = &d.output, &d.output
	d.run.SysProcAttr = &syscall.SysProcAttr{Credential: d.as}
	d.run.WaitDelay = time.Second
	if err := d.run.Start(); err != nil {
		d.t.Fatal(err)
	}
	ended, run := make(chan struct{}), d.run
	d.ended = ended
	go func() {
		_ = run.Wait() // how it ended does not matter
		close(ended)
	}()
	d.t.Cleanup(func() { d.Down(syscall.SIGTERM) })
	harness.Eventually(d.t, func() error {
		select {
		case <-ended:
			d.t.Fatalf("%s ended while starting:\n%s", filepath.Base(d.path), &d.output)
		default:
		}
		if err := isReady(); err != nil {
			return fmt.Errorf("%s: %w\n%s", filepath.Base(d.path), err, &d.output)
		}
		return nil
	})
}

// Again is Up for one that has ended.
func (d *Daemon) Again() {
	d.t.Helper()
	d.Up(d.ready)
}

// Down ends it by a signal and waits until it has ended; SIGKILL follows where it does not.
func (d *Daemon) Down(signal syscall.Signal) {
	_ = d.run.Process.Signal(signal) // it may have ended by itself
	patience := time.NewTimer(10 * time.Second)
	defer patience.Stop()
	select {
	case <-d.ended:
	case <-patience.C:
		_ = d.run.Process.Kill()
		<-d.ended
	}
}

// program finds a program of Debian's, or fails the drill.
func program(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin") {
		if path := filepath.Join(dir, name); exec.CommandContext(t.Context(), "test", "-x", path).Run() == nil {
			return path
		}
	}
	t.Fatalf("there is no %s: run the drills with `make drill-ha`", name)
	return ""
}

// Shipped reads a configuration that Vezne ships and changes what is an example in it; each change has to be one.
func Shipped(t *testing.T, name string, changes ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return replace(t, name, string(text), changes...)
}

func replace(t *testing.T, name, changed string, changes ...string) string {
	t.Helper()
	for i := 0; i+1 < len(changes); i += 2 {
		if !strings.Contains(changed, changes[i]) {
			t.Fatalf("%s has no %q", name, changes[i])
		}
		changed = strings.ReplaceAll(changed, changes[i], changes[i+1])
	}
	return changed
}

// write writes a file that whoever a daemon runs as may read.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func local(port string) string { return net.JoinHostPort("127.0.0.1", port) }

// answers asks an address for 200.
func answers(address string) error {
	a, err := get(address)
	if err == nil && a != http.StatusOK {
		err = fmt.Errorf("%s answers %d", address, a)
	}
	return err
}

func get(address string) (status int, err error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	a, err := harness.Send(r)
	return a.Status, err
}

// StartHAProxy starts HAProxy with a configuration.
func StartHAProxy(t *testing.T, configuration string, isReady func() error, env ...string) *Daemon {
	t.Helper()
	dir := t.TempDir()
	d := &Daemon{t: t, path: program(t, "haproxy"), dir: dir, env: env}
	d.args = []string{"-db", "-f", write(t, dir, "haproxy.cfg", configuration)}
	d.Up(isReady)
	return d
}

// Machines is an installation of several processes behind HAProxy.
type Machines struct {
	*harness.Installation
	Front   string // HAProxy's URL
	APIs    []*harness.Process
	Workers []*harness.Process
	proxy   *Daemon
}

const (
	apis    = 3
	workers = 2
)

// Serve starts three processes for requests, two for background work, and HAProxy in front of them as it is shipped, but for TLS.
func Serve(t *testing.T, in *harness.Installation, settings ...string) *Machines {
	t.Helper()
	front := local(redistest.FreePort(t))
	m := &Machines{Installation: in, Front: "http://" + front}
	in.Env = append(append(in.Env, "VEZNE_BASE_URL="+m.Front, "VEZNE_TRUSTED_PROXIES=127.0.0.1", "VEZNE_DRAIN_DELAY=5s", "VEZNE_LOG_DEBUG=0"),
		settings...)
	env := []string{"VEZNE_HTTP=" + front}
	for i := range apis {
		p := in.Serve("VEZNE_ROLE=api")
		m.APIs = append(m.APIs, p)
		env = append(env, fmt.Sprintf("VEZNE_API%d=%s", i+1, strings.TrimPrefix(p.URL, "http://")))
	}
	for range workers {
		m.Workers = append(m.Workers, in.Serve("VEZNE_ROLE=worker"))
	}
	configuration := Shipped(t, "proxy/haproxy.cfg",
		`    bind "${VEZNE_HTTPS-:443}" ssl crt "${VEZNE_CERTIFICATE-/etc/haproxy/vezne.pem}" alpn h2,http/1.1`+"\n", "",
		"    http-request redirect scheme https code 308 unless { ssl_fc }\n", "")
	m.proxy = StartHAProxy(t, configuration, func() error { return answers(m.Front + "/docs/") }, env...)
	return m
}

// All are the processes of Vezne.
func (m *Machines) All() []*harness.Process {
	return append(append([]*harness.Process(nil), m.APIs...), m.Workers...)
}

// Replace stops a process as an operator does and starts another one in its place; HAProxy has noticed when it returns.
func (m *Machines) Replace(p *harness.Process) *harness.Process {
	m.T.Helper()
	p.Stop(m.T)
	return p.Again(m.T)
}

// Signal sends it a signal that does not end it.
func (d *Daemon) Signal(signal syscall.Signal) {
	d.t.Helper()
	if err := d.run.Process.Signal(signal); err != nil {
		d.t.Fatal(err)
	}
}

// StartWire starts what passes everything on to an address, and returns where it listens. While it is stopped, connections are accepted,
// and what is sent waits.
func StartWire(t *testing.T, to string) (wire *Daemon, address string) {
	t.Helper()
	address = local(redistest.FreePort(t))
	wire = StartHAProxy(t, "defaults\n    mode tcp\n    timeout connect 2s\n    timeout client 1h\n    timeout server 1h\nlisten wire\n    bind "+
		address+"\n    server there "+to+"\n", func() error { return reaches(address) })
	return wire, address
}

func reaches(address string) error {
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
	if err == nil {
		err = conn.Close()
	}
	return err
}
