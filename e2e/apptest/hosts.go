package apptest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Hosts are the only ones that gateways reach, by name: calls come to their handlers without a network. A nil one has none.
type Hosts map[string]http.Handler

var (
	_ ports.DoerMaker = Hosts{}
	_ ports.Doer      = Hosts{}
)

// Doer implements ports.DoerMaker.
func (h Hosts) Doer([]string, []string) ports.Doer { return h }

// Do implements ports.Doer. A handler that breaks the connection may have acted.
func (h Hosts) Do(ctx context.Context, r gateway.Request) (answer gateway.Response, err error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil || h[request.URL.Host] == nil {
		err = errors.Join(err, errors.New("there is no such host"))
		return answer, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
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
	out := httptest.NewRecorder()
	h[request.URL.Host].ServeHTTP(out, request)
	answer = gateway.Response{Status: out.Code, Body: out.Body.Bytes()}
	for name, values := range out.Header() {
		for _, v := range values {
			answer.Header = append(answer.Header, gateway.Field{Name: name, Value: v})
		}
	}
	return answer, nil
}
