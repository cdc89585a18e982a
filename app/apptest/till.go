package apptest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Till is a gateway without any engine behind it: orders are in a map, what customers pay is what a test says, and any
// call can be made to fail. It is its own plugin, and one Till is one gateway account. It is safe for concurrent use.
type Till struct {
	Code string
	// Quotes makes it price deposits in USDT at 40 TRY each; otherwise it prices in TRY.
	Quotes bool
	// IBAN is where it has customers pay by bank. Declares: its configuration says on which it collects (collecting_ibans).
	IBAN     string
	Declares bool
	// Fault, when set, is asked before every call what shall go wrong.
	Fault func(call gateway.Capability, ref gateway.Ref) Fault

	mu       sync.Mutex
	deposits map[gateway.Ref]*Order
	payouts  map[gateway.Ref]*Order
	refunds  map[gateway.Ref]*Order
	finishes map[gateway.Ref]int
}

var (
	_ ports.Plugin             = (*Till)(nil)
	_ ports.DepositStarter     = (*Till)(nil)
	_ ports.DepositReader      = (*Till)(nil)
	_ ports.DepositCanceler    = (*Till)(nil)
	_ ports.ReturnFinisher     = (*Till)(nil)
	_ ports.Refunder           = (*Till)(nil)
	_ ports.Payer              = (*Till)(nil)
	_ ports.PayoutApprover     = (*Till)(nil)
	_ ports.NotificationReader = (*Till)(nil)
)

// Order is what a Till holds under one reference.
type Order struct {
	Amount gateway.Money
	State  string // gateway.State, PayoutState or RefundState
	Paid   gateway.Money
	Reason *gateway.Reason
	// CanStillPay and Next go with the next report and start.
	CanStillPay bool
	Orders      int // how often it was ordered with effect
}

// Fault is what goes wrong with one call.
type Fault int

// Faults.
const (
	NoFault    Fault = iota
	NotSent          // the gateway never heard of it
	Lost             // the gateway acted and the answer was lost
	Broken           // the gateway did not act, and nobody can tell
	Refusing         // the gateway refuses: nothing happened
	Misset           // the gateway does not accept the keys
	OutOfFunds       // the gateway has too little to send: nothing happened
)

// USDT is the coin of a Till that quotes.
var USDT = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

// NewTill is an empty till.
func NewTill(code string) *Till {
	return &Till{
		Code: code, IBAN: "TR190006200000000000000088", deposits: map[gateway.Ref]*Order{}, payouts: map[gateway.Ref]*Order{},
		refunds: map[gateway.Ref]*Order{}, finishes: map[gateway.Ref]int{},
	}
}

// Describe implements ports.Plugin.
func (t *Till) Describe() gateway.Descriptor {
	keys := gateway.KeyTraits{Mode: gateway.RefKey, Find: true, Settle: 30 * time.Second}
	config := []gateway.ConfigField{
		{Name: "api_key", Label: "API key", Type: gateway.SecretField, Required: true},
		{Name: "note", Label: "Note", Type: gateway.TextField},
	}
	if t.Declares {
		config = append(config, gateway.ConfigField{
			Name: "collecting_ibans", Label: "Collecting accounts", Type: gateway.ListField, Collects: true,
		})
	}
	return gateway.Descriptor{
		Code: t.Code, Title: "Till " + t.Code, Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Stable,
		Kinds:        []gateway.Kind{gateway.Card, gateway.Bank, gateway.Crypto, gateway.Wallet},
		Environments: []gateway.Environment{{Name: gateway.Production, Hosts: []string{"till.test"}}},
		Config:       config,
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY, USDT}, Min: money.MustDecimal("1"), Max: money.MustDecimal("100000"),
			Steps: []gateway.StepKind{gateway.StepRedirect, gateway.StepPay}, Keys: keys,
			Expiry: gateway.ExpiryTraits{Settable: true, LateUntil: 24 * time.Hour},
			Refund: gateway.RefundTraits{Partial: true},
		},
		Payout: &gateway.PayoutTraits{
			Assets: []gateway.Asset{gateway.TRY, USDT}, Min: money.MustDecimal("10"), Max: money.MustDecimal("50000"),
			Keys: keys, Approval: gateway.CodeApproval,
			Needs: []gateway.FieldSpec{
				{Name: "iban", Label: "IBAN", Check: gateway.CheckIBAN, Kinds: []gateway.Kind{gateway.Bank}},
				{Name: "crypto_type", Label: "Coin", Check: gateway.CheckText, Kinds: []gateway.Kind{gateway.Crypto}},
				{Name: "wallet_address", Label: "Address", Check: gateway.CheckAddress, Kinds: []gateway.Kind{gateway.Crypto}},
				{Name: "wallet_number", Label: "Wallet", Check: gateway.CheckWallet, Kinds: []gateway.Kind{gateway.Wallet}},
			},
		},
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed, PerPayment: true},
	}
}

// Has implements ports.Plugin. It quotes and lists options only when it is to.
func (t *Till) Has(c gateway.Capability) bool { return ports.CapabilityOf(t.opened(), c) }

// Open implements ports.Plugin.
func (t *Till) Open(ports.GatewayEnv) (ports.Gateway, error) { return t.opened(), nil }

func (t *Till) opened() ports.Gateway {
	if t.Quotes {
		return &quoting{t}
	}
	return t
}

// quoting is a Till that prices in a coin.
type quoting struct{ *Till }

// Quote implements ports.Quoter.
func (q *quoting) Quote(_ context.Context, r gateway.QuoteRequest) (gateway.Quote, error) {
	rate := money.MustDecimal("40")
	return gateway.Quote{
		From: r.From, To: gateway.Money{Amount: r.From.Amount.QuoUp(rate, r.To.Decimals), Asset: r.To}, Rate: rate, Source: "till",
	}, nil
}

// ListOptions implements ports.OptionLister.
func (q *quoting) ListOptions(context.Context) ([]gateway.Option, error) {
	return []gateway.Option{{ID: "usdt", Title: "Tether", Asset: USDT}}, nil
}

// Probe implements ports.Gateway.
func (t *Till) Probe(context.Context) gateway.ProbeReport {
	_, err := t.enter("probe", "")
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{{Name: "credentials", OK: err == nil}}}
}

// Close implements ports.Gateway.
func (t *Till) Close() error { return nil }

// Deposit gives the deposit that is held under a reference.
func (t *Till) Deposit(ref gateway.Ref) (Order, bool) { return t.look(t.deposits, ref) }

// Payout gives the payout of a reference.
func (t *Till) Payout(ref gateway.Ref) (Order, bool) { return t.look(t.payouts, ref) }

// Refunded gives the refund of a reference.
func (t *Till) Refunded(ref gateway.Ref) (Order, bool) { return t.look(t.refunds, ref) }

// Finishes counts the finishing calls of a reference.
func (t *Till) Finishes(ref gateway.Ref) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.finishes[ref]
}

func (t *Till) look(in map[gateway.Ref]*Order, ref gateway.Ref) (Order, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	o, ok := in[ref]
	if !ok {
		return Order{}, false
	}
	return *o, true
}

// Change changes what is held under a reference, if anything is: a customer pays, a payout is rejected.
func (t *Till) Change(ref gateway.Ref, change func(*Order)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, in := range []map[gateway.Ref]*Order{t.deposits, t.payouts, t.refunds} {
		if o, ok := in[ref]; ok {
			change(o)
		}
	}
}

// Pay pays the whole of a deposit that is still open at the gateway.
func (t *Till) Pay(ref gateway.Ref) {
	t.Change(ref, func(o *Order) {
		if o.State == string(gateway.Waiting) || o.CanStillPay {
			o.State, o.Paid, o.CanStillPay = string(gateway.Paid), o.Amount, false
		}
	})
}

// enter asks for the fault of a call: before it acts it may fail, after it has acted its answer may be lost.
func (t *Till) enter(call gateway.Capability, ref gateway.Ref) (after func() error, err error) {
	f := NoFault
	if t.Fault != nil {
		f = t.Fault(call, ref)
	}
	fine := func() error { return nil }
	switch f {
	case NotSent:
		return fine, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: errors.New("not sent")}
	case Broken:
		return fine, &gateway.Error{Class: gateway.Retryable, Err: errors.New("broken")}
	case Refusing:
		return fine, &gateway.Error{
			Class: gateway.Refused, Effect: gateway.EffectNone, RawCode: "51",
			Reason: &gateway.Reason{Code: gateway.InsufficientFunds, RawCode: "51"},
		}
	case Misset:
		return fine, &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, RawCode: "401"}
	case OutOfFunds:
		return fine, &gateway.Error{Class: gateway.OutOfFunds, Effect: gateway.EffectNone, RawCode: "E1"}
	case Lost:
		return func() error { return &gateway.Error{Class: gateway.Retryable, Err: errors.New("lost")} }, nil
	case NoFault:
	}
	return fine, nil
}

var errNotFound = &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}

// Tills is a list of plugins.
type Tills []*Till

var _ ports.Plugins = Tills(nil)

// Plugin implements ports.Plugins.
func (l Tills) Plugin(code string) (ports.Plugin, bool) {
	for _, t := range l {
		if t.Code == code {
			return t, true
		}
	}
	return nil, false
}

// Plugins implements ports.Plugins.
func (l Tills) Plugins() []ports.Plugin {
	var all []ports.Plugin
	for _, t := range l {
		all = append(all, t)
	}
	return all
}

// NoNetwork makes Doers that reach nothing: a Till needs none.
type NoNetwork struct{}

// Doer implements ports.DoerMaker.
func (NoNetwork) Doer([]string, []string) ports.Doer { return NoNetwork{} }

// Do implements ports.Doer.
func (NoNetwork) Do(context.Context, gateway.Request) (gateway.Response, error) {
	return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: errors.New("no network")}
}
