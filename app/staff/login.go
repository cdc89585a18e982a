package staff

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

// Rates of sign-in.
var (
	// loginFailRate bounds failed sign-ins for one email and for one address.
	loginFailRate = core.Rate{Events: 10, Per: time.Minute}
	// networkFailRate bounds failed sign-ins from all places of one network, but for those of members where they sign in from.
	networkFailRate = core.Rate{Events: 100, Per: time.Minute}
	// passkeyAskRate bounds how often an address that has proven nothing may ask for a passkey.
	passkeyAskRate = core.Rate{Events: 30, Per: time.Minute}
)

// SignIn is what came of a step of signing in: a session's bearer token, or a challenge that is to be answered with a
// second factor.
type SignIn struct {
	Token     string
	Challenge string
	Kinds     []staff.FactorKind
}

// Login checks email and password. Faults: BadLogin, RateLimited. A locked account is refused as a wrong password is: the
// answer never reports whether there is an account.
func (s *Service) Login(ctx context.Context, email, password string, from Origin) (SignIn, error) {
	const op = "access.Login"
	email = plainEmail(email)
	if s.isLockedOut(ctx, loginKey(from)) {
		return SignIn{}, fault.New(op, fault.RateLimited)
	}
	member, factors, err := s.find(ctx, email)
	if err != nil {
		return SignIn{}, fault.E(op, "", err)
	}
	isKnown := factors.Knows(from.Place())
	keys := []string{guessKey(email, isKnown), loginKey(from)}
	if s.isLockedOut(ctx, keys...) || !isKnown && !s.isNetworkWithin(ctx, from, s.Limiter.Peek) {
		return SignIn{}, fault.New(op, fault.RateLimited)
	}
	waiting := s.passwords.strangers
	if isKnown {
		waiting = s.passwords.known
	}
	factors, err = s.verify(ctx, member, waiting, password, from)
	isWithin := true
	if fault.Is(err, fault.BadLogin) {
		isWithin = s.count(ctx, keys...)
		isWithin = (isKnown || s.isNetworkWithin(ctx, from, s.takeOne)) && isWithin
	}
	// Asked again, because of any number of guesses made at once each found the limit unused before it was looked at.
	if !isWithin || (err == nil && s.isLockedOut(ctx, keys...)) {
		return SignIn{}, fault.New(op, fault.RateLimited)
	}
	if err != nil {
		return SignIn{}, fault.E(op, "", err)
	}
	now := s.UnitOfWork.Clock.Now()
	after, changed := factors.Succeeded(from.Place(), now)
	if !changed {
		after = factors.Touched(now)
	}
	signIn, err := s.enter(ctx, member, factors, after, from)
	if !fault.Is(err, fault.Conflict) {
		return signIn, err
	}
	// Somebody failed meanwhile, which stays counted, or the member has set a second factor up.
	err = s.UnitOfWork.Again(ctx, func() error {
		if factors, err = s.Store.FactorsOf(ctx, member.ID); err == nil {
			signIn, err = s.enter(ctx, member, factors, factors.Touched(now), from)
		}
		return err
	})
	return signIn, fault.E(op, "", err)
}

// enter goes on after the right password: with a challenge for who has a second factor, and with a session for others. That
// is saved together with their factors, so that no session of a password alone begins while one is set up, or while the password
// is changed, with which the sessions of before end. Fault: BadLogin (the password is not right any more).
func (s *Service) enter(ctx context.Context, m staff.Staff, factors, after staff.Factors, from Origin) (SignIn, error) {
	now, err := s.Store.StaffByID(ctx, m.ID) // read after the factors, which whatever changes it changes as well
	if err != nil {
		return SignIn{}, err
	}
	if !now.IsActive || now.PasswordHash != m.PasswordHash {
		return SignIn{}, fault.New("access.enter", fault.BadLogin)
	}
	passkeys, err := s.Store.PasskeysOf(ctx, m.ID)
	if err != nil {
		return SignIn{}, err
	}
	if kinds := factors.Kinds(len(passkeys)); len(kinds) > 0 {
		token, err := s.challenge(ctx, staff.Challenge{Kind: staff.LoginChallenge, StaffID: m.ID})
		return SignIn{Challenge: token, Kinds: kinds}, err
	}
	token, err := s.open(ctx, m, from, false, core.Changeset{after})
	return SignIn{Token: token}, err
}

func loginKey(from Origin) string { return "login:" + from.Place() }

// guessKey counts guesses for an email, those from places that its member signs in from apart: whoever guesses elsewhere does
// not keep the member out.
func guessKey(email string, isKnown bool) string {
	if isKnown {
		return "login:known:" + sign.Fingerprint(email)
	}
	return "login:" + sign.Fingerprint(email)
}

func (s *Service) isLockedOut(ctx context.Context, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return !s.Limiter.Peek(ctx, key, loginFailRate).OK })
}

// count counts a failure and reports whether it was within the rate.
func (s *Service) count(ctx context.Context, keys ...string) bool {
	isWithin := true
	for _, key := range keys {
		isWithin = s.Limiter.Take(ctx, key, 1, loginFailRate).OK && isWithin
	}
	return isWithin
}

// isNetworkWithin looks at, or counts, failures of all places of a network.
func (s *Service) isNetworkWithin(
	ctx context.Context, from Origin, ask func(context.Context, string, core.Rate) core.Allowance,
) bool {
	network := core.NetworkOf(from.Addr)
	return network == "" || ask(ctx, "login-from:"+network, networkFailRate).OK
}

func (s *Service) takeOne(ctx context.Context, key string, rate core.Rate) core.Allowance {
	return s.Limiter.Take(ctx, key, 1, rate)
}

// find returns the member of an email and how their sign-in goes; the zero ones where there is none.
func (s *Service) find(ctx context.Context, email string) (staff.Staff, staff.Factors, error) {
	var member staff.Staff
	if core.IsCleanText(email) && len(email) <= maxTokenBytes {
		found, err := s.Store.StaffByEmail(ctx, email)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return staff.Staff{}, staff.Factors{}, err
		}
		if err == nil {
			member = found
		}
	}
	factors, err := s.Store.FactorsOf(ctx, member.ID)
	return member, factors, err
}

// verify checks the password of a member, who is the zero one where there is none. Whatever is wrong, the same things are
// done in the same order: the time of an answer must not tell what it was. It waits for one of the slots.
func (s *Service) verify(ctx context.Context, member staff.Staff, in slots, password string, from Origin) (staff.Factors, error) {
	const op = "access.verify"
	if len(password) > maxPasswordBytes {
		return staff.Factors{}, fault.New(op, fault.BadLogin)
	}
	encoded := decoy
	if member.ID != 0 {
		encoded = member.PasswordHash.Reveal()
	}
	ok, err := in.match(ctx, password, encoded)
	if err != nil {
		return staff.Factors{}, fault.E(op, "", err)
	}
	factors, err := s.Store.FactorsOf(ctx, member.ID) // again: others may have failed while the password was hashed
	switch {
	case err != nil:
		return staff.Factors{}, fault.E(op, "", err)
	case ok && member.ID != 0 && member.IsActive && !factors.LockAt(from.Place()).IsOn(s.UnitOfWork.Clock.Now()):
		return factors, nil
	}
	err = s.UnitOfWork.Again(ctx, func() error { return s.failed(ctx, member, from, core.Changeset{}) })
	if err != nil {
		return staff.Factors{}, fault.E(op, "", err)
	}
	return staff.Factors{}, fault.New(op, fault.BadLogin)
}

// failed counts a wrong password or code for a member, and locks the account there after too many. The zero member is one that
// there is not: its failure is only recorded. What belongs to it is committed with it.
func (s *Service) failed(ctx context.Context, member staff.Staff, from Origin, with core.Changeset) error {
	target := targetOf(member)
	if member.ID == 0 {
		target = "staff/unknown" // not the email, for people type their passwords there
	}
	by := core.Actor{Kind: core.BySystem, Name: "sign-in", Addr: from.addr()}
	factors, err := s.Store.FactorsOf(ctx, member.ID)
	if err != nil {
		return err
	}
	audit, err := s.record(by, "loginFailed", target)
	if err != nil {
		return err
	}
	if member.ID != 0 && !factors.LockAt(from.Place()).IsOn(audit.At) {
		factors = factors.Failed(from.Place(), audit.At)
		with = append(with, factors)
		if lock := factors.LockAt(from.Place()); lock.IsOn(audit.At) {
			audit.Action, audit.Reason = "lockStaff", "until "+lock.Until.Format(time.RFC3339)
		}
	}
	with = append(with, audit)
	return s.UnitOfWork.Commit(ctx, with)
}

// open makes a session and gives its token. What belongs to the sign-in is committed with it.
func (s *Service) open(ctx context.Context, m staff.Staff, from Origin, withFactor bool, with core.Changeset) (string, error) {
	const op = "access.open"
	token, err := core.NewKey(core.StaffSessionKey, s.UnitOfWork.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	session := staff.Session{
		ID: ids.Next(), Version: 1, Fingerprint: sign.Fingerprint(token), StaffID: m.ID, Address: from.addr(),
		UserAgent: from.agent(), HasSecondFactor: withFactor, CreatedAt: now, LastSeenAt: now, ProvenAt: now,
		ExpiresAt: now.Add(staff.SessionLife),
	}
	audit := core.AuditEntry{ID: ids.Next(), At: now, Actor: m.Actor(from.addr()), Action: "login", Target: targetOf(m)}
	if err := s.UnitOfWork.CommitFor(ctx, app.Request{Staff: m, Addr: from.addr()}, with.Merge(core.Changeset{session, audit})); err != nil {
		return "", fault.E(op, "", err)
	}
	s.trim(ctx, m.ID)
	return token, nil
}

// challenge keeps the next step of signing in and gives its token.
func (s *Service) challenge(ctx context.Context, c staff.Challenge) (string, error) {
	const op = "access.challenge"
	token, err := core.NewKey(staff.ChallengeKey, s.UnitOfWork.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	now := s.UnitOfWork.Clock.Now()
	c.Fingerprint, c.Version, c.CreatedAt, c.ExpiresAt = sign.Fingerprint(token), 1, now, now.Add(staff.ChallengeLife)
	return token, s.UnitOfWork.Commit(ctx, core.Changeset{c})
}

// answered finds a challenge that may be answered. Fault: ChallengeOver.
func (s *Service) answered(ctx context.Context, token string, kind staff.ChallengeKind) (staff.Challenge, error) {
	const op = "access.answered"
	if token == "" || len(token) > maxTokenBytes {
		return staff.Challenge{}, fault.New(op, fault.ChallengeOver)
	}
	c, err := s.Store.ChallengeByFingerprint(ctx, sign.Fingerprint(token))
	c.ExpiresAt = s.UnitOfWork.EndsAt(c.CreatedAt, c.ExpiresAt)
	if fault.Is(err, fault.NotFound) || (err == nil && !c.IsOpen(kind, s.UnitOfWork.Clock.Now())) {
		return staff.Challenge{}, fault.New(op, fault.ChallengeOver)
	}
	return c, err
}

// activeMember finds the member whom a step of signing in is about. Fault: ChallengeOver.
func (s *Service) activeMember(ctx context.Context, id int64) (staff.Staff, error) {
	m, err := s.Store.StaffByID(ctx, id)
	if fault.Is(err, fault.NotFound) || (err == nil && !m.IsActive) {
		return staff.Staff{}, fault.New("access.activeMember", fault.ChallengeOver)
	}
	return m, err
}

// asked finds the member whom a challenge was made for. One that was changed since, as by a new password, signs in anew. Fault:
// ChallengeOver.
func (s *Service) asked(ctx context.Context, c staff.Challenge) (staff.Staff, error) {
	m, err := s.activeMember(ctx, c.StaffID)
	if err == nil && m.UpdatedAt.After(c.CreatedAt) {
		return staff.Staff{}, fault.New("access.asked", fault.ChallengeOver)
	}
	return m, err
}

// maxCode bounds a code, in bytes.
const maxCode = 64

// LoginWithCode answers a challenge of Login with a code of the authenticator app or a recovery code. Faults: BadCode,
// ChallengeOver, RateLimited.
func (s *Service) LoginWithCode(ctx context.Context, challenge, code string, from Origin) (signIn SignIn, err error) {
	const op = "access.LoginWithCode"
	if s.isLockedOut(ctx, loginKey(from)) {
		return SignIn{}, fault.New(op, fault.RateLimited)
	}
	err = s.UnitOfWork.Again(ctx, func() error {
		c, err := s.answered(ctx, challenge, staff.LoginChallenge)
		if err != nil {
			return err
		}
		m, err := s.asked(ctx, c)
		if err != nil {
			return err
		}
		after, kind, err := s.useCode(ctx, m, code, from)
		if fault.Is(err, fault.BadCode) {
			return s.missed(ctx, m, c, from)
		}
		if err != nil {
			return err
		}
		now := s.UnitOfWork.Clock.Now()
		change := core.Changeset{after, c.Use(now)}
		if kind == staff.RecoveryFactor {
			audit, err := s.record(m.Actor(from.addr()), "useRecoveryCode", targetOf(m))
			if err != nil {
				return err
			}
			change = append(change, audit)
		}
		signIn.Token, err = s.open(ctx, m, from, true, change)
		return err
	})
	return signIn, fault.E(op, "", s.counted(ctx, from, err))
}

// counted counts a wrong code or passkey against its address.
func (s *Service) counted(ctx context.Context, from Origin, err error) error {
	if fault.Is(err, fault.BadCode) && !s.count(ctx, loginKey(from)) {
		return fault.New("access.counted", fault.RateLimited)
	}
	return err
}

// useCode finds the factors after a code counted. Fault: BadCode, also while the account is locked.
func (s *Service) useCode(ctx context.Context, m staff.Staff, code string, from Origin) (staff.Factors, staff.FactorKind, error) {
	const op = "access.useCode"
	factors, err := s.Store.FactorsOf(ctx, m.ID)
	if err != nil {
		return staff.Factors{}, "", err
	}
	now := s.UnitOfWork.Clock.Now()
	if len(code) > maxCode || factors.LockAt(from.Place()).IsOn(now) {
		return staff.Factors{}, "", fault.New(op, fault.BadCode)
	}
	after, kind, ok := factors.UsedUntil(s.UnitOfWork.FrozenAt()).Use(code, from.Place(), now)
	if !ok {
		return staff.Factors{}, "", fault.New(op, fault.BadCode)
	}
	return after, kind, nil
}

// missed counts a wrong answer to a challenge. Fault: BadCode.
func (s *Service) missed(ctx context.Context, m staff.Staff, c staff.Challenge, from Origin) error {
	if err := s.failed(ctx, m, from, core.Changeset{c.Missed()}); err != nil {
		return err
	}
	return fault.New("access.missed", fault.BadCode)
}
