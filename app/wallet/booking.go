package wallet

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// tooLittle is why a line waits that takes more than the ledger has.
const tooLittle = "more than is available"

// maxWaiting bounds how many waiting lines of a wallet are looked at in one round: the newest.
const maxWaiting = 2000

// book takes lines into the ledger in one commit.
func (r *reading) book(ctx context.Context, lines []wallet.BankLine) error {
	b, err := r.booking()
	if err != nil {
		return err
	}
	var all core.Changeset
	for _, l := range lines {
		change, err := b.decide(ctx, l)
		if err != nil {
			return err
		}
		all = all.Merge(change)
	}
	return r.keepLines(ctx, all)
}

// bookOrWait takes one line into the ledger. What is not there for the ledger to give waits.
func (r *reading) bookOrWait(ctx context.Context, l wallet.BankLine) error {
	b, err := r.booking()
	if err != nil {
		return err
	}
	change, err := b.decide(ctx, l)
	if err == nil {
		err = r.keepLines(ctx, change)
	}
	if !fault.Is(err, fault.Insufficient) || l.Status == wallet.LineUnbooked && l.Note == tooLittle {
		return err
	}
	r.Log.Error("the bank took money that the ledger does not have",
		"wallet", r.a.WalletID, "line", l.LineID, "amount", l.Amount.String())
	lines := core.RowsOf[wallet.BankLine](change)
	for i, decided := range lines {
		if decided.LineID == l.LineID {
			lines[i] = l.Unbooked(tooLittle)
		}
	}
	return r.UnitOfWork.Commit(ctx, core.Rows(lines).Merge(core.Rows(core.RowsOf[operation.Operation](change))).
		Merge(core.Rows(core.RowsOf[discrepancy.Discrepancy](change))))
}

// keepLines commits what was decided of lines, if anything was.
func (r *reading) keepLines(ctx context.Context, change core.Changeset) error {
	if !core.Has[wallet.BankLine](change) {
		return nil
	}
	return r.UnitOfWork.Commit(ctx, change)
}

// settle works on the lines that wait: those that the ledger could not take, and those without a payment.
func (r *reading) settle(ctx context.Context, isSweep bool) error {
	if err := r.bookWaiting(ctx); err != nil {
		return err
	}
	return r.matchWaiting(ctx, isSweep)
}

// bookWaiting tries the lines again that the ledger could not take.
func (r *reading) bookWaiting(ctx context.Context) error {
	waiting, err := r.waiting(ctx, time.Time{}, wallet.LineUnbooked)
	if err != nil {
		return err
	}
	for _, l := range waiting {
		if err := r.hold(ctx); err != nil {
			return err
		}
		l.Version++
		err := r.bookOrWait(ctx, l)
		switch {
		case err == nil, fault.Is(err, fault.Insufficient), fault.Is(err, fault.Conflict): // tried again at the next round
		case isOutage(ctx, err):
			return err
		default:
			r.note(l.LineID, err)
		}
	}
	return nil
}

// waiting returns the wallet's lines in some states, imported since a moment, oldest first.
func (r *reading) waiting(ctx context.Context, since time.Time, states ...wallet.LineStatus) ([]wallet.BankLine, error) {
	q := wallet.LineQuery{WalletID: r.a.ID, Statuses: states, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
	var all []wallet.BankLine
	for len(all) < maxWaiting {
		page, err := r.Store.LinesIn(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < q.Limit || page[len(page)-1].ImportedAt.Before(since) {
			break
		}
		q.After = page[len(page)-1].ID
	}
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(l wallet.BankLine) bool { return l.ImportedAt.Before(since) }), nil
}

// booking is the work on the lines of one commit, which see each other.
type booking struct {
	*reading
	now       time.Time
	ids       *core.IDs
	byLine    map[string]wallet.BankLine
	transfers map[core.ID]*transfer // by operation
}

func (r *reading) booking() (*booking, error) {
	now := r.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, r.UnitOfWork.Random)
	if err != nil {
		return nil, fault.E("statement.booking", fault.Internal, err)
	}
	return &booking{reading: r, now: now, ids: ids, byLine: map[string]wallet.BankLine{}, transfers: map[core.ID]*transfer{}}, nil
}

// transfer is one that lines of a commit name.
type transfer struct {
	wallet.Reference
	operation        operation.Operation
	isSaved, isAsked bool
}

// decide takes a line into the ledger, and marks the one that it takes back. A transfer that the line is matched with is
// saved along, so that of two lines that name it at the same moment one is decided on after the other. Where the line tells
// news of a transfer, the bank is asked about it: only its answer ends one.
func (b *booking) decide(ctx context.Context, l wallet.BankLine) (core.Changeset, error) {
	t, err := b.transferOf(ctx, l)
	if err != nil {
		return core.Changeset{}, err
	}
	if t == nil {
		change, err := b.explain(ctx, wallet.DecideBooking(l, nil, b.now, b.ids))
		if err == nil {
			b.byLine[l.LineID] = core.RowsOf[wallet.BankLine](change)[0]
		}
		return change, err
	}
	change := wallet.DecideBooking(l, &t.Reference, b.now, b.ids)
	if l.Version == 1 && t.knows(l) {
		b.byLine[l.LineID] = core.RowsOf[wallet.BankLine](change)[0]
		return core.Changeset{}, nil // imported before
	}
	if change, err = b.explain(ctx, change); err != nil {
		return core.Changeset{}, err
	}
	decided := core.RowsOf[wallet.BankLine](change)[0]
	b.byLine[l.LineID] = decided
	switch {
	case decided.Status == wallet.LineUnbooked && l.Status == wallet.LineUnbooked:
		return core.Changeset{}, nil // it goes on waiting
	case decided.Status == wallet.LineMatched:
		change = core.Without[payment.Payment](change).Merge(core.Rows(t.save()))
		t.Lines = append(t.Lines, decided)
	}
	if !t.isAsked && isNews(l, t.Transfer) {
		t.isAsked = true
		change = change.Merge(operation.DecideAsk(t.operation, b.now))
	}
	return change, nil
}

// explain completes the booking of a line that no transfer accounts for: by the line that it takes back, or by a note of
// what it names.
func (b *booking) explain(ctx context.Context, change core.Changeset) (core.Changeset, error) {
	decision := payment.Decision{By: b.a.g.Account.Actor(), At: b.now, IDs: b.ids}
	decided, reversed, err := b.reverse(ctx, core.RowsOf[wallet.BankLine](change)[0], decision)
	if err != nil {
		return change, err
	}
	if decided.MayCredit() && decided.Note == "" {
		n, err := b.named(ctx, decided)
		if err != nil {
			return change, err
		}
		if n.isAny() {
			decided.Note = n.note()
		}
	}
	change = core.Edit(change, func(l *wallet.BankLine) { *l = decided })
	return change.Merge(reversed), nil
}

// knows reports whether a line was matched with the transfer before.
func (t *transfer) knows(l wallet.BankLine) bool {
	return slices.ContainsFunc(t.Lines, func(known wallet.BankLine) bool {
		return known.WalletID == l.WalletID && known.LineID == l.LineID
	})
}

// save is the transfer for the commit, once.
func (t *transfer) save() []payment.Payment {
	if t.isSaved {
		return nil
	}
	t.isSaved = true
	p := t.Transfer
	p.Version++
	return []payment.Payment{p}
}

// isNews reports whether a line says more of a transfer than is known: that it left, or came back.
func isNews(l wallet.BankLine, p payment.Payment) bool {
	isBack := l.Direction == gateway.Incoming
	return !p.Status.IsFinal() || isBack == (p.Status == payment.Completed)
}

// transferOf finds the wallet's own transfer that a line names; nil: none.
func (b *booking) transferOf(ctx context.Context, l wallet.BankLine) (*transfer, error) {
	o, err := b.operation(ctx, l)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if t := b.transfers[o.ID]; t != nil {
		return t, nil
	}
	p, err := b.UnitOfWork.Payments.PaymentByID(ctx, o.PaymentID)
	if err != nil {
		return nil, err
	}
	if p.Method != payment.EIBANTransfer || p.Payee.WalletID != b.a.ID {
		return nil, nil
	}
	lines, err := b.Store.LinesOf(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	t := &transfer{Reference: wallet.Reference{Transfer: p, Lines: lines}, operation: o}
	b.transfers[o.ID] = t
	return t, nil
}

// operation finds the operation at the bank that a line names: by our reference, or as the line that it takes back does.
func (b *booking) operation(ctx context.Context, l wallet.BankLine) (operation.Operation, error) {
	o, err := b.transferNamed(ctx, l)
	if !fault.Is(err, fault.NotFound) || l.ReversesLineID == "" {
		return o, err
	}
	reversed, ok := b.byLine[l.ReversesLineID]
	if !ok {
		if reversed, err = b.Store.BankLine(ctx, b.a.ID, l.ReversesLineID); err != nil {
			return operation.Operation{}, err
		}
	}
	return b.transferNamed(ctx, reversed)
}
