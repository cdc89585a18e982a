//go:build drill

package machines_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
