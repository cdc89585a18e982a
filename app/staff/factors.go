package staff

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// FactorState is what a member has to prove themself with.
type FactorState struct {
	HasTOTP           bool
	RecoveryCodesLeft int // how many are left
	Passkeys          []staff.Passkey
	IsRequired        bool // by the role
	IsLocked          bool
}

// Factors returns the member's own.
func (s *Service) Factors(ctx context.Context, v app.Request) (FactorState, error) {
	return s.factorState(ctx, v.Staff)
}

// FactorsFor returns those of any member.
func (s *Service) FactorsFor(ctx context.Context, v app.Request, m staff.Staff) (FactorState, error) {
	if err := v.Staff.Require(staff.ReadStaff); err != nil && v.Staff.ID != m.ID {
		return FactorState{}, err
	}
	return s.factorState(ctx, m)
}

func (s *Service) factorState(ctx context.Context, m staff.Staff) (FactorState, error) {
	factors, passkeys, err := factorsOf(ctx, s.Store, m.ID)
	return FactorState{
		HasTOTP: factors.HasTOTP(), RecoveryCodesLeft: len(factors.RecoveryCodes), Passkeys: passkeys,
		IsRequired: s.isRequired(m.Role), IsLocked: factors.IsLocked(s.UnitOfWork.Clock.Now()),
	}, err
}

// provenOwn returns the member's own factors to a session that has proven lately whose it is: who knows no more than the password
// changes nothing of them. Fault: StepUpRequired.
func (s *Service) provenOwn(ctx context.Context, v app.Request) (staff.Factors, []staff.Passkey, error) {
	if err := s.CheckProven(ctx, v); err != nil {
		return staff.Factors{}, nil, err
	}
	return factorsOf(ctx, s.Store, v.Staff.ID)
}

// change is one decision about the member's own factors: it is made anew after a lost race. Fault: StepUpRequired.
func (s *Service) change(
	ctx context.Context, v app.Request, action string,
	decide func(f staff.Factors, passkeys []staff.Passkey, at core.AuditEntry) (core.Changeset, error),
) error {
	return s.UnitOfWork.Again(ctx, func() error {
		factors, passkeys, err := s.provenOwn(ctx, v)
		if err != nil {
			return err
		}
		return s.commit(ctx, v, action, targetOf(v.Staff), func(audit *core.AuditEntry) (core.Changeset, error) {
			return decide(factors, passkeys, *audit)
		})
	})
}

// BeginTOTP makes a secret and gives it once, as the URL that an authenticator app reads. It counts from ConfirmTOTP on;
// what was set up before goes on until then.
func (s *Service) BeginTOTP(ctx context.Context, v app.Request) (url string, err error) {
	const op = "access.BeginTOTP"
	secret, err := staff.NewTOTPSecret(s.UnitOfWork.Random)
	if err != nil {
		return "", fault.E(op, fault.Internal, err)
	}
	err = s.change(ctx, v, "beginTotp", func(f staff.Factors, _ []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		return core.Changeset{f.BeginTOTP(secret, at.At)}, nil
	})
	if err != nil {
		return "", fault.E(op, "", err)
	}
	return staff.TOTPURL(secret, s.Issuer, v.Staff.Email), nil
}

// ConfirmTOTP takes the authenticator app into use with its first code. It gives recovery codes, once, unless the member
// has some. Fault: BadCode.
func (s *Service) ConfirmTOTP(ctx context.Context, v app.Request, code string) (recovery []string, err error) {
	const op = "access.ConfirmTOTP"
	err = s.change(ctx, v, "confirmTotp", func(f staff.Factors, _ []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		if len(code) > maxCode {
			return core.Changeset{}, fault.New(op, fault.BadCode)
		}
		var err error
		if recovery, err = s.firstCodes(f); err != nil {
			return core.Changeset{}, err
		}
		after, ok := f.ConfirmTOTP(code, recovery, at.At)
		if !ok {
			return core.Changeset{}, fault.New(op, fault.BadCode)
		}
		change, err := s.proven(ctx, v, at)
		change = append(change, after)
		return change, err
	})
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	return recovery, nil
}

// proven is the session after a second factor was proven in it. The member's other sessions that a password alone began end:
// whoever has one of them may know no more than that.
func (s *Service) proven(ctx context.Context, v app.Request, at core.AuditEntry) (core.Changeset, error) {
	session, _, err := s.Store.SessionByFingerprint(ctx, v.Session.Fingerprint)
	if err != nil {
		return core.Changeset{}, err
	}
	all, err := s.live(ctx, v.Staff.ID)
	change := core.Changeset{session.Prove(at.At, true)}
	for _, x := range all {
		if x.ID != session.ID && !x.HasSecondFactor {
			change = append(change, x.Revoke(at.At))
		}
	}
	return change, err
}

// firstCodes makes recovery codes for a member who has none.
func (s *Service) firstCodes(f staff.Factors) ([]string, error) {
	if len(f.RecoveryCodes) > 0 {
		return nil, nil
	}
	codes, err := staff.NewRecoveryCodes(s.UnitOfWork.Random)
	if err != nil {
		return nil, fault.E("access.firstCodes", fault.Internal, err)
	}
	return codes, nil
}

// RemoveTOTP takes the authenticator app away. Fault: FactorRequired (the role demands a second factor, and this is the
// last).
func (s *Service) RemoveTOTP(ctx context.Context, v app.Request) error {
	return s.change(ctx, v, "removeTotp", func(f staff.Factors, passkeys []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		if len(passkeys) == 0 && f.HasTOTP() && s.isRequired(v.Staff.Role) {
			return core.Changeset{}, fault.New("access.RemoveTOTP", fault.FactorRequired)
		}
		return core.Changeset{f.RemoveTOTP(len(passkeys), at.At)}, nil
	})
}

// NewRecoveryCodes replaces the recovery codes and gives them once. Fault: FactorRequired (there is nothing to recover).
func (s *Service) NewRecoveryCodes(ctx context.Context, v app.Request) (codes []string, err error) {
	const op = "access.NewRecoveryCodes"
	err = s.change(ctx, v, "newRecoveryCodes", func(f staff.Factors, passkeys []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		if !f.HasTOTP() && len(passkeys) == 0 {
			return core.Changeset{}, fault.New(op, fault.FactorRequired)
		}
		codes, err = staff.NewRecoveryCodes(s.UnitOfWork.Random)
		if err != nil {
			return core.Changeset{}, fault.E(op, fault.Internal, err)
		}
		return core.Changeset{f.WithRecoveryCodes(codes, at.At)}, nil
	})
	return codes, fault.E(op, "", err)
}

// ChangePassword sets the member's own password; other sessions end.
func (s *Service) ChangePassword(ctx context.Context, v app.Request, password string) error {
	const op = "access.ChangePassword"
	var form core.Form
	checkPassword(&form, password, v.Staff.Email)
	if err := form.Err(op); err != nil {
		return err
	}
	if _, _, err := s.provenOwn(ctx, v); err != nil {
		return fault.E(op, "", err)
	}
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return fault.E(op, "", err)
	}
	return s.change(ctx, v, "changePassword", func(f staff.Factors, _ []staff.Passkey, at core.AuditEntry) (core.Changeset, error) {
		m, err := s.Store.StaffByID(ctx, v.Staff.ID)
		if err != nil {
			return core.Changeset{}, err
		}
		m.Version++
		m.PasswordHash, m.UpdatedAt = core.NewSecret(hash), at.At
		change, err := s.ended(ctx, m.ID, v.Session.ID, at)
		return append(change, m, f.Touched(at.At)), err // a sign-in that goes on with the old password loses the race
	})
}
