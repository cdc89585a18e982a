package storetest

import (
	"fmt"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// race is a promise that is kept to one caller, however many come at once.
type race struct {
	name   string
	lost   fault.Code // of the others
	enters func(w *world) func() core.Changeset
}

func races() []race {
	return []race{
		{"next version", fault.Conflict, func(w *world) func() core.Changeset {
			p := w.payment()
			w.commit(core.Changeset{p})
			p.Version = 2
			return func() core.Changeset { return core.Changeset{p} }
		}},
		{"next version of a line", fault.Conflict, func(w *world) func() core.Changeset {
			l := w.incoming()
			return func() core.Changeset { return core.Changeset{save(l, wallet.LineDoubtful, "")} }
		}},
		{"idempotency key", fault.Duplicate, func(w *world) func() core.Changeset {
			record := w.record()
			return func() core.Changeset { return core.Changeset{record} }
		}},
		{"nonce of a request", fault.Conflict, func(w *world) func() core.Changeset {
			n := nonceAt("dealer/1", "0123456789abcdef", epoch)
			return func() core.Changeset { return core.Changeset{n} }
		}},
		{"number of a callback", fault.Conflict, func(w *world) func() core.Changeset {
			first := w.callback(w.payment().ID, receiver)
			return func() core.Changeset {
				c := w.callback(first.PaymentID, receiver)
				c.Sequence = first.Sequence
				return core.Changeset{c}
			}
		}},
		{"first use of an account", fault.Conflict, raceForUse(0)}, {"next use of an account", fault.Conflict, raceForUse(1)},
		{"blocking a customer", fault.Conflict, func(w *world) func() core.Changeset {
			first := w.block()
			return func() core.Changeset { return core.Changeset{first} }
		}},
		{"unblocking a customer", fault.Conflict, func(w *world) func() core.Changeset {
			first := w.block()
			w.commit(core.Changeset{first})
			return func() core.Changeset { return core.Changeset{owner.Unblock(first.CustomerKey)} }
		}},
		{"credit of a line", fault.Conflict, func(w *world) func() core.Changeset {
			l := w.incoming()
			return func() core.Changeset {
				p := w.shown(payment.EIBANDeposit)
				return completion(p, w.ofLine(p, l, 25_000))
			}
		}},
		{"adjustment of a day", fault.Conflict, func(w *world) func() core.Changeset {
			held := w.funded(100)
			return func() core.Changeset { return core.Changeset{w.adjustment(held.ID, today, 1, -5)} }
		}},
		{"decision about a request", fault.Conflict, func(w *world) func() core.Changeset {
			a, decisions := w.approval(), 0
			w.commit(core.Changeset{a})
			return func() core.Changeset {
				decisions++
				return core.Changeset{ended(a, approval.Statuses()[1+decisions%5])}
			}
		}},
		{"number in the audit chain", fault.Conflict, func(w *world) func() core.Changeset {
			entries, n := w.logged(10), 0
			return func() core.Changeset {
				n++
				return core.Rows(w.linked(entries[:n]...))
			}
		}},
	}
}

func raceForUse(version int) func(w *world) func() core.Changeset {
	return func(w *world) func() core.Changeset {
		a := w.account(7)
		w.commit(core.Changeset{a})
		for made := range version {
			w.commit(core.Changeset{use(a.ID, made)})
		}
		return func() core.Changeset { return core.Changeset{use(a.ID, version)} }
	}
}

// everyRace has a row of its own in each caller's changeset: by that it is seen who won.
func everyRace(w *world) {
	for _, r := range races() {
		w.t.Run(r.name, func(t *testing.T) {
			w := w.in(t)
			enter := r.enters(w)
			marks, changes := make([]core.Row, 10), make([]core.Changeset, 10)
			for i := range changes {
				marks[i] = w.audit()
				changes[i] = append(enter(), marks[i])
			}
			errs := together(len(changes), func(i int) error { return w.store.Commit(w.ctx, changes[i]) })
			w.same(1, w.won(errs, r.lost))
			for i, err := range errs {
				if err == nil {
					w.isStored(marks[i])
				} else {
					w.nothingThere(marks[i])
				}
			}
		})
	}
}

// badNeighbors sends changesets that are fine together with as many that each break another rule: an adapter that puts
// several into one transaction must not let them share their fate.
func badNeighbors(w *world) {
	const callers = 70
	bad := []fault.Code{fault.Conflict, fault.Duplicate, fault.Blocked, fault.Insufficient, "", "", ""}
	taken, held, poor := w.everything(), w.funded(callers), w.funded(0)
	w.commit(taken)
	changes := make([]core.Changeset, callers)
	for i := range changes {
		change := append(w.everything(), w.entry(held.ID, ledger.EntryReserve, 1))
		switch bad[i%len(bad)] {
		case fault.Conflict:
			change = append(change, core.RowsOf[payment.Callback](taken)[0])
		case fault.Duplicate:
			change = repeating(change, taken)
		case fault.Blocked:
			change = append(change, owner.NotBlocked(core.RowsOf[owner.Block](taken)[0].CustomerKey))
		case fault.Insufficient:
			change = append(change, w.entry(poor.ID, ledger.EntryReserve, 1))
		}
		changes[i] = change
	}
	errs := together(callers, func(i int) error { return w.store.Commit(w.ctx, changes[i]) })
	for i, err := range errs {
		want, p := bad[i%len(bad)], core.RowsOf[payment.Payment](changes[i])[0]
		w.fails(want, err)
		if want == "" {
			w.isStored(p)
		} else {
			w.nothingThere(p)
		}
	}
	w.holds(held, callers*4/7, callers*3/7)
	w.holds(poor, 0, 0)
}

func oppositeOrders(w *world) {
	const callers, rounds = 60, 3
	accounts := []owner.Account{w.account(1), w.account(2)}
	wallets := []wallet.Wallet{w.funded(0), w.funded(0), w.funded(0)}
	w.commit(core.Rows(accounts))
	for range rounds {
		errs := together(callers, func(i int) error {
			first, second := accounts[i%2], accounts[1-i%2]
			entries := []ledger.Entry{
				w.entry(wallets[i%3].ID, ledger.EntryIncoming, int64(1+i%3)),
				w.entry(wallets[(i+1+i/3%2)%3].ID, ledger.EntryIncoming, int64(1+(i+1+i/3%2)%3)),
			}
			uses := core.Changeset{use(first.ID, owner.AnyVersion), use(second.ID, owner.AnyVersion)}
			return w.store.Commit(w.ctx, uses.Merge(core.Rows(entries)))
		})
		w.same(callers, w.won(errs, ""))
	}
	const uses = callers * rounds
	for _, a := range accounts {
		l := w.load(a, today)
		w.same([]int{uses * 10_000, uses, uses}, []int{int(l.Used.Minor()), l.Count, l.LoadVersion})
	}
	for i, held := range wallets {
		w.holds(held, int64((1+i)*uses*2/3), 0)
	}
}

// seenWhole reads while others write: who has seen a payment and a balance also finds the moves and the entries that came
// with them, and what is read at one moment fits together.
func seenWhole(w *world) {
	const saves, readers = 40, 4
	p, held := w.payment(), w.funded(0)
	w.commit(core.Changeset{p})
	errs := together(1+readers, func(i int) error {
		for version := 2; version < 2+saves; version++ {
			next := p
			next.Version = version
			err := w.look(p, held)
			if i == 0 {
				line := w.lineAt(held.ID, tomorrowAt(9))
				entry := w.credit(line)
				entry.At = tomorrowAt(9)
				err = w.store.Commit(w.ctx, core.Changeset{next, w.move(p.ID), line, entry})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	w.same(1+readers, w.won(errs, ""))
	w.holds(held, saves*lineMinor, 0)
}

// look reads what was written together, the part that comes later last.
func (w *world) look(p payment.Payment, held wallet.Wallet) error {
	seen, err := w.store.PaymentByID(w.ctx, p.ID)
	if err != nil {
		return err
	}
	moves, err := w.store.MovesOf(w.ctx, []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil {
		return err
	}
	balance, err := w.store.WalletBy(w.ctx, held.DealerID, held.WalletID)
	if err != nil {
		return err
	}
	entries, err := w.store.Entries(w.ctx, held.ID, core.Paging[core.ID]{Limit: core.MaxPage})
	if err != nil {
		return err
	}
	sum, err := w.store.AddUpLedger(w.ctx, held.ID)
	if err != nil {
		return err
	}
	lines, booked, err := w.store.DayBook(w.ctx, held.ID, tomorrowAt(9), tomorrowAt(10))
	if err != nil {
		return err
	}
	available, _ := sums(entries)
	if len(moves) < seen.Version-1 || available < balance.AvailableBalance.Minor() || !sum.IsRight() || len(lines) != len(booked) {
		return fmt.Errorf("version %d with %d moves, a balance of %s with entries of %d, %+v, %d lines beside %d entries",
			seen.Version, len(moves), balance.AvailableBalance, available, sum, len(lines), len(booked))
	}
	return nil
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

// importedTogether imports overlapping pieces of one statement while its lines are saved. A store may lose a race, as two
// processes do.
func importedTogether(w *world) {
	const statement, piece = 60, 20
	held := w.funded(0)
	lines := make([]wallet.BankLine, statement)
	for i := range lines {
		lines[i] = w.bankLine(held.ID)
	}
	w.commit(core.Rows(lines[:piece]))
	errs := together(statement, func(i int) error {
		change := core.Changeset{save(lines[i%piece], wallet.LineMatched, "")}
		if i >= piece {
			change = core.Rows(lines[i-piece : i+1])
		}
		for _, l := range core.RowsOf[wallet.BankLine](change) {
			change = append(change, w.credit(l))
		}
		err := fault.New("callers", fault.Conflict)
		for tries := 0; tries < statement && fault.Is(err, fault.Conflict); tries++ {
			err = w.store.Commit(w.ctx, change)
		}
		return err
	})
	w.same(statement, w.won(errs, ""))
	w.same(statement, len(w.allLines(held.ID)))
	for _, l := range lines[:piece] {
		w.isStored(save(l, wallet.LineMatched, ""))
	}
	w.holds(held, statement*lineMinor, 0)
}
