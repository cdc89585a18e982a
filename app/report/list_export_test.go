package report_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// hostileLine is a line of the world's wallet whose texts a spreadsheet program would compute.
func hostileLine(t *testing.T, w *apptest.World) wallet.BankLine {
	t.Helper()
	at := w.Clock.Now()
	l := wallet.BankLine{
		WalletID: w.Wallet.ID, LineID: "=1+1", ID: core.FirstID(at), Version: 1, Direction: gateway.Incoming, Amount: lira(123450),
		BookedAt: at, Text: "x;=cmd|'/C calc'!A0", Party: gateway.Party{Name: "@SUM(A1)", IBAN: "TR330006100519786457841326"},
		ImportedAt: at, Status: wallet.LineUnmatched,
	}
	if err := w.Store.Commit(t.Context(), core.Changeset{l}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Second)
	return l
}

func listExport(t *testing.T, w *apptest.World, who staff.Staff, e reports.ListExport) report.Job {
	t.Helper()
	j, err := w.Jobs.ExportList(t.Context(), by(who), e)
	if err != nil {
		t.Fatal(err)
	}
	quiet(t, w.Jobs)
	return reload(t, w, j)
}

// TestALineOfABankIsNoFormula: in Turkish the file is what Excel reads in Turkey, with labels, and sums by kind.
func TestALineOfABankIsNoFormula(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	hostileLine(t, w)
	j := listExport(t, w, w.Admin, reports.ListExport{Kind: report.BankLinesExport, Format: report.CSV, Language: lang.TR, HasBOM: true})
	text, hasMark := strings.CutPrefix(string(fileOf(t, w, j)), "\ufeff")
	read := csv.NewReader(strings.NewReader(text))
	read.Comma = ';'
	rows, err := read.ReadAll()
	if err != nil || !hasMark || len(rows) != 5 {
		t.Fatalf("%d rows, %v:\n%s", len(rows), err, text)
	}
	line := strings.Join(rows[1], "|")
	for _, want := range []string{"'=1+1", "Gelen", "123450,00", "Eşleşmedi", "'@SUM(A1)", "x;'=cmd", w.Clock.Now().In(w.Zone).Format("02.01.2006")} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
	if sums := strings.Join(rows[3], "|"); !strings.HasPrefix(sums, "Toplam|Gelen|1|123450,00|TRY") {
		t.Errorf("the sums are %s", sums)
	}
	j = listExport(t, w, w.Admin, reports.ListExport{Kind: report.BankLinesExport, Format: report.XLSX, Language: lang.TR})
	book, err := excelize.OpenReader(bytes.NewReader(fileOf(t, w, j)))
	if err != nil {
		t.Fatal(err)
	}
	panes, err := book.GetPanes("Banka satırları")
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("the header moves: %+v %v", panes, err)
	}
	if formula, err := book.GetCellFormula("Banka satırları", "B2"); formula != "" || err != nil {
		t.Errorf("a formula %q %v", formula, err)
	}
	if value, err := book.GetCellValue("Banka satırları", "B2"); value != "=1+1" || err != nil {
		t.Errorf("the line is %q %v", value, err)
	}
}

// TestNobodyExportsWhatTheyMayNotSee: each kind takes the permission of what it has, and nothing of another dealer's comes along.
func TestNobodyExportsWhatTheyMayNotSee(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	hostileLine(t, w)
	from, until := w.Clock.Now().Add(-24*time.Hour), w.Clock.Now().Add(time.Hour)
	other := w.DealerStaff
	other.DealerID += 1000
	for name, c := range map[string]struct {
		by   staff.Staff
		kind report.JobKind
		want fault.Code
	}{
		"a viewer the bank's lines":         {w.Viewer, report.BankLinesExport, fault.Forbidden},
		"a viewer the audit log":            {w.Viewer, report.AuditExport, fault.Forbidden},
		"a dealer's staff the audit log":    {w.DealerStaff, report.AuditExport, fault.Forbidden},
		"another dealer's the statement":    {other, report.StatementExport, fault.NotFound},
		"another dealer's the ledger":       {other, report.LedgerExport, fault.NotFound},
		"a dealer's staff their statement":  {w.DealerStaff, report.StatementExport, ""},
		"a dealer's staff their statistics": {w.DealerStaff, report.StatisticsExport, ""},
		"an admin transactions as a list":   {w.Admin, report.ExportJob, fault.Invalid},
	} {
		_, err := w.Jobs.ExportList(t.Context(), by(c.by), reports.ListExport{
			Kind: c.kind, WalletID: w.Wallet.WalletID, From: from, Until: until, Format: report.CSV, Language: lang.EN,
			Statistics: report.StatisticsQuery{From: from, Until: until},
		})
		if fault.CodeOf(err) != c.want && (err != nil || c.want != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	j, err := w.Jobs.ExportList(t.Context(), by(w.DealerStaff), reports.ListExport{Kind: report.BankLinesExport, Format: report.CSV, Language: lang.EN})
	if err != nil {
		t.Fatal(err)
	}
	quiet(t, w.Jobs)
	if file := string(fileOf(t, w, reload(t, w, j))); !strings.Contains(file, "123450.00") {
		t.Errorf("their own line is missing: %s", file)
	}
}

// TestEveryListIsWritten: of each kind there is a file with a header and what there is.
func TestEveryListIsWritten(t *testing.T) {
	t.Parallel()
	w := busy(t)
	hostileLine(t, w)
	from, until := w.Clock.Now().Add(-24*time.Hour), w.Clock.Now().Add(time.Hour)
	for _, kind := range report.ListExports() {
		j := listExport(t, w, w.Admin, reports.ListExport{
			Kind: kind, WalletID: w.Wallet.WalletID, From: from, Until: until, Format: report.CSV, Language: lang.EN,
			Statistics: report.StatisticsQuery{From: from, Until: until, GroupBy: []report.Dimension{report.MethodDimension}},
		})
		rows, err := csv.NewReader(bytes.NewReader(fileOf(t, w, j))).ReadAll()
		if err != nil || j.Status != report.JobDone || len(rows) < 2 || len(rows[0]) < len(report.ListColumns(kind)) {
			t.Errorf("%s: %d rows, %s, %v", kind, len(rows), j.Status, err)
		}
		for i, head := range rows[0][:len(report.ListColumns(kind))] {
			if want := lang.Say(lang.EN, "column."+report.ListColumns(kind)[i]); head != want {
				t.Errorf("%s: column %d is called %q, not %q", kind, i, head, want)
			}
		}
		if kind != report.StatisticsExport && j.Done == 0 {
			t.Errorf("%s has no rows", kind)
		}
	}
}

// TestAFileHasNamesBesideIDsAndLabels: a person reads it without a list of numbers beside it.
func TestAFileHasNamesBesideIDsAndLabels(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, lira(5))
	w.Clock.Advance(time.Second)
	j := export(t, w, w.Admin, reports.Export{Format: report.CSV, Language: lang.TR, Columns: []report.ExportColumn{
		report.ColTrackingCode, report.ColProviderID, report.ColProvider, report.ColDealer, report.ColMethod, report.ColStatus, report.ColRequested,
	}})
	quiet(t, w.Jobs)
	file := string(fileOf(t, w, j))
	method, _ := lang.Label(lang.TR, "TransactionMethod", "MANUAL_DEPOSIT")
	for _, want := range []string{w.Provider.Name, w.Dealer.Name, `"` + method + `"`, ";5,00", p.TrackingCode} {
		if !strings.Contains(file, want) {
			t.Errorf("%q is not in %s", want, file)
		}
	}
}
