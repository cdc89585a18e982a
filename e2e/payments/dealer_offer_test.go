package payments_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// The dealer's three manual accounts all take 2,000 TRY; two of them take 15,000 TRY, for 500,000 and for 2,500,000 a day.
const (
	evenOffers, evenAmount   = 120, 2_000
	largeOffers, largeAmount = 500, 15_000
	offersAtOnce             = 500
)

// TestOffersAtOnce: hundreds of customers ask for an IBAN at once (D2), at all processes. They are spread evenly; and of
// those who ask for more than there is room for, exactly as many get one as fit into the accounts' days.
func TestOffersAtOnce(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		if in.Setting("DATABASE_URL") != "" {
			servers = append(servers, in.Serve())
		}
		used := offerAll(t, in, servers, evenOffers, evenAmount)
		for iban, amount := range used {
			if amount != evenOffers/3*evenAmount {
				t.Errorf("%s is offered for %d, want %d for each", iban, amount, evenOffers/3*evenAmount)
			}
		}
		if len(used) != 3 {
			t.Errorf("%d accounts are offered, want 3", len(used))
		}
		limits := map[string]int{"TR320010009999901234567890": 500_000, "TR290006400000112345678901": 2_500_000}
		large := offerAll(t, in, servers, largeOffers, largeAmount)
		for iban, limit := range limits {
			if room := (limit - used[iban]) / largeAmount; large[iban] != room*largeAmount {
				t.Errorf("%s is offered for %d in all, and there was room for %d of %d", iban, large[iban], room, largeAmount)
			}
		}
		if len(large) != len(limits) {
			t.Errorf("%d accounts are offered, want %d: %v", len(large), len(limits), large)
		}
		checkOffers(t, in, servers[0], used, large)
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// offerAll has many customers ask at once, and says what each account is offered for in all. Who gets none is told so.
func offerAll(t *testing.T, in *harness.Installation, servers []*harness.Process, count, amount int) map[string]int {
	t.Helper()
	offered := make([]harness.Offer, count)
	harness.InParallel(t, count, offersAtOnce, func(i int) (err error) {
		offered[i], err = in.Dealer(servers[i%len(servers)]).Offer(fmt.Sprint(amount))
		var no harness.DealerRefusal
		if errors.As(err, &no) && no.Status == http.StatusUnprocessableEntity && no.ErrorCode == "NO_AVAILABLE_IBAN" {
			err = nil
		}
		return err
	})
	totals := make(map[string]int)
	for _, o := range offered {
		if o.IBAN != "" {
			totals[o.IBAN] += amount
		}
	}
	return totals
}

// checkOffers compares the answers with what staff see.
func checkOffers(t *testing.T, in *harness.Installation, server *harness.Process, answers ...map[string]int) {
	t.Helper()
	want, got := make(map[string]int64), make(map[string]int64)
	for _, totals := range answers {
		for iban, total := range totals {
			want[iban] += int64(total) * 100
		}
	}
	for _, found := range in.SignIn(server, "dealer").All(t) {
		if found.Account == nil || found.Status != "SHOWING" {
			t.Errorf("%s is %s, with %+v", found.TrackingCode, found.Status, found.Account)
			continue
		}
		got[found.Account.IBAN] += harness.Kurus(t, found.Amount)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("staff see %v, and customers were told %v", got, want)
	}
}
