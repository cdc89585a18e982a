package operations_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// moneyOf is what a process says of whether money moves.
func moneyOf(t *testing.T, p *harness.Process) string {
	t.Helper()
	var r struct{ Money string }
	if err := json.Unmarshal(harness.Get(t, p.URL+"/readyz").Body, &r); err != nil {
		t.Fatal(err)
	}
	return r.Money
}

// TestABackupIsTakenWhileServingAndRestoredFrozen: the file is whole and private, replaces nothing, and what is restored from it
// serves nobody. A file that was changed is not restored, and nothing restores over a database.
func TestABackupIsTakenWhileServingAndRestoredFrozen(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	provider := in.Provider(server)
	kept := provider.Create(t, "start-manual-deposit", "10.00")
	file := filepath.Join(t.TempDir(), "backup.db")
	if out := in.Succeed("backup", file); !strings.Contains(out, file) || !strings.Contains(out, "master.key") {
		t.Errorf("vezne backup says %s", out)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v, %v", info, err)
	}
	harness.Launch{Args: []string{"backup", file}, Env: in.Env}.ExpectFailure(t, "a file that is not there yet")
	lost := provider.Create(t, "start-manual-deposit", "11.00")
	harness.Launch{Args: []string{"restore", file, "--reason", "a drill"}, Env: in.Env}.ExpectFailure(t, "in use by vezne serve")
	server.Kill()
	database := filepath.Join(in.Dir, "vezne.db")
	harness.Launch{Args: []string{"restore", file, "--reason", "a drill"}, Env: in.Env}.ExpectFailure(t, "move it away")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(database+suffix, filepath.Join(t.TempDir(), "lost.db"+suffix)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	changed := filepath.Join(t.TempDir(), "changed.db")
	whole, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(changed, append([]byte(nil), append(whole[:len(whole)-1], whole[len(whole)-1]^1)...), 0o600)
	}
	if err == nil {
		var digest []byte
		if digest, err = os.ReadFile(file + ".sha256"); err == nil {
			err = os.WriteFile(changed+".sha256", digest, 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	harness.Launch{Args: []string{"restore", changed, "--reason", "a drill"}, Env: in.Env}.ExpectFailure(t, "is not what changed.db.sha256 says")
	if out := in.Succeed("restore", file, "--reason", "a drill"); !strings.Contains(out, "Frozen: epoch 2") {
		t.Errorf("vezne restore says %s", out)
	}
	restored := in.Serve()
	if money := moneyOf(t, restored); money != "frozen" {
		t.Errorf("/readyz says of money %q", money)
	}
	for name, token := range map[string]string{"from before": kept.PaymentURL, "from after": lost.PaymentURL} {
		if page := harness.Get(t, restored.URL+"/pay/"+harness.PageToken(token)); page.Status != http.StatusServiceUnavailable {
			t.Errorf("the page of a payment %s the backup answers %d", name, page.Status)
		}
	}
	restored.Kill()
}

// TestADatabaseThatIsPutBackFreezesByItself: nobody has said that it was restored.
func TestADatabaseThatIsPutBackFreezesByItself(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	server := in.Serve()
	file := filepath.Join(t.TempDir(), "backup.db")
	in.Succeed("backup", file)
	in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	server.Stop(t)
	again := in.Serve()
	if money := moneyOf(t, again); money != "ok" {
		t.Errorf("after a restart /readyz says of money %q", money)
	}
	again.Stop(t)
	database := filepath.Join(in.Dir, "vezne.db")
	whole, err := os.ReadFile(file)
	if err == nil {
		for _, suffix := range []string{"-wal", "-shm"} {
			_ = os.Remove(database + suffix)
		}
		err = os.WriteFile(database, whole, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	restored := in.Serve()
	if money := moneyOf(t, restored); money != "frozen" {
		t.Errorf("/readyz says of money %q", money)
	}
	restored.Kill()
}
