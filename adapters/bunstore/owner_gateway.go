package bunstore

import (
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/ports"
)

type gatewayAccountRow struct {
	bun.BaseModel `bun:"table:gateway_accounts"`

	ID                int64      `bun:"id,pk"`
	Version           int        `bun:"version"`
	Plugin            string     `bun:"plugin"`
	Code              string     `bun:"code"`
	Name              string     `bun:"name"`
	Description       string     `bun:"description"`
	Environment       string     `bun:"environment"`
	IsEnabled         bool       `bun:"is_enabled"`
	Config            sealedText `bun:"config"`
	PreviousConfig    sealedText `bun:"previous_config"`
	HookToken         sealedText `bun:"hook_token"`
	HookFingerprint   string     `bun:"hook_fingerprint"`
	Collects          string     `bun:"collects"`
	Priority          int        `bun:"priority"`
	Weight            int        `bun:"weight"`
	Currency          string     `bun:"currency"`
	MinMinor          *int64     `bun:"min_minor"`
	MaxMinor          *int64     `bun:"max_minor"`
	ApprovalFromMinor *int64     `bun:"approval_from_minor"`
	Trouble           string     `bun:"trouble"`
	CreatedAt         timestamp  `bun:"created_at,type:timestamptz"`
	UpdatedAt         timestamp  `bun:"updated_at,type:timestamptz"`
}

func gatewayAccountRowOf(a owner.GatewayAccount, sealer ports.Sealer) (gatewayAccountRow, error) {
	code, err := codeOf(a.Min, a.Max, a.ApprovalFrom)
	if err != nil {
		return gatewayAccountRow{}, err
	}
	v := newRowSealer(sealer, "gateway_accounts", number(a.ID))
	r := gatewayAccountRow{
		ID: a.ID, Version: a.Version, Plugin: a.Plugin, Code: a.Code, Name: a.Name, Description: a.Description,
		Environment: a.Environment, IsEnabled: a.IsEnabled, Config: v.seal(a.Config, "config"),
		PreviousConfig: v.seal(a.PreviousConfig, "previous_config"), HookToken: v.sealText(a.HookToken, "hook_token"),
		HookFingerprint: fingerprintOf(a.HookToken), Collects: strings.Join(a.CollectingIBANs, ","),
		Priority: a.Priority, Weight: a.Weight, Currency: code, MinMinor: minorOf(a.Min), MaxMinor: minorOf(a.Max),
		ApprovalFromMinor: minorOf(a.ApprovalFrom), Trouble: a.Trouble, CreatedAt: timestamp(a.CreatedAt),
		UpdatedAt: timestamp(a.UpdatedAt),
	}
	return r, v.err
}

func (s *Store) gatewayAccount(r gatewayAccountRow) (owner.GatewayAccount, error) {
	v := newRowSealer(s.sealer, "gateway_accounts", number(r.ID))
	amount := amountsIn(r.Currency)
	a := owner.GatewayAccount{
		ID: r.ID, Version: r.Version, Plugin: r.Plugin, Code: r.Code, Name: r.Name, Description: r.Description,
		Environment: r.Environment, IsEnabled: r.IsEnabled, Config: v.open(r.Config, "config"),
		PreviousConfig: v.open(r.PreviousConfig, "previous_config"), HookToken: v.openText(r.HookToken, "hook_token"), Priority: r.Priority,
		Weight: r.Weight, Min: amount.of(r.MinMinor), Max: amount.of(r.MaxMinor),
		ApprovalFrom: amount.of(r.ApprovalFromMinor), Trouble: r.Trouble, CreatedAt: time.Time(r.CreatedAt),
		UpdatedAt: time.Time(r.UpdatedAt),
	}
	if r.Collects != "" {
		a.CollectingIBANs = strings.Split(r.Collects, ",")
	}
	if v.err != nil {
		return a, v.err
	}
	return a, amount.err
}

type routeRuleRow struct {
	bun.BaseModel `bun:"table:route_rules"`

	ID         int64        `bun:"id,pk"`
	Version    int          `bun:"version"`
	Name       string       `bun:"name"`
	IsActive   bool         `bun:"is_active"`
	Kind       gateway.Kind `bun:"kind"`
	ProviderID int64        `bun:"provider_id"`
	SiteID     int64        `bun:"site_id"`
	Currency   string       `bun:"currency"`
	MinMinor   *int64       `bun:"min_minor"`
	MaxMinor   *int64       `bun:"max_minor"`
	GatewayID  int64        `bun:"gateway_id"`
	Priority   int          `bun:"priority"`
	Weight     int          `bun:"weight"`
	CreatedAt  timestamp    `bun:"created_at,type:timestamptz"`
	UpdatedAt  timestamp    `bun:"updated_at,type:timestamptz"`
}

func routeRuleRowOf(r routing.Rule) (routeRuleRow, error) {
	code, err := codeOf(r.Min, r.Max)
	return routeRuleRow{
		ID: r.ID, Version: r.Version, Name: r.Name, IsActive: r.IsActive, Kind: r.Kind, ProviderID: r.ProviderID,
		SiteID: r.SiteID, Currency: code, MinMinor: minorOf(r.Min), MaxMinor: minorOf(r.Max), GatewayID: r.GatewayID,
		Priority: r.Priority, Weight: r.Weight, CreatedAt: timestamp(r.CreatedAt), UpdatedAt: timestamp(r.UpdatedAt),
	}, err
}

func (r routeRuleRow) rule() (routing.Rule, error) {
	amount := amountsIn(r.Currency)
	return routing.Rule{
		ID: r.ID, Version: r.Version, Name: r.Name, IsActive: r.IsActive, Kind: r.Kind, ProviderID: r.ProviderID,
		SiteID: r.SiteID, Min: amount.of(r.MinMinor), Max: amount.of(r.MaxMinor), GatewayID: r.GatewayID,
		Priority: r.Priority, Weight: r.Weight, CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
	}, amount.err
}
