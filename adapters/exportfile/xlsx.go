package exportfile

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// XLSX writes a workbook (ECMA-376) of two worksheets: the table, and its totals, each with a header that stays in sight and filters. Amounts are numbers shown with two
// decimals, times are dates, and texts are never formulas.
type XLSX struct{}

var _ ports.FileWriter = XLSX{}

// The parts of the workbook that are always the same, and its styles by their number.
const (
	contentTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet2.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`
	rootLinks = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookLinks = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/>` +
		`<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`
	styles = xml.Header + `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
		`<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

	styleAmount = 1
	styleTime   = 2
	styleHeader = 3

	// The header stays in sight.
	sheetBegin = xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>` +
		`<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
		`<sheetFormatPr defaultRowHeight="15"/>`
	sheetData = `<sheetData>`
	sheetEnd  = `</worksheet>`

	columnWidth = 18 // characters
)

// begin writes what stands before the rows of so many columns.
func (s *sheet) begin(columns int) {
	s.out.WriteString(sheetBegin)
	if columns > 0 {
		fmt.Fprintf(&s.out, `<cols><col min="1" max="%d" width="%d" customWidth="1"/></cols>`, columns, columnWidth)
	}
	s.out.WriteString(sheetData)
}

// end writes what stands after them: rows can be filtered by every column.
func (s *sheet) end(columns int) {
	s.out.WriteString(`</sheetData>`)
	if columns > 0 {
		fmt.Fprintf(&s.out, `<autoFilter ref="A1:%s%d"/>`, columnName(columns-1), s.rows)
	}
	s.out.WriteString(sheetEnd)
}

// stylesIn are the styles with the moments as a country has them.
func stylesIn(style report.FileStyle) string {
	if style.IsTurkish {
		return strings.Replace(styles, `yyyy\-mm\-dd\ hh`, `dd\.mm\.yyyy\ hh`, 1)
	}
	return styles
}

// workbook names the two worksheets.
func workbook(table, totals string) string {
	return xml.Header + `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"` +
		` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><bookViews><workbookView/></bookViews><sheets>` +
		`<sheet name="` + escaped(table) + `" sheetId="1" r:id="rId1"/><sheet name="` + escaped(totals) + `" sheetId="2" r:id="rId2"/>` +
		`</sheets></workbook>`
}

// Write implements ports.FileWriter.
func (XLSX) Write(part report.FilePart) ([]byte, report.FileState, error) {
	a := resume(part.State)
	table := sheet{zone: part.Zone, rows: part.State.Rows}
	if part.State.Bytes == 0 {
		a.add("[Content_Types].xml", contentTypes)
		a.add("_rels/.rels", rootLinks)
		a.add("xl/workbook.xml", workbook(part.SheetName, part.TotalsName))
		a.add("xl/_rels/workbook.xml.rels", bookLinks)
		a.add("xl/styles.xml", stylesIn(part.Style))
		a.begin("xl/worksheets/sheet1.xml")
		table.begin(len(part.Header))
		table.row(texts(part.Header), styleHeader)
	}
	for _, row := range part.Rows {
		table.row(row, 0)
	}
	if part.IsLast {
		table.end(len(part.Header))
	}
	a.write(table.out.Bytes(), part.IsLast)
	a.state.Rows = table.rows
	if part.IsLast {
		a.begin("xl/worksheets/sheet2.xml")
		a.write(totalsSheet(part), true)
		a.finish()
	}
	return a.done()
}

func totalsSheet(part report.FilePart) []byte {
	s := sheet{zone: part.Zone}
	s.begin(len(part.TotalsHeader))
	s.row(texts(part.TotalsHeader), styleHeader)
	for _, t := range part.Totals {
		s.row(t, 0)
	}
	s.end(len(part.TotalsHeader))
	return s.out.Bytes()
}

// sheet writes the rows of a worksheet.
type sheet struct {
	out  bytes.Buffer
	zone *time.Location
	rows int
}

func (s *sheet) row(cells []report.Cell, style int) {
	s.rows++
	fmt.Fprintf(&s.out, `<row r="%d">`, s.rows)
	for i, c := range cells {
		s.cell(fmt.Sprintf("%s%d", columnName(i), s.rows), c, style)
	}
	s.out.WriteString(`</row>`)
}

func (s *sheet) cell(at string, c report.Cell, style int) {
	switch {
	case c.Kind == report.TimeCell && c.Time.IsZero(), c.Kind != report.TimeCell && c.Text == "":
	case c.Kind == report.TimeCell:
		fmt.Fprintf(&s.out, `<c r="%s" s="%d"><v>%s</v></c>`, at, styleTime, serial(c.Time.In(s.zone)))
	case c.Kind == report.AmountCell:
		fmt.Fprintf(&s.out, `<c r="%s" s="%d"><v>%s</v></c>`, at, styleAmount, c.Text)
	case c.Kind == report.NumberCell:
		fmt.Fprintf(&s.out, `<c r="%s"><v>%s</v></c>`, at, c.Text)
	default:
		fmt.Fprintf(&s.out, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, at, style, escaped(literal(c.Text)))
	}
}

// columnName is the name of a column by its index: A, B, … Z, AA, ….
func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}

// serial is a moment as the days since 1899-12-30, as the clock on the wall showed it.
func serial(at time.Time) string {
	const day, places = 24 * 60 * 60, 10_000_000_000
	wall := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	seconds := wall.Unix() - time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Unix()
	return fmt.Sprintf("%d.%010d", seconds/day, (seconds%day*places+day/2)/day)
}

// literal keeps a text that looks like an escaped character (_x000D_) from being read as one.
func literal(text string) string { return strings.ReplaceAll(text, "_x", "_x005F_x") }

// escaped is a text within XML. What XML has no room for becomes a replacement character.
func escaped(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // a buffer never fails
	return out.String()
}
