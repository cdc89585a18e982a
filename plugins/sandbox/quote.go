package sandbox

import (
	"context"
	"net/url"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// optionJSON is a coin.
type optionJSON struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Currency string `json:"currency"`
	Network  string `json:"network"`
	Decimals int    `json:"decimals"`
}

// ListOptions implements ports.OptionLister: the coins. Cards, banks and wallets have no options.
func (g *Gateway) ListOptions(ctx context.Context) ([]gateway.Option, error) {
	var list listJSON[optionJSON]
	if err := g.get(ctx, "/v1/options", &list); err != nil {
		return nil, err
	}
	var options []gateway.Option
	for _, o := range list.Items {
		asset := gateway.Asset{Code: o.Currency, Network: o.Network, Decimals: o.Decimals}
		options = append(options, gateway.Option{ID: o.ID, Title: o.Title, Asset: asset})
	}
	return options, nil
}

// quoteJSON is the price of an amount in a coin.
type quoteJSON struct {
	Pay        amountJSON    `json:"pay"`
	Rate       money.Decimal `json:"rate"` // of one coin, in TRY
	ValidUntil time.Time     `json:"valid_until"`
}

// Lacks implements plugkit.Checker.
func (q *quoteJSON) Lacks() string {
	if q.Rate.Sign() <= 0 || q.Pay.Currency == "" {
		return "rate"
	}
	return ""
}

func quoteOf(q *gateway.Quote) *quoteJSON {
	if q == nil {
		return nil
	}
	return &quoteJSON{Pay: amountOf(q.To), Rate: q.Rate, ValidUntil: q.Until}
}

// Quote implements ports.Quoter. The sandbox's rates are fixed: the README has them.
func (g *Gateway) Quote(ctx context.Context, r gateway.QuoteRequest) (gateway.Quote, error) {
	q := url.Values{
		"amount": {r.From.Amount.String()}, "currency": {r.To.Code}, "network": {r.To.Network},
	}
	var quote quoteJSON
	if err := g.get(ctx, "/v1/quote?"+q.Encode(), &quote); err != nil {
		return gateway.Quote{}, err
	}
	return gateway.Quote{
		From: r.From, To: quote.Pay.money(), Rate: quote.Rate, Source: "sandbox", At: g.clock.Now(), Until: quote.ValidUntil,
	}, nil
}
