package payment_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

func TestWhatOfAPaymentIsGuarded(t *testing.T) {
	t.Parallel()
	staff, at := core.Actor{Kind: core.ByStaff}, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		method   payment.Method
		from, to payment.Status
		by       core.Actor
		expires  time.Time
		want     []core.GuardedAction
	}{
		"a withdrawal completed by staff":              {payment.ManualWithdrawal, payment.Processing, payment.Completed, staff, time.Time{}, []core.GuardedAction{core.GuardWithdrawal}},
		"a payout completed by staff":                  {payment.BankWithdrawal, payment.Processing, payment.Completed, staff, time.Time{}, []core.GuardedAction{core.GuardWithdrawal}},
		"a payout completed by its gateway":            {payment.BankWithdrawal, payment.Processing, payment.Completed, core.Actor{Kind: core.ByGateway}, time.Time{}, nil},
		"a withdrawal rejected":                        {payment.ManualWithdrawal, payment.Processing, payment.Rejected, staff, time.Time{}, nil},
		"a deposit in time":                            {payment.ManualDeposit, payment.Pending, payment.Completed, staff, at.Add(time.Hour), nil},
		"a deposit that waits for staff":               {payment.ManualDeposit, payment.Processing, payment.Completed, staff, at.Add(-time.Hour), nil},
		"a deposit that the clock has not reached yet": {payment.ManualDeposit, payment.Pending, payment.Completed, staff, at, []core.GuardedAction{core.GuardCompletion}},
		"an expired deposit":                           {payment.ManualDeposit, payment.Expired, payment.Completed, staff, at, []core.GuardedAction{core.GuardCompletion}},
		"a failed card":                                {payment.CreditCard, payment.Failed, payment.Success, staff, time.Time{}, []core.GuardedAction{core.GuardCompletion}},
		"a failed withdrawal": {
			payment.ManualWithdrawal, payment.Failed, payment.Completed, staff, time.Time{},
			[]core.GuardedAction{core.GuardCompletion, core.GuardWithdrawal},
		},
	} {
		before := payment.Payment{ID: "P", Version: 1, Method: c.method, Status: c.from, ExpiresAt: c.expires, Amount: money.New(1, money.TRY)}
		after := before
		after.Version, after.Status, after.UpdatedAt = 2, c.to, at
		change := core.Changeset{
			after,
			payment.Transition{PaymentID: "P", Actor: c.by, From: c.from, To: c.to},
		}
		if got := coretest.GuardsOf(change, before); !slices.Equal(got, c.want) {
			t.Errorf("%s: guards are %v, want %v", name, got, c.want)
		}
	}
}

func TestWhoseChangesetItIs(t *testing.T) {
	t.Parallel()
	staff, system := core.Actor{Kind: core.ByStaff}, core.System
	for name, c := range map[string]struct {
		change core.Changeset
		want   bool
	}{
		"audited as staff's":               {core.Changeset{core.AuditEntry{Actor: staff}}, true},
		"what staff asked for, done later": {core.Changeset{payment.Transition{Actor: staff}}, false},
		"nobody's":                         {core.Changeset{}, false},
		"the system's":                     {core.Changeset{core.AuditEntry{Actor: system}}, false},
	} {
		if got := c.change.IsByStaff(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
