package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	moveCallbacks = `mutation { updateCallbackUrls(input: {providerId: 1, callbackUrl: "https://new.test/in"}) { provider { callbackUrl } } }`
	addIBAN       = `mutation($account: String!) { createAccount(input: {dealerId: 1, kind: MANUAL, iban: $account, bankName: "B", holder: "H",
		min: "1", max: "9"}) { ibanAccount { iban isActive } } }`
)

// TestWhatIsAnothersIsNotThereForManagers: every new door, with what belongs to the other dealer and the other provider.
func TestWhatIsAnothersIsNotThereForManagers(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	for role, doors := range map[staff.Role]map[string]string{
		staff.DealerManager: {
			`mutation { updateAccount(input: {id: 5, isActive: false}) { ibanAccount { iban } } }`:                                                                             "NOT_FOUND",
			`mutation { createAccount(input: {dealerId: 2, kind: MANUAL, iban: "` + turkish(77) + `", bankName: "B", holder: "H", min: 1, max: 9}) { ibanAccount { iban } } }`: "NOT_FOUND",
			`mutation { updateDealer(input: {id: 1, isActive: false}) { dealer { name } } }`:                                                                                   "FORBIDDEN",
			`mutation { rotateDealerCredential(input: {id: 1, credential: SECRET_KEY}) { dealer { name } } }`:                                                                  "FORBIDDEN",
			`mutation { updateCallbackUrls(input: {siteId: 1, callbackUrl: ""}) { site { name } } }`:                                                                           "FORBIDDEN",
			`mutation { blockCustomer(input: {providerId: 1, userId: "u-1001", reason: "x"}) { customer { userId } } }`:                                                        "FORBIDDEN",
			`{ customer(providerId: 2, userId: "u-theirs-77") { paymentCount } }`:                                                                                              "NOT_FOUND",
			`{ dealer(id: 2) { name } }`:                           "NOT_FOUND",
			`{ provider(id: 1) { name } }`:                         "FORBIDDEN",
			`{ approval(id: "` + w.requests[1] + `") { action } }`: "NOT_FOUND",
		},
		staff.ProviderManager: {
			`{ provider(id: 2) { name } }`:                                        "NOT_FOUND",
			`{ site(id: 2) { name } }`:                                            "NOT_FOUND",
			`{ customer(providerId: 2, userId: "u-theirs-77") { paymentCount } }`: "NOT_FOUND",
			`{ dealer(id: 1) { name } }`:                                          "FORBIDDEN",
			`{ wallets { id } }`:                                                  "FORBIDDEN",
			`{ approvalRules { action } }`:                                        "FORBIDDEN",
			`{ approval(id: "` + w.requests[0] + `") { action } }`:                "NOT_FOUND",
			`mutation { withdrawRequest(input: {id: "` + w.requests[0] + `"}) { approval { action } } }`:                          "NOT_FOUND",
			`mutation { approveRequest(input: {id: "` + w.requests[0] + `"}) { approval { action } } }`:                           "FORBIDDEN",
			`mutation { updateCallbackUrls(input: {siteId: 2, callbackUrl: "https://x.test"}) { site { name } } }`:                "NOT_FOUND",
			`mutation { updateCallbackUrls(input: {providerId: 2, callbackUrl: "https://x.test"}) { provider { name } } }`:        "NOT_FOUND",
			`mutation { updateCallbackUrls(input: {providerId: 1, siteId: 2, callbackUrl: "https://x.test"}) { site { name } } }`: "INVALID",
			`mutation { updateCallbackUrls(input: {callbackUrl: "https://x.test"}) { site { name } } }`:                           "INVALID",
			`mutation { updateCallbackUrls(input: {providerId: 1, callbackUrl: "javascript:alert(1)"}) { provider { name } } }`:   "INVALID",
			`mutation { updateSiteBrand(input: {siteId: 2, displayName: "X"}) { site { name } } }`:                                "NOT_FOUND",
			`mutation { updateSiteBrand(input: {siteId: 1, displayName: "Ziraat  Bankası"}) { site { name } } }`:                  "INVALID",
			`mutation { updateSiteBrand(input: {siteId: 1, termsUrl: "javascript:alert(1)"}) { site { name } } }`:                 "INVALID",
			`mutation { updateSiteBrand(input: {siteId: 1, logo: "PHNjcmlwdD4="}) { site { name } } }`:                            "INVALID",
			`mutation { updateProvider(input: {id: 1, ipWhitelist: []}) { provider { name } } }`:                                  "FORBIDDEN",
			`mutation { updateSite(input: {id: 1, dealerId: 2}) { site { name } } }`:                                              "FORBIDDEN",
			`mutation { rotateProviderCredential(input: {id: 2, credential: SECRET_KEY}) { provider { name } } }`:                 "NOT_FOUND",
			`mutation { rotateSiteCredential(input: {id: 2, credential: CREDENTIAL_KEY}) { site { name } } }`:                     "NOT_FOUND",
			`mutation { rotateDealerCredential(input: {id: 1, credential: API_KEY}) { dealer { name } } }`:                        "FORBIDDEN",
			`mutation { sendTestCallback(input: {providerId: 2, kind: DEPOSIT}) { url } }`:                                        "NOT_FOUND",
			`mutation { sendTestCallback(input: {siteId: 2, kind: DEPOSIT}) { url } }`:                                            "NOT_FOUND",
			`mutation { sendTestCallback(input: {dealerId: 1, kind: DEALER_CARD}) { url } }`:                                      "NOT_FOUND",
			`mutation { blockCustomer(input: {providerId: 2, userId: "u-1001", reason: "x"}) { customer { userId } } }`:           "NOT_FOUND",
			`mutation { unblockCustomer(input: {providerId: 2, userId: "u-theirs-77"}) { customer { userId } } }`:                 "NOT_FOUND",
		},
		staff.ProviderStaff: {
			moveCallbacks: "FORBIDDEN",
			`mutation { updateSiteBrand(input: {siteId: 1, displayName: "X"}) { site { name } } }`:                      "FORBIDDEN",
			`mutation { rotateProviderCredential(input: {id: 1, credential: SECRET_KEY}) { provider { name } } }`:       "FORBIDDEN",
			`mutation { blockCustomer(input: {providerId: 1, userId: "u-1001", reason: "x"}) { customer { userId } } }`: "FORBIDDEN",
			`{ approvals { nodes { action } } }`: "FORBIDDEN",
		},
		staff.DealerStaff: {
			`mutation { updateAccount(input: {id: 1, isActive: false}) { ibanAccount { iban } } }`: "FORBIDDEN",
		},
	} {
		for query, want := range doors {
			if got := w.as(t, role, query, nil); got.code() != want {
				t.Errorf("%s as %s: got %s, want %s", query, role, got.Raw, want)
			}
		}
	}
	for query, want := range map[string]string{
		`{ providers { nodes { name sites { name dealerId } } } }`:                            `{"data":{"providers":{"nodes":[{"name":"Acme Pay","sites":[{"name":"Acme Pay Site","dealerId":null}]}]}}}`,
		`{ blockedCustomers(filter: {providerId: 2}) { nodes { userId } } }`:                  `{"data":{"blockedCustomers":{"nodes":[]}}}`,
		`{ customers(filter: {text: "zeliha", providerId: 2}) { nodes { userId } hasMore } }`: `{"data":{"customers":{"nodes":[],"hasMore":false}}}`,
		`{ approvals(filter: {isOwn: false}) { nodes { action } } }`:                          `{"data":{"approvals":{"nodes":[]}}}`,
		`{ approvals { nodes { action } pageInfo { hasNextPage } } }`:                         `{"data":{"approvals":{"nodes":[],"pageInfo":{"hasNextPage":false}}}}`,
		`{ providers(filter: {name: "Öteki"}) { nodes { name } pageInfo { hasNextPage } } }`:  `{"data":{"providers":{"nodes":[],"pageInfo":{"hasNextPage":false}}}}`,
	} {
		if got := w.as(t, staff.ProviderManager, query, nil); got.Raw != want {
			t.Errorf("%s: got %s, want %s", query, got.Raw, want)
		}
	}
}

// TestStatisticsHideWhoWorksForAProvider: neither a dimension nor a filter says it, nor does a file of them.
func TestStatisticsHideWhoWorksForAProvider(t *testing.T) {
	t.Parallel()
	w := newTenants(t)
	const day = `from: "2026-03-02T00:00:00Z", until: "2026-03-03T00:00:00Z"`
	for _, role := range []staff.Role{staff.ProviderStaff, staff.ProviderManager} {
		for arguments, want := range map[string]string{
			`by: [DEALER], `: "FORBIDDEN", `by: [METHOD, GATEWAY], `: "FORBIDDEN", `filter: {dealerId: 1}, `: "FORBIDDEN", `filter: {gatewayId: 1}, `: "FORBIDDEN",
			`by: [PROVIDER, METHOD, STATUS], `: "", `filter: {providerId: [1, 2]}, by: [PROVIDER], `: "",
		} {
			got := w.as(t, role, `{ statistics(`+arguments+day+`) { rows { count requestedAmount provider { name } } } }`, nil)
			if got.code() != want || strings.Contains(got.Raw, w.OtherProvider.Name) || strings.Contains(got.Raw, "76543") {
				t.Errorf("%s as %s: got %s, want %q", arguments, role, got.Raw, want)
			}
		}
		export := `mutation { exportList(input: {list: STATISTICS, format: CSV, ` + day + `, statistics: {dealerId: 1}}) { job { status } } }`
		if got := w.as(t, role, export, nil); got.code() != "FORBIDDEN" {
			t.Errorf("a file as %s: got %s", role, got.Raw)
		}
	}
}

// TestWhereCallbacksGoTakesTheHouse, where the rule is on: the provider's manager asks, a colleague of the provider's neither sees nor
// decides it, and an admin does. What the request says is the URLs alone.
func TestWhereCallbacksGoTakesTheHouse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setRule(t, core.GuardCallbackURL, true)
	colleague := a.session(t, a.employ(t, staff.Staff{Email: "second@vezne.test", Role: staff.ProviderManager, ProviderID: a.Provider.ID}))
	got := a.as(t, staff.ProviderManager, moveCallbacks, nil)
	id := waits(t, got)
	if p, err := a.Store.Provider(t.Context(), a.Provider.ID); err != nil || p.URLs != a.Provider.URLs {
		t.Fatalf("they go to %+v already (%v)", p.URLs, err)
	}
	const look = `query($id: ID!) { approval(id: $id) { action isOwn isForYou status before after decidedBy { name } changes { field before after } } }`
	own := a.as(t, staff.ProviderManager, look, vars{"id": id})
	if own.code() != "" || !strings.Contains(own.Raw, "new.test") || strings.Contains(own.Raw, "ipWhitelist") || strings.Contains(own.Raw, "dealer") {
		t.Errorf("who asked is shown %s", own.Raw)
	}
	for _, query := range []string{
		look, `mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`,
		`mutation($id: ID!) { refuseRequest(input: {id: $id}) { approval { status } } }`,
		`mutation($id: ID!) { withdrawRequest(input: {id: $id}) { approval { status } } }`,
	} {
		if got := a.send(t, request(t, colleague, query, vars{"id": id})).code(); got != "NOT_FOUND" && got != "FORBIDDEN" {
			t.Errorf("a colleague of the provider's: %s: got %q", query, got)
		}
	}
	if got := a.as(t, staff.Admin, `mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`, vars{"id": id}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if p, err := a.Store.Provider(t.Context(), a.Provider.ID); err != nil || p.URLs.Deposit != "https://new.test/in" || p.URLs.Withdrawal != a.Provider.URLs.Withdrawal {
		t.Errorf("they go to %+v (%v)", p.URLs, err)
	}
	if got := a.as(t, staff.ProviderManager, look, vars{"id": id}).Raw; strings.Contains(got, a.Admin.Email) || !strings.Contains(got, "APPROVED") {
		t.Errorf("who approved is shown to the provider: %s", got)
	}
}

// TestAny2xxTakesTheHouse, where the rule is on, whoever asks and by whichever mutation: it can have the loss of callbacks pass for their
// delivery. Back to 200 alone nobody has to wait for.
func TestAny2xxTakesTheHouse(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setRule(t, core.GuardCallbackURL, true)
	second := a.session(t, a.employ(t, staff.Staff{Email: "second@vezne.test", Role: staff.Admin}))
	for mutation, role := range map[string]staff.Role{
		`updateCallbackUrls(input: {providerId: 1, callbackAcknowledgement: %s}) { provider { callbackAcknowledgement } }`: staff.ProviderManager,
		`updateProvider(input: {id: 1, callbackAcknowledgement: %s}) { provider { callbackAcknowledgement } }`:             staff.Admin,
		`updateDealer(input: {id: 1, callbackAcknowledgement: %s}) { dealer { callbackAcknowledgement } }`:                 staff.Admin,
	} {
		any2xx, only200 := `mutation { `+fmt.Sprintf(mutation, "ANY_2XX")+` }`, `mutation { `+fmt.Sprintf(mutation, "STATUS_200")+` }`
		if got := a.as(t, role, only200, nil); got.code() != "" || !strings.Contains(got.Raw, "STATUS_200") {
			t.Errorf("as it was: %s", got.Raw)
		}
		id := waits(t, a.as(t, role, any2xx, nil))
		look := a.as(t, role, `query($id: ID!) { approval(id: $id) { changes { field enum before after } } }`, vars{"id": id})
		if !strings.Contains(look.Raw, `"enum":"CallbackAcknowledgement","before":"STATUS_200","after":"ANY_2XX"`) {
			t.Errorf("who asked is shown %s", look.Raw)
		}
		if got := a.send(t, request(t, second, approveIt, vars{"id": id})); got.code() != "" {
			t.Fatal(got.Raw)
		}
		for _, free := range []string{any2xx, only200} { // as it is now, and back
			if got := a.as(t, role, free, nil); got.code() != "" {
				t.Errorf("%s: %s", free, got.Raw)
			}
		}
	}
	if got := a.as(t, staff.ProviderManager, `mutation { updateCallbackUrls(input: {siteId: 1, callbackAcknowledgement: ANY_2XX}) { site { id } } }`, nil); got.code() != "INVALID" {
		t.Errorf("of a site: %s", got.Raw)
	}
}

// TestADemotedManagerHasNothingLeft: what waits of them is not carried out, and they neither see nor fetch it elsewhere.
func TestADemotedManagerHasNothingLeft(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setRule(t, core.GuardCallbackURL, true)
	id := waits(t, a.as(t, staff.ProviderManager, moveCallbacks, nil))
	m, err := a.Store.StaffByID(t.Context(), a.ProviderManager.ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*staff.Staff){
		"demoted":   func(s *staff.Staff) { s.Role = staff.ProviderStaff },
		"elsewhere": func(s *staff.Staff) { s.Role, s.ProviderID = staff.ProviderManager, a.OtherProvider.ID },
	} {
		change(&m)
		m.Version++
		if err := a.Store.Commit(t.Context(), core.Changeset{m}); err != nil {
			t.Fatal(err)
		}
		token := a.session(t, m)
		if got := a.send(t, request(t, token, `query($id: ID!) { approval(id: $id) { action } }`, vars{"id": id})).code(); got != "FORBIDDEN" && got != "NOT_FOUND" {
			t.Errorf("%s: the request is shown: %q", name, got)
		}
		if got := a.send(t, request(t, token, moveCallbacks, nil)).code(); got != "FORBIDDEN" && got != "NOT_FOUND" {
			t.Errorf("%s: got %q", name, got)
		}
		if got := a.as(t, staff.Admin, `mutation($id: ID!) { approveRequest(input: {id: $id}) { approval { status } } }`, vars{"id": id}).code(); got != "APPROVAL_STALE" {
			t.Errorf("%s: approving is answered %q", name, got)
		}
	}
}

// TestADealersManagerKeepsAccounts: the switch is theirs; a new account, and what one is called or limited to, takes the house, with
// all rules off, and nobody of the dealer's is that second person. So does switching on what the house has switched off.
func TestADealersManagerKeepsAccounts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	second := a.session(t, a.employ(t, staff.Staff{Email: "second@vezne.test", Role: staff.DealerManager, DealerID: a.Dealer.ID}))
	update := func(change string) string {
		return fmt.Sprintf(`mutation { updateAccount(input: {id: %d, %s}) { ibanAccount { isActive } } }`, a.Accounts[0].ID, change)
	}
	for _, isActive := range []bool{false, true} {
		got := a.as(t, staff.DealerManager, update(fmt.Sprintf("isActive: %t", isActive)), nil)
		if want := fmt.Sprintf(`{"data":{"updateAccount":{"ibanAccount":{"isActive":%t}}}}`, isActive); got.Raw != want {
			t.Errorf("switched %t: got %s", isActive, got.Raw)
		}
	}
	if got := a.as(t, staff.Admin, update("isActive: false"), nil); got.code() != "" {
		t.Fatal(got.Raw)
	}
	a.as(t, staff.DealerManager, update("isActive: false"), nil) // it stays the house's
	asked := []string{
		waits(t, a.as(t, staff.DealerManager, addIBAN, vars{"account": turkish(4711)})),
		waits(t, a.as(t, staff.DealerManager, update("isActive: true"), nil)),
	}
	for _, change := range []string{`holder: "Another"`, `bankName: "Another"`, `max: "999999"`, `dailyCount: 99999`, `isActive: true, dailyLimit: "99999"`} {
		asked = append(asked, waits(t, a.as(t, staff.DealerManager, update(change), nil)))
	}
	approve := func(id string) string {
		return `mutation { approveRequest(input: {id: "` + id + `"}) { approval { status } } }`
	}
	for _, id := range asked {
		if got := a.send(t, request(t, second, approve(id), nil)).code(); got != "FORBIDDEN" {
			t.Errorf("a colleague of the dealer's approves: got %q", got)
		}
	}
	if got := a.as(t, staff.Operator, approve(asked[0]), nil); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if got := a.as(t, staff.Operator, approve(asked[1]), nil); got.code() != "" {
		t.Fatal(got.Raw)
	}
	for _, isActive := range []bool{false, true} { // given back, it is the dealer's again
		if got := a.as(t, staff.DealerManager, update(fmt.Sprintf("isActive: %t", isActive)), nil); got.code() != "" {
			t.Errorf("switched %t once the house has agreed: got %s", isActive, got.Raw)
		}
	}
	list := a.as(t, staff.DealerManager, `{ dealers { nodes { id accounts { iban } } } }`, nil).Raw
	if !strings.Contains(list, turkish(4711)) || strings.Contains(list, `"id":"2"`) {
		t.Errorf("the accounts are %s", list)
	}
}

// TestAProviderBlocksItsOwnCustomers, in its own name, and lets none in again whom the house keeps out, of whom it learns no reason.
func TestAProviderBlocksItsOwnCustomers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const list = `{ blockedCustomers { nodes { userId reason blockedBy { kind name } } } }`
	const theirs = `mutation { unblockCustomer(input: {providerId: 1, userId: "bad"}) { customer { userId } } }`
	for _, query := range []string{
		`mutation { blockCustomer(input: {providerId: 1, userId: "own", reason: "rude"}) { customer { block { reason } } } }`,
	} {
		if got := a.as(t, staff.ProviderManager, query, nil); got.code() != "" || !strings.Contains(got.Raw, "rude") {
			t.Fatalf("%s: got %s", query, got.Raw)
		}
	}
	a.as(t, staff.Operator, `mutation { blockCustomer(input: {providerId: 1, userId: "bad", reason: "police file 7"}) { customer { userId } } }`, nil)
	got := a.as(t, staff.ProviderManager, list, nil).Raw
	want := `{"data":{"blockedCustomers":{"nodes":[{"userId":"own","reason":"rude","blockedBy":{"kind":"PROVIDER","name":"provider.manager@vezne.test"}},` +
		`{"userId":"bad","reason":null,"blockedBy":{"kind":"STAFF","name":null}}]}}}`
	if got != want {
		t.Errorf("the provider sees %s, want %s", got, want)
	}
	if got := a.as(t, staff.DealerManager, list, nil).Raw; got != `{"data":{"blockedCustomers":{"nodes":[]}}}` {
		t.Errorf("a dealer sees %s", got)
	}
	if got := a.as(t, staff.ProviderManager, theirs, nil).code(); got != "FORBIDDEN" {
		t.Errorf("whom the house blocked: got %q", got)
	}
	if got := a.as(t, staff.ProviderManager, strings.ReplaceAll(theirs, "bad", "own"), nil); got.code() != "" {
		t.Errorf("whom the provider blocked: got %s", got.Raw)
	}
	if got := a.as(t, staff.Operator, list, nil).Raw; !strings.Contains(got, "police file 7") || strings.Contains(got, "own") {
		t.Errorf("the house sees %s", got)
	}
}

// TestADealerSeesWhatItsCustomersDidWithIt, and nothing of what they did elsewhere, nor that they are blocked.
func TestADealerSeesWhatItsCustomersDidWithIt(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	both := a.OtherSite
	both.ProviderID = a.Provider.ID
	both.ID, both.Version = 77, 1
	both.CredentialFingerprint += "x"
	if err := a.Store.Commit(t.Context(), core.Changeset{both}); err != nil {
		t.Fatal(err)
	}
	a.start(t, payment.ManualDeposit)
	elsewhere := a.Start(t, payment.Request{
		Method: payment.ManualDeposit, Amount: lira(7777700), Provider: a.Provider, Site: both,
		Customer: owner.Customer{UserID: "u-1001", Username: "another.name", Fullname: "Başka Ad"},
	})
	a.as(t, staff.Operator, `mutation { blockCustomer(input: {providerId: 1, userId: "u-1001", reason: "why"}) { customer { userId } } }`, nil)
	const query = `{ customer(providerId: 1, userId: "u-1001") { paymentCount block { reason } names { fullname } totals { count amount }
		transactions { nodes { trackingCode } } } customers(filter: {text: "u-1001"}) { nodes { fullname } } }`
	got := a.as(t, staff.DealerStaff, query, nil)
	for _, hidden := range []string{"Başka", "another", "77777", elsewhere.TrackingCode, "why"} {
		if strings.Contains(got.Raw, hidden) {
			t.Errorf("a dealer is shown %s in %s", hidden, got.Raw)
		}
	}
	if got.code() != "" || !strings.Contains(got.Raw, `"paymentCount":1,"block":null`) {
		t.Errorf("a dealer is shown %s", got.Raw)
	}
	if got := a.as(t, staff.ProviderStaff, query, nil); !strings.Contains(got.Raw, `"paymentCount":2,"block":{"reason":null}`) {
		t.Errorf("the provider is shown %s", got.Raw)
	}
}

// TestACallbackIsShownAsItIsSent, without what proves whose it is.
func TestACallbackIsShownAsItIsSent(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := undelivered(a, t)
	got := a.as(t, staff.ProviderStaff, `query($code: String!) { transaction(trackingCode: $code) { callbacks { body } } }`, vars{"code": p.TrackingCode})
	if got.code() != "" || !strings.Contains(got.Raw, `\"tracking_code\":\"`+p.TrackingCode) || !strings.Contains(got.Raw, `\"hash\":\"\"`) {
		t.Errorf("got %s", got.Raw)
	}
	for _, secret := range []string{a.Provider.APIKey, a.Provider.SecretKey.Reveal(), a.Provider.WebhookSecret.Reveal()} {
		if strings.Contains(got.Raw, secret) {
			t.Error("it shows a key")
		}
	}
}
