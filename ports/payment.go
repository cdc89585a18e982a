package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/testplan"
	"github.com/vezne/vezne/core/wallet"
)

// Payments reads payments, their history and credits, the first answers to idempotent requests, and what staff have to pay
// by hand.
type Payments interface {
	// PaymentByTrackingCode finds one payment; NotFound otherwise.
	PaymentByTrackingCode(ctx context.Context, code string) (payment.Payment, error)
	// PaymentByReference finds the newest payment of an owner that has a reference; NotFound otherwise.
	PaymentByReference(ctx context.Context, o payment.ReferenceOwner, reference string) (payment.Payment, error)
	// PaymentByToken finds the payment with the fingerprint of a token; NotFound otherwise. It alone returns the payment's Token.
	PaymentByToken(ctx context.Context, token string) (payment.Payment, error)
	// PaymentByID finds one payment; NotFound otherwise.
	PaymentByID(ctx context.Context, id core.ID) (payment.Payment, error)
	// PaymentsByID returns those of the payments that there are and that are within the scope, by ID.
	PaymentsByID(ctx context.Context, scope core.Scope, ids []core.ID) ([]payment.Payment, error)
	// MovesOf returns a page of the history of each of the payments: by payment, and of each oldest first (by At, then by ID).
	MovesOf(ctx context.Context, payments []core.ID, page core.Paging[payment.TransitionID]) ([]payment.Transition, error)
	// DuePayments returns a page of at most limit payments that expire by the clock (status showing or pending, ExpiresAt
	// set and not after now, no operation at a gateway) and stand behind the cursor: the longest overdue first, by
	// ExpiresAt and then by ID. One that the store cannot open is left out and holds up no other.
	DuePayments(ctx context.Context, now time.Time, after core.DueCursor, limit int) (core.DuePage[payment.Payment], error)
	// FirstAnswer finds the record of a key; NotFound otherwise.
	FirstAnswer(ctx context.Context, key payment.IdempotencyKey) (payment.IdempotencyRecord, error)
	// CreditsOf returns the credits of payments and their corrections, by payment and number; none is not a fault.
	CreditsOf(ctx context.Context, payments ...payment.Key) ([]payment.Credit, error)
	// AwaitingCredits returns at most limit deposits that were shown one of the accounts and whose credit waits for its money
	// (core.Credit.IsAwaiting), oldest first.
	AwaitingCredits(ctx context.Context, accounts []owner.AccountKey, limit int) ([]wallet.Awaited, error)
	// CheckCredits adds up all credits beside payments, bank lines and operations, and all ledgers beside their wallets' balances,
	// and returns at most so many breaches of each kind. It reads everything.
	CheckCredits(ctx context.Context, most int) (payment.CreditCheck, error)
	// DeskLoads returns the load at now of at most payment.MaxDeskLoads dealers, by dealer; those without any are left out. OldestFreeAt is of those that
	// nobody has at now, whether or not somebody had them once.
	DeskLoads(ctx context.Context, scope core.Scope, now time.Time) ([]payment.DeskLoad, error)
	// DeskWithdrawals returns the query's page of manual and E-IBAN withdrawals that are pending or processing, oldest first.
	DeskWithdrawals(ctx context.Context, query payment.DeskQuery) ([]payment.Payment, error)
	// PayoutsToDecide returns the query's page of payouts that have not ended and of which an operation is planned without a time, or
	// wants a second factor; oldest first.
	PayoutsToDecide(ctx context.Context, query payment.PayoutQuery) ([]payment.Payment, error)
}

// Callbacks reads the outbox and leases its due rows to workers.
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
	// Callback finds one callback; NotFound otherwise.
	Callback(ctx context.Context, id core.ID) (payment.Callback, error)
	// CallbacksOf returns the callbacks of at most 500 payments, by payment and number.
	CallbacksOf(ctx context.Context, payments ...core.ID) ([]payment.Callback, error)
	// CallbacksAfter returns the first limit of the callbacks of an owner's payments, whatever became of them, whose ID is greater than
	// after, by ID.
	CallbacksAfter(ctx context.Context, o payment.ReferenceOwner, after core.ID, limit int) ([]payment.Callback, error)
	// CallbacksIn returns the query's page of callbacks. It may stop before the page is full, and says where; it returns what is asked for
	// only, and leaves out nothing before that place.
	CallbacksIn(ctx context.Context, query report.CallbackQuery) (report.CallbackPage, error)
	// CallbackLogs returns the callbacks of payments, by payment and number, each with its last payment.MaxLoggedAttempts
	// attempts, oldest first.
	CallbackLogs(ctx context.Context, payments ...core.ID) ([]payment.CallbackLog, error)
}

// TestPlans reads what callers ask to happen to payments of a sandbox.
type TestPlans interface {
	// TestPlan finds the plan of a payment; NotFound otherwise.
	TestPlan(ctx context.Context, paymentID core.ID) (testplan.Plan, error)
	// DueTestPlans returns at most limit plans whose DueAt is set and not after now: the longest due first, by DueAt and then by payment.
	DueTestPlans(ctx context.Context, now time.Time, limit int) ([]testplan.Plan, error)
}

// Notes reads what staff have written about payments. The content of files is read apart, so that it may lie elsewhere.
type Notes interface {
	// NotesOf returns the notes of payments, by payment and number, without the content of files. What was said of a customer who was
	// forgotten is empty.
	NotesOf(ctx context.Context, payments ...core.ID) ([]note.Note, error)
	// NoteFile finds the content of a note's file; NotFound otherwise, and where the customer was forgotten.
	NoteFile(ctx context.Context, noteID core.ID) (note.File, error)
}
