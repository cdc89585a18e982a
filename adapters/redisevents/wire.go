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

// sender is the kind of the first in a message: its ID names the process that sends it. To processes of earlier versions it is a
// kind that they do not know.
const sender core.EventKind = "sender"

// mark is how messages of a process begin, so that it knows its own without reading them.
func mark(process core.ID) string {
	return `[{"kind":"` + string(sender) + `","id":"` + string(process) + `"}`
}

func encode(process core.ID, events []core.Event) []byte {
	list := make([]wireEvent, 1, 1+len(events))
	list[0] = wireEvent{Kind: sender, ID: process}
	for _, n := range events {
		list = append(list, wireEvent(n))
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
	events := make([]core.Event, 0, len(list))
	for _, c := range list {
		if c.Kind != sender {
			events = append(events, core.Event(c))
		}
	}
	return events, nil
}
