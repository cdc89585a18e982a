package bunstore

import (
	"net/netip"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/ports"
)

// notificationRow has columns for what notifications are told apart, claimed and listed by. The body is sealed: some
// gateways send their secret along.
type notificationRow struct {
	bun.BaseModel `bun:"table:notifications"`

	ID         core.ID             `bun:"id,pk"`
	Version    int                 `bun:"version"`
	GatewayID  int64               `bun:"gateway_id"`
	Key        string              `bun:"key"`
	Type       string              `bun:"type"`
	State      notification.Status `bun:"state"`
	ReceivedAt timestamp           `bun:"received_at,type:timestamptz"`
	LeaseUntil timestamp           `bun:"lease_until,type:timestamptz"`
	Body       sealedText          `bun:"body"`
}

type notificationJSON struct {
	TrackCodes string               `json:"track_codes,omitempty"`
	Parsed     gateway.Notification `json:"parsed,omitzero"`
	Inbound    inboundJSON          `json:"inbound,omitzero"`
	WorkedAt   time.Time            `json:"worked_at,omitzero"`
	Tries      int                  `json:"tries,omitempty"`
	Trace      core.Trace           `json:"trace,omitempty"`
}

func notificationRowOf(n notification.Notification, sealer ports.Sealer) (notificationRow, error) {
	v := newRowSealer(sealer, "notifications", string(n.ID))
	r := notificationRow{
		ID: n.ID, Version: n.Version, GatewayID: n.GatewayID, Key: n.Key, Type: n.Type, State: n.Status,
		ReceivedAt: timestamp(n.ReceivedAt), LeaseUntil: timestamp(n.LeaseUntil),
		Body: sealBody(v, notificationJSON{
			TrackCodes: n.TrackCodes, Parsed: n.Parsed, Inbound: inboundJSONOf(n.Inbound),
			WorkedAt: n.WorkedAt, Tries: n.Tries, Trace: n.Trace,
		}),
	}
	return r, v.err
}

func (s *Store) notification(r notificationRow) (notification.Notification, error) {
	v := newRowSealer(s.sealer, "notifications", string(r.ID))
	b := openBody[notificationJSON](v, r.Body)
	return notification.Notification{
		ID: r.ID, Version: r.Version, GatewayID: r.GatewayID, Key: r.Key, Type: r.Type, Status: r.State,
		TrackCodes: b.TrackCodes, Parsed: inUTC(b.Parsed), Inbound: b.Inbound.inbound(),
		ReceivedAt: time.Time(r.ReceivedAt), WorkedAt: b.WorkedAt.UTC(), LeaseUntil: time.Time(r.LeaseUntil),
		Tries: b.Tries, Trace: b.Trace,
	}, v.err
}

// inUTC is what a notification said with its moments as the core has them.
func inUTC(n gateway.Notification) gateway.Notification {
	for i := range n.Events {
		n.Events[i].At = n.Events[i].At.UTC()
	}
	for i := range n.Payouts {
		n.Payouts[i].At = n.Payouts[i].At.UTC()
	}
	for i := range n.Lines {
		n.Lines[i].BookedAt = n.Lines[i].BookedAt.UTC()
	}
	return n
}

// inboundJSON keeps a message byte for byte: what came may be no UTF-8, which the texts of JSON have to be.
type inboundJSON struct {
	Method  string      `json:"method,omitempty"`
	Path    []byte      `json:"path,omitempty"`
	Query   []byte      `json:"query,omitempty"`
	Header  [][2][]byte `json:"header,omitempty"` // name, value
	Body    []byte      `json:"body,omitempty"`
	Peer    netip.Addr  `json:"peer,omitzero"`
	Arrived time.Time   `json:"arrived,omitzero"`
}

func inboundJSONOf(m gateway.Inbound) inboundJSON {
	j := inboundJSON{
		Method: m.Method, Path: []byte(m.Path), Query: []byte(m.Query), Body: m.Body, Peer: m.Peer, Arrived: m.Arrived,
	}
	for _, f := range m.Header {
		j.Header = append(j.Header, [2][]byte{[]byte(f.Name), []byte(f.Value)})
	}
	return j
}

func (j inboundJSON) inbound() gateway.Inbound {
	m := gateway.Inbound{
		Method: j.Method, Path: string(j.Path), Query: string(j.Query), Body: j.Body, Peer: j.Peer,
		Arrived: j.Arrived.UTC(),
	}
	for _, f := range j.Header {
		m.Header = append(m.Header, gateway.Field{Name: string(f[0]), Value: string(f[1])})
	}
	return m
}
