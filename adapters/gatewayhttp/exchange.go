package gatewayhttp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/vezne/vezne/adapters/dialguard"
	"github.com/vezne/vezne/core/gateway"
)

var (
	errTooLong = fmt.Errorf("the answer is longer than %d bytes", gateway.MaxAnswerBytes)
	errBroken  = errors.New("the answer broke off")
	errStatus  = errors.New("the answer has no final status")
)

// send sends a request and reads the whole answer.
func (d *doer) send(ctx context.Context, request *http.Request) (gateway.Response, error) {
	bounded, cancel := context.WithTimeout(ctx, d.cfg.Timeout)
	defer cancel()
	watched, stop := context.WithCancelCause(bounded)
	defer stop(nil)
	w := &watch{stop: stop, mayRepeat: request.Method == http.MethodGet || request.Method == http.MethodHead}
	// The transport itself and not an http.Client: it follows no redirect and keeps no cookie.
	answer, err := d.transport.RoundTrip(request.WithContext(httptrace.WithClientTrace(watched, w.trace())))
	if err != nil {
		if cause := context.Cause(watched); cause != nil {
			err = cause
		}
		return gateway.Response{}, d.failure(ctx, err, w.hasLeft.Load())
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := read(answer)
	if err != nil {
		return gateway.Response{}, d.failure(ctx, err, true)
	}
	return gateway.Response{Status: answer.StatusCode, Header: headerOf(answer.Header), Body: body}, nil
}

// watch follows one request through the transport.
type watch struct {
	// hasLeft: the whole head was given to a connection, so that the gateway may have read and obeyed it. A head that was
	// not has no end, and no server acts on it. When the transport returns an error it writes no more.
	hasLeft   atomic.Bool
	mayRepeat bool
	stop      context.CancelCauseFunc
}

// trace stops the transport's own repetition: it sends again what was lost on a connection that had been used before,
// where it holds the request for harmless (by its Idempotency-Key header, for one). Whether to repeat is for the core
// to decide; only reading may be repeated here.
func (w *watch) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			if w.hasLeft.Load() && !w.mayRepeat {
				w.stop(io.ErrUnexpectedEOF)
				_ = got.Conn.Close()
			}
		},
		WroteHeaders: func() { w.hasLeft.Store(true) },
	}
}

func read(answer *http.Response) ([]byte, error) {
	if answer.StatusCode < http.StatusOK {
		return nil, errStatus
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, gateway.MaxAnswerBytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errBroken
	case len(body) > gateway.MaxAnswerBytes:
		return nil, errTooLong
	default:
		return body, err
	}
}

// headerOf returns the headers by name: the order among names is not known any more.
func headerOf(from http.Header) gateway.Header {
	var header gateway.Header
	for name, values := range from {
		for _, v := range values {
			header = append(header, gateway.Field{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(header, func(a, b gateway.Field) int { return strings.Compare(a.Name, b.Name) })
	return header
}

// failure says what became of a request that got no answer. Its text is ours throughout and quotes no URL.
func (d *doer) failure(ctx context.Context, err error, hasLeft bool) error {
	e := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: d.why(ctx, err)}
	var (
		refused   dialguard.RefusedError
		untrusted *tls.CertificateVerificationError
	)
	if errors.As(err, &refused) || errors.As(err, &untrusted) || errors.Is(err, errPlain) {
		e.Class = gateway.Misconfigured
	}
	if hasLeft {
		e.Effect = gateway.EffectUnknown
	}
	return e
}

func (d *doer) why(ctx context.Context, err error) error {
	for _, own := range []error{errPlain, errTooLong, errBroken, errStatus} {
		if errors.Is(err, own) {
			return own
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the call was stopped before an answer came: %w", ctx.Err())
	}
	return errors.New(dialguard.Why(err, "gateway", d.cfg.Timeout))
}
