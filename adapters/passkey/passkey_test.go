package passkey_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/passkey"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/passkeytest"
)

func TestPasskeys(t *testing.T) {
	t.Parallel()
	passkeytest.Run(t, func(t *testing.T, baseURL string) ports.Passkeys {
		p, err := passkey.New(baseURL, "Vezne")
		if err != nil {
			t.Fatal(err)
		}
		return p
	})
}

func TestABaseURLWithoutAHostIsRefused(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "/x", "http://", ":"} {
		if _, err := passkey.New(base, "Vezne"); err == nil {
			t.Errorf("%q is taken", base)
		}
	}
}
