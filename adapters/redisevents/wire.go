package redisevents

import (
	"encoding/json"

	"github.com/vezne/vezne/core"
)

// cue is one of the news in a message, which is a JSON list of them. A process of another version may know further kinds
// and fields; what is not known is passed over.
type cue struct {
	Kind       core.EventKind `json:"kind"`
	ID         core.ID        `json:"id,omitempty"`
	DealerID   int64          `json:"dealer,omitempty"`
	IsNew      bool           `json:"new,omitempty"`
	ProviderID int64          `json:"provider,omitempty"`
	StaffID    int64          `json:"staff,omitempty"`
}

func encode(news []core.Event) []byte {
	cues := make([]cue, len(news))
	for i, n := range news {
		cues[i] = cue(n)
	}
	body, err := json.Marshal(cues)
	if err != nil {
		panic(err) // cannot happen: texts, numbers and a truth
	}
	return body
}

func decode(body string) ([]core.Event, error) {
	var cues []cue
	if err := json.Unmarshal([]byte(body), &cues); err != nil {
		return nil, err
	}
	news := make([]core.Event, len(cues))
	for i, c := range cues {
		news[i] = core.Event(c)
	}
	return news, nil
}
