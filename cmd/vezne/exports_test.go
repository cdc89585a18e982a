package main_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// export has everything that a filter matches written into a file, and downloads it.
func (s staff) export(t testing.TB, format, filter string) (jobView, []byte) {
	t.Helper()
	var started struct{ StartExport struct{ Job jobView } }
	if err := s.ask(`mutation { startExport(format: `+format+`, filter: `+filter+`) { job { id } } }`, nil, &started); err != nil {
		t.Fatal(err)
	}
	j := s.over(t, started.StartExport.Job.ID)
	var data struct {
		ExportDownload struct{ Path, FileName string }
	}
	err := s.ask(`mutation($id: ID!) { exportDownload(jobId: $id) { path fileName } }`, map[string]any{"id": j.ID}, &data)
	if err != nil || j.State != "done" {
		t.Fatalf("the export is %+v (%v)", j, err)
	}
	path := data.ExportDownload.Path
	shared.keepSecret("the ticket of an export", path[strings.LastIndexByte(path, '/')+1:])
	file := get(t, s.base+path)
	if name := file.header.Get("Content-Disposition"); file.status != http.StatusOK || name != `attachment; filename="`+data.ExportDownload.FileName+`"` {
		t.Fatalf("the download answers %d with %q", file.status, name)
	}
	if again := get(t, s.base+path); again.status != http.StatusNotFound {
		t.Errorf("a used ticket answers %d", again.status)
	}
	return j, file.body
}

// csvRows reads an export.
func csvRows(t testing.TB, file []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestExports: what is downloaded as CSV and as XLSX has every transaction once, and totals of all.
func TestExports(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve("VEZNE_CALLBACK_SCHEDULE=0s")
		operator := in.signIn(server, "operator")
		payments := in.provider(server).createMany(t, "start-manual-deposit", 230, "25.50")
		operator.decideAll(t, "rejectDeposit", payments[:30])
		filter := `{method: manual_deposit, trackingCode: null, minAmount: "25.50", maxAmount: "25.50"}`
		j, file := operator.export(t, "csv", filter)
		rows := csvRows(t, file)
		j2, book := operator.export(t, "xlsx", filter)
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
		server.stop(t)
	})
}
