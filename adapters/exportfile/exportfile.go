package exportfile

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// Writers gives the writer of each format.
func Writers() map[core.ExportFormat]ports.FileWriter {
	return map[core.ExportFormat]ports.FileWriter{core.CSV: CSV{}, core.XLSX: XLSX{}}
}
