package apptest

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Till is a gateway for deposits and payouts: orders are in a map, and what customers pay is what a test says.
type Till struct {
	fake
	// IBAN is where it has customers pay by bank. Declares: its configuration says on which it collects (collecting_ibans).
	IBAN     string
	Declares bool

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

// USDT is the coin of a Till that quotes.
var USDT = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

// NewTill is an empty till.
func NewTill(code string) *Till {
	t := &Till{
		fake: fake{Code: code}, IBAN: "TR190006200000000000000088", deposits: map[gateway.Ref]*Order{},
		payouts: map[gateway.Ref]*Order{}, refunds: map[gateway.Ref]*Order{}, finishes: map[gateway.Ref]int{},
	}
	t.self = t
	return t
}

// Describe implements ports.Plugin.
func (t *Till) Describe() gateway.Descriptor {
	keys := gateway.KeyTraits{Mode: gateway.RefKey, Find: true, Settle: 30 * time.Second}
	config := []gateway.ConfigField{
		{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true},
		{Name: "note", Label: "Note", Type: gateway.TextField},
	}
	if t.Declares {
		config = append(config, gateway.ConfigField{
			Name: "collecting_ibans", Label: "Collecting accounts", Type: gateway.ListField, Collects: true,
		})
	}
	return t.described(gateway.Descriptor{
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
	})
}

// Quoting is a Till that prices deposits in USDT at 40 TRY each.
type Quoting struct{ *Till }

// Quote implements ports.Quoter.
func (Quoting) Quote(_ context.Context, r gateway.QuoteRequest) (gateway.Quote, error) {
	rate := money.MustDecimal("40")
	return gateway.Quote{
		From: r.From, To: gateway.Money{Amount: r.From.Amount.QuoUp(rate, r.To.Decimals), Asset: r.To}, Rate: rate, Source: "till",
	}, nil
}

// ListOptions implements ports.OptionLister.
func (Quoting) ListOptions(context.Context) ([]gateway.Option, error) {
	return []gateway.Option{{ID: "usdt", Title: "Tether", Asset: USDT}}, nil
}

// Deposit returns the deposit that is held under a reference.
func (t *Till) Deposit(ref gateway.Ref) (Order, bool) { return t.look(t.deposits, ref) }

// Payout returns the payout of a reference.
func (t *Till) Payout(ref gateway.Ref) (Order, bool) { return t.look(t.payouts, ref) }

// Refunded returns the refund of a reference.
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

// Notification is what the gateway would tell of a reference now, signed, or as a mere hint.
func (t *Till) Notification(id string, ref gateway.Ref, trust gateway.Trust) gateway.Inbound {
	external := gateway.ExternalRef{ID: "till-" + string(ref)}
	if o, ok := t.Payout(ref); ok {
		report := gateway.PayoutReport{Ref: ref, External: external, State: gateway.PayoutState(o.State), Trust: trust}
		return message{ID: id, Payout: &report}.inbound()
	}
	seen := gateway.Observation{Ref: ref, External: external, Trust: trust}
	if o, ok := t.Deposit(ref); ok {
		if seen.State = gateway.State(o.State); o.Paid.Amount.Sign() > 0 {
			seen.Paid = &o.Paid
		}
	}
	return message{ID: id, Deposit: &seen}.inbound()
}
