package btcpay

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// method is one way in which an invoice can be paid, with the payments that came that way.
type method struct {
	ID          string    `json:"paymentMethodId"`
	Destination string    `json:"destination"`
	PaymentLink string    `json:"paymentLink"`
	Amount      number    `json:"amount"` // of the invoice, in the coin
	Due         number    `json:"due"`    // what is left of it
	IsActivated bool      `json:"activated"`
	Payments    []payment `json:"payments"`
}

type payment struct {
	Value    number `json:"value"`
	Status   string `json:"status"` // Invalid, Processing or Settled: confirmed as the invoice's speed policy asks
	Received stamp  `json:"receivedDate"`
}

func (g *Gateway) methodsOf(ctx context.Context, invoiceID string) ([]method, error) {
	var list []method
	err := g.get(ctx, g.path("invoices", invoiceID, "payment-methods"), &list)
	return list, err
}

// tally is what came for an invoice, in its currency.
type tally struct {
	confirmed money.Decimal
	seen      money.Decimal // confirmed or not
	slack     money.Decimal // what roundings can hide: the smallest unit of each coin that came
	isPending bool          // something came that is not confirmed
	last      time.Time
}

// satoshis are the units that chains count in, to a coin.
const satoshis = 100_000_000

// tally adds up the payments. What is a part of the amount in the coin is the same part of the price, rounded down: as
// the rate of the invoice has it, with no rounding where the amount is exact.
func (g *Gateway) tally(ctx context.Context, i invoice) (tally, error) {
	list, err := g.methodsOf(ctx, i.ID)
	if err != nil {
		return tally{}, err
	}
	confirmed, seen, slack, t := new(big.Rat), new(big.Rat), new(big.Rat), tally{}
	for _, m := range list {
		counted := slices.DeleteFunc(m.Payments, func(p payment) bool { return p.Status == "Invalid" || p.Value.Sign() <= 0 })
		if len(counted) == 0 {
			continue
		}
		if m.Amount.Sign() <= 0 {
			return tally{}, plugkit.Distrust(gateway.Retryable, "a payment method with payments has no amount")
		}
		price := new(big.Rat).Quo(rat(i.Amount), rat(m.Amount)) // of one coin
		slack.Add(slack, new(big.Rat).Mul(price, big.NewRat(1, satoshis)))
		for _, p := range counted {
			share := new(big.Rat).Mul(rat(p.Value), price)
			seen.Add(seen, share)
			if p.Status == "Settled" {
				confirmed.Add(confirmed, share)
			} else {
				t.isPending = true
			}
			if p.Received.After(t.last) {
				t.last = p.Received.Time
			}
		}
	}
	kurus := money.MustDecimal("0.01")
	t.confirmed, t.seen, t.slack = floor(confirmed), floor(seen), floor(slack).Add(kurus).Add(kurus)
	return t, nil
}

func rat(n number) *big.Rat {
	r, _ := new(big.Rat).SetString(n.String()) // the text of a Decimal always is a number
	return r
}

// floor cuts an amount of the invoice's currency to its decimals.
func floor(r *big.Rat) money.Decimal {
	units := new(big.Rat).Mul(r, new(big.Rat).SetInt64(100))
	return money.DecimalOf(new(big.Int).Quo(units.Num(), units.Denom()), gateway.TRY.Decimals)
}

// judge decides where a status speaks of money, or hides it. The status decides what an invoice without money is, and
// the confirmed payments decide what one with money is:
//   - PaidLate and PaidPartial count payments that are not confirmed yet; those are Processing.
//   - An invoice that was called off, by its server or by hand, may be paid after that.
//   - One that a person settled by hand is Review, whatever came, and one that is settled without a payment is Unknown.
func judge(i invoice, state gateway.State, t tally) (gateway.State, *gateway.Money) {
	sum, price := t.confirmed, i.Amount.Decimal
	if sum.Sign() == 0 {
		return withoutMoney(i, state, t), nil
	}
	switch state {
	case gateway.Review, gateway.PartPaid:
		return state, i.money(sum)
	case gateway.Failed, gateway.Canceled:
		return byAmount(sum, price, gateway.PartPaid), i.money(sum)
	case gateway.OverPaid:
		sum = t.seen // what is too much may come unconfirmed beside what is due
	case gateway.Paid:
		if t.isPending && i.isStatus("Expired") {
			return gateway.Processing, nil
		}
	}
	if i.isExact() && sum.Cmp(price) < 0 && sum.Add(t.slack).Cmp(price) >= 0 {
		sum = price // the server counts all methods together, and calls it enough: what is missing is a rounding of ours
	}
	return byAmount(sum, price, gateway.Paid), i.money(sum)
}

// byAmount tells paid from too much. Less is what the caller says: within the tolerance it is Paid, and shows.
func byAmount(sum, price money.Decimal, less gateway.State) gateway.State {
	switch sum.Cmp(price) {
	case 0:
		return gateway.Paid
	case 1:
		return gateway.OverPaid
	default:
		return less
	}
}

// withoutMoney is for statuses of money behind which no confirmed payment is: it is on its way, or was replaced by
// another transaction.
func withoutMoney(i invoice, state gateway.State, t tally) gateway.State {
	switch {
	case state == gateway.Review || state == gateway.Failed:
		return state
	case t.isPending:
		return gateway.Processing
	case state == gateway.Canceled:
		return state
	case i.isStatus("New"):
		return gateway.Waiting
	case i.isStatus("Expired"):
		return gateway.Expired
	default:
		return gateway.Unknown
	}
}

func (i invoice) money(d money.Decimal) *gateway.Money {
	return &gateway.Money{Amount: d, Asset: i.price().Asset}
}
