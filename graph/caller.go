package graph

import (
	"context"
	"net/http"
	"net/netip"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/sign"
)

// caller is who sends a request, as far as the request says.
type caller struct {
	staff     core.Staff
	refused   error // why there is no staff member; login needs none
	addr      netip.Addr
	language  lang.Tag
	requestID string
	token     string // of the session; empty: none was sent
}

// session names the caller's sign-in without telling its token.
func (c caller) session() string { return sign.Fingerprint(c.token) }

type callerKey struct{}

func withCaller(ctx context.Context, c caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

func (c Config) callerOf(ctx context.Context, r *http.Request) caller {
	who := caller{
		addr: c.ClientAddr(r), language: lang.FromHeader(r.Header.Get("Accept-Language"), lang.TR), requestID: c.RequestID(r),
	}
	return c.signIn(ctx, who, r.Header.Get("Authorization"))
}

// signIn finds the staff member of an Authorization, or why there is none.
func (c Config) signIn(ctx context.Context, who caller, authorization string) caller {
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		who.refused = fault.New("graph.signIn", fault.Unauthenticated)
		return who
	}
	who.token = strings.TrimSpace(token)
	who.staff, who.refused = c.Staff.Authenticate(ctx, who.token)
	return who
}

// signedIn gives the staff member who asks. Fault: Unauthenticated.
func signedIn(ctx context.Context) (core.Staff, error) {
	who := callerOf(ctx)
	return who.staff, who.refused
}
