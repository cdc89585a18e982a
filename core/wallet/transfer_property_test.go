package wallet_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
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
	if after := core.RowsOf[wallet.BankLine](change)[0]; after.Status != wallet.LineUnbooked && l.book(core.RowsOf[ledger.Entry](change)) {
		line.booked = &after
	}
}

// reference is the transfer that a line names, with the lines of it that are imported.
func (l *ledgerLife) reference(line *statementLine) *wallet.Reference {
	var ref wallet.Reference
	for _, x := range l.transfers {
		if string(x.op().Reference) == line.EndToEnd {
			ref.Transfer = x.Payment
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
	for _, d := range x.Discrepancies {
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
		if !x.Payment.Status.IsFinal() {
			pending += x.Payment.RequestedAmount.Minor()
		}
		l.checkEntries(t, x)
	}
	if l.reserved != pending {
		t.Fatalf("%d is reserved, and transfers of %d are pending", l.reserved, pending)
	}
}

// checkEntries: reserved once, posted or given back once at its end, and returned at most once after that.
func (l *ledgerLife) checkEntries(t *rapid.T, x *transferLife) {
	count, amount := map[ledger.EntryKind]int{}, x.Payment.RequestedAmount
	for _, e := range l.entries {
		if e.PaymentID != x.Payment.ID {
			continue
		}
		count[e.Kind]++
		if !slices.Contains([]money.Amount{e.Available, e.Reserved, e.Outside}, amount) {
			t.Fatalf("a transfer of %s is booked as %+v", amount, e)
		}
	}
	want := map[ledger.EntryKind]int{ledger.EntryReserve: 1}
	switch {
	case x.Payment.Status == payment.Completed:
		want[ledger.EntryPost] = 1
	case x.Payment.Status.IsFinal():
		want[ledger.EntryRelease] = 1
	}
	isReturned := x.Payment.Status == payment.Completed && count[ledger.EntryReturn] == 1
	if isReturned {
		want[ledger.EntryReturn] = 1
	}
	for _, kind := range []ledger.EntryKind{ledger.EntryReserve, ledger.EntryPost, ledger.EntryRelease, ledger.EntryReturn} {
		if count[kind] != want[kind] {
			t.Fatalf("%s is %s and has %d entries %s", x.Payment.TrackingCode, x.Payment.Status, count[kind], kind)
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
	isStuck := !x.Payment.Status.IsFinal() && (x.atBank == "" || x.isSlow) && x.open() != ""
	switch {
	case isDue(l.now)(x):
		l.send(t, x, func(*rapid.T) string { return "sent" })
	case isStuck:
		l.resolve(t, x)
	case x.atBank == gateway.PayoutSent && (!x.isSlow || x.Payment.Status.IsFinal()):
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
		isTold := slices.ContainsFunc(x.Discrepancies, func(d discrepancy.Discrepancy) bool {
			return d.Kind == discrepancy.LatePayout || d.Kind == discrepancy.ReturnedPayout || d.Kind == discrepancy.MissingPayout
		})
		isPaid := x.atBank == gateway.PayoutDone
		switch {
		case !x.Payment.Status.IsFinal():
			t.Fatalf("%s never ends: %+v, %q at the bank", x.Payment.TrackingCode, x.op(), x.atBank)
		case isPaid != (x.Payment.Status == payment.Completed) && x.atBank != gateway.PayoutReturned && !isTold:
			t.Fatalf("%s is %s, and %q at the bank", x.Payment.TrackingCode, x.Payment.Status, x.atBank)
		}
	}
}

// TestEveryKurusIsExplained: transfers begin, are sent, fail, come back and are called off in any order, by decisions that
// are committed later than they were made, or never. At any moment the ledger sums to zero, nothing in it is negative,
// and each transfer has the entries of its status, each once. In the end it says what the bank says.
func TestEveryKurusIsExplained(t *testing.T) {
	t.Parallel()
	for range 10 { // a hundred each
		rapid.Check(t, ledgerLives)
	}
}

func ledgerLives(t *rapid.T) {
	l := newLedgerLife(t)
	t.Repeat(map[string]func(*rapid.T){
		"":        l.check,
		"begin":   l.begins,
		"begin 2": l.begins,
		"send":    l.sends,
		"ask":     l.asks,
		"ask 2":   l.asks,
		"hear":    l.hears,
		"bank":    l.acts,
		"bank 2":  l.acts,
		"cancel":  l.cancels,
		"resolve": l.resolves,
		"import":  l.imports,
		"land":    l.lands,
		"land 2":  l.lands,
		"land 3":  l.lands,
		"crash":   l.crashes,
		"wait":    l.waits,
	})
	l.finish(t)
	l.check(t)
	l.checkEnd(t)
}

// ledgerLife is one wallet with its ledger, its account at the bank, and the decisions that are not committed yet.
type ledgerLife struct {
	balances
	now       time.Time
	ids       *core.IDs
	transfers []*transferLife
	lines     []*statementLine
	bank      int64 // what the account holds
	flights   []*flight
}

// transferLife is a transfer as it is here, and as it is at the bank.
type transferLife struct {
	*coretest.Store
	atBank gateway.PayoutState // empty: the bank does not have it
	isSlow bool                // the bank has it, and does not find it yet
	lines  int                 // that the bank has written of it
}

// statementLine is a line at the bank; booked: the ledger has taken it in.
type statementLine struct {
	gateway.StatementLine
	booked *wallet.BankLine
}

// flight is a decision between being made and being committed.
type flight struct {
	of     *transferLife
	by     core.Actor
	decide coretest.Decide
	asked  int // the operation's version when it was launched
	change core.Changeset
	// isRefusal: it is the bank's word that a call had no effect.
	isRefusal bool
	landed    func(*rapid.T)
}

func newLedgerLife(t *rapid.T) *ledgerLife {
	return &ledgerLife{now: coretest.Evening, ids: coretest.NewIDs(t, coretest.Evening), balances: balances{available: opening, outside: -opening}, bank: opening}
}

// begins is a dealer who sends money (D6): refused exactly when there is not enough.
func (l *ledgerLife) begins(t *rapid.T) {
	amount := rapid.SampledFrom([]int64{1_000, 33_333, 60_000}).Draw(t, "amount")
	change := wallet.DecideTransfer(
		payment.Request{Method: payment.EIBANTransfer, Dealer: owner.Dealer{ID: 5}, Amount: coretest.Lira(amount), IBAN: "TR33"},
		wallet.TransferPlan{Wallet: wallet.Wallet{ID: 3, BankAccountID: "acc"}, Gateway: owner.GatewayAccount{ID: 9}, Recipient: "Ayşe"},
		payment.CreateParams{At: l.now, TrackingCode: fmt.Sprintf("TRF-%016d", len(l.transfers)), IDs: l.ids},
	)
	isEnough := amount <= l.available
	if l.book(core.RowsOf[ledger.Entry](change)) != isEnough {
		t.Fatalf("%d of %d is taken: %v", amount, l.available, !isEnough)
	}
	if isEnough {
		l.transfers = append(l.transfers, &transferLife{Store: &coretest.Store{
			Payment: core.RowsOf[payment.Payment](change)[0], Operations: core.RowsOf[operation.Operation](change), IDs: l.ids,
		}})
	}
}

func (l *ledgerLife) draw(t *rapid.T, fits func(*transferLife) bool) *transferLife {
	var all []*transferLife
	for _, x := range l.transfers {
		if fits(x) {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[rapid.IntRange(0, len(all)-1).Draw(t, "transfer")]
}

func (x *transferLife) op() operation.Operation { return x.Operations[0] }

func isDue(now time.Time) func(*transferLife) bool {
	return func(x *transferLife) bool { return x.op().MaySend() && !x.op().NextAt.After(now) }
}

func isAsked(x *transferLife) bool { return !x.op().MaySend() && !x.op().NextAt.IsZero() }

// launch makes a decision about a transfer; it is committed later.
func (l *ledgerLife) launch(t *rapid.T, f *flight) {
	f.asked = f.of.op().Version
	if err := l.decide(f); err == nil {
		l.flights = append(l.flights, f)
	} else if f.by.Kind != core.ByStaff || fault.CodeOf(err) == fault.Internal {
		t.Fatalf("the decision fails: %v", err)
	}
}

func (l *ledgerLife) decide(f *flight) (err error) {
	f.of.Now = l.now
	d := f.of.Decision(f.by, "seen")
	d.AskedVersion = f.asked
	f.change, err = f.decide(f.of.CaseOf(f.of.op().ID), d)
	return err
}

// lands commits a decision; where it lost a race it is made anew on what is there now.
func (l *ledgerLife) lands(t *rapid.T) {
	if len(l.flights) == 0 {
		return
	}
	i := rapid.IntRange(0, len(l.flights)-1).Draw(t, "flight")
	f := l.flights[i]
	l.flights = slices.Delete(l.flights, i, i+1)
	l.land(t, f)
}

func (l *ledgerLife) land(t *rapid.T, f *flight) {
	if !f.of.Commits(f.change) {
		err := l.decide(f)
		if err != nil && f.by.Kind == core.ByStaff {
			return
		}
		if err != nil || !f.of.Commits(f.change) {
			t.Fatalf("decided anew: %v", err)
		}
	}
	if !l.book(core.RowsOf[ledger.Entry](f.change)) {
		t.Fatalf("the ledger has %d and %d, and can't take %+v", l.available, l.reserved, core.RowsOf[ledger.Entry](f.change))
	}
	l.checkMove(t, f)
	if f.landed != nil {
		f.landed(t)
	}
}

// checkMove: nothing ends but by the bank's word or a person's, or after a day at which it never got there, and no person
// calls off what the bank has.
func (l *ledgerLife) checkMove(t *rapid.T, f *flight) {
	if !core.Has[payment.Payment](f.change) {
		return
	}
	x, isPerson := f.of, f.by.Kind == core.ByStaff
	isGivenUp := x.atBank == "" && l.now.Sub(x.op().CreatedAt) >= 24*time.Hour
	isOver := isGivenUp || !slices.Contains([]gateway.PayoutState{"", gateway.PayoutSent}, x.atBank)
	switch status := x.Payment.Status; {
	case status == payment.Completed && x.lines == 0,
		status == payment.Failed && !isOver && !isPerson && !f.isRefusal,
		status == payment.Cancelled && x.atBank != "" && x.atBank != gateway.PayoutCanceled:
		t.Fatalf("%s is %s, and %q at the bank", x.Payment.TrackingCode, status, x.atBank)
	}
}

// crashes loses a decision with the worker that made it.
func (l *ledgerLife) crashes(t *rapid.T) {
	if len(l.flights) > 0 {
		i := rapid.IntRange(0, len(l.flights)-1).Draw(t, "flight")
		l.flights = slices.Delete(l.flights, i, i+1)
	}
}

func (l *ledgerLife) waits(t *rapid.T) {
	l.now = l.now.Add(time.Duration(rapid.IntRange(1, 20_000).Draw(t, "seconds")) * time.Second)
}

// sends is a worker that commits to sending, and calls the bank once that is committed.
func (l *ledgerLife) sends(t *rapid.T) {
	if x := l.draw(t, isDue(l.now)); x != nil {
		l.send(t, x, func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"sent", "sent", "lost", "slow", "broken", "not sent", "refused"}).Draw(t, "call")
		})
	}
}

func (l *ledgerLife) send(t *rapid.T, x *transferLife, outcome func(*rapid.T) string) {
	isSent := false
	l.launch(t, &flight{of: x,
		decide: func(c operation.Case, d payment.Decision) (change core.Changeset, err error) {
			change, isSent, err = operation.DecideSend(c, d, time.Minute)
			return change, err
		},
		landed: func(t *rapid.T) {
			if isSent {
				l.call(t, x, outcome(t))
			}
		},
	})
}

// call is what comes of one call of the bank.
func (l *ledgerLife) call(t *rapid.T, x *transferLife, outcome string) {
	if isThere := x.atBank != ""; isThere || x.Payment.Status.IsFinal() {
		t.Fatalf("sent although it is %s here and %q at the bank", x.Payment.Status, x.atBank)
	}
	result := coretest.NotSent(gateway.Retryable)
	switch outcome {
	case "sent", "lost", "slow":
		x.atBank, x.isSlow = gateway.PayoutSent, outcome == "slow"
	case "refused":
		class := rapid.SampledFrom([]gateway.Class{gateway.Refused, gateway.Invalid, gateway.OutOfFunds}).Draw(t, "class")
		result = coretest.NotSent(class)
	}
	switch outcome {
	case "sent":
		result = coretest.Reported(gateway.PayoutReport{State: gateway.PayoutSent, Trust: gateway.Answered})
	case "lost", "slow", "broken":
		result = coretest.Unanswered(gateway.Retryable)
	}
	l.launch(t, &flight{of: x, decide: result, isRefusal: outcome == "refused"})
}

// asks is a worker's question; its answer may be old when it is committed.
func (l *ledgerLife) asks(t *rapid.T) {
	if x := l.draw(t, isAsked); x != nil {
		l.launch(t, &flight{of: x, decide: x.answer()})
	}
}

// hears is a notification, which proves nothing: it has the bank asked.
func (l *ledgerLife) hears(t *rapid.T) {
	if x := l.draw(t, func(x *transferLife) bool { return x.lines > 0 }); x != nil {
		l.launch(t, &flight{of: x, decide: coretest.Reported(gateway.PayoutReport{State: x.atBank, Trust: gateway.Signed})})
	}
}

func (x *transferLife) answer() coretest.Decide {
	if x.atBank == "" || x.isSlow {
		return coretest.Unanswered(gateway.NotFound)
	}
	return coretest.Reported(gateway.PayoutReport{State: x.atBank, Trust: gateway.Answered})
}

// acts has the bank end a transfer, or bring one back.
func (l *ledgerLife) acts(t *rapid.T) {
	x := l.draw(t, func(x *transferLife) bool { return x.atBank == gateway.PayoutSent || x.atBank == gateway.PayoutDone })
	if x == nil {
		return
	}
	end := rapid.SampledFrom([]gateway.PayoutState{
		gateway.PayoutDone, gateway.PayoutDone, gateway.PayoutReturned, gateway.PayoutFailed, gateway.PayoutRejected,
		gateway.PayoutCanceled,
	}).Draw(t, "end")
	if x.atBank == gateway.PayoutDone {
		end = gateway.PayoutReturned
	}
	l.move(x, end)
}

// move ends a transfer at the bank, and writes the lines that belong to that.
func (l *ledgerLife) move(x *transferLife, end gateway.PayoutState) {
	x.atBank, x.isSlow = end, false
	isBooked := end == gateway.PayoutDone || end == gateway.PayoutReturned
	if isBooked && x.lines == 0 {
		l.write(x, gateway.Outgoing, -x.Payment.RequestedAmount.Minor())
	}
	if end == gateway.PayoutReturned && x.lines == 1 {
		l.write(x, gateway.Incoming, x.Payment.RequestedAmount.Minor())
	}
}

func (l *ledgerLife) write(x *transferLife, d gateway.Direction, minor int64) {
	x.lines++
	l.bank += minor
	l.lines = append(l.lines, &statementLine{StatementLine: gateway.StatementLine{
		ID: fmt.Sprint("line-", len(l.lines)), EndToEnd: string(x.op().Reference), Direction: d,
		Amount: x.Payment.RequestedAmount.Decimal(), Asset: gateway.TRY, BookedAt: l.now,
	}})
}

// imports takes one line in, when the ledger can take it.
func (l *ledgerLife) imports(t *rapid.T) {
	if len(l.lines) > 0 {
		l.take(t, l.lines[rapid.IntRange(0, len(l.lines)-1).Draw(t, "line")])
	}
}
