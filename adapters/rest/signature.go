package rest

import (
	"net/http"

	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/core/sign"
)

// signatureHeader holds the request signature.
const signatureHeader = "X-Signature"

// SignatureOf is the request signature of a request; nil: it has none. The path and query that it is over are those of the
// request line, character by character: nothing is decoded, sorted or cleaned, so that no two ways of writing an address are
// the same one to the signature.
func SignatureOf(r *http.Request) *access.Signature {
	values, ok := r.Header[signatureHeader]
	if !ok {
		return nil
	}
	s := &access.Signature{
		Over: sign.Request{Method: r.Method, Target: r.RequestURI},
		Body: func() ([]byte, error) { return ReadBody(r) },
	}
	for name, value := range map[string]*string{
		signatureHeader: &s.Value, "X-Api-Key": &s.Over.APIKey, "X-Site-Token": &s.Over.SiteToken,
		"X-Credential-Key": &s.Over.CredentialKey, "X-Key": &s.Over.Key, IdempotencyHeader: &s.Over.IdempotencyKey,
		"X-Timestamp": &s.Over.Timestamp, "X-Nonce": &s.Over.Nonce,
	} {
		*value = r.Header.Get(name)
		s.IsAmbiguous = s.IsAmbiguous || len(r.Header[name]) > 1
	}
	s.IsAmbiguous = s.IsAmbiguous || len(values) != 1
	return s
}
