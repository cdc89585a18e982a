package backoffice_test

import (
	"errors"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestQueues: an admin sees what waits, by asynq and by the database.
func TestQueues(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		p := in.ServeAll()[0]
		admin := in.SignIn(p, "admin")
		in.Provider(p).Create(t, "start-manual-deposit", "250.00") // with a wake-up at its end
		var data struct {
			Queues struct {
				TaskQueues []struct {
					Name      string
					Scheduled int
				}
				Work []struct {
					Kind     string
					DueCount int
				}
			}
		}
		harness.Eventually(t, func() error {
			err := admin.Ask(`{ queues { taskQueues { name scheduled } work { kind dueCount } } }`, nil, &data)
			if err == nil && (len(data.Queues.TaskQueues) != 1 || data.Queues.TaskQueues[0].Scheduled == 0) {
				err = errors.New("asynq tells of no wake-up for the deposit's end")
			}
			return err
		})
		if len(data.Queues.Work) != 5 {
			t.Errorf("the truth is %+v", data.Queues.Work)
		}
		if code := harness.CodeOf(in.SignIn(p, "operator").Ask(`{ queues { work { kind } } }`, nil, &data)); code != "FORBIDDEN" {
			t.Errorf("an operator gets %q", code)
		}
	})
}
