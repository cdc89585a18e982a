package bank

import "time"

// State is everything that the bank keeps, for people and tests. Of orders and deliveries it has the last ones.
type State struct {
	Now        time.Time  `json:"now"`
	Offset     string     `json:"offset"`
	Changes    int        `json:"changes"` // how often the merchant has changed something
	DownUntil  *time.Time `json:"down_until,omitempty"`
	Deposits   []Deposit  `json:"deposits"`
	Refunds    []Refund   `json:"refunds"`
	Payouts    []Payout   `json:"payouts"` // transfers too
	Disputes   []Dispute  `json:"disputes"`
	Accounts   []Holding  `json:"accounts"`
	Waiting    []Planned  `json:"waiting"` // notifications that are not due yet
	Deliveries []Delivery `json:"deliveries"`
}

// Holding is an account with what it holds.
type Holding struct {
	Account
	Balance Balance `json:"balance"`
	Lines   []Line  `json:"lines"`
}

// Planned is a notification on its way.
type Planned struct {
	At        time.Time `json:"at"`
	EventID   string    `json:"event_id"`
	Type      string    `json:"type"`
	Reference string    `json:"reference"`
}

// maxShown bounds each list of a State.
const maxShown = 200

// State returns what the bank keeps.
func (b *Bank) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	s := State{Now: now, Offset: b.offset.String(), Changes: b.changes, Deliveries: append([]Delivery{}, b.deliveries...)}
	if now.Before(b.outage.downUntil) {
		until := b.outage.downUntil
		s.DownUntil = &until
	}
	s.Deposits = shown(&b.deposits, func(d *deposit) Deposit { d.age(now); return d.Deposit })
	s.Refunds = shown(&b.refunds, func(r *refund) Refund { return r.Refund })
	s.Payouts = shown(&b.payouts, func(p *payout) Payout { return p.Payout })
	s.Disputes = shown(&b.disputes, func(x *dispute) Dispute { return x.Dispute })
	for _, a := range b.accounts {
		h := Holding{Account: a.Account, Balance: a.balance(now), Lines: []Line{}}
		for _, l := range a.lines[max(0, len(a.lines)-maxShown):] {
			h.Lines = append(h.Lines, *l)
		}
		s.Accounts = append(s.Accounts, h)
	}
	s.Waiting = []Planned{}
	for _, d := range b.notifications.items[:min(len(b.notifications.items), maxShown)] {
		n := d.item
		s.Waiting = append(s.Waiting, Planned{At: n.at, EventID: n.event.ID, Type: n.event.Type, Reference: n.ref})
	}
	return s
}

func shown[T, V any](orders *book[T], view func(T) V) []V {
	list := []V{}
	for _, ref := range orders.refs[max(0, len(orders.refs)-maxShown):] {
		list = append(list, view(orders.byRef[ref]))
	}
	return list
}
