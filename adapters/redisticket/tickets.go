// Package redisticket keeps short-lived texts in Redis, for all processes.
package redisticket

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// prefix begins every key of ours in a Redis that may have others.
const prefix = "vezne:ticket:"

var _ ports.Tickets = (*Tickets)(nil)

// Tickets keeps texts in Redis. It is safe for concurrent use.
type Tickets struct{ client redis.UniversalClient }

// New keeps texts behind a client, which stays its owner's.
func New(client redis.UniversalClient) *Tickets { return &Tickets{client} }

// Keep implements ports.Tickets.
func (k *Tickets) Keep(ctx context.Context, key, text string, life time.Duration) error {
	return fail("redisticket.Keep", k.client.Set(ctx, prefix+key, text, life).Err())
}

// Kept implements ports.Tickets.
func (k *Tickets) Kept(ctx context.Context, key string) (string, error) {
	text, err := k.client.Get(ctx, prefix+key).Result()
	return text, fail("redisticket.Kept", err)
}

// Take implements ports.Tickets.
func (k *Tickets) Take(ctx context.Context, key string) (string, error) {
	text, err := k.client.GetDel(ctx, prefix+key).Result()
	return text, fail("redisticket.Take", err)
}

func fail(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, redis.Nil):
		return fault.New(op, fault.NotFound)
	default:
		return fault.E(op, fault.Unavailable, err)
	}
}
