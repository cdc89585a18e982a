package storetest_test

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/money"
)

// brokenStatements is what may be broken about statements, their days, and the withdrawal desk.
type brokenStatements struct {
	line       func(l *core.BankLine)
	lineQuery  func(q *core.LineQuery)
	exact      bool // senders are compared as they are written
	each       bool // as many customers as lines were asked for
	candidate  func(q *core.CandidateQuery)
	joint      bool // of several at once all get what is the first one's
	feedLease  func(now, until time.Time) time.Time
	fed        func(claimed []core.Feed)
	health     func(h *core.FeedHealth)
	blind      bool // the sum of no wallet is zero
	torn       bool // what belongs together is read in two parts
	dayQuery   func(q *core.ReconciliationQuery)
	book       func(b *dayBook)
	desk       func(q *core.DeskQuery)
	load       func(l *core.DeskLoad)
	noneForAll bool // all dealers' wallets are nobody's
}

type dayBook struct {
	lines   []core.BankLine
	entries []core.LedgerEntry
	isIn    func(at time.Time) bool
}

func (b broken) BankLine(ctx context.Context, walletID int64, lineID string) (core.BankLine, error) {
	l, err := b.Store.BankLine(ctx, walletID, lineID)
	if b.line != nil && err == nil {
		b.line(&l)
	}
	return l, err
}

func (b broken) LinesIn(ctx context.Context, q core.LineQuery) ([]core.BankLine, error) {
	if b.lineQuery != nil {
		b.lineQuery(&q)
	}
	return b.Store.LinesIn(ctx, q)
}

func (b broken) PaidFrom(ctx context.Context, ibans []string, limit int) ([][]core.CustomerKey, error) {
	ibans = slices.Clone(ibans)
	for i, sender := range ibans {
		if b.exact && sender != iban.Normalize(sender) {
			ibans[i] = ""
		}
		if b.joint {
			ibans[i] = ibans[0]
		}
	}
	if !b.each {
		return b.Store.PaidFrom(ctx, ibans, limit)
	}
	all, err := b.Store.PaidFrom(ctx, ibans, core.MaxPage)
	for i := range all {
		all[i] = first(all[i], limit)
	}
	return all, err
}

func (b broken) Candidates(ctx context.Context, queries []core.CandidateQuery) ([][]core.Payment, error) {
	queries = slices.Clone(queries)
	for i := range queries {
		if b.candidate != nil {
			b.candidate(&queries[i])
		}
		if b.joint {
			queries[i].AccountID = queries[0].AccountID
		}
	}
	return b.Store.Candidates(ctx, queries)
}

func (b broken) FeedsOfAll(ctx context.Context, wallets []int64) ([]core.Feed, error) {
	feeds, err := b.Store.FeedsOfAll(ctx, wallets)
	if b.joint {
		feeds = first(feeds, 1)
	}
	return feeds, err
}

func (b broken) ClaimFeeds(ctx context.Context, now, until time.Time, limit int) ([]core.Feed, error) {
	if b.feedLease != nil {
		until = b.feedLease(now, until)
	}
	claimed, err := b.Store.ClaimFeeds(ctx, now, until, limit)
	if b.fed != nil {
		b.fed(claimed)
	}
	return claimed, err
}

func (b broken) FeedHealth(ctx context.Context) (core.FeedHealth, error) {
	h, err := b.Store.FeedHealth(ctx)
	if b.health != nil {
		b.health(&h)
	}
	return h, err
}

func (b broken) AddUpLedger(ctx context.Context, walletID int64) (core.LedgerSum, error) {
	sum, err := b.Store.AddUpLedger(ctx, walletID)
	if b.blind && fault.Is(err, fault.NotFound) {
		return core.LedgerSum{}, nil
	}
	if b.torn && err == nil {
		later := core.LedgerSum{}
		await(func() bool {
			later, err = b.Store.AddUpLedger(ctx, walletID)
			return !later.SumAvailable.Equal(sum.SumAvailable)
		})
		sum.SumAvailable, sum.SumReserved, sum.SumOutside = later.SumAvailable, later.SumReserved, later.SumOutside
	}
	return sum, err
}

// await gives others some time to do something.
func await(isDone func() bool) {
	for range 100 {
		if isDone() {
			return
		}
		runtime.Gosched()
	}
}

func (b broken) Reconciliations(ctx context.Context, q core.ReconciliationQuery) ([]core.Reconciliation, error) {
	if b.dayQuery != nil {
		b.dayQuery(&q)
	}
	return b.Store.Reconciliations(ctx, q)
}

func (b broken) DayBook(
	ctx context.Context, walletID int64, from, until time.Time,
) ([]core.BankLine, []core.LedgerEntry, error) {
	lines, entries, err := b.Store.DayBook(ctx, walletID, from, until)
	if b.torn {
		n := len(entries)
		await(func() bool {
			_, entries, err = b.Store.DayBook(ctx, walletID, from, until)
			return len(entries) > n
		})
	}
	if b.book != nil {
		book := dayBook{lines, entries, func(at time.Time) bool { return !at.Before(from) && at.Before(until) }}
		b.book(&book)
		lines, entries = book.lines, book.entries
	}
	return lines, entries, err
}

func (b broken) DeskWithdrawals(ctx context.Context, q core.DeskQuery) ([]core.Payment, error) {
	if b.desk != nil {
		b.desk(&q)
	}
	return b.Store.DeskWithdrawals(ctx, q)
}

func (b broken) DeskLoads(ctx context.Context, scope core.Scope, now time.Time) ([]core.DeskLoad, error) {
	loads, err := b.Store.DeskLoads(ctx, scope, now)
	for i := range loads {
		if b.load != nil {
			b.load(&loads[i])
		}
	}
	return loads, err
}

func (b broken) WalletsOf(ctx context.Context, dealerID int64) ([]core.WalletBalance, error) {
	if b.noneForAll && dealerID == 0 {
		return nil, ctx.Err()
	}
	return b.Store.WalletsOf(ctx, dealerID)
}

func reading(s brokenStatements) func() broken {
	return func() broken { return broken{brokenStatements: s} }
}

func changing(change func(*memory.Store, *core.Changeset)) func() broken {
	return func() broken { return broken{change: change} }
}

func lineDefects() []defect {
	const states, lists, senders, pages = "bank line states/", "bank line lists/", "senders and candidates/", "wallet pages/"
	return []defect{
		{"takes any version of a line", states + "the next version of a line is saved, once, and any other is a conflict",
			changing(eachLine(takeAnyLine))},
		{"takes any version of a line, of many", states + "of many who save a line one wins",
			changing(eachLine(takeAnyLine))},
		{"never books late", states + "an entry about a line that is saved is booked", changing(bookNew)},
		{"never books late, seen by the property", randomly, changing(bookNew)},
		{"imports over what was saved", states + "an import of a line that was saved keeps what was saved",
			changing(eachLine(importAnew))},
		{"takes the last of a line's versions", states + "a line that is saved comes once in a changeset, and not beside its import",
			changing(lastOfLine)},
		{"forgets why", states + "saving a line replaces where it stands and nothing that the bank said",
			reading(brokenStatements{line: func(l *core.BankLine) { l.Note = "" }})},
		{"lists every dealer's lines", lists + "lines are narrowed by dealer, wallet and states, newest first",
			reading(brokenStatements{lineQuery: func(q *core.LineQuery) { q.Scope = core.Scope{} }})},
		{"begins a page of lines with its cursor", lists + "pages of lines cover everything once",
			reading(brokenStatements{lineQuery: func(q *core.LineQuery) {
				if q.After != "" {
					q.After += "0"
				}
			}})},
		{"compares senders letter by letter", senders + "senders are compared by their normalized IBAN",
			reading(brokenStatements{exact: true})},
		{"seeks customers until it has enough", senders + "who paid from an IBAN comes once, those of the latest lines first",
			reading(brokenStatements{each: true})},
		{"ranks a page of lines as the first", pages + "candidates of several lines are those of each",
			reading(brokenStatements{joint: true})},
		{"takes a page of senders for the first", pages + "who paid from several IBANs is who paid from each",
			reading(brokenStatements{joint: true})},
		{"reads a page of feeds as the first", pages + "feeds of several wallets are each one's, by wallet",
			reading(brokenStatements{joint: true})},
		{"includes the end of candidates' time", senders + "candidates are an account's deposits of a time, newest first",
			reading(brokenStatements{candidate: func(q *core.CandidateQuery) { q.Until = q.Until.Add(time.Microsecond) }})},
	}
}

func statementDefects() []defect {
	const claims, days, books = "feed claims/", "reconciliations/", "day books/"
	daysNarrowed := days + "days are narrowed by dealer, wallet, day and what is open, newest first, then by wallet"
	return []defect{
		{"claims of feeds overlap", claims + "concurrent claimers get disjoint feeds and together all of them",
			reading(brokenStatements{feedLease: func(now, _ time.Time) time.Time { return now.Add(-time.Second) }})},
		{"claims feeds without saying so", claims + "claiming a feed raises the version, sets the lease and changes nothing else",
			reading(brokenStatements{fed: func(claimed []core.Feed) {
				for i := range claimed {
					claimed[i].Version--
				}
			}})},
		{"claims feeds in no order", claims + "the earliest due feeds are claimed first",
			reading(brokenStatements{fed: slices.Reverse[[]core.Feed]})},
		{"is always well", "feeds/health counts what is wrong, and finds the oldest",
			reading(brokenStatements{health: func(h *core.FeedHealth) { *h = core.FeedHealth{OldestRead: h.OldestRead} }})},
		{"adds up nothing", "feeds/the sum of no wallet is not found", reading(brokenStatements{blind: true})},
		{"adds up at two moments", "feeds/sums and balances are of one moment", reading(brokenStatements{torn: true})},
		{"reads a day at two moments", books + "lines and entries of a day are of one moment",
			reading(brokenStatements{torn: true})},
		{"lists every day", daysNarrowed, reading(brokenStatements{dayQuery: func(q *core.ReconciliationQuery) { q.OnlyOpen = false }})},
		{"begins a page of days with its cursor", daysNarrowed,
			reading(brokenStatements{dayQuery: func(q *core.ReconciliationQuery) {
				if q.Before != "" {
					q.Before += "0"
				}
			}})},
		{"has the day's own entries only", books + "a line brings its entry, whenever that was made", reading(ownEntries())},
		{"has the day's own posts only", books + "a line of a transfer brings its post, whenever that was made",
			reading(ownEntries())},
		{"has the day's own lines only", books + "a post brings the lines of its transfer, whenever they are booked",
			reading(brokenStatements{book: func(b *dayBook) {
				b.lines = slices.DeleteFunc(b.lines, func(l core.BankLine) bool { return !b.isIn(l.BookedAt) })
			}})},
		{"has what it has for two reasons twice", books + "a day has everything once, oldest first",
			reading(brokenStatements{book: func(b *dayBook) { b.entries = append(b.entries, b.entries...) }})},
	}
}

func deskDefects() []defect {
	const narrowed = "withdrawal desk/withdrawals are narrowed by dealer and by who has them, oldest first, page by page"
	return []defect{
		{"forgets claims", "payments/every field of a payment comes back", changing(func(_ *memory.Store, c *core.Changeset) {
			eachPayment(c, func(p *core.Payment) { p.Claim = core.Claim{} })
		})},
		{"has no wallets for all dealers", "wallets/wallets are one dealer's or all, by id, inactive ones too",
			reading(brokenStatements{noneForAll: true})},
		{"shows what somebody has", narrowed, reading(brokenStatements{desk: func(q *core.DeskQuery) { q.OnlyFree = false }})},
		{"shows every dealer's withdrawals", narrowed,
			reading(brokenStatements{desk: func(q *core.DeskQuery) { q.Scope = core.Scope{} }})},
		{"lets no claim lapse", "withdrawal desk/a claim holds until its moment, and counts as lapsed from then on",
			reading(brokenStatements{load: func(l *core.DeskLoad) { l.Claimed, l.Lapsed = l.Claimed+l.Lapsed, 0 }})},
		{"loads dealers with nothing", "withdrawal desk/loads are each dealer's, by dealer",
			reading(brokenStatements{load: func(l *core.DeskLoad) { l.Amount = money.New(0, money.TRY) }})},
	}
}

func ownEntries() brokenStatements {
	return brokenStatements{book: func(b *dayBook) {
		b.entries = slices.DeleteFunc(b.entries, func(e core.LedgerEntry) bool { return !b.isIn(e.At) })
	}}
}

func eachLine(change func(*memory.Store, *core.BankLine)) func(*memory.Store, *core.Changeset) {
	return func(s *memory.Store, c *core.Changeset) {
		c.BankLines = slices.Clone(c.BankLines)
		for i := range c.BankLines {
			change(s, &c.BankLines[i])
		}
	}
}

func takeAnyLine(s *memory.Store, l *core.BankLine) {
	if known, err := s.BankLine(context.Background(), l.WalletID, l.LineID); err == nil && l.Version != 1 {
		l.Version = known.Version + 1
	}
}

func importAnew(s *memory.Store, l *core.BankLine) {
	if known, err := s.BankLine(context.Background(), l.WalletID, l.LineID); err == nil && l.Version == 1 && known.Version > 1 {
		l.Version = known.Version + 1
	}
}

// bookNew leaves out the entries about lines that are not new.
func bookNew(_ *memory.Store, c *core.Changeset) {
	c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e core.LedgerEntry) bool {
		return slices.ContainsFunc(c.BankLines, func(l core.BankLine) bool {
			return l.Version > 1 && l.WalletID == e.WalletID && l.LineID == e.LineID
		})
	})
}

func lastOfLine(_ *memory.Store, c *core.Changeset) {
	var lines []core.BankLine
	for _, l := range c.BankLines {
		lines = append(slices.DeleteFunc(lines, func(other core.BankLine) bool {
			return other.WalletID == l.WalletID && other.LineID == l.LineID && l.Version > 1
		}), l)
	}
	c.BankLines = lines
}
