package garanti

import (
	"crypto/sha1" //nolint:gosec // the bank's scheme: it hides a password within a SHA-512
	"crypto/sha512"
	"encoding/hex"
	"strings"

	"github.com/vezne/vezne/plugins/plugkit"
)

// sum is the SHA-512 of joined texts: nothing stands between them.
func sum(parts ...string) []byte {
	s := sha512.Sum512([]byte(strings.Join(parts, "")))
	return s[:]
}

// sign is a signature as the bank writes it.
func sign(parts ...string) string { return strings.ToUpper(hex.EncodeToString(sum(parts...))) }

// isSign compares a signature, as the bank writes it, with what it must be.
func isSign(got string, want []byte) bool {
	return got == strings.ToUpper(got) && plugkit.EqualHex(strings.ToLower(got), want)
}

// security is what signatures have of a password.
func security(password, terminal string) string {
	terminal = strings.Repeat("0", max(0, 9-len(terminal))) + terminal
	s := sha1.Sum([]byte(password + terminal)) //nolint:gosec // see above
	return strings.ToUpper(hex.EncodeToString(s[:]))
}

// hashed are what a form's hash covers, in this order.
var hashed = []string{"terminalid", "orderid", "txnamount", "txncurrencycode", "successurl", "errorurl", "txntype", "txninstallmentcount"}

// formHash signs a form.
func formHash(storeKey, security string, fields [][2]string) string {
	values := map[string]string{}
	for _, f := range fields {
		values[f[0]] = f[1]
	}
	return sign(join(hashed, values), storeKey, security)
}

func join(names []string, values map[string]string) string {
	var all strings.Builder
	for _, name := range names {
		all.WriteString(values[name])
	}
	return all.String()
}

// isReturn reports whether a returned form's hash is right under one of the store keys. All of them are tried.
func isReturn(storeKeys []string, text, got string) bool {
	return got == strings.ToUpper(got) &&
		plugkit.SignedByAny(strings.ToLower(got), storeKeys, func(key string) []byte { return sum(text, key) })
}
