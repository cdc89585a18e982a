package btcpay_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

func TestOnlyANewInvoiceWithoutMoneyIsMarkedInvalid(t *testing.T) {
	t.Parallel()
	whole, half := came("0.001", "Settled"), came("0.0005", "Settled")
	for _, c := range []struct {
		status, additional string
		payments           []paid
		want               gateway.State
		paid               string
		writes             int
	}{
		{"New", "None", nil, gateway.Canceled, "", 1},
		{"New", "PaidPartial", []paid{half}, gateway.PartPaid, "50", 0},
		{"New", "PaidPartial", []paid{came("0.0005", "Processing")}, gateway.Processing, "", 0},
		{"Processing", "None", []paid{came("0.001", "Processing")}, gateway.Processing, "", 0},
		{"Expired", "None", nil, gateway.Expired, "", 0},
		{"Expired", "PaidLate", []paid{whole}, gateway.Paid, "100", 0},
		{"Settled", "None", []paid{whole}, gateway.Paid, "100", 0},
		{"Settled", "Marked", nil, gateway.Review, "", 0},
		{"Invalid", "Marked", nil, gateway.Canceled, "", 0},
		{"Frozen", "None", nil, gateway.Unknown, "", 0},
	} {
		s := opened(t)
		k := s.started(t, "R1", "100")
		s.bring("R1", c.status, c.additional, c.payments...)
		before := s.server.writes
		got, err := s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: k})
		checkObservation(t, c.status+", "+c.additional, got, err, c.want, c.paid)
		if s.server.writes-before != c.writes {
			t.Errorf("%s, %s: %d writes", c.status, c.additional, s.server.writes-before)
		}
	}
}

// TestTheCustomerMayBeFaster: the payment comes between the question and the mark.
// TestACancellationIsReadAgain: from 2.3.6 on the answer to it shows the invoice as it was before.
func TestACancellationIsReadAgain(t *testing.T) {
	t.Parallel()
	for _, version := range []string{oldest, middle, newest} {
		s := opened(t)
		s.server.version = version
		o, err := s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: s.started(t, "R1", "100")})
		if err != nil || o.State != gateway.Canceled {
			t.Errorf("%s: %s, %v", version, o.State, err)
		}
	}
}

func TestTheCustomerMayBeFaster(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  string
		payment paid
		want    gateway.State
		paid    string
	}{
		{"Settled", came("0.001", "Settled"), gateway.Paid, "100"},          // the server refuses the mark
		{"Processing", came("0.001", "Processing"), gateway.Processing, ""}, // the server marks it all the same
	} {
		s := opened(t)
		k := s.started(t, "R1", "100")
		s.server.before = func(r *http.Request) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/status") {
				s.bring("R1", c.status, "None", c.payment)
			}
		}
		got, err := s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: k})
		checkObservation(t, c.status, got, err, c.want, c.paid)
	}
}

// TestMoneyAfterACancellationShows: the address can be paid for ever.
func TestMoneyAfterACancellationShows(t *testing.T) {
	t.Parallel()
	s := opened(t)
	k := s.started(t, "R1", "100")
	if _, err := s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: k}); err != nil {
		t.Fatal(err)
	}
	s.bring("R1", "Invalid", "Marked", came("0.001", "Settled"))
	got, err := s.ReadDeposit(t.Context(), k)
	checkObservation(t, "paid after it was canceled", got, err, gateway.Paid, "100")
}

func TestACancellationWhoseFateIsUnknownSaysSo(t *testing.T) {
	t.Parallel()
	s := opened(t)
	k := s.started(t, "R1", "100")
	s.Answer("GET", "/payment-methods", 401, "")
	_, err := s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: k})
	checkError(t, err, gateway.Misconfigured, gateway.EffectUnknown)
	s = opened(t)
	k = s.started(t, "R1", "100")
	s.Answer("GET", k.External.ID, 500, "")
	_, err = s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: k})
	checkError(t, err, gateway.Retryable, gateway.EffectNone)
	_, err = s.CancelDeposit(t.Context(), gateway.CancelOrder{DepositKey: gateway.DepositKey{Ref: "R2"}})
	checkError(t, err, gateway.NotFound, gateway.EffectNone)
}
