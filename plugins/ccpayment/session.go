package ccpayment

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// Lives of a token. The brands say two hours; it is renewed before its end, and never kept for longer, whatever an answer says.
const (
	tokenLife   = 2 * time.Hour
	tokenMargin = 2 * time.Minute
)

// istanbul is the zone of every time that the brands write. Turkey's clocks are not put forward.
var istanbul = time.FixedZone("Europe/Istanbul", 3*60*60)

// session keeps the token of one account. Whoever needs a new one fetches it, and the others wait for that: never do two at
// the same time.
type session struct {
	clock ports.Clock
	turn  chan struct{} // holds one while somebody looks at what follows
	token string
	until time.Time
}

func newSession(clock ports.Clock) *session {
	return &session{clock: clock, turn: make(chan struct{}, 1)}
}

// take waits for its turn, or for the end of the context.
func (s *session) take(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: ctx.Err()}
	}
}

func (s *session) leave() { <-s.turn }

// tokenAnswer is the answer to the app's keys.
type tokenAnswer struct {
	Data struct {
		Token     string `json:"token"`
		ExpiresAt string `json:"expires_at"` // 2021-01-29 16:46:01
	} `json:"data"`
}

// Lacks implements plugkit.Checker.
func (a *tokenAnswer) Lacks() string {
	if a.Data.Token == "" {
		return "token"
	}
	return ""
}

// token returns the present token, or a new one. What was refused is not given out again. A failure has no effect: nothing
// was asked for yet.
func (g *Gateway) token(ctx context.Context, refused string) (string, error) {
	s := g.session
	if err := s.take(ctx); err != nil {
		return "", err
	}
	defer s.leave()
	now := s.clock.Now()
	if s.token != "" && s.token != refused && now.Before(s.until) {
		return s.token, nil
	}
	s.token = ""
	id, secret := g.app()
	client := plugkit.Client{HTTP: g.http, BaseURL: g.baseURL, Explain: explain}
	var a tokenAnswer
	if err := client.Call(ctx, "POST", pathToken, map[string]any{"app_id": id, "app_secret": secret}, &a); err != nil {
		harmless := *gateway.ErrorOf(err)
		harmless.Effect = gateway.EffectNone
		return "", &harmless
	}
	s.token, s.until = a.Data.Token, now.Add(tokenLife-tokenMargin)
	if end, err := time.ParseInLocation(time.DateTime, a.Data.ExpiresAt, istanbul); err != nil {
		s.until = now // used this once
	} else if end = end.Add(-tokenMargin); end.Before(s.until) {
		s.until = end
	}
	return s.token, nil
}
