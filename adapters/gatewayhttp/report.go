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

// report logs a request and its answer: no header, no body, no query, and no secret of the account.
func (d *doer) report(
	ctx context.Context, u *url.URL, r gateway.Request, answer gateway.Response, err error, took time.Duration,
) {
	if !d.cfg.Log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	method := r.Method
	if !slices.Contains(methods(), method) {
		method = ""
	}
	attributes := []slog.Attr{
		slog.String("host", d.blot(strings.ToLower(u.Host))), slog.String("method", method), slog.String("path", d.blot(u.Path)),
		slog.Int("status", answer.Status), slog.Duration("duration", took),
		slog.Int("sent", len(r.Body)), slog.Int("received", len(answer.Body)),
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
