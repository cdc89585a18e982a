package gateway

import (
	"net/netip"
	"strings"
	"time"
)

// MaxNotificationBytes bounds the body of a notification and of a customer's return.
const MaxNotificationBytes = 256 << 10

// Field is one header. Names are compared without regard to case.
type Field struct{ Name, Value string }

// Header is a message's headers in order.
type Header []Field

// Get returns the first value of a name, or nothing.
func (h Header) Get(name string) string {
	if all := h.Values(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Values returns every value of a name.
func (h Header) Values(name string) []string {
	var all []string
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			all = append(all, f.Value)
		}
	}
	return all
}

// Inbound is a message that reached us, byte for byte: a notification, or a customer's return.
type Inbound struct {
	Method  string
	Path    string
	Query   string // as it came, without the question mark
	Header  Header
	Body    []byte
	Peer    netip.Addr
	Arrived time.Time
}

// Notification is what a notification says, after its signature was checked.
type Notification struct {
	// ID is for de-duplication: the gateway's own, or derived from the content when it sends none. The same message
	// always has the same ID, different ones never.
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type,omitempty"` // the gateway's own word
	Events  []Observation   `json:"events,omitempty"`
	Payouts []PayoutReport  `json:"payouts,omitempty"`
	Refunds []RefundReport  `json:"refunds,omitempty"`
	Lines   []StatementLine `json:"lines,omitempty"`
	// Disputes are those that something has changed about.
	Disputes []DisputeCue `json:"disputes,omitempty"`
}

// Disposition is what became of a notification.
type Disposition int

// Dispositions.
const (
	Stored       Disposition = iota // kept, and will be worked on
	Duplicate                       // kept before
	UnknownRef                      // kept, for nobody that is known
	BadSignature                    // kept apart: forged, or signed with another secret
	TryAgain                        // not kept: a fault of ours
)

// Dispositions lists all.
func Dispositions() []Disposition {
	return []Disposition{Stored, Duplicate, UnknownRef, BadSignature, TryAgain}
}

// Reply answers a notification in the gateway's own words.
type Reply struct {
	Status      int
	ContentType string
	Body        string
}

// DefaultReply is right for most gateways: 200, 401 for a bad signature, 503 for a fault of ours.
func DefaultReply(d Disposition) Reply {
	reply := Reply{Status: 200, ContentType: "text/plain; charset=utf-8", Body: "OK"}
	switch d {
	case BadSignature:
		reply.Status, reply.Body = 401, "bad signature"
	case TryAgain:
		reply.Status, reply.Body = 503, "try again"
	case Stored, Duplicate, UnknownRef:
	}
	return reply
}
