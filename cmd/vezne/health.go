package main

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"
)

// readyTimeout bounds the questions behind /readyz.
const readyTimeout = 2 * time.Second

// health answers /healthz (the process lives) and /readyz (it can take requests).
type health struct {
	database func(context.Context) error
	queue    func(context.Context) error
	stopping atomic.Bool
}

func (h *health) alive(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready is about the database only: without Redis everything still works, a little later, so a lost Redis is told but
// takes no process out of service.
func (h *health) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	report := map[string]string{"status": "ready", "database": "ok", "queue": "ok"}
	status := http.StatusOK
	if err := h.queue(ctx); err != nil {
		report["queue"] = "out of reach"
	}
	if err := h.database(ctx); err != nil {
		report["database"], report["status"], status = "out of reach", "not ready", http.StatusServiceUnavailable
	}
	if h.stopping.Load() {
		report["status"], status = "stopping", http.StatusServiceUnavailable
	}
	writeJSON(w, status, report)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the caller has gone: nothing to be done
}
