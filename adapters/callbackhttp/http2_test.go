package callbackhttp_test

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/callbackhttp"
)

// Frames of HTTP/2 (RFC 9113, section 4.1): three bytes of length, the type, the flags, four bytes of stream.
const (
	http2Preface      = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	http2FrameHeader  = 9
	http2DataFrame    = 0
	http2FlagEnd      = 1
	http2Settings     = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	http2GoAwayOfNone = "\x00\x00\x08\x07\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00"
)

// TestAReceiverThatTakesNothingIsAskedAFewTimes: by HTTP/2 a receiver may say that it has not begun with a request, upon which
// the library sends it again on a new connection, without a pause and for as long as there is time. One that always says so
// would be sent thousands of copies by one attempt.
func TestAReceiverThatTakesNothingIsAskedAFewTimes(t *testing.T) {
	t.Parallel()
	certificate, roots := issue(t, "127.0.0.1", time.Now().Add(time.Hour))
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	var copies atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if readRequest(conn) {
				copies.Add(1)
				_, _ = io.WriteString(conn, http2GoAwayOfNone)
			}
			_ = conn.Close()
		}
	}()
	sender := callbackhttp.New(callbackhttp.Config{Timeout: 5 * time.Second, AllowPrivate: true, RootCAs: roots})
	t.Cleanup(sender.Close)
	answered := sender.Send(t.Context(), "https://"+listener.Addr().String(), message())
	if answered.HTTPStatus != 0 || answered.Error != "the receiver gave no valid HTTP answer" {
		t.Errorf("got %+v", answered)
	}
	if n := copies.Load(); n == 0 || n > 3 {
		t.Errorf("the message was sent %d times by one attempt, want 3 at most", n)
	}
}

// readRequest reads a connection up to the end of the first request's body.
func readRequest(conn net.Conn) bool {
	if _, err := io.ReadFull(conn, make([]byte, len(http2Preface))); err != nil {
		return false
	}
	if _, err := io.WriteString(conn, http2Settings); err != nil {
		return false
	}
	for {
		var header [http2FrameHeader]byte
		if _, err := io.ReadFull(conn, header[:]); err != nil {
			return false
		}
		length := binary.BigEndian.Uint32(header[:4]) >> 8
		if _, err := io.CopyN(io.Discard, conn, int64(length)); err != nil {
			return false
		}
		if header[3] == http2DataFrame && header[4]&http2FlagEnd != 0 {
			return true
		}
	}
}
