// Package once has what staff ask for under an idempotency key done once: the key is kept in the commit that does it, and a
// repeat is told what came of that.
package once

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/ports"
)

// Service has requests done once.
type Service struct {
	UnitOfWork *app.UnitOfWork
}

// Request is what a staff member asks for under a key of their own.
type Request struct {
	app.Request
	Action    string // the mutation: a key belongs to its staff member and mutation
	Key       string
	Arguments []byte  // as JSON with sorted names, without the key
	Approval  core.ID // the approved request that is being carried out; empty: the staff member asks themself
}

// id names the request. Neither the key nor the arguments, which may be short secrets such as a code, can be found out from
// what is kept, as far as the key cannot be guessed.
func (r Request) id() payment.IdempotencyKey {
	return payment.IdempotencyKey{
		Caller: "staff/" + strconv.FormatInt(r.Staff.ID, 10), Endpoint: "graphql/" + r.Action, Key: sign.Fingerprint(r.Key),
	}
}

func (r Request) hash() string {
	sum := hmac.New(sha256.New, []byte(r.Key))
	_, _ = sum.Write(r.Arguments) // a hash never fails to write
	return hex.EncodeToString(sum.Sum(nil))
}

// Do carries the request out unless that was done before: first is then what came of it, and nothing is done. Of any number
// of equal requests at once one is carried out; the others wait for its commit. What fails before anything is kept may be
// asked for again. Faults: KeyReused (the key came with other arguments), ApprovalStale (what is being approved was done
// already), those of do.
func (s *Service) Do(ctx context.Context, r Request, do func(app.Request) error) (first *Answer, err error) {
	const op = "once.Do"
	if first, err = s.first(ctx, r); err != nil {
		return nil, fault.E(op, "", err)
	}
	if r.Approval == "" && first != nil {
		return first, nil
	}
	if first != nil && first.Approval != r.Approval {
		return nil, fault.New(op, fault.ApprovalStale)
	}
	a := &attempt{request: r, next: s.UnitOfWork.Carrier(r.Request), clock: s.UnitOfWork.Clock}
	failure := do(r.Through(a))
	switch {
	case failure == nil, fault.Is(failure, fault.ApprovalNeeded) && a.isKept:
		return nil, failure
	case a.isKept:
		return nil, s.failed(ctx, a, failure)
	case r.Approval != "":
		return nil, failure
	}
	// Somebody else's twin may have been faster, so that this one found everything decided.
	if first, err = s.first(ctx, r); err == nil && first != nil {
		return first, nil
	}
	return nil, failure
}

// first returns what came of the request before; nil: it is new. Fault: KeyReused.
func (s *Service) first(ctx context.Context, r Request) (*Answer, error) {
	const op = "once.first"
	kept, err := s.UnitOfWork.Payments.FirstAnswer(ctx, r.id())
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, nil //nolint:nilnil // there is none
	case err != nil:
		return nil, fault.E(op, "", err)
	case kept.CreatedAt.Before(s.UnitOfWork.Clock.Now().Add(-payment.IdempotencyWindow)):
		return nil, nil //nolint:nilnil // its time is over
	case !hmac.Equal([]byte(kept.RequestHash), []byte(r.hash())):
		return nil, fault.New(op, fault.KeyReused)
	}
	a := &Answer{At: kept.CreatedAt}
	if err := json.Unmarshal(kept.Body, a); err != nil {
		return nil, fault.E(op, fault.Internal, err)
	}
	return a, nil
}

// failed keeps that a gateway refused what had begun, and returns the refusal. Any other failure after the commit leaves what
// was kept: the repeat shows how things stand.
func (s *Service) failed(ctx context.Context, a *attempt, failure error) error {
	if fault.CodeOf(failure) != fault.GatewayFailed {
		return failure
	}
	a.answer.Failure = &Failure{Code: fault.GatewayFailed, Args: textsOf(fault.ArgsOf(failure))}
	change := core.Changeset{a.record(s.UnitOfWork.Clock.Now(), true)}
	if err := s.UnitOfWork.Commit(context.WithoutCancel(ctx), change); err != nil {
		return errors.Join(failure, err)
	}
	return failure
}

func textsOf(args []any) []string {
	var list []string
	for _, a := range args {
		if text, ok := a.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// attempt is a request that is being carried out. The first of its commits keeps its key.
type attempt struct {
	request Request
	next    app.StaffCommitter
	clock   ports.Clock
	answer  Answer
	isKept  bool
}

// CommitFor implements app.StaffCommitter. Fault beyond those of next: Duplicate (the request was carried out before).
func (a *attempt) CommitFor(ctx context.Context, by app.Request, change core.Changeset) error {
	if a.isKept {
		return a.next.CommitFor(ctx, by, change)
	}
	a.answer = answerOf(change)
	kept := a.record(a.clock.Now(), a.request.Approval != "")
	err := a.next.CommitFor(ctx, by, change.Merge(core.Changeset{kept}))
	a.isKept = err == nil
	return err
}

// record is what is kept of an attempt. One that replaces takes the place of whatever was kept before.
func (a *attempt) record(now time.Time, replaces bool) payment.IdempotencyRecord {
	body, err := json.Marshal(a.answer)
	if err != nil {
		panic(err) // cannot happen: a struct of texts
	}
	until := now.Add(-payment.IdempotencyWindow)
	if replaces {
		until = now.Add(payment.IdempotencyWindow)
	}
	return payment.IdempotencyRecord{
		IdempotencyKey: a.request.id(), RequestHash: a.request.hash(), Body: body, CreatedAt: now, ReplacesBefore: until,
	}
}
