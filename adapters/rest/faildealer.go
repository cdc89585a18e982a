package rest

import (
	"net/http"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
)

// FailDealer is Fail in the shape of the dealer document: with the fault's code as error_code (decisions: Dealer
// endpoints). What is wrong with the caller or with the request as such has the shape that it has for providers.
func FailDealer(w http.ResponseWriter, r *http.Request, tag lang.Tag, err error) {
	code := fault.CodeOf(err)
	a, isKnown := answers[code]
	if !isKnown || isForAnyCaller(code) {
		Fail(w, r, tag, err)
		return
	}
	Note(r, err)
	body, sentence := NewObject().Bool("success", false), string(code)
	if code == fault.MissingHeaders {
		sentence = "dealer.headers" // others than a provider's
	} else {
		body.Text("error_code", string(code))
	}
	body.Text("error", a.text).Text("message", sentenceOf(tag, sentence, err))
	WriteJSON(w, a.status, body.End())
}

// isForAnyCaller reports whether the decisions give a fault one shape for all callers (Authentication; Requests and
// responses).
func isForAnyCaller(code fault.Code) bool {
	switch code {
	case fault.InvalidAPIKey, fault.TimestampExpired, fault.InvalidHash, fault.SignatureRequired, fault.InvalidSignature,
		fault.InvalidNonce, fault.NonceUsed, fault.DealerInactive, fault.AddressNotAllowed,
		fault.SiteTokenRefused, fault.RateLimited,
		fault.InvalidJSON, fault.BodyTooLarge, fault.RouteNotFound, fault.MethodNotAllowed, fault.Invalid,
		fault.Internal, fault.Unavailable, fault.Frozen:
		return true
	default:
		return false
	}
}
