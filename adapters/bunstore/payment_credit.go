package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// creditChecks begins the names of the checks that hold a credit to the money behind it.
const creditChecks = "credit_"

// uncredited begins what the triggers of credits and payments say.
const uncredited = "uncredited: "

type creditRow struct {
	bun.BaseModel `bun:"table:credits"`

	PaymentID    core.ID              `bun:"payment_id,pk"`
	Number       int                  `bun:"number,pk"`
	ID           core.ID              `bun:"id"`
	Version      int                  `bun:"version"`
	TrackingCode string               `bun:"tracking_code"`
	DealerID     int64                `bun:"dealer_id,pk"`
	ProviderID   int64                `bun:"provider_id"`
	Currency     string               `bun:"currency"`
	AmountMinor  *int64               `bun:"amount_minor"`
	Source       payment.CreditSource `bun:"source"`
	WalletID     int64                `bun:"wallet_id"`
	LineID       string               `bun:"line_id"`
	OperationID  core.ID              `bun:"operation_id"`
	DisputeID    core.ID              `bun:"dispute_id"`
	BroughtMinor *int64               `bun:"brought_minor"`
	actorRow
	Reason      string    `bun:"reason"`
	At          timestamp `bun:"at,type:timestamptz"`
	AwaitsMoney bool      `bun:"awaits_money"`
}

func creditRowOf(k payment.Credit) (creditRow, error) {
	code, err := codeOf(k.Amount, k.Brought)
	return creditRow{
		PaymentID: k.PaymentID, Number: k.Number, ID: k.ID, Version: k.Version, TrackingCode: k.TrackingCode,
		DealerID: k.DealerID, ProviderID: k.ProviderID, Currency: code, AmountMinor: minorOf(k.Amount), Source: k.Source,
		WalletID: k.WalletID, LineID: k.LineID, OperationID: k.OperationID, DisputeID: k.DisputeID, BroughtMinor: minorOf(k.Brought),
		actorRow: actorRowOf(k.Actor), Reason: k.Reason, At: timestamp(k.At), AwaitsMoney: k.AwaitsMoney,
	}, err
}

func (r creditRow) credit() (payment.Credit, error) {
	amount := amountsIn(r.Currency)
	return payment.Credit{
		PaymentID: r.PaymentID, Number: r.Number, ID: r.ID, Version: r.Version, TrackingCode: r.TrackingCode,
		DealerID: r.DealerID, ProviderID: r.ProviderID, Amount: amount.of(r.AmountMinor), Source: r.Source,
		WalletID: r.WalletID, LineID: r.LineID, OperationID: r.OperationID, DisputeID: r.DisputeID, Brought: amount.of(r.BroughtMinor),
		Actor: r.actor(), Reason: r.Reason, At: time.Time(r.At), AwaitsMoney: r.AwaitsMoney,
	}, amount.err
}

// CreditsOf implements ports.Payments.
func (s *Store) CreditsOf(ctx context.Context, payments ...payment.Key) ([]payment.Credit, error) {
	return ofPayments(ctx, s, "bunstore.CreditsOf", creditRow.credit, payments, "payment_id, number")
}

// AwaitingCredits implements ports.Payments.
func (s *Store) AwaitingCredits(ctx context.Context, accounts []owner.AccountKey, limit int) ([]wallet.Awaited, error) {
	const op = "bunstore.AwaitingCredits"
	if len(accounts) == 0 || limit <= 0 {
		return nil, nil
	}
	var ids, dealers []int64
	for _, a := range accounts {
		ids, dealers = append(ids, a.ID), append(dealers, a.DealerID)
	}
	ofDealers := s.dialect.unindexed("dealer_id") + " IN (?)"
	credits, err := queried(ctx, op, creditRow.credit, s.reads.NewSelect().Where("awaits_money AND version = 1").
		Where(ofDealers, bun.List(dealers)).
		Where("payment_id IN (SELECT id FROM payments WHERE account_id IN (?) AND "+ofDealers+")", bun.List(ids), bun.List(dealers)).
		OrderExpr("payment_id").Limit(int64(limit)))
	if err != nil || len(credits) == 0 {
		return nil, err
	}
	awaited := make([]core.ID, len(credits))
	for i, k := range credits {
		awaited[i] = k.PaymentID
	}
	q := s.reads.NewSelect().Where("id IN (?)", bun.List(awaited)).Where(ofDealers, bun.List(dealers))
	found, err := queriedPersonal(ctx, s, op, paymentRow.payment, q)
	if err != nil {
		return nil, err
	}
	payments := map[core.ID]payment.Payment{}
	for _, p := range found {
		payments[p.ID] = p
	}
	var list []wallet.Awaited
	for _, k := range credits {
		list = append(list, wallet.Awaited{Payment: payments[k.PaymentID], Credit: k})
	}
	return list, nil
}

// creditStep is how many payments one statement adds up: a check of all of them takes as long as there are payments, and a statement
// a fifth of a second at most.
const creditStep = 2_000

// lastPayment is behind every payment's ID.
const lastPayment core.ID = "~"

// creditBreach finds what must never be, by the tracking codes of payments or the ids of wallets that show it.
type creditBreach struct {
	kind payment.CreditBreachKind
	find string
}

// paymentBreaches are of the payments behind ?0 up to ?1.
var paymentBreaches = []creditBreach{
	{payment.CompletedWithoutCredit, `SELECT p.tracking_code FROM payments AS p
		WHERE p.id > ?0 AND p.id <= ?1 AND p.status IN ('completed', 'success', 'refunded') AND p.method IN (` + creditableMethods + `)
			AND NOT EXISTS (SELECT 1 FROM credits AS k WHERE k.payment_id = p.id AND k.dealer_id = p.dealer_id AND k.number = 1)`},
	{payment.CreditedOtherwise, `SELECT p.tracking_code FROM credits AS k JOIN payments AS p ON p.id = k.payment_id AND p.dealer_id = k.dealer_id
		WHERE k.payment_id > ?0 AND k.payment_id <= ?1
		GROUP BY p.id, p.tracking_code, p.amount_minor HAVING sum(k.amount_minor) <> p.amount_minor`},
	{payment.CorrectedOtherwise, `SELECT p.tracking_code FROM payments AS p
		WHERE p.id > ?0 AND p.id <= ?1
			AND COALESCE(p.corrected_minor, 0) <> COALESCE((SELECT sum(c.amount_minor) FROM credits AS c
				WHERE c.payment_id = p.id AND c.dealer_id = p.dealer_id AND c.number > 1), 0)`},
	{payment.CreditedBeyondLine, `SELECT k.tracking_code FROM credits AS k
		LEFT JOIN bank_lines AS l ON l.wallet_id = k.wallet_id AND l.line_id = k.line_id AND l.direction = 'incoming'
		WHERE k.payment_id > ?0 AND k.payment_id <= ?1 AND k.number = 1 AND k.source = 'bank_line'
			AND COALESCE(l.amount_minor, 0) < (SELECT sum(c.amount_minor) FROM credits AS c
				WHERE c.payment_id = k.payment_id AND c.dealer_id = k.dealer_id)`},
	{payment.CreditedBeyondOperation, `SELECT k.tracking_code FROM credits AS k
		LEFT JOIN operations AS o ON o.id = k.operation_id
		WHERE k.payment_id > ?0 AND k.payment_id <= ?1 AND k.number = 1 AND k.source = 'operation'
			AND COALESCE(o.brought_minor, 0) < (SELECT sum(c.amount_minor) FROM credits AS c
				WHERE c.payment_id = k.payment_id AND c.dealer_id = k.dealer_id)`},
}

// otherBreaches are of money that several payments may have been credited with, and of wallets.
var otherBreaches = []creditBreach{
	{payment.CreditedTwice, `SELECT min(k.tracking_code) FROM credits AS k WHERE k.line_id <> ''
		GROUP BY k.wallet_id, k.line_id HAVING count(*) > 1`},
	{payment.CreditedTwice, `SELECT min(k.tracking_code) FROM credits AS k WHERE k.operation_id <> ''
		GROUP BY k.operation_id HAVING count(*) > 1`},
	{payment.CreditedBeyondDispute, `SELECT d.tracking_code FROM disputes AS d
		LEFT JOIN (SELECT dispute_id, dealer_id, sum(amount_minor) AS minor FROM credits WHERE dispute_id <> '' GROUP BY dispute_id, dealer_id) AS k
			ON k.dispute_id = d.id AND k.dealer_id = d.dealer_id
		WHERE COALESCE(k.minor, 0) <> COALESCE(d.returned_minor, 0) - COALESCE(d.taken_minor, 0)`},
	{payment.LedgerDiffers, `SELECT w.wallet_id FROM wallets AS w JOIN wallet_balances AS b ON b.wallet_id = w.id
		LEFT JOIN ledger_entries AS e ON e.wallet_id = w.id
		GROUP BY w.wallet_id, b.available_minor, b.reserved_minor
		HAVING COALESCE(sum(e.available_minor), 0) <> b.available_minor OR COALESCE(sum(e.reserved_minor), 0) <> b.reserved_minor`},
}

// creditableMethods are those whose completion credits somebody.
const creditableMethods = `'manual_deposit', 'eiban_deposit', 'credit_card', 'third_party_bank_deposit',
	'third_party_crypto_deposit', 'third_party_wallet_deposit'`

// CheckCredits implements ports.Payments.
func (s *Store) CheckCredits(ctx context.Context, most int) (payment.CreditCheck, error) {
	const op = "bunstore.CheckCredits"
	var check payment.CreditCheck
	for after := core.ID(""); after != lastPayment; {
		until := lastPayment
		var ends []core.ID
		err := s.reads.NewRaw("SELECT id FROM payments WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?", after, creditStep-1).Scan(ctx, &ends)
		if len(ends) > 0 {
			until = ends[0]
		}
		if err == nil {
			err = s.findBreaches(ctx, &check, paymentBreaches, most, after, until)
		}
		if err != nil {
			return check, fail(op, err)
		}
		after = until
	}
	if err := s.findBreaches(ctx, &check, otherBreaches, most); err != nil {
		return check, fail(op, err)
	}
	var waiting struct {
		Count  int
		Oldest timestamp
	}
	err := s.reads.NewRaw("SELECT count(*) AS count, min(at) AS oldest FROM credits WHERE awaits_money AND version = 1").
		Scan(ctx, &waiting)
	check.Awaiting, check.OldestAwaiting = waiting.Count, time.Time(waiting.Oldest)
	return check, fail(op, err)
}

// findBreaches adds what is found to a check, until it has so many of a kind.
func (s *Store) findBreaches(ctx context.Context, check *payment.CreditCheck, breaches []creditBreach, most int, among ...any) error {
	known := map[payment.CreditBreachKind]int{}
	for _, b := range check.Breaches {
		known[b.Kind]++
	}
	for _, b := range breaches {
		var codes []string
		query := fmt.Sprintf("SELECT * FROM (%s) AS found LIMIT %d", b.find, max(most-known[b.kind], 0))
		if err := s.reads.NewRaw(query, among...).Scan(ctx, &codes); err != nil {
			return err
		}
		known[b.kind] += len(codes)
		for _, code := range codes {
			check.Breaches = append(check.Breaches, payment.CreditBreach{Kind: b.kind, TrackingCode: code})
		}
	}
	return nil
}
