package graph

import (
	"context"
	"net/http"
	"regexp"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/core"
)

// positionCookie is how far the database was when whoever sends it had changed something. A client that sends it back sees that in
// everything that it reads. It is no secret, and whoever makes one up reads from the primary.
const positionCookie = "vezne_position"

// positionKept is for how long, in seconds: a replica that is further behind is not read from.
const positionKept = 600

var position = regexp.MustCompile(`^[0-9A-F]{1,8}/[0-9A-F]{1,8}$`)

// following returns the context in which a request is read. What only asks reads behind the last change of its client. What changes
// something, and what is told of changes, reads the latest.
func (e *Endpoint) following(ctx context.Context, r *http.Request, operation *graphql.OperationContext) context.Context {
	if e.Positions == nil || operation.Operation.Operation != ast.Query {
		return ctx
	}
	if sent, err := r.Cookie(positionCookie); err == nil && position.MatchString(sent.Value) {
		return core.After(ctx, core.Position(sent.Value))
	}
	return core.After(ctx, "")
}

// tellPosition tells the client of a change how far the database is now. Where that is not known, nothing is read from a replica for as
// long as it is remembered: no position is greater.
func (e *Endpoint) tellPosition(ctx context.Context, w http.ResponseWriter, r *http.Request, operation *graphql.OperationContext) {
	if e.Positions == nil || operation.Operation.Operation != ast.Mutation {
		return
	}
	now, err := e.Positions.Position(ctx)
	if err != nil {
		now = "FFFFFFFF/FFFFFFFF"
	}
	cookie := &http.Cookie{ // Secure is set wherever browsers come over TLS
		Name: positionCookie, Value: string(now), Path: "/graphql", MaxAge: positionKept, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if e.isSecure(r) {
		cookie.Secure = true
	}
	w.Header().Add("Set-Cookie", cookie.String())
}
