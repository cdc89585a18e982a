package plugkit

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Session keeps the token of one account, at a gateway that gives one for a while and takes it with each call (Client.Session). All calls
// share it: whoever finds that it has ended begins another, and the others wait for that, each no longer than its context.
type Session struct {
	clock ports.Clock
	begin Begin

	turn  chan struct{} // holds one while somebody looks at what follows; a mutex would not end with a context
	token string
	until time.Time
}

// Begin asks the gateway for a token now, and says until when it is used: less than it holds.
type Begin func(ctx context.Context, now time.Time) (token string, until time.Time, err error)

// NewSession makes a session that begins with the first call.
func NewSession(clock ports.Clock, begin Begin) *Session {
	return &Session{clock: clock, begin: begin, turn: make(chan struct{}, 1)}
}

// do makes a call with the token. Where the gateway refuses that (Unauthenticated, or a status 401 that nothing explained), the call did
// nothing and is made once more with another. Where no token is had, the error has effect none: nothing else was asked for yet.
func (s *Session) do(ctx context.Context, call func(token string) error) error {
	for refused := ""; ; {
		token, err := s.other(ctx, refused)
		if err != nil {
			harmless := *gateway.ErrorOf(err)
			harmless.Effect = gateway.EffectNone
			return &harmless
		}
		if err = call(token); refused != "" || !isTokenRefused(err) {
			return err
		}
		refused = token
	}
}

func isTokenRefused(err error) bool {
	is401 := gateway.IsClass(err, gateway.Misconfigured) && gateway.ErrorOf(err).RawCode == "401"
	return (is401 || gateway.IsClass(err, gateway.Unauthenticated)) && gateway.HasNoEffect(err)
}

// other returns the present token, or a new one where that has ended or was refused.
func (s *Session) other(ctx context.Context, refused string) (string, error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return "", &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: ctx.Err()}
	}
	defer func() { <-s.turn }()
	now := s.clock.Now()
	if s.token != "" && s.token != refused && now.Before(s.until) {
		return s.token, nil
	}
	s.token = ""
	token, until, err := s.begin(ctx, now)
	if err != nil {
		return "", err
	}
	s.token, s.until = token, until
	return token, nil
}
