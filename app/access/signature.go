package access

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
)

// Signature is the request signature of a call (X-Signature) with what it is over.
type Signature struct {
	Value string
	// Over is the request without its body. Its keys are those of the call.
	Over sign.Request
	// Body reads the body as it was sent, once the rest of the request looks right.
	Body func() ([]byte, error)
	// IsAmbiguous reports whether a header that the signature is over, or X-Signature itself, came more than once: what the
	// signature was checked against would not be what is carried out.
	IsAmbiguous bool
}

// verifier reads the signature and the body that it is over. Faults: InvalidNonce, InvalidSignature, those of Body.
func (s *Signature) verifier() (sign.Verifier, error) {
	const op = "access.Signature.verifier"
	if !s.IsAmbiguous && !sign.IsNonce(s.Over.Nonce) {
		return sign.Verifier{}, fault.New(op, fault.InvalidNonce)
	}
	isTooLong := len(s.Value) > maxHeaderBytes || len(s.Over.Target) > maxTargetBytes
	if s.IsAmbiguous {
		return sign.Verifier{}, fault.Hinted(fault.New(op, fault.InvalidSignature), "hint.twice")
	}
	if isTooLong {
		return sign.Verifier{}, fault.New(op, fault.InvalidSignature)
	}
	request := s.Over
	var err error
	if request.Body, err = s.Body(); err != nil {
		return sign.Verifier{}, fault.E(op, "", err)
	}
	v, ok := request.Verifier(s.Value)
	if !ok {
		return sign.Verifier{}, fault.New(op, fault.InvalidSignature)
	}
	return v, nil
}

// maxTargetBytes bounds the path and query of a signed request.
const maxTargetBytes = 8 << 10

// signers are the secret keys that a request may be signed with.
type signers struct {
	secret   core.Secret
	previous owner.PreviousKey
	mode     owner.SignatureMode
}

// check reports whether a call is signed with one of the keys, and whether with the one from before a rotation. A call with a
// request signature is judged by that alone. matches is the contract's hash. Faults: InvalidNonce, InvalidSignature, InvalidHash,
// SignatureRequired, those of reading the body.
func (k signers) check(s *Signature, matches func(core.Secret) bool, now time.Time) (byOld bool, err error) {
	const op = "access.signers.check"
	wrong := fault.InvalidHash
	if s != nil {
		v, unread := s.verifier()
		if unread != nil {
			return false, unread
		}
		matches, wrong = func(secret core.Secret) bool { return v.IsBy(secret.Reveal()) }, fault.InvalidSignature
		defer func() {
			if fault.Is(err, fault.InvalidSignature) {
				err = s.whyNotSigned(err)
			}
		}()
	}
	signed := matches(k.secret)
	byOld = k.previous.IsLive(now) && matches(k.previous.Key)
	switch {
	case !signed && !byOld:
		return false, fault.New(op, wrong)
	case s == nil && k.mode == owner.SignatureRequired:
		return false, fault.New(op, fault.SignatureRequired)
	}
	return byOld && !signed, nil
}

// nonceRate lets a nonce pass once within the time in which its timestamp can be fresh, and a little more.
var nonceRate = core.Rate{Events: 1, Per: 15 * time.Minute}

// takeNonce refuses a nonce that was seen lately. It is quick and no promise: where the limiter is out of reach or has
// forgotten, it lets the nonce pass. A read that is repeated then changes nothing; what creates something is held to
// useNonce. Fault: NonceUsed.
func (g *Authenticator) takeNonce(ctx context.Context, caller string, s *Signature) error {
	if s == nil || g.Limiter.Take(ctx, "nonce:"+caller+":"+s.Over.Nonce, 1, nonceRate).OK {
		return nil
	}
	return fault.New("access.Gate.takeNonce", fault.NonceUsed)
}

// useNonce uses up the nonce of a signed call that creates something, in a commit of its own before anything else of the call
// is done: whatever then becomes of the call, refused or cut short, the same request is never carried out afterwards. Faults:
// NonceUsed, Unavailable.
func (g *Authenticator) useNonce(ctx context.Context, caller string, s *Signature) error {
	const op = "access.Gate.useNonce"
	if s == nil {
		return nil
	}
	used := owner.Nonce{Caller: caller, Value: s.Over.Nonce, UsedAt: g.Clock.Now()}
	err := g.UnitOfWork.Commit(ctx, core.Changeset{used})
	if fault.Is(err, fault.Conflict) {
		return fault.New(op, fault.NonceUsed)
	}
	return fault.E(op, "", err)
}
