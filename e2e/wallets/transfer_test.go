package wallets_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestTransfers takes transfers to each end that the bank gives them: D6, D7, D4, the ledger and the bank agree.
func TestTransfers(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		w := b.Wallets[0]
		type ending struct{ amount, code, status, entries string }
		endings := []ending{
			{"10", "00", "completed", "POST RESERVE"},
			{"11.5", "00", "completed", "POST RESERVE"},
			{"600.25", "11", "failed", "RELEASE RESERVE"}, // rejected by the payee's bank
			{"700", "12", "failed", "RELEASE RESERVE"},    // refused at once: the name is not the account's
			{"800", "14", "failed", "RELEASE RESERVE"},    // over the limit
			{"900", "45", "completed", "POST RESERVE"},    // the answer is a proxy's page, and the bank has it
			{"901", "46", "completed", "POST RESERVE"},    // half an answer
		}
		made := make([]harness.Transfer, len(endings))
		for i, e := range endings {
			made[i] = b.Send(t, w, e.amount, e.code)
		}
		for i, e := range endings {
			b.Until(t, made[i], e.status)
			if n := b.Till.Orders(b.Operator.Reference(t, made[i].Payment(), "PAYOUT")); n != 1 {
				t.Errorf("%s was sent %d times", made[i].ID, n)
			}
		}
		entries := b.CheckBooks(t, w)
		for i, e := range endings {
			if got := strings.Join(harness.KindsOf(entries, made[i].ID), " "); got != e.entries {
				t.Errorf("the transfer of %s is booked as %q, want %q", e.amount, got, e.entries)
			}
		}
		checkReturn(t, b, w, made[0])
		b.Server.Stop(t)
	})
}

// checkReturn has a completed transfer come back: it stays completed, its money is booked once more, and staff are told.
func checkReturn(t *testing.T, b *harness.Branch, w harness.Eiban, sent harness.Transfer) {
	t.Helper()
	before := b.Dealer.Eiban(t, w.WalletID)
	b.Till.FireEvent(t, b.Operator.Reference(t, sent.Payment(), "PAYOUT"), bank.Returned)
	b.Operator.Discrepancy(t, sent.Payment(), "RETURNED")
	entries := b.CheckBooks(t, w)
	if got := harness.KindsOf(entries, sent.ID); !slices.Equal(got, []string{"POST", "RESERVE", "RETURN"}) {
		t.Errorf("a transfer that came back is booked as %q", got)
	}
	after := b.Dealer.Eiban(t, w.WalletID)
	if harness.Kurus(t, after.Balance) != harness.Kurus(t, before.Balance)+harness.Kurus(t, sent.Amount) {
		t.Errorf("%s came back, and the balance went from %s to %s", sent.Amount, before.Balance, after.Balance)
	}
	b.Until(t, sent, "completed")
}

// TestTransferOfUnknownOutcome: the bank takes a transfer and its answer is lost. It is pending, and its money reserved,
// until the bank has answered what became of it.
func TestTransferOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		b := in.OpenBranch()
		w := b.Wallets[0]
		b.Till.DecideFates(func(c harness.TillCall) harness.Fate {
			if strings.HasPrefix(c.Path, "/v1/transfers/") { // questions about transfers
				return harness.Held
			}
			return harness.Answered
		})
		sent := b.Send(t, w, "250", "43")
		harness.Received(t, "the question what became of the transfer", b.Till.Stuck)
		b.Until(t, sent, "pending")
		now := b.Dealer.Eiban(t, w.WalletID)
		if now.Balance != w.Balance || harness.Kurus(t, now.Available) != harness.Kurus(t, w.Available)-250_00 {
			t.Errorf("while nobody knows, D4 says %+v, before it was %+v", now, w)
		}
		if _, err := b.Operator.Decide("cancelPayout", sent.ID); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" {
			t.Errorf("calling it off gives %v", err)
		}
		b.Till.LetGo()
		b.Until(t, sent, "completed")
		if n := b.Till.Orders(b.Operator.Reference(t, sent.Payment(), "PAYOUT")); n != 1 {
			t.Errorf("it was sent %d times", n)
		}
		b.CheckBooks(t, w)
		b.Server.Stop(t)
	})
}

// TestWalletIsNeverOverdrawn sends more than a wallet holds, at once, through all processes: exactly what fits leaves.
func TestWalletIsNeverOverdrawn(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const senders, amount = 50, 900_00
		b := in.OpenBranch()
		servers := []*harness.Process{b.Server}
		if in.Setting("DATABASE_URL") != "" {
			servers = append(servers, in.Serve(b.Settings...))
		}
		w := b.Wallets[1]
		var taken, refused atomic.Int64
		harness.InParallel(t, senders, senders, func(i int) error {
			_, err := b.Dealer.At(servers[i%len(servers)]).TrySend(w.WalletID, harness.CustomerIBAN, "900.00", "")
			var no harness.DealerRefusal
			switch {
			case err == nil:
				taken.Add(1)
			case errors.As(err, &no) && no.Status == http.StatusUnprocessableEntity && no.ErrorCode == "INSUFFICIENT_BALANCE":
				refused.Add(1)
				err = nil
			}
			return err
		})
		if fits := harness.Kurus(t, w.Available) / amount; taken.Load() != fits || refused.Load() != senders-fits {
			t.Errorf("%d transfers were taken and %d refused, and %d fit", taken.Load(), refused.Load(), fits)
		}
		checkTwins(t, b, w, servers)
		entries := b.CheckBooks(t, w)
		if left := b.Dealer.Eiban(t, w.WalletID); harness.Kurus(t, left.Balance) != harness.Kurus(t, w.Balance)-taken.Load()*amount-10_00 {
			t.Errorf("of %s there is %s left after %d transfers", w.Balance, left.Balance, taken.Load())
		}
		if want := 1 + 2*(int(taken.Load())+1); len(entries) != want { // the opening, and two for each transfer
			t.Errorf("the ledger has %d entries, want %d", len(entries), want)
		}
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// checkTwins sends one transfer many times at once, with one Idempotency-Key: it leaves once.
func checkTwins(t *testing.T, b *harness.Branch, w harness.Eiban, servers []*harness.Process) {
	t.Helper()
	const twins = 20
	answers := make([]harness.Transfer, twins)
	harness.InParallel(t, twins, twins, func(i int) (err error) {
		answers[i], err = b.Dealer.At(servers[i%len(servers)]).TrySend(w.WalletID, harness.CustomerIBAN, "10.00", "the-same-key")
		return err
	})
	for _, sent := range answers {
		if sent != answers[0] {
			t.Errorf("one of the twins is answered with %+v, another with %+v", sent, answers[0])
		}
	}
}

// TestRefusedTransfers: what is refused says why by its code, and takes nothing.
func TestRefusedTransfers(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	b := in.OpenBranch()
	w, others := b.Wallets[0], in.Keys.Wallets[len(in.Keys.Wallets)-1]
	for _, c := range []struct{ wallet, iban, amount, want string }{
		{others.WalletID, harness.CustomerIBAN, "250", "403 WALLET_NOT_ASSIGNED"},
		{"W-0", harness.CustomerIBAN, "250", "403 WALLET_NOT_ASSIGNED"},
		{w.WalletID, "TR340006100519786457841326", "250", "422 INVALID_IBAN"},
		{w.WalletID, harness.CustomerIBAN, "9.99", "422 MIN_AMOUNT_ERROR"},
		{w.WalletID, harness.CustomerIBAN, "250000.01", "422 INSUFFICIENT_BALANCE"},
	} {
		_, err := b.Dealer.TrySend(c.wallet, c.iban, c.amount, "")
		var no harness.DealerRefusal
		if !errors.As(err, &no) || fmt.Sprint(no.Status, " ", no.ErrorCode) != c.want {
			t.Errorf("%s from %s to %s gives %v, want %s", c.amount, c.wallet, c.iban, err, c.want)
		}
	}
	if entries := b.CheckBooks(t, w); len(entries) != 1 {
		t.Errorf("refused transfers left %+v", entries)
	}
	b.Server.Stop(t)
}
