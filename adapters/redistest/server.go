// Package redistest starts Redis servers of a test's own, which it may stop, freeze and start again.
package redistest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Server is a Redis, or a sentinel, on a loopback port that it keeps over restarts.
type Server struct {
	// Port is its own, and Args is what it is started with besides. Sentinel is the file that a sentinel is
	// configured by; empty: it is a Redis.
	Port     string
	Args     []string
	Sentinel string

	t      testing.TB
	output *os.File
	run    *exec.Cmd
	ended  chan struct{}
}

// New prepares a server that does not run yet. The end of the test stops it.
func New(t testing.TB, args ...string) *Server {
	t.Helper()
	s := &Server{t: t, Port: FreePort(t), Args: args}
	t.Cleanup(s.Kill)
	return s
}

// Start makes a server and starts it.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	s := New(t, args...)
	s.Start()
	return s
}

// lowest and highest bound the ports of servers. The kernel gives none of them, nor of those that a cluster adds its
// busOffset to, to a connection: while a server is down, no connection of another test can take its port.
const (
	lowest, highest = 12_000, 22_000
	busOffset       = 10_000
)

// FreePort finds a port that nobody listens on, nor on the one that a Redis in a cluster listens on besides.
func FreePort(t testing.TB) string {
	t.Helper()
	for range 100 {
		if port := lowest + rand.IntN(highest-lowest); isFree(port) && isFree(port+busOffset) {
			return strconv.Itoa(port)
		}
	}
	t.Fatal("no port is free")
	return ""
}

func isFree(port int) bool {
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp4", "127.0.0.1:"+strconv.Itoa(port))
	return err == nil && listener.Close() == nil
}

// Address is where it listens, as host:port.
func (s *Server) Address() string { return "127.0.0.1:" + s.Port }

// URL is its address without a user.
func (s *Server) URL() string { return "redis://" + s.Address() }

// Start starts it, empty, and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	binary := os.Getenv("VEZNE_TEST_REDIS_SERVER")
	if binary == "" {
		s.t.Fatal("VEZNE_TEST_REDIS_SERVER must name redis-server: run the tests with `make test`")
	}
	dir := s.t.TempDir()
	args := append([]string{"--port", s.Port, "--bind", "127.0.0.1", "--save", "", "--dir", dir}, s.Args...)
	if s.Sentinel != "" {
		args = []string{s.Sentinel, "--sentinel"}
	}
	output, err := os.Create(dir + "/log")
	if err != nil {
		s.t.Fatal(err)
	}
	s.output, s.ended = output, make(chan struct{})
	s.run = exec.CommandContext(context.Background(), binary, args...)
	s.run.Stdout, s.run.Stderr = output, output
	if err := s.run.Start(); err != nil {
		s.t.Fatal(err)
	}
	run, ended := s.run, s.ended
	go func() {
		_ = run.Wait() // how it ended does not matter
		close(ended)
	}()
	s.awaitAnswer()
}

func (s *Server) awaitAnswer() {
	s.t.Helper()
	client := redis.NewClient(&redis.Options{Addr: s.Address(), DialTimeout: time.Second, DialerRetries: 1})
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for {
		err := client.Ping(ctx).Err()
		if err == nil || redis.IsAuthError(err) {
			return
		}
		select {
		case <-s.ended:
			s.t.Fatalf("%s %v ended while starting:\n%s", s.run.Path, s.Args, s.said())
		case <-ctx.Done():
			s.t.Fatalf("%v\n%s", err, s.said())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *Server) said() string {
	text, err := os.ReadFile(s.output.Name())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Kill ends it as a crash does. A server that does not run stays as it is.
func (s *Server) Kill() {
	if s.run == nil {
		return
	}
	_ = s.run.Process.Kill() // it may have ended by itself
	<-s.ended
	_ = s.output.Close()
	s.run = nil
}

// Runs reports whether it was started and not killed since.
func (s *Server) Runs() bool { return s.run != nil }

// Freeze makes it swallow everything without an answer: no connection breaks.
func (s *Server) Freeze() { _ = s.run.Process.Signal(syscall.SIGSTOP) }

// Thaw undoes Freeze.
func (s *Server) Thaw() { _ = s.run.Process.Signal(syscall.SIGCONT) }

// Do gives it a command.
func (s *Server) Do(args ...any) {
	s.t.Helper()
	client := redis.NewClient(&redis.Options{Addr: s.Address()})
	defer func() { _ = client.Close() }()
	if err := client.Do(context.Background(), args...).Err(); err != nil {
		s.t.Fatal(fmt.Errorf("%v: %w", args, err))
	}
}
