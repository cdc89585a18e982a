package core_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
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

// TestPermissions: who may do what in the back office, whole.
func TestPermissions(t *testing.T) {
	t.Parallel()
	want := map[staff.Role]string{staff.Admin: "rdwe", staff.Operator: "rdw-", staff.Viewer: "r---", staff.DealerStaff: "rdw-", "": "----", "root": "----",
		staff.Finance: "r---", staff.Support: "r---", staff.Auditor: "r---", staff.ProviderStaff: "r---"}
	letters := []struct {
		permission staff.Permission
		letter     byte
	}{{staff.ReadTransactions, 'r'}, {staff.DecideDeposits, 'd'}, {staff.DecideWithdrawal, 'w'}, {staff.EditProviders, 'e'}}
	for role, may := range want {
		for i, l := range letters {
			if got := role.May(l.permission); got != (may[i] == l.letter) {
				t.Errorf("%q may %s: %v", role, l.permission, got)
			}
		}
	}
	for _, role := range staff.Roles() {
		if want[role] == "" || role.May("") {
			t.Errorf("%q is not in this table, or may do what has no name", role)
		}
	}
}

// TestScope: a dealer's staff see their dealer's payments and never all; others see all.
func TestScope(t *testing.T) {
	t.Parallel()
	tests := []struct {
		staff      staff.Staff
		own, other bool
	}{
		{staff.Staff{Role: staff.Admin}, true, true},
		{staff.Staff{Role: staff.Operator, DealerID: 5}, true, true},
		{staff.Staff{Role: staff.Viewer}, true, true},
		{staff.Staff{Role: staff.DealerStaff, DealerID: 5}, true, false},
		{staff.Staff{Role: staff.DealerStaff}, false, false},
	}
	for _, tt := range tests {
		s := tt.staff.Scope()
		if own, other := (payment.Payment{DealerID: 5}).IsIn(s), (payment.Payment{DealerID: 6}).IsIn(s); own != tt.own || other != tt.other {
			t.Errorf("%s of dealer %d sees dealer 5's: %v, dealer 6's: %v", tt.staff.Role, tt.staff.DealerID, own, other)
		}
		if tt.staff.Role == staff.DealerStaff && (payment.Payment{}).IsIn(s) {
			t.Errorf("a dealer's staff see payments of no dealer")
		}
	}
}

func TestSessionIsLive(t *testing.T) {
	t.Parallel()
	s := staff.Session{ExpiresAt: evening, LastSeenAt: evening.Add(-staff.SessionIdle + time.Minute)}
	if !s.IsLive(evening.Add(-1)) || s.IsLive(evening) || s.IsLive(evening.Add(time.Hour)) {
		t.Error("a session lives until the moment before ExpiresAt")
	}
	s.LastSeenAt = evening.Add(-staff.SessionIdle - time.Minute)
	if s.IsLive(evening.Add(-time.Minute)) || !s.IsLive(evening.Add(-time.Minute-1)) {
		t.Error("a session lives until two hours after its last use")
	}
	s.LastSeenAt, s.RevokedAt = evening, evening.Add(-time.Hour)
	if s.IsLive(evening.Add(-1)) {
		t.Error("a revoked session lives")
	}
	if (staff.Session{}).IsLive(evening) {
		t.Error("a session that was never made lives")
	}
}
