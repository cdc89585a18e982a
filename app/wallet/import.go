package wallet

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// Sizes of importing. A span is imported whole before the feed moves on, so that it is small.
const (
	maxSpan  = 6 * time.Hour
	maxPages = 10_000 // of a span
	maxBatch = 200    // lines in one commit
)

// Bounds of what is kept of a line, in bytes, and of when it may be booked.
const (
	maxIDBytes   = 200
	maxTextBytes = 1000
	maxNameBytes = 191
	maxRefBytes  = 64
	maxEarly     = 24 * time.Hour // some banks know days only, and those of another time zone
)

// spans parts a time into windows that the bank takes, none longer than most.
func (a account) spans(from, to time.Time, most time.Duration) iter.Seq[gateway.Window] {
	if limit := a.g.Descriptor.Account.StatementSpan; limit > 0 {
		most = min(most, limit)
	}
	return func(yield func(gateway.Window) bool) {
		for from.Before(to) {
			end := from.Add(most)
			if to.Before(end) {
				end = to
			}
			if !yield(gateway.Window{From: from, To: end}) {
				return
			}
			from = end
		}
	}
}

// importUntil imports what the bank lists as booked from a moment on until now.
func (r *reading) importUntil(ctx context.Context, from, now time.Time) error {
	for span := range r.a.spans(from, now.Add(ahead), maxSpan) {
		for page, err := range r.pages(ctx, span) {
			if err == nil {
				_, err = r.importPage(ctx, page)
			}
			if err != nil {
				return fault.E("statement.importUntil", "", err)
			}
		}
		if !span.To.Before(now) || !span.To.After(r.feed.ReadUntil) {
			continue // the end is kept with what follows from it
		}
		r.feed.ReadUntil = span.To
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pages reads a window of the statement. It ends with the first error; pages that go in a circle are one.
func (r *reading) pages(ctx context.Context, span gateway.Window) iter.Seq2[[]gateway.StatementLine, error] {
	return func(yield func([]gateway.StatementLine, error) bool) {
		q := gateway.StatementQuery{AccountID: r.a.BankAccountID, Window: span, Limit: r.a.g.Descriptor.Account.PageSize}
		asked := map[gateway.Cursor]bool{}
		for !asked[q.Cursor] && len(asked) < maxPages {
			asked[q.Cursor] = true
			page, err := r.page(ctx, q)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(page.Lines, nil) || page.Next == "" {
				return
			}
			q.Cursor = page.Next
		}
		yield(nil, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawText: "its pages do not end"})
	}
}

func (r *reading) page(ctx context.Context, q gateway.StatementQuery) (page gateway.StatementPage, err error) {
	if err := r.hold(ctx); err != nil {
		return page, err
	}
	return app.Ask(ctx, r.a.g, gateway.CanReadStatement, func(ctx context.Context) (gateway.StatementPage, error) {
		return r.a.g.Gateway.(ports.StatementReader).ReadStatement(ctx, q)
	})
}

// importPage imports the lines of a page that are not known, and returns all that are the wallet's.
func (r *reading) importPage(ctx context.Context, page []gateway.StatementLine) ([]wallet.BankLine, error) {
	now := r.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, r.UnitOfWork.Random)
	if err != nil {
		return nil, fault.E("statement.importPage", fault.Internal, err)
	}
	var lines, fresh []wallet.BankLine
	inPage := map[string]bool{}
	for _, l := range page {
		line, err := r.a.line(l, now, ids.Next())
		switch isOurs := err == nil && r.feed.Holds(line); {
		case err != nil:
			r.note(l.ID, err)
		case isOurs && !inPage[line.LineID]:
			inPage[line.LineID] = true
			lines = append(lines, line)
			if !r.known.has(r.a.ID, line.LineID) {
				fresh = append(fresh, line)
			}
		}
	}
	plain, reversing := parted(fresh)
	for batch := range slices.Chunk(plain, maxBatch) {
		if err := r.importBatch(ctx, batch); err != nil {
			return nil, err
		}
	}
	if err := r.importApart(ctx, reversing); err != nil { // each sees the one that it takes back as it is stored
		return nil, err
	}
	return lines, nil
}

// parted returns the lines that take back none, and those that do.
func parted(lines []wallet.BankLine) (plain, reversing []wallet.BankLine) {
	for _, l := range lines {
		if l.ReversesLineID == "" {
			plain = append(plain, l)
		} else {
			reversing = append(reversing, l)
		}
	}
	return plain, reversing
}

// importBatch saves new lines together, or, when one of them can't be saved, each by itself.
func (r *reading) importBatch(ctx context.Context, lines []wallet.BankLine) error {
	err := r.book(ctx, lines)
	if err != nil && !isOutage(ctx, err) {
		return r.importApart(ctx, lines)
	}
	if err == nil {
		r.known.add(r.a.ID, lines...)
	}
	return err
}

// importApart saves each new line by itself: one that can't be saved keeps none of the others out, and is tried again for
// as long as it is read.
func (r *reading) importApart(ctx context.Context, lines []wallet.BankLine) error {
	for _, l := range lines {
		err := r.UnitOfWork.Again(ctx, func() error { return r.bookOrWait(ctx, l) })
		switch {
		case err == nil:
			r.known.add(r.a.ID, l)
		case isOutage(ctx, err):
			return err
		default:
			r.note(l.LineID, err)
		}
	}
	return nil
}

// line is the bank's line as one of the wallet's, with what the bank says of it in bounds. Fault Invalid: it is none.
func (a account) line(l gateway.StatementLine, now time.Time, id core.ID) (wallet.BankLine, error) {
	const op = "statement.line"
	switch {
	case l.ID != app.OneLine(l.ID, maxIDBytes):
		return wallet.BankLine{}, fault.E(op, fault.Invalid, errors.New("its id is out of bounds"))
	case l.BookedAt.After(now.Add(maxEarly)):
		return wallet.BankLine{}, fault.E(op, fault.Invalid, errors.New("it is booked in the future"))
	case l.Reverses != app.OneLine(l.Reverses, maxIDBytes):
		l.Reverses = ""
	}
	text := func(t string, most int) string { return app.OneLine(a.g.Excerpt(t), most) }
	l.EndToEnd, l.Text = app.OneLine(l.EndToEnd, maxRefBytes), app.OneLine(l.Text, maxTextBytes)
	l.Party = gateway.Party{
		Name: text(l.Party.Name, maxNameBytes), IBAN: text(l.Party.IBAN, maxRefBytes), Wallet: text(l.Party.Wallet, maxNameBytes),
		NationalID: text(l.Party.NationalID, maxRefBytes),
	}
	return wallet.NewBankLine(a.Wallet, l, now, id)
}
