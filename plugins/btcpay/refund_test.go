package btcpay_test

import (
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// settled is a deposit of 100 lira that was paid.
func settled(t *testing.T) (*shop, gateway.DepositKey) {
	t.Helper()
	s := opened(t)
	k := s.started(t, "R1", "100")
	s.bring("R1", "Settled", "None", came("0.001", "Settled"))
	return s, k
}

func refundOrder(k gateway.DepositKey, ref, amount string) gateway.RefundOrder {
	return gateway.RefundOrder{DepositKey: k, RefundRef: gateway.Ref(ref), Amount: conformance.Lira(amount)}
}

func TestARefundIsClaimedByTheCustomer(t *testing.T) {
	t.Parallel()
	s, k := settled(t)
	got, err := s.Refund(t.Context(), refundOrder(k, "R1F1", "40.5"))
	if err != nil || got.State != gateway.RefundPending || got.RefundRef != "R1F1" || *got.Amount != conformance.Lira("40.5") ||
		got.External.Alt["claim"] != "https://btcpay.example.com/pull-payments/"+got.External.ID {
		t.Fatalf("%+v, %v", got, err)
	}
	checkBody(t, s.bodyOf(t, "POST", "/refund"), "map[customAmount:40.50 customCurrency:TRY description:refund of invoice "+
		k.External.ID+" name:R1F1 payoutMethodId:BTC-CHAIN refundVariant:Custom]")
	claim := func(state, amount string) *payout {
		p := &payout{id: "claim" + state + amount, state: state, pullID: got.External.ID, currency: "TRY", amount: money.MustDecimal(amount)}
		s.server.payouts = append(s.server.payouts, p)
		return p
	}
	reads := func(what string, want gateway.RefundState) {
		t.Helper()
		for _, key := range []gateway.RefundKey{{RefundRef: "R1F1"}, {RefundRef: "R1F1", Refund: got.External}} {
			read, err := s.ReadRefund(t.Context(), key)
			if err != nil || read.State != want || read.Trust != gateway.Answered || read.External.ID != got.External.ID {
				t.Errorf("%s: %+v, %v, want %s", what, read, err, want)
			}
		}
	}
	reads("not claimed", gateway.RefundPending)
	claim("Cancelled", "40.5")
	first := claim("AwaitingApproval", "20")
	reads("claimed in part", gateway.RefundPending)
	first.state = "Completed"
	reads("paid in part", gateway.RefundPending)
	claim("Completed", "20.5")
	reads("paid", gateway.RefundDone)
}

// TestWhatWasClaimedOfAnArchivedRefundIsNotKnown: the server hides the payouts of an archived pull payment in every list and
// read, so that a refund which was claimed and paid looks like one that was not.
func TestWhatWasClaimedOfAnArchivedRefundIsNotKnown(t *testing.T) {
	t.Parallel()
	for _, claims := range [][]string{nil, {"Cancelled"}, {"InProgress"}, {"Completed"}, {"Completed", "Completed"}} {
		s, k := settled(t)
		got, err := s.Refund(t.Context(), refundOrder(k, "R1F1", "40"))
		if err != nil {
			t.Fatal(err)
		}
		s.server.pulls[0].isArchived = true
		for i, state := range claims {
			s.server.payouts = append(s.server.payouts, &payout{
				id: string(rune('a' + i)), state: state, pullID: got.External.ID, currency: "TRY", amount: money.MustDecimal("20"),
			})
		}
		for _, key := range []gateway.RefundKey{{Refund: got.External}, {DepositKey: k, RefundRef: "R1F1"}} {
			if read, err := s.ReadRefund(t.Context(), key); err != nil || read.State != gateway.RefundUnknown {
				t.Errorf("%v: %+v, %v", claims, read, err)
			}
		}
		if _, err := s.Refund(t.Context(), refundOrder(k, "R1F2", "60.01")); !gateway.IsClass(err, gateway.Invalid) {
			t.Errorf("%v: what may have been given back is given back again: %v", claims, err)
		}
	}
}

// TestNoMoreIsGivenBackThanCame: the server itself would.
func TestNoMoreIsGivenBackThanCame(t *testing.T) {
	t.Parallel()
	s, k := settled(t)
	send := func(ref, amount string, isTaken bool) {
		t.Helper()
		before := s.server.writes
		_, err := s.Refund(t.Context(), refundOrder(k, ref, amount))
		if isTaken != (err == nil) || !isTaken && (!gateway.IsClass(err, gateway.Invalid) || !gateway.HasNoEffect(err) || s.server.writes != before) {
			t.Errorf("%s of %s: %v", ref, amount, err)
		}
	}
	send("F1", "100.01", false)
	send("F2", "60", true)
	send("F2", "60", true) // is there already
	send("F3", "40.01", false)
	send("F4", "40", true)
	send("F5", "0.01", false)
	if len(s.server.pulls) != 2 {
		t.Errorf("%d refunds", len(s.server.pulls))
	}
	s.server.pulls[0].isArchived = true // which gives nothing free: it may have been claimed before
	send("F6", "0.01", false)
}

func TestOnlyMoneyThatCameIsGivenBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, additional string
		payments           []paid
		most               string
	}{
		{"New", "None", nil, ""}, {"Processing", "None", []paid{came("0.001", "Processing")}, ""}, {"Expired", "None", nil, ""},
		{"Settled", "Marked", nil, ""}, {"Invalid", "Marked", nil, ""}, {"Expired", "PaidPartial", []paid{came("0.0005", "Settled")}, "50"},
		{"Settled", "PaidOver", []paid{came("0.0015", "Settled")}, "150"}, {"Expired", "PaidLate", []paid{came("0.001", "Settled")}, "100"},
		{"Invalid", "Marked", []paid{came("0.001", "Settled")}, "100"},
	} {
		s := opened(t)
		k := s.started(t, "R1", "100")
		s.bring("R1", c.status, c.additional, c.payments...)
		for _, amount := range []string{"150.01", "150", "100.01", "100", "50.01", "50"} {
			_, err := s.Refund(t.Context(), refundOrder(k, "F"+amount, amount))
			if isMost := amount == c.most; isMost != (err == nil) || !isMost && !gateway.IsClass(err, gateway.Invalid) {
				t.Errorf("%s, %s: %s: %v", c.status, c.additional, amount, err)
			}
			if err == nil {
				break
			}
		}
	}
}

func TestARefundThatMakesNoSenseIsNotMade(t *testing.T) {
	t.Parallel()
	s, k := settled(t)
	for name, o := range map[string]gateway.RefundOrder{
		"nothing": refundOrder(k, "F1", "0"), "no reference": refundOrder(k, "", "10"),
		"coins": {DepositKey: k, RefundRef: "F1", Amount: gateway.Money{Amount: money.MustDecimal("1"), Asset: gateway.Asset{Code: "BTC", Network: "Bitcoin"}}},
	} {
		before := s.server.writes
		_, err := s.Refund(t.Context(), o)
		if !gateway.IsClass(err, gateway.Invalid) || !gateway.HasNoEffect(err) || s.server.writes != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheEffectOfARefundIsNotGuessed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, suffix string
		again          bool
		want           gateway.Effect
	}{
		{"GET", "/pull-payments", false, gateway.EffectNone}, {"GET", "/payment-methods", false, gateway.EffectNone},
		{"POST", "/refund", false, gateway.EffectUnknown}, {"GET", "/payouts", true, gateway.EffectUnknown},
	} {
		s, k := settled(t)
		if c.again {
			if _, err := s.Refund(t.Context(), refundOrder(k, "F1", "10")); err != nil {
				t.Fatal(err)
			}
		}
		s.Answer(c.method, c.suffix, 500, "")
		_, err := s.Refund(t.Context(), refundOrder(k, "F1", "10"))
		checkError(t, err, gateway.Retryable, c.want)
	}
	s, _ := settled(t)
	for _, k := range []gateway.RefundKey{{RefundRef: "F9"}, {}, {Refund: gateway.ExternalRef{ID: "none"}}} {
		if got, err := s.ReadRefund(t.Context(), k); !gateway.IsClass(err, gateway.NotFound) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
