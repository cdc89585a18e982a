package localevents_test

import (
	"testing"

	"github.com/vezne/vezne/adapters/localevents"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/eventtest"
)

func TestEvents(t *testing.T) {
	t.Parallel()
	eventtest.Run(t, func(*testing.T) (here, there ports.Events) {
		e := localevents.New()
		return e, e
	})
}
