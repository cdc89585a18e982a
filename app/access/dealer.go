package access

import (
	"context"
	"net/netip"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/sign"
)

// DealerCall is what a request to the dealer API says of its caller: a dealer's key, or one of its site tokens.
type DealerCall struct {
	APIKey, SiteToken, Hash, Timestamp string
	TakesSiteTokens                    bool // the endpoint is one of D1, D2, D3 and D8
	Addr                               netip.Addr
	Signature                          *Signature // nil: the request has none, and Hash counts
	Creates                            bool       // the call creates something
}

// DealerCaller is an authenticated dealer. Token is blank where the dealer's own key was used.
type DealerCaller struct {
	Dealer owner.Dealer
	Token  owner.SiteToken

	oldKeys []owner.OldKeyUse
}

// Name names the caller in logs, idempotency keys and nonces.
func (c DealerCaller) Name() string {
	if c.Token.ID != 0 {
		return "site_token/" + strconv.FormatInt(c.Token.ID, 10)
	}
	return "dealer/" + strconv.FormatInt(c.Dealer.ID, 10)
}

// Actor is the caller as the one who acts.
func (c DealerCaller) Actor(addr string) core.Actor {
	a := c.Dealer.Actor(addr)
	if c.Token.ID != 0 {
		a.Name += ", site " + c.Token.Name
	}
	return a
}

// AuthenticateDealer runs the checks of Authenticate for a dealer. A key of a provider is no key of a dealer.
func (g *Authenticator) AuthenticateDealer(ctx context.Context, c DealerCall) (DealerCaller, core.Allowance, error) {
	const op = "access.Gate.AuthenticateDealer"
	if wait := g.penalty(core.PlaceOf(c.Addr)); wait > 0 {
		return DealerCaller{}, core.Allowance{Limit: g.FailRate.Events, Retry: wait}, fault.New(op, fault.RateLimited)
	}
	caller, err := g.checkDealer(ctx, c)
	if err == nil {
		err = g.takeNonce(ctx, caller.Name(), c.Signature)
	}
	if err != nil {
		allowance, err := g.refused(ctx, c.Addr, fault.E(op, "", err))
		return DealerCaller{}, allowance, err
	}
	allowance := core.Allowance{OK: true}
	if !g.Rate.IsOff() {
		allowance = g.Limiter.Take(ctx, "api:"+caller.key(), 1, g.Rate)
	}
	switch {
	case !allowance.OK:
		return DealerCaller{}, allowance, fault.New(op, fault.RateLimited)
	case caller.Token.ID != 0 && !c.TakesSiteTokens:
		return DealerCaller{}, allowance, fault.New(op, fault.SiteTokenRefused)
	}
	if c.Creates {
		if err := g.useNonce(ctx, caller.Name(), c.Signature); err != nil {
			allowance, err := g.refused(ctx, c.Addr, fault.E(op, "", err))
			return DealerCaller{}, allowance, err
		}
	}
	g.note(ctx, caller.oldKeys)
	return caller, allowance, nil
}

func (g *Authenticator) checkDealer(ctx context.Context, c DealerCall) (DealerCaller, error) {
	const op = "access.Gate.checkDealer"
	if err := g.mayServe(); err != nil {
		return DealerCaller{}, err
	}
	isSigned := c.Hash != "" || c.Signature != nil
	if c.APIKey+c.SiteToken == "" || !isSigned || c.Timestamp == "" {
		return DealerCaller{}, missing(fault.New(op, fault.MissingHeaders),
			"X-Api-Key", c.APIKey+c.SiteToken, "X-Timestamp", c.Timestamp, "X-Hash", hashOr(c.Hash, c.Signature))
	}
	caller, keys, err := g.dealerOf(ctx, c)
	if err != nil {
		return DealerCaller{}, err
	}
	now := g.Clock.Now()
	if err := g.checkTimestamp(c.Timestamp, now); err != nil {
		return DealerCaller{}, fault.E(op, "", err)
	}
	byOld, err := keys.check(c, now)
	switch {
	case err != nil:
		return DealerCaller{}, err
	case !caller.Dealer.IsActive:
		return DealerCaller{}, fault.New(op, fault.DealerInactive)
	case !owner.AllowsAddr(caller.Dealer.IPWhitelist, c.Addr):
		return DealerCaller{}, fault.New(op, fault.AddressNotAllowed)
	}
	caller.oldKeys = oldUses(keys.owner, usedKey{keys.kind, keys.previous, keys.sent != keys.present},
		usedKey{owner.SecretKeyKind, keys.previousSecret, byOld})
	return caller, nil
}

// key is what the caller is known by now, whichever of its keys was sent.
func (c DealerCaller) key() string {
	if c.Token.ID != 0 {
		return c.Token.Token
	}
	return c.Dealer.APIKey
}

// dealerKeys are the keys of whoever calls: a dealer's, or one of its site tokens'.
type dealerKeys struct {
	owner                    owner.OldKeyUse
	kind                     owner.KeyKind
	sent, present            string
	secret                   core.Secret
	previous, previousSecret owner.PreviousKey
	mode                     owner.SignatureMode
}

// check checks the signature with the secret key, or with the one before a rotation while its grace lasts. Faults: those of
// signers.check.
func (k dealerKeys) check(c DealerCall, now time.Time) (byOld bool, err error) {
	formula := dealerFormula
	if k.kind == owner.TokenKind {
		formula = siteTokenFormula
	}
	if len(c.Hash) > maxHeaderBytes {
		err = fault.New("access.dealerKeys.check", fault.InvalidHash)
	} else {
		byOld, err = signers{k.secret, k.previousSecret, k.mode}.check(c.Signature, func(secret core.Secret) bool {
			return sign.Matches(c.Hash, k.sent, secret.Reveal(), c.Timestamp)
		}, now)
	}
	if fault.Is(err, fault.InvalidHash) {
		err = whyNoHash(fault.Hinted(err, "hint.formula", formula), c.Hash)
	}
	return byOld, err
}

// dealerOf finds who calls, and the keys that the hash may be made with. The dealer's own key counts when both are sent.
func (g *Authenticator) dealerOf(ctx context.Context, c DealerCall) (caller DealerCaller, keys dealerKeys, err error) {
	if c.APIKey != "" {
		if err = knowable(c.APIKey); err == nil {
			caller.Dealer, err = g.Directory.DealerByAPIKey(ctx, c.APIKey)
		}
		d := caller.Dealer
		keys = dealerKeys{
			owner.OldKeyUse{DealerID: d.ID}, owner.APIKeyKind, c.APIKey, d.APIKey, d.SecretKey, d.PreviousAPIKey, d.PreviousSecret,
			d.SignatureMode,
		}
		return caller, keys, notFoundIsUnknown(g.taken(keys, err), c.APIKey, core.DealerAPIKey)
	}
	if err = knowable(c.SiteToken); err == nil {
		caller.Token, err = g.Directory.SiteTokenByToken(ctx, c.SiteToken)
	}
	t := caller.Token
	keys = dealerKeys{
		owner.OldKeyUse{SiteTokenID: t.ID}, owner.TokenKind, c.SiteToken, t.Token, t.SecretKey, t.PreviousToken, t.PreviousSecret,
		t.SignatureMode,
	}
	if err = g.taken(keys, err); err == nil && !t.IsActive {
		err = fault.New("access.Gate.dealerOf", fault.NotFound)
	}
	if err == nil {
		caller.Dealer, err = g.Directory.Dealer(ctx, t.DealerID)
	}
	return caller, keys, notFoundIsUnknown(err, c.SiteToken, core.SiteTokenKey)
}

// taken refuses a key whose grace is over.
func (g *Authenticator) taken(k dealerKeys, err error) error {
	if err == nil && k.sent != k.present && !k.previous.Takes(k.sent, g.Clock.Now()) {
		return fault.New("access.Gate.taken", fault.NotFound)
	}
	return err
}

func knowable(key string) error {
	if len(key) > maxHeaderBytes || !core.IsCleanText(key) {
		return fault.New("access.knowable", fault.NotFound)
	}
	return nil
}

func notFoundIsUnknown(err error, sent string, prefix core.KeyPrefix) error {
	if fault.Is(err, fault.NotFound) {
		return unknownKey("access.dealerOf", sent, prefix)
	}
	return err
}
