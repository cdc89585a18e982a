package job_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/apptest"
	"github.com/vezne/vezne/core/app/job"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

func TestOneCallbackIsSentAgainAtOnceWithTheSameIDAndPayload(t *testing.T) {
	t.Parallel()
	for _, state := range []core.CallbackState{core.Undeliverable, core.Skipped, core.Delivered} {
		w := apptest.New(t)
		p := ended(t, w, 1, state)[0]
		before := callbackOf(t, w, p)
		sent, err := w.Jobs.ResendOne(t.Context(), by(w.Operator), before.ID)
		if err != nil || sent.State != core.Waiting || sent.Attempts != 0 || !sent.NextAttemptAt.Equal(w.Clock.Now()) {
			t.Fatalf("%s: %+v, %v", state, sent, err)
		}
		w.Work(t)
		after := callbackOf(t, w, p)
		letters := w.Courier.Sent()
		if after.State != core.Delivered || after.ID != before.ID || after.Payload != before.Payload || after.Attempts != 1 || len(letters) != 1 {
			t.Errorf("%s: sent %d times, %+v", state, len(letters), after)
		}
	}
}

func TestAWaitingCallbackIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, core.Waiting)[0]
	before := callbackOf(t, w, p)
	if same, err := w.Jobs.ResendOne(t.Context(), by(w.Admin), before.ID); err != nil || same != before {
		t.Errorf("%+v, %v", same, err)
	}
	j := resend(t, w, job.Resend{Filter: everything(), States: failedOnly()})
	quiet(t, w.Jobs)
	if got := progressOf(reload(t, w, j)); got != (progress{core.JobDone, 0, 1, 0}) || callbackOf(t, w, p) != before {
		t.Errorf("%+v", got)
	}
}

func TestACallbackThatALaterOneReplacedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, core.Undeliverable)[0]
	old := callbackOf(t, w, p)
	later := old
	ids, err := core.NewIDs(w.Clock.Now().Add(time.Millisecond), w.Desk.Random) // the IDs of a later moment sort behind
	if err != nil {
		t.Fatal(err)
	}
	later.ID, later.Version, later.Sequence, later.Payload.Status = ids.Next(), 1, 2, core.Completed
	if err := w.Store.Commit(t.Context(), core.Changeset{later}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Jobs.ResendOne(t.Context(), by(w.Admin), old.ID)
	wants(t, err, fault.Replaced)
	resend(t, w, job.Resend{Codes: []string{p.TrackingCode}, States: failedOnly()})
	quiet(t, w.Jobs)
	all, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || all[0] != old || all[1].State != core.Waiting || all[1].Payload.Status != core.Completed {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestWhoMaySendCallbacksAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, core.Undeliverable)[0]
	before := callbackOf(t, w, p)
	for _, s := range []core.Staff{w.Viewer, w.DealerStaff} {
		_, err := w.Jobs.ResendOne(t.Context(), by(s), before.ID)
		wants(t, err, fault.Forbidden)
		_, err = w.Jobs.Resend(t.Context(), by(s), job.Resend{Filter: everything(), States: failedOnly()})
		wants(t, err, fault.Forbidden)
	}
	if callbackOf(t, w, p) != before {
		t.Error("somebody without the permission changed a callback")
	}
}

func TestOrdersAreChecked(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	many := slices.Repeat([]string{"MAN-1"}, core.MaxJobCodes+1)
	negative := core.PaymentQuery{MaxAmount: lira(0)}
	for name, r := range map[string]job.Resend{
		"nothing":          {States: failedOnly()},
		"both":             {Codes: many[:1], Filter: everything(), States: failedOnly()},
		"too many":         {Codes: many, States: failedOnly()},
		"an empty code":    {Codes: []string{""}, States: failedOnly()},
		"no state":         {Filter: everything()},
		"waiting":          {Filter: everything(), States: []core.CallbackState{core.Waiting}},
		"a strange status": {Filter: &core.PaymentQuery{Statuses: []core.Status{"lost"}}, States: failedOnly()},
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
	open := w.StartDeposit(t, core.ManualDeposit, lira(5))
	failed, skipped := ended(t, w, 320, core.Undeliverable), ended(t, w, 30, core.Skipped)
	delivered, waiting := ended(t, w, 120, core.Delivered), ended(t, w, 7, core.Waiting)
	order := job.Resend{Filter: everything(), States: failedOnly(), IsDryRun: true}
	dry, err := w.Jobs.Resend(t.Context(), by(w.Operator), order)
	if err != nil || dry.Count != 350 || !dry.IsExact || dry.Job.ID != "" {
		t.Fatalf("the dry run: %+v, %v", dry, err)
	}
	order.IsDryRun = false
	j := resend(t, w, order)
	w.Clock.Advance(time.Microsecond)
	late := ended(t, w, 3, core.Undeliverable) // after the order
	quiet(t, w.Jobs)
	if got := reload(t, w, j); progressOf(got) != (progress{core.JobDone, 350, 7, 0}) || got.Looked != 478 || got.Percent() != 100 {
		t.Errorf("%+v", got)
	}
	for name, c := range map[string]struct {
		of   []core.Payment
		want map[core.CallbackState]int
	}{
		"failed":    {failed, map[core.CallbackState]int{core.Waiting: 320}},
		"skipped":   {skipped, map[core.CallbackState]int{core.Waiting: 30}},
		"delivered": {delivered, map[core.CallbackState]int{core.Delivered: 120}},
		"waiting":   {waiting, map[core.CallbackState]int{core.Waiting: 7}},
		"late":      {late, map[core.CallbackState]int{core.Undeliverable: 3}},
	} {
		if got := states(t, w, c.of); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	w.Work(t)
	times := map[string]int{}
	for _, s := range w.Courier.Sent() {
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
	failed, delivered := ended(t, w, 2, core.Undeliverable), ended(t, w, 1, core.Delivered)
	open := w.StartDeposit(t, core.ManualDeposit, lira(5))
	codes := append(codesOf(failed), "MAN-NOSUCH", delivered[0].TrackingCode, open.TrackingCode, failed[0].TrackingCode)
	j := resend(t, w, job.Resend{Codes: codes, States: failedOnly()})
	if j.Count != 2 || !j.IsCounted {
		t.Errorf("counted %d", j.Count)
	}
	quiet(t, w.Jobs)
	got := reload(t, w, j)
	want := []core.JobFailure{
		{TrackingCode: "MAN-NOSUCH", Code: fault.NotFound}, {TrackingCode: open.TrackingCode, Code: fault.NoCallback},
	}
	if progressOf(got) != (progress{core.JobDone, 2, 1, 2}) || !slices.Equal(got.Failures, want) {
		t.Errorf("%+v", got)
	}
}

// meddler changes one callback just before each step is committed.
type meddler struct {
	ports.Committer
	change func()
}

func (m *meddler) Commit(ctx context.Context, c core.Changeset) error {
	if core.Has[core.Job](c) && core.Has[core.Callback](c) {
		m.change()
	}
	return m.Committer.Commit(ctx, c)
}

func TestACallbackThatOthersChangeCostsTheRestNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	payments := ended(t, w, 12, core.Undeliverable)
	busy, changes := payments[4], 0
	w.Desk.Commits = &meddler{Committer: w.Store, change: func() {
		if changes++; changes < 3 {
			put(t, w, busy, core.Undeliverable)
		}
	}}
	j := resend(t, w, job.Resend{Filter: everything(), States: failedOnly()})
	quiet(t, w.Jobs)
	if got := progressOf(reload(t, w, j)); got != (progress{core.JobDone, 12, 0, 0}) {
		t.Errorf("%+v", got)
	}
	if got := states(t, w, payments); got[core.Waiting] != 12 {
		t.Errorf("%v", got)
	}
}

// TestWhatWasGivenBackIsNotReportedAgain: a refund has no callback, and nobody is told of a success that is none any more.
func TestWhatWasGivenBackIsNotReportedAgain(t *testing.T) {
	t.Parallel()
	for _, state := range []core.CallbackState{core.Delivered, core.Undeliverable, core.Skipped, core.Waiting} {
		w := apptest.New(t)
		kept, p := ended(t, w, 1, core.Undeliverable)[0], refunded(t, w, state)
		w.Clock.Advance(time.Microsecond)
		before := callbackOf(t, w, p)
		if before.SupersededAt.IsZero() || before.State == core.Waiting {
			t.Fatalf("after the refund %+v", before)
		}
		_, err := w.Jobs.ResendOne(t.Context(), by(w.Operator), before.ID)
		wants(t, err, fault.Outdated)
		all := job.ResendableStates()
		for name, order := range map[string]job.Resend{
			"filter":    {Filter: everything(), States: all},
			"selection": {Codes: codesOf([]core.Payment{kept, p}), States: all},
		} {
			put(t, w, kept, core.Undeliverable)
			j := resend(t, w, order)
			quiet(t, w.Jobs)
			got := reload(t, w, j)
			want := []core.JobSkip{{Reason: core.SkippedRefunded, Count: 1}}
			if j.Count != 1 || progressOf(got) != (progress{core.JobDone, 1, 1, 0}) || !slices.Equal(got.Skips, want) {
				t.Errorf("%s, %s: of %d %+v", state, name, j.Count, got.JobProgress)
			}
		}
		if after := callbackOf(t, w, p); after != before {
			t.Errorf("%s: %+v after %+v", state, after, before)
		}
		w.Work(t)
		for _, s := range w.Courier.Sent() {
			if strings.Contains(string(s.Message.Body), p.TrackingCode) {
				t.Errorf("%s: sent %s", state, s.Message.Body)
			}
		}
	}
}

// refunded is a card payment that succeeded and was given back, with its callback in a state until then.
func refunded(t *testing.T, w *apptest.World, state core.CallbackState) core.Payment {
	t.Helper()
	p := w.Start(t, core.Start{Method: core.CreditCard, Amount: lira(10)})
	for _, c := range []core.Command{core.Succeed, core.Refund} {
		d, err := w.Desk.Decision(t.Context(), p, core.System, "")
		if err != nil {
			t.Fatal(err)
		}
		change, err := core.Decide(p, c, d)
		if c == core.Succeed {
			change, err = apptest.Accepted(p, d)
		}
		if err == nil {
			err = w.Desk.Commit(t.Context(), change)
		}
		if err != nil {
			t.Fatal(err)
		}
		if p = core.RowsOf[core.Payment](change)[0]; c == core.Succeed {
			put(t, w, p, state)
		}
	}
	return p
}

// TestWhatJobsLeaveAloneIsCountedByReason.
func TestWhatJobsLeaveAloneIsCountedByReason(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	waiting, delivered := ended(t, w, 2, core.Waiting), ended(t, w, 3, core.Delivered)
	j := resend(t, w, job.Resend{Codes: codesOf(slices.Concat(waiting, delivered)), States: failedOnly()})
	quiet(t, w.Jobs)
	want := []core.JobSkip{{Reason: core.SkippedWaiting, Count: 2}, {Reason: core.SkippedState, Count: 3}}
	if got := reload(t, w, j); !slices.Equal(got.Skips, want) || got.Skipped != 5 {
		t.Errorf("%+v", got.JobProgress)
	}
}

// TestADecisionThatComesFirstWins: staff look at a callback that was given up, and before they send it again its payment is
// decided otherwise and the new callback delivered. The old one is not sent.
func TestADecisionThatComesFirstWins(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := ended(t, w, 1, core.Undeliverable)[0]
	old := callbackOf(t, w, p)
	isFirst := sync.OnceFunc(func() {
		w.Desk.Commits = w.Store
		p.Status = core.Failed // money that comes too late is accepted of what a gateway moves
		p.Method = core.CreditCard
		d, err := w.Desk.Decision(t.Context(), p, core.System, "")
		if err != nil {
			t.Fatal(err)
		}
		change, err := apptest.Accepted(p, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Desk.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		w.Work(t)
	})
	w.Desk.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error { isFirst(); return nil }}
	_, err := w.Jobs.ResendOne(t.Context(), by(w.Admin), old.ID)
	wants(t, err, fault.Replaced)
	w.Work(t)
	if sent := w.Courier.Sent(); len(sent) != 1 || !strings.Contains(string(sent[0].Message.Body), `"sequence":2`) {
		t.Errorf("sent %d times", len(sent))
	}
}
