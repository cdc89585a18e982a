package core

// Prunable is a kind of rows that are deleted once they are older than the service keeps them. Money's own records are none:
// payments, credits, callbacks, ledgers and bank lines stay.
type Prunable string

// Kinds of prunable rows, and what counts as their age.
const (
	IdempotencyRecords Prunable = "idempotency_records" // created
	RequestNonces      Prunable = "request_nonces"      // used
	ExportFiles        Prunable = "export_files"        // the job finished
	SignIns            Prunable = "sign_ins"            // challenges and sessions: expired
	Invitations        Prunable = "invitations"         // expired
	SavedViews         Prunable = "saved_views"         // removed
	Jobs               Prunable = "jobs"                // finished
	GatewayCalls       Prunable = "gateway_calls"       // made
	CallbackAttempts   Prunable = "callback_attempts"   // made; those of a callback that waits stay
	Notifications      Prunable = "notifications"       // received; those that wait stay
	Histories          Prunable = "histories"           // the payment was created, by whole months; those that are needed stay
	AuditEntries       Prunable = "audit_entries"       // made; only those of which the log itself says that they are kept no longer
)
