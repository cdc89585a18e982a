package dealer_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// tested is a body with a test field.
func tested(body, test string) string { return strings.Replace(body, "{", `{"test":`+test+",", 1) }

// TestADealersTestPayments end as their requests say, by key and by site token, and their clocks are the dealer's own. A transfer is no test
// payment: it takes money from a wallet. Where money moves every call refuses the field.
func TestADealersTestPayments(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for path, body := range creating {
		a := s.Send(t, s.call(path, tested(body, "{}")))
		if a.Want(t, http.StatusUnprocessableEntity, "Validation failed"); !strings.Contains(a.Body, `"field":"test"`) {
			t.Errorf("%s answers %s", path, a.Body)
		}
	}
	s.UnitOfWork.Directory = apptest.InSandbox{Directory: s.Store}
	s.Send(t, s.call(send, tested(sendBody, `{"outcome":"completed"}`))).Want(t, http.StatusUnprocessableEntity, "Validation failed")
	s.Send(t, s.call(withdraw, tested(withdrawBody, `{"outcome":"rejected"}`))).Want(t, http.StatusOK, "")
	s.Send(t, s.siteCall(card, tested(cardBody, `{"outcome":"failed","error_code":"WRONG_CVC"}`))).Want(t, http.StatusOK, "")
	s.Work(t)
	s.Clock.Advance(time.Second)
	s.Send(t, s.call(deposit, tested(depositBody, `{}`))).Want(t, http.StatusOK, "")
	made := s.Payments(t)
	if len(made) != 3 {
		t.Fatalf("%d payments", len(made))
	}
	clock := `{"tracking_code":"` + made[0].TrackingCode + `","seconds":1800}`
	s.Send(t, s.siteCall("/test-clock", clock)).Want(t, http.StatusForbidden, "Not allowed for site tokens")
	s.Send(t, s.call("/test-clock", clock)).Want(t, http.StatusOK, "")
	s.Work(t)
	got := map[payment.Method]payment.Payment{}
	for _, p := range s.Payments(t) {
		got[p.Method] = p
	}
	failed := got[payment.CreditCard]
	if got[payment.ManualDeposit].Status != payment.Expired || got[payment.ManualWithdrawal].Status != payment.Rejected ||
		failed.Status != payment.Failed || failed.Failure.Code != "WRONG_CVC" {
		t.Errorf("%+v", got)
	}
}
