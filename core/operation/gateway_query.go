package operation

import (
	"github.com/vezne/vezne/core"
)

// OperationKey names one operation. Exactly one way of naming it is filled in.
type OperationKey struct {
	ID          core.ID
	Ref         string
	ReturnToken string
	GatewayID   int64 // with ExternalID: the gateway's own id of it
	ExternalID  string
}

// GatewayCallQuery asks for calls, newest first, of payments or else of gateway accounts: at most Limit of each, and at
// most MaxPage of them.
type GatewayCallQuery struct {
	Payments []core.ID
	Gateways []int64
	Limit    int
}

// NotificationQuery asks for notifications, newest first. Zero fields do not narrow.
type NotificationQuery struct {
	GatewayID int64
	States    []NotificationState
	After     core.ID
	Limit     int
}
