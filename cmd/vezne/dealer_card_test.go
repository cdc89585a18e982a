package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// newDealerReceiver is the dealer's own server for callbacks, to which they are pointed. No command of the binary does
// that yet: it is done on the database, before a process is started.
func (in *installation) newDealerReceiver() *receiver {
	in.t.Helper()
	to := newReceiver(in.t, providerKeys{APIKey: in.keys.Dealer.APIKey, SecretKey: in.keys.Dealer.SecretKey}, accept)
	store := in.openStore()
	defer func() { _ = store.Close() }()
	d, err := store.Dealer(context.Background(), in.keys.Dealer.ID)
	d.Version++
	d.URLs.CreditCard = to.URL + "/card"
	if err = errors.Join(err, store.Commit(context.Background(), core.Changeset{Dealers: []core.Dealer{d}})); err != nil {
		in.t.Fatal(err)
	}
	return to
}

// Fields of the dealer's card callback, by how the payment ended.
var (
	paidFields = []string{
		"amount", "completed_at", "currency", "customer_email", "customer_name", "customer_phone", "hash", "order_id", "sequence",
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
	forEach(t, func(t *testing.T, in *installation) {
		to := in.newDealerReceiver()
		s := in.openShop()
		d := in.dealer(s.server)
		begin := press("begin")
		for _, c := range []struct {
			amount, phase, status, code string
			steps                       []step
		}{
			{"200", "completed", "success", "", []step{begin, withCard(bank.TestCard("00"))}},
			{"250.5", "completed", "success", "", []step{begin, withCard(bank.TestCard("01")), code(bank.Code)}},
			{"300.00", "failed", "failed", "INSUFFICIENT_FUNDS", []step{begin, withCard(bank.TestCard("10"))}},
			{"300.00", "canceled", "failed", "CANCELLED", []step{press("cancel")}},
		} {
			p, err := d.tryCard(c.amount)
			if err != nil {
				t.Fatal(err)
			}
			if string(p.Amount) != inLira(json.Number(c.amount)) || p.OrderID == "" || p.TrackingCode[:3] != "CC-" {
				t.Errorf("D8 answers %+v", p)
			}
			p.must(t, c.steps...)
			checkDealerCallback(t, to.callback(t, p), p, c.status, c.code)
			p.sees(t, c.phase)
			if found := s.operator.settled(t, p.TrackingCode); found.Callbacks[0].State != "delivered" {
				t.Errorf("the callback of %s is %s", p.TrackingCode, found.Callbacks[0].State)
			}
		}
		if _, err := d.tryCard("199.99"); err == nil {
			t.Error("less than 200 is taken")
		}
		eventually(t, s.till.hasTold)
		s.server.stop(t)
		in.checkCardTimesOut(t, to)
		if s.to.count() > 0 {
			t.Error("a provider was told of a dealer's payment")
		}
	})
}

// checkCardTimesOut starts a payment that nobody pays in time.
func (in *installation) checkCardTimesOut(t *testing.T, to *receiver) {
	t.Helper()
	server := in.serve(append(simulated, "VEZNE_EXPIRY_CARD=1s")...)
	p, err := in.dealer(server).tryCard("400")
	if err != nil {
		t.Fatal(err)
	}
	checkDealerCallback(t, to.callback(t, p), p, "failed", "TIMEOUT")
	p.sees(t, "expired")
	server.stop(t)
	if n := len(to.of(p.TrackingCode)); n != 1 {
		t.Errorf("its callback came %d times", n)
	}
}

// checkDealerCallback compares a callback, whose signature is right, with the document.
func checkDealerCallback(t *testing.T, l letter, p payment, status, code string) {
	t.Helper()
	want := letterBody{
		Success: status == "success", TrackingCode: p.TrackingCode, OrderID: p.OrderID, Status: status, Amount: p.Amount,
		Currency: "TRY", CustomerName: "Ayşe Yılmaz", Timestamp: l.Timestamp, Hash: l.Hash, Sequence: 1, ErrorCode: code,
		ErrorMessage: l.ErrorMessage, StatusMessage: l.StatusMessage, CompletedAt: l.CompletedAt,
	}
	fields := unpaidFields
	if want.Success {
		fields, want.CustomerEmail, want.CustomerPhone = paidFields, "ayse@example.com", "+905321234567"
	}
	if l.letterBody != want || !slices.Equal(l.Fields, fields) || l.Path != "/card" {
		t.Errorf("the callback says\n%+v with %v at %s, want\n%+v", l.letterBody, l.Fields, l.Path, want)
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", l.CompletedAt, shared.zone)
	if want.Success && (err != nil || time.Since(at).Abs() > patience) || fmt.Sprint(l.StatusMessage, l.ErrorMessage) == "" {
		t.Errorf("completed at %q (%v), with the words %q and %q", l.CompletedAt, err, l.StatusMessage, l.ErrorMessage)
	}
}
