package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// The invariants, by name. Each is looked at when something was committed, or when the world has come to rest.
const (
	lineOnce      = "line-credits-once"       // a bank line credits one payment, and no more than it brought
	firstInLine   = "exception-first"         // money goes to the deposit that was credited before it came
	noReversed    = "reversed-line"           // what was taken back credits nobody; what was credited first is reported
	noDoubt       = "doubtful-line"           // a line that was ever doubtful credits nothing by itself
	oneCredit     = "one-credit"              // what is completed has one credit, and with its corrections that is its amount
	ownersKept    = "money-goes-where-it-did" // one person alone changes nothing of where money goes
	oneInflow     = "money-credits-once"      // a gateway and a statement do not credit the same money
	lessThanSeen  = "credited-more-than-paid" // a gateway's payment is credited with no more than the gateway got
	byWord        = "word-is-bounded"         // what one person alone credits without a line is bounded
	asSeen        = "approved-as-seen"        // an approval without an amount credits what its approver saw
	refundsBound  = "refunds-are-bounded"     // what one person alone gives back of a payment, and in a day, is bounded
	refundOnce    = "click-counts-once"       // one wish for a refund makes one refund
	refundSome    = "refund-of-something"     // no refund gives back nothing
	oneEnd        = "one-end"                 // what has ended stays so, but for decisions of staff
	callbackSays  = "callback-one-status"     // a callback says the same at each attempt
	callbackLast  = "callback-order"          // callbacks of a payment come in order
	lastWord      = "callback-last-word"      // what a receiver heard last is true
	paidOnce      = "paid-out-once"           // what may have been paid out is never ordered again
	approvedFirst = "approved-before-paid"    // a large withdrawal is paid when two people have decided on it, and not before
	claimKept     = "claim-is-kept"           // who waits for a second person's word on a withdrawal keeps it
	ledgerSums    = "ledger"                  // balances are what the entries sum up to, and never negative
	isStored      = "answered-is-there"       // what was answered is stored
	sameAnswer    = "same-answer"             // a request that is sent again gets the first answer
	limits        = "limits"                  // the day of an account holds what its payments hold
	atRest        = "nothing-waits"           // when faults have ended, everything ends or is shown to staff
	newsKept      = "news-kept"               // what the gateway told, and Vezne acknowledged, is known in the end
	asStored      = "as-committed"            // what is stored is what was committed
)

// invariants lists all of them.
func invariants() []string {
	return []string{
		lineOnce, firstInLine, noReversed, noDoubt, oneCredit, ownersKept, oneInflow, lessThanSeen, byWord, asSeen, refundsBound, refundOnce, refundSome,
		oneEnd, callbackSays, callbackLast, lastWord, paidOnce, approvedFirst, claimKept, ledgerSums, isStored, sameAnswer, limits, atRest, newsKept, asStored,
	}
}

// checkCredited looks at a payment at the moment at which it becomes paid.
func (w *World) checkCredited(p payment.Payment, how credited) {
	if !isCollected(p) {
		return
	}
	isStaff := how.by.Kind == core.ByStaff
	switch {
	case how.line != (lineKey{}):
		w.checkLineCredit(p, how, isStaff)
	case isStaff && how.command == payment.Approve:
		w.checkWord(p, how)
	}
}

// checkLineCredit looks at a line as it credits a payment.
func (w *World) checkLineCredit(p payment.Payment, how credited, isStaff bool) {
	m := w.mirror
	l := m.lines[how.line]
	for _, key := range m.lineOrder {
		if other := m.lines[key]; other.ReversesLineID == l.LineID && other.WalletID == l.WalletID {
			w.fail(noReversed, "%s is credited with line %s, which line %s has taken back", p.TrackingCode, l.LineID, other.LineID)
		}
	}
	if l.Amount.Less(p.Amount) {
		w.fail(lineOnce, "%s is credited with %s of a line of %s", p.TrackingCode, p.Amount, l.Amount)
	}
	if isStaff {
		return
	}
	if m.doubtful[how.line] {
		w.fail(noDoubt, "%s is credited with line %s, which was doubtful before", p.TrackingCode, l.LineID)
	}
	if first, ok := m.exceptionFor(l, p); ok {
		w.fail(firstInLine, "line %s credits %s, and %s was credited by hand and waits for its money",
			l.LineID, p.TrackingCode, first.TrackingCode)
	}
}

// exceptionFor finds a deposit that was credited by hand before its money came, that has not got it yet, and that a line
// fits as well as it fits another one.
func (m *mirror) exceptionFor(l wallet.BankLine, other payment.Payment) (payment.Payment, bool) {
	for _, id := range m.order {
		p, how := m.payments[id], m.credited[id]
		isException := p.Method == payment.EIBANDeposit && p.Status == payment.Completed && how.line == (lineKey{}) &&
			how.by.Kind == core.ByStaff && len(m.linesOf(id)) == 0
		isAlike := p.Account.IBAN == other.Account.IBAN && p.Amount.Equal(l.Amount) && p.Customer == other.Customer &&
			!l.BookedAt.Before(p.CreatedAt) && l.BookedAt.Before(p.CreatedAt.Add(wallet.MatchBefore))
		if isException && isAlike && id != other.ID && !m.isBound(id) && !namesOnly(l, other, p) {
			return p, true
		}
	}
	return payment.Payment{}, false
}

// isBound reports whether the money of an exception has come, by its credit.
func (m *mirror) isBound(id core.ID) bool {
	return slices.ContainsFunc(m.credits[id], func(c payment.Credit) bool { return c.LineID != "" })
}

// namesOnly reports whether a line's text names one deposit and not the other.
func namesOnly(l wallet.BankLine, one, other payment.Payment) bool {
	return strings.Contains(l.Text, one.TrackingCode) && !strings.Contains(l.Text, other.TrackingCode)
}

// mostTimes is how many times the requested amount one person may credit by hand.
const mostTimes = 2

// checkWord looks at a deposit that a staff member approves without a line.
func (w *World) checkWord(p payment.Payment, how credited) {
	shown := how.before
	if seen, ok := w.seenBy(how.step, p.ID); ok && how.step.Minor == 0 && how.step.Kind == "approve" && !p.Amount.Equal(seen.Amount) {
		w.fail(asSeen, "%s saw %s of %s, which is credited with %s", how.step.Who, seen.Amount, p.TrackingCode, p.Amount)
	}
	if how.isApproved {
		return
	}
	bound := mostTimes * shown.RequestedAmount.Minor()
	switch {
	case p.Method == payment.ManualDeposit && p.Account.AccountID == 0:
		w.fail(byWord, "%s credits %s with %s, and the customer was shown no account", how.by.Name, p.TrackingCode, p.Amount)
	case p.Method == payment.ManualDeposit && (p.Amount.Minor() > bound || maxManual().Less(p.Amount)):
		w.fail(byWord, "%s credits %s with %s, of %s asked for", how.by.Name, p.TrackingCode, p.Amount, shown.RequestedAmount)
	case p.Method == payment.EIBANDeposit:
		w.fail(byWord, "%s alone credits %s with %s, and no line has come", how.by.Name, p.TrackingCode, p.Amount)
	case p.Method != payment.ManualDeposit && p.Method != payment.EIBANDeposit:
		w.fail(byWord, "%s alone credits %s with %s, and its gateway has not said so", how.by.Name, p.TrackingCode, p.Amount)
	}
}

// seenBy is a payment as the staff member of a step saw it last.
func (w *World) seenBy(s Step, id core.ID) (payment.Payment, bool) {
	for _, one := range w.made {
		if seen, ok := one.seen[s.Who]; ok && seen.ID == id {
			return seen, true
		}
	}
	return payment.Payment{}, false
}

// checkClaim looks at a withdrawal as it changes hands.
func (w *World) checkClaim(before, p payment.Payment) {
	if before.Claim.StaffID == 0 || p.Claim.StaffID == 0 || p.Claim.StaffID == before.Claim.StaffID {
		return
	}
	for _, id := range w.mirror.waiting {
		a := w.mirror.approvals[id]
		isOpen := a.StatusAt(w.clock.Now()) == approval.Waiting
		if isOpen && a.RequesterID == before.Claim.StaffID && a.Subject() == "payment/"+p.TrackingCode {
			w.fail(claimKept, "%s takes %s over, and %s has paid it and waits for a second person", p.Claim.Name, p.TrackingCode, before.Claim.Name)
		}
	}
}

// checkCredits looks at the credits of a payment as it is committed.
func (w *World) checkCredits(p payment.Payment) {
	if !isCollected(p) || !isPaid(p) {
		return
	}
	sum, first := int64(0), 0
	for _, k := range w.mirror.credits[p.ID] {
		sum += k.Amount.Minor()
		if k.Number == 1 {
			first++
		}
	}
	if first != 1 || sum != p.Amount.Minor() {
		w.fail(oneCredit, "%s is %s with %s, and its %d credits add up to %s", p.TrackingCode, p.Status, p.Amount,
			len(w.mirror.credits[p.ID]), money.New(sum, money.TRY))
	}
}

// checkMove looks at a move as it is made.
func (w *World) checkMove(move payment.Transition) {
	moves := w.mirror.moves[move.PaymentID]
	isByDecision := move.Command == payment.Accept || move.Command == payment.Refund || move.From == move.To
	if len(moves) > 0 && moves[len(moves)-1].To.IsFinal() && !isByDecision {
		w.fail(oneEnd, "%s: %s leads from %s to %s", w.mirror.payments[move.PaymentID].TrackingCode, move.Command, move.From, move.To)
	}
}

// checkPlanned looks at a new operation.
func (w *World) checkPlanned(o operation.Operation, c core.Changeset) {
	if o.Kind != operation.RefundOperation {
		return
	}
	if o.Amount.Amount.Sign() <= 0 {
		w.fail(refundSome, "a refund of %s gives back %s", o.TrackingCode, o.Amount)
	}
	var alone int64
	count := 1
	for _, id := range w.mirror.operationsOf[o.PaymentID] {
		if other := w.mirror.operations[id]; other.Kind == operation.RefundOperation && other.Status != string(gateway.RefundFailed) {
			count++
			if !w.truth.together[id] && isLira(other.Amount) {
				alone += minorOf(other.Amount.Amount)
			}
		}
	}
	isApproved := isTogether(c)
	if isApproved {
		w.truth.together[o.ID] = true
	} else if isLira(o.Amount) {
		alone += minorOf(o.Amount.Amount)
	}
	if bound := ruleBounds()[core.GuardRefund]; alone > bound.Minor() && !isApproved {
		w.fail(refundsBound, "%s of %s are given back without a second person", money.New(alone, money.TRY), o.TrackingCode)
	}
	if who := staffOf(c); who != "" && !isApproved && isLira(o.Amount) {
		day := fmt.Sprint(who, " ", w.clock.Now().In(zone).Format(time.DateOnly))
		w.truth.alone[day] += minorOf(o.Amount.Amount)
		if bound := ruleBounds()[core.GuardRefund]; w.truth.alone[day] > bound.Minor() {
			w.fail(refundsBound, "staff member %s alone gives %s back in a day", day, money.New(w.truth.alone[day], money.TRY))
		}
	}
	if clicks := w.truth.clicks[o.PaymentID]; count > clicks {
		w.fail(refundOnce, "%d refunds of %s, and %d were asked for", count, o.TrackingCode, clicks)
	}
}

// staffOf is the id of the member of staff who makes a changeset; empty: nobody of them.
func staffOf(c core.Changeset) string {
	for _, e := range core.RowsOf[core.AuditEntry](c) {
		if e.Actor.Kind == core.ByStaff {
			return e.Actor.ID
		}
	}
	return ""
}

// checkHeard looks at a callback as its receiver hears it.
func (w *World) checkHeard(code string, before []heard, h heard) {
	m := w.mirror
	sent, isKnown := m.callbacks[core.ID(h.id)]
	if !isKnown {
		w.fail(callbackSays, "%s: a callback that was never decided on", code)
		return
	}
	for _, other := range before {
		if other.id == h.id && (other.status != h.status || other.amount != h.amount) {
			w.fail(callbackSays, "%s: callback %s says %s, and said %s", code, h.id, h.status, other.status)
		}
		older := slices.Index(m.callbacksOf[sent.PaymentID], core.ID(h.id))
		if newer := slices.Index(m.callbacksOf[sent.PaymentID], core.ID(other.id)); newer > older {
			w.fail(callbackLast, "%s: %s is told after %s", code, h.status, other.status)
			return
		}
	}
}

// check looks at the world after a step.
func (w *World) check() {
	m := w.mirror
	if m.commits == w.checked && len(w.truth.again) == 0 {
		return
	}
	w.checked = m.commits
	for _, ref := range w.truth.again {
		w.fail(paidOnce, "%s is ordered again, and the bank had it", ref)
	}
	for _, wallet := range slices.Sorted(maps.Keys(m.balances)) {
		b := m.balances[wallet]
		if b.available < 0 || b.reserved < 0 || b.available+b.reserved+b.outside != 0 {
			w.fail(ledgerSums, "wallet %d: available %d, reserved %d, outside %d", wallet, b.available, b.reserved, b.outside)
		}
	}
	state := w.look()
	credits := map[string]payment.Payment{} // by the money: a line's id, or a gateway's reference
	for _, id := range m.order {
		p := m.payments[id]
		if isPaid(p) && isCollected(p) {
			w.checkMoney(state, p, credits)
		}
		if n := w.truth.byHand[id]; n > 1 {
			w.fail(paidOnce, "%s was paid by hand %d times", p.TrackingCode, n)
		}
	}
}

// checkMoney holds what a paid payment is credited with against what really came.
func (w *World) checkMoney(state bank.State, p payment.Payment, credits map[string]payment.Payment) {
	m, how := w.mirror, w.mirror.credited[p.ID]
	take := func(money string) {
		if other, isTaken := credits[money]; isTaken && other.ID != p.ID {
			w.fail(oneInflow, "%s credits %s and %s", money, other.TrackingCode, p.TrackingCode)
		}
		credits[money] = p
	}
	for _, l := range m.linesOf(p.ID) {
		if _, isThere := lineIn(state, l.LineID); !isThere {
			w.fail(lineOnce, "%s is credited with line %s, which the bank does not have", p.TrackingCode, l.LineID)
		}
		take(l.LineID)
		if booked, _ := lineIn(state, l.LineID); orderOf(state, booked.Text) != "" {
			take(orderOf(state, booked.Text))
		}
	}
	for _, k := range m.credits[p.ID] {
		o, isAtGateway := m.operations[k.OperationID]
		if !isAtGateway || !isLira(o.Due) {
			continue
		}
		take(string(o.Reference))
		if came := minorOf(w.truth.paid[string(o.Reference)]); k.Source == payment.CreditOfOperation && k.Amount.Minor() > came {
			w.fail(lessThanSeen, "%s is credited with %s by %s, and %s came to %s", p.TrackingCode, k.Amount, how.command,
				money.New(came, money.TRY), o.Reference)
		}
	}
}

// checkEnd looks at the world when it has come to rest.
func (w *World) checkEnd() {
	m := w.mirror
	state := w.look()
	for _, id := range m.order {
		p := m.payments[id]
		if why := w.waits(p); why != "" {
			w.fail(atRest, "%s (%s) is %s: %s", p.TrackingCode, p.Method, p.Status, why)
		}
		w.checkReversed(p)
		w.checkNews(state, p)
		w.checkLastWord(p)
		stored, err := w.db.PaymentByID(w.ctx, id)
		if err != nil || stored.Status != p.Status || stored.Version != p.Version || !stored.Amount.Equal(p.Amount) {
			w.fail(asStored, "%s is %s %s in version %d, and was committed as %s %s in version %d (%v)",
				p.TrackingCode, stored.Status, stored.Amount, stored.Version, p.Status, p.Amount, p.Version, err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.notifications)) {
		n := m.notifications[id]
		if n.Status == notification.Waiting {
			w.fail(atRest, "notification %s of %s waits", n.Key, n.Type)
		}
	}
	w.checkAnswered()
	w.checkLedger()
	w.checkLimits()
}

// waits says why a payment waits for what nobody can see; empty: it does not.
func (w *World) waits(p payment.Payment) string {
	m := w.mirror
	for _, id := range m.callbacksOf[p.ID] {
		if cb := m.callbacks[id]; cb.Status == payment.Waiting {
			return fmt.Sprintf("its callback %s waits since %d attempts", cb.Payload.Status, cb.AttemptCount)
		}
	}
	isShown := m.hasOpen(p.ID)
	for _, id := range m.operationsOf[p.ID] {
		o := m.operations[id]
		isWaitingForStaff := o.Phase == operation.Planned && o.NextAt.IsZero() && o.Tries == 0
		if (o.Phase == operation.Planned || o.Phase == operation.Calling) && !isShown && !isWaitingForStaff {
			return fmt.Sprintf("its %s is %s after %d tries and %d questions, and nobody is told", o.Kind, o.Phase, o.Tries, o.Checks)
		}
	}
	if p.Status.IsFinal() || isShown {
		return ""
	}
	switch p.Method.Kind() {
	case payment.Withdrawal:
		return "" // it is on the desk
	case payment.Deposit:
		if p.Status == payment.Processing && p.Method.Gateway() == "" {
			return "" // staff see that it is overdue
		}
	case payment.Payout:
		if p.Status == payment.Showing && w.waitsForStaff(p) {
			return ""
		}
	}
	return "it has not ended, and nobody is told"
}

// waitsForStaff reports whether a payout leaves only when staff approve it.
func (w *World) waitsForStaff(p payment.Payment) bool {
	for _, id := range w.mirror.operationsOf[p.ID] {
		if o := w.mirror.operations[id]; o.Phase == operation.Planned && o.NextAt.IsZero() {
			return true
		}
	}
	return false
}

// checkReversed: who was credited with money that went back is reported.
func (w *World) checkReversed(p payment.Payment) {
	for _, l := range w.mirror.linesOf(p.ID) {
		at, isReversed := w.truth.reversed[l.LineID]
		if isReversed && isPaid(p) && isCollected(p) && len(w.mirror.disputes(p.ID)) == 0 && !w.isCorrected(p.ID) {
			w.fail(noReversed, "%s keeps the credit of line %s, which was taken back on %s, and nobody is told",
				p.TrackingCode, l.LineID, at.In(zone).Format("02 15:04"))
		}
	}
}

// isCorrected reports whether a payment's credit was corrected.
func (w *World) isCorrected(id core.ID) bool {
	return len(w.mirror.credits[id]) > 1
}

// checkNews: what Vezne was told of money that came or went back, and acknowledged, shows.
func (w *World) checkNews(state bank.State, p payment.Payment) {
	now := map[string]string{}
	for _, d := range state.Deposits {
		now[d.Reference] = d.Status
	}
	for _, one := range state.Payouts {
		now[one.Reference] = one.Status
	}
	for _, id := range w.mirror.operationsOf[p.ID] {
		o := w.mirror.operations[id]
		ref := string(o.Reference)
		isTold := w.truth.told[ref] == now[ref]
		isCredited := slices.ContainsFunc(w.mirror.credits[p.ID], func(k payment.Credit) bool { return k.OperationID == id })
		if isTold && now[ref] == bank.Paid && !isCredited && len(w.mirror.disputes(p.ID)) == 0 {
			w.fail(newsKept, "%s was paid, the gateway has told so, and it is credited to nobody", ref)
		}
		if isTold && isReturned(now[ref]) && isPaid(p) && len(w.mirror.disputes(p.ID)) == 0 && o.Status != string(gateway.Disputed) {
			w.fail(newsKept, "%s counts as %s, the gateway says %s, and has told so", p.TrackingCode, p.Status, now[ref])
		}
	}
}

// checkLastWord: what a receiver heard last is what became of the payment.
func (w *World) checkLastWord(p payment.Payment) {
	m := w.mirror
	ids, told := m.callbacksOf[p.ID], w.truth.heard[p.TrackingCode]
	if len(ids) == 0 {
		if p.Status.IsFinal() && p.CallbackKind() != "" {
			w.fail(lastWord, "%s is %s, and no callback says so", p.TrackingCode, p.Status)
		}
		return
	}
	last := m.callbacks[ids[len(ids)-1]]
	if last.Status == payment.Undeliverable || last.Status == payment.Skipped {
		return // staff see it, and can send it again
	}
	if len(told) == 0 || told[len(told)-1].status != last.Payload.Status {
		w.fail(lastWord, "%s is %s, and its receiver heard %v", p.TrackingCode, p.Status, told)
	}
}

// checkAnswered: whoever was answered finds what was asked for.
func (w *World) checkAnswered() {
	for _, key := range slices.Sorted(maps.Keys(w.truth.answered)) {
		for _, a := range w.truth.answered[key] {
			if _, err := w.db.PaymentByTrackingCode(w.ctx, a.code); fault.Is(err, fault.NotFound) {
				w.fail(isStored, "%s was answered for %s, and is not there", a.code, key)
			}
		}
	}
}

// checkLedger adds the ledgers up.
func (w *World) checkLedger() {
	for _, wallet := range slices.Sorted(maps.Keys(w.mirror.balances)) {
		b := w.mirror.balances[wallet]
		sum, err := w.db.AddUpLedger(w.ctx, wallet)
		if err != nil || !sum.IsRight() || sum.Available.Minor() != b.available || sum.Reserved.Minor() != b.reserved {
			w.fail(ledgerSums, "wallet %d holds %s and %s, and %d and %d was committed (%v)",
				wallet, sum.Available, sum.Reserved, b.available, b.reserved, err)
		}
	}
}

// checkLimits: the load of an account's day is what the payments that were offered it hold.
func (w *World) checkLimits() {
	held := map[string]int64{}
	days := map[core.Day]bool{}
	for _, p := range w.mirror.payments {
		if p.Account.AccountID != 0 {
			held[fmt.Sprint(p.Account.AccountID, p.Account.Day)] += p.Account.Held.Minor()
			days[p.Account.Day] = true
		}
	}
	for _, d := range w.cast.dealers {
		for _, day := range slices.Sorted(maps.Keys(days)) {
			loads, err := w.db.AccountLoads(w.ctx, d.ID, owner.ManualAccount, day)
			if err != nil {
				w.fail(limits, "the loads of dealer %d: %v", d.ID, err)
			}
			for _, l := range loads {
				if want := held[fmt.Sprint(l.ID, day)]; l.Used.Minor() != want {
					w.fail(limits, "account %d counts %s on %s, and its payments hold %s", l.ID, l.Used, day, money.New(want, money.TRY))
				}
			}
		}
	}
}
