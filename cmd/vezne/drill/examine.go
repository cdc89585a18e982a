package drill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vezne/vezne/cmd/vezne/settings"
)

// examine restores a backup of an installation that is used, and runs what examines it. No command of these serves or works, so that
// no gateway, receiver or anybody else is asked or told of anything.
func (d *drill) examine(ctx context.Context, backup, keys string) error {
	backup, err := filepath.Abs(backup)
	if err != nil {
		return err
	}
	if d.installation, err = newInstallation(ctx, filepath.Join(d.dir, "data")); err != nil {
		return err
	}
	in := d.installation
	if err := os.Mkdir(in.dir, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"master.key", "audit.key"} {
		if err := copyKey(filepath.Join(keys, name), filepath.Join(in.dir, name)); err != nil {
			return fmt.Errorf("--keys: %w", err)
		}
	}
	d.at = d.began
	failed, steps := 0, 0
	for _, step := range []struct {
		phase string
		args  []string
	}{
		{"restored", []string{"restore", backup, "--reason", reason}}, // which migrates it, and opens its secrets with the master key
		{"audit log", []string{"audit", "verify"}},
		{"examined", []string{"doctor"}},
	} {
		steps++
		var said strings.Builder
		err := in.print(ctx, &said, step.args...)
		verdict := "vezne " + step.args[0] + ": ok"
		if err != nil {
			failed++
			verdict = "vezne " + step.args[0] + ": FAILED"
		}
		if sayErr := d.say(step.phase, "%s", verdict); sayErr != nil {
			return sayErr
		}
		text := strings.TrimRight(said.String(), "\n")
		if err != nil {
			text += "\n" + strings.TrimSpace(err.Error())
		}
		if _, err := fmt.Fprintln(d.out, "  "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")); err != nil {
			return err
		}
		if err != nil && step.args[0] == "restore" {
			return errUnwell // there is nothing to examine
		}
	}
	if _, err := fmt.Fprintf(d.out, "drill restore: %d of %d steps failed, in %.1f minutes\n", failed, steps, time.Since(d.began).Minutes()); err != nil {
		return err
	}
	if failed > 0 {
		return errUnwell
	}
	return nil
}

// copyKey copies a file of keys, which has them on its one line, for its owner's eyes only.
func copyKey(from, to string) error {
	text, err := settings.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(text+"\n"), 0o600)
}
