package rest

import (
	"io"
	"net/http"

	"github.com/vezne/vezne/core/fault"
)

// MaxBodyBytes bounds a request's body (decisions: 413).
const MaxBodyBytes = 64 << 10

// ReadBody reads a body of at most MaxBodyBytes, and never more than one byte beyond. Faults: BodyTooLarge; InvalidJSON
// when the body ends early.
func ReadBody(r *http.Request) ([]byte, error) {
	const op = "rest.ReadBody"
	if r.ContentLength > MaxBodyBytes {
		return nil, fault.New(op, fault.BodyTooLarge)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBodyBytes+1))
	switch {
	case err != nil:
		return nil, fault.E(op, fault.InvalidJSON, err)
	case len(body) > MaxBodyBytes:
		return nil, fault.New(op, fault.BodyTooLarge)
	default:
		return body, nil
	}
}
