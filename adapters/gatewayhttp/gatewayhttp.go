// Package gatewayhttp is the gateways' way out: HTTP/1.1 over TLS to the hosts that a gateway account names, and to no
// other. It knows of every failed exchange whether the request may have reached the gateway, and sends nothing that
// could change something there twice.
package gatewayhttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"github.com/vezne/vezne/adapters/dialguard"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

const (
	defaultTimeout = 20 * time.Second // below ports.CallTimeout, so that a plugin can still say what happened
	// maxAnswerHeadBytes bounds the head of an answer.
	maxAnswerHeadBytes = 64 << 10
	// connsPerHost is how many exchanges with one host run at a time; the others wait, within their timeout.
	connsPerHost = 64
	idleTotal    = 256
	// idleFor is short: on a connection that the gateway has just closed, a request is lost without anybody knowing
	// whether it was read.
	idleFor = 15 * time.Second
)

// Config says how gateways are reached.
type Config struct {
	Version       string         // Vezne's own, for the User-Agent
	Timeout       time.Duration  // for one exchange, from the name look-up to the end of the answer; 0: 20 s
	AllowPrivate  bool           // permit every address, and plain http to those that are not public
	AllowLoopback bool           // permit this machine beside the public addresses, and plain http to it
	RootCAs       *x509.CertPool // who signs gateways' certificates; nil: the system's
	Log           *slog.Logger   // gets one line at debug for every exchange; nil: none
}

var (
	_ ports.DoerMaker = (*Client)(nil)
	_ ports.Doer      = (*doer)(nil)
)

// Client makes the Doers of gateway accounts, which share its connections. It is safe for concurrent use.
type Client struct {
	cfg       Config
	transport *http.Transport
	userAgent string
}

// New makes a client.
func New(cfg Config) *Client {
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Client{cfg: cfg, transport: newTransport(cfg), userAgent: "Vezne/" + cfg.Version}
}

// newTransport speaks HTTP/1.1 only (a dialer of one's own turns HTTP/2 off): one request at a time on a connection is
// what makes it certain whether a request has left. It has no proxy.
func newTransport(cfg Config) *http.Transport {
	guard := dialguard.Guard{AllowPrivate: cfg.AllowPrivate, AllowLoopback: cfg.AllowLoopback}
	plain := &net.Dialer{Timeout: cfg.Timeout, Control: func(network, address string, conn syscall.RawConn) error {
		if err := refusePublic(address); err != nil {
			return err
		}
		return guard.Control(network, address, conn)
	}}
	secure := &tls.Dialer{
		NetDialer: &net.Dialer{Timeout: cfg.Timeout, Control: guard.Control},
		Config:    &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs},
	}
	return &http.Transport{
		DialContext:            plain.DialContext,
		DialTLSContext:         secure.DialContext,
		MaxConnsPerHost:        connsPerHost,
		MaxIdleConnsPerHost:    connsPerHost,
		MaxIdleConns:           idleTotal,
		IdleConnTimeout:        idleFor,
		MaxResponseHeaderBytes: maxAnswerHeadBytes,
		DisableCompression:     true, // a small answer could unpack to a huge one
	}
}

var errPlain = errors.New("plain http goes only to addresses that are not public, and that the operator allows: use https")

func refusePublic(address string) error {
	if at, err := netip.ParseAddrPort(address); err != nil || dialguard.IsPublic(at.Addr()) {
		return errPlain
	}
	return nil
}

// Doer implements ports.DoerMaker. A host without a port stands for its scheme's own.
func (c *Client) Doer(hosts, secrets []string) ports.Doer {
	return &doer{Client: c, pins: pinsOf(hosts), blot: blotter(secrets)}
}

// Close ends the connections that wait for the next exchange.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

type doer struct {
	*Client
	pins pins
	blot func(string) string
}

// Do implements ports.Doer.
func (d *doer) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	began := time.Now()
	var response gateway.Response
	u, err := parse(r.URL)
	if err == nil {
		response, err = d.exchange(ctx, u, r)
	}
	d.report(ctx, u, r, response, err, time.Since(began))
	return response, err
}

func (d *doer) exchange(ctx context.Context, u *url.URL, r gateway.Request) (gateway.Response, error) {
	if err := d.check(u, r); err != nil {
		return gateway.Response{}, err
	}
	return d.send(ctx, d.request(u, r))
}
