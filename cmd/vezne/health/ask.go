package health

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	// askTimeout bounds one question, which /readyz answers within readyTimeout.
	askTimeout = readyTimeout + 2*time.Second
	// maxAnswer bounds what is read of an answer.
	maxAnswer = 4 << 10
)

// Ask asks a server on this machine, by the address that it listens on, for /healthz or /readyz. It returns the answer, and an error
// unless that is 200.
func Ask(ctx context.Context, listen, path string) (answer string, err error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("%q is no address and port: %w", listen, err)
	}
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		host = "localhost" // whoever listens on all addresses is reached on the loopback one
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{DisableKeepAlives: true} // no proxy of the environment: the server is here
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // only read from
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s", path, response.Status)
	}
	return string(body), err
}
