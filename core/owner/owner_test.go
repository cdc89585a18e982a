package owner_test

import (
	"net/netip"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
)

func TestAllowsAddr(t *testing.T) {
	t.Parallel()
	tests := []struct {
		list []string
		addr string
		want bool
	}{
		{nil, "203.0.113.9", true},
		{nil, "2001:db8::1", true},
		{[]string{"203.0.113.9/32"}, "203.0.113.9", true},
		{[]string{"203.0.113.9/32"}, "203.0.113.10", false},
		{[]string{"203.0.113.9"}, "203.0.113.9", true},
		{[]string{"203.0.113.9"}, "203.0.113.8", false},
		{[]string{"2001:db8::1"}, "2001:db8::1", true},
		{[]string{"2001:db8::1"}, "2001:db8::2", false},
		{[]string{"::ffff:203.0.113.9"}, "203.0.113.9", true},
		{[]string{"203.0.113.0/24"}, "203.0.113.255", true},
		{[]string{"203.0.113.77/24"}, "203.0.113.1", true}, // host bits do not matter
		{[]string{"203.0.113.0/24"}, "203.0.114.0", false},
		{[]string{"198.51.100.0/24", "203.0.113.0/24"}, "203.0.113.1", true},
		{[]string{"2001:db8::/32"}, "2001:db8:ffff::1", true},
		{[]string{"2001:db8::/32"}, "2001:db9::1", false},
		{[]string{"203.0.113.0/24"}, "::ffff:203.0.113.1", true}, // IPv4 as an IPv6 socket reports it
		{[]string{"203.0.113.0/24"}, "::ffff:203.0.114.1", false},
		{[]string{"::ffff:203.0.113.0/120"}, "203.0.113.1", true}, // and as somebody may write it
		{[]string{"::ffff:203.0.113.0/120"}, "203.0.114.1", false},
		{[]string{"::ffff:0.0.0.0/90"}, "2001:db8::1", false},
		{[]string{"fe80::/10"}, "fe80::1%eth0", true}, // the zone says by which link, not who
		{[]string{"fe80::/10"}, "fec0::1%eth0", false},
		{[]string{"0.0.0.0/0"}, "203.0.113.1", true},
		{[]string{"0.0.0.0/0"}, "2001:db8::1", false},
		{[]string{"::/0"}, "2001:db8::1", true},
		{[]string{"::/0"}, "203.0.113.1", false}, // every IPv6 address, and no IPv4 one
	}
	for _, tt := range tests {
		var list []netip.Prefix
		for _, text := range tt.list {
			p, err := core.ParsePrefix(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		if got := owner.AllowsAddr(list, netip.MustParseAddr(tt.addr)); got != tt.want {
			t.Errorf("AllowsAddr(%v, %s) = %v", tt.list, tt.addr, got)
		}
	}
	if owner.AllowsAddr([]netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}, netip.Addr{}) {
		t.Error("an unknown address is on a list")
	}
	if owner.AllowsAddr([]netip.Prefix{{}}, netip.MustParseAddr("203.0.113.1")) {
		t.Error("an entry that is none allows an address")
	}
}

func TestActors(t *testing.T) {
	t.Parallel()
	tests := []struct{ got, want core.Actor }{
		{owner.Provider{ID: 7, Name: "P"}.Actor("a"), core.Actor{Kind: core.ByProvider, ID: "7", Name: "P", Addr: "a"}},
		{staff.Staff{ID: 8, Email: "e"}.Actor("a"), core.Actor{Kind: core.ByStaff, ID: "8", Name: "e", Addr: "a"}},
		{core.System, core.Actor{Kind: core.BySystem, Name: "vezne"}},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%+v, want %+v", tt.got, tt.want)
		}
	}
}
