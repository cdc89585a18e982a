package core_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

// TestRings: a new payment rings for its end, a waiting callback for its receiver, an operation for its gateway when
// nobody has it, and a notification to be worked on; nothing else does.
func TestRings(t *testing.T) {
	t.Parallel()
	later := evening.Add(time.Hour)
	change := core.Changeset{
		core.Payment{Version: 1, ExpiresAt: later},
		core.Payment{Version: 1},
		core.Payment{Version: 2, ExpiresAt: later},
		core.Callback{State: core.Waiting, Receiver: "r", NextAttemptAt: evening},
		core.Callback{State: core.Delivered, Receiver: "r"},
		core.Callback{State: core.Undeliverable, Receiver: "r"},
		core.Callback{State: core.Skipped, Receiver: "r"},
		core.Operation{GatewayID: 9, NextAt: evening},
		core.Operation{GatewayID: 8, NextAt: evening, LeaseUntil: later},
		core.Operation{GatewayID: 7, NextAt: later, LeaseUntil: evening},
		core.Operation{GatewayID: 6},
		core.Notification{State: core.NotificationWaiting, ReceivedAt: evening},
		core.Notification{State: core.NotificationDone},
		core.Notification{State: core.NotificationForged},
	}
	want := []core.Ring{
		{Kind: core.ExpireRing, At: later}, {Kind: core.DeliverRing, Key: "r", At: evening},
		{Kind: core.OperateRing, Key: "9", At: evening}, {Kind: core.OperateRing, Key: "8", At: later},
		{Kind: core.OperateRing, Key: "7", At: later}, {Kind: core.NotifyRing, At: evening},
	}
	if got := change.Rings(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestDecideStart(t *testing.T) {
	t.Parallel()
	site := core.Site{ID: 3, ProviderID: 7, DealerID: 5, Name: "Site"}
	customer := core.Customer{UserID: "u", Username: "n", Fullname: "f"}
	for _, m := range core.Methods() {
		for _, iban := range []string{"TR330006100519786457841326", "TR330006100519786457841327"} {
			ids := newIDs(t, evening)
			change := core.DecideStart(core.Start{
				Method: m, Provider: core.Provider{ID: 7}, Site: site, Customer: customer, Amount: lira(100), IBAN: iban, Language: "en",
			}, core.Birth{At: evening, ExpiresIn: time.Hour, TrackingCode: "CC-1", Token: "T", IDs: ids})
			want := core.Payment{
				ID: newIDs(t, evening).Next(), Version: 1, TrackingCode: "CC-1", Method: m, Status: m.Kind().FirstStatus(), ProviderID: 7, SiteID: 3,
				SiteName: "Site", DealerID: 5, Customer: customer, Language: "en", Requested: lira(100), Amount: lira(100),
				ExpiresAt: evening.Add(time.Hour), CreatedAt: evening, UpdatedAt: evening,
			}
			switch m.Kind() {
			case core.Withdrawal, core.Payout, core.Transfer:
				want.IBAN, want.IsIBANSuspect = iban, iban[len(iban)-1] == '7'
			case core.Card:
				want.Token, want.Payer.OrderID = "T", "CC1"
			case core.Deposit:
				want.Token = "T"
			}
			if got := core.RowsOf[core.Payment](change); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %+v, want %+v", m, got, want)
			}
			if got := core.RowsOf[core.NotBlocked](change); len(got) != 1 || got[0] != (core.NotBlocked{ProviderID: 7, UserID: "u"}) {
				t.Errorf("%s: unblocked %+v", m, got)
			}
			if len(core.RowsOf[core.Move](change))+len(core.RowsOf[core.Callback](change))+len(core.RowsOf[core.AccountUse](change)) != 0 {
				t.Errorf("%s: a birth changes more than the payment: %+v", m, change)
			}
		}
	}
	never := core.DecideStart(core.Start{Method: core.ManualWithdrawal}, core.Birth{At: evening, IDs: newIDs(t, evening)})
	if !core.RowsOf[core.Payment](never)[0].ExpiresAt.IsZero() || len(never.Rings()) != 0 {
		t.Errorf("a payment that never expires: %+v", core.RowsOf[core.Payment](never)[0])
	}
}

// TestIsOverdue: only what the customer says is paid is overdue, and only after its time.
func TestIsOverdue(t *testing.T) {
	t.Parallel()
	for _, s := range core.Statuses() {
		p := core.Payment{Status: s, ExpiresAt: evening}
		if p.IsOverdue(evening) {
			t.Errorf("%s: overdue at its time", s)
		}
		if got := p.IsOverdue(evening.Add(1)); got != (s == core.Processing) {
			t.Errorf("%s: overdue %v", s, got)
		}
	}
	if (core.Payment{Status: core.Processing}).IsOverdue(evening) {
		t.Error("what never expires is overdue")
	}
}

// TestAuditState: what goes into the audit log as JSON is JSON.
func TestAuditState(t *testing.T) {
	t.Parallel()
	var got struct{ Status, Amount string }
	text := core.Payment{Status: core.Showing, Amount: lira(25050)}.AuditState()
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Status != "showing" || got.Amount != "250.50" {
		t.Errorf("%s: %+v, %v", text, got, err)
	}
}
