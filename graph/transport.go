package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/gorilla/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/vezne/vezne/core/fault"
)

// maxBodyBytes bounds a request's body.
const maxBodyBytes = 64 << 10

// statuses of requests that are refused before they are read as GraphQL.
var statuses = map[fault.Code]int{
	fault.MethodNotAllowed: http.StatusMethodNotAllowed,
	fault.CrossSite:        http.StatusForbidden,
	fault.BodyTooLarge:     http.StatusRequestEntityTooLarge,
	fault.InvalidJSON:      http.StatusBadRequest,
	fault.RateLimited:      http.StatusTooManyRequests,
	fault.TooManyStreams:   http.StatusTooManyRequests,
	fault.Unavailable:      http.StatusServiceUnavailable,
}

// maxErrors of a refused operation are told.
const maxErrors = 10

// Endpoint takes operations by POST with application/json only. It answers 200 to what was executed, whatever came of
// it, and 400 to what is not an operation of this schema within its limits. Subscriptions come as server-sent events when
// the request accepts those, and over WebSockets.
type Endpoint struct {
	Config
	exec    *executor.Executor
	streams *streams
	turns   *turns
}

// ServeHTTP runs one operation, or as many as a WebSocket asks for.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if websocket.IsWebSocketUpgrade(r) {
		e.serveSocket(w, r)
		return
	}
	whole := r.Context()
	ctx, cancel := context.WithTimeout(whole, e.Timeout)
	defer cancel()
	ctx = graphql.StartOperationTrace(withCaller(ctx, e.callerOf(ctx, r, w)))
	setHeaders(w, r)
	if retry, err := e.count(ctx, callerOf(ctx), 1); err != nil {
		tellRetry(w, retry)
		e.refuse(ctx, w, err)
		return
	}
	params, err := e.readParams(w, r)
	if err != nil {
		e.refuse(ctx, w, err)
		return
	}
	if retry, err := e.countQuery(ctx, callerOf(ctx), params.Query); err != nil {
		tellRetry(w, retry)
		e.refuse(ctx, w, err)
		return
	}
	endTurn, err := e.turns.take(ctx, callerOf(ctx))
	if err != nil {
		tellRetry(w, time.Second)
		e.refuse(ctx, w, err)
		return
	}
	defer endTurn() // and before anything is written: nobody waits for a client who reads slowly
	operation, invalid := e.exec.CreateOperationContext(ctx, params)
	if len(invalid) > 0 {
		response := e.exec.DispatchError(graphql.WithOperationContext(ctx, operation), toldOf(invalid))
		endTurn()
		refuse(w, http.StatusBadRequest, response)
		return
	}
	if wantsEvents(r) {
		endTurn()
		who := callerOf(ctx)
		who.cookie = nil // the head of the answer is sent before anything is executed
		e.serveEvents(graphql.StartOperationTrace(withCaller(whole, who)), w, operation)
		return
	}
	if isSubscription(operation) {
		endTurn()
		ctx = graphql.WithOperationContext(ctx, operation)
		refuse(w, http.StatusBadRequest, e.exec.DispatchError(ctx, gqlerror.List{needsStream()}))
		return
	}
	if operation.Operation.Operation == ast.Mutation { // what lasts, such as checking a password, has bounds of its own
		endTurn()
	}
	ctx = e.following(ctx, r, operation)
	response := e.execute(ctx, operation)
	e.tellPosition(ctx, w, r, operation)
	endTurn()
	answer(w, http.StatusOK, response)
}

// execute runs a query or a mutation.
func (e *Endpoint) execute(ctx context.Context, operation *graphql.OperationContext) *graphql.Response {
	responses, ctx := e.exec.DispatchOperation(ctx, operation)
	if response := responses(ctx); response != nil {
		return response
	}
	// The operation's time was over before it began.
	err := fault.E("graph.execute", fault.Unavailable, context.Cause(ctx))
	return e.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)})
}

// needsStream refuses a subscription that was asked for like a query.
func needsStream() *gqlerror.Error {
	err := gqlerror.Errorf("a subscription needs a WebSocket (%s) or an Accept of text/event-stream", subprotocol)
	errcode.Set(err, errcode.ValidationFailed)
	return err
}

func setHeaders(w http.ResponseWriter, r *http.Request) {
	contentType := "application/json"
	if modern := "application/graphql-response+json"; strings.Contains(r.Header.Get("Accept"), modern) {
		contentType = modern
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
}

// readParams reads the operation. Faults: MethodNotAllowed, CrossSite, BodyTooLarge, InvalidJSON.
func (e *Endpoint) readParams(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, error) {
	const op = "graph.readParams"
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, fault.New(op, fault.MethodNotAllowed)
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return nil, fault.E(op, fault.CrossSite, err)
	}
	if r.Header.Get(SessionHeader) != "" {
		if err := e.ownPage(r); err != nil {
			return nil, err
		}
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, fault.New(op, fault.InvalidJSON)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, fault.E(op, fault.BodyTooLarge, err)
	}
	if err != nil {
		return nil, fault.E(op, fault.InvalidJSON, err)
	}
	params := &graphql.RawParams{Headers: r.Header}
	if err := decodeParams(body, params); err != nil {
		return nil, fault.E(op, fault.InvalidJSON, err)
	}
	return params, nil
}

// toldOf returns as many errors of a refused operation as are told. Those about a variable say which part of it they mean.
func toldOf(list gqlerror.List) gqlerror.List {
	list = list[:min(len(list), maxErrors)]
	for _, err := range list {
		if len(err.Path) < 2 || err.Path[0] != ast.PathName("variable") {
			continue
		}
		name := err.Path[1:].String()
		if err.Extensions == nil {
			err.Extensions = map[string]any{}
		}
		err.Extensions["fields"] = []failedField{{Name: name, Message: err.Message}}
		err.Message = "$" + name + ": " + err.Message
	}
	return list
}

// refuse answers what was refused before it was read as GraphQL.
func (e *Endpoint) refuse(ctx context.Context, w http.ResponseWriter, err error) {
	refuse(w, statuses[fault.CodeOf(err)], e.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)}))
}

// refuse answers what was not executed: without data, not with data of null.
func refuse(w http.ResponseWriter, status int, response *graphql.Response) {
	answer(w, status, errorsOnly{response.Errors})
}

// errorsOnly is the answer to what was not executed.
type errorsOnly struct {
	Errors gqlerror.List `json:"errors"`
}

func answer(w http.ResponseWriter, status int, response any) {
	body, err := json.Marshal(response)
	if err != nil {
		panic(err) // cannot happen: the data is JSON already
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // nobody is left to tell
}
