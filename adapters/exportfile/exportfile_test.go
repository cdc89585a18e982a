package exportfile_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/vezne/vezne/adapters/exportfile"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

var istanbul = time.FixedZone("+03", 3*60*60)

// hostile are texts that a file must carry as what they are.
func hostile() []string {
	return []string{
		"Ayşe Yılmaz", `say "hi", twice`, "a;b", " spaced ", "<b>&amp;</b>", "_x000D_", "🏦", "", "0012", "1e5", "TRUE",
		"=1+1", "+905551112233", "-7", "@SUM(A1)", "＝1", "\t=1",
	}
}

func payments(n int) []payment.Payment {
	list := make([]payment.Payment, n)
	texts := hostile()
	for i := range list {
		list[i] = payment.Payment{
			TrackingCode: fmt.Sprintf("MAN-%05d", i), Method: payment.Methods()[i%3], Status: payment.Statuses()[i%4], ProviderID: 7,
			Customer:        owner.Customer{UserID: fmt.Sprint(i), Fullname: texts[i%len(texts)], Username: texts[(i+1)%len(texts)]},
			RequestedAmount: money.New(int64(i*101), money.TRY), Amount: money.New(int64(i*101+1), money.TRY),
			CreatedAt: time.Date(2026, 3, 1, 21, 0, i, 0, time.UTC),
		}
	}
	return list
}

func columns() []report.ExportColumn {
	return []report.ExportColumn{
		report.ColTrackingCode, report.ColFullname, report.ColUsername, report.ColProviderID, report.ColRequested, report.ColAmount,
		report.ColCreatedAt, report.ColFinishedAt, report.ColUserID,
	}
}

// written writes the payments in parts of a size, as a job does, and returns the file and its parts.
func written(t *testing.T, to ports.FileWriter, list []payment.Payment, size int) []byte {
	t.Helper()
	var file bytes.Buffer
	var state report.FileState
	header := make([]string, len(columns()))
	for i, c := range columns() {
		header[i] = "H " + string(c)
	}
	totals := report.AddUp(nil, list)
	for isLast := false; !isLast; {
		part := list[:min(size, len(list))]
		list = list[len(part):]
		isLast = len(part) < size
		var rows [][]report.Cell
		for _, p := range part {
			rows = append(rows, report.ExportRow(p, columns(), report.Names{}))
		}
		data, next, err := to.Write(report.FilePart{
			State: state, Header: header, SheetName: "İşlemler", Rows: rows, HasBOM: true, Zone: istanbul, IsLast: isLast,
			TotalsName: "Toplam", TotalsHeader: []string{"m", "s", "n", "r", "a", "c"}, Totals: cellsOf(totals),
		})
		if err != nil {
			t.Fatal(err)
		}
		file.Write(data)
		if state = next; state.Bytes != int64(file.Len()) {
			t.Fatalf("the state has %d bytes, the file %d", state.Bytes, file.Len())
		}
	}
	return file.Bytes()
}

func cellsOf(totals []report.ExportTotal) (rows [][]report.Cell) {
	for _, t := range slices.Concat(totals, report.Overall(totals)) {
		rows = append(rows, t.Cells(report.ExportJob))
	}
	return rows
}

func TestCSVIsReadBackAsItWasWritten(t *testing.T) {
	t.Parallel()
	list := payments(40)
	data := written(t, exportfile.CSV{}, list, 7)
	text, ok := strings.CutPrefix(string(data), "\ufeff")
	if !ok || strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Fatal("no byte order mark, or lines that do not end with CRLF")
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll() // it refuses lines of another length
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range list {
		want := []string{
			p.TrackingCode, shown(p.Customer.Fullname), shown(p.Customer.Username), "7", p.RequestedAmount.String(), p.Amount.String(),
			p.CreatedAt.In(istanbul).Format(time.DateTime), "", p.Customer.UserID,
		}
		if !slices.Equal(rows[i+1], want) {
			t.Errorf("row %d is %q, want %q", i, rows[i+1], want)
		}
	}
	last := rows[len(rows)-1]
	if last[0] != "Toplam" || last[3] != "40" || last[4] != "787.80" || last[5] != "788.20" {
		t.Errorf("the last line is %q", last)
	}
}

// TestASemicolonBeginsNoFormula: Excel reads CSV by the separator of the country's lists, which in Turkey is the semicolon, and
// then takes what follows one for a cell, whatever quotes are around it.
func TestASemicolonBeginsNoFormula(t *testing.T) {
	t.Parallel()
	list := payments(4)
	for i, text := range []string{`a;=HYPERLINK("http://evil","x");b`, `a; "=1+1"`, "a;\t+1", `a;b;;@SUM(A1)`} {
		list[i].Customer.Fullname, list[i].Customer.Username = text, "a - b; c = d"
	}
	text := string(written(t, exportfile.CSV{}, list, 7))
	for _, cell := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";\t\r\n", r) }) {
		if first := strings.TrimLeft(cell, ` "`); first != "" && strings.ContainsRune("=+-@", rune(first[0])) {
			t.Errorf("%s begins a formula", cell)
		}
	}
	if !strings.Contains(text, `"a - b; c = d"`) {
		t.Error("what is no formula is changed")
	}
}

// shown is what CSV has of a text.
func shown(text string) string {
	if text == "\t=1" {
		return "'\t'=1"
	}
	if strings.HasPrefix(text, "=") || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "@") ||
		strings.HasPrefix(text, "＝") {
		return "'" + text
	}
	return text
}

func TestXLSXIsReadBackAsItWasWritten(t *testing.T) {
	t.Parallel()
	list := payments(40)
	book, err := excelize.OpenReader(bytes.NewReader(written(t, exportfile.XLSX{}, list, 7)))
	if err != nil {
		t.Fatal(err)
	}
	if got := book.GetSheetList(); !slices.Equal(got, []string{"İşlemler", "Toplam"}) {
		t.Fatalf("sheets %q", got)
	}
	cell := func(sheet, at string, raw bool) string {
		value, err := book.GetCellValue(sheet, at, excelize.Options{RawCellValue: raw})
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for i, p := range list {
		row := i + 2
		for at, want := range map[string]string{"A": p.TrackingCode, "B": p.Customer.Fullname, "C": p.Customer.Username, "D": "7", "I": p.Customer.UserID, "H": ""} {
			if got := cell("İşlemler", fmt.Sprint(at, row), true); got != want {
				t.Errorf("%s%d is %q, want %q", at, row, got, want)
			}
		}
		if got := cell("İşlemler", fmt.Sprint("G", row), false); got != p.CreatedAt.In(istanbul).Format(time.DateTime) {
			t.Errorf("G%d is %q", row, got)
		}
		if got := cell("İşlemler", fmt.Sprint("E", row), true); got != p.RequestedAmount.String() {
			t.Errorf("E%d is %q, want %s", row, got, p.RequestedAmount)
		}
		for at, want := range map[string]excelize.CellType{"E": excelize.CellTypeUnset, "B": excelize.CellTypeInlineString} {
			if kind, err := book.GetCellType("İşlemler", fmt.Sprint(at, row)); p.Customer.Fullname != "" && (err != nil || kind != want) {
				t.Errorf("%s%d has type %v, %v", at, row, kind, err)
			}
		}
	}
	rows, err := book.GetRows("Toplam", excelize.Options{RawCellValue: true})
	if last := rows[len(rows)-1]; err != nil || !slices.Equal(last, []string{"", "", "40", "787.80", "788.20", "TRY"}) {
		t.Errorf("the last total is %q, %v", last, err)
	}
}

func TestTheSizeOfPartsDoesNotShowInAFile(t *testing.T) {
	t.Parallel()
	list := payments(30)
	if !bytes.Equal(written(t, exportfile.CSV{}, list, 1), written(t, exportfile.CSV{}, list, 1000)) {
		t.Error("two ways of writing the same give different CSV")
	}
	if a, b := sheets(t, written(t, exportfile.XLSX{}, list, 1)), sheets(t, written(t, exportfile.XLSX{}, list, 1000)); a != b {
		t.Error("two ways of writing the same give different sheets")
	}
	if !bytes.Equal(written(t, exportfile.XLSX{}, list, 7), written(t, exportfile.XLSX{}, list, 7)) {
		t.Error("the same parts give different bytes")
	}
}

// sheets unpacks an archive, which checks every sum in it.
func sheets(t *testing.T, data []byte) string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range archive.File {
		open, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(open)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		all.WriteString(f.Name + "\n" + string(content) + "\n")
	}
	return all.String()
}

func TestAnEmptyExportHasItsHeaderAndTotals(t *testing.T) {
	t.Parallel()
	text := bytes.TrimPrefix(written(t, exportfile.CSV{}, nil, 10), []byte("\ufeff"))
	if rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil || len(rows) != 2 {
		t.Errorf("%q, %v", rows, err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(written(t, exportfile.XLSX{}, nil, 10)))
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := book.GetRows("İşlemler"); err != nil || len(rows) != 1 || rows[0][0] != "H tracking_code" {
		t.Errorf("%q, %v", rows, err)
	}
}

func TestAFileThatItsFormatHasNoRoomForIsRefused(t *testing.T) {
	t.Parallel()
	_, _, err := exportfile.XLSX{}.Write(report.FilePart{Zone: time.UTC, State: report.FileState{
		Bytes: 1 << 20, Rows: 9, Entries: []report.FileEntry{{Name: "xl/worksheets/sheet1.xml", Size: 1<<32 - 1}},
	}, Rows: [][]report.Cell{{{Text: "x"}}}})
	if err == nil {
		t.Error("an entry of more than 4 GiB was written")
	}
}
