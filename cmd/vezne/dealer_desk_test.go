package main_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

// colleague makes another member of the dealer's staff, and signs them in at a process.
func (in *installation) colleague(p *process) staff {
	in.t.Helper()
	const email, password = "colleague@vezne.example", "correct horse battery"
	shared.keepSecret("a new staff member's password", password)
	in.succeedWith(password+"\n", "staff", "create", "--email", email, "--role", "dealer", "--dealer", fmt.Sprint(in.keys.Dealer.ID))
	s, err := signIn(p.url, email, password)
	if err != nil {
		in.t.Fatal(err)
	}
	return s
}

// deskLoad is what waits on a dealer's withdrawal desk.
type deskLoad struct {
	DealerID                                string
	WaitingCount, ClaimedCount, LapsedCount int
	Amount                                  string
}

func (s staff) desk(t testing.TB) []deskLoad {
	t.Helper()
	var data struct{ WithdrawalDesk []deskLoad }
	if err := s.ask(`{ withdrawalDesk { dealerId waitingCount claimedCount lapsedCount amount } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	return data.WithdrawalDesk
}

// TestTwoClaimOneWithdrawal: two of the dealer's staff want to pay the same withdrawals (D3), at the same moment, each at
// their own process. Each is one person's, and only that one can say that it was paid.
func TestTwoClaimOneWithdrawal(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const waiting = 24
		servers := in.serveAll()
		both := []staff{in.signIn(servers[0], "dealer"), in.colleague(servers[len(servers)-1])}
		codes := make([]string, waiting)
		inParallel(t, waiting, 8, func(i int) error {
			r, err := in.dealer(servers[i%len(servers)]).withdraw("100.50")
			codes[i] = r.TrackingCode
			return err
		})
		load := deskLoad{DealerID: fmt.Sprint(in.keys.Dealer.ID), WaitingCount: waiting, Amount: "2412.00"}
		if all := both[0].desk(t); len(all) != 1 || all[0] != load {
			t.Errorf("on the desk there is %+v, want %+v", all, load)
		}
		winners := claimAll(t, both, codes)
		load.WaitingCount, load.ClaimedCount = 0, waiting
		if all := both[1].desk(t); len(all) != 1 || all[0] != load {
			t.Errorf("with all claimed there is %+v, want %+v", all, load)
		}
		inParallel(t, waiting, 16, func(i int) error {
			winner, loser := both[winners[i]], both[1-winners[i]]
			if _, err := loser.decide("completeWithdrawal", codes[i]); codeOf(err) != "NOT_CLAIMED" {
				return fmt.Errorf("completing another's gives %w", err)
			}
			done, err := winner.decide("completeWithdrawal", codes[i])
			if err == nil && (done.Status != "completed" || len(done.Callbacks) != 0) {
				err = fmt.Errorf("it is %+v", done)
			}
			return err
		})
		if all := both[0].desk(t); len(all) != 0 {
			t.Errorf("with all paid there is %+v on the desk", all)
		}
		in.checkDeskMoves(t, both[0], codes[0])
		for _, server := range servers {
			server.stop(t)
		}
	})
}

// claimAll has two people claim everything at once, and says who has won what.
func claimAll(t *testing.T, both []staff, codes []string) (winners []int) {
	t.Helper()
	claims := make([]atomic.Int64, len(codes))
	winners = make([]int, len(codes))
	inParallel(t, 2*len(codes), 2*len(codes), func(i int) error {
		who, what := i%2, i/2
		_, err := both[who].decide("claimWithdrawal", codes[what])
		switch {
		case err == nil:
			claims[what].Add(1)
			winners[what] = who
		case codeOf(err) == "CLAIMED" && strings.Contains(err.Error(), "@"): // who has it
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
func (in *installation) checkDeskMoves(t *testing.T, s staff, paid string) {
	t.Helper()
	for _, mutation := range []string{"claimWithdrawal", "releaseWithdrawal", "completeWithdrawal", "failWithdrawal"} {
		if _, err := s.decide(mutation, paid); codeOf(err) != "ALREADY_FINAL" && codeOf(err) != "NOT_CLAIMED" {
			t.Errorf("%s of one that was paid gives %v", mutation, err)
		}
	}
	r, err := in.dealer(&process{url: s.base}).withdraw("100")
	if err != nil {
		t.Fatal(err)
	}
	s.must(t, "claimWithdrawal", r.TrackingCode)
	if released := s.must(t, "releaseWithdrawal", r.TrackingCode); released.Status != "processing" && released.Status != "pending" {
		t.Errorf("given back it is %s", released.Status)
	}
	if _, err := s.decide("completeWithdrawal", r.TrackingCode); codeOf(err) != "NOT_CLAIMED" {
		t.Errorf("completing one that was given back gives %v", err)
	}
	if failed := s.mustPay(t, "failWithdrawal", r.TrackingCode, "reason", "banka reddetti"); failed.Status != "failed" {
		t.Errorf("it is %s", failed.Status)
	}
}

// TestClaimsLapse: whoever claims a withdrawal has it for a while. After that a colleague takes it over, who has to say
// what was found.
func TestClaimsLapse(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	server := in.serve("VEZNE_CLAIM_TIMEOUT=1s")
	first, second := in.signIn(server, "dealer"), in.colleague(server)
	r, err := in.dealer(server).withdraw("100")
	if err != nil {
		t.Fatal(err)
	}
	first.must(t, "claimWithdrawal", r.TrackingCode)
	eventually(t, func() error {
		if _, err := second.decide("claimWithdrawal", r.TrackingCode); codeOf(err) != "CLAIM_LAPSED" {
			return fmt.Errorf("claiming it gives %w", err)
		}
		return nil
	})
	takeOver := func(reason string) error {
		return second.ask(`mutation($code: String!, $reason: String) {
			claimWithdrawal(trackingCode: $code, takeOver: true, reason: $reason) { transaction { claim { isOwn } } } }`,
			map[string]any{"code": r.TrackingCode, "reason": reason}, &struct{}{})
	}
	if err := takeOver(""); codeOf(err) != "INVALID" {
		t.Errorf("taking it over without a reason gives %v", err)
	}
	if err := takeOver("bankada yok"); err != nil {
		t.Fatal(err)
	}
	if _, err := first.decide("completeWithdrawal", r.TrackingCode); codeOf(err) != "NOT_CLAIMED" {
		t.Errorf("the first one's completion gives %v", err)
	}
	if done := second.must(t, "completeWithdrawal", r.TrackingCode); done.Status != "completed" {
		t.Errorf("it is %s", done.Status)
	}
	server.stop(t)
}
