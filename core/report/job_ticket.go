package report

import (
	"time"

	"github.com/vezne/vezne/core"
)

// Lives of an export's file.
const (
	ExportLife = 24 * time.Hour // a file is deleted this long after it was finished
	ticketLife = time.Minute    // of the ticket for a download
)

// JobTicket lets its bearer download a job's file once, while a staff session is live. A job has the latest one only.
type JobTicket struct {
	Fingerprint string    `json:"fingerprint"` // sign.Fingerprint of the ticket; empty: there is none
	Session     string    `json:"session"`     // fingerprint of the session
	Until       time.Time `json:"until"`
}

// HasFile reports whether the job's file can be downloaded.
func (j Job) HasFile(now time.Time) bool {
	return j.Kind.IsExport() && j.Status == JobDone && now.Before(j.FinishedAt.Add(ExportLife))
}

// WithTicket is the job with a new ticket.
func (j Job) WithTicket(fingerprint, session string, at time.Time) Job {
	j.Version++
	j.Ticket = JobTicket{Fingerprint: fingerprint, Session: session, Until: at.Add(ticketLife)}
	return j
}

// DecideDownload takes the job's ticket back, which lets its bearer download the file.
func (j Job) DecideDownload(by core.Actor, at time.Time, ids *core.IDs) core.Changeset {
	j.Version++
	j.Ticket = JobTicket{}
	audit := j.entry("downloadExport", "", "", at, ids)
	audit.Actor = by
	return core.Changeset{j, audit}
}

// Opens reports whether a ticket's fingerprint is the job's, in time.
func (t JobTicket) Opens(fingerprint string, now time.Time) bool {
	return t.Fingerprint != "" && t.Fingerprint == fingerprint && now.Before(t.Until)
}
