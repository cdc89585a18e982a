package graph_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/vezne/vezne/core/staff"
)

// guard is what a mutation asks besides a permission, so that a stolen token is not enough.
type guard string

const (
	// isProven: whoever asks has proven lately who they are, with a factor where they have one, else with their password.
	isProven guard = "@stepUp"
	// isProvenAbove is isProven above the setting's amount, by what is committed.
	isProvenAbove guard = "above the amount"
	// isAsEach: what it is asked with are other mutations, each of which has its own.
	isAsEach guard = "as each of its decisions"
	// isSigningIn: it is the proof itself, or ends what is signed in.
	isSigningIn guard = "signing in"
	// movesNothing: no money moves, no right changes, and nothing leaves in bulk.
	movesNothing guard = "none"
)

// mutationGuards says of every mutation which guard it has. A new one has to decide.
var mutationGuards = map[string]guard{
	"approveDeposit":     isProvenAbove,
	"creditBankLine":     isProvenAbove,
	"completeWithdrawal": isProvenAbove,
	"failWithdrawal":     isProvenAbove,
	"approvePayout":      isProvenAbove,
	"confirmPayout":      isProvenAbove,
	"approveHeldDeposit": isProvenAbove,
	"failPayout":         isProvenAbove,

	"refundTransaction": isProven, "refundDiscrepancy": isProven, "resolveDiscrepancy": isProven, "correctCredit": isProven,
	"acceptDispute": isProven, "recordDispute": isProven,
	"exportList": isProven, "startExport": isProven, "exportDownload": isProven, "resendCallbacks": isProven, "acknowledgeRemains": isProven, "thaw": isProven,

	"decideMany": isAsEach,

	"adjustDifference": isProven, "approveRequest": isProven, "takeApprovalResult": isProven, "setApprovalRule": isProven,
	"createProvider": isProven, "updateProvider": isProven, "rotateProviderCredential": isProven,
	"createSite": isProven, "updateSite": isProven, "updateCallbackUrls": isProven, "updateSiteBrand": isProven, "rotateSiteCredential": isProven,
	"createDealer": isProven, "updateDealer": isProven, "rotateDealerCredential": isProven,
	"createSiteToken": isProven, "updateSiteToken": isProven, "rotateSiteTokenCredential": isProven,
	"createAccount": isProven, "updateAccount": isProven, "createWallet": isProven, "setWalletActive": isProven,
	"createGatewayAccount": isProven, "updateGatewayAccount": isProven, "saveRouteRule": isProven,
	"inviteStaff": isProven, "revokeInvitation": isProven, "updateStaff": isProven, "unlockStaff": isProven,
	"resetStaffFactors": isProven, "revokeStaffSessions": isProven,
	"beginTotp": isProven, "confirmTotp": isProven, "removeTotp": isProven, "newRecoveryCodes": isProven,
	"beginPasskey": isProven, "finishPasskey": isProven, "renamePasskey": isProven, "removePasskey": isProven,
	"changePassword": isProven,

	"login": isSigningIn, "loginWithCode": isSigningIn, "beginPasskeyLogin": isSigningIn, "loginWithPasskey": isSigningIn,
	"acceptInvitation": isSigningIn, "logout": isSigningIn, "stepUp": isSigningIn, "beginPasskeyStepUp": isSigningIn,
	"revokeSession": isSigningIn, "revokeOtherSessions": isSigningIn,

	// The customer or provider keeps the money; nobody says that more of it is anywhere.
	"rejectDeposit": movesNothing, "rejectWithdrawal": movesNothing, "cancelWithdrawal": movesNothing, "rejectPayout": movesNothing,
	"cancelPayout": movesNothing, "cancelRefund": movesNothing, "declineHeldDeposit": movesNothing,
	"addNote": movesNothing, "submitDisputeEvidence": movesNothing, "claimWithdrawal": movesNothing, "releaseWithdrawal": movesNothing,
	"setAsideBankLine": movesNothing, "bringBackBankLine": movesNothing, "reconcileDay": movesNothing, "explainDifference": movesNothing,
	"refuseRequest": movesNothing, "withdrawRequest": movesNothing,
	"blockCustomer": movesNothing, "unblockCustomer": movesNothing,
	"resendCallback": movesNothing, "sendTestCallback": movesNothing, "testGatewayAccount": movesNothing, "cancelJob": movesNothing,
	"updateMyProfile": movesNothing, "createSavedView": movesNothing, "updateSavedView": movesNothing, "removeSavedView": movesNothing,
}

func TestEveryMutationSaysWhatGuardsIt(t *testing.T) {
	t.Parallel()
	left := maps.Clone(mutationGuards)
	for _, f := range schema().Mutation.Fields {
		want, ok := left[f.Name]
		delete(left, f.Name)
		if !ok {
			t.Errorf("%s has to decide on its guard: add it to mutationGuards", f.Name)
			continue
		}
		if shown := f.Directives.ForName("stepUp") != nil; shown != (want == isProven) {
			t.Errorf("%s is guarded by %q, and the schema says @stepUp: %t", f.Name, want, shown)
		}
	}
	if len(left) > 0 {
		t.Errorf("there are no such mutations: %v", slices.Sorted(maps.Keys(left)))
	}
}

// TestWhatIsGuardedByItsAmountIs: with a bound of nothing, a stale session does none of it, and a proven one all of it.
func TestWhatIsGuardedByItsAmountIs(t *testing.T) {
	t.Parallel()
	for name, g := range mutationGuards {
		if g != isProvenAbove {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.Above(0)
			prove := a.stale(t, staff.Operator)
			prove()
			o := matrix["mutation "+name]
			s := o.about(a, t)
			v := a.varsOf(s, o.query)
			if slices.Contains([]string{"completeWithdrawal", "failWithdrawal"}, name) { // whose claim it is
				if got := a.still(t, staff.Operator, claimIt, vars{"code": s.TrackingCode}); got.code() != "" {
					t.Fatal(got.Raw)
				}
			}
			a.Clock.Advance(staff.StepUpLife)
			if got := a.still(t, staff.Operator, o.query, v); got.code() != "STEP_UP_NEEDED" {
				t.Errorf("got %s", got.Raw)
			}
			prove()
			if got := a.still(t, staff.Operator, o.query, v); got.code() != "" {
				t.Error(got.Raw)
			}
		})
	}
}
