package gatewayhttp_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vezne/vezne/adapters/gatewayhttp"
	"github.com/vezne/vezne/core/gateway"
)

func TestOnlyTheAccountsHostsAreReached(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what may go out ends there, without a network
	d := client(t, gatewayhttp.Config{}, nil).Doer([]string{
		"API.example.com", "127.0.0.1:8080", "[::1]:8443", "[2a00::1]", "pay.example.com:443", "odd.example.com:80",
		"", ":443", "path.example.com/v1", "me@user.example.com", "https://scheme.example.com", "*.wild.example.com", "%zz",
	}, nil)
	for address, isFine := range map[string]bool{
		"https://api.example.com":                   true,
		"https://Api.EXAMPLE.com/a":                 true,
		"https://api.example.com:443":               true,
		"https://api.example.com:":                  true,
		"HTTPS://api.example.com":                   true,
		"http://api.example.com":                    true, // of its own port; that it is plain is judged when the address is known
		"http://api.example.com:80":                 true,
		"https://api.example.com:80":                false,
		"http://api.example.com:443":                false,
		"https://api.example.com:8443":              false,
		"https://api.example.com.":                  false,
		"https://api.example.com.evil.example":      false,
		"https://evil.example/api.example.com":      false,
		"https://evil.example#api.example.com":      false,
		"https://evil.example?host=api.example.com": false,
		"https://xapi.example.com":                  false,
		"https://example.com":                       false,
		"https://127.0.0.1:8080":                    true,
		"http://127.0.0.1:8080":                     true,
		"http://127.0.0.1":                          false,
		"http://127.0.0.1:8081":                     false,
		"http://127.1:8080":                         false,
		"http://[::ffff:127.0.0.1]:8080":            false,
		"https://[::1]:8443":                        true,
		"https://[::1]":                             false,
		"https://[2a00::1]":                         true,
		"https://[2A00::1]:443":                     true,
		"https://pay.example.com":                   true,
		"https://pay.example.com:443":               true,
		"https://pay.example.com:0443":              false,
		"http://pay.example.com":                    false,
		"http://odd.example.com":                    true,
		"https://odd.example.com":                   false,
		"https://path.example.com":                  false,
		"https://user.example.com":                  false,
		"https://scheme.example.com":                false,
		"https://a.wild.example.com":                false,
	} {
		_, err := d.Do(ctx, post(address, "a"))
		if isFine {
			t.Log(address)
			checkFailure(t, err, gateway.Retryable, gateway.EffectNone, stopped)
			continue
		}
		if !gateway.IsClass(err, gateway.Misconfigured) || !gateway.HasNoEffect(err) ||
			!strings.HasSuffix(err.Error(), " is none of those that the gateway may reach") {
			t.Errorf("%s gave %v", address, err)
		}
	}
}

func TestAnAddressMustBeOneOfTheWeb(t *testing.T) {
	t.Parallel()
	d := doer(t, "https://api.example.com")
	for _, address := range []string{
		"", "api.example.com", "//api.example.com/", "/v1", "ftp://api.example.com", "file:///etc/passwd", "https:", "https://",
		"https:///v1", "https://:443/", "https:api.example.com", "https://api.example.com:port/", "https://api.example.com/%zz",
		"https://api.example.com/\x7fhunter2", "https://api.example.com/\nhunter2", "https://[::1", "javascript:alert(1)",
	} {
		_, err := d.Do(t.Context(), get(address))
		checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, "the URL is not one of http or https")
	}
	_, err := d.Do(t.Context(), get("https://me:hunter2@api.example.com/"))
	checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, "the URL has a user or password in it")
}

func TestARequestOutOfBoundsIsNotSent(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := server(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	d := doer(t, s.URL)
	with := func(name, value string) gateway.Request {
		return gateway.Request{Method: http.MethodGet, URL: s.URL, Header: gateway.Header{{Name: name, Value: value}}}
	}
	const methods = "the method is none of GET, HEAD, POST, PUT, PATCH, DELETE"
	for _, c := range []struct {
		request gateway.Request
		why     string
	}{
		{gateway.Request{URL: s.URL}, methods},
		{gateway.Request{Method: "get", URL: s.URL}, methods},
		{gateway.Request{Method: "CONNECT", URL: s.URL}, methods},
		{gateway.Request{Method: "GET / HTTP/1.1\r\nX: 1\r\n\r\n", URL: s.URL}, methods},
		{get(s.URL + "/" + strings.Repeat("a", 8<<10)), "the URL is longer than 8192 bytes"},
		{get(s.URL + "/?q=a b"), "the query of the URL is not escaped"},
		{get(s.URL + "/?q=ş"), "the query of the URL is not escaped"},
		{post(s.URL, strings.Repeat("a", 3<<20+1)), "the body is longer than 3145728 bytes"},
		{with("X-Long", strings.Repeat("a", 32<<10)), "the headers are longer than 32768 bytes"},
		{with("", "a"), "the name of a header has characters that HTTP does not allow"},
		{with("X A", "a"), "the name of a header has characters that HTTP does not allow"},
		{with("X:A", "a"), "the name of a header has characters that HTTP does not allow"},
		{with("Ş", "a"), "the name of a header has characters that HTTP does not allow"},
		{with("Authorization", "hunter2\r\nX: 1"), "the header Authorization has a control character in it"},
		{with("Authorization", "hunter2\x00"), "the header Authorization has a control character in it"},
		{with("host", "evil.example"), "the header host is not for a plugin to set"},
		{with("Content-Length", "3"), "the header Content-Length is not for a plugin to set"},
		{with("TRANSFER-ENCODING", "chunked"), "the header TRANSFER-ENCODING is not for a plugin to set"},
		{with("Connection", "close"), "the header Connection is not for a plugin to set"},
		{with("Expect", "100-continue"), "the header Expect is not for a plugin to set"},
		{with("TE", "trailers"), "the header TE is not for a plugin to set"},
	} {
		_, err := d.Do(t.Context(), c.request)
		checkFailure(t, err, gateway.Invalid, gateway.EffectNone, c.why)
	}
	if calls.Load() != 0 {
		t.Errorf("%d requests arrived", calls.Load())
	}
	for _, request := range []gateway.Request{
		post(s.URL, strings.Repeat("a", 3<<20)), with("X-Long", strings.Repeat("a", 32<<10-6)), with("X-Tab", "a\tb ş"),
	} {
		if _, err := d.Do(t.Context(), request); err != nil {
			t.Error(err)
		}
	}
}

func TestAddressesThatAreNotPublicAreRefused(t *testing.T) {
	t.Parallel()
	for _, cfg := range []gatewayhttp.Config{{}, {AllowLoopback: true}} {
		c := gatewayhttp.New(cfg)
		t.Cleanup(c.Close)
		for _, host := range []string{"10.0.0.5", "169.254.169.254", "192.168.0.1:8443"} {
			for _, scheme := range []string{"https://", "http://"} {
				_, err := c.Doer([]string{host}, nil).Do(t.Context(), post(scheme+host+"/?token=hunter2", "a"))
				name, _, _ := strings.Cut(host, ":")
				checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, "the address "+name+" is not public")
			}
		}
	}
}

const plain = "plain http goes only to addresses that are not public, and that the operator allows: use https"

func TestPlainHTTPNeverLeavesTheOperatorsNetwork(t *testing.T) {
	t.Parallel()
	for _, cfg := range []gatewayhttp.Config{{}, {AllowLoopback: true}, {AllowPrivate: true}} {
		c := gatewayhttp.New(cfg)
		t.Cleanup(c.Close)
		for _, host := range []string{"8.8.8.8", "1.1.1.1:8080", "[2606:4700:4700::1111]"} {
			_, err := c.Doer([]string{host}, nil).Do(t.Context(), post("http://"+host, "a"))
			checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, plain)
		}
	}
}

func TestThisMachineIsReachedOnlyWhereItIsAllowed(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := server(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	c := gatewayhttp.New(gatewayhttp.Config{Timeout: long})
	t.Cleanup(c.Close)
	_, err := c.Doer([]string{hostOf(t, s.URL)}, nil).Do(t.Context(), post(s.URL, "a"))
	checkFailure(t, err, gateway.Misconfigured, gateway.EffectNone, "the address 127.0.0.1 is not public")
	if calls.Load() != 0 {
		t.Errorf("%d requests arrived", calls.Load())
	}
	for _, cfg := range []gatewayhttp.Config{{AllowLoopback: true, Timeout: long}, {AllowPrivate: true, Timeout: long}} {
		c := gatewayhttp.New(cfg)
		t.Cleanup(c.Close)
		if _, err := c.Doer([]string{hostOf(t, s.URL)}, nil).Do(t.Context(), post(s.URL, "a")); err != nil {
			t.Error(err)
		}
	}
}

func TestAccountsHaveTheirOwnHosts(t *testing.T) {
	t.Parallel()
	s := server(t, func(http.ResponseWriter, *http.Request) {})
	c := client(t, gatewayhttp.Config{}, nil)
	if _, err := c.Doer([]string{hostOf(t, s.URL)}, nil).Do(t.Context(), get(s.URL)); err != nil {
		t.Fatal(err)
	}
	for _, hosts := range [][]string{nil, {"api.example.com"}} {
		if _, err := c.Doer(hosts, nil).Do(t.Context(), get(s.URL)); !gateway.IsClass(err, gateway.Misconfigured) {
			t.Errorf("%q gave %v", hosts, err)
		}
	}
}
