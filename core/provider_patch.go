package core

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Bounds of a provider's settings.
const (
	maxURLBytes       = 2000
	maxWhitelistItems = 200
)

// url reads an optional callback URL: http or https with a host, without a user part, or empty.
func (f *Form) Url(name string, from, to *string) {
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

func (f *Form) Whitelist(name string, items []string) []netip.Prefix {
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
