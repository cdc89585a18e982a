package rest

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ClientAddr is where a request comes from: the TCP peer, or, when the peer is a trusted proxy, the last address of
// X-Forwarded-For that is not one. What stands to the left of that address is the client's own claim and is not read.
// A list that can't be read counts as none. IPv4 in IPv6 form is given as IPv4, without a zone.
func ClientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, ok := parseAddr(r.RemoteAddr)
	if !ok || !isTrusted(peer, trusted) {
		return peer
	}
	client := peer
	for _, line := range slices.Backward(r.Header.Values("X-Forwarded-For")) {
		for _, hop := range slices.Backward(strings.Split(line, ",")) {
			addr, ok := parseAddr(strings.Trim(hop, " \t"))
			if !ok {
				return peer
			}
			client = addr
			if !isTrusted(addr, trusted) {
				return client
			}
		}
	}
	return client
}

// parseAddr reads an address with or without a port.
func parseAddr(s string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(s)
	return addr.Unmap().WithZone(""), err == nil
}

func isTrusted(addr netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
}
