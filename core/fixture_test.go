package core_test

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

var update = flag.Bool("update", false, "write the golden files anew")

// istanbul is fixed at +03:00, as Turkey has been since 2016, so that tests need no time zone database.
var istanbul = time.FixedZone("Europe/Istanbul", 3*60*60)

// evening is 23:50 in Istanbul: a payment that starts then lives across two calendar days.
var evening = time.Date(2026, 3, 9, 20, 50, 0, 0, time.UTC)

// testingT is what a *testing.T and a *rapid.T share.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// random is a source that gives the same bytes in every run.
func random(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

func newIDs(t testingT, at time.Time) *core.IDs {
	t.Helper()
	ids, err := core.NewIDs(at, random(1))
	if err != nil {
		t.Fatalf("NewIDs: %v", err)
	}
	return ids
}

// lira is an amount of kuruş.
func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

// account is an active account that takes 1.00 to the greatest amount without daily limits.
func account(id int64) owner.AccountLoad {
	return owner.AccountLoad{
		Account: owner.Account{
			ID: id, Kind: owner.ManualAccount, BankName: "Banka", Holder: "Hesap Sahibi", IBAN: "TR330006100519786457841326",
			IsActive: true, Min: lira(100), Max: lira(money.MaxMinor),
		},
		Day: core.DayOf(evening, istanbul),
	}
}

// started is a payment of 250.00 at its birth.
func started(t testingT, m payment.Method) payment.Payment {
	t.Helper()
	change := payment.DecideStart(payment.Start{
		Method: m, Provider: owner.Provider{ID: 7}, Site: owner.Site{ID: 3, ProviderID: 7, DealerID: 5, Name: "Site"},
		Customer: owner.Customer{UserID: "u-1", Username: "ayse", Fullname: "Ayşe Yılmaz"},
		Amount:   lira(25000), IBAN: "TR330006100519786457841326",
	}, payment.Birth{
		At: evening, ExpiresIn: 30 * time.Minute, TrackingCode: m.Prefix() + "0123456789ABCDEF", Token: "TOKEN",
		IDs: newIDs(t, evening),
	})
	return core.RowsOf[payment.Payment](change)[0]
}

// decision is staff's, a minute after the payment began.
func decision(t testingT) payment.Decision {
	t.Helper()
	at := evening.Add(time.Minute)
	return payment.Decision{
		By: core.Actor{Kind: core.ByStaff, ID: "1"}, At: at, Reason: "why",
		Target: payment.Target{Receiver: "provider/7/deposit", URL: "https://example.com/callback"},
		Ladder: payment.DefaultLadder, IDs: newIDs(t, at),
	}
}

// checkGolden compares got with a file under testdata; -update writes it.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs from %s (-want +got; go test ./core -update writes it anew):\n%s", path, diff)
	}
}
