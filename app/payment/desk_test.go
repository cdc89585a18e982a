package payment_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// desk is a World whose dealers have withdrawals, oldest first: three of the first dealer, of which the second is claimed
// and the third was, and one of the other dealer.
func desk(t *testing.T) (w *apptest.World, mine []payment.Payment, theirs payment.Payment) {
	t.Helper()
	w = apptest.New(t)
	w.StartDeposit(t, payment.ManualDeposit, amount)
	for _, m := range []payment.Method{payment.ManualWithdrawal, payment.EIBANWithdrawal, payment.ManualWithdrawal} {
		w.Clock.Advance(time.Minute)
		mine = append(mine, w.StartWithdrawal(t, m, amount))
	}
	w.Clock.Advance(time.Minute)
	theirs = w.Start(t, payment.Request{Method: payment.ManualWithdrawal, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	reach(t, w, rejected, w.Admin)
	take := func(p payment.Payment) {
		if _, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, p, ""), false); err != nil {
			t.Fatal(err)
		}
	}
	take(mine[2])
	w.Clock.Advance(w.Withdrawals.ClaimFor)
	take(mine[1])
	return w, mine, theirs
}

func TestTheLoadOfEachDesk(t *testing.T) {
	t.Parallel()
	w, mine, theirs := desk(t)
	first := payment.DeskLoad{
		DealerID: w.Dealer.ID, WaitingCount: 1, ClaimedCount: 1, LapsedCount: 1, Amount: money.New(75000, money.TRY),
		OldestAt: mine[0].CreatedAt, OldestFreeAt: mine[0].CreatedAt,
	}
	other := payment.DeskLoad{
		DealerID: w.OtherDealer.ID, WaitingCount: 1, Amount: amount, OldestAt: theirs.CreatedAt, OldestFreeAt: theirs.CreatedAt,
	}
	for name, tt := range map[string]struct {
		staff staff.Staff
		want  []payment.DeskLoad
		fault fault.Code
	}{
		"admin": {w.Admin, []payment.DeskLoad{first, other}, ""}, "viewer": {w.Viewer, []payment.DeskLoad{first, other}, ""},
		"dealer's": {w.DealerStaff, []payment.DeskLoad{first}, ""}, "nobody": {staff.Staff{}, nil, fault.Forbidden},
	} {
		got, err := w.Withdrawals.Loads(t.Context(), tt.staff)
		if fault.CodeOf(err) != tt.fault || !slices.Equal(got, tt.want) {
			t.Errorf("%s sees %+v, %v", name, got, err)
		}
	}
}

func TestTheQueueIsOldestFirstAndWithinTheScope(t *testing.T) {
	t.Parallel()
	w, mine, theirs := desk(t)
	ask := func(by staff.Staff, q payment.DeskQuery) []string {
		t.Helper()
		q.Limit = max(q.Limit, 1)
		list, err := w.Withdrawals.Queue(t.Context(), by, q)
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, p := range list {
			codes = append(codes, p.TrackingCode)
		}
		return codes
	}
	one, two, three, other := mine[0].TrackingCode, mine[1].TrackingCode, mine[2].TrackingCode, theirs.TrackingCode
	for name, tt := range map[string]struct {
		got, want []string
	}{
		"admin":                       {ask(w.Admin, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 10}}), []string{one, two, three, other}},
		"free ones":                   {ask(w.Viewer, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 10}, IsFree: new(true)}), []string{one, three, other}},
		"the next page":               {ask(w.Admin, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 2, After: mine[1].ID}}), []string{three, other}},
		"one dealer's":                {ask(w.Admin, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 10}, Scope: core.Scope{DealerID: w.OtherDealer.ID}}), []string{other}},
		"the dealer's own staff":      {ask(w.DealerStaff, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 10}}), []string{one, two, three}},
		"who asks for the own dealer": {ask(w.DealerStaff, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 10}, Scope: core.Scope{DealerID: w.Dealer.ID}}), []string{one, two, three}},
		"who asks for another dealer": {ask(w.DealerStaff, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 10}, Scope: core.Scope{DealerID: w.OtherDealer.ID}}), nil},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
	_, err := w.Withdrawals.Queue(t.Context(), staff.Staff{}, payment.DeskQuery{Paging: core.Paging[core.ID]{Limit: 1}})
	wantWithdrawalCode(t, "nobody", err, fault.Forbidden)
}
