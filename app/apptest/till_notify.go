package apptest

import (
	"context"
	"encoding/json"

	"github.com/vezne/vezne/core/gateway"
)

// message is a Till's notification.
type message struct {
	ID     string         `json:"id"`
	Ref    gateway.Ref    `json:"ref"`
	Trust  int            `json:"trust"`
	State  string         `json:"state"`
	Paid   *gateway.Money `json:"paid,omitempty"`
	Payout bool           `json:"payout,omitempty"`
}

// Notification is what the gateway would tell of a reference now, signed, or as a mere hint.
func (t *Till) Notification(id string, ref gateway.Ref, trust gateway.Trust) gateway.Inbound {
	m := message{ID: id, Ref: ref, Trust: int(trust)}
	if o, ok := t.Payout(ref); ok {
		m.State, m.Payout = o.State, true
	} else if o, ok := t.Deposit(ref); ok {
		if m.State = o.State; o.Paid.Amount.Sign() > 0 {
			m.Paid = &o.Paid
		}
	}
	body, _ := json.Marshal(m) // a message always can be
	return gateway.Inbound{Method: "POST", Body: body, Header: gateway.Header{{Name: "X-Till", Value: "right"}}}
}

// ReadNotification implements ports.NotificationReader.
func (t *Till) ReadNotification(_ context.Context, in gateway.Inbound) (gateway.Notification, error) {
	if in.Header.Get("X-Till") != "right" {
		return gateway.Notification{}, &gateway.Error{Class: gateway.Unauthenticated, Effect: gateway.EffectNone}
	}
	var m message
	if err := json.Unmarshal(in.Body, &m); err != nil || m.ID == "" {
		return gateway.Notification{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	n := gateway.Notification{ID: m.ID, Type: m.State}
	external := gateway.ExternalRef{ID: "till-" + string(m.Ref)}
	if m.Payout {
		n.Payouts = []gateway.PayoutReport{{Ref: m.Ref, External: external, State: gateway.PayoutState(m.State), Trust: gateway.Trust(m.Trust)}}
		return n, nil
	}
	n.Events = []gateway.Observation{{Ref: m.Ref, External: external, State: gateway.State(m.State), Trust: gateway.Trust(m.Trust), Paid: m.Paid}}
	return n, nil
}

// Acknowledge implements ports.NotificationReader.
func (t *Till) Acknowledge(d gateway.Disposition) gateway.Reply { return gateway.DefaultReply(d) }
