package auditheads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

var _ ports.AuditPlace = (*URL)(nil)

const (
	postTimeout = 10 * time.Second
	// maxDrainBytes is how much of an answer is read, so that its connection can be used again.
	maxDrainBytes = 64 << 10
)

// URL is an address to which heads are posted: the line that a File has, as the body.
type URL struct {
	address   string
	userAgent string
	transport *http.Transport
}

// NewURL returns the place at an address, which may have a name and a password for Basic authentication. The operator names
// it: it may be a private one.
func NewURL(address, version string) *URL {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 1
	return &URL{address: address, userAgent: "Vezne/" + version, transport: transport}
}

// Name implements ports.AuditPlace.
func (u *URL) Name() string { return "url" }

// HasNone implements ports.AuditPlace: nobody can tell.
func (u *URL) HasNone() bool { return false }

// Write implements ports.AuditPlace: an answer of 200 to 299 says that the head is kept. No redirect is followed. The error
// does not show the address, which may have a password.
func (u *URL) Write(ctx context.Context, c audit.Checkpoint) error {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, u.address, bytes.NewReader(c.Line()))
	if err != nil {
		return errors.New("the address is no URL")
	}
	if user := request.URL.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", u.userAgent)
	response, err := u.transport.RoundTrip(request) // itself and not an http.Client: it follows no redirect
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return err
	}
	_, _ = io.CopyN(io.Discard, response.Body, maxDrainBytes)
	_ = response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("the address answered with %d", response.StatusCode)
	}
	return nil
}

// Close ends the connection that waits for the next head.
func (u *URL) Close() { u.transport.CloseIdleConnections() }
