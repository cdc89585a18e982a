package apptest

import (
	"log/slog"

	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/queues"
	coreaudit "github.com/vezne/vezne/core/audit"
)

// auditKeys are of 32 equal bytes.
var auditKeys, _ = coreaudit.ParseKeys("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=")

// buildOversight makes what watches over the others.
func (w *World) buildOversight(log *slog.Logger) {
	w.Audit = &audit.Service{UnitOfWork: w.UnitOfWork, Store: w.Store, Rows: w.Store, Log: log, Keys: auditKeys}
	w.TaskQueues = &Queues{}
	w.Queues = &queues.Service{Tasks: w.TaskQueues, Reports: w.Store, Clock: w.Clock}
}
