package graph

import (
	"context"
	"net/http"
	"net/url"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// SessionHeader says that the session's token is in a cookie: where a browser signs in, the answer sets one and has no token; and
// without the header a cookie that comes along is not looked at. Another site can have a browser send the cookie, but not the header.
const SessionHeader = "X-Vezne-Session"

// The session's cookie. The first is for TLS: a browser takes a __Host- cookie from this host alone, so that no other name of the same
// domain can hand somebody a session of its own. It has to be for every path; of what is answered here, /graphql alone reads it.
const (
	secureCookie = "__Host-vezne_session"
	plainCookie  = "vezne_session"
)

// answerCookie is the session cookie of the answer to a request; nothing, unless somebody signs in or out. Of one answer the last
// that was set counts: mutations run one after another.
type answerCookie struct {
	writer http.ResponseWriter
	secure bool
}

// set stores a session's token in the browser, for as long as the session may last.
func (a *answerCookie) set(token string) { a.write(token, int(staff.SessionLife.Seconds())) }

// clear takes it back.
func (a *answerCookie) clear() { a.write("", -1) }

func (a *answerCookie) write(value string, maxAge int) {
	cookie := &http.Cookie{ // Secure is set wherever browsers come over TLS
		Name: plainCookie, Value: value, Path: "/graphql", MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if a.secure {
		cookie.Name, cookie.Path, cookie.Secure = secureCookie, "/", true
	}
	a.writer.Header().Set("Set-Cookie", cookie.String())
}

// isSecure reports whether a request's browser comes over TLS.
func (c Config) isSecure(r *http.Request) bool { return c.IsSecure || r.TLS != nil }

// sessionCookie is the token of the cookie of a request; empty when there is none. Two of them are none: one was put there by somebody
// else.
func (c Config) sessionCookie(r *http.Request) string {
	name := plainCookie
	if c.isSecure(r) {
		name = secureCookie
	}
	found := r.CookiesNamed(name)
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

// ownPage refuses what a page of this very origin has not sent, as its browser says: every browser says so of what is posted, and of
// a WebSocket. Fault: CrossSite.
func (c Config) ownPage(r *http.Request) error {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	from, err := url.Parse(origin)
	isOwn := err == nil && from.Host == r.Host && from.Host != "" && (from.Scheme == "https" || !c.isSecure(r))
	if site == "same-origin" || site == "" && isOwn {
		return nil
	}
	return fault.New("graph.ownPage", fault.CrossSite)
}

// resumeCookie finds the staff member of a request's cookie, or why there is none. A cookie that is good for nothing any more is
// taken back, where the answer can.
func (c Config) resumeCookie(ctx context.Context, who caller, r *http.Request) caller {
	token := c.sessionCookie(r)
	if token == "" {
		who.refused = fault.New("graph.resumeCookie", fault.Unauthenticated)
		return who
	}
	who = c.resume(ctx, who, core.NewSecret(token))
	if who.cookie != nil && fault.Is(who.refused, fault.Unauthenticated) {
		who.cookie.clear()
	}
	return who
}

// callerIn is who a connection_init says that the client is: a browser's script can set no headers of a WebSocket, so that they may
// be here.
func (s *socket) callerIn(sent map[string]any) caller {
	who, header := callerOf(s.base), http.Header{}
	for name, value := range sent {
		if text, ok := value.(string); ok {
			header.Set(name, text)
		}
	}
	_, isBearer := header["Authorization"]
	_, isCookie := header[SessionHeader]
	switch {
	case isCookie && (isBearer || s.ownPage(s.from) != nil):
		who.refused = fault.New("graph.socket.callerIn", fault.Unauthenticated)
	case isCookie:
		who.byCookie = true
		who = s.resumeCookie(s.base, who, s.from)
	case isBearer:
		who = s.signIn(s.base, who, header.Get("Authorization"))
	}
	return who
}

// checkCookie refuses signing in by a cookie where the answer can set none, before a session is made that nobody has. Fault: Invalid.
func (who caller) checkCookie() error {
	var form core.Form
	if who.byCookie && who.cookie == nil {
		form.Fail(SessionHeader, "field.alone", "Authorization, text/event-stream, WebSocket")
	}
	return form.Err("graph.checkCookie")
}
