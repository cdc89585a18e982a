package redisevents

import (
	"encoding/json"

	"github.com/vezne/vezne/core"
)

// wireEvent is one of the events in a message, which is a JSON list of them. A process of another version may know further kinds
// and fields; what is not known is passed over.
type wireEvent struct {
	Kind       core.EventKind `json:"kind"`
	ID         core.ID        `json:"id,omitempty"`
	DealerID   int64          `json:"dealer,omitempty"`
	IsNew      bool           `json:"new,omitempty"`
	ProviderID int64          `json:"provider,omitempty"`
	StaffID    int64          `json:"staff,omitempty"`
}

func encode(events []core.Event) []byte {
	list := make([]wireEvent, len(events))
	for i, n := range events {
		list[i] = wireEvent(n)
	}
	body, err := json.Marshal(list)
	if err != nil {
		panic(err) // cannot happen: texts, numbers and a truth
	}
	return body
}

func decode(body string) ([]core.Event, error) {
	var list []wireEvent
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		return nil, err
	}
	events := make([]core.Event, len(list))
	for i, c := range list {
		events[i] = core.Event(c)
	}
	return events, nil
}
