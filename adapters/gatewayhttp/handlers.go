package gatewayhttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Handlers are gateways of this process, by host: calls come to them without a network. There is no other host, and a nil one has
// none.
type Handlers map[string]http.Handler

var (
	_ ports.DoerMaker = Handlers{}
	_ ports.Doer      = Handlers{}
)

// Doer implements ports.DoerMaker.
func (h Handlers) Doer([]string, []string) ports.Doer { return h }

// Do implements ports.Doer. A handler that breaks the connection may have acted.
func (h Handlers) Do(ctx context.Context, r gateway.Request) (answer gateway.Response, err error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil || h[request.URL.Host] == nil {
		err = errors.Join(err, errors.New("there is no such host"))
		return answer, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
	request.RequestURI = request.URL.RequestURI() // as a server has it
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			err = &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, Err: io.ErrUnexpectedEOF}
		default:
			panic(cause)
		}
	}()
	out := &recorder{header: http.Header{}, status: http.StatusOK}
	h[request.URL.Host].ServeHTTP(out, request)
	answer = gateway.Response{Status: out.status, Body: out.body.Bytes()}
	for name, values := range out.header {
		for _, v := range values {
			answer.Header = append(answer.Header, gateway.Field{Name: name, Value: v})
		}
	}
	return answer, nil
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
