package payment

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Bounds of listening.
const (
	maxHeard = 100 // callbacks in one answer
	// maxHearing is how far back it goes: what is older is not read, however long ago somebody asked last.
	maxHearing = time.Hour
	// lateHeard is how long a decision may take to become visible after its callback got its ID.
	lateHeard = 10 * time.Second
)

// Heard are callbacks as they are sent, signed now.
type Heard struct {
	Messages []payment.CallbackMessage
	Next     core.ID // what to ask after the next time: some of the last ones come again
}

// Listen returns the callbacks that an owner's payments have had since another was heard, for whoever develops a receiver that Vezne cannot
// reach: nothing of their delivery changes. Without an ID it is from now on. For sandboxes alone.
func Listen(
	ctx context.Context, u *app.UnitOfWork, signer payment.Signer, o payment.ReferenceOwner, after core.ID, zone *time.Location,
) (Heard, error) {
	const op = "payment.Listen"
	now := u.Clock.Now()
	if after == "" {
		after = core.FirstID(now)
	}
	after = max(after, core.FirstID(now.Add(-maxHearing)))
	list, err := u.Callbacks.CallbacksAfter(ctx, o, after, maxHeard)
	if err != nil {
		return Heard{}, fault.E(op, "", err)
	}
	heard := Heard{Next: max(after, core.FirstID(now.Add(-lateHeard)))}
	if len(list) == maxHeard {
		heard.Next = list[len(list)-1].ID
	}
	for _, c := range list {
		if owner.IsForgotten(c.Payload.UserID) {
			continue
		}
		m, err := c.Message(signer, now, zone)
		if err != nil {
			return Heard{}, fault.E(op, "", err)
		}
		heard.Messages = append(heard.Messages, m)
	}
	return heard, nil
}
