package redisticket_test

import (
	"context"
	"net"
	"os"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/vezne/vezne/adapters/redisticket"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/tickettest"
)

func TestTicketsInsideTheProcess(t *testing.T) {
	t.Parallel()
	tickettest.Run(t, func(t *testing.T) (ports.Tickets, func(time.Duration)) {
		server := miniredis.NewMiniRedis()
		client := redis.NewClient(&redis.Options{
			ContextTimeoutEnabled: true, DisableIdentity: true,
			MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
			Dialer:                   func(context.Context, string, string) (net.Conn, error) { return server.Dial() },
		})
		t.Cleanup(func() { _ = client.Close(); server.Close() })
		return redisticket.New(client), server.FastForward
	})
}

func TestTicketsInRedis(t *testing.T) {
	t.Parallel()
	url := os.Getenv("VEZNE_TEST_REDIS_URL")
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatalf("VEZNE_TEST_REDIS_URL must name a Redis (%v): run the tests with `make test`", err)
	}
	options.ContextTimeoutEnabled = true
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	tickettest.Run(t, func(*testing.T) (ports.Tickets, func(time.Duration)) {
		return redisticket.New(client), func(d time.Duration) { <-time.After(d) } // Redis has a clock of its own
	})
}

func TestARedisThatIsGoneIsUnavailable(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	if _, err := redisticket.New(client).Take(t.Context(), "key"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
}
