package operations_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// crowdPage is transactions as the back office shows them.
type crowdPage struct {
	Transactions struct {
		Nodes []struct {
			TrackingCode, Method, Status, CreatedAt string
			FinishedAt                              *string
			Account                                 *struct{ Iban string }
			Provider                                *struct{ Name string }
			Customer                                struct{ Fullname string }
			History                                 harness.Nodes[struct{ To string }]
			Callbacks                               []struct {
				Status   string
				Attempts []struct{ Number int }
			}
		}
		PageInfo struct{ HasNextPage bool }
	}
}

const crowdQuery = `query($filter: TransactionFilter, $sort: TransactionSort) {
	transactions(first: 100, filter: $filter, sort: $sort) {
		nodes {
			trackingCode method status createdAt finishedAt account { iban } provider { name } customer { fullname }
			history(last: 5) { nodes { to } } callbacks { status attempts { number } }
		}
		pageInfo { hasNextPage }
	}
}`

func crowd(t *testing.T, s harness.Staff, filter map[string]any, sort string) crowdPage {
	t.Helper()
	var found crowdPage
	if err := s.Ask(crowdQuery, map[string]any{"filter": filter, "sort": sort}, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSeedFillsTheBackOffice: made-up transactions are many, all sorts of them, whole, and found like others.
func TestSeedFillsTheBackOffice(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		t.Helper()
		if said := in.Succeed("seed", "--transactions", "3000", "--days", "30"); !strings.Contains(said, "3000 transactions over 30 days in ") {
			t.Errorf("vezne seed says %q", said)
		}
		p := in.Demo()
		admin := in.SignIn(p, "admin")
		found := crowd(t, admin, nil, "CREATED_DESC").Transactions
		if len(found.Nodes) != 100 || !found.PageInfo.HasNextPage {
			t.Fatalf("the first page has %d transactions", len(found.Nodes))
		}
		spread := map[string]map[string]bool{"method": {}, "status": {}, "provider": {}, "name": {}}
		attempts := 0
		for _, p := range found.Nodes {
			spread["method"][p.Method], spread["status"][p.Status], spread["name"][p.Customer.Fullname] = true, true, true
			if p.Provider != nil {
				spread["provider"][p.Provider.Name] = true
			}
			if n := len(p.History); n > 0 && p.History[n-1].To != p.Status {
				t.Errorf("%s is %s, its history ends with %s", p.TrackingCode, p.Status, p.History[n-1].To)
			}
			isSeeded := p.Provider != nil && p.Provider.Name != "Acme Pay"
			if isSeeded && p.FinishedAt == nil && p.Account != nil {
				t.Errorf("%s is open and has an account, in whose use it does not count", p.TrackingCode)
			}
			for _, c := range p.Callbacks {
				attempts += len(c.Attempts)
				if p.FinishedAt == nil || len(c.Attempts) == 0 {
					t.Errorf("%s has a callback without an end or an attempt", p.TrackingCode)
				}
			}
		}
		for what, least := range map[string]int{"method": 5, "status": 4, "provider": 6, "name": 40} {
			if len(spread[what]) < least {
				t.Errorf("the newest 100 have %d of each %s", len(spread[what]), what)
			}
		}
		if attempts == 0 {
			t.Error("nothing was reported")
		}
		one := found.Nodes[17]
		for name, value := range map[string]any{
			"trackingCode": one.TrackingCode, "name": one.Customer.Fullname, "status": []string{one.Status}, "text": one.TrackingCode,
			"orderId": strings.ReplaceAll(one.TrackingCode, "-", ""),
		} {
			if got := crowd(t, admin, map[string]any{name: value}, "CREATED_DESC"); !strings.Contains(fmt.Sprint(got), one.TrackingCode) {
				t.Errorf("%s %v does not find %s", name, value, one.TrackingCode)
			}
		}
		p.Stop(t)
	})
}

// TestSeedMayBeRepeated, and an empty database that has its tables already is as good as one that has none.
func TestSeedMayBeRepeated(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, in *harness.Installation) {
		t.Helper()
		in.Succeed("migrate", "up")
		in.Succeed("seed", "--transactions", "10", "--bare")
		in.Succeed("seed", "--transactions", "10")
	}
	t.Run("embedded", func(t *testing.T) { t.Parallel(); test(t, harness.NewEmpty(t)) })
	t.Run("servers", func(t *testing.T) {
		t.Parallel()
		test(t, harness.NewEmpty(t, "VEZNE_DATABASE_URL="+harness.NewDatabase(t, ""), "VEZNE_REDIS_URL="+harness.NewQueue(t)))
	})
}
