package bunstore

import (
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/ports"
)

// urlsRow is the columns of an owner's callback URLs.
type urlsRow struct {
	DepositURL      string `bun:"deposit_url"`
	EIBANDepositURL string `bun:"eiban_deposit_url"`
	WithdrawalURL   string `bun:"withdrawal_url"`
	CreditCardURL   string `bun:"credit_card_url"`
}

func urlsRowOf(u owner.CallbackURLs) urlsRow {
	return urlsRow{
		DepositURL: u.Deposit, EIBANDepositURL: u.EIBANDeposit, WithdrawalURL: u.Withdrawal, CreditCardURL: u.CreditCard,
	}
}

func (r urlsRow) urls() owner.CallbackURLs {
	return owner.CallbackURLs{
		Deposit: r.DepositURL, EIBANDeposit: r.EIBANDepositURL, Withdrawal: r.WithdrawalURL, CreditCard: r.CreditCardURL,
	}
}

type providerRow struct {
	bun.BaseModel `bun:"table:providers"`

	ID              int64  `bun:"id,pk"`
	Version         int    `bun:"version"`
	Name            string `bun:"name"`
	IsActive        bool   `bun:"is_active"`
	APIKey          string `bun:"api_key"`
	SecretKey       string `bun:"secret_key"`
	VerificationKey string `bun:"verification_key"`
	WebhookSecret   string `bun:"webhook_secret"`
	IPWhitelist     string `bun:"ip_whitelist"`
	urlsRow
	Language            lang.Tag `bun:"language"`
	IsCreditCardEnabled bool     `bun:"is_credit_card_enabled"`
	CreatedAt           stamp    `bun:"created_at,type:timestamptz"`
	UpdatedAt           stamp    `bun:"updated_at,type:timestamptz"`

	PreviousAPIKey       previousRow `bun:"embed:previous_api_"`
	PreviousSecret       previousRow `bun:"embed:previous_secret_"`
	PreviousVerification previousRow `bun:"embed:previous_verification_"`
	PreviousWebhook      previousRow `bun:"embed:previous_webhook_"`
}

func providerRowOf(p owner.Provider, sealer ports.Sealer) (providerRow, error) {
	v := vaultOf(sealer, "providers", number(p.ID))
	whitelist, err := whitelistText(p.IPWhitelist)
	r := providerRow{
		ID: p.ID, Version: p.Version, Name: p.Name, IsActive: p.IsActive, APIKey: p.APIKey,
		SecretKey:       v.seal(p.SecretKey, "secret_key"),
		VerificationKey: v.seal(p.VerificationKey, "verification_key"),
		WebhookSecret:   v.seal(p.WebhookSecret, "webhook_secret"),
		IPWhitelist:     whitelist, urlsRow: urlsRowOf(p.URLs), Language: p.Language,
		IsCreditCardEnabled: p.IsCreditCardEnabled, CreatedAt: stamp(p.CreatedAt), UpdatedAt: stamp(p.UpdatedAt),
		PreviousAPIKey:       plainPrevious(p.PreviousAPIKey),
		PreviousSecret:       v.sealPrevious(p.PreviousSecret, "previous_secret_key"),
		PreviousVerification: v.sealPrevious(p.PreviousVerification, "previous_verification_key"),
		PreviousWebhook:      v.sealPrevious(p.PreviousWebhook, "previous_webhook_key"),
	}
	return r, errors.Join(err, v.err)
}

func (r providerRow) provider(sealer ports.Sealer) (owner.Provider, error) {
	v := vaultOf(sealer, "providers", number(r.ID))
	whitelist, err := whitelistOf(r.IPWhitelist)
	p := owner.Provider{
		ID: r.ID, Version: r.Version, Name: r.Name, IsActive: r.IsActive, APIKey: r.APIKey,
		SecretKey:       v.open(r.SecretKey, "secret_key"),
		VerificationKey: v.open(r.VerificationKey, "verification_key"),
		WebhookSecret:   v.open(r.WebhookSecret, "webhook_secret"),
		IPWhitelist:     whitelist, URLs: r.urls(), Language: r.Language,
		IsCreditCardEnabled: r.IsCreditCardEnabled, CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
		PreviousAPIKey:       r.PreviousAPIKey.plain(),
		PreviousSecret:       v.openPrevious(r.PreviousSecret, "previous_secret_key"),
		PreviousVerification: v.openPrevious(r.PreviousVerification, "previous_verification_key"),
		PreviousWebhook:      v.openPrevious(r.PreviousWebhook, "previous_webhook_key"),
	}
	return p, errors.Join(err, v.err)
}

type siteRow struct {
	bun.BaseModel `bun:"table:sites"`

	ID                    int64  `bun:"id,pk"`
	Version               int    `bun:"version"`
	ProviderID            int64  `bun:"provider_id"`
	DealerID              int64  `bun:"dealer_id"`
	Name                  string `bun:"name"`
	IsActive              bool   `bun:"is_active"`
	CredentialFingerprint string `bun:"credential_fingerprint"`
	IsIBANStrict          bool   `bun:"is_iban_strict"`
	urlsRow
	CreatedAt stamp `bun:"created_at,type:timestamptz"`
	UpdatedAt stamp `bun:"updated_at,type:timestamptz"`

	PreviousCredential previousRow `bun:"embed:previous_credential_"`
}

func siteRowOf(s owner.Site) siteRow {
	return siteRow{
		ID: s.ID, Version: s.Version, ProviderID: s.ProviderID, DealerID: s.DealerID, Name: s.Name,
		IsActive: s.IsActive, CredentialFingerprint: s.CredentialFingerprint, IsIBANStrict: s.IsIBANStrict,
		urlsRow: urlsRowOf(s.URLs), CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt),
		PreviousCredential: plainPrevious(s.PreviousCredential),
	}
}

func (r siteRow) site() (owner.Site, error) {
	return owner.Site{
		ID: r.ID, Version: r.Version, ProviderID: r.ProviderID, DealerID: r.DealerID, Name: r.Name,
		IsActive: r.IsActive, CredentialFingerprint: r.CredentialFingerprint, IsIBANStrict: r.IsIBANStrict,
		URLs: r.urls(), CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
		PreviousCredential: r.PreviousCredential.plain(),
	}, nil
}

type dealerRow struct {
	bun.BaseModel `bun:"table:dealers"`

	ID                  int64  `bun:"id,pk"`
	Version             int    `bun:"version"`
	Name                string `bun:"name"`
	IsActive            bool   `bun:"is_active"`
	APIKey              string `bun:"api_key"`
	SecretKey           string `bun:"secret_key"`
	IPWhitelist         string `bun:"ip_whitelist"`
	IsCreditCardEnabled bool   `bun:"is_credit_card_enabled"`
	IsEIBANEnabled      bool   `bun:"is_eiban_enabled"`
	IsManualIBANEnabled bool   `bun:"is_manual_iban_enabled"`
	HandCreditMaxMinor  *int64 `bun:"hand_credit_max_minor"`
	urlsRow
	CreatedAt stamp `bun:"created_at,type:timestamptz"`
	UpdatedAt stamp `bun:"updated_at,type:timestamptz"`

	PreviousAPIKey previousRow `bun:"embed:previous_api_"`
	PreviousSecret previousRow `bun:"embed:previous_secret_"`
}

func dealerRowOf(d owner.Dealer, sealer ports.Sealer) (dealerRow, error) {
	v := vaultOf(sealer, "dealers", number(d.ID))
	whitelist, err := whitelistText(d.IPWhitelist)
	r := dealerRow{
		ID: d.ID, Version: d.Version, Name: d.Name, IsActive: d.IsActive, APIKey: d.APIKey,
		SecretKey: v.seal(d.SecretKey, "secret_key"), IPWhitelist: whitelist,
		IsCreditCardEnabled: d.IsCreditCardEnabled, IsEIBANEnabled: d.IsEIBANEnabled,
		IsManualIBANEnabled: d.IsManualIBANEnabled, HandCreditMaxMinor: minorOf(d.HandCreditMax), urlsRow: urlsRowOf(d.URLs),
		CreatedAt: stamp(d.CreatedAt), UpdatedAt: stamp(d.UpdatedAt), PreviousAPIKey: plainPrevious(d.PreviousAPIKey),
		PreviousSecret: v.sealPrevious(d.PreviousSecret, "previous_secret_key"),
	}
	return r, errors.Join(err, v.err, areLira(d.HandCreditMax))
}

func (r dealerRow) dealer(sealer ports.Sealer) (owner.Dealer, error) {
	v := vaultOf(sealer, "dealers", number(r.ID))
	whitelist, err := whitelistOf(r.IPWhitelist)
	d := owner.Dealer{
		ID: r.ID, Version: r.Version, Name: r.Name, IsActive: r.IsActive, APIKey: r.APIKey,
		SecretKey: v.open(r.SecretKey, "secret_key"), IPWhitelist: whitelist,
		IsCreditCardEnabled: r.IsCreditCardEnabled, IsEIBANEnabled: r.IsEIBANEnabled,
		IsManualIBANEnabled: r.IsManualIBANEnabled, HandCreditMax: kurusOf(r.HandCreditMaxMinor), URLs: r.urls(), CreatedAt: time.Time(r.CreatedAt),
		UpdatedAt: time.Time(r.UpdatedAt), PreviousAPIKey: r.PreviousAPIKey.plain(),
		PreviousSecret: v.openPrevious(r.PreviousSecret, "previous_secret_key"),
	}
	return d, errors.Join(err, v.err)
}

type siteTokenRow struct {
	bun.BaseModel `bun:"table:site_tokens"`

	ID        int64  `bun:"id,pk"`
	Version   int    `bun:"version"`
	DealerID  int64  `bun:"dealer_id"`
	Name      string `bun:"name"`
	IsActive  bool   `bun:"is_active"`
	Token     string `bun:"token"`
	SecretKey string `bun:"secret_key"`
	CreatedAt stamp  `bun:"created_at,type:timestamptz"`
	UpdatedAt stamp  `bun:"updated_at,type:timestamptz"`

	PreviousToken  previousRow `bun:"embed:previous_token_"`
	PreviousSecret previousRow `bun:"embed:previous_secret_"`
}

func siteTokenRowOf(t owner.SiteToken, sealer ports.Sealer) (siteTokenRow, error) {
	v := vaultOf(sealer, "site_tokens", number(t.ID))
	r := siteTokenRow{
		ID: t.ID, Version: t.Version, DealerID: t.DealerID, Name: t.Name, IsActive: t.IsActive, Token: t.Token,
		SecretKey: v.seal(t.SecretKey, "secret_key"), CreatedAt: stamp(t.CreatedAt), UpdatedAt: stamp(t.UpdatedAt),
		PreviousToken:  plainPrevious(t.PreviousToken),
		PreviousSecret: v.sealPrevious(t.PreviousSecret, "previous_secret_key"),
	}
	return r, v.err
}

func (r siteTokenRow) siteToken(sealer ports.Sealer) (owner.SiteToken, error) {
	v := vaultOf(sealer, "site_tokens", number(r.ID))
	t := owner.SiteToken{
		ID: r.ID, Version: r.Version, DealerID: r.DealerID, Name: r.Name, IsActive: r.IsActive, Token: r.Token,
		SecretKey: v.open(r.SecretKey, "secret_key"), CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
		PreviousToken:  r.PreviousToken.plain(),
		PreviousSecret: v.openPrevious(r.PreviousSecret, "previous_secret_key"),
	}
	return t, v.err
}

type blockRow struct {
	bun.BaseModel `bun:"table:blocks"`

	ProviderID int64  `bun:"provider_id,pk"`
	UserID     string `bun:"user_id,pk"`
	Reason     string `bun:"reason"`
	actorRow
	CreatedAt stamp `bun:"created_at,type:timestamptz"`
}

func blockRowOf(b owner.Block) blockRow {
	return blockRow{
		ProviderID: b.ProviderID, UserID: b.UserID, Reason: b.Reason, actorRow: actorRowOf(b.By),
		CreatedAt: stamp(b.CreatedAt),
	}
}

func (r blockRow) block() (owner.Block, error) {
	return owner.Block{
		CustomerKey: owner.CustomerKey{ProviderID: r.ProviderID, UserID: r.UserID}, Reason: r.Reason, By: r.actor(),
		CreatedAt: time.Time(r.CreatedAt),
	}, nil
}

// customerRow is a customer to be looked for on the block list.
type customerRow struct {
	ProviderID int64  `bun:"provider_id"`
	UserID     string `bun:"user_id"`
}
