package harness

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Export has everything that a filter matches written into a file, and downloads it.
func (s Staff) Export(t testing.TB, format, filter string) (JobView, []byte) {
	t.Helper()
	var started struct{ StartExport struct{ Job JobView } }
	if err := s.Ask(`mutation { startExport(input: {format: `+format+`, filter: `+filter+`}) { job { id } } }`, nil, &started); err != nil {
		t.Fatal(err)
	}
	j := s.Over(t, started.StartExport.Job.ID)
	return j, s.Download(t, j)
}

// Download downloads the file of an export.
func (s Staff) Download(t testing.TB, j JobView) []byte {
	t.Helper()
	path, fileName := s.ticket(t, j)
	file := Get(t, s.Base+path)
	if name := file.Header.Get("Content-Disposition"); file.Status != http.StatusOK || name != `attachment; filename="`+fileName+`"` {
		t.Fatalf("the download answers %d with %q", file.Status, name)
	}
	if again := Get(t, s.Base+path); again.Status != http.StatusNotFound {
		t.Errorf("a used ticket answers %d", again.Status)
	}
	return file.Body
}

// Ticket returns the path that opens the file of an export once.
func (s Staff) Ticket(t testing.TB, j JobView) (path string) {
	t.Helper()
	path, _ = s.ticket(t, j)
	return path
}

func (s Staff) ticket(t testing.TB, j JobView) (path, fileName string) {
	t.Helper()
	var data struct {
		ExportDownload struct{ Path, FileName string }
	}
	err := s.Ask(`mutation($id: ID!) { exportDownload(input: {jobId: $id}) { path fileName } }`, map[string]any{"id": j.ID}, &data)
	if err != nil || j.Status != "DONE" {
		t.Fatalf("the export is %+v (%v)", j, err)
	}
	path = data.ExportDownload.Path
	KeepSecret("the ticket of an export", path[strings.LastIndexByte(path, '/')+1:])
	return path, data.ExportDownload.FileName
}

// CsvRows reads an export.
func CsvRows(t testing.TB, file []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// JobView is what tests read of a job.
type JobView struct {
	ID                    string
	Status                string
	Total                 int
	Done, Skipped, Failed int
	Totals                []jobTotal
}

type jobTotal struct {
	Method, Status                    string
	Count                             int
	RequestedAmount, Amount, Currency string
}

const jobViewFields = `{ id status total done skipped failed
	totals { method status count requestedAmount amount currency } }`

// Over waits until a job is over.
func (s Staff) Over(t testing.TB, id string) (found JobView) {
	t.Helper()
	Eventually(t, func() error {
		var data struct{ Job JobView }
		if err := s.Ask(`query($id: ID!) { job(id: $id) `+jobViewFields+` }`, map[string]any{"id": id}, &data); err != nil {
			return err
		}
		if found = data.Job; found.Status == "QUEUED" || found.Status == "RUNNING" {
			return fmt.Errorf("the job is %+v", found)
		}
		return nil
	})
	return found
}
