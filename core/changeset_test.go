package core_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// TestRings: a new payment rings for its end, a waiting callback for its receiver, an operation for its gateway when
// nobody has it, and a notification to be worked on; nothing else does.
func TestRings(t *testing.T) {
	t.Parallel()
	later := evening.Add(time.Hour)
	change := core.Changeset{
		payment.Payment{Version: 1, ExpiresAt: later},
		payment.Payment{Version: 1},
		payment.Payment{Version: 2, ExpiresAt: later},
		payment.Callback{State: payment.Waiting, Receiver: "r", NextAttemptAt: evening},
		payment.Callback{State: payment.Delivered, Receiver: "r"},
		payment.Callback{State: payment.Undeliverable, Receiver: "r"},
		payment.Callback{State: payment.Skipped, Receiver: "r"},
		operation.Operation{GatewayID: 9, NextAt: evening},
		operation.Operation{GatewayID: 8, NextAt: evening, LeaseUntil: later},
		operation.Operation{GatewayID: 7, NextAt: later, LeaseUntil: evening},
		operation.Operation{GatewayID: 6},
		operation.Notification{State: operation.NotificationWaiting, ReceivedAt: evening},
		operation.Notification{State: operation.NotificationDone},
		operation.Notification{State: operation.NotificationForged},
	}
	want := []core.WakeUp{
		{Kind: core.DuePayments, At: later}, {Kind: core.DueCallbacks, Receiver: "r", At: evening},
		{Kind: core.DueOperations, GatewayID: 9, At: evening}, {Kind: core.DueOperations, GatewayID: 8, At: later},
		{Kind: core.DueOperations, GatewayID: 7, At: later}, {Kind: core.DueNotifications, At: evening},
	}
	if got := change.WakeUps(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestDecideStart(t *testing.T) {
	t.Parallel()
	site := owner.Site{ID: 3, ProviderID: 7, DealerID: 5, Name: "Site"}
	customer := owner.Customer{UserID: "u", Username: "n", Fullname: "f"}
	for _, m := range payment.Methods() {
		for _, iban := range []string{"TR330006100519786457841326", "TR330006100519786457841327"} {
			ids := newIDs(t, evening)
			change := payment.DecideStart(payment.Start{
				Method: m, Provider: owner.Provider{ID: 7}, Site: site, Customer: customer, Amount: lira(100), IBAN: iban, Language: "en",
			}, payment.Birth{At: evening, ExpiresIn: time.Hour, TrackingCode: "CC-1", Token: "T", IDs: ids})
			want := payment.Payment{
				ID: newIDs(t, evening).Next(), Version: 1, TrackingCode: "CC-1", Method: m, Status: m.Kind().FirstStatus(), ProviderID: 7, SiteID: 3,
				SiteName: "Site", DealerID: 5, Customer: customer, Language: "en", Requested: lira(100), Amount: lira(100),
				ExpiresAt: evening.Add(time.Hour), CreatedAt: evening, UpdatedAt: evening,
			}
			switch m.Kind() {
			case payment.Withdrawal, payment.Payout, payment.Transfer:
				want.IBAN, want.IsIBANSuspect = iban, iban[len(iban)-1] == '7'
			case payment.Card:
				want.Token, want.Payer.OrderID = "T", "CC1"
			case payment.Deposit:
				want.Token = "T"
			}
			if got := core.RowsOf[payment.Payment](change); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %+v, want %+v", m, got, want)
			}
			if got := core.RowsOf[owner.NotBlocked](change); len(got) != 1 || got[0] != (owner.NotBlocked{ProviderID: 7, UserID: "u"}) {
				t.Errorf("%s: unblocked %+v", m, got)
			}
			if len(core.RowsOf[payment.Move](change))+len(core.RowsOf[payment.Callback](change))+len(core.RowsOf[owner.AccountUse](change)) != 0 {
				t.Errorf("%s: a birth changes more than the payment: %+v", m, change)
			}
		}
	}
	never := payment.DecideStart(payment.Start{Method: payment.ManualWithdrawal}, payment.Birth{At: evening, IDs: newIDs(t, evening)})
	if !core.RowsOf[payment.Payment](never)[0].ExpiresAt.IsZero() || len(never.WakeUps()) != 0 {
		t.Errorf("a payment that never expires: %+v", core.RowsOf[payment.Payment](never)[0])
	}
}

// TestIsOverdue: only what the customer says is paid is overdue, and only after its time.
func TestIsOverdue(t *testing.T) {
	t.Parallel()
	for _, s := range payment.Statuses() {
		p := payment.Payment{Status: s, ExpiresAt: evening}
		if p.IsOverdue(evening) {
			t.Errorf("%s: overdue at its time", s)
		}
		if got := p.IsOverdue(evening.Add(1)); got != (s == payment.Processing) {
			t.Errorf("%s: overdue %v", s, got)
		}
	}
	if (payment.Payment{Status: payment.Processing}).IsOverdue(evening) {
		t.Error("what never expires is overdue")
	}
}

// TestAuditState: what goes into the audit log as JSON is JSON.
func TestAuditState(t *testing.T) {
	t.Parallel()
	var got struct{ Status, Amount string }
	text := payment.Payment{Status: payment.Showing, Amount: lira(25050)}.AuditState()
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Status != "showing" || got.Amount != "250.50" {
		t.Errorf("%s: %+v, %v", text, got, err)
	}
}
