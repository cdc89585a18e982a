package operation

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
)

// mayShow reports whether customers may be told to pay as a gateway says. What is shown for the first time without having been
// declared is the gateway's from then on: the claims are for the commit that keeps the instruction. Fault BankAccountTaken:
// it is a dealer's bank account, whose statement would count the money once more.
func (s *Service) mayShow(ctx context.Context, pay *gateway.Instructions) (claims []owner.IBANClaim, err error) {
	shown := pay.IBANs()
	if len(shown) == 0 {
		return nil, nil
	}
	uses, err := s.Owners.IBANUses(ctx, shown)
	if err != nil {
		return nil, err
	}
	for _, text := range shown {
		switch use, isHeld := uses[text]; {
		case use.IsDealers():
			return nil, fault.New("operation.mayShow", fault.BankAccountTaken)
		case !isHeld:
			claims = append(claims, owner.IBANClaim{IBAN: text, Use: owner.GatewayIBAN, Holders: 1})
		}
	}
	return claims, nil
}

// collectsOnOurs ends a start whose gateway has the customer pay to a dealer's bank account. The order is there, and what
// became of it is asked; nobody is shown the account, and the gateway takes no new payments.
func (s *Service) collectsOnOurs(
	ctx context.Context, g *app.Gateway, o operation.Operation, log operation.GatewayCall, pay *gateway.Instructions, cause error,
) error {
	kept, cancel := keep(ctx)
	defer cancel()
	s.suspend(kept, g.Account, "it has customers pay to a dealer's bank account: "+g.Excerpt(iban.Normalize(pay.IBAN))+
		"; that account's statement would count the money once more", cause)
	e := &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, RawCode: "bank account of a dealer", Err: cause}
	log.Outcome, log.Effect, log.Detail = string(e.Class), e.Effect.String(), e.RawCode
	return s.notStarted(ctx, g, o, log, e)
}
