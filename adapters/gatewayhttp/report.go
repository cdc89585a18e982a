package gatewayhttp

import (
	"cmp"
	"context"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// Exchange is what is told of one request and its answer: no header, no body, no query, and no secret of the account.
type Exchange struct {
	Host     string // with its port, as the plugin gave it, in lower case
	Method   string // empty: none that gateways take
	Path     string // unescaped
	Status   int    // 0: no answer
	Duration time.Duration
	Sent     int            // bytes of the request's body
	Received int            // bytes of the answer's body
	Class    gateway.Class  // of the failure; empty: there was an answer, of whatever status
	Effect   gateway.Effect // of the failure
}

func (d *doer) seen(u *url.URL, r gateway.Request, answer gateway.Response, err error, took time.Duration) Exchange {
	e := Exchange{
		Host: d.blot(strings.ToLower(u.Host)), Path: d.blot(u.Path), Status: answer.Status, Duration: took,
		Sent: len(r.Body), Received: len(answer.Body),
	}
	if slices.Contains(methods(), r.Method) {
		e.Method = r.Method
	}
	if err != nil {
		failure := gateway.ErrorOf(err)
		e.Class, e.Effect = failure.Class, failure.Effect
	}
	return e
}

func (d *doer) report(ctx context.Context, e Exchange, err error) {
	d.cfg.Observe(e)
	if !d.cfg.Log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attributes := []slog.Attr{
		slog.String("host", e.Host), slog.String("method", e.Method), slog.String("path", e.Path), slog.Int("status", e.Status),
		slog.Duration("duration", e.Duration), slog.Int("sent", e.Sent), slog.Int("received", e.Received),
	}
	if err != nil {
		attributes = append(attributes, slog.String("error", d.blot(err.Error())))
	}
	d.cfg.Log.LogAttrs(ctx, slog.LevelDebug, "gateway exchange", attributes...)
}

// blotter returns what replaces every secret in a text.
func blotter(secrets []string) func(string) string {
	longestFirst := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, s := range longestFirst {
		if s != "" {
			pairs = append(pairs, s, "[secret]")
		}
	}
	return strings.NewReplacer(pairs...).Replace
}
