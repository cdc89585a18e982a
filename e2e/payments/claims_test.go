package payments_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// colleague makes another member of the dealer's staff, before any process runs. The function signs them in at one.
func colleague(in *harness.Installation) (signIn func(*harness.Process) harness.Staff) {
	in.T.Helper()
	const email, password = "colleague@vezne.example", "correct horse battery"
	harness.KeepSecret("a new staff member's password", password)
	in.SucceedWith(password+"\n", "staff", "create", "--email", email, "--role", "dealer", "--dealer", fmt.Sprint(in.Keys.Dealer.ID))
	return func(p *harness.Process) harness.Staff {
		s, err := harness.SignIn(p.URL, email, password)
		if err != nil {
			in.T.Fatal(err)
		}
		return s
	}
}

// deskLoad is what waits on a dealer's withdrawal desk.
type deskLoad struct {
	DealerID                                string
	WaitingCount, ClaimedCount, LapsedCount int
	Amount                                  string
}

func deskLoads(t testing.TB, s harness.Staff) []deskLoad {
	t.Helper()
	var data struct{ WithdrawalDesk []deskLoad }
	if err := s.Ask(`{ withdrawalDesk { dealerId waitingCount claimedCount lapsedCount amount } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return data.WithdrawalDesk
}

// TestTwoClaimOneWithdrawal: two of the dealer's staff want to pay the same withdrawals (D3), at the same moment, each at
// their own process. Each is one person's, and only that one can say that it was paid.
func TestTwoClaimOneWithdrawal(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const waiting = 24
		signInColleague := colleague(in)
		servers := in.ServeAll()
		both := []harness.Staff{in.SignIn(servers[0], "dealer"), signInColleague(servers[len(servers)-1])}
		codes := make([]string, waiting)
		harness.InParallel(t, waiting, 8, func(i int) error {
			r, err := in.Dealer(servers[i%len(servers)]).Withdraw("100.50")
			codes[i] = r.TrackingCode
			return err
		})
		load := deskLoad{DealerID: fmt.Sprint(in.Keys.Dealer.ID), WaitingCount: waiting, Amount: "2412.00"}
		if all := deskLoads(t, both[0]); len(all) != 1 || all[0] != load {
			t.Errorf("on the desk there is %+v, want %+v", all, load)
		}
		winners := claimAll(t, both, codes)
		load.WaitingCount, load.ClaimedCount = 0, waiting
		if all := deskLoads(t, both[1]); len(all) != 1 || all[0] != load {
			t.Errorf("with all claimed there is %+v, want %+v", all, load)
		}
		harness.InParallel(t, waiting, 16, func(i int) error {
			winner, loser := both[winners[i]], both[1-winners[i]]
			if _, err := loser.Decide("completeWithdrawal", codes[i]); harness.CodeOf(err) != "NOT_CLAIMED" {
				return fmt.Errorf("completing another's gives %w", err)
			}
			done, err := winner.Decide("completeWithdrawal", codes[i])
			if err == nil && (done.Status != "COMPLETED" || !done.IsToldToNobody()) {
				err = fmt.Errorf("it is %+v", done)
			}
			return err
		})
		if all := deskLoads(t, both[0]); len(all) != 0 {
			t.Errorf("with all paid there is %+v on the desk", all)
		}
		checkDeskMoves(t, in, both[0], codes[0])
		for _, server := range servers {
			server.Stop(t)
		}
	})
}

// claimAll has two people claim everything at once, and says who has won what.
func claimAll(t *testing.T, both []harness.Staff, codes []string) (winners []int) {
	t.Helper()
	claims := make([]atomic.Int64, len(codes))
	winners = make([]int, len(codes))
	harness.InParallel(t, 2*len(codes), 2*len(codes), func(i int) error {
		who, what := i%2, i/2
		_, err := both[who].Decide("claimWithdrawal", codes[what])
		switch {
		case err == nil:
			claims[what].Add(1)
			winners[what] = who
		case harness.CodeOf(err) == "CLAIMED" && strings.Contains(err.Error(), "@"): // who has it
			err = nil
		}
		return err
	})
	for i := range claims {
		if n := claims[i].Load(); n != 1 {
			t.Errorf("%s was claimed %d times", codes[i], n)
		}
	}
	return winners
}

// checkDeskMoves goes through the rest that can happen on the desk.
func checkDeskMoves(t *testing.T, in *harness.Installation, s harness.Staff, paid string) {
	t.Helper()
	for _, mutation := range []string{"claimWithdrawal", "releaseWithdrawal", "completeWithdrawal", "failWithdrawal"} {
		if _, err := s.Decide(mutation, paid); harness.CodeOf(err) != "ALREADY_FINAL" && harness.CodeOf(err) != "NOT_CLAIMED" {
			t.Errorf("%s of one that was paid gives %v", mutation, err)
		}
	}
	r, err := in.Dealer(&harness.Process{URL: s.Base}).Withdraw("100")
	if err != nil {
		t.Fatal(err)
	}
	s.Must(t, "claimWithdrawal", r.TrackingCode)
	if released := s.Must(t, "releaseWithdrawal", r.TrackingCode); released.Status != "PROCESSING" && released.Status != "PENDING" {
		t.Errorf("given back it is %s", released.Status)
	}
	if _, err := s.Decide("completeWithdrawal", r.TrackingCode); harness.CodeOf(err) != "NOT_CLAIMED" {
		t.Errorf("completing one that was given back gives %v", err)
	}
	if failed := s.MustPay(t, "failWithdrawal", r.TrackingCode, "reason", "banka reddetti"); failed.Status != "FAILED" {
		t.Errorf("it is %s", failed.Status)
	}
}

// TestClaimsLapse: whoever claims a withdrawal has it for a while. After that a colleague takes it over, who has to say
// what was found.
func TestClaimsLapse(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	signInColleague := colleague(in)
	server := in.Serve("VEZNE_CLAIM_TIMEOUT=1s")
	first, second := in.SignIn(server, "dealer"), signInColleague(server)
	r, err := in.Dealer(server).Withdraw("100")
	if err != nil {
		t.Fatal(err)
	}
	first.Must(t, "claimWithdrawal", r.TrackingCode)
	harness.Eventually(t, func() error {
		if _, err := second.Decide("claimWithdrawal", r.TrackingCode); harness.CodeOf(err) != "CLAIM_LAPSED" {
			return fmt.Errorf("claiming it gives %w", err)
		}
		return nil
	})
	takeOver := func(reason string) error {
		return second.Ask(`mutation($code: String!, $reason: String) {
			claimWithdrawal(input: {trackingCode: $code, takeOver: true, reason: $reason}) { transaction { claim { isOwn } } } }`,
			map[string]any{"code": r.TrackingCode, "reason": reason}, &struct{}{})
	}
	if err := takeOver(""); harness.CodeOf(err) != "INVALID" {
		t.Errorf("taking it over without a reason gives %v", err)
	}
	if err := takeOver("bankada yok"); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Decide("completeWithdrawal", r.TrackingCode); harness.CodeOf(err) != "NOT_CLAIMED" {
		t.Errorf("the first one's completion gives %v", err)
	}
	if done := second.Must(t, "completeWithdrawal", r.TrackingCode); done.Status != "COMPLETED" {
		t.Errorf("it is %s", done.Status)
	}
	server.Stop(t)
}
