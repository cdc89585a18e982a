package epoch

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// RemainKind is why a person has to look at something before money moves again.
type RemainKind string

// Kinds of what remains.
const (
	// PaidByHand: a withdrawal that somebody may have paid after the backup.
	PaidByHand RemainKind = "paid_by_hand"
	// DecidedByHand: a deposit without a gateway that somebody may have decided about after the backup.
	DecidedByHand RemainKind = "decided_by_hand"
	// NotAnswered: something at a gateway, which does not say what became of it.
	NotAnswered RemainKind = "not_answered"
	// UnknownPayment: a gateway has a payment with a reference that is not in the database.
	UnknownPayment RemainKind = "unknown_payment"
	// NotListed: payments after the backup that nobody can list, so that they are not found: of a gateway that can't list what was paid
	// through it, a gateway's payouts, and what people have paid or received by hand.
	NotListed RemainKind = "not_listed"
	// StatementNotRead: a wallet whose bank statement could not be read.
	StatementNotRead RemainKind = "statement_not_read"
	// SettingsAreOlder: keys that were revoked, staff who were switched off and all other settings are as at the backup. There is one for
	// each of Settings.
	SettingsAreOlder RemainKind = "settings_are_older"
)

// RemainKinds lists all of them.
func RemainKinds() []RemainKind {
	return []RemainKind{SettingsAreOlder, PaidByHand, DecidedByHand, NotAnswered, UnknownPayment, NotListed, StatementNotRead}
}

// StaffSettings is who works here, and with which rights and proof.
const StaffSettings = "staff"

// Settings are what SettingsAreOlder is about, in the order in which people look at them: staff; providers with their sites, keys and
// addresses; dealers with their site tokens and IBANs; gateway accounts with their routes; what takes two people.
func Settings() []string {
	return []string{StaffSettings, "providers", "dealers", "gateways", "rules"}
}

// Remain is something that nobody could be asked about, or that nobody has answered. Money moves again when each of a freeze was
// looked at by a person, who says why it is in order.
type Remain struct {
	ID      core.ID
	Version int
	Freeze  string // Epoch.Freeze of that in which it was found
	Kind    RemainKind
	Subject string // "payment/WTH-…", "gateway/7", "gateway/7/payouts", "by-hand", "corrections", "wallet/3", "gateway/7/MAN…", one of Settings; once of a kind in a freeze
	Facts
	Detail       string // the facts in one line of English; all that there is of what a release before them has found
	FoundAt      time.Time
	By           core.Actor // who has looked at it; zero: nobody yet
	Acknowledged time.Time
	Reason       string
}

// Identity implements Row.
func (r Remain) Identity() core.Identity {
	return core.Identity{Table: "remains", Key: string(r.ID), Version: r.Version}
}

// GatewayID is the gateway account that it is about, or at which the payment is; 0: none.
func (r Remain) GatewayID() int64 {
	rest, isOf := strings.CutPrefix(r.Subject, "gateway/")
	text, _, _ := strings.Cut(rest, "/")
	id, err := strconv.ParseInt(text, 10, 64)
	if !isOf || err != nil {
		return 0
	}
	return id
}

// IsOpen reports whether nobody has looked at it.
func (r Remain) IsOpen() bool { return r.Acknowledged.IsZero() }

// Acknowledge keeps that a person has looked at it. Fault: AlreadyFinal (somebody has before).
func (r Remain) Acknowledge(by core.Actor, at time.Time, reason string) (Remain, error) {
	if !r.IsOpen() {
		return r, fault.New("epoch.Remain.Acknowledge", fault.AlreadyFinal, r.Subject)
	}
	r.Version++
	r.By, r.Acknowledged, r.Reason = by, at, reason
	return r, nil
}

// RemainQuery asks for what remains of a freeze, in the order in which it was found. Zero fields do not narrow.
type RemainQuery struct {
	Freeze string
	IsOpen *bool
	Kinds  []RemainKind
	IDs    []core.ID
	core.Paging[core.ID]
}

// Missing returns those that are not among the known ones, by kind and subject.
func Missing(found, known []Remain) []Remain {
	return slices.DeleteFunc(slices.Clone(found), func(r Remain) bool {
		return slices.ContainsFunc(known, func(k Remain) bool { return k.Kind == r.Kind && k.Subject == r.Subject })
	})
}
