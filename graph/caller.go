package graph

import (
	"context"
	"net/http"
	"net/netip"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// caller is who sends a request, as far as the request says.
type caller struct {
	staff     core.Staff
	refused   error // why there is no staff member; login needs none
	addr      netip.Addr
	language  lang.Tag
	requestID string
	isReplay  bool   // a request that is being approved: staff is whoever asked
	from      string // from where they asked
}

// addrText is the address for audit rows: of a request that is being approved, the one from which it was asked for.
func (c caller) addrText() string {
	if c.isReplay {
		return c.from
	}
	return c.addr.String()
}

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
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		who.refused = fault.New("graph.callerOf", fault.Unauthenticated)
		return who
	}
	who.staff, who.refused = c.Staff.Authenticate(ctx, strings.TrimSpace(token))
	return who
}

// signedIn gives the staff member who asks. Fault: Unauthenticated.
func signedIn(ctx context.Context) (core.Staff, error) {
	who := callerOf(ctx)
	return who.staff, who.refused
}
