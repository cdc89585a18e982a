package ccpayment

import (
	"context"
	"time"

	"github.com/vezne/vezne/plugins/plugkit"
)

// Lives of a token. The brands say two hours; it is renewed before its end, and never kept for longer, whatever an answer says.
const (
	tokenLife   = 2 * time.Hour
	tokenMargin = 2 * time.Minute
)

// istanbul is the zone of every time that the brands write. Turkey's clocks are not put forward.
var istanbul = time.FixedZone("Europe/Istanbul", 3*60*60)

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

// begin implements plugkit.Begin. The token is never kept for longer than the brands say, whatever the answer does.
func (g *Gateway) begin(ctx context.Context, now time.Time) (string, time.Time, error) {
	id, secret := g.app()
	client := plugkit.Client{HTTP: g.http, BaseURL: g.baseURL, Explain: explain}
	var a tokenAnswer
	if err := client.Call(ctx, "POST", pathToken, map[string]any{"app_id": id, "app_secret": secret}, &a); err != nil {
		return "", time.Time{}, err
	}
	until := now.Add(tokenLife - tokenMargin)
	if end, err := time.ParseInLocation(time.DateTime, a.Data.ExpiresAt, istanbul); err != nil {
		until = now // used this once
	} else if end = end.Add(-tokenMargin); end.Before(until) {
		until = end
	}
	return a.Data.Token, until, nil
}
