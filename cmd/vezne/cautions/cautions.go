// Package cautions says which settings are accepted and still likely to be wrong: `vezne serve` logs them and `vezne doctor`
// prints them.
package cautions

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/vezne/vezne/adapters/bunstore"
)

// Facts are what the settings say of an installation.
type Facts struct {
	Listen  string // host:port
	BaseURL string // as links have it; where none is set, the address that is served on
	Role    string // all, api or worker

	IsEmbedded, HasRedis               bool
	HasTrustedProxies, TrustsEverybody bool     // TrustsEverybody: one of the proxies is a block of all addresses
	TakesTests                         bool     // callers say what becomes of their payments
	PasswordMovesMoney                 []string // roles that move money and need no second factor
}

// Caution is one setting that is likely to be wrong.
type Caution struct {
	Subject string // a word or two
	Setting string // the variable to look at
	Text    string
}

// Of lists everything that calls for caution.
func Of(f Facts) []Caution {
	var list []Caution
	add := func(applies bool, subject, setting, format string, args ...any) {
		if applies {
			list = append(list, Caution{Subject: subject, Setting: setting, Text: fmt.Sprintf(format, args...)})
		}
	}
	base, err := url.Parse(f.BaseURL)
	if err != nil {
		base = &url.URL{}
	}
	isPublic, isSecure := base.Host != "" && !isThisMachine(base.Hostname()), base.Scheme == "https"
	isOpen := ReachesOthers(f.Listen)
	where := "the base URL is https, so that a proxy is in front"
	if !isSecure {
		where = "others reach the address " + f.Listen
	}
	add(f.Role != "worker" && !f.HasTrustedProxies && (isOpen || isSecure), "proxies", "VEZNE_TRUSTED_PROXIES",
		"VEZNE_TRUSTED_PROXIES names no proxy, and %s: behind a proxy that is not named all clients share its address, so that "+
			"failed sign-ins and wrong hashes of one lock out everybody, and IP whitelists compare the proxy; name it, such as 10.0.0.5 "+
			"or 10.0.0.0/8", where)
	add(f.TrustsEverybody, "proxies", "VEZNE_TRUSTED_PROXIES",
		"VEZNE_TRUSTED_PROXIES has a block of all addresses: every client then says itself where it comes from, which IP whitelists "+
			"and limits believe; name the proxies alone")
	add(isPublic && !isSecure, "base URL", "VEZNE_BASE_URL",
		"VEZNE_BASE_URL is plain http: passwords, keys and payment pages can be read and changed on the way; let a proxy end TLS, "+
			"and begin it with https")
	add(isPublic && len(f.PasswordMovesMoney) > 0, "second factor", "VEZNE_REQUIRE_SECOND_FACTOR",
		"VEZNE_REQUIRE_SECOND_FACTOR leaves out %s, and the base URL is public: there a password alone moves money; set it to all, or "+
			"to these as well", strings.Join(f.PasswordMovesMoney, ","))
	add(f.TakesTests, "test payments", "VEZNE_TEST_PAYMENTS",
		"VEZNE_TEST_PAYMENTS is on: every provider and dealer completes its own payments by a field of its request, without any money; "+
			"switch it off wherever money moves, also where only people move it by hand")
	_, notAddress := netip.ParseAddr(base.Hostname())
	add(notAddress == nil, "passkeys", "VEZNE_BASE_URL",
		"passkeys cannot work, since the base URL %s has an IP address and browsers make them for names only: set VEZNE_BASE_URL to a "+
			"name, on this machine http://localhost and the port", base.Redacted())
	add(!f.IsEmbedded && !f.HasRedis, "processes", "VEZNE_REDIS_URL",
		"VEZNE_REDIS_URL is not set: this must be the only process on its PostgreSQL, since limits are counted and live updates are "+
			"told in memory")
	add(f.IsEmbedded && f.Role != "all", "role", "VEZNE_ROLE",
		"VEZNE_ROLE is %s, and the embedded database is for one process: nobody does the rest of the work", f.Role)
	return list
}

// What PostgreSQL's settings leave alone, as it is installed.
const (
	installedBuffers = 128 << 20 // bytes
	smallDatabase    = 4 << 30   // bytes, of which the system's own cache is as good
)

// OfServer lists what calls for caution in how PostgreSQL is set.
func OfServer(is bunstore.Server) []Caution {
	var list []Caution
	if is.Off != "" {
		list = append(list, Caution{Subject: "durability", Setting: is.Off, Text: "PostgreSQL's " + is.Off + " is off: when the server or its " +
			"machine ends at once, payments, decisions and results that were answered are lost, or the whole database; set it to on, also for the " +
			"role (full_page_writes alone may be off on a file system that never leaves a page half written, such as ZFS)"})
	}
	if is.BufferBytes <= installedBuffers && is.DatabaseBytes > smallDatabase {
		list = append(list, Caution{Subject: "memory", Setting: "shared_buffers", Text: fmt.Sprintf("PostgreSQL's shared_buffers has %d MB, as it is "+
			"installed, and the database %d GB: each payment reads pages anew; set it to a quarter of the machine's memory, and max_wal_size to 16GB",
			is.BufferBytes>>20, is.DatabaseBytes>>30)})
	}
	return list
}

// ReachesOthers reports whether other machines can reach an address that is listened on: host:port.
func ReachesOthers(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && !isThisMachine(host)
}

// isThisMachine reports whether a name or address leads to nowhere else.
func isThisMachine(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
