// Package passkey speaks WebAuthn with browsers, by github.com/go-webauthn/webauthn.
package passkey

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

var _ ports.Passkeys = (*Passkeys)(nil)

// Passkeys is the relying party. It keeps nothing.
type Passkeys struct{ party *webauthn.WebAuthn }

// New makes the relying party of an installation: its id is the host of the base URL, its origin is the base URL's.
func New(baseURL, name string) (*Passkeys, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("passkeys need a base URL with a host, not %q", baseURL)
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: name, RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("passkeys: %w", err)
	}
	return &Passkeys{party: party}, nil
}

// owner is a member with their passkeys, as the library wants it.
type owner struct {
	staff.PasskeyOwner
	known []webauthn.Credential
}

func (o owner) WebAuthnID() []byte                         { return handle(o.StaffID) }
func (o owner) WebAuthnName() string                       { return o.Email }
func (o owner) WebAuthnDisplayName() string                { return o.Email }
func (o owner) WebAuthnCredentials() []webauthn.Credential { return o.known }

// handle names a member to authenticators, which show it to nobody.
func handle(staffID int64) []byte { return []byte("staff/" + strconv.FormatInt(staffID, 10)) }

func ownerOf(o staff.PasskeyOwner, known ...staff.Passkey) (owner, error) {
	whole := owner{PasskeyOwner: o}
	for _, k := range known {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(k.Record), &c); err != nil {
			return owner{}, fmt.Errorf("a kept passkey cannot be read: %w", err)
		}
		whole.known = append(whole.known, c)
	}
	return whole, nil
}

// BeginRegistration implements ports.Passkeys.
func (p *Passkeys) BeginRegistration(o staff.PasskeyOwner, known []staff.Passkey) (staff.PasskeyRequest, error) {
	const op = "passkey.BeginRegistration"
	whole, err := ownerOf(o, known...)
	if err != nil {
		return staff.PasskeyRequest{}, fault.E(op, fault.Internal, err)
	}
	exclude := webauthn.Credentials(whole.known).CredentialDescriptors()
	creation, session, err := p.party.BeginRegistration(whole, webauthn.WithExclusions(exclude))
	if err != nil {
		return staff.PasskeyRequest{}, fault.E(op, fault.Internal, err)
	}
	return requestOf(op, creation.Response, session)
}

func requestOf(op string, options any, session *webauthn.SessionData) (staff.PasskeyRequest, error) {
	shown, err := json.Marshal(options)
	kept, err2 := json.Marshal(session)
	if err := errors.Join(err, err2); err != nil {
		return staff.PasskeyRequest{}, fault.E(op, fault.Internal, err)
	}
	return staff.PasskeyRequest{Options: string(shown), State: core.NewSecret(string(kept))}, nil
}

func sessionOf(state core.Secret) (session webauthn.SessionData, err error) {
	err = json.Unmarshal([]byte(state.Reveal()), &session)
	return session, err
}

// FinishRegistration implements ports.Passkeys.
func (p *Passkeys) FinishRegistration(o staff.PasskeyOwner, state core.Secret, answer string) (staff.PasskeyUse, error) {
	const op = "passkey.FinishRegistration"
	session, err := sessionOf(state)
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.Internal, err)
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.BadCode, err)
	}
	credential, err := p.party.CreateCredential(owner{PasskeyOwner: o}, session, parsed)
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.BadCode, err)
	}
	credential.Attestation = webauthn.CredentialAttestation{} // none is asked for, none is kept
	return useOf(op, credential)
}

func useOf(op string, c *webauthn.Credential) (staff.PasskeyUse, error) {
	record, err := json.Marshal(c)
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.Internal, err)
	}
	return staff.PasskeyUse{
		CredentialID: base64.RawURLEncoding.EncodeToString(c.ID), Record: string(record), IsVerified: c.Flags.UserVerified,
	}, nil
}

// BeginSignIn implements ports.Passkeys.
func (p *Passkeys) BeginSignIn(o staff.PasskeyOwner, known []staff.Passkey) (staff.PasskeyRequest, error) {
	const op = "passkey.BeginSignIn"
	if len(known) == 0 {
		assertion, session, err := p.party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
		if err != nil {
			return staff.PasskeyRequest{}, fault.E(op, fault.Internal, err)
		}
		return requestOf(op, assertion.Response, session)
	}
	whole, err := ownerOf(o, known...)
	if err != nil {
		return staff.PasskeyRequest{}, fault.E(op, fault.Internal, err)
	}
	assertion, session, err := p.party.BeginLogin(whole)
	if err != nil {
		return staff.PasskeyRequest{}, fault.E(op, fault.Internal, err)
	}
	return requestOf(op, assertion.Response, session)
}

// CredentialOf implements ports.Passkeys.
func (p *Passkeys) CredentialOf(answer string) (string, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return "", fault.E("passkey.CredentialOf", fault.BadCode, err)
	}
	return base64.RawURLEncoding.EncodeToString(parsed.RawID), nil
}

// FinishSignIn implements ports.Passkeys.
func (p *Passkeys) FinishSignIn(o staff.PasskeyOwner, key staff.Passkey, state core.Secret, answer string) (staff.PasskeyUse, error) {
	const op = "passkey.FinishSignIn"
	session, err := sessionOf(state)
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.Internal, err)
	}
	whole, err := ownerOf(o, key)
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.Internal, err)
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.BadCode, err)
	}
	credential, err := p.validate(whole, key, session, parsed)
	if err != nil {
		return staff.PasskeyUse{}, fault.E(op, fault.BadCode, err)
	}
	if credential.Authenticator.CloneWarning {
		return staff.PasskeyUse{}, fault.E(op, fault.BadCode, errors.New("the signature counter went back"))
	}
	return useOf(op, credential)
}

// validate checks an answer. The library compares the keys that were allowed with those of the owner; here the owner comes
// with the one that answers, which must be one of the allowed.
func (p *Passkeys) validate(
	o owner, key staff.Passkey, session webauthn.SessionData, parsed *protocol.ParsedCredentialAssertionData,
) (*webauthn.Credential, error) {
	if len(session.UserID) == 0 {
		of := func(_, _ []byte) (webauthn.User, error) { return o, nil } // the library compares the user handle
		return p.party.ValidateDiscoverableLogin(of, session, parsed)
	}
	isAllowed := false
	for _, id := range session.AllowedCredentialIDs {
		isAllowed = isAllowed || base64.RawURLEncoding.EncodeToString(id) == key.CredentialID
	}
	if !isAllowed {
		return nil, errors.New("another passkey was asked for")
	}
	session.AllowedCredentialIDs = [][]byte{o.known[0].ID}
	return p.party.ValidateLogin(o, session, parsed)
}
