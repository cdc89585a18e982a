package storetest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func (d *duel) claimFeeds(now, until time.Time, limit int) {
	want, errWant := d.reference.ClaimFeeds(d.ctx, now, until, limit)
	got, errGot := d.tested.ClaimFeeds(d.ctx, now, until, limit)
	d.both("claim of feeds", errGot, errWant)
	if diff := difference(want, got); diff != "" {
		d.Fatalf("claims of feeds differ (-reference +tested):\n%s", diff)
	}
	d.remember(core.Rows(got))
}

// commitLines imports and saves the same few lines again and again, and changes nothing else but a feed now and then.
func (d *duel) commitLines() {
	var c core.Changeset
	if d.oneIn(4) {
		d.drawFeeds(&c)
	}
	d.drawSavedLines(&c)
	for range d.small() {
		l := d.bareLine(rapid.SampledFrom(core.RowsOf[wallet.Wallet](d.rows)).Draw(d.T, "wallet").ID, d.moment())
		l.LineID, l.Text, l.Direction, l.Party.IBAN = d.savedID(), d.text(), gateway.Incoming, d.sender()
		d.drawState(&l)
		c = append(c, l)
	}
	d.commitBoth(c)
}

func (d *duel) savedID() string { return rapid.SampledFrom([]string{"a", "B"}).Draw(d.T, "line") }

func (d *duel) drawFeeds(c *core.Changeset) {
	draw(d, c, func(f *wallet.Feed) {
		f.GatewayID, f.Failures, f.Trouble, f.IsLedgerOff = d.gateways[0], int(d.small()), d.text(), d.oneIn(2)
		f.ReadUntil, f.NextAt, f.LeaseUntil = d.moment(), d.momentOrNone(), d.momentOrNone()
	})
	draw(d, c, func(r *wallet.Reconciliation) {
		r.DealerID, r.Matched, r.HasBank, r.BankIn = d.gateways[0]+d.small()%2, int(d.small()), d.oneIn(2), lira(d.small())
		r.IsCut = d.oneIn(3)
		r.Differences = slices.Clone(r.Differences)[:d.small()%3]
		for i := range r.Differences {
			r.Differences[i].Reason, r.Differences[i].LineID = d.text(), d.lineID()
		}
	})
}

// drawSavedLines saves lines, most of them as the stores wait for it, with their entry or without.
func (d *duel) drawSavedLines(c *core.Changeset) {
	for _, w := range core.RowsOf[wallet.Wallet](d.rows) {
		for _, id := range []string{"a", "B"} {
			version := d.version(wallet.BankLine{WalletID: w.ID, LineID: id})
			if version == 0 && !d.oneIn(40) || !d.oneIn(3) {
				continue
			}
			l := d.bareLine(w.ID, d.moment())
			l.LineID, l.Version = id, version+1
			if d.oneIn(6) {
				l.Version += rapid.SampledFrom([]int{-1, 1}).Draw(d.T, "off")
			}
			d.drawState(&l)
			*c = append(*c, l)
			if d.oneIn(3) {
				e := d.entry(w.ID, ledger.EntryIncoming, d.small())
				e.PaymentID, e.LineID = "", id
				*c = append(*c, e)
			}
		}
	}
}

func (d *duel) drawState(l *wallet.BankLine) {
	l.State, l.Note = rapid.SampledFrom(wallet.LineStates()).Draw(d.T, "state"), d.text()
	if l.ReversedBy = ""; d.oneIn(4) {
		l.ReversedBy = d.text()
	}
	if l.PaymentID = ""; d.oneIn(2) {
		l.PaymentID = rapid.SampledFrom(core.RowsOf[payment.Payment](d.rows)).Draw(d.T, "payment").ID
	}
}

// sender is one of this check's own: lines of others are not looked at.
func (d *duel) sender() string {
	own := fmt.Sprintf("TR%016d", d.gateways[0])
	return rapid.SampledFrom([]string{"", own, own[:4] + " " + own[4:], own + "*", own + "0"}).Draw(d.T, "sender")
}

func (d *duel) lookAtStatements(s Store, query wallet.BankLineQuery, note func(string, int, any, error)) {
	for i, w := range core.RowsOf[wallet.Wallet](d.rows) {
		feed, err := s.Feed(d.ctx, w.ID)
		note("feed", i, feed, err)
		sum, err := s.AddUpLedger(d.ctx, w.ID)
		note("ledger", i, sum, err)
		lines, entries, err := s.DayBook(d.ctx, w.ID, query.From, query.Until)
		note("lines of a day", i, lines, err)
		note("entries of a day", i, entries, err)
		entries, err = s.Adjustments(d.ctx, w.ID, today)
		note("adjustments of a day", i, entries, err)
		lines, err = s.Reversals(d.ctx, w.ID, []string{"a", "", "B"})
		note("reversals", i, lines, err)
		for _, id := range []string{"a", "B"} {
			line, err := s.BankLine(d.ctx, w.ID, id)
			note("line "+id, i, line, err)
		}
		lines, err = s.LinesIn(d.ctx, wallet.LineQuery{WalletID: w.ID, States: wallet.LineStates()[:query.Skip], Limit: 3})
		note("lines in a wallet", i, lines, err)
		lines, err = s.Reversals(d.ctx, w.ID, []string{"a", "", "B"})
		note("reversals", i, lines, err)
		lines, err = s.LinesOf(d.ctx, core.RowsOf[payment.Payment](d.rows)[i].ID)
		note("lines of a payment", i, lines, err)
		day, err := s.Reconciliation(d.ctx, w.ID, today)
		note("day", i, day, err)
	}
	scope := core.Scope{DealerID: core.RowsOf[wallet.Wallet](d.rows)[0].DealerID}
	lines, err := s.LinesIn(d.ctx, wallet.LineQuery{Scope: scope, States: wallet.LineStates()[query.Limit:], Limit: 6})
	note("lines of a dealer", 0, lines, err)
	held, err := s.Wallet(d.ctx, core.RowsOf[wallet.Wallet](d.rows)[0].ID)
	note("wallet by id", 0, held, err)
	feeds, err := s.FeedsAt(d.ctx, d.gateways[0])
	note("feeds of a gateway", 0, feeds, err)
	customers, err := s.PaidFrom(d.ctx, []string{senderIBAN, fmt.Sprintf("TR%016d", d.gateways[0])}, query.Limit)
	note("who paid", 0, customers, err)
	for i, onlyOpen := range []bool{false, true} {
		days, err := s.Reconciliations(d.ctx, wallet.ReconciliationQuery{
			Scope: core.Scope{DealerID: d.gateways[0]}, OnlyOpen: onlyOpen, Limit: query.Limit,
		})
		note("days", i, days, err)
	}
}

// lookAtDesk sees withdrawals of all checks: both stores have had the same.
func (d *duel) lookAtDesk(s Store, now time.Time, note func(string, int, any, error)) {
	loads, err := s.DeskLoads(d.ctx, core.Scope{}, now)
	note("desk loads", 0, loads, err)
	for i, onlyFree := range []bool{false, true} {
		withdrawals, err := s.DeskWithdrawals(d.ctx, payment.DeskQuery{
			Scope: core.Scope{DealerID: int64(i)}, OnlyFree: onlyFree, Now: now, After: core.RowsOf[payment.Payment](d.rows)[i].ID, Limit: 3,
		})
		note("on the desk", i, withdrawals, err)
	}
	candidates, err := s.Candidates(d.ctx, []wallet.CandidateQuery{
		{AccountID: core.RowsOf[owner.Account](d.rows)[0].ID, From: epoch, Until: now, Limit: 5},
		{AccountID: core.RowsOf[owner.Account](d.rows)[0].ID, Until: now, Limit: 2},
	}...)
	note("candidates", 0, candidates, err)
}
