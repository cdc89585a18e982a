package rest_test

import (
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/rest"
)

func TestClientAddr(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.5/32"), netip.MustParsePrefix("2001:db8:f::/48"),
	}
	for _, tt := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "203.0.113.9:5", nil, "203.0.113.9"},
		{"not trusted", "203.0.113.9:5", []string{"198.51.100.7"}, "203.0.113.9"},
		{"trusted, nothing forwarded", "10.0.0.1:5", nil, "10.0.0.1"},
		{"trusted", "10.0.0.1:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a claim on the left", "10.0.0.1:5", []string{"1.2.3.4, 198.51.100.7"}, "198.51.100.7"},
		{"rubbish on the left", "10.0.0.1:5", []string{"x y z,, 198.51.100.7"}, "198.51.100.7"},
		{"two proxies", "10.0.0.1:5", []string{"198.51.100.7, 192.168.1.5"}, "198.51.100.7"},
		{"proxies all the way", "10.0.0.1:5", []string{"10.7.7.7, 10.8.8.8"}, "10.7.7.7"},
		{"several lines", "10.0.0.1:5", []string{"1.2.3.4", "198.51.100.7", "10.8.8.8"}, "198.51.100.7"},
		{"rubbish", "10.0.0.1:5", []string{"unknown"}, "10.0.0.1"},
		{"rubbish behind a proxy", "10.0.0.1:5", []string{"_hidden, 10.8.8.8"}, "10.0.0.1"},
		{"empty", "10.0.0.1:5", []string{""}, "10.0.0.1"},
		{"empty last", "10.0.0.1:5", []string{"198.51.100.7,"}, "10.0.0.1"},
		{"with a port", "10.0.0.1:5", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"IPv6", "[2001:db8:f::1]:5", []string{"2001:db8::9"}, "2001:db8::9"},
		{"IPv6 with a port", "10.0.0.1:5", []string{"[2001:db8::9]:443"}, "2001:db8::9"},
		{"IPv6 with a zone", "[fe80::1%eth0]:5", nil, "fe80::1"},
		{"IPv4 in IPv6", "[::ffff:203.0.113.9]:5", nil, "203.0.113.9"},
		{"trusted as IPv4 in IPv6", "[::ffff:10.0.0.1]:5", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"no port", "203.0.113.9", nil, "203.0.113.9"},
		{"Unix socket", "@", []string{"198.51.100.7"}, "invalid IP"},
		{"a long list", "10.0.0.1:5", []string{strings.Repeat("1.1.1.1,", 4000) + "198.51.100.7"}, "198.51.100.7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tt.peer
			r.Header["X-Forwarded-For"] = tt.forwarded
			if got := rest.ClientAddr(r, proxies); got.String() != tt.want {
				t.Errorf("want %s, got %s", tt.want, got)
			}
		})
	}
}
