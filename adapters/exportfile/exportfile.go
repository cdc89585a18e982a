package exportfile

import (
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// Writers returns the writer of each format.
func Writers() map[report.ExportFormat]ports.FileWriter {
	return map[report.ExportFormat]ports.FileWriter{report.CSV: CSV{}, report.XLSX: XLSX{}}
}
