package rest

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
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

// parentOf is the span of a trusted proxy's that a request is part of.
func (e *Edge) parentOf(r *http.Request) string {
	if peer, ok := parseAddr(r.RemoteAddr); !ok || !isTrusted(peer, e.TrustedProxies) {
		return ""
	}
	return r.Header.Get("Traceparent")
}

// maxStrangers bounds the peers that are told of: whoever wants to can send the header from many addresses.
const maxStrangers = 20

// strangers are peers that were told of.
type strangers struct {
	mu    sync.Mutex
	known map[netip.Addr]struct{}
}

// isNew reports whether a peer is to be told of, once.
func (s *strangers) isNew(peer netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, isKnown := s.known[peer]; isKnown || len(s.known) >= maxStrangers {
		return false
	}
	if s.known == nil {
		s.known = make(map[netip.Addr]struct{})
	}
	s.known[peer] = struct{}{}
	return true
}

// noteStranger tells of a peer whose X-Forwarded-For does not count.
func (e *Edge) noteStranger(r *http.Request) {
	if e.Stranger == nil || len(r.Header.Values("X-Forwarded-For")) == 0 {
		return
	}
	if peer, ok := parseAddr(r.RemoteAddr); ok && !isTrusted(peer, e.TrustedProxies) && e.strangers.isNew(peer) {
		e.Stranger(peer)
	}
}
