package bunstore

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// waitingRows are the rows of one kind of open work: each condition is the beginning of an index, in whose order the oldest
// comes first. The words of partial indexes are repeated as they are there.
type waitingRows struct {
	table, since, order string
	conditions          []string
	ofDealer            string // narrows the rows to a dealer; empty: a dealer's staff are told of none
	ofProvider          string
}

const (
	ofDealer   = "dealer_id = ?0"
	ofProvider = "provider_id = ?1"
)

// openWorkRows says where each kind of open work is found. ?0 is the dealer, ?1 the provider, ?2 the staff member, ?3 now, ?5 and ?6 what
// makes a gateway a failing one.
var openWorkRows = map[report.OpenWorkKind]waitingRows{
	report.DepositsToDecide: {
		"payments", "created_at", "id",
		[]string{"status = 'processing' AND method = 'manual_deposit'", "status = 'processing' AND method = 'eiban_deposit'"},
		ofDealer, ofProvider,
	},
	report.FreeWithdrawals: {
		"payments", "created_at", "id",
		[]string{onDesk + " AND (claim_staff_id = 0 OR claimed_until IS NULL OR claimed_until <= ?3)"},
		ofDealer, ofProvider,
	},
	report.PayoutsToApprove: {
		"payments AS p", "created_at", "id",
		plannedPayouts(),
		ofDealer, ofProvider,
	},
	report.BankLinesToMatch: {
		"bank_lines", "imported_at", "id",
		[]string{"state = 'unmatched'", "state = 'doubtful'", "state = 'unbooked'"},
		"wallet_id IN (SELECT id FROM wallets WHERE " + ofDealer + ")", "",
	},
	report.OpenDiscrepancies: {"discrepancies", "created_at", "id", []string{"state = 'open'"}, ofDealer, ofProvider},
	report.DisputesToAnswer: {
		"disputes", "created_at", "evidence_due_at, id",
		[]string{"evidence_due_at IS NOT NULL AND evidence_due_at > ?3 AND state IN ('inquiry', 'needs_response')"}, ofDealer, ofProvider,
	},
	report.RequestsToDecide: {
		"approvals", "created_at", "id", []string{"state = 'waiting' AND requester_id <> ?2 AND expires_at > ?3"}, ofDealer, "",
	},
	report.FailedCallbacks: {
		"callbacks", "finished_at", "id",
		[]string{"state IN ('failed', 'skipped') AND superseded_at IS NULL AND state = 'failed'"},
		ofDealer, ofProvider,
	},
	report.UnexplainedDays: {"reconciliations", "at", "day", []string{"open_count > 0"}, ofDealer, ""},
	report.FailingGateways: {
		"gateway_accounts AS g", "CASE WHEN trouble <> '' THEN updated_at ELSE (SELECT min(at) FROM " + lastCalls + ") END", "id",
		[]string{"is_enabled AND (trouble <> '' OR ?5 = (SELECT count(*) FROM " + lastCalls + " WHERE outcome IN (?6)))"},
		"", "",
	},
}

// lastCalls are so many calls to a gateway account g as make it a failing one.
const lastCalls = "(SELECT c.at, c.outcome FROM gateway_calls AS c WHERE c.gateway_id = g.id ORDER BY c.id DESC LIMIT ?5) AS last_calls"

// plannedPayouts are payouts that wait to be let go, whatever pays them.
func plannedPayouts() (conditions []string) {
	for _, m := range payment.Methods() {
		for _, status := range []payment.Status{payment.Showing, payment.Pending} {
			if m.Kind() == payment.Payout {
				conditions = append(conditions, "status = '"+string(status)+"' AND method = '"+string(m)+"' AND EXISTS (SELECT 1 FROM"+
					" operations AS o WHERE o.payment_id = p.id AND o.kind = 'payout' AND o.phase = 'planned' AND o.next_at IS NULL)")
			}
		}
	}
	return conditions
}

// query counts a kind; empty: nobody of the scope is told of it.
func (w waitingRows) query(kind report.OpenWorkKind, scope core.Scope) string {
	within := ""
	for _, by := range []struct {
		isIt   bool
		narrow string
	}{{scope.DealerID != 0, w.ofDealer}, {scope.ProviderID != 0, w.ofProvider}} {
		if by.isIt && by.narrow == "" {
			return ""
		}
		if by.isIt {
			within += " AND " + by.narrow
		}
	}
	parts := make([]string, len(w.conditions))
	for i, condition := range w.conditions {
		parts[i] = "SELECT * FROM (SELECT " + w.since + " AS since FROM " + w.table + " WHERE " + condition + within +
			" ORDER BY " + w.order + " LIMIT ?4) AS part"
	}
	return "SELECT '" + string(kind) + "' AS kind, count(*) AS count, min(since) AS oldest_at FROM (" +
		strings.Join(parts, " UNION ALL ") + ") AS waiting"
}

// OpenWork implements ports.Reports: in one statement, each part of which reads the end of an index up to a bound.
func (s *Store) OpenWork(ctx context.Context, q report.OpenWorkQuery) ([]report.OpenWork, error) {
	var parts []string
	for _, kind := range q.Kinds {
		if part := openWorkRows[kind].query(kind, q.Scope); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil, fail("bunstore.OpenWork", ctx.Err())
	}
	var rows []struct {
		Kind     report.OpenWorkKind
		Count    int
		OldestAt timestamp
	}
	err := s.reads.NewRaw(strings.Join(parts, " UNION ALL "), q.DealerID, q.ProviderID, q.StaffID, timestamp(q.Now), report.MaxOpenWork+1,
		report.FailingCalls, bun.List(gateway.Outages())).Scan(ctx, &rows)
	if err != nil {
		return nil, fail("bunstore.OpenWork", err)
	}
	list := make([]report.OpenWork, len(rows))
	for i, r := range rows {
		list[i] = report.OpenWork{
			Kind: r.Kind, Count: min(r.Count, report.MaxOpenWork), HasMore: r.Count > report.MaxOpenWork, OldestAt: time.Time(r.OldestAt),
		}
	}
	return list, nil
}
