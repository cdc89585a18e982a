package bunstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

// BenchmarkBankLines reads pages of three days of a wallet that has a million lines: spread over a year, so that three
// days have eight thousand, and all of them within the three days.
func BenchmarkBankLines(b *testing.B) {
	from := time.Date(2026, time.March, 14, 21, 0, 0, 0, time.UTC)
	for name, config := range databases() {
		for _, days := range []int{365, 3} {
			s, total := storeWithLines(b, config(b), from, days)
			for depth, skip := range map[string]int{"first": 0, "middle": total / 2, "last": total - 100, "beyond": 2 * total} {
				b.Run(fmt.Sprintf("%s/%d days/%s", name, days, depth), func(b *testing.B) {
					q := wallet.BankLineQuery{WalletID: 1, From: from, Until: from.AddDate(0, 0, 3), Skip: skip, Limit: 100}
					for b.Loop() {
						lines, n, err := s.BankLines(b.Context(), q)
						if err != nil || n != total || len(lines) != 100 && skip < total {
							b.Fatal(len(lines), n, err)
						}
					}
				})
			}
		}
	}
}

const manyLines = 1_000_000

// storeWithLines returns two wallets a million lines each, as if they had been imported, and says how many of one's are
// within the first three days.
func storeWithLines(b *testing.B, cfg bunstore.Config, from time.Time, days int) (s *bunstore.Store, total int) {
	b.Helper()
	s = openStore(b, cfg)
	db := rawDatabase(b, cfg)
	step := time.Duration(days) * 24 * time.Hour / manyLines
	moment := "timestamptz 'epoch' + (%d + i * %d) * interval '1 microsecond'"
	quarter := "date_bin('15 minutes', booked_at, '2000-01-01')"
	if cfg.Path != "" {
		moment, quarter = "%d + i * %d", "booked_at / 900000000 * 900000000"
	}
	moment = fmt.Sprintf(moment, from.UnixMicro(), step.Microseconds())
	const chunk = manyLines / 40
	for first := 0; first < manyLines; first += chunk {
		execute(b, db, fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(%d AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO bank_lines
				(wallet_id, line_id, id, version, mark, direction, amount_minor, booked_at, party_iban, state, payment_id, note,
				imported_at, body)
			SELECT w, 'line ' || (i * 7919 %% 1000003), '01KKNTQ2CN58N2MAHA58N2M' || i, 1, 7, 'incoming', 70000, %s,
				'TR330006100519786457841326', 'unmatched', '', '', %s,
				'{"text":"Kasım ödemesi","party":{"name":"Ayşe Yılmaz","iban":"TR330006100519786457841326"}}'
			FROM n CROSS JOIN (SELECT 1 AS w UNION ALL SELECT 2) AS wallets`, first, first+chunk-1, moment, moment))
	}
	execute(b, db, `INSERT INTO bank_line_counts SELECT wallet_id, `+quarter+`, count(*) FROM bank_lines GROUP BY 1, 2`)
	if cfg.Path == "" {
		execute(b, db, "VACUUM ANALYZE bank_lines")
	}
	return s, min(manyLines, int((72*time.Hour+step-1)/step))
}

// BenchmarkImport imports pages of a hundred lines into one wallet, each line with its entry; half of them are known.
func BenchmarkImport(b *testing.B) {
	for name, config := range databases() {
		b.Run(name, func(b *testing.B) {
			const page = 100
			s := openStore(b, config(b))
			w := fundedWallet(b, s)
			lines := 0
			for b.Loop() {
				var change core.Changeset
				for i := range page {
					l := wallet.BankLine{
						WalletID: w.ID, LineID: fmt.Sprint("line ", lines+i), ID: newIDs(b).Next(), Version: 1, Direction: gateway.Incoming,
						Status: wallet.LineUnmatched, Amount: money.New(70_000, money.TRY), BookedAt: time.Unix(1_800_000_000+int64(lines+i), 0), ImportedAt: time.Now(),
					}
					e := incoming(b, w, l.Amount.Minor())
					e.LineID = l.LineID
					change = append(change, l, e)
				}
				if err := s.Commit(b.Context(), change); err != nil {
					b.Fatal(err)
				}
				lines += page / 2
			}
			b.ReportMetric(float64(page*b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
