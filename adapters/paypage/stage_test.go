package paypage_test

import (
	"context"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/paypage"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// stage is a World with its payment page on a server of its own, and a database that can be cut off.
type stage struct {
	*apptest.World
	t         *testing.T
	config    paypage.Config
	server    *httptest.Server
	payments  *outage
	booth     *booth        // the gateway that is tried first
	usualWait time.Duration // of every deposit
	other     *booth
}

func newStage(t *testing.T) *stage {
	t.Helper()
	w := apptest.New(t)
	s := &stage{World: w, t: t, payments: &outage{Payments: w.Store}}
	w.UnitOfWork.Payments = s.payments
	s.openBooths()
	s.config = paypage.Config{
		Take:     w.Limiter.Take,
		Deposits: w.Deposits, Operations: w.Operations, Zone: w.Zone, Log: slog.New(slog.NewTextHandler(w.Logs, nil)),
		ClientAddr: func(r *http.Request) netip.Addr { return netip.MustParseAddrPort(r.RemoteAddr).Addr() },
		UsualWait:  func(context.Context, payment.Payment) time.Duration { return s.usualWait },
	}
	s.serve()
	return s
}

// serve opens the page, as it is configured now, on a server of its own.
func (s *stage) serve() {
	mux := http.NewServeMux()
	mux.Handle("/pay/", paypage.New(s.config))
	s.server = httptest.NewServer(mux)
	s.t.Cleanup(s.server.Close)
}

// outage is the store while it can be reached. Its faults carry what a driver might put into them.
type outage struct {
	ports.Payments
	with atomic.Pointer[error]
}

func (o *outage) PaymentByToken(ctx context.Context, token string) (payment.Payment, error) {
	if err := o.with.Load(); err != nil {
		return payment.Payment{}, errors.Join(*err, errors.New("select … where token = "+token))
	}
	return o.Payments.PaymentByToken(ctx, token)
}

// fails cuts the database off, or with nil makes it work again.
func (s *stage) fails(err error) {
	if err == nil {
		s.payments.with.Store(nil)
		return
	}
	s.payments.with.Store(&err)
}

var errOutage = fault.New("store", fault.Unavailable)

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// deposit starts one of 250 lira, in English.
func (s *stage) deposit() payment.Payment {
	return s.StartDeposit(s.t, payment.ManualDeposit, lira(250))
}

// offered starts one and has an account offered.
func (s *stage) offered() payment.Payment {
	s.t.Helper()
	p := s.deposit()
	return must(s.Deposits.Continue(s.t.Context(), p, p.Amount))(s.t)
}

// claimed starts one that the customer says is paid.
func (s *stage) claimed() payment.Payment {
	s.t.Helper()
	return must(s.Deposits.ClaimPaid(s.t.Context(), s.offered()))(s.t)
}

// approve returns the payment with its token, which staff are not told.
func (s *stage) approve(p payment.Payment, amount money.Amount) payment.Payment {
	s.t.Helper()
	approved := must(s.Approve(s.t.Context(), apptest.By(s.Operator, p, ""), amount))(s.t)
	approved.Token = p.Token
	return approved
}

// expire lets the time of everything that is showing run out.
func (s *stage) expire() {
	s.t.Helper()
	s.Clock.Advance(31 * time.Minute)
	must(s.Sweep.ExpireDue(s.t.Context()))(s.t)
}

// inEachPhase returns a payment in each phase of the page by its name. It moves the clock.
func (s *stage) inEachPhase() map[string]payment.Payment {
	s.t.Helper()
	late, gone := s.claimed(), s.offered()
	s.expire()
	canceled := s.claimed()
	reject := apptest.By(s.Operator, canceled, "secret suspicion of staff")
	must(s.Deposits.Reject(s.t.Context(), reject))(s.t)
	return map[string]payment.Payment{
		"late": s.Reload(s.t, late), "expired": s.Reload(s.t, gone), "canceled": s.Reload(s.t, canceled),
		"amount": s.deposit(), "pay": s.offered(), "checking": s.claimed(),
		"completed": s.approve(s.claimed(), lira(280)),
	}
}

// answer is a whole HTTP answer.
type answer struct {
	status int
	header http.Header
	body   string
}

// text is the body without its tags, as one line.
func (a answer) text() string {
	return plain(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(a.body, " ")))
}

// plain is a text with each run of white space, breaking or not, as one space.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }

// send sends one request and follows nothing.
func (s *stage) send(r *http.Request) answer {
	s.t.Helper()
	client := s.server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := must(client.Do(r))(s.t)
	defer got.Body.Close()
	return answer{got.StatusCode, got.Header, string(must(io.ReadAll(got.Body))(s.t))}
}

func (s *stage) request(method, path string, form url.Values) *http.Request {
	s.t.Helper()
	r := must(http.NewRequestWithContext(s.t.Context(), method, s.server.URL+strings.TrimPrefix(path, s.server.URL), strings.NewReader(form.Encode())))(s.t)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

func (s *stage) get(path string) answer {
	s.t.Helper()
	return s.send(s.request(http.MethodGet, path, nil))
}

func (s *stage) post(path string, form url.Values) answer {
	s.t.Helper()
	return s.send(s.request(http.MethodPost, path, form))
}

// path is the page of a payment.
func path(p payment.Payment) string { return "/pay/" + p.Token }

// form is the page of a payment with the form for its amount.
func form(p payment.Payment) string { return path(p) + "?step=amount" }

// shown is the page of a payment in a phase: one that is opened for the first time goes on to the offer by itself.
func shown(phase string, p payment.Payment) string {
	if phase == "amount" {
		return form(p) + "&"
	}
	return path(p) + "?"
}

// inTurkish starts a deposit that a Turkish request created.
func (s *stage) inTurkish() payment.Payment {
	s.t.Helper()
	return s.Start(s.t, payment.Request{Method: payment.ManualDeposit, Amount: money.New(125050, money.TRY), Language: lang.TR})
}

// must takes a result apart: must(f())(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
