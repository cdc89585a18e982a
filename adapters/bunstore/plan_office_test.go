package bunstore_test

import (
	"context"
	"database/sql"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// officeReadings are what the back office asks for, each for a part of what grows with its use or with every payment.
func officeReadings(ctx context.Context, s *bunstore.Store, now time.Time) map[string]func() error {
	all := map[string]func() error{
		"DueWork": func() error { _, err := s.DueWork(ctx, now); return err },
		"CustomerHistory": func() error {
			_, err := s.CustomerHistory(ctx, owner.CustomerKey{ProviderID: 1, UserID: "u7"}, core.Scope{})
			return err
		},
		"CustomerHistory, with a dealer": func() error {
			_, err := s.CustomerHistory(ctx, owner.CustomerKey{ProviderID: 1, UserID: "u7"}, core.Scope{DealerID: 1})
			return err
		},
		"BlockOf":             func() error { _, err := s.BlockOf(ctx, owner.CustomerKey{ProviderID: 1, UserID: "u7"}); return err },
		"ClaimJobs":           func() error { _, err := s.ClaimJobs(ctx, now, now.Add(time.Minute), 10); return err },
		"Job":                 func() error { _, err := s.Job(ctx, "J7"); return err },
		"JobChunk":            func() error { _, err := s.JobChunk(ctx, "J7", 1); return err },
		"Callback":            func() error { _, err := s.Callback(ctx, "C7"); return err },
		"CallbacksOfPayments": func() error { _, err := s.CallbacksOf(ctx, "P7", "P8"); return err },
		"AuditEnd":            func() error { _, err := s.AuditEnd(ctx, audit.ChainName); return err },
		"AuditLinks":          func() error { _, err := s.AuditLinks(ctx, 7000, 100); return err },
		"Unchained":           func() error { _, _, err := s.Unchained(ctx, "A9", 100); return err },
	}
	for _, kind := range []core.Prunable{
		core.IdempotencyRecords, core.RequestNonces, core.ExportFiles, core.SignIns, core.GatewayCalls, core.CallbackAttempts, core.Notifications,
	} {
		all["Prune "+string(kind)] = func() error { _, err := s.Prune(ctx, kind, now.AddDate(0, 0, -60), 100); return err }
	}
	for _, more := range []map[string]func() error{
		approvalReadings(ctx, s, now), auditReadings(ctx, s, now), staffReadings(ctx, s, now), listReadings(ctx, s),
	} {
		for name, read := range more {
			all[name] = read
		}
	}
	return all
}

func approvalReadings(ctx context.Context, s *bunstore.Store, now time.Time) map[string]func() error {
	waiting, dealer := approval.Statuses()[:1], core.Scope{DealerID: 1}
	all := map[string]func() error{
		"Approval":     func() error { _, err := s.Approval(ctx, "Q7"); return err },
		"DueApprovals": func() error { _, err := s.DueApprovals(ctx, now, core.DueCursor{At: now, ID: "Q7"}, 100); return err },
	}
	for name, q := range map[string]approval.Query{
		"all": {}, "a page": {Paging: core.Paging[core.ID]{After: "Q7"}}, "waiting": {Statuses: waiting}, "ended": {Statuses: approval.Statuses()[1:]},
		"requester":              {RequesterID: 7},
		"waiting of a requester": {RequesterID: 7, Statuses: waiting}, "subject": {Subject: "payment/7", Statuses: waiting},
		"dealer": {Scope: dealer}, "waiting of a dealer": {Scope: dealer, Statuses: waiting},
		"of a requester about something": {RequesterID: 7, Subject: "payment/7"}, "over": {Statuses: waiting, IsOver: true},
	} {
		all["Approvals, "+name] = bothWays(&q.Paging, func() error { _, err := s.ListApprovals(ctx, q); return err })
	}
	all["RunningTotals"] = func() error { _, err := s.RunningTotals(ctx, []string{"staff/7"}); return err }
	return all
}

func auditReadings(ctx context.Context, s *bunstore.Store, now time.Time) map[string]func() error {
	all := map[string]func() error{}
	for name, q := range map[string]core.AuditQuery{
		"all": {}, "a page": {Paging: core.Paging[core.ID]{After: "A7"}}, "target": {Target: "payment/7"}, "staff": {ActorKind: core.ByStaff},
		"a member": {ActorKind: core.ByStaff, ActorID: "7"}, "others": {ActorKind: core.BySystem}, "action": {Action: "action 7"},
		"a day": {From: now.AddDate(0, 0, -30), Until: now.AddDate(0, 0, -29)}, "a member's target": {ActorKind: core.ByStaff, ActorID: "7", Target: "payment/7"},
		"a member's action": {ActorKind: core.ByStaff, ActorID: "7", Action: "action 7"},
	} {
		all["AuditEntries, "+name] = bothWays(&q.Paging, func() error { _, err := s.AuditEntries(ctx, q); return err })
	}
	return all
}

func staffReadings(ctx context.Context, s *bunstore.Store, now time.Time) map[string]func() error {
	return map[string]func() error{
		"StaffByEmail":            func() error { _, err := s.StaffByEmail(ctx, "7@example.com"); return err },
		"StaffByID":               func() error { _, err := s.StaffByID(ctx, 7); return err },
		"SessionByFingerprint":    func() error { _, _, err := s.SessionByFingerprint(ctx, "f7"); return err },
		"SessionsOf":              func() error { _, err := s.SessionsOf(ctx, 7, now, 50); return err },
		"FactorsOf":               func() error { _, err := s.FactorsOf(ctx, 7); return err },
		"PasskeysOf":              func() error { _, err := s.PasskeysOf(ctx, 7); return err },
		"PasskeyByCredential":     func() error { _, err := s.PasskeyByCredential(ctx, "c7"); return err },
		"ChallengeByFingerprint":  func() error { _, err := s.ChallengeByFingerprint(ctx, "f7"); return err },
		"Invitation":              func() error { _, err := s.Invitation(ctx, "I7"); return err },
		"InvitationByFingerprint": func() error { _, err := s.InvitationByFingerprint(ctx, "f7"); return err },
		"ListInvitations": func() error {
			_, err := s.ListInvitations(ctx, staff.InvitationQuery{Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
		"ListInvitations, of email": func() error {
			_, err := s.ListInvitations(ctx, staff.InvitationQuery{Email: "7@example.com", Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
	}
}

func listReadings(ctx context.Context, s *bunstore.Store) map[string]func() error {
	return map[string]func() error{
		"DisputesByDeadline": func() error {
			_, err := s.DisputesByDeadline(ctx, dispute.Query{Scope: core.Scope{DealerID: 1}}, core.Paging[core.DueCursor]{Limit: 50})
			return err
		},
		"DisputesByDeadline, a page": func() error {
			place := core.DueCursor{At: time.Unix(1_800_000_000, 0), ID: "D7"}
			_, err := s.DisputesByDeadline(ctx, dispute.Query{}, core.Paging[core.DueCursor]{After: place, Limit: 50})
			return err
		},
		"ListDisputes, of a dealer": func() error {
			_, err := s.ListDisputes(ctx, dispute.Query{Scope: core.Scope{DealerID: 1}, Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
		"Blocks": func() error {
			_, err := s.Blocks(ctx, owner.BlockQuery{Paging: core.Paging[owner.BlockCursor]{Limit: 50}})
			return err
		},
		"Blocks, of a provider": func() error {
			_, err := s.Blocks(ctx, owner.BlockQuery{ProviderID: 1, Paging: core.Paging[owner.BlockCursor]{Limit: 50}})
			return err
		},
		"ListJobs": func() error {
			_, err := s.ListJobs(ctx, report.JobQuery{Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
		"ListJobs, of a member": func() error {
			_, err := s.ListJobs(ctx, report.JobQuery{StaffID: 7, Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
	}
}

// officeTables are what officeReadings read.
const officeTables = `approvals|audit_entries|audit_chain|jobs|job_chunks|disputes|callbacks|operations|notifications|payments|blocks|staff` +
	`|staff_factors|passkeys|sign_in_challenges|sessions|invitations|running_totals`

// officeScan is how a plan says that all of a table is read: to the end, or entry by entry along an index.
var officeScan = map[string]*regexp.Regexp{
	"postgres": regexp.MustCompile(`Seq Scan on (` + officeTables + `)\b`),
	"sqlite": regexp.MustCompile(`(?m)SCAN (` + officeTables + `|a|c|j|(approval|record|audit|job|job_chunk|dispute|callback|payment|customer_payment` +
		`|block|staff|factors|passkey|challenge|session|invitation)_row)$`),
}

// plainSealer leaves texts as they are, so that the database can make many rows of one.
type plainSealer struct{}

func (plainSealer) Seal(plain, _ string) (string, error)  { return plain, nil }
func (plainSealer) Open(sealed, _ string) (string, error) { return sealed, nil }

var removed = regexp.MustCompile(`Rows Removed by Filter: (\d+)`)

// maxRemoved is how many rows a step of a plan may read for nothing, of twelve thousand.
const maxRemoved = 1500

func readsMuch(database, plan string) bool {
	for _, m := range removed.FindAllStringSubmatch(plan, -1) {
		if n, err := strconv.Atoi(m[1]); err != nil || n > maxRemoved {
			return true
		}
	}
	return len(officeScan[database].FindAllString(plan, -1)) > len(subquery.FindAllString(plan, -1))
}

// TestTheBackOfficeReadsNoLargeTable looks at the plans as TestReadsNeverScan does, and at how much they throw away.
func TestTheBackOfficeReadsNoLargeTable(t *testing.T) {
	t.Parallel()
	for name, config := range ownDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			cfg.Sealer = plainSealer{}
			s, now := openStore(t, cfg), time.Unix(1_800_000_000, 0)
			conn, err := rawDatabase(t, cfg).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			explain := "EXPLAIN QUERY PLAN "
			if name == "postgres" {
				explain = "EXPLAIN (ANALYZE, TIMING OFF) "
				crowdOffice(t, s, rawDatabase(t, cfg), now)
				if _, err := conn.ExecContext(t.Context(), "SET random_page_cost = 1.1"); err != nil { // as the store does
					t.Fatal(err)
				}
			}
			seen := &spy{}
			for what, read := range officeReadings(t.Context(), s.WithHook(seen), now) {
				seen.queries = nil
				if err := read(); err != nil && !fault.Is(err, fault.NotFound) {
					t.Fatalf("%s: %v", what, err)
				}
				for _, query := range seen.queries {
					if plan := planOf(t, conn, explain+query); readsMuch(name, plan) {
						t.Errorf("%s reads much:\n%s\n%s", what, query, plan)
					}
				}
				if len(seen.queries) == 0 || len(seen.queries) > 2 {
					t.Errorf("%s makes %d queries", what, len(seen.queries))
				}
			}
			if plan := planOf(t, conn, explain+"SELECT count(*) FROM approvals WHERE body = ''"); !readsMuch(name, plan) {
				t.Errorf("a scan is not seen as one:\n%s", plan)
			}
		})
	}
}

// crowdOffice makes many of one row of each kind: of forty members and dealers, nearly all of them over.
func crowdOffice(t *testing.T, s *bunstore.Store, db *sql.DB, now time.Time) {
	t.Helper()
	one := core.Edit(newDeposit(t), func(p *payment.Payment) { p.CreatedAt = now })
	one = append(one, payment.Callback{ID: "C", Version: 1, PaymentID: "P", Sequence: 1, Status: payment.Delivered, CreatedAt: now, FinishedAt: now})
	one = append(one, operation.Operation{ID: "O", Version: 1, PaymentID: "P", Kind: operation.DepositOperation, Phase: operation.Closed, CreatedAt: now})
	one = append(one, notification.Notification{ID: "N", Version: 1, Key: "key", Status: notification.Done, ReceivedAt: now})
	one = append(one, approval.Approval{ID: "Q", Version: 1, Status: approval.Approved, DecidedBy: 2, RequesterID: 1, CreatedAt: now, ExpiresAt: now})
	one = append(one, core.AuditEntry{ID: "A", At: now, Actor: core.Actor{Kind: core.ByStaff, ID: "0"}, Action: "action"})
	one = append(one, audit.Link{No: 20_000, EntryID: "A", Version: 1})
	one = append(one, report.Job{ID: "J", Version: 1, Status: report.JobDone, CreatedAt: now, FinishedAt: now})
	one = append(one, report.JobChunk{JobID: "J", Number: 1, Bytes: []byte("x")})
	one = append(one, dispute.Dispute{ID: "D", Version: 1, GatewayID: 1, ExternalID: "dp", State: gateway.DisputeLost, CreatedAt: now})
	one = append(one, staff.Staff{ID: 20_000, Version: 1, Role: staff.Viewer, CreatedAt: now, UpdatedAt: now})
	one = append(one, staff.Session{ID: "S", Version: 1, Fingerprint: "f", CreatedAt: now, LastSeenAt: now, ProvenAt: now, ExpiresAt: now})
	one = append(one, staff.Factors{StaffID: 20_000, Version: 1, UpdatedAt: now})
	one = append(one, staff.Passkey{ID: "K", Version: 1, CredentialID: "c", CreatedAt: now})
	one = append(one, staff.Challenge{Fingerprint: "f", Version: 1, CreatedAt: now, ExpiresAt: now})
	one = append(one, staff.Invitation{ID: "I", Version: 1, Fingerprint: "f", Role: staff.Viewer, CreatedAt: now, ExpiresAt: now})
	one = append(one, owner.Block{CustomerKey: owner.CustomerKey{ProviderID: 1, UserID: "u"}, BlockedAt: now})
	if err := s.Commit(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct{ table, changes string }{
		{"payments", `'id', 'P' || n, 'tracking_code', '', 'token_fingerprint', '', 'personal', '', 'user_id', 'u' || (n % 997), 'provider_id', n % 3,
			'status', CASE WHEN n % 300 = 2 THEN 'pending' ELSE 'completed' END, 'operation_id', '',
			'expires_at', x.created_at - n * interval '10 min'`},
		{"callbacks", `'id', 'C' || n, 'payment_id', 'P' || n, 'personal', '', 'receiver', 'site/' || (n % 40),
			'state', CASE WHEN n % 300 = 0 THEN 'waiting' WHEN n % 300 = 1 THEN 'failed' ELSE 'delivered' END,
			'next_attempt_at', CASE WHEN n % 300 = 0 THEN x.created_at END`},
		{"operations", `'id', 'O' || n, 'payment_id', 'P' || n, 'ref', 'O' || n, 'return_fingerprint', '', 'external_id', '', 'gateway_id', n % 8,
			'next_at', CASE WHEN n % 300 = 0 THEN x.created_at END`},
		{"notifications", `'id', 'N' || n, 'key', 'key ' || n, 'state', CASE WHEN n % 300 = 0 THEN 'waiting' ELSE 'done' END`},
		{"approvals", `'id', 'Q' || n, 'subject', 'payment/' || n, 'payment_id', 'P' || n, 'dealer_id', n % 40, 'requester_id', 1 + n % 400, 'decided_by', 1000,
			'expires_at', x.expires_at - n * interval '10 min'`},
		{"audit_entries", `'id', 'A' || n, 'at', x.at - n * interval '10 min', 'by_kind', CASE WHEN n % 100 = 0 THEN 'system' ELSE 'staff' END,
			'by_id', '' || (n % 400), 'action', 'action ' || (n % 400), 'target', 'payment/' || n`},
		{"audit_chain", `'no', n, 'entry_id', 'A' || n`},
		{"disputes", `'id', 'D' || n, 'external_id', 'dp' || n, 'dealer_id', n % 40, 'evidence_due_at', CASE WHEN n % 300 = 0 THEN x.created_at + n * interval '1 min' END`},
		{"jobs", `'id', 'J' || n, 'staff_id', n % 400, 'finished_at', x.created_at - n * interval '10 min'`},
		{"job_chunks", `'job_id', 'J' || n`},
		{"staff", `'id', n, 'email', n || '@example.com'`},
		{"sessions", `'id', 'S' || n, 'fingerprint', 'f' || n, 'staff_id', n % 400, 'expires_at', x.expires_at - n * interval '10 min'`},
		{"staff_factors", `'staff_id', n`},
		{"passkeys", `'id', 'K' || n, 'staff_id', n % 4000, 'credential_id', 'c' || n`},
		{"sign_in_challenges", `'fingerprint', 'f' || n, 'expires_at', x.expires_at - n * interval '10 min'`},
		{"invitations", `'id', 'I' || n, 'fingerprint', 'f' || n, 'email', (n % 4000) || '@example.com'`},
		{"blocks", `'provider_id', n % 40, 'user_id', 'u' || n, 'created_at', x.created_at - n * interval '10 min'`},
	} {
		execute(t, db, "INSERT INTO "+m.table+" SELECT made.* FROM "+m.table+" AS x, generate_series(1, 12000) AS n,"+
			" LATERAL jsonb_populate_record(x, jsonb_build_object("+m.changes+")) AS made")
		execute(t, db, "ANALYZE "+m.table)
	}
	execute(t, db, "UPDATE approvals SET state = 'waiting', decided_by = 0 WHERE expires_at > to_timestamp(1800000000) - interval '1 day'")
	execute(t, db, "ANALYZE approvals")
}
