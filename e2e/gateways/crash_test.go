package gateways_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestKilledWhilePayingOut: the process is killed again and again while payouts leave, between its commit and the call,
// and while the gateway hangs. Every payout ends once; none is sent twice. Where the gateway does not know one, staff
// look there, and decide.
func TestKilledWhilePayingOut(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		f := harness.NewFront(t)
		settings := append([]string{"VEZNE_BASE_URL=" + f.URL, "VEZNE_CALLBACK_TIMEOUT=1s"}, harness.Simulated...)
		api := in.Serve(append(settings, "VEZNE_ROLE=api")...)
		f.Lead(t, api)
		s := &harness.Shop{In: in, Server: api, To: harness.NewReceiver(t, in.Keys.Provider, harness.Accept), Provider: in.Provider(api)}
		in.CallBack(api, s.To)
		s.Till = silentTill(in, api)
		made := make([]harness.Payment, harness.Crashed)
		harness.InParallel(t, harness.Crashed, 16, func(i int) (err error) {
			kind := []string{"bank", "wallet", "crypto"}[i%3]
			made[i], err = s.Provider.TryPayout(kind, fmt.Sprintf("%d.00", 1500+i), in.Keys.Sandbox.GatewayID, payoutKinds[kind].to("00"))
			return err
		})
		in.SignIn(api, "operator").DecideAll(t, "approvePayout", made[:harness.Crashed-10])
		s.Till.DecideFates(harness.Losing("/v1/payouts"))
		replace(t, s, f, settings, made)
		for range 2 * harness.StuckOfAKind {
			harness.Received(t, "a call that gets stuck", s.Till.Stuck)
		}
		s.Server.Kill()
		s.Till.DecideFates(func(harness.TillCall) harness.Fate { return harness.Answered })

		staff := replace(t, s, f, settings, made) // the leases are over: what became of those is asked
		staff.DecideAll(t, "approvePayout", made[harness.Crashed-10:])
		staff.UntilAll(t, harness.Crashed, func(g harness.GatewayTransaction) bool {
			return g.Status == "COMPLETED" || g.Last().Phase == "CALLING" && g.Last().Checks > 0
		})
		staff = replace(t, s, f, settings, made) // a second look at those that the gateway does not know
		staff.UntilAll(t, harness.Crashed, func(g harness.GatewayTransaction) bool {
			return g.Status == "COMPLETED" || len(g.Discrepancies) == 1 && g.Discrepancies[0].Kind == "MISSING_PAYOUT"
		})
		s.SettleMissing(t, staff)
		checkPaidOnce(t, s, staff, made)
		s.Server.Stop(t)
	})
}

// silentTill is a till that tells of nothing: whatever became of an order has to be asked.
func silentTill(in *harness.Installation, p *harness.Process) *harness.Till {
	in.T.Helper()
	g := harness.NewTill(in.T, in.Keys.Sandbox, "")
	in.SignIn(p, "admin").UpdateGateway(in.T, in.Keys.Sandbox.GatewayID, map[string]any{
		"config": []any{map[string]any{"name": "base_url", "value": g.URL}},
	})
	return g
}

// replace kills the process, lets time pass, and starts another one.
func replace(t *testing.T, s *harness.Shop, f *harness.Front, settings []string, made []harness.Payment) harness.Staff {
	t.Helper()
	s.Server.Kill()
	s.In.BringForward(made)
	s.Server = s.In.Serve(settings...)
	f.Lead(t, s.Server)
	s.Provider = s.In.Provider(s.Server)
	return s.In.SignIn(s.Server, "operator")
}

// checkPaidOnce compares every payout with what the gateway has.
func checkPaidOnce(t *testing.T, s *harness.Shop, operator harness.Staff, made []harness.Payment) {
	t.Helper()
	paid := 0
	final := operator.UntilAll(t, len(made), func(g harness.GatewayTransaction) bool { return g.Status == "COMPLETED" || g.Status == "FAILED" })
	for _, p := range made {
		status, sent := final[p.TrackingCode].Status, s.Sent(p)
		if want := map[string]int{"COMPLETED": 1, "FAILED": 0}[status]; len(sent) != want {
			t.Errorf("%s is %s, and the gateway has %+v", p.TrackingCode, status, sent)
		}
		for _, one := range sent {
			if paid++; one.Status != bank.Done || harness.InLira(p.Amount) != one.Amount.Value.Fixed(2) || s.Till.Orders(one.Reference) != 1 {
				t.Errorf("%s of %s was ordered %d times, and became %+v", p.TrackingCode, p.Amount, s.Till.Orders(one.Reference), one)
			}
		}
		s.To.AwaitAll(t, []harness.Payment{p}, map[string]string{"COMPLETED": "completed", "FAILED": "failed"}[status])
	}
	if all := len(s.Till.State().Payouts); all != paid {
		t.Errorf("the gateway has %d payouts, and %d are of payments", all, paid)
	}
}

// TestKilledWhileGivingBack: the process is killed while the gateway gives money back and its answers are on their way.
// Every refund is made once.
func TestKilledWhileGivingBack(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		const refunds = 12
		s := in.OpenShop("VEZNE_CALLBACK_TIMEOUT=1s")
		made := make([]harness.Payment, refunds)
		for i := range made {
			made[i] = paidCard(t, s, fmt.Sprintf("%d.00", 100+i), "00")
		}
		seen := 0
		s.Till.DecideFates(func(c harness.TillCall) harness.Fate {
			if !c.IsOrder() {
				return harness.Answered
			}
			seen++
			return []harness.Fate{harness.Answered, harness.NeverAnswers}[seen%2]
		})
		for _, p := range made {
			s.Operator.Must(t, "refundTransaction", p.TrackingCode)
		}
		isMade := false
		defer func() {
			if isMade {
				return
			}
			for _, p := range made {
				t.Logf("%+v", s.Operator.At(t, p)) // what is known of those that are not
			}
		}()
		harness.Eventually(t, func() error {
			if n := len(s.Till.State().Refunds); n < refunds {
				return fmt.Errorf("the gateway has made %d refunds of %d", n, refunds)
			}
			return nil
		})
		isMade = true
		s.Till.DecideFates(func(harness.TillCall) harness.Fate { return harness.Answered })
		staff := replace(t, s, harness.NewFront(t), harness.Simulated, made)
		staff.UntilAll(t, refunds, func(g harness.GatewayTransaction) bool { return g.Status == "REFUNDED" && len(g.Discrepancies) == 0 })
		all := s.Till.State().Refunds
		for _, r := range all {
			if r.Status != bank.RefundDone || s.Till.Orders(r.Reference) != 1 {
				t.Errorf("%s was asked for %d times, and is %s", r.Reference, s.Till.Orders(r.Reference), r.Status)
			}
		}
		for _, p := range made {
			s.Provider.ExpectStatus(t, p, "refunded")
		}
		if len(all) != refunds {
			t.Errorf("the gateway has made %d refunds of %d", len(all), refunds)
		}
		s.Server.Stop(t)
	})
}

// TestKilledWhileCardsArePaid: the process is killed while customers are on their way to the gateway, on its pages and on
// their way back. They come again and pay; each has paid once.
func TestKilledWhileCardsArePaid(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		f := harness.NewFront(t)
		settings := append([]string{"VEZNE_BASE_URL=" + f.URL, "VEZNE_CALLBACK_TIMEOUT=1s"}, harness.Simulated...)
		first := in.Serve(settings...)
		f.Lead(t, first)
		s := &harness.Shop{In: in, Server: first, To: harness.NewReceiver(t, in.Keys.Provider, harness.Accept), Provider: in.Provider(first)}
		in.CallBack(first, s.To)
		s.Till = in.Till(first)
		made := make([]harness.Payment, harness.Crashed)
		harness.InParallel(t, harness.Crashed, 16, func(i int) (err error) {
			made[i], err = s.Provider.TryCard(fmt.Sprintf("%d.00", 100+i))
			return err
		})
		s.Till.DecideFates(harness.Losing("/v1/deposits"))
		away := make([]*harness.Visitor, harness.Crashed)
		customers := send(s, made, away)
		for range 2 * harness.StuckOfAKind {
			harness.Received(t, "a call that gets stuck", s.Till.Stuck)
		}
		first.Kill()
		customers.Wait()
		s.Till.DecideFates(func(harness.TillCall) harness.Fate { return harness.Answered })
		payWhileDown(away)

		staff := replace(t, s, f, settings, made) // the leases are over: what became of the starts is asked
		staff.UntilAll(t, harness.Crashed, func(g harness.GatewayTransaction) bool {
			return g.Status == "COMPLETED" || g.Last().Phase != "CALLING" || g.Last().Checks > 0
		})
		staff = replace(t, s, f, settings, made) // once more, about those that the gateway does not know
		harness.InParallel(t, harness.Crashed, 16, func(i int) error { return harness.Await(func() error { return finish(made[i]) }) })
		staff.UntilAll(t, harness.Crashed, func(g harness.GatewayTransaction) bool { return g.Status == "COMPLETED" && len(g.Discrepancies) == 0 })
		checkChargedOnce(t, s, made)
		s.Server.Stop(t)
	})
}

// send has customers begin to pay, in the background. Every second one gives a card, the others wait on the gateway's
// page. Some fail where the process is killed meanwhile.
func send(s *harness.Shop, made []harness.Payment, away []*harness.Visitor) *sync.WaitGroup {
	var next atomic.Int32
	return harness.StartLoad(16, func() bool {
		i := int(next.Add(1)) - 1
		if i >= len(made) {
			return false
		}
		v, err := made[i].Walk(harness.Press("begin"))
		if err == nil && i%2 == 0 {
			err = harness.WithCard(bank.TestCard("00"))(v)
		}
		if err == nil && i%2 == 1 {
			away[i] = v
		}
		return true
	})
}

// payWhileDown has those on the gateway's page pay while nobody is there to come back to.
func payWhileDown(away []*harness.Visitor) {
	for i, v := range away {
		if v != nil && i%4 == 1 {
			_ = harness.WithCard(bank.TestCard("00"))(v) // the way back leads to nobody
		}
	}
}

// finish is a customer who comes again: goes on where the page leads, and pays unless it is paid.
func finish(p harness.Payment) error {
	v := &harness.Visitor{}
	if err := v.Open(p.PaymentURL); err != nil {
		return err
	}
	if v.Shows("completed") == nil {
		return nil
	}
	err := errors.New("the page has no way to go on yet:\n" + v.Body())
	if _, _, hasBegin := harness.FindForm(v.Page, "begin"); hasBegin {
		err = v.Press("begin", nil)
	} else if strings.Contains(v.Page, `/go"`) {
		err = v.Open(p.PaymentURL + "/go")
	}
	if _, _, isAtGateway := harness.FindForm(v.Page, "card"); err == nil && isAtGateway {
		err = harness.WithCard(bank.TestCard("00"))(v)
	}
	if err == nil {
		err = v.Shows("completed")
	}
	return err
}

// checkChargedOnce compares every card payment with what the gateway has.
func checkChargedOnce(t *testing.T, s *harness.Shop, made []harness.Payment) {
	t.Helper()
	harness.Eventually(t, func() error { // an order that was begun anew is called off in the background
		for _, d := range s.Till.State().Deposits {
			if d.Status != bank.Paid && d.Status != bank.Canceled {
				return fmt.Errorf("the gateway still has an order %s that is %s", d.Reference, d.Status)
			}
		}
		return nil
	})
	for _, p := range made {
		charged := 0
		for _, d := range s.Till.State().Deposits {
			if strings.HasPrefix(d.Reference, p.OrderID) && d.Status == bank.Paid {
				charged++
			}
		}
		if charged != 1 {
			t.Errorf("%s was charged %d times", p.TrackingCode, charged)
		}
		s.Provider.ExpectStatus(t, p, "success")
	}
	s.To.AwaitAll(t, made, "success")
}
