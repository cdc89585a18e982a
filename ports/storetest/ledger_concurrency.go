package storetest

import (
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

func ledgerConcurrencySentences() []sentence {
	return []sentence{
		{"of concurrent transfers as many succeed as the balance is enough for", transfersTogether},
		{"concurrent entries of one wallet sum exactly", entriesTogether},
		{"who asks for too much never spoils a neighbor", greedyNeighbors},
		{"changesets that touch the same wallets in opposite orders all commit", oppositeWallets},
		{"who sees a balance finds the entries that made it", balanceWithEntries},
		{"a line that many import at the same time is kept and credited once", importedTogether},
	}
}

// transfersTogether reserves and posts as a transfer does: twice as many as the balance is enough for.
func transfersTogether(w *world) {
	const callers, minor = 200, 1_000
	wallet := w.funded(callers / 2 * minor)
	errs := together(callers, func(int) error {
		p := w.payment()
		reserve, post := w.entry(wallet.ID, ledger.EntryReserve, minor), w.entry(wallet.ID, ledger.EntryPost, minor)
		reserve.PaymentID, post.PaymentID = p.ID, p.ID
		err := w.store.Commit(w.ctx, core.Changeset{p, reserve})
		if err != nil {
			return err
		}
		p.Version = 2
		return w.store.Commit(w.ctx, core.Changeset{p, post})
	})
	w.same(callers/2, w.won(errs, fault.Insufficient))
	w.holds(wallet, 0, 0)
	w.same(1+callers, len(w.entries(wallet.ID)))
	w.same(callers/2, len(w.list(report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: core.MaxPage}})))
}

func entriesTogether(w *world) {
	const callers = 200
	wallet := w.funded(callers * callers)
	errs := together(callers, func(i int) error {
		kind := []ledger.EntryKind{ledger.EntryIncoming, ledger.EntryOutgoing, ledger.EntryReserve, ledger.EntryReturn}[i%4]
		return w.store.Commit(w.ctx, core.Changeset{
			w.entry(wallet.ID, kind, int64(i)),
			w.entry(wallet.ID, ledger.EntryIncoming, 1),
		})
	})
	w.same(callers, w.won(errs, ""))
	var available, reserved int64 = callers*callers + callers, 0
	for i := range int64(callers) {
		switch i % 4 {
		case 1:
			available -= i
		case 2:
			available, reserved = available-i, reserved+i
		default:
			available += i
		}
	}
	w.holds(wallet, available, reserved)
}

func greedyNeighbors(w *world) {
	const callers = 80
	wallet, poor := w.funded(callers), w.funded(0)
	errs := together(callers, func(i int) error {
		change := w.everything()
		change = append(change, w.entry(wallet.ID, ledger.EntryReserve, 1))
		switch i % 4 {
		case 1:
			change = append(change, w.entry(poor.ID, ledger.EntryReserve, 1))
		case 3:
			change = append(change, w.entry(poor.ID+1, ledger.EntryIncoming, 1)) // is not there
		}
		return w.store.Commit(w.ctx, change)
	})
	for i, err := range errs {
		w.fails([]fault.Code{"", fault.Insufficient, "", fault.Conflict}[i%4], err)
	}
	w.holds(wallet, callers/2, callers/2)
	w.holds(poor, 0, 0)
}

func oppositeWallets(w *world) {
	const callers, rounds = 40, 4
	one, other, third := w.funded(0), w.funded(0), w.funded(0)
	for range rounds {
		errs := together(callers, func(i int) error {
			entries := []ledger.Entry{
				w.entry(one.ID, ledger.EntryIncoming, 1), w.entry(other.ID, ledger.EntryIncoming, 2),
				w.entry(third.ID, ledger.EntryIncoming, 3),
			}
			entries[0], entries[i%3] = entries[i%3], entries[0]
			return w.store.Commit(w.ctx, core.Rows(entries[:2+i%2]))
		})
		w.same(callers, w.won(errs, ""))
	}
	for _, wallet := range []wallet.Wallet{one, other, third} {
		available, _ := sums(w.entries(wallet.ID))
		w.holds(wallet, available, 0)
	}
}

// balanceWithEntries reads while others write. Only incoming entries are booked: those read later are at least those
// that the balance was made of.
func balanceWithEntries(w *world) {
	const writers, readers, saves = 4, 4, 20
	wallet := w.funded(0)
	errs := together(writers+readers, func(i int) error {
		for range saves {
			err := w.look(wallet)
			if i < writers {
				change := core.Changeset{w.entry(wallet.ID, ledger.EntryIncoming, int64(i+1))}
				err = w.store.Commit(w.ctx, change)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	for _, err := range errs {
		w.no(err)
	}
	w.holds(wallet, saves*(1+2+3+4), 0)
}

func (w *world) look(wallet wallet.Wallet) error {
	before, err := w.store.WalletBy(w.ctx, wallet.WalletID)
	if err != nil {
		return err
	}
	entries, err := w.store.Entries(w.ctx, wallet.ID, core.Paging[core.ID]{Limit: core.MaxPage})
	if err != nil {
		return err
	}
	if available, _ := sums(entries); available < before.AvailableBalance.Minor() {
		return fmt.Errorf("a balance of %s with entries of %d", before.AvailableBalance, available)
	}
	return nil
}

// importedTogether imports overlapping pieces of one statement. A store may lose a race, as two processes do.
func importedTogether(w *world) {
	const importers, statement, piece = 40, 60, 20
	held := w.funded(0)
	lines := make([]wallet.BankLine, statement)
	for i := range lines {
		lines[i] = w.bankLine(held.ID)
	}
	errs := together(importers, func(i int) error {
		from := i * (statement - piece) / (importers - 1)
		err := fault.New("importers", fault.Conflict)
		for tries := 0; tries < importers && fault.Is(err, fault.Conflict); tries++ {
			change := core.Rows(lines[from : from+piece])
			for _, l := range core.RowsOf[wallet.BankLine](change) {
				change = append(change, w.credit(l))
			}
			err = w.store.Commit(w.ctx, change)
		}
		return err
	})
	w.same(importers, w.won(errs, ""))
	w.same(statement, len(w.allLines(held.ID)))
	w.holds(held, statement*lineMinor, 0)
}
