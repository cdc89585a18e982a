// Package conformance holds every gateway plugin to what the core relies on. A plugin's test passes a Subject to Run: the
// plugin, a configuration, a fake of the gateway's HTTP side, and vectors. The groups of
// test cases that do not apply to its descriptor do not run.
package conformance

import (
	"net/http"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Subject is a plugin under test.
type Subject struct {
	Plugin      ports.Plugin
	Environment string // gateway.Sandbox or gateway.Production
	// Config is valid. The kit puts it into Open and NewFake alike, with secrets of its own in the secret fields, which it
	// looks for wherever they must not be. A secret whose ConfigField.Pattern does not allow that keeps its value.
	Config map[string]string
	// NewFake makes a fresh fake of the gateway. Config is the one that the plugin is opened with; now is the kit's clock.
	NewFake func(t testing.TB, config gateway.Config, now func() time.Time) Fake
	// Fields are what customers supply: every name that any Needs asks for, valid.
	Fields map[string]string

	// Documents are facts about the gateway's calls from sources that the plugin's author did not write. Only a plugin of
	// maturity draft, and a simulator, may lack them.
	Documents *Documents

	// Lacks says of each situation that the fake does not know why the gateway has none like it. A situation that is missing in
	// both fails: nobody would notice what the plugin makes of it.
	Lacks map[Situation]string

	// Unplayed says of each status that counts as paid, and that no Observation of the kit has in Raw, which test of the plugin's own
	// plays it. A status in neither fails: what nobody plays may take anything for money.
	Unplayed map[string]string

	// Tables are what README.md shows of the plugin's tables, by the heading above each: States, Payouts, Refunds, Disputes, DisputeReasons
	// or Failures of package plugkit, or Rows. Only a draft may lack them.
	Tables map[string]any

	// What follows is optional.

	// Previous are the values of rotating secrets before their last change.
	Previous map[string]string
	// Vectors are published or computed examples of signatures and encodings.
	Vectors []Vector
	// MisplacedConfig is a configuration whose keys belong to another environment, where that can be seen without a call;
	// Open must refuse it. Nil: it can't be seen.
	MisplacedConfig map[string]string
	// Source is the folder of the plugin's source and README.md; empty: the working directory, which is it in the plugin's own test.
	Source string
	// Replies are the exact answers to notifications that the gateway's documentation demands.
	Replies map[gateway.Disposition]gateway.Reply
	// StaleAfter is how old a signed notification may be, where it carries a time; 0: it carries none.
	StaleAfter time.Duration
	// FindsOncePaid: the gateway finds an order by our reference from the moment it is paid (KeyTraits.Find), and not
	// before. That is safe only where nobody can pay an order whose start was lost: the way to its page was in the answer.
	FindsOncePaid bool
	// Nonces are headers and fields that must have another value in every request, beside those whose name says so.
	Nonces []string
	// ApprovalCode is the second factor that the fake takes, where payouts are approved by code.
	ApprovalCode string
}

// Vector is one example. Check returns what the plugin computes, and what was published.
type Vector struct {
	Name   string
	Source string // who published it: repository, path and version; "computed" where nobody did
	Check  func() (got, want string)
}

// Fake plays the gateway's HTTP side. It is written from the gateway's documentation and not from the plugin. Handler
// must be safe for concurrent use; the kit injects network faults by itself, between the plugin and the handler.
//
// Functions of what the gateway can't do stay nil.
type Fake struct {
	Handler http.Handler
	// Mutations counts the requests that changed something at the gateway.
	Mutations func() int
	// Deposits returns what the gateway was asked to collect under a reference, once for each order that it holds.
	Deposits func(ref gateway.Ref) []gateway.Money
	// Addresses returns the addresses that came with the order of a reference: the customer's return, and that of
	// notifications. Empty: none came, or the gateway takes none with an order.
	Addresses func(ref gateway.Ref) (back, notify string)
	// Payouts and Transfers return what the gateway was asked to send under a reference, once for each order.
	Payouts   func(ref gateway.Ref) []gateway.Money
	Transfers func(ref gateway.Ref) []gateway.Money
	// Finishes counts the calls that took the money of a reference on its customer's return.
	Finishes func(ref gateway.Ref) int
	// Set brings the order of a reference (a deposit's, payout's, transfer's or refund's) into a situation; false: this
	// gateway does not know it.
	Set func(ref gateway.Ref, s Situation) bool
	// Notification returns what the gateway would send of the reference now, with a right signature; false: nothing.
	Notification func(ref gateway.Ref) (gateway.Inbound, bool)
	// UnknownType returns a message, with a right signature, of a type that nobody documented; nil: the gateway has no
	// types.
	UnknownType func() (gateway.Inbound, bool)
	// Return returns what the customer's browser would bring back now; false: nothing.
	Return func(ref gateway.Ref) (gateway.Inbound, bool)
	// EndSessions makes the gateway forget the sessions or tokens that it gave, before their time; nil: it gives none.
	EndSessions func()
	// RefuseCredentials makes the gateway refuse the plugin's keys from now on.
	RefuseCredentials func()
	// Dispute brings the dispute of an order that was paid into a state, and opens it where there is none. It returns the gateway's own id of
	// it; false: the gateway does not know the state. With gateway.DisputeUnknown it is in a status that nobody documented.
	Dispute func(ref gateway.Ref, s gateway.DisputeState) (id string, ok bool)
	// Evidence returns what was submitted against a dispute, oldest first: of each order of evidence by kind its text, or the SHA-256 of its
	// file in hex.
	Evidence func(disputeID string) []map[gateway.EvidenceKind]string
	// AddLine books a line on an account's statement; it gets an ID when it has none.
	AddLine func(accountID string, line gateway.StatementLine)
}

// Situation is what an order is brought into at the gateway.
type Situation string

// Situations of a deposit.
const (
	IsWaiting             Situation = "waiting"
	IsProcessing          Situation = "processing"
	IsPaid                Situation = "paid exactly"
	IsPaidLess            Situation = "paid less" // by half
	IsPaidMore            Situation = "paid more" // by half
	IsPaidInOtherCurrency Situation = "paid in another currency"
	IsInReview            Situation = "paid and under review"
	IsFailed              Situation = "failed"
	IsCanceled            Situation = "canceled"
	IsExpired             Situation = "expired"
	IsPaidAmongFailures   Situation = "paid by the second card after one that failed, and before another that did" // on one page
	IsRefunded            Situation = "refunded"
	IsPartRefunded        Situation = "refunded in part" // by a fifth
	IsDisputed            Situation = "charged back"
	StartIsRefused        Situation = "refused when it is started" // set before the start
	IsUnlisted            Situation = "in a status that nobody documented"
	IsNotFound            Situation = "not known to the gateway"
	IsMarkedPaid          Situation = "marked as paid by a person at the gateway"
	IsOfOtherMode         Situation = "paid in the other mode, test or live" // to the gateway it is no money here
	IsPastVoidTime        Situation = "too late to void or refund"
	RefundIsPending       Situation = "its refunds stay pending"
	RefundFails           Situation = "its refunds fail later"
)

// Situations of a payout or transfer, beside IsFailed, IsUnlisted and IsNotFound. The last three are set before it is sent.
const (
	IsQueued      Situation = "queued"
	IsSent        Situation = "sent"
	IsDone        Situation = "done"
	IsRejected    Situation = "rejected"
	IsReturned    Situation = "returned after it was done"
	NeedsApproval Situation = "waiting for a second factor"
	HasNoFunds    Situation = "refused for lack of funds"
	HasWrongName  Situation = "refused because the name differs"
)
