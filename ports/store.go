package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// Committer is the only way in which state changes.
type Committer interface {
	// Commit applies the whole changeset in one durable database transaction, or nothing of it. It is safe for
	// concurrent use and may put several callers' changesets into one transaction, each still whole or not at all.
	//
	// Faults: Conflict (a version or an Expect did not match: a lost race; or what must be unique is taken: an ID, a
	// tracking code, a page token, an API key, a site token, a credential's or session's fingerprint, an email, an
	// operation's reference or return token, the bank line or the operation behind a credit, a challenge's or an
	// invitation's fingerprint, a passkey's credential id, a wallet's wallet_id or its account at its gateway, a callback's
	// number within its payment, a ledger entry's kind for its payment or for its bank line, a
	// gateway account's code or hook token, a notification's key within its account; empty ones are not compared; or a
	// bank line that is saved comes twice, or beside an import of it; or one of Unblocks is not on the block list),
	// Duplicate (the idempotency key exists and is not older than ReplacesBefore), Blocked (one of Unblocked is on the
	// block list), Insufficient (an entry would make its wallet's available or reserved balance negative, or does not sum
	// to zero), Uncredited (a credit is for more than its bank line or operation brought, a row of credits is changed
	// otherwise than core.Credit allows, a payment's credits do not add up to the amount that it is completed with), OwnRequest (an approval's decision is by its requester, or by nobody: see core.Approval.IsFourEyes),
	// Unavailable (the database is out of reach: whether the changeset was committed is then unknown, and committing it
	// again is safe, since its versions no longer match if it was). When several apply, any one of them is given.
	Commit(ctx context.Context, change core.Changeset) error
}

// Rows reads what is stored now of rows that are to be replaced.
type Rows interface {
	// Stored finds the row that an identity names, whatever its version is. It is for rows that guards are judged on
	// (core.Guarded). NotFound otherwise.
	Stored(ctx context.Context, id core.Identity) (core.Row, error)
}

// Payments reads payments and their history.
type Payments interface {
	// PaymentByTrackingCode and PaymentByToken find one payment; NotFound otherwise.
	PaymentByTrackingCode(ctx context.Context, code string) (payment.Payment, error)
	PaymentByToken(ctx context.Context, token string) (payment.Payment, error)
	// ListPayments returns the payments that SearchPayments returns.
	ListPayments(ctx context.Context, query report.PaymentQuery) ([]payment.Payment, error)
	// Moves returns a payment's history, oldest first: by At, then by ID.
	Moves(ctx context.Context, paymentID core.ID) ([]payment.Move, error)
	// DuePayments returns a page of at most limit payments that expire by the clock (status showing or pending, ExpiresAt
	// set and not after now, no operation at a gateway) and stand behind the cursor: the longest overdue first, by
	// ExpiresAt and then by ID. One that the store cannot open is left out and holds up no other.
	DuePayments(ctx context.Context, now time.Time, after core.DueCursor, limit int) (core.DuePage[payment.Payment], error)
}

// Callbacks reads the outbox and hands its due rows to workers.
type Callbacks interface {
	// ClaimCallbacks leases at most limit waiting callbacks of a receiver whose NextAttemptAt is not after now and
	// whose lease, if any, ended before now: earliest due first. One is left out while another of its payment with a
	// lower number waits, for whatever receiver and moment and whoever has it. Claiming raises Version by one and sets LeaseUntil, so
	// that no two workers ever hold the same callback within a lease, and a late result of a lost lease meets a
	// Conflict. Like every other claim it leaves out what the store cannot open, which stays leased, and leases others
	// in its place.
	ClaimCallbacks(ctx context.Context, receiver string, now, leaseUntil time.Time, limit int) ([]payment.Callback, error)
	// DueReceivers returns at most limit receivers, in order of name (by bytes) and greater than after, that have a
	// callback which ClaimCallbacks would return.
	DueReceivers(ctx context.Context, now time.Time, after string, limit int) ([]string, error)
	// CallbacksOf returns a payment's callbacks, by number.
	CallbacksOf(ctx context.Context, paymentID core.ID) ([]payment.Callback, error)
	// Attempts returns a callback's attempts, oldest first.
	Attempts(ctx context.Context, callbackID core.ID) ([]payment.Attempt, error)
	// Backlog counts what is due at now, over all receivers, up to a bound of its own, and how long the oldest waits.
	Backlog(ctx context.Context, now time.Time) (core.Backlog, error)
}

// Callers finds who calls by the key that they call with, or by the one from before a rotation, whether or not that is
// still taken. Every method returns NotFound for a key of nobody.
type Callers interface {
	ProviderByAPIKey(ctx context.Context, apiKey string) (owner.Provider, error)
	// SiteByCredential finds a site by sign.Fingerprint of its credential key.
	SiteByCredential(ctx context.Context, fingerprint string) (owner.Site, error)
	DealerByAPIKey(ctx context.Context, apiKey string) (owner.Dealer, error)
	// SiteTokenByToken finds a dealer's site token.
	SiteTokenByToken(ctx context.Context, token string) (owner.SiteToken, error)
}

// Directory reads who calls and who is called, by id. Every method returns NotFound for what does not exist.
type Directory interface {
	Provider(ctx context.Context, id int64) (owner.Provider, error)
	// Sites returns a provider's sites by id; none is not a fault.
	Sites(ctx context.Context, providerID int64) ([]owner.Site, error)
	// Site finds a site by id.
	Site(ctx context.Context, id int64) (owner.Site, error)
	// Dealer finds a dealer by id.
	Dealer(ctx context.Context, id int64) (owner.Dealer, error)
}

// Accounts reads a dealer's IBAN accounts.
type Accounts interface {
	// AccountLoads returns the dealer's accounts of a kind with their load on a day, by id; inactive ones too.
	AccountLoads(ctx context.Context, dealerID int64, kind owner.AccountKind, day core.Day) ([]owner.AccountLoad, error)
}

// Idempotency reads first answers and forgets old ones.
type Idempotency interface {
	// FirstAnswer finds the record of a key; NotFound otherwise.
	FirstAnswer(ctx context.Context, key payment.IdempotencyKey) (payment.IdempotencyRecord, error)
	// ForgetAnswers deletes at most limit records created before a moment and says how many.
	ForgetAnswers(ctx context.Context, before time.Time, limit int) (int, error)
}

// StaffDirectory reads staff and their sessions. Every method returns NotFound for what does not exist.
type StaffDirectory interface {
	StaffByEmail(ctx context.Context, email string) (staff.Staff, error)
	// StaffByID finds a staff member by id.
	StaffByID(ctx context.Context, id int64) (staff.Staff, error)
	// ListStaff returns at most query.Limit staff members, by id. None is not a fault.
	ListStaff(ctx context.Context, query staff.StaffQuery) ([]staff.Staff, error)
	// SessionByFingerprint returns the session with the staff member whose it is.
	SessionByFingerprint(ctx context.Context, fingerprint string) (staff.Session, staff.Staff, error)
}

// Sequences hands out the integer ids of providers, sites, dealers, accounts and staff.
type Sequences interface {
	// NextID returns the next number of a named sequence, from 1; never the same twice.
	NextID(ctx context.Context, name string) (int64, error)
}

// Store is all of storage, as one adapter provides it. Use cases ask for the small ports above.
type Store interface {
	Committer
	Rows
	Payments
	Callbacks
	Callers
	Directory
	Accounts
	Idempotency
	StaffStore
	Sequences
	Operations
	GatewayLog
	GatewayDirectory
	Credits
	BankAccounts
	Wallets
	Feeds
	StatementLines
	Reconciliations
	WithdrawalDesk
	AuditLog
	DueWork
	DirectoryLists
	Customers
	Jobs
	Outbox
	Approvals
	PaymentSearch
	PaymentPages
	WalletPages
	Owners
	Statistics
	// Ping reports whether the database answers.
	Ping(ctx context.Context) error
}

// Operations reads what is done at gateways, and hands what is due to workers.
type Operations interface {
	// PaymentByID finds one payment; NotFound otherwise.
	PaymentByID(ctx context.Context, id core.ID) (payment.Payment, error)
	// OperationsOf returns a payment's operations, oldest first.
	OperationsOf(ctx context.Context, paymentID core.ID) ([]operation.Operation, error)
	// OperationBy finds one operation: by ID, by reference, by return token, or by gateway account and the gateway's own
	// id. Exactly one of these is set in the key. NotFound otherwise.
	OperationBy(ctx context.Context, key operation.OperationKey) (operation.Operation, error)
	// ClaimOperations leases at most limit operations of a gateway account whose NextAt is set and not after now and
	// whose lease, if any, ended before or at now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimOperations(ctx context.Context, gatewayID int64, now, leaseUntil time.Time, limit int) ([]operation.Operation, error)
	// DueGateways returns the gateway accounts, in order, that have an operation which ClaimOperations would return.
	DueGateways(ctx context.Context, now time.Time) ([]int64, error)
}

// GatewayLog reads what else happened at gateways.
type GatewayLog interface {
	// DiscrepanciesOf returns a payment's discrepancies, oldest first.
	DiscrepanciesOf(ctx context.Context, paymentID core.ID) ([]discrepancy.Discrepancy, error)
	// Discrepancies returns at most query.Limit discrepancies, newest first.
	Discrepancies(ctx context.Context, query discrepancy.DiscrepancyQuery) ([]discrepancy.Discrepancy, error)
	// GatewayCalls returns at most query.Limit calls of each payment or gateway account that is asked for, newest first.
	GatewayCalls(ctx context.Context, query operation.GatewayCallQuery) ([]operation.GatewayCall, error)
	// ClaimNotifications leases at most limit waiting notifications whose lease, if any, ended before or at now, oldest
	// first. Claiming raises Version by one and sets LeaseUntil.
	ClaimNotifications(ctx context.Context, now, leaseUntil time.Time, limit int) ([]operation.Notification, error)
	// Notifications returns at most query.Limit notifications, newest first.
	Notifications(ctx context.Context, query operation.NotificationQuery) ([]operation.Notification, error)
}

// GatewayDirectory reads gateway accounts and the rules that route to them.
type GatewayDirectory interface {
	// GatewayAccounts returns all, by id.
	GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error)
	// RouteRules returns all, by id.
	RouteRules(ctx context.Context) ([]routing.RouteRule, error)
}

// Credits reads what payments are credited with, and the money behind it.
type Credits interface {
	// CreditsOf returns a payment's credit and its corrections, by number; none is not a fault.
	CreditsOf(ctx context.Context, paymentID core.ID) ([]payment.Credit, error)
	// CreditsOfAll returns those of the payments of a page, by payment and number.
	CreditsOfAll(ctx context.Context, payments []core.ID) ([]payment.Credit, error)
	// AwaitingCredits returns at most limit deposits that were shown one of the accounts and whose credit waits for its money
	// (core.Credit.IsAwaiting), oldest first.
	AwaitingCredits(ctx context.Context, accountIDs []int64, limit int) ([]wallet.Awaited, error)
	// CheckCredits adds up all credits beside payments, bank lines and operations, and all ledgers beside their wallets' balances,
	// and returns at most so many breaches of each kind. It reads everything.
	CheckCredits(ctx context.Context, most int) (payment.CreditCheck, error)
}

// BankAccounts tells whose a bank account is.
type BankAccounts interface {
	// IBANUses returns what each of some normalized IBANs is held for; one that is free is left out.
	IBANUses(ctx context.Context, ibans []string) (map[string]owner.IBANUse, error)
}

// Wallets reads dealers' E-IBAN wallets and their ledger.
type Wallets interface {
	// WalletsOf returns a dealer's wallets with their balances, by id; inactive ones too. 0: those of all dealers.
	WalletsOf(ctx context.Context, dealerID int64) ([]wallet.WalletBalance, error)
	// WalletBy finds a wallet by its public wallet_id; NotFound otherwise.
	WalletBy(ctx context.Context, walletID string) (wallet.WalletBalance, error)
	// Wallet finds a wallet by id; NotFound otherwise.
	Wallet(ctx context.Context, id int64) (wallet.WalletBalance, error)
	// Entries returns a wallet's ledger entries, newest first, at most limit, older than after (empty: from the newest).
	Entries(ctx context.Context, walletID int64, after core.ID, limit int) ([]ledger.LedgerEntry, error)
	// BankLines returns a page of a wallet's imported lines booked in [from, until), newest first (by BookedAt, then LineID),
	// after skipping some, and how many there are in all. It stays flat however many lines the wallet has and however many
	// are skipped within three days.
	BankLines(ctx context.Context, query wallet.BankLineQuery) (lines []wallet.BankLine, total int, err error)
}

// Feeds hands out the wallets whose statement is due to be read, and tells how their import stands.
type Feeds interface {
	// ClaimFeeds leases at most limit feeds whose NextAt is set and not after now and whose lease, if any, ended before or
	// at now: earliest first. Claiming raises Version by one and sets LeaseUntil.
	ClaimFeeds(ctx context.Context, now, leaseUntil time.Time, limit int) ([]wallet.Feed, error)
	// Feed finds a wallet's feed; NotFound otherwise.
	Feed(ctx context.Context, walletID int64) (wallet.Feed, error)
	// FeedsOf returns the feeds of a gateway account's wallets, by wallet.
	FeedsOf(ctx context.Context, gatewayID int64) ([]wallet.Feed, error)
	// FeedHealth tells how the import of all wallets stands. It counts lines and days up to a bound of its own.
	FeedHealth(ctx context.Context) (wallet.FeedHealth, error)
	// AddUpLedger adds up a wallet's entries beside the balances that are kept of them, at one moment. It reads them all.
	// NotFound: there is no such wallet.
	AddUpLedger(ctx context.Context, walletID int64) (wallet.LedgerSum, error)
}

// StatementLines reads imported bank lines, and what they may belong to.
type StatementLines interface {
	// BankLine finds a line by the bank's id; NotFound otherwise.
	BankLine(ctx context.Context, walletID int64, lineID string) (wallet.BankLine, error)
	// LinesIn returns at most query.Limit lines, newest first (greatest ID).
	LinesIn(ctx context.Context, query wallet.LineQuery) ([]wallet.BankLine, error)
	// LinesOf returns the lines that are matched with a payment, oldest first (by ID).
	LinesOf(ctx context.Context, paymentID core.ID) ([]wallet.BankLine, error)
	// Reversals returns the lines of a wallet that take back (Reverses) one of at most MaxPage lines, oldest first (by ID).
	Reversals(ctx context.Context, walletID int64, lineIDs []string) ([]wallet.BankLine, error)
	// PaidFrom returns, for each sender's IBAN of at most MaxPage, the customers whose E-IBAN deposits were matched with
	// incoming lines from it, each once, those of the latest lines (greatest ID) first; of at most limit such lines. A line
	// that was taken back (ReversedBy) is none. IBANs are compared normalized; what has no IBAN's shape, such as one that the bank has masked, is nobody's.
	PaidFrom(ctx context.Context, ibans []string, limit int) ([][]owner.CustomerKey, error)
	// Candidates returns, for each query of at most MaxPage, at most its Limit deposits, newest first (by CreatedAt, then ID).
	Candidates(ctx context.Context, queries []wallet.CandidateQuery) ([][]payment.Payment, error)
}

// Reconciliations reads the days of wallets.
type Reconciliations interface {
	// Reconciliation finds a wallet's day; NotFound otherwise.
	Reconciliation(ctx context.Context, walletID int64, day core.Day) (wallet.Reconciliation, error)
	// Reconciliations returns at most query.Limit days, newest first, then by wallet.
	Reconciliations(ctx context.Context, query wallet.ReconciliationQuery) ([]wallet.Reconciliation, error)
	// DayBook returns what a wallet's time from..until (half open) is reconciled from: the lines booked in it, and those
	// matched with a transfer that was posted in it; and the entries made in it, those about a line that was booked in it,
	// and the posts of transfers with which such a line is matched. Each once, oldest first (by ID). All are of one moment.
	// It relies on an entry's ID being made near its At.
	DayBook(ctx context.Context, walletID int64, from, until time.Time) ([]wallet.BankLine, []ledger.LedgerEntry, error)
	// Adjustments returns the entries that settle a wallet's day, by number.
	Adjustments(ctx context.Context, walletID int64, day core.Day) ([]ledger.LedgerEntry, error)
}

// WithdrawalDesk reads the withdrawals that dealers' staff have to pay.
type WithdrawalDesk interface {
	// DeskLoads returns each dealer's load at now, by dealer; those without any are left out. OldestFreeAt is of those that
	// nobody has at now, whether or not somebody had them once.
	DeskLoads(ctx context.Context, scope core.Scope, now time.Time) ([]payment.DeskLoad, error)
	// DeskWithdrawals returns at most query.Limit manual and E-IBAN withdrawals that are pending or processing, oldest first.
	DeskWithdrawals(ctx context.Context, query payment.DeskQuery) ([]payment.Payment, error)
}

// PaymentSearch finds payments by whatever is known of them.
type PaymentSearch interface {
	// SearchPayments returns at most query.Limit payments that the query asks for, in the order of its Sort. A search that
	// looks at more payments than the store thinks right, or than query.MaxLooked, stops: it may then have fewer, even
	// none, and says where the next search goes on. Followed in this way a list has everything once.
	//
	// A payment's name, IBAN and tracking code are those that it was created with. An order id is the tracking code
	// without its dashes. A deposit was paid from the party of a bank line that is matched with it. CreatedAt is near the
	// moment of the ID; FinishedAt is neither before it nor after UpdatedAt.
	//
	// Fault Invalid: the name begins too many words, or what was looked for is found more often than can be sorted by
	// anything but the ID.
	SearchPayments(ctx context.Context, query report.PaymentQuery) (report.Found, error)
	// PaymentsByID returns those that there are, by ID.
	PaymentsByID(ctx context.Context, ids []core.ID) ([]payment.Payment, error)
}

// PaymentPages reads what belongs to the payments of a page, in one statement each. The rows of one payment are in the
// order of the method that reads a single one's.
type PaymentPages interface {
	MovesOfAll(ctx context.Context, payments []core.ID) ([]payment.Move, error)
	// CallbacksOfAll returns the callbacks with their attempts, each oldest first.
	CallbacksOfAll(ctx context.Context, payments []core.ID) ([]payment.CallbackLog, error)
	OperationsOfAll(ctx context.Context, payments []core.ID) ([]operation.Operation, error)
	DiscrepanciesOfAll(ctx context.Context, payments []core.ID) ([]discrepancy.Discrepancy, error)
	LinesOfAll(ctx context.Context, payments []core.ID) ([]wallet.BankLine, error)
}

// WalletPages reads what belongs to the wallets of a page.
type WalletPages interface {
	// FeedsOfAll returns the feeds of wallets, by wallet; those that have none are left out.
	FeedsOfAll(ctx context.Context, wallets []int64) ([]wallet.Feed, error)
}

// Owners reads several providers or dealers at once, by id; those that do not exist are left out.
type Owners interface {
	ProvidersByID(ctx context.Context, ids []int64) ([]owner.Provider, error)
	DealersByID(ctx context.Context, ids []int64) ([]owner.Dealer, error)
}

// Statistics counts payments with what became of them.
type Statistics interface {
	// Statistics adds up what the query asks for, by interval and then by key, as far as RefreshStatistics has come. Rows
	// without payments are left out. Fault: Invalid, where more than the query's MaxRead rows would be read.
	Statistics(ctx context.Context, query report.StatisticsQuery) ([]report.StatisticsRow, error)
	// RefreshStatistics takes in what was committed until now, some of it at a time: more tells that there is more. Doing
	// so again, at the same time elsewhere, or after it was broken off, counts nothing twice: whoever finds that another
	// process was faster leaves the rest to it. Intervals are those of the zone; another one than before begins anew.
	RefreshStatistics(ctx context.Context, zone *time.Location, now time.Time) (more bool, err error)
	// StatisticsUntil is the moment until which everything is taken in; zero: they are being built, and lack payments.
	StatisticsUntil(ctx context.Context) (time.Time, error)
	// ForgetStatistics has them built anew.
	ForgetStatistics(ctx context.Context) error
}
