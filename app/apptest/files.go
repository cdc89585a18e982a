package apptest

import (
	"bytes"
	"fmt"
	"time"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// Lines writes a file as lines of tab-separated cells: what stands in for the real formats.
type Lines struct{}

var _ ports.FileWriter = Lines{}

// FileWriters returns Lines for every format.
func FileWriters() map[report.ExportFormat]ports.FileWriter {
	return map[report.ExportFormat]ports.FileWriter{report.CSV: Lines{}, report.XLSX: Lines{}}
}

// Write implements ports.FileWriter.
func (Lines) Write(part report.FilePart) ([]byte, report.FileState, error) {
	var out bytes.Buffer
	state := part.State
	if state.Bytes == 0 {
		for _, name := range part.Header {
			fmt.Fprintf(&out, "%s\t", name)
		}
		fmt.Fprintln(&out)
	}
	line := func(name string, cells []report.Cell) {
		fmt.Fprint(&out, name)
		for _, c := range cells {
			if c.Kind == report.TimeCell && !c.Time.IsZero() {
				c.Text = c.Time.In(part.Zone).Format(time.DateTime)
			}
			fmt.Fprintf(&out, "%s\t", c.Text)
		}
		fmt.Fprintln(&out)
		state.Rows++
	}
	for _, row := range part.Rows {
		line("", row)
	}
	for _, t := range part.Totals {
		line(part.TotalsName+"\t", t.Cells())
	}
	state.Bytes += int64(out.Len())
	return out.Bytes(), state, nil
}
