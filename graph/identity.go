package graph

import (
	"context"
	"time"

	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
)

// loginOf makes a step of signing in, and shows what came of it. Whoever wants a cookie is shown no token.
func loginOf(ctx context.Context, step func(from appstaff.Origin) (appstaff.SignIn, error)) (*generated.LoginPayload, error) {
	who := callerOf(ctx)
	if err := who.checkCookie(); err != nil {
		return nil, err
	}
	s, err := step(who.origin())
	switch {
	case err != nil:
		return nil, err
	case s.Challenge != "":
		return &generated.LoginPayload{SecondFactor: &generated.SecondFactor{Challenge: s.Challenge, Kinds: s.Kinds}}, nil
	case who.cookie != nil:
		who.cookie.set(s.Token)
		return &generated.LoginPayload{}, nil
	default:
		return &generated.LoginPayload{Token: &s.Token}, nil
	}
}

func (m mutationResolver) Login(ctx context.Context, input generated.LoginInput) (*generated.LoginPayload, error) {
	return loginOf(ctx, func(from appstaff.Origin) (appstaff.SignIn, error) {
		return m.Staff.Login(ctx, input.Email, input.Password, from)
	})
}

func (m mutationResolver) LoginWithCode(ctx context.Context, input generated.LoginWithCodeInput) (*generated.LoginPayload, error) {
	return loginOf(ctx, func(from appstaff.Origin) (appstaff.SignIn, error) {
		return m.Staff.LoginWithCode(ctx, input.Challenge, input.Code, from)
	})
}

func (m mutationResolver) BeginPasskeyLogin(ctx context.Context, input *generated.BeginPasskeyLoginInput) (*appstaff.PasskeyAsk, error) {
	challenge := valueOf(valueOf(input).Challenge)
	ask, err := m.Staff.BeginPasskeyLogin(ctx, challenge, callerOf(ctx).origin())
	return &ask, err
}

func (m mutationResolver) LoginWithPasskey(ctx context.Context, input generated.LoginWithPasskeyInput) (*generated.LoginPayload, error) {
	return loginOf(ctx, func(from appstaff.Origin) (appstaff.SignIn, error) {
		return m.Staff.LoginWithPasskey(ctx, input.Challenge, input.Answer, from)
	})
}

func (m mutationResolver) AcceptInvitation(ctx context.Context, input generated.AcceptInvitationInput) (*generated.LoginPayload, error) {
	return loginOf(ctx, func(from appstaff.Origin) (appstaff.SignIn, error) {
		return m.Staff.AcceptInvitation(ctx, input.Token, input.Password, from)
	})
}

func (m mutationResolver) Logout(ctx context.Context) (*generated.SessionPayload, error) {
	who := callerOf(ctx)
	err := m.Staff.Logout(ctx, who.request)
	if err == nil && who.cookie != nil {
		who.cookie.clear()
	}
	return &generated.SessionPayload{Session: &who.request.Session}, err
}

func (m mutationResolver) StepUp(ctx context.Context, input generated.StepUpInput) (*generated.SessionPayload, error) {
	who := callerOf(ctx)
	proof := appstaff.Proof{Password: valueOf(input.Password), Code: valueOf(input.Code)}
	if input.Passkey != nil {
		proof.Challenge, proof.Answer = input.Passkey.Challenge, input.Passkey.Answer
	}
	session, err := m.Staff.StepUp(ctx, who.request, proof, who.origin())
	return &generated.SessionPayload{Session: &session}, err
}

func (m mutationResolver) BeginPasskeyStepUp(ctx context.Context) (*appstaff.PasskeyAsk, error) {
	ask, err := m.Staff.BeginPasskeyStepUp(ctx, callerOf(ctx).request)
	return &ask, err
}

func (m mutationResolver) BeginTotp(ctx context.Context) (*generated.BeginTotpPayload, error) {
	url, err := m.Staff.BeginTOTP(ctx, callerOf(ctx).request)
	return &generated.BeginTotpPayload{OtpauthURL: url}, err
}

// factorsAfter shows the factors of a member for whom one was added or taken away, and the recovery codes that were made.
func (m mutationResolver) factorsAfter(
	ctx context.Context, recovery []string, err error,
) (*generated.SecondFactorsPayload, error) {
	if err != nil {
		return nil, err
	}
	state, err := m.Staff.Factors(ctx, callerOf(ctx).request)
	return &generated.SecondFactorsPayload{SecondFactors: &state, RecoveryCodes: recovery}, err
}

func (m mutationResolver) ConfirmTotp(ctx context.Context, input generated.ConfirmTotpInput) (*generated.SecondFactorsPayload, error) {
	recovery, err := m.Staff.ConfirmTOTP(ctx, callerOf(ctx).request, input.Code)
	return m.factorsAfter(ctx, recovery, err)
}

func (m mutationResolver) RemoveTotp(ctx context.Context) (*generated.SecondFactorsPayload, error) {
	return m.factorsAfter(ctx, nil, m.Staff.RemoveTOTP(ctx, callerOf(ctx).request))
}

func (m mutationResolver) NewRecoveryCodes(ctx context.Context) (*generated.SecondFactorsPayload, error) {
	recovery, err := m.Staff.NewRecoveryCodes(ctx, callerOf(ctx).request)
	return m.factorsAfter(ctx, recovery, err)
}

func (m mutationResolver) BeginPasskey(ctx context.Context) (*appstaff.PasskeyAsk, error) {
	ask, err := m.Staff.BeginPasskey(ctx, callerOf(ctx).request)
	return &ask, err
}

func (m mutationResolver) FinishPasskey(ctx context.Context, input generated.FinishPasskeyInput) (*generated.SecondFactorsPayload, error) {
	_, recovery, err := m.Staff.FinishPasskey(ctx, callerOf(ctx).request, input.Challenge, input.Answer, input.Name)
	return m.factorsAfter(ctx, recovery, err)
}

func (m mutationResolver) RenamePasskey(ctx context.Context, input generated.RenamePasskeyInput) (*generated.PasskeyPayload, error) {
	renamed, err := m.Staff.RenamePasskey(ctx, callerOf(ctx).request, input.ID, input.Name)
	return &generated.PasskeyPayload{Passkey: &renamed}, err
}

func (m mutationResolver) RemovePasskey(ctx context.Context, input generated.RemovePasskeyInput) (*generated.SecondFactorsPayload, error) {
	return m.factorsAfter(ctx, nil, m.Staff.RemovePasskey(ctx, callerOf(ctx).request, input.ID))
}

func (m mutationResolver) ChangePassword(ctx context.Context, input generated.ChangePasswordInput) (*generated.SessionsPayload, error) {
	return m.sessionsAfter(ctx, m.Staff.ChangePassword(ctx, callerOf(ctx).request, input.Password))
}

func (q queryResolver) MySecondFactors(ctx context.Context) (*appstaff.FactorState, error) {
	state, err := q.Config.Staff.Factors(ctx, callerOf(ctx).request)
	return &state, err
}

func (q queryResolver) MySessions(ctx context.Context) ([]staff.Session, error) {
	return q.Config.Staff.Sessions(ctx, callerOf(ctx).request)
}

func (m mutationResolver) RevokeSession(ctx context.Context, input generated.RevokeSessionInput) (*generated.SessionsPayload, error) {
	return m.sessionsAfter(ctx, m.Staff.RevokeSession(ctx, callerOf(ctx).request, input.ID))
}

func (m mutationResolver) RevokeOtherSessions(ctx context.Context) (*generated.SessionsPayload, error) {
	return m.sessionsAfter(ctx, m.Staff.RevokeOtherSessions(ctx, callerOf(ctx).request))
}

func (m mutationResolver) sessionsAfter(ctx context.Context, err error) (*generated.SessionsPayload, error) {
	if err != nil {
		return nil, err
	}
	sessions, err := m.Staff.Sessions(ctx, callerOf(ctx).request)
	return &generated.SessionsPayload{Sessions: sessions}, err
}

func (sessionResolver) ProvenUntil(_ context.Context, s *staff.Session) (*time.Time, error) {
	return new(s.ProvenAt.Add(staff.StepUpLife)), nil
}

func (sessionResolver) IsCurrent(ctx context.Context, s *staff.Session) (bool, error) {
	return s.ID == callerOf(ctx).request.Session.ID, nil
}
