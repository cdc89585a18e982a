package core

import (
	"encoding/json"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// AuditRecord is an entry of the audit log as it is read.
type AuditRecord struct {
	AuditEntry
	ChainNumber int64 // 0: not chained yet
}

// AuditQuery asks for entries of the audit log, newest first. Zero fields do not narrow.
type AuditQuery struct {
	ActorKind ActorKind
	ActorID   string // with ActorKind
	Action    string
	Target    string
	From      time.Time // included
	Until     time.Time // excluded
	Paging[ID]
}

// AuditEntry says what a person changed. Before and After are JSON without secrets.
type AuditEntry struct {
	ID            ID
	At            time.Time
	Actor         Actor
	Action        string // the mutation's or command's name
	Target        string // "payment/MAN-…", "provider/7"
	Reason        string
	Before, After string
}

// Identity implements Row.
func (e AuditEntry) Identity() Identity {
	return Identity{Table: "audit", Key: string(e.ID), Version: 1}
}

// AuditMoney is money as audit rows have it: of the contract's currency the amount alone.
func AuditMoney(m gateway.Money) string {
	switch {
	case m.IsSameAsset(gateway.Money{Asset: gateway.TRY}):
		return m.Amount.Fixed(2)
	case m.Amount.Sign() == 0:
		return ""
	default:
		return m.String()
	}
}

// AuditJSON is a state as audit rows have it.
func AuditJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: a struct of texts
	}
	return string(text)
}
