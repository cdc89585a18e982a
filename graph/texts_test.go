package graph_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/core/coretest/texttest"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// TestTextsOfStaffShowWhatTheyAre: what staff write, and others read, is kept without what nobody sees in it, and what turns a text is
// refused. Each door has its text as $text.
func TestTextsOfStaffShowWhatTheyAre(t *testing.T) {
	t.Parallel()
	hidden := "Ab" + strings.Join(texttest.Hidden, "") + "cd"
	for name, door := range map[string]struct {
		document string
		isExact  bool
	}{
		"site":        {document: `createSite(input: {providerId: 1, dealerId: 1, name: $text}) { site { name } }`},
		"provider":    {document: `createProvider(input: {name: $text}) { provider { name } }`},
		"dealer":      {document: `createDealer(input: {name: $text}) { dealer { name } }`},
		"site token":  {document: `createSiteToken(input: {dealerId: 1, name: $text}) { siteToken { name } }`},
		"bank":        {document: `updateAccount(input: {id: 1, bankName: $text}) { ibanAccount { bankName } }`},
		"holder":      {document: `updateAccount(input: {id: 1, holder: $text}) { ibanAccount { holder } }`},
		"brand":       {document: `updateSiteBrand(input: {siteId: 1, displayName: $text}) { site { brand { displayName } } }`},
		"way back":    {document: `updateSiteBrand(input: {siteId: 1, returnLabel: $text}) { site { brand { returnLabel } } }`},
		"own brand":   {document: `updateDealer(input: {id: 1, brand: {displayName: $text}}) { dealer { brand { displayName } } }`},
		"gateway":     {document: `updateGatewayAccount(input: {id: 1, name: $text}) { gatewayAccount { name } }`},
		"description": {document: `updateGatewayAccount(input: {id: 1, description: $text}) { gatewayAccount { description } }`},
		"profile":     {document: `updateMyProfile(input: {name: $text}) { staffMember { profile { name } } }`},
		"view":        {document: `createSavedView(input: {list: JOBS, name: $text, filter: "{}", sharing: PRIVATE}) { savedView { name } }`},
		"route":       {document: `saveRouteRule(input: {name: $text, gatewayId: 1}) { routeRule { name } }`},
		"note":        {document: `addNote(input: {trackingCode: $code, text: $text}) { transaction { notes { text } } }`},
		"block":       {document: `blockCustomer(input: {providerId: 1, userId: "u-9", reason: $text}) { customer { block { reason } } }`},
		"customer":    {document: `blockCustomer(input: {providerId: 1, userId: $text, reason: "seen"}) { customer { userId } }`, isExact: true},
		"invitation":  {document: `inviteStaff(input: {email: $mail, role: VIEWER}) { invitation { email } }`, isExact: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			code := a.StartDeposit(t, payment.ManualDeposit, lira(25000)).TrackingCode
			ask := func(text string) reply {
				declared, v := "", vars{}
				for variable, value := range map[string]string{"code": code, "text": text, "mail": text + "@vezne.test"} {
					if strings.Contains(door.document, "$"+variable) {
						declared += " $" + variable + ": String!"
						v[variable] = value
					}
				}
				return a.as(t, staff.Admin, "mutation("+declared+") { "+door.document+" }", v)
			}
			got := ask(hidden)
			switch isRefused := got.code() == "INVALID"; {
			case door.isExact && !isRefused, !door.isExact && !strings.Contains(got.Raw, `"Abcd"`):
				t.Errorf("got %s", got.Raw)
			}
			for _, c := range []string{"\u202E", "\u2067", "\x1b"} {
				if got := ask("Ab" + c + "cd"); got.code() != "INVALID" {
					t.Errorf("%+q: got %s", c, got.Raw)
				}
			}
		})
	}
}
