package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/vezne/vezne/core/sign"
)

// hotWallet is a wallet of pgbench's own: no number of a demo's.
const hotWallet = 900_000_000

// transferUpdates is what a transfer does to its wallet: two updates of one row, a commit each.
var transferUpdates = fmt.Sprintf(`UPDATE wallet_balances SET available_minor = available_minor - 1234, reserved_minor = reserved_minor + 1234 WHERE wallet_id = %[1]d;
UPDATE wallet_balances SET reserved_minor = reserved_minor - 1234, outside_minor = outside_minor + 1234 WHERE wallet_id = %[1]d;
`, hotWallet)

// walletClients are how many send from one wallet at once.
var walletClients = []string{"1", "16", "64"}

// wallets measures transfers from one wallet, beside pgbench, and D5's pages of a wallet with a million lines.
func wallets(ctx context.Context, o options, binary, dir string, env []string) error {
	v, err := start(ctx, binary, filepath.Join(dir, "wallets"), env) // makes the tables, too
	if err != nil {
		return err
	}
	defer v.stop()
	fmt.Println("\nwallets (PostgreSQL fsync=on synchronous_commit=on)")
	fmt.Println("  transfers from one wallet: reserved and posted, with payment, operation and history; two commits each")
	for _, clients := range walletClients {
		figure, err := benchTransfers(ctx, o, clients)
		if err != nil {
			return err
		}
		fmt.Printf("  %2s clients: %6s transfers/s\n", clients, figure)
	}
	if err := benchUpdates(ctx, o, dir); err != nil {
		return err
	}
	return v.readStatement(ctx, o)
}

// benchTransfers runs the store's own benchmark and gives its figure.
func benchTransfers(ctx context.Context, o options, clients string) (string, error) {
	command := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkTransfers$/^postgres$/^"+clients+"$",
		"-benchtime", o.seconds.String(), "./adapters/bunstore")
	command.Env = append(os.Environ(), "VEZNE_TEST_DATABASE_URL="+o.databaseU)
	out, err := command.CombinedOutput()
	fields := strings.Fields(string(out))
	for i, field := range fields {
		if err == nil && field == "transfers/s" && i > 0 {
			return fields[i-1], nil
		}
	}
	return "", fmt.Errorf("BenchmarkTransfers: %w\n%s", err, out)
}

// benchUpdates has pgbench make the same updates of one row, and nothing else.
func benchUpdates(ctx context.Context, o options, dir string) error {
	script := filepath.Join(dir, "transfer.sql")
	if err := os.WriteFile(script, []byte(transferUpdates), 0o600); err != nil {
		return err
	}
	binary, err := findPgbench()
	if err != nil {
		return err
	}
	fund := `INSERT INTO wallet_balances VALUES (%d, %d, 0, -%[2]d) ON CONFLICT (wallet_id) DO NOTHING`
	if err := execute(ctx, o.databaseU, fmt.Sprintf(fund, hotWallet, int64(1_000_000_000_000))); err != nil {
		return err
	}
	fmt.Println("  pgbench, the two updates of one row alone, a commit each")
	for _, clients := range walletClients {
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
	return nil
}

// Sizes of reading a statement.
const (
	manyLines = 1_000_000
	pageLines = 100 // D5
	pageReads = 500 // at most, of each page

	fillTimeout = 10 * time.Minute
)

// fillStatement returns a wallet lines as if they had been imported, evenly over the day before now.
const fillStatement = `INSERT INTO bank_lines
	(wallet_id, line_id, id, version, mark, direction, amount_minor, booked_at, party_iban, state, payment_id, note, imported_at, body)
SELECT w.id, 'line ' || i, to_char(now(), 'YYYYMMDDHH24MISSUS') || lpad(i::text, 9, '0'), 1, 1, 'incoming', 25000, at,
	'TR330006100519786457841326', 'set_aside', '', '', at,
	'{"text":"Kasım ödemesi","party":{"name":"Ayşe Yılmaz","iban":"TR330006100519786457841326"}}'
FROM wallets AS w, generate_series(1, %d) AS i, LATERAL (SELECT now() - interval '1 day' * i / %[1]d AS at) AS booked
WHERE w.wallet_id = '%[2]s'`

const countLines = `INSERT INTO bank_line_counts
SELECT wallet_id, date_bin('15 minutes', booked_at, '2000-01-01'), count(*) FROM bank_lines GROUP BY 1, 2`

// readStatement measures D5's first and last page.
func (v *installation) readStatement(ctx context.Context, o options) error {
	wallet := v.keys.Wallets[0].WalletID
	for _, statement := range []string{
		fmt.Sprintf(fillStatement, manyLines, wallet), "DELETE FROM bank_line_counts", countLines, "VACUUM ANALYZE bank_lines",
	} {
		if err := execute(ctx, o.databaseU, statement); err != nil {
			return err
		}
	}
	fmt.Printf("  D5, pages of %d of %d lines, 1 client\n", pageLines, manyLines)
	pages := manyLines / pageLines
	for _, page := range []int{1, pages / 2, pages} {
		request := v.statementRequest(wallet, page)
		wanted := fmt.Sprintf(`"total_records":%d,`, manyLines)
		r := drive(ctx, v.address, 1, pageReads, o.seconds, 0, func(c *connection) bool {
			body, err := c.read(request)
			return err == nil && strings.Contains(string(body), wanted)
		})
		if len(r.took) == 0 || r.failed > 0 {
			return fmt.Errorf("D5 failed %d times at page %d", r.failed, page)
		}
		fmt.Printf("  page %5d: p50 %8s  p95 %8s  p99 %8s\n", page, r.percentile(50), r.percentile(95), r.percentile(99))
	}
	return nil
}

// statementRequest is a signed D5 for the three days until today.
func (v *installation) statementRequest(wallet string, page int) []byte {
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	query := url.Values{
		"wallet_id": {wallet}, "page": {strconv.Itoa(page)}, "start_date": {dayIn(-2)}, "end_date": {dayIn(1)},
	}
	return []byte("GET /api/dealer/transactions?" + query.Encode() + " HTTP/1.1\r\nHost: " + v.address + "\r\nX-Api-Key: " +
		v.keys.Dealer.APIKey + "\r\nX-Timestamp: " + stamp + "\r\nX-Hash: " +
		sign.Hash(v.keys.Dealer.APIKey, v.keys.Dealer.SecretKey, stamp) + "\r\n\r\n")
}

// read sends a request and reads an answer of any length, which must be 200.
func (c *connection) read(request []byte) ([]byte, error) {
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // read to its end
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", answer.StatusCode)
	}
	return io.ReadAll(answer.Body)
}

// dayIn is a day near today; the line between two days is somewhere else in other time zones.
func dayIn(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }

func execute(ctx context.Context, databaseURL, statement string) error {
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(databaseURL), pgdriver.WithTimeout(fillTimeout)))
	defer func() { _ = db.Close() }() // nothing is left to be written
	if _, err := db.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("%.60s…: %w", statement, err)
	}
	return nil
}
