package metrics_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/metrics"
	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

// scrape returns the page's series of Vezne's own by name and labels.
func scrape(t *testing.T, page http.Handler) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	series := map[string]string{}
	for line := range strings.Lines(w.Body.String()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(name, "vezne_") {
			series[name] = value
		}
	}
	return series
}

func wantSeries(t *testing.T, got map[string]string, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
}

// waiting has all figures of what waits from one store.
func waiting(store interface {
	ports.Statements
	ports.Reports
}) metrics.Waiting {
	return metrics.Waiting{Statements: store, Reports: store}
}

// measured is a World whose commits and attempts are counted.
func measured(t *testing.T) (*apptest.World, *metrics.Metrics) {
	t.Helper()
	w, m := apptest.New(t), metrics.New("1.2.3", "c0ffee")
	w.UnitOfWork.Commits = m.Commits(w.Store)
	w.Callbacks.Sender = m.CallbackSender(w.Sender)
	return w, m
}

func TestStoreIsTheSameBehindItsMeter(t *testing.T) {
	t.Parallel()
	m := metrics.New("test", "c0ffee")
	storetest.Run(t, func(t *testing.T) storetest.Store {
		store := sqlitetest.Open(t)
		return storetest.Of(store, m.Commits(store))
	}, "commit", "versions", "idempotency")
}

func TestPageHasTheFiguresOfTheWorkDone(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	page := m.Page(waiting(w.Store), w.Clock)
	amount := money.New(25000, money.TRY)
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	if _, err := w.Deposits.Continue(t.Context(), p, amount); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Approve(t.Context(), apptest.By(w.Operator, p, ""), money.Amount{}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(90 * time.Second)
	wantSeries(t, scrape(t, page), map[string]string{
		`vezne_due_rows{kind="callbacks"}`: "1", `vezne_due_oldest_seconds{kind="callbacks"}`: "90",
	})
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{HTTPStatus: 200, Duration: 250 * time.Millisecond}
	})
	w.Work(t)
	m.Request("/api/provider/start-manual-deposit", "POST", 200, 30*time.Millisecond)
	m.Request("/api/provider/start-manual-deposit", "POST", 422, time.Millisecond)
	w.Clock.Advance(5 * time.Second) // what was asked before is told until then
	wantSeries(t, scrape(t, page), map[string]string{
		`vezne_build_info{goversion="` + runtime.Version() + `",revision="c0ffee",version="1.2.3"}`: "1",
		`vezne_payment_moves_total{from="",method="manual_deposit",to="showing"}`:                   "1",
		`vezne_payment_moves_total{from="showing",method="manual_deposit",to="showing"}`:            "1",
		`vezne_payment_moves_total{from="showing",method="manual_deposit",to="processing"}`:         "1",
		`vezne_payment_moves_total{from="processing",method="manual_deposit",to="completed"}`:       "1",
		`vezne_commit_duration_seconds_count{result="ok"}`:                                          "6", // start, offer, approval, outcome, two statements
		`vezne_callback_attempt_duration_seconds_count{result="ok"}`:                                "1",
		`vezne_callback_attempt_duration_seconds_sum{result="ok"}`:                                  "0.25",
		`vezne_callback_attempt_duration_seconds_bucket{result="ok",le="0.1"}`:                      "0",
		`vezne_callback_attempt_duration_seconds_bucket{result="ok",le="0.25"}`:                     "1",
		"vezne_callback_delay_seconds_count":                                                        "1", `vezne_callback_delay_seconds_bucket{le="60"}`: "0", `vezne_callback_delay_seconds_bucket{le="300"}`: "1",
		`vezne_http_request_duration_seconds_count{method="POST",route="/api/provider/start-manual-deposit",status="200"}`: "1",
		`vezne_http_request_duration_seconds_sum{method="POST",route="/api/provider/start-manual-deposit",status="200"}`:   "0.03",
		`vezne_http_request_duration_seconds_count{method="POST",route="/api/provider/start-manual-deposit",status="422"}`: "1",
		`vezne_due_rows{kind="callbacks"}`: "0", `vezne_due_oldest_seconds{kind="callbacks"}`: "0",
	})
}

// TestLateness: an expiry is as late as it is after its time, and of callbacks those alone count that are taken at their first attempt.
func TestLateness(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	w.StartDeposit(t, payment.ManualDeposit, money.New(25000, money.TRY))
	status := 500
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{HTTPStatus: status}
	})
	w.Clock.Advance(30*time.Minute + 20*time.Second)
	w.Work(t)
	status = 200
	w.Clock.Advance(time.Hour)
	w.Work(t)
	wantSeries(t, scrape(t, m.Page(waiting(w.Store), w.Clock)), map[string]string{
		"vezne_expiry_delay_seconds_count": "1", `vezne_expiry_delay_seconds_bucket{le="10"}`: "0", `vezne_expiry_delay_seconds_bucket{le="30"}`: "1",
		`vezne_callback_attempt_duration_seconds_count{result="refused"}`: "1", `vezne_callback_attempt_duration_seconds_count{result="ok"}`: "1",
		"vezne_callback_delay_seconds_count": "0",
	})
}

func TestFailedCommitsAreTimedByTheirFaultAndMoveNothing(t *testing.T) {
	t.Parallel()
	m := metrics.New("test", "c0ffee")
	clock, store := apptest.NewClock(apptest.Start), sqlitetest.Open(t)
	counted := m.Commits(store)
	change := core.Changeset{
		payment.Payment{ID: "P", Version: 2, Method: payment.EIBANDeposit},
		payment.Transition{ID: "M", PaymentID: "P", From: payment.Showing, To: payment.Expired},
	}
	if err := counted.Commit(t.Context(), change); !fault.Is(err, fault.Conflict) {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := counted.Commit(left, change); !fault.Is(err, fault.Unavailable) {
		t.Fatal(err)
	}
	got := scrape(t, m.Page(waiting(store), clock))
	wantSeries(t, got, map[string]string{
		`vezne_commit_duration_seconds_count{result="CONFLICT"}`:    "1",
		`vezne_commit_duration_seconds_count{result="UNAVAILABLE"}`: "1",
		`vezne_commit_duration_seconds_count{result="ok"}`:          "",
	})
	for name := range got {
		if strings.HasPrefix(name, "vezne_payment_moves_total") {
			t.Errorf("a failed commit counts as %s", name)
		}
	}
}

func TestAttemptsAreToldApartByWhetherThereWasAnAnswer(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	for i, answer := range []payment.DeliveryResult{{HTTPStatus: 200}, {HTTPStatus: 204}, {HTTPStatus: 500}, {Error: "timeout"}, {Error: "refused"}} {
		w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult { return answer })
		p := w.StartDeposit(t, payment.ManualDeposit, money.New(10000, money.TRY))
		if _, err := w.Deposits.Cancel(t.Context(), p); err != nil {
			t.Fatal(i, err)
		}
		w.Work(t)
	}
	any2xx := owner.Any2xx
	update := directory.ProviderUpdate{ID: w.Provider.ID, ProviderPatch: owner.ProviderPatch{CallbackAcknowledgement: &any2xx}}
	if _, err := w.Directory.UpdateProvider(t.Context(), app.Request{Staff: w.Admin}, update); err != nil {
		t.Fatal(err)
	}
	w.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{HTTPStatus: 204}
	})
	p := w.StartDeposit(t, payment.ManualDeposit, money.New(10000, money.TRY))
	if _, err := w.Deposits.Cancel(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	wantSeries(t, scrape(t, m.Page(waiting(w.Store), w.Clock)), map[string]string{
		`vezne_callback_attempt_duration_seconds_count{result="ok"}`:        "2",
		`vezne_callback_attempt_duration_seconds_count{result="refused"}`:   "2",
		`vezne_callback_attempt_duration_seconds_count{result="no_answer"}`: "2",
	})
}

func TestSeriesDoNotGrowWithTheWork(t *testing.T) {
	t.Parallel()
	w, m := measured(t)
	page := m.Page(waiting(w.Store), w.Clock)
	var codes []string
	work := func(round int) {
		site := w.AddSite(t, fmt.Sprint("site", round), owner.CallbackURLs{Deposit: fmt.Sprintf("https://receiver%d.test", round)})
		for _, method := range payment.Methods() {
			if method.Gateway() != "" {
				continue // a gateway decides about these
			}
			p := w.Start(t, payment.Request{Method: method, Site: site, Amount: money.New(int64(10000+round), money.TRY)})
			var err error
			if method.Kind() == payment.Deposit {
				_, err = w.Deposits.Cancel(t.Context(), p)
			} else {
				_, err = w.Withdrawals.Reject(t.Context(), apptest.By(w.Operator, p, fmt.Sprint("reason", round)))
			}
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, p.TrackingCode, string(p.ID))
		}
		w.Work(t)
	}
	work(0)
	before := scrape(t, page)
	for round := range 20 {
		work(round + 1)
	}
	after := scrape(t, page)
	if len(after) != len(before) {
		t.Errorf("%d series, after twenty times the work %d", len(before), len(after))
	}
	for name := range after {
		for _, code := range append(codes, "receiver", "reason", w.Provider.APIKey) {
			if strings.Contains(name, code) {
				t.Errorf("%s names %s", name, code)
			}
		}
	}
}

func TestABrokenChainOfTheAuditLogIsSeen(t *testing.T) {
	t.Parallel()
	m := metrics.New("test", "c0ffee")
	page := m.Page(waiting(sqlitetest.Open(t)), apptest.NewClock(apptest.Start))
	wantSeries(t, scrape(t, page), map[string]string{"vezne_audit_chain_broken": ""}) // nobody has looked yet
	for _, want := range []string{"0", "1", "0"} {
		m.AuditChecked(want == "1")
		wantSeries(t, scrape(t, page), map[string]string{"vezne_audit_chain_broken": want})
	}
}

// silent is a store that is out of reach.
type silent struct{ *bunstore.Store }

func (silent) FeedHealth(context.Context) (wallet.FeedHealth, error) {
	return wallet.FeedHealth{}, fault.New("test", fault.Unavailable)
}

func (silent) DueWork(context.Context, time.Time) ([]report.DueWork, error) {
	return nil, fault.New("test", fault.Unavailable)
}

func (silent) OpenWork(context.Context, report.OpenWorkQuery) ([]report.OpenWork, error) {
	return nil, fault.New("test", fault.Unavailable)
}

func (silent) OldestOpen(context.Context) ([]report.OldestOpen, error) {
	return nil, fault.New("test", fault.Unavailable)
}

func TestPageWorksWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	m := metrics.New("1.2.3", "c0ffee")
	store := sqlitetest.Open(t)
	got := scrape(t, m.Page(waiting(silent{store}), apptest.NewClock(apptest.Start)))
	wantSeries(t, got, map[string]string{
		`vezne_build_info{goversion="` + runtime.Version() + `",revision="c0ffee",version="1.2.3"}`: "1", `vezne_due_rows{kind="callbacks"}`: "", `vezne_due_oldest_seconds{kind="callbacks"}`: "",
		"vezne_ledger_broken_wallets": "", "vezne_bank_lines_waiting": "",
	})
}
