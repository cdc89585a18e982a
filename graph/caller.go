package graph

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/staff"
)

// caller is who sends a request, as far as the request says.
type caller struct {
	request   app.Request
	refused   error       // why there is no staff member; login needs none
	isLimited bool        // the session may only set a second factor up
	token     core.Secret // of the session

	byCookie  bool          // the request says that its session is in a cookie
	cookie    *answerCookie // nil: the answer sets none
	addr      netip.Addr
	userAgent string
	language  lang.Tag
	requestID string
}

// origin is where the request comes from.
func (c caller) origin() appstaff.Origin {
	return appstaff.Origin{Addr: c.addr, UserAgent: c.userAgent}
}

// session names the caller's sign-in without telling its token.
func (c caller) session() string { return c.request.Session.Fingerprint }

type callerKey struct{}

func withCaller(ctx context.Context, c caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// callerOf finds who sends a request: by its Authorization, or, where it says so, by its cookie; not by both. Its answer is told what
// becomes of the cookie; nil: it can set none.
func (c Config) callerOf(ctx context.Context, r *http.Request, w http.ResponseWriter) caller {
	who := caller{
		addr: c.ClientAddr(r), language: lang.FromHeader(r.Header.Get("Accept-Language"), lang.TR), requestID: c.RequestID(r),
		userAgent: r.UserAgent(), byCookie: r.Header.Get(SessionHeader) != "",
	}
	authorization := r.Header.Get("Authorization")
	switch {
	case !who.byCookie:
		who = c.signIn(ctx, who, authorization)
	case authorization != "" || c.ownPage(r) != nil:
		who.refused = fault.New("graph.callerOf", fault.Unauthenticated)
	default:
		if w != nil {
			who.cookie = &answerCookie{writer: w, secure: c.isSecure(r)}
		}
		who = c.resumeCookie(ctx, who, r)
	}
	if who.refused == nil {
		c.Name(r, "staff/"+strconv.FormatInt(who.request.Staff.ID, 10))
	}
	return who
}

// signIn finds the staff member of an Authorization, or why there is none.
func (c Config) signIn(ctx context.Context, who caller, authorization string) caller {
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		who.refused = fault.New("graph.signIn", fault.Unauthenticated)
		return who
	}
	return c.resume(ctx, who, core.NewSecret(strings.TrimSpace(token)))
}

// resume finds the staff member of a session's token, or why there is none.
func (c Config) resume(ctx context.Context, who caller, token core.Secret) caller {
	who.token = token
	who.request, who.refused = c.Staff.Resume(ctx, token.Reveal(), who.origin())
	if who.refused == nil {
		who.isLimited = c.Staff.IsLimited(who.request)
	}
	return who
}

// now returns a caller who signed in a while ago as they are now: with the rights and the proof that each operation of a
// connection that lasts is judged by. Fault: Unauthenticated.
func (c Config) now(ctx context.Context, who caller) (caller, error) {
	request, err := c.Staff.Look(ctx, who.token.Reveal())
	if err != nil {
		return who, fault.E("graph.now", "", err)
	}
	request.Addr = who.request.Addr
	who.request, who.isLimited = request, c.Staff.IsLimited(request)
	return who, nil
}

// signedIn returns the staff member who asks. Faults: Unauthenticated; FactorRequired where the role demands a second factor
// that is not set up yet.
func signedIn(ctx context.Context) (staff.Staff, error) {
	who := callerOf(ctx)
	if who.refused == nil && who.isLimited {
		return staff.Staff{}, fault.New("graph.signedIn", fault.FactorRequired)
	}
	return who.request.Staff, who.refused
}

// nobody has no permission, and nothing is in its scope.
var nobody = staff.Staff{Role: staff.DealerStaff}

// staffOf returns the staff member who asks; nobody, when none is signed in. The directives have refused those.
func staffOf(ctx context.Context) staff.Staff {
	member, err := signedIn(ctx)
	if err != nil {
		return nobody
	}
	return member
}

// acting returns who acts, with where from and why; nobody, as staffOf does.
func acting(ctx context.Context) app.Request {
	by := callerOf(ctx).request
	by.Staff = staffOf(ctx)
	return by
}
