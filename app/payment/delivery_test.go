package payment_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestAcknowledgedCallbackIsDeliveredOnceForAll(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{HTTPStatus: 200, Duration: 120 * time.Millisecond, Answer: `{"success":true}`}
	})
	p := ended(t, w, w.Site)
	w.Work(t)
	cb := callbackFor(t, w, p)
	if cb.Status != payment.Delivered || cb.AttemptCount != 1 || !cb.FinishedAt.Equal(w.Clock.Now()) || !cb.NextAttemptAt.IsZero() || !cb.LeaseUntil.IsZero() {
		t.Errorf("callback %+v", cb)
	}
	attempts := attemptsOf(t, w, cb)
	want := payment.Attempt{
		CallbackID: cb.ID, Number: 1, At: w.Clock.Now().Add(-120 * time.Millisecond), Duration: 120 * time.Millisecond,
		URL: w.Provider.URLs.Deposit, HTTPStatus: 200, Answer: `{"success":true}`,
	}
	if len(attempts) == 1 {
		want.ID = attempts[0].ID
	}
	if len(attempts) != 1 || attempts[0] != want {
		t.Errorf("attempts %+v, want %+v", attempts, want)
	}
	w.Clock.Advance(100 * time.Hour)
	w.Work(t)
	wake(t, w.Callbacks, cb.Receiver)
	if sent := w.Sender.Sent(); len(sent) != 1 || sent[0].URL != w.Provider.URLs.Deposit {
		t.Errorf("sent %d times: %+v", len(sent), sent)
	}
}

func TestCallbackSaysWhatHappenedToWhom(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	deposit := ended(t, w, w.Site)
	withdrawal := w.StartWithdrawal(t, payment.ManualWithdrawal, money.New(1999, money.TRY))
	if _, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, withdrawal, ""), false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Withdrawals.Fail(t.Context(), apptest.By(w.Operator, withdrawal, "")); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	got := map[string]body{}
	for _, s := range w.Sender.Sent() {
		wantSigned(t, w.Provider, s, w.Clock.Now())
		b := payload(t, s)
		b.Timestamp, b.Hash = 0, ""
		got[s.URL] = b
	}
	same := body{Username: deposit.Customer.Username, Fullname: deposit.Customer.Fullname, UserID: deposit.Customer.UserID, SiteID: w.Site.ID}
	d, wd := same, same
	d.TrackingCode, d.Status, d.Amount = deposit.TrackingCode, "canceled", "250.00"
	wd.TrackingCode, wd.Status, wd.Amount, wd.IBAN = withdrawal.TrackingCode, "failed", "19.99", withdrawal.IBAN
	if got[w.Provider.URLs.Deposit] != d || got[w.Provider.URLs.Withdrawal] != wd {
		t.Errorf("got %+v", got)
	}
}

func TestEverythingButHTTP200IsAFailedAttempt(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]payment.DeliveryResult{
		"201": {HTTPStatus: 201}, "204": {HTTPStatus: 204}, "301": {HTTPStatus: 301, Answer: "moved"}, "302": {HTTPStatus: 302},
		"400": {HTTPStatus: 400}, "401": {HTTPStatus: 401}, "404": {HTTPStatus: 404}, "410": {HTTPStatus: 410},
		"429": {HTTPStatus: 429}, "500": {HTTPStatus: 500, Answer: "oops"}, "503": {HTTPStatus: 503},
		"no answer": {Error: "connection refused", Duration: 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult { return answer })
			p := ended(t, w, w.Site)
			w.Work(t)
			cb := callbackFor(t, w, p)
			wait := cb.NextAttemptAt.Sub(w.Clock.Now())
			if cb.Status != payment.Waiting || cb.AttemptCount != 1 || wait < 30*time.Second || wait > 33*time.Second || !cb.LeaseUntil.IsZero() {
				t.Errorf("callback %+v", cb)
			}
			a := attemptsOf(t, w, cb)
			if len(a) != 1 || a[0].HTTPStatus != answer.HTTPStatus || a[0].Error != answer.Error || a[0].Answer != answer.Answer || a[0].Duration != answer.Duration {
				t.Errorf("attempts %+v", a)
			}
		})
	}
}

// rejectedOfDealer is a withdrawal of a dealer's own that was rejected, which leaves one callback due.
func rejectedOfDealer(t *testing.T, w *apptest.World) payment.Payment {
	t.Helper()
	asked, made := request(w, payment.ManualWithdrawal, dealerLira(100))
	_, err := w.Dealers.Withdraw(t.Context(), asked)
	if err == nil {
		_, err = w.Withdrawals.Reject(t.Context(), apptest.By(w.Operator, *made, "no"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return *made
}

// TestAny2xxAcknowledgesWhereItsReceiverHasItSo: a provider's setting holds for its sites' own addresses, and a dealer's for the dealer's own
// payments; neither for anybody else, and nothing but a 2xx acknowledges.
func TestAny2xxAcknowledgesWhereItsReceiverHasItSo(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	any2xx := owner.Any2xx
	answered := func(status int, p payment.Payment) payment.CallbackStatus {
		t.Helper()
		w.Sender.AnswerWith(answers(status))
		w.Work(t)
		return callbackFor(t, w, p).Status
	}
	by := app.Request{Staff: w.Admin}
	ofDealer := func(patch owner.DealerPatch) {
		t.Helper()
		if _, err := w.Directory.UpdateDealer(t.Context(), by, directory.DealerUpdate{ID: w.Dealer.ID, DealerPatch: patch}); err != nil {
			t.Fatal(err)
		}
	}
	ofDealer(owner.DealerPatch{WithdrawalCallbackURL: new("https://dealer.test/out")})
	if got := answered(204, ended(t, w, w.Site)); got != payment.Waiting {
		t.Errorf("a provider's by the contract: %s", got)
	}
	provider := directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: owner.ProviderPatch{CallbackAcknowledgement: &any2xx}}
	if _, err := w.Directory.UpdateProvider(t.Context(), by, provider); err != nil {
		t.Fatal(err)
	}
	site := directory.SiteUpdate{ID: w.Site.ID, SitePatch: owner.SitePatch{URLsPatch: owner.URLsPatch{CallbackURL: new("https://site.test/in")}}}
	for _, isOwn := range []bool{false, true} {
		if isOwn {
			if _, err := w.Directory.UpdateSite(t.Context(), by, site); err != nil {
				t.Fatal(err)
			}
		}
		for status, want := range map[int]payment.CallbackStatus{
			200: payment.Delivered, 201: payment.Delivered, 202: payment.Delivered, 204: payment.Delivered,
			301: payment.Waiting, 404: payment.Waiting, 500: payment.Waiting,
		} {
			if got := answered(status, ended(t, w, w.Site)); got != want {
				t.Errorf("%d with any 2xx, at the site's own address %t: %s", status, isOwn, got)
			}
		}
	}
	if got := answered(204, rejectedOfDealer(t, w)); got != payment.Waiting {
		t.Errorf("a dealer follows a provider's setting: %s", got)
	}
	ofDealer(owner.DealerPatch{CallbackAcknowledgement: &any2xx})
	if got := answered(204, rejectedOfDealer(t, w)); got != payment.Delivered {
		t.Errorf("a dealer's own: %s", got)
	}
}

func TestFailingCallbackClimbsTheWholeScheduleAndThenFails(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(500))
	p := ended(t, w, w.Site)
	schedule := []time.Duration{
		0, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
		time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	}
	for done, wait := range schedule {
		due := callbackFor(t, w, p).NextAttemptAt
		if got := due.Sub(w.Clock.Now()); got < wait || got > wait+wait/10 {
			t.Errorf("attempt %d comes after %s, want %s and up to a tenth more", done+1, got, wait)
		}
		if wait > 0 {
			w.Clock.Set(due.Add(-time.Microsecond))
			w.Work(t)
			wake(t, w.Callbacks, callbackFor(t, w, p).Receiver)
			if n := len(w.Sender.Sent()); n != done {
				t.Fatalf("attempt %d came before its time", n)
			}
		}
		w.Clock.Set(due)
		w.Work(t) // its own wake-up brings it: no sweep
		sent := w.Sender.Sent()
		if len(sent) != done+1 {
			t.Fatalf("%d attempts, want %d", len(sent), done+1)
		}
		wantSigned(t, w.Provider, sent[done], due)
	}
	cb := callbackFor(t, w, p)
	attempts := attemptsOf(t, w, cb)
	if cb.Status != payment.Undeliverable || len(attempts) != 10 || !cb.NextAttemptAt.IsZero() {
		t.Errorf("after ten attempts: %+v, %d logged", cb, len(attempts))
	}
	for i, a := range attempts {
		if a.Number != i+1 {
			t.Errorf("attempt %d is numbered %d", i+1, a.Number)
		}
	}
	w.Sender.AnswerWith(answers(200))
	w.Clock.Advance(1000 * time.Hour)
	w.Work(t)
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Callbacks.Wait(t.Context()); err != nil || len(w.Sender.Sent()) != 10 {
		t.Errorf("sent %d times in the end, %v", len(w.Sender.Sent()), err)
	}
}

func TestReceiverThatComesBackGetsItsCallbackAtTheNextAttempt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(503))
	p := ended(t, w, w.Site)
	w.Work(t)
	w.Sender.AnswerWith(answers(200))
	w.Clock.Set(callbackFor(t, w, p).NextAttemptAt)
	w.Work(t)
	if cb := callbackFor(t, w, p); cb.Status != payment.Delivered || cb.AttemptCount != 2 {
		t.Errorf("callback %+v", cb)
	}
	ids := map[string]bool{}
	for _, s := range w.Sender.Sent() {
		for _, h := range s.Message.Headers {
			if h.Name == "X-Callback-Id" {
				ids[h.Value] = true
			}
		}
	}
	if len(ids) != 1 {
		t.Errorf("X-Callback-Id is to be the same on every attempt: %v", ids)
	}
}

func TestRotatedSecretSignsTheNextAttempt(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(500))
	p := ended(t, w, w.Site)
	w.Work(t)
	provider := w.Provider
	provider.PreviousSecret = owner.PreviousKey{Key: provider.SecretKey, Until: w.Clock.Now().Add(24 * time.Hour)}
	provider.Version, provider.SecretKey = 2, core.NewSecret("vzs_new")
	if err := w.Store.Commit(t.Context(), core.Changeset{provider}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Set(callbackFor(t, w, p).NextAttemptAt)
	w.Work(t)
	sent := w.Sender.Sent()
	if len(sent) != 2 {
		t.Fatalf("%d attempts", len(sent))
	}
	wantSigned(t, w.Provider, sent[0], apptest.Start)
	wantSigned(t, provider, sent[1], w.Clock.Now())
}

// setURL changes the provider's deposit callback_url.
func setURL(t *testing.T, w *apptest.World, url string) {
	t.Helper()
	if _, err := w.Directory.UpdateProvider(t.Context(), app.Request{Staff: w.Admin, Addr: ""}, directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: owner.ProviderPatch{CallbackURL: &url}}); err != nil {
		t.Fatal(err)
	}
}

func TestChangedURLIsWhereTheNextAttemptGoes(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(404))
	p := ended(t, w, w.Site)
	w.Work(t)
	setURL(t, w, "https://new.test/callback")
	w.Clock.Set(callbackFor(t, w, p).NextAttemptAt)
	w.Work(t)
	attempts := attemptsOf(t, w, callbackFor(t, w, p))
	if len(attempts) != 2 || attempts[0].URL != w.Provider.URLs.Deposit || attempts[1].URL != "https://new.test/callback" {
		t.Errorf("attempts %+v", attempts)
	}
	if sent := w.Sender.Sent(); len(sent) != 2 || sent[1].URL != "https://new.test/callback" {
		t.Errorf("sent %+v", sent)
	}
}

func TestURLTakenAwaySkipsWhatWaits(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sender.AnswerWith(answers(404))
	p := ended(t, w, w.Site)
	w.Work(t)
	setURL(t, w, "")
	w.Clock.Set(callbackFor(t, w, p).NextAttemptAt)
	w.Work(t)
	if cb := callbackFor(t, w, p); cb.Status != payment.Skipped || cb.AttemptCount != 1 || !cb.FinishedAt.Equal(w.Clock.Now()) || !cb.LeaseUntil.IsZero() {
		t.Errorf("callback %+v", cb)
	}
	if n := len(w.Sender.Sent()); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

func TestPaymentWithoutURLIsRecordedAsSkipped(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	setURL(t, w, "")
	p := ended(t, w, w.Site)
	w.Work(t)
	if cb := callbackFor(t, w, p); cb.Status != payment.Skipped || len(w.Sender.Sent()) != 0 {
		t.Errorf("callback %+v, sent %d", cb, len(w.Sender.Sent()))
	}
}

func TestSiteWithItsOwnURLIsItsOwnReceiver(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	site := w.AddSite(t, "own", owner.CallbackURLs{Deposit: "https://own.test/deposit"})
	own, common := ended(t, w, site), ended(t, w, w.Site)
	w.Work(t)
	if a, b := callbackFor(t, w, own), callbackFor(t, w, common); a.Receiver == b.Receiver || a.Status != payment.Delivered || b.Status != payment.Delivered {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestHundredsOfCallbacksOfOneReceiverGoOutOnceEach(t *testing.T) {
	t.Parallel()
	const n = 600
	w := apptest.New(t)
	payments := endedMany(t, w, w.Site, n)
	w.Waker.Drain()
	var delivered, atOnce, most atomic.Int64
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		for _, cb := range core.RowsOf[payment.Callback](c) {
			if cb.Status == payment.Delivered {
				delivered.Add(1)
			}
		}
		return nil
	}}
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		now := atOnce.Add(1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		defer atOnce.Add(-1)
		return payment.DeliveryResult{HTTPStatus: 200}
	})
	wake(t, w.Callbacks, callbackFor(t, w, payments[0]).Receiver)
	if delivered.Load() != n {
		t.Errorf("%d were delivered", delivered.Load())
	}
	wantNoneWaiting(t, w)
	for code, times := range sentTimes(t, w.Sender.Sent()) {
		if times != 1 {
			t.Errorf("%s was sent %d times", code, times)
		}
	}
	if most.Load() > 16 {
		t.Errorf("%d were sent at once", most.Load())
	}
}
