package core_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// take imports a line that is not booked yet.
func (l *ledgerLife) take(t *rapid.T, line *statementLine) {
	if line.booked != nil {
		return
	}
	imported, err := wallet.NewBankLine(wallet.Wallet{ID: 3}, line.StatementLine, l.now, l.ids.Next())
	if err != nil {
		t.Fatal(err)
	}
	change := wallet.DecideBooking(imported, l.reference(line), l.now, l.ids)
	if after := core.RowsOf[wallet.BankLine](change)[0]; after.State != wallet.LineUnbooked && l.books(core.RowsOf[ledger.LedgerEntry](change)) {
		line.booked = &after
	}
}

// reference is the transfer that a line names, with the lines of it that are imported.
func (l *ledgerLife) reference(line *statementLine) *wallet.Reference {
	var ref wallet.Reference
	for _, x := range l.transfers {
		if string(x.op().Ref) == line.EndToEnd {
			ref.Transfer = x.payment
		}
	}
	for _, other := range l.lines {
		if other.EndToEnd == line.EndToEnd && other.booked != nil {
			ref.Lines = append(ref.Lines, *other.booked)
		}
	}
	return &ref
}

// cancels is staff, or the dealer through them, who call a transfer off.
func (l *ledgerLife) cancels(t *rapid.T) {
	x, staff := l.draw(t, func(*transferLife) bool { return true }), core.Actor{Kind: core.ByStaff}
	if x == nil {
		return
	}
	l.launch(t, &flight{of: x, by: staff, decide: func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(c, payment.Cancel, d)
	}})
}

// resolves is staff who settle a discrepancy. They say that a transfer has left only when the bank's panel shows it.
func (l *ledgerLife) resolves(t *rapid.T) {
	if x := l.draw(t, func(x *transferLife) bool { return x.open() != "" }); x != nil {
		l.resolve(t, x)
	}
}

func (l *ledgerLife) resolve(t *rapid.T, x *transferLife) {
	resolution, id, staff := operation.WriteOff, x.open(), core.Actor{Kind: core.ByStaff}
	if x.lines > 0 {
		resolution = operation.AcceptMoney
	}
	l.launch(t, &flight{of: x, by: staff, decide: func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideResolution(c, id, resolution, money.Amount{}, d)
	}})
}

// open is the transfer's first open discrepancy.
func (x *transferLife) open() core.ID {
	for _, d := range x.discrepancies {
		if d.IsOpen() {
			return d.ID
		}
	}
	return ""
}

// check holds the ledger against the transfers, whatever is under way.
func (l *ledgerLife) check(t *rapid.T) {
	if l.available < 0 || l.reserved < 0 || l.available+l.reserved+l.outside != 0 {
		t.Fatalf("the ledger has %d, %d and %d outside", l.available, l.reserved, l.outside)
	}
	var pending int64
	for _, x := range l.transfers {
		if !x.payment.Status.IsFinal() {
			pending += x.payment.Requested.Minor()
		}
		l.checkEntries(t, x)
	}
	if l.reserved != pending {
		t.Fatalf("%d is reserved, and transfers of %d are pending", l.reserved, pending)
	}
}

// checkEntries: reserved once, posted or given back once at its end, and returned at most once after that.
func (l *ledgerLife) checkEntries(t *rapid.T, x *transferLife) {
	count, amount := map[ledger.EntryKind]int{}, x.payment.Requested
	for _, e := range l.entries {
		if e.PaymentID != x.payment.ID {
			continue
		}
		count[e.Kind]++
		if !slices.Contains([]money.Amount{e.Available, e.Reserved, e.Outside}, amount) {
			t.Fatalf("a transfer of %s is booked as %+v", amount, e)
		}
	}
	want := map[ledger.EntryKind]int{ledger.EntryReserve: 1}
	switch {
	case x.payment.Status == payment.Completed:
		want[ledger.EntryPost] = 1
	case x.payment.Status.IsFinal():
		want[ledger.EntryRelease] = 1
	}
	isReturned := x.payment.Status == payment.Completed && count[ledger.EntryReturn] == 1
	if isReturned {
		want[ledger.EntryReturn] = 1
	}
	for _, kind := range []ledger.EntryKind{ledger.EntryReserve, ledger.EntryPost, ledger.EntryRelease, ledger.EntryReturn} {
		if count[kind] != want[kind] {
			t.Fatalf("%s is %s and has %d entries %s", x.payment.TrackingCode, x.payment.Status, count[kind], kind)
		}
	}
}

// finish has everything come to its end: decisions are committed, the bank does what it was asked, staff settle what
// nobody else can, and the statement is imported.
func (l *ledgerLife) finish(t *rapid.T) {
	for range 40 {
		for len(l.flights) > 0 {
			f := l.flights[0]
			l.flights = l.flights[1:]
			l.land(t, f)
		}
		l.now = l.now.Add(24 * time.Hour)
		for _, x := range l.transfers {
			l.settle(t, x)
		}
		for _, line := range l.lines {
			l.take(t, line)
		}
	}
}

func (l *ledgerLife) settle(t *rapid.T, x *transferLife) {
	isStuck := !x.payment.Status.IsFinal() && (x.atBank == "" || x.isSlow) && x.open() != ""
	switch {
	case isDue(l.now)(x):
		l.send(t, x, func(*rapid.T) string { return "sent" })
	case isStuck:
		l.resolve(t, x)
	case x.atBank == gateway.PayoutSent && (!x.isSlow || x.payment.Status.IsFinal()):
		l.move(x, gateway.PayoutDone)
	case isAsked(x):
		l.launch(t, &flight{of: x, decide: x.answer()})
	}
}

// checkEnd: the ledger and the bank differ by the lines alone that took what the dealer had sent again meanwhile.
func (l *ledgerLife) checkEnd(t *rapid.T) {
	var unbooked int64
	for _, line := range l.lines {
		if line.booked != nil {
			continue
		}
		amount, err := line.Amount.Amount(money.TRY)
		if err != nil || line.Direction != gateway.Outgoing {
			t.Fatalf("not booked: %+v (%v)", line, err)
		}
		if unbooked += amount.Minor(); amount.Minor() <= l.available {
			t.Fatalf("not booked, although there is %d: %+v", l.available, line)
		}
	}
	if l.available+l.reserved-unbooked != l.bank {
		t.Fatalf("the ledger has %d and %d, the bank %d, and lines of %d wait", l.available, l.reserved, l.bank, unbooked)
	}
	for _, x := range l.transfers {
		isTold := slices.ContainsFunc(x.discrepancies, func(d discrepancy.Discrepancy) bool {
			return d.Kind == discrepancy.LatePayout || d.Kind == discrepancy.ReturnedPayout || d.Kind == discrepancy.MissingPayout
		})
		isPaid := x.atBank == gateway.PayoutDone
		switch {
		case !x.payment.Status.IsFinal():
			t.Fatalf("%s never ends: %+v, %q at the bank", x.payment.TrackingCode, x.op(), x.atBank)
		case isPaid != (x.payment.Status == payment.Completed) && x.atBank != gateway.PayoutReturned && !isTold:
			t.Fatalf("%s is %s, and %q at the bank", x.payment.TrackingCode, x.payment.Status, x.atBank)
		}
	}
}
