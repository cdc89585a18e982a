// Package export serves the files that exports wrote, to whoever brings a ticket.
package export

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
)

// Pattern is what follows job.DownloadPath. The log says this, and never the ticket itself.
const Pattern = "/{job}/{ticket}"

const (
	// writeTimeout bounds the sending of one piece, so that a great file may take as long as it needs.
	writeTimeout = 30 * time.Second
	// perMember is how many downloads one member has at once: each keeps a piece in memory for as long as its reader takes.
	perMember = 4
)

var contentTypes = map[report.ExportFormat]string{
	report.CSV:  "text/csv; charset=utf-8",
	report.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// Handler serves downloads.
type Handler struct {
	jobs *reports.Jobs

	mu      sync.Mutex
	running map[int64]int // downloads, by member
}

// New makes the handler.
func New(jobs *reports.Jobs) *Handler { return &Handler{jobs: jobs, running: map[int64]int{}} }

// begin counts one more download of a member, which has to end. Fault: RateLimited.
func (h *Handler) begin(member int64) (end func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.running[member] >= perMember {
		return nil, fault.New("export.begin", fault.RateLimited)
	}
	h.running[member]++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.running[member]--; h.running[member] == 0 {
			delete(h.running, member)
		}
	}, nil
}

// ServeHTTP returns the file of a job, once for each ticket. Whatever is wrong with a ticket, it is not found.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := rest.Of(r)
	j, staff, err := h.jobs.Open(r.Context(), core.ID(chi.URLParam(r, "job")), chi.URLParam(r, "ticket"))
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	var end func()
	if err == nil {
		x.Caller = "staff/" + strconv.FormatInt(staff.ID, 10)
		end, err = h.begin(staff.ID)
	}
	if err != nil {
		rest.Fail(w, r, rest.LanguageOf(r, ""), err)
		return
	}
	defer end()
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
