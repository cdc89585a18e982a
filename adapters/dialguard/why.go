package dialguard

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// Why turns an error of an HTTP client into a sentence for staff; peer is what the other side is called, timeout how
// long it had. It is one of ours throughout: what the libraries say may quote the URL, with its password, or whatever
// the other side sent.
func Why(err error, peer string, timeout time.Duration) string {
	var (
		refused RefusedError
		dns     *net.DNSError
	)
	switch {
	case errors.As(err, &refused):
		return refused.Error()
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the name does not resolve"
	case errors.As(err, &dns):
		return "the name server gave no answer"
	case isTimeout(err):
		return fmt.Sprintf("no answer within %v", timeout)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "the " + peer + " broke the connection"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no route to the address"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed without an answer"
	}
	return whyTLS(err, peer)
}

func whyTLS(err error, peer string) string {
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
		return "TLS: the " + peer + " does not speak it on this port"
	case errors.As(err, &alert) && alert.Op == "remote error": // how crypto/tls marks an alert
		return "TLS: the " + peer + " refused the connection"
	}
	return "the " + peer + " gave no valid HTTP answer"
}

// isTimeout covers an attempt's own deadline and those of its parts, which run out at about the same time.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}
