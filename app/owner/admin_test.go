package owner_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func ptr[T any](v T) *T { return &v }

// TestEveryChangeIsAuditedWithBeforeAndAfter: each says what changed, as JSON, and by whom.
func TestEveryChangeIsAuditedWithBeforeAndAfter(t *testing.T) {
	t.Parallel()
	w, audit := audited(t)
	by := admin(w)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, keys, err := w.Directory.AddProvider(t.Context(), by, directory.NewProvider{ProviderPatch: owner.ProviderPatch{Name: ptr("P")}})
	must(err)
	_, _, err = w.Directory.AddSite(t.Context(), by, directory.NewSite{ProviderID: 1, SitePatch: owner.SitePatch{Name: ptr("S"), DealerID: ptr(int64(1))}})
	must(err)
	_, err = w.Directory.UpdateSite(t.Context(), by, directory.SiteUpdate{ID: 1, SitePatch: owner.SitePatch{IsActive: ptr(false)}})
	must(err)
	_, _, err = w.Directory.AddDealer(t.Context(), by, directory.NewDealer{DealerPatch: owner.DealerPatch{Name: ptr("D")}})
	must(err)
	_, err = w.Directory.UpdateDealer(t.Context(), by, directory.DealerUpdate{ID: 1, DealerPatch: owner.DealerPatch{IsActive: ptr(false)}})
	must(err)
	_, _, err = w.Directory.AddSiteToken(t.Context(), by, directory.NewSiteToken{DealerID: 1, SiteTokenPatch: owner.SiteTokenPatch{Name: ptr("T")}})
	must(err)
	_, err = w.Directory.UpdateSiteToken(t.Context(), by, directory.SiteTokenUpdate{ID: 1, SiteTokenPatch: owner.SiteTokenPatch{IsActive: ptr(false)}})
	must(err)
	_, err = w.Directory.UpdateAccount(t.Context(), by, directory.AccountUpdate{ID: 1, AccountPatch: owner.AccountPatch{DailyCount: ptr(7)}})
	must(err)
	_, err = w.Directory.BlockCustomer(t.Context(), by, directory.Blocking{CustomerKey: owner.CustomerKey{ProviderID: 1, UserID: "u"}, Reason: "r"})
	must(err)
	_, err = w.Directory.UnblockCustomer(t.Context(), by, directory.Blocking{CustomerKey: owner.CustomerKey{ProviderID: 1, UserID: "u"}})
	must(err)
	w.UnitOfWork.Random = apptestRandom{}
	_, err = w.Directory.SendTestCallback(t.Context(), by, directory.TestCallback{ProviderID: 1, Kind: payment.DepositCallback})
	must(err)
	customer := owner.CustomerKey{ProviderID: 1, UserID: "u"}.Ref()
	want := []struct{ action, target, before, after string }{
		{"createProvider", "provider/3", "", `"P"`}, {"createSite", "site/3", "", `"S"`},
		{"updateSite", "site/1", "true", "false"}, {"createDealer", "dealer/3", "", `"D"`},
		{"updateDealer", "dealer/1", "true", "false"}, {"createSiteToken", "site_token/1", "", `"T"`},
		{"updateSiteToken", "site_token/1", "true", "false"}, {"updateAccount", "account/1", "0", "7"},
		{"blockCustomer", customer, "", `"r"`}, {"unblockCustomer", customer, `"r"`, ""},
		{"sendTestCallback", "provider/1", "", `"deposit"`},
	}
	fields := map[string]string{
		"createProvider": "name", "createSite": "name", "updateSite": "isActive", "createDealer": "name", "updateDealer": "isActive",
		"createSiteToken": "name", "updateSiteToken": "isActive", "updateAccount": "dailyCount", "blockCustomer": "reason",
		"unblockCustomer": "reason", "sendTestCallback": "kind",
	}
	rows := audit()
	if len(rows) != len(want) || len(keys) != 4 {
		t.Fatalf("%d audit rows, want %d", len(rows), len(want))
	}
	for i, row := range rows {
		x := want[i]
		if row.Action != x.action || row.Target != x.target || row.Actor != by.Actor() || row.ID == "" || row.At.IsZero() ||
			field(t, row.Before, fields[row.Action]) != x.before || field(t, row.After, fields[row.Action]) != x.after {
			t.Errorf("audit %+v, want %+v", row, x)
		}
	}
}

// apptestRandom is enough randomness for a code.
type apptestRandom struct{}

func (apptestRandom) Read(p []byte) (int, error) { return len(p), nil }

// field is a field of an audit row's state.
func field(t *testing.T, state, name string) string {
	t.Helper()
	if state == "" {
		return ""
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(state), &fields); err != nil {
		t.Fatalf("%q: %v", state, err)
	}
	return string(fields[name])
}

// TestBlocksMadeAtOnceAreOne: exactly one audit row, of the one whose block stays.
func TestBlocksMadeAtOnceAreOne(t *testing.T) {
	t.Parallel()
	w, audit := audited(t)
	key := owner.CustomerKey{ProviderID: w.Provider.ID, UserID: "u"}
	together := func(do func(app.Request) error) {
		t.Helper()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := do(admin(w)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if rows := audit(); len(rows) != 1 {
			t.Errorf("%d audit rows", len(rows))
		}
	}
	together(func(by app.Request) error {
		c, err := w.Directory.BlockCustomer(t.Context(), by, directory.Blocking{CustomerKey: key, Reason: "why"})
		if err == nil && !c.IsBlocked() {
			t.Error("not blocked")
		}
		return err
	})
	together(func(by app.Request) error {
		c, err := w.Directory.UnblockCustomer(t.Context(), by, directory.Blocking{CustomerKey: key})
		if err == nil && c.IsBlocked() {
			t.Error("still blocked")
		}
		return err
	})
}

// TestADealersStaffChangeNothing: they may read, and what is another dealer's they may not even see.
func TestADealersStaffChangeNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	by := app.Request{Staff: w.DealerStaff}
	_, err := w.Directory.UpdateAccount(t.Context(), by, directory.AccountUpdate{ID: 1})
	wantCode(t, err, fault.Forbidden)
	_, err = w.Directory.AddAccount(t.Context(), by, owner.NewAccount{DealerID: w.Dealer.ID})
	wantCode(t, err, fault.Forbidden)
	_, err = w.Directory.UpdateDealer(t.Context(), by, directory.DealerUpdate{ID: 1})
	wantCode(t, err, fault.Forbidden)
	_, err = w.Directory.SendTestCallback(t.Context(), by, directory.TestCallback{DealerID: 1, Kind: payment.DealerCardCallback})
	wantCode(t, err, fault.Forbidden)
	_, err = w.Directory.AccountsOf(t.Context(), w.DealerStaff, w.OtherDealer.ID, "")
	wantCode(t, err, fault.NotFound)
	_, err = w.Directory.SiteTokensOf(t.Context(), w.DealerStaff, w.OtherDealer.ID)
	wantCode(t, err, fault.NotFound)
	_, err = w.Directory.SitesOf(t.Context(), w.DealerStaff, w.Provider.ID)
	wantCode(t, err, fault.Forbidden)
	_, err = w.Directory.Customer(t.Context(), w.DealerStaff, owner.CustomerKey{ProviderID: 1, UserID: "u"}) // has no payment of theirs
	wantCode(t, err, fault.NotFound)
	own, err := w.Directory.AccountsOf(t.Context(), w.DealerStaff, w.Dealer.ID, "")
	if err != nil || len(own) != len(w.Accounts) {
		t.Errorf("%d of their own accounts, %v", len(own), err)
	}
}

// TestAnAccountKeepsWhatTodayUsed: new limits are for the next offers, and an account that is off is offered to nobody.
func TestAnAccountKeepsWhatTodayUsed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, money.New(250000, money.TRY))
	p, err := w.Deposits.Continue(t.Context(), p, money.New(250000, money.TRY))
	if err != nil {
		t.Fatal(err)
	}
	l, err := w.Directory.UpdateAccount(t.Context(), admin(w), directory.AccountUpdate{ID: p.Account.AccountID, AccountPatch: owner.AccountPatch{
		DailyLimit: ptr(money.New(100000, money.TRY)), IsActive: ptr(false),
	}})
	left, hasLimit := l.AmountLeft()
	if err != nil || l.Used != money.New(250000, money.TRY) || !hasLimit || !left.IsZero() || l.Version != 2 {
		t.Errorf("%+v %v", l, err)
	}
	for range 4 {
		other := w.StartDeposit(t, payment.ManualDeposit, money.New(250000, money.TRY))
		if other, err = w.Deposits.Continue(t.Context(), other, money.New(250000, money.TRY)); err != nil || other.Account.AccountID == l.ID {
			t.Errorf("offered %+v %v", other.Account, err)
		}
	}
}
