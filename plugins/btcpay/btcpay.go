// Package btcpay takes crypto deposits and pays out through a BTCPay Server of the operator's own. Invoices and payouts
// are priced in lira; the server has the rates, watches the chains and signs nothing that this plugin asks for: coins
// leave its wallet by the server's own rules. README.md has the tables, and what nobody has tried yet.
package btcpay

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

// Plugin registers the gateway.
func Plugin() plugins.Registration { return plugins.Register(descriptor(), open) }

// Gateway is one store on a BTCPay Server.
type Gateway struct {
	client     plugkit.Client
	clock      ports.Clock
	store      string                                // the path of the store's calls
	isSigned   func(signature string, b []byte) bool // knows the secrets of notifications
	methods    []string                              // what an invoice can be paid with
	speed      string
	tolerance  money.Decimal // percent
	monitoring int           // minutes
	payBy      string        // the payout method
	isApproved bool          // payouts are created approved
}

var (
	_ ports.DepositStarter     = (*Gateway)(nil)
	_ ports.DepositReader      = (*Gateway)(nil)
	_ ports.DepositLister      = (*Gateway)(nil)
	_ ports.DepositCanceler    = (*Gateway)(nil)
	_ ports.Refunder           = (*Gateway)(nil)
	_ ports.OptionLister       = (*Gateway)(nil)
	_ ports.NotificationReader = (*Gateway)(nil)
	_ ports.Payer              = (*Gateway)(nil)
	_ ports.PayoutCanceler     = (*Gateway)(nil)
)

func open(env ports.GatewayEnv) (*Gateway, error) {
	c := env.Config
	base, err := baseOf(c.Text("base_url"))
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		clock: env.Clock, store: plugkit.Path("api", "v1", "stores", c.Text("store_id")),
		isSigned: signedBy(c.Secrets("webhook_secret")), methods: c.List("payment_methods"), speed: c.Text("speed_policy"),
		payBy: c.Text("payout_method"), isApproved: c.Bool("payout_approved"),
		client: plugkit.Client{HTTP: env.HTTP, BaseURL: base, Sign: tokenOf(c.Text("api_key")), Explain: explain},
	}
	for _, name := range []string{"api_key", "store_id", "webhook_secret", "payment_methods"} {
		if c.Text(name) == "" {
			return nil, plugkit.Refuse(gateway.Misconfigured, name+" is needed")
		}
	}
	if g.tolerance, err = money.ParseDecimal(c.Text("tolerance_percent")); err != nil || !isWithin(g.tolerance, "0", "100") {
		return nil, plugkit.Refuse(gateway.Misconfigured, "tolerance_percent must be from 0 to 100")
	}
	g.monitoring, err = strconv.Atoi(c.Text("monitoring_minutes"))
	if err != nil || g.monitoring < minMonitoring || g.monitoring > maxMonitoring {
		return nil, plugkit.Refuse(gateway.Misconfigured, fmt.Sprintf("monitoring_minutes must be from %d to %d", minMonitoring, maxMonitoring))
	}
	return g, nil
}

// baseOf is the server's address without a slash at its end. A server may stand below a path.
func baseOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", plugkit.Refuse(gateway.Misconfigured, "base_url must be the server's address and nothing behind it: https://btcpay.example.com")
	}
	return strings.TrimRight(text, "/"), nil
}

func isWithin(d money.Decimal, low, high string) bool {
	return d.Cmp(money.MustDecimal(low)) >= 0 && d.Cmp(money.MustDecimal(high)) <= 0
}

// tokenOf sends the key. It is kept in the function alone, so that printing a Gateway never shows it.
func tokenOf(key string) func(*gateway.Request) error {
	return func(r *gateway.Request) error {
		r.Header = append(r.Header, gateway.Field{Name: "Authorization", Value: "token " + key})
		return nil
	}
}

// Probe implements ports.Gateway. It asks for lists: of what does not exist, newer servers say that the key may not see it.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	_, err := g.invoices(ctx, url.Values{"take": {"1"}})
	credentials := plugkit.ProbeCheck("credentials", "the key reads the store's invoices", err)
	if err != nil {
		return gateway.ProbeReport{Checks: []gateway.ProbeCheck{credentials}}
	}
	_, err = g.payouts(ctx)
	payouts := plugkit.ProbeCheck("payouts", "the key reads the store's payouts", err)
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{credentials, payouts}}
}

// Close implements ports.Gateway. There is nothing to let go of.
func (g *Gateway) Close() error { return nil }
