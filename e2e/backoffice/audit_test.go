package backoffice_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// auditVerify runs `vezne audit verify`.
func auditVerify(in *harness.Installation, args ...string) harness.Outcome {
	in.T.Helper()
	return harness.Launch{Args: append([]string{"audit", "verify"}, args...), Env: in.Env}.Execute(in.T)
}

// TestAuditLog has staff do things, and then somebody with access to the database.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		p := in.ServeAll()[0]
		admin := in.SignIn(p, "admin")
		made := in.Provider(p).Create(t, "start-manual-withdraw", "250.00")
		admin.Must(t, "rejectWithdrawal", made.TrackingCode, "reason", "IBAN kapalı")
		var data struct {
			AuditLog struct {
				Nodes []struct {
					Action, Target, Reason string
					Actor                  struct{ Name, Address string }
					IsChained              bool
					ChainNumber            int64
				}
			}
		}
		harness.Eventually(t, func() error {
			err := admin.Ask(`query($target: String!) { auditLog(filter: {target: $target}) { nodes {
				action target reason actor { name address } isChained chainNumber } } }`,
				map[string]any{"target": "payment/" + made.TrackingCode}, &data)
			if err == nil && (len(data.AuditLog.Nodes) != 1 || !data.AuditLog.Nodes[0].IsChained) {
				err = fmt.Errorf("the log has %+v", data.AuditLog.Nodes)
			}
			return err
		})
		entry := data.AuditLog.Nodes[0]
		if entry.Action != "rejectWithdrawal" || entry.Reason != "IBAN kapalı" || entry.Actor.Address != "127.0.0.1" {
			t.Errorf("the entry is %+v", entry)
		}
		whole := auditVerify(in)
		if whole.Code != 0 || !strings.Contains(whole.Stdout, "the chain is whole") || !strings.Contains(whole.Stdout, "not chained yet: 0") {
			t.Errorf("%d: %s%s", whole.Code, whole.Stdout, whole.Stderr)
		}
		head := strings.TrimSpace(in.Succeed("audit", "head"))
		if o := auditVerify(in, "--head", head, "--from", "3"); o.Code != 0 {
			t.Errorf("with the head: %d: %s%s", o.Code, o.Stdout, o.Stderr)
		}
		if err := in.Tamper("DELETE FROM audit_entries"); err == nil || !strings.Contains(err.Error(), "only grows") {
			t.Errorf("the log can be deleted: %v", err)
		}
		tamperWith(t, in, p, made.TrackingCode)
		o := auditVerify(in)
		if o.Code != 1 || !strings.Contains(o.Stdout, fmt.Sprintf("BROKEN: number %d (entry ", entry.ChainNumber)) ||
			!strings.Contains(o.Stdout, "payment/"+made.TrackingCode) || !strings.Contains(o.Stderr, "tampered") {
			t.Errorf("%d: %s%s", o.Code, o.Stdout, o.Stderr)
		}
		if o := auditVerify(in, "--from", fmt.Sprint(entry.ChainNumber+1)); o.Code != 0 {
			t.Errorf("behind the break: %d: %s", o.Code, o.Stdout)
		}
	})
}

// tamperWith changes the entry about a payment as the owner of the database can, and sees that a new process alarms.
func tamperWith(t *testing.T, in *harness.Installation, running *harness.Process, code string) {
	t.Helper()
	off := "DROP TRIGGER audit_entries_no_update"
	if in.Setting("DATABASE_URL") != "" {
		off = "DROP TRIGGER audit_entries_append_only ON audit_entries"
	}
	if err := in.Tamper(off, "UPDATE audit_entries SET reason = 'agreed' WHERE target = 'payment/"+code+"'"); err != nil {
		t.Fatal(err)
	}
	if in.Setting("DATABASE_URL") == "" {
		running.Stop(t) // an embedded directory is one process's
	}
	p := in.Serve()
	harness.Eventually(t, func() error {
		if len(p.Log("the audit log was tampered with: its chain is broken")) == 0 {
			return errors.New("no alarm is logged")
		}
		return nil
	})
	harness.Eventually(t, func() error {
		if metrics := string(harness.Get(t, p.AdminURL+"/metrics").Body); !strings.Contains(metrics, "vezne_audit_chain_broken 1") {
			return errors.New("no metric shows the break")
		}
		return nil
	})
	p.Stop(t)
}

func TestAuditCommandsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a head that is none": {[]string{"audit", "verify", "--head", "x"}, "--head: "},
		"a number too small":  {[]string{"audit", "verify", "--from", "0"}, "--from must be 1 or more"},
		"a number too great":  {[]string{"audit", "verify", "--from", "1000000"}, "there is no number 1000000"},
		"another head":        {[]string{"audit", "verify", "--head", "1:" + strings.Repeat("0", 64)}, "tampered"},
		"a head beyond":       {[]string{"audit", "verify", "--head", "1000000:" + strings.Repeat("0", 64)}, "tampered"},
	} {
		if o := (harness.Launch{Args: c.args, Env: in.Env}).Execute(t); o.Code != 1 || !strings.Contains(o.Stderr, c.want) {
			t.Errorf("%s: %d, %s%s", name, o.Code, o.Stdout, o.Stderr)
		}
	}
	empty := harness.NewEmpty(t)
	empty.Succeed("migrate", "up")
	if o := (harness.Launch{Args: []string{"audit", "head"}, Env: empty.Env}).Execute(t); o.Code != 1 || !strings.Contains(o.Stderr, "nothing is chained yet") {
		t.Errorf("an empty log: %d, %s%s", o.Code, o.Stdout, o.Stderr)
	}
	if o := auditVerify(empty); o.Code != 0 || !strings.Contains(o.Stdout, "checked 0 links") {
		t.Errorf("an empty log: %d, %s%s", o.Code, o.Stdout, o.Stderr)
	}
}

// TestAuditVerifyMakesNoDatabase: an empty log that was made just now would be whole.
func TestAuditVerifyMakesNoDatabase(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	if said := auditVerify(in); said.Code != 1 || !strings.Contains(said.Stderr, "there is no database "+filepath.Join(in.Dir, "vezne.db")) {
		t.Errorf("verifying nothing says %+v", said)
	}
	if _, err := os.Stat(filepath.Join(in.Dir, "vezne.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database was made (%v)", err)
	}
}
