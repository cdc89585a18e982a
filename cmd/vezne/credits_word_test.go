package main_test

import (
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// wordOf is what tests read of a credit by hand and of its money.
type wordOf struct {
	Source, Amount, OperationID, Brought string
	IsAwaiting                           bool
}

func (s staff) words(t *testing.T, p payment) []wordOf {
	t.Helper()
	var data struct{ Transaction struct{ Credits []wordOf } }
	err := s.ask(`query($code: String!) { transaction(trackingCode: $code) { credits { source amount operationId brought isAwaiting } } }`,
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
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		same, less := s.startDeposit(t, "bank", "250.04"), s.startDeposit(t, "bank", "260.04")
		for p, amount := range map[payment]string{same: "250.04", less: "260.00"} {
			p.must(t, press("begin"))
			ref := s.operator.reference(t, p, "deposit")
			s.operator.must(t, "approveDeposit", p.TrackingCode, "amount", amount)
			if l := s.to.callback(t, p); l.Status != "completed" || string(l.Amount) != amount {
				t.Errorf("the callback says %s of %s, want %s", l.Status, l.Amount, amount)
			}
			if words := s.operator.words(t, p); len(words) != 1 || !words[0].IsAwaiting || words[0].Source != "staff" {
				t.Errorf("before its money has come, the credit is %+v", words)
			}
			s.till.fire(t, ref, bank.Paid)
		}
		differs := s.operator.discrepancy(t, less, "credit_differs")
		if err := s.operator.refundOf(differs); codeOf(err) != "INVALID" {
			t.Errorf("giving back nothing of what differs: %v", err)
		}
		s.operator.until(t, same, func(gatewayTransaction) bool { return !s.operator.words(t, same)[0].IsAwaiting })
		words, found := s.operator.words(t, same), s.operator.at(t, same)
		if len(words) != 1 || words[0].OperationID == "" || words[0].Brought != "250.04" || len(found.Discrepancies) > 0 {
			t.Errorf("its money has come, the credit is %+v, and there is %+v", words, found.Discrepancies)
		}
		s.operator.must(t, "refundTransaction", same.TrackingCode)
		s.operator.until(t, same, func(g gatewayTransaction) bool { return g.RefundedAmount == "250.04" })
		for _, amount := range []string{"0", "0.01", "250.04"} {
			if _, err := s.operator.decide("refundTransaction", same.TrackingCode, "amount", amount); codeOf(err) != "INVALID" {
				t.Errorf("giving %s back where nothing is left: %v", amount, err)
			}
		}
		if _, err := s.operator.decide("refundTransaction", same.TrackingCode); codeOf(err) != "INVALID" {
			t.Errorf("giving all of nothing back: %v", err)
		}
		s.server.stop(t)
		if made := s.till.State().Refunds; len(made) != 1 {
			t.Errorf("at the gateway there is %+v", made)
		}
	})
}

func (s staff) refundOf(d discrepancy) error {
	return s.ask(`mutation($id: ID!) { refundDiscrepancy(id: $id, reason: "iade") { discrepancy { id } } }`, map[string]any{"id": d.ID}, &struct{}{})
}

// TestNobodyAcceptsMoreThanWasSeen: half of what was due has come. What staff accept is at most that.
func TestNobodyAcceptsMoreThanWasSeen(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		p := s.startDeposit(t, "bank", "500.26")
		p.must(t, press("begin"))
		short := s.operator.discrepancy(t, p, "short")
		accept := func(amount string) error {
			return s.operator.ask(`mutation($id: ID!, $amount: String!) {
				resolveDiscrepancy(id: $id, resolution: accept, amount: $amount, reason: "bakıldı") { discrepancy { state } } }`,
				map[string]any{"id": short.ID, "amount": amount}, &struct{}{})
		}
		for _, amount := range []string{"999999999.99", "500.26", "250.14"} {
			if err := accept(amount); codeOf(err) != "MORE_THAN_SEEN" {
				t.Errorf("accepting %s: %v", amount, err)
			}
		}
		if err := accept("250.12"); err != nil {
			t.Errorf("accepting less: %v", err)
		}
		if l := s.to.callback(t, p); l.Status != "completed" || l.Amount != "250.12" {
			t.Errorf("the callback says %s of %s", l.Status, l.Amount)
		}
		s.server.stop(t)
	})
}
