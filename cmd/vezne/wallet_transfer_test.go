package main_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestTransfers takes transfers to each end that the bank gives them: D6, D7, D4, the ledger and the bank agree.
func TestTransfers(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()
		w := b.wallets[0]
		type ending struct{ amount, code, status, entries string }
		endings := []ending{
			{"10", "00", "completed", "post reserve"},
			{"11.5", "00", "completed", "post reserve"},
			{"600.25", "11", "failed", "release reserve"}, // rejected by the payee's bank
			{"700", "12", "failed", "release reserve"},    // refused at once: the name is not the account's
			{"800", "14", "failed", "release reserve"},    // over the limit
			{"900", "45", "completed", "post reserve"},    // the answer is a proxy's page, and the bank has it
			{"901", "46", "completed", "post reserve"},    // half an answer
		}
		made := make([]transfer, len(endings))
		for i, e := range endings {
			made[i] = b.send(t, w, e.amount, e.code)
		}
		for i, e := range endings {
			b.until(t, made[i], e.status)
			if n := b.till.orders(b.operator.reference(t, made[i].payment(), "payout")); n != 1 {
				t.Errorf("%s was sent %d times", made[i].ID, n)
			}
		}
		entries := b.checkBooks(t, w)
		for i, e := range endings {
			if got := strings.Join(kindsOf(entries, made[i].ID), " "); got != e.entries {
				t.Errorf("the transfer of %s is booked as %q, want %q", e.amount, got, e.entries)
			}
		}
		b.checkReturn(t, w, made[0])
		b.server.stop(t)
	})
}

// checkReturn has a completed transfer come back: it stays completed, its money is booked once more, and staff are told.
func (b *branch) checkReturn(t *testing.T, w eiban, sent transfer) {
	t.Helper()
	before := b.dealer.eiban(t, w.WalletID)
	b.till.fire(t, b.operator.reference(t, sent.payment(), "payout"), bank.Returned)
	b.operator.discrepancy(t, sent.payment(), "returned")
	entries := b.checkBooks(t, w)
	if got := kindsOf(entries, sent.ID); !slices.Equal(got, []string{"post", "reserve", "return"}) {
		t.Errorf("a transfer that came back is booked as %q", got)
	}
	after := b.dealer.eiban(t, w.WalletID)
	if kurus(t, after.Balance) != kurus(t, before.Balance)+kurus(t, sent.Amount) {
		t.Errorf("%s came back, and the balance went from %s to %s", sent.Amount, before.Balance, after.Balance)
	}
	b.until(t, sent, "completed")
}

// TestTransferOfUnknownOutcome: the bank takes a transfer and its answer is lost. It is pending, and its money reserved,
// until the bank has answered what became of it.
func TestTransferOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		b := in.openBranch()
		w := b.wallets[0]
		b.till.decideFates(func(c tillCall) fate {
			if strings.HasPrefix(c.path, "/v1/transfers/") { // questions about transfers
				return held
			}
			return answered
		})
		sent := b.send(t, w, "250", "43")
		received(t, "the question what became of the transfer", b.till.stuck)
		b.until(t, sent, "pending")
		now := b.dealer.eiban(t, w.WalletID)
		if now.Balance != w.Balance || kurus(t, now.Available) != kurus(t, w.Available)-250_00 {
			t.Errorf("while nobody knows, D4 says %+v, before it was %+v", now, w)
		}
		if _, err := b.operator.decide("cancelPayout", sent.ID); codeOf(err) != "NOT_ALLOWED_IN_STATUS" {
			t.Errorf("calling it off gives %v", err)
		}
		b.till.letGo()
		b.until(t, sent, "completed")
		if n := b.till.orders(b.operator.reference(t, sent.payment(), "payout")); n != 1 {
			t.Errorf("it was sent %d times", n)
		}
		b.checkBooks(t, w)
		b.server.stop(t)
	})
}

// TestWalletIsNeverOverdrawn sends more than a wallet holds, at once, through all processes: exactly what fits leaves.
func TestWalletIsNeverOverdrawn(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const senders, amount = 50, 900_00
		b := in.openBranch()
		servers := []*process{b.server}
		if in.setting("DATABASE_URL") != "" {
			servers = append(servers, in.serve(b.settings...))
		}
		w := b.wallets[1]
		var taken, refused atomic.Int64
		inParallel(t, senders, senders, func(i int) error {
			_, err := b.dealer.at(servers[i%len(servers)]).trySend(w.WalletID, customerIBAN, "900.00", "")
			var no dealerRefusal
			switch {
			case err == nil:
				taken.Add(1)
			case errors.As(err, &no) && no.Status == http.StatusUnprocessableEntity && no.ErrorCode == "INSUFFICIENT_BALANCE":
				refused.Add(1)
				err = nil
			}
			return err
		})
		if fits := kurus(t, w.Available) / amount; taken.Load() != fits || refused.Load() != senders-fits {
			t.Errorf("%d transfers were taken and %d refused, and %d fit", taken.Load(), refused.Load(), fits)
		}
		b.checkTwins(t, w, servers)
		entries := b.checkBooks(t, w)
		if left := b.dealer.eiban(t, w.WalletID); kurus(t, left.Balance) != kurus(t, w.Balance)-taken.Load()*amount-10_00 {
			t.Errorf("of %s there is %s left after %d transfers", w.Balance, left.Balance, taken.Load())
		}
		if want := 1 + 2*(int(taken.Load())+1); len(entries) != want { // the opening, and two for each transfer
			t.Errorf("the ledger has %d entries, want %d", len(entries), want)
		}
		for _, server := range servers {
			server.stop(t)
		}
	})
}

// checkTwins sends one transfer many times at once, with one Idempotency-Key: it leaves once.
func (b *branch) checkTwins(t *testing.T, w eiban, servers []*process) {
	t.Helper()
	const twins = 20
	answers := make([]transfer, twins)
	inParallel(t, twins, twins, func(i int) (err error) {
		answers[i], err = b.dealer.at(servers[i%len(servers)]).trySend(w.WalletID, customerIBAN, "10.00", "the-same-key")
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
	in := newEmbedded(t)
	b := in.openBranch()
	w, others := b.wallets[0], in.keys.Wallets[len(in.keys.Wallets)-1]
	for _, c := range []struct{ wallet, iban, amount, want string }{
		{others.WalletID, customerIBAN, "250", "403 WALLET_NOT_ASSIGNED"},
		{"W-0", customerIBAN, "250", "403 WALLET_NOT_ASSIGNED"},
		{w.WalletID, "TR340006100519786457841326", "250", "422 INVALID_IBAN"},
		{w.WalletID, customerIBAN, "9.99", "422 MIN_AMOUNT_ERROR"},
		{w.WalletID, customerIBAN, "250000.01", "422 INSUFFICIENT_BALANCE"},
	} {
		_, err := b.dealer.trySend(c.wallet, c.iban, c.amount, "")
		var no dealerRefusal
		if !errors.As(err, &no) || fmt.Sprint(no.Status, " ", no.ErrorCode) != c.want {
			t.Errorf("%s from %s to %s gives %v, want %s", c.amount, c.wallet, c.iban, err, c.want)
		}
	}
	if entries := b.checkBooks(t, w); len(entries) != 1 {
		t.Errorf("refused transfers left %+v", entries)
	}
	b.server.stop(t)
}
