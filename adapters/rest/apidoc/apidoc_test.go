package apidoc_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/rest/apidoc/apidoctest"
)

func TestDescriptionIsValid(t *testing.T) {
	t.Parallel()
	if operations := apidoctest.Load(t).Operations(); len(operations) == 0 {
		t.Fatal("nothing is described")
	}
}
