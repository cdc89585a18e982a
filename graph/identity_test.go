package graph_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/graph"
	"github.com/vezne/vezne/ports/passkeytest"
)

const (
	loginAny = `mutation($email: String!, $password: String!) { login(input: {email: $email, password: $password}) {
		token secondFactor { challenge kinds } } }`
	loginCode = `mutation($challenge: String!, $code: String!) { loginWithCode(input: {challenge: $challenge, code: $code}) {
		token secondFactor { kinds } } }`
	beginTotp      = `mutation { beginTotp { otpauthUrl } }`
	confirmTotp    = `mutation($code: String!) { confirmTotp(input: {code: $code}) { recoveryCodes secondFactors { hasTotp recoveryCodesLeft isRequired isLocked passkeys { id } } } }`
	mySessions     = `{ mySessions { id address userAgent hasSecondFactor createdAt lastSeenAt expiresAt provenUntil isCurrent } }`
	stepUpCode     = `mutation($code: String!) { stepUp(input: {code: $code}) { session { provenUntil } } }`
	inviteProvider = `mutation($provider: ID!) { inviteStaff(input: {email: "New@Vezne.test", role: PROVIDER, providerId: $provider}) {
		link invitation { id email role dealerId providerId invitedBy { kind name address } createdAt expiresAt acceptedAt revokedAt } } }`
	acceptInvitation = `mutation($token: String!, $password: String!) { acceptInvitation(input: {token: $token, password: $password}) {
		token secondFactor { kinds } } }`
	staffList = `{ staff(first: 20) { nodes { id email role dealerId providerId isActive createdAt secondFactors { hasTotp isRequired isLocked recoveryCodesLeft } } } }`
)

// requiring makes roles need a second factor.
func requiring(roles ...staff.Role) func(*graph.Config) {
	return func(c *graph.Config) {
		set := c.Staff.Config
		set.Required = roles
		c.Staff = appstaff.New(set)
	}
}

// random is what differs from run to run.
var random = regexp.MustCompile(`"(vz[a-z]+_[0-9a-z]+|[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}|[0-9A-HJKMNP-TV-Z]{26})"|secret=[A-Z2-7]+|#vzi_[0-9a-z]+`)

func checkIdentity(t *testing.T, name, raw string) {
	t.Helper()
	checkGolden(t, name, random.ReplaceAllStringFunc(raw, func(found string) string {
		if strings.HasPrefix(found, `"`) {
			return `"random"`
		}
		return found[:strings.IndexAny(found, "=_")+1] + "random"
	}))
}

// setUp returns the role's member an authenticator app: its code at a moment, and what confirming it was answered.
func (a *api) setUp(t *testing.T, role staff.Role) (code func() string, confirmed reply) {
	t.Helper()
	var made struct{ OtpauthURL string }
	a.as(t, role, beginTotp, nil).into(t, "beginTotp", &made)
	u, err := url.Parse(made.OtpauthURL)
	if err != nil {
		t.Fatal(err)
	}
	code = func() string {
		c, err := staff.TOTPCode(core.NewSecret(u.Query().Get("secret")), staff.TOTPStep(a.Clock.Now()))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if confirmed = a.as(t, role, confirmTotp, vars{"code": code()}); confirmed.code() != "" {
		t.Fatal(confirmed.Raw)
	}
	a.Clock.Advance(time.Minute)
	return code, confirmed
}

func TestSigningInWithASecondFactor(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	code, confirmed := a.setUp(t, staff.Operator)
	checkIdentity(t, "totp-confirmed", confirmed.Raw)
	right := vars{"email": a.Operator.Email, "password": apptest.Password}
	answer := a.as(t, "", loginAny, right)
	checkIdentity(t, "login-second-factor", answer.Raw)
	var login struct{ SecondFactor struct{ Challenge string } }
	answer.into(t, "login", &login)
	challenge := login.SecondFactor.Challenge
	if got := a.as(t, "", loginCode, vars{"challenge": challenge, "code": "no"}).code(); got != "BAD_CODE" {
		t.Errorf("a wrong code: got %q", got)
	}
	answer = a.as(t, "", loginCode, vars{"challenge": challenge, "code": code()})
	checkIdentity(t, "login-with-code", answer.Raw)
	var in struct{ Token string }
	answer.into(t, "loginWithCode", &in)
	checkIdentity(t, "my-sessions", a.send(t, request(t, in.Token, mySessions, nil)).Raw)
	if got := a.as(t, "", loginCode, vars{"challenge": challenge, "code": code()}).code(); got != "CHALLENGE_OVER" {
		t.Errorf("the challenge again: got %q", got)
	}
}

func TestSensitiveMutationsWantAProofOfTheLastTenMinutes(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	code, _ := a.setUp(t, staff.Admin)
	token := a.tokens[staff.Admin]
	ask := func(query string, v vars) string { return a.send(t, request(t, token, query, v)).code() }
	a.Clock.Advance(staff.StepUpLife)
	for name, f := range rootFields() {
		if f.Directives.ForName("stepUp") == nil {
			continue
		}
		o := wholeMatrix()[name]
		if !slices.Contains(o.may, staff.Admin) || strings.Contains(o.query, "$") {
			continue
		}
		if got := ask(o.query, nil); got != "STEP_UP_NEEDED" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	const update = `mutation { updateGatewayAccount(input: {id: 1, }) { gatewayAccount { code } } }`
	if got := a.send(t, request(t, a.tokens[staff.Viewer], update, nil)).code(); got != "FORBIDDEN" {
		t.Errorf("whoever may not do it at all: got %q", got)
	}
	if got := ask(`mutation { stepUp(input: {password: "`+apptest.Password+`"}) { session { provenUntil } } }`, nil); got != "SECOND_FACTOR_REQUIRED" {
		t.Errorf("the password alone: got %q", got)
	}
	if got := ask(stepUpCode, vars{"code": code()}) + ask(update, nil); got != "" {
		t.Errorf("after step-up: got %q", got)
	}
}

// TestSensitiveIsWhatIsMarked lists the mutations that want a proof.
func TestSensitiveIsWhatIsMarked(t *testing.T) {
	t.Parallel()
	var marked []string
	for name, f := range rootFields() {
		if d := f.Directives.ForName("stepUp"); d != nil {
			marked = append(marked, strings.TrimPrefix(name, "mutation "))
			if f.Directives[0] != d {
				t.Errorf("%s: @stepUp stands behind another directive, and would be asked first", name)
			}
		}
	}
	slices.Sort(marked)
	want := "acceptDispute acknowledgeRemains adjustDifference approveRequest beginPasskey beginTotp changePassword confirmTotp correctCredit createAccount createDealer createGatewayAccount " +
		"createProvider createSite createSiteToken createWallet exportDownload exportList finishPasskey inviteStaff newRecoveryCodes recordDispute refundDiscrepancy refundTransaction " +
		"removePasskey removeTotp renamePasskey resendCallbacks resetStaffFactors resolveDiscrepancy revokeInvitation revokeStaffSessions rotateDealerCredential rotateProviderCredential " +
		"rotateSiteCredential rotateSiteTokenCredential saveRouteRule setApprovalRule setWalletActive startExport takeApprovalResult thaw unlockStaff updateAccount " +
		"updateCallbackUrls updateDealer updateGatewayAccount updateProvider updateSite updateSiteBrand updateSiteToken updateStaff"
	if got := strings.Join(marked, " "); got != want {
		t.Errorf("marked are %s", got)
	}
}

func TestARequiredFactorIsSetUpFirst(t *testing.T) {
	t.Parallel()
	a := newAPI(t, requiring(staff.Admin, staff.Finance))
	open := 0
	for name, f := range rootFields() {
		o := wholeMatrix()[name]
		if strings.Contains(o.query, "$") || f.Directives.ForName("public") != nil || o.ends {
			continue
		}
		isSetUp := false
		if d := f.Directives.ForName("signedIn"); d != nil {
			isSetUp = d.Arguments.ForName("beforeFactor") != nil
		}
		got := a.as(t, staff.Admin, o.query, nil).code()
		if isSetUp {
			open++
		}
		if (got == "SECOND_FACTOR_REQUIRED") == isSetUp {
			t.Errorf("%s before a factor is set up: got %q", name, got)
		}
	}
	if open < 5 {
		t.Errorf("only %d operations can be used to set one up", open)
	}
	if got := a.as(t, staff.Operator, `{ me { id } }`, nil).code(); got != "" {
		t.Errorf("another role: got %q", got)
	}
	a.setUp(t, staff.Admin)
	if got := a.as(t, staff.Admin, `{ me { id } }`, nil).code(); got != "" {
		t.Errorf("after setting one up: got %q", got)
	}
}

func TestPasskeysOverGraphQL(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	key := passkeytest.Authenticator{Origin: a.Staff.BaseURL}
	type ask struct{ Challenge, Options string }
	var begun ask
	a.as(t, staff.Admin, `mutation { beginPasskey { challenge options } }`, nil).into(t, "beginPasskey", &begun)
	answer, err := key.Register(begun.Options)
	if err != nil {
		t.Fatal(err)
	}
	var added struct {
		RecoveryCodes []string
		SecondFactors struct{ Passkeys []struct{ Name string } }
	}
	a.as(t, staff.Admin, `mutation($challenge: String!, $answer: String!) { finishPasskey(input: {challenge: $challenge, answer: $answer, name: "Telefon"}) {
		recoveryCodes secondFactors { passkeys { name } } } }`, vars{"challenge": begun.Challenge, "answer": answer}).into(t, "finishPasskey", &added)
	if len(added.RecoveryCodes) != 10 || len(added.SecondFactors.Passkeys) != 1 || added.SecondFactors.Passkeys[0].Name != "Telefon" {
		t.Errorf("added %+v", added)
	}
	var alone ask
	a.as(t, "", `mutation { beginPasskeyLogin { challenge options } }`, nil).into(t, "beginPasskeyLogin", &alone)
	if answer, err = key.SignIn(alone.Options); err != nil {
		t.Fatal(err)
	}
	var in struct{ Token string }
	a.as(t, "", `mutation($challenge: String!, $answer: String!) { loginWithPasskey(input: {challenge: $challenge, answer: $answer}) { token } }`,
		vars{"challenge": alone.Challenge, "answer": answer}).into(t, "loginWithPasskey", &in)
	if got := a.send(t, request(t, in.Token, `{ me { role } }`, nil)).Raw; got != `{"data":{"me":{"role":"ADMIN"}}}` {
		t.Errorf("signed in as %s", got)
	}
	var stepUp ask
	a.as(t, staff.Admin, `mutation { beginPasskeyStepUp { challenge options } }`, nil).into(t, "beginPasskeyStepUp", &stepUp)
	if answer, err = key.SignIn(stepUp.Options); err != nil {
		t.Fatal(err)
	}
	if got := a.as(t, staff.Admin, `mutation($passkey: PasskeyAnswer!) { stepUp(input: {passkey: $passkey}) { session { isCurrent } } }`,
		vars{"passkey": vars{"challenge": stepUp.Challenge, "answer": answer}}); got.Raw != `{"data":{"stepUp":{"session":{"isCurrent":true}}}}` {
		t.Errorf("step-up: %s", got.Raw)
	}
}

func TestInvitationsOverGraphQL(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	answer := a.as(t, staff.Admin, inviteProvider, vars{"provider": a.OtherProvider.ID})
	checkIdentity(t, "staff-invited", answer.Raw)
	var invited struct{ Link string }
	answer.into(t, "inviteStaff", &invited)
	_, token, _ := strings.Cut(invited.Link, "#")
	answer = a.as(t, "", acceptInvitation, vars{"token": token, "password": apptest.Password})
	checkIdentity(t, "invitation-accepted", answer.Raw)
	var in struct{ Token string }
	answer.into(t, "acceptInvitation", &in)
	me := a.send(t, request(t, in.Token, `{ me { email role providerId permissions } }`, nil)).Raw
	want := fmt.Sprintf(`{"data":{"me":{"email":"new@vezne.test","role":"PROVIDER","providerId":"%d","permissions":["TRANSACTIONS_READ","CALLBACKS_RESEND",`+
		`"PROVIDERS_READ","CALLBACKS_TEST","CUSTOMERS_READ","STATISTICS_READ"]}}}`, a.OtherProvider.ID)
	if me != want {
		t.Errorf("got %s, want %s", me, want)
	}
	if got := a.as(t, "", acceptInvitation, vars{"token": token, "password": apptest.Password}).code(); got != "INVITATION_INVALID" {
		t.Errorf("accepted again: got %q", got)
	}
	checkIdentity(t, "staff-list", a.as(t, staff.Auditor, staffList, nil).Raw)
}

// TestNoRoleReachesWhatItMayNotAskFor walks every path through the schema: where a field leads to an object of a kind that
// the roots give only with a permission, whoever gets there must have that permission as well.
func TestNoRoleReachesWhatItMayNotAskFor(t *testing.T) {
	t.Parallel()
	home := map[string][]staff.Role{} // kind → the roles that a field of Query gives it to
	for name, f := range rootFields() {
		if kind := schema().Types[f.Type.Name()]; strings.HasPrefix(name, "query ") && kind.Kind == ast.Object {
			if nodes := kind.Fields.ForName("nodes"); nodes != nil {
				kind = schema().Types[nodes.Type.Name()] // of a page
			}
			home[kind.Name] = append(home[kind.Name], reaching(f, staff.Roles())...)
		}
	}
	for _, kind := range []string{"Wallet", "BankLine", "GatewayAccount", "Invitation"} {
		if !slices.Contains(home[kind], staff.Auditor) || slices.Contains(home[kind], staff.ProviderStaff) {
			t.Fatalf("this test would prove nothing: %s is for %v", kind, home[kind])
		}
	}
	walk := reach{home: home, seen: map[string]bool{}, t: t}
	for name, f := range rootFields() {
		if f.Directives.ForName("public") == nil {
			walk.field(name, f, staff.Roles())
		}
	}
}

// reaching is who of the roles gets past a field.
func reaching(f *ast.FieldDefinition, roles []staff.Role) []staff.Role {
	d := f.Directives.ForName("can")
	if d == nil {
		return roles
	}
	return slices.DeleteFunc(slices.Clone(roles), func(r staff.Role) bool { return !r.May(permissionOf(d)) })
}

// permissionOf turns TRANSACTIONS_READ into transactions:read.
func permissionOf(d *ast.Directive) staff.Permission {
	return staff.Permission(strings.Replace(strings.ToLower(d.Arguments.ForName("permission").Value.Raw), "_", ":", 1))
}

type reach struct {
	home map[string][]staff.Role
	seen map[string]bool
	t    *testing.T
}

func (r reach) field(path string, f *ast.FieldDefinition, roles []staff.Role) {
	roles = reaching(f, roles)
	kind := schema().Types[f.Type.Name()]
	key := fmt.Sprint(kind.Name, roles)
	if kind.Kind != ast.Object || r.seen[key] {
		return
	}
	r.seen[key] = true
	if may, isGuarded := r.home[kind.Name]; isGuarded {
		for _, role := range roles {
			if !slices.Contains(may, role) {
				r.t.Errorf("%s gives a %s to the role %s, which may not ask for one", path, kind.Name, role)
			}
		}
	}
	for _, inner := range kind.Fields {
		if !strings.HasPrefix(inner.Name, "__") {
			r.field(path+"."+inner.Name, inner, roles)
		}
	}
}

// TestWhatIsLeftOfSessionsAndFactors: who ends something of their own need not ask what they have now.
func TestWhatIsLeftOfSessionsAndFactors(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setUp(t, staff.Operator)
	token, other := a.tokens[staff.Operator], a.session(t, a.Operator)
	ask := func(token, mutation string) reply {
		return a.send(t, request(t, token, "mutation { "+mutation+" }", nil))
	}
	want := func(got reply, data string) {
		t.Helper()
		if got.Raw != `{"data":`+data+`}` {
			t.Errorf("got %s, want %s", got.Raw, data)
		}
	}
	var made struct{ RecoveryCodes []string }
	ask(token, `newRecoveryCodes { recoveryCodes }`).into(t, "newRecoveryCodes", &made)
	if len(made.RecoveryCodes) != 10 {
		t.Errorf("made are %q", made.RecoveryCodes)
	}
	want(ask(token, `removeTotp { recoveryCodes secondFactors { hasTotp } }`),
		`{"removeTotp":{"recoveryCodes":[],"secondFactors":{"hasTotp":false}}}`)
	want(ask(token, `changePassword(input: {password: "another horse battery"}) { sessions { isCurrent } }`),
		`{"changePassword":{"sessions":[{"isCurrent":true}]}}`)
	if got := ask(other, `logout { session { id } }`).code(); got != "UNAUTHENTICATED" {
		t.Errorf("a session from before the new password: %q", got)
	}
	want(ask(token, `logout { session { isCurrent } }`), `{"logout":{"session":{"isCurrent":true}}}`)
	if got := ask(token, `logout { session { id } }`).code(); got != "UNAUTHENTICATED" {
		t.Errorf("signed out: %q", got)
	}
}
