package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest/provider"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/e2e/resttest"
)

const testClock = "/test-clock"

// noMoneyMoves has all gateway accounts be of a sandbox.
func (s *server) noMoneyMoves() { s.UnitOfWork.Directory = apptest.InSandbox{Directory: s.Store} }

// TestNoTestWhereMoneyMoves: every creating call refuses the field, whatever is in it, on an installation that takes none and on one with a
// gateway account of production; nothing is created, and nothing is to be done later.
func TestNoTestWhereMoneyMoves(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(*server) *server{
		"with an account of production": func(s *server) *server { return s },
		"where no tests are taken": func(s *server) *server {
			s.noMoneyMoves()
			c := provider.Config{
				Gate: s.Gate, Directory: s.Directory, Deposits: s.Deposits, Withdrawals: s.Withdrawals, Cards: s.Cards, Operations: s.Operations,
				BaseURL: "https://pay.vezne.test", Zone: s.Zone, Now: s.Clock.Now,
			}
			return &server{resttest.New(t, s.World, provider.Path, provider.New(c), s.Secrets)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := take(newServer(t))
			for path, body := range creating {
				for _, test := range []string{`{"outcome":"completed"}`, `{}`, `"completed"`, `true`, `[]`} {
					a := s.Send(t, s.call(path, owned(body, `"test":`+test)).With("Accept-Language", "en"))
					if a.Want(t, http.StatusUnprocessableEntity, "Validation failed"); !strings.Contains(a.Body, "remove it from the request") {
						t.Errorf("%s with %s answers %s", path, test, a.Body)
					}
				}
				s.Send(t, s.call(path, owned(body, `"test":null`))).Want(t, http.StatusOK, "")
			}
			due, err := s.Store.DueTestPlans(t.Context(), s.Clock.Now().Add(1000*time.Hour), 10)
			if made := s.Payments(t); len(made) != len(creating) || len(due) != 0 || err != nil {
				t.Errorf("%d payments and %d plans (%v)", len(made), len(due), err)
			}
		})
	}
}

// TestATestSaysWhatBecomesOfThePayment: every creating call takes the field, its answer is the usual one, and a repetition with the same
// Idempotency-Key makes no second plan.
func TestATestSaysWhatBecomesOfThePayment(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.noMoneyMoves()
	for path, body := range creating {
		r := owned(body, `"test":{"outcome":"canceled","after":60,"callbacks":"twice","callback_delay":1}`)
		for range 2 {
			s.Send(t, s.call(path, r).With("Idempotency-Key", "order-1")).Want(t, http.StatusOK, "")
		}
	}
	for _, p := range s.Payments(t) {
		plan, err := s.Store.TestPlan(t.Context(), p.ID)
		if err != nil || plan.Outcome != "canceled" || plan.Delivery != "twice" || plan.Delay != time.Second || !plan.DueAt.Equal(p.CreatedAt.Add(time.Minute)) {
			t.Errorf("%s: %+v, %v", p.Method, plan, err)
		}
	}
	s.Clock.Advance(time.Minute)
	s.Work(t)
	made := s.Payments(t)
	if len(made) != len(creating) {
		t.Errorf("%d payments", len(made))
	}
	for _, p := range made {
		if p.Status.Common() != payment.Canceled {
			t.Errorf("%s is %s", p.Method, p.Status)
		}
	}
}

// TestATestIsBounded: what it says has to be possible for its method, and every member has its bounds.
func TestATestIsBounded(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.noMoneyMoves()
	for _, c := range []struct{ path, test, field string }{
		{"/start-manual-deposit", `{"outcome":"paid"}`, "test.outcome"},
		{"/start-manual-deposit", `{"outcome":true}`, "test.outcome"},
		{"/start-manual-withdraw", `{"outcome":"expired"}`, "test.outcome"},
		{"/start-eiban-withdraw", `{"outcome":"paid_late"}`, "test.outcome"},
		{crypto, `{"outcome":"expired"}`, "test.outcome"},
		{"/start-manual-deposit", `{"outcome":"completed","amount":0.99}`, "test.amount"},
		{"/start-manual-deposit", `{"outcome":"completed","amount":"1e9"}`, "test.amount"},
		{"/start-manual-deposit", `{"outcome":"canceled","amount":10}`, "test.amount"},
		{"/start-manual-withdraw", `{"outcome":"completed","amount":10}`, "test.amount"},
		{card, `{"outcome":"completed","amount":10}`, "test.amount"},
		{card, `{"outcome":"failed","error_code":"FRAUD_SUSPECTED"}`, "test.error_code"},
		{card, `{"outcome":"canceled","error_code":"EXPIRED_CARD"}`, "test.error_code"},
		{"/start-manual-deposit", `{"outcome":"failed","error_code":"EXPIRED_CARD"}`, "test.error_code"},
		{"/start-manual-deposit", `{"outcome":"completed","after":-1}`, "test.after"},
		{"/start-manual-deposit", `{"outcome":"completed","after":1.5}`, "test.after"},
		{"/start-manual-deposit", `{"outcome":"completed","after":99999999999999999999}`, "test.after"},
		{"/start-manual-deposit", `{"after":1}`, "test.after"},
		{"/start-manual-deposit", `{"outcome":"completed","callback_delay":3601}`, "test.callback_delay"},
		{"/start-manual-deposit", `{"callback_delay":1}`, "test.callback_delay"},
		{"/start-manual-deposit", `{"callbacks":{"a":{}}}`, "test.callbacks"},
		{"/start-manual-deposit", `{"callbacks":"thrice"}`, "test.callbacks"},
		{"/start-manual-deposit", `{"outcom":"completed"}`, "test"},
		{"/start-manual-deposit", `"completed"`, "test"},
		{"/start-manual-deposit", `["completed"]`, "test"},
	} {
		a := s.Send(t, s.call(c.path, owned(creating[c.path], `"test":`+c.test)))
		a.Want(t, http.StatusUnprocessableEntity, "Validation failed")
		if !strings.Contains(a.Body, `"field":"`+c.field+`"`) || strings.Count(a.Body, `"field":`) != 1 {
			t.Errorf("%s with %s answers %s", c.path, c.test, a.Body)
		}
	}
	for _, body := range []string{
		`{"tracking_code":"x"}`, `{"tracking_code":"x","seconds":-1}`, `{"tracking_code":"x","seconds":2592001}`, `{"seconds":1}`,
		`{"tracking_code":"x","reference":"y","seconds":1}`,
	} {
		s.Send(t, s.call(testClock, body)).Want(t, http.StatusUnprocessableEntity, "Validation failed")
	}
	if made := s.Payments(t); len(made) != 0 {
		t.Errorf("%d payments", len(made))
	}
}

// TestAnotherProvidersClockStays, and one that cannot be read moves nothing either.
func TestAnotherProvidersClockStays(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.noMoneyMoves()
	s.Send(t, s.call("/start-manual-deposit", owned(depositBody, `"test":{}`))).Want(t, http.StatusOK, "")
	p, stranger := s.Payments(t)[0], s.addProvider(t)
	body := fmt.Sprintf(`{"tracking_code":%q,"seconds":3600}`, p.TrackingCode)
	s.Send(t, s.call(testClock, body).Signed(stranger.APIKey, stranger.SecretKey.Reveal(), s.Clock.Now().Unix())).Want(t, http.StatusNotFound, "Not found")
	s.Send(t, s.call(testClock, body).Signed(s.Provider.APIKey, "vzs_wrong", s.Clock.Now().Unix())).Want(t, http.StatusUnauthorized, "Invalid hash")
	s.Work(t)
	if now := s.Reload(t, p); !now.ExpiresAt.Equal(p.ExpiresAt) || now.Status != payment.Showing {
		t.Errorf("%s until %s", now.Status, now.ExpiresAt)
	}
	s.Send(t, s.call(testClock, body)).Want(t, http.StatusOK, "")
	s.Work(t)
	if now := s.Reload(t, p); now.Status != payment.Expired {
		t.Errorf("%s", now.Status)
	}
}
