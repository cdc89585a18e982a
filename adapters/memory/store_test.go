package memory_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) ports.Store { return memory.NewStore() }, memory.NewStore())
}
