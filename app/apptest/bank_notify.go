package apptest

import (
	"context"
	"encoding/json"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// bankMessage is a Bank's notification: of a transfer, of a line, or of both.
type bankMessage struct {
	ID    string                 `json:"id"`
	Trust int                    `json:"trust"`
	Ref   gateway.Ref            `json:"ref,omitempty"`
	State gateway.PayoutState    `json:"state,omitempty"`
	Line  *gateway.StatementLine `json:"line,omitempty"`
}

// Notification is what the bank would tell of a transfer now, signed, or as a mere hint.
func (b *Bank) Notification(id string, ref gateway.Ref, trust gateway.Trust) gateway.Inbound {
	t, _ := b.Transfer(ref)
	return bankMessage{ID: id, Trust: int(trust), Ref: ref, State: t.State}.inbound()
}

// LineNotification is what the bank would tell of a line.
func (b *Bank) LineNotification(id, lineID string) gateway.Inbound {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := bankMessage{ID: id, Trust: int(gateway.Signed)}
	for _, a := range b.accounts {
		if l, ok := a.line(lineID); ok {
			m.Line = &l.StatementLine
		}
	}
	return m.inbound()
}

func (m bankMessage) inbound() gateway.Inbound {
	body, _ := json.Marshal(m) // a message always can be
	return gateway.Inbound{Method: "POST", Body: body, Header: gateway.Header{{Name: "X-Bank", Value: "right"}}}
}

// ReadNotification implements ports.NotificationReader.
func (b *Bank) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if in.Header.Get("X-Bank") != "right" {
		return gateway.Notification{}, &gateway.Error{Class: gateway.Unauthenticated, Effect: gateway.EffectNone}
	}
	var m bankMessage
	if err := json.Unmarshal(in.Body, &m); err != nil || m.ID == "" {
		return gateway.Notification{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	n := gateway.Notification{ID: m.ID, Type: string(m.State)}
	if m.Ref != "" {
		n.Payouts = []gateway.PayoutReport{{
			Ref: m.Ref, External: gateway.ExternalRef{ID: "bank-" + string(m.Ref)}, State: m.State, Trust: gateway.Trust(m.Trust),
		}}
	}
	if m.Line != nil {
		n.Lines = []gateway.StatementLine{*m.Line}
	}
	return n, nil
}

// Acknowledge implements ports.NotificationReader.
func (b *Bank) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }

// Plugins is a list of plugins of any sort.
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
