package wallet_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
)

// TestSwitchingOffIsNeverHeldUp: an account, wallet or gateway that should not be used any more is stopped at once.
func TestSwitchingOffIsNeverHeldUp(t *testing.T) {
	t.Parallel()
	on, off := owner.Account{ID: 1, Version: 1, IsActive: true}, owner.Account{ID: 1, Version: 2}
	wallet, closed := wallet.Wallet{ID: 1, Version: 1, IsActive: true}, wallet.Wallet{ID: 1, Version: 2}
	gate, disabled := owner.GatewayAccount{ID: 1, Version: 1, IsEnabled: true}, owner.GatewayAccount{ID: 1, Version: 2}
	change := core.Changeset{
		off,
		closed,
		disabled,
	}
	if got := coretest.GuardsOf(change, on, wallet, gate); got != nil {
		t.Errorf("held up: %v", got)
	}
	again := core.Changeset{on, wallet}
	if got := coretest.GuardsOf(again, off, closed); len(got) != 2 {
		t.Errorf("switching on is held up by %v", got)
	}
}

func TestAnAdjustmentIsGuarded(t *testing.T) {
	t.Parallel()
	for minor, subject := range map[int64]string{500: "wallet/3/2026-03-09/out", -500: "wallet/3/2026-03-09/in"} {
		change, err := wallet.DecideAdjustment(gap(t, minor), coretest.Decision(t))
		if err != nil {
			t.Fatal(err)
		}
		want := []core.Guard{{Action: core.GuardAdjustment, Subject: subject, DealerID: 5, Amount: gateway.Lira(coretest.Lira(500))}}
		if diff := cmp.Diff(want, core.Judge(change, nil).Guards(), coretest.Exactly); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	booked := core.Changeset{entryOf(dayLine("a", gateway.Incoming, 500))}
	if len(core.Judge(booked, nil).Guards()) != 0 {
		t.Error("what a bank line brings is guarded")
	}
}
