package redisnews_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/vezne/vezne/adapters/redisnews"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/newstest"
)

// redisServer is a Redis of a test's own, to be broken.
type redisServer struct {
	t    *testing.T
	port string
	args []string
	// config is the file that a sentinel is configured by; empty: it is a Redis.
	config string
	run    *exec.Cmd
}

func startRedis(t *testing.T, args ...string) *redisServer {
	t.Helper()
	s := newRedis(t, args...)
	s.start()
	return s
}

// newRedis prepares one that does not run yet.
func newRedis(t *testing.T, args ...string) *redisServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, _ := listener.Addr().(*net.TCPAddr)
	s := &redisServer{t: t, port: strconv.Itoa(address.Port), args: args}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	return s
}

func (s *redisServer) options() *redis.UniversalOptions {
	return &redis.UniversalOptions{
		Addrs: []string{"127.0.0.1:" + s.port}, DialTimeout: time.Second, DialerRetries: 1, ReadTimeout: 2 * time.Second,
		ContextTimeoutEnabled: true,
	}
}

func (s *redisServer) start() {
	s.t.Helper()
	binary := os.Getenv("VEZNE_TEST_REDIS_SERVER")
	if binary == "" {
		s.t.Fatal("VEZNE_TEST_REDIS_SERVER must name redis-server: run the tests with `make test`")
	}
	args := append([]string{"--port", s.port, "--bind", "127.0.0.1", "--save", "", "--dir", s.t.TempDir()}, s.args...)
	if s.config != "" {
		args = []string{s.config, "--sentinel"}
	}
	s.run = exec.CommandContext(context.Background(), binary, args...)
	if err := s.run.Start(); err != nil {
		s.t.Fatal(err)
	}
	client := redis.NewUniversalClient(s.options())
	defer func() { _ = client.Close() }()
	for late := time.Now().Add(2 * time.Minute); ; {
		err := client.Ping(context.Background()).Err()
		if err == nil {
			return
		}
		if time.Now().After(late) {
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

// open makes news on a client of its own, as a process has it.
func open(t *testing.T, options *redis.UniversalOptions, log *slog.Logger) *redisnews.News {
	t.Helper()
	client := redis.NewUniversalClient(options)
	news := redisnews.New(client, log)
	t.Cleanup(func() {
		news.Close()
		_ = client.Close()
	})
	return news
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestRealRedis(t *testing.T) {
	t.Parallel()
	newstest.Run(t, func(t *testing.T) (here, there ports.News) {
		server := startRedis(t)
		return open(t, server.options(), quiet()), open(t, server.options(), quiet())
	})
}

func TestCluster(t *testing.T) {
	t.Parallel()
	newstest.Run(t, func(t *testing.T) (here, there ports.News) {
		server := startRedis(t, "--cluster-enabled", "yes")
		client := redis.NewUniversalClient(server.options())
		if err := client.Do(t.Context(), "CLUSTER", "ADDSLOTSRANGE", 0, 16383).Err(); err != nil {
			t.Fatal(err)
		}
		_ = client.Close()
		options := server.options()
		options.IsClusterMode = true
		return open(t, options, quiet()), open(t, options, quiet())
	})
}

// TestInside is the Redis of a process that has none: reached without a socket.
func TestInside(t *testing.T) {
	t.Parallel()
	newstest.Run(t, func(t *testing.T) (here, there ports.News) {
		server := miniredis.NewMiniRedis()
		t.Cleanup(server.Close)
		news := open(t, &redis.UniversalOptions{
			Dialer:          func(context.Context, string, string) (net.Conn, error) { return server.Dial() },
			DisableIdentity: true, MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		}, quiet())
		return news, news
	})
}

func TestRedisIsKilled(t *testing.T) {
	t.Parallel()
	newstest.RunOutage(t, func(t *testing.T) newstest.Breakable {
		server := startRedis(t)
		return newstest.Breakable{
			Here: open(t, server.options(), quiet()), There: open(t, server.options(), quiet()), Stop: server.kill, Start: server.start,
		}
	})
}

// Databases of one server are several installations: none hears another.
func TestADatabaseIsAWorldOfItsOwn(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	other := server.options()
	other.DB = 3
	here, there := open(t, server.options(), quiet()), open(t, other, quiet())
	heard := make(chan core.News, 10)
	go here.Listen(t.Context(), func(news []core.News) {
		for _, n := range news {
			heard <- n
		}
	})
	<-heard
	there.Publish(core.News{Kind: core.PaymentNews, ID: "theirs"})
	there.Close() // it has been sent
	here.Publish(core.News{Kind: core.PaymentNews, ID: "ours"})
	if n := <-heard; n.ID != "ours" {
		t.Errorf("heard is %+v", n)
	}
}

// book is a log that a test waits for.
type book struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{}
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.wrote <- struct{}{}:
	default:
	}
	return b.text.Write(p)
}

func (b *book) await(t *testing.T, text string) {
	t.Helper()
	for late := time.After(time.Minute); ; {
		b.mu.Lock()
		said := b.text.String()
		b.mu.Unlock()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-b.wrote:
		case <-late:
			t.Fatalf("the log is\n%s", said)
		}
	}
}

func TestAnOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	server, log := startRedis(t), &book{wrote: make(chan struct{}, 1)}
	news := open(t, server.options(), slog.New(slog.NewTextHandler(log, nil)))
	server.kill()
	for i := range 100 {
		news.Publish(core.News{Kind: core.PaymentNews, ID: core.ID(strconv.Itoa(i))})
	}
	log.await(t, "level=WARN")
	server.start()
	log.await(t, "level=INFO")
	log.mu.Lock()
	defer log.mu.Unlock()
	if text := log.text.String(); strings.Count(text, "\n") != 2 {
		t.Errorf("the outage is logged as\n%s", text)
	}
}
