package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// action is what a kind of step does; it says what came of it.
type action func(w *World, s Step) string

// actions are all kinds of steps.
var actions = map[string]action{
	// Providers and dealers.
	"start": (*World).start, "repeat": (*World).repeat, "transfer": (*World).transfer,
	// Customers.
	"continue": (*World).amount, "claim-paid": (*World).claimPaid, "cancel": (*World).cancel, "begin": (*World).begin,
	"pay": (*World).pay, "return": (*World).comeBack,
	// The bank and gateway.
	"gateway": (*World).fire, "reverse": (*World).reverse, "down": (*World).down, "mishap": (*World).mishap,
	// The world.
	"pass": (*World).wait, "work": (*World).workSome, "sweep": (*World).sweepOnce, "crash": (*World).crash, "fault": (*World).arm,
	"receivers": (*World).receivers,
}

// act does a step. Those of staff go through staffAct, for a request that waits is one of theirs.
func (w *World) act(s Step) string {
	if do := actions[s.Kind]; do != nil {
		return do(w, s)
	}
	if _, isStaff := staffActions()[s.Kind]; isStaff {
		return w.byStaff(s)
	}
	return "no such step"
}

// payment is what a step has made; false when there is none.
func (w *World) payment(step int) (payment.Payment, bool) {
	one := w.made[step]
	if one == nil || one.payment.ID == "" {
		return payment.Payment{}, false
	}
	if now, isThere := w.mirror.payments[one.payment.ID]; isThere {
		now.Token = one.payment.Token
		return now, true
	}
	return one.payment, true
}

const nothing = "there is nothing"

// customers are who pays. Two of them have one name.
func customers() []owner.Customer {
	return []owner.Customer{
		{UserID: "u-1", Username: "ayse", Fullname: "Ayşe Yılmaz"}, {UserID: "u-2", Username: "mehmet", Fullname: "Mehmet Kaya"},
		{UserID: "u-3", Username: "zeynep", Fullname: "Zeynep Demir"}, {UserID: "u-4", Username: "ayse2", Fullname: "Ayşe Yılmaz"},
	}
}

// start is a request for a payment: What is the method, To the owner, N the customer and, of a payout, the gateway. It has
// an idempotency key.
func (w *World) start(s Step) string { return w.request(s, s.ID) }

// repeat sends the request of another step again.
func (w *World) repeat(s Step) string {
	first, ok := w.asked[s.Of]
	if !ok {
		return nothing
	}
	return w.request(first, s.Of)
}

func (w *World) request(s Step, key int) string {
	w.asked[s.ID] = s
	made := &made{seen: map[string]payment.Payment{}}
	c := app.Creation{
		Request: payment.Request{
			Method: payment.Method(s.What), Provider: w.mirror.provider(s.To, w.cast), Site: w.mirror.site(s.To, w.cast), Amount: money.New(s.Minor, money.TRY),
			Customer: customers()[s.N%len(customers())], Language: lang.EN, IBAN: payeeIBAN,
		},
		Once: &app.Once{
			Key:         payment.IdempotencyKey{Caller: "provider/" + fmt.Sprint(s.To), Endpoint: s.What, Key: fmt.Sprint(key)},
			RequestHash: fmt.Sprint(s.What, s.Minor, s.N),
		},
		Render: func(p payment.Payment) (app.Answer, error) {
			made.payment = p
			return app.Answer{Status: 200, Body: []byte(p.TrackingCode)}, nil
		},
	}
	answer, err := w.create(c, s.N/len(customers())%bankCount)
	if err != nil || w.process.isDead {
		w.adopt(key, made)
		return outcome(orDead(err), "")
	}
	return w.answered(key, string(answer.Body), made)
}

// orDead is an error also where only the process has died.
func orDead(err error) error {
	if err == nil {
		return errDead
	}
	return err
}

// payeeIBAN is where withdrawals go, unless a test IBAN says otherwise.
const payeeIBAN = "TR330006100519786457841326"

// create calls the use case of the method, as the REST handlers do; at is the gateway of a payout.
func (w *World) create(c app.Creation, at int) (app.Answer, error) {
	p := w.process
	switch c.Method.Kind() {
	case payment.Withdrawal:
		if c.Method == payment.ManualWithdrawal && c.Customer.UserID == "u-2" { // D3
			c.Dealer, c.Provider, c.Site = w.cast.dealers[0], owner.Provider{}, owner.Site{}
			return p.dealers.Withdraw(w.ctx, c)
		}
		return p.withdrawals.Start(w.ctx, c)
	case payment.Card:
		c.Payer = payment.CardPayer{FirstName: "Ayşe", LastName: "Yılmaz", Email: "ayse@example.com", Phone: "+905551112233"}
		return p.cards.Start(w.ctx, c)
	case payment.Payout:
		return p.operations.StartPayout(w.ctx, operation.PayoutRequest{
			Creation: c, GatewayID: w.cast.gateways[at].ID, Values: map[string]string{"iban": c.IBAN},
		})
	default:
		if c.Method == payment.ManualDeposit && c.Customer.UserID == "u-3" { // D2
			c.Dealer, c.Provider, c.Site = w.cast.dealers[0], owner.Provider{}, owner.Site{}
			return p.dealers.Offer(w.ctx, c, core.System)
		}
		return p.deposits.Start(w.ctx, c)
	}
}

// answered notes what a request was answered. The same request gets the same answer, for as long as its key is known.
func (w *World) answered(key int, code string, made *made) string {
	name := fmt.Sprint("request ", key)
	before := w.truth.answered[name]
	if n := len(before); n == 0 || before[n-1].code != code {
		w.truth.answered[name] = append(before, answer{code, w.clock.Now()})
		if known := payment.IdempotencyWindow - time.Hour; n > 0 && w.clock.Now().Sub(before[n-1].at) < known {
			w.fail(sameAnswer, "%s was answered %s, and now %s", name, before[n-1].code, code)
		}
	}
	if made.payment.TrackingCode == code {
		w.adopt(key, made)
	}
	return "answered " + code
}

// adopt lets other steps name what was made, if anything was.
func (w *World) adopt(key int, made *made) {
	if _, isThere := w.mirror.payments[made.payment.ID]; isThere && w.made[key] == nil {
		w.made[key] = made
	}
}

// transfer is a dealer's wish to send money (D6): To is the dealer.
func (w *World) transfer(s Step) string {
	w.asked[s.ID] = s
	made := &made{seen: map[string]payment.Payment{}}
	_, err := w.process.wallets.Send(w.ctx, wallet.Sending{
		WalletID: w.cast.wallets[s.To].WalletID, Recipient: "Ayşe Yılmaz", Description: "Invoice",
		Creation: app.Creation{
			Request: payment.Request{Dealer: w.cast.dealers[s.To], Amount: money.New(s.Minor, money.TRY), IBAN: payeeIBAN, Language: lang.EN},
			Render: func(p payment.Payment) (app.Answer, error) {
				made.payment = p
				return app.Answer{Status: 200, Body: []byte(p.TrackingCode)}, nil
			},
		},
	})
	w.adopt(s.ID, made)
	if err != nil || w.process.isDead {
		return outcome(orDead(err), "")
	}
	return w.answered(s.ID, made.payment.TrackingCode, made)
}

// amount is a customer who settles an amount on the page.
func (w *World) amount(s Step) string {
	p, ok := w.payment(s.Of)
	if !ok || p.Token == "" {
		return nothing
	}
	amount := p.Amount
	if s.Minor > 0 {
		amount = money.New(s.Minor, money.TRY)
	}
	now, err := w.process.deposits.Continue(w.ctx, p, amount)
	return outcome(err, "%s to %s", now.Amount, now.Account.IBAN)
}

func (w *World) claimPaid(s Step) string {
	p, ok := w.payment(s.Of)
	if !ok || p.Token == "" {
		return nothing
	}
	now, err := w.process.deposits.ClaimPaid(w.ctx, p)
	return outcome(err, "%s", now.Status)
}

func (w *World) cancel(s Step) string {
	p, ok := w.payment(s.Of)
	if !ok || p.Token == "" {
		return nothing
	}
	if p.Method.Gateway() != "" {
		now, err := w.process.operations.Cancel(w.ctx, p.Token)
		return outcome(err, "%s", now.Status)
	}
	now, err := w.process.deposits.Cancel(w.ctx, p)
	return outcome(err, "%s", now.Status)
}

// begin is a customer who goes to a gateway: the one of number N.
func (w *World) begin(s Step) string {
	p, ok := w.payment(s.Of)
	if !ok || p.Token == "" || p.Method.Gateway() == "" {
		return nothing
	}
	_, o, err := w.process.operations.Begin(w.ctx, operation.Begin{Token: p.Token, Kind: p.Method.Gateway(), GatewayID: w.cast.gateways[s.N%bankCount].ID})
	return outcome(err, "%s: %s", o.Reference, o.Phase)
}

// comeBack is a customer's browser that comes back from the gateway.
func (w *World) comeBack(s Step) string {
	o, ok := w.operation(s.Of, coreoperation.DepositOperation)
	if !ok {
		return nothing
	}
	_, err := w.process.operations.Return(w.ctx, o.ReturnToken, inbound())
	return outcome(err, "back")
}

// operation is the last one of a kind of what a step has made.
func (w *World) operation(step int, kind coreoperation.Kind) (found coreoperation.Operation, ok bool) {
	p, _ := w.payment(step)
	for _, id := range w.mirror.operationsOf[p.ID] {
		if o := w.mirror.operations[id]; o.Kind == kind {
			found, ok = o, true
		}
	}
	return found, ok
}

// pay is somebody who sends money to the account that a deposit shows. What says how: with another name, another
// deposit's code, or none; N is how many seconds ago the bank says that it came.
func (w *World) pay(s Step) string {
	p, ok := w.payment(s.Of)
	if !ok || p.Account.AccountID == 0 {
		return nothing
	}
	amount := p.Amount
	if s.Minor > 0 {
		amount = money.New(s.Minor, money.TRY)
	}
	name, text := p.Customer.Fullname, p.TrackingCode
	if strings.Contains(s.What, "other-name") {
		name = "Ali Veli Ticaret"
	}
	if strings.Contains(s.What, "no-code") {
		text = ""
	}
	if other, isThere := w.payment(s.To); isThere && strings.Contains(s.What, "other-code") {
		text = other.TrackingCode
	}
	at := slices.Index(bankIBANs[:], p.Account.IBAN)
	if at < 0 {
		return "to an account of another bank" // a manual account: what came there is a person's word
	}
	line, err := w.banks[at/accountsEach].Book(accountID(at), bank.Line{
		Direction: bank.Incoming, Amount: bank.Money{Value: amount.Decimal(), Currency: money.TRY.Code}, Text: text,
		Party: bank.Party{Name: name, IBAN: bank.TurkishIBAN("99990", fmt.Sprint(100+s.N%7))}, BookedAt: w.clock.Now().Add(-seconds(s.N)),
	})
	if err != nil {
		return err.Error()
	}
	w.made[s.ID] = &made{line: line}
	return "line " + line.ID
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// fire is something that happens at the gateway to what a step has made: What is the event. With N it happens to what was
// ordered first.
func (w *World) fire(s Step) string {
	kind := coreoperation.DepositOperation
	if p, _ := w.payment(s.Of); p.Method.Kind() == payment.Payout || p.Method.Kind() == payment.Transfer {
		kind = coreoperation.PayoutOperation
	}
	o, ok := w.operation(s.Of, kind)
	if !ok {
		return nothing
	}
	if s.N > 0 {
		o = w.mirror.operations[w.mirror.operationsOf[o.PaymentID][0]]
	}
	if !w.mayHappen(string(o.Reference), s.What) {
		return "it can't happen now"
	}
	if err := w.bankOf(o.GatewayID).Fire(string(o.Reference), s.What); err != nil {
		return err.Error()
	}
	return string(o.Reference) + " is " + s.What
}

// mayHappen keeps the gateway to what a gateway can do: money goes back only where it was, and is paid where it may be.
func (w *World) mayHappen(ref, event string) bool {
	state := w.look()
	for _, d := range state.Deposits {
		if d.Reference == ref {
			isPaid := d.Status == bank.Paid || d.Status == bank.Overpaid
			return isReturned(event) && isPaid && d.Paid != nil || !isReturned(event) && (d.Status == bank.Waiting || d.Status == bank.Processing)
		}
	}
	for _, p := range state.Payouts {
		if p.Reference == ref {
			return event == bank.Returned && p.Status == bank.Done || event == bank.Rejected && p.Status == bank.Sent
		}
	}
	return false
}

// reverse takes a line back that a step has made.
func (w *World) reverse(s Step) string {
	one := w.made[s.Of]
	if one == nil || one.line.ID == "" {
		return nothing
	}
	if _, isDone := w.truth.reversed[one.line.ID]; isDone {
		return "it is taken back already"
	}
	at := slices.IndexFunc(w.banks, func(b *bank.Bank) bool { _, ok := lineIn(b.State(), one.line.ID); return ok })
	line, err := w.banks[at].Reverse(one.line.AccountID, one.line.ID)
	if err != nil {
		return err.Error()
	}
	w.look()
	return fmt.Sprintf("line %s takes back %s", line.ID, line.Reverses)
}

// down takes a gateway, the one of number To, and its bank down for so many seconds.
func (w *World) down(s Step) string {
	if err := w.banks[s.To%bankCount].Down(min(seconds(s.N), time.Hour)); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("for %s", seconds(s.N))
}

// mishap is something that happens to the next notifications of a gateway, the one of number To.
func (w *World) mishap(s Step) string {
	m := bank.DeliveryFaults{}
	switch trouble(s.What) {
	case noticeLost:
		m.Drop = s.N
	case noticeLate:
		m.Delay = time.Hour
	case noticesSwapped:
		m.Reorder = true
	case noticeTwice:
		w.truth.twice = true
	case noticeAstray:
		w.truth.astray = true
	}
	if err := w.banks[s.To%bankCount].FailDeliveries(m); err != nil {
		return err.Error()
	}
	return s.What
}
