package callbackhttp_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/callbackhttp"
)

// notPublic are a few of the addresses that adapters/dialguard refuses, as they can stand in a URL.
var notPublic = []string{"10.0.0.5", "169.254.169.254", "192.168.0.1", "[::ffff:10.0.0.5]", "[64:ff9b::a9fe:a9fe]", "[fd00::1]"}

func TestAddressesThatAreNotPublicAreRefused(t *testing.T) {
	t.Parallel()
	sender := callbackhttp.New(callbackhttp.Config{Timeout: long})
	t.Cleanup(sender.Close)
	for _, host := range append(notPublic, "127.0.0.1", "[::1]") {
		for _, url := range []string{"http://" + host + "/", "https://" + host + ":8443/back", "http://" + host + ":22"} {
			answered := sender.Send(t.Context(), url, message())
			if answered.HTTPStatus != 0 || !strings.HasPrefix(answered.Error, "the address ") ||
				!strings.HasSuffix(answered.Error, " is not public") {
				t.Errorf("%s gave %+v", url, answered)
			}
		}
	}
}

func TestThisMachineCanBeAllowedAlone(t *testing.T) {
	t.Parallel()
	server := receiver(t, func(http.ResponseWriter, *http.Request) {})
	sender := callbackhttp.New(callbackhttp.Config{Timeout: long, AllowLoopback: true})
	t.Cleanup(sender.Close)
	for _, url := range []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)} {
		if answered := sender.Send(t.Context(), url, message()); !answered.IsAccepted() {
			t.Errorf("%s gave %+v", url, answered)
		}
	}
	for _, host := range notPublic {
		if answered := sender.Send(t.Context(), "http://"+host+":22", message()); !strings.HasSuffix(answered.Error, " is not public") {
			t.Errorf("%s gave %+v", host, answered)
		}
	}
}

func TestTheSentenceNamesTheAddress(t *testing.T) {
	t.Parallel()
	sender := callbackhttp.New(callbackhttp.Config{Timeout: long})
	t.Cleanup(sender.Close)
	answered := sender.Send(t.Context(), "http://user:pass@10.0.0.5:8080/secret?token=1", message())
	if answered.Error != "the address 10.0.0.5 is not public" {
		t.Errorf("got %q", answered.Error)
	}
}

func TestNamesForLoopbackAreRefused(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	server := receiver(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	guarded := callbackhttp.New(callbackhttp.Config{Timeout: 5 * time.Second})
	t.Cleanup(guarded.Close)
	for _, host := range []string{"localhost", "LOCALHOST", "localhost.", "127.1", "2130706433", "0x7f000001", "017700000001"} {
		answered := guarded.Send(t.Context(), "http://"+host+":"+port, message())
		if answered.HTTPStatus != 0 || answered.Error == "" || calls.Load() != 0 {
			t.Errorf("%s gave %+v", host, answered)
		}
	}
	if answered := guarded.Send(t.Context(), "http://localhost:"+port, message()); !strings.HasSuffix(answered.Error, "is not public") {
		t.Errorf("localhost gave %q", answered.Error)
	}
	if answered := local(t, long).Send(t.Context(), "http://localhost:"+port, message()); !answered.IsAccepted() {
		t.Errorf("the operator allowed it: %+v", answered)
	}
}

func TestOnlyWebAddresses(t *testing.T) {
	t.Parallel()
	sender := local(t, long)
	for _, url := range []string{
		"", "receiver.example", "//receiver.example/back", "/back", "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1",
		"http:", "http://", "http:///back", "http://:80/", "https://user:hunter2@/", "http://user:hunter2@127.0.0.1:port/",
		"http://user:hunter2@127.0.0.1/%zz", "http://[::1", "http://127.0.0.1/\x7fhunter2", "javascript:alert(1)",
	} {
		answered := sender.Send(t.Context(), url, message())
		if answered.Error != "the callback address is not an http or https URL" || answered.HTTPStatus != 0 {
			t.Errorf("%q gave %+v", url, answered)
		}
	}
}

func TestWhyThereWasNoAnswer(t *testing.T) {
	t.Parallel()
	speak := func(text string) string { return rawServer(t, text) }
	for name, c := range map[string]struct{ url, want string }{
		"nobody listens": {"http://user:hunter2@" + closedPort(t), "connection refused"},
		"hangs up":       {"http://user:hunter2@" + speak(""), "the connection was closed without an answer"},
		"not HTTP":       {"http://user:hunter2@" + speak("220 hunter2 ESMTP\r\n"), "the receiver gave no valid HTTP answer"},
		"endless head": {
			"http://" + speak("HTTP/1.1 200 OK\r\nX-Long: "+strings.Repeat("x", 1<<20)), "the receiver gave no valid HTTP answer",
		},
		"no TLS":    {"https://" + speak("HTTP/1.1 400 Bad Request\r\n\r\n"), "TLS: the receiver does not speak it on this port"},
		"untrusted": {tlsServer(t, nil).URL, "TLS: certificate not trusted"},
		"old TLS": {
			tlsServer(t, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}).URL,
			"TLS: the receiver refused the connection",
		},
	} {
		answered := local(t, long).Send(t.Context(), c.url, message())
		if answered.Error != c.want || answered.HTTPStatus != 0 {
			t.Errorf("%s: %q, want %q", name, answered.Error, c.want)
		}
	}
}

func TestANameThatDoesNotResolve(t *testing.T) {
	t.Parallel()
	answered := local(t, long).Send(t.Context(), "http://user:hunter2@receiver.invalid/", message())
	// Without a network there is no name server to ask.
	if answered.Error != "the name does not resolve" && answered.Error != "the name server gave no answer" {
		t.Errorf("got %+v", answered)
	}
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		host  string
		until time.Duration
		want  string
	}{
		"good":       {"127.0.0.1", time.Hour, ""},
		"expired":    {"127.0.0.1", -time.Hour, "TLS: the certificate is expired or not yet valid"},
		"other name": {"127.0.0.2", time.Hour, "TLS: the certificate is for another name"},
	} {
		certificate, roots := issue(t, c.host, time.Now().Add(c.until))
		server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
		sender := callbackhttp.New(callbackhttp.Config{Timeout: long, AllowPrivate: true, RootCAs: roots})
		t.Cleanup(sender.Close)
		answered := sender.Send(t.Context(), server.URL, message())
		if answered.Error != c.want || answered.IsAccepted() != (c.want == "") {
			t.Errorf("%s: %+v, want %q", name, answered, c.want)
		}
		if c.want == "" && answered.Answer != "HTTP/2.0" {
			t.Errorf("spoken was %s", answered.Answer)
		}
	}
}

// tlsServer answers with the protocol that was spoken.
func tlsServer(t *testing.T, config *tls.Config) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2, server.TLS = true, config
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it reports what the sender refuses
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// rawServer reads a little of each request, says text and hangs up.
func rawServer(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 16<<10))
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// issue makes a certificate for an IP address that ends at a moment, and the pool that trusts it.
func issue(t *testing.T, host string, until time.Time) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.ParseIP(host)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}
