package page

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// The connections of the schema, by whose names gqlgen finds them.
type (
	ApprovalConnection            = Connection[approval.Approval]
	AuditConnection               = Connection[core.AuditRecord]
	BankLineConnection            = Connection[wallet.BankLine]
	BlockedCustomerConnection     = Connection[owner.Block]
	DealerConnection              = Connection[owner.Dealer]
	DiscrepancyConnection         = Connection[discrepancy.Discrepancy]
	GatewayNotificationConnection = Connection[notification.Notification]
	InvitationConnection          = Connection[staff.Invitation]
	JobConnection                 = Connection[report.Job]
	LedgerEntryConnection         = Connection[ledger.Entry]
	ProviderConnection            = Connection[owner.Provider]
	ReconciliationConnection      = Connection[wallet.Reconciliation]
	StaffConnection               = Connection[staff.Staff]
	TransactionConnection         = Connection[payment.Payment]
)

// Their edges.
type (
	ApprovalEdge            = Edge[approval.Approval]
	AuditEdge               = Edge[core.AuditRecord]
	BankLineEdge            = Edge[wallet.BankLine]
	BlockedCustomerEdge     = Edge[owner.Block]
	DealerEdge              = Edge[owner.Dealer]
	DiscrepancyEdge         = Edge[discrepancy.Discrepancy]
	GatewayNotificationEdge = Edge[notification.Notification]
	InvitationEdge          = Edge[staff.Invitation]
	JobEdge                 = Edge[report.Job]
	LedgerEntryEdge         = Edge[ledger.Entry]
	ProviderEdge            = Edge[owner.Provider]
	ReconciliationEdge      = Edge[wallet.Reconciliation]
	StaffEdge               = Edge[staff.Staff]
	TransactionEdge         = Edge[payment.Payment]
)
