// Package staff has who works here: members, roles and permissions, sessions, second factors and invitations.
package staff

import (
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Staff is a person who works in the back office.
type Staff struct {
	ID                   int64
	Version              int
	Email                string      // lower case
	PasswordHash         core.Secret // argon2id in PHC form
	Role                 Role
	DealerID             int64 // roles of a dealer's: the one dealer whose payments this person sees
	ProviderID           int64 // roles of a provider's: the one provider whose payments this person sees
	IsActive             bool
	CreatedAt, UpdatedAt time.Time
}

// Identity implements Row.
func (s Staff) Identity() core.Identity {
	return core.Identity{Table: "staff", Key: strconv.FormatInt(s.ID, 10), Version: s.Version}
}

// Role is what a staff member is there for.
type Role string

// Roles.
const (
	Admin           Role = "admin"
	Operator        Role = "operator"
	Finance         Role = "finance"
	Support         Role = "support"
	Auditor         Role = "auditor"
	Viewer          Role = "viewer"
	DealerStaff     Role = "dealer"
	DealerManager   Role = "dealer_manager"
	ProviderStaff   Role = "provider"
	ProviderManager Role = "provider_manager"
)

// Roles lists all roles.
func Roles() []Role {
	return []Role{Admin, Operator, Finance, Support, Auditor, Viewer, DealerStaff, DealerManager, ProviderStaff, ProviderManager}
}

// IsDealers reports whether members of the role are one dealer's staff.
func (r Role) IsDealers() bool { return r == DealerStaff || r == DealerManager }

// IsProviders reports whether members of the role are one provider's staff.
func (r Role) IsProviders() bool { return r == ProviderStaff || r == ProviderManager }

// IsRole reports whether r is one of Roles.
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
	ReadAudit            Permission = "audit:read"
	ReadQueues           Permission = "queues:read"

	ReadProviders Permission = "providers:read"
	ReadDealers   Permission = "dealers:read"
	EditDealers   Permission = "dealers:edit"
	EditAccounts  Permission = "accounts:edit"
	RotateKeys    Permission = "keys:rotate"
	// EditCallbackURLs: where the callbacks of a provider and its sites go, and nothing else of them.
	EditCallbackURLs Permission = "callbacks:edit"
	TestCallbacks    Permission = "callbacks:test"
	// EditBrands: how the payment pages of a provider's sites look, whom they name and where they lead back to.
	EditBrands      Permission = "brands:edit"
	ReadCustomers   Permission = "customers:read"
	BlockCustomers  Permission = "customers:block"
	ResendCallbacks Permission = "callbacks:resend"
	ReadStaff       Permission = "staff:read"
	EditStaff       Permission = "staff:edit"

	ReadApprovals      Permission = "approvals:read"
	DecideApprovals    Permission = "approvals:decide"
	ConfigureApprovals Permission = "approvals:configure"
	ReadStatistics     Permission = "statistics:read"

	AdjustWallets Permission = "wallets:adjust"
	// WriteNotes: notes and receipts on transactions.
	WriteNotes Permission = "notes:write"
)

// permissions is who may do what: the one table of it. testdata/permissions.golden.txt shows it crosswise.
var permissions = map[Role][]Permission{
	// Runs the installation: everything.
	Admin: {
		ReadTransactions, DecideDeposits, DecideWithdrawal, EditProviders, RefundPayments, ResolveDiscrepancies,
		ReadGateways, EditGateways, ReadWallets, EditWallets, ReadAudit, ReadQueues,
		ReadProviders, ReadDealers, EditDealers, EditAccounts, RotateKeys, EditCallbackURLs, TestCallbacks, EditBrands, ReadCustomers,
		BlockCustomers, ResendCallbacks, ReadStaff, EditStaff,
		ReadApprovals, DecideApprovals, ConfigureApprovals, ReadStatistics,
		AdjustWallets, WriteNotes,
	},
	// Works on all transactions, day by day, and changes no settings.
	Operator: {
		ReadTransactions, DecideDeposits, DecideWithdrawal, RefundPayments, ResolveDiscrepancies, ReadGateways,
		ReadWallets, ResendCallbacks,
		ReadProviders, ReadDealers, EditAccounts, TestCallbacks, ReadCustomers, BlockCustomers,
		ReadApprovals, DecideApprovals, ReadStatistics, WriteNotes,
	},
	// Answers for the money: refunds, differences, reconciled days, what wallets are adjusted by. Decides no deposit and no withdrawal, so that no one
	// person both pays and books.
	Finance: {
		ReadTransactions, RefundPayments, ResolveDiscrepancies, ReadGateways, ReadWallets,
		ReadProviders, ReadDealers, ReadCustomers, ReadApprovals, DecideApprovals, ReadStatistics,
		AdjustWallets, WriteNotes,
	},
	// Answers providers and dealers: sees transactions and sends callbacks again, and moves nothing.
	Support: {
		ReadTransactions, ResendCallbacks, ReadProviders, ReadDealers, TestCallbacks, ReadCustomers, ReadApprovals, ReadStatistics, WriteNotes,
	},
	// Looks at everything that there is to see, who works here included, and changes nothing.
	Auditor: {
		ReadTransactions, ReadGateways, ReadWallets, ReadStaff, ReadAudit, ReadQueues, ReadProviders, ReadDealers,
		ReadCustomers, ReadApprovals, ReadStatistics,
	},
	// Sees all transactions.
	Viewer: {ReadTransactions, ReadProviders, ReadDealers, ReadCustomers, ReadApprovals, ReadStatistics},
	// Works on the transactions of one dealer, and sees the customers of those.
	DealerStaff: {
		ReadTransactions, DecideDeposits, DecideWithdrawal, ReadWallets, ReadDealers, ReadCustomers, ReadApprovals, DecideApprovals,
		ReadStatistics, WriteNotes,
	},
	// Keeps the dealer's IBAN accounts besides. A new one, and what one is called or limited to, takes the house.
	DealerManager: {
		ReadTransactions, DecideDeposits, DecideWithdrawal, ReadWallets, ReadDealers, EditAccounts, ReadCustomers, ReadApprovals,
		DecideApprovals, ReadStatistics, WriteNotes,
	},
	// Of one provider: sees its transactions, its sites and its customers, sends its callbacks again, and tries where they go.
	ProviderStaff: {
		ReadTransactions, ResendCallbacks, ReadProviders, TestCallbacks, ReadCustomers, ReadStatistics,
	},
	// Says besides where the provider's callbacks go and how its payment pages look, issues its keys anew, and blocks its customers. What a second person has to
	// approve of it the house approves.
	ProviderManager: {
		ReadTransactions, ResendCallbacks, ReadProviders, RotateKeys, EditCallbackURLs, TestCallbacks, EditBrands, ReadCustomers, BlockCustomers,
		ReadApprovals, ReadStatistics,
	},
}

// Permissions lists what the role may do.
func (r Role) Permissions() []Permission { return slices.Clone(permissions[r]) }

// May reports whether the role has the permission.
func (r Role) May(p Permission) bool { return slices.Contains(permissions[r], p) }

// MovesMoney reports whether the role may move money, say that it came, decide where it or the word of it goes, or get the keys of who
// asks for it.
func (r Role) MovesMoney() bool {
	return slices.ContainsFunc([]Permission{
		DecideDeposits, DecideWithdrawal, RefundPayments, ResolveDiscrepancies, DecideApprovals, EditAccounts, EditGateways, EditWallets,
		AdjustWallets, EditCallbackURLs, EditBrands, RotateKeys,
	}, r.May)
}

// Require is a Forbidden fault unless the staff member is active and the role has the permission.
func (s Staff) Require(p Permission) error {
	if !s.IsActive || !s.Role.May(p) {
		return fault.New("core.Staff.Require", fault.Forbidden)
	}
	return nil
}

// Scope is what the staff member may see. Dealer and provider staff who belong to none see nothing.
func (s Staff) Scope() core.Scope {
	switch {
	case s.Role.IsDealers() && s.DealerID == 0:
		return core.Scope{DealerID: core.Nobody}
	case s.Role.IsDealers():
		return core.Scope{DealerID: s.DealerID}
	case s.Role.IsProviders() && s.ProviderID == 0:
		return core.Scope{ProviderID: core.Nobody}
	case s.Role.IsProviders():
		return core.Scope{ProviderID: s.ProviderID}
	default:
		return core.Scope{}
	}
}

// IsOfHouse reports whether the staff member belongs to no dealer and no provider.
func (s Staff) IsOfHouse() bool { return s.Scope() == core.Scope{} }

// SeesInside reports whether the staff member may know how the installation works a payment: who decided it, what was called
// for it. To a provider's staff that is nothing of theirs.
func (s Staff) SeesInside() bool { return !s.Role.IsProviders() }

// Sees is an actor as the staff member may know them: to a provider's staff anybody but the provider, its customers and
// themselves is no more than the kind of actor that they are.
func (s Staff) Sees(a core.Actor) core.Actor {
	isTheirs := a.Kind == core.ByProvider || a.Kind == core.ByCustomer || (a.Kind == core.ByStaff && a.ID == strconv.FormatInt(s.ID, 10))
	if s.SeesInside() || isTheirs {
		return a
	}
	return core.Actor{Kind: a.Kind}
}

// Actor is the staff member as the one who acts.
func (s Staff) Actor(addr string) core.Actor {
	return core.Actor{Kind: core.ByStaff, ID: strconv.FormatInt(s.ID, 10), Name: s.Email, Addr: addr}
}
