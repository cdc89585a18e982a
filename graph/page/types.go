package page

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// gqlgen finds the connections of the schema, and their edges, by their names.

type (
	// ApprovalConnection is a page of a list.
	ApprovalConnection = Connection[approval.Approval]
	// ApprovalEdge is a row of one.
	ApprovalEdge = Edge[approval.Approval]

	// AuditConnection is a page of a list.
	AuditConnection = Connection[core.AuditRecord]
	// AuditEdge is a row of one.
	AuditEdge = Edge[core.AuditRecord]

	// BankLineConnection is a page of a list.
	BankLineConnection = Connection[wallet.BankLine]
	// BankLineEdge is a row of one.
	BankLineEdge = Edge[wallet.BankLine]

	// BlockedCustomerConnection is a page of a list.
	BlockedCustomerConnection = Connection[owner.Block]
	// BlockedCustomerEdge is a row of one.
	BlockedCustomerEdge = Edge[owner.Block]

	// CallbackConnection is a page of a list.
	CallbackConnection = Connection[payment.CallbackLog]
	// CallbackEdge is a row of one.
	CallbackEdge = Edge[payment.CallbackLog]

	// DealerConnection is a page of a list.
	DealerConnection = Connection[owner.Dealer]
	// DealerEdge is a row of one.
	DealerEdge = Edge[owner.Dealer]

	// DiscrepancyConnection is a page of a list.
	DiscrepancyConnection = Connection[discrepancy.Discrepancy]
	// DiscrepancyEdge is a row of one.
	DiscrepancyEdge = Edge[discrepancy.Discrepancy]

	// DisputeConnection is a page of a list.
	DisputeConnection = Connection[dispute.Dispute]
	// DisputeEdge is a row of one.
	DisputeEdge = Edge[dispute.Dispute]

	// GatewayNotificationConnection is a page of a list.
	GatewayNotificationConnection = Connection[notification.Notification]
	// GatewayNotificationEdge is a row of one.
	GatewayNotificationEdge = Edge[notification.Notification]

	// InvitationConnection is a page of a list.
	InvitationConnection = Connection[staff.Invitation]
	// InvitationEdge is a row of one.
	InvitationEdge = Edge[staff.Invitation]

	// JobConnection is a page of a list.
	JobConnection = Connection[report.Job]
	// JobEdge is a row of one.
	JobEdge = Edge[report.Job]

	// LedgerEntryConnection is a page of a list.
	LedgerEntryConnection = Connection[ledger.Entry]
	// LedgerEntryEdge is a row of one.
	LedgerEntryEdge = Edge[ledger.Entry]

	// ProviderConnection is a page of a list.
	ProviderConnection = Connection[owner.Provider]
	// ProviderEdge is a row of one.
	ProviderEdge = Edge[owner.Provider]

	// ReconciliationConnection is a page of a list.
	ReconciliationConnection = Connection[wallet.Reconciliation]
	// ReconciliationEdge is a row of one.
	ReconciliationEdge = Edge[wallet.Reconciliation]

	// SavedViewConnection is a page of a list.
	SavedViewConnection = Connection[staff.SavedView]
	// SavedViewEdge is a row of one.
	SavedViewEdge = Edge[staff.SavedView]

	// StaffConnection is a page of a list.
	StaffConnection = Connection[staff.Staff]
	// StaffEdge is a row of one.
	StaffEdge = Edge[staff.Staff]

	// TransactionConnection is a page of a list.
	TransactionConnection = Connection[payment.Payment]
	// TransactionEdge is a row of one.
	TransactionEdge = Edge[payment.Payment]

	// TransitionConnection is a page of a list.
	TransitionConnection = Connection[payment.Transition]
	// TransitionEdge is a row of one.
	TransitionEdge = Edge[payment.Transition]
)
