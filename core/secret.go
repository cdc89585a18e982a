package core

import (
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unique"

	"github.com/vezne/vezne/core/sign"
)

// Secret is a text that must not reach logs, errors, JSON or GraphQL: every way of printing it gives "[secret]".
// A store keeps it encrypted.
//
// It holds the text behind a handle, because fmt prints the unexported fields of a program's own structs without
// asking their methods: what such a print shows is an address. Secrets of equal text are == all the same.
type Secret struct{ text unique.Handle[string] }

// NewSecret wraps a secret text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: unique.Make(text)}
}

// Reveal is the text itself: for hashing, signing, and showing it once at issuance.
func (s Secret) Reveal() string {
	if s.IsZero() {
		return ""
	}
	return s.text.Value()
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s == Secret{} }

// Equal compares in constant time.
func (s Secret) Equal(other string) bool { return sign.Equal(s.Reveal(), other) }

// String hides the text.
func (s Secret) String() string { return "[secret]" }

// Format hides the text from every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText hides the text from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// LogValue hides the text from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// KeyPrefix is the readable prefix that tells what an issued key is.
type KeyPrefix string

// Prefixes of issued keys (decisions: Keys).
const (
	ProviderAPIKey   KeyPrefix = "vzp_"
	ProviderSecret   KeyPrefix = "vzs_"
	VerificationKey  KeyPrefix = "vzv_"
	CredentialKey    KeyPrefix = "vzc_"
	DealerAPIKey     KeyPrefix = "vzd_"
	DealerSecret     KeyPrefix = "vzds_"
	SiteTokenKey     KeyPrefix = "vzt_"
	SiteTokenSecret  KeyPrefix = "vzts_"
	StaffSessionKey  KeyPrefix = "vzg_"
	webhookKeyPrefix KeyPrefix = sign.WebhookPrefix
)

// NewKey issues a key: the prefix and 160 random bits in lower-case Crockford base32.
func NewKey(prefix KeyPrefix, random io.Reader) (string, error) {
	token, err := NewToken(random)
	if err != nil {
		return "", err
	}
	return string(prefix) + strings.ToLower(token), nil
}

// NewWebhookSecret issues a Standard Webhooks secret: "whsec_" and 32 random bytes in base64.
func NewWebhookSecret(random io.Reader) (string, error) {
	var raw [32]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("webhook secret: %w", err)
	}
	return string(webhookKeyPrefix) + base64.StdEncoding.EncodeToString(raw[:]), nil
}
