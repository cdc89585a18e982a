// Package audittest has audit keys for tests.
package audittest

import (
	"bytes"
	"encoding/base64"

	"github.com/vezne/vezne/core/audit"
)

// Keys are audit keys of 32 times the same byte, the first of which signs.
func Keys(seeds ...byte) audit.Keys {
	var all audit.Keys
	for _, seed := range seeds {
		keys, err := audit.ParseKeys(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{seed}, 32)))
		if err != nil {
			panic(err) // cannot happen: these are 32 bytes
		}
		all = append(all, keys...)
	}
	return all
}
