// Package backoffice_test has the end-to-end tests of staff over GraphQL: sign-in, invitations, approvals, audit, exports, what is watched live.
package backoffice_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
