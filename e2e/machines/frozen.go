package machines

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/e2e/harness"
)

// AwaitFrozen waits until every process says that no money moves, and returns what the database says of it.
func (m *Machines) AwaitFrozen() Epoch {
	m.T.Helper()
	for _, p := range m.All() {
		harness.Eventually(m.T, func() error {
			var r struct{ Money string }
			a := harness.Get(m.T, p.URL+"/readyz")
			if err := json.Unmarshal(a.Body, &r); err != nil || r.Money != "frozen" {
				return fmt.Errorf("/readyz of %s says %s", p, a.Body)
			}
			return nil
		})
	}
	return m.Epoch()
}

// ChangedSince returns how many payments were made or changed since a moment, as the database says now.
func (m *Machines) ChangedSince(at time.Time) (n int) {
	m.T.Helper()
	const query = "SELECT (SELECT count(*) FROM payments WHERE created_at > $1) + (SELECT count(*) FROM moves WHERE at > $1)"
	if err := m.OpenDatabase().QueryRowContext(m.T.Context(), query, at).Scan(&n); err != nil {
		m.T.Fatal(err)
	}
	return n
}

// RefuseCallbacks has the receiver refuse what it is sent, or take it again.
func (l *Load) RefuseCallbacks(isRefused bool) { l.refuses.Store(isRefused) }

// MustRest fails the drill where money moves in a frozen installation: a callback that is due goes out, a payment changes, or is answered.
// It waits until something is due, and looks from then on to the moment at which gateways and banks were asked.
func (l *Load) MustRest() {
	l.t.Helper()
	db := l.in.OpenDatabase()
	l.count(db, "no callback is due, so that nothing is shown", "SELECT count(*) FROM callbacks WHERE state = 'waiting' AND next_attempt_at < now()", 1)
	var from string
	if err := db.QueryRowContext(l.t.Context(), "SELECT now()::text").Scan(&from); err != nil {
		l.t.Fatal(err)
	}
	sent := l.receiver.Attempts()
	if a, _, err := l.provider.Try("start-manual-withdraw", harness.Order("10.00"), "a-call-while-frozen"); err != nil || a.Status != http.StatusServiceUnavailable ||
		a.Header.Get("Retry-After") == "" {
		l.t.Errorf("a payment that is created while no money moves is answered by %d %s, %v", a.Status, a.Body, err)
	}
	l.count(db, "gateways and banks were not asked", "SELECT count(*) FROM epochs WHERE asked_at IS NOT NULL", 1)
	for what, query := range map[string]string{
		"payments changed":             "SELECT count(*) FROM moves WHERE at > $1::timestamptz",
		"callbacks were tried":         "SELECT count(*) FROM attempts WHERE at > $1::timestamptz",
		"operations went to a gateway": "SELECT count(*) FROM gateway_calls WHERE at > $1::timestamptz",
	} {
		var n int
		if err := db.QueryRowContext(l.t.Context(), query, from).Scan(&n); err != nil || n > 0 {
			l.t.Errorf("while no money moves %d %s (%v)", n, what, err)
		}
	}
	if now := l.receiver.Attempts(); now != sent {
		l.t.Errorf("while no money moves %d callbacks went out", now-sent)
	}
}

// count waits until a query finds something.
func (l *Load) count(db *sql.DB, otherwise, query string, least int) {
	l.t.Helper()
	harness.Eventually(l.t, func() error {
		var n int
		if err := db.QueryRowContext(l.t.Context(), query).Scan(&n); err != nil {
			return err
		}
		if n < least {
			return errors.New(otherwise)
		}
		return nil
	})
}

const (
	readRemains = `{ restoration { openCount remains(isOpen: true) { id kind } } }`
	acknowledge = `mutation($ids: [ID!]!) { acknowledgeRemains(input: {ids: $ids, reason: "Looked at in a drill."}) { remains { id } } }`
	thaw        = `mutation { thaw(input: {reason: "All of it was looked at in a drill."}) { restoration { state } } }`
)

// Thaw has staff acknowledge what remains, and two of them let money move again. One alone can't, and nobody before all is acknowledged.
// It returns how many of each kind remained.
func (m *Machines) Thaw() (remained map[string]int) {
	m.T.Helper()
	finance, admin := m.signIn("finance", m.APIs[0].URL), m.signIn("admin", m.APIs[0].URL)
	finance.Second = func() (harness.Staff, error) { return admin, nil }
	if err := finance.Ask(thaw, nil, &struct{}{}); harness.CodeOf(err) != "NOT_ALLOWED_IN_STATUS" {
		m.T.Errorf("a thaw before all was looked at is answered %v", err)
	}
	remained = make(map[string]int)
	for {
		var data struct {
			Restoration struct{ Remains []struct{ ID, Kind string } }
		}
		if err := admin.Ask(readRemains, nil, &data); err != nil { // who sees staff, too
			m.T.Fatal(err)
		}
		if len(data.Restoration.Remains) == 0 {
			break
		}
		var ids []string
		for _, r := range data.Restoration.Remains {
			ids = append(ids, r.ID)
			remained[r.Kind]++
		}
		if err := admin.Ask(acknowledge, map[string]any{"ids": ids}, &struct{}{}); err != nil {
			m.T.Fatal(err)
		}
	}
	alone := finance.Ask(thaw, nil, &struct{}{})
	if e := m.Epoch(); e.State != "frozen" {
		m.T.Errorf("one person alone has thawed it: it is %s", e)
	}
	if err := finance.Agreed(alone); err != nil {
		m.T.Fatal(err)
	}
	return remained
}

// Repeat has callers send again, under the same key, each call whose payment is not there any more. A key makes one payment, however
// often it is sent. It returns how many there were.
func (l *Load) Repeat() (repeated int) {
	l.t.Helper()
	l.end()
	there := l.stored()
	for i, a := range l.answered {
		if slices.ContainsFunc(there, func(s Stored) bool { return s.Code == a.Code }) {
			continue
		}
		path := "start-manual-deposit"
		if strings.HasPrefix(a.Code, "WIT-") {
			path = "start-manual-withdraw"
		}
		var codes []string
		for range 2 {
			l.until(path, func() error {
				answer, made, err := l.provider.Try(path, harness.Order("10.00"), a.Key)
				codes = append(codes, made.TrackingCode)
				l.answered[i] = Answered{Key: a.Key, Code: made.TrackingCode, Status: made.Status}
				return outcome(answer, err, http.StatusOK)
			})
		}
		if codes = slices.DeleteFunc(codes, func(code string) bool { return code == "" }); len(slices.Compact(codes)) != 1 {
			l.t.Errorf("the key of the lost payment %s makes %v", a.Code, codes)
		}
		repeated++
	}
	return repeated
}
