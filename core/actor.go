package core

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
