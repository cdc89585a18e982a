package asynqqueue_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/asynqqueue"
	"github.com/vezne/vezne/adapters/redistest"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// carries checks that a wake-up goes through a Redis.
func carries(t *testing.T, url string) {
	t.Helper()
	queue := open(t, asynqqueue.Config{RedisURL: url, Name: rand.Text()})
	received, _ := serve(t, queue)
	queue.Wake(core.WakeUp{Kind: core.DueCallbacks, Receiver: "key"})
	if wakeUp := <-received; wakeUp.Receiver != "key" {
		t.Errorf("%+v arrived", wakeUp)
	}
}

func TestURLs(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(*testing.T) string{
		"database": func(t *testing.T) string { return redistest.Start(t).URL() + "/3" },
		"password": func(t *testing.T) string {
			return strings.Replace(redistest.Start(t, "--requirepass", "p@ss/word").URL(), "//", "//:p%40ss%2Fword@", 1)
		},
		"user": func(t *testing.T) string {
			server := redistest.Start(t)
			server.Do("ACL", "SETUSER", "vezne", "on", ">secret", "~*", "&*", "+@all")
			server.Do("ACL", "SETUSER", "default", "off")
			return strings.Replace(server.URL(), "//", "//vezne:secret@", 1)
		},
		"socket": func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "s")
			redistest.Start(t, "--unixsocket", path)
			return "redis-socket://" + path + "?db=2"
		},
		"sentinel": sentinel,
		"cluster": func(t *testing.T) string {
			server := redistest.Start(t, "--cluster-enabled", "yes")
			server.Do("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
			return "redis-cluster://" + server.Address() + ",127.0.0.1:1"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			carries(t, url(t))
		})
	}
}

// sentinel starts a Redis with a password and a sentinel that watches it.
func sentinel(t *testing.T) string {
	server := redistest.Start(t, "--requirepass", "secret")
	config := filepath.Join(t.TempDir(), "sentinel.conf")
	watcher := redistest.New(t)
	watcher.Sentinel = config
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 %s 1\nsentinel auth-pass main secret\n",
		watcher.Port, server.Port)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	watcher.Start()
	return "redis-sentinel://:secret@127.0.0.1:1," + watcher.Address() + "/1?master=main"
}

func TestTLSIsSpoken(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"rediss://%s", "rediss-cluster://%s", "rediss-sentinel://%s?master=main"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		first := make(chan byte, 1)
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			greeting := make([]byte, 1)
			_, _ = conn.Read(greeting)
			first <- greeting[0]
			_ = conn.Close()
			_ = listener.Close()
		}()
		open(t, asynqqueue.Config{RedisURL: fmt.Sprintf(url, listener.Addr())})
		if greeting := <-first; greeting != 22 { // a TLS handshake record
			t.Errorf("%s begins with byte %d", url, greeting)
		}
	}
}

func TestURLsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"localhost:6379", "http://hunter2@localhost", "redis:hunter2", "redis://", "redis://:6379", "redis://a:hunter2@:1/0",
		"redis://a:hunter2@host:port", "redis://host:1/hunter2", "redis://host:1/-1", "redis://host:1/0/hunter2",
		"redis://host:1?db=hunter2", "redis://a:1,b:2", "redis-sentinel://a:hunter2@a:1,b:2/0", "redis-sentinel://a:1?master=m&x=hunter2",
		"redis-cluster://a:1,b:2/1", "redis-cluster://a:1?master=hunter2", "redis-socket://host/hunter2", "redis-socket://",
		"redis-socket:///path?db=hunter2", "rediss-socket://", "redis-hunter2://a:1", "redis://a:hunter2@host:1/%zz",
		"redis-sentinel://a,,b?master=m", "unix:///hunter2", " redis://host", "redis://ho st:1/",
	} {
		queue, err := asynqqueue.Open(t.Context(), asynqqueue.Config{RedisURL: url})
		if !fault.Is(err, fault.Invalid) || queue != nil {
			t.Errorf("%q gave %v", url, err)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows what may be a secret: %v", err)
		}
	}
}

func TestARefusalIsToldAtOnce(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--requirepass", "secret")
	for _, url := range []string{
		server.URL(), strings.Replace(server.URL(), "//", "//:hunter2@", 1), strings.Replace(server.URL(), "//", "//:secret@", 1) + "/99",
	} {
		_, err := asynqqueue.Open(t.Context(), asynqqueue.Config{RedisURL: url})
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s gave %v", url, err)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a secret: %v", err)
		}
	}
}
