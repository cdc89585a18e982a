package bunstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

type walletRow struct {
	bun.BaseModel `bun:"table:wallets"`

	ID          int64     `bun:"id,pk"`
	Version     int       `bun:"version"`
	WalletID    string    `bun:"wallet_id"`
	DealerID    int64     `bun:"dealer_id,pk"`
	AccountID   int64     `bun:"account_id"`
	GatewayID   int64     `bun:"gateway_id"`
	BankAccount string    `bun:"bank_account"`
	IBAN        string    `bun:"iban"`
	BankName    string    `bun:"bank_name"`
	Holder      string    `bun:"holder"`
	IsActive    bool      `bun:"is_active"`
	CreatedAt   timestamp `bun:"created_at,type:timestamptz"`
	UpdatedAt   timestamp `bun:"updated_at,type:timestamptz"`
}

func walletRowOf(w wallet.Wallet) walletRow {
	return walletRow{
		ID: w.ID, Version: w.Version, WalletID: w.WalletID, DealerID: w.DealerID, AccountID: w.AccountID, GatewayID: w.GatewayID,
		BankAccount: w.BankAccountID, IBAN: w.IBAN, BankName: w.BankName, Holder: w.Holder, IsActive: w.IsActive,
		CreatedAt: timestamp(w.CreatedAt), UpdatedAt: timestamp(w.UpdatedAt),
	}
}

func (r walletRow) wallet() (wallet.Wallet, error) {
	return wallet.Wallet{
		ID: r.ID, Version: r.Version, WalletID: r.WalletID, DealerID: r.DealerID, AccountID: r.AccountID, GatewayID: r.GatewayID,
		BankAccountID: r.BankAccount, IBAN: r.IBAN, BankName: r.BankName, Holder: r.Holder, IsActive: r.IsActive,
		CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
	}, nil
}

// walletBalanceRow is a wallet beside its balance.
type walletBalanceRow struct {
	walletRow
	AvailableMinor int64 `bun:"available_minor"`
	ReservedMinor  int64 `bun:"reserved_minor"`
}

func (r walletBalanceRow) balance() (wallet.WalletBalance, error) {
	w, err := r.wallet()
	return wallet.WalletBalance{Wallet: w, AvailableBalance: kurus(r.AvailableMinor), Reserved: kurus(r.ReservedMinor)}, err
}

// balanceRow is a wallet's balance.
type balanceRow struct {
	bun.BaseModel `bun:"table:wallet_balances"`

	WalletID       int64 `bun:"wallet_id,pk"`
	AvailableMinor int64 `bun:"available_minor"`
	ReservedMinor  int64 `bun:"reserved_minor"`
	OutsideMinor   int64 `bun:"outside_minor"`
}

// changeRow is what one entry changes a balance by, if it is kept.
type changeRow struct {
	WalletID       int64  `bun:"wallet_id"`
	AvailableMinor int64  `bun:"available_minor"`
	ReservedMinor  int64  `bun:"reserved_minor"`
	OutsideMinor   int64  `bun:"outside_minor"`
	LineID         string `bun:"line_id"`
	Mark           int64  `bun:"mark"`
}

type entryRow struct {
	bun.BaseModel `bun:"table:ledger_entries"`

	ID             core.ID          `bun:"id,pk"`
	WalletID       int64            `bun:"wallet_id"`
	Kind           ledger.EntryKind `bun:"kind"`
	At             timestamp        `bun:"at,type:timestamptz"`
	PaymentID      core.ID          `bun:"payment_id"`
	LineID         string           `bun:"line_id"`
	AvailableMinor int64            `bun:"available_minor"`
	ReservedMinor  int64            `bun:"reserved_minor"`
	OutsideMinor   int64            `bun:"outside_minor"`
	Note           string           `bun:"note"`
	Day            core.Day         `bun:"day"`
	Number         int              `bun:"number"`
	MadeBy         string           `bun:"made_by"` // empty: said of no entry but an adjustment
}

// markedRow is an entry with the mark of its line in the same commit; 0: there is none, and the entry is kept.
type markedRow struct {
	entryRow
	Mark int64 `bun:"mark"`
}

func entryRowOf(e ledger.Entry) (entryRow, error) {
	madeBy, err := madeByText(e.BookedBy)
	if err != nil {
		return entryRow{}, err
	}
	return entryRow{
		ID: e.ID, WalletID: e.WalletID, Kind: e.Kind, At: timestamp(e.At), PaymentID: e.PaymentID, LineID: e.LineID,
		AvailableMinor: e.Available.Minor(), ReservedMinor: e.Reserved.Minor(), OutsideMinor: e.Outside.Minor(),
		Note: e.Note, Day: e.Day, Number: e.Number, MadeBy: madeBy,
	}, areLira(e.Available, e.Reserved, e.Outside)
}

func madeByText(by core.Actor) (string, error) {
	if by == (core.Actor{}) {
		return "", nil
	}
	return bodyText(actorJSON(by))
}

func (r entryRow) entry() (ledger.Entry, error) {
	var by actorJSON
	var err error
	if r.MadeBy != "" {
		by, err = bodyOf[actorJSON](r.MadeBy)
	}
	return ledger.Entry{
		ID: r.ID, WalletID: r.WalletID, Kind: r.Kind, At: time.Time(r.At), PaymentID: r.PaymentID, LineID: r.LineID,
		Available: kurus(r.AvailableMinor), Reserved: kurus(r.ReservedMinor), Outside: kurus(r.OutsideMinor),
		Note: r.Note, Day: r.Day, Number: r.Number, BookedBy: core.Actor(by),
	}, err
}

func (r markedRow) change() changeRow {
	return changeRow{
		WalletID: r.WalletID, AvailableMinor: r.AvailableMinor, ReservedMinor: r.ReservedMinor,
		OutsideMinor: r.OutsideMinor, LineID: r.LineID, Mark: r.Mark,
	}
}

func kurus(minor int64) money.Amount { return money.New(minor, money.TRY) }

// areLira refuses what a wallet can't hold: its amounts are stored without their currency.
func areLira(amounts ...money.Amount) error {
	code, err := codeOf(amounts...)
	if err == nil && code != "" && code != money.TRY.Code {
		err = fmt.Errorf("%s in a wallet", code)
	}
	return err
}

// balances reads a dealer's wallets with their balances. 0: those of all dealers.
func (s *Store) balances(dealerID int64) *bun.SelectQuery {
	q := s.reads.NewSelect().ModelTableExpr("wallets").ColumnExpr("wallets.*, b.available_minor, b.reserved_minor").
		Join("JOIN wallet_balances AS b ON b.wallet_id = wallets.id")
	return whereSet(q, "wallets.dealer_id = ?", dealerID)
}

// WalletsOf implements ports.Wallets.
func (s *Store) WalletsOf(ctx context.Context, dealerID int64) ([]wallet.WalletBalance, error) {
	return queried(ctx, "bunstore.WalletsOf", walletBalanceRow.balance, s.balances(dealerID).OrderExpr("wallets.id"))
}

// WalletBy implements ports.Wallets.
func (s *Store) WalletBy(ctx context.Context, dealerID int64, walletID string) (wallet.WalletBalance, error) {
	q := s.balances(dealerID).Where("wallets.wallet_id = ? AND wallets.wallet_id <> ''", walletID)
	return first(ctx, "bunstore.WalletBy", walletBalanceRow.balance, q)
}

// Wallet implements ports.Wallets.
func (s *Store) Wallet(ctx context.Context, dealerID, id int64) (wallet.WalletBalance, error) {
	return first(ctx, "bunstore.Wallet", walletBalanceRow.balance, s.balances(dealerID).Where("wallets.id = ?", id))
}

// short looks at the balances as they are now. Where that fails nobody is short: each finds out alone.
func (s *Store) short(ctx context.Context, batch []*encoded) []bool {
	var ids []int64
	for _, change := range batch {
		for _, c := range change.changed {
			ids = append(ids, c.walletID)
		}
	}
	isShort := make([]bool, len(batch))
	var rows []balanceRow
	err := s.reads.NewSelect().Model(&rows).Where("wallet_id IN (?)", bun.List(ids)).Scan(ctx)
	if err != nil {
		return isShort
	}
	balances := map[int64]balanceRow{}
	for _, r := range rows {
		balances[r.WalletID] = r
	}
	for i, change := range batch {
		isShort[i] = slices.ContainsFunc(change.changed, func(c changed) bool {
			b, ok := balances[c.walletID]
			return ok && !c.isUnknown && (b.AvailableMinor+c.available < 0 || b.ReservedMinor+c.reserved < 0)
		})
	}
	return isShort
}

// Entries implements ports.Wallets.
func (s *Store) Entries(ctx context.Context, walletID int64, page core.Paging[core.ID]) ([]ledger.Entry, error) {
	q := s.reads.NewSelect().Where("wallet_id = ?", walletID)
	return pageOf(ctx, "bunstore.Entries", entryRow.entry, newestFirst, page, q)
}

// bankLines counts and skips by whole quarters of an hour. The time asked for is parted into the quarters that are
// within it, whose counts are kept, and what is left of it before and after them, which is counted. Of these parts,
// newest first, the page begins in the first that together with those before it has more lines than are skipped; the
// lines are read from that part's end on.
//
// ?0 wallet, ?1 from, ?2 first whole quarter, ?3 end of the last one, ?4 until, ?5 skip, ?6 limit.
const bankLines = `WITH parts (starts_at, lines) AS MATERIALIZED (
	SELECT ?1, (SELECT count(*) FROM bank_lines WHERE wallet_id = ?0 AND booked_at >= ?1 AND booked_at < ?2)
	UNION ALL
	SELECT quarter, lines FROM bank_line_counts WHERE wallet_id = ?0 AND quarter >= ?2 AND quarter < ?3
	UNION ALL
	SELECT ?3, (SELECT count(*) FROM bank_lines WHERE wallet_id = ?0 AND booked_at >= ?3 AND booked_at < ?4)
), added AS (
	SELECT lines, starts_at, lag(starts_at) OVER newest AS ends_at, CAST(sum(lines) OVER newest AS bigint) AS so_far
	FROM parts WHERE lines > 0 WINDOW newest AS (ORDER BY starts_at DESC)
), begin_in AS MATERIALIZED (
	SELECT COALESCE(ends_at, ?4) AS ends_at, ?5 - (so_far - lines) AS skip FROM added
	WHERE so_far > ?5 ORDER BY starts_at DESC LIMIT 1
), ids AS (
	SELECT line_id FROM bank_lines
	WHERE wallet_id = ?0 AND booked_at >= ?1 AND booked_at < (SELECT ends_at FROM begin_in)
	ORDER BY booked_at DESC, line_id DESC LIMIT ?6 OFFSET COALESCE((SELECT skip FROM begin_in), 0)
) SELECT page.*, page.line_id IS NOT NULL AS is_line, CAST(total.lines AS bigint) AS total
	FROM (SELECT sum(lines) AS lines FROM parts) AS total
	LEFT JOIN (SELECT l.* FROM ids JOIN bank_lines AS l ON l.wallet_id = ?0 AND l.line_id = ids.line_id) AS page ON true
	ORDER BY page.booked_at DESC, page.line_id DESC`

// BankLines implements ports.Wallets. It is one statement, so that the page and the total belong together.
func (s *Store) BankLines(ctx context.Context, query wallet.BankLineQuery) ([]wallet.BankLine, int, error) {
	const op = "bunstore.BankLines"
	from, until := query.From, query.Until
	if from.IsZero() {
		from = from.Add(quarterLength) // a zero time is null
	}
	if !from.Before(until) {
		return nil, 0, nil
	}
	first, end := wholeQuarters(from, until)
	var rows []struct {
		bankLineRow
		IsLine bool `bun:"is_line"`
		Total  int  `bun:"total"`
	}
	limit := max(min(query.Limit, core.MaxPage+1), 0)
	err := s.reads.NewRaw(bankLines, query.WalletID, timestamp(from), timestamp(first), timestamp(end), timestamp(until),
		max(query.Skip, 0), limit).Scan(ctx, &rows)
	if err != nil || len(rows) == 0 {
		return nil, 0, fail(op, err)
	}
	var page []bankLineRow
	for _, r := range rows {
		if r.IsLine {
			page = append(page, r.bankLineRow)
		}
	}
	lines, err := openAll(ctx, s, op, bankLineRow.line, page)
	return lines, rows[0].Total, err
}

// wholeQuarters returns the beginning of the first and the end of the last quarter of an hour within a time. Where there
// is none, all of the time is before the first.
func wholeQuarters(from, until time.Time) (first, end time.Time) {
	first, end = from.Truncate(quarterLength), until.Truncate(quarterLength)
	if first.Before(from) {
		first = first.Add(quarterLength)
	}
	if end.Before(first) {
		return until, until
	}
	return first, end
}
