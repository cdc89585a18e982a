package owner

import (
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Gateways holds what staff do about gateways: accounts with their configuration, switches and limits, the rules that route
// to them, and what happened there.
type Gateways struct {
	UnitOfWork *app.UnitOfWork
	Operations ports.Operations
	Owners     ports.Owners
	Sequences  ports.Sequences
	Gateways   *app.Gateways
	NotifyURL  string // of notifications, without the account's token
}

// Plugins returns the descriptors of all plugins, in a language.
func (s *Gateways) Plugins(_ context.Context, by staff.Staff, language lang.Tag) ([]gateway.Descriptor, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	var list []gateway.Descriptor
	for _, p := range s.Gateways.Plugins.Plugins() {
		list = append(list, p.Describe().In(string(language)))
	}
	return list, nil
}

// Accounts returns all gateway accounts, by id.
func (s *Gateways) Accounts(ctx context.Context, by staff.Staff) ([]owner.GatewayAccount, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	return s.UnitOfWork.Directory.GatewayAccounts(ctx)
}

// NewAccount is a gateway account to be created.
type NewAccount struct {
	Plugin      string
	Environment string
	owner.GatewayPatch
}

// Create saves a new gateway account, switched off unless the patch says otherwise. Fault BankAccountTaken: it collects on a
// bank account of a dealer.
func (s *Gateways) Create(ctx context.Context, by app.Request, n NewAccount) (owner.GatewayAccount, error) {
	const op = "gatewayadmin.Create"
	if err := by.Require(staff.EditGateways); err != nil {
		return owner.GatewayAccount{}, err
	}
	plugin, ok := s.Gateways.Plugins.Plugin(n.Plugin)
	if !ok {
		return owner.GatewayAccount{}, fault.Fields(op, []fault.Field{{Name: "plugin", Key: "field.id", Args: []any{"plugin"}}})
	}
	others, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return owner.GatewayAccount{}, fault.E(op, "", err)
	}
	if err := app.CheckRoom(op, "gatewayAccounts", len(others)); err != nil {
		return owner.GatewayAccount{}, err
	}
	now := s.UnitOfWork.Clock.Now()
	a := owner.GatewayAccount{Plugin: n.Plugin, Environment: n.Environment, Weight: 1, CreatedAt: now}
	a, err = required(n.GatewayPatch).Apply(a, plugin.Describe(), now)
	if err != nil {
		return a, fault.E(op, "", err)
	}
	if a.HookToken, err = core.NewToken(s.UnitOfWork.Random); err != nil {
		return a, fault.E(op, fault.Internal, err)
	}
	if err := s.tryOpen(a); err != nil {
		return a, fault.E(op, "", err)
	}
	if a.ID, err = s.Sequences.NextID(ctx, "gateway"); err != nil {
		return a, fault.E(op, "", err)
	}
	return a, s.save(ctx, by, "createGatewayAccount", owner.GatewayAccount{ID: a.ID}, a)
}

// required makes the fields that a new account can't do without fail when they are not given.
func required(p owner.GatewayPatch) owner.GatewayPatch {
	empty := ""
	if p.Code == nil {
		p.Code = &empty
	}
	if p.Name == nil {
		p.Name = &empty
	}
	if p.Config == nil {
		p.Config = map[string]string{}
	}
	return p
}

// tryOpen refuses a configuration that the plugin itself refuses.
func (s *Gateways) tryOpen(a owner.GatewayAccount) error {
	a.Version = 0 // of no stored version: opened for this once
	g, err := s.Gateways.Open(a)
	if err != nil {
		return err
	}
	return g.Close()
}

// GatewayUpdate changes one account; what is nil stays.
type GatewayUpdate struct {
	ID int64
	owner.GatewayPatch
}

// Update changes an account. The plugin and the environment of an account never change. Fault BankAccountTaken: it collects
// on a bank account of a dealer; it can still be switched off.
func (s *Gateways) Update(ctx context.Context, by app.Request, u GatewayUpdate) (owner.GatewayAccount, error) {
	const op = "gatewayadmin.Update"
	if err := by.Require(staff.EditGateways); err != nil {
		return owner.GatewayAccount{}, err
	}
	before, err := s.account(ctx, u.ID)
	if err != nil {
		return before, fault.E(op, "", err)
	}
	plugin, ok := s.Gateways.Plugins.Plugin(before.Plugin)
	if !ok {
		return before, fault.New(op, fault.GatewayUnusable)
	}
	after, err := u.Apply(before, plugin.Describe(), s.UnitOfWork.Clock.Now())
	if err != nil {
		return before, fault.E(op, "", err)
	}
	if len(u.Config) > 0 {
		if err := s.tryOpen(after); err != nil {
			return before, fault.E(op, "", err)
		}
	}
	return after, s.save(ctx, by, "updateGatewayAccount", before, after)
}

func (s *Gateways) account(ctx context.Context, id int64) (owner.GatewayAccount, error) {
	all, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return owner.GatewayAccount{}, err
	}
	for _, a := range all {
		if a.ID == id {
			return a, nil
		}
	}
	return owner.GatewayAccount{}, fault.New("gatewayadmin.account", fault.NotFound)
}

func (s *Gateways) save(ctx context.Context, by app.Request, action string, before, after owner.GatewayAccount) error {
	return s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
		Action: action, Target: after.Ref(), Before: before.AuditState(), After: after.AuditState(),
	}, core.Changeset{after}.Merge(core.Rows(owner.CollectingClaims(before, after))))
}

// Test asks the gateway whether the account works. A success ends its trouble.
func (s *Gateways) Test(ctx context.Context, by app.Request, id int64) (gateway.ProbeReport, error) {
	const op = "gatewayadmin.Test"
	if err := by.Require(staff.EditGateways); err != nil {
		return gateway.ProbeReport{}, err
	}
	a, err := s.account(ctx, id)
	if err != nil {
		return gateway.ProbeReport{}, fault.E(op, "", err)
	}
	g, err := s.Gateways.Open(a)
	if err != nil {
		return gateway.ProbeReport{}, fault.E(op, "", err)
	}
	bounded, cancel := context.WithTimeout(ctx, ports.CallTimeout)
	defer cancel()
	report := g.Probe(bounded)
	if report.IsOK() && a.Trouble != "" {
		before := a
		a.Version++
		a.Trouble, a.UpdatedAt = "", s.UnitOfWork.Clock.Now()
		err = s.save(ctx, by, "testGateway", before, a)
	}
	return report, err
}

// Health is how the last calls to an account went.
type Health struct {
	CallCount   int // of the last healthCalls
	FailedCount int // of them: no working gateway was met
	LastOKAt    time.Time
	LastError   operation.GatewayCall   // its At is zero when there was none
	Calls       []operation.GatewayCall // all of them, newest first
	IsFailing   bool                    // this process only probes it now
}

const healthCalls = 100

// Health sums up the last calls of each account, by its id.
func (s *Gateways) Health(ctx context.Context, by staff.Staff, accounts ...owner.GatewayAccount) (map[int64]Health, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	of := map[int64]Health{}
	for some := range slices.Chunk(accounts, core.MaxPage) {
		query := operation.GatewayCallQuery{Limit: healthCalls}
		for _, a := range some {
			query.Gateways = append(query.Gateways, a.ID)
		}
		calls, err := s.Operations.GatewayCalls(ctx, query)
		if err != nil {
			return nil, fault.E("gatewayadmin.Health", "", err)
		}
		for _, c := range calls { // newest first
			of[c.GatewayID] = of[c.GatewayID].with(c)
		}
	}
	for _, a := range accounts {
		h := of[a.ID]
		if g, err := s.Gateways.Open(a); err == nil {
			h.IsFailing = g.IsFailing()
		}
		of[a.ID] = h
	}
	return of, nil
}

// with counts a call that is older than all before.
func (h Health) with(c operation.GatewayCall) Health {
	h.CallCount++
	h.Calls = append(h.Calls, c)
	switch {
	case isMet(c) && h.LastOKAt.IsZero():
		h.LastOKAt = c.At
	case !isMet(c) && h.LastError.At.IsZero():
		h.LastError = c
	}
	if !isMet(c) {
		h.FailedCount++
	}
	return h
}

// isMet reports whether a call met a working gateway: one that declines a card, or does not know an order, works.
func isMet(c operation.GatewayCall) bool { return c.IsOK() || !gateway.Class(c.Outcome).IsOutage() }

// ConfigValue is one configured value as staff see it: a secret is only said to be there.
type ConfigValue struct {
	gateway.ConfigField
	Value string // never a secret's
	IsSet bool
}

// Config shows an account's configuration, field by field, in a language.
func (s *Gateways) Config(_ context.Context, by staff.Staff, a owner.GatewayAccount, language lang.Tag) ([]ConfigValue, error) {
	if err := by.Require(staff.ReadGateways); err != nil {
		return nil, err
	}
	plugin, ok := s.Gateways.Plugins.Plugin(a.Plugin)
	if !ok {
		return nil, nil
	}
	values, _, err := a.Values()
	if err != nil {
		return nil, fault.E("gatewayadmin.Config", fault.Internal, err)
	}
	var list []ConfigValue
	for _, f := range plugin.Describe().In(string(language)).Config {
		v := ConfigValue{ConfigField: f, IsSet: values[f.Name] != ""}
		if f.Type != gateway.SecretField {
			v.Value = values[f.Name]
		}
		list = append(list, v)
	}
	return list, nil
}

// NotificationURL is where the gateway sends its notifications: its token is for those who may edit gateways.
func (s *Gateways) NotificationURL(by staff.Staff, a owner.GatewayAccount) (string, error) {
	if err := by.Require(staff.EditGateways); err != nil {
		return "", err
	}
	return s.NotifyURL + a.HookToken, nil
}
