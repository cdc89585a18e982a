package payments_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestIdempotencyKey sends 200 requests with one key at once, to all processes: one payment, one answer.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const twins = 200
		servers := in.ServeAll()
		viewer := in.SignIn(servers[0], "viewer")
		for _, path := range append(append([]string(nil), deposits...), withdrawals...) {
			before := len(viewer.All(t))
			answers := make([]harness.Answer, twins)
			harness.InParallel(t, twins, twins, func(i int) (err error) {
				answers[i], _, err = in.Provider(servers[i%len(servers)]).Try(path, harness.Order("123.45"), "the-same-key")
				return err
			})
			first := 0
			for _, a := range answers {
				if a.Status != http.StatusOK || !bytes.Equal(a.Body, answers[0].Body) {
					t.Fatalf("%s: one of the twins is answered with %d %s, another with %s", path, a.Status, a.Body, answers[0].Body)
				}
				if a.Header.Get("Idempotent-Replayed") != "true" {
					first++
				}
			}
			if first != 1 {
				t.Errorf("%s: %d of %d answers are not marked as replayed, want one", path, first, twins)
			}
			if made := len(viewer.All(t)) - before; made != 1 {
				t.Errorf("%s: the twins made %d payments", path, made)
			}
			if a, _, err := in.Provider(servers[0]).Try(path, harness.Order("123.46"), "the-same-key"); err != nil || a.Status != http.StatusConflict {
				t.Errorf("%s: the same key with another body is answered with %d %s (%v)", path, a.Status, a.Body, err)
			}
		}
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// The second site's dealer has two manual accounts that take 30,000 TRY; each may be offered for 1,000,000 TRY a day.
const (
	crowd       = 100
	crowdAmount = 30_000
	dailyLimit  = 1_000_000
)

// TestDailyLimits has a crowd press Continue at once: exactly as many get an account as there is room for.
func TestDailyLimits(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		provider := harness.Caller{Base: servers[0].URL, Keys: in.Keys.Provider, Site: in.Keys.Sites[1]}
		operator := in.SignIn(servers[0], "operator")
		made := provider.CreateMany(t, "start-manual-deposit", crowd, "1.00")
		offered := continueAll(t, servers, made)
		const room = 2 * (dailyLimit / crowdAmount)
		if offered != room {
			t.Errorf("%d of %d got an account, want %d", offered, crowd, room)
		}
		checkTotals(t, operator, room)

		// Who leaves makes room for the next one.
		var holder harness.Payment
		for _, p := range made {
			if operator.Transaction(t, p.TrackingCode).Account != nil {
				holder = p
				break
			}
		}
		holder.At(servers[0]).Press(t, "cancel", nil)
		if again := continueAll(t, servers, made); again != room {
			t.Errorf("after one has left, %d have an account, want %d", again, room)
		}
		checkTotals(t, operator, room)
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// continueAll presses Continue on every page at once, at any of the processes, and says how many then show an account.
func continueAll(t *testing.T, servers []*harness.Process, made []harness.Payment) int {
	t.Helper()
	var offered atomic.Int32
	harness.InParallel(t, len(made), len(made), func(i int) error {
		a, err := harness.PostForm(made[i].At(servers[i%len(servers)]).Page+"/continue", url.Values{"amount": {fmt.Sprint(crowdAmount)}})
		if err != nil {
			return err
		}
		if a.Status != http.StatusSeeOther {
			return fmt.Errorf("Continue answers %d %s", a.Status, a.Body)
		}
		if !strings.Contains(a.Header.Get("Location"), "?") {
			offered.Add(1)
		}
		return nil
	})
	return int(offered.Load())
}

// checkTotals adds up what is on offer, by account.
func checkTotals(t *testing.T, operator harness.Staff, want int) {
	t.Helper()
	totals, count := make(map[string]int), 0
	for _, found := range operator.All(t) {
		if found.Account == nil || found.Status != "SHOWING" {
			continue
		}
		count++
		totals[found.Account.IBAN] += crowdAmount
		if found.Amount != fmt.Sprintf("%d.00", crowdAmount) {
			t.Errorf("%s is offered an account for %s", found.TrackingCode, found.Amount)
		}
	}
	for iban, total := range totals {
		if total > dailyLimit {
			t.Errorf("%s is on offer for %d TRY, past its limit of %d", iban, total, dailyLimit)
		}
	}
	if count != want || len(totals) != 2 {
		t.Errorf("%d payments on %d accounts are on offer, want %d on 2", count, len(totals), want)
	}
}
