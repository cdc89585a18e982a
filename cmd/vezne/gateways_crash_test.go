package main_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// Sizes of the crashes: more payments than one process works on at once, and fewer stuck calls than that.
const (
	crashed      = 60
	stuckOfAKind = 4
)

// losing lets the calls that order something pass, but for some: of those, half are lost on their way, and of half the
// answer is lost.
func losing(path string) func(tillCall) fate {
	seen, lost := 0, map[fate]int{}
	return func(c tillCall) fate {
		if c.method != http.MethodPost || c.path != path {
			return answered
		}
		seen++
		for f, every := range map[fate]int{neverArrives: 1, neverAnswers: 2} {
			if seen%4 == every && lost[f] < stuckOfAKind {
				lost[f]++
				return f
			}
		}
		return answered
	}
}

// TestKilledWhilePayingOut: the process is killed again and again while payouts leave, between its commit and the call,
// and while the gateway hangs. Every payout ends once; none is sent twice. Where the gateway does not know one, staff
// look there, and decide.
func TestKilledWhilePayingOut(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		f := newFront(t)
		settings := append([]string{"VEZNE_BASE_URL=" + f.URL, "VEZNE_CALLBACK_TIMEOUT=1s"}, simulated...)
		api := in.serve(append(settings, "VEZNE_ROLE=api")...)
		f.lead(t, api)
		s := &shop{in: in, server: api, to: newReceiver(t, in.keys.Provider, accept), provider: in.provider(api)}
		in.callBack(api, s.to)
		s.till = in.silentTill(api)
		made := make([]payment, crashed)
		inParallel(t, crashed, 16, func(i int) (err error) {
			kind := []string{"bank", "wallet", "crypto"}[i%3]
			made[i], err = s.provider.tryPayout(kind, fmt.Sprintf("%d.00", 1500+i), in.keys.Sandbox.GatewayID, payoutKinds[kind].to("00"))
			return err
		})
		in.signIn(api, "operator").decideAll(t, "approvePayout", made[:crashed-10])
		s.till.decideFates(losing("/v1/payouts"))
		s.replace(t, f, settings, made)
		for range 2 * stuckOfAKind {
			received(t, "a call that gets stuck", s.till.stuck)
		}
		s.server.kill()
		s.till.decideFates(func(tillCall) fate { return answered })

		staff := s.replace(t, f, settings, made) // the leases are over: what became of those is asked
		staff.decideAll(t, "approvePayout", made[crashed-10:])
		staff.untilAll(t, crashed, func(g gatewayTransaction) bool {
			return g.Status == "completed" || g.last().Phase == "calling" && g.last().Checks > 0
		})
		staff = s.replace(t, f, settings, made) // a second look at those that the gateway does not know
		staff.untilAll(t, crashed, func(g gatewayTransaction) bool {
			return g.Status == "completed" || len(g.Discrepancies) == 1 && g.Discrepancies[0].Kind == "missing_payout"
		})
		s.settleMissing(t, staff)
		s.checkPaidOnce(t, staff, made)
		s.server.stop(t)
	})
}

// silentTill is a till that tells of nothing: whatever became of an order has to be asked.
func (in *installation) silentTill(p *process) *till {
	in.t.Helper()
	g := newTill(in.t, in.keys.Sandbox, "")
	in.signIn(p, "admin").updateGateway(in.t, in.keys.Sandbox.GatewayID, map[string]any{
		"config": []any{map[string]any{"name": "base_url", "value": g.url}},
	})
	return g
}

// replace kills the process, lets time pass, and starts another one.
func (s *shop) replace(t *testing.T, f *front, settings []string, made []payment) staff {
	t.Helper()
	s.server.kill()
	s.in.bringForward(made)
	s.server = s.in.serve(settings...)
	f.lead(t, s.server)
	s.provider = s.in.provider(s.server)
	return s.in.signIn(s.server, "operator")
}

// settleMissing does what staff do about payouts that the gateway does not know: look there, and write them off.
func (s *shop) settleMissing(t *testing.T, operator staff) {
	t.Helper()
	missing := operator.open(t)
	if len(missing) < stuckOfAKind {
		t.Errorf("%d payouts are missing, and %d never arrived", len(missing), stuckOfAKind)
	}
	for _, d := range missing {
		if sent := s.sent(payment{TrackingCode: d.TrackingCode}); len(sent) > 0 {
			t.Errorf("%s counts as missing, and the gateway has %+v", d.TrackingCode, sent)
		}
		operator.resolve(t, d, "write_off", "bankada yok")
	}
}

// checkPaidOnce compares every payout with what the gateway has.
func (s *shop) checkPaidOnce(t *testing.T, operator staff, made []payment) {
	t.Helper()
	paid := 0
	final := operator.untilAll(t, len(made), func(g gatewayTransaction) bool { return g.Status == "completed" || g.Status == "failed" })
	for _, p := range made {
		status, sent := final[p.TrackingCode].Status, s.sent(p)
		if want := map[string]int{"completed": 1, "failed": 0}[status]; len(sent) != want {
			t.Errorf("%s is %s, and the gateway has %+v", p.TrackingCode, status, sent)
		}
		for _, one := range sent {
			if paid++; one.Status != bank.Done || inLira(p.Amount) != one.Amount.Value.Fixed(2) || s.till.orders(one.Reference) != 1 {
				t.Errorf("%s of %s was ordered %d times, and became %+v", p.TrackingCode, p.Amount, s.till.orders(one.Reference), one)
			}
		}
		s.to.awaitAll(t, []payment{p}, status)
	}
	if all := len(s.till.State().Payouts); all != paid {
		t.Errorf("the gateway has %d payouts, and %d are of payments", all, paid)
	}
}

// TestKilledWhileGivingBack: the process is killed while the gateway gives money back and its answers are on their way.
// Every refund is made once.
func TestKilledWhileGivingBack(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		const refunds = 12
		s := in.openShop("VEZNE_CALLBACK_TIMEOUT=1s")
		made := make([]payment, refunds)
		for i := range made {
			made[i] = s.paidCard(t, fmt.Sprintf("%d.00", 100+i), "00")
		}
		seen := 0
		s.till.decideFates(func(c tillCall) fate {
			if !c.isOrder() {
				return answered
			}
			seen++
			return []fate{answered, neverAnswers}[seen%2]
		})
		for _, p := range made {
			s.operator.must(t, "refundTransaction", p.TrackingCode)
		}
		eventually(t, func() error {
			if n := len(s.till.State().Refunds); n < refunds {
				return fmt.Errorf("the gateway has made %d refunds of %d", n, refunds)
			}
			return nil
		})
		s.till.decideFates(func(tillCall) fate { return answered })
		staff := s.replace(t, newFront(t), simulated, made)
		staff.untilAll(t, refunds, func(g gatewayTransaction) bool { return g.Status == "refunded" && len(g.Discrepancies) == 0 })
		all := s.till.State().Refunds
		for _, r := range all {
			if r.Status != bank.RefundDone || s.till.orders(r.Reference) != 1 {
				t.Errorf("%s was asked for %d times, and is %s", r.Reference, s.till.orders(r.Reference), r.Status)
			}
		}
		for _, p := range made {
			s.provider.expectStatus(t, p, "refunded")
		}
		if len(all) != refunds {
			t.Errorf("the gateway has made %d refunds of %d", len(all), refunds)
		}
		s.server.stop(t)
	})
}

// TestKilledWhileCardsArePaid: the process is killed while customers are on their way to the gateway, on its pages and on
// their way back. They come again and pay; each has paid once.
func TestKilledWhileCardsArePaid(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		f := newFront(t)
		settings := append([]string{"VEZNE_BASE_URL=" + f.URL, "VEZNE_CALLBACK_TIMEOUT=1s"}, simulated...)
		first := in.serve(settings...)
		f.lead(t, first)
		s := &shop{in: in, server: first, to: newReceiver(t, in.keys.Provider, accept), provider: in.provider(first)}
		in.callBack(first, s.to)
		s.till = in.till(first)
		made := make([]payment, crashed)
		inParallel(t, crashed, 16, func(i int) (err error) {
			made[i], err = s.provider.tryCard(fmt.Sprintf("%d.00", 100+i))
			return err
		})
		s.till.decideFates(losing("/v1/deposits"))
		away := make([]*visitor, crashed)
		customers := s.send(made, away)
		for range 2 * stuckOfAKind {
			received(t, "a call that gets stuck", s.till.stuck)
		}
		first.kill()
		customers.Wait()
		s.till.decideFates(func(tillCall) fate { return answered })
		payWhileDown(away)

		staff := s.replace(t, f, settings, made) // the leases are over: what became of the starts is asked
		staff.untilAll(t, crashed, func(g gatewayTransaction) bool {
			return g.Status == "success" || g.last().Phase != "calling" || g.last().Checks > 0
		})
		staff = s.replace(t, f, settings, made) // once more, about those that the gateway does not know
		inParallel(t, crashed, 16, func(i int) error { return await(func() error { return made[i].finish() }) })
		staff.untilAll(t, crashed, func(g gatewayTransaction) bool { return g.Status == "success" && len(g.Discrepancies) == 0 })
		s.checkChargedOnce(t, made)
		s.server.stop(t)
	})
}

// send has customers begin to pay, in the background. Every second one gives a card, the others wait on the gateway's
// page. Some fail where the process is killed meanwhile.
func (s *shop) send(made []payment, away []*visitor) *sync.WaitGroup {
	var next atomic.Int32
	return startLoad(16, func() bool {
		i := int(next.Add(1)) - 1
		if i >= len(made) {
			return false
		}
		v, err := made[i].walk(press("begin"))
		if err == nil && i%2 == 0 {
			err = withCard(bank.TestCard("00"))(v)
		}
		if err == nil && i%2 == 1 {
			away[i] = v
		}
		return true
	})
}

// payWhileDown has those on the gateway's page pay while nobody is there to come back to.
func payWhileDown(away []*visitor) {
	for i, v := range away {
		if v != nil && i%4 == 1 {
			_ = withCard(bank.TestCard("00"))(v) // the way back leads to nobody
		}
	}
}

// finish is a customer who comes again: goes on where the page leads, and pays unless it is paid.
func (p payment) finish() error {
	v := &visitor{}
	if err := v.open(p.PaymentURL); err != nil {
		return err
	}
	if v.shows("completed") == nil {
		return nil
	}
	err := errors.New("the page has no way to go on yet:\n" + v.body())
	if _, _, hasBegin := findForm(v.page, "begin"); hasBegin {
		err = v.press("begin", nil)
	} else if strings.Contains(v.page, `/go"`) {
		err = v.open(p.PaymentURL + "/go")
	}
	if _, _, isAtGateway := findForm(v.page, "card"); err == nil && isAtGateway {
		err = withCard(bank.TestCard("00"))(v)
	}
	if err == nil {
		err = v.shows("completed")
	}
	return err
}

// checkChargedOnce compares every card payment with what the gateway has.
func (s *shop) checkChargedOnce(t *testing.T, made []payment) {
	t.Helper()
	eventually(t, func() error { // an order that was begun anew is called off in the background
		for _, d := range s.till.State().Deposits {
			if d.Status != bank.Paid && d.Status != bank.Canceled {
				return fmt.Errorf("the gateway still has an order %s that is %s", d.Reference, d.Status)
			}
		}
		return nil
	})
	for _, p := range made {
		charged := 0
		for _, d := range s.till.State().Deposits {
			if strings.HasPrefix(d.Reference, p.OrderID) && d.Status == bank.Paid {
				charged++
			}
		}
		if charged != 1 {
			t.Errorf("%s was charged %d times", p.TrackingCode, charged)
		}
		s.provider.expectStatus(t, p, "success")
	}
	s.to.awaitAll(t, made, "success")
}
