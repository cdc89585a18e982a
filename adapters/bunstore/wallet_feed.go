package bunstore

import (
	"cmp"
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

type feedRow struct {
	bun.BaseModel `bun:"table:feeds"`

	WalletID       int64     `bun:"wallet_id,pk"`
	Version        int       `bun:"version"`
	GatewayID      int64     `bun:"gateway_id"`
	OpenedAt       timestamp `bun:"opened_at,type:timestamptz"`
	ReadUntil      timestamp `bun:"read_until,type:timestamptz"`
	SweptAt        timestamp `bun:"swept_at,type:timestamptz"`
	NextAt         timestamp `bun:"next_at,type:timestamptz"`
	LeaseUntil     timestamp `bun:"lease_until,type:timestamptz"`
	Failures       int       `bun:"failures"`
	Trouble        string    `bun:"trouble"`
	BankTotalMinor *int64    `bun:"bank_total_minor"`
	BankTotalAt    timestamp `bun:"bank_total_at,type:timestamptz"`
	CheckedAt      timestamp `bun:"checked_at,type:timestamptz"`
	IsLedgerOff    bool      `bun:"is_ledger_off"`
	ReconciledTo   core.Day  `bun:"reconciled_to"`
}

func feedRowOf(f wallet.Feed) (feedRow, error) {
	return feedRow{
		WalletID: f.WalletID, Version: f.Version, GatewayID: f.GatewayID, OpenedAt: timestamp(f.OpenedAt),
		ReadUntil: timestamp(f.ReadUntil), SweptAt: timestamp(f.SweptAt), NextAt: timestamp(f.NextReadAt), LeaseUntil: timestamp(f.LeaseUntil),
		Failures: f.FailureCount, Trouble: f.Trouble, BankTotalMinor: minorOf(f.BankBalance), BankTotalAt: timestamp(f.BankBalanceAt),
		CheckedAt: timestamp(f.CheckedAt), IsLedgerOff: f.IsLedgerOff, ReconciledTo: f.ReconciledTo,
	}, areLira(f.BankBalance)
}

func (r feedRow) feed() (wallet.Feed, error) {
	return wallet.Feed{
		WalletID: r.WalletID, Version: r.Version, GatewayID: r.GatewayID, OpenedAt: time.Time(r.OpenedAt),
		ReadUntil: time.Time(r.ReadUntil), SweptAt: time.Time(r.SweptAt), NextReadAt: time.Time(r.NextAt),
		LeaseUntil: time.Time(r.LeaseUntil), FailureCount: r.Failures, Trouble: r.Trouble, BankBalance: kurusOf(r.BankTotalMinor),
		BankBalanceAt: time.Time(r.BankTotalAt), CheckedAt: time.Time(r.CheckedAt), IsLedgerOff: r.IsLedgerOff,
		ReconciledTo: r.ReconciledTo,
	}, nil
}

// kurusOf is an amount that may be none.
func kurusOf(minor *int64) money.Amount {
	if minor == nil {
		return money.Amount{}
	}
	return kurus(*minor)
}

type reconciliationRow struct {
	bun.BaseModel `bun:"table:reconciliations"`

	WalletID           int64     `bun:"wallet_id,pk"`
	Day                core.Day  `bun:"day,pk"`
	Version            int       `bun:"version"`
	DealerID           int64     `bun:"dealer_id,pk"`
	At                 timestamp `bun:"at,type:timestamptz"`
	Matched            int       `bun:"matched"`
	LedgerInMinor      *int64    `bun:"ledger_in_minor"`
	LedgerOutMinor     *int64    `bun:"ledger_out_minor"`
	AdjustedMinor      *int64    `bun:"adjusted_minor"`
	LedgerClosingMinor *int64    `bun:"ledger_closing_minor"`
	BankInMinor        *int64    `bun:"bank_in_minor"`
	BankOutMinor       *int64    `bun:"bank_out_minor"`
	BankClosingMinor   *int64    `bun:"bank_closing_minor"`
	HasBank            bool      `bun:"has_bank"`
	IsCut              bool      `bun:"is_cut"`
	OpenCount          int       `bun:"open_count"`
	Body               string    `bun:"body"`
}

// differenceJSON is one of those that the body holds. Amounts are in kuruş, null where there is none.
type differenceJSON struct {
	Kind      wallet.DifferenceKind `json:"kind"`
	LineID    string                `json:"line_id,omitempty"`
	EntryID   core.ID               `json:"entry_id,omitempty"`
	PaymentID core.ID               `json:"payment_id,omitempty"`
	Ours      *int64                `json:"ours"`
	Theirs    *int64                `json:"theirs"`
	Reason    string                `json:"reason,omitempty"`
	By        actorJSON             `json:"by,omitzero"`
	At        time.Time             `json:"at,omitzero"`
}

func reconciliationRowOf(r wallet.Reconciliation) (reconciliationRow, error) {
	amounts := []money.Amount{r.LedgerIn, r.LedgerOut, r.Adjusted, r.LedgerClosing, r.BankIn, r.BankOut, r.BankClosing}
	list := make([]differenceJSON, len(r.Differences))
	for i, d := range r.Differences {
		amounts = append(amounts, d.Ours, d.Theirs)
		list[i] = differenceJSON{
			Kind: d.Kind, LineID: d.LineID, EntryID: d.EntryID, PaymentID: d.PaymentID, Ours: minorOf(d.Ours),
			Theirs: minorOf(d.Theirs), Reason: d.Reason, By: actorJSON(d.ExplainedBy), At: d.ExplainedAt,
		}
	}
	if err := areLira(amounts...); err != nil {
		return reconciliationRow{}, err
	}
	body, err := bodyText(list)
	return reconciliationRow{
		WalletID: r.WalletID, Day: r.Day, Version: r.Version, DealerID: r.DealerID, At: timestamp(r.ReconciledAt), Matched: r.MatchedCount,
		LedgerInMinor: minorOf(r.LedgerIn), LedgerOutMinor: minorOf(r.LedgerOut),
		AdjustedMinor:      minorOf(r.Adjusted),
		LedgerClosingMinor: minorOf(r.LedgerClosing), BankInMinor: minorOf(r.BankIn), BankOutMinor: minorOf(r.BankOut),
		BankClosingMinor: minorOf(r.BankClosing), HasBank: r.HasBank, IsCut: r.IsCut, OpenCount: r.OpenCount(), Body: body,
	}, err
}

func (r reconciliationRow) reconciliation() (wallet.Reconciliation, error) {
	list, err := bodyOf[[]differenceJSON](r.Body)
	var differences []wallet.Difference
	for _, d := range list {
		differences = append(differences, wallet.Difference{
			Kind: d.Kind, LineID: d.LineID, EntryID: d.EntryID, PaymentID: d.PaymentID, Ours: kurusOf(d.Ours),
			Theirs: kurusOf(d.Theirs), Reason: d.Reason, ExplainedBy: core.Actor(d.By), ExplainedAt: d.At.UTC(),
		})
	}
	return wallet.Reconciliation{
		WalletID: r.WalletID, Day: r.Day, Version: r.Version, DealerID: r.DealerID, ReconciledAt: time.Time(r.At), MatchedCount: r.Matched,
		LedgerIn: kurusOf(r.LedgerInMinor), LedgerOut: kurusOf(r.LedgerOutMinor),
		Adjusted:      kurusOf(r.AdjustedMinor),
		LedgerClosing: kurusOf(r.LedgerClosingMinor), BankIn: kurusOf(r.BankInMinor), BankOut: kurusOf(r.BankOutMinor),
		BankClosing: kurusOf(r.BankClosingMinor), HasBank: r.HasBank, IsCut: r.IsCut, Differences: differences,
	}, err
}

// ClaimFeeds implements ports.Statements.
func (s *Store) ClaimFeeds(ctx context.Context, now, leaseUntil time.Time, limit int) ([]wallet.Feed, error) {
	c := claim[feedRow, wallet.Feed]{
		opener: opener[feedRow, wallet.Feed]{table: "feeds", turn: feedRow.feed, name: func(r feedRow) string { return number(r.WalletID) }},
		op:     "bunstore.ClaimFeeds", key: "wallet_id", order: "next_at, wallet_id",
		compare: func(a, b feedRow) int { return cmp.Or(a.NextAt.compare(b.NextAt), cmp.Compare(a.WalletID, b.WalletID)) },
	}
	return c.due(ctx, s, leaseUntil, limit, "next_at <= ?0 AND "+isFree, timestamp(now))
}

// Feed implements ports.Statements.
func (s *Store) Feed(ctx context.Context, walletID int64) (wallet.Feed, error) {
	return one(ctx, s, "bunstore.Feed", feedRow.feed, "wallet_id = ?", walletID)
}

// FeedsAt implements ports.Statements.
func (s *Store) FeedsAt(ctx context.Context, gatewayID int64) ([]wallet.Feed, error) {
	return many(ctx, s, "bunstore.FeedsAt", feedRow.feed, "wallet_id", "gateway_id = ?", gatewayID)
}

// maxHealthCount is where FeedHealth stops counting.
const maxHealthCount = 1000

// feedHealth reads all feeds, which are few; of lines and days it reads only what waits. The words of the indexes are
// repeated as they are there.
const feedHealth = `SELECT troubled, ledger_off, oldest_read,
	(SELECT count(*) FROM (
		SELECT 1 FROM bank_lines ?1 WHERE state IN ('unmatched', 'doubtful', 'unbooked') LIMIT ?0
	) AS waiting) AS waiting_lines,
	(SELECT min(imported_at) FROM bank_lines ?1 WHERE state IN ('unmatched', 'doubtful', 'unbooked')) AS oldest_waiting,
	(SELECT count(*) FROM (SELECT 1 FROM reconciliations WHERE open_count > 0 LIMIT ?0) AS days) AS open_days
FROM (SELECT count(CASE WHEN failures > 0 THEN 1 END) AS troubled, count(CASE WHEN is_ledger_off THEN 1 END) AS ledger_off,
	min(CASE WHEN next_at IS NOT NULL THEN read_until END) AS oldest_read FROM feeds) AS f`

// FeedHealth implements ports.Statements.
func (s *Store) FeedHealth(ctx context.Context) (wallet.FeedHealth, error) {
	var row struct {
		Troubled      int       `bun:"troubled"`
		LedgerOff     int       `bun:"ledger_off"`
		OldestRead    timestamp `bun:"oldest_read"`
		WaitingLines  int       `bun:"waiting_lines"`
		OldestWaiting timestamp `bun:"oldest_waiting"`
		OpenDays      int       `bun:"open_days"`
	}
	err := s.reads.NewRaw(feedHealth, maxHealthCount, bun.Safe(s.dialect.byIndex("bank_lines_waiting"))).Scan(ctx, &row)
	return wallet.FeedHealth{
		Troubled: row.Troubled, LedgerOff: row.LedgerOff, OldestRead: time.Time(row.OldestRead),
		WaitingLines: row.WaitingLines, OpenDays: row.OpenDays, OldestWaiting: time.Time(row.OldestWaiting),
	}, fail("bunstore.FeedHealth", err)
}

// addUpLedger is one statement, so that the sums and the balances are of one moment.
const addUpLedger = `SELECT b.available_minor, b.reserved_minor, b.outside_minor,
	CAST(COALESCE(s.available_minor, 0) AS bigint) AS sum_available, CAST(COALESCE(s.reserved_minor, 0) AS bigint) AS sum_reserved,
	CAST(COALESCE(s.outside_minor, 0) AS bigint) AS sum_outside
FROM wallet_balances AS b CROSS JOIN (
	SELECT sum(available_minor) AS available_minor, sum(reserved_minor) AS reserved_minor, sum(outside_minor) AS outside_minor
	FROM ledger_entries WHERE wallet_id = ?0
) AS s WHERE b.wallet_id = ?0`

// AddUpLedger implements ports.Wallets.
func (s *Store) AddUpLedger(ctx context.Context, walletID int64) (wallet.LedgerSum, error) {
	var row struct {
		Available    int64 `bun:"available_minor"`
		Reserved     int64 `bun:"reserved_minor"`
		Outside      int64 `bun:"outside_minor"`
		SumAvailable int64 `bun:"sum_available"`
		SumReserved  int64 `bun:"sum_reserved"`
		SumOutside   int64 `bun:"sum_outside"`
	}
	if err := s.reads.NewRaw(addUpLedger, walletID).Scan(ctx, &row); err != nil {
		return wallet.LedgerSum{}, fail("bunstore.AddUpLedger", err)
	}
	return wallet.LedgerSum{
		Available: kurus(row.Available), Reserved: kurus(row.Reserved), Outside: kurus(row.Outside),
		SumAvailable: kurus(row.SumAvailable), SumReserved: kurus(row.SumReserved), SumOutside: kurus(row.SumOutside),
	}, nil
}

// FeedsOf implements ports.Statements.
func (s *Store) FeedsOf(ctx context.Context, wallets ...int64) ([]wallet.Feed, error) {
	return ofAll(ctx, s, "bunstore.FeedsOf", feedRow.feed, "wallet_id IN (?)", wallets, "wallet_id")
}
