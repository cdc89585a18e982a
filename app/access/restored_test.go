package access_test

import (
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/e2e/apptest"
)

// TestACallToTheLostDatabaseIsNotCarriedOutAgain: whoever has kept a signed call sends it to the restored database, which knows neither
// its nonce nor what it was answered. It is refused however soon the installation thaws, and however far the caller's clock was ahead.
// Nobody's address is counted against, and what is signed some minutes later is taken.
func TestACallToTheLostDatabaseIsNotCarriedOutAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.FailRate = core.Rate{Events: 1, Per: time.Hour}
	lost := signed(w, access.Plain, "")
	ahead := access.Call{APIKey: w.Provider.APIKey, Timestamp: stamp(w.Clock.Now().Add(5 * time.Minute)), Scheme: access.Plain, Addr: office}
	ahead = sign(ahead, w.Provider.SecretKey)
	f := w.Freeze(t, epoch.Restored, w.Clock.Now().Add(-time.Hour), fence.File(filepath.Join(t.TempDir(), "epoch.json")))
	answers := func(call access.Call, want fault.Code) {
		t.Helper()
		_, _, err := w.Gate.Authenticate(t.Context(), call)
		wantCode(t, err, want)
	}
	for range 3 {
		answers(lost, fault.Frozen)
	}
	e, err := w.Store.Epoch(t.Context())
	if err == nil {
		err = w.Store.Commit(t.Context(), core.Changeset{epoch.Thaw(e, w.Clock.Now(), "thawed")})
	}
	if err == nil {
		err = f.Look(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		answers(lost, fault.Frozen)
		answers(ahead, fault.Frozen)
		_, _, err := w.Gate.AuthenticateDealer(t.Context(), access.DealerCall{
			APIKey: w.Dealer.APIKey, Hash: "of the lost one", Timestamp: lost.Timestamp, Addr: netip.MustParseAddr("198.51.100.8"),
		})
		wantCode(t, err, fault.Frozen)
	}
	w.Clock.Advance(5*time.Minute + time.Second)
	answers(ahead, fault.Frozen)
	answers(signed(w, access.Plain, ""), "")
	w.Clock.Advance(5 * time.Minute)
	answers(ahead, fault.TimestampExpired)
}
