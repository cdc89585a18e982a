package report_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

func TestOneCallbackIsSentAgainAtOnceWithTheSameIDAndPayload(t *testing.T) {
	t.Parallel()
	for _, state := range []payment.CallbackStatus{payment.Undeliverable, payment.Skipped, payment.Delivered} {
		w := apptest.New(t)
		p := ended(t, w, 1, state)[0]
		before := callbackOf(t, w, p)
		sent, err := w.Jobs.ResendOne(t.Context(), by(w.Operator), before.ID)
		if err != nil || sent.Status != payment.Waiting || sent.AttemptCount != 0 || !sent.NextAttemptAt.Equal(w.Clock.Now()) {
			t.Fatalf("%s: %+v, %v", state, sent, err)
		}
		w.Work(t)
		after := callbackOf(t, w, p)
		letters := w.Sender.Sent()
		if after.Status != payment.Delivered || after.ID != before.ID || after.Payload != before.Payload || after.AttemptCount != 1 || len(letters) != 1 {
			t.Errorf("%s: sent %d times, %+v", state, len(letters), after)
		}
	}
}

func TestAWaitingCallbackIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, payment.Waiting)[0]
	before := callbackOf(t, w, p)
	if same, err := w.Jobs.ResendOne(t.Context(), by(w.Admin), before.ID); err != nil || same != before {
		t.Errorf("%+v, %v", same, err)
	}
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	quiet(t, w.Jobs)
	if got := progressOf(reload(t, w, j)); got != (progress{report.JobDone, 0, 1, 0}) || callbackOf(t, w, p) != before {
		t.Errorf("%+v", got)
	}
}

// TestAWaitForTheNextAttemptIsCutShort, once: a callback that is due is left to its worker.
func TestAWaitForTheNextAttemptIsCutShort(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, lira(10))
	if _, err := w.Deposits.Cancel(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	answer := func(status int) func(context.Context, apptest.Sent) payment.DeliveryResult {
		return func(context.Context, apptest.Sent) payment.DeliveryResult {
			return payment.DeliveryResult{HTTPStatus: status}
		}
	}
	w.Sender.AnswerWith(answer(500))
	w.Work(t)
	before := callbackOf(t, w, p)
	if before.Status != payment.Waiting || before.AttemptCount != 1 || !before.NextAttemptAt.After(w.Clock.Now()) {
		t.Fatalf("%+v", before)
	}
	hurried, err := w.Jobs.ResendOne(t.Context(), by(w.Operator), before.ID)
	if err != nil || hurried.AttemptCount != 0 || !hurried.NextAttemptAt.Equal(w.Clock.Now()) {
		t.Fatalf("%+v, %v", hurried, err)
	}
	if same, err := w.Jobs.ResendOne(t.Context(), by(w.Operator), before.ID); err != nil || same.Version != hurried.Version {
		t.Errorf("it is hurried twice: %+v, %v", same, err)
	}
	w.Sender.AnswerWith(answer(200))
	sent := len(w.Sender.Sent())
	w.Work(t)
	if after := callbackOf(t, w, p); after.Status != payment.Delivered || after.ID != before.ID || len(w.Sender.Sent()) != sent+1 {
		t.Errorf("sent %d times more, %+v", len(w.Sender.Sent())-sent, after)
	}
}

func TestACallbackThatALaterOneReplacedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, payment.Undeliverable)[0]
	old := callbackOf(t, w, p)
	later := old
	ids, err := core.NewIDs(w.Clock.Now().Add(time.Millisecond), w.UnitOfWork.Random) // the IDs of a later moment sort behind
	if err != nil {
		t.Fatal(err)
	}
	later.ID, later.Version, later.Sequence, later.Payload.Status = ids.Next(), 1, 2, payment.Completed
	if err := w.Store.Commit(t.Context(), core.Changeset{later}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Jobs.ResendOne(t.Context(), by(w.Admin), old.ID)
	wants(t, err, fault.Replaced)
	resend(t, w, reports.Resend{Codes: []string{p.TrackingCode}, States: failedOnly()})
	quiet(t, w.Jobs)
	all, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || all[0] != old || all[1].Status != payment.Waiting || all[1].Payload.Status != payment.Completed {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestWhoMaySendCallbacksAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, payment.Undeliverable)[0]
	before := callbackOf(t, w, p)
	for _, s := range []staff.Staff{w.Viewer, w.DealerStaff} {
		_, err := w.Jobs.ResendOne(t.Context(), by(s), before.ID)
		wants(t, err, fault.Forbidden)
		_, err = w.Jobs.Resend(t.Context(), by(s), reports.Resend{Filter: everything(), States: failedOnly()})
		wants(t, err, fault.Forbidden)
	}
	if callbackOf(t, w, p) != before {
		t.Error("somebody without the permission changed a callback")
	}
}

func TestOrdersAreChecked(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	many := slices.Repeat([]string{"MAN-1"}, report.MaxJobCodes+1)
	negative := report.PaymentQuery{MaxAmount: lira(0)}
	for name, r := range map[string]reports.Resend{
		"nothing":          {States: failedOnly()},
		"both":             {Codes: many[:1], Filter: everything(), States: failedOnly()},
		"too many":         {Codes: many, States: failedOnly()},
		"an empty code":    {Codes: []string{""}, States: failedOnly()},
		"no state":         {Filter: everything()},
		"waiting":          {Filter: everything(), States: []payment.CallbackStatus{payment.Waiting}},
		"a strange status": {Filter: &report.PaymentQuery{Statuses: []payment.Status{"lost"}}, States: failedOnly()},
		"at most nothing":  {Filter: &negative, States: failedOnly()},
	} {
		if _, err := w.Jobs.Resend(t.Context(), by(w.Admin), r); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEverythingThatAFilterMatchesIsSentAgainOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	open := w.StartDeposit(t, payment.ManualDeposit, lira(5))
	failed, skipped := ended(t, w, 320, payment.Undeliverable), ended(t, w, 30, payment.Skipped)
	delivered, waiting := ended(t, w, 120, payment.Delivered), ended(t, w, 7, payment.Waiting)
	order := reports.Resend{Filter: everything(), States: failedOnly(), IsDryRun: true}
	dry, err := w.Jobs.Resend(t.Context(), by(w.Operator), order)
	if err != nil || dry.Count != 350 || !dry.IsExact || dry.Job.ID != "" {
		t.Fatalf("the dry run: %+v, %v", dry, err)
	}
	order.IsDryRun = false
	j := resend(t, w, order)
	w.Clock.Advance(time.Microsecond)
	late := ended(t, w, 3, payment.Undeliverable) // after the order
	quiet(t, w.Jobs)
	if got := reload(t, w, j); progressOf(got) != (progress{report.JobDone, 350, 7, 0}) || got.Looked != 478 || got.Percent() != 100 {
		t.Errorf("%+v", got)
	}
	for name, c := range map[string]struct {
		of   []payment.Payment
		want map[payment.CallbackStatus]int
	}{
		"failed":    {failed, map[payment.CallbackStatus]int{payment.Waiting: 320}},
		"skipped":   {skipped, map[payment.CallbackStatus]int{payment.Waiting: 30}},
		"delivered": {delivered, map[payment.CallbackStatus]int{payment.Delivered: 120}},
		"waiting":   {waiting, map[payment.CallbackStatus]int{payment.Waiting: 7}},
		"late":      {late, map[payment.CallbackStatus]int{payment.Undeliverable: 3}},
	} {
		if got := states(t, w, c.of); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	w.Work(t)
	times := map[string]int{}
	for _, s := range w.Sender.Sent() {
		for _, h := range s.Message.Headers {
			if h.Name == "X-Callback-Id" {
				times[h.Value]++
			}
		}
	}
	for _, p := range slices.Concat(failed, skipped) {
		if n := times[string(callbackOf(t, w, p).ID)]; n != 1 {
			t.Errorf("the callback of %s was sent %d times", p.TrackingCode, n)
		}
	}
	if w.Reload(t, open) != open {
		t.Error("an open payment was touched")
	}
}

func TestASelectionTellsWhatItCouldNotDo(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	failed, delivered := ended(t, w, 2, payment.Undeliverable), ended(t, w, 1, payment.Delivered)
	open := w.StartDeposit(t, payment.ManualDeposit, lira(5))
	codes := append(codesOf(failed), "MAN-NOSUCH", delivered[0].TrackingCode, open.TrackingCode, failed[0].TrackingCode)
	j := resend(t, w, reports.Resend{Codes: codes, States: failedOnly()})
	if j.Total != 2 || !j.IsTotalExact {
		t.Errorf("counted %d", j.Total)
	}
	quiet(t, w.Jobs)
	got := reload(t, w, j)
	want := []report.JobFailure{
		{TrackingCode: "MAN-NOSUCH", Code: fault.NotFound}, {TrackingCode: open.TrackingCode, Code: fault.NoCallback},
	}
	if progressOf(got) != (progress{report.JobDone, 2, 1, 2}) || !slices.Equal(got.Failures, want) {
		t.Errorf("%+v", got)
	}
}

// meddler changes one callback just before each step is committed.
type meddler struct {
	ports.Committer
	change func()
}

func (m *meddler) Commit(ctx context.Context, c core.Changeset) error {
	if core.Has[report.Job](c) && core.Has[payment.Callback](c) {
		m.change()
	}
	return m.Committer.Commit(ctx, c)
}

func TestACallbackThatOthersChangeCostsTheRestNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := ended(t, w, 12, payment.Undeliverable)
	busy, changes := payments[4], 0
	w.UnitOfWork.Commits = &meddler{Committer: w.Store, change: func() {
		if changes++; changes < 3 {
			put(t, w, busy, payment.Undeliverable)
		}
	}}
	j := resend(t, w, reports.Resend{Filter: everything(), States: failedOnly()})
	quiet(t, w.Jobs)
	if got := progressOf(reload(t, w, j)); got != (progress{report.JobDone, 12, 0, 0}) {
		t.Errorf("%+v", got)
	}
	if got := states(t, w, payments); got[payment.Waiting] != 12 {
		t.Errorf("%v", got)
	}
}

// TestWhatWasGivenBackIsNotReportedAgain: a refund has no callback, and nobody is told of a success that is none any more.
func TestWhatWasGivenBackIsNotReportedAgain(t *testing.T) {
	t.Parallel()
	for _, state := range []payment.CallbackStatus{payment.Delivered, payment.Undeliverable, payment.Skipped, payment.Waiting} {
		w := apptest.New(t)
		kept, p := ended(t, w, 1, payment.Undeliverable)[0], refunded(t, w, state)
		w.Clock.Advance(time.Microsecond)
		before := callbackOf(t, w, p)
		if before.SupersededAt.IsZero() || before.Status == payment.Waiting {
			t.Fatalf("after the refund %+v", before)
		}
		_, err := w.Jobs.ResendOne(t.Context(), by(w.Operator), before.ID)
		wants(t, err, fault.Outdated)
		all := reports.ResendableStates()
		for name, order := range map[string]reports.Resend{
			"filter":    {Filter: everything(), States: all},
			"selection": {Codes: codesOf([]payment.Payment{kept, p}), States: all},
		} {
			put(t, w, kept, payment.Undeliverable)
			j := resend(t, w, order)
			quiet(t, w.Jobs)
			got := reload(t, w, j)
			want := []report.JobSkip{{Reason: report.SkippedRefunded, Count: 1}}
			if j.Total != 1 || progressOf(got) != (progress{report.JobDone, 1, 1, 0}) || !slices.Equal(got.Skips, want) {
				t.Errorf("%s, %s: of %d %+v", state, name, j.Total, got.JobProgress)
			}
		}
		if after := callbackOf(t, w, p); after != before {
			t.Errorf("%s: %+v after %+v", state, after, before)
		}
		w.Work(t)
		for _, s := range w.Sender.Sent() {
			if strings.Contains(string(s.Message.Body), p.TrackingCode) {
				t.Errorf("%s: sent %s", state, s.Message.Body)
			}
		}
	}
}

// refunded is a card payment that succeeded and was given back, with its callback in a state until then.
func refunded(t *testing.T, w *apptest.World, state payment.CallbackStatus) payment.Payment {
	t.Helper()
	p := w.Start(t, payment.Request{Method: payment.CreditCard, Amount: lira(10)})
	for _, c := range []payment.Command{payment.Succeed, payment.Refund} {
		d, err := w.UnitOfWork.Decision(t.Context(), p, app.BySystem)
		if err != nil {
			t.Fatal(err)
		}
		change, err := payment.Decide(p, c, d)
		if c == payment.Succeed {
			change, err = apptest.Accepted(p, d)
		}
		if err == nil {
			err = w.UnitOfWork.Commit(t.Context(), change)
		}
		if err != nil {
			t.Fatal(err)
		}
		if p = core.RowsOf[payment.Payment](change)[0]; c == payment.Succeed {
			put(t, w, p, state)
		}
	}
	return p
}

// TestWhatJobsLeaveAloneIsCountedByReason.
func TestWhatJobsLeaveAloneIsCountedByReason(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	waiting, delivered := ended(t, w, 2, payment.Waiting), ended(t, w, 3, payment.Delivered)
	j := resend(t, w, reports.Resend{Codes: codesOf(slices.Concat(waiting, delivered)), States: failedOnly()})
	quiet(t, w.Jobs)
	want := []report.JobSkip{{Reason: report.SkippedWaiting, Count: 2}, {Reason: report.SkippedState, Count: 3}}
	if got := reload(t, w, j); !slices.Equal(got.Skips, want) || got.Skipped != 5 {
		t.Errorf("%+v", got.JobProgress)
	}
}

// TestADecisionThatComesFirstWins: staff look at a callback that was given up, and before they send it again its payment is
// decided otherwise and the new callback delivered. The old one is not sent.
func TestADecisionThatComesFirstWins(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, payment.Undeliverable)[0]
	old := callbackOf(t, w, p)
	isFirst := sync.OnceFunc(func() {
		w.UnitOfWork.Commits = w.Store
		p.Status = payment.Failed // money that comes too late is accepted of what a gateway moves
		p.Method = payment.CreditCard
		d, err := w.UnitOfWork.Decision(t.Context(), p, app.BySystem)
		if err != nil {
			t.Fatal(err)
		}
		change, err := apptest.Accepted(p, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.UnitOfWork.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		w.Work(t)
	})
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error { isFirst(); return nil }}
	_, err := w.Jobs.ResendOne(t.Context(), by(w.Admin), old.ID)
	wants(t, err, fault.Replaced)
	w.Work(t)
	if sent := w.Sender.Sent(); len(sent) != 1 || !strings.Contains(string(sent[0].Message.Body), `"sequence":2`) {
		t.Errorf("sent %d times", len(sent))
	}
}
