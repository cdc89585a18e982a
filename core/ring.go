package core

import (
	"time"
)

// RingKind says which worker a ring wakes.
type RingKind string

// Kinds of rings.
const (
	DeliverRing RingKind = "deliver" // Key is the receiver with due callbacks
	ExpireRing  RingKind = "expire"  // payments whose time is over at At
	OperateRing RingKind = "operate" // Key is the gateway account with operations that are due
	NotifyRing  RingKind = "notify"  // notifications wait to be worked on
	ReadRing    RingKind = "read"    // statements of wallets are due to be read
	JobRing     RingKind = "job"     // jobs are due to be worked on
)

// Ring asks for a worker to look for due rows at a moment. It carries no truth: a lost ring costs the time until the
// sweeper's next round, and a ring that finds nothing due is normal.
type Ring struct {
	Kind RingKind
	Key  string
	At   time.Time
}
