package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

// lineMinor is how much a bank line of the maker's brings: 700.00.
const lineMinor = 70_000

// tomorrowAt is an hour of the day after epoch.
func tomorrowAt(hour int) time.Time { return time.Date(2026, time.March, 15, hour, 0, 0, 0, time.UTC) }

func (m *maker) wallet(dealerID int64) wallet.Wallet {
	return made(m, wallet.Wallet{DealerID: dealerID})
}

// walletOf is a wallet with an id.
func (m *maker) walletOf(id int64) wallet.Wallet { return made(m, wallet.Wallet{ID: id, DealerID: id}) }

// entry books an amount as its kind says, for a payment of its own.
func (m *maker) entry(walletID int64, kind ledger.EntryKind, minor int64) ledger.Entry {
	paymentID, _, _ := m.next()
	e := m.bareEntry(walletID, kind, minor)
	e.PaymentID, e.Note = paymentID, awkward
	return e
}

// bareEntry is about nothing.
func (m *maker) bareEntry(walletID int64, kind ledger.EntryKind, minor int64) ledger.Entry {
	id, _, at := m.next()
	e := ledger.Entry{ID: id, WalletID: walletID, Kind: kind, At: at}
	var available, reserved, outside int64
	switch kind {
	case ledger.EntryIncoming, ledger.EntryReturn, ledger.EntryOpening, ledger.EntryAdjustment:
		available, outside = minor, -minor
	case ledger.EntryReserve:
		available, reserved = -minor, minor
	case ledger.EntryPost:
		reserved, outside = -minor, minor
	case ledger.EntryRelease:
		available, reserved = minor, -minor
	case ledger.EntryOutgoing:
		available, outside = -minor, minor
	}
	e.Available, e.Reserved, e.Outside = lira(available), lira(reserved), lira(outside)
	return e
}

// bankLine is an incoming one.
func (m *maker) bankLine(walletID int64) wallet.BankLine {
	f := m.filling()
	l := filled(f, wallet.BankLine{
		WalletID: walletID, Direction: gateway.Incoming, Amount: lira(lineMinor), BookedAt: f.at, Status: wallet.LineMatched,
		Party: gateway.Party{IBAN: senderIBAN}, ReversesLineID: longName,
	})
	l.ReversedByLineID = ""
	return l
}

// bareLine has only what every line has.
func (m *maker) bareLine(walletID int64, bookedAt time.Time) wallet.BankLine {
	id, n, _ := m.next()
	return wallet.BankLine{
		WalletID: walletID, LineID: fmt.Sprint(n), ID: id, Version: 1, Direction: gateway.Outgoing, BookedAt: bookedAt,
		ImportedAt: bookedAt, Status: wallet.LineUnmatched,
	}
}

// credit is the entry of an incoming line.
func (m *maker) credit(l wallet.BankLine) ledger.Entry {
	e := m.bareEntry(l.WalletID, ledger.EntryIncoming, l.Amount.Minor())
	e.LineID = l.LineID
	return e
}

// funded commits a wallet that has an available amount.
func (w *world) funded(minor int64) wallet.Wallet {
	w.t.Helper()
	wallet := w.wallet(7)
	w.commit(core.Changeset{wallet})
	if minor > 0 {
		w.commit(core.Changeset{w.bareEntry(wallet.ID, ledger.EntryIncoming, minor)})
	}
	return wallet
}

// holds compares a wallet's balance, which has to be the sum of its entries.
func (w *world) holds(wallet wallet.Wallet, available, reserved int64) {
	w.t.Helper()
	found, err := w.store.WalletBy(w.ctx, wallet.DealerID, wallet.WalletID)
	w.no(err)
	w.same([]money.Amount{lira(available), lira(reserved)}, []money.Amount{found.AvailableBalance, found.Reserved})
	sumAvailable, sumReserved := sums(w.entries(wallet.ID))
	w.same([]int64{available, reserved}, []int64{sumAvailable, sumReserved})
}

func sums(entries []ledger.Entry) (available, reserved int64) {
	for _, e := range entries {
		available += e.Available.Minor()
		reserved += e.Reserved.Minor()
	}
	return available, reserved
}

// entries reads all of a wallet's, page by page.
func (w *world) entries(walletID int64) []ledger.Entry {
	w.t.Helper()
	var all []ledger.Entry
	for after := core.ID(""); ; after = all[len(all)-1].ID {
		page, err := w.store.Entries(w.ctx, walletID, core.Paging[core.ID]{After: after, Limit: core.MaxPage})
		w.no(err)
		all = append(all, page...)
		if len(page) < core.MaxPage {
			return all
		}
	}
}

// allLines reads the newest lines of a wallet, at whatever time.
func (w *world) allLines(walletID int64) []wallet.BankLine {
	w.t.Helper()
	lines, total, err := w.store.BankLines(w.ctx, wallet.BankLineQuery{
		WalletID: walletID, From: epoch.AddDate(-1, 0, 0), Until: epoch.AddDate(1, 0, 0), Limit: core.MaxPage,
	})
	w.no(err)
	w.same(total, len(lines))
	return lines
}
