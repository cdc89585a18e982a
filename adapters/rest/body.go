package rest

import (
	"bytes"
	"io"
	"net/http"
	"sync"

	"github.com/vezne/vezne/core/fault"
)

// MaxBodyBytes bounds a request's body (decisions: 413).
const MaxBodyBytes = 64 << 10

// Body is a request's whole body, in a buffer that is used again after Free.
type Body struct{ buf bytes.Buffer }

var bodies = sync.Pool{New: func() any { return new(Body) }}

// ReadBody reads a body of at most MaxBodyBytes, and never more than one byte beyond. Faults: BodyTooLarge; InvalidJSON
// when the body ends early.
func ReadBody(r *http.Request) (*Body, error) {
	const op = "rest.ReadBody"
	if r.ContentLength > MaxBodyBytes {
		return nil, fault.New(op, fault.BodyTooLarge)
	}
	b, _ := bodies.Get().(*Body)
	_, err := b.buf.ReadFrom(&io.LimitedReader{R: r.Body, N: MaxBodyBytes + 1})
	switch {
	case err != nil:
		err = fault.E(op, fault.InvalidJSON, err)
	case b.buf.Len() > MaxBodyBytes:
		err = fault.New(op, fault.BodyTooLarge)
	default:
		return b, nil
	}
	b.Free()
	return nil, err
}

// Bytes is the body as it was sent, until Free.
func (b *Body) Bytes() []byte { return b.buf.Bytes() }

// Free returns the buffer back.
func (b *Body) Free() {
	b.buf.Reset()
	bodies.Put(b)
}
