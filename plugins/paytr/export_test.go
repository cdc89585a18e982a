package paytr

import (
	"encoding/base64"

	"github.com/vezne/vezne/plugins/plugkit"
)

// What the tests hold against the published tables and vectors.
var (
	States         = states
	Tokens         = tokens
	Statuses       = statuses
	RefundFailures = refundFailures
)

// Token signs a request's parts, the salt at their end.
func Token(key string, parts ...string) string {
	return base64.StdEncoding.EncodeToString(plugkit.HMAC256(key, parts...))
}

func NotificationHash(key, salt, oid, status, total string) string {
	return notificationHash(secrets{key, salt}, oid, status, total)
}
