package queues_test

import (
	"testing"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestOnlyWhoMaySeesTheQueues(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, member := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff, {}} {
		_, errTasks := w.Queues.TaskQueues(t.Context(), member)
		_, errWork := w.Queues.DueWork(t.Context(), member)
		for what, err := range map[string]error{"tasks": errTasks, "work": errWork} {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s, %s: %v", member.Role, what, err)
			}
		}
	}
}
