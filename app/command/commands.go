package command

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/app/dispute"
	"github.com/vezne/vezne/app/once"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/app/restore"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Services carry commands out.
type Services struct {
	Staff       *appstaff.Service
	Directory   *directory.Directory
	Gateways    *directory.Gateways
	Deposits    *payment.Deposits
	Credits     *payment.Credits
	Withdrawals *payment.Withdrawals
	Notes       *payment.Notes
	Operations  *operation.Service
	Disputes    *dispute.Service
	Wallets     *wallet.Wallets
	Statements  *wallet.Statements
	Backoffice  *report.Backoffice
	Jobs        *report.Jobs
	Approvals   *approval.Service
	Once        *once.Service
	Restore     *restore.Service
	Clock       ports.Clock
}

// Commands are all that staff may ask for by name.
type Commands struct {
	Services
	staffCommands
	ownerCommands
	paymentCommands
	operationCommands
	disputeCommands
	walletCommands
	reportCommands
	restoreCommands

	byName map[string]approvable
}

// approvable is a command of any input.
type approvable interface {
	name() string
	runApproved(ctx context.Context, all *Commands, by app.Request, a coreapproval.Approval) ([]directory.IssuedKey, error)
}

func (c Command[I, R]) name() string { return c.Name }

// New makes all commands.
func New(s Services) *Commands {
	all := &Commands{
		Services: s, staffCommands: newStaff(s), ownerCommands: newOwner(s), paymentCommands: newPayment(s),
		operationCommands: newOperation(s), disputeCommands: newDispute(s), walletCommands: newWallet(s), reportCommands: newReport(s),
		restoreCommands: newRestore(s),
		byName:          map[string]approvable{},
	}
	for _, subject := range []any{
		all.staffCommands, all.ownerCommands, all.paymentCommands, all.operationCommands, all.disputeCommands, all.walletCommands, all.reportCommands, all.restoreCommands,
	} {
		fields := reflect.ValueOf(subject)
		for i := range fields.NumField() {
			c := fields.Field(i).Interface().(approvable) //nolint:forcetypeassert // each is a Command
			all.byName[c.name()] = c
		}
	}
	return all
}

// Approved runs the command of a request as its requester, who proved who they are when asking (approval.Run).
func (all *Commands) Approved(ctx context.Context, requester app.Request, a coreapproval.Approval) (string, error) {
	const op = "command.Approved"
	c, ok := all.byName[a.Action]
	if !ok {
		return "", fault.New(op, fault.ApprovalStale)
	}
	requester.Session = staff.Session{StaffID: requester.Staff.ID, ProvenAt: all.Clock.Now(), HasSecondFactor: true}
	keys, err := c.runApproved(ctx, all, requester, a)
	if err != nil || len(keys) == 0 {
		return "", fault.E(op, "", err)
	}
	list := make([]issued, len(keys))
	for i, k := range keys {
		list[i] = issued{k.Credential, k.Key.Reveal()}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	return string(text), nil
}

// issued is a credential as a request keeps it for whoever asked, sealed.
type issued struct {
	Credential owner.KeyKind
	Value      string
}

// TakeIssued returns the credentials that an approved request issued, once and to whoever asked only. Faults: NotFound, Forbidden.
func (all *Commands) TakeIssued(ctx context.Context, by app.Request, request core.ID) ([]directory.IssuedKey, error) {
	const op = "command.TakeIssued"
	text, err := all.Approvals.TakeResult(ctx, by, request)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	var list []issued
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fault.E(op, fault.Internal, err)
	}
	keys := make([]directory.IssuedKey, len(list))
	for i, k := range list {
		keys[i] = directory.IssuedKey{Credential: k.Credential, Key: core.NewSecret(k.Value)}
	}
	return keys, nil
}

// checkApproved refuses while somebody's request waits, and where it ended unfulfilled. Faults: ApprovalNeeded, with its id;
// ApprovalDecided.
func (all *Commands) checkApproved(ctx context.Context, by app.Request, request core.ID) error {
	const op = "command.checkApproved"
	a, err := all.Approvals.Own(ctx, by.Staff, request)
	if err != nil {
		return fault.E(op, "", err)
	}
	switch state := a.StatusAt(all.Clock.Now()); state {
	case coreapproval.Approved:
		return nil
	case coreapproval.Waiting:
		return fault.New(op, fault.ApprovalNeeded, string(request))
	default:
		return fault.New(op, fault.ApprovalDecided, string(state))
	}
}
