package operation_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestWakeUps: a new payment has a wake-up at its end, a waiting callback for its receiver, an operation for its gateway when
// nobody has it, and a notification to be worked on; nothing else does.
func TestWakeUps(t *testing.T) {
	t.Parallel()
	later := coretest.Evening.Add(time.Hour)
	change := core.Changeset{
		payment.Payment{Version: 1, ExpiresAt: later},
		payment.Payment{Version: 1},
		payment.Payment{Version: 2, ExpiresAt: later},
		payment.Callback{Status: payment.Waiting, Receiver: "r", NextAttemptAt: coretest.Evening},
		payment.Callback{Status: payment.Delivered, Receiver: "r"},
		payment.Callback{Status: payment.Undeliverable, Receiver: "r"},
		payment.Callback{Status: payment.Skipped, Receiver: "r"},
		operation.Operation{GatewayID: 9, NextAt: coretest.Evening},
		operation.Operation{GatewayID: 8, NextAt: coretest.Evening, LeaseUntil: later},
		operation.Operation{GatewayID: 7, NextAt: later, LeaseUntil: coretest.Evening},
		operation.Operation{GatewayID: 6},
		notification.Notification{Status: notification.Waiting, ReceivedAt: coretest.Evening},
		notification.Notification{Status: notification.Done},
		notification.Notification{Status: notification.Forged},
	}
	want := []core.WakeUp{
		{Kind: core.DuePayments, At: later}, {Kind: core.DueCallbacks, Receiver: "r", At: coretest.Evening},
		{Kind: core.DueOperations, GatewayID: 9, At: coretest.Evening}, {Kind: core.DueOperations, GatewayID: 8, At: later},
		{Kind: core.DueOperations, GatewayID: 7, At: later}, {Kind: core.DueNotifications, At: coretest.Evening},
	}
	if got := change.WakeUps(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
