package nestpay

import (
	"crypto/sha512"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/vezne/vezne/plugins/plugkit"
)

// version is the only hash algorithm that is sent and taken. The two before it cover only the fields that a message itself
// lists, without separators and without the amount.
const version = "ver3"

// unsigned are the fields that a hash leaves out.
var unsigned = []string{"hash", "encoding", "nationalidno"}

// isUnsigned reports whether a field is one of them, whatever its case.
func isUnsigned(name string) bool {
	return slices.ContainsFunc(unsigned, func(u string) bool { return strings.EqualFold(u, name) })
}

func hash(storeKey string, fields [][2]string) string {
	return base64.StdEncoding.EncodeToString(sum(storeKey, fields))
}

// sum signs a form: the values of all its fields in the order of their names, whatever their case, and the store key.
func sum(storeKey string, fields [][2]string) []byte {
	covered := slices.DeleteFunc(slices.Clone(fields), func(f [2]string) bool { return isUnsigned(f[0]) })
	slices.SortStableFunc(covered, func(a, b [2]string) int { return strings.Compare(strings.ToUpper(a[0]), strings.ToUpper(b[0])) })
	var all strings.Builder
	for _, f := range covered {
		all.WriteString(escaped.Replace(f[1]))
		all.WriteByte('|')
	}
	all.WriteString(escaped.Replace(storeKey))
	digest := sha512.Sum512([]byte(all.String()))
	return digest[:]
}

var escaped = strings.NewReplacer(`\`, `\\`, `|`, `\|`)

// isSigned reports whether a form has the hash that one of the store keys gives it. All of them are tried.
func isSigned(storeKeys []string, fields [][2]string, got string) bool {
	isRight := false
	for _, key := range storeKeys {
		if key != "" && plugkit.EqualBase64(got, sum(key, fields)) {
			isRight = true
		}
	}
	return isRight
}
