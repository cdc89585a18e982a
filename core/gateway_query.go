package core

// OperationKey names one operation. Exactly one way of naming it is filled in.
type OperationKey struct {
	ID          ID
	Ref         string
	ReturnToken string
	GatewayID   int64 // with ExternalID: the gateway's own id of it
	ExternalID  string
}

// DiscrepancyQuery asks for discrepancies, newest first. Zero fields do not narrow.
type DiscrepancyQuery struct {
	Scope
	ID        ID
	States    []DiscrepancyState
	Kinds     []DiscrepancyKind
	GatewayID int64
	After     ID // keyset cursor: only older ones
	Limit     int
	IDs       []ID // only among these, at most MaxPage; empty: among all
}

// GatewayCallQuery asks for calls, newest first, of payments or else of gateway accounts: at most Limit of each, and at
// most MaxPage of them.
type GatewayCallQuery struct {
	Payments []ID
	Gateways []int64
	Limit    int
}

// NotificationQuery asks for notifications, newest first. Zero fields do not narrow.
type NotificationQuery struct {
	GatewayID int64
	States    []NotificationState
	After     ID
	Limit     int
}
