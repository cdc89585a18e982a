// Package export serves the files that exports wrote, to whoever brings a ticket.
package export

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
)

// Pattern is what follows job.DownloadPath. The log says this, and never the ticket itself.
const Pattern = "/{job}/{ticket}"

// writeTimeout bounds the sending of one piece, so that a great file may take as long as it needs.
const writeTimeout = 30 * time.Second

var contentTypes = map[report.ExportFormat]string{
	report.CSV:  "text/csv; charset=utf-8",
	report.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// Handler serves downloads.
type Handler struct{ jobs *reports.Jobs }

// New makes the handler.
func New(jobs *reports.Jobs) Handler { return Handler{jobs} }

// ServeHTTP returns the file of a job, once for each ticket. Whatever is wrong with a ticket, it is not found.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := rest.Of(r)
	j, staff, err := h.jobs.Open(r.Context(), core.ID(chi.URLParam(r, "job")), chi.URLParam(r, "ticket"))
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if err != nil {
		rest.Fail(w, r, rest.LanguageOf(r, ""), err)
		return
	}
	x.Caller = "staff/" + strconv.FormatInt(staff.ID, 10)
	header.Set("Content-Type", contentTypes[j.Format])
	header.Set("Content-Length", strconv.FormatInt(j.File.Bytes, 10))
	header.Set("Content-Disposition", `attachment; filename="`+h.jobs.FileName(j)+`"`)
	control := http.NewResponseController(w)
	err = h.jobs.Copy(r.Context(), j, func(piece []byte) error {
		_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a writer without deadlines has none to exceed
		_, err := w.Write(piece)
		return err
	})
	if err != nil {
		panic(http.ErrAbortHandler) // the client must not take half a file for a whole one
	}
}
