package core

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vezne/vezne/core/lang"
)

// Bounds of a provider's settings.
const (
	maxURLBytes       = 2000
	maxWhitelistItems = 200
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
}

// Apply gives the provider with the patch's settings, ready to be saved. Fault: Invalid, with the failed fields by
// their GraphQL names.
func (c ProviderPatch) Apply(p Provider, at time.Time) (Provider, error) {
	var form Form
	if c.Name != nil {
		p.Name = form.Name("name", Input{Kind: TextInput, Text: *c.Name})
	}
	if c.Language != nil {
		tag, ok := lang.Parse(*c.Language)
		if !ok {
			form.Fail("language", "field.language")
		}
		p.Language = tag
	}
	form.url("callbackUrl", c.CallbackURL, &p.URLs.Deposit)
	form.url("depositCallbackUrl", c.DepositCallbackURL, &p.URLs.EIBANDeposit)
	form.url("withdrawalCallbackUrl", c.WithdrawalCallbackURL, &p.URLs.Withdrawal)
	form.url("creditCardCallbackUrl", c.CreditCardCallbackURL, &p.URLs.CreditCard)
	if c.IPWhitelist != nil {
		p.IPWhitelist = form.whitelist("ipWhitelist", *c.IPWhitelist)
	}
	set(c.IsActive, &p.IsActive)
	set(c.IsCreditCardEnabled, &p.IsCreditCardEnabled)
	p.Version++
	p.UpdatedAt = at
	return p, form.Err("core.ProviderPatch.Apply")
}

func set[T any](from, to *T) {
	if from != nil {
		*to = *from
	}
}

// url reads an optional callback URL: http or https with a host, without a user part, or empty.
func (f *Form) url(name string, from, to *string) {
	if from == nil {
		return
	}
	text := strings.TrimSpace(*from)
	u, err := url.Parse(text)
	isHTTP := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil
	switch {
	case len(text) > maxURLBytes:
		f.Fail(name, "field.max", maxURLBytes)
	case text != "" && (!isHTTP || !utf8.ValidString(text)):
		f.Fail(name, "field.url")
	default:
		*to = text
	}
}

func (f *Form) whitelist(name string, items []string) []netip.Prefix {
	list := make([]netip.Prefix, 0, len(items))
	for _, item := range items {
		p, err := ParsePrefix(item)
		if err != nil || len(items) > maxWhitelistItems {
			f.Fail(name, "field.cidr")
			return nil
		}
		list = append(list, p)
	}
	return list
}

// ParsePrefix reads an address or a CIDR block; IPv4 in IPv6 form becomes IPv4.
func ParsePrefix(text string) (netip.Prefix, error) {
	text = strings.TrimSpace(text)
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap().WithZone("")
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("%q is not an address or a CIDR block", text)
	}
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), nil
}

// Ref names the provider in audit rows.
func (p Provider) Ref() string { return fmt.Sprintf("provider/%d", p.ID) }

// AuditState is what an audit row says of the provider, without keys, as JSON.
func (p Provider) AuditState() string {
	state, err := json.Marshal(map[string]any{
		"name": p.Name, "isActive": p.IsActive, "language": p.Language, "urls": p.URLs,
		"ipWhitelist": p.IPWhitelist, "isCreditCardEnabled": p.IsCreditCardEnabled,
	})
	if err != nil {
		return "{}" // cannot happen: plain strings and booleans
	}
	return string(state)
}
