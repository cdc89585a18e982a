// Package payments_test has the end-to-end tests of the life of a payment: what it goes through from its creation to its end (careers_test.go), calls by
// providers and dealers, callbacks, expiry, limits.
package payments_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
