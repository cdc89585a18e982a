package staff

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// Bounds of what comes with passkeys.
const (
	maxAnswer      = 16 << 10 // bytes: an attestation with a chain of certificates fits
	maxPasskeyName = 64       // characters
)

// PasskeyAsk is what a browser is asked for: Options go to navigator.credentials, the answer comes with the Challenge.
type PasskeyAsk struct{ Challenge, Options string }

func ownerOf(m staff.Staff) staff.PasskeyOwner {
	return staff.PasskeyOwner{StaffID: m.ID, Email: m.Email}
}

// BeginPasskey asks for a new passkey. Fault: Invalid (there are as many as there may be).
func (s *Service) BeginPasskey(ctx context.Context, v app.Request) (PasskeyAsk, error) {
	const op = "access.BeginPasskey"
	_, known, err := s.provenOwn(ctx, v)
	if err != nil {
		return PasskeyAsk{}, fault.E(op, "", err)
	}
	if len(known) >= staff.MaxPasskeys {
		var form core.Form
		form.Fail("passkeys", "field.between", 0, staff.MaxPasskeys)
		return PasskeyAsk{}, form.Err(op)
	}
	request, err := s.Passkeys.BeginRegistration(ownerOf(v.Staff), known)
	if err != nil {
		return PasskeyAsk{}, fault.E(op, "", err)
	}
	token, err := s.challenge(ctx, staff.Challenge{
		Kind: staff.PasskeyRegisterChallenge, StaffID: v.Staff.ID, SessionID: v.Session.ID, State: request.State,
	})
	return PasskeyAsk{Challenge: token, Options: request.Options}, fault.E(op, "", err)
}

// FinishPasskey keeps the new passkey under a name. It gives recovery codes, once, unless the member has some. Faults:
// Invalid (the name), BadCode, ChallengeOver, Conflict (the passkey is known).
func (s *Service) FinishPasskey(ctx context.Context, v app.Request, challenge, answer, name string) (made staff.Passkey, recovery []string, err error) {
	const op = "access.FinishPasskey"
	if name, err = readName(name); err != nil {
		return staff.Passkey{}, nil, err
	}
	err = s.change(ctx, v, "finishPasskey", func(f staff.Factors, known []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		c, err := s.answered(ctx, challenge, staff.PasskeyRegisterChallenge)
		if err == nil && (c.SessionID != v.Session.ID || len(known) >= staff.MaxPasskeys || len(answer) > maxAnswer) {
			err = fault.New(op, fault.ChallengeOver)
		}
		if err != nil {
			return core.Changeset{}, err
		}
		use, err := s.Passkeys.FinishRegistration(ownerOf(v.Staff), c.State, answer)
		if err != nil {
			return core.Changeset{}, err
		}
		if _, err := s.Store.PasskeyByCredential(ctx, use.CredentialID); !fault.Is(err, fault.NotFound) {
			return core.Changeset{}, fault.New(op, fault.BadCode) // somebody's already
		}
		made = staff.Passkey{
			ID: at.ID, Version: 1, StaffID: v.Staff.ID, CredentialID: use.CredentialID, Record: use.Record, Name: name,
			CreatedAt: at.At,
		}
		change, err := s.proven(ctx, v, at)
		if err != nil {
			return core.Changeset{}, err
		}
		if recovery, err = s.firstCodes(f); err != nil {
			return core.Changeset{}, err
		}
		if recovery != nil {
			change = append(change, f.WithRecoveryCodes(recovery, at.At))
		}
		change = append(change, made, c.Use(at.At))
		return change, nil
	})
	return made, recovery, fault.E(op, "", err)
}

// readName reads the name of a passkey. Fault: Invalid.
func readName(name string) (string, error) {
	var form core.Form
	name = form.Name("name", core.Input{Kind: core.TextInput, Text: name})
	if utf8.RuneCountInString(name) > maxPasskeyName {
		form.Fail("name", "field.max", maxPasskeyName)
	}
	return name, form.Err("access.readName")
}

// RenamePasskey returns one of the member's own passkeys another name. Faults: NotFound, Invalid.
func (s *Service) RenamePasskey(ctx context.Context, v app.Request, id core.ID, name string) (staff.Passkey, error) {
	name, err := readName(name)
	if err != nil {
		return staff.Passkey{}, err
	}
	return s.changePasskey(ctx, v, "renamePasskey", id, func(p staff.Passkey, _ core.AuditEntry) staff.Passkey { return p.Rename(name) })
}

// RemovePasskey takes one of the member's own passkeys away. Faults: NotFound, FactorRequired (the role demands a second
// factor, and this is the last).
func (s *Service) RemovePasskey(ctx context.Context, v app.Request, id core.ID) error {
	_, err := s.changePasskey(ctx, v, "removePasskey", id, func(p staff.Passkey, at core.AuditEntry) staff.Passkey { return p.Remove(at.At) })
	return err
}

func (s *Service) changePasskey(
	ctx context.Context, v app.Request, action string, id core.ID, decide func(staff.Passkey, core.AuditEntry) staff.Passkey,
) (changed staff.Passkey, err error) {
	const op = "access.changePasskey"
	err = s.change(ctx, v, action, func(f staff.Factors, passkeys []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		i := slices.IndexFunc(passkeys, func(p staff.Passkey) bool { return p.ID == id })
		if i < 0 {
			return core.Changeset{}, fault.New(op, fault.NotFound)
		}
		changed = decide(passkeys[i], at)
		change := core.Changeset{changed}
		isLast := !changed.RemovedAt.IsZero() && len(passkeys) == 1 && !f.HasTOTP()
		if isLast && s.isRequired(v.Staff.Role) {
			return core.Changeset{}, fault.New(op, fault.FactorRequired)
		}
		if isLast { // what there was to recover is gone
			change = append(change, f.WithRecoveryCodes(nil, at.At))
		}
		return change, nil
	})
	return changed, fault.E(op, "", err)
}

// BeginPasskeyStepUp asks for one of the member's own passkeys, for StepUp. Fault: NotFound (there is none).
func (s *Service) BeginPasskeyStepUp(ctx context.Context, v app.Request) (PasskeyAsk, error) {
	return s.ask(ctx, v.Staff, staff.Challenge{Kind: staff.PasskeyStepUpChallenge, StaffID: v.Staff.ID, SessionID: v.Session.ID})
}

func (s *Service) ask(ctx context.Context, m staff.Staff, c staff.Challenge) (PasskeyAsk, error) {
	const op = "access.ask"
	known, err := s.Store.PasskeysOf(ctx, m.ID)
	if err == nil && len(known) == 0 {
		err = fault.New(op, fault.NotFound)
	}
	if err != nil {
		return PasskeyAsk{}, err
	}
	request, err := s.Passkeys.BeginSignIn(ownerOf(m), known)
	if err != nil {
		return PasskeyAsk{}, fault.E(op, "", err)
	}
	c.State = request.State
	token, err := s.challenge(ctx, c)
	return PasskeyAsk{Challenge: token, Options: request.Options}, err
}

// BeginPasskeyLogin asks for a passkey: as the second factor of a challenge of Login, or, without one, to sign in with
// alone. Faults: ChallengeOver, NotFound (the member has no passkey), RateLimited.
func (s *Service) BeginPasskeyLogin(ctx context.Context, challenge string, from Origin) (PasskeyAsk, error) {
	const op = "access.BeginPasskeyLogin"
	if !s.Limiter.Take(ctx, "passkey:"+from.Place(), 1, passkeyAskRate).OK {
		return PasskeyAsk{}, fault.New(op, fault.RateLimited)
	}
	if challenge == "" {
		request, err := s.Passkeys.BeginSignIn(staff.PasskeyOwner{}, nil)
		if err != nil {
			return PasskeyAsk{}, fault.E(op, "", err)
		}
		token, err := s.challenge(ctx, staff.Challenge{Kind: staff.PasskeyLoginChallenge, State: request.State})
		return PasskeyAsk{Challenge: token, Options: request.Options}, err
	}
	c, err := s.answered(ctx, challenge, staff.LoginChallenge)
	if err != nil {
		return PasskeyAsk{}, err
	}
	m, err := s.asked(ctx, c)
	if err != nil {
		return PasskeyAsk{}, err
	}
	return s.ask(ctx, m, staff.Challenge{Kind: staff.PasskeyLoginChallenge, StaffID: m.ID})
}

// LoginWithPasskey signs in with a passkey's answer to BeginPasskeyLogin. A lock does not keep a passkey out: it cannot be
// guessed. Faults: BadCode, ChallengeOver, RateLimited.
func (s *Service) LoginWithPasskey(ctx context.Context, challenge, answer string, from Origin) (signIn SignIn, err error) {
	const op = "access.LoginWithPasskey"
	if s.isLockedOut(ctx, loginKey(from)) {
		return SignIn{}, fault.New(op, fault.RateLimited)
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		c, err := s.answered(ctx, challenge, staff.PasskeyLoginChallenge)
		if err != nil {
			return err
		}
		var m staff.Staff
		if c.StaffID != 0 {
			if m, err = s.asked(ctx, c); err != nil {
				return err
			}
		}
		change, err := s.passkeyUsed(ctx, m, c, answer, from)
		if err != nil {
			return err
		}
		if m, err = s.activeMember(ctx, core.RowsOf[staff.Passkey](change)[0].StaffID); err != nil {
			return err
		}
		signIn.Token, err = s.open(ctx, m, from, true, change)
		return err
	})
	return signIn, fault.E(op, "", s.counted(ctx, from, err))
}

// passkeyUsed returns what a right answer to a challenge changes: its passkey is in it. The zero member is whoever the passkey
// belongs to: then it must have verified who holds it. Fault: BadCode.
func (s *Service) passkeyUsed(ctx context.Context, m staff.Staff, c staff.Challenge, answer string, from Origin) (core.Changeset, error) {
	use, key, err := s.checkPasskey(ctx, m, c, answer)
	if fault.Is(err, fault.BadCode) {
		return core.Changeset{}, s.missed(ctx, m, c, from)
	}
	if err != nil {
		return core.Changeset{}, err
	}
	factors, err := s.Store.FactorsOf(ctx, key.StaffID)
	if err != nil {
		return core.Changeset{}, err
	}
	now := s.UnitOfWork.Clock.Now()
	change := core.Changeset{
		key.Use(use.Record, now),
		c.Use(now),
	}
	if after, changed := factors.Succeeded(from.Place(), now); changed {
		change = append(change, after)
	}
	return change, nil
}

func (s *Service) checkPasskey(ctx context.Context, m staff.Staff, c staff.Challenge, answer string) (staff.PasskeyUse, staff.Passkey, error) {
	const op = "access.checkPasskey"
	refused := fault.New(op, fault.BadCode)
	if len(answer) > maxAnswer {
		return staff.PasskeyUse{}, staff.Passkey{}, refused
	}
	id, err := s.Passkeys.CredentialOf(answer)
	if err != nil {
		return staff.PasskeyUse{}, staff.Passkey{}, err
	}
	key, err := s.Store.PasskeyByCredential(ctx, id)
	if fault.Is(err, fault.NotFound) || (err == nil && m.ID != 0 && key.StaffID != m.ID) {
		return staff.PasskeyUse{}, staff.Passkey{}, refused
	}
	if err != nil {
		return staff.PasskeyUse{}, staff.Passkey{}, err
	}
	owner, err := s.Store.StaffByID(ctx, key.StaffID)
	if err != nil {
		return staff.PasskeyUse{}, staff.Passkey{}, err
	}
	use, err := s.Passkeys.FinishSignIn(ownerOf(owner), key, c.State, answer)
	if err == nil && m.ID == 0 && !use.IsVerified {
		err = refused
	}
	return use, key, err
}
