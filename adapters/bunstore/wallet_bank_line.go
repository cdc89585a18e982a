package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/wallet"
)

type bankLineRow struct {
	bun.BaseModel `bun:"table:bank_lines"`

	WalletID    int64             `bun:"wallet_id,pk"`
	LineID      string            `bun:"line_id,pk"`
	ID          core.ID           `bun:"id"`
	Version     int               `bun:"version"`
	Mark        int64             `bun:"mark"`
	Direction   gateway.Direction `bun:"direction"`
	AmountMinor int64             `bun:"amount_minor"`
	BookedAt    timestamp         `bun:"booked_at,type:timestamptz"`
	PartyIBAN   string            `bun:"party_iban"`
	State       wallet.LineStatus `bun:"state"`
	PaymentID   core.ID           `bun:"payment_id"`
	Note        string            `bun:"note"`
	WasDoubtful bool              `bun:"was_doubtful"`
	Reverses    string            `bun:"reverses"`
	ReversedBy  string            `bun:"reversed_by"`
	ImportedAt  timestamp         `bun:"imported_at,type:timestamptz"`
	Body        string            `bun:"body"`
}

// bankLineJSON is what the body holds, sealed under a key of the wallet's: whose money it was is not known before it is matched.
// It is empty where the customer was forgotten.
type bankLineJSON struct {
	Text     string        `json:"text,omitempty"`
	Party    gateway.Party `json:"party,omitzero"`
	EndToEnd string        `json:"end_to_end,omitempty"`
}

func bankLineRowOf(l wallet.BankLine, mark int64, keys *keysIn) (bankLineRow, error) {
	if err := areLira(l.Amount); err != nil {
		return bankLineRow{}, err
	}
	body, err := sealPersonal(keys.wallets[l.WalletID], bankLineJSON{Text: l.Text, Party: l.Party, EndToEnd: l.EndToEndID}, "bank_lines.body", l.ID)
	return bankLineRow{
		WalletID: l.WalletID, LineID: l.LineID, ID: l.ID, Version: l.Version, Mark: mark, Direction: l.Direction,
		AmountMinor: l.Amount.Minor(), BookedAt: timestamp(l.BookedAt), PartyIBAN: keys.blinding.party(l.Party.IBAN), State: l.Status,
		PaymentID: l.PaymentID, Note: l.Note, WasDoubtful: l.WasDoubtful, Reverses: l.ReversesLineID, ReversedBy: l.ReversedByLineID,
		ImportedAt: timestamp(l.ImportedAt), Body: body,
	}, err
}

// partyIBAN is what senders are compared by: empty for what is no IBAN, such as one that the bank has masked.
func partyIBAN(text string) string {
	if text = iban.Normalize(text); iban.HasShape(text) {
		return text
	}
	return ""
}

// walletKey names the key that seals the lines of a wallet.
func walletKey(id int64) string { return "wallet/" + number(id) }

func (r bankLineRow) keyID() string {
	if r.Body == "" {
		return ""
	}
	return walletKey(r.WalletID)
}

// line opens a row with its key.
func (r bankLineRow) line(k dataKey) (wallet.BankLine, error) {
	b, err := openPersonal[bankLineJSON](k, r.Body, "bank_lines.body", r.ID)
	return wallet.BankLine{
		WalletID: r.WalletID, LineID: r.LineID, ID: r.ID, Version: r.Version, Direction: r.Direction,
		Amount: kurus(r.AmountMinor), BookedAt: time.Time(r.BookedAt), Text: b.Text, Party: b.Party, EndToEndID: b.EndToEnd,
		ReversesLineID: r.Reverses, ImportedAt: time.Time(r.ImportedAt), Status: r.State, PaymentID: r.PaymentID,
		ReversedByLineID: r.ReversedBy, Note: r.Note, WasDoubtful: r.WasDoubtful,
	}, err
}

// savedLineRow is where a line stands: all that ever changes of it.
type savedLineRow struct {
	bun.BaseModel `bun:"table:bank_lines"`

	WalletID    int64             `bun:"wallet_id,pk"`
	LineID      string            `bun:"line_id,pk"`
	Version     int               `bun:"version"`
	State       wallet.LineStatus `bun:"state"`
	PaymentID   core.ID           `bun:"payment_id"`
	ReversedBy  string            `bun:"reversed_by"`
	Note        string            `bun:"note"`
	WasDoubtful bool              `bun:"was_doubtful"`
}

func savedLineRowOf(l wallet.BankLine) savedLineRow {
	return savedLineRow{
		WalletID: l.WalletID, LineID: l.LineID, Version: l.Version, State: l.Status, PaymentID: l.PaymentID,
		ReversedBy: l.ReversedByLineID, Note: l.Note, WasDoubtful: l.WasDoubtful,
	}
}

// quarterLength is the time whose lines are counted together.
const quarterLength = 15 * time.Minute

// quarterRow says in which quarter of an hour a line is booked.
type quarterRow struct {
	WalletID int64     `bun:"wallet_id"`
	LineID   string    `bun:"line_id"`
	Mark     int64     `bun:"mark"`
	Quarter  timestamp `bun:"quarter,type:timestamptz"`
}

// lineTermRow is something that a line is found by: a keyed hash.
type lineTermRow struct {
	WalletID int64  `bun:"wallet_id"`
	LineID   string `bun:"line_id"`
	Mark     int64  `bun:"mark"`
	Term     string `bun:"term"`
}

func (r bankLineRow) quarter() quarterRow {
	return quarterRow{
		WalletID: r.WalletID, LineID: r.LineID, Mark: r.Mark,
		Quarter: timestamp(time.Time(r.BookedAt).Truncate(quarterLength)),
	}
}

// BankLine implements ports.Statements.
func (s *Store) BankLine(ctx context.Context, walletID int64, lineID string) (wallet.BankLine, error) {
	return onePersonal(ctx, s, "bunstore.BankLine", bankLineRow.line, "wallet_id = ? AND line_id = ?", walletID, lineID)
}

// maxLineParts is of how many parts a list of lines is put together.
const maxLineParts = 100

// LinesIn implements ports.Statements. The list is put together from parts that are each the end of one index: the
// lines of a wallet in a state, or of all wallets. What names a few lines is read by that.
func (s *Store) LinesIn(ctx context.Context, query wallet.LineQuery) ([]wallet.BankLine, error) {
	const op = "bunstore.LinesIn"
	wallets, isAll, err := s.walletsFor(ctx, query)
	if err != nil {
		return nil, fail(op, err)
	}
	if len(wallets) == 0 && !isAll {
		return nil, nil
	}
	found, err := s.linesFound(ctx, query)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	within := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = whereSet(q, "direction = ?", query.Direction)
		if !query.MinAmount.IsZero() {
			q = q.Where(s.dialect.unindexed("amount_minor")+" >= ?", query.MinAmount.Minor())
		}
		if !query.MaxAmount.IsZero() {
			q = q.Where(s.dialect.unindexed("amount_minor")+" <= ?", query.MaxAmount.Minor())
		}
		if !query.BookedFrom.IsZero() {
			q = q.Where(s.dialect.unindexed("booked_at")+" >= ?", timestamp(query.BookedFrom))
		}
		if !query.BookedUntil.IsZero() {
			q = q.Where(s.dialect.unindexed("booked_at")+" < ?", timestamp(query.BookedUntil))
		}
		return q
	}
	if found != nil {
		q := whereAmong(within(found(s.reads.NewSelect())), s.dialect.unindexed("state"), query.Statuses)
		if !isAll {
			q = q.Where(s.dialect.unindexed("wallet_id")+" IN (?)", bun.List(wallets))
		}
		return s.linesPage(ctx, op, query, q)
	}
	states := query.Statuses
	if len(states) == 0 {
		states = wallet.LineStatuses()
	}
	list := stateList[bankLineRow, bankLineRow, wallet.LineStatus]{
		op: op, turn: asItIs[bankLineRow], page: query.Paging, asked: states, where: within,
	}
	switch {
	case len(wallets)*len(states) > maxLineParts: // as many as a large bank's: read by state alone
		list.where = func(q *bun.SelectQuery) *bun.SelectQuery {
			return within(q).Where(s.dialect.unindexed("wallet_id")+" IN (?)", bun.List(wallets))
		}
	case !isAll:
		for _, id := range wallets {
			list.among = append(list.among, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("wallet_id = ?", id) })
		}
	}
	rows, err := listByState(ctx, s, list)
	if err != nil {
		return nil, err
	}
	return openAll(ctx, s, op, bankLineRow.line, rows)
}

// linesFound narrows to the lines that the query names by something that an index has; nil: it names none so.
func (s *Store) linesFound(ctx context.Context, query wallet.LineQuery) (func(*bun.SelectQuery) *bun.SelectQuery, error) {
	search := wallet.SearchLines(query.Text)
	switch {
	case len(query.IDs) > 0:
		return func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("id IN (?)", bun.List(query.IDs)) }, nil
	case search.IsEmpty() && query.Amount.IsZero():
		return nil, nil //nolint:nilnil // nothing is named
	case search.IsEmpty():
		return func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("amount_minor = ?", query.Amount.Minor()) }, nil
	}
	b, err := s.blindingOf(ctx)
	if err != nil {
		return nil, err
	}
	ofAmount := func(q *bun.SelectQuery) *bun.SelectQuery {
		if query.Amount.IsZero() {
			return q
		}
		return q.Where(s.dialect.unindexed("amount_minor")+" = ?", query.Amount.Minor())
	}
	if search.IBAN != "" {
		return func(q *bun.SelectQuery) *bun.SelectQuery {
			return ofAmount(q.Where("party_iban = ? AND party_iban <> ''", b.iban(search.IBAN)))
		}, nil
	}
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		for _, word := range search.Words {
			terms := []string{b.lineWord(word)}
			if wallet.IsTail(word) {
				terms = append(terms, b.lineTail(word))
			}
			q = q.Where("id IN (SELECT id FROM bank_line_terms WHERE term IN (?))", bun.List(terms))
		}
		return ofAmount(q)
	}, nil
}

// linesPage reads a page of lines that are few.
func (s *Store) linesPage(ctx context.Context, op string, query wallet.LineQuery, q *bun.SelectQuery) ([]wallet.BankLine, error) {
	rows, err := pageOf(ctx, op, asItIs[bankLineRow], newestFirst, query.Paging, q)
	if err != nil {
		return nil, err
	}
	return openAll(ctx, s, op, bankLineRow.line, rows)
}

// walletsFor returns the wallets whose lines are asked for. isAll: those of all of them are.
func (s *Store) walletsFor(ctx context.Context, query wallet.LineQuery) (ids []int64, isAll bool, err error) {
	switch {
	case query.DealerID != 0:
		q := s.reads.NewSelect().Model((*walletRow)(nil)).Column("id").Where("dealer_id = ?", query.DealerID)
		err = whereSet(q, s.dialect.unindexed("id")+" = ?", query.WalletID).OrderExpr("id").Scan(ctx, &ids)
		return ids, false, err
	case query.WalletID != 0:
		return []int64{query.WalletID}, false, nil
	default:
		return nil, true, nil
	}
}

// Reversals implements ports.Statements.
func (s *Store) Reversals(ctx context.Context, walletID int64, lineIDs []string) ([]wallet.BankLine, error) {
	if len(lineIDs) == 0 {
		return nil, nil
	}
	return queriedPersonal(ctx, s, "bunstore.Reversals", bankLineRow.line, s.reads.NewSelect().
		Where("wallet_id = ? AND reverses IN (?) AND reverses <> ''", walletID, bun.List(lineIDs)).OrderExpr("id"))
}

// LinesOf implements ports.Statements.
func (s *Store) LinesOf(ctx context.Context, payments ...core.ID) ([]wallet.BankLine, error) {
	if len(payments) == 0 {
		return nil, nil
	}
	return queriedPersonal(ctx, s, "bunstore.LinesOf", bankLineRow.line,
		s.reads.NewSelect().Where("payment_id IN (?) AND payment_id <> ''", bun.List(payments)).OrderExpr("id"))
}
