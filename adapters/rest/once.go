package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// IdempotencyHeader makes a creating call safe to repeat.
const IdempotencyHeader = "Idempotency-Key"

// Once reads the Idempotency-Key header of a creating call; nil: there is none, or it fails the form. A key belongs to
// its caller and endpoint and stands for what was asked: the body, and whatever else the parts say.
func Once(r *http.Request, caller, endpoint string, form *core.Form, asked ...[]byte) *app.Once {
	key := r.Header.Get(IdempotencyHeader)
	if key == "" {
		return nil
	}
	isHidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(key) > payment.MaxIdempotencyKeyBytes || strings.IndexFunc(key, isHidden) >= 0 {
		form.Fail(IdempotencyHeader, "field.idempotency_key", payment.MaxIdempotencyKeyBytes)
		return nil
	}
	hash := sha256.New()
	for _, part := range asked {
		hash.Write(part)
	}
	return &app.Once{
		Key:         payment.IdempotencyKey{Caller: caller, Endpoint: endpoint, Key: key},
		RequestHash: hex.EncodeToString(hash.Sum(nil)),
	}
}
