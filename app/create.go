package app

import (
	"context"
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// Creation is a checked request for a new payment.
type Creation struct {
	payment.Request
	// ExpiresIn is how long the payment may take; 0: it does not expire.
	ExpiresIn time.Duration
	// Render makes the endpoint's answer to a new payment.
	Render func(payment.Payment) (Answer, error)
	// Decide makes the payment; nil: payment.DecideCreate.
	Decide func(payment.Request, payment.CreateParams) (core.Changeset, error)
	// Also, when set, changes what is committed with the payment.
	Also func(change core.Changeset, made payment.Payment) core.Changeset
	// Once, when set, makes the call idempotent.
	Once *Once
}

// Once is an Idempotency-Key with the hash of what it came with.
type Once struct {
	Key         payment.IdempotencyKey
	RequestHash string
}

// Answer is an endpoint's whole answer, as it is kept for replay.
type Answer struct {
	Status   int // HTTP
	Body     []byte
	Replayed bool
}

// Create decides and commits a new payment together with its first answer. A repeated key returns the first answer
// again: the record's uniqueness in the database lets one of any number of concurrent twins through, and the others
// wait for that commit and read its answer.
func (u *UnitOfWork) Create(ctx context.Context, c Creation) (Answer, error) {
	const op = "app.UnitOfWork.Create"
	change, err := u.createParams(c)
	if err != nil {
		return Answer{}, fault.E(op, "", err)
	}
	made, _ := core.First[payment.Payment](change)
	if c.Also != nil {
		change = c.Also(change, made)
	}
	answer, err := c.Render(made)
	if err != nil {
		return Answer{}, fault.E(op, fault.Internal, err)
	}
	if c.Once != nil {
		now := made.CreatedAt
		change = append(change, payment.IdempotencyRecord{
			IdempotencyKey: c.Once.Key, RequestHash: c.Once.RequestHash, Status: answer.Status, Body: answer.Body,
			CreatedAt: now, ReplacesBefore: now.Add(-payment.IdempotencyWindow),
		})
	}
	err = u.Commit(ctx, change)
	if fault.Is(err, fault.Duplicate) && c.Once != nil {
		return u.replay(ctx, *c.Once)
	}
	if err != nil {
		return Answer{}, fault.E(op, "", err)
	}
	return answer, nil
}

// Refused answers a creation that a check has turned down before its commit: with the first answer where the same call
// was carried out before, else with the refusal. A switch or a limit that has changed since then must not make a caller
// who asks again believe that nothing was created.
func (u *UnitOfWork) Refused(ctx context.Context, c Creation, refusal error) (Answer, error) {
	const op = "app.UnitOfWork.Refused"
	if c.Once == nil {
		return Answer{}, fault.E(op, "", refusal)
	}
	first, err := u.Payments.FirstAnswer(ctx, c.Once.Key)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return Answer{}, fault.E(op, "", err)
	}
	isOver := first.CreatedAt.Before(u.Clock.Now().Add(-payment.IdempotencyWindow))
	if err != nil || isOver || first.RequestHash != c.Once.RequestHash {
		return Answer{}, fault.E(op, "", refusal)
	}
	return Answer{Status: first.Status, Body: first.Body, Replayed: true}, nil
}

func (u *UnitOfWork) createParams(c Creation) (core.Changeset, error) {
	now := u.Clock.Now()
	ids, err := core.NewIDs(now, u.Random)
	if err != nil {
		return core.Changeset{}, err
	}
	code, err := core.NewTrackingCode(c.Method.Prefix(), u.Random)
	if err != nil {
		return core.Changeset{}, err
	}
	params := payment.CreateParams{At: now, ExpiresIn: c.ExpiresIn, TrackingCode: code, IDs: ids, Open: u.Open}
	if c.Method.HasPage() {
		if params.Token, err = core.NewPageToken(now, u.Random); err != nil {
			return core.Changeset{}, err
		}
	}
	if c.Decide != nil {
		return c.Decide(c.Request, params)
	}
	return payment.DecideCreate(c.Request, params), nil
}

func (u *UnitOfWork) replay(ctx context.Context, once Once) (Answer, error) {
	const op = "app.replay"
	first, err := u.Payments.FirstAnswer(ctx, once.Key)
	if fault.Is(err, fault.NotFound) { // forgotten between the two questions: asked again, the call starts afresh
		return Answer{}, fault.E(op, fault.Unavailable, err)
	}
	if err != nil {
		return Answer{}, fault.E(op, "", fmt.Errorf("the first answer: %w", err))
	}
	if first.RequestHash != once.RequestHash {
		return Answer{}, fault.New(op, fault.KeyReused)
	}
	return Answer{Status: first.Status, Body: first.Body, Replayed: true}, nil
}
