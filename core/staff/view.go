package staff

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// Bounds of saved views.
const (
	MaxViews      = 50      // of one member, in their scope of today
	MaxViewName   = 64      // characters
	MaxViewFilter = 4 << 10 // bytes
)

// SavedView is the filter of a list under a name.
//
// It belongs to the scope that its owner had when it was made, and is there for nobody of another one: not for its owner either,
// once they work for somebody else. What it names is that scope's.
type SavedView struct {
	ID                   core.ID
	Version              int
	StaffID              int64 // its owner
	OwnerEmail           string
	Scope                core.Scope // its owner's, when it was made
	Role                 Role       // its owner's, when it was made: whom ViewForRole means
	List                 ViewList
	Name                 string
	Filter               core.Secret // JSON, as the list takes it: there may be a customer's name in it
	Sharing              ViewSharing
	CreatedAt, UpdatedAt time.Time
	RemovedAt            time.Time // zero: it is there
}

// Identity implements Row.
func (v SavedView) Identity() core.Identity {
	return core.Identity{Table: "saved_views", Key: string(v.ID), Version: v.Version}
}

// IsShared reports whether others than the owner have the view.
func (v SavedView) IsShared() bool { return v.Sharing != ViewPrivate }

// MayBeSeenBy reports whether a member has the view: it is their own, or shared with them. An admin has what is shared by anybody,
// so that somebody can take it away.
func (v SavedView) MayBeSeenBy(s Staff) bool {
	if !s.IsActive || !v.RemovedAt.IsZero() {
		return false
	}
	if v.IsShared() && s.Role == Admin {
		return true
	}
	isWith := v.StaffID == s.ID || v.Sharing == ViewForAll || v.Sharing == ViewForRole && v.Role == s.Role
	return v.Scope == s.Scope() && isWith
}

// MayBeChangedBy reports whether a member may change or remove the view: its owner, or, when it is shared, an admin. An owner who
// has another role by now no longer speaks to those of the former one.
func (v SavedView) MayBeChangedBy(s Staff) bool {
	isOwn := v.StaffID == s.ID && (v.Sharing != ViewForRole || v.Role == s.Role)
	return v.MayBeSeenBy(s) && (isOwn || v.IsShared() && s.Role == Admin)
}

// MayBeRemovedBy is the same for taking the view away, which its owner always may.
func (v SavedView) MayBeRemovedBy(s Staff) bool {
	return v.MayBeSeenBy(s) && v.StaffID == s.ID || v.MayBeChangedBy(s)
}

// Changed is the view's next version.
func (v SavedView) Changed(now time.Time) SavedView {
	v.Version++
	v.UpdatedAt = now
	return v
}

// Remove is the view once it is gone: nothing that it said is kept.
func (v SavedView) Remove(now time.Time) SavedView {
	v = v.Changed(now)
	v.Name, v.Filter, v.RemovedAt = "", core.Secret{}, now
	return v
}

// ViewSharing is who has a view beside its owner.
type ViewSharing string

// Sharings.
const (
	ViewPrivate ViewSharing = "private"
	ViewForRole ViewSharing = "role"   // those of the owner's role, in the owner's scope
	ViewForAll  ViewSharing = "tenant" // all in the owner's scope: the house, or one dealer's or provider's staff
)

// ViewSharings lists all of them.
func ViewSharings() []ViewSharing { return []ViewSharing{ViewPrivate, ViewForRole, ViewForAll} }

// IsSharing reports whether s is one of ViewSharings.
func (s ViewSharing) IsSharing() bool { return slices.Contains(ViewSharings(), s) }

// ViewList is a list that views are saved of.
type ViewList string

// Lists: each is named as the query that gives it.
const (
	TransactionsList  ViewList = "transactions"
	DeskList          ViewList = "desk_withdrawals"
	BankLinesList     ViewList = "bank_lines"
	DiscrepanciesList ViewList = "discrepancies"
	DisputesList      ViewList = "disputes"
	ReconciliationsOf ViewList = "reconciliations"
	ApprovalsList     ViewList = "approvals"
	JobsList          ViewList = "jobs"
	NotificationsList ViewList = "gateway_notifications"
	CallbacksList     ViewList = "callbacks"
	BlockedList       ViewList = "blocked_customers"
	ProvidersList     ViewList = "providers"
	DealersList       ViewList = "dealers"
	StaffList         ViewList = "staff"
	AuditList         ViewList = "audit_log"
	StatisticsView    ViewList = "statistics"
	WalletsList       ViewList = "wallets"
	CustomersList     ViewList = "customers"
)

// ViewLists lists all of them.
func ViewLists() []ViewList {
	return []ViewList{
		TransactionsList, DeskList, BankLinesList, DiscrepanciesList, DisputesList, ReconciliationsOf, ApprovalsList, JobsList, NotificationsList,
		CallbacksList, BlockedList, ProvidersList, DealersList, StaffList, AuditList, StatisticsView,
		WalletsList, CustomersList,
	}
}

// IsList reports whether l is one of ViewLists.
func (l ViewList) IsList() bool { return slices.Contains(ViewLists(), l) }

// ViewQuery asks for views of one scope, newest first. It asks for those that a member has, and for those that are shared with one
// of some roles or with all in the scope.
type ViewQuery struct {
	Scope      core.Scope // exactly this one
	StaffID    int64      // whose own ones; 0: nobody's
	SharedWith []Role     // none: nothing that others share
	List       ViewList   // empty: any
	core.Paging[core.ID]
}

// PlainFilter reads the JSON of a filter and returns it as it is kept: an object, without a text in it that does not show what it
// is. Whether the list takes it the list says.
func PlainFilter(text string) (plain string, ok bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber() // no number becomes a float
	var filter map[string]any
	if len(text) > MaxViewFilter || decoder.Decode(&filter) != nil || filter == nil || decoder.More() || !isClean(filter) {
		return "", false
	}
	encoded, err := json.Marshal(filter)
	return string(encoded), err == nil && len(encoded) <= MaxViewFilter
}

// isClean looks at every text of a JSON value, the names of fields too.
func isClean(value any) bool {
	switch v := value.(type) {
	case string:
		return core.IsCleanText(v)
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !isClean(item) })
	case map[string]any:
		for name, item := range v {
			if !core.IsCleanText(name) || !isClean(item) {
				return false
			}
		}
	}
	return true
}
