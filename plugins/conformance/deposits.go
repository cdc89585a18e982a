package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// customer is the payer and payee of every order.
var customer = gateway.Customer{
	ID: "48151623", Username: "gizemsakli77", FullName: "Gizem Saklıoğlu", FirstName: "Gizem", LastName: "Saklıoğlu",
	Email: "gizem.sakli@example.org", Phone: "+905321234567", IP: "203.0.113.7",
}

// personalMarks are parts of the customer's data that no URL may have, in lower case.
var personalMarks = map[string]string{
	"user name": "gizemsakli77", "name": "saklıoğlu", "email": "gizem.sakli", "phone number": "5321234567",
}

// Names of types of orders.
const (
	depositName = "a deposit"
	payoutName  = "a payout"
)

// depositType is deposits as a type of order.
func depositType(s suite) orderType {
	traits := s.d.Deposit
	return orderType{
		name: depositName, readName: "ReadDeposit", cancelName: "CancelDeposit",
		keys: traits.Keys, findsOncePaid: s.FindsOncePaid, low: traits.Min, high: traits.Max, usual: s.usual(),
		newOrder: func(w *world, amount money.Decimal) order {
			return w.orderOf(w.depositOrder(kindOf(w.d.Kinds), amount))
		},
		heldName:     "Fake.Deposits",
		heldBy:       func(f Fake) func(gateway.Ref) []gateway.Money { return f.Deposits },
		expectations: depositExpectations(),
		contradictions: map[Situation][]string{
			IsWaiting:    states(gateway.Paid, gateway.OverPaid, gateway.PartPaid),
			IsProcessing: states(gateway.Paid, gateway.OverPaid),
			IsPaid:       states(gateway.Failed, gateway.Canceled, gateway.Expired, gateway.Waiting, gateway.PartPaid),
			IsInReview:   states(gateway.Paid, gateway.OverPaid),
			IsFailed:     states(gateway.Paid, gateway.OverPaid, gateway.PartPaid),
			IsCanceled:   states(gateway.Paid, gateway.OverPaid, gateway.PartPaid),
			IsExpired:    states(gateway.Paid, gateway.OverPaid),
			IsMarkedPaid: states(gateway.Paid, gateway.OverPaid),
			IsRefunded:   states(gateway.Paid, gateway.OverPaid, gateway.PartPaid, gateway.Waiting),
			IsDisputed:   states(gateway.Paid, gateway.OverPaid, gateway.Failed, gateway.Canceled, gateway.Expired),
		},
		cancelable: IsWaiting, canceled: states(gateway.Canceled, gateway.Expired, gateway.Failed),
		final: IsPaid, finalState: string(gateway.Paid),
	}
}

// deposit is one that was started.
type deposit struct {
	order   gateway.DepositOrder
	started gateway.DepositStarted
}

// due is what the customer has to pay.
func (d deposit) due() gateway.Money {
	if d.started.Due != nil {
		return *d.started.Due
	}
	return d.order.Amount
}

func (d deposit) key() gateway.DepositKey {
	return gateway.DepositKey{Ref: d.order.Ref, External: d.started.External, Due: d.due()}
}

// orderOf is a deposit as an order.
func (w *world) orderOf(d gateway.DepositOrder) order {
	key := func(r receipt) gateway.DepositKey {
		return gateway.DepositKey{Ref: d.Ref, External: r.external, Due: r.due}
	}
	return order{
		ref: d.Ref, amount: d.Amount,
		send: func(w *world) (receipt, error) {
			started, err := w.startDeposit(d)
			return receipt{external: started.External, due: deposit{d, started}.due()}, err
		},
		read: func(w *world, r receipt) (report, error) { return reportOfDeposit(w.readDeposit(key(r))) },
		cancel: func(w *world, r receipt) (report, error) {
			o := gateway.CancelOrder{DepositKey: key(r), Key: keyOf(d.Ref + "C"), Why: "expired"}
			return reportOfDeposit(call(w, "CancelDeposit", ports.DepositCanceler.CancelDeposit, o))
		},
		// What was quoted; or the lira of the order, or the coin that the start gave for them.
		isFor: func(r receipt, asked gateway.Money) bool {
			if d.Quote != nil {
				return isSame(d.Quote.To, asked)
			}
			isCoin := !r.due.IsSameAsset(d.Amount)
			return isSame(d.Amount, asked) || isCoin && isSame(r.due, asked)
		},
	}
}

// usual is an amount with kuruş that the gateway takes.
func (s suite) usual() money.Decimal {
	return near(money.MustDecimal("125.5"), s.d.Deposit.Min, s.d.Deposit.Max)
}

func (w *world) depositOrder(kind gateway.Kind, amount money.Decimal) gateway.DepositOrder {
	ref := w.refs.next()
	option, asset := w.option(kind)
	o := gateway.DepositOrder{
		Ref: ref, Key: keyOf(ref), Amount: lira(amount), Kind: kind, Option: option, Customer: customer,
		Fields:    w.fieldsFor(gateway.NeedsOf(w.d.Deposit.Needs, kind)),
		ReturnURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/return/9f8c2d7be1a04c55", RawQuery: "a=1&b=%C3%BC"},
		NotifyURL: &url.URL{Scheme: "https", Host: "pay.example.com", Path: "/hook/3ad1c0ffee", RawQuery: "of=" + string(ref)},
		ExpiresAt: w.clock.Now().Add(w.timeToPay()), Locale: "tr", Text: "Order 48151623",
	}
	if w.has(gateway.CanQuote) && asset != gateway.TRY {
		q, err := w.quote(gateway.QuoteRequest{From: o.Amount, To: asset})
		w.ok("Quote", err)
		o.Quote = &q
	}
	return o
}

// timeToPay is fifteen minutes (E7), or the nearest that the gateway takes.
func (s suite) timeToPay() time.Duration {
	e, span := s.d.Deposit.Expiry, 15*time.Minute
	if e.Settable && e.Max > 0 {
		span = min(span, e.Max)
	}
	if e.Settable {
		span = max(span, e.Min)
	}
	return span
}

// option is a way to pay for a kind, and its asset: of crypto a coin, of everything else lira, where the gateway has
// that.
func (w *world) option(kind gateway.Kind) (id string, asset gateway.Asset) {
	asset = w.assetFor(kind, w.d.Deposit.Assets)
	if !w.has(gateway.CanListOptions) {
		return "", asset
	}
	if w.options == nil {
		list, err := w.listOptions()
		w.ok("ListOptions", err)
		w.options = list
	}
	for _, o := range w.options {
		if fits(kind, o.Asset) {
			return o.ID, o.Asset
		}
	}
	return "", asset
}

// assetFor is the asset of an order: the one of Subject.Fields, or the first that fits the kind, or the first.
func (s suite) assetFor(kind gateway.Kind, assets []gateway.Asset) gateway.Asset {
	if named, ok := gateway.AssetNamed(assets, s.Fields["crypto_type"]); ok && fits(kind, named) {
		return named
	}
	return assets[max(slices.IndexFunc(assets, func(a gateway.Asset) bool { return fits(kind, a) }), 0)]
}

func fits(kind gateway.Kind, a gateway.Asset) bool {
	return (a != gateway.TRY) == (kind == gateway.Crypto)
}

// fieldsFor is what the customer supplies for the specs.
func (s suite) fieldsFor(specs []gateway.FieldSpec) map[string]string {
	fields := map[string]string{}
	for _, spec := range specs {
		if v, ok := s.Fields[spec.Name]; ok {
			fields[spec.Name] = v
		}
	}
	return fields
}

func keyOf(ref gateway.Ref) gateway.Key { return gateway.Key("key-of-" + strings.ToLower(string(ref))) }

func kindOf(kinds []gateway.Kind) gateway.Kind {
	i := slices.IndexFunc(kinds, func(k gateway.Kind) bool { return k != gateway.Account })
	return kinds[max(i, 0)]
}

// start starts a deposit of the usual kind and amount.
func (w *world) start() deposit {
	return w.started(w.depositOrder(kindOf(w.d.Kinds), w.usual()))
}

func (w *world) started(o gateway.DepositOrder) deposit {
	s, err := w.startDeposit(o)
	w.ok("StartDeposit", err)
	return deposit{o, s}
}

// startIn starts a deposit and brings it into a situation. It reports false when the gateway does not know that.
func (w *world) startIn(s Situation) (deposit, bool) {
	d := w.start()
	return d, w.set(d.order.Ref, s)
}

// paid starts a deposit and has it paid exactly.
func (w *world) paid() deposit {
	d, _ := w.startIn(IsPaid)
	return d
}

func depositReadCases(s suite) []testCase {
	t := depositType(s)
	return append(
		append(t.readCases(func(w *world) []query { return append(t.queries(w), depositQueries(w)...) }), moreReadCases()...),
		when(s.has(gateway.CanListDeposits),
			testCase{"a listing has every paid deposit of its window, and none twice", listsAll},
			testCase{"a listing ends at its window", listsNoOthers})...)
}

func depositExpectations() []expectation {
	return []expectation{
		{IsWaiting, "Waiting", states(gateway.Waiting), nil},
		{IsProcessing, "not settled", states(gateway.Processing, gateway.Authorized, gateway.Waiting), nil},
		{IsPaid, "Paid with exactly what was due", states(gateway.Paid), paidIs("1", 0)},
		{IsPaidAmongFailures, "Paid: the card that succeeded counts", states(gateway.Paid), paidIs("1", 0)},
		{IsPaidLess, "PartPaid, with what really came", states(gateway.PartPaid, gateway.Review, gateway.Paid), paidIs("0.5", -1)},
		{IsPaidMore, "OverPaid, with what really came", states(gateway.OverPaid, gateway.Review, gateway.Paid), paidIs("1.5", 1)},
		{IsPaidInOtherCurrency, "never Paid with what was due",
			states(gateway.Paid, gateway.PartPaid, gateway.OverPaid, gateway.Review, gateway.Unknown), paidIsInOtherCurrency},
		{IsInReview, "Review, apart from Paid", states(gateway.Review), nil},
		{IsFailed, "Failed, or Waiting where the customer can try again", states(gateway.Failed, gateway.Waiting), nil},
		{IsCanceled, "Canceled", states(gateway.Canceled, gateway.Failed), nil},
		{IsExpired, "Expired", states(gateway.Expired, gateway.Canceled, gateway.Failed), nil},
		{IsRefunded, "Refunded", states(gateway.Refunded, gateway.Refunding), givenBackIs("1")},
		{IsPartRefunded, "PartRefunded, and not all of it", states(gateway.PartRefunded, gateway.Refunding), givenBackIs("0.2")},
		{IsDisputed, "Disputed, and neither Paid nor Failed", states(gateway.Disputed), nil},
		{IsUnlisted, "Unknown, never Failed and never Paid", states(gateway.Unknown), nil},
		{IsMarkedPaid, "not Paid: nobody saw the money", states(gateway.Review, gateway.Unknown), nil},
	}
}

// hasMoney reports whether money came in a situation.
func hasMoney(s Situation) bool {
	return isOneOf(s, IsPaid, IsPaidAmongFailures, IsPartRefunded, IsPaidLess, IsPaidMore, IsPaidInOtherCurrency, IsInReview)
}

// paidIs wants Paid to be what was due or on one side of it: by that many times, where the asset divides so finely.
func paidIs(times string, side int) func(order, receipt, report) string {
	return func(_ order, r receipt, got report) string {
		exact := gateway.Money{Amount: r.due.Amount.Mul(money.MustDecimal(times)), Asset: r.due.Asset}
		isFine := exact.Amount.Places() > r.due.Asset.Decimals
		switch {
		case got.amount == nil || !got.amount.IsSameAsset(r.due) || got.amount.Amount.Cmp(r.due.Amount) != side:
			return fmt.Sprintf("Paid must say what really came: %s, where %s was due", exact, r.due)
		case !isFine && got.amount.Amount != exact.Amount:
			return fmt.Sprintf("Paid must be %s", exact)
		default:
			return ""
		}
	}
}

func paidIsInOtherCurrency(_ order, r receipt, got report) string {
	if isPaid(gateway.State(got.state)) && (got.amount == nil || got.amount.IsSameAsset(r.due)) {
		return fmt.Sprintf("another currency than %s came, and Paid must say which", r.due.Asset)
	}
	return ""
}

// maxPages bounds a listing: a longer one has no end.
const maxPages = 200

func (w *world) listAll(span gateway.Window) map[gateway.Ref]int {
	seen := map[gateway.Ref]int{}
	var cursor gateway.Cursor
	for range maxPages {
		page, err := w.listDeposits(span, cursor)
		w.ok("ListDeposits", err)
		for _, o := range page.Items {
			seen[o.Ref]++
			w.check(o.Trust == gateway.Answered, "ListDeposits was answered by the gateway, and Trust is %q", o.Trust)
		}
		if cursor = page.Next; cursor == "" {
			return seen
		}
	}
	w.t.Fatalf("ListDeposits gave %d pages and goes on: Next must be empty on the last", maxPages)
	return nil
}

func listsAll(w *world) {
	isPaid := map[gateway.Ref]bool{}
	for i := range 9 {
		d := w.start()
		isPaid[d.order.Ref] = i%3 != 0 && w.set(d.order.Ref, IsPaid)
		w.clock.Advance(time.Duration(i%2) * time.Minute) // every other one has the time of the one before
	}
	seen := w.listAll(gateway.Window{From: Opening.Add(-time.Hour), To: w.clock.Now().Add(time.Hour)})
	for ref, paid := range isPaid {
		w.check(seen[ref] == 1 || !paid && seen[ref] == 0, "ListDeposits has %s %d times, and must have what is paid once", ref,
			seen[ref])
		delete(seen, ref)
	}
	w.check(len(seen) == 0, "ListDeposits has deposits that nobody started: %v", seen)
}

func listsNoOthers(w *world) {
	w.start()
	before := w.listAll(gateway.Window{From: Opening.Add(-48 * time.Hour), To: Opening.Add(-24 * time.Hour)})
	after := w.listAll(gateway.Window{From: Opening.Add(24 * time.Hour), To: Opening.Add(48 * time.Hour)})
	w.check(len(before)+len(after) == 0, "ListDeposits gives deposits outside of its window: %v %v", before, after)
}
