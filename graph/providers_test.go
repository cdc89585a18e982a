package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

const (
	oldFields  = ` oldCredentials { credential validUntil firstUsedAt } `
	siteFields = ` id providerId dealerId dealer { name } name isActive isIbanStrict callbackUrl depositCallbackUrl
		withdrawalCallbackUrl creditCardCallbackUrl createdAt updatedAt` + oldFields
	providerFields = ` id name isActive language callbackUrl depositCallbackUrl withdrawalCallbackUrl creditCardCallbackUrl
		ipWhitelist isCreditCardEnabled credentialEnding createdAt updatedAt` + oldFields + ` sites {` + siteFields + `} `
	issuedFields = ` credential value `

	listProviders = `query($name: String, $is: Boolean, $first: Int, $after: String) {
		providers(filter: {name: $name, isActive: $is}, first: $first, after: $after) {
			edges { cursor node { id } } nodes { id name isActive } pageInfo { hasNextPage endCursor } } }`
	createProvider = `mutation($input: CreateProviderInput!) { createProvider(input: $input) {
		provider {` + providerFields + `} credentials {` + issuedFields + `} } }`
	rotateProvider = `mutation($input: RotateCredentialInput!) { rotateProviderCredential(input: $input) {
		provider { id credentialEnding updatedAt` + oldFields + `} credentials {` + issuedFields + `} } }`
	createSite = `mutation($input: CreateSiteInput!) { createSite(input: $input) {
		site {` + siteFields + `} credentials {` + issuedFields + `} } }`
	updateSite = `mutation($input: UpdateSiteInput!) { updateSite(input: $input) { site {` + siteFields + `} } }`
	rotateSite = `mutation($input: RotateCredentialInput!) { rotateSiteCredential(input: $input) {
		site { id updatedAt` + oldFields + `} credentials {` + issuedFields + `} } }`
)

func TestGoldenProviders(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Clock.Advance(time.Minute)
	made := a.as(t, staff.Admin, createProvider, vars{"input": vars{
		"name": " Yeni Ödeme ", "language": "en", "callbackUrl": "https://yeni.test/in", "depositCallbackUrl": "https://yeni.test/eiban",
		"withdrawalCallbackUrl": "https://yeni.test/out", "creditCardCallbackUrl": "https://yeni.test/cc",
		"ipWhitelist": []string{"192.0.2.7", "2001:db8::/32"}, "isCreditCardEnabled": true,
	}})
	checkKeys(t, "provider-created", made)
	checkKeys(t, "provider-created-plain", a.as(t, staff.Admin, createProvider, vars{"input": vars{"name": "Plain"}}))
	checkGolden(t, "providers", a.as(t, staff.Viewer, listProviders, nil).Raw)
	checkKeys(t, "site-created", a.as(t, staff.Admin, createSite, vars{"input": vars{
		"providerId": 3, "dealerId": 2, "name": "Shop", "isIbanStrict": true, "callbackUrl": "https://shop.test/in",
	}}))
	a.Clock.Advance(time.Minute)
	checkKeys(t, "site-updated", a.as(t, staff.Admin, updateSite, vars{"input": vars{"id": 3,
		"name": "Shop 2", "dealerId": "1", "isActive": false, "isIbanStrict": false, "callbackUrl": "", "withdrawalCallbackUrl": "http://shop.test/out",
	}}))
	checkKeys(t, "provider-rotated", a.as(t, staff.Admin, rotateProvider, vars{"input": vars{"id": 3, "credential": "SECRET_KEY"}}))
	checkKeys(t, "provider-rotated-webhook", a.as(t, staff.Admin, rotateProvider, vars{"input": vars{
		"id": 3, "credential": "WEBHOOK_SECRET", "graceHours": 720,
	}}))
	checkKeys(t, "provider-rotated-api", a.as(t, staff.Admin, rotateProvider, vars{"input": vars{
		"id": 3, "credential": "API_KEY", "graceHours": 0,
	}}))
	checkKeys(t, "site-rotated", a.as(t, staff.Admin, rotateSite, vars{"input": vars{"id": 3, "credential": "CREDENTIAL_KEY", "graceHours": 1}}))
	checkKeys(t, "provider-with-sites", a.as(t, staff.Viewer, `{ provider(id: 3) {`+providerFields+`} }`, nil))
}

func TestProvidersAreListedPageByPage(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, name := range []string{"İstanbul Pay", "Izmir Pay", "Pay Pal"} {
		if answer := a.as(t, staff.Admin, createProvider, vars{"input": vars{"name": name}}); answer.code() != "" {
			t.Fatal(answer.Raw)
		}
	}
	a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 4, "isActive": false}})
	names := func(v vars) string {
		t.Helper()
		var list []string
		for range 10 {
			var page struct {
				Nodes    []struct{ Name string }
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
			a.as(t, staff.Operator, listProviders, v).into(t, "providers", &page)
			for _, p := range page.Nodes {
				list = append(list, p.Name)
			}
			if !page.PageInfo.HasNextPage {
				return strings.Join(list, ", ")
			}
			v["after"] = *page.PageInfo.EndCursor
		}
		t.Fatal("the list does not end")
		return ""
	}
	for _, tt := range []struct {
		v    vars
		want string
	}{
		{vars{"first": 2}, "Acme Pay, Öteki Ödeme, İstanbul Pay, Izmir Pay, Pay Pal"},
		{vars{"first": 1, "name": "pay"}, "Acme Pay, İstanbul Pay, Izmir Pay, Pay Pal"},
		{vars{"name": "ISTANBUL"}, "İstanbul Pay"},
		{vars{"is": false}, "Izmir Pay"},
		{vars{"first": 1, "is": true, "name": "pay"}, "Acme Pay, İstanbul Pay, Pay Pal"},
		{vars{"name": "nobody"}, ""},
	} {
		if got := names(tt.v); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.v, got, tt.want)
		}
	}
	for _, v := range []vars{{"first": 0}, {"first": 201}, {"after": "!"}, {"after": "MDFK"}, {"name": strings.Repeat("a", 192)}} {
		if got := a.as(t, staff.Operator, listProviders, v).code(); got != "INVALID" {
			t.Errorf("%v: got %q", v, got)
		}
	}
}

func TestBadProvidersAndSites(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	fine := vars{"providerId": 1, "dealerId": 1, "name": "S"}
	with := func(change vars) vars {
		v := vars{}
		for k, x := range fine {
			v[k] = x
		}
		for k, x := range change {
			v[k] = x
		}
		return v
	}
	rotation := func(id any, kind string, hours any) vars {
		return vars{"input": vars{"id": id, "credential": kind, "graceHours": hours}}
	}
	for _, tt := range []struct {
		query  string
		v      vars
		fields string
	}{
		{createProvider, vars{"input": vars{"name": " ", "language": "de", "callbackUrl": "ftp://x", "depositCallbackUrl": "x",
			"withdrawalCallbackUrl": "https://u:p@x.test", "creditCardCallbackUrl": "http://", "ipWhitelist": []string{"x"}}},
			"name language callbackUrl depositCallbackUrl withdrawalCallbackUrl creditCardCallbackUrl ipWhitelist"},
		{createSite, vars{"input": with(vars{"providerId": 99, "dealerId": 98, "name": "", "callbackUrl": "x"})}, "providerId dealerId name callbackUrl"},
		{createSite, vars{"input": with(vars{"providerId": "x"})}, "providerId"},
		{updateSite, vars{"input": vars{"id": 1, "dealerId": 99, "name": "", "creditCardCallbackUrl": "x"}}, "dealerId name creditCardCallbackUrl"},
		{rotateProvider, rotation(1, "CREDENTIAL_KEY", 24), "credential"},
		{rotateProvider, rotation(1, "SECRET_KEY", 721), "graceHours"},
		{rotateProvider, rotation(1, "SECRET_KEY", -1), "graceHours"},
		{rotateSite, rotation(1, "SECRET_KEY", 1), "credential"},
		{rotateProvider, rotation("0", "SECRET_KEY", 1), "id"},
	} {
		answer := a.as(t, staff.Admin, tt.query, tt.v)
		var fields []string
		for _, e := range answer.Errors {
			for _, f := range e.Extensions.Fields {
				fields = append(fields, f.Name)
			}
		}
		if answer.code() != "INVALID" || strings.Join(fields, " ") != tt.fields {
			t.Errorf("%v: got %s, want %s", tt.v, answer.Raw, tt.fields)
		}
	}
	for query, v := range map[string]vars{
		updateSite: {"input": vars{"id": 99}}, rotateSite: rotation(99, "CREDENTIAL_KEY", 1), rotateProvider: rotation(99, "API_KEY", 1),
	} {
		if got := a.as(t, staff.Admin, query, v).code(); got != "NOT_FOUND" {
			t.Errorf("%s: got %q", query, got)
		}
	}
}

// TestARotationIsNotRepeatedUnseen: while the old key of the last rotation is taken, another one has to say that it ends.
func TestARotationIsNotRepeatedUnseen(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	rotate := func(v vars) reply {
		v["id"], v["credential"] = 1, "SECRET_KEY"
		return a.as(t, staff.Admin, rotateProvider, vars{"input": v})
	}
	if got := rotate(vars{}).code(); got != "" {
		t.Fatal(got)
	}
	again := rotate(vars{})
	if name, sentence := again.field(); name != "endsGrace" || !strings.Contains(sentence, "still valid") {
		t.Errorf("got %s", again.Raw)
	}
	if got := rotate(vars{"endsGrace": true}).code(); got != "" {
		t.Errorf("with endsGrace: %q", got)
	}
	a.Clock.Advance(24 * time.Hour)
	a.signIn(t)
	if got := rotate(vars{}).code(); got != "" {
		t.Errorf("a day later: %q", got)
	}
	kept, err := a.Store.Provider(t.Context(), 1)
	if err != nil || kept.PreviousSecret.Until != a.Clock.Now().Add(24*time.Hour) {
		t.Errorf("%+v %v", kept.PreviousSecret, err)
	}
}

// TestIssuedCredentialsAreShownOnce: what a payload shows is what is stored, and no read shows it again.
func TestIssuedCredentialsAreShownOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var made struct {
		Provider    struct{ ID string }
		Credentials []issued
	}
	a.as(t, staff.Admin, createProvider, vars{"input": vars{"name": "Once"}}).into(t, "createProvider", &made)
	kept, err := a.Store.Provider(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"api_key": kept.APIKey, "secret_key": kept.SecretKey.Reveal(), "verification_key": kept.VerificationKey.Reveal(),
		"webhook_secret": kept.WebhookSecret.Reveal(),
	}
	if len(made.Credentials) != len(want) {
		t.Errorf("got %+v", made)
	}
	var site struct{ Credentials []issued }
	a.as(t, staff.Admin, createSite, vars{"input": vars{"providerId": 3, "dealerId": 1, "name": "S"}}).into(t, "createSite", &site)
	stored, err := a.Store.SiteByCredential(t.Context(), sign.Fingerprint(site.Credentials[0].Value))
	if err != nil || stored.ProviderID != 3 {
		t.Errorf("%+v %v", stored, err)
	}
	shown := a.as(t, staff.Admin, `{ provider(id: 3) {`+providerFields+`} }`, nil).Raw + a.Logs.String()
	for _, c := range append(made.Credentials, site.Credentials...) {
		if value, ok := want[c.Credential]; ok && value != c.Value {
			t.Errorf("%s is not what is stored", c.Credential)
		}
		if c.Value == "" || strings.Contains(shown, c.Value) {
			t.Errorf("%s is shown or logged again", c.Credential)
		}
	}
	if !json.Valid([]byte(a.as(t, staff.Admin, listProviders, nil).Raw)) {
		t.Error("no JSON")
	}
}
