package core

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core/fault"
)

// Staff is a person who works in the back office.
type Staff struct {
	ID                   int64
	Version              int
	Email                string // lower case
	PasswordHash         Secret // argon2id in PHC form
	Role                 Role
	DealerID             int64 // role dealer: the one dealer whose payments this person sees
	IsActive             bool
	CreatedAt, UpdatedAt time.Time
}

// Role is what a staff member is there for.
type Role string

// Roles.
const (
	Admin       Role = "admin"
	Operator    Role = "operator"
	Viewer      Role = "viewer"
	DealerStaff Role = "dealer"
)

// Roles lists all roles.
func Roles() []Role { return []Role{Admin, Operator, Viewer, DealerStaff} }

// IsRole tells whether r is one of Roles.
func (r Role) IsRole() bool { return slices.Contains(Roles(), r) }

// Permission is one thing that a role may or may not do.
type Permission string

// Permissions.
const (
	ReadTransactions Permission = "transactions:read"
	DecideDeposits   Permission = "deposits:decide"
	DecideWithdrawal Permission = "withdrawals:decide"
	EditProviders    Permission = "providers:edit"

	RefundPayments       Permission = "payments:refund"
	ResolveDiscrepancies Permission = "discrepancies:resolve"
	ReadGateways         Permission = "gateways:read"
	EditGateways         Permission = "gateways:edit"
	ReadWallets          Permission = "wallets:read"
	EditWallets          Permission = "wallets:edit"
	ReadStatistics       Permission = "statistics:read"
)

var permissions = map[Role][]Permission{
	Admin: {
		ReadTransactions, DecideDeposits, DecideWithdrawal, EditProviders, RefundPayments, ResolveDiscrepancies,
		ReadGateways, EditGateways, ReadWallets, EditWallets, ReadStatistics,
	},
	Operator: {
		ReadTransactions, DecideDeposits, DecideWithdrawal, RefundPayments, ResolveDiscrepancies, ReadGateways,
		ReadWallets, ReadStatistics,
	},
	Viewer:      {ReadTransactions, ReadStatistics},
	DealerStaff: {ReadTransactions, DecideDeposits, DecideWithdrawal, ReadWallets, ReadStatistics},
}

// Permissions lists what the role may do.
func (r Role) Permissions() []Permission { return slices.Clone(permissions[r]) }

// May tells whether the role has the permission.
func (r Role) May(p Permission) bool { return slices.Contains(permissions[r], p) }

// Require is a Forbidden fault unless the staff member is active and the role has the permission.
func (s Staff) Require(p Permission) error {
	if !s.IsActive || !s.Role.May(p) {
		return fault.New("core.Staff.Require", fault.Forbidden)
	}
	return nil
}

// Scope narrows what somebody sees to one dealer; the zero Scope sees all.
type Scope struct{ DealerID int64 }

// Scope is what the staff member may see. A dealer's staff without a dealer see nothing (dealer -1 does not exist).
func (s Staff) Scope() Scope {
	if s.Role != DealerStaff {
		return Scope{}
	}
	if s.DealerID == 0 {
		return Scope{DealerID: -1}
	}
	return Scope{DealerID: s.DealerID}
}

// Covers tells whether what belongs to a dealer is within the scope.
func (s Scope) Covers(dealerID int64) bool { return s.DealerID == 0 || s.DealerID == dealerID }

// Includes tells whether the payment is within the scope.
func (s Scope) Includes(p Payment) bool { return s.Covers(p.DealerID) }

// Session is a staff sign-in. The token is not kept, only its fingerprint.
type Session struct {
	ID          ID
	Version     int
	Fingerprint string // sign.Fingerprint of the bearer token
	StaffID     int64
	Addr        string
	CreatedAt   time.Time
	ExpiresAt   time.Time
	RevokedAt   time.Time // zero: not revoked
}

// IsLive tells whether the session may still be used.
func (s Session) IsLive(now time.Time) bool { return s.RevokedAt.IsZero() && now.Before(s.ExpiresAt) }

// AuditEntry says what a person changed. Before and After are JSON without secrets.
type AuditEntry struct {
	ID            ID
	At            time.Time
	By            Actor
	Action        string // the mutation's or command's name
	Target        string // "payment/MAN-…", "provider/7"
	Reason        string
	Before, After string
}
