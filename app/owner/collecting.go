package owner

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// Clash is a bank account of a dealer on which a gateway collects as well: what a customer pays there may be credited twice.
type Clash struct {
	Account owner.GatewayAccount
	IBAN    string
}

// declared are the bank accounts that an account's configuration declares now.
func (s *Gateways) declared(a owner.GatewayAccount) []string {
	plugin, ok := s.Gateways.Plugins.Plugin(a.Plugin)
	values, _, err := a.Values()
	if !ok || err != nil {
		return a.CollectingIBANs
	}
	return plugin.Describe().Collecting(values)
}

// Clashes finds the bank accounts of dealers on which gateways collect, which only an installation from before this was
// refused can have.
func (s *Gateways) Clashes(ctx context.Context) ([]Clash, error) {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, fault.E("gatewayadmin.Clashes", "", err)
	}
	var ibans []string
	for _, a := range accounts {
		ibans = append(ibans, s.declared(a)...)
	}
	uses, err := s.Owners.IBANUses(ctx, ibans)
	if err != nil {
		return nil, fault.E("gatewayadmin.Clashes", "", err)
	}
	var list []Clash
	for _, a := range accounts {
		for _, iban := range s.declared(a) {
			if uses[iban].IsDealers() {
				list = append(list, Clash{a, iban})
			}
		}
	}
	return list, nil
}

// Declare takes the bank accounts that the configurations declare and that nobody took for them yet, as when they were saved
// by an earlier program, and logs an error for each that is a dealer's.
func (s *Gateways) Declare(ctx context.Context, log *slog.Logger) error {
	const op = "gatewayadmin.Declare"
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return fault.E(op, "", err)
	}
	for _, a := range accounts {
		for _, iban := range s.declared(a) {
			err := s.UnitOfWork.Again(ctx, func() error { return s.collect(ctx, a.ID, iban) })
			if err != nil && !fault.Is(err, fault.BankAccountTaken) {
				return fault.E(op, "", err)
			}
		}
	}
	clashes, err := s.Clashes(ctx)
	for _, c := range clashes {
		log.Error("A GATEWAY COLLECTS ON A BANK ACCOUNT OF A DEALER: one payment may be credited twice; change one of the two",
			"gateway", c.Account.Code, "iban", c.IBAN)
	}
	return err
}

// collect takes a bank account for a gateway account that has declared it before it was asked for.
func (s *Gateways) collect(ctx context.Context, id int64, iban string) error {
	before, err := s.account(ctx, id)
	if err != nil || slices.Contains(before.CollectingIBANs, iban) {
		return err
	}
	after := before
	after.Version++
	after.UpdatedAt = s.UnitOfWork.Clock.Now()
	after.CollectingIBANs = append(slices.Clone(before.CollectingIBANs), iban)
	return s.save(ctx, app.BySystem, "declareCollecting", before, after)
}
