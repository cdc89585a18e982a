package payments_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/e2e/harness"
)

// TestPaymentsThatCannotExpire: more of them than are looked at together, and one that cannot even be read. They are the longest
// overdue, and what is due after them expires all the same.
func TestPaymentsThatCannotExpire(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const nobodys, count = 1_000_000, 501
		server := in.Serve()
		to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
		in.CallBack(server, to)
		good := in.Provider(server).Create(t, "start-manual-deposit", "10.00")
		server.Stop(t)
		overdue(in, good, count, nobodys)
		if err := in.Tamper(fmt.Sprintf("UPDATE payments SET currency = '?' WHERE provider_id = %d AND tracking_code = 'MAN-DAMAGED-0'", nobodys)); err != nil {
			t.Fatal(err)
		}
		server = in.Serve()
		if l := to.Callback(t, good); l.Status != "expired" {
			t.Errorf("the callback says %s", l.Status)
		}
		harness.Eventually(t, func() error {
			told := fmt.Appendf(nil, "vezne_undecided_expiries %d", count-1)
			if metrics := harness.Get(t, server.AdminURL+"/metrics").Body; !bytes.Contains(metrics, told) {
				return errors.New("nobody is told of those that could not be expired")
			}
			return nil
		})
		server.Stop(t)
	})
}

// overdue has a payment be overdue, and many more for longer, of a provider that there is not. Nothing may be running.
func overdue(in *harness.Installation, made harness.Payment, count int, provider int64) {
	in.T.Helper()
	in.Settle()
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	p, err := store.PaymentByTrackingCode(context.Background(), made.TrackingCode)
	if err != nil {
		in.T.Fatal(err)
	}
	var change core.Changeset
	for i := range count {
		twin := p
		twin.ID, twin.Version = core.FirstID(p.CreatedAt.Add(-time.Duration(i+1)*time.Second)), 1
		twin.TrackingCode, twin.TokenFingerprint = fmt.Sprint("MAN-DAMAGED-", i), fmt.Sprint("damaged-", i)
		twin.ProviderID, twin.ExpiresAt = provider, p.CreatedAt.Add(-time.Hour)
		change = append(change, twin)
	}
	p.Version++
	p.ExpiresAt = p.CreatedAt.Add(-time.Minute)
	change = append(change, p)
	if err := store.Commit(context.Background(), change); err != nil {
		in.T.Fatal(err)
	}
}
