package access_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
)

var office = netip.MustParseAddr("198.51.100.7")

// signed is a right request of the first provider at the World's time.
func signed(w *apptest.World, scheme access.Scheme, key string) access.Call {
	c := access.Call{
		APIKey: w.Provider.APIKey, Timestamp: stamp(w.Clock.Now()), Scheme: scheme, Key: key, Addr: office,
	}
	return sign(c, w.Provider.SecretKey)
}

// sign puts the contract's hash on a call: SHA-256 over API key, secret key, what the scheme adds, and timestamp.
func sign(c access.Call, secret core.Secret) access.Call {
	middle := c.Key
	if c.Scheme == access.Plain {
		middle = ""
	}
	sum := sha256.Sum256([]byte(c.APIKey + secret.Reveal() + middle + c.Timestamp))
	c.Hash = hex.EncodeToString(sum[:])
	return c
}

func stamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// save changes the first provider in the store.
func save(t *testing.T, w *apptest.World, change func(*owner.Provider)) {
	t.Helper()
	change(&w.Provider)
	w.Provider.Version++
	if err := w.Store.Commit(t.Context(), core.Changeset{w.Provider}); err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// rule is one check of the contract and how a request or its provider breaks it.
type rule struct {
	code     fault.Code
	breakIt  func(*access.Call)
	provider func(*owner.Provider)
	isHash   bool
}

// rules stand in the order of decisions.md.
func rules(w *apptest.World) []rule {
	return []rule{
		{code: fault.MissingHeaders, breakIt: func(c *access.Call) { c.Hash = "" }, isHash: true},
		{code: fault.InvalidAPIKey, breakIt: func(c *access.Call) { c.APIKey = "vzp_nobody" }},
		{code: fault.TimestampExpired, breakIt: func(c *access.Call) { c.Timestamp = stamp(w.Clock.Now().Add(-time.Hour)) }},
		{code: fault.InvalidHash, breakIt: func(c *access.Call) { c.Hash = strings.Repeat("0", 64) }, isHash: true},
		{code: fault.ProviderInactive, provider: func(p *owner.Provider) { p.IsActive = false }},
		{code: fault.AddressNotAllowed, provider: func(p *owner.Provider) {
			p.IPWhitelist = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}
		}},
		{code: fault.InvalidCredential, breakIt: func(c *access.Call) { c.Key = w.OtherSiteKey }},
	}
}

func TestRequestBreakingSeveralRulesAnswersTheFirst(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	table := rules(w)
	for broken := range 1 << len(table) {
		save(t, w, func(p *owner.Provider) { p.IsActive, p.IPWhitelist = true, nil })
		call := signed(w, access.Site, w.CredentialKey)
		var names []string
		want := fault.Code("")
		for i := len(table) - 1; i >= 0; i-- { // the earliest last: it has the last word on the headers
			r := table[i]
			if broken&(1<<i) == 0 {
				continue
			}
			want, names = r.code, append(names, string(r.code))
			if r.provider != nil {
				save(t, w, r.provider)
			}
			if r.breakIt != nil {
				r.breakIt(&call)
			}
			if !r.isHash && broken&0b1001 == 0 {
				call = sign(call, w.Provider.SecretKey)
			}
		}
		if _, _, err := w.Gate.Authenticate(t.Context(), call); fault.CodeOf(err) != want {
			t.Errorf("broken %v: got %v, want %q", names, err, want)
		}
	}
}

// wrongClock is one that may not be relied on.
type wrongClock struct{}

func (wrongClock) Check() error { return fault.New("test", fault.Unavailable) }

// TestByAWrongClockNobodyIsRefused: timestamps cannot be judged, and nobody's address is counted against for that.
func TestByAWrongClockNobodyIsRefused(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Gate.Time = wrongClock{}
	call := signed(w, access.Plain, "")
	w.Clock.Advance(45 * time.Minute)
	for range 3 {
		if _, _, err := w.Gate.Authenticate(t.Context(), call); !fault.Is(err, fault.Unavailable) {
			t.Errorf("a provider is answered with %v", err)
		}
		if _, _, err := w.Gate.AuthenticateDealer(t.Context(), access.DealerCall{APIKey: "vzd_x"}); !fault.Is(err, fault.Unavailable) {
			t.Errorf("a dealer is answered with %v", err)
		}
	}
}

func TestEachMissingHeaderIsNamedMissing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for name, drop := range map[string]func(*access.Call){
		"X-Api-Key":         func(c *access.Call) { c.APIKey = "" },
		"X-Hash":            func(c *access.Call) { c.Hash = "" },
		"X-Timestamp":       func(c *access.Call) { c.Timestamp = "" },
		"X-Key of E2":       func(c *access.Call) { c.Key = "" },
		"all, from nowhere": func(c *access.Call) { *c = access.Call{Scheme: access.Verified} },
	} {
		call := signed(w, access.Verified, w.Provider.VerificationKey.Reveal())
		drop(&call)
		if _, _, err := w.Gate.Authenticate(t.Context(), call); !fault.Is(err, fault.MissingHeaders) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestTimestampIsDigitsWithinFiveMinutes(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	unix := w.Clock.Now().Unix()
	for text, want := range map[string]fault.Code{
		fmt.Sprint(unix): "", fmt.Sprint(unix - 300): "", fmt.Sprint(unix + 300): "",
		fmt.Sprint(unix - 301): fault.TimestampExpired, fmt.Sprint(unix + 301): fault.TimestampExpired,
		fmt.Sprintf("+%d", unix): fault.TimestampExpired, fmt.Sprintf("-%d", unix): fault.TimestampExpired,
		fmt.Sprintf(" %d", unix): fault.TimestampExpired, fmt.Sprintf("%d.0", unix): fault.TimestampExpired,
		fmt.Sprintf("0x%x", unix): fault.TimestampExpired, fmt.Sprintf("%d_%09d", unix/1e9, unix%1e9): fault.TimestampExpired,
		fmt.Sprintf("%d000", unix): fault.TimestampExpired, "yesterday": fault.TimestampExpired,
		"１７７２４４２０００": fault.TimestampExpired, strings.Repeat("9", 100_000): fault.TimestampExpired,
		strings.Repeat("0", 5) + fmt.Sprint(unix): fault.TimestampExpired, "0": fault.TimestampExpired,
	} {
		call := signed(w, access.Plain, "")
		call.Timestamp = text
		_, _, err := w.Gate.Authenticate(t.Context(), sign(call, w.Provider.SecretKey))
		if got := fault.CodeOf(err); got != want {
			t.Errorf("timestamp %.40q: got %q, want %q", text, got, want)
		}
	}
}

func TestHashMayBeUpperCaseAndNothingElse(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	right := signed(w, access.Site, w.CredentialKey)
	for hash, want := range map[string]fault.Code{
		strings.ToUpper(right.Hash):                      "",
		right.Hash[:63]:                                  fault.InvalidHash,
		right.Hash + "0":                                 fault.InvalidHash,
		" " + right.Hash:                                 fault.InvalidHash,
		strings.Repeat("f", 100_000):                     fault.InvalidHash,
		signed(w, access.Plain, "").Hash:                 fault.InvalidHash, // E1's formula on E3
		sign(right, w.OtherProvider.SecretKey).Hash:      fault.InvalidHash,
		signed(w, access.Site, w.CredentialKey+"x").Hash: fault.InvalidHash,
	} {
		call := right
		call.Hash = hash
		_, _, err := w.Gate.Authenticate(t.Context(), call)
		if got := fault.CodeOf(err); got != want {
			t.Errorf("hash %.70q: got %q, want %q", hash, got, want)
		}
	}
}

func TestCallerIsTheProviderWithItsSite(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for scheme, key := range map[access.Scheme]string{
		access.Plain: "", access.Verified: w.Provider.VerificationKey.Reveal(), access.Site: w.CredentialKey,
	} {
		caller, allowance, err := w.Gate.Authenticate(t.Context(), signed(w, scheme, key))
		if err != nil || !allowance.OK || allowance.Limit != 0 {
			t.Errorf("scheme %d: %+v %v", scheme, allowance, err)
		}
		want := int64(0)
		if scheme == access.Site {
			want = w.Site.ID
		}
		if caller.Provider.ID != w.Provider.ID || caller.Site.ID != want {
			t.Errorf("scheme %d: provider %d site %d", scheme, caller.Provider.ID, caller.Site.ID)
		}
	}
}

func TestRefusedCallerIsBlankButForItsLanguage(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, r := range rules(w)[2:] {
		save(t, w, func(p *owner.Provider) { p.IsActive, p.IPWhitelist = true, nil })
		call := signed(w, access.Site, w.CredentialKey)
		if r.provider != nil {
			save(t, w, r.provider)
		} else if r.breakIt(&call); !r.isHash {
			call = sign(call, w.Provider.SecretKey)
		}
		caller, _, err := w.Gate.Authenticate(t.Context(), call)
		wantCode(t, err, r.code)
		if caller.Provider.Language != lang.EN || caller.Provider.ID != 0 || !caller.Provider.SecretKey.IsZero() || caller.Site.ID != 0 {
			t.Errorf("%s gave away %+v", r.code, caller)
		}
	}
}

func TestRotatedSecretIsTakenUntilItsGraceEnds(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	old := w.Provider.SecretKey
	save(t, w, func(p *owner.Provider) {
		p.PreviousSecret = owner.PreviousKey{Key: p.SecretKey, Until: w.Clock.Now().Add(24 * time.Hour)}
		p.SecretKey = core.NewSecret("vzs_new")
	})
	check := func(secret core.Secret, want fault.Code) {
		t.Helper()
		_, _, err := w.Gate.Authenticate(t.Context(), sign(signed(w, access.Plain, ""), secret))
		wantCode(t, err, want)
	}
	check(old, "")
	check(w.Provider.SecretKey, "")
	check(core.NewSecret("vzs_other"), fault.InvalidHash)
	w.Clock.Advance(24*time.Hour - time.Microsecond)
	check(old, "")
	w.Clock.Advance(time.Microsecond)
	check(old, fault.InvalidHash)
	check(w.Provider.SecretKey, "")
}

func TestRotationWithoutAnOldSecretAddsNone(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	save(t, w, func(p *owner.Provider) { p.PreviousSecret.Until = w.Clock.Now().Add(time.Hour) })
	_, _, err := w.Gate.Authenticate(t.Context(), sign(signed(w, access.Plain, ""), core.Secret{}))
	wantCode(t, err, fault.InvalidHash)
}

func TestVerificationKeyIsHeldToWhereThereIsOne(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	check := func(key string, want fault.Code) {
		t.Helper()
		_, _, err := w.Gate.Authenticate(t.Context(), signed(w, access.Verified, key))
		wantCode(t, err, want)
	}
	check(w.Provider.VerificationKey.Reveal(), "")
	check("anything else", fault.InvalidHash) // although the hash is right
	save(t, w, func(p *owner.Provider) { p.VerificationKey = core.Secret{} })
	check("anything else", "")
	check("", fault.MissingHeaders)
}

func TestCredentialKeyMustBeTheProvidersAndItsSiteActive(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	check := func(key string, want fault.Code) {
		t.Helper()
		_, _, err := w.Gate.Authenticate(t.Context(), signed(w, access.Site, key))
		wantCode(t, err, want)
	}
	check(w.CredentialKey, "")
	check("", fault.InvalidCredential)
	check("vzc_nobody", fault.InvalidCredential)
	check(w.OtherSiteKey, fault.InvalidCredential)
	check(strings.ToUpper(w.CredentialKey), fault.InvalidCredential)
	check(strings.Repeat("k", 513), fault.InvalidHash) // too long to be looked at
	for _, site := range []owner.Site{w.Site, w.OtherSite} {
		site.Version, site.IsActive = site.Version+1, false
		if err := w.Store.Commit(t.Context(), core.Changeset{site}); err != nil {
			t.Fatal(err)
		}
	}
	check(w.CredentialKey, fault.SiteInactive)
	check(w.OtherSiteKey, fault.InvalidCredential) // whether another's site is active is not told
}

func TestWhitelistTakesBothFamiliesAndMappedAddresses(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var list []netip.Prefix
	for _, text := range []string{"198.51.100.7", "203.0.113.0/24", "2001:db8::/32", "::ffff:192.0.2.0/120"} {
		p, err := core.ParsePrefix(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	save(t, w, func(p *owner.Provider) { p.IPWhitelist = list })
	for text, isIn := range map[string]bool{
		"198.51.100.7": true, "::ffff:198.51.100.7": true, "203.0.113.255": true, "2001:db8::1": true, "192.0.2.9": true,
		"2001:db8::1%eth0": true, "198.51.100.8": false, "203.0.114.0": false, "2001:db9::1": false, "::1": false,
		"::c633:6407": false, // the deprecated "compatible" form of 198.51.100.7 is another address
	} {
		call := signed(w, access.Site, w.CredentialKey)
		call.Addr = netip.MustParseAddr(text)
		_, _, err := w.Gate.Authenticate(t.Context(), call)
		if (err == nil) != isIn || (!isIn && !fault.Is(err, fault.AddressNotAllowed)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	call := signed(w, access.Plain, "")
	call.Addr = netip.Addr{}
	_, _, err := w.Gate.Authenticate(t.Context(), call)
	wantCode(t, err, fault.AddressNotAllowed)
}

func TestOversizedOrUncleanAPIKeyIsUnknown(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, key := range []string{strings.Repeat("k", 100_000), "vzp_\x00", "vzp_\xff", "vzp_\n"} {
		call := signed(w, access.Plain, "")
		call.APIKey = key
		_, _, err := w.Gate.Authenticate(t.Context(), sign(call, w.Provider.SecretKey))
		wantCode(t, err, fault.InvalidAPIKey)
	}
}

// TestStatusOfACardIsSignedWithItsTrackingCodeOrWithout: E8 takes both hashes, and no other (decisions: E8).
func TestStatusOfACardIsSignedWithItsTrackingCodeOrWithout(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	const code = "CC-0123456789ABCDEF"
	call := signed(w, access.Tracked, code)
	long := signed(w, access.Tracked, strings.Repeat("C", 60_000))
	plain := sign(access.Call{APIKey: call.APIKey, Timestamp: call.Timestamp, Scheme: access.Plain, Addr: office}, w.Provider.SecretKey)
	for name, tt := range map[string]struct {
		hash, key string
		want      fault.Code
	}{
		"with it":             {call.Hash, code, ""},
		"without it":          {plain.Hash, code, ""},
		"without any":         {plain.Hash, "", ""},
		"upper-case":          {strings.ToUpper(call.Hash), code, ""},
		"of another":          {call.Hash, "CC-FEDCBA9876543210", fault.InvalidHash},
		"of none":             {call.Hash, "", fault.InvalidHash},
		"long, with it":       {long.Hash, long.Key, ""},
		"long, without it":    {plain.Hash, long.Key, ""},
		"of the other secret": {sign(call, w.OtherProvider.SecretKey).Hash, code, fault.InvalidHash},
	} {
		c := call
		c.Hash, c.Key = tt.hash, tt.key
		caller, _, err := w.Gate.Authenticate(t.Context(), c)
		wantCode(t, err, tt.want)
		if isKnown := caller.Provider.ID == w.Provider.ID; isKnown != (tt.want == "") {
			t.Errorf("%s: %+v", name, caller)
		}
	}
}
