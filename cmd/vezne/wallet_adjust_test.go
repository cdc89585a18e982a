package main_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/money"
)

// adjusted is what adjustDifference answers.
type adjusted struct {
	Reconciliation struct {
		State, Adjusted, LedgerClosing, BankClosing string
		Differences                                 []difference
	}
	Entry struct {
		Kind, Available, Outside, LineID, Note, Day string
		BookedBy                                    struct{ Name string }
	}
}

func (s staff) adjust(walletID, day, amount string) (adjusted, error) {
	var data struct{ AdjustDifference adjusted }
	err := s.ask(`mutation($id: String!, $day: Date!, $amount: String!) {
		adjustDifference(walletId: $id, day: $day, amount: $amount, reason: "yıllık hesap ücreti") {
			reconciliation { state adjusted ledgerClosing bankClosing differences { kind } }
			entry { kind available outside lineId note day bookedBy { name } } } }`,
		map[string]any{"id": walletID, "day": day, "amount": amount}, &data)
	return data.AdjustDifference, err
}

// openedOn is the day on which a wallet's account was taken over.
func (s staff) openedOn(t testing.TB, walletID string) time.Time {
	t.Helper()
	var data struct {
		Wallet struct{ Feed struct{ OpenedAt time.Time } }
	}
	if err := s.ask(`query($id: String!) { wallet(walletId: $id) { feed { openedAt } } }`, map[string]any{"id": walletID}, &data); err != nil {
		t.Fatal(err)
	}
	return data.Wallet.Feed.OpenedAt.In(shared.zone)
}

// TestDayThatIsAdjusted: the bank has taken a fee of which it lists no line. The day differs, and so does each one after
// it, until somebody has explained it and somebody who may has booked it; then all of them agree, and the dealer sees why.
func TestDayThatIsAdjusted(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.chargedBranch(true, money.MustDecimal("5"), "VEZNE_RATE_LIMIT=off")
		b.open(b.settings...)
		w, finance := b.wallets[0], in.signIn(b.server, "finance")
		opened := finance.openedOn(t, w.WalletID)
		day := opened.Format(time.DateOnly)
		for date := opened; date.Format(time.DateOnly) <= today(); date = date.AddDate(0, 0, 1) {
			d := finance.reconcile(t, w.WalletID, date.Format(time.DateOnly))
			if d.OpenCount != 1 || d.Differences[0].Kind != "balance_differs" || d.Differences[0].Theirs != "249995.00" {
				t.Fatalf("%s is %+v", date, d)
			}
		}
		b.checkAdjustingNeeds(t, w, finance, day)
		done := b.adjustAtOnce(t, w, day)
		if r, e := done.Reconciliation, done.Entry; r.State != "agreed" || r.Adjusted != "-5.00" || r.LedgerClosing != "249995.00" ||
			e.Kind != "adjustment" || e.Available != "-5.00" || e.Outside != "5.00" || e.Day != day || e.Note != "yıllık hesap ücreti" ||
			e.BookedBy.Name == "" {
			t.Errorf("adjusted: %+v", done)
		}
		for date := opened; date.Format(time.DateOnly) <= today(); date = date.AddDate(0, 0, 1) {
			d := finance.reconcile(t, w.WalletID, date.Format(time.DateOnly))
			if d.State != "agreed" || d.LedgerClosing != "249995.00" || d.BankClosing != d.LedgerClosing {
				t.Errorf("%s is %+v", date, d)
			}
		}
		b.checkSeen(t, w, done, day)
		b.server.stop(t)
		b.in.addsUp(t)
	})
}

// checkAdjustingNeeds: a permission, an explanation, the amount of the difference, and a day that is over.
func (b *branch) checkAdjustingNeeds(t *testing.T, w eiban, finance staff, day string) {
	t.Helper()
	for name, c := range map[string]struct {
		by          staff
		day, amount string
		code        string
	}{
		"the operator":           {b.operator, day, "-5.00", "FORBIDDEN"},
		"nobody has explained":   {finance, day, "-5.00", "NOT_ADJUSTABLE"},
		"today is not over":      {finance, today(), "-5.00", "NOT_ADJUSTABLE"},
		"what never was the day": {finance, "2999-01-01", "-5.00", "INVALID"},
	} {
		if _, err := c.by.adjust(w.WalletID, c.day, c.amount); codeOf(err) != c.code {
			t.Errorf("%s: adjusting gives %v, want %s", name, err, c.code)
		}
	}
	var data struct {
		ExplainDifference struct{ Reconciliation struct{ State string } }
	}
	err := b.operator.ask(`mutation($id: String!, $day: Date!) { explainDifference(walletId: $id, day: $day, kind: balance_differs,
		reason: "yıllık hesap ücreti, satırı yok") { reconciliation { state } } }`, map[string]any{"id": w.WalletID, "day": day}, &data)
	if err != nil || data.ExplainDifference.Reconciliation.State != "explained" {
		t.Fatalf("explained, the day is %+v (%v)", data, err)
	}
	for _, amount := range []string{"5.00", "-5.01", "-10"} {
		if _, err := finance.adjust(w.WalletID, day, amount); codeOf(err) != "INVALID" {
			t.Errorf("adjusting by %s gives %v", amount, err)
		}
	}
}

// adjustAtOnce has many try at the same moment: one of them adjusts.
func (b *branch) adjustAtOnce(t *testing.T, w eiban, day string) (done adjusted) {
	t.Helper()
	var mu sync.Mutex
	won := 0
	inParallel(t, 8, 8, func(int) error {
		answer, err := b.admin.adjust(w.WalletID, day, "-5.00")
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			won, done = won+1, answer
		case codeOf(err) != "NOT_FOUND": // it agrees by then
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
func (b *branch) checkSeen(t *testing.T, w eiban, done adjusted, day string) {
	t.Helper()
	entries := b.checkLedger(t, w)
	if len(entries) != 2 || entries[0].Kind != "adjustment" || entries[0].LineID != done.Entry.LineID {
		t.Errorf("the ledger has %+v", entries)
	}
	if now := b.dealer.eiban(t, w.WalletID); now.Balance != "249995.00" || now.Available != now.Balance {
		t.Errorf("D4 says %+v", now)
	}
	all := b.allRecords(t, w)
	if len(all) != 1 {
		t.Fatalf("D5 lists %+v", all)
	}
	want := record{
		ID: done.Entry.LineID, Amount: "5.00", Type: "outgoing", Description: "Bakiye düzeltmesi " + day, SenderName: w.Holder,
		SenderIBAN: w.IBAN, Date: all[0].Date,
	}
	if all[0] != want || all[0].Date < today() {
		t.Errorf("D5 lists %+v, want %+v", all[0], want)
	}
	actions := b.admin.audited(t)
	if !slices.Contains(actions, "adjustDifference") {
		t.Errorf("audited are %q", actions)
	}
}

func (s staff) audited(t testing.TB) (actions []string) {
	t.Helper()
	var data struct {
		AuditLog struct{ Nodes []struct{ Action string } }
	}
	if err := s.ask(`{ auditLog(first: 50) { nodes { action } } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	for _, n := range data.AuditLog.Nodes {
		actions = append(actions, n.Action)
	}
	return actions
}

// addsUp adds up the ledgers of all wallets, as is done every hour. Nothing may be running.
func (in *installation) addsUp(t *testing.T) {
	t.Helper()
	store := in.openStore()
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
