package callbackhttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard knows the addresses of the public internet. Any port goes: receivers are not bound to 80 and 443.
var guard = ssrf.New(ssrf.WithAnyPort())

// refusedError is an address that callbacks do not go to.
type refusedError struct{ address string }

func (e refusedError) Error() string { return "the address " + e.address + " is not public" }

// refusePrivate is a net.Dialer.Control: it sees the address itself, after the name was looked up and right before the
// connection, so that no DNS answer can change in between.
func refusePrivate(network, address string, _ syscall.RawConn) error {
	err := guard.Safe(network, address, nil)
	if !errors.Is(err, ssrf.ErrProhibitedIP) {
		return err
	}
	at, _ := netip.ParseAddrPort(address) // the guard could read it
	return refusedError{at.Addr().String()}
}

// refuseRemotePrivate is refusePrivate for a receiver that may be on this machine.
func refuseRemotePrivate(network, address string, conn syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err == nil && at.Addr().IsLoopback() {
		return nil
	}
	return refusePrivate(network, address, conn)
}

// explain turns why there was no answer into a sentence for staff. It is one of ours throughout: what the libraries
// say may quote the URL, with its password, or whatever the other side sent.
func (c *Courier) explain(ctx context.Context, err error) string {
	var (
		refused refusedError
		dns     *net.DNSError
	)
	switch {
	case errors.Is(err, errAddress):
		return errAddress.Error()
	case errors.As(err, &refused):
		return refused.Error()
	case ctx.Err() != nil:
		return "sending was stopped before an answer came"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the name does not resolve"
	case errors.As(err, &dns):
		return "the name server gave no answer"
	case isTimeout(err):
		return fmt.Sprintf("no answer within %v", c.timeout)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the receiver broke the connection"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no route to the address"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed without an answer"
	}
	return explainTLS(err)
}

func explainTLS(err error) string {
	var (
		untrusted x509.UnknownAuthorityError
		wrongName x509.HostnameError
		invalid   x509.CertificateInvalidError
		notTLS    tls.RecordHeaderError
		alert     *net.OpError
	)
	switch {
	case errors.As(err, &untrusted):
		return "TLS: certificate not trusted"
	case errors.As(err, &wrongName):
		return "TLS: the certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "TLS: the certificate is expired or not yet valid"
	case errors.As(err, &invalid):
		return "TLS: the certificate is not valid"
	case errors.As(err, &notTLS):
		return "TLS: the receiver does not speak it on this port"
	case errors.As(err, &alert) && alert.Op == "remote error": // how crypto/tls marks an alert
		return "TLS: the receiver refused the connection"
	}
	return "the receiver gave no valid HTTP answer"
}

// isTimeout covers the attempt's own deadline and those of its parts, which run out at about the same time.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}
