package main_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // to tamper with the embedded database
)

// auditVerify runs `vezne audit verify`.
func (in *installation) auditVerify(args ...string) outcome {
	in.t.Helper()
	return launch{args: append([]string{"audit", "verify"}, args...), env: in.env}.execute(in.t)
}

// openDatabase is a way to the installation's database around Vezne.
func (in *installation) openDatabase() *sql.DB {
	in.t.Helper()
	if url := in.setting("DATABASE_URL"); url != "" {
		db := openSQL(url)
		in.t.Cleanup(func() { _ = db.Close() })
		return db
	}
	db, err := sql.Open("sqlite", filepath.Join(in.dir, "vezne.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		in.t.Fatal(err)
	}
	in.t.Cleanup(func() { _ = db.Close() })
	return db
}

func (in *installation) tamper(statements ...string) error {
	db := in.openDatabase()
	for _, statement := range statements {
		if _, err := db.ExecContext(in.t.Context(), statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// TestAuditLog has staff do things, and then somebody with access to the database.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		p := in.serveAll()[0]
		admin := in.signIn(p, "admin")
		made := in.provider(p).create(t, "start-manual-withdraw", "250.00")
		admin.must(t, "rejectWithdrawal", made.TrackingCode, "reason", "IBAN kapalı")
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
		eventually(t, func() error {
			err := admin.ask(`query($target: String!) { auditLog(filter: {target: $target}) { nodes {
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
		whole := in.auditVerify()
		if whole.code != 0 || !strings.Contains(whole.stdout, "the chain is whole") || !strings.Contains(whole.stdout, "not chained yet: 0") {
			t.Errorf("%d: %s%s", whole.code, whole.stdout, whole.stderr)
		}
		head := strings.TrimSpace(in.succeed("audit", "head"))
		if o := in.auditVerify("--head", head, "--from", "3"); o.code != 0 {
			t.Errorf("with the head: %d: %s%s", o.code, o.stdout, o.stderr)
		}
		if err := in.tamper("DELETE FROM audit_entries"); err == nil || !strings.Contains(err.Error(), "only grows") {
			t.Errorf("the log can be deleted: %v", err)
		}
		in.tamperWith(t, made.TrackingCode)
		o := in.auditVerify()
		if o.code != 1 || !strings.Contains(o.stdout, fmt.Sprintf("BROKEN: number %d (entry ", entry.ChainNumber)) ||
			!strings.Contains(o.stdout, "payment/"+made.TrackingCode) || !strings.Contains(o.stderr, "tampered") {
			t.Errorf("%d: %s%s", o.code, o.stdout, o.stderr)
		}
		if o := in.auditVerify("--from", fmt.Sprint(entry.ChainNumber+1)); o.code != 0 {
			t.Errorf("behind the break: %d: %s", o.code, o.stdout)
		}
	})
}

// tamperWith changes the entry about a payment as the owner of the database can, and sees that a new process alarms.
func (in *installation) tamperWith(t *testing.T, code string) {
	t.Helper()
	off := "DROP TRIGGER audit_entries_no_update"
	if in.setting("DATABASE_URL") != "" {
		off = "DROP TRIGGER audit_entries_append_only ON audit_entries"
	}
	if err := in.tamper(off, "UPDATE audit_entries SET reason = 'agreed' WHERE target = 'payment/"+code+"'"); err != nil {
		t.Fatal(err)
	}
	p := in.serve()
	eventually(t, func() error {
		if len(p.log("the audit log was tampered with: its chain is broken")) == 0 {
			return errors.New("no alarm is logged")
		}
		return nil
	})
	eventually(t, func() error {
		if metrics := string(get(t, p.url+"/metrics").body); !strings.Contains(metrics, "vezne_audit_chain_broken 1") {
			return errors.New("no metric shows the break")
		}
		return nil
	})
	p.stop(t)
}

func TestAuditCommandsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
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
		if o := (launch{args: c.args, env: in.env}).execute(t); o.code != 1 || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: %d, %s%s", name, o.code, o.stdout, o.stderr)
		}
	}
	empty := newEmpty(t)
	empty.succeed("migrate", "up")
	if o := (launch{args: []string{"audit", "head"}, env: empty.env}).execute(t); o.code != 1 || !strings.Contains(o.stderr, "nothing is chained yet") {
		t.Errorf("an empty log: %d, %s%s", o.code, o.stdout, o.stderr)
	}
	if o := empty.auditVerify(); o.code != 0 || !strings.Contains(o.stdout, "checked 0 links") {
		t.Errorf("an empty log: %d, %s%s", o.code, o.stdout, o.stderr)
	}
}

// TestAuditVerifyMakesNoDatabase: an empty log that was made just now would be whole.
func TestAuditVerifyMakesNoDatabase(t *testing.T) {
	t.Parallel()
	in := newEmpty(t)
	if said := in.auditVerify(); said.code != 1 || !strings.Contains(said.stderr, "there is no database "+filepath.Join(in.dir, "vezne.db")) {
		t.Errorf("verifying nothing says %+v", said)
	}
	if _, err := os.Stat(filepath.Join(in.dir, "vezne.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database was made (%v)", err)
	}
}
