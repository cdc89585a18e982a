package operations_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// drilled is the last line of a drill in which everything holds.
var drilled = regexp.MustCompile(`\ndrill restore: answered [1-9][0-9]+, lost 0, doubled 0, wrong 0, down or frozen for [0-9]+ s, in [0-9.]+ minutes\n$`)

// TestAnInterruptedDrillLeavesNothing: no process, no directory.
func TestAnInterruptedDrillLeavesNothing(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	p, err := harness.Launch{Args: []string{"drill", "restore"}, Env: []string{"TMPDIR=" + tmp}}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	harness.Eventually(t, func() error { // in the middle of it: the installation serves
		if !strings.Contains(p.Stdout.String(), "made ") {
			return os.ErrNotExist
		}
		return nil
	})
	p.Interrupt()
	if err := p.End(); err == nil || !strings.Contains(p.Stderr.String(), "interrupted") {
		t.Errorf("it ends with %v", err)
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("it leaves %v (%v)", left, err)
	}
}

// TestABackupIsExaminedWithoutTellingAnybody: what is due in it is not done, settings of whoever examines it lead nowhere, and a backup
// that the keys do not open fails.
func TestABackupIsExaminedWithoutTellingAnybody(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	to := harness.NewReceiver(t, in.Keys.Provider, func(harness.Letter) int { return http.StatusServiceUnavailable })
	in.CallBack(server, to)
	made := in.Provider(server).Create(t, "start-manual-withdraw", "80")
	in.SignIn(server, "operator").Must(t, "rejectWithdrawal", made.TrackingCode)
	to.Next(t) // it was refused: another attempt is due when the backup is examined
	backup, tmp, keys := filepath.Join(t.TempDir(), "backup.db"), t.TempDir(), t.TempDir()
	in.Succeed("backup", backup)
	server.Kill()
	for _, name := range []string{"master.key", "audit.key"} {
		text, err := os.ReadFile(filepath.Join(in.Dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(keys, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	told := len(to.Of(made.TrackingCode))
	drill := harness.Launch{Args: []string{"drill", "restore", "--from", backup, "--keys", keys}, Env: []string{
		"TMPDIR=" + tmp, "VEZNE_AUDIT_HEADS_URL=" + to.URL, "VEZNE_TRACES_URL=" + to.URL, "VEZNE_DATABASE_URL=postgres://127.0.0.1:1/used", "VEZNE_DATA_DIR=" + in.Dir,
	}}
	if done := drill.Execute(t); done.Code != 0 || !strings.Contains(done.Stdout, "Frozen: epoch 2") || !strings.Contains(done.Stdout, "\ndrill restore: 0 of 3 steps failed") {
		t.Errorf("it ends with %+v", done)
	}
	if n := len(to.Of(made.TrackingCode)); n != told {
		t.Errorf("%d callbacks were sent", n-told)
	}
	if err := os.WriteFile(filepath.Join(keys, "master.key"), []byte("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if done := drill.Execute(t); done.Code != 1 || !strings.Contains(done.Stdout, "does not open the secrets") {
		t.Errorf("with another key it ends with %+v", done)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v (%v)", left, err)
	}
}
