package core_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func ptr[T any](v T) *T { return &v }

// TestEmptyPatch: nil fields stay as they are.
func TestEmptyPatch(t *testing.T) {
	t.Parallel()
	before := receiver()
	before.Version, before.Name, before.IsActive, before.Language = 4, "P", true, "en"
	before.URLs = owner.CallbackURLs{Deposit: "https://d", EIBANDeposit: "https://e", Withdrawal: "https://w", CreditCard: "https://c"}
	want := before
	want.Version, want.UpdatedAt = 5, evening
	if got, err := (owner.ProviderPatch{}).Apply(before, evening); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestPatch(t *testing.T) {
	t.Parallel()
	got, err := owner.ProviderPatch{
		Name: ptr(" Yeni "), IsActive: ptr(true), Language: ptr("en"), CallbackURL: ptr(" https://example.com/d?x=1 "),
		DepositCallbackURL: ptr("http://example.com:8080"), WithdrawalCallbackURL: ptr(""), CreditCardCallbackURL: ptr("https://[2001:db8::1]/c"),
		IPWhitelist: ptr([]string{"203.0.113.9", " 2001:db8::1/32 "}), IsCreditCardEnabled: ptr(true),
	}.Apply(owner.Provider{Version: 1, URLs: owner.CallbackURLs{Withdrawal: "https://old"}}, evening)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "Yeni" || !got.IsActive || got.Language != "en" || !got.IsCreditCardEnabled || got.Version != 2 {
		t.Errorf("%+v", got)
	}
	want := owner.CallbackURLs{Deposit: "https://example.com/d?x=1", EIBANDeposit: "http://example.com:8080", CreditCard: "https://[2001:db8::1]/c"}
	if got.URLs != want {
		t.Errorf("URLs %+v, want %+v", got.URLs, want)
	}
	var list []string
	for _, p := range got.IPWhitelist {
		list = append(list, p.String())
	}
	if !slices.Equal(list, []string{"203.0.113.9/32", "2001:db8::/32"}) {
		t.Errorf("whitelist %q", list)
	}
}

func TestBadPatch(t *testing.T) {
	t.Parallel()
	urls := []string{
		"example.com", "//example.com", "ftp://example.com", "javascript:alert(1)", "https://", "https://user:secret@example.com",
		"https://user@example.com", "http://exa mple.com", "https://example.com/\x00", "https://example.com/\xff", "http:example.com",
		"https:///path", "https://:443/",
	}
	for _, u := range urls {
		if _, err := (owner.ProviderPatch{CallbackURL: &u}).Apply(owner.Provider{}, evening); failure(t, err) != "field.url" {
			t.Errorf("URL %q: %v", u, err)
		}
	}
	tests := []struct {
		patch owner.ProviderPatch
		want  string
	}{
		{owner.ProviderPatch{Name: ptr("")}, "field.required"},
		{owner.ProviderPatch{Language: ptr("de")}, "field.language"},
		{owner.ProviderPatch{CallbackURL: ptr("https://example.com/" + strings.Repeat("a", 2000))}, "field.max"},
		{owner.ProviderPatch{IPWhitelist: ptr([]string{"203.0.113.9", "nobody"})}, "field.cidr"},
		{owner.ProviderPatch{IPWhitelist: ptr([]string{""})}, "field.cidr"},
		{owner.ProviderPatch{IPWhitelist: ptr(slices.Repeat([]string{"203.0.113.9"}, 201))}, "field.cidr"},
	}
	for _, tt := range tests {
		if _, err := tt.patch.Apply(owner.Provider{}, evening); failure(t, err) != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	_, err := owner.ProviderPatch{Name: ptr(""), WithdrawalCallbackURL: ptr("x"), Language: ptr("")}.Apply(owner.Provider{}, evening)
	if got := fault.FieldsOf(err); len(got) != 3 {
		t.Errorf("three failed fields, told %d: %v", len(got), err)
	}
}

func TestParsePrefix(t *testing.T) {
	t.Parallel()
	taken := map[string]string{
		"203.0.113.9": "203.0.113.9/32", "203.0.113.9/24": "203.0.113.0/24", "2001:db8::1": "2001:db8::1/128",
		"::ffff:203.0.113.9": "203.0.113.9/32", "::ffff:203.0.113.9/120": "203.0.113.0/24", "fe80::1%eth0": "fe80::1/128",
		"0.0.0.0/0": "0.0.0.0/0", "::/0": "::/0",
		"::ffff:0.0.0.0/90": "::ffc0:0:0/90", // wider than all of IPv4: stays IPv6
	}
	for text, want := range taken {
		if got, err := core.ParsePrefix(" " + text + "\n"); err != nil || got.String() != want {
			t.Errorf("ParsePrefix(%q) = %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "203.0.113", "203.0.113.9/33", "203.0.113.009", "2001:db8::/129", "203.0.113.9/", "203.0.113.9/-1", "example.com", "203.0.113.1-9"} {
		if got, err := core.ParsePrefix(text); err == nil {
			t.Errorf("ParsePrefix(%q) = %s", text, got)
		}
	}
}

// TestProviderAuditState: what an audit row says is JSON, and has no key in it.
func TestProviderAuditState(t *testing.T) {
	t.Parallel()
	p := receiver()
	p.Name, p.VerificationKey = `"P"`, core.NewSecret("vzv_x")
	p.PreviousSecret = owner.PreviousKey{Key: core.NewSecret("vzs_old"), Until: evening.Add(time.Hour)}
	state := p.AuditState()
	var fields map[string]any
	if err := json.Unmarshal([]byte(state), &fields); err != nil || fields["name"] != `"P"` {
		t.Errorf("%s: %v", state, err)
	}
	for _, key := range []string{p.APIKey, p.SecretKey.Reveal(), "vzs_old", "vzv_x", p.WebhookSecret.Reveal()} {
		if strings.Contains(state, key) {
			t.Errorf("%s shows %s", state, key)
		}
	}
	if p.Ref() != "provider/7" {
		t.Errorf("Ref() = %s", p.Ref())
	}
}
