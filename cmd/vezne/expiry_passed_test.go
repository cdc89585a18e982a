package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

// TestPaymentsThatCannotExpire: more of them than are looked at together, and one that cannot even be read. They are the longest
// overdue, and what is due after them expires all the same.
func TestPaymentsThatCannotExpire(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const nobodys, count = 1_000_000, 501
		server := in.serve()
		to := newReceiver(t, in.keys.Provider, accept)
		in.callBack(server, to)
		good := in.provider(server).create(t, "start-manual-deposit", "10.00")
		server.stop(t)
		in.overdue(good, count, nobodys)
		if err := in.tamper(fmt.Sprintf("UPDATE payments SET currency = '?' WHERE provider_id = %d AND tracking_code = 'MAN-DAMAGED-0'", nobodys)); err != nil {
			t.Fatal(err)
		}
		server = in.serve()
		if l := to.callback(t, good); l.Status != "expired" {
			t.Errorf("the callback says %s", l.Status)
		}
		eventually(t, func() error {
			told := fmt.Appendf(nil, "vezne_undecided_expiries %d", count-1)
			if metrics := get(t, server.url+"/metrics").body; !bytes.Contains(metrics, told) {
				return errors.New("nobody is told of those that could not be expired")
			}
			return nil
		})
		server.stop(t)
	})
}

// overdue has a payment be overdue, and many more for longer, of a provider that there is not. Nothing may be running.
func (in *installation) overdue(made payment, count int, provider int64) {
	in.t.Helper()
	in.settle()
	store := in.openStore()
	defer func() { _ = store.Close() }()
	p, err := store.PaymentByTrackingCode(context.Background(), made.TrackingCode)
	if err != nil {
		in.t.Fatal(err)
	}
	var change core.Changeset
	for i := range count {
		twin := p
		twin.ID, twin.Version = core.FirstID(p.CreatedAt.Add(-time.Duration(i+1)*time.Second)), 1
		twin.TrackingCode, twin.Token = fmt.Sprint("MAN-DAMAGED-", i), fmt.Sprint("damaged-", i)
		twin.ProviderID, twin.ExpiresAt = provider, p.CreatedAt.Add(-time.Hour)
		change.Payments = append(change.Payments, twin)
	}
	p.Version++
	p.ExpiresAt = p.CreatedAt.Add(-time.Minute)
	change.Payments = append(change.Payments, p)
	if err := store.Commit(context.Background(), change); err != nil {
		in.t.Fatal(err)
	}
}
