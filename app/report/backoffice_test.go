package report_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

var amount = money.New(25000, money.TRY)

func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// codes names payments, in their order.
func codes(payments []payment.Payment) []string {
	var names []string
	for _, p := range payments {
		names = append(names, p.TrackingCode)
	}
	return names
}

func TestStaffSeeWhatIsInTheirScope(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	mine := w.StartDeposit(t, payment.ManualDeposit, amount)
	w.Clock.Advance(time.Second)
	others := w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	nowhere, inactive := w.DealerStaff, w.Admin
	nowhere.DealerID, inactive.IsActive = 0, false
	for name, tt := range map[string]struct {
		staff staff.Staff
		want  []payment.Payment
		fault fault.Code
	}{
		"admin":    {w.Admin, []payment.Payment{others, mine}, ""},
		"operator": {w.Operator, []payment.Payment{others, mine}, ""},
		"viewer":   {w.Viewer, []payment.Payment{others, mine}, ""},
		"dealer":   {w.DealerStaff, []payment.Payment{mine}, ""},
		"nowhere":  {nowhere, nil, ""},
		"inactive": {inactive, nil, fault.Forbidden},
		"nobody":   {staff.Staff{}, nil, fault.Forbidden},
	} {
		// A dealer's member who asks for another dealer's payments still gets only the own ones.
		q := report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 10}}
		if tt.staff.Role == staff.DealerStaff {
			q.DealerID = w.OtherDealer.ID
		}
		page, err := w.Backoffice.Transactions(t.Context(), tt.staff, q)
		if fault.CodeOf(err) != tt.fault || !slices.Equal(codes(page.Payments), codes(tt.want)) {
			t.Errorf("%s sees %v, %v", name, codes(page.Payments), err)
		}
		for _, p := range []payment.Payment{mine, others} {
			want := tt.fault
			if want == "" && !slices.Contains(codes(tt.want), p.TrackingCode) {
				want = fault.NotFound
			}
			_, err := w.Backoffice.Transaction(t.Context(), tt.staff, p.TrackingCode)
			if got := fault.CodeOf(err); got != want {
				t.Errorf("%s asks for %s: %v, want %q", name, p.TrackingCode, err, want)
			}
		}
	}
	_, err := w.Backoffice.Transaction(t.Context(), w.Admin, "MAN-NOBODY")
	wantCode(t, err, fault.NotFound)
}

func TestPagesFollowOneAnotherToTheEnd(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var want []string
	for range core.MaxPage + 1 {
		w.Clock.Advance(time.Millisecond)
		want = append(want, w.StartDeposit(t, payment.ManualDeposit, amount).TrackingCode)
	}
	slices.Reverse(want)
	for _, limit := range []int{1, 67, core.MaxPage} {
		var got []string
		q := report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: limit}}
		for hasNext := true; hasNext; {
			page, err := w.Backoffice.Transactions(t.Context(), w.Viewer, q)
			if err != nil || len(page.Payments) > limit {
				t.Fatalf("page of %d, %v", len(page.Payments), err)
			}
			got = append(got, codes(page.Payments)...)
			q, hasNext = page.Next(q)
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d give %d payments, want %d", limit, len(got), len(want))
		}
	}
}

func TestQuestionsForWhatDoesNotExistAreInvalid(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for name, q := range map[string]report.PaymentQuery{
		"status": {Statuses: []payment.Status{payment.Showing, "shown"}}, "method": {Methods: []payment.Method{"cash"}},
		"maxAmount": {MaxAmount: money.New(0, money.TRY)},
	} {
		q.Limit = 10
		_, err := w.Backoffice.Transactions(t.Context(), w.Viewer, q)
		if fields := fault.FieldsOf(err); len(fields) != 1 || fields[0].Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	all := report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 10}, Statuses: payment.Statuses(), Methods: payment.Methods(), MaxAmount: amount}
	if _, err := w.Backoffice.Transactions(t.Context(), w.Viewer, all); err != nil {
		t.Error(err)
	}
}

func TestHistoryBeginsWithTheCreationAndCallbacksComeWithTheirAttempts(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	w.Clock.Advance(time.Second)
	if _, err := w.Deposits.Reject(t.Context(), apptest.By(w.Operator, p, "why")); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	moves, err := w.Backoffice.Batch(p).History(t.Context(), p, core.Paging[payment.TransitionID]{Limit: 10})
	if err != nil || len(moves) != 2 || moves[0].Command != payment.Create || moves[0].Actor.Name != w.Provider.Name || moves[1].To != payment.Canceled {
		t.Errorf("history %+v, %v", moves, err)
	}
	logs, err := w.Backoffice.Batch(p).Callbacks(t.Context(), p)
	if err != nil || len(logs) != 1 || logs[0].Status != payment.Delivered || len(logs[0].Attempts) != 1 || logs[0].Attempts[0].HTTPStatus != 200 {
		t.Errorf("callbacks %+v, %v", logs, err)
	}
	if provider, err := w.Backoffice.Batch(p).Provider(t.Context(), p); err != nil || provider.ID != w.Provider.ID {
		t.Errorf("provider %+v, %v", provider, err)
	}
}

// TestAHistoryIsReadInPages: whatever page is asked for, the creation stands before all moves, although it is not stored.
func TestAHistoryIsReadInPages(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	w.Clock.Advance(-time.Minute) // another process's clock is slow
	for range 2 {
		w.Clock.Advance(time.Second)
		if _, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, p, ""), false); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(time.Second)
		if _, err := w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, "")); err != nil {
			t.Fatal(err)
		}
	}
	history := func(page core.Paging[payment.TransitionID]) (commands []payment.Command, places []payment.TransitionID) {
		rows, err := w.Backoffice.Batch(p).History(t.Context(), p, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range rows {
			commands, places = append(commands, m.Command), append(places, m.Place())
		}
		return commands, places
	}
	all, ends := history(core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	want := []payment.Command{payment.Create, payment.Take, payment.Release, payment.Take, payment.Release}
	if !slices.Equal(all, want) {
		t.Fatalf("history %v, want %v", all, want)
	}
	starts := append([]payment.TransitionID{{}}, ends...)
	for a, after := range starts {
		for b, before := range append(slices.Clone(ends), payment.TransitionID{}) {
			for limit := range len(all) + 2 {
				want := all[min(a, b):b]
				got, _ := history(core.Paging[payment.TransitionID]{After: after, Before: before, Limit: limit})
				if first := want[:min(limit, len(want))]; !slices.Equal(got, first) {
					t.Errorf("the first %d from %d to %d: %v, want %v", limit, a, b, got, first)
				}
				got, _ = history(core.Paging[payment.TransitionID]{After: after, Before: before, Limit: limit, IsLast: true})
				if last := want[max(len(want)-limit, 0):]; !slices.Equal(got, last) {
					t.Errorf("the last %d from %d to %d: %v, want %v", limit, a, b, got, last)
				}
			}
		}
	}
}

// dealersOwn are a transfer (D6), a deposit (D2) and a card payment (D8) of the first dealer.
func dealersOwn(t *testing.T, w *apptest.World) []payment.Payment {
	t.Helper()
	made := []payment.Payment{w.StartTransfer(t, amount)}
	creation := func(m payment.Method) app.Creation {
		s := w.Fill(payment.Request{Method: m, Amount: amount})
		s.Provider, s.Site, s.Dealer = owner.Provider{}, owner.Site{}, w.Dealer
		return app.Creation{Request: s, Render: func(p payment.Payment) (app.Answer, error) {
			made = append(made, p)
			return app.Answer{Status: 200}, nil
		}}
	}
	if _, err := w.Dealers.Offer(t.Context(), creation(payment.ManualDeposit), w.Dealer.Actor("")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Dealers.StartCard(t.Context(), creation(payment.CreditCard)); err != nil {
		t.Fatal(err)
	}
	return made
}

func TestADealersOwnPaymentHasNoProvider(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	elsewhere := w.DealerStaff
	elsewhere.DealerID = w.OtherDealer.ID
	for _, p := range dealersOwn(t, w) {
		if by, err := w.Backoffice.Batch(p).RequestedBy(t.Context(), p); err != nil || by != w.Dealer.Actor("") {
			t.Errorf("%s was asked for by %+v, %v", p.Method, by, err)
		}
		if provider, err := w.Backoffice.Batch(p).Provider(t.Context(), p); err != nil || provider.ID != 0 {
			t.Errorf("%s has the provider %+v, %v", p.Method, provider, err)
		}
		moves, err := w.Backoffice.Batch(p).History(t.Context(), p, core.Paging[payment.TransitionID]{Limit: 10})
		if err != nil || len(moves) == 0 || moves[0].Command != payment.Create || moves[0].Actor != w.Dealer.Actor("") {
			t.Errorf("%s has the history %+v, %v", p.Method, moves, err)
		}
		if _, err := w.Backoffice.Batch(p).Callbacks(t.Context(), p); err != nil {
			t.Errorf("%s: %v", p.Method, err)
		}
		_, err = w.Backoffice.Transaction(t.Context(), w.DealerStaff, p.TrackingCode)
		wantCode(t, err, "")
		_, err = w.Backoffice.Transaction(t.Context(), elsewhere, p.TrackingCode)
		wantCode(t, err, fault.NotFound)
	}
	mine, err := w.Backoffice.Transactions(t.Context(), w.DealerStaff, report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 10}})
	if err != nil || len(mine.Payments) != 3 {
		t.Errorf("the dealer's staff see %v, %v", codes(mine.Payments), err)
	}
	theirs, err := w.Backoffice.Transactions(t.Context(), elsewhere, report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 10}})
	if err != nil || len(theirs.Payments) != 0 {
		t.Errorf("another dealer's staff see %v, %v", codes(theirs.Payments), err)
	}
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	if by, err := w.Backoffice.Batch(p).RequestedBy(t.Context(), p); err != nil || by != w.Provider.Actor("") {
		t.Errorf("a provider's was asked for by %+v, %v", by, err)
	}
}
