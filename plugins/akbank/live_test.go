//go:build live

package akbank_test

import (
	"testing"

	"github.com/vezne/vezne/plugins/conformance"
)

// TestLive runs the kit's safe part against a real account: plugins/README.md says how.
func TestLive(t *testing.T) { conformance.Live(t, subject(t)) }
