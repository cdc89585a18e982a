package memory

import (
	"context"
	"errors"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

var (
	_ ports.TaskQueues = (*Queues)(nil)
	_ ports.Sealer     = Sealer{}
)

// Queues says of the queue library's queues what a test has put into it.
type Queues struct {
	List []core.TaskQueue
	Err  error
}

// TaskQueues implements ports.TaskQueues.
func (q *Queues) TaskQueues(context.Context) ([]core.TaskQueue, error) { return q.List, q.Err }

// Sealer marks what is sealed, and for what. It hides nothing: it is for tests.
type Sealer struct{}

// Seal implements ports.Sealer.
func (Sealer) Seal(plain, context string) (string, error) {
	return "sealed for " + context + ": " + plain, nil
}

// Open implements ports.Sealer.
func (Sealer) Open(sealed, context string) (string, error) {
	plain, ok := strings.CutPrefix(sealed, "sealed for "+context+": ")
	if !ok {
		return "", errors.New("sealed for something else")
	}
	return plain, nil
}
