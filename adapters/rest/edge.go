// Package rest holds what Vezne's REST endpoints share: what every request passes on its way in, how a JSON body is
// read, how an answer and an error are written. The endpoints are in the folders beside this file.
package rest

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/core/fault"
)

// RequestIDHeader names a request to its caller and in the logs.
const RequestIDHeader = "X-Request-Id"

// maxRequestIDBytes bounds a request id that a caller brings along.
const maxRequestIDBytes = 128

// Edge is what every request passes first, whatever it is for: it gets a request id, security headers and an access log
// line, and a panic becomes an answer. Pages loosen the Content-Security-Policy by setting their own.
type Edge struct {
	Log            *slog.Logger
	Now            func() time.Time
	Random         io.Reader      // of request ids
	TrustedProxies []netip.Prefix // whose X-Forwarded-For counts
	IsSecure       bool           // everybody comes over TLS, and is told to go on so
	Observe        func(Served)   // told of every answer, for metrics; nil: nobody is
	// IsChatter reports whether requests are those that only developers want in the log, as long as they are served; nil: of none.
	IsChatter func(*http.Request) bool
	// LogEvery has one in so many requests logged that were served well (a status below 400 and no fault); all others are logged.
	// Below 2: all are.
	LogEvery int
	// Span begins the span of a request, in the context that it returns, and names its trace; end is told what was served. Parent is the
	// caller's own span (W3C traceparent) where the peer is a trusted proxy, and empty otherwise: anybody may send one. Nil: there are no spans.
	Span func(r *http.Request, parent string) (inside context.Context, traceID string, end func(Served))
	// Stranger is told of a peer that sends X-Forwarded-For and is no trusted proxy, once, and of a few such peers at most;
	// nil: nobody is.
	Stranger func(peer netip.Addr)

	strangers strangers
	served    atomic.Uint64 // well
}

// Served is one answered request, as it is logged. The path itself is not in it: it may hold a payment's token.
type Served struct {
	Method    string // GET, POST, …; "other" where it is none of HTTP's own
	Pattern   string // the route's pattern; empty when no router saw the request
	Status    int
	Duration  time.Duration
	RequestID string
	Addr      netip.Addr
	Caller    string     // "provider/7"; empty: not authenticated
	Operation string     // of a GraphQL document, such as "query transactions (Search)"; empty: the route says it all
	TraceID   string     // of the request's span, 32 hexadecimal digits; empty: it has none
	Fault     fault.Code // of a refused request
	IsStream  bool       // it lasted as long as somebody watched: Duration is no latency
}

// Exchange is one request under way. It is the http.ResponseWriter that handlers behind Edge write to.
type Exchange struct {
	http.ResponseWriter
	RequestID string
	Addr      netip.Addr // of the client; the zero Addr when the peer has none
	Caller    string     // whoever authenticates the request says who it is: "provider/7"
	Operation string     // whoever reads what is asked for in the body says it

	traceID  string
	log      *slog.Logger
	fault    fault.Code
	status   int
	isStream bool
}

type exchangeKey struct{}

// Of finds the exchange of a request. A request that did not pass an Edge has a blank one.
func Of(r *http.Request) *Exchange {
	if x, ok := r.Context().Value(exchangeKey{}).(*Exchange); ok {
		return x
	}
	return &Exchange{log: slog.New(slog.DiscardHandler)}
}

// Handler is the middleware. On a chi router it must be added with Use, so that the log can name the route's pattern.
func (e *Edge) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := e.Now()
		x := &Exchange{
			ResponseWriter: w, log: e.Log,
			RequestID: e.requestID(r.Header.Get(RequestIDHeader)), Addr: ClientAddr(r, e.TrustedProxies),
		}
		e.noteStranger(r)
		h := w.Header()
		maps.Copy(h, fixedHeaders)
		if e.IsSecure {
			h["Strict-Transport-Security"] = onlyTLS
		}
		h.Set(RequestIDHeader, x.RequestID)
		end, ctx := func(Served) {}, r.Context()
		if e.Span != nil {
			ctx, x.traceID, end = e.Span(r, e.parentOf(r))
		}
		r = r.WithContext(context.WithValue(ctx, exchangeKey{}, x))
		defer e.finish(x, r, start, end)
		next.ServeHTTP(x, r)
	})
}

// finish answers a panic and tells the log and the metrics what was served.
func (e *Edge) finish(x *Exchange, r *http.Request, start time.Time, end func(Served)) {
	cause := recover()
	if cause != nil && cause != http.ErrAbortHandler { //nolint:errorlint // net/http panics with this very value
		x.log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", x.RequestID),
			slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
		if x.status == 0 {
			Fail(x, r, LanguageOf(r, ""), fault.New("rest.Edge.finish", fault.Internal))
		}
	}
	s := Served{
		Method: methodOf(r), Pattern: patternOf(r), Status: x.status, Duration: e.Now().Sub(start),
		RequestID: x.RequestID, Addr: x.Addr, Caller: x.Caller, Operation: x.Operation, Fault: x.fault,
		IsStream: x.isStream, TraceID: x.traceID,
	}
	if s.Status == 0 {
		s.Status = http.StatusOK // net/http's own for a handler that wrote nothing
	}
	end(s)
	e.tell(r, s)
	if cause == http.ErrAbortHandler { //nolint:errorlint // net/http panics with this very value
		panic(cause) // the server closes the connection, as the handler wants
	}
}

func (e *Edge) tell(r *http.Request, s Served) {
	if e.isLogged(s) {
		e.log(r, s)
	}
	if e.Observe != nil {
		e.Observe(s)
	}
}

// isLogged reports whether a request is logged: one that failed always is, and another one when it is its turn.
func (e *Edge) isLogged(s Served) bool {
	isWell := s.Status < http.StatusBadRequest && s.Fault == ""
	return e.LogEvery < 2 || !isWell || e.served.Add(1)%uint64(e.LogEvery) == 1
}

func (e *Edge) log(r *http.Request, s Served) {
	level := slog.LevelInfo
	if e.IsChatter != nil && s.Status < http.StatusInternalServerError && e.IsChatter(r) {
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{
		slog.String("method", s.Method), slog.String("path", s.Pattern), slog.Int("status", s.Status),
		slog.Duration("duration", s.Duration), slog.String("request_id", s.RequestID),
		slog.String("caller", s.Caller), slog.String("fault", string(s.Fault)), slog.String("addr", s.Addr.String()),
	}
	if s.Operation != "" {
		attrs = append(attrs, slog.String("operation", s.Operation))
	}
	if s.TraceID != "" {
		attrs = append(attrs, slog.String("trace_id", s.TraceID))
	}
	e.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// requestID keeps the caller's id when it is a plain token, and otherwise makes one of 128 random bits.
func (e *Edge) requestID(sent string) string {
	if isToken(sent) {
		return sent
	}
	var raw [16]byte
	_, _ = io.ReadFull(e.Random, raw[:]) // an id that is not unique is better than no answer
	return hex.EncodeToString(raw[:])
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		isPlain := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ||
			c == '-' || c == '_' || c == '.' || c == ':'
		if !isPlain {
			return false
		}
	}
	return s != "" && len(s) <= maxRequestIDBytes
}

// fixedHeaders are the same on every answer, so that their values are made once. Nobody writes into them: a handler
// that wants another value sets one.
var fixedHeaders = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Referrer-Policy":         {"no-referrer"},
	"X-Frame-Options":         {"DENY"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"}, // an API answer loads nothing
}

// onlyTLS has a browser come over TLS for a year, whatever leads it here. Names below this one are not Vezne's to speak for.
var onlyTLS = []string{"max-age=31536000"}

// methodOf bounds what a caller can make the logs and the metrics say.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return r.Method
	default:
		return "other"
	}
}

func patternOf(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil {
		return c.RoutePattern()
	}
	return r.Pattern
}

// WriteHeader notes the status and passes it on.
func (x *Exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write notes that the answer has begun.
func (x *Exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	return x.ResponseWriter.Write(b)
}

// Flush implements http.Flusher, for handlers that stream.
func (x *Exchange) Flush() {
	x.isStream = true
	_ = http.NewResponseController(x.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker, for WebSockets.
func (x *Exchange) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(x.ResponseWriter).Hijack()
	if err == nil {
		x.isStream, x.status = true, http.StatusSwitchingProtocols
	}
	return conn, buffered, err
}

// Unwrap lets http.ResponseController reach the server's own writer.
func (x *Exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }
