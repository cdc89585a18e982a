package restore_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/command"
	begun "github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// world is an installation whose backup is about to be restored.
type world struct {
	*apptest.World
	t        *testing.T
	backupAt time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{apptest.New(t), t, time.Time{}}
	return w
}

// restored is the world after the backup of this moment was restored two hours later. What was done in between is lost.
func (w *world) restored(lost ...func()) { w.t.Helper(); w.frozen(epoch.Restored, lost...) }

func (w *world) frozen(cause epoch.Cause, lost ...func()) {
	w.t.Helper()
	w.backupAt = w.Clock.Now()
	w.Clock.Advance(time.Hour)
	for _, did := range lost {
		did()
	}
	w.Clock.Advance(time.Hour)
	w.Freeze(w.t, cause, w.backupAt, fence.File(filepath.Join(w.t.TempDir(), "epoch.json")))
}

func (w *world) operation(p payment.Payment) operation.Operation {
	w.t.Helper()
	all, err := w.Store.OperationsOf(w.t.Context(), p.ID)
	if err != nil || len(all) == 0 {
		w.t.Fatalf("the operations of %s: %d, %v", p.TrackingCode, len(all), err)
	}
	return all[0]
}

// lost is what the database that was lost has done after the backup: it sent a payout.
func (w *world) lost(p payment.Payment) {
	w.t.Helper()
	o := w.operation(p)
	_, err := w.Sandbox.SendPayout(w.t.Context(), gateway.PayoutOrder{
		Ref: o.Reference, Key: o.Key, Amount: o.Amount, Kind: o.GatewayKind, Asset: o.Asset, Fields: o.Fields,
		Customer: gateway.Customer{ID: p.Customer.UserID, FullName: p.Customer.Fullname},
	})
	if err == nil {
		err = w.Sandbox.Fire(string(o.Reference), "done")
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// asks lets time pass until nothing is left to be asked.
func (w *world) asks() {
	w.t.Helper()
	for range 60 {
		if err := w.Restore.Step(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		if e := w.epoch(); !e.AskedAt.IsZero() {
			return
		}
		if err := w.Sweep.Sweep(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		w.waits()
		w.Clock.Advance(15 * time.Second)
	}
	w.t.Fatal("it goes on asking")
}

// waits until nothing is being worked on.
func (w *world) waits() {
	w.t.Helper()
	if err := errors.Join(w.Operations.Wait(w.t.Context()), w.Disputes.Wait(w.t.Context()), w.Statements.Wait(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
	w.Work(w.t)
}

func (w *world) epoch() epoch.Epoch {
	w.t.Helper()
	e, err := w.Store.Epoch(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

func by(s staff.Staff, reason string) app.Request {
	return app.Request{Staff: s, Session: staff.Session{StaffID: s.ID, ProvenAt: apptest.Start.Add(24 * time.Hour), HasSecondFactor: true}, Reason: reason}
}

func (w *world) wants(code fault.Code, err error) {
	w.t.Helper()
	if !fault.Is(err, code) {
		w.t.Fatalf("it is answered %v, want %s", err, code)
	}
}

// thaw has one person ask and another approve.
func (w *world) thaw() {
	w.t.Helper()
	commands := w.Commands()
	in := command.ThawInput{Said: command.Said{Reason: "all is looked at"}}
	_, _, err := command.Run(w.t.Context(), commands, commands.Thaw, by(w.Finance, ""), in)
	needs := fault.ArgsOf(err)
	w.wants(fault.ApprovalNeeded, err)
	id := core.ID(needs[0].(string))
	_, err = w.Approvals.Approve(w.t.Context(), by(w.Finance, ""), id, "", commands.Approved)
	w.wants(fault.OwnRequest, err)
	_, err = w.Approvals.Approve(w.t.Context(), by(w.Operator, ""), id, "", commands.Approved)
	w.wants(fault.Forbidden, err)
	if _, err := w.Approvals.Approve(w.t.Context(), by(w.Admin, ""), id, "", approval.Run(commands.Approved)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) acknowledge() {
	w.t.Helper()
	var ids []core.ID
	for _, r := range w.remains() {
		ids = append(ids, r.ID)
	}
	if _, err := w.Restore.Acknowledge(w.t.Context(), by(w.Admin, "compared with the bank"), ids); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remains() []epoch.Remain {
	w.t.Helper()
	all, err := w.Restore.Remains(w.t.Context(), w.Finance, epoch.RemainQuery{Paging: core.Paging[core.ID]{Limit: core.MaxPage}})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// remainsOf checks that something of a kind remains of a subject.
func (w *world) remainsOf(t *testing.T, kind epoch.RemainKind, subject string) {
	t.Helper()
	all := w.remains()
	if !slices.ContainsFunc(all, func(r epoch.Remain) bool { return r.Kind == kind && r.Subject == subject }) {
		t.Errorf("%s of %s is not among %+v", kind, subject, all)
	}
}

// says checks the facts of something that remains.
func (w *world) says(t *testing.T, kind epoch.RemainKind, subject string, want epoch.Facts) {
	t.Helper()
	for _, r := range w.remains() {
		if r.Kind == kind && r.Subject == subject && (!reflect.DeepEqual(r.Facts, want) || r.Detail != want.English()) {
			t.Errorf("of %s of %s it says %+v and %q, want %+v", kind, subject, r.Facts, r.Detail, want)
		}
	}
	w.remainsOf(t, kind, subject)
}

// active are the world's members of staff, of which there is one for each role.
func (*world) active() (all []epoch.RoleCount) {
	for _, r := range staff.Roles() {
		all = append(all, epoch.RoleCount{Role: r, Count: 1})
	}
	return all
}

// TestWhatWasPaidAfterTheBackupIsNotPaidTwice: of three payouts that had not left at the backup, one left after it. The gateways
// are asked about all, what they know is booked and told as a repeat, and what they do not know leaves when staff approve it.
func TestWhatWasPaidAfterTheBackupIsNotPaidTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, unpaid := w.StartWithdrawal(t, payment.BankWithdrawal, lira(2000)), w.StartWithdrawal(t, payment.BankWithdrawal, lira(3000))
	atOnce := w.StartWithdrawal(t, payment.BankWithdrawal, lira(200)) // was about to leave by itself
	w.lost(paid)
	w.restored()
	w.asks()
	if p := w.Reload(t, paid); p.Status != payment.Completed {
		t.Errorf("what the gateway has paid out is %s", p.Status)
	}
	for _, p := range []payment.Payment{unpaid, atOnce} {
		o := w.operation(p)
		if p = w.Reload(t, p); p.Status != payment.Showing || o.Phase != operation.Planned || o.Tries != 0 || !o.NextAt.IsZero() || o.IsCued() {
			t.Errorf("what the gateway does not know is %s, %+v", p.Status, o)
		}
	}
	if sent := w.Sender.Sent(); len(sent) != 0 {
		t.Errorf("while frozen %d callbacks were sent", len(sent))
	}
	w.acknowledge()
	w.thaw()
	w.Work(t)
	if _, err := w.Operations.ApprovePayout(t.Context(), apptest.By(w.Admin, unpaid, "the bank has nothing of it")); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	later := w.StartWithdrawal(t, payment.BankWithdrawal, lira(300))
	w.Work(t)
	for _, p := range []payment.Payment{unpaid, later} {
		if err := w.Sandbox.Fire(string(w.operation(p).Reference), "done"); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(time.Minute)
	w.Work(t)
	if err := w.Sweep.Sweep(t.Context()); err != nil { // what was to be told while it was frozen
		t.Fatal(err)
	}
	if err := w.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	repeats := map[string]bool{}
	for _, s := range w.Sender.Sent() {
		body := string(s.Message.Body)
		for _, p := range []payment.Payment{paid, unpaid, later} {
			if strings.Contains(body, p.TrackingCode) {
				repeats[p.TrackingCode] = strings.Contains(body, `"restored_to":"2026-03-02T12:`)
			}
		}
	}
	if want := map[string]bool{paid.TrackingCode: true, unpaid.TrackingCode: true, later.TrackingCode: false}; len(repeats) != 3 || repeats[paid.TrackingCode] != want[paid.TrackingCode] ||
		repeats[unpaid.TrackingCode] != want[unpaid.TrackingCode] || repeats[later.TrackingCode] != want[later.TrackingCode] {
		t.Errorf("marked as repeats are %v, want %v", repeats, want)
	}
}

// TestAPaymentThatOnlyTheGatewayHasIsListed: it was created after the backup. Of one that both have nothing is said.
func TestAPaymentThatOnlyTheGatewayHasIsListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Sandbox.As = w.Sandbox.Listing()
	known := w.StartDeposit(t, payment.CreditCard, lira(300))
	_, theirs, err := w.Operations.Begin(t.Context(), begun.Begin{Token: known.Token})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Sandbox.StartDeposit(t.Context(), gateway.DepositOrder{
		Ref: "REFOFAPAYMENTTHATWASLOST", Key: "KEYOFAPAYMENTTHATWASLOST", Amount: theirs.Amount, Kind: theirs.GatewayKind, ReturnURL: &url.URL{Scheme: "https", Host: "pay.example"},
		NotifyURL: &url.URL{Scheme: "https", Host: "pay.example"}, ExpiresAt: w.Clock.Now().Add(time.Hour), Fields: theirs.Fields,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.restored()
	w.asks()
	var listed []string
	for _, r := range w.remains() {
		if r.Kind == epoch.UnknownPayment {
			listed = append(listed, r.Subject)
		}
	}
	if len(listed) != 1 || !strings.HasSuffix(listed[0], "/REFOFAPAYMENTTHATWASLOST") {
		t.Errorf("payments that the database has not: %v of %+v", listed, w.remains())
	}
}

// lists is a gateway that answers its list otherwise.
type lists struct {
	apptest.ListingGateway
	page func() (gateway.ObservationPage, error)
}

func (g lists) ListDeposits(context.Context, gateway.Window, gateway.Cursor) (gateway.ObservationPage, error) {
	return g.page()
}

// TestAGatewayThatDoesNotListHoldsUpNoOther: whatever its error wraps, and however long its list goes on. What only the other one has is
// found, nobody asks without end, and two people thaw.
func TestAGatewayThatDoesNotListHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page func(w *world) (gateway.ObservationPage, error)
		gap  epoch.Gap
	}{
		"unavailable": {func(*world) (gateway.ObservationPage, error) {
			return gateway.ObservationPage{}, fault.New("the gateway's own client", fault.Unavailable)
		}, epoch.NoAnswer},
		"a lost race": {func(*world) (gateway.ObservationPage, error) {
			return gateway.ObservationPage{}, &gateway.Error{Class: gateway.Retryable, Err: fault.New("the gateway's own client", fault.Conflict)}
		}, epoch.NoAnswer},
		"empty pages without an end": {func(w *world) (gateway.ObservationPage, error) {
			w.Clock.Advance(10 * time.Second)
			return gateway.ObservationPage{Next: gateway.Cursor(w.Clock.Now().String())}, nil
		}, epoch.Unfinished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Restore.Patience = time.Minute
			w.OtherSandbox.As = w.OtherSandbox.Listing()
			w.Sandbox.As = lists{w.Sandbox.Listing(), func() (gateway.ObservationPage, error) { return c.page(w) }}
			w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
				if c == gateway.CanReadDeposit {
					return apptest.NotSent
				}
				return apptest.NoFault
			}
			open := w.StartDeposit(t, payment.CreditCard, lira(300))
			_, o, err := w.Operations.Begin(t.Context(), begun.Begin{Token: open.Token})
			if err != nil || o.GatewayID != w.Gateway.ID {
				t.Fatal(o.GatewayID, err)
			}
			_, err = w.OtherSandbox.StartDeposit(t.Context(), gateway.DepositOrder{
				Ref: "LOSTATTHEOTHERGATEWAY", Key: "LOSTATTHEOTHERGATEWAY", Amount: o.Amount, Kind: o.GatewayKind, ReturnURL: &url.URL{Scheme: "https", Host: "pay.example"},
				NotifyURL: &url.URL{Scheme: "https", Host: "pay.example"}, ExpiresAt: w.Clock.Now().Add(time.Hour), Fields: o.Fields,
			})
			if err != nil {
				t.Fatal(err)
			}
			w.restored()
			w.asks()
			w.remainsOf(t, epoch.UnknownPayment, fmt.Sprintf("gateway/%d/LOSTATTHEOTHERGATEWAY", w.OtherGateway.ID))
			w.says(t, epoch.NotListed, fmt.Sprintf("gateway/%d", w.Gateway.ID), epoch.Facts{Missing: []epoch.Unlisted{epoch.Deposits, epoch.Disputes}, Gap: c.gap})
			w.remainsOf(t, epoch.NotAnswered, fmt.Sprintf("gateway/%d", w.Gateway.ID))
			w.acknowledge()
			w.thaw()
			if e := w.epoch(); e.IsFrozen() {
				t.Errorf("it is %+v", e)
			}
		})
	}
}

// TestAStatementThatWasBeingReadAtTheBackupIsReadAtOnce: whoever had leased it is of another past.
func TestAStatementThatWasBeingReadAtTheBackupIsReadAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	feed, err := w.Store.Feed(t.Context(), w.Wallet.ID)
	if err != nil {
		t.Fatal(err)
	}
	feed.Version++
	feed.LeaseUntil = w.Clock.Now().Add(24 * time.Hour)
	if err := w.Store.Commit(t.Context(), core.Changeset{feed}); err != nil {
		t.Fatal(err)
	}
	w.restored()
	w.asks()
	for _, r := range w.remains() {
		if r.Kind == epoch.StatementNotRead {
			t.Errorf("%+v remains", r)
		}
	}
}

// TestWhatNobodyListsRemains: a provider that asks again for a payout that was created after the backup would have it paid twice,
// and no gateway lists it.
func TestWhatNobodyListsRemains(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.restored()
	w.asks()
	var subjects []string
	for _, r := range w.remains() {
		if r.Kind == epoch.NotListed {
			subjects = append(subjects, r.Subject)
		}
	}
	for _, want := range []string{"by-hand", fmt.Sprintf("gateway/%d/payouts", w.Gateway.ID)} {
		if !slices.Contains(subjects, want) {
			t.Errorf("%s is not among what remains: %v", want, subjects)
		}
	}
}

// TestNothingMovesWhileFrozen: whoever asks, nothing is created, expired, decided or thawed alone, and staff see why.
func TestNothingMovesWhileFrozen(t *testing.T) {
	t.Parallel()
	for _, cause := range []epoch.Cause{epoch.Restored, epoch.Behind} {
		t.Run(string(cause), func(t *testing.T) {
			t.Parallel()
			nothingMoves(t, cause)
		})
	}
}

func nothingMoves(t *testing.T, cause epoch.Cause) {
	t.Helper()
	w := newWorld(t)
	deposit, withdrawal := w.OfferedDeposit(t, lira(100)), w.StartWithdrawal(t, payment.ManualWithdrawal, lira(100))
	payout := w.StartWithdrawal(t, payment.BankWithdrawal, lira(2000))
	w.frozen(cause)
	none := func(p payment.Payment) (app.Answer, error) { return app.Answer{Status: 200}, nil }
	_, err := w.Create(t.Context(), app.Creation{Request: w.Fill(payment.Request{Method: payment.ManualDeposit, Amount: lira(1)}), Render: none})
	w.wants(fault.Frozen, err)
	_, err = w.Operations.ApprovePayout(t.Context(), apptest.By(w.Admin, payout, "pay it again"))
	w.wants(fault.Frozen, err)
	_, err = w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, withdrawal, ""), false)
	w.wants(fault.Frozen, err)
	_, err = w.Approve(t.Context(), apptest.By(w.Admin, deposit, "word"), lira(100))
	w.wants(fault.Frozen, err)
	_, err = w.Restore.Thaw(t.Context(), by(w.Admin, "at once"))
	w.wants(fault.NotAllowed, err) // nobody was asked
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 0 || err != nil {
		t.Errorf("%d payments expired, %v", n, err)
	}
	w.asks()
	if p := w.Reload(t, deposit); p.Status.IsFinal() || p.ExpiresAt.Before(w.epoch().FrozenAt.Add(23*time.Hour)) {
		t.Errorf("the deposit is %s until %s", p.Status, p.ExpiresAt)
	}
	var kinds []string
	for _, r := range w.remains() {
		kinds = append(kinds, string(r.Kind))
	}
	slices.Sort(kinds)
	w.says(t, epoch.SettingsAreOlder, "staff", epoch.Facts{Active: w.active()})
	w.says(t, epoch.PaidByHand, "payment/"+withdrawal.TrackingCode, epoch.Facts{Amount: gateway.Lira(lira(100)), Status: payment.Pending})
	w.says(t, epoch.NotListed, "by-hand", epoch.Facts{Missing: []epoch.Unlisted{epoch.ByHand}})
	w.says(t, epoch.NotListed, "corrections", epoch.Facts{Missing: []epoch.Unlisted{epoch.Corrections}})
	w.says(t, epoch.NotListed, "gateway/1", epoch.Facts{Missing: []epoch.Unlisted{epoch.Deposits, epoch.Disputes}, Gap: epoch.NoList})
	if got, want := strings.Join(slices.Compact(kinds), " "), "decided_by_hand not_listed paid_by_hand settings_are_older"; got != want {
		t.Errorf("what remains is %s, want %s", got, want)
	}
	_, err = w.Restore.Thaw(t.Context(), by(w.Admin, "at once"))
	w.wants(fault.NotAllowed, err) // something remains
	open := w.remains()
	ids := []core.ID{open[0].ID}
	_, err = w.Restore.Acknowledge(t.Context(), by(w.Operator, "why"), ids)
	w.wants(fault.Forbidden, err)
	_, err = w.Restore.Acknowledge(t.Context(), by(w.Finance, "nobody has come back"), ids) // staff, whom finance does not see
	w.wants(fault.Forbidden, err)
	_, err = w.Restore.Acknowledge(t.Context(), by(w.Finance, ""), ids)
	w.wants(fault.Invalid, err)
	_, err = w.Restore.Acknowledge(t.Context(), by(w.Finance, "why"), []core.ID{core.FirstID(apptest.Start)})
	w.wants(fault.NotFound, err)
	w.acknowledge()
	_, err = w.Restore.Acknowledge(t.Context(), by(w.Admin, "why"), ids)
	w.wants(fault.AlreadyFinal, err)
	w.thaw()
	if e := w.epoch(); e.State != epoch.Live || e.Number != 2 || e.ThawedAt.IsZero() {
		t.Errorf("it is %+v", e)
	}
	if _, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, withdrawal, ""), false); err != nil {
		t.Errorf("after the thaw: %v", err)
	}
}
