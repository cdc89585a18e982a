package storetest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// commitEntries commits what is about wallets alone: among all the other rows of a changeset one is stale too often.
func (d *duel) commitEntries() {
	var c core.Changeset
	d.drawWallets(&c)
	d.commitBoth(c)
}

// drawWallets books on wallets that are there, that come with the changeset, and now and then on one that is not.
func (d *duel) drawWallets(c *core.Changeset) {
	draw(d, c, func(w *wallet.Wallet) { w.Holder, w.IsActive, w.GatewayID = d.text(), d.oneIn(2), d.small() })
	var known []int64
	for _, w := range core.RowsOf[wallet.Wallet](*c) {
		known = append(known, w.ID)
	}
	for _, w := range core.RowsOf[wallet.Wallet](d.rows) {
		if d.version(w) > 0 || d.oneIn(30) {
			known = append(known, w.ID)
		}
	}
	if len(known) == 0 {
		return
	}
	d.drawFeeds(c)
	d.drawSavedLines(c)
	for range d.small() {
		l := d.bareLine(rapid.SampledFrom(known).Draw(d.T, "wallet"), d.moment().Add(time.Duration(d.small())*11*time.Minute))
		l.LineID, l.Amount, l.Text, l.Party.IBAN = d.lineID(), lira(d.small()), d.text(), d.sender()
		if d.oneIn(2) {
			l.Direction = gateway.Incoming
		}
		d.drawState(&l)
		*c = append(*c, l)
		if d.oneIn(2) {
			e := d.credit(l)
			e.Note = d.text()
			*c = append(*c, e)
		}
	}
	for range d.small() {
		*c = append(*c, d.drawEntry(rapid.SampledFrom(known).Draw(d.T, "wallet")))
	}
}

func (d *duel) drawEntry(walletID int64) ledger.LedgerEntry {
	kind := rapid.SampledFrom([]ledger.EntryKind{
		ledger.EntryIncoming, ledger.EntryIncoming, ledger.EntryReserve, ledger.EntryPost, ledger.EntryRelease, ledger.EntryReturn,
		ledger.EntryOutgoing,
	}).Draw(d.T, "kind")
	e := d.bareEntry(walletID, kind, d.small())
	if d.oneIn(2) {
		e.PaymentID = rapid.SampledFrom(core.RowsOf[payment.Payment](d.rows)).Draw(d.T, "payment").ID
	}
	if d.oneIn(20) {
		e.LineID = d.lineID()
	}
	if d.oneIn(40) {
		e.Outside = lira(d.small())
	}
	return e
}

func (d *duel) lineID() string {
	return rapid.SampledFrom([]string{"a", "B", "ç", "'", "1", "10", "2", "A"}).Draw(d.T, "line")
}

func (d *duel) lineQuery() wallet.BankLineQuery {
	from := d.moment().Add(time.Duration(d.small()-1) * 7 * time.Minute)
	return wallet.BankLineQuery{
		From: from, Until: from.Add(time.Duration(d.small()) * 17 * time.Minute), Skip: int(d.small()), Limit: int(d.small()),
	}
}

func (d *duel) lookAtWallets(s Store, query wallet.BankLineQuery, note func(string, int, any, error)) {
	wallets, err := s.WalletsOf(d.ctx, core.RowsOf[wallet.Wallet](d.rows)[0].DealerID)
	note("wallets", 0, wallets, err)
	for i, w := range core.RowsOf[wallet.Wallet](d.rows) {
		wallet, err := s.WalletBy(d.ctx, w.WalletID)
		note("wallet", i, wallet, err)
		entries, err := s.Entries(d.ctx, w.ID, "", core.MaxPage)
		note("entries", i, entries, err)
		if len(entries) > 0 {
			entries, err = s.Entries(d.ctx, w.ID, entries[0].ID, 2)
			note("older entries", i, entries, err)
		}
		query.WalletID = w.ID
		lines, total, err := s.BankLines(d.ctx, query)
		note(fmt.Sprint("lines of ", total), i, lines, err)
		dealer, err := s.DealerByAPIKey(d.ctx, core.RowsOf[owner.Dealer](d.rows)[i].APIKey)
		note("dealer by key", i, dealer, err)
		token, err := s.SiteTokenByToken(d.ctx, core.RowsOf[owner.SiteToken](d.rows)[i].Token)
		note("site token", i, token, err)
	}
}
