package access

import (
	"context"
	"net/netip"
	"strconv"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
)

// DealerCall is what a request to the dealer API says of its caller: a dealer's key, or one of its site tokens.
type DealerCall struct {
	APIKey, SiteToken, Hash, Timestamp string
	TakesSiteTokens                    bool // the endpoint is one of D1, D2, D3 and D8
	Addr                               netip.Addr
}

// DealerCaller is an authenticated dealer. Token is blank where the dealer's own key was used.
type DealerCaller struct {
	Dealer core.Dealer
	Token  core.SiteToken
}

// Name names the caller in logs and idempotency keys.
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
func (g *Gate) AuthenticateDealer(ctx context.Context, c DealerCall) (DealerCaller, core.Allowance, error) {
	const op = "access.Gate.AuthenticateDealer"
	if wait := g.penalty(c.Addr); wait > 0 {
		return DealerCaller{}, core.Allowance{Limit: g.FailRate.Events, Retry: wait}, fault.New(op, fault.RateLimited)
	}
	caller, err := g.checkDealer(ctx, c)
	if code := fault.CodeOf(err); code == fault.Unavailable || code == fault.Internal {
		return DealerCaller{}, core.Allowance{}, fault.E(op, "", err)
	}
	if err != nil {
		allowance, err := g.failed(ctx, c.Addr, fault.E(op, "", err))
		return DealerCaller{}, allowance, err
	}
	allowance := core.Allowance{OK: true}
	if !g.Rate.IsOff() {
		allowance = g.Limiter.Take(ctx, "api:"+c.APIKey+c.SiteToken, 1, g.Rate)
	}
	switch {
	case !allowance.OK:
		return DealerCaller{}, allowance, fault.New(op, fault.RateLimited)
	case caller.Token.ID != 0 && !c.TakesSiteTokens:
		return DealerCaller{}, allowance, fault.New(op, fault.SiteTokenRefused)
	}
	return caller, allowance, nil
}

func (g *Gate) checkDealer(ctx context.Context, c DealerCall) (DealerCaller, error) {
	const op = "access.Gate.checkDealer"
	if c.APIKey+c.SiteToken == "" || c.Hash == "" || c.Timestamp == "" {
		return DealerCaller{}, fault.New(op, fault.MissingHeaders)
	}
	caller, key, secret, err := g.dealerOf(ctx, c)
	switch {
	case err != nil:
		return DealerCaller{}, err
	case !isFresh(c.Timestamp, g.Clock.Now()):
		return DealerCaller{}, fault.New(op, fault.TimestampExpired)
	case len(c.Hash) > maxHeaderBytes || !sign.Matches(c.Hash, key, secret.Reveal(), c.Timestamp):
		return DealerCaller{}, fault.New(op, fault.InvalidHash)
	case !caller.Dealer.IsActive:
		return DealerCaller{}, fault.New(op, fault.DealerInactive)
	case !core.AllowsAddr(caller.Dealer.IPWhitelist, c.Addr):
		return DealerCaller{}, fault.New(op, fault.AddressNotAllowed)
	}
	return caller, nil
}

// dealerOf finds who calls, and the key and secret that the hash was made with. The dealer's own key counts when both
// are sent.
func (g *Gate) dealerOf(ctx context.Context, c DealerCall) (caller DealerCaller, key string, secret core.Secret, err error) {
	if c.APIKey != "" {
		key = c.APIKey
		if err = knowable(key); err == nil {
			caller.Dealer, err = g.Directory.DealerByAPIKey(ctx, key)
		}
		return caller, key, caller.Dealer.SecretKey, unknownKey(err)
	}
	key = c.SiteToken
	if err = knowable(key); err == nil {
		caller.Token, err = g.Directory.SiteTokenByToken(ctx, key)
	}
	if err == nil && !caller.Token.IsActive {
		err = fault.New("access.Gate.dealerOf", fault.NotFound)
	}
	if err == nil {
		caller.Dealer, err = g.Directory.Dealer(ctx, caller.Token.DealerID)
	}
	return caller, key, caller.Token.SecretKey, unknownKey(err)
}

func knowable(key string) error {
	if len(key) > maxHeaderBytes || !core.IsCleanText(key) {
		return fault.New("access.knowable", fault.NotFound)
	}
	return nil
}

func unknownKey(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New("access.unknownKey", fault.InvalidAPIKey)
	}
	return err
}
