package owner_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

func TestCustomersAreForgottenByAge(t *testing.T) {
	t.Parallel()
	w, f, p, order, audit := forgetting(t)
	r := &directory.Retention{Forgetting: *f, Years: owner.KeepFor}
	forgets := func(when string, want bool) {
		t.Helper()
		if next, err := r.Page(t.Context(), ""); err != nil || next != "" {
			t.Fatalf("%s: %q, %v", when, next, err)
		}
		if got := owner.IsForgotten(w.Reload(t, p).Customer.UserID); got != want {
			t.Errorf("%s: forgotten is %t", when, got)
		}
	}
	w.Clock.Advance(11 * 366 * 24 * time.Hour)
	forgets("open", false)
	end(t, w, p)
	forgets("ended just now", false)
	w.Clock.Advance(10*365*24*time.Hour - time.Hour)
	forgets("a little too early", false)
	key := owner.CustomerKey{ProviderID: p.ProviderID, UserID: p.Customer.UserID}
	if _, err := w.Directory.BlockCustomer(t.Context(), app.BySystem, directory.Blocking{CustomerKey: key, Reason: "fraud"}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(4 * 24 * time.Hour)
	forgets("blocked", false)
	if _, err := w.Directory.UnblockCustomer(t.Context(), app.BySystem, directory.Blocking{CustomerKey: key}); err != nil {
		t.Fatal(err)
	}
	audit()
	again := w.StartDeposit(t, payment.ManualDeposit, money.New(25_000, money.TRY))
	end(t, w, again)
	forgets("came back", false)
	w.Clock.Advance(11 * 366 * 24 * time.Hour)
	forgets("eleven years later", true)
	if got := w.Reload(t, again); got.Customer.UserID != w.Reload(t, p).Customer.UserID {
		t.Errorf("the other payment has %q", got.Customer.UserID)
	}
	if entries := audit(); len(entries) != 1 || entries[0].Action != "forgetCustomer" || entries[0].Actor.Name != "retention" {
		t.Errorf("%+v", entries)
	}
	if _, _, err := f.Held(t.Context(), order); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// TestAPaymentsOwnKeyIsForgottenByAge: a customer without a user id, and who a transfer goes to, are nobody else's customers.
func TestAPaymentsOwnKeyIsForgottenByAge(t *testing.T) {
	t.Parallel()
	w, f, p, _, _ := forgetting(t)
	end(t, w, p)
	ids, err := core.NewIDs(w.Clock.Now(), w.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	var own []payment.Payment
	for _, m := range []payment.Method{payment.EIBANTransfer, payment.ManualDeposit} {
		o := w.Reload(t, p)
		o.ID, o.Version, o.Method, o.TrackingCode, o.TokenFingerprint = ids.Next(), 1, m, string(m)+"-1", ""
		if m != payment.EIBANTransfer {
			o.Customer.UserID = ""
		}
		own = append(own, o)
		if err := w.Store.Commit(t.Context(), core.Changeset{o}); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(11 * 366 * 24 * time.Hour)
	r := &directory.Retention{Forgetting: *f, Years: owner.KeepFor}
	if _, err := r.Page(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{w.Reload(t, p).Customer.UserID: true}
	for _, o := range own {
		got := w.Reload(t, o)
		if !owner.IsForgotten(got.Customer.UserID) || got.Customer.Fullname != "" || seen[got.Customer.UserID] || got.Amount != o.Amount {
			t.Errorf("%s: %+v", o.Method, got)
		}
		seen[got.Customer.UserID] = true
	}
}

// hiccups has nobody to forget: the database does not answer the first time, and a minute later the clock is wrong.
type hiccups struct {
	ports.Subjects
	asked []time.Time
}

func (h *hiccups) OldestData(context.Context, time.Time, string, int) ([]owner.HeldData, string, error) {
	if h.asked = append(h.asked, time.Now()); len(h.asked) == 1 {
		return nil, "", errors.New("the database does not answer")
	}
	return nil, "", nil
}

func (*hiccups) Now() time.Time { return time.Now() }

// Check implements ports.TimeCheck.
func (h *hiccups) Check() error {
	if len(h.asked) == 1 && time.Since(h.asked[0]) > 30*time.Second && time.Since(h.asked[0]) < 90*time.Second {
		return errors.New("the clock is wrong")
	}
	return nil
}

// TestARoundThatFailsBeginsAgainSoon: what keeps it for a moment from forgetting does not put it off by a day.
func TestARoundThatFailsBeginsAgainSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &hiccups{}
		unit := &app.UnitOfWork{Clock: h, Time: h}
		r := &directory.Retention{Forgetting: directory.Forgetting{UnitOfWork: unit, Subjects: h}, Years: 10, Log: slog.New(slog.DiscardHandler)}
		ctx, stop := context.WithTimeout(t.Context(), 25*time.Hour)
		defer stop()
		r.Run(ctx)
		var after []time.Duration
		for _, at := range h.asked {
			after = append(after, at.Sub(h.asked[0]))
		}
		if want := []time.Duration{0, 2 * time.Minute, 24*time.Hour + 2*time.Minute}; !slices.Equal(after, want) {
			t.Errorf("asked after %v, not %v", after, want)
		}
	})
}
