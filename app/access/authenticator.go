// Package access is who calls the REST APIs: providers, dealers and site tokens, by their keys and signatures.
package access

import (
	"context"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/ports"
)

// maxClockSkew is how many seconds a request's timestamp may be from the server's clock, either way.
const maxClockSkew = 300

// maxHeaderBytes bounds each authentication header.
const maxHeaderBytes = 512

// maxPenalized bounds how many addresses are remembered as having failed too often.
const maxPenalized = 10_000

// Scheme says what stands between secret key and timestamp in an endpoint's hash.
type Scheme int

// Schemes.
const (
	Plain    Scheme = iota // E1: nothing
	Verified               // E2: the value of X-Key
	Site                   // E3 to E6 and third parties: the value of X-Credential-Key
	Tracked                // E8: nothing, or the tracking code of the body
)

// Call is what a request says of its caller.
type Call struct {
	APIKey, Hash, Timestamp string
	Scheme                  Scheme
	Key                     string // X-Key, X-Credential-Key or the tracking code, by the scheme
	Addr                    netip.Addr
	Signature               *Signature // nil: the request has none, and Hash counts
	Creates                 bool       // the call creates something
}

// Caller is an authenticated provider, with its site on endpoints of scheme Site.
type Caller struct {
	Provider owner.Provider
	Site     owner.Site

	oldKeys []owner.OldKeyUse
}

// Name names the caller in logs, idempotency keys and nonces.
func (c Caller) Name() string { return "provider/" + strconv.FormatInt(c.Provider.ID, 10) }

// Authenticator authenticates providers and bounds how often they call.
type Authenticator struct {
	UnitOfWork *app.UnitOfWork // keeps the nonces of what creates something
	Directory  ports.Directory
	Limiter    ports.Limiter
	Clock      ports.Clock
	Time       ports.TimeCheck // nil: the clock is always right
	Rate       core.Rate       // per API key
	FailRate   core.Rate       // of failed authentication, per core.PlaceOf the client's address
	// NoteOldKey is told of the first use of a key from before a rotation, maybe several times; nil: nobody is.
	NoteOldKey func(ctx context.Context, use owner.OldKeyUse)

	mu        sync.Mutex
	penalized map[string]time.Time // places, until when
}

// Authenticate runs the contract's checks in its order; the first failure answers. The Allowance is the API key's, for
// the RateLimit headers; of a failed authentication it is that of where it comes from. With a fault the Caller is blank but for the
// Language of the provider whose key was sent, so that it can be answered in it.
func (g *Authenticator) Authenticate(ctx context.Context, c Call) (Caller, core.Allowance, error) {
	const op = "access.Gate.Authenticate"
	if wait := g.penalty(core.PlaceOf(c.Addr)); wait > 0 {
		return Caller{}, core.Allowance{Limit: g.FailRate.Events, Retry: wait}, fault.New(op, fault.RateLimited)
	}
	caller, err := g.check(ctx, c)
	if err == nil {
		err = g.takeNonce(ctx, caller.Name(), c.Signature)
	}
	if err != nil {
		allowance, err := g.refused(ctx, c.Addr, fault.E(op, "", err))
		return caller.unknown(), allowance, err
	}
	allowance := core.Allowance{OK: true}
	if !g.Rate.IsOff() {
		allowance = g.Limiter.Take(ctx, "api:"+caller.Provider.APIKey, 1, g.Rate)
	}
	if !allowance.OK {
		return caller.unknown(), allowance, fault.New(op, fault.RateLimited)
	}
	if c.Creates {
		if err := g.useNonce(ctx, caller.Name(), c.Signature); err != nil {
			allowance, err := g.refused(ctx, c.Addr, fault.E(op, "", err))
			return caller.unknown(), allowance, err
		}
	}
	g.note(ctx, caller.oldKeys)
	return caller, allowance, nil
}

// refused counts a refusal unless it is the service's own fault.
func (g *Authenticator) refused(ctx context.Context, addr netip.Addr, cause error) (core.Allowance, error) {
	if code := fault.CodeOf(cause); code == fault.Unavailable || code == fault.Frozen || code == fault.Internal {
		return core.Allowance{}, cause
	}
	return g.failed(ctx, addr, cause)
}

// failed counts a failed authentication against where it comes from; beyond the rate whoever is there has to wait.
func (g *Authenticator) failed(ctx context.Context, addr netip.Addr, cause error) (core.Allowance, error) {
	if g.FailRate.IsOff() {
		return core.Allowance{OK: true}, cause
	}
	place := core.PlaceOf(addr)
	a := g.Limiter.Take(ctx, "fail:"+place, 1, g.FailRate)
	if a.OK {
		return a, cause
	}
	g.penalize(place, a.Retry)
	return a, fault.E("access.Gate.failed", fault.RateLimited, cause)
}

func (g *Authenticator) penalty(place string) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	until, ok := g.penalized[place]
	if !ok {
		return 0
	}
	wait := until.Sub(g.Clock.Now())
	if wait <= 0 {
		delete(g.penalized, place)
	}
	return wait
}

func (g *Authenticator) penalize(place string, wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.penalized == nil || len(g.penalized) >= maxPenalized {
		g.penalized = make(map[string]time.Time)
	}
	g.penalized[place] = g.Clock.Now().Add(wait)
}

// mayServe reports whether timestamps can be judged: by a wrong clock good requests would be refused, and their senders after
// a few of them. While the installation is frozen nobody is served: it may not know payments of which callers were told already, and
// what they create again might be paid twice. Faults: Unavailable, Frozen.
func (g *Authenticator) mayServe() error {
	const op = "access.Gate.mayServe"
	if g.Time != nil {
		if err := g.Time.Check(); err != nil {
			return fault.E(op, "", err)
		}
	}
	return fault.E(op, "", g.UnitOfWork.MayMove())
}

func (g *Authenticator) check(ctx context.Context, c Call) (Caller, error) {
	const op = "access.Gate.check"
	if err := g.mayServe(); err != nil {
		return Caller{}, err
	}
	isSigned := c.Hash != "" || c.Signature != nil
	if c.APIKey == "" || !isSigned || c.Timestamp == "" || (c.Scheme == Verified && c.Key == "") {
		err := fault.New(op, fault.MissingHeaders)
		if c.Scheme == Verified && c.Key == "" {
			return Caller{}, missing(err, "X-Api-Key", c.APIKey, "X-Timestamp", c.Timestamp, "X-Hash", hashOr(c.Hash, c.Signature), "X-Key", "")
		}
		return Caller{}, missing(err, "X-Api-Key", c.APIKey, "X-Timestamp", c.Timestamp, "X-Hash", hashOr(c.Hash, c.Signature))
	}
	provider, err := g.providerOf(ctx, c.APIKey)
	if err != nil {
		return Caller{}, err
	}
	caller, now := Caller{Provider: provider}, g.Clock.Now()
	if err := g.checkTimestamp(c.Timestamp, now); err != nil {
		return caller.unknown(), fault.E(op, "", err)
	}
	used, err := signedBy(c, provider, now)
	if err != nil {
		return caller.unknown(), err
	}
	caller.oldKeys = oldUses(owner.OldKeyUse{ProviderID: provider.ID}, used...)
	if !provider.IsActive {
		return caller.unknown(), fault.New(op, fault.ProviderInactive)
	}
	if !owner.AllowsAddr(provider.IPWhitelist, c.Addr) {
		return caller.unknown(), fault.New(op, fault.AddressNotAllowed)
	}
	if c.Scheme != Site {
		return caller, nil
	}
	site, old, err := g.siteOf(ctx, provider, c.Key)
	if err != nil {
		return caller.unknown(), err
	}
	caller.Site, caller.oldKeys = site, append(caller.oldKeys, old...)
	return caller, nil
}

// unknown forgets who calls, but not in which language to refuse.
func (c Caller) unknown() Caller {
	return Caller{Provider: owner.Provider{Language: c.Provider.Language}}
}

func (g *Authenticator) providerOf(ctx context.Context, apiKey string) (owner.Provider, error) {
	const op = "access.Gate.providerOf"
	if len(apiKey) > maxHeaderBytes || !core.IsCleanText(apiKey) {
		return owner.Provider{}, unknownKey(op, apiKey, core.ProviderAPIKey)
	}
	p, err := g.Directory.ProviderByAPIKey(ctx, apiKey)
	isOver := err == nil && p.APIKey != apiKey && !p.PreviousAPIKey.Takes(apiKey, g.Clock.Now())
	if isOver || fault.Is(err, fault.NotFound) {
		return owner.Provider{}, unknownKey(op, apiKey, core.ProviderAPIKey)
	}
	return p, err
}

// SiteOf finds the site of a credential key that came in a body (E7), the last check of authentication there: a key
// that is not the provider's counts against the address, whose Allowance is given then. Faults: InvalidCredential,
// SiteInactive, RateLimited.
func (g *Authenticator) SiteOf(ctx context.Context, p owner.Provider, credential string, addr netip.Addr) (owner.Site, core.Allowance, error) {
	site, old, err := g.siteOf(ctx, p, credential)
	if code := fault.CodeOf(err); code == fault.InvalidCredential || code == fault.SiteInactive {
		allowance, err := g.failed(ctx, addr, err)
		return owner.Site{}, allowance, err
	}
	if err == nil {
		g.note(ctx, old)
	}
	return site, core.Allowance{OK: true}, err
}

// siteOf finds the site of a credential key, and whether that is one from before a rotation.
func (g *Authenticator) siteOf(ctx context.Context, p owner.Provider, credential string) (owner.Site, []owner.OldKeyUse, error) {
	const op = "access.Gate.siteOf"
	if credential == "" || len(credential) > maxHeaderBytes {
		err := fault.New(op, fault.InvalidCredential)
		if credential == "" {
			err = fault.Hinted(err, "hint.credential")
		}
		return owner.Site{}, nil, err
	}
	fingerprint := sign.Fingerprint(credential)
	s, err := g.Directory.SiteByCredential(ctx, fingerprint)
	isOld := err == nil && s.CredentialFingerprint != fingerprint
	isOver := isOld && !s.PreviousCredential.Takes(fingerprint, g.Clock.Now())
	if isOver || fault.Is(err, fault.NotFound) || (err == nil && s.ProviderID != p.ID) {
		return owner.Site{}, nil, fault.New(op, fault.InvalidCredential)
	}
	if err == nil && !s.IsActive {
		return owner.Site{}, nil, fault.New(op, fault.SiteInactive)
	}
	used := usedKey{owner.CredentialKind, s.PreviousCredential, isOld}
	return s, oldUses(owner.OldKeyUse{SiteID: s.ID}, used), err
}

// checkTimestamp takes Unix seconds, digits only, within maxClockSkew of now. After a freeze it takes none that a call to the lost
// database can have had: the restored one does not know which nonces and idempotency keys were used there, so that whoever has kept
// such a call could have it carried out once more. Faults: TimestampExpired, Frozen (to be signed again in some minutes).
func (g *Authenticator) checkTimestamp(timestamp string, now time.Time) error {
	const op = "access.Gate.checkTimestamp"
	seconds, err := strconv.ParseUint(timestamp, 10, 63)
	skew := now.Unix() - int64(seconds)
	if err != nil || len(timestamp) > 12 || skew > maxClockSkew || skew < -maxClockSkew {
		return whyNotFresh(fault.New(op, fault.TimestampExpired), timestamp, now)
	}
	if frozen := g.UnitOfWork.FrozenAt(); int64(seconds) <= frozen.Unix()+maxClockSkew {
		return fault.New(op, fault.Frozen)
	}
	return nil
}

// signedBy checks the signature with the secret key, or with the one before a rotation while its grace lasts, and X-Key where
// the provider has a verification key. It says which keys were old ones. Faults: those of signers.check.
func signedBy(c Call, p owner.Provider, now time.Time) ([]usedKey, error) {
	const op = "access.signedBy"
	isTooLong := len(c.Key) > maxHeaderBytes && c.Scheme != Tracked // whose key is of the body, which is bounded
	if len(c.Hash) > maxHeaderBytes || isTooLong {
		return nil, c.whyNotSigned(fault.New(op, fault.InvalidHash))
	}
	byOld, err := signers{p.SecretKey, p.PreviousSecret, p.SignatureMode}.check(c.Signature, c.isSignedWith, now)
	used := []usedKey{
		{owner.APIKeyKind, p.PreviousAPIKey, c.APIKey != p.APIKey}, {owner.SecretKeyKind, p.PreviousSecret, byOld},
	}
	if c.Scheme == Verified && !p.VerificationKey.IsZero() {
		isKey, isOld := p.VerificationKey.Equal(c.Key), p.PreviousVerification.Takes(c.Key, now)
		if err == nil && !isKey && !isOld {
			err = fault.Hinted(fault.New(op, fault.InvalidHash), "hint.key")
		}
		used = append(used, usedKey{owner.VerificationKind, p.PreviousVerification, isOld && !isKey})
	}
	if fault.Is(err, fault.InvalidHash) && len(fault.HintsOf(err)) == 0 {
		err = c.whyNotSigned(err)
	}
	return used, err
}

func (c Call) isSignedWith(secret core.Secret) bool {
	signed := sign.Matches(c.Hash, c.APIKey, secret.Reveal(), c.keyPart(), c.Timestamp)
	if c.Scheme == Tracked {
		plain := sign.Matches(c.Hash, c.APIKey, secret.Reveal(), "", c.Timestamp)
		signed = signed || plain
	}
	return signed
}

func (c Call) keyPart() string {
	if c.Scheme == Plain {
		return ""
	}
	return c.Key
}
