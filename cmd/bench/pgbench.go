package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// insertPayment is the row that creating a deposit writes, one statement and one commit each.
const insertPayment = `\set n random(1, 9000000000000000000)
INSERT INTO payments (id, version, tracking_code, token_fingerprint, method, status, provider_id, site_id, site_name, dealer_id,
  user_id, key_id, personal, language, currency, requested_minor, amount_minor, is_iban_suspect, account_id,
  account_bank, account_holder, account_iban, account_day, held_minor, reason, expires_at, created_at, updated_at)
VALUES (to_char(clock_timestamp(), '0YYMMDDHH24MISSUS') || right(lpad(:n::text, 19, '0'), 7), 1, 'MAN-' || :n, encode(sha256(:n::text::bytea), 'hex'),
  'manual_deposit', 'showing', 1, 1, 'acme.example', 1, 'u-1001', '01K0000000000000000000000A',
  'q7Vh2mT0b1yQm0o7J5kq3lYB0bNwzq1Zr9c6yFJt8sXw5u2eGd4Rk7PpLhNnAaTt3vV0xX9zZ8yYwWuU6sSqQoOmMkKiIgGeEcCaA', 'tr', 'TRY', 25000, 25000,
  false, 0, '', '', '', '', NULL, '', now() + interval '30 minutes', now(), now());
`

// pgbench runs the same insert from PostgreSQL's own load generator, for the ratio: as fast as it goes, and paced at the
// half load that Vezne had, where the disk decides the slowest.
func pgbench(ctx context.Context, o options, dir string, half int) error {
	script := filepath.Join(dir, "insert.sql")
	if err := os.WriteFile(script, []byte(insertPayment), 0o600); err != nil {
		return err
	}
	binary, err := findPgbench()
	if err != nil {
		return err
	}
	fmt.Println("\npgbench, the same row, one statement and one commit each")
	for _, clients := range []string{"1", "16", "64"} {
		out, err := runPgbench(ctx, o, binary, "-f", script, "-c", clients)
		if err != nil {
			return err
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "tps") {
				fmt.Printf("  %2s clients: %s", clients, line)
			}
		}
	}
	logs := filepath.Join(dir, "pgbench")
	if _, err := runPgbench(ctx, o, binary, "-f", script, "-c", "64", "-R", strconv.Itoa(half), "-l", "--log-prefix="+logs); err != nil {
		return err
	}
	paced, err := readPgbench(logs, o.seconds)
	if err != nil {
		return err
	}
	fmt.Printf("  half load (%d/s, 64 clients): %s\n", half, paced)
	return nil
}

func runPgbench(ctx context.Context, o options, binary string, args ...string) (string, error) {
	args = append(args, "-n", "-M", "prepared", "-j", "2", "-T", strconv.Itoa(max(1, int(o.seconds.Seconds()))), o.databaseU)
	out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	return string(out), nil
}

// readPgbench reads the log of a paced run: column 3 is a transaction's time from when it was due, in microseconds.
func readPgbench(prefix string, length time.Duration) (result, error) {
	r := result{length: length}
	files, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return r, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return r, err
		}
		for line := range strings.Lines(string(data)) {
			columns := strings.Fields(line)
			if len(columns) < 7 {
				continue
			}
			took, err := strconv.Atoi(columns[2])
			if err != nil {
				return r, err
			}
			r.took = append(r.took, time.Duration(took)*time.Microsecond)
		}
	}
	slices.Sort(r.took)
	return r, nil
}

func findPgbench() (string, error) {
	if bin := os.Getenv("VEZNE_TEST_PG_BIN"); bin != "" {
		return filepath.Join(bin, "pgbench"), nil
	}
	if path, err := exec.LookPath("pgbench"); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("pgbench is not installed: it comes with Debian's postgresql package")
	}
	return found[len(found)-1], nil
}
