package conformance

import (
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// customer is the payer and payee of every order.
func customer() gateway.Customer {
	return gateway.Customer{
		ID: "48151623", Username: "gizemsakli77", FullName: "Gizem Saklıoğlu", FirstName: "Gizem", LastName: "Saklıoğlu",
		Email: "gizem.sakli@example.org", Phone: "+905321234567", IP: "203.0.113.7",
	}
}

// personalMarks are what a URL must not say of the customer, in lower case.
func personalMarks() map[string]string {
	return map[string]string{
		"user name": "gizemsakli77", "name": "saklıoğlu", "email": "gizem.sakli", "phone number": "5321234567",
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

// blind is the key after a start of which nothing came back.
func (d deposit) blind() gateway.DepositKey {
	return gateway.DepositKey{Ref: d.order.Ref, Due: d.due()}
}

// usual is an amount with kuruş that the gateway takes.
func (w *world) usual() money.Decimal {
	return near(money.MustDecimal("125.5"), w.d.Deposit.Min, w.d.Deposit.Max)
}

// depositOrder orders a deposit of the gateway's first kind.
func (w *world) depositOrder(amount money.Decimal) gateway.DepositOrder {
	w.t.Helper()
	return w.depositOrderOf(kindOf(w.d.Kinds), amount)
}

func (w *world) depositOrderOf(kind gateway.Kind, amount money.Decimal) gateway.DepositOrder {
	w.t.Helper()
	ref := w.refs.next()
	option, asset := w.option(kind)
	o := gateway.DepositOrder{
		Ref: ref, Key: keyOf(ref), Amount: lira(amount), Kind: kind, Option: option, Customer: customer(),
		Fields:    w.fieldsFor(gateway.NeedsOf(w.d.Deposit.Needs, kind)),
		ReturnURL: address("https://pay.example.com/return/9f8c2d7be1a04c55"),
		NotifyURL: address("https://pay.example.com/hook/3ad1c0ffee"),
		ExpiresAt: w.clock.Now().Add(w.patience()), Locale: "tr", Text: "Order 48151623",
	}
	if w.has(gateway.CanQuote) && asset != gateway.TRY {
		q, err := w.quote(gateway.QuoteRequest{From: o.Amount, To: asset})
		w.ok("Quote", err)
		o.Quote = &q
	}
	return o
}

// patience is how long a deposit may take: fifteen minutes (E7), or the nearest that the gateway takes.
func (w *world) patience() time.Duration {
	e, span := w.d.Deposit.Expiry, 15*time.Minute
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
	w.t.Helper()
	fits := func(a gateway.Asset) bool { return (a != gateway.TRY) == (kind == gateway.Crypto) }
	asset = w.d.Deposit.Assets[0]
	if i := slices.IndexFunc(w.d.Deposit.Assets, fits); i >= 0 {
		asset = w.d.Deposit.Assets[i]
	}
	if named, ok := gateway.AssetNamed(w.d.Deposit.Assets, w.Fields["crypto_type"]); ok && fits(named) {
		asset = named
	}
	if !w.has(gateway.CanListOptions) {
		return "", asset
	}
	if w.options == nil {
		list, err := w.listOptions()
		w.ok("ListOptions", err)
		w.options = list
	}
	if i := slices.IndexFunc(w.options, func(o gateway.Option) bool { return fits(o.Asset) }); i >= 0 {
		return w.options[i].ID, w.options[i].Asset
	}
	return "", asset
}

// start starts a deposit of the usual amount.
func (w *world) start() deposit {
	w.t.Helper()
	return w.started(w.depositOrder(w.usual()))
}

func (w *world) started(o gateway.DepositOrder) deposit {
	w.t.Helper()
	s, err := w.startDeposit(o)
	w.ok("StartDeposit", err)
	return deposit{o, s}
}

// paid starts a deposit and has it paid exactly.
func (w *world) paid() deposit {
	w.t.Helper()
	d := w.start()
	w.mustSet(d.order.Ref, IsPaid)
	return d
}

// fieldsFor is what the customer supplies for the specs.
func (w *world) fieldsFor(specs []gateway.FieldSpec) map[string]string {
	fields := map[string]string{}
	for _, s := range specs {
		if v, ok := w.Fields[s.Name]; ok {
			fields[s.Name] = v
		}
	}
	return fields
}

func keyOf(ref gateway.Ref) gateway.Key { return gateway.Key("key-of-" + strings.ToLower(string(ref))) }

func lira(d money.Decimal) gateway.Money { return gateway.Money{Amount: d, Asset: gateway.TRY} }

func kindOf(kinds []gateway.Kind) gateway.Kind {
	i := slices.IndexFunc(kinds, func(k gateway.Kind) bool { return k != gateway.Account })
	return kinds[max(i, 0)]
}

// shapes are amounts in which units slip: the least with a kuruş, a whole one, and many digits.
func shapes() []money.Decimal {
	return []money.Decimal{money.MustDecimal("0.01"), money.MustDecimal("250"), money.MustDecimal("99999.99")}
}

// near is the amount, or the nearest with the same kuruş between the bounds, of which 0 is none. Where there is none at
// all it is the lower bound.
func near(amount, low, high money.Decimal) money.Decimal {
	whole, kurus := split(amount)
	one := money.MustDecimal("1")
	if amount.Cmp(low) < 0 {
		whole, _ = split(low)
		if whole.Add(kurus).Cmp(low) < 0 {
			whole = whole.Add(one)
		}
	}
	if high.Sign() > 0 && whole.Add(kurus).Cmp(high) > 0 {
		whole, _ = split(high)
		if whole.Add(kurus).Cmp(high) > 0 {
			whole = whole.Sub(one)
		}
	}
	if got := whole.Add(kurus); got.Cmp(low) >= 0 {
		return got
	}
	return low
}

func split(d money.Decimal) (whole, rest money.Decimal) {
	text, _, _ := strings.Cut(d.String(), ".")
	whole = money.MustDecimal(text)
	return whole, d.Sub(whole)
}

// isFor reports whether an amount at the gateway is what an order asks for: what was quoted; or the lira of the order, or
// the coin that the start gave for them.
func (d deposit) isFor(asked gateway.Money) bool {
	if d.order.Quote != nil {
		return isSame(d.order.Quote.To, asked)
	}
	isCoin := !d.due().IsSameAsset(d.order.Amount)
	return isSame(d.order.Amount, asked) || isCoin && isSame(d.due(), asked)
}

func isSame(a, b gateway.Money) bool { return a.IsSameAsset(b) && a.Amount == b.Amount }
