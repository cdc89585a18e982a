package btcpay_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestEveryStatusIsReadWithItsMoney: an invoice of 100 lira is 0.001 BTC.
func TestEveryStatusIsReadWithItsMoney(t *testing.T) {
	t.Parallel()
	whole, half, more := came("0.001", "Settled"), came("0.0005", "Settled"), came("0.0015", "Settled")
	unseen, coming := came("0.001", "Invalid"), came("0.001", "Processing")
	for _, c := range []struct {
		status, additional string
		payments           []paid
		want               gateway.State
		paid               string
	}{
		{"New", "None", nil, gateway.Waiting, ""},
		{"New", "PaidPartial", []paid{half}, gateway.PartPaid, "50"},
		{"New", "PaidPartial", []paid{half, coming}, gateway.PartPaid, "50"},
		{"New", "PaidPartial", []paid{coming}, gateway.Processing, ""},
		{"New", "PaidPartial", []paid{unseen}, gateway.Waiting, ""}, // replaced by another transaction
		{"New", "PaidPartial", nil, gateway.Waiting, ""},
		{"Processing", "None", []paid{coming}, gateway.Processing, ""},
		{"Processing", "PaidOver", []paid{coming, half}, gateway.Processing, ""},
		{"Expired", "None", nil, gateway.Expired, ""},
		{"Expired", "PaidPartial", []paid{half}, gateway.PartPaid, "50"},
		{"Expired", "PaidPartial", []paid{coming}, gateway.Processing, ""},
		{"Expired", "PaidPartial", nil, gateway.Expired, ""},
		{"Expired", "PaidLate", []paid{whole}, gateway.Paid, "100"},
		{"Expired", "PaidLate", []paid{half, half}, gateway.Paid, "100"},
		{"Expired", "PaidLate", []paid{more}, gateway.OverPaid, "150"},
		{"Expired", "PaidLate", []paid{coming}, gateway.Processing, ""}, // late, and not confirmed
		{"Expired", "PaidLate", []paid{half, coming}, gateway.Processing, ""},
		{"Expired", "PaidLate", nil, gateway.Expired, ""},
		{"Invalid", "None", []paid{coming}, gateway.Failed, ""},
		{"Invalid", "None", nil, gateway.Failed, ""},
		{"Invalid", "Invalid", nil, gateway.Failed, ""},
		{"Invalid", "PaidOver", []paid{coming}, gateway.Failed, ""},
		{"Invalid", "None", []paid{whole}, gateway.Paid, "100"}, // confirmed after all
		{"Invalid", "PaidPartial", []paid{half}, gateway.PartPaid, "50"},
		{"Invalid", "PaidLate", []paid{more}, gateway.OverPaid, "150"},
		{"Invalid", "Marked", nil, gateway.Canceled, ""},
		{"Invalid", "Marked", []paid{unseen}, gateway.Canceled, ""},
		{"Invalid", "Marked", []paid{coming}, gateway.Processing, ""},
		{"Invalid", "Marked", []paid{whole}, gateway.Paid, "100"}, // paid after it was called off
		{"Settled", "None", []paid{whole}, gateway.Paid, "100"},
		{"Settled", "None", nil, gateway.Unknown, ""},
		{"Settled", "None", []paid{half}, gateway.Paid, "50"}, // says paid, and shows less: the core holds it
		{"Settled", "PaidOver", []paid{more}, gateway.OverPaid, "150"},
		{"Settled", "PaidOver", []paid{whole, came("0.0005", "Processing")}, gateway.OverPaid, "150"},
		{"Settled", "PaidOver", nil, gateway.Unknown, ""},
		{"Settled", "Marked", nil, gateway.Review, ""},
		{"Settled", "Marked", []paid{half}, gateway.Review, "50"},
		{"Settled", "Marked", []paid{whole}, gateway.Review, "100"},
		{"Settled", "PaidLate", []paid{whole}, gateway.Unknown, ""},
		{"Expired", "Haunted", []paid{whole}, gateway.Unknown, ""},
		{"Frozen", "None", nil, gateway.Unknown, ""},
		{"", "", nil, gateway.Unknown, ""},
	} {
		s := opened(t)
		k := s.started(t, "R1", "100")
		s.bring("R1", c.status, c.additional, c.payments...)
		for _, key := range []gateway.DepositKey{k, {Ref: "R1", Due: k.Due}} {
			got, err := s.ReadDeposit(t.Context(), key)
			checkObservation(t, c.status+", "+c.additional, got, err, c.want, c.paid)
		}
	}
}

func checkObservation(t *testing.T, of string, got gateway.Observation, err error, want gateway.State, paid string) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", of, err)
		return
	}
	has := ""
	if got.Paid != nil {
		has = got.Paid.Amount.String()
	}
	if got.State != want || has != paid || got.Trust != gateway.Answered || got.Ref != "R1" || got.External.ID == "" {
		t.Errorf("%s: %s with %q paid (%s, %v), want %s with %q", of, got.State, has, got.Ref, got.External, want, paid)
	}
	if got.Paid != nil && got.Paid.Asset != gateway.TRY {
		t.Errorf("%s: paid in %+v", of, got.Paid.Asset)
	}
}

// TestWhatCameIsTheSamePartOfThePrice: at a rate of 4123456.78 an invoice of 99999.99 lira is 0.02425150 BTC.
func TestWhatCameIsTheSamePartOfThePrice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, additional string
		payments           []paid
		want               gateway.State
		paid               string
	}{
		{"Expired", "PaidLate", []paid{came("0.02425150", "Settled")}, gateway.Paid, "99999.99"},
		{"Expired", "PaidLate", []paid{came("0.01", "Settled"), came("0.01425150", "Settled")}, gateway.Paid, "99999.99"},
		{"Settled", "PaidOver", []paid{came("0.02425151", "Settled")}, gateway.OverPaid, "100000.03"},
		{"Expired", "PaidPartial", []paid{came("0.02425149", "Settled")}, gateway.PartPaid, "99999.94"},
		{"Expired", "PaidPartial", []paid{came("0.00000001", "Settled")}, gateway.PartPaid, "0.04"},
		// Two ways to pay, each rounded: the server says that nothing is missing, and it counts exactly.
		{"Expired", "PaidLate", []paid{came("0.01", "Settled"), {"BTC-LN", "Settled", money.MustDecimal("0.01425149"), conformance.Opening}},
			gateway.Paid, "99999.99"},
	} {
		s := opened(t)
		s.server.rate = money.MustDecimal("4123456.78")
		k := s.started(t, "R1", "99999.99")
		s.bring("R1", c.status, c.additional, c.payments...)
		got, err := s.ReadDeposit(t.Context(), k)
		checkObservation(t, c.status+", "+c.additional, got, err, c.want, c.paid)
	}
}

// TestTheToleranceHidesNothing: what the server calls paid within the tolerance shows as what came.
func TestTheToleranceHidesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, additional, value, paid string
		want                            gateway.State
	}{
		{"Settled", "None", "0.00099", "99", gateway.Paid},
		{"Settled", "None", "0.001", "100", gateway.Paid},
		{"Expired", "PaidLate", "0.00099", "99", gateway.Paid},
		{"Settled", "PaidOver", "0.00101", "101", gateway.OverPaid},
	} {
		s := opened(t, "tolerance_percent", "1.5")
		k := s.started(t, "R1", "100")
		s.bring("R1", c.status, c.additional, came(c.value, "Settled"))
		got, err := s.ReadDeposit(t.Context(), k)
		checkObservation(t, c.status+" "+c.value, got, err, c.want, c.paid)
	}
}

func TestAReplacedTransactionMakesAnInvoiceWaitAgain(t *testing.T) {
	t.Parallel()
	s := opened(t)
	k := s.started(t, "R1", "100")
	for _, step := range []struct {
		status   string
		payments []paid
		want     gateway.State
	}{
		{"Processing", []paid{came("0.001", "Processing")}, gateway.Processing},
		{"New", []paid{came("0.001", "Invalid")}, gateway.Waiting},
		{"Processing", []paid{came("0.001", "Processing")}, gateway.Processing},
	} {
		s.bring("R1", step.status, "None", step.payments...)
		got, err := s.ReadDeposit(t.Context(), k)
		checkObservation(t, step.status, got, err, step.want, "")
	}
}

func TestPaymentsThatCannotBeCountedAreNoAnswer(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`[{"paymentMethodId":"BTC-CHAIN","amount":"0","payments":[{"value":"0.001","status":"Settled"}]}]`,
		`[{"paymentMethodId":"BTC-CHAIN","amount":"1E-3","payments":[]}]`,
		`[{"paymentMethodId":"BTC-CHAIN","amount":"0.001","payments":[{"value":{},"status":"Settled"}]}]`,
		`{}`, `<html>`, ``,
	} {
		s := opened(t)
		k := s.started(t, "R1", "100")
		s.bring("R1", "Expired", "PaidLate")
		s.Answer("GET", "/payment-methods", 200, body)
		got, err := s.ReadDeposit(t.Context(), k)
		if !gateway.IsClass(err, gateway.Retryable) {
			t.Errorf("%s: %v, %v", body, got, err)
		}
	}
}

func TestAnotherInvoiceIsNoAnswer(t *testing.T) {
	t.Parallel()
	s := opened(t)
	k := s.started(t, "R1", "100")
	s.Answer("GET", k.External.ID, 200, `{"id":"another","status":"Settled","additionalStatus":"None","amount":"100.00","currency":"TRY"}`)
	if got, err := s.ReadDeposit(t.Context(), k); !gateway.IsClass(err, gateway.Retryable) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestOfSeveralInvoicesTheOneWithMoneyCounts: a start that was repeated after an unknown outcome.
func TestOfSeveralInvoicesTheOneWithMoneyCounts(t *testing.T) {
	t.Parallel()
	s := opened(t)
	first := s.started(t, "R1", "100")
	s.started(t, "R1", "100")
	s.server.invoices[0].status, s.server.invoices[0].payments = "Settled", []paid{came("0.001", "Settled")}
	s.server.invoices[0].isArchived = true
	got, err := s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: "R1"})
	checkObservation(t, "two invoices", got, err, gateway.Paid, "100")
	if got.External.ID != first.External.ID {
		t.Errorf("took %s, not %s", got.External.ID, first.External.ID)
	}
	for _, ref := range []gateway.Ref{"", "R", "R11", "r1"} {
		if got, err := s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: ref}); !gateway.IsClass(err, gateway.NotFound) {
			t.Errorf("%q: %v, %v", ref, got, err)
		}
	}
}

// TestNobodyElsesInvoiceIsTaken: a server that does not know the filter gives them all.
func TestNobodyElsesInvoiceIsTaken(t *testing.T) {
	t.Parallel()
	s := opened(t)
	const ended = `"status":"Expired","additionalStatus":"None","amount":"100.00","currency":"TRY"`
	s.Answer("GET", "/invoices", 200, `[{"id":"a","metadata":{"orderId":"R2"},`+ended+`},{"id":"b","metadata":null,`+ended+`}]`)
	for _, ref := range []gateway.Ref{"R1", ""} {
		if got, err := s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: ref}); !gateway.IsClass(err, gateway.NotFound) {
			t.Errorf("%q: %+v, %v", ref, got, err)
		}
	}
}
