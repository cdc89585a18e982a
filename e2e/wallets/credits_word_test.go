package wallets_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// wordOf is what tests read of a credit by hand and of its money.
type wordOf struct {
	Source, Amount, OperationID, Brought string
	IsAwaiting                           bool
}

func words(t *testing.T, s harness.Staff, p harness.Payment) []wordOf {
	t.Helper()
	var data struct{ Transaction struct{ Credits []wordOf } }
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) { credits { source amount operationId brought isAwaiting } } }`,
		map[string]any{"code": p.TrackingCode}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Transaction.Credits
}

// TestMoneyThatComesForAWord: two people credit a deposit while its gateway waits for the money. When it comes it is what they
// meant, and no surplus; it is given back once, and nothing is never given back.
func TestMoneyThatComesForAWord(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		same, less := s.StartDeposit(t, "bank", "250.04"), s.StartDeposit(t, "bank", "260.04")
		for p, amount := range map[harness.Payment]string{same: "250.04", less: "260.00"} {
			p.Must(t, harness.Press("begin"))
			ref := s.Operator.Reference(t, p, "DEPOSIT")
			s.Operator.Must(t, "approveDeposit", p.TrackingCode, "amount", amount)
			if l := s.To.Callback(t, p); l.Status != "completed" || string(l.Amount) != amount {
				t.Errorf("the callback says %s of %s, want %s", l.Status, l.Amount, amount)
			}
			if words := words(t, s.Operator, p); len(words) != 1 || !words[0].IsAwaiting || words[0].Source != "STAFF" {
				t.Errorf("before its money has come, the credit is %+v", words)
			}
			s.Till.FireEvent(t, ref, bank.Paid)
		}
		differs := s.Operator.Discrepancy(t, less, "CREDIT_DIFFERS")
		if err := s.Operator.RefundOf(differs); harness.CodeOf(err) != "INVALID" {
			t.Errorf("giving back nothing of what differs: %v", err)
		}
		s.Operator.Until(t, same, func(harness.GatewayTransaction) bool { return !words(t, s.Operator, same)[0].IsAwaiting })
		words, found := words(t, s.Operator, same), s.Operator.At(t, same)
		if len(words) != 1 || words[0].OperationID == "" || words[0].Brought != "250.04" || len(found.Discrepancies) > 0 {
			t.Errorf("its money has come, the credit is %+v, and there is %+v", words, found.Discrepancies)
		}
		s.Operator.Must(t, "refundTransaction", same.TrackingCode)
		s.Operator.Until(t, same, func(g harness.GatewayTransaction) bool { return g.RefundedAmount == "250.04" })
		for _, amount := range []string{"0", "0.01", "250.04"} {
			if _, err := s.Operator.Decide("refundTransaction", same.TrackingCode, "amount", amount); harness.CodeOf(err) != "INVALID" {
				t.Errorf("giving %s back where nothing is left: %v", amount, err)
			}
		}
		if _, err := s.Operator.Decide("refundTransaction", same.TrackingCode); harness.CodeOf(err) != "INVALID" {
			t.Errorf("giving all of nothing back: %v", err)
		}
		s.Server.Stop(t)
		if made := s.Till.State().Refunds; len(made) != 1 {
			t.Errorf("at the gateway there is %+v", made)
		}
	})
}

// TestNobodyAcceptsMoreThanWasSeen: half of what was due has come. What staff accept is at most that.
func TestNobodyAcceptsMoreThanWasSeen(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		p := s.StartDeposit(t, "bank", "500.26")
		p.Must(t, harness.Press("begin"))
		short := s.Operator.Discrepancy(t, p, "SHORT")
		accept := func(amount string) error {
			return s.Operator.Ask(`mutation($id: ID!, $amount: Decimal!) {
				resolveDiscrepancy(input: {id: $id, resolution: ACCEPT, amount: $amount, reason: "bakıldı"}) { discrepancy { status } } }`,
				map[string]any{"id": short.ID, "amount": amount}, &struct{}{})
		}
		for _, amount := range []string{"999999999.99", "500.26", "250.14"} {
			if err := accept(amount); harness.CodeOf(err) != "MORE_THAN_SEEN" {
				t.Errorf("accepting %s: %v", amount, err)
			}
		}
		if err := accept("250.12"); err != nil {
			t.Errorf("accepting less: %v", err)
		}
		if l := s.To.Callback(t, p); l.Status != "completed" || l.Amount != "250.12" {
			t.Errorf("the callback says %s of %s", l.Status, l.Amount)
		}
		s.Server.Stop(t)
	})
}
