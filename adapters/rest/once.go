package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// idempotencyHeader makes a creating call safe to repeat.
const idempotencyHeader = "Idempotency-Key"

// Once reads the Idempotency-Key header of a creating call; nil: there is none, or it fails the form. A key belongs to
// its caller and endpoint and stands for what was asked: the body, and whatever else the parts say.
func Once(r *http.Request, caller, endpoint string, form *core.Form, asked ...[]byte) *app.Once {
	key := r.Header.Get(idempotencyHeader)
	if key == "" {
		return nil
	}
	isHidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(key) > payment.MaxIdempotencyKeyBytes || strings.IndexFunc(key, isHidden) >= 0 {
		form.Fail(idempotencyHeader, "field.idempotency_key", payment.MaxIdempotencyKeyBytes)
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

// Start creates a payment.
type Start func(context.Context) (app.Answer, error)

// Create serves a call that creates a payment. From the fields of the body and the body as it was sent, read makes what starts
// the payment.
func Create(
	w http.ResponseWriter, r *http.Request, fields []string, read func(inputs []core.Input, body []byte) (Start, error),
) error {
	body, err := ReadBody(r)
	if err != nil {
		return err
	}
	defer body.Free()
	inputs, err := ReadObject(body.Bytes(), fields)
	if err != nil {
		return err
	}
	start, err := read(inputs, body.Bytes())
	if err != nil {
		return err
	}
	a, err := start(r.Context())
	if err != nil {
		return err
	}
	if a.Replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	WriteJSON(w, a.Status, a.Body)
	return nil
}
