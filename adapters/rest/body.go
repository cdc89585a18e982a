package rest

import (
	"io"
	"net/http"

	"github.com/vezne/vezne/core/fault"
)

// MaxBodyBytes bounds a request's body (decisions: 413).
const MaxBodyBytes = 64 << 10

// ReadBody reads a body of at most MaxBodyBytes, and never more than one byte beyond. Read again, it returns the same. Faults:
// BodyTooLarge; InvalidJSON when the body ends early.
func ReadBody(r *http.Request) ([]byte, error) {
	if was, ok := r.Body.(*wholeBody); ok {
		return was.bytes, was.err
	}
	body, err := readBody(r)
	r.Body = &wholeBody{bytes: body, err: err}
	return body, err
}

// wholeBody takes the place of a body that was read.
type wholeBody struct {
	bytes []byte
	err   error
}

// Read implements io.Reader: nothing is left.
func (*wholeBody) Read([]byte) (int, error) { return 0, io.EOF }

// Close implements io.Closer.
func (*wholeBody) Close() error { return nil }

func readBody(r *http.Request) ([]byte, error) {
	const op = "rest.readBody"
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
