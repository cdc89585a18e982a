package owner

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
)

// ProviderPatch changes settings of a provider; nil fields stay as they are, an empty URL takes the URL away.
type ProviderPatch struct {
	Name                  *string
	IsActive              *bool
	Language              *string
	CallbackURL           *string
	DepositCallbackURL    *string
	WithdrawalCallbackURL *string
	CreditCardCallbackURL *string
	IPWhitelist           *[]string // addresses and CIDR blocks, IPv4 and IPv6
	IsCreditCardEnabled   *bool
	SignatureMode         *SignatureMode

	CallbackAcknowledgement *Acknowledgement
}

// Apply returns the provider with the patch's settings, ready to be saved. Fault: Invalid, with the failed fields by
// their GraphQL names.
func (c ProviderPatch) Apply(p Provider, at time.Time) (Provider, error) {
	var form core.Form
	if c.Name != nil {
		p.Name = form.Name("name", core.Input{Kind: core.TextInput, Text: *c.Name})
	}
	if c.Language != nil {
		tag, ok := lang.Parse(*c.Language)
		if !ok {
			form.Fail("language", "field.language")
		}
		p.Language = tag
	}
	form.URL("callbackUrl", c.CallbackURL, &p.URLs.Deposit)
	form.URL("depositCallbackUrl", c.DepositCallbackURL, &p.URLs.EIBANDeposit)
	form.URL("withdrawalCallbackUrl", c.WithdrawalCallbackURL, &p.URLs.Withdrawal)
	form.URL("creditCardCallbackUrl", c.CreditCardCallbackURL, &p.URLs.CreditCard)
	if c.IPWhitelist != nil {
		p.IPWhitelist = form.Whitelist("ipWhitelist", *c.IPWhitelist)
	}
	Set(c.IsActive, &p.IsActive)
	Set(c.IsCreditCardEnabled, &p.IsCreditCardEnabled)
	Set(c.SignatureMode, &p.SignatureMode)
	Set(c.CallbackAcknowledgement, &p.CallbackAcknowledgement)
	p.Version++
	p.UpdatedAt = at
	return p, form.Err("core.ProviderPatch.Apply")
}

// Set changes a field unless the patch leaves it out (nil).
func Set[T any](from, to *T) {
	if from != nil {
		*to = *from
	}
}

// Ref names the provider in audit rows.
func (p Provider) Ref() string { return fmt.Sprintf("provider/%d", p.ID) }

// IsIn reports whether the provider is within a scope.
func (p Provider) IsIn(s core.Scope) bool { return s.CoversProvider(p.ID) }

// AuditState is what an audit row says of the provider, without keys, as JSON.
func (p Provider) AuditState() string {
	state, err := json.Marshal(map[string]any{
		"name": p.Name, "isActive": p.IsActive, "language": p.Language, "urls": p.URLs,
		"ipWhitelist": p.IPWhitelist, "isCreditCardEnabled": p.IsCreditCardEnabled,
		"signatureMode": p.SignatureMode.String(), "callbackAcknowledgement": p.CallbackAcknowledgement.String(),
	})
	if err != nil {
		return "{}" // cannot happen: plain strings and booleans
	}
	return string(state)
}
