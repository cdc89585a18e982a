package bunstore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

// plaintext is in every secret of secretive.
const plaintext = "plain-and-recognizable"

func secret(name string) core.Secret { return core.NewSecret(plaintext + "-" + name) }

// secretive has a secret in every place that takes one.
func secretive() core.Changeset {
	at := time.Unix(1_800_000_000, 0)
	return core.Changeset{
		owner.Provider{
			ID: 7, Version: 1, APIKey: "key-7", SecretKey: secret("secret"), VerificationKey: secret("verification"),
			WebhookSecret: secret("webhook"), PreviousSecret: owner.PreviousKey{Key: secret("previous"), Until: at},
			PreviousVerification: owner.PreviousKey{Key: secret("old verification"), Until: at},
			PreviousWebhook:      owner.PreviousKey{Key: secret("old webhook"), Until: at}, CreatedAt: at, UpdatedAt: at,
		},
		owner.Provider{
			ID: 8, Version: 1, APIKey: "key-8", SecretKey: secret("other"), CreatedAt: at, UpdatedAt: at,
		},
		owner.Dealer{
			ID: 7, Version: 1, SecretKey: secret("dealer"), PreviousSecret: owner.PreviousKey{Key: secret("old dealer"), Until: at},
			CreatedAt: at, UpdatedAt: at,
		},
		owner.SiteToken{
			ID: 7, Version: 1, SecretKey: secret("token"), PreviousSecret: owner.PreviousKey{Key: secret("old token"), Until: at},
			CreatedAt: at, UpdatedAt: at,
		},
		staff.Staff{
			ID: 7, Version: 1, Email: "a@example.org", Role: staff.Admin, PasswordHash: secret("password"),
			CreatedAt: at, UpdatedAt: at,
		},
		staff.Factors{StaffID: 7, Version: 1, TOTP: secret("totp"), PendingTOTP: secret("pending"), UpdatedAt: at},
		staff.Challenge{
			Fingerprint: "C7", Version: 1, Kind: staff.PasskeyLoginChallenge, State: secret("state"), CreatedAt: at, ExpiresAt: at,
		},
		approval.Approval{
			ID: "A7", Version: 1, Status: approval.Waiting, Input: secret("input"), RequesterID: 7, CreatedAt: at, ExpiresAt: at,
		},
		owner.GatewayAccount{ID: 7, Version: 1, HookToken: plaintext + "-hook", Config: secret("config"), PreviousConfig: secret("old config"), CreatedAt: at, UpdatedAt: at},
		owner.GatewayAccount{ID: 8, Version: 1, Config: secret("other config"), CreatedAt: at, UpdatedAt: at},
		payment.Payment{
			ID: "P7", Version: 1, Method: payment.ManualDeposit, Status: payment.Showing, Token: plaintext,
			TokenFingerprint: sign.Fingerprint(plaintext), CreatedAt: at, UpdatedAt: at,
		},
		payment.IdempotencyRecord{
			IdempotencyKey: payment.IdempotencyKey{Caller: "provider/7", Endpoint: "deposit", Key: "1"},
			Status:         200, Body: []byte(`{"payment_url":"https://pay.example/pay/` + plaintext + `"}`), CreatedAt: at,
		},
		report.JobChunk{JobID: "J7", Number: 1, Bytes: []byte(plaintext)},
		operation.Operation{
			ID: "O7", Version: 1, Phase: operation.Open, ReturnToken: plaintext + "-return", PageToken: plaintext, Fields: map[string]string{"iban": plaintext}, CreatedAt: at,
			External: gateway.ExternalRef{ID: "known", State: []byte(plaintext)},
		},
		notification.Notification{
			ID: "N7", Version: 1, Status: notification.Waiting, ReceivedAt: at,
			Inbound: gateway.Inbound{Query: "key=" + plaintext, Body: []byte(plaintext)},
		},
	}
}

func TestSecretsAreNotStoredInPlain(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		if err := s.Commit(t.Context(), secretive()); err != nil {
			t.Fatal(err)
		}
		kept := keptBy(t, cfg)
		if !bytes.Contains(kept, []byte("key-7")) {
			t.Fatal("the data is not where this test looks for it")
		}
		if bytes.Contains(kept, []byte(plaintext)) {
			t.Error("a secret is stored in plain")
		}
	})
}

// keptBy is all that a database holds: the files of SQLite, the rows of PostgreSQL.
func keptBy(t *testing.T, cfg bunstore.Config) []byte {
	t.Helper()
	var kept []byte
	if cfg.Path != "" {
		files, err := filepath.Glob(cfg.Path + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, content...)
		}
		return kept
	}
	db := rawDatabase(t, cfg)
	for _, c := range columnsOf(t, db, cfg) {
		kept = append(kept, strings.Join(valuesOf(t, db, c), " ")...)
	}
	return kept
}

func TestSecretsOpenOnlyInTheirOwnRow(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		if err := s.Commit(t.Context(), secretive()); err != nil {
			t.Fatal(err)
		}
		execute(t, rawDatabase(t, cfg),
			"UPDATE providers SET secret_key = (SELECT secret_key FROM providers WHERE id = 8) WHERE id = 7")
		if _, err := s.CheckSecrets(t.Context()); !fault.Is(err, fault.Internal) {
			t.Errorf("the check of all secrets: %v", err)
		}
		if _, err := s.Provider(t.Context(), 8); err != nil {
			t.Errorf("the untouched row: %v", err)
		}
		_, err := s.Provider(t.Context(), 7)
		if !fault.Is(err, fault.Internal) {
			t.Errorf("a secret of another row was taken: %v", err)
		}
	})
}

func TestCheckSecretsOpensAllThatAServerNeeds(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]string{
		"provider":        "UPDATE providers SET webhook_secret = verification_key WHERE id = 7",
		"dealer":          "UPDATE dealers SET secret_key = (SELECT secret_key FROM site_tokens WHERE id = 7) WHERE id = 7",
		"site token":      "UPDATE site_tokens SET secret_key = (SELECT secret_key FROM dealers WHERE id = 7) WHERE id = 7",
		"password":        "UPDATE staff SET password_hash = (SELECT secret_key FROM dealers WHERE id = 7)",
		"second factor":   "UPDATE staff_factors SET totp = pending_totp",
		"request":         "UPDATE approvals SET input = body",
		"gateway account": "UPDATE gateway_accounts SET previous_config = config WHERE id = 8",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forEach(t, func(t *testing.T, cfg bunstore.Config) {
				s := openStore(t, cfg)
				if err := s.Commit(t.Context(), secretive()); err != nil {
					t.Fatal(err)
				}
				if n, err := s.CheckSecrets(t.Context()); n != 2 || err != nil {
					t.Errorf("%d providers, %v", n, err)
				}
				execute(t, rawDatabase(t, cfg), spoil)
				if _, err := s.CheckSecrets(t.Context()); !fault.Is(err, fault.Internal) {
					t.Errorf("a secret in another place was taken: %v", err)
				}
			})
		})
	}
}

func TestConnectionFaultsHideThePassword(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]fault.Code{
		"postgres://vezne:hunter2@127.0.0.1:1/vezne?sslmode=disable": fault.Unavailable,
		"postgres://vezne:hunter2@127.0.0.1/%zz":                     fault.Invalid,
		"mysql://vezne:hunter2@127.0.0.1/vezne":                      fault.Invalid,
	} {
		_, err := bunstore.Open(t.Context(), bunstore.Config{DatabaseURL: url, Sealer: newSealer(t)})
		if !fault.Is(err, want) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the password is in %v", err)
		}
	}
}
