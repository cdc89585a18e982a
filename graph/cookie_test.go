package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports/passkeytest"
)

const (
	askMe   = `{ me { email } }`
	signOut = `mutation { logout { session { id } } }`
)

// decoded is an answer of a real server.
func decoded(t *testing.T, got *http.Response) reply {
	t.Helper()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer := reply{Status: got.StatusCode, Header: got.Header, Raw: string(body)}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("the answer is not JSON: %v: %s", err, body)
	}
	return answer
}

// TestSigningInByCookie: the token is in a cookie that no script reads and no other site sends, and nowhere in the answer.
func TestSigningInByCookie(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		byTLS bool
		want  string // of the cookie, after its value
		clear string
	}{
		"TLS": {
			true, "; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict",
			"__Host-vezne_session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict",
		},
		"no TLS": {
			false, "; Path=/graphql; Max-Age=43200; HttpOnly; SameSite=Strict",
			"vezne_session=; Path=/graphql; Max-Age=0; HttpOnly; SameSite=Strict",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			b := a.browse(t, c.byTLS)
			answer := b.do(loginAny, vars{"email": a.Operator.Email, "password": apptest.Password})
			prefix, _, _ := strings.Cut(c.clear, "=")
			if got := answer.Header["Set-Cookie"]; len(got) != 1 || got[0] != prefix+"="+b.cookie.Value+c.want {
				t.Fatalf("the cookie is %q", got)
			}
			if want := `{"data":{"login":{"token":null,"secondFactor":null}}}`; answer.Raw != want {
				t.Errorf("got %s", answer.Raw)
			}
			session, member, err := a.Store.SessionByFingerprint(t.Context(), sign.Fingerprint(b.cookie.Value))
			if err != nil || member.ID != a.Operator.ID || session.ExpiresAt.Sub(a.Clock.Now()) != 43200*time.Second {
				t.Errorf("it is the session %+v of %s (%v)", session, member.Email, err)
			}
			answer = b.do(askMe, nil)
			if answer.Raw != `{"data":{"me":{"email":"operator@vezne.test"}}}` || answer.Header.Get("Set-Cookie") != "" {
				t.Errorf("got %s, %q", answer.Raw, answer.Header.Get("Set-Cookie"))
			}
			for header, want := range map[string]string{"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"} {
				if got := answer.Header.Get(header); got != want {
					t.Errorf("%s is %q", header, got)
				}
			}
			token := b.cookie.Value
			answer = b.do(signOut, nil)
			if got := answer.Header["Set-Cookie"]; answer.code() != "" || len(got) != 1 || got[0] != c.clear {
				t.Errorf("signing out is answered %s, %q", answer.Raw, got)
			}
			if got := a.send(t, request(t, token, askMe, nil)).code(); got != "UNAUTHENTICATED" {
				t.Errorf("after signing out the token is answered %q", got)
			}
		})
	}
}

// TestEveryStepOfSigningInTakesACookie: a second factor, a recovery code and an invitation give no token either.
func TestEveryStepOfSigningInTakesACookie(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	code, confirmed := a.setUp(t, staff.Operator)
	var made struct{ RecoveryCodes []string }
	confirmed.into(t, "confirmTotp", &made)
	for name, proof := range map[string]func() string{"a code": code, "a recovery code": func() string { return made.RecoveryCodes[0] }} {
		b := a.browse(t, true)
		answer := b.do(loginAny, vars{"email": a.Operator.Email, "password": apptest.Password})
		var login struct{ SecondFactor struct{ Challenge string } }
		if answer.into(t, "login", &login); b.cookie != nil {
			t.Errorf("%s: the password alone gives %v", name, b.cookie)
		}
		answer = b.do(loginCode, vars{"challenge": login.SecondFactor.Challenge, "code": proof()})
		if b.cookie == nil || answer.Raw != `{"data":{"loginWithCode":{"token":null,"secondFactor":null}}}` {
			t.Errorf("%s: got %s, %v", name, answer.Raw, b.cookie)
		}
		if got := b.do(askMe, nil); got.code() != "" {
			t.Errorf("%s: got %s", name, got.Raw)
		}
	}
	key := passkeytest.Authenticator{Origin: a.Staff.BaseURL}
	var begun, asked struct{ Challenge, Options string }
	a.as(t, staff.Admin, `mutation { beginPasskey { challenge options } }`, nil).into(t, "beginPasskey", &begun)
	registered, err := key.Register(begun.Options)
	if err != nil {
		t.Fatal(err)
	}
	a.as(t, staff.Admin, `mutation($challenge: String!, $answer: String!) {
		finishPasskey(input: {challenge: $challenge, answer: $answer, name: "phone"}) { recoveryCodes } }`, vars{"challenge": begun.Challenge, "answer": registered})
	b := a.browse(t, true)
	b.do(`mutation { beginPasskeyLogin { challenge options } }`, nil).into(t, "beginPasskeyLogin", &asked)
	shown, err := key.SignIn(asked.Options)
	if err != nil {
		t.Fatal(err)
	}
	answer := b.do(`mutation($challenge: String!, $answer: String!) { loginWithPasskey(input: {challenge: $challenge, answer: $answer}) { token } }`,
		vars{"challenge": asked.Challenge, "answer": shown})
	if got := b.do(askMe, nil); answer.Raw != `{"data":{"loginWithPasskey":{"token":null}}}` || got.code() != "" {
		t.Errorf("a passkey: got %s, %s", answer.Raw, got.Raw)
	}
	b = a.browse(t, true)
	accept := identityMatrix()["mutation acceptInvitation"].query
	answer = b.do(accept, vars{"line": invitation(a, t).line})
	if got := b.do(askMe, nil); answer.Raw != `{"data":{"acceptInvitation":{"token":null}}}` || got.code() != "" {
		t.Errorf("an invitation: got %s, %s", answer.Raw, got.Raw)
	}
}

// TestACookieAloneIsNobody: whatever has a browser send it without being the page of this origin that says so.
func TestACookieAloneIsNobody(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	b := a.browse(t, true).signedIn(a.Admin)
	sub := strings.Replace(b.origin, "://", "://evil.", 1)
	const crossSite, nobody = "CROSS_SITE_REQUEST", "UNAUTHENTICATED"
	for name, c := range map[string]struct {
		set  []func(*http.Request)
		want string
	}{
		"without the header":      {[]func(*http.Request){withoutHeaders("X-Vezne-Session")}, nobody},
		"another site":            {[]func(*http.Request){withHeader("Sec-Fetch-Site", "cross-site"), withHeader("Origin", "https://evil.test")}, crossSite},
		"another name":            {[]func(*http.Request){withHeader("Sec-Fetch-Site", "same-site"), withHeader("Origin", sub)}, crossSite},
		"an old browser's site":   {[]func(*http.Request){withoutHeaders("Sec-Fetch-Site"), withHeader("Origin", "https://evil.test")}, crossSite},
		"an old browser's name":   {[]func(*http.Request){withoutHeaders("Sec-Fetch-Site"), withHeader("Origin", sub)}, crossSite},
		"a page without TLS":      {[]func(*http.Request){withoutHeaders("Sec-Fetch-Site"), withHeader("Origin", strings.Replace(b.origin, "https", "http", 1))}, crossSite},
		"a sandboxed page":        {[]func(*http.Request){withoutHeaders("Sec-Fetch-Site"), withHeader("Origin", "null")}, crossSite},
		"no page":                 {[]func(*http.Request){withHeader("Sec-Fetch-Site", "none"), withoutHeaders("Origin")}, crossSite},
		"whoever does not say":    {[]func(*http.Request){withoutHeaders("Sec-Fetch-Site", "Origin")}, crossSite},
		"a Bearer beside it":      {[]func(*http.Request){withHeader("Authorization", "Bearer "+a.tokens[staff.Viewer])}, nobody},
		"the name of plain HTTP":  {[]func(*http.Request){withHeader("Cookie", "vezne_session="+b.cookie.Value)}, nobody},
		"two cookies":             {[]func(*http.Request){withHeader("Cookie", fmt.Sprintf("%s=x; %[1]s=%s", b.cookie.Name, b.cookie.Value))}, nobody},
		"no cookie":               {[]func(*http.Request){withoutHeaders("Cookie")}, nobody},
		"a token in the address":  {[]func(*http.Request){withoutHeaders("Cookie"), func(r *http.Request) { r.URL.RawQuery = "token=" + b.cookie.Value }}, nobody},
		"an old browser's own":    {[]func(*http.Request){withoutHeaders("Sec-Fetch-Site")}, ""},
		"the page":                {nil, ""},
		"a Bearer, and it behind": {[]func(*http.Request){withoutHeaders("X-Vezne-Session"), withHeader("Authorization", "Bearer "+a.tokens[staff.Viewer])}, ""},
	} {
		before := *b.cookie
		answer := b.do(askMe, nil, c.set...)
		if answer.code() != c.want {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
		if set := answer.Header.Get("Set-Cookie"); set != "" { // whoever could take it back could sign somebody out
			t.Errorf("%s: %q", name, set)
		}
		if want := map[bool]string{true: "viewer", false: "admin"}[strings.HasPrefix(name, "a Bearer,")]; c.want == "" && !strings.Contains(answer.Raw, want) {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
		b.cookie = &before
	}
}

// TestNobodyIsSignedInFromElsewhere: another site can neither give a browser a session of its own, nor make one end.
func TestNobodyIsSignedInFromElsewhere(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	b := a.browse(t, true)
	for _, site := range []string{"cross-site", "same-site", "none"} {
		for _, query := range []string{loginAny, signOut} {
			answer := b.do(query, vars{"email": a.Admin.Email, "password": apptest.Password}, withHeader("Sec-Fetch-Site", site))
			if answer.code() != "CROSS_SITE_REQUEST" || answer.Header.Get("Set-Cookie") != "" || len(answer.Data) > 0 {
				t.Errorf("%s from %s: got %s, %q", query, site, answer.Raw, answer.Header.Get("Set-Cookie"))
			}
		}
	}
	both := b.do(loginAny, vars{"email": a.Admin.Email, "password": apptest.Password}, withHeader("Authorization", "Bearer "+a.tokens[staff.Viewer]))
	if both.code() != "INVALID" || b.cookie != nil || strings.Contains(both.Raw, `"token":"`) {
		t.Errorf("with a Bearer: got %s", both.Raw)
	}
}

// TestASignInIsANewSession: what a browser brought along, from wherever, is never what it is signed in by.
func TestASignInIsANewSession(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	b := a.browse(t, true).signedIn(a.Viewer)
	planted := b.cookie.Value
	if b.signedIn(a.Admin); b.cookie.Value == planted {
		t.Error("signing in keeps the session that was there")
	}
	if got := a.send(t, request(t, planted, askMe, nil)); strings.Contains(got.Raw, "admin") {
		t.Errorf("got %s", got.Raw)
	}
}

// TestADeadCookieIsTakenBack: revoked, idle or expired, and of somebody who was switched off.
func TestADeadCookieIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, kill := range map[string]func(a *api, t *testing.T, token string){
		"revoked": func(a *api, t *testing.T, token string) { t.Helper(); a.revoke(t, token) },
		"idle":    func(a *api, t *testing.T, _ string) { t.Helper(); a.Clock.Advance(staff.SessionIdle) },
		"expired": func(a *api, t *testing.T, _ string) { t.Helper(); a.Clock.Advance(staff.SessionLife) },
		"off":     func(a *api, t *testing.T, _ string) { t.Helper(); a.deactivate(t, a.Viewer) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			b := a.browse(t, false).signedIn(a.Viewer)
			kill(a, t, b.cookie.Value)
			if answer := b.do(askMe, nil); answer.code() != "UNAUTHENTICATED" || b.cookie != nil {
				t.Errorf("got %s, %v", answer.Raw, b.cookie)
			}
			if name != "off" {
				b.signedIn(a.Viewer)
			}
		})
	}
	a := newAPI(t)
	b := a.browse(t, false).signedIn(a.Viewer)
	a.revoke(t, b.cookie.Value)
	if b.signedIn(a.Viewer); b.do(askMe, nil).code() != "" {
		t.Error("a dead cookie keeps from signing in")
	}
}

// TestACookiesSessionIsOneLikeOthers: its rate, its step-up and its tickets are those of every session.
func TestACookiesSessionIsOneLikeOthers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	job := exported(a, t).job
	b := a.browse(t, true).signedIn(a.Admin)
	var download struct{ Path string }
	b.do(`mutation($id: ID!) { exportDownload(input: {jobId: $id}) { path } }`, vars{"id": job}).into(t, "exportDownload", &download)
	parts := strings.Split(download.Path, "/")
	if len(parts) != 4 || strings.Contains(download.Path, b.cookie.Value) {
		t.Fatalf("the file is at %q", download.Path)
	}
	if _, member, err := a.Jobs.Open(t.Context(), core.ID(parts[2]), parts[3]); err != nil || member.ID != a.Admin.ID {
		t.Errorf("the link opens for %d (%v)", member.ID, err)
	}
	if _, _, err := a.Jobs.Open(t.Context(), core.ID(parts[2]), parts[3]); err == nil {
		t.Error("the link opens twice")
	}
	const rename = `mutation { updateProvider(input: {id: 1, name: "New"}) { provider { name } } }`
	a.Clock.Advance(staff.StepUpLife)
	if got := b.do(rename, nil).code(); got != "STEP_UP_NEEDED" {
		t.Errorf("after ten minutes: %q", got)
	}
	proof := `mutation { stepUp(input: {password: "` + apptest.Password + `"}) { session { id } } }`
	if got := b.do(proof, nil); got.code() != "" {
		t.Error(got.Raw)
	}
	if got := b.do(rename, nil); got.code() != "" {
		t.Error(got.Raw)
	}
	a.Staff.AdmitMember(t.Context(), a.Admin, 5_950)
	for b.do(askMe, nil).Status == http.StatusOK {
	}
	if got := a.as(t, staff.Admin, askMe, nil).code(); got != "RATE_LIMITED" {
		t.Errorf("beside as many by cookie as there may be: %q", got)
	}
}

// TestAStreamByCookie: server-sent events have the guards of every request, and set no cookie.
func TestAStreamByCookie(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	b := a.browse(t, true).signedIn(a.Operator)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	listen := func(query string, v vars, set ...func(*http.Request)) (got *http.Response, first string) {
		t.Helper()
		got, err := b.Do(b.ask(query, v, append(set, withHeader("Accept", "text/event-stream"))...).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = got.Body.Close() })
		for text := make([]byte, 4096); !strings.Contains(first, "{"); {
			n, err := got.Body.Read(text)
			if first += string(text[:n]); err != nil {
				break
			}
		}
		return got, first
	}
	if _, first := listen(watchTransactions, nil); !strings.Contains(first, `"hasGap":true`) {
		t.Errorf("the stream begins with %q", first)
	}
	if _, first := listen(watchTransactions, nil, withoutHeaders("X-Vezne-Session")); !strings.Contains(first, "UNAUTHENTICATED") {
		t.Errorf("without the header: %q", first)
	}
	if got, _ := listen(watchTransactions, nil, withHeader("Sec-Fetch-Site", "same-site")); got.StatusCode != http.StatusForbidden {
		t.Errorf("of another name: %d", got.StatusCode)
	}
	got, first := listen(loginAny, vars{"email": a.Admin.Email, "password": apptest.Password})
	if !strings.Contains(first, "INVALID") || strings.Contains(first, `"token":"`) || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("signing in is answered %q", first)
	}
}

// TestAWebSocketByCookie: no script can set its headers, so that the first message says what the header says.
func TestAWebSocketByCookie(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	b := a.browse(t, true).signedIn(a.Operator)
	cookie := b.cookie.Name + "=" + b.cookie.Value
	const says = `{"X-Vezne-Session": "cookie"}`
	open := func(init string, header http.Header) (c *wsClient, status int) {
		t.Helper()
		dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, HandshakeTimeout: patience, TLSClientConfig: b.trusting()}
		conn, answer, err := dialer.DialContext(t.Context(), b.wsURL(), header)
		if err != nil {
			return nil, answer.StatusCode
		}
		t.Cleanup(func() { _ = conn.Close() })
		c = &wsClient{T: t, Conn: conn}
		c.say(wsMessage{Type: "connection_init", Payload: json.RawMessage(init)})
		return c, http.StatusSwitchingProtocols
	}
	own := http.Header{"Cookie": {cookie}, "Origin": {b.origin}, "Accept-Language": {"en"}}
	c, _ := open(says, own)
	if got := c.hear(); got.Type != "connection_ack" {
		t.Fatalf("the page is answered %+v", got)
	}
	c.subscribe("1", watchTransactions, nil)
	c.until(a.start(t, payment.ManualDeposit), payment.Showing)
	c.ask("2", loginAny, vars{"email": a.Admin.Email, "password": apptest.Password})
	if got := c.hear(); !strings.Contains(string(got.Payload), "INVALID") || strings.Contains(string(got.Payload), `"token":"`) {
		t.Errorf("signing in is answered %s", got.Payload)
	}
	for name, init := range map[string]string{
		"without the word": `{}`, "with a Bearer": `{"X-Vezne-Session": "cookie", "Authorization": "Bearer ` + a.tokens[staff.Viewer] + `"}`,
	} {
		c, _ := open(init, own)
		if code, _ := c.ends(); code != 4401 {
			t.Errorf("%s: it ends with %d", name, code)
		}
	}
	c, _ = open(says, http.Header{"Cookie": {cookie}})
	if code, _ := c.ends(); code != 4401 {
		t.Errorf("of no origin: it ends with %d", code)
	}
	for name, header := range map[string]http.Header{
		"another name": {"Cookie": {cookie}, "Origin": {strings.Replace(b.origin, "://", "://evil.", 1)}},
		"another site": {"Cookie": {cookie}, "Origin": {b.origin}, "Sec-Fetch-Site": {"cross-site"}},
		"no origin":    {"Cookie": {cookie}, "X-Vezne-Session": {"cookie"}},
	} {
		if _, status := open(says, header); status != http.StatusForbidden {
			t.Errorf("%s: the upgrade is answered %d", name, status)
		}
	}
}
