package main

import (
	"math/rand/v2"
	"slices"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// writer writes the story of a seed: a few scenes that are told at the same time, each in its order, and what happens to
// the world meanwhile.
type writer struct {
	*rand.Rand
	id int
}

// scene is a part of a story: steps that come one after another.
type scene func(t *writer) []Step

// scenes are all there are; one that is there twice is told twice as often.
func scenes() []scene {
	return []scene{
		(*writer).twins, (*writer).twins, (*writer).transferIn, (*writer).transferIn, (*writer).takenBack, (*writer).atGateway,
		(*writer).atGateway, (*writer).sameMoney, (*writer).card, (*writer).card, (*writer).payout, (*writer).payout, (*writer).returned,
		(*writer).send, (*writer).manual, (*writer).manual, (*writer).byHand, (*writer).lateMoney, (*writer).outOfFunds, (*writer).tooSoon, (*writer).elsewhere, (*writer).redirected,
	}
}

// storyOf is the story of a seed.
func storyOf(seed uint64) Story {
	t := &writer{Rand: rand.New(rand.NewPCG(seed, 0x5eed))} //nolint:gosec // a simulation has to be told again
	all := scenes()
	var parts [][]Step
	for range 2 + t.IntN(4) {
		parts = append(parts, all[t.IntN(len(all))](t))
	}
	return Story{Seed: seed, Steps: t.told(parts)}
}

// told tells scenes at the same time.
func (t *writer) told(parts [][]Step) []Step {
	var steps []Step
	calm := t.IntN(3) // some worlds have little trouble
	for len(parts) > 0 {
		i := t.IntN(len(parts))
		for range 1 + t.IntN(3) {
			if len(parts[i]) > 0 {
				steps = append(steps, parts[i][0])
				parts[i] = parts[i][1:]
			}
		}
		if len(parts[i]) == 0 {
			parts = slices.Delete(parts, i, i+1)
		}
		steps = append(steps, t.between(calm)...)
	}
	return steps
}

// between is what happens between two steps of people.
func (t *writer) between(calm int) []Step {
	var steps []Step
	if t.IntN(3) > 0 {
		steps = append(steps, t.step(Step{Kind: "pass", N: t.pause()}))
	}
	if t.IntN(4) > 0 {
		steps = append(steps, t.step(Step{Kind: "sweep"}))
	}
	if t.IntN(6) < 5 {
		steps = append(steps, t.step(Step{Kind: "work", N: 1 + t.IntN(12)}))
	}
	if t.IntN(6) >= calm {
		return steps
	}
	return append(steps, t.trouble())
}

// pause is how many seconds pass: a moment, some minutes, hours, a day. Some clocks are set back a little.
func (t *writer) pause() int {
	switch n := t.IntN(20); {
	case n < 9:
		return 1 + t.IntN(5)
	case n < 14:
		return 10 + t.IntN(110)
	case n < 17:
		return 300 + t.IntN(2400)
	case n < 18:
		return 3600 * (1 + t.IntN(6))
	case n < 19:
		return 3600 * 25
	default:
		return -1 - t.IntN(3)
	}
}

// trouble is something that goes wrong.
func (t *writer) trouble() Step {
	switch t.IntN(9) {
	case 0:
		return t.step(Step{Kind: "crash"})
	case 1:
		return t.step(Step{Kind: "receivers", What: pick(t, "down", "up")})
	case 2:
		return t.step(Step{Kind: "down", N: 5 + t.IntN(600), To: t.IntN(2)})
	case 3:
		return t.step(Step{Kind: "mishap", What: string(pick(t, noticeLost, noticeLate, noticesSwapped, noticeTwice, noticeAstray)), N: 1 + t.IntN(2), To: t.IntN(2)})
	case 4, 5:
		return t.step(Step{Kind: "fault", N: 1 + t.IntN(6), What: string(pick(t,
			crashBeforeCommit, crashAfterCommit, commitRefused, commitUnheard))})
	case 6, 7:
		return t.step(Step{Kind: "fault", N: 1 + t.IntN(4), What: string(pick(t,
			callNotSent, callLost, callLost, callBroken, callSlow, callCrash, callMixedUp, callForgotten, callHTML, callRefusesKey))})
	default:
		return t.step(Step{Kind: "fault", N: 1 + t.IntN(3), What: string(pick(t,
			deliveryUnheard, deliveryCrash, deliveryRefused, lostWakeUp))})
	}
}

func pick[T any](t *writer, list ...T) T { return list[t.IntN(len(list))] }

// step numbers a step.
func (t *writer) step(s Step) Step {
	t.id++
	s.ID = t.id
	return s
}

// maybe is a step in one of n times.
func (t *writer) maybe(n int, s Step) []Step {
	if t.IntN(n) > 0 {
		return nil
	}
	return []Step{t.step(s)}
}

// say numbers steps.
func (t *writer) say(steps ...Step) []Step {
	for i := range steps {
		steps[i] = t.step(steps[i])
	}
	return steps
}

// start is a request for a payment of one of the first two owners.
func (t *writer) start(m payment.Method, minor int64) Step {
	s := Step{Kind: "start", What: string(m), Minor: minor, N: t.IntN(4), To: t.IntN(2)}
	if m == payment.BankWithdrawal && t.IntN(3) == 0 {
		s.N += 4 // through the second gateway
	}
	if m == payment.EIBANDeposit {
		s.To = 0 // the first owner's dealer has the wallet
	}
	return t.step(s)
}

// amount is one that people ask for, with kuruş that mean nothing to the gateway.
func (t *writer) amount() int64 { return int64(50+t.IntN(900)) * 100 }

func (t *writer) operator() string { return pick(t, "operator-1", "operator-2", "admin-1", "dealer-1") }

func (t *writer) financier() string { return pick(t, "finance-1", "finance-2", "admin-1", "admin-2") }

func (t *writer) secondPerson() Step {
	return Step{Kind: "second", Who: pick(t, "admin-1", "admin-2", "operator-2", "finance-2")}
}

// twins: a customer asks for the same deposit twice and pays once, or twice; staff may credit one by hand.
func (t *writer) twins() []Step {
	one := t.start(payment.EIBANDeposit, t.amount())
	two := one
	two = t.step(two)
	if t.IntN(4) == 0 {
		two.N = t.IntN(4)
	}
	steps := []Step{one, two}
	steps = append(steps, t.say(Step{Kind: "continue", Of: one.ID}, Step{Kind: "continue", Of: two.ID})...)
	steps = append(steps, t.maybe(2, Step{Kind: "claim-paid", Of: one.ID})...)
	byHand := t.maybe(2, Step{Kind: "approve", Of: pick(t, one.ID, two.ID), Who: t.operator()})
	seconds := t.maybe(2, t.secondPerson())
	pay := t.say(Step{Kind: "pay", Of: one.ID, What: pick(t, "", "no-code", "no-code", "other-name")})
	if t.IntN(2) == 0 {
		steps = append(append(append(steps, byHand...), seconds...), pay...)
	} else {
		steps = append(append(append(steps, pay...), byHand...), seconds...)
	}
	steps = append(steps, t.maybe(3, Step{Kind: "pay", Of: two.ID, What: pick(t, "", "no-code")})...)
	steps = append(steps, t.maybe(4, Step{Kind: "credit-line", Of: pay[0].ID, To: two.ID, Who: t.operator()})...)
	return append(steps, t.rest(3)...)
}

// rest is time in which what waits is worked on.
func (t *writer) rest(n int) []Step {
	var steps []Step
	for range n {
		steps = append(steps, t.say(Step{Kind: "pass", N: 31 + t.IntN(20)}, Step{Kind: "sweep"}, Step{Kind: "work", N: 10})...)
	}
	return steps
}

// transferIn: a deposit by IBAN whose customer pays as people do, or as cheats do.
func (t *writer) transferIn() []Step {
	s := t.start(payment.EIBANDeposit, t.amount())
	steps := append([]Step{s}, t.say(Step{Kind: "continue", Of: s.ID})...)
	steps = append(steps, t.maybe(5, Step{Kind: "continue", Of: s.ID, Minor: t.amount()})...)
	steps = append(steps, t.maybe(6, Step{Kind: "cancel", Of: s.ID})...)
	pay := Step{Kind: "pay", Of: s.ID, What: pick(t, "", "", "no-code", "other-name", "other-name no-code"), N: pick(t, 0, 0, 0, 3600, 80000)}
	if t.IntN(4) == 0 {
		pay.Minor = t.amount()
	}
	paid := t.say(pay)
	steps = append(steps, paid...)
	steps = append(steps, t.maybe(2, Step{Kind: "claim-paid", Of: s.ID})...)
	steps = append(steps, t.maybe(4, Step{Kind: "pay", Of: s.ID})...)
	steps = append(steps, t.maybe(3, Step{Kind: "credit-line", Of: paid[0].ID, To: s.ID, Who: t.operator()})...)
	steps = append(steps, t.maybe(6, Step{Kind: "set-aside", Of: paid[0].ID, Who: t.operator()})...)
	steps = append(steps, t.maybe(6, Step{Kind: "bring-back", Of: paid[0].ID, Who: t.operator()})...)
	steps = append(steps, t.maybe(6, Step{Kind: "approve", Of: s.ID, Who: t.operator()})...)
	steps = append(steps, t.maybe(4, t.secondPerson())...)
	return append(steps, t.maybe(5, Step{Kind: "reverse", Of: paid[0].ID})...)
}

// takenBack: money comes and is taken back, before or after somebody is credited with it.
func (t *writer) takenBack() []Step {
	s := t.start(payment.EIBANDeposit, t.amount())
	steps := append([]Step{s}, t.say(Step{Kind: "continue", Of: s.ID})...)
	paid := t.say(Step{Kind: "pay", Of: s.ID})
	steps = append(steps, paid...)
	steps = append(steps, t.maybe(2, Step{Kind: "work", N: 6})...)
	return append(append(steps, t.say(Step{Kind: "reverse", Of: paid[0].ID})...), t.rest(2)...)
}

// codes are what the kuruş of an order tell the gateway to do.
func (t *writer) codes(list ...int64) int64 { return t.amount() + pick(t, list...) }

// atGateway: a third-party deposit by bank, in all ways in which it can go.
func (t *writer) atGateway() []Step {
	s := t.start(payment.BankDeposit, t.codes(0, 0, 0, 4, 20, 21, 23, 25, 26, 26, 27, 29, 30, 31, 33, 40, 41, 42, 43, 44, 45, 46, 47, 60, 61, 62, 63, 64, 65))
	steps := append([]Step{s}, t.say(Step{Kind: "begin", Of: s.ID})...)
	steps = append(steps, t.maybe(6, Step{Kind: "begin", Of: s.ID, N: t.IntN(2)})...)
	steps = append(steps, t.maybe(5, Step{Kind: "cancel", Of: s.ID})...)
	steps = append(steps, t.maybe(5, Step{Kind: "approve", Of: s.ID, Who: t.operator()})...)
	steps = append(steps, t.maybe(6, Step{Kind: "gateway", Of: s.ID, What: pick(t, bank.Underpaid, bank.Overpaid, bank.Review)})...)
	return append(append(steps, t.rest(1)...), t.afterwards(s, bank.Reversed)...)
}

// afterwards is what staff and the gateway do about money that came.
func (t *writer) afterwards(s Step, back string) []Step {
	steps := t.maybe(5, Step{Kind: "gateway", Of: s.ID, What: back})
	steps = append(steps, t.maybe(2, Step{Kind: "resolve", Of: s.ID, Who: t.financier(), What: "accept", Minor: pick[int64](t, 0, 0, 99_999_00)})...)
	steps = append(steps, t.maybe(2, t.secondPerson())...)
	steps = append(steps, t.maybe(5, Step{Kind: "resolve", Of: s.ID, Who: t.financier(), What: "write_off"})...)
	steps = append(steps, t.maybe(4, Step{Kind: "refund-dispute", Of: s.ID, Who: t.financier()})...)
	if t.IntN(3) == 0 {
		who := t.financier()
		for range 1 + t.IntN(4) {
			steps = append(steps, t.say(Step{Kind: "refund", Of: s.ID, Who: who, Minor: int64(20+t.IntN(80)) * 100})...)
		}
	}
	return append(steps, t.maybe(6, Step{Kind: "refund-twice", Of: s.ID, Who: t.financier(), Minor: 20_00})...)
}

// sameMoney: a customer asks for two deposits of one amount, through a gateway and to a wallet, and pays once. The wallet
// is one at the account that the gateway collects on, if Vezne lets staff make it.
func (t *writer) sameMoney() []Step {
	amount, who := t.amount(), t.IntN(4)
	wallet := t.say(Step{Kind: "wallet", Who: "admin-1"}, Step{Kind: "second", Who: "admin-2"})
	one := t.step(Step{Kind: "start", What: string(payment.EIBANDeposit), Minor: amount, N: who, To: 2})
	two := t.step(Step{Kind: "start", What: string(payment.BankDeposit), Minor: amount, N: who, To: 2})
	steps := slices.Concat(wallet, []Step{one, two})
	return append(append(steps, t.say(Step{Kind: "continue", Of: one.ID}, Step{Kind: "begin", Of: two.ID})...), t.rest(2)...)
}

// card: a payment by card, which the gateway may say was paid, failed, or is disputed.
func (t *writer) card() []Step {
	s := t.start(payment.CreditCard, t.codes(0, 0, 5, 40, 42, 43, 45, 46))
	steps := append([]Step{s}, t.say(Step{Kind: "begin", Of: s.ID})...)
	steps = append(steps, t.maybe(8, Step{Kind: "cancel", Of: s.ID})...)
	steps = append(steps, t.say(Step{Kind: "gateway", Of: s.ID, What: pick(t, bank.Paid, bank.Paid, bank.Paid, bank.Failed, bank.Underpaid, bank.Review)})...)
	steps = append(steps, t.maybe(2, Step{Kind: "return", Of: s.ID})...)
	return append(append(steps, t.rest(1)...), t.afterwards(s, bank.Disputed)...)
}

// payout: a withdrawal through the gateway.
func (t *writer) payout() []Step {
	minor := t.codes(0, 0, 1, 2, 10, 11, 12, 13, 14, 16, 17, 35, 40, 41, 42, 43, 44, 45, 46, 47)
	if t.IntN(4) == 0 {
		minor += 2000_00 // waits for staff
	}
	s := t.start(payment.BankWithdrawal, minor)
	steps := []Step{s}
	steps = append(steps, t.maybe(6, Step{Kind: "repeat", Of: s.ID})...)
	steps = append(steps, t.maybe(2, Step{Kind: "approve-payout", Of: s.ID, Who: t.operator()})...)
	steps = append(steps, t.maybe(8, Step{Kind: "reject-payout", Of: s.ID, Who: t.operator()})...)
	steps = append(steps, t.rest(1)...)
	steps = append(steps, t.maybe(3, Step{Kind: "gateway", Of: s.ID, What: bank.Returned})...)
	return append(steps, t.maybe(6, Step{Kind: "resolve", Of: s.ID, Who: t.financier(), What: pick(t, "accept", "write_off")})...)
}

// returned: a payout is done and comes back, and just then the gateway can't be asked.
func (t *writer) returned() []Step {
	s := t.start(payment.BankWithdrawal, t.amount())
	steps := append([]Step{s}, t.rest(2)...)
	steps = append(steps, t.say(Step{Kind: "gateway", Of: s.ID, What: bank.Returned})...)
	steps = append(steps, t.maybe(2, Step{Kind: "fault", What: string(pick(t, callNotSent, callBroken, callHTML)), N: 1})...)
	return append(steps, t.say(Step{Kind: "pass", N: 2}, Step{Kind: "work", N: 3}, Step{Kind: "work", N: 3})...)
}

// send: a dealer sends money from its wallet.
func (t *writer) send() []Step {
	steps := t.say(Step{
		Kind: "transfer", Minor: t.codes(0, 0, 1, 2, 10, 11, 12, 16, 17, 35, 40, 42, 43, 45, 46) + pick[int64](t, 0, 0, 60_000_00),
	})
	s := steps[0]
	steps = append(steps, t.maybe(3, Step{Kind: "gateway", Of: s.ID, What: pick(t, bank.Returned, bank.Rejected)})...)
	return append(steps, t.rest(1)...)
}

// manual: a deposit that rests on the word of staff, and a customer who changes its amount while they look.
func (t *writer) manual() []Step {
	s := t.start(payment.ManualDeposit, t.amount())
	who := t.operator()
	steps := []Step{s}
	if t.IntN(8) > 0 {
		steps = append(steps, t.say(Step{Kind: "continue", Of: s.ID})...)
	}
	if t.IntN(3) == 0 {
		steps = append(steps, t.say(Step{Kind: "look", Of: s.ID, Who: who}, Step{Kind: "continue", Of: s.ID, Minor: t.amount()})...)
	}
	steps = append(steps, t.maybe(2, Step{Kind: "claim-paid", Of: s.ID})...)
	steps = append(steps, t.maybe(6, Step{Kind: "cancel", Of: s.ID})...)
	steps = append(steps, t.maybe(8, Step{Kind: "reject", Of: s.ID, Who: t.operator()})...)
	steps = append(steps, t.say(Step{Kind: "approve", Of: s.ID, Who: who, Minor: pick(t, 0, 0, 0, t.amount(), 999_999_99)})...)
	steps = append(steps, t.maybe(2, t.secondPerson())...)
	return append(steps, t.maybe(8, Step{Kind: "refuse", Who: "admin-2"})...)
}

// byHand: a withdrawal that staff pay themselves.
func (t *writer) byHand() []Step {
	s := t.start(pick(t, payment.ManualWithdrawal, payment.EIBANWithdrawal), t.amount()*pick(t, int64(1), 10))
	one, two := t.operator(), t.operator()
	steps := append([]Step{s}, t.say(Step{Kind: "claim", Of: s.ID, Who: one})...)
	steps = append(steps, t.maybe(4, Step{Kind: "release", Of: s.ID, Who: one})...)
	steps = append(steps, t.maybe(3, Step{Kind: "pass", N: 1000})...)
	steps = append(steps, t.maybe(3, Step{Kind: "claim", Of: s.ID, Who: two})...)
	steps = append(steps, t.say(Step{Kind: "pay-out", Of: s.ID, Who: one}, Step{Kind: "complete", Of: s.ID, Who: one})...)
	steps = append(steps, t.maybe(3, Step{Kind: "pass", N: 1000})...)
	steps = append(steps, t.maybe(2, Step{Kind: "claim", Of: s.ID, Who: two})...)
	steps = append(steps, t.maybe(2, t.secondPerson())...)
	steps = append(steps, t.say(Step{Kind: "pay-out", Of: s.ID, Who: two})...)
	steps = append(steps, t.maybe(6, Step{Kind: "fail", Of: s.ID, Who: two})...)
	return append(steps, t.maybe(8, Step{Kind: "reject-paying", Of: s.ID, Who: two})...)
}

// lateMoney: a deposit is called off while its receiver is down, and then its money is accepted.
func (t *writer) lateMoney() []Step {
	s := t.start(payment.EIBANDeposit, t.amount())
	steps := append([]Step{s}, t.say(Step{Kind: "continue", Of: s.ID}, Step{Kind: "receivers", What: "down"}, Step{Kind: "cancel", Of: s.ID})...)
	steps = append(steps, t.maybe(2, Step{Kind: "work", N: 5})...)
	paid := t.say(Step{Kind: "pay", Of: s.ID})
	steps = append(append(steps, paid...), t.rest(1)...)
	steps = append(steps, t.say(Step{Kind: "receivers", What: "up"}, Step{Kind: "credit-line", Of: paid[0].ID, To: s.ID, Who: t.financier()})...)
	return append(steps, t.say(Step{Kind: "work", N: 8})...)
}

// outOfFunds: a payout that the gateway never has the money for.
func (t *writer) outOfFunds() []Step {
	s := t.start(payment.BankWithdrawal, t.amount()+10)
	steps := append([]Step{s}, t.rest(1)...)
	return append(steps, t.maybe(2, Step{Kind: "reject-payout", Of: s.ID, Who: t.operator()})...)
}

// tooSoon: staff credit by hand what a gateway is about to report, and give back what then seems to be too much.
func (t *writer) tooSoon() []Step {
	s := t.start(payment.BankDeposit, t.codes(0, 0, 20, 27))
	steps := append([]Step{s}, t.say(Step{Kind: "begin", Of: s.ID}, Step{Kind: "approve", Of: s.ID, Who: t.operator()})...)
	steps = append(append(steps, t.maybe(2, t.secondPerson())...), t.rest(2)...)
	return append(steps, t.say(Step{Kind: "refund-dispute", Of: s.ID, Who: t.financier()})...)
}

// elsewhere: a customer goes to one gateway and then to the other, and may pay at both.
func (t *writer) elsewhere() []Step {
	s := t.start(pick(t, payment.BankDeposit, payment.CreditCard), t.codes(0, 5, 20, 27))
	steps := append([]Step{s}, t.say(Step{Kind: "begin", Of: s.ID}, Step{Kind: "begin", Of: s.ID, N: 1})...)
	steps = append(steps, t.maybe(2, Step{Kind: "gateway", Of: s.ID, What: bank.Paid, N: 1})...)
	steps = append(steps, t.maybe(2, Step{Kind: "gateway", Of: s.ID, What: bank.Paid})...)
	return append(append(steps, t.rest(1)...), t.afterwards(s, bank.Reversed)...)
}

// redirected: one of the staff leads money elsewhere, for the time in which something is paid; another may agree.
func (t *writer) redirected() []Step {
	who := pick(t, "admin-1", "admin-2", "finance-1", "operator-1", "dealer-1")
	owner := t.IntN(3)
	what := pick(t, []string{"dealer of site"}, []string{"new IBAN"}, []string{"holder"}, []string{"limits"}, []string{"callback"},
		[]string{"provider off", "provider on"}, []string{"route"}, []string{"gateway off", "gateway on"})
	var steps []Step
	for _, w := range what {
		steps = append(steps, t.say(Step{Kind: "redirect", Who: who, What: w, N: owner})...)
	}
	steps = append(steps, t.maybe(2, t.secondPerson())...)
	paid := t.start(pick(t, payment.ManualDeposit, payment.BankDeposit, payment.CreditCard), t.amount())
	steps = append(append(steps, paid), t.say(Step{Kind: "continue", Of: paid.ID}, Step{Kind: "begin", Of: paid.ID, N: t.IntN(2)})...)
	return append(steps, t.maybe(2, Step{Kind: "approve", Of: paid.ID, Who: t.operator()})...)
}
