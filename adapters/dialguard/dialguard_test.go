package dialguard_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/dialguard"
)

// notPublic are addresses inside somebody's own network, or nobody's, in all the ways they can be written.
var notPublic = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.0", "10.0.0.5", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
	"127.0.0.1", "127.0.0.53", "127.255.255.254", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1",
	"172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255",
	"198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1",
	"255.255.255.255",
	"::", "::1", "::2", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.5",
	"::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.5",
	"64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
	"2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002::1", "2002:7f00:1::1", "2002:a00:5::1",
	"2002:a9fe:a9fe::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254",
	"fdff:ffff::1", "fe80::1", "fe80::1%lo", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
	"0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0001", "0:0:0:0:0:ffff:7f00:0001",
}

var anybodys = []string{"1.1.1.1", "8.8.8.8", "172.32.0.1", "192.167.255.255", "2606:4700:4700::1111", "2a00:1450::1"}

// network is what a net.Dialer would call an address's.
func network(host string) string {
	if strings.Contains(host, ":") {
		return "tcp6"
	}
	return "tcp4"
}

func isRefused(err error) bool {
	var refused dialguard.RefusedError
	return errors.As(err, &refused)
}

func TestAddressesThatAreNotPublicAreRefused(t *testing.T) {
	t.Parallel()
	for _, host := range notPublic {
		for _, port := range []string{"22", "80", "443", "8443"} {
			if err := (dialguard.Guard{}).Control(network(host), net.JoinHostPort(host, port), nil); !isRefused(err) {
				t.Errorf("%s port %s: %v", host, port, err)
			}
		}
		if dialguard.IsPublic(netip.MustParseAddr(host)) {
			t.Errorf("%s counts as public", host)
		}
	}
}

func TestADialerNeverLeavesForThem(t *testing.T) {
	t.Parallel()
	dialer := net.Dialer{Control: dialguard.Guard{}.Control}
	for _, host := range notPublic {
		conn, err := dialer.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "22"))
		if err == nil {
			_ = conn.Close()
		}
		if !isRefused(err) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestPublicAddressesPassEveryGuard(t *testing.T) {
	t.Parallel()
	for _, host := range anybodys {
		for _, guard := range []dialguard.Guard{{}, {AllowLoopback: true}, {AllowPrivate: true}} {
			if err := guard.Control(network(host), net.JoinHostPort(host, "8443"), nil); err != nil {
				t.Errorf("%+v refuses %s: %v", guard, host, err)
			}
		}
		if !dialguard.IsPublic(netip.MustParseAddr(host)) {
			t.Errorf("%s does not count as public", host)
		}
	}
}

func TestThisMachineCanBeAllowedAlone(t *testing.T) {
	t.Parallel()
	guard := dialguard.Guard{AllowLoopback: true}
	for _, host := range notPublic {
		isHere := netip.MustParseAddr(host).Unmap().IsLoopback()
		if err := guard.Control(network(host), net.JoinHostPort(host, "22"), nil); isRefused(err) == isHere {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestEveryAddressCanBeAllowed(t *testing.T) {
	t.Parallel()
	for _, host := range notPublic {
		if err := (dialguard.Guard{AllowPrivate: true}).Control(network(host), net.JoinHostPort(host, "22"), nil); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	t.Parallel()
	for _, guard := range []dialguard.Guard{{}, {AllowLoopback: true}} {
		noneOfOurs := map[string]string{"tcp4": "localhost:80", "tcp6": "", "unix": "/run/socket", "udp4": "8.8.8.8:53"}
		for network, address := range noneOfOurs {
			if guard.Control(network, address, nil) == nil {
				t.Errorf("%+v lets %s %q pass", guard, network, address)
			}
		}
	}
}

func TestWhySaysItInOurOwnWords(t *testing.T) {
	t.Parallel()
	const told = "hunter2"
	op := func(err error) error { return &net.OpError{Op: "read", Net: told, Err: err} }
	for want, err := range map[string]error{
		"the address 10.0.0.5 is not public":               op(dialguard.RefusedError{Address: netip.MustParseAddr("10.0.0.5")}),
		"the name does not resolve":                        &net.DNSError{Err: told, Name: told, IsNotFound: true},
		"the name server gave no answer":                   &net.DNSError{Err: told, Name: told, IsTimeout: true},
		"no answer within 3s":                              fmt.Errorf(told+": %w", context.DeadlineExceeded),
		"connection refused":                               op(syscall.ECONNREFUSED),
		"the gateway broke the connection":                 op(syscall.ECONNRESET),
		"there is no route to the address":                 op(syscall.ENETUNREACH),
		"the connection was closed without an answer":      fmt.Errorf(told+": %w", io.ErrUnexpectedEOF),
		"TLS: certificate not trusted":                     x509.UnknownAuthorityError{},
		"TLS: the certificate is for another name":         x509.HostnameError{Certificate: &x509.Certificate{}, Host: told},
		"TLS: the certificate is expired or not yet valid": x509.CertificateInvalidError{Reason: x509.Expired, Detail: told},
		"TLS: the certificate is not valid":                x509.CertificateInvalidError{Reason: x509.TooManyIntermediates, Detail: told},
		"TLS: the gateway does not speak it on this port":  tls.RecordHeaderError{Msg: told},
		"TLS: the gateway refused the connection":          &net.OpError{Op: "remote error", Err: tls.AlertError(40)},
		"the gateway gave no valid HTTP answer":            errors.New(told),
	} {
		if got := dialguard.Why(err, "gateway", 3*time.Second); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}
