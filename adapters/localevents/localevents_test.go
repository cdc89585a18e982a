package localevents_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/eventtest"
)

func TestNews(t *testing.T) {
	t.Parallel()
	eventtest.Run(t, func(*testing.T) (here, there ports.Events) {
		n := localevents.NewNews()
		return n, n
	})
}
