// Package callbackhttp posts callbacks over HTTP to the addresses that providers have set, and to no address inside the
// operator's own network.
package callbackhttp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/vezne/vezne/adapters/dialguard"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

const (
	defaultTimeout = 10 * time.Second // decisions: Callbacks, Success
	// maxHeaderBytes bounds the head of an answer.
	maxHeaderBytes = 64 << 10
	// maxDrainBytes is how much of an answer is read beyond what is kept, so that its connection can be used again.
	maxDrainBytes = 60 << 10
	// idlePerReceiver connections stay open to each receiver: with the library's 2, deliveries take half as long again.
	idlePerReceiver = 64
	idleTotal       = 1024
	idleFor         = 60 * time.Second
	// maxRepeats is how often the library may send a message again within one attempt: it does so without a pause where a
	// connection was lost before the receiver had begun with it, or where a receiver of HTTP/2 says that.
	maxRepeats = 2
	// maxRetryAfterSeconds keeps a receiver's number far from overflowing; core bounds it further.
	maxRetryAfterSeconds = 7 * 24 * 60 * 60
)

// Config says how callbacks are sent.
type Config struct {
	Version       string         // Vezne's own, for the User-Agent
	Timeout       time.Duration  // for one attempt, from the name look-up to the end of the answer; 0: 10 s
	AllowPrivate  bool           // permit every address, not only public ones
	AllowLoopback bool           // permit this machine beside the public ones
	RootCAs       *x509.CertPool // who signs receivers' certificates; nil: the system's
}

var _ ports.CallbackSender = (*Sender)(nil)

// Sender sends over HTTP/1.1 and, where a receiver offers it, HTTP/2. It is safe for concurrent use.
type Sender struct {
	transport *http.Transport
	timeout   time.Duration
	userAgent string
}

// New returns a sender.
func New(cfg Config) *Sender {
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	return &Sender{
		transport: newTransport(cfg),
		timeout:   cfg.Timeout,
		userAgent: "Vezne/" + cfg.Version,
	}
}

func newTransport(cfg Config) *http.Transport {
	guard := dialguard.Guard{AllowPrivate: cfg.AllowPrivate, AllowLoopback: cfg.AllowLoopback}
	dialer := &net.Dialer{Timeout: cfg.Timeout, Control: guard.Control}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs},
		TLSHandshakeTimeout:    cfg.Timeout,
		MaxIdleConns:           idleTotal,
		MaxIdleConnsPerHost:    idlePerReceiver,
		IdleConnTimeout:        idleFor,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true, // a small answer could unpack to a huge one
		ForceAttemptHTTP2:      true, // a dialer of one's own turns it off
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: cfg.Timeout, PingTimeout: cfg.Timeout},
	}
}

// Close ends the connections that wait for the next callback.
func (c *Sender) Close() { c.transport.CloseIdleConnections() }

// Send implements ports.CallbackSender. The status line decides: an answer whose body does not come to its end in time still
// counts, with as much of the body as there was.
func (c *Sender) Send(ctx context.Context, address string, message payment.CallbackMessage) payment.DeliveryResult {
	start := time.Now()
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answered, err := c.post(bounded, address, message)
	if err != nil {
		answered.Error = c.explain(ctx, err)
	}
	answered.Duration = time.Since(start)
	return answered
}

func (c *Sender) post(ctx context.Context, address string, message payment.CallbackMessage) (payment.DeliveryResult, error) {
	request, err := c.request(ctx, address, message)
	if err != nil {
		return payment.DeliveryResult{}, err
	}
	// The transport itself and not an http.Client: it follows no redirect and keeps no cookie.
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return payment.DeliveryResult{}, err
	}
	defer func() { _ = response.Body.Close() }()
	return payment.DeliveryResult{
		HTTPStatus: response.StatusCode,
		Answer:     read(response.Body),
		RetryAfter: retryAfter(response.Header.Get("Retry-After"), time.Now()),
	}, nil
}

// errAddress hides what the parser says, which could quote a password.
var errAddress = errors.New("the callback address is not an http or https URL")

func (c *Sender) request(ctx context.Context, address string, message payment.CallbackMessage) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(message.Body))
	if err != nil || request.URL.Hostname() == "" || request.URL.Scheme != "http" && request.URL.Scheme != "https" {
		return nil, errAddress
	}
	if user := request.URL.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	request.GetBody = repeats(message.Body)
	request.Header.Set("User-Agent", c.userAgent)
	for _, h := range message.Headers {
		request.Header.Set(h.Name, h.Value)
	}
	return request, nil
}

var errRepeats = errors.New("the message was sent again often enough")

// repeats returns the body anew a few times.
func repeats(body []byte) func() (io.ReadCloser, error) {
	left := maxRepeats
	return func() (io.ReadCloser, error) {
		if left == 0 {
			return nil, errRepeats
		}
		left--
		return io.NopCloser(bytes.NewReader(body)), nil
	}
}

// read keeps the first core.MaxAnswerBytes. How reading ended does not matter: the status has come.
func read(body io.Reader) string {
	raw, err := io.ReadAll(io.LimitReader(body, payment.MaxAnswerBytes))
	if err == nil {
		_, _ = io.CopyN(io.Discard, body, maxDrainBytes)
	}
	return readable(raw)
}

// readable drops what is not UTF-8 (half a character at the cut, too), what nobody sees, and control characters except newline and tab.
func readable(raw []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, lang.Bare(strings.ToValidUTF8(string(raw), "")))
}

// retryAfter reads seconds or an HTTP date (RFC 9110, 10.2.3); 0 when there is neither, or it is over.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, maxRetryAfterSeconds)) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfterSeconds*time.Second)
}
