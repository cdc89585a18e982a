package report

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Bounds of what one member orders, so that their jobs neither keep others' waiting nor fill the database.
const (
	MaxOpenJobs  = 5            // that are not over
	MaxJobsADay  = core.MaxPage // ordered within ExportLife
	MaxFileBytes = 4 << 30      // of all the files that are not deleted yet, and of those that are being written
)

// CheckOrder refuses one more job to a member who has these, the newest MaxJobsADay of theirs. Fault: RateLimited.
func CheckOrder(newest []Job, now time.Time) error {
	open, today, bytes := 0, 0, int64(0)
	for _, j := range newest {
		if !j.Status.IsOver() {
			open++
		}
		if now.Before(j.CreatedAt.Add(ExportLife)) {
			today++
		}
		if !j.Status.IsOver() || now.Before(j.FinishedAt.Add(ExportLife)) { // also what was broken off is deleted only then
			bytes += j.File.Bytes
		}
	}
	if open >= MaxOpenJobs || today >= MaxJobsADay || bytes >= MaxFileBytes {
		return fault.New("core.report.CheckOrder", fault.RateLimited)
	}
	return nil
}
