package program

import (
	"github.com/vezne/vezne/app/audit"
	"github.com/vezne/vezne/app/queues"
	"github.com/vezne/vezne/cmd/vezne/settings"
	coreaudit "github.com/vezne/vezne/core/audit"
)

// buildOversight puts together what watches the service itself: the audit log and the queues.
func (s *service) buildOversight(auditKeys coreaudit.Keys) {
	places, kept := s.set.AuditPlaces(settings.Version(version))
	s.audit = &audit.Service{
		UnitOfWork: s.unit, Store: s.database, Log: s.log, Keys: auditKeys, Places: places, Kept: kept, Bell: s.auditBell,
		KeepYears: s.set.RetainAudit, Rows: s.database,
		Checked: s.metrics.AuditChecked, Published: s.metrics.AuditPublished,
	}
	s.queues = &queues.Service{Tasks: s.queue, Reports: s.database, Clock: s.clock}
}
