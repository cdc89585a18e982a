package operation

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// View is what the payment page shows of a payment that a gateway moves.
type View struct {
	Payment   payment.Payment
	Now       time.Time
	Operation operation.Operation // the one that counts, or the last one; its ID is empty when there was none
	Offers    []Offer             // what the customer can pick, while nothing is under way
}

// Offer is a gateway account that takes the payment.
type Offer struct {
	Kind        gateway.Kind
	GatewayID   int64
	Name        string
	Description string
	Options     []gateway.Option // crypto: the coins
	Needs       []gateway.FieldSpec
}

// offersTimeout bounds how long a page waits for gateways to list what they offer.
const offersTimeout = 8 * time.Second

// View finds the payment of a payment_url's token, with what can be picked as long as it is open.
func (s *Service) View(ctx context.Context, token string) (View, error) {
	const op = "operation.View"
	ctx, cancel := context.WithTimeout(ctx, offersTimeout)
	defer cancel()
	v, err := s.State(ctx, token)
	if err != nil || v.Payment.Status.IsFinal() || v.Payment.Status == payment.Processing {
		return v, wrap(op, err)
	}
	for _, kind := range v.Payment.Method.Ways() {
		offers, err := s.offers(ctx, v.Payment, kind)
		if err != nil {
			return View{}, fault.E(op, "", err)
		}
		v.Offers = append(v.Offers, offers...)
	}
	return v, nil
}

// State is a View without offers: for the page's polling.
func (s *Service) State(ctx context.Context, token string) (View, error) {
	const op = "operation.State"
	p, err := s.UnitOfWork.Payments.PaymentByToken(ctx, token)
	if err != nil {
		return View{}, fault.E(op, "", err)
	}
	v := View{Payment: p, Now: s.UnitOfWork.Clock.Now()}
	operations, err := s.Operations.OperationsOf(ctx, p.ID)
	if err != nil {
		return View{}, fault.E(op, "", err)
	}
	for _, o := range operations {
		isLast := p.Gateway.OperationID == "" && o.Kind == operation.DepositOperation && o.Number > v.Operation.Number
		if o.ID == p.Gateway.OperationID || isLast {
			v.Operation = o
		}
	}
	return v, nil
}

// offers lists the accounts that take the payment, in the order of the route. One whose options can't be listed now is
// left out.
func (s *Service) offers(ctx context.Context, p payment.Payment, kind gateway.Kind) ([]Offer, error) {
	order, _, err := s.Gateways.Route(ctx, p, kind)
	if err != nil {
		return nil, err
	}
	var offers []Offer
	for _, choice := range order {
		g, err := s.Gateways.Open(choice.Gateway)
		if err != nil {
			continue
		}
		offer := Offer{
			Kind: kind, GatewayID: g.Account.ID, Name: g.Account.Name, Description: g.Account.Description,
			Needs: gateway.NeedsOf(g.Descriptor.Deposit.Needs, kind),
		}
		if kind == gateway.Crypto {
			if offer.Options, err = g.Options(ctx); err != nil {
				continue
			}
		}
		offers = append(offers, offer)
	}
	return offers, nil
}
