package statement

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Sizes of importing. A span is imported whole before the feed moves on, so that it is small.
const (
	maxSpan  = 6 * time.Hour
	maxPages = 10_000 // of a span: a bank that pages in a circle is left
)

// Bounds of what is kept of a line, in bytes.
const (
	maxIDBytes   = 200
	maxTextBytes = 1000
	maxNameBytes = 191
	maxRefBytes  = 64
)

// tally is what came of importing, beside the lines.
type tally struct {
	trouble string // the first line that can't be of a wallet
}

func (t *tally) note(why string) {
	if t.trouble == "" {
		t.trouble = why
	}
}

// spanOf is the longest window of one question.
func (a account) spanOf() time.Duration {
	if traits := a.g.Descriptor.Account; traits != nil && traits.StatementSpan > 0 {
		return min(traits.StatementSpan, maxSpan)
	}
	return maxSpan
}

// spans parts a time into windows.
func spans(from, to time.Time, most time.Duration) iter.Seq[gateway.Window] {
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

// pages reads a window of an account's statement. It ends with the first error.
func (s *Service) pages(ctx context.Context, a account, span gateway.Window) iter.Seq2[[]gateway.StatementLine, error] {
	return func(yield func([]gateway.StatementLine, error) bool) {
		q := gateway.StatementQuery{AccountID: a.BankAccount, Window: span, Limit: a.g.Descriptor.Account.PageSize}
		for range maxPages {
			var page gateway.StatementPage
			_, err := a.g.Call(ctx, gateway.CanReadStatement, func(ctx context.Context) (string, error) {
				var err error
				page, err = a.g.Gateway.(ports.StatementReader).ReadStatement(ctx, q)
				return "read", err
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if q.Cursor = page.Next; !yield(page.Lines, nil) || page.Next == "" {
				return
			}
		}
		yield(nil, fault.New("statement.pages", fault.GatewayFailed, "the statement does not end"))
	}
}

// importSpan imports every line of a window that is not known.
func (s *Service) importSpan(ctx context.Context, a account, span gateway.Window, t *tally) error {
	for lines, err := range s.pages(ctx, a, span) {
		if err == nil {
			err = s.importPage(ctx, a, lines, t)
		}
		if err != nil {
			return fault.E("statement.importSpan", "", err)
		}
	}
	return nil
}

// importPage imports the unknown lines of a page. They are saved together; when the ledger can't take one, each alone.
func (s *Service) importPage(ctx context.Context, a account, page []gateway.StatementLine, t *tally) error {
	fresh, err := s.fresh(ctx, a, page, t)
	if err != nil || len(fresh) == 0 {
		return err
	}
	err = s.book(ctx, a, fresh)
	if fault.Is(err, fault.Insufficient) || fault.Is(err, fault.Conflict) {
		err = s.bookApart(ctx, a, fresh)
	}
	if err != nil {
		return err
	}
	for _, l := range fresh {
		s.known.add(l.WalletID, l.LineID)
	}
	return nil
}

// fresh are the lines of a page that are the wallet's and not imported yet.
func (s *Service) fresh(ctx context.Context, a account, page []gateway.StatementLine, t *tally) ([]core.BankLine, error) {
	now := s.Desk.Clock.Now()
	ids, err := core.NewIDs(now, s.Desk.Random)
	if err != nil {
		return nil, fault.E("statement.fresh", fault.Internal, err)
	}
	feed, err := s.Store.Feed(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	var fresh []core.BankLine
	inPage := map[string]bool{}
	for _, l := range page {
		line, err := core.NewBankLine(a.Wallet, a.tidy(l), now, ids.Next())
		switch {
		case err != nil:
			t.note("a line can't be imported: " + app.OneLine(l.ID, maxIDBytes))
			s.Log.Error("a line of a statement can't be imported", "wallet", a.WalletID, "line", app.OneLine(l.ID, maxIDBytes), "error", err)
		case inPage[line.LineID] || !feed.Holds(line) || s.known.has(a.ID, line.LineID):
		default:
			inPage[line.LineID] = true
			fresh = append(fresh, line)
		}
	}
	return fresh, nil
}

// tidy brings what a bank says of a line into bounds. An id that does not fit makes it no line.
func (a account) tidy(l gateway.StatementLine) gateway.StatementLine {
	text := func(t string, most int) string { return app.OneLine(a.g.Excerpt(t), most) }
	for _, id := range []*string{&l.ID, &l.Reverses} {
		if *id != app.OneLine(*id, maxIDBytes) {
			*id = ""
		}
	}
	l.EndToEnd, l.Text = app.OneLine(l.EndToEnd, maxRefBytes), app.OneLine(l.Text, maxTextBytes)
	l.Party = gateway.Party{
		Name: text(l.Party.Name, maxNameBytes), IBAN: text(l.Party.IBAN, maxRefBytes), Wallet: text(l.Party.Wallet, maxNameBytes),
		NationalID: text(l.Party.NationalID, maxRefBytes),
	}
	return l
}

// book takes lines into the ledger in one commit.
func (s *Service) book(ctx context.Context, a account, lines []core.BankLine) error {
	b := booking{s: s, a: a, byLine: map[string]core.BankLine{}}
	var all core.Changeset
	for _, l := range lines {
		change, err := b.decide(ctx, l)
		if err != nil {
			return err
		}
		all = all.Merge(change)
	}
	return s.Desk.Commit(ctx, all)
}

// bookApart takes each line into the ledger by itself. What is not there for the ledger to give waits.
func (s *Service) bookApart(ctx context.Context, a account, lines []core.BankLine) error {
	for _, l := range lines {
		err := s.Desk.Again(ctx, func() error { return s.book(ctx, a, []core.BankLine{l}) })
		if fault.Is(err, fault.Insufficient) {
			s.Log.Error("the bank took money that the ledger does not have", "wallet", a.WalletID, "line", l.LineID)
			err = s.Desk.Commit(ctx, core.Changeset{BankLines: []core.BankLine{l.Unbooked("more than is available")}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bookWaiting tries the lines again that the ledger could not take.
func (s *Service) bookWaiting(ctx context.Context, a account) error {
	waiting, err := s.Store.LinesIn(ctx, core.LineQuery{
		WalletID: a.ID, States: []core.LineState{core.LineUnbooked}, Limit: core.MaxPage,
	})
	if err != nil {
		return err
	}
	for _, l := range waiting {
		before := l
		l.Version++
		b := booking{s: s, a: a, byLine: map[string]core.BankLine{}}
		change, err := b.decide(ctx, l)
		if err == nil && (len(change.BankLines) != 1 || change.BankLines[0].State != before.State) {
			err = s.Desk.Commit(ctx, change)
		}
		if err != nil && !fault.Is(err, fault.Insufficient) && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	return nil
}

// booking is the work on lines of one commit, which see each other.
type booking struct {
	s       *Service
	a       account
	byLine  map[string]core.BankLine
	matched []core.BankLine
}

func (b *booking) decide(ctx context.Context, l core.BankLine) (core.Changeset, error) {
	ref, cue, err := b.reference(ctx, l)
	if err != nil {
		return core.Changeset{}, err
	}
	now := b.s.Desk.Clock.Now()
	ids, err := core.NewIDs(now, b.s.Desk.Random)
	if err != nil {
		return core.Changeset{}, fault.E("statement.booking", fault.Internal, err)
	}
	change := core.DecideBooking(l, ref, now, ids)
	for _, decided := range change.BankLines {
		b.byLine[decided.LineID] = decided
		if decided.PaymentID != "" {
			b.matched = append(b.matched, decided)
		}
	}
	return change.Merge(cue), nil
}

// reference finds the transfer of the wallet that a line names, and has the bank asked about one that is pending.
func (b *booking) reference(ctx context.Context, l core.BankLine) (*core.Reference, core.Changeset, error) {
	o, err := b.operation(ctx, l)
	if fault.Is(err, fault.NotFound) {
		return nil, core.Changeset{}, nil
	}
	if err != nil {
		return nil, core.Changeset{}, err
	}
	p, err := b.s.Store.PaymentByID(ctx, o.PaymentID)
	if err != nil {
		return nil, core.Changeset{}, err
	}
	if p.Method != core.EIBANTransfer || p.Payee.WalletID != b.a.ID {
		return nil, core.Changeset{}, nil
	}
	lines, err := b.s.Store.LinesOf(ctx, p.ID)
	if err != nil {
		return nil, core.Changeset{}, err
	}
	for _, other := range b.matched {
		if other.PaymentID == p.ID {
			lines = append(lines, other)
		}
	}
	var cue core.Changeset
	if !p.Status.IsFinal() && l.Version == 1 {
		cue = core.DecideAsk(o, b.s.Desk.Clock.Now())
	}
	return &core.Reference{Transfer: p, Lines: lines}, cue, nil
}

// operation finds the operation at the bank that a line names: by our reference, or as the line that it reverses does.
func (b *booking) operation(ctx context.Context, l core.BankLine) (core.Operation, error) {
	if l.EndToEnd != "" {
		o, err := b.s.Store.OperationBy(ctx, core.OperationKey{Ref: l.EndToEnd})
		if err == nil || !fault.Is(err, fault.NotFound) {
			return o, err
		}
	}
	if l.Reverses == "" {
		return core.Operation{}, fault.New("statement.operation", fault.NotFound)
	}
	reversed, ok := b.byLine[l.Reverses]
	if !ok {
		var err error
		if reversed, err = b.s.Store.BankLine(ctx, b.a.ID, l.Reverses); err != nil {
			return core.Operation{}, err
		}
	}
	if reversed.EndToEnd == "" {
		return core.Operation{}, fault.New("statement.operation", fault.NotFound)
	}
	return b.s.Store.OperationBy(ctx, core.OperationKey{Ref: reversed.EndToEnd})
}

func isGatewayError(err error, target **gateway.Error) bool { return errors.As(err, target) }
