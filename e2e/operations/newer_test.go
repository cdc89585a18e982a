package operations_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestANewerSchemaIsRefused by everything that would use it: an older binary that was started by mistake does nothing.
func TestANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		in.Env = append(in.Env, "VEZNE_BASE_URL=http://localhost:8080", "VEZNE_STAFF_PASSWORD=correct horse battery")
		if err := in.Tamper("INSERT INTO vezne_migrations (name, group_id) VALUES ('29990101000001', 99)"); err != nil {
			t.Fatal(err)
		}
		for _, args := range append(writers, []string{"audit", "verify"}) {
			harness.Launch{Args: args, Env: in.Env}.ExpectFailure(t, "belongs to a newer Vezne", "29990101000001")
		}
		expectFindings(t, examine(in, 1), map[string]string{"database": "ok", "schema": "FAIL belongs to a newer Vezne"})
		if said := in.Succeed("migrate", "status"); !strings.Contains(said, "29990101000001") || !strings.Contains(said, "by a newer Vezne") {
			t.Errorf("migrate status says:\n%s", said)
		}
		if err := in.Tamper("DELETE FROM vezne_migrations WHERE name = '29990101000001'"); err != nil {
			t.Fatal(err)
		}
		in.Serve().Stop(t)
	})
}
