package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
)

// said returns the failed fields as staff read them; no field may lack its sentence or an argument of it.
func said(t *testing.T, fields []fault.Field) []string {
	t.Helper()
	var list []string
	for _, f := range fields {
		sentence := lang.Say(lang.EN, f.Key, f.Args...)
		if !lang.Has(f.Key) || strings.Contains(sentence, "%!") {
			t.Errorf("%s of %s is said as %q", f.Key, f.Name, sentence)
		}
		list = append(list, sentence)
	}
	return list
}

func TestEveryTypeOfConfigurationField(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ş", gateway.MaxConfigChars)
	field := func(f gateway.ConfigField) gateway.ConfigField { f.Name = "it"; return f }
	text := field(gateway.ConfigField{Type: gateway.TextField})
	address := field(gateway.ConfigField{Type: gateway.URLField})
	whole := field(gateway.ConfigField{Type: gateway.IntField})
	exact := field(gateway.ConfigField{Type: gateway.DecimalField})
	toggle := field(gateway.ConfigField{Type: gateway.BoolField})
	choice := field(gateway.ConfigField{Type: gateway.ChoiceField, Choices: []string{"tr", "en"}})
	list := field(gateway.ConfigField{Type: gateway.ListField, IsRequired: true})
	secret := field(gateway.ConfigField{Type: gateway.SecretField, IsRequired: true})
	shaped := field(gateway.ConfigField{Type: gateway.TextField, Pattern: "sk_[a-z]+|key"})
	withDefault := field(gateway.ConfigField{Type: gateway.IntField, IsRequired: true, Default: "5"})
	const (
		required = "The it field is required."
		strange  = "The it field contains invalid characters."
		tooLong  = "The it field may have at most 4096 characters."
		noNumber = "The it field must be a number."
		noURL    = "The it field must be an http or https address."
		shapeNo  = "The it field does not have the expected form."
	)
	for _, c := range []struct {
		field       gateway.ConfigField
		value, want string
	}{
		{text, "", ""},
		{text, "anything, at all\nşüğ", ""},
		{text, long, ""},
		{text, long + "a", tooLong},
		{text, "a\x00b", strange},
		{text, "a\xffb", strange},
		{text, " \t\n", required},
		{secret, "", required},
		{secret, "  ", required},
		{secret, "s", ""},
		{withDefault, "", ""},
		{withDefault, "7", ""},
		{withDefault, "x", noNumber},
		{address, "https://pay.example.com", ""},
		{address, "http://127.0.0.1:8080/v1", ""},
		{address, "HTTPS://[::1]:8443", ""},
		{address, "pay.example.com", noURL},
		{address, "//pay.example.com", noURL},
		{address, "ftp://pay.example.com", noURL},
		{address, "https://", noURL},
		{address, "https://:443/v1", noURL},
		{address, "https:///v1", noURL},
		{address, "https://me:pass@pay.example.com", noURL},
		{address, "https://pay.example.com:port", noURL},
		{address, "javascript:alert(1)", noURL},
		{whole, "0", ""},
		{whole, "-9223372036854775808", ""},
		{whole, "9223372036854775807", ""},
		{whole, "9223372036854775808", noNumber},
		{whole, "1.0", noNumber},
		{whole, "1_000", noNumber},
		{whole, "1e3", noNumber},
		{whole, " 1", noNumber},
		{whole, strings.Repeat("9", gateway.MaxConfigChars), noNumber},
		{exact, "0.10", ""},
		{exact, "-12", ""},
		{exact, "1e3", noNumber},
		{exact, "1,5", noNumber},
		{exact, "NaN", noNumber},
		{exact, strings.Repeat("9", 51), noNumber},
		{toggle, "true", ""},
		{toggle, "false", ""},
		{toggle, "True", "The it field must be one of true, false."},
		{toggle, "1", "The it field must be one of true, false."},
		{choice, "en", ""},
		{choice, "EN", "The it field must be one of tr, en."},
		{list, "a", ""},
		{list, "a, b,", ""},
		{list, "", required},
		{list, " , ,", required},
		{shaped, "sk_abc", ""},
		{shaped, "key", ""},
		{shaped, "sk_", shapeNo},
		{shaped, "xkey", shapeNo},
		{shaped, "key\n", shapeNo},
		{shaped, "keys", shapeNo},
	} {
		err := gateway.CheckConfig([]gateway.ConfigField{c.field}, map[string]string{"it": c.value})
		if got := strings.Join(said(t, fault.FieldsOf(err)), "; "); got != c.want || (err == nil) != (c.want == "") {
			t.Errorf("%s %.40q: %q, want %q", c.field.Type, c.value, got, c.want)
		}
	}
}

func TestEachFailedFieldIsNamedOnce(t *testing.T) {
	t.Parallel()
	fields := []gateway.ConfigField{
		{Name: "key", Type: gateway.SecretField, IsRequired: true}, {Name: "port", Type: gateway.IntField},
		{Name: "note", Type: gateway.TextField},
	}
	err := gateway.CheckConfig(fields, map[string]string{"port": "x", "zebra": "1", "apple": "", "Key": "s"})
	if !fault.Is(err, fault.Invalid) {
		t.Fatalf("got %v", err)
	}
	want := []string{
		"The key field is required.", "The port field must be a number.", "There is no field called Key.",
		"There is no field called apple.", "There is no field called zebra.",
	}
	if got := said(t, fault.FieldsOf(err)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := gateway.CheckConfig(fields, map[string]string{"key": "s"}); err != nil {
		t.Errorf("a right configuration gave %v", err)
	}
	if err := gateway.CheckConfig(nil, nil); err != nil {
		t.Errorf("nothing asked and nothing given gave %v", err)
	}
}

func TestAFailureDoesNotQuoteTheValue(t *testing.T) {
	t.Parallel()
	field := gateway.ConfigField{Name: "key", Type: gateway.SecretField, Pattern: "sk_.*"}
	err := gateway.CheckConfig([]gateway.ConfigField{field}, map[string]string{"key": "hunter2"})
	told := fmt.Sprintf("%v %+v %q", err, fault.FieldsOf(err), said(t, fault.FieldsOf(err)))
	if err == nil || strings.Contains(told, "hunter2") {
		t.Errorf("got %s", told)
	}
}

func account() gateway.Descriptor {
	return gateway.Descriptor{
		Config: []gateway.ConfigField{
			{Name: "api_key", Type: gateway.SecretField},
			{Name: "webhook_secret", Type: gateway.SecretField, IsRotating: true},
			{Name: "currency", Type: gateway.TextField, Default: "TRY"},
			{Name: "base_url", Type: gateway.URLField},
			{Name: "banks", Type: gateway.ListField},
			{Name: "is_live", Type: gateway.BoolField},
		},
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{"sandbox.example.com", "127.0.0.1:8080"}},
			{Name: gateway.Production, Hosts: []string{"api.example.com"}},
		},
	}
}

func TestAConfigurationIsCompleted(t *testing.T) {
	t.Parallel()
	c := gateway.NewConfig(account().Config, map[string]string{
		"api_key": "k", "banks": " a ,b,, c", "is_live": "true", "unknown": "x",
	}, nil)
	if c.Text("api_key") != "k" || c.Text("currency") != "TRY" || c.Text("webhook_secret") != "" || c.Text("unknown") != "" {
		t.Error("a text is not what it must be")
	}
	if !c.Bool("is_live") || c.Bool("currency") || c.Bool("unknown") {
		t.Error("a switch is not what it must be")
	}
	if got := c.List("banks"); !slices.Equal(got, []string{"a", "b", "c"}) || c.List("base_url") != nil {
		t.Errorf("got the list %q", got)
	}
	if c := gateway.NewConfig(account().Config, map[string]string{"currency": "USD"}, nil); c.Text("currency") != "USD" {
		t.Error("a default overrides a value")
	}
}

func TestTheZeroConfigurationIsEmpty(t *testing.T) {
	t.Parallel()
	var c gateway.Config
	if c.Text("a") != "" || c.Bool("a") || c.List("a") != nil || len(c.Secrets("a")) != 0 {
		t.Error("it has values")
	}
}

func TestThePreviousSecretIsTakenWhereItRotates(t *testing.T) {
	t.Parallel()
	values := func(secret, key string) map[string]string {
		return map[string]string{"webhook_secret": secret, "api_key": key}
	}
	for _, c := range []struct {
		now, before map[string]string
		want        []string
	}{
		{values("new", "k"), nil, []string{"new"}},
		{values("new", "k"), values("old", "j"), []string{"new", "old"}},
		{values("same", "k"), values("same", "k"), []string{"same"}},
		{values("new", "k"), values("", ""), []string{"new"}},
		{values("", "k"), values("old", "j"), []string{"old"}},
		{nil, nil, nil},
	} {
		config := gateway.NewConfig(account().Config, c.now, c.before)
		if got := config.Secrets("webhook_secret"); !slices.Equal(got, c.want) {
			t.Errorf("%q after %q: %q, want %q", c.now, c.before, got, c.want)
		}
		if got := config.Secrets("api_key"); len(got) > 1 {
			t.Errorf("a key that does not rotate is kept: %q", got)
		}
	}
}

func TestSecretValuesAreAllThatMustBeBlottedOut(t *testing.T) {
	t.Parallel()
	c := gateway.NewConfig(account().Config, map[string]string{"api_key": "k", "webhook_secret": "new", "currency": "USD"},
		map[string]string{"api_key": "j", "webhook_secret": "old"})
	if got := account().SecretValues(c); !slices.Equal(got, []string{"k", "new", "old"}) {
		t.Errorf("got %q", got)
	}
	if got := account().SecretValues(gateway.Config{}); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestAConfigurationDoesNotPrintItsValues(t *testing.T) {
	t.Parallel()
	c := gateway.NewConfig(account().Config, map[string]string{"api_key": "hunter2", "webhook_secret": "new"},
		map[string]string{"webhook_secret": "hunter2-old"})
	within := struct {
		config  gateway.Config
		pointer *gateway.Config
		Config  gateway.Config
	}{c, &c, c}
	var texts []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		texts = append(texts, fmt.Sprintf(verb, c), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, within), fmt.Sprintf(verb, &within))
	}
	inJSON, err := json.Marshal(within)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(texts, string(inJSON)) {
		if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) {
			t.Errorf("printed %s", text)
		}
	}
}

func TestHostsAreThoseOfTheEnvironmentAndTheConfiguration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environment, url string
		want             []string
	}{
		{gateway.Sandbox, "", []string{"sandbox.example.com", "127.0.0.1:8080"}},
		{gateway.Production, "", []string{"api.example.com"}},
		{gateway.Production, "https://shop.example.org/pay?a=1", []string{"api.example.com", "shop.example.org"}},
		{gateway.Production, "http://[::1]:8080", []string{"api.example.com", "[::1]:8080"}},
		{"elsewhere", "https://shop.example.org", []string{"shop.example.org"}},
		{"elsewhere", "", nil},
	} {
		config := gateway.NewConfig(account().Config, map[string]string{"base_url": c.url, "api_key": "https://evil.example"}, nil)
		if got := account().Hosts(c.environment, config); !slices.Equal(got, c.want) {
			t.Errorf("%s with %q: %q, want %q", c.environment, c.url, got, c.want)
		}
	}
}
