package program

import (
	"io"
	"net/http"

	"github.com/vezne/vezne/adapters/redisticket"
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/queues"
	"github.com/vezne/vezne/cmd/vezne/settings"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

// queuePages are the queue library's own web pages.
type queuePages interface {
	http.Handler
	io.Closer
}

// buildOversight puts together what watches the service itself: the audit log and the queues.
func (s *service) buildOversight(sealer ports.Sealer, auditKeys coreaudit.Keys) {
	places, kept := s.set.AuditPlaces(settings.Version(version))
	s.audit = &audit.Service{
		UnitOfWork: s.unit, Store: s.database, Log: s.log, Keys: auditKeys, Places: places, Kept: kept, Bell: s.auditBell,
		KeepYears: s.set.RetainAudit, Rows: s.database,
		Checked: s.metrics.AuditChecked, Published: s.metrics.AuditPublished,
	}
	s.queues = &queues.Service{
		UnitOfWork: s.unit, Tasks: s.queue, Reports: s.database, Tickets: redisticket.New(s.queue.Client()), Sealer: sealer,
		Authenticate: s.staffService.Authenticate, BaseURL: s.baseURL,
	}
	s.queuePages = s.queue.Monitor(queues.Path)
}
