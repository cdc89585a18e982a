package apptest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// fake is what a Till and a Bank have in common. Each is a gateway without any engine or network behind it, its own plugin,
// and one gateway account; any call can be made to fail, and any can be taken over by a test. It is safe for concurrent use.
type fake struct {
	Code string
	// Fault, when set, is asked before every call what shall go wrong.
	Fault func(call gateway.Capability, ref gateway.Ref) Fault
	// As is what is opened in its place: a gateway that embeds it and answers otherwise.
	As ports.Gateway
	// Opens, when set, is asked whether it can be opened.
	Opens func() error
	// Describes changes what its descriptor says.
	Describes func(*gateway.Descriptor)

	self ports.Gateway // the Till or Bank that embeds this
	mu   sync.Mutex
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

var errNotFound = &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone}

// Has implements ports.Plugin.
func (f *fake) Has(c gateway.Capability) bool { return ports.CapabilityOf(f.opened(), c) }

// Open implements ports.Plugin.
func (f *fake) Open(ports.GatewayEnv) (ports.Gateway, error) {
	if f.Opens != nil {
		if err := f.Opens(); err != nil {
			return nil, err
		}
	}
	return f.opened(), nil
}

func (f *fake) opened() ports.Gateway {
	if f.As != nil {
		return f.As
	}
	return f.self
}

func (f *fake) described(d gateway.Descriptor) gateway.Descriptor {
	if f.Describes != nil {
		f.Describes(&d)
	}
	return d
}

// Probe implements ports.Gateway.
func (f *fake) Probe(context.Context) gateway.ProbeReport {
	_, err := f.enter("probe", "")
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{{Name: "credentials", IsOK: err == nil}}}
}

// Close implements ports.Gateway.
func (*fake) Close() error { return nil }

// enter asks for the fault of a call: before it acts it may fail, after it has acted its answer may be lost.
func (f *fake) enter(call gateway.Capability, ref gateway.Ref) (after func() error, err error) {
	fails := NoFault
	if f.Fault != nil {
		fails = f.Fault(call, ref)
	}
	fine := func() error { return nil }
	switch fails {
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

// asked is enter for a question, on which nothing acts.
func (f *fake) asked(call gateway.Capability, ref gateway.Ref) error {
	after, err := f.enter(call, ref)
	if err != nil {
		return err
	}
	return after()
}

// message is a notification: of a deposit, of a payout or transfer, or of a line of a statement.
type message struct {
	ID      string                 `json:"id"`
	Deposit *gateway.Observation   `json:"deposit,omitempty"`
	Payout  *gateway.PayoutReport  `json:"payout,omitempty"`
	Line    *gateway.StatementLine `json:"line,omitempty"`
}

// SignatureHeader is right where it says so.
const SignatureHeader = "X-Signature"

func (m message) inbound() gateway.Inbound {
	body, _ := json.Marshal(m) // a message always can be
	return gateway.Inbound{Method: "POST", Body: body, Header: gateway.Header{{Name: SignatureHeader, Value: "right"}}}
}

// ReadNotification implements ports.NotificationReader.
func (*fake) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if in.Header.Get(SignatureHeader) != "right" {
		return gateway.Notification{}, &gateway.Error{Class: gateway.Unauthenticated, Effect: gateway.EffectNone}
	}
	var m message
	if err := json.Unmarshal(in.Body, &m); err != nil || m.ID == "" {
		return gateway.Notification{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	n := gateway.Notification{ID: m.ID}
	if m.Deposit != nil {
		n.Type, n.Events = string(m.Deposit.State), []gateway.Observation{*m.Deposit}
	}
	if m.Payout != nil {
		n.Type, n.Payouts = string(m.Payout.State), []gateway.PayoutReport{*m.Payout}
	}
	if m.Line != nil {
		n.Lines = []gateway.StatementLine{*m.Line}
	}
	return n, nil
}

// Acknowledge implements ports.NotificationReader.
func (*fake) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }

// Plugins is a list of plugins.
type Plugins []ports.Plugin

var _ ports.Plugins = Plugins(nil)

// Plugin implements ports.Plugins.
func (l Plugins) Plugin(code string) (ports.Plugin, bool) {
	for _, p := range l {
		if p.Describe().Code == code {
			return p, true
		}
	}
	return nil, false
}

// Plugins implements ports.Plugins.
func (l Plugins) Plugins() []ports.Plugin { return l }
