package owner

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// GatewayAccount is a contract with a gateway: a plugin with its configuration, limits and switch.
type GatewayAccount struct {
	ID          int64
	Version     int
	Plugin      string // the descriptor's code
	Code        string // unique; in the gateway lists (E10)
	Name        string // in the gateway lists and on the page
	Description string
	Environment string // gateway.Sandbox or gateway.Production
	IsEnabled   bool
	Config      core.Secret // JSON object of texts
	// PreviousConfig is the configuration before the last change, for secrets that rotate.
	PreviousConfig core.Secret
	// CollectingIBANs are the bank accounts on which its customers' money arrives: normalized IBANs, as its configuration declares
	// them. No wallet and no account of a dealer is one of them.
	CollectingIBANs []string
	HookToken       string // unguessable part of the notification address
	Priority        int    // the lower, the sooner it is tried
	Weight          int    // among accounts of one priority: how often it is chosen, relative to the others
	Min, Max        money.Amount
	// ApprovalFrom is the smallest payout that staff must approve before it leaves; zero: every payout.
	ApprovalFrom money.Amount
	// Trouble says why the account takes no new payments although it is enabled: its keys were refused, say. A successful
	// test clears it.
	Trouble              string
	CreatedAt, UpdatedAt time.Time
}

// Identity implements Row.
func (a GatewayAccount) Identity() core.Identity {
	return core.Identity{Table: "gateway_accounts", Key: strconv.FormatInt(a.ID, 10), Version: a.Version}
}

// Event implements core.Eventful.
func (GatewayAccount) Event() core.Event { return core.Event{Kind: core.DirectoryChanged} }

// Takes reports whether the account may be given a new payment.
func (a GatewayAccount) Takes() bool { return a.IsEnabled && a.Trouble == "" }

// Ref names the account in audit rows and keys.
func (a GatewayAccount) Ref() string { return "gateway/" + strconv.FormatInt(a.ID, 10) }

// Values are the configuration's texts and those before the last change.
func (a GatewayAccount) Values() (values, previous map[string]string, err error) {
	values, previous = map[string]string{}, map[string]string{}
	for _, from := range []struct {
		secret core.Secret
		into   *map[string]string
	}{{a.Config, &values}, {a.PreviousConfig, &previous}} {
		if text := from.secret.Reveal(); text != "" {
			if err := json.Unmarshal([]byte(text), from.into); err != nil {
				return nil, nil, err
			}
		}
	}
	return values, previous, nil
}

// ConfigSecret is configuration values as an account keeps them.
func ConfigSecret(values map[string]string) (core.Secret, error) {
	text, err := json.Marshal(values)
	return core.NewSecret(string(text)), err
}

// Bounds are the tighter of the account's own limits and the plugin's. A zero greatest is no limit.
func (a GatewayAccount) Bounds(low, high money.Decimal) (least, greatest money.Amount) {
	least, greatest = a.Min, a.Max
	if l, err := low.Amount(money.TRY); err == nil && (least.IsZero() || least.Less(l)) {
		least = l
	}
	if h, err := high.Amount(money.TRY); err == nil && !h.IsZero() && (greatest.IsZero() || h.Less(greatest)) {
		greatest = h
	}
	if least.Less(core.MinAmount(money.TRY)) {
		least = core.MinAmount(money.TRY)
	}
	return least, greatest
}

// NeedsApproval reports whether a payout waits for staff.
func (a GatewayAccount) NeedsApproval(amount money.Amount) bool {
	return a.ApprovalFrom.IsZero() || !amount.Less(a.ApprovalFrom)
}

// AuditState is what an audit row says of the account before and after a change, as JSON without its configuration.
func (a GatewayAccount) AuditState() string {
	return fmt.Sprintf(`{"code":%q,"enabled":%t,"priority":%d,"weight":%d,"min":%q,"max":%q,"approval_from":%q,"version":%d}`,
		a.Code, a.IsEnabled, a.Priority, a.Weight, a.Min, a.Max, a.ApprovalFrom, a.Version)
}

// Actor is the gateway account as the one who acts.
func (a GatewayAccount) Actor() core.Actor {
	return core.Actor{Kind: core.ByGateway, ID: strconv.FormatInt(a.ID, 10), Name: a.Name}
}
