// Package crowd makes up transactions, to measure with and to show.
package crowd

import (
	"bufio"
	unique "crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// share is how often something is so, relative to the others.
type share[T any] struct {
	weight int
	of     T
}

// methodShares are of all transactions, in tenths of a percent.
var methodShares = []share[payment.Method]{
	{420, payment.ManualDeposit}, {140, payment.EIBANDeposit}, {130, payment.ManualWithdrawal}, {130, payment.CreditCard},
	{60, payment.EIBANWithdrawal}, {45, payment.BankDeposit}, {30, payment.BankWithdrawal}, {20, payment.CryptoDeposit},
	{10, payment.WalletDeposit}, {8, payment.CryptoWithdrawal}, {5, payment.WalletWithdrawal}, {2, payment.EIBANTransfer},
}

// endShares are how transactions of a kind end, in percent.
var endShares = map[payment.Kind][]share[payment.Status]{
	payment.Deposit:    {{63, payment.Completed}, {23, payment.Expired}, {14, payment.Canceled}},
	payment.Withdrawal: {{89, payment.Completed}, {6, payment.Rejected}, {3, payment.Failed}, {2, payment.Canceled}},
	payment.Card:       {{76, payment.Success}, {16, payment.Failed}, {6, payment.Cancelled}, {2, payment.Refunded}},
	payment.Payout:     {{93, payment.Completed}, {5, payment.Failed}, {2, payment.Rejected}},
	payment.Transfer:   {{97, payment.Completed}, {3, payment.Failed}},
}

// hourShares are of a day, in Istanbul.
var hourShares = []int{22, 14, 9, 6, 4, 4, 6, 10, 18, 28, 36, 42, 44, 45, 46, 48, 50, 52, 55, 60, 64, 62, 50, 35}

const (
	seedChunk      = 2_000
	seedCustomers  = 100_000   // of a provider
	seedLife       = time.Hour // within which a transaction ends, almost always
	seedExpiry     = 30 * time.Minute
	customerSkew   = 1.25 // of the Zipf distribution
	ownerSkew      = 1.6
	maxSeedMinutes = 55 // until a decision
)

// Crowd makes up transactions with a realistic spread: of methods, statuses, owners, customers, amounts and hours.
type Crowd struct {
	random   *rand.Rand
	bytes    io.Reader // of IDs and codes, which are others each time
	sites    []owner.Site
	dealers  []owner.Dealer
	gateways []owner.GatewayAccount
	zone     *time.Location
	site     *rand.Zipf
	customer *rand.Zipf
}

// New makes a crowd of the customers of some sites. The same seed makes the same spread.
func New(seed uint64, sites []owner.Site, dealers []owner.Dealer, gateways []owner.GatewayAccount, zone *time.Location) *Crowd {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	r := rand.New(rand.NewChaCha8(key)) //nolint:gosec // made-up transactions need no secrecy
	return &Crowd{
		random: r, bytes: bufio.NewReader(unique.Reader), sites: sites, dealers: dealers, gateways: gateways, zone: zone,
		site:     among(r, 2, len(sites)),
		customer: rand.NewZipf(r, customerSkew, 20, seedCustomers-1),
	}
}

// among returns places in a list, the first ones oftenest.
func among(r *rand.Rand, flat float64, length int) *rand.Zipf {
	return rand.NewZipf(r, ownerSkew, flat, uint64(length-1)) //nolint:gosec // lists are not empty
}

// Order says how many transactions are made up, over how many days.
type Order struct {
	Transactions, Days int
	IsBare             bool // without histories and callbacks
}

// Changes returns the transactions that were ordered, up to a moment, oldest first.
func (c *Crowd) Changes(ordered Order, until time.Time) iter.Seq2[core.Changeset, error] {
	return func(yield func(core.Changeset, error) bool) {
		var chunk core.Changeset
		transactions := 0 // in the chunk
		for at := range c.moments(ordered.Transactions, ordered.Days, until) {
			var one core.Changeset
			if err := c.add(&one, at, until); err != nil {
				yield(core.Changeset{}, err)
				return
			}
			if ordered.IsBare {
				one = core.Without[payment.Transition](core.Without[payment.Callback](core.Without[payment.Attempt](one)))
			}
			chunk = append(chunk, one...)
			if transactions++; transactions == seedChunk {
				if !yield(chunk, nil) {
					return
				}
				chunk, transactions = nil, 0
			}
		}
		if transactions > 0 {
			yield(chunk, nil)
		}
	}
}

// moments are when transactions are created, in order: more in the evening, and on days nearer to the end.
func (c *Crowd) moments(count, days int, until time.Time) iter.Seq[time.Time] {
	hours := days * 24
	begin := until.Add(-time.Duration(hours) * time.Hour)
	weight := func(hour int) int {
		at := begin.Add(time.Duration(hour) * time.Hour).In(c.zone)
		w := hourShares[at.Hour()] * (hours + hour) / hours // twice as many at the end as at the beginning
		if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
			w = w * 5 / 4
		}
		return w
	}
	total := 0
	for hour := range hours {
		total += weight(hour)
	}
	return func(yield func(time.Time) bool) {
		made, sum := 0, 0
		for hour := range hours {
			sum += weight(hour)
			due := int(int64(count) * int64(sum) / int64(total))
			at := make([]time.Duration, due-made)
			for i := range at {
				at[i] = time.Duration(c.random.Int64N(int64(time.Hour))).Truncate(time.Microsecond)
			}
			slices.Sort(at)
			for _, since := range at {
				if !yield(begin.Add(time.Duration(hour)*time.Hour + since)) {
					return
				}
			}
			made = due
		}
	}
}

func pick[T any](c *Crowd, shares []share[T]) T {
	total := 0
	for _, s := range shares {
		total += s.weight
	}
	n := c.random.IntN(total)
	for _, s := range shares {
		if n -= s.weight; n < 0 {
			return s.of
		}
	}
	return shares[0].of
}

// amount is from 50 to some 100,000, each time twice as much half as often, mostly in round numbers.
func (c *Crowd) amount() money.Amount {
	base := int64(50)
	for base < 50_000 && c.random.IntN(5) < 3 {
		base *= 2
	}
	lira := base + c.random.Int64N(base)
	switch c.random.IntN(4) {
	case 0:
		return money.New(lira*100+c.random.Int64N(100), money.TRY)
	default:
		return money.New(max(lira/50, 1)*50*100, money.TRY)
	}
}

// person is a customer of a provider: the same number is always the same person.
func (c *Crowd) person(providerID int64) owner.Customer {
	n := c.customer.Uint64()
	pick := rand.New(rand.NewPCG(n, uint64(providerID))) //nolint:gosec // as above
	zipf := func(size int) uint64 { return among(pick, 12, size).Uint64() }
	first, last := firstNames[zipf(len(firstNames))], LastNames[zipf(len(LastNames))]
	name := first + " " + last
	if n%7 == 0 {
		name = first + " " + firstNames[zipf(len(firstNames))] + " " + last
	}
	return owner.Customer{
		UserID: fmt.Sprintf("u-%d-%d", providerID, n), Username: strings.ReplaceAll(owner.FoldName(name), " ", "."), Fullname: name,
	}
}

// ibanOf is a made-up IBAN of a person; its check digits are right.
func (c *Crowd) ibanOf(person owner.Customer) string {
	var digits [24]byte
	r := rand.New(rand.NewPCG(uint64(len(person.UserID)), hashOf(person.UserID))) //nolint:gosec // as above
	for i := range digits {
		digits[i] = "0123456789"[r.IntN(10)]
	}
	digits[0], digits[1], digits[2] = '0', '0', '0'
	account := string(digits[2:])
	rest := 0
	for _, d := range account + "292700" { // TR00
		rest = (rest*10 + int(d-'0')) % 97
	}
	return fmt.Sprintf("TR%02d%s", 98-rest, account)
}

func hashOf(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// add puts a transaction of a moment into a changeset, with its history and its callback.
func (c *Crowd) add(change *core.Changeset, at, now time.Time) error {
	at = at.UTC()
	ids, err := core.NewIDs(at, c.bytes)
	if err != nil {
		return err
	}
	method := pick(c, methodShares)
	code, err := core.NewTrackingCode(method.Prefix(), c.bytes)
	if err != nil {
		return err
	}
	site := c.sites[c.site.Uint64()]
	p := payment.Payment{
		ID: ids.Next(), Version: 1, TrackingCode: code, Method: method, ProviderID: site.ProviderID, SiteID: site.ID,
		SiteName: site.Name, DealerID: site.DealerID, Customer: c.person(site.ProviderID), Language: lang.TR,
		RequestedAmount: c.amount(), CreatedAt: at, UpdatedAt: at, Status: method.Kind().FirstStatus(),
	}
	if method.Kind() == payment.Transfer {
		p.ProviderID, p.SiteID, p.SiteName = 0, 0, ""
	}
	p.Amount = p.RequestedAmount
	if method.HasPage() {
		if p.Token, err = core.NewPageToken(at, c.bytes); err != nil {
			return err
		}
		p.TokenFingerprint = core.PageTokenFingerprint(p.Token)
		p.ExpiresAt = at.Add(seedExpiry)
	}
	c.dress(&p)
	end := pick(c, endShares[method.Kind()])
	decided := at.Add(c.delay())
	if end == payment.Expired {
		decided = p.ExpiresAt
	}
	if decided.After(now) {
		*change = append(*change, p)
		return nil
	}
	c.finish(change, &p, end, decided, ids)
	*change = append(*change, p)
	return nil
}

// delay is the time to a decision: half of all within some minutes, few within the hour.
func (c *Crowd) delay() time.Duration {
	minutes := 1
	for minutes < maxSeedMinutes && c.random.IntN(3) > 0 {
		minutes += 1 + c.random.IntN(4)
	}
	return time.Duration(minutes)*time.Minute + time.Duration(c.random.Int64N(int64(time.Minute))).Truncate(time.Microsecond)
}

// dress returns a payment what its method has beyond others.
func (c *Crowd) dress(p *payment.Payment) {
	switch kind := p.Method.Kind(); {
	case kind == payment.Withdrawal, kind == payment.Transfer, p.Method == payment.BankWithdrawal:
		p.IBAN = c.ibanOf(p.Customer)
	case kind == payment.Card:
		first, last, _ := strings.Cut(p.Customer.Fullname, " ")
		p.Payer = payment.CardPayer{
			OrderID: strings.ReplaceAll(p.TrackingCode, "-", ""), FirstName: first, LastName: last,
			Email: p.Customer.Username + "@example.com", Phone: "+905551112233",
		}
	}
	if p.Method.Gateway() != "" && p.Method.Kind() != payment.Transfer {
		p.Gateway.GatewayID = c.gateways[c.random.IntN(len(c.gateways))].ID
	}
}

// finish ends a payment: its moves, its operation at a gateway, and the callback that reports it.
func (c *Crowd) finish(change *core.Changeset, p *payment.Payment, end payment.Status, at time.Time, ids *core.IDs) {
	move := func(command payment.Command, to payment.Status, at time.Time, by core.Actor) {
		*change = append(*change, payment.Transition{
			ID: ids.Next(), PaymentID: p.ID, At: at, Actor: by, Command: command, From: p.Status, To: to, Amount: p.Amount,
		})
		p.Status = to
	}
	customer := core.Actor{Kind: core.ByCustomer, ID: p.Customer.UserID, Name: p.Customer.Username, Addr: "203.0.113.7"}
	staff := core.Actor{Kind: core.ByStaff, ID: "2", Name: "operator@example.com", Addr: "198.51.100.7"}
	half := p.CreatedAt.Add(at.Sub(p.CreatedAt) / 2)
	switch p.Method.Kind() {
	case payment.Deposit:
		move(payment.Offer, payment.Showing, half, customer)
		if p.Gateway.GatewayID == 0 { // one that is still open has not been offered an account, which would have to hold it
			p.Account = owner.OfferedAccount{
				AccountID: p.DealerID*10 + 1, BankName: "Ziraat Bankası", Holder: "Marmara Finans A.Ş.",
				IBAN: "TR330006100519786457841326", Day: core.DayOf(p.CreatedAt, c.zone), Held: p.Amount,
			}
		}
	case payment.Withdrawal:
		move(payment.Take, payment.Processing, half, staff)
	case payment.Card, payment.Payout, payment.Transfer:
	}
	if end == payment.Completed && p.Method.Kind() == payment.Deposit {
		move(payment.ClaimPaid, payment.Processing, half.Add(time.Second), customer)
		if c.random.IntN(20) == 0 { // less was paid than asked for
			p.Amount = money.New(max(p.Amount.Minor()*9/10, 1), money.TRY)
		}
	}
	command, by := payment.Complete, staff
	switch end {
	case payment.Expired:
		command, by = payment.Expire, core.System
	case payment.Canceled, payment.Cancelled:
		command, by = payment.Cancel, customer
	case payment.Rejected:
		command = payment.Reject
	case payment.Failed:
		command = payment.Fail
	case payment.Success:
		command = payment.Succeed
	case payment.Refunded:
		command = payment.Refund
	default:
	}
	move(command, end, at, by)
	p.UpdatedAt, p.FinishedAt = at, at
	var o operation.Operation
	if p.Gateway.GatewayID != 0 {
		o = c.operation(*p, end, at, ids)
		*change = append(*change, o)
	}
	if p.IsCredited() || p.Status == payment.Refunded {
		*change = append(*change, credited(*p, o, staff, ids))
	}
	if kind := p.CallbackKind(); kind != "" {
		c.report(change, *p, kind, at, ids)
	}
}

// credited is what a payment was completed by: what its operation brought, or a staff member's word.
func credited(p payment.Payment, o operation.Operation, by core.Actor, ids *core.IDs) payment.Credit {
	k := payment.Credit{
		ID: ids.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, DealerID: p.DealerID, ProviderID: p.ProviderID,
		Number: 1, Amount: p.Amount, Source: payment.CreditOfStaff, Brought: money.New(0, money.TRY), Actor: by, At: p.FinishedAt,
	}
	if o.ID != "" {
		k.Source, k.OperationID, k.Brought, k.Actor = payment.CreditOfOperation, o.ID, o.Brought, core.System
	}
	return k
}

// operation is the closed one at the gateway that moved the money.
func (c *Crowd) operation(p payment.Payment, end payment.Status, at time.Time, ids *core.IDs) operation.Operation {
	kind, state := operation.DepositOperation, string(gateway.Paid)
	if p.Method.Kind() == payment.Payout {
		kind, state = operation.PayoutOperation, string(gateway.PayoutDone)
	}
	if end != payment.Completed && end != payment.Success {
		state = "failed"
	}
	ref := strings.ReplaceAll(p.TrackingCode, "-", "")
	return operation.Operation{
		ID: ids.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, Kind: kind, Number: 1,
		GatewayID: p.Gateway.GatewayID, GatewayKind: p.Method.Gateway(), Reference: gateway.Ref(ref), Key: gateway.Key(strings.ToLower(ref)),
		Amount: gateway.Lira(p.RequestedAmount), Due: gateway.Lira(p.RequestedAmount), Asset: gateway.TRY, Phase: operation.Closed, Status: state,
		Brought: p.Amount, External: gateway.ExternalRef{ID: "g" + ref[len(ref)-12:]}, CreatedAt: p.CreatedAt, StartedAt: p.CreatedAt, EndedAt: at,
	}
}

// report adds the callback with its attempts. Nothing is left waiting.
func (c *Crowd) report(change *core.Changeset, p payment.Payment, kind payment.CallbackKind, at time.Time, ids *core.IDs) {
	cb := payment.Callback{
		ID: ids.Next(), Version: 1, PaymentID: p.ID, Sequence: 1, ProviderID: p.ProviderID, SiteID: p.SiteID, Kind: kind,
		Receiver: fmt.Sprintf("provider/%d/%s", p.ProviderID, kind), Status: payment.Delivered, CreatedAt: at,
		Payload: payment.Payload{
			TrackingCode: p.TrackingCode, Status: p.Status, Amount: p.Amount, Username: p.Customer.Username,
			Fullname: p.Customer.Fullname, UserID: p.Customer.UserID, SiteID: p.SiteID, IBAN: p.IBAN,
		},
		AttemptCount: 1,
	}
	for cb.AttemptCount < 8 && c.random.IntN(14) == 0 {
		cb.AttemptCount++
	}
	if c.random.IntN(200) == 0 {
		cb.Status = payment.Undeliverable
	}
	for number := 1; number <= cb.AttemptCount; number++ {
		took := time.Duration(20+c.random.IntN(400)) * time.Millisecond
		at = at.Add(took * time.Duration(number*number*number))
		a := payment.Attempt{
			CallbackID: cb.ID, ID: ids.Next(), Number: number, At: at, Duration: took,
			URL: "https://provider.example/callbacks", HTTPStatus: 503,
		}
		if number == cb.AttemptCount && cb.Status == payment.Delivered {
			a.HTTPStatus, a.Answer = 200, "OK"
		}
		at = at.Add(took)
		*change = append(*change, a)
	}
	cb.FinishedAt = at
	*change = append(*change, cb)
}
