// Package dialguard is what Vezne's HTTP clients share: which addresses they may dial, and in a sentence why there was
// no answer. It knows nothing else of this module.
package dialguard

import (
	"errors"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// public knows the addresses of the public internet. Any port goes: nobody is bound to 80 and 443.
var public = ssrf.New(ssrf.WithAnyPort())

// Guard says which addresses may be dialled. The zero Guard permits public ones only.
type Guard struct {
	AllowPrivate  bool // every address
	AllowLoopback bool // this machine beside the public ones
}

// RefusedError is an address that the guard does not permit.
type RefusedError struct{ Address netip.Addr }

// Error names the address.
func (e RefusedError) Error() string { return "the address " + e.Address.String() + " is not public" }

// Control is a net.Dialer.Control: it sees the address itself, after the name was looked up and right before the
// connection, so that no DNS answer can change in between. Error: RefusedError.
func (g Guard) Control(network, address string, _ syscall.RawConn) error {
	at, parseErr := netip.ParseAddrPort(address)
	switch err := public.Safe(network, address, nil); {
	case g.AllowPrivate, g.AllowLoopback && parseErr == nil && at.Addr().IsLoopback():
		return nil
	case errors.Is(err, ssrf.ErrProhibitedIP):
		return RefusedError{at.Addr()} // public could read it
	default:
		return err
	}
}

// IsPublic reports whether an address belongs to the public internet.
func IsPublic(at netip.Addr) bool { return public.SafeAddr(at) == nil }
