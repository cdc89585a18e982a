package payments_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// newDealerReceiver is the dealer's own server for callbacks, to which they are pointed. No command of the binary does
// that yet: it is done on the database, before a process is started.
func newDealerReceiver(in *harness.Installation) *harness.Receiver {
	in.T.Helper()
	to := harness.NewReceiver(in.T, harness.ProviderKeys{APIKey: in.Keys.Dealer.APIKey, SecretKey: in.Keys.Dealer.SecretKey}, harness.Accept)
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	d, err := store.Dealer(context.Background(), in.Keys.Dealer.ID)
	d.Version++
	d.URLs.CreditCard = to.URL + "/card"
	if err = errors.Join(err, store.Commit(context.Background(), core.Changeset{d})); err != nil {
		in.T.Fatal(err)
	}
	return to
}

// Fields of the dealer's card callback, by how the payment ended.
var (
	paidFields = []string{
		"amount", "completed_at", "completed_at_iso", "currency", "customer_email", "customer_name", "customer_phone", "hash", "order_id", "sequence",
		"status", "status_message", "success", "timestamp", "tracking_code",
	}
	unpaidFields = []string{
		"amount", "currency", "customer_name", "error_code", "error_message", "hash", "order_id", "sequence", "status", "success",
		"timestamp", "tracking_code",
	}
)

// TestDealerCards takes a dealer's card payments (D8) over the pages to the dealer's callback.
func TestDealerCards(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		to := newDealerReceiver(in)
		s := in.OpenShop()
		d := in.Dealer(s.Server)
		begin := harness.Press("begin")
		for _, c := range []struct {
			amount, phase, status, code string
			steps                       []harness.Step
		}{
			{"200", "completed", "success", "", []harness.Step{begin, harness.WithCard(bank.TestCard("00"))}},
			{"250.5", "completed", "success", "", []harness.Step{begin, harness.WithCard(bank.TestCard("01")), harness.Code(bank.Code)}},
			{"300.00", "failed", "failed", "INSUFFICIENT_FUNDS", []harness.Step{begin, harness.WithCard(bank.TestCard("10"))}},
			{"300.00", "canceled", "failed", "CANCELLED", []harness.Step{harness.Press("cancel")}},
		} {
			p, err := d.TryCard(c.amount)
			if err != nil {
				t.Fatal(err)
			}
			if string(p.Amount) != harness.InLira(json.Number(c.amount)) || p.OrderID == "" || p.TrackingCode[:3] != "CC-" {
				t.Errorf("D8 answers %+v", p)
			}
			p.Must(t, c.steps...)
			checkDealerCallback(t, to.Callback(t, p), p, c.status, c.code)
			p.Sees(t, c.phase)
			if found := s.Operator.Settled(t, p.TrackingCode); found.Callbacks[0].Status != "DELIVERED" {
				t.Errorf("the callback of %s is %s", p.TrackingCode, found.Callbacks[0].Status)
			}
		}
		if _, err := d.TryCard("199.99"); err == nil {
			t.Error("less than 200 is taken")
		}
		harness.Eventually(t, s.Till.HasTold)
		s.Server.Stop(t)
		checkCardTimesOut(t, in, to)
		if s.To.Count() > 0 {
			t.Error("a provider was told of a dealer's payment")
		}
	})
}

// checkCardTimesOut starts a payment that nobody pays in time.
func checkCardTimesOut(t *testing.T, in *harness.Installation, to *harness.Receiver) {
	t.Helper()
	server := in.Serve(append(harness.Simulated, "VEZNE_EXPIRY_CARD=1s")...)
	p, err := in.Dealer(server).TryCard("400")
	if err != nil {
		t.Fatal(err)
	}
	checkDealerCallback(t, to.Callback(t, p), p, "failed", "TIMEOUT")
	p.Sees(t, "expired")
	server.Stop(t)
	if n := len(to.Of(p.TrackingCode)); n != 1 {
		t.Errorf("its callback came %d times", n)
	}
}

// checkDealerCallback compares a callback, whose signature is right, with the document.
func checkDealerCallback(t *testing.T, l harness.Letter, p harness.Payment, status, code string) {
	t.Helper()
	want := harness.LetterBody{
		Success: status == "success", TrackingCode: p.TrackingCode, OrderID: p.OrderID, Status: status, Amount: p.Amount,
		Currency: "TRY", CustomerName: "Ayşe Yılmaz", Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, ErrorCode: code,
		ErrorMessage: l.ErrorMessage, StatusMessage: l.StatusMessage, CompletedAt: l.CompletedAt,
	}
	fields := unpaidFields
	if want.Success {
		fields, want.CustomerEmail, want.CustomerPhone = paidFields, "ayse@example.com", "+905321234567"
	}
	if l.LetterBody != want || !slices.Equal(l.Fields, fields) || l.Path != "/card" {
		t.Errorf("the callback says\n%+v with %v at %s, want\n%+v", l.LetterBody, l.Fields, l.Path, want)
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", l.CompletedAt, harness.Zone())
	if want.Success && (err != nil || time.Since(at).Abs() > harness.Patience) || fmt.Sprint(l.StatusMessage, l.ErrorMessage) == "" {
		t.Errorf("completed at %q (%v), with the words %q and %q", l.CompletedAt, err, l.StatusMessage, l.ErrorMessage)
	}
}
