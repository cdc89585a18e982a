// Package exportfile writes the files of exports, piece by piece: CSV, and XLSX whose archive is put together by hand,
// because the libraries that write one keep it in one process from beginning to end. What is known between two pieces is
// a core.FileState, so that any process goes on where another one was killed.
package exportfile

import (
	"bytes"
	"strings"
	"time"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// CSV writes RFC 4180 in UTF-8: commas, CRLF, every text in quotes; in the Turkish style semicolons, and commas before decimals. All lines have the same number of fields. The table
// is followed by its totals, whose lines begin with their name.
type CSV struct{}

var _ ports.FileWriter = CSV{}

// byteOrderMark tells Excel that the text is UTF-8.
const byteOrderMark = "\ufeff"

// Write implements ports.FileWriter.
func (CSV) Write(part report.FilePart) ([]byte, report.FileState, error) {
	w := lines{zone: part.Zone, style: part.Style, width: max(len(part.Header), 1+len(part.TotalsHeader))} // a line of totals begins with its name
	state := part.State
	if state.Bytes == 0 {
		if part.HasBOM {
			w.out.WriteString(byteOrderMark)
		}
		w.line(texts(part.Header))
	}
	for _, row := range part.Rows {
		w.line(row)
	}
	if part.IsLast {
		w.line(texts(append([]string{part.TotalsName}, part.TotalsHeader...)))
		for _, t := range part.Totals {
			w.line(append(texts([]string{part.TotalsName}), t...))
		}
	}
	state.Rows += w.rows
	state.Bytes += int64(w.out.Len())
	return w.out.Bytes(), state, nil
}

func texts(list []string) []report.Cell {
	cells := make([]report.Cell, len(list))
	for i, text := range list {
		cells[i] = report.Cell{Text: text}
	}
	return cells
}

type lines struct {
	out   bytes.Buffer
	zone  *time.Location
	style report.FileStyle
	width int
	rows  int
}

func (l *lines) line(cells []report.Cell) {
	for i := range l.width {
		if i > 0 {
			l.out.WriteString(l.separator())
		}
		if i < len(cells) {
			l.field(cells[i])
		}
	}
	l.out.WriteString("\r\n")
	l.rows++
}

func (l *lines) separator() string {
	if l.style.IsTurkish {
		return ";"
	}
	return ","
}

// turkishTime is a moment as Excel reads it in Turkey.
const turkishTime = "02.01.2006 15:04:05"

func (l *lines) field(c report.Cell) {
	switch {
	case c.Kind == report.TimeCell && c.Time.IsZero(), c.Kind == report.TextCell && c.Text == "":
	case c.Kind == report.TimeCell && l.style.IsTurkish:
		l.out.WriteString(c.Time.In(l.zone).Format(turkishTime))
	case c.Kind == report.TimeCell:
		l.out.WriteString(c.Time.In(l.zone).Format(time.DateTime))
	case c.Kind == report.TextCell:
		l.out.WriteString(`"` + strings.ReplaceAll(harmless(c.Text), `"`, `""`) + `"`)
	case l.style.IsTurkish:
		l.out.WriteString(strings.ReplaceAll(c.Text, ".", ","))
	default:
		l.out.WriteString(c.Text)
	}
}

const (
	// formulaBeginnings make a spreadsheet program compute a text, or hide that it does.
	formulaBeginnings = "=+-@\t\r\n＝＋－＠"
	// cellEnds are where a cell ends for some program: where lists have semicolons, as in Turkey, Excel reads CSV by them, and
	// not by quotes that begin before.
	cellEnds = ";\t\r\n"
	// skipped are what may stand before a formula.
	skipped = ` "`
)

// harmless keeps a spreadsheet program from taking a text, or a part of it that becomes a cell, for a formula: it is shown with an
// apostrophe before it.
func harmless(text string) string {
	var out strings.Builder
	begins := true
	for _, r := range text {
		if begins && strings.ContainsRune(formulaBeginnings, r) {
			out.WriteByte('\'')
		}
		begins = strings.ContainsRune(cellEnds, r) || begins && strings.ContainsRune(skipped, r)
		out.WriteRune(r)
	}
	return out.String()
}
