package asynqqueue_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisServer is a Redis of a test's own, to be broken.
type redisServer struct {
	t    *testing.T
	port int
	args []string
	run  *exec.Cmd
}

// newRedis prepares one that does not run yet. {port} and {dir} in the arguments are its own.
func newRedis(t *testing.T, args ...string) *redisServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address, _ := listener.Addr().(*net.TCPAddr)
	s := &redisServer{t: t, port: address.Port, args: args}
	t.Cleanup(s.kill)
	return s
}

func startRedis(t *testing.T, args ...string) *redisServer {
	t.Helper()
	s := newRedis(t, args...)
	s.start()
	return s
}

func (s *redisServer) address() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

func (s *redisServer) url() string { return "redis://" + s.address() }

// start starts it, empty, and waits until it answers.
func (s *redisServer) start() {
	s.t.Helper()
	binary := os.Getenv("VEZNE_TEST_REDIS_SERVER")
	if binary == "" {
		s.t.Fatal("VEZNE_TEST_REDIS_SERVER must name redis-server: run the tests with `make test`")
	}
	dir := s.t.TempDir()
	args := append([]string{"--port", strconv.Itoa(s.port), "--bind", "127.0.0.1", "--save", "", "--dir", dir}, s.args...)
	if len(s.args) == 1 && filepath.IsAbs(s.args[0]) { // a configuration file says it all
		args = append([]string{s.args[0]}, "--sentinel")
	}
	s.run = exec.Command(binary, args...)
	s.run.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.run.Start(); err != nil {
		s.t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: s.address(), DialTimeout: time.Second, DialerRetries: 1})
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		err := client.Ping(ctx).Err()
		if err == nil || redis.IsAuthError(err) {
			return
		}
		if ctx.Err() != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *redisServer) kill() {
	if s.run != nil {
		_ = s.run.Process.Kill()
		_ = s.run.Wait()
		s.run = nil
	}
}

// freeze makes it swallow everything without an answer.
func (s *redisServer) freeze() { _ = s.run.Process.Signal(syscall.SIGSTOP) }

func (s *redisServer) thaw() { _ = s.run.Process.Signal(syscall.SIGCONT) }

// do gives it a command.
func (s *redisServer) do(args ...any) {
	s.t.Helper()
	client := redis.NewClient(&redis.Options{Addr: s.address()})
	defer client.Close()
	if err := client.Do(s.t.Context(), args...).Err(); err != nil {
		s.t.Fatal(fmt.Errorf("%v: %w", args, err))
	}
}

// blackHole is an address that accepts connections and never says anything.
func blackHole(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		var held []net.Conn
		for {
			conn, err := listener.Accept()
			if err != nil {
				break
			}
			held = append(held, conn)
		}
		for _, conn := range held {
			_ = conn.Close()
		}
	})
	t.Cleanup(func() { _ = listener.Close(); accepting.Wait() })
	return listener.Addr().String()
}
