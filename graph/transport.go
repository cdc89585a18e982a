package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
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
}

// endpoint takes operations by POST with application/json only. It answers 200 to what was executed, whatever came of
// it, and 400 to what is not an operation of this schema within its limits.
type endpoint struct {
	Config
	exec *executor.Executor
}

// ServeHTTP runs one operation.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), e.Timeout)
	defer cancel()
	ctx = graphql.StartOperationTrace(withBatches(withCaller(ctx, e.callerOf(ctx, r))))
	setHeaders(w, r)
	params, err := readParams(w, r)
	if err != nil {
		refuse(w, statuses[fault.CodeOf(err)], e.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)}))
		return
	}
	operation, invalid := e.exec.CreateOperationContext(ctx, params)
	if len(invalid) > 0 {
		ctx = graphql.WithOperationContext(ctx, operation)
		refuse(w, http.StatusBadRequest, e.exec.DispatchError(ctx, invalid))
		return
	}
	responses, ctx := e.exec.DispatchOperation(ctx, operation)
	response := responses(ctx)
	if response == nil { // the operation's time was over before it began
		err := fault.E("graph.ServeHTTP", fault.Unavailable, context.Cause(ctx))
		response = e.exec.DispatchError(ctx, gqlerror.List{gqlerror.Wrap(err)})
	}
	answer(w, http.StatusOK, response)
}

func setHeaders(w http.ResponseWriter, r *http.Request) {
	contentType := "application/json"
	if modern := "application/graphql-response+json"; strings.Contains(r.Header.Get("Accept"), modern) {
		contentType = modern
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
}

// readParams reads the operation. Faults: MethodNotAllowed, CrossSite, BodyTooLarge, InvalidJSON.
func readParams(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, error) {
	const op = "graph.readParams"
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, fault.New(op, fault.MethodNotAllowed)
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return nil, fault.E(op, fault.CrossSite, err)
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
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber() // no number becomes a float
	if err := decoder.Decode(params); err != nil {
		return nil, fault.E(op, fault.InvalidJSON, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.New(op, fault.InvalidJSON)
	}
	return params, nil
}

// refuse answers what was not executed: without data, not with data of null.
func refuse(w http.ResponseWriter, status int, response *graphql.Response) {
	answer(w, status, struct {
		Errors gqlerror.List `json:"errors"`
	}{response.Errors})
}

func answer(w http.ResponseWriter, status int, response any) {
	body, err := json.Marshal(response)
	if err != nil {
		panic(err) // cannot happen: the data is JSON already
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // nobody is left to tell
}
