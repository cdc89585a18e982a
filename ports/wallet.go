package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// Wallets reads dealers' E-IBAN wallets, their ledger, and the days that are reconciled.
type Wallets interface {
	// WalletsOf returns a dealer's wallets with their balances, by id; inactive ones too. 0: those of all dealers.
	WalletsOf(ctx context.Context, dealerID int64) ([]wallet.WalletBalance, error)
	// WalletBy finds a dealer's wallet by its public wallet_id; NotFound otherwise. Dealer 0: whosever it is.
	WalletBy(ctx context.Context, dealerID int64, walletID string) (wallet.WalletBalance, error)
	// Wallet finds a dealer's wallet by id; NotFound otherwise. Dealer 0: whosever it is.
	Wallet(ctx context.Context, dealerID, id int64) (wallet.WalletBalance, error)
	// Entries returns a wallet's ledger entries, newest first (greatest ID).
	Entries(ctx context.Context, walletID int64, page core.Paging[core.ID]) ([]ledger.Entry, error)
	// AddUpLedger adds up a wallet's entries beside the balances that are kept of them, at one moment. It reads them all.
	// NotFound: there is no such wallet.
	AddUpLedger(ctx context.Context, walletID int64) (wallet.LedgerSum, error)
	// BankLines returns a page of a wallet's imported lines booked in [from, until), newest first (by BookedAt, then LineID),
	// after skipping some, and how many there are in all. It stays flat however many lines the wallet has and however many
	// are skipped within three days.
	BankLines(ctx context.Context, query wallet.BankLineQuery) (lines []wallet.BankLine, total int, err error)
	// DayBook returns what a wallet's time from..until (half open) is reconciled from: the lines booked in it, and those
	// matched with a transfer that was posted in it; and the entries made in it, those about a line that was booked in it,
	// and the posts of transfers with which such a line is matched. Each once, oldest first (by ID). All are of one moment.
	// It relies on an entry's ID being made near its At.
	DayBook(ctx context.Context, walletID int64, from, until time.Time) ([]wallet.BankLine, []ledger.Entry, error)
	// Adjustments returns the entries that settle a wallet's day, by number.
	Adjustments(ctx context.Context, walletID int64, day core.Day) ([]ledger.Entry, error)
	// Reconciliation finds a day of a dealer's wallet; NotFound otherwise.
	Reconciliation(ctx context.Context, dealerID, walletID int64, day core.Day) (wallet.Reconciliation, error)
	// Reconciliations returns the query's page of days, newest first, and those of a day by wallet, greatest id first.
	Reconciliations(ctx context.Context, query wallet.ReconciliationQuery) ([]wallet.Reconciliation, error)
}

// Statements returns the wallets whose statement is due to be read, and reads imported bank lines and what they may belong
// to.
type Statements interface {
	// ClaimFeeds leases at most limit feeds whose NextAt is set and not after now and whose lease, if any, ended before or
	// at now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimFeeds(ctx context.Context, now, leaseUntil time.Time, limit int) ([]wallet.Feed, error)
	// Feed finds a wallet's feed; NotFound otherwise.
	Feed(ctx context.Context, walletID int64) (wallet.Feed, error)
	// FeedsAt returns the feeds of a gateway account's wallets, by wallet.
	FeedsAt(ctx context.Context, gatewayID int64) ([]wallet.Feed, error)
	// FeedsOf returns the feeds of wallets, by wallet; those that have none are left out.
	FeedsOf(ctx context.Context, wallets ...int64) ([]wallet.Feed, error)
	// FeedHealth returns how the import of all wallets stands. It counts lines and days up to a bound of its own.
	FeedHealth(ctx context.Context) (wallet.FeedHealth, error)
	// BankLine finds a line by the bank's id; NotFound otherwise.
	BankLine(ctx context.Context, walletID int64, lineID string) (wallet.BankLine, error)
	// LinesIn returns the query's page of lines, newest first (greatest ID). A line is found by the words and the IBAN that it was
	// imported with, until what is personal of it is erased.
	LinesIn(ctx context.Context, query wallet.LineQuery) ([]wallet.BankLine, error)
	// LinesOf returns the lines that are matched with payments: by payment, and of each oldest first (by ID).
	LinesOf(ctx context.Context, payments ...core.ID) ([]wallet.BankLine, error)
	// Reversals returns the lines of a wallet that take back (Reverses) one of at most MaxPage lines, oldest first (by ID).
	Reversals(ctx context.Context, walletID int64, lineIDs []string) ([]wallet.BankLine, error)
	// PaidFrom returns, for each sender's IBAN of at most MaxPage, the customers whose E-IBAN deposits were matched with
	// incoming lines from it, each once, those of the latest lines (greatest ID) first; of at most limit such lines. A line
	// that was taken back (ReversedBy) is none. IBANs are compared normalized; what has no IBAN's shape, such as one that the bank has masked, is nobody's.
	PaidFrom(ctx context.Context, ibans []string, limit int) ([][]owner.CustomerKey, error)
	// Candidates returns, for each query of at most MaxPage, at most its Limit deposits, newest first (by CreatedAt, then ID).
	Candidates(ctx context.Context, queries ...wallet.CandidateQuery) ([][]payment.Payment, error)
}
