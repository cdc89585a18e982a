// Package operations_test has the end-to-end tests of what an operator does and lives with: the command line, settings, stops, crashes, outages, the demo, the documents.
package operations_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
