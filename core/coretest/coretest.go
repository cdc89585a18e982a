// Package coretest has what the tests of core's subjects share: a payment and who decides about it, and a Store that keeps
// what is decided.
package coretest

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// T is what a *testing.T and a *rapid.T share.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Istanbul is fixed at +03:00, as Turkey has been since 2016, so that tests need no time zone database.
var Istanbul = time.FixedZone("Europe/Istanbul", 3*60*60)

// Evening is 23:50 in Istanbul: a payment that starts then lives across two calendar days.
var Evening = time.Date(2026, 3, 9, 20, 50, 0, 0, time.UTC)

// IBAN is a valid one.
const IBAN = "TR330006100519786457841326"

// Exactly lets cmp compare amounts and decimals by their own equality.
var Exactly = cmp.Options{
	cmp.Comparer(money.Amount.Equal), cmp.Comparer(func(a, b money.Decimal) bool { return a == b }),
}

// Random returns a source that has the same bytes in every run.
func Random(seed byte) io.Reader { return rand.NewChaCha8([32]byte{seed}) }

// NewIDs returns IDs of a time, the same ones in every run.
func NewIDs(t T, at time.Time) *core.IDs {
	t.Helper()
	ids, err := core.NewIDs(at, Random(1))
	if err != nil {
		t.Fatalf("NewIDs: %v", err)
	}
	return ids
}

// Lira is an amount of kuruş.
func Lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

// Provider is a provider with the keys that the golden callbacks are signed with.
func Provider() owner.Provider {
	return owner.Provider{
		ID: 7, APIKey: "vzp_0123456789abcdef", SecretKey: core.NewSecret("vzs_fedcba9876543210"),
		WebhookSecret: core.NewSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
	}
}

// Account is an active account that takes 1.00 to the greatest amount without daily limits.
func Account(id int64) owner.DailyUsage {
	return owner.DailyUsage{
		Account: owner.Account{
			ID: id, Kind: owner.ManualAccount, BankName: "Banka", Holder: "Hesap Sahibi", IBAN: IBAN,
			IsActive: true, Min: Lira(100), Max: Lira(money.MaxMinor),
		},
		Day: core.DayOf(Evening, Istanbul),
	}
}

// Request asks for a payment of 250.00.
func Request(m payment.Method) payment.Request {
	return payment.Request{
		Method: m, Provider: owner.Provider{ID: 7}, Site: owner.Site{ID: 3, ProviderID: 7, DealerID: 5, Name: "Site"},
		Customer: owner.Customer{UserID: "u-1", Username: "ayse", Fullname: "Ayşe Yılmaz"}, Amount: Lira(25000), IBAN: IBAN,
	}
}

// Started is a payment of 250.00 at its beginning.
func Started(t T, m payment.Method) payment.Payment {
	t.Helper()
	change := payment.DecideCreate(Request(m), payment.CreateParams{
		At: Evening, ExpiresIn: 30 * time.Minute, TrackingCode: m.Prefix() + "0123456789ABCDEF", Token: "TOKEN",
		IDs: NewIDs(t, Evening),
	})
	return core.RowsOf[payment.Payment](change)[0]
}

// Decision is staff's, a minute after the payment began.
func Decision(t T) payment.Decision {
	t.Helper()
	at := Evening.Add(time.Minute)
	return payment.Decision{
		By: core.Actor{Kind: core.ByStaff, ID: "1"}, At: at, Reason: "why",
		Target:   payment.Target{Receiver: "provider/7/deposit", URL: "https://example.com/callback"},
		Schedule: payment.DefaultRetrySchedule, IDs: NewIDs(t, at),
	}
}

// GuardsOf names the guards of a changeset.
func GuardsOf(c core.Changeset, stored ...core.Row) []core.GuardedAction {
	var actions []core.GuardedAction
	for _, g := range core.Judge(c, stored).Guards() {
		actions = append(actions, g.Action)
	}
	return actions
}

// FailedField is the key of the one failed field; empty when none failed. Its sentences must take its arguments.
func FailedField(t T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	fields := fault.FieldsOf(err)
	if len(fields) != 1 || !fault.Is(err, fault.Invalid) {
		t.Fatalf("%d failed fields: %v", len(fields), err)
	}
	f := fields[0]
	for _, tag := range lang.Tags() {
		if s := lang.Say(tag, f.Key, f.Args...); !lang.Has(f.Key) || strings.Contains(s, "%!") || !strings.Contains(s, f.Name) {
			t.Errorf("%s in %s: %s", f.Key, tag, s)
		}
	}
	return f.Key
}

var update = flag.Bool("update", false, "write the golden files anew")

// CheckGolden compares got with a file under testdata; -update writes it.
func CheckGolden(t *testing.T, name string, got []byte) {
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
		t.Errorf("differs from %s (-want +got; go test with -update writes it anew):\n%s", path, diff)
	}
}
