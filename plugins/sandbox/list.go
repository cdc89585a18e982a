package sandbox

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// listJSON is one page of a list.
type listJSON[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next"`
}

// Lacks implements plugkit.Checker.
func (l *listJSON[T]) Lacks() string {
	if l.Items == nil {
		return "items"
	}
	return ""
}

// pageQuery asks for a page of [w.From, w.To); limit 0 leaves its size to the sandbox.
func pageQuery(w gateway.Window, c gateway.Cursor, limit int) string {
	q := url.Values{
		"from": {w.From.UTC().Format(time.RFC3339Nano)},
		"to":   {w.To.UTC().Format(time.RFC3339Nano)},
	}
	if c != "" {
		q.Set("cursor", string(c))
	}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	return "?" + q.Encode()
}

// ListDeposits implements ports.DepositLister.
func (g *Gateway) ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	var list listJSON[depositJSON]
	if err := g.get(ctx, "/v1/deposits"+pageQuery(w, c, 0), &list); err != nil {
		return gateway.ObservationPage{}, err
	}
	page := gateway.ObservationPage{Next: gateway.Cursor(list.Next)}
	for _, d := range list.Items {
		page.Items = append(page.Items, d.observation(gateway.Answered))
	}
	return page, nil
}
