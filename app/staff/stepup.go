package staff

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// Proof is how a member proves anew who they are: one of password, code, and a passkey's answer to BeginPasskeyStepUp.
type Proof struct {
	Password  string
	Code      string
	Challenge string
	Answer    string
}

// StepUp proves within a session whose it is, for what is sensitive: with a second factor, or, by a member who has none,
// with the password. Faults: BadCode, BadLogin (the password), FactorRequired (a password is not enough), ChallengeOver.
func (s *Service) StepUp(ctx context.Context, v app.Request, proof Proof, from Origin) (staff.Session, error) {
	const op = "access.StepUp"
	if s.isLockedOut(ctx, loginKey(from)) {
		return staff.Session{}, fault.New(op, fault.RateLimited)
	}
	var proven staff.Session
	err := s.UnitOfWork.Again(ctx, func() error {
		change, withFactor, err := s.prove(ctx, v, proof, from)
		if err != nil {
			return err
		}
		session, _, err := s.Store.SessionByFingerprint(ctx, v.Session.Fingerprint)
		if err != nil {
			return err
		}
		audit, err := s.record(v.Actor(), "stepUp", targetOf(v.Staff))
		if err != nil {
			return err
		}
		proven = session.Prove(audit.At, withFactor)
		return s.UnitOfWork.CommitFor(ctx, v, append(change, proven, audit))
	})
	if fault.Is(err, fault.BadLogin) && !s.count(ctx, loginKey(from)) {
		err = fault.New(op, fault.RateLimited)
	}
	return proven, fault.E(op, "", s.counted(ctx, from, err))
}

// prove returns what a right proof changes, and whether it was a second factor.
func (s *Service) prove(ctx context.Context, v app.Request, proof Proof, from Origin) (core.Changeset, bool, error) {
	factors, passkeys, err := factorsOf(ctx, s.Store, v.Staff.ID)
	if err != nil {
		return core.Changeset{}, false, err
	}
	switch {
	case proof.Answer != "":
		change, err := s.proveByPasskey(ctx, v, proof, from)
		return change, true, err
	case proof.Code != "":
		after, _, err := s.useCode(ctx, v.Staff, proof.Code, from)
		if fault.Is(err, fault.BadCode) {
			err = s.wrong(ctx, v, from, err)
		}
		return core.Changeset{after}, true, err
	case len(factors.Kinds(len(passkeys))) > 0:
		return core.Changeset{}, false, fault.New("access.prove", fault.FactorRequired)
	default:
		change, err := s.proveByPassword(ctx, v, factors, proof.Password, from)
		return change, false, err
	}
}

func (s *Service) proveByPassword(
	ctx context.Context, v app.Request, f staff.Factors, password string, from Origin,
) (core.Changeset, error) {
	const op = "access.proveByPassword"
	isRight := false
	if len(password) <= maxPasswordBytes {
		var err error
		if isRight, err = s.passwords.known.match(ctx, password, v.Staff.PasswordHash.Reveal()); err != nil {
			return core.Changeset{}, fault.E(op, "", err)
		}
	}
	now := s.UnitOfWork.Clock.Now()
	if !isRight || f.LockAt(from.Place()).IsOn(now) {
		return core.Changeset{}, s.wrong(ctx, v, from, fault.New(op, fault.BadLogin))
	}
	if after, changed := f.Succeeded(from.Place(), now); changed {
		return core.Changeset{after}, nil
	}
	return core.Changeset{}, nil
}

// wrong counts a wrong proof and gives its fault.
func (s *Service) wrong(ctx context.Context, v app.Request, from Origin, cause error) error {
	if err := s.failed(ctx, v.Staff, from, core.Changeset{}); err != nil {
		return err
	}
	return cause
}

func (s *Service) proveByPasskey(ctx context.Context, v app.Request, proof Proof, from Origin) (core.Changeset, error) {
	c, err := s.answered(ctx, proof.Challenge, staff.PasskeyStepUpChallenge)
	if err != nil {
		return core.Changeset{}, err
	}
	if c.SessionID != v.Session.ID {
		return core.Changeset{}, fault.New("access.proveByPasskey", fault.ChallengeOver)
	}
	return s.passkeyUsed(ctx, v.Staff, c, proof.Answer, from)
}
