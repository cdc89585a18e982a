package operation_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestRings: a new payment rings for its end, a waiting callback for its receiver, an operation for its gateway when
// nobody has it, and a notification to be worked on; nothing else does.
func TestRings(t *testing.T) {
	t.Parallel()
	later := coretest.Evening.Add(time.Hour)
	change := core.Changeset{
		payment.Payment{Version: 1, ExpiresAt: later},
		payment.Payment{Version: 1},
		payment.Payment{Version: 2, ExpiresAt: later},
		payment.Callback{State: payment.Waiting, Receiver: "r", NextAttemptAt: coretest.Evening},
		payment.Callback{State: payment.Delivered, Receiver: "r"},
		payment.Callback{State: payment.Undeliverable, Receiver: "r"},
		payment.Callback{State: payment.Skipped, Receiver: "r"},
		operation.Operation{GatewayID: 9, NextAt: coretest.Evening},
		operation.Operation{GatewayID: 8, NextAt: coretest.Evening, LeaseUntil: later},
		operation.Operation{GatewayID: 7, NextAt: later, LeaseUntil: coretest.Evening},
		operation.Operation{GatewayID: 6},
		operation.Notification{State: operation.NotificationWaiting, ReceivedAt: coretest.Evening},
		operation.Notification{State: operation.NotificationDone},
		operation.Notification{State: operation.NotificationForged},
	}
	want := []core.Ring{
		{Kind: core.ExpireRing, At: later}, {Kind: core.DeliverRing, Key: "r", At: coretest.Evening},
		{Kind: core.OperateRing, Key: "9", At: coretest.Evening}, {Kind: core.OperateRing, Key: "8", At: later},
		{Kind: core.OperateRing, Key: "7", At: later}, {Kind: core.NotifyRing, At: coretest.Evening},
	}
	if got := change.Rings(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
