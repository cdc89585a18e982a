// Package wallets_test has the end-to-end tests of wallets: statements, matching, transfers, what a deposit is credited with, days that agree with the bank's.
package wallets_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
