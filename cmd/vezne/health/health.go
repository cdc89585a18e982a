// Package health reports whether a process lives and whether it can take requests.
package health

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/readiness"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

const (
	// readyTimeout bounds the questions behind /readyz, all of them together.
	readyTimeout = 3 * time.Second
	// queueTimeout bounds the question to the queue, and queuePatience how long it is waited for: without the queue nothing
	// is lost, and an answer that is late takes a process out of service.
	queueTimeout  = 2 * time.Second
	queuePatience = 500 * time.Millisecond
	// clockDiffers is the state of a clock by which nothing may be decided.
	clockDiffers = "differs from the database's"
	// What keeps money from moving: a restore that nobody has thawed, or another database in the place of this process's.
	frozen = "frozen"
	fenced = "fenced"
	// outOfReach is the state of a queue that does not answer.
	outOfReach = "out of reach"
)

// Health answers /healthz (the process lives) and /readyz (it can take requests).
type Health struct {
	database func(context.Context) string
	queue    func(context.Context) string
	clock    ports.TimeCheck
	fence    ports.Fence
	log      *slog.Logger
	stopping atomic.Bool

	mu   sync.Mutex
	told readinessReport // as the log has it
}

// readinessReport is the answer of /readyz: what the whole is, and each part by itself.
type readinessReport struct {
	Status   string `json:"status"`
	Database string `json:"database"`
	Queue    string `json:"queue"`
	Clock    string `json:"clock"`
	Money    string `json:"money"`
}

// New returns a Health that asks the database whether it takes a payment, the queue whether it answers, and the clock.
func New(writes *readiness.Writes, queue func(context.Context) error, clock ports.TimeCheck, fence ports.Fence, log *slog.Logger) *Health {
	part := &readiness.Part{Patience: queuePatience, Failed: outOfReach, Ask: func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, queueTimeout)
		defer cancel()
		return queue(ctx)
	}}
	return &Health{database: writes.State, queue: part.State, clock: clock, fence: fence, log: log}
}

// Routes adds the two to a listener.
func (h *Health) Routes(router chi.Router) {
	router.Get("/healthz", h.alive)
	router.Get("/readyz", h.ready)
	router.Head("/healthz", h.alive) // net/http leaves the body out
	router.Head("/readyz", h.ready)
}

// IsProbe reports whether a request is one of those.
func IsProbe(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

// Stop has /readyz say that the process stops.
func (h *Health) Stop() { h.stopping.Store(true) }

func (h *Health) alive(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready says whether a payment can be written. Without Redis everything still works, a little later, so a lost Redis is told but
// takes no process out of service.
func (h *Health) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	report := h.report(ctx)
	if r.Context().Err() == nil {
		h.tell(ctx, report)
	}
	status := http.StatusOK
	if report.Status != "ready" {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, report)
}

func (h *Health) report(ctx context.Context) readinessReport {
	report := readinessReport{Status: "ready", Clock: readiness.OK, Money: readiness.OK}
	var parts sync.WaitGroup
	parts.Go(func() { report.Queue = h.queue(ctx) })
	parts.Go(func() { report.Database = h.database(ctx) })
	parts.Wait()
	if h.clock.Check() != nil {
		report.Clock = clockDiffers
	}
	switch err := h.fence.MayMove(); {
	case fault.Is(err, fault.Frozen):
		report.Money = frozen
	case err != nil:
		report.Money = fenced
	}
	switch {
	case h.stopping.Load():
		report.Status = "stopping"
	case report.Database != readiness.OK, report.Clock != readiness.OK, report.Money == fenced:
		report.Status = "not ready"
	}
	return report
}

// tell logs what has changed since the last time somebody asked.
func (h *Health) tell(ctx context.Context, report readinessReport) {
	h.mu.Lock()
	before := h.told
	h.told = report
	h.mu.Unlock()
	if report == before || before == (readinessReport{}) && report.Status == "ready" {
		return
	}
	level := slog.LevelInfo
	if report.Status == "not ready" {
		level = slog.LevelWarn
	}
	h.log.Log(ctx, level, "readiness", "status", report.Status, "database", report.Database, "queue", report.Queue, "clock", report.Clock, "money", report.Money)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the caller has gone: nothing to be done
}
