package bunstore

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
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

	ID              int64      `bun:"id,pk"`
	Version         int        `bun:"version"`
	Name            string     `bun:"name"`
	IsActive        bool       `bun:"is_active"`
	APIKey          string     `bun:"api_key"`
	SecretKey       sealedText `bun:"secret_key"`
	VerificationKey sealedText `bun:"verification_key"`
	WebhookSecret   sealedText `bun:"webhook_secret"`
	IPWhitelist     string     `bun:"ip_whitelist"`
	urlsRow
	Language            lang.Tag  `bun:"language"`
	IsCreditCardEnabled bool      `bun:"is_credit_card_enabled"`
	IsSignatureRequired bool      `bun:"is_signature_required"`
	AcknowledgesAny2xx  bool      `bun:"acknowledges_any_2xx"`
	CreatedAt           timestamp `bun:"created_at,type:timestamptz"`
	UpdatedAt           timestamp `bun:"updated_at,type:timestamptz"`

	PreviousAPIKey       previousRow       `bun:"embed:previous_api_"`
	PreviousSecret       sealedPreviousRow `bun:"embed:previous_secret_"`
	PreviousVerification sealedPreviousRow `bun:"embed:previous_verification_"`
	PreviousWebhook      sealedPreviousRow `bun:"embed:previous_webhook_"`
}

func providerRowOf(p owner.Provider, sealer ports.Sealer) (providerRow, error) {
	v := newRowSealer(sealer, "providers", number(p.ID))
	whitelist, err := whitelistText(p.IPWhitelist)
	r := providerRow{
		ID: p.ID, Version: p.Version, Name: p.Name, IsActive: p.IsActive, APIKey: p.APIKey,
		SecretKey:       v.seal(p.SecretKey, "secret_key"),
		VerificationKey: v.seal(p.VerificationKey, "verification_key"),
		WebhookSecret:   v.seal(p.WebhookSecret, "webhook_secret"),
		IPWhitelist:     whitelist, urlsRow: urlsRowOf(p.URLs), Language: p.Language,
		IsCreditCardEnabled: p.IsCreditCardEnabled, IsSignatureRequired: bool(p.SignatureMode), AcknowledgesAny2xx: bool(p.CallbackAcknowledgement),
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
		PreviousAPIKey:       plainPrevious(p.PreviousAPIKey),
		PreviousSecret:       v.sealPrevious(p.PreviousSecret, "previous_secret_key"),
		PreviousVerification: v.sealPrevious(p.PreviousVerification, "previous_verification_key"),
		PreviousWebhook:      v.sealPrevious(p.PreviousWebhook, "previous_webhook_key"),
	}
	return r, errors.Join(err, v.err)
}

func (s *Store) provider(r providerRow) (owner.Provider, error) {
	v := newRowSealer(s.sealer, "providers", number(r.ID))
	whitelist, err := whitelistOf(r.IPWhitelist)
	p := owner.Provider{
		ID: r.ID, Version: r.Version, Name: r.Name, IsActive: r.IsActive, APIKey: r.APIKey,
		SecretKey:       v.open(r.SecretKey, "secret_key"),
		VerificationKey: v.open(r.VerificationKey, "verification_key"),
		WebhookSecret:   v.open(r.WebhookSecret, "webhook_secret"),
		IPWhitelist:     whitelist, URLs: r.urls(), Language: r.Language,
		IsCreditCardEnabled: r.IsCreditCardEnabled, SignatureMode: owner.SignatureMode(r.IsSignatureRequired),
		CallbackAcknowledgement: owner.Acknowledgement(r.AcknowledgesAny2xx),
		CreatedAt:               time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
		PreviousAPIKey:       r.PreviousAPIKey.plain(),
		PreviousSecret:       v.openPrevious(r.PreviousSecret, "previous_secret_key"),
		PreviousVerification: v.openPrevious(r.PreviousVerification, "previous_verification_key"),
		PreviousWebhook:      v.openPrevious(r.PreviousWebhook, "previous_webhook_key"),
	}
	return p, errors.Join(err, v.err)
}

// returnsRow is the columns of where customers may be led back to.
type returnsRow struct {
	ReturnOrigins string `bun:"return_origins"` // separated by spaces
	HomeURL       string `bun:"home_url"`
}

func returnsRowOf(r owner.Returns) returnsRow {
	return returnsRow{ReturnOrigins: strings.Join(r.ReturnOrigins, " "), HomeURL: r.HomeURL}
}

func (r returnsRow) returns() owner.Returns {
	returns := owner.Returns{HomeURL: r.HomeURL}
	if r.ReturnOrigins != "" {
		returns.ReturnOrigins = strings.Fields(r.ReturnOrigins)
	}
	return returns
}

// brandRow is the columns of how a payment page looks, of a site or of a dealer's own payments.
type brandRow struct {
	DisplayName  string      `bun:"display_name"`
	Logo         owner.Logo  `bun:"logo"`
	Color        owner.Color `bun:"color"`
	SupportEmail string      `bun:"support_email"`
	SupportPhone string      `bun:"support_phone"`
	SupportURL   string      `bun:"support_url"`
	TermsURL     string      `bun:"terms_url"`
	PrivacyURL   string      `bun:"privacy_url"`
	ReturnLabel  string      `bun:"return_label"`
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
	returnsRow
	brandRow
	urlsRow
	CreatedAt timestamp `bun:"created_at,type:timestamptz"`
	UpdatedAt timestamp `bun:"updated_at,type:timestamptz"`

	PreviousCredential previousRow `bun:"embed:previous_credential_"`
}

func siteRowOf(s owner.Site) siteRow {
	return siteRow{
		ID: s.ID, Version: s.Version, ProviderID: s.ProviderID, DealerID: s.DealerID, Name: s.Name,
		IsActive: s.IsActive, CredentialFingerprint: s.CredentialFingerprint, IsIBANStrict: s.IsIBANStrict,
		urlsRow: urlsRowOf(s.URLs), CreatedAt: timestamp(s.CreatedAt), UpdatedAt: timestamp(s.UpdatedAt),
		PreviousCredential: plainPrevious(s.PreviousCredential),
		returnsRow:         returnsRowOf(s.Returns), brandRow: brandRow(s.Brand),
	}
}

func (r siteRow) site() (owner.Site, error) {
	return owner.Site{
		ID: r.ID, Version: r.Version, ProviderID: r.ProviderID, DealerID: r.DealerID, Name: r.Name,
		IsActive: r.IsActive, CredentialFingerprint: r.CredentialFingerprint, IsIBANStrict: r.IsIBANStrict,
		URLs: r.urls(), CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
		PreviousCredential: r.PreviousCredential.plain(),
		Returns:            r.returns(), Brand: owner.Brand(r.brandRow),
	}, nil
}

type dealerRow struct {
	bun.BaseModel `bun:"table:dealers"`

	ID                    int64      `bun:"id,pk"`
	Version               int        `bun:"version"`
	Name                  string     `bun:"name"`
	IsActive              bool       `bun:"is_active"`
	APIKey                string     `bun:"api_key"`
	SecretKey             sealedText `bun:"secret_key"`
	IPWhitelist           string     `bun:"ip_whitelist"`
	IsCreditCardEnabled   bool       `bun:"is_credit_card_enabled"`
	IsEIBANEnabled        bool       `bun:"is_eiban_enabled"`
	IsManualIBANEnabled   bool       `bun:"is_manual_iban_enabled"`
	IsSignatureRequired   bool       `bun:"is_signature_required"`
	IsIdempotencyRequired bool       `bun:"is_idempotency_required"`
	AcknowledgesAny2xx    bool       `bun:"acknowledges_any_2xx"`
	HandCreditMaxMinor    *int64     `bun:"hand_credit_max_minor"`
	returnsRow
	brandRow
	urlsRow
	CreatedAt timestamp `bun:"created_at,type:timestamptz"`
	UpdatedAt timestamp `bun:"updated_at,type:timestamptz"`

	PreviousAPIKey previousRow       `bun:"embed:previous_api_"`
	PreviousSecret sealedPreviousRow `bun:"embed:previous_secret_"`
}

func dealerRowOf(d owner.Dealer, sealer ports.Sealer) (dealerRow, error) {
	v := newRowSealer(sealer, "dealers", number(d.ID))
	whitelist, err := whitelistText(d.IPWhitelist)
	r := dealerRow{
		ID: d.ID, Version: d.Version, Name: d.Name, IsActive: d.IsActive, APIKey: d.APIKey,
		SecretKey: v.seal(d.SecretKey, "secret_key"), IPWhitelist: whitelist,
		IsCreditCardEnabled: d.IsCreditCardEnabled, IsEIBANEnabled: d.IsEIBANEnabled,
		IsManualIBANEnabled: d.IsManualIBANEnabled, IsSignatureRequired: bool(d.SignatureMode),
		IsIdempotencyRequired: d.IsIdempotencyRequired, AcknowledgesAny2xx: bool(d.CallbackAcknowledgement),
		HandCreditMaxMinor: minorOf(d.HandCreditMax), urlsRow: urlsRowOf(d.URLs),
		CreatedAt: timestamp(d.CreatedAt), UpdatedAt: timestamp(d.UpdatedAt), PreviousAPIKey: plainPrevious(d.PreviousAPIKey),
		PreviousSecret: v.sealPrevious(d.PreviousSecret, "previous_secret_key"), returnsRow: returnsRowOf(d.Returns), brandRow: brandRow(d.Brand),
	}
	return r, errors.Join(err, v.err, areLira(d.HandCreditMax))
}

func (s *Store) dealer(r dealerRow) (owner.Dealer, error) {
	v := newRowSealer(s.sealer, "dealers", number(r.ID))
	whitelist, err := whitelistOf(r.IPWhitelist)
	d := owner.Dealer{
		ID: r.ID, Version: r.Version, Name: r.Name, IsActive: r.IsActive, APIKey: r.APIKey,
		SecretKey: v.open(r.SecretKey, "secret_key"), IPWhitelist: whitelist,
		IsCreditCardEnabled: r.IsCreditCardEnabled, IsEIBANEnabled: r.IsEIBANEnabled,
		IsManualIBANEnabled: r.IsManualIBANEnabled, SignatureMode: owner.SignatureMode(r.IsSignatureRequired),
		IsIdempotencyRequired: r.IsIdempotencyRequired, CallbackAcknowledgement: owner.Acknowledgement(r.AcknowledgesAny2xx),
		HandCreditMax: kurusOf(r.HandCreditMaxMinor), URLs: r.urls(),
		CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt), PreviousAPIKey: r.PreviousAPIKey.plain(),
		PreviousSecret: v.openPrevious(r.PreviousSecret, "previous_secret_key"), Returns: r.returns(), Brand: owner.Brand(r.brandRow),
	}
	return d, errors.Join(err, v.err)
}

type siteTokenRow struct {
	bun.BaseModel `bun:"table:site_tokens"`

	ID                  int64      `bun:"id,pk"`
	Version             int        `bun:"version"`
	DealerID            int64      `bun:"dealer_id"`
	Name                string     `bun:"name"`
	IsActive            bool       `bun:"is_active"`
	Token               string     `bun:"token"`
	SecretKey           sealedText `bun:"secret_key"`
	IsSignatureRequired bool       `bun:"is_signature_required"`
	CreatedAt           timestamp  `bun:"created_at,type:timestamptz"`
	UpdatedAt           timestamp  `bun:"updated_at,type:timestamptz"`

	PreviousToken  previousRow       `bun:"embed:previous_token_"`
	PreviousSecret sealedPreviousRow `bun:"embed:previous_secret_"`
}

func siteTokenRowOf(t owner.SiteToken, sealer ports.Sealer) (siteTokenRow, error) {
	v := newRowSealer(sealer, "site_tokens", number(t.ID))
	r := siteTokenRow{
		ID: t.ID, Version: t.Version, DealerID: t.DealerID, Name: t.Name, IsActive: t.IsActive, Token: t.Token,
		SecretKey: v.seal(t.SecretKey, "secret_key"), IsSignatureRequired: bool(t.SignatureMode),
		CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
		PreviousToken:  plainPrevious(t.PreviousToken),
		PreviousSecret: v.sealPrevious(t.PreviousSecret, "previous_secret_key"),
	}
	return r, v.err
}

func (s *Store) siteToken(r siteTokenRow) (owner.SiteToken, error) {
	v := newRowSealer(s.sealer, "site_tokens", number(r.ID))
	t := owner.SiteToken{
		ID: r.ID, Version: r.Version, DealerID: r.DealerID, Name: r.Name, IsActive: r.IsActive, Token: r.Token,
		SecretKey: v.open(r.SecretKey, "secret_key"), SignatureMode: owner.SignatureMode(r.IsSignatureRequired),
		CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
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
	CreatedAt timestamp `bun:"created_at,type:timestamptz"`
}

func blockRowOf(b owner.Block) blockRow {
	return blockRow{
		ProviderID: b.ProviderID, UserID: b.UserID, Reason: b.Reason, actorRow: actorRowOf(b.BlockedBy),
		CreatedAt: timestamp(b.BlockedAt),
	}
}

func (r blockRow) block() (owner.Block, error) {
	return owner.Block{
		CustomerKey: owner.CustomerKey{ProviderID: r.ProviderID, UserID: r.UserID}, Reason: r.Reason, BlockedBy: r.actor(),
		BlockedAt: time.Time(r.CreatedAt),
	}, nil
}

// customerRow is a customer to be looked for on the block list.
type customerRow struct {
	ProviderID int64  `bun:"provider_id"`
	UserID     string `bun:"user_id"`
}

// previousRow is the columns of a key from before a rotation by which rows are found.
type previousRow struct {
	Key    string    `bun:"key"`
	Until  timestamp `bun:"until,type:timestamptz"`
	UsedAt timestamp `bun:"used_at,type:timestamptz"`
}

// sealedPreviousRow is the same of a key that is a secret.
type sealedPreviousRow struct {
	Key    sealedText `bun:"key"`
	Until  timestamp  `bun:"until,type:timestamptz"`
	UsedAt timestamp  `bun:"used_at,type:timestamptz"`
}

func plainPrevious(k owner.PreviousKey) previousRow {
	return previousRow{Key: k.Key.Reveal(), Until: timestamp(k.Until), UsedAt: timestamp(k.UsedAt)}
}

func (r previousRow) plain() owner.PreviousKey {
	return owner.PreviousKey{Key: core.NewSecret(r.Key), Until: time.Time(r.Until), UsedAt: time.Time(r.UsedAt)}
}

func (v *rowSealer) sealPrevious(k owner.PreviousKey, column string) sealedPreviousRow {
	return sealedPreviousRow{Key: v.seal(k.Key, column), Until: timestamp(k.Until), UsedAt: timestamp(k.UsedAt)}
}

func (v *rowSealer) openPrevious(r sealedPreviousRow, column string) owner.PreviousKey {
	return owner.PreviousKey{Key: v.open(r.Key, column), Until: time.Time(r.Until), UsedAt: time.Time(r.UsedAt)}
}

// byKey finds an owner by its key, or else by the one from before a rotation. That is asked apart, so that whoever has
// the present key is found by one index.
func byKey[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), present, previous, key string,
) (T, error) {
	by := func(column string) (T, error) {
		return one(ctx, s, op, turn, column+" = ? AND "+column+" <> ''", key)
	}
	found, err := by(present)
	if fault.Is(err, fault.NotFound) && key != "" {
		return by(previous)
	}
	return found, err
}

// ownersAtOnce is how many owners are read to find those of a name. There are few, and databases differ in how they fold
// letters: names are compared here.
const ownersAtOnce = 200

// listed reads owners by id until as many of them are kept as the page has.
func listed[R, T any](
	ctx context.Context, s *Store, op string, turn func(R) (T, error), q owner.OwnerQuery, id func(T) int64, keeps func(T) bool,
) ([]T, error) {
	limit, next := q.Bounded().Limit, q.Paging
	next.Limit = ownersAtOnce
	var found []T
	for len(found) < limit {
		rows, err := queried(ctx, op, turn, byNumber.page(s.reads.NewSelect(), next))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if next = next.Beyond(id(row)); keeps(row) && len(found) < limit {
				found = append(found, row)
			}
		}
		if len(rows) < ownersAtOnce {
			break
		}
	}
	if q.IsLast {
		slices.Reverse(found)
	}
	return found, nil
}

// Providers implements ports.Directory.
func (s *Store) Providers(ctx context.Context, q owner.OwnerQuery) ([]owner.Provider, error) {
	return listed(ctx, s, "bunstore.Providers", s.provider, q, func(p owner.Provider) int64 { return p.ID },
		func(p owner.Provider) bool { return q.CoversProvider(p.ID) && q.Matches(p.Name, p.IsActive) })
}

// Dealers implements ports.Directory.
func (s *Store) Dealers(ctx context.Context, q owner.OwnerQuery) ([]owner.Dealer, error) {
	return listed(ctx, s, "bunstore.Dealers", s.dealer, q, func(d owner.Dealer) int64 { return d.ID },
		func(d owner.Dealer) bool { return q.Covers(d.ID) && q.Matches(d.Name, d.IsActive) })
}

// SiteTokensOf implements ports.Directory.
func (s *Store) SiteTokensOf(ctx context.Context, dealerID int64) ([]owner.SiteToken, error) {
	return many(ctx, s, "bunstore.SiteTokensOf", s.siteToken, "id", "dealer_id = ?", dealerID)
}

// SiteToken implements ports.Directory.
func (s *Store) SiteToken(ctx context.Context, id int64) (owner.SiteToken, error) {
	return one(ctx, s, "bunstore.SiteToken", s.siteToken, "id = ?", id)
}

// Account implements ports.Directory.
func (s *Store) Account(ctx context.Context, id int64) (owner.Account, error) {
	return one(ctx, s, "bunstore.Account", accountRow.account, "id = ?", id)
}

// ProviderByAPIKey implements ports.Directory.
func (s *Store) ProviderByAPIKey(ctx context.Context, apiKey string) (owner.Provider, error) {
	return byKey(ctx, s, "bunstore.ProviderByAPIKey", s.provider, "api_key", "previous_api_key", apiKey)
}

// Provider implements ports.Directory.
func (s *Store) Provider(ctx context.Context, id int64) (owner.Provider, error) {
	return one(ctx, s, "bunstore.Provider", s.provider, "id = ?", id)
}

// SiteByCredential implements ports.Directory.
func (s *Store) SiteByCredential(ctx context.Context, fingerprint string) (owner.Site, error) {
	return byKey(ctx, s, "bunstore.SiteByCredential", siteRow.site, "credential_fingerprint", "previous_credential_key", fingerprint)
}

// Site implements ports.Directory.
func (s *Store) Site(ctx context.Context, id int64) (owner.Site, error) {
	return one(ctx, s, "bunstore.Site", siteRow.site, "id = ?", id)
}

// Dealer implements ports.Directory.
func (s *Store) Dealer(ctx context.Context, id int64) (owner.Dealer, error) {
	return one(ctx, s, "bunstore.Dealer", s.dealer, "id = ?", id)
}

// DealerByAPIKey implements ports.Directory.
func (s *Store) DealerByAPIKey(ctx context.Context, apiKey string) (owner.Dealer, error) {
	return byKey(ctx, s, "bunstore.DealerByAPIKey", s.dealer, "api_key", "previous_api_key", apiKey)
}

// SiteTokenByToken implements ports.Directory.
func (s *Store) SiteTokenByToken(ctx context.Context, token string) (owner.SiteToken, error) {
	return byKey(ctx, s, "bunstore.SiteTokenByToken", s.siteToken, "token", "previous_token_key", token)
}

// GatewayAccounts implements ports.Directory.
func (s *Store) GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error) {
	return many(ctx, s, "bunstore.GatewayAccounts", s.gatewayAccount, "id", "true")
}

// RouteRules implements ports.Directory.
func (s *Store) RouteRules(ctx context.Context) ([]routing.Rule, error) {
	return many(ctx, s, "bunstore.RouteRules", routeRuleRow.rule, "id", "true")
}

// Sites implements ports.Directory.
func (s *Store) Sites(ctx context.Context, providerID int64) ([]owner.Site, error) {
	return many(ctx, s, "bunstore.Sites", siteRow.site, "id", "provider_id = ?", providerID)
}

// AccountLoads implements ports.Directory.
func (s *Store) AccountLoads(
	ctx context.Context, dealerID int64, kind owner.AccountKind, day core.Day,
) ([]owner.DailyUsage, error) {
	turn := func(r accountLoadRow) (owner.DailyUsage, error) { return r.load(day) }
	return raw(ctx, s, "bunstore.AccountLoads", turn, `SELECT accounts.*, COALESCE(l.used_minor, 0) AS used_minor,
		COALESCE(l.offer_count, 0) AS offer_count, COALESCE(l.version, 0) AS load_version, l.last_offered_at
		FROM accounts LEFT JOIN account_loads AS l ON l.account_id = accounts.id AND l."day" = ?
		WHERE accounts.dealer_id = ? AND accounts.kind = ? ORDER BY accounts.id`, day, dealerID, kind)
}

// StaffByEmail implements ports.Staff.
func (s *Store) StaffByEmail(ctx context.Context, email string) (staff.Staff, error) {
	return one(ctx, s, "bunstore.StaffByEmail", s.staff, "email = ? AND email <> ''", email)
}

// SessionByFingerprint implements ports.Staff.
func (s *Store) SessionByFingerprint(ctx context.Context, fingerprint string) (staff.Session, staff.Staff, error) {
	const op = "bunstore.SessionByFingerprint"
	session, err := one(ctx, s, op, sessionRow.session, "fingerprint = ? AND fingerprint <> ''", fingerprint)
	if err != nil {
		return staff.Session{}, staff.Staff{}, err
	}
	member, err := one(ctx, s, op, s.staff, "id = ?", session.StaffID)
	if err != nil {
		return staff.Session{}, staff.Staff{}, err
	}
	return session, member, nil
}

// ProvidersByID implements ports.Directory.
func (s *Store) ProvidersByID(ctx context.Context, ids []int64) ([]owner.Provider, error) {
	return ofAll(ctx, s, "bunstore.ProvidersByID", s.provider, "id IN (?)", ids, "id")
}

// DealersByID implements ports.Directory.
func (s *Store) DealersByID(ctx context.Context, ids []int64) ([]owner.Dealer, error) {
	return ofAll(ctx, s, "bunstore.DealersByID", s.dealer, "id IN (?)", ids, "id")
}
