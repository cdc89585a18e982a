package wallet

import (
	"slices"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// MaxNamedCodes is how many tracking codes a line's text is searched for.
const MaxNamedCodes = 8

// secretLength is how long a tracking code is behind its prefix.
const secretLength = 16

// NamedCodes finds what may be tracking codes of payments that a gateway moves in a text, as orders' ids or as they are,
// however a bank's form has spoiled them; whether there is such a payment only the store knows. isCut: there are more
// than MaxNamedCodes, which nobody writes by chance.
func NamedCodes(text string) (codes []string, isCut bool) {
	text = codeText(text)
	for _, m := range payment.Methods() {
		if m.Gateway() == "" {
			continue
		}
		prefix := codeText(m.Prefix())
		for at := 0; ; at++ {
			next := strings.Index(text[at:], prefix)
			if next < 0 {
				break
			}
			at += next
			secret := text[at+len(prefix):]
			if len(secret) < secretLength || strings.Trim(secret[:secretLength], core.Crockford) != "" {
				continue
			}
			code := m.Prefix() + secret[:secretLength]
			switch {
			case slices.Contains(codes, code):
			case len(codes) == MaxNamedCodes:
				return codes, true
			default:
				codes = append(codes, code)
			}
		}
	}
	return codes, false
}
