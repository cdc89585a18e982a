package passkey_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/passkey"
)

func TestABaseURLWithoutAHostIsRefused(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "/x", "http://", ":"} {
		if _, err := passkey.New(base, "Vezne"); err == nil {
			t.Errorf("%q is taken", base)
		}
	}
}
