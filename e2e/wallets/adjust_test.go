package wallets_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/e2e/harness"
)

// adjusted is what adjustDifference answers.
type adjusted struct {
	Reconciliation struct {
		Status, Adjusted, LedgerClosing, BankClosing string
		Differences                                  []harness.Difference
	}
	Entry struct {
		Kind, Available, Outside, LineID, Note, Day string
		BookedBy                                    struct{ Name string }
	}
}

func adjust(s harness.Staff, walletID, day, amount string) (adjusted, error) {
	var data struct{ AdjustDifference adjusted }
	err := s.Ask(`mutation($id: String!, $day: Date!, $amount: Decimal!) {
		adjustDifference(input: {walletId: $id, day: $day, amount: $amount, reason: "yıllık hesap ücreti"}) {
			reconciliation { status adjusted ledgerClosing bankClosing differences { kind } }
			entry { kind available outside lineId note day bookedBy { name } } } }`,
		map[string]any{"id": walletID, "day": day, "amount": amount}, &data)
	return data.AdjustDifference, err
}

// openedOn is the day on which a wallet's account was taken over.
func openedOn(t testing.TB, s harness.Staff, walletID string) time.Time {
	t.Helper()
	var data struct {
		Wallet struct{ Feed struct{ OpenedAt time.Time } }
	}
	if err := s.Ask(`query($id: ID!) { wallet(id: $id) { feed { openedAt } } }`, map[string]any{"id": walletID}, &data); err != nil {
		t.Fatal(err)
	}
	return data.Wallet.Feed.OpenedAt.In(harness.Zone())
}

// TestDayThatIsAdjusted: the bank has taken a fee of which it lists no line. The day differs, and so does each one after
// it, until somebody has explained it and somebody who may has booked it; then all of them agree, and the dealer sees why.
func TestDayThatIsAdjusted(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.ChargedBranch(true, money.MustDecimal("5"), "VEZNE_RATE_LIMIT=off")
		b.Open(b.Settings...)
		w, finance := b.Wallets[0], in.SignIn(b.Server, "finance")
		opened := openedOn(t, finance, w.WalletID)
		day := opened.Format(time.DateOnly)
		for date := opened; date.Format(time.DateOnly) <= harness.Today(); date = date.AddDate(0, 0, 1) {
			d := finance.Reconcile(t, w.WalletID, date.Format(time.DateOnly))
			if d.OpenCount != 1 || d.Differences[0].Kind != "BALANCE_DIFFERS" || d.Differences[0].Theirs != "249995.00" {
				t.Fatalf("%s is %+v", date, d)
			}
		}
		checkAdjustingNeeds(t, b, w, finance, day)
		done := adjustAtOnce(t, b, w, day)
		if r, e := done.Reconciliation, done.Entry; r.Status != "AGREED" || r.Adjusted != "-5.00" || r.LedgerClosing != "249995.00" ||
			e.Kind != "ADJUSTMENT" || e.Available != "-5.00" || e.Outside != "5.00" || e.Day != day || e.Note != "yıllık hesap ücreti" ||
			e.BookedBy.Name == "" {
			t.Errorf("adjusted: %+v", done)
		}
		for date := opened; date.Format(time.DateOnly) <= harness.Today(); date = date.AddDate(0, 0, 1) {
			d := finance.Reconcile(t, w.WalletID, date.Format(time.DateOnly))
			if d.Status != "AGREED" || d.LedgerClosing != "249995.00" || d.BankClosing != d.LedgerClosing {
				t.Errorf("%s is %+v", date, d)
			}
		}
		checkSeen(t, b, w, done, day)
		b.Server.Stop(t)
		addsUp(t, b.In)
	})
}

// checkAdjustingNeeds: a permission, an explanation, the amount of the difference, and a day that is over.
func checkAdjustingNeeds(t *testing.T, b *harness.Branch, w harness.Eiban, finance harness.Staff, day string) {
	t.Helper()
	for name, c := range map[string]struct {
		by          harness.Staff
		day, amount string
		code        string
	}{
		"the operator":           {b.Operator, day, "-5.00", "FORBIDDEN"},
		"nobody has explained":   {finance, day, "-5.00", "NOT_ADJUSTABLE"},
		"today is not over":      {finance, harness.Today(), "-5.00", "NOT_ADJUSTABLE"},
		"what never was the day": {finance, "2999-01-01", "-5.00", "INVALID"},
	} {
		if _, err := adjust(c.by, w.WalletID, c.day, c.amount); harness.CodeOf(err) != c.code {
			t.Errorf("%s: adjusting gives %v, want %s", name, err, c.code)
		}
	}
	var data struct {
		ExplainDifference struct{ Reconciliation struct{ Status string } }
	}
	err := b.Operator.Ask(`mutation($id: String!, $day: Date!) { explainDifference(input: {walletId: $id, day: $day, kind: BALANCE_DIFFERS,
		reason: "yıllık hesap ücreti, satırı yok"}) { reconciliation { status } } }`, map[string]any{"id": w.WalletID, "day": day}, &data)
	if err != nil || data.ExplainDifference.Reconciliation.Status != "EXPLAINED" {
		t.Fatalf("explained, the day is %+v (%v)", data, err)
	}
	for _, amount := range []string{"5.00", "-5.01", "-10"} {
		if _, err := adjust(finance, w.WalletID, day, amount); harness.CodeOf(err) != "INVALID" {
			t.Errorf("adjusting by %s gives %v", amount, err)
		}
	}
}

// adjustAtOnce has many try at the same moment: one of them adjusts.
func adjustAtOnce(t *testing.T, b *harness.Branch, w harness.Eiban, day string) (done adjusted) {
	t.Helper()
	var mu sync.Mutex
	won := 0
	harness.InParallel(t, 8, 8, func(int) error {
		answer, err := adjust(b.Admin, w.WalletID, day, "-5.00")
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			won, done = won+1, answer
		case harness.CodeOf(err) != "NOT_FOUND": // it agrees by then
			return fmt.Errorf("who lost got %w", err)
		}
		return nil
	})
	if won != 1 {
		t.Fatalf("%d have adjusted", won)
	}
	return done
}

// checkSeen: the ledger has the entry, D4 the balance, and D5 a line of now.
func checkSeen(t *testing.T, b *harness.Branch, w harness.Eiban, done adjusted, day string) {
	t.Helper()
	entries := b.CheckLedger(t, w)
	if len(entries) != 2 || entries[0].Kind != "ADJUSTMENT" || entries[0].LineID != done.Entry.LineID {
		t.Errorf("the ledger has %+v", entries)
	}
	if now := b.Dealer.Eiban(t, w.WalletID); now.Balance != "249995.00" || now.Available != now.Balance {
		t.Errorf("D4 says %+v", now)
	}
	all := b.AllRecords(t, w)
	if len(all) != 1 {
		t.Fatalf("D5 lists %+v", all)
	}
	want := harness.Record{
		ID: done.Entry.LineID, Amount: "5.00", Type: "outgoing", Description: "Bakiye düzeltmesi " + day, SenderName: w.Holder,
		SenderIBAN: w.IBAN, Date: all[0].Date,
	}
	if all[0] != want || all[0].Date < harness.Today() {
		t.Errorf("D5 lists %+v, want %+v", all[0], want)
	}
	actions := audited(t, b.Admin)
	if !slices.Contains(actions, "adjustDifference") {
		t.Errorf("audited are %q", actions)
	}
}

func audited(t testing.TB, s harness.Staff) (actions []string) {
	t.Helper()
	var data struct {
		AuditLog struct{ Nodes []struct{ Action string } }
	}
	if err := s.Ask(`{ auditLog(first: 50) { nodes { action } } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	for _, n := range data.AuditLog.Nodes {
		actions = append(actions, n.Action)
	}
	return actions
}

// addsUp adds up the ledgers of all wallets, as is done every hour. Nothing may be running.
func addsUp(t *testing.T, in *harness.Installation) {
	t.Helper()
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	wallets, err := store.WalletsOf(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wallets {
		if sum, err := store.AddUpLedger(context.Background(), w.ID); err != nil || !sum.IsRight() {
			t.Errorf("the ledger of %s does not add up: %+v (%v)", w.WalletID, sum, err)
		}
	}
}
