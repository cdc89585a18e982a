// Package gateways_test has the end-to-end tests of third-party gateways: deposits, cards, payouts, refunds, notifications, and what is lost on the way.
package gateways_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
