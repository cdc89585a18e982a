package bank

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// What the admin API does, as methods: a test calls them directly.

// Bounds of what the admin API takes.
const (
	maxAdvance = 400 * 24 * time.Hour
	maxDelay   = 30 * 24 * time.Hour
	maxDown    = time.Hour
	maxCount   = 1000
)

var errUnknownReference = errors.New("no order has this reference")

// Now is the bank's time.
func (b *Bank) Now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now()
}

// Advance moves the bank's clock on. What falls due on the way happens.
func (b *Bank) Advance(by time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if by <= 0 || b.offset+by > maxAdvance {
		return fmt.Errorf("the clock goes forward only, by at most %s in all", maxAdvance)
	}
	b.offset += by
	b.catchUp()
	return nil
}

// SetOutcome chooses the scenario of a reference, whatever its amount or card say: before its order, or until its payer
// acts. Refunds ask for it, too.
func (b *Bank) SetOutcome(ref, code string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !isReference(ref) || !isCode(code) {
		return errors.New("give a reference and a code of two digits")
	}
	if len(b.outcomes) >= maxOrders {
		clear(b.outcomes)
	}
	b.outcomes[ref] = code
	now := b.catchUp()
	if d, ok := b.deposit(ref, now); ok && d.Status == Waiting && !d.hasPage() {
		d.scenario = find(scenariosOf(d.Kind), code)
		b.pay(d, d.scenario.steps, now.Add(payerDelay))
	}
	return nil
}

// Fire makes something happen to a deposit, payout, transfer or refund now, and notifies of it. What its scenario had
// planned is off.
func (b *Bank) Fire(ref, event string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	if d, ok := b.deposit(ref, now); ok {
		return b.fireDeposit(d, event, now)
	}
	if p, ok := b.payouts.find(ref); ok {
		return b.firePayout(p, event, now)
	}
	if r, ok := b.refunds.find(ref); ok {
		return b.fireRefund(r, event, now)
	}
	return errUnknownReference
}

// forgotten makes the bank forget an order; unlisted is a status that no document knows.
const (
	forgotten = "forgotten"
	unlisted  = "in_orbit"
)

func depositEvents() map[string]step {
	return map[string]step{
		Waiting: {status: Waiting}, Processing: {status: Processing}, Unconfirmed: {status: Unconfirmed},
		Review: {status: Review, part: "1"}, Paid: {status: Paid, part: "1"}, Underpaid: {status: Underpaid, part: "0.5"},
		Overpaid: {status: Overpaid, part: "1.5"}, Failed: {status: Failed, reason: "do_not_honour"},
		Canceled: {status: Canceled, reason: "canceled_by_customer"}, Expired: {status: Expired},
		Disputed: {status: Disputed, reason: "chargeback"}, Reversed: {status: Reversed, reason: "reversed_by_bank"},
		"paid_in_usd": {status: Paid, part: "1", currency: "USD"}, "marked_paid": {status: Paid, part: "1", isManual: true},
		unlisted: {status: unlisted},
	}
}

func (b *Bank) fireDeposit(d *deposit, event string, now time.Time) error {
	st, ok := depositEvents()[event]
	d.script++
	d.scenario.delivery = deliverOnce
	switch {
	case ok:
		d.isInCheck, d.isLeft = false, false
		b.play(d, st, now)
	case event == forgotten:
		b.deposits.forget(d.Reference)
	case event == "closed":
		d.isClosed = true
	case event == Refunded, event == PartlyRefunded:
		if !d.hasMoney() {
			b.play(d, step{status: Paid, part: "1"}, now)
		}
		amount := d.refundable()
		if event == PartlyRefunded {
			amount = amount.times("0.2")
		}
		_, p := b.refund(d, refundOrder{
			Reference: "BANK-" + d.Reference[:min(len(d.Reference), 59)], Amount: amount, Address: d.Reference,
		}, now)
		if p != nil {
			return errors.New(p.message)
		}
	default:
		return fmt.Errorf("a deposit has no event %q", event)
	}
	return nil
}

func (b *Bank) firePayout(p *payout, event string, now time.Time) error {
	known := []string{Queued, NeedsApproval, Sent, Done, Rejected, Failed, Canceled, Returned, unlisted}
	switch {
	case slices.Contains(known, event):
		p.script++
		reason := map[string]string{Rejected: "recipient_rejected", Failed: "issuer_unavailable", Returned: "account_closed"}
		b.movePayout(p, event, reason[event], now)
	case event == forgotten:
		b.payouts.forget(p.Reference)
	default:
		return fmt.Errorf("a payout or transfer has no event %q", event)
	}
	return nil
}

func (b *Bank) fireRefund(r *refund, event string, now time.Time) error {
	switch event {
	case RefundPending, RefundDone, RefundFailed:
		b.endRefund(r, event, map[string]string{RefundFailed: "refund_rejected"}[event], now)
	case forgotten:
		b.refunds.forget(r.Reference)
	default:
		return fmt.Errorf("a refund has no event %q", event)
	}
	return nil
}

// Pay lets a payer by bank or crypto act now: it plays the order's scenario. With an amount, so much of whatever asset is
// paid for an order of any kind.
func (b *Bank) Pay(ref string, amount *Money) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	d, ok := b.deposit(ref, now)
	if !ok || d.hasPage() && amount == nil {
		return errUnknownReference
	}
	if amount == nil {
		b.pay(d, d.scenario.steps, now)
		return nil
	}
	if amount.Value.Sign() <= 0 {
		return errors.New("the amount must be positive")
	}
	d.script++
	b.play(d, step{status: statusOf(d, *amount), exact: amount}, now)
	return nil
}

// statusOf is what an order becomes when so much of something arrives, beside what is there already.
func statusOf(d *deposit, arrived Money) string {
	if !arrived.isSameAsset(d.Due) {
		return Review
	}
	if d.Paid != nil && d.Paid.isSameAsset(arrived) {
		arrived = arrived.plus(d.Paid.Value)
	}
	return map[int]string{-1: Underpaid, 0: Paid, 1: Overpaid}[arrived.Value.Cmp(d.Due.Value)]
}

// Book writes a line on an account's statement, also one that was booked in the past.
func (b *Bank) Book(accountID string, l Line) (Line, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	a, ok := b.account(accountID)
	if !ok {
		return Line{}, errors.New("no account has this id")
	}
	if err := cmp.Or(l.check(), l.checkBounds()); err != nil {
		return Line{}, err
	}
	if a.isFull() {
		return Line{}, fmt.Errorf("the account has its %d lines", maxLines)
	}
	if l.BookedAt.IsZero() {
		l.BookedAt = now
	}
	l.ID = "" // that is for the bank to say
	return b.enter(a, l, now), nil
}

// Hide leaves a line out of every listing, although its money moved, or lists it again.
func (b *Bank) Hide(lineID string, isHidden bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.accounts {
		if l := a.byID[lineID]; l != nil {
			l.isHidden = isHidden
		}
	}
}

// OpenAccount opens one more account.
func (b *Bank) OpenAccount(a Account) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.accounts = append(b.accounts, &account{Account: a, byID: map[string]*Line{}})
}

// Lag sets how far behind the truth balances are.
func (b *Bank) Lag(by time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.balanceLag = by
}

// enter books a line and notifies of it. The caller holds b.mu.
func (b *Bank) enter(a *account, l Line, now time.Time) Line {
	booked := *a.book(l, now)
	b.notifyLine(b.config.NotifyURL, booked, now)
	return booked
}

// Reverse books a line that takes another back.
func (b *Bank) Reverse(accountID, lineID string) (Line, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	a, ok := b.account(accountID)
	if !ok {
		return Line{}, errors.New("no account has this id")
	}
	l, ok := a.byID[lineID]
	if !ok {
		return Line{}, errors.New("no line has this id")
	}
	booked := *a.reverse(l, now)
	b.notifyLine(b.config.NotifyURL, booked, now)
	return booked, nil
}

// DeliveryFaults is what shall happen to the next notifications.
type DeliveryFaults struct {
	Drop    int           // so many are lost
	Delay   time.Duration // the next one comes so much later
	Reorder bool          // the next two change places
}

// FailDeliveries sets what happens to the next notifications.
func (b *Bank) FailDeliveries(m DeliveryFaults) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.Drop < 0 || m.Drop > maxCount || m.Delay < 0 || m.Delay > maxDelay {
		return fmt.Errorf("drop is 0 to %d, delay at most %s", maxCount, maxDelay)
	}
	b.deliveryFaults.DeliveryFaults = m
	return nil
}

// Down takes the API and the pages down for a while.
func (b *Bank) Down(during time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if during <= 0 || during > maxDown {
		return fmt.Errorf("at most %s", maxDown)
	}
	b.outage.downUntil = b.now().Add(during)
	return nil
}

// Throttle answers so many calls with "too many requests".
func (b *Bank) Throttle(calls int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if calls < 0 || calls > maxCount {
		return fmt.Errorf("calls is 0 to %d", maxCount)
	}
	b.outage.throttled = calls
	return nil
}

// RefuseKeys refuses the merchant's keys, or takes them again.
func (b *Bank) RefuseKeys(refuse bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.outage.refusesKeys = refuse
}

// NotifyUnknown notifies of a paid deposit that nobody has ordered.
func (b *Bank) NotifyUnknown(url string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if url == "" {
		url = b.config.NotifyURL
	}
	if !isWebURL(url) {
		return errors.New("give an http or https address: notify_url")
	}
	now := b.catchUp()
	event := b.event("deposit."+Paid, now)
	ref := "UNKNOWN" + strings.ToUpper(event.ID[len("evt_"):][:8])
	amount := ofLira(coins[0].Rate)
	event.Deposit = &Deposit{
		ID: b.id("dep", ref), Reference: ref, Kind: KindCard, Status: Paid, Amount: amount, Due: amount, Paid: &amount,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(quoteLife), Sim: true,
	}
	b.enqueue(notification{at: now, ref: ref, url: url, event: event})
	return nil
}

// Notification is the notification of a reference, or of a dispute's id, as it is now, signed; false: nothing is known of it.
func (b *Bank) Notification(ref string) (http.Header, []byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	event := Event{CreatedAt: now}
	x, isDispute := b.disputes.find(ref)
	switch d, p, r := b.known(ref, now); {
	case isDispute:
		event.Type, event.Dispute = "dispute."+x.Status, &x.Dispute
	case d != nil:
		event.Type, event.Deposit = "deposit."+d.Status, d.snapshot()
	case p != nil && p.AccountID != "":
		event.Type, event.Transfer = "transfer."+p.Status, &p.Payout
	case p != nil:
		event.Type, event.Payout = "payout."+p.Status, &p.Payout
	case r != nil:
		event.Type, event.Refund = "refund."+r.Status, &r.Refund
	default:
		return nil, nil, false
	}
	event.ID = b.event("", now).ID
	body, err := encode(event)
	return b.header(body, signed), body, err == nil
}

// Sign is the header of a notification with this body.
func (b *Bank) Sign(body []byte) http.Header { return b.header(body, signed) }

// FindDeposit finds a deposit.
func (b *Bank) FindDeposit(ref string) (Deposit, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d, ok := b.deposit(ref, b.catchUp()); ok {
		return d.Deposit, true
	}
	return Deposit{}, false
}

// FindPayout finds a payout or transfer.
func (b *Bank) FindPayout(ref string) (Payout, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.catchUp()
	if p, ok := b.payouts.find(ref); ok {
		return p.Payout, true
	}
	return Payout{}, false
}

// FindRefund finds a refund.
func (b *Bank) FindRefund(ref string) (Refund, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.catchUp()
	if r, ok := b.refunds.find(ref); ok {
		return r.Refund, true
	}
	return Refund{}, false
}

// known finds whatever has a reference.
func (b *Bank) known(ref string, now time.Time) (*deposit, *payout, *refund) {
	d, _ := b.deposit(ref, now)
	p, _ := b.payouts.find(ref)
	r, _ := b.refunds.find(ref)
	return d, p, r
}
