package backoffice_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// auditChain is what staff see of the chain.
type auditChain struct {
	AuditChain struct {
		Head      *struct{ Number int64 }
		LastCheck *struct {
			Problems      []struct{ Kind string }
			FailingPlaces []string
		}
	}
}

const askChain = `{ auditChain { head { number hash keyId } lastCheck { problems { kind number } failingPlaces } } }`

// cutTail takes the newest two entries and their links away, as the owner of the database can.
func cutTail(t *testing.T, in *harness.Installation) {
	t.Helper()
	off := []string{"DROP TRIGGER audit_entries_no_delete", "DROP TRIGGER audit_chain_no_delete"}
	if in.Setting("DATABASE_URL") != "" {
		off = []string{"DROP TRIGGER audit_entries_no_delete ON audit_entries", "DROP TRIGGER audit_chain_append_only ON audit_chain"}
	}
	cut := slices.Concat(off, []string{"DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM audit_chain ORDER BY no DESC LIMIT 2)",
		"DELETE FROM audit_chain WHERE no > (SELECT max(no) FROM audit_chain) - 2"})
	if err := in.Tamper(cut...); err != nil {
		t.Fatal(err)
	}
}

// TestACutTailIsNoticedShownAndAdopted has the end of the log taken away while nobody looks.
func TestACutTailIsNoticedShownAndAdopted(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		in.Env = append(in.Env, "VEZNE_AUDIT_HEADS_FILE="+filepath.Join(in.Dir, "heads.jsonl"))
		p := in.Serve()
		in.SignIn(p, "admin").UpdateProvider(t, in.Keys.Provider.ID, map[string]any{"name": "Acme Pay"})
		p.Stop(t) // which chains what waits, and keeps the head
		if o := auditVerify(in); o.Code != 0 || strings.Contains(o.Stdout, "compared: 0") {
			t.Fatalf("%d: %s%s", o.Code, o.Stdout, o.Stderr)
		}
		cutTail(t, in)
		if o := auditVerify(in); o.Code != 1 || !strings.Contains(o.Stdout, "BROKEN: the chain ends at number") {
			t.Errorf("%d: %s%s", o.Code, o.Stdout, o.Stderr)
		}
		p = in.Serve()
		admin := in.SignIn(p, "admin")
		expectChain(t, p, admin, "1", "HEAD")
		in.Provider(p).Create(t, "start-manual-withdraw", "250.00") // payments go on
		p.Stop(t)
		for _, args := range [][]string{{"audit", "adopt"}, {"audit", "adopt", "--reason", " "}} {
			if o := (harness.Launch{Args: args, Env: in.Env}).Execute(t); o.Code == 0 {
				t.Errorf("%v: %s", args, o.Stdout)
			}
		}
		if said := in.Succeed("audit", "adopt", "--reason", "restored a backup"); !strings.Contains(said, "adopted: the chain ends at number") {
			t.Errorf("adopting says %s", said)
		}
		if o := auditVerify(in); o.Code != 0 || !strings.Contains(o.Stdout, "the chain is whole") {
			t.Errorf("%d: %s%s", o.Code, o.Stdout, o.Stderr)
		}
		p = in.Serve()
		expectChain(t, p, in.SignIn(p, "auditor"), "0", "")
	})
}

// expectChain waits until the metric and the back office say what the last check found.
func expectChain(t *testing.T, p *harness.Process, by harness.Staff, metric, kind string) {
	t.Helper()
	harness.Eventually(t, func() error {
		if page := string(harness.Get(t, p.AdminURL+"/metrics").Body); !strings.Contains(page, "vezne_audit_chain_broken "+metric) {
			return errors.New("the metric does not say " + metric)
		}
		var seen auditChain
		if err := by.Ask(askChain, nil, &seen); err != nil {
			return err
		}
		got := ""
		if check := seen.AuditChain.LastCheck; check == nil || seen.AuditChain.Head == nil {
			return errors.New("there is no check or no head")
		} else if len(check.Problems) > 0 {
			got = check.Problems[0].Kind
		}
		if got != kind {
			return fmt.Errorf("staff see %q, want %q", got, kind)
		}
		return nil
	})
}

// TestAPlaceThatFailsStopsNothing has heads written where nothing can be.
func TestAPlaceThatFailsStopsNothing(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	in.Env = append(in.Env, "VEZNE_AUDIT_HEADS_FILE="+filepath.Join(in.Dir, "none", "heads.jsonl"))
	p := in.Serve()
	harness.Eventually(t, func() error {
		if page := string(harness.Get(t, p.AdminURL+"/metrics").Body); !strings.Contains(page, `vezne_audit_heads_failing{place="file"} 1`) {
			return errors.New("no metric shows it")
		}
		return nil
	})
	in.Provider(p).Create(t, "start-manual-withdraw", "250.00")
	if o := (harness.Launch{Args: []string{"doctor"}, Env: in.Env}).Execute(t); o.Code != 1 || !strings.Contains(o.Stdout, "FAIL  audit heads") {
		t.Errorf("the doctor says %s", o.Stdout)
	}
	if err := os.Mkdir(filepath.Join(in.Dir, "none"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.Stop(t)
	if o := auditVerify(in); o.Code != 0 || strings.Contains(o.Stdout, "compared: 0") {
		t.Errorf("the head was not kept at the end: %s", o.Stdout)
	}
}
