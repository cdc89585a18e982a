package staff_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestNoPasswordsSessionBeginsWhileAFactorIsSetUp: a sign-in that read that there is none is a lost race, and is asked for it.
func TestNoPasswordsSessionBeginsWhileAFactorIsSetUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	isMeanwhile := false
	h.UnitOfWork.Commits = &apptest.Commits{Committer: h.UnitOfWork.Commits, Before: func(c core.Changeset) error {
		if len(core.RowsOf[staff.Session](c)) == 1 && core.RowsOf[staff.Session](c)[0].Version == 1 && core.RowsOf[staff.Session](c)[0].StaffID == h.Operator.ID && !isMeanwhile {
			isMeanwhile = true
			h.setUpTOTP(h.Operator)
		}
		return nil
	}}
	got := h.login(h.Operator)
	if got.Token != "" || got.Challenge == "" {
		t.Errorf("while a factor was set up, the password alone gave %+v", got)
	}
}

func TestAFactorEndsSessionsOfThePasswordAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, staff.Operator)
	stolen := h.login(h.Operator)
	secret, _, mine := h.setUpTOTP(h.Operator)
	if _, err := h.Authenticate(t.Context(), stolen.Token); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a session of before: %v", err)
	}
	other, err := h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, h.code(secret), from(office))
	h.no(err)
	mine.Session, _, err = h.Store.SessionByFingerprint(t.Context(), mine.Session.Fingerprint)
	h.no(err)
	h.no(h.CheckProven(t.Context(), mine))
	if _, err := h.Authenticate(t.Context(), other.Token); err != nil {
		t.Errorf("a session with the factor: %v", err)
	}
	h.Clock.Advance(staff.StepUpLife)
	wantCode(t, h.CheckProven(t.Context(), mine), fault.StepUpRequired)
}
