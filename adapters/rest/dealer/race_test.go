package dealer_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/rest/dealer"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
)

// post sends many equal calls at once and counts their answers by HTTP status.
func (s *server) post(r request, n int) map[int]int {
	var mu sync.Mutex
	var callers sync.WaitGroup
	counts := map[int]int{}
	for range n {
		callers.Go(func() {
			req := httptest.NewRequest(http.MethodPost, dealer.Path+r.Path, strings.NewReader(r.Body))
			req.Header, req.RemoteAddr = r.Header, r.Peer
			recorder := httptest.NewRecorder()
			s.Handler.ServeHTTP(recorder, req)
			mu.Lock()
			defer mu.Unlock()
			counts[recorder.Code]++
		})
	}
	callers.Wait()
	return counts
}

// TestFiveHundredOffersAtOnce: of the dealer's two accounts that take 250, both for 50,000 a day, one is offered a hundred
// times a day at most.
func TestFiveHundredOffersAtOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	if got := s.post(s.call(deposit, depositBody), 500); got[200] != 300 || got[422] != 200 {
		t.Errorf("answers by status: %v", got)
	}
	loads, err := s.Store.AccountLoads(t.Context(), s.Dealer.ID, owner.ManualAccount, core.DayOf(s.Clock.Now(), s.Zone))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{200, 100, 0} {
		if loads[i].Count != want || !loads[i].Used.Equal(lira(int64(want)*250)) {
			t.Errorf("account %d: %s in %d, want %d", i, loads[i].Used, loads[i].Count, want)
		}
	}
}

// TestTransfersAtOnceNeverTakeMoreThanIsThere: the wallet holds forty of them.
func TestTransfersAtOnceNeverTakeMoreThanIsThere(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	if got := s.post(s.call(send, sendBody), 100); got[200] != 40 || got[422] != 60 {
		t.Errorf("answers by status: %v", got)
	}
	if held := s.Held(t, s.Wallet); held.AvailableBalance.Minor() != 0 || !held.Reserved.Equal(apptest.Opening) {
		t.Errorf("%s available, %s reserved", held.AvailableBalance, held.Reserved)
	}
}
