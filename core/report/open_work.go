package report

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

// OpenWorkKind says what staff have to decide or to look into.
type OpenWorkKind string

// Kinds of open work.
const (
	DepositsToDecide  OpenWorkKind = "deposits"      // the customer says that it is paid
	FreeWithdrawals   OpenWorkKind = "withdrawals"   // on the desk, and nobody has them
	PayoutsToApprove  OpenWorkKind = "payouts"       // they do not leave before
	BankLinesToMatch  OpenWorkKind = "bank_lines"    // money that belongs to no payment yet, or may belong to several
	OpenDiscrepancies OpenWorkKind = "discrepancies" // money that a payment's own course does not account for
	DisputesToAnswer  OpenWorkKind = "disputes"      // that take evidence, or are to be conceded
	RequestsToDecide  OpenWorkKind = "approvals"     // of others
	FailedCallbacks   OpenWorkKind = "callbacks"     // every attempt failed
	UnexplainedDays   OpenWorkKind = "days"          // of wallets, with differences that nobody has explained
	FailingGateways   OpenWorkKind = "gateways"      // enabled accounts in trouble, or whose last calls met no working gateway
)

// MaxOpenWork is where counting stops.
const MaxOpenWork = 1000

// FailingCalls is how many of a gateway account's calls in a row met no working gateway when it counts as failing.
const FailingCalls = 5

// OpenWork is how much of one kind waits. Counting stops at MaxOpenWork.
type OpenWork struct {
	Kind     OpenWorkKind
	Count    int
	HasMore  bool      // than Count
	OldestAt time.Time // since when the one that has waited longest does; zero: none waits
}

// OpenWorkQuery asks what waits for a staff member.
type OpenWorkQuery struct {
	core.Scope
	Kinds   []OpenWorkKind
	StaffID int64 // whose own requests for approval are left out
	Now     time.Time
}

// openWork are the kinds, each with the permission that whoever is told of it has.
var openWork = []struct {
	kind OpenWorkKind
	may  staff.Permission
}{
	{DepositsToDecide, staff.DecideDeposits}, {FreeWithdrawals, staff.DecideWithdrawal}, {PayoutsToApprove, staff.DecideWithdrawal},
	{BankLinesToMatch, staff.DecideDeposits}, {OpenDiscrepancies, staff.ResolveDiscrepancies}, {DisputesToAnswer, staff.ResolveDiscrepancies}, {RequestsToDecide, staff.DecideApprovals},
	{FailedCallbacks, staff.ReadTransactions}, {UnexplainedDays, staff.ReadWallets},
	{FailingGateways, staff.ReadGateways},
}

// OpenWorkKinds lists the kinds that wait for somebody who has some permissions.
func OpenWorkKinds(may func(staff.Permission) bool) (kinds []OpenWorkKind) {
	for _, w := range openWork {
		if may(w.may) {
			kinds = append(kinds, w.kind)
		}
	}
	return kinds
}
