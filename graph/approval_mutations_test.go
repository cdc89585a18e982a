package graph_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// guarded says of every mutation what guards it, or why it needs none.
var guarded = map[string]string{
	"claimWithdrawal": "withdrawal", "completeWithdrawal": "withdrawal", "approvePayout": "withdrawal", "confirmPayout": "withdrawal",
	"approveHeldDeposit": "credit", "declineHeldDeposit": "no money moves",
	"resolveDiscrepancy": "completion", "refundTransaction": "refund", "refundDiscrepancy": "refund", "acceptDispute": "refund", "recordDispute": "correction",
	"createAccount": "iban", "createWallet": "iban", "adjustDifference": "wallet_adjustment",
	"createProvider": "keys", "rotateProviderCredential": "keys", "createSite": "keys", "rotateSiteCredential": "keys",
	"createDealer": "keys", "rotateDealerCredential": "keys", "createSiteToken": "keys", "rotateSiteTokenCredential": "keys",
	"createGatewayAccount": "keys", "saveRouteRule": "routing", "setApprovalRule": "rules", "inviteStaff": "staff", "thaw": "thaw", "acknowledgeRemains": "no money moves",

	"correctCredit": "correction", "failPayout": "no money moves", "cancelRefund": "no money moves",

	"login": "it signs in", "addNote": "no money moves", "submitDisputeEvidence": "no money moves", "decideMany": "each of its decisions is", "approveDeposit": "credit",
	"rejectDeposit": "no money moves", "releaseWithdrawal": "it is a lock",
	"rejectWithdrawal": "no money moves", "failWithdrawal": "no money moves", "cancelWithdrawal": "no money moves",
	"rejectPayout": "no money moves", "cancelPayout": "no money moves", "testGatewayAccount": "nothing changes",
	"setAsideBankLine":  "no money moves",
	"bringBackBankLine": "no money moves", "reconcileDay": "it compares", "explainDifference": "it explains",
	"creditBankLine":   "credit",
	"sendTestCallback": "it is a test", "blockCustomer": "no money moves", "unblockCustomer": "no money moves",
	"updateProvider": "only its URLs, addresses and signatures, and switching it and its cards on", "updateSite": "only its URLs, its dealer, and switching it on",
	"updateCallbackUrls": "what really changes is", "updateSiteBrand": "what it says to customers is",
	"updateDealer":    "only its name, its URLs, addresses and demands, and switching it and its methods on",
	"updateSiteToken": "only its signatures, and switching it on", "updateAccount": "only its limits, and switching it on",
	"updateGatewayAccount": "only its configuration, limits, priority and weight, and switching it on",
	"setWalletActive":      "only switching it on",
	"approveRequest":       "it is the second person", "refuseRequest": "it is the second person",
	"withdrawRequest": "nothing happens", "takeApprovalResult": "it was approved",

	"loginWithCode": "it signs in", "beginPasskeyLogin": "it signs in", "loginWithPasskey": "it signs in",
	"acceptInvitation": "the invitation was guarded", "logout": "it signs out", "stepUp": "it proves",
	"beginPasskeyStepUp": "it proves", "beginTotp": "it is one's own", "confirmTotp": "it is one's own",
	"removeTotp": "it is one's own", "newRecoveryCodes": "it is one's own", "beginPasskey": "it is one's own",
	"finishPasskey": "it is one's own", "renamePasskey": "it is one's own", "removePasskey": "it is one's own",
	"changePassword": "it is one's own", "revokeSession": "it takes rights away", "revokeOtherSessions": "it takes rights away",
	"revokeInvitation": "it takes rights away", "revokeStaffSessions": "it takes rights away",
	"unlockStaff": "whoever signs in has to prove the same", "updateStaff": "only rights, switching on, and switching an admin off",
	"resetStaffFactors": "only where there are any",

	"updateMyProfile": "it is one's own", "createSavedView": "it filters a list", "updateSavedView": "it filters a list",
	"removeSavedView": "it filters a list",

	"resendCallback": "no money moves", "resendCallbacks": "no money moves", "startExport": "it reads", "exportList": "it reads",
	"cancelJob": "nothing happens", "exportDownload": "it reads",
}

// partly are mutations of which a part is guarded.
var partly = map[string]string{
	`updateProvider(input: {id: 1, callbackUrl: "https://new.test/in"}) { provider { name } }`:                        "callback_url",
	`updateProvider(input: {id: 1, ipWhitelist: ["192.0.2.0/24"]}) { provider { name } }`:                             "callback_url",
	`updateCallbackUrls(input: {siteId: 2, callbackUrl: "https://new.test/in"}) { site { name } }`:                    "callback_url",
	`updateCallbackUrls(input: {providerId: 1, withdrawalCallbackUrl: "https://new.test/out"}) { provider { name } }`: "callback_url",
	`updateSiteBrand(input: {siteId: 2, supportPhone: "+90 212 000 00 00"}) { site { name } }`:                        "callback_url",
	`updateSite(input: {id: 1, dealerId: 2}) { site { name } }`:                                                       "routing",
	`updateDealer(input: {id: 1, name: "Another"}) { dealer { name } }`:                                               "routing",
	`updateDealer(input: {id: 2, isCreditCardEnabled: true}) { dealer { name } }`:                                     "routing",
	`updateGatewayAccount(input: {id: 1, priority: 7}) { gatewayAccount { code } }`:                                   "routing",
	`updateGatewayAccount(input: {id: 1, weight: 7}) { gatewayAccount { code } }`:                                     "routing",
	`updateSite(input: {id: 1, callbackUrl: "https://new.test/in"}) { site { name } }`:                                "callback_url",
	`updateSite(input: {id: 1, returnOrigins: ["https://new.test"]}) { site { name } }`:                               "callback_url",
	`updateDealer(input: {id: 1, homeUrl: "https://new.test"}) { dealer { name } }`:                                   "callback_url",
	`updateDealer(input: {id: 1, brand: {supportPhone: "+90 212 000 00 00"}}) { dealer { name } }`:                    "callback_url",
	`updateDealer(input: {id: 1, ipWhitelist: ["192.0.2.0/24"]}) { dealer { name } }`:                                 "callback_url",
	`updateDealer(input: {id: 1, handCreditMax: "77"}) { dealer { name } }`:                                           "limits",
	`updateAccount(input: {id: 1, max: "77"}) { ibanAccount { iban } }`:                                               "limits",
	`updateGatewayAccount(input: {id: 1, approvalFrom: "99999"}) { gatewayAccount { code } }`:                         "limits",
	`updateGatewayAccount(input: {id: 1, config: [{name: "api_key", value: "new"}]}) { gatewayAccount { code } }`:     "keys",
	`updateStaff(input: {id: 3, role: ADMIN}) { staffMember { role } }`:                                               "staff",
	`updateStaff(input: {id: 3, role: DEALER, dealerId: 1}) { staffMember { role } }`:                                 "staff",
}

// TestNoMutationGoesRoundIt: with all rules on, every mutation of the schema either waits for a second person, for the
// right reason, or is listed with why it needs none. A new mutation fails here until somebody has thought about it.
func TestNoMutationGoesRoundIt(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	withSiteToken(a, t) // has the id that the matrix names: what waits takes a number too
	a.allRules(t)
	for operation := range rootFields() {
		mutation, isMutation := strings.CutPrefix(operation, "mutation ")
		if !isMutation {
			continue
		}
		why, isKnown := guarded[mutation]
		if !isKnown {
			t.Errorf("%s: is it guarded? Say so here", mutation)
			continue
		}
		o, isOther := claimedBefore[mutation]
		if !isOther {
			o = wholeMatrix()[operation]
		}
		s := o.about(a, t)
		got := a.as(t, staff.Admin, o.query, a.varsOf(s, o.query))
		if o.ends {
			a.signIn(t)
		}
		if strings.Contains(why, " ") {
			if got.code() == "APPROVAL_NEEDED" {
				t.Errorf("%s waits, although %s", mutation, why)
			}
			continue
		}
		a.wantGuard(t, mutation, why, got)
	}
	for mutation, why := range partly {
		a.wantGuard(t, mutation, why, a.as(t, staff.Admin, `mutation { `+mutation+` }`, nil))
	}
}

// claimedBefore are the decisions about withdrawals that the admin had claimed before there was any rule.
var claimedBefore = map[string]row{
	"completeWithdrawal": decisionRow("completeWithdrawal", claimedByAdmin),
	"releaseWithdrawal":  decisionRow("releaseWithdrawal", claimedByAdmin),
	"failWithdrawal":     decisionRow("failWithdrawal", claimedByAdmin),
}

func claimedByAdmin(a *api, t *testing.T) subject {
	return subject{Payment: a.claimedBefore(t, a.Admin)}
}

// claimedBefore is a withdrawal that somebody had claimed before there was any rule.
func (a *api) claimedBefore(t *testing.T, by staff.Staff) payment.Payment {
	t.Helper()
	p := a.start(t, payment.ManualWithdrawal)
	p.Version++
	p.Status, p.Claim = payment.Processing, payment.Claim{StaffID: by.ID, Name: by.Email, Until: a.Clock.Now().Add(time.Minute)}
	if err := a.Store.Commit(t.Context(), core.Changeset{p}); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSwitchingOnWaitsAndSwitchingOffDoesNot: of everything that takes payments or calls.
func TestSwitchingOnWaitsAndSwitchingOffDoesNot(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	withSiteToken(a, t)
	a.allRules(t)
	for mutation, why := range map[string]string{
		`updateProvider(input: {id: 2, isActive: %t}) { provider { name } }`:                                    "routing",
		`updateProvider(input: {id: 1, isCreditCardEnabled: %t}) { provider { name } }`:                         "routing",
		`updateSite(input: {id: 2, isActive: %t}) { site { name } }`:                                            "routing",
		`updateDealer(input: {id: 2, isActive: %t}) { dealer { name } }`:                                        "routing",
		`updateDealer(input: {id: 1, isEibanEnabled: %t}) { dealer { name } }`:                                  "routing",
		`updateDealer(input: {id: 1, isManualIbanEnabled: %t}) { dealer { name } }`:                             "routing",
		`updateDealer(input: {id: 1, isCreditCardEnabled: %t}) { dealer { name } }`:                             "routing",
		`updateSiteToken(input: {id: 1, isActive: %t}) { siteToken { name } }`:                                  "keys",
		`updateGatewayAccount(input: {id: 2, isEnabled: %t}) { gatewayAccount { code } }`:                       "routing",
		`updateAccount(input: {id: 1, isActive: %t}) { ibanAccount { iban } }`:                                  "iban",
		`setWalletActive(input: {walletId: "` + a.Wallet.WalletID + `", isActive: %t}) { wallet { isActive } }`: "iban",
		`updateStaff(input: {id: 3, isActive: %t}) { staffMember { role } }`:                                    "staff",
	} {
		if got := a.as(t, staff.Admin, `mutation { `+fmt.Sprintf(mutation, false)+` }`, nil); got.code() != "" {
			t.Errorf("switching off: %s: %s", mutation, got.Raw)
		}
		a.wantGuard(t, mutation, why, a.as(t, staff.Admin, `mutation { `+fmt.Sprintf(mutation, true)+` }`, nil))
	}
}

// TestDemandingLessOfRequestsWaitsAndDemandingMoreDoesNot: whoever asked for it may call with less than before, as with another
// key.
func TestDemandingLessOfRequestsWaitsAndDemandingMoreDoesNot(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	withSiteToken(a, t)
	a.allRules(t)
	for mutation, is := range map[string][2]string{
		`updateProvider(input: {id: 1, signatureMode: %s}) { provider { signatureMode } }`:             {"REQUIRED", "ACCEPTED"},
		`updateDealer(input: {id: 1, signatureMode: %s}) { dealer { signatureMode } }`:                 {"REQUIRED", "ACCEPTED"},
		`updateDealer(input: {id: 2, isIdempotencyRequired: %s}) { dealer { isIdempotencyRequired } }`: {"true", "false"},
		`updateSiteToken(input: {id: 1, signatureMode: %s}) { siteToken { signatureMode } }`:           {"REQUIRED", "ACCEPTED"},
	} {
		more, less := `mutation { `+fmt.Sprintf(mutation, is[0])+` }`, `mutation { `+fmt.Sprintf(mutation, is[1])+` }`
		for _, same := range []string{less, more, more} { // as it was, more, and as it is now
			if got := a.as(t, staff.Admin, same, nil); got.code() != "" {
				t.Errorf("%s: %s", same, got.Raw)
			} else if same == more && !strings.Contains(got.Raw, is[0]) {
				t.Errorf("%s: %s", same, got.Raw)
			}
		}
		a.wantGuard(t, mutation, "keys", a.as(t, staff.Admin, less, nil))
	}
}

const refundSome = `mutation($code: String!) { refundTransaction(input: {trackingCode: $code, amount: "100.00"}) { transaction { status } } }`

// TestRefundsAreNotSplit: neither over one payment, nor over payments, nor over people. What a second person approved is not
// counted.
func TestRefundsAreNotSplit(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardRefund, 10000)
	one, other := vars{"code": paidCard(a, t).TrackingCode}, vars{"code": paidCard(a, t).TrackingCode}
	if got := a.as(t, staff.Finance, refundSome, one); got.code() != "" {
		t.Fatal(got.Raw)
	}
	id := waits(t, a.as(t, staff.Finance, refundSome, one))                  // the payment's second hundred
	waits(t, a.as(t, staff.Finance, refundSome, other))                      // the person's second hundred of the day
	waits(t, a.as(t, staff.Operator, refundSome, one))                       // the payment's second hundred, by another person
	if got := a.as(t, staff.Operator, refundSome, other); got.code() != "" { // whose first it is, and the payment's
		t.Errorf("somebody else's first: %s", got.Raw)
	}
	if got := a.as(t, staff.Admin, approveIt, vars{"id": id}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	a.Clock.Advance(24 * time.Hour)
	a.signIn(t)
	third := vars{"code": paidCard(a, t).TrackingCode}
	if got := a.as(t, staff.Finance, refundSome, third); got.code() != "" {
		t.Errorf("the next day's first: %s", got.Raw)
	}
}

// TestRefundsAreNotSplitOverWindows: of many at one moment, as many pass alone as one after the other would.
func TestRefundsAreNotSplitOverWindows(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardRefund, 20000)
	var group sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]int{}
	for range 6 {
		code := paidCard(a, t).TrackingCode
		for range 2 {
			group.Go(func() {
				got := a.as(t, staff.Finance, refundSome, vars{"code": code}).code()
				mu.Lock()
				defer mu.Unlock()
				codes[got]++
			})
		}
	}
	group.Wait()
	if codes[""] != 2 || codes["APPROVAL_NEEDED"] != 10 {
		t.Errorf("of twelve refunds of 100.00 under 200.00: %v", codes)
	}
}

// TestNobodyWaitsForNobody: with one admin, what only admins may do is refused at once.
func TestNobodyWaitsForNobody(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const set = `mutation($on: Boolean!) { setApprovalRule(input: {action: LIMITS, isOn: $on}) { approvalRule { isOn } } }`
	if got := a.as(t, staff.Admin, set, vars{"on": true}); got.code() != "" {
		t.Fatal(got.Raw)
	}
	if got := a.as(t, staff.Admin, set, vars{"on": false}); got.code() != "NO_SECOND_PERSON" {
		t.Errorf("alone: %s", got.Raw)
	}
	if got := a.as(t, staff.Admin, `{ approvals { nodes { id } } }`, nil).Raw; got != `{"data":{"approvals":{"nodes":[]}}}` {
		t.Errorf("there waits %s", got)
	}
	a.colleague(t, staff.Admin)
	waits(t, a.as(t, staff.Admin, set, vars{"on": false}))
}

func (a *api) wantGuard(t *testing.T, mutation, why string, got reply) {
	t.Helper()
	if got.code() != "APPROVAL_NEEDED" {
		t.Errorf("%s does not wait: %s", mutation, got.Raw)
		return
	}
	request, err := a.Store.Approval(t.Context(), core.ID(waits(t, got)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range request.Guards {
		if string(g.Action) == why {
			return
		}
	}
	t.Errorf("%s waits for %+v, want %s", mutation, request.Guards, why)
}

// TestEveryGuardedMutationRunsWhenItIsApproved: what waits is what is done, as if nobody had had to approve it.
func TestEveryGuardedMutationRunsWhenItIsApproved(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.allRules(t)
	second := a.colleague(t, staff.Admin)
	token := a.session(t, second)
	for mutation := range partly {
		id := waits(t, a.as(t, staff.Admin, `mutation { `+mutation+` }`, nil))
		if got := a.send(t, request(t, token, approveIt, vars{"id": id})); got.code() != "" {
			t.Errorf("%s: %s", mutation, got.Raw)
		}
	}
	provider, err := a.Store.Provider(t.Context(), 1)
	if err != nil || provider.URLs.Deposit != "https://new.test/in" || len(provider.IPWhitelist) != 1 {
		t.Errorf("the provider is %+v (%v)", provider, err)
	}
}
