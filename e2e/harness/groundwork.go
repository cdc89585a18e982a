package harness

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestVersion is what the binary under test says of itself.
const TestVersion = "v0.0.0-test"

// varDir names a folder that the packages of a run share, which lasts as long as the run's PostgreSQL: cmd/testenv makes
// both. A package that runs without it has its own groundwork.
const varDir = "VEZNE_TEST_DIR"

// groundwork is what takes long to make and is made once for all packages of a run, by the first that needs it: the binary,
// and a demo that was run on each kind of installation. Tests work on copies of what it left.
type groundwork struct {
	Binary            string
	WrongClock        string    // the same, linked so that a file sets its clock
	Noon              time.Time // when it was made; it is about noon then in every installation's time zone
	Embedded, Servers seeded
}

// seeded is what a demo has left.
type seeded struct {
	Dir        string            // its data directory
	Database   string            // the database's name, where it is on the server
	Sessions   map[string]string // a session's token of each of its staff, by email
	SignedInAt time.Time
	Address    netip.AddrPort // where it served
}

func (w *workshop) findGroundwork() error {
	dir := cmp.Or(os.Getenv(varDir), w.dir)
	lock, err := os.OpenFile(filepath.Join(dir, "groundwork.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // which releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	file := filepath.Join(dir, "groundwork.json")
	text, err := os.ReadFile(file)
	switch {
	case err == nil:
		err = json.Unmarshal(text, &w.groundwork)
		w.zone = noonZone(w.Noon)
	case errors.Is(err, fs.ErrNotExist):
		if err = w.makeGroundwork(dir); err == nil {
			text, err = json.Marshal(w.groundwork)
		}
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
	}
	return errors.Join(err, w.Embedded.take(), w.Servers.take())
}

// makeGroundwork builds the binary, and seeds an installation of each kind.
func (w *workshop) makeGroundwork(in string) error {
	dir, err := os.MkdirTemp(in, "groundwork-")
	if err != nil {
		return err
	}
	w.Noon = time.Now()
	w.zone = noonZone(w.Noon)
	w.Binary, w.WrongClock = filepath.Join(dir, "vezne"), filepath.Join(dir, "vezne-wrong-clock")
	if err := errors.Join(build(w.Binary, ""), build(w.WrongClock, " -X github.com/vezne/vezne/cmd/vezne/program.skewFile="+skewFile)); err != nil {
		return err
	}
	w.Embedded.Dir, w.Servers.Dir = filepath.Join(dir, "embedded"), filepath.Join(dir, "servers")
	if err := w.Embedded.runDemo(); err != nil {
		return fmt.Errorf("seeding an embedded installation: %w", err)
	}
	if err := w.seedServers(); err != nil {
		return fmt.Errorf("seeding an installation on the servers: %w", err)
	}
	return nil
}

// skewFile is where a process with a wrong clock reads by how much it is wrong, in the directory that it runs in.
const skewFile = "skew"

func build(binary, variables string) error {
	build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false",
		"-ldflags", "-s -w -X github.com/vezne/vezne/cmd/vezne/program.version="+TestVersion+variables, "-o", binary, "github.com/vezne/vezne/cmd/vezne")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building vezne: %w\n%s", err, said)
	}
	return nil
}

func (w *workshop) seedServers() (err error) {
	if w.Servers.Database, err = w.databases.create(""); err != nil {
		return err
	}
	redisURL, release, err := w.queues.take()
	if err != nil {
		return err
	}
	err = w.Servers.runDemo("VEZNE_DATABASE_URL="+w.databases.url(w.Servers.Database), "VEZNE_REDIS_URL="+redisURL)
	return errors.Join(err, release())
}

// dropGroundwork drops the database that this package has made for itself.
func (w *workshop) dropGroundwork() error {
	if os.Getenv(varDir) != "" || w.Servers.Database == "" {
		return nil
	}
	return w.databases.drop(w.Servers.Database)
}

// noonZone is a time zone in which it is the twelfth hour.
func noonZone(now time.Time) *time.Location {
	ahead := 12 - now.UTC().Hour()
	return time.FixedZone(fmt.Sprintf("Etc/GMT%+d", -ahead), ahead*60*60) // the name's sign is that of the west
}

func (s *seeded) runDemo(env ...string) error {
	p, err := Launch{Args: []string{"demo", "--data-dir", s.Dir}, Env: append(env, Bare, "VEZNE_TIME_ZONE="+shared.zone.String())}.startServer()
	if err != nil {
		return err
	}
	err = s.signIn(p.URL)
	p.Terminate()
	if err := errors.Join(err, p.End()); err != nil {
		return err
	}
	s.Address, err = netip.ParseAddrPort(strings.TrimPrefix(p.URL, "http://"))
	return err
}

// signIn signs every member of the staff in, once for all tests: hashing passwords takes most of a sign-in's time.
func (s *seeded) signIn(base string) error {
	keys, _, err := readDemoKeys(s.Dir)
	if err != nil {
		return err
	}
	s.Sessions, s.SignedInAt = map[string]string{}, time.Now()
	for _, member := range keys.Staff {
		session, err := SignIn(base, member.Email, member.Password)
		if err != nil {
			return err
		}
		s.Sessions[member.Email] = session.Token
	}
	return nil
}

// take keeps what is secret of a demo, and its port.
func (s *seeded) take() error {
	if !s.Address.IsValid() {
		return nil // making it has failed
	}
	for _, token := range s.Sessions {
		KeepSecret("a session's token", token)
	}
	_, _, err := readDemoKeys(s.Dir)
	return errors.Join(err, holdPort(s.Address))
}

// holdPort keeps a port for the rest of the run, with nobody listening there. What a demo has seeded leads to the gateway
// that it was itself: whoever got its port would be called by every installation. Every package of the run holds it.
func holdPort(at netip.AddrPort) error {
	_, err := bindPort(at)
	if err != nil {
		return fmt.Errorf("keeping %s: %w", at, err)
	}
	return nil
}

// bindPort binds a port, by its number or a free one, and listens to nothing there: the kernel leaves a port out that is bound
// when it looks for a free one, and binding it once more by its number needs SO_REUSEADDR on both.
func bindPort(at netip.AddrPort) (socket int, err error) {
	syscall.ForkLock.RLock()
	socket, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(socket)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return 0, err
	}
	err = errors.Join(syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(socket, &syscall.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}))
	return socket, err
}

// ReserveAddress returns an address of this machine that is the test's own until it ends: a process that listens there by its
// number can be told before what others reach it by, and another one can take its place.
func ReserveAddress(t testing.TB) string {
	t.Helper()
	loopback := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	socket, err := bindPort(netip.AddrPortFrom(loopback, 0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	bound, err := syscall.Getsockname(socket)
	at, ok := bound.(*syscall.SockaddrInet4)
	if err != nil || !ok {
		t.Fatalf("the reserved address is %v (%v)", bound, err)
	}
	return netip.AddrPortFrom(loopback, uint16(at.Port)).String()
}
