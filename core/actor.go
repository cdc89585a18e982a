package core

import "strconv"

// ActorKind says what sort of party acted.
type ActorKind string

// Kinds of actors.
const (
	ByProvider ActorKind = "provider" // over REST
	ByDealer   ActorKind = "dealer"   // over REST
	ByCustomer ActorKind = "customer" // on the payment page
	ByStaff    ActorKind = "staff"    // over GraphQL
	ByGateway  ActorKind = "gateway"  // said so
	BySystem   ActorKind = "system"   // the clock, an operator's command line
)

// Actor is who did something, as kept in history and audit rows.
type Actor struct {
	Kind ActorKind
	ID   string // provider or staff id; empty for the customer (the payment says who) and the system
	Name string // as it was at that moment
	Addr string // the caller's address, when there was one
}

// System is the actor of everything that the clock does.
var System = Actor{Kind: BySystem, Name: "vezne"}

// Actor is the gateway account as the one who acts.
func (a GatewayAccount) Actor() Actor {
	return Actor{Kind: ByGateway, ID: strconv.FormatInt(a.ID, 10), Name: a.Name}
}

// Actor is the provider as the one who acts.
func (p Provider) Actor(addr string) Actor {
	return Actor{Kind: ByProvider, ID: strconv.FormatInt(p.ID, 10), Name: p.Name, Addr: addr}
}

// Actor is the dealer as the one who acts.
func (d Dealer) Actor(addr string) Actor {
	return Actor{Kind: ByDealer, ID: strconv.FormatInt(d.ID, 10), Name: d.Name, Addr: addr}
}

// Actor is the staff member as the one who acts.
func (s Staff) Actor(addr string) Actor {
	return Actor{Kind: ByStaff, ID: strconv.FormatInt(s.ID, 10), Name: s.Email, Addr: addr}
}
