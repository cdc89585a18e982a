package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// wantsEvents reports whether a request asks for a stream of server-sent events.
func wantsEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

// frame is what is written of one event.
var (
	pingFrame     = []byte(":\n\n")
	completeFrame = []byte("event: complete\ndata:\n\n")
)

func nextFrame(response any) []byte {
	var frame bytes.Buffer
	frame.WriteString("event: next\ndata: ")
	frame.Write(encoded(response)) // JSON has no line breaks of its own
	frame.WriteString("\n\n")
	return frame.Bytes()
}

func encoded(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: the data is JSON already
	}
	return body
}

// serveEvents answers an operation by server-sent events, in the "distinct connections" mode of GraphQL over SSE: each
// response is a `next`, the end a `complete`.
func (e *Endpoint) serveEvents(ctx context.Context, w http.ResponseWriter, oc *graphql.OperationContext) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	leave, err := e.admit(callerOf(ctx), cancel)
	if err == nil {
		defer leave()
		err = e.streams.enter()
	}
	if err != nil {
		e.refuse(ctx, w, err)
		return
	}
	defer e.streams.leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy must not wait for more
	controller := http.NewResponseController(w)
	_ = controller.SetReadDeadline(time.Time{}) // the request was read; its deadline would end the stream
	s := &eventStream{Endpoint: e, w: w, controller: controller, frames: make(chan []byte)}
	s.serve(ctx, oc)
}

// eventStream is one stream; only serve writes.
type eventStream struct {
	*Endpoint
	w          http.ResponseWriter
	controller *http.ResponseController
	frames     chan []byte
}

func (s *eventStream) serve(ctx context.Context, oc *graphql.OperationContext) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	done := make(chan struct{})
	defer func() { cancel(); <-done }()
	go func() { defer close(done); s.run(ctx, oc) }()
	go s.watchRights(ctx, callerOf(ctx), func(err error) { ended <- err })
	ping := time.NewTicker(s.Streams.PingEvery)
	defer ping.Stop()
	for isOpen := s.write(pingFrame); isOpen; {
		select {
		case frame := <-s.frames:
			isOpen = s.write(frame)
		case <-ping.C:
			isOpen = s.write(pingFrame)
		case <-done:
			return
		case err := <-ended:
			list := s.errorsOf(graphql.WithOperationContext(ctx, oc), err)
			s.write(append(nextFrame(errorsOnly{list}), completeFrame...))
			return
		case <-s.streams.over:
			s.write(completeFrame)
			return
		case <-ctx.Done():
			return
		}
	}
}

// run runs the operation and hands its frames over.
func (s *eventStream) run(ctx context.Context, oc *graphql.OperationContext) {
	hand := func(frame []byte) bool {
		select {
		case s.frames <- frame:
			return true
		case <-ctx.Done():
			return false
		}
	}
	errors := s.operate(ctx, oc, func(r *graphql.Response) bool { return hand(nextFrame(r)) })
	if len(errors) > 0 {
		hand(nextFrame(errorsOnly{errors}))
	}
	hand(completeFrame)
}

// write sends what must be taken in time.
func (s *eventStream) write(frame []byte) bool {
	_ = s.controller.SetWriteDeadline(time.Now().Add(s.Streams.WriteWithin)) // each on its own, however long the stream is
	if _, err := s.w.Write(frame); err != nil {
		return false
	}
	return s.controller.Flush() == nil
}
