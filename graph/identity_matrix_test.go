package graph_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// wholeMatrix is who may do what, about staff as well.
func wholeMatrix() map[string]row {
	whole := maps.Clone(matrix)
	maps.Copy(whole, identityMatrix())
	return whole
}

func nothing(*api, *testing.T) subject { return subject{} }

// anID is the id of nothing.
func anID(*api, *testing.T) subject { return subject{discrepancy: "01JNB6QG000000000000000000"} }

// invitation is one for somebody new: its id and, as line, its token.
func invitation(a *api, t *testing.T) subject {
	t.Helper()
	now := a.Clock.Now()
	ids, err := core.NewIDs(now, a.UnitOfWork.Random)
	token, err2 := core.NewKey(staff.InvitationKey, a.UnitOfWork.Random)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	made := staff.Invitation{
		ID: ids.Next(), Version: 1, Fingerprint: sign.Fingerprint(token), Email: fmt.Sprintf("%s@vezne.test", ids.Next()),
		Role: staff.Viewer, InvitedBy: a.Admin.Actor("192.0.2.7"), CreatedAt: now, ExpiresAt: now.Add(staff.InvitationLife),
	}
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{made}); err != nil {
		t.Fatal(err)
	}
	return subject{discrepancy: made.ID, line: token}
}

// identityMatrix is the rows of signing in, of second factors and of staff.
func identityMatrix() map[string]row {
	all := staff.Roles()
	password := `"` + apptest.Password + `"`
	return map[string]row{
		"mutation loginWithCode": {
			query: `mutation { loginWithCode(input: {challenge: "x", code: "1"}) { token } }`, about: nothing, may: everybody, code: "CHALLENGE_OVER",
		},
		"mutation beginPasskeyLogin": {query: `mutation { beginPasskeyLogin { options } }`, about: nothing, may: everybody},
		"mutation loginWithPasskey": {
			query: `mutation { loginWithPasskey(input: {challenge: "x", answer: "{}"}) { token } }`, about: nothing, may: everybody, code: "CHALLENGE_OVER",
		},
		"mutation acceptInvitation": {
			query: `mutation($line: String!) { acceptInvitation(input: {token: $line, password: ` + password + `}) { token } }`,
			about: invitation, may: everybody,
		},
		"query mySessions":      {query: `{ mySessions { id isCurrent provenUntil } }`, about: nothing, may: all},
		"query mySecondFactors": {query: `{ mySecondFactors { hasTotp isRequired } }`, about: nothing, may: all},
		"mutation logout":       {query: `mutation { logout { session { id } } }`, about: nothing, may: all, ends: true},
		"mutation stepUp":       {query: `mutation { stepUp(input: {password: ` + password + `}) { session { provenUntil } } }`, about: nothing, may: all},
		"mutation beginPasskeyStepUp": {
			query: `mutation { beginPasskeyStepUp { options } }`, about: nothing, may: all, code: "NOT_FOUND",
		},
		"mutation beginTotp":   {query: `mutation { beginTotp { otpauthUrl } }`, about: nothing, may: all},
		"mutation confirmTotp": {query: `mutation { confirmTotp(input: {code: "x"}) { recoveryCodes } }`, about: nothing, may: all, code: "BAD_CODE"},
		"mutation removeTotp":  {query: `mutation { removeTotp { secondFactors { hasTotp } } }`, about: nothing, may: all},
		"mutation newRecoveryCodes": {
			query: `mutation { newRecoveryCodes { recoveryCodes } }`, about: nothing, may: all, code: "SECOND_FACTOR_REQUIRED",
		},
		"mutation beginPasskey": {query: `mutation { beginPasskey { options } }`, about: nothing, may: all},
		"mutation finishPasskey": {
			query: `mutation { finishPasskey(input: {challenge: "x", answer: "{}", name: "phone"}) { recoveryCodes } }`, about: nothing, may: all,
			code: "CHALLENGE_OVER",
		},
		"mutation renamePasskey": {
			query: `mutation($id: ID!) { renamePasskey(input: {id: $id, name: "phone"}) { passkey { name } } }`, about: anID, may: all, code: "NOT_FOUND",
		},
		"mutation removePasskey": {
			query: `mutation($id: ID!) { removePasskey(input: {id: $id}) { secondFactors { hasTotp } } }`, about: anID, may: all, code: "NOT_FOUND",
		},
		"mutation changePassword": {query: `mutation { changePassword(input: {password: ` + password + `}) { sessions { id } } }`, about: nothing, may: all},
		"mutation revokeSession": {
			query: `mutation($id: ID!) { revokeSession(input: {id: $id}) { sessions { id } } }`, about: anID, may: all, code: "NOT_FOUND",
		},
		"mutation revokeOtherSessions": {query: `mutation { revokeOtherSessions { sessions { id } } }`, about: nothing, may: all},
		"query staff":                  {query: `{ staff { nodes { email secondFactors { hasTotp } } } }`, about: nothing, may: staffReader},
		"query staffMember":            {query: `{ staffMember(id: 1) { email } }`, about: nothing, may: staffReader},
		"query staffSessions":          {query: `{ staffSessions(staffId: 1) { address } }`, about: nothing, may: staffReader},
		"query roles":                  {query: `{ roles { role permissions } }`, about: nothing, may: staffReader},
		"query invitations":            {query: `{ invitations { nodes { email } } }`, about: invitation, may: staffReader},
		"mutation inviteStaff": {
			query: `mutation { inviteStaff(input: {email: "new@vezne.test", role: VIEWER}) { link } }`, about: nothing, may: editors,
		},
		"mutation revokeInvitation": {
			query: `mutation($id: ID!) { revokeInvitation(input: {id: $id}) { invitation { revokedAt } } }`, about: invitation, may: editors,
		},
		"mutation updateStaff":       {query: `mutation { updateStaff(input: {id: 1, }) { staffMember { role } } }`, about: nothing, may: editors},
		"mutation unlockStaff":       {query: `mutation { unlockStaff(input: {id: 3}) { staffMember { email } } }`, about: nothing, may: editors},
		"mutation resetStaffFactors": {query: `mutation { resetStaffFactors(input: {id: 3}) { staffMember { email } } }`, about: nothing, may: editors, ends: true},
		"mutation revokeStaffSessions": {
			query: `mutation { revokeStaffSessions(input: {staffId: 3}) { sessions { id } } }`, about: nothing, may: editors, ends: true,
		},
	}
}
