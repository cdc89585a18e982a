package core

// EventKind says what changed.
type EventKind string

// Kinds of events. Another kind of row becomes live by a constant here and its method Event.
const (
	PaymentChanged     EventKind = "payment"
	DiscrepancyChanged EventKind = "discrepancy"
	JobChanged         EventKind = "job"
	ApprovalChanged    EventKind = "approval"
	BankLineChanged    EventKind = "bank_line" // of whose wallet is read with the line
	CallbackChanged    EventKind = "callback"
	// DirectoryChanged is of a provider, a site, a dealer, a site token, a gateway account or a rule that routes to one. It
	// names none: whoever keeps any of them reads all anew.
	DirectoryChanged EventKind = "directory"
	// EventsLost says that anything may have changed unheard: whoever shows something should look again.
	EventsLost EventKind = "missed"
)

// Event is a cue that a row was committed. It carries no truth, only what names the row and whose it is: who hears it reads
// the row, which may have changed further by then. Losing a cue costs freshness, never correctness.
type Event struct {
	Kind       EventKind
	ID         ID
	DealerID   int64 // whose staff see it; 0: nobody's
	IsNew      bool  // the row was inserted
	ProviderID int64 // whose staff see it, as well
	StaffID    int64 // of a job: who made it
}

// EventKey names the row that an event is about.
type EventKey struct {
	Kind EventKind
	ID   ID
}

// EventSet is a bounded set of events that wait to be carried on: those about one row become one. Beyond its bound it forgets
// them and remembers only that something was missed. It is not safe for concurrent use.
type EventSet struct {
	max    int
	byRow  map[EventKey]int // where in order
	order  []Event
	missed bool
}

// NewEventSet makes an empty set of at most max rows.
func NewEventSet(max int) *EventSet { return &EventSet{max: max, byRow: map[EventKey]int{}} }

// Add puts events into the set.
func (s *EventSet) Add(events ...Event) {
	for _, n := range events {
		key := EventKey{n.Kind, n.ID}
		at, isThere := s.byRow[key]
		switch {
		case n.Kind == EventsLost:
			s.missed = true
		case isThere:
			s.order[at].IsNew = s.order[at].IsNew || n.IsNew
		case len(s.order) >= s.max:
			s.forget()
			s.missed = true
		default:
			s.byRow[key] = len(s.order)
			s.order = append(s.order, n)
		}
	}
}

func (s *EventSet) forget() {
	clear(s.byRow)
	s.order = nil
}

// IsEmpty reports whether nothing waits.
func (s *EventSet) IsEmpty() bool { return len(s.order) == 0 && !s.missed }

// Take empties the set and returns what was in it, in the order in which it came; that something was missed comes first.
func (s *EventSet) Take() []Event {
	var events []Event
	if s.missed {
		events = append(events, Event{Kind: EventsLost})
	}
	events = append(events, s.order...)
	s.forget()
	s.missed = false
	return events
}
