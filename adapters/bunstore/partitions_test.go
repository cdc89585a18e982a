package bunstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

func idAt(at time.Time, n int) string {
	return string(core.FirstID(at))[:20] + fmt.Sprintf("%06d", n)
}

func insertCall(t *testing.T, db *sql.DB, at time.Time, n int) {
	t.Helper()
	execute(t, db, fmt.Sprintf("INSERT INTO gateway_calls VALUES ('%s', 1, '', 'p', 'x', now(), 1, '', '', '')", idAt(at, n)))
}

func insertAttempt(t *testing.T, db *sql.DB, callback string, at time.Time, n int) {
	t.Helper()
	execute(t, db, fmt.Sprintf("INSERT INTO attempts VALUES ('%s', '%s', 1, now(), 1, '', 200, '', '')", callback, idAt(at, n)))
}

func insertMove(t *testing.T, db *sql.DB, at time.Time, n int) {
	t.Helper()
	execute(t, db, fmt.Sprintf("INSERT INTO moves VALUES ('%[1]s', '%[1]s', now(), 'system', '', '', '', 'offer', 'showing', 'showing', 'TRY', 1, '')", idAt(at, n)))
}

func insertEntry(t *testing.T, db *sql.DB, at time.Time, n int) {
	t.Helper()
	execute(t, db, fmt.Sprintf("INSERT INTO audit_entries VALUES ('%s', now(), 'staff', '1', 'n', '', 'login', 'staff/1', '', '', '')", idAt(at, n)))
}

func callAt(at time.Time, n int) operation.GatewayCall {
	return operation.GatewayCall{ID: core.ID(idAt(at, n)), GatewayID: 1, PaymentID: "p", Name: "x", At: at}
}

func number(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// monthAfter is the beginning of the month that comes so many after that of a time. On the 31st, "in a month" may be the month after next.
func monthAfter(at time.Time, months int) time.Time {
	return time.Date(at.Year(), at.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}

// TestWhatWasThereBecomesThePartitionBefore: nothing is copied or lost on the way there and back, however often.
func TestWhatWasThereBecomesThePartitionBefore(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	db := rawDatabase(t, cfg)
	down := func() {
		t.Helper()
		for {
			names, err := bunstore.MigrateDown(t.Context(), cfg, 1)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(names[0], "20261128000300") {
				return
			}
		}
	}
	now := time.Now()
	ahead := monthAfter(now, 3) // there is a partition of it
	for i := range 2 {
		down()
		for n, ago := range []int{0, 30, 4000} {
			insertCall(t, db, now.AddDate(0, 0, -ago), 10*i+n)
			insertAttempt(t, db, "c", now.AddDate(0, 0, -ago), 10*i+n)
			insertMove(t, db, now.AddDate(0, 0, -ago), 10*i+n)
			insertEntry(t, db, now.AddDate(0, 0, -ago), 10*i+n)
		}
		const files = "SELECT pg_relation_filenode('attempts%[1]s')::int + pg_relation_filenode('moves%[1]s')::int" +
			" + pg_relation_filenode('audit_entries%[1]s')::int + pg_relation_filenode('audit_entries%[1]s_others')::int + pg_relation_filenode('audit_entries%[1]s_target')::int"
		before := number(t, db, fmt.Sprintf(files, ""))
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		if after := number(t, db, fmt.Sprintf(files, "_before")); after != before {
			t.Error("attempts, histories or entries were copied, or indexes of them were made anew")
		}
		insertCall(t, db, ahead, 10*i+7)
		insertAttempt(t, db, "c", ahead, 10*i+7)
		insertMove(t, db, ahead, 10*i+7)
		insertEntry(t, db, ahead, 10*i+7)
		for _, table := range []string{"attempts", "gateway_calls", "moves", "audit_entries"} {
			if got := number(t, db, "SELECT count(*) FROM "+table); got != 4*(i+1) {
				t.Errorf("%s has %d rows", table, got)
			}
			if got := number(t, db, "SELECT count(*) FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid WHERE NOT indisvalid AND relname LIKE '"+table+"%'"); got != 0 {
				t.Errorf("%d indexes of %s are not valid", got, table)
			}
		}
	}
}

// TestCommitsMakeTheMonthTheyLack, of several processes at once.
func TestCommitsMakeTheMonthTheyLack(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	const processes = 4
	var all sync.WaitGroup
	far := time.Now().AddDate(3, 0, 0)
	for i := range processes {
		s := openStore(t, cfg)
		all.Go(func() {
			for j := range 3 {
				if err := s.Commit(t.Context(), core.Changeset{callAt(far.AddDate(0, j, 0), 10*i+j)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := number(t, rawDatabase(t, cfg), "SELECT count(*) FROM gateway_calls"); got != 3*processes {
		t.Errorf("%d calls are there", got)
	}
}

// TestMonthsAreDroppedBesideTheirReaders: what somebody reads is let go of when they have ended, and nobody waits for that but the one
// who drops it; when that one is broken off, the next one goes on.
func TestMonthsAreDroppedBesideTheirReaders(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s, db := openStore(t, cfg), rawDatabase(t, cfg)
	first := monthAfter(time.Now(), 12)
	if _, err := s.MakeRoom(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	for month := range 3 {
		insertCall(t, db, first.AddDate(0, month, 0), month)
	}
	insertCall(t, db, time.Now().AddDate(0, 0, -1), 9) // in the first partition, which is pruned row by row
	reader, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.ExecContext(t.Context(), "SELECT FROM gateway_calls"); err != nil {
		t.Fatal(err)
	}
	before := first.AddDate(0, 2, 0)
	prune := func(ctx context.Context) (int, error) { return s.Prune(ctx, core.GatewayCalls, before, 100) }
	ctx, breakOff := context.WithCancel(t.Context())
	pruning := make(chan error, 1)
	go func() { _, err := prune(ctx); pruning <- err }()
	await(t, db, "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE gateway_calls DETACH%' AND wait_event_type = 'Lock')")
	if err := s.Commit(t.Context(), core.Changeset{callAt(first.AddDate(0, 2, 0), 20)}); err != nil {
		t.Errorf("a commit beside: %v", err)
	}
	execute(t, db, "SELECT count(*) FROM gateway_calls")
	breakOff()
	if err := <-pruning; err == nil {
		t.Error("what was broken off says that it is done")
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := prune(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := number(t, db, "SELECT count(*) FROM gateway_calls"); got != 2 {
		t.Errorf("%d calls are left, not those of the last month alone", got)
	}
	const tables = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname LIKE 'gateway\\_calls\\_%' AND relname < 'gateway_calls_"
	if got := number(t, db, tables+before.UTC().Format("200601")+"'"); got != 0 {
		t.Errorf("%d tables of older months are left", got)
	}
}

// TestAMonthOfACallbackThatWaitsStays: its attempts are shown beside it.
func TestAMonthOfACallbackThatWaitsStays(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s, db := openStore(t, cfg), rawDatabase(t, cfg)
	if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
		t.Fatal(err)
	}
	month := time.Now().AddDate(1, 0, 0)
	if _, err := s.MakeRoom(t.Context(), month); err != nil {
		t.Fatal(err)
	}
	waits := idAt(month, 1)
	execute(t, db, `INSERT INTO callbacks (id, version, payment_id, sequence, provider_id, site_id, dealer_id, kind, receiver, state, payload, attempts, next_attempt_at, created_at, key_id, personal)
		VALUES ('`+waits+`', 1, 'p', 1, 1, 1, 0, 'provider', 'r', 'waiting', '{}', 1, now(), now(), '', '')`)
	insertAttempt(t, db, waits, month, 2)
	prune := func() int {
		t.Helper()
		if _, err := s.Prune(t.Context(), core.CallbackAttempts, month.AddDate(0, 2, 0), 100); err != nil {
			t.Fatal(err)
		}
		return number(t, db, "SELECT count(*) FROM attempts")
	}
	if got := prune(); got != 1 {
		t.Errorf("while it waits, %d attempts are there", got)
	}
	execute(t, db, "UPDATE callbacks SET state = 'delivered', finished_at = now()")
	if got := prune(); got != 0 {
		t.Errorf("%d attempts are left", got)
	}
}

// TestMonthsOfHistoriesAndOfTheAuditLogAreDropped as a whole: a month of histories when nothing of it can change, and of the audit log when
// the log says so. Nobody deletes a row of either meanwhile.
func TestMonthsOfHistoriesAndOfTheAuditLogAreDropped(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s, db := openStore(t, cfg), rawDatabase(t, cfg)
	first := monthsOn(1)
	for year := range 2 {
		if _, err := s.MakeRoom(t.Context(), first.AddDate(year, 0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	for month := range 3 {
		insertMove(t, db, first.AddDate(0, month, 0), month)
		insertEntry(t, db, first.AddDate(0, month, 0), month)
	}
	disputed := idAt(first.AddDate(0, 1, 0), 1)
	execute(t, db, `INSERT INTO disputes (id, version, gateway_id, external_id, payment_id, tracking_code, operation_id, dealer_id, provider_id, state, reason, currency, created_at, body)
		VALUES ('d', 1, 1, 'd', '`+disputed+`', '', '', 1, 1, 'under_review', '', '', now(), '')`)
	left := func(kind core.Prunable, table string) (rows, months int) {
		t.Helper()
		if n, err := s.Prune(t.Context(), kind, first.AddDate(0, 2, 0), 100); err != nil || n != 0 {
			t.Fatalf("%d rows of %s were deleted, %v", n, kind, err)
		}
		const tables = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname IN ('%[1]s_%[2]s', '%[1]s_%[3]s')"
		return number(t, db, "SELECT count(*) FROM "+table),
			number(t, db, fmt.Sprintf(tables, table, first.Format("200601"), first.AddDate(0, 1, 0).Format("200601")))
	}
	for _, want := range []struct {
		kind         core.Prunable
		table        string
		rows, months int
		then         func()
	}{
		{core.Histories, "moves", 2, 1, func() { execute(t, db, "UPDATE disputes SET state = 'lost'") }},
		{core.Histories, "moves", 1, 0, func() {}},
		{core.AuditEntries, "audit_entries", 3, 2, func() {
			at := first.AddDate(0, 2, 1)
			said := core.AuditEntry{
				ID: core.ID(idAt(at, 9)), At: at, Action: coreaudit.DropAction, Target: coreaudit.LogTarget,
				After: coreaudit.Dropped{Until: core.FirstID(first.AddDate(0, 2, 0)), Through: coreaudit.Head{No: 1}}.State(),
			}
			if err := s.Commit(t.Context(), core.Changeset{said}); err != nil {
				t.Fatal(err)
			}
		}},
		{core.AuditEntries, "audit_entries", 2, 0, func() {}},
	} {
		if rows, months := left(want.kind, want.table); rows != want.rows || months != want.months {
			t.Errorf("of %s %d rows and %d months are left, not %d and %d", want.table, rows, months, want.rows, want.months)
		}
		want.then()
	}
}

// monthsOn is the first moment of a month some years from now.
func monthsOn(years int) time.Time {
	now := time.Now().UTC()
	return time.Date(now.Year()+years, now.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// onlyMonths are the partitions of histories that a plan reads.
var onlyMonths = regexp.MustCompile(`\bmoves_([0-9]{6}|before)\b`)

// TestAHistoryIsInOneMonth: of the histories of ten years only those months are planned in which payments were made that are asked for, and
// a month that a payment's history comes to later is not another one.
func TestAHistoryIsInOneMonth(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s, db := openStore(t, cfg), rawDatabase(t, cfg)
	first := time.Now().AddDate(2, 0, 0)
	for year := range 8 {
		if _, err := s.MakeRoom(t.Context(), first.AddDate(year, 0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	var asked []core.ID
	var months []string
	for n := range 2 {
		made := first.AddDate(0, n, 0)
		p := core.ID(idAt(made, n))
		for years := range 3 { // one is disputed late
			m := payment.Transition{ID: core.ID(idAt(made.AddDate(years, 0, 0), n)), PaymentID: p, At: made.AddDate(years, 0, 0), Command: payment.ClaimPaid}
			if err := s.Commit(t.Context(), core.Changeset{m}); err != nil {
				t.Fatal(err)
			}
		}
		asked, months = append(asked, p), append(months, made.UTC().Format("moves_200601"))
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := &spy{}
	spied := s.WithHook(seen)
	for n := 1; n <= len(asked); n++ {
		moves, err := spied.MovesOf(t.Context(), asked[:n], core.Paging[payment.TransitionID]{Limit: 10})
		if err != nil || len(moves) != 3*n {
			t.Fatalf("of %d payments there are %d moves, %v", n, len(moves), err)
		}
		plan := planOf(t, conn, "EXPLAIN "+seen.queries[len(seen.queries)-1])
		found := onlyMonths.FindAllString(plan, -1)
		slices.Sort(found)
		if found = slices.Compact(found); !slices.Equal(found, months[:n]) {
			t.Errorf("of payments of %v the histories of %v are read:\n%s", months[:n], found, plan)
		}
	}
}

// onlyEntries are the partitions of the audit log that a plan reads.
var onlyEntries = regexp.MustCompile(`\baudit_entries_([0-9]{6}|before)\b`)

// TestPagesOfTheAuditLogReadTheMonthsTheyNeed: of a log of three years the newest page, and what happened to a payment of lately, are planned for
// a few months; and page by page, forth and back, everything comes once, however thinly it is spread.
func TestPagesOfTheAuditLogReadTheMonthsTheyNeed(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s, db := openStore(t, cfg), rawDatabase(t, cfg)
	now := time.Now()
	execute(t, db, "ALTER TABLE audit_entries DETACH PARTITION audit_entries_before") // so that there are months of the past
	for quarter := range 13 {
		if _, err := s.MakeRoom(t.Context(), now.AddDate(-3, 3*quarter, 0)); err != nil {
			t.Fatal(err)
		}
	}
	var want []core.ID
	for n, ago := range []int{0, 1, 2, 9, 40, 41, 70, 400, 401, 700, 1000} {
		at := now.AddDate(0, 0, -ago)
		want = append(want, core.ID(idAt(at, n)))
		insertEntry(t, db, at, n)
	}
	lately := newDeposit(t)
	if err := s.Commit(t.Context(), lately); err != nil {
		t.Fatal(err)
	}
	code := core.RowsOf[payment.Payment](lately)[0].TrackingCode
	seen := &spy{}
	spied := s.WithHook(seen)
	page := func(q core.AuditQuery) (ids []core.ID) {
		t.Helper()
		rows, err := spied.AuditEntries(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]core.AuditQuery{
		"the newest":      {Paging: core.Paging[core.ID]{Limit: 3}},
		"older ones":      {Paging: core.Paging[core.ID]{After: want[4], Limit: 2}},
		"newer ones":      {Paging: core.Paging[core.ID]{Before: want[9], Limit: 1, IsLast: true}},
		"about a payment": {Target: "payment/" + code, Paging: core.Paging[core.ID]{Limit: 50}},
		"of two days":     {From: now.AddDate(0, 0, -1), Until: now.Add(time.Hour), Paging: core.Paging[core.ID]{Limit: 50}},
	} {
		seen.queries = nil
		page(q)
		last := planOf(t, conn, "EXPLAIN "+seen.queries[len(seen.queries)-1])
		found := onlyEntries.FindAllString(last, -1)
		slices.Sort(found)
		if most, found := map[string]int{"newer ones": 16, "older ones": 8}[name], slices.Compact(found); len(found) > max(most, 6) {
			t.Errorf("%s reads %v:\n%s", name, found, last)
		}
	}
	for _, limit := range []int{1, 2, 4, 50} {
		for _, isLast := range []bool{false, true} {
			p, got := core.Paging[core.ID]{Limit: limit, IsLast: isLast}, []core.ID(nil)
			for {
				ids := page(core.AuditQuery{Paging: p})
				if isLast {
					got = append(slices.Clone(ids), got...)
				} else {
					got = append(got, ids...)
				}
				if len(ids) == 0 {
					break
				}
				if p = p.Beyond(ids[len(ids)-1]); isLast {
					p = p.Beyond(ids[0])
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %d, from the end %t, there come %v, not %v", limit, isLast, got, want)
			}
		}
	}
}
