package core_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
)

const secretText = "hunter2-hunter2"

// carriers hold a secret as programs do: alone, in rows, behind pointers, in fields that fmt may not call methods of.
func carriers() map[string]any {
	s := core.NewSecret(secretText)
	type settings struct{ master core.Secret }
	type row struct {
		ID  int64
		Key core.Secret
		Old struct{ Key core.Secret }
	}
	r := row{ID: 7, Key: s}
	r.Old.Key = s
	return map[string]any{
		"secret": s, "pointer": &s, "slice": []core.Secret{s}, "map": map[string]core.Secret{"k": s},
		"row": r, "row pointer": &r, "rows": []any{r}, "unexported field": settings{s}, "pointer to unexported field": &settings{s},
	}
}

// leaks reports whether a text shows the secret, plainly or in the forms that fmt's verbs and encoders give it.
func leaks(text string) bool {
	upper := strings.ToUpper(text)
	return strings.Contains(text, secretText) || strings.Contains(upper, strings.ToUpper(hex.EncodeToString([]byte(secretText)))) ||
		strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(secretText)))
}

// TestSecretIsNotPrinted: no verb of fmt, no encoder and no log handler shows it.
func TestSecretIsNotPrinted(t *testing.T) {
	t.Parallel()
	for name, carrier := range carriers() {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%t", "%c", "%U", "%e", "%p", "%10v", "%!"} {
			if text := fmt.Sprintf(verb, carrier); leaks(text) {
				t.Errorf("%s under %s: %s", name, verb, text)
			}
		}
		if text := fmt.Sprint(carrier) + fmt.Sprintln(carrier) + fmt.Errorf("op: %v", carrier).Error(); leaks(text) {
			t.Errorf("%s printed: %s", name, text)
		}
		if text, err := json.Marshal(carrier); err != nil || leaks(string(text)) {
			t.Errorf("%s as JSON: %s, %v", name, text, err)
		}
	}
}

func TestSecretIsNotLogged(t *testing.T) {
	t.Parallel()
	for name, carrier := range carriers() {
		var text bytes.Buffer
		for _, handler := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&text, nil)} {
			log := slog.New(handler)
			log.Info("event", "value", carrier, slog.Group("group", "value", carrier))
			log.With("value", carrier).Error("failed", "err", fmt.Errorf("with %+v", carrier))
		}
		if leaks(text.String()) {
			t.Errorf("%s logged: %s", name, text.String())
		}
	}
}

// TestSecretSaysThatItIsOne: what is printed in its place tells a reader what was there.
func TestSecretSaysThatItIsOne(t *testing.T) {
	t.Parallel()
	s := core.NewSecret(secretText)
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{s.String(), fmt.Sprintf("%v", s), fmt.Sprintf("%#v", s), fmt.Sprintf("%d", []any{s}), s.LogValue().String(), strings.Trim(string(encoded), `"`)} {
		if strings.Trim(text, "[]") != "secret" {
			t.Errorf("printed as %s", text)
		}
	}
}

func TestSecretValue(t *testing.T) {
	t.Parallel()
	s := core.NewSecret(secretText)
	if s.Reveal() != secretText || s.IsZero() || !s.Equal(secretText) || s.Equal(secretText+" ") || s.Equal("") {
		t.Errorf("a secret is not its own text")
	}
	if s != core.NewSecret("hunter2-"+"hunter2") || s == core.NewSecret("other") {
		t.Errorf("secrets are not compared by their texts")
	}
	for _, none := range []core.Secret{{}, core.NewSecret("")} {
		if none != (core.Secret{}) || none.Reveal() != "" || !none.IsZero() || !none.Equal("") || none.Equal("x") {
			t.Errorf("no secret is one")
		}
	}
}

// failing is a source of randomness that is out of order.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

func TestNewKey(t *testing.T) {
	t.Parallel()
	prefixes := []core.KeyPrefix{
		core.ProviderAPIKey, core.ProviderSecret, core.VerificationKey, core.CredentialKey, core.DealerAPIKey,
		core.DealerSecret, core.SiteTokenKey, core.SiteTokenSecret, core.StaffSessionKey,
	}
	seen := map[string]bool{}
	for i, prefix := range prefixes {
		key, err := core.NewKey(prefix, coretest.Random(byte(i)))
		if err != nil {
			t.Fatal(err)
		}
		rest, ok := strings.CutPrefix(key, string(prefix))
		if !ok || !regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{32}$`).MatchString(rest) || seen[rest] || seen[string(prefix)] {
			t.Errorf("key %q with the prefix %q", key, prefix)
		}
		seen[rest], seen[string(prefix)] = true, true
	}
	if key, err := core.NewKey(core.ProviderSecret, failing{}); err == nil || key != "" {
		t.Errorf("without randomness: key %q, %v", key, err)
	}
}

// TestNewWebhookSecret: the receivers' library takes it, and it has 256 bits.
func TestNewWebhookSecret(t *testing.T) {
	t.Parallel()
	secret, err := core.NewWebhookSecret(coretest.Random(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := standardwebhooks.NewWebhook(secret); err != nil {
		t.Error(err)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(raw) != 32 || !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("%q: %d bytes, %v", secret, len(raw), err)
	}
	if secret, err := core.NewWebhookSecret(failing{}); err == nil || secret != "" {
		t.Errorf("without randomness: %q, %v", secret, err)
	}
}
