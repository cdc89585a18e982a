package iyzico

import (
	"encoding/hex"
)

// What the tests hold against the published tables and vectors.
var (
	FormStates     = states
	ReportedStates = reported
	ListedStates   = listed
	RefundStates   = refunds
	Failures       = failures
	Groups         = groups

	RequestSignature = requestSignature
	Authorization    = authorization
	JSNumber         = jsNumber
	Price            = price
)

func ResponseSignature(secret string, fields ...string) string {
	return hex.EncodeToString(responseMAC(secret, fields...))
}

func NotificationSignature(secret string, parts ...string) string {
	return hex.EncodeToString(notificationMAC(secret, parts...))
}
