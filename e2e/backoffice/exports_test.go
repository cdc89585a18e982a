package backoffice_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/vezne/vezne/e2e/harness"
)

// TestExports: what is downloaded as CSV and as XLSX has every transaction once, and totals of all.
func TestExports(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_CALLBACK_SCHEDULE=0s")
		operator := in.SignIn(server, "operator")
		payments := in.Provider(server).CreateMany(t, "start-manual-deposit", 230, "25.50")
		operator.DecideAll(t, "rejectDeposit", payments[:30])
		filter := `{method: MANUAL_DEPOSIT, trackingCode: null, minAmount: "25.50", maxAmount: "25.50"}`
		j, file := operator.Export(t, "CSV", filter)
		rows := harness.CsvRows(t, file)
		j2, book := operator.Export(t, "XLSX", filter)
		read, err := excelize.OpenReader(bytes.NewReader(book))
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := read.GetRows("Transactions", excelize.Options{RawCellValue: true})
		if err != nil || len(sheet) != j2.Done+1 {
			t.Fatalf("%d rows of %d (%v)", len(sheet), j2.Done, err)
		}
		for name, table := range map[string][][]string{"CSV": rows, "XLSX": sheet} {
			seen := map[string]int{}
			for _, row := range table {
				seen[row[0]]++
			}
			for _, p := range payments {
				if seen[p.TrackingCode] != 1 {
					t.Fatalf("%s has %s %d times", name, p.TrackingCode, seen[p.TrackingCode])
				}
			}
		}
		count, sum := 0, 0
		for _, total := range j.Totals {
			count += total.Count
			sum += total.Count * 2550
			if want := fmt.Sprintf("%d.%02d", total.Count*2550/100, total.Count*2550%100); total.RequestedAmount != want {
				t.Errorf("%+v, want %s", total, want)
			}
		}
		last := rows[len(rows)-1]
		if count != j.Done || last[0] != "Total" || last[3] != fmt.Sprint(count) || last[4] != fmt.Sprintf("%d.%02d", sum/100, sum%100) {
			t.Errorf("%d of %d, the last line is %q", count, j.Done, last)
		}
		server.Stop(t)
	})
}
