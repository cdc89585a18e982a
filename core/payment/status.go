package payment

import (
	"slices"

	"github.com/vezne/vezne/core/fault"
)

// Status is where a payment stands, in the contract's words.
type Status string

// Statuses.
const (
	Showing    Status = "showing"
	Pending    Status = "pending"
	Processing Status = "processing"
	Completed  Status = "completed"
	Canceled   Status = "canceled"
	Expired    Status = "expired"
	Rejected   Status = "rejected"
	Failed     Status = "failed"
	Success    Status = "success"   // cards
	Cancelled  Status = "cancelled" // cards
	Refunded   Status = "refunded"  // cards
)

// Command is what somebody wants of a payment.
type Command string

// Commands.
const (
	Create    Command = "create"     // the provider asked for the payment; no status table has it
	Offer     Command = "offer"      // the customer pressed Continue: amount settled, account shown
	ClaimPaid Command = "claim_paid" // the customer says that it is paid
	Approve   Command = "approve"    // staff saw the money
	Reject    Command = "reject"     // staff refuse
	Cancel    Command = "cancel"     // the customer, or staff for a withdrawal, calls it off
	Expire    Command = "expire"     // its time is over
	Take      Command = "take"       // a dealer took the withdrawal
	Complete  Command = "complete"   // the withdrawal was paid
	Fail      Command = "fail"       // paying failed
	Begin     Command = "begin"      // handed to a gateway: the customer is on the way to it
	GiveUp    Command = "give_up"    // not taken or not paid at the gateway: another may be tried
	SeeMoney  Command = "see_money"  // the gateway saw money and has not confirmed it
	Succeed   Command = "succeed"    // the gateway confirmed the whole amount
	Send      Command = "send"       // handed to a gateway to be paid out
	Refund    Command = "refund"     // everything was given back
	Release   Command = "release"    // who took the withdrawal gives it back unpaid
	Accept    Command = "accept"     // staff accept money that came late or in another amount
	Correct   Command = "correct"    // staff put the amount of a credit right
	Dispute   Command = "dispute"    // a dispute takes from the credit, or gives back to it

	// What staff did that leaves the status as it is. No status table has it.
	GiveBack       Command = "give_back"       // staff had money given back
	WriteOffMoney  Command = "write_off"       // staff let money that does not fit be
	LetGo          Command = "let_go"          // staff let a payout leave
	ApproveHeld    Command = "approve_held"    // staff have the gateway take money that it holds
	DeclineHeld    Command = "decline_held"    // staff have the gateway let it go
	ApproveRequest Command = "approve_request" // a second person approved what somebody asked for
	RefuseRequest  Command = "refuse_request"  // a second person refused it
)

// path is the sequence of statuses that a command leads through: each step becomes one history row. Approving a
// deposit that still shows means that staff saw the money first, so it passes through processing.
type path []Status

// table says, for every status, which commands are allowed and where they lead.
type table map[Status]map[Command]path

// tables are the contract's moves (decisions: States). What is not in them is refused.
var tables = map[Kind]table{
	Deposit: {
		Showing: {
			Offer:     {Showing},
			ClaimPaid: {Processing},
			Begin:     {Showing},
			GiveUp:    {Showing},
			SeeMoney:  {Processing},
			Approve:   {Processing, Completed},
			Succeed:   {Processing, Completed},
			Accept:    {Processing, Completed},
			Reject:    {Canceled},
			Cancel:    {Canceled},
			Fail:      {Canceled},
			Expire:    {Expired},
		},
		Processing: {
			Approve: {Completed},
			Succeed: {Completed},
			Accept:  {Completed},
			Reject:  {Canceled},
			Cancel:  {Canceled},
			Fail:    {Canceled},
		},
		Completed: {Correct: {Completed}, Dispute: {Completed}},
		Canceled:  {Accept: {Completed}},
		Expired:   {Accept: {Completed}},
	},
	Withdrawal: {
		Pending: {
			Take:   {Processing},
			Reject: {Processing, Rejected},
			Cancel: {Canceled},
		},
		Processing: {
			Take:     {Processing},
			Release:  {Processing},
			Complete: {Completed},
			Reject:   {Rejected},
			Fail:     {Failed},
		},
	},
	Card: {
		Pending: {
			Begin:   {Pending},
			GiveUp:  {Pending},
			Succeed: {Success},
			Accept:  {Success},
			Fail:    {Failed},
			Reject:  {Failed},
			Cancel:  {Cancelled},
			Expire:  {Failed},
		},
		Failed:    {Accept: {Success}},
		Cancelled: {Accept: {Success}},
		Success:   {Refund: {Refunded}, Correct: {Success}, Dispute: {Success}},
	},
	Payout: {
		Showing: {
			Send:   {Processing},
			Reject: {Rejected},
			Cancel: {Canceled},
			Expire: {Canceled},
		},
		Processing: {
			Complete: {Completed},
			Fail:     {Failed},
		},
		Failed: {Accept: {Completed}},
	},
	Transfer: {
		Pending: {
			Send:     {Pending},
			Complete: {Completed},
			Fail:     {Failed},
			Cancel:   {Cancelled},
		},
	},
}

// commandsOf lists each kind's own commands, to tell a decision for the wrong kind from a late one.
var commandsOf = map[Kind][]Command{
	Deposit:    {Offer, ClaimPaid, Begin, GiveUp, SeeMoney, Approve, Succeed, Accept, Correct, Dispute, Reject, Cancel, Fail, Expire},
	Withdrawal: {Take, Release, Complete, Reject, Fail, Cancel},
	Card:       {Begin, GiveUp, Succeed, Accept, Correct, Dispute, Fail, Reject, Cancel, Expire, Refund},
	Payout:     {Send, Complete, Reject, Fail, Cancel, Expire, Accept},
	Transfer:   {Send, Complete, Fail, Cancel},
}

// Notes lists the commands that leave a payment's status as it is.
func Notes() []Command {
	return []Command{GiveBack, WriteOffMoney, LetGo, ApproveHeld, DeclineHeld, ApproveRequest, RefuseRequest}
}

// Commands lists the commands that a kind of payment knows.
func (k Kind) Commands() []Command { return slices.Clone(commandsOf[k]) }

// FirstStatus is the status in which a payment of this kind is created.
func (k Kind) FirstStatus() Status {
	if k == Withdrawal || k == Card || k == Transfer {
		return Pending
	}
	return Showing
}

// IsFinal reports whether a payment has ended in the status: a callback said so. Only staff who accept money that came
// after the end, or give it back, lead out of it.
func (s Status) IsFinal() bool {
	switch s {
	case Completed, Canceled, Expired, Rejected, Failed, Success, Cancelled, Refunded:
		return true
	default:
		return false
	}
}

// FinalStatuses lists the statuses in which a payment has ended.
func FinalStatuses() []Status {
	return slices.DeleteFunc(Statuses(), func(s Status) bool { return !s.IsFinal() })
}

// Statuses lists all statuses.
func Statuses() []Status {
	return []Status{
		Showing, Pending, Processing, Completed, Canceled, Expired, Rejected, Failed, Success, Cancelled, Refunded,
	}
}

// OpenStatuses lists the statuses that are not final.
func OpenStatuses() []Status { return slices.DeleteFunc(Statuses(), Status.IsFinal) }

// Common returns the word for the status that all methods share: a card's success is completed, and what cards and transfers
// call cancelled is canceled.
func (s Status) Common() Status {
	switch s {
	case Success:
		return Completed
	case Cancelled:
		return Canceled
	default:
		return s
	}
}

// WithCommon lists every status whose common word is among those of a list.
func WithCommon(common []Status) []Status {
	return slices.DeleteFunc(Statuses(), func(s Status) bool { return !slices.Contains(common, s.Common()) })
}

// PathOf finds where a command leads from a payment's status, or why it may not be done: WrongMethod, AlreadyFinal
// or NotAllowed.
func PathOf(p Payment, c Command) (path, error) {
	const op = "core.pathOf"
	kind := p.Method.Kind()
	if !slices.Contains(commandsOf[kind], c) {
		return nil, fault.New(op, fault.WrongMethod, string(p.Method))
	}
	steps, ok := tables[kind][p.Status][c]
	if !ok && p.Status.IsFinal() {
		return nil, fault.New(op, fault.AlreadyFinal, string(p.Status))
	}
	if c == ClaimPaid && p.Account.AccountID == 0 {
		ok = false // nothing was shown to pay to
	}
	if !ok {
		return nil, fault.New(op, fault.NotAllowed, string(p.Status))
	}
	return steps, nil
}

// IsApproved reports whether the money of a payment in this status went where it should.
func (s Status) IsApproved() bool { return s == Completed || s == Success || s == Refunded }
