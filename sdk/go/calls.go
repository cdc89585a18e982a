package vezne

import (
	"context"
	"net/url"
)

// Provider is the provider's API. Calls that create something take an idempotency key; without one, one is made, which the answer and
// the error have.
type Provider struct {
	client
	credentialKey, verificationKey func() string
}

// ProviderKeys are a provider's keys. CredentialKey says which site a payment is for, VerificationKey is for Sites alone.
type ProviderKeys struct{ APIKey, SecretKey, CredentialKey, VerificationKey string }

// NewProvider returns the API of a provider.
func NewProvider(baseURL string, k ProviderKeys, o Options) *Provider {
	return &Provider{
		newClient(baseURL, k.SecretKey, o, "X-Api-Key", k.APIKey),
		func() string { return k.CredentialKey }, func() string { return k.VerificationKey },
	}
}

func (p *Provider) create(ctx context.Context, path string, f Fields, key []string) (*Answer, error) {
	return p.do(ctx, request{
		method: "POST", target: "/api/provider/" + path, fields: f, header: "X-Credential-Key", key: p.credentialKey(),
		creates: true, idempotencyKey: key,
	})
}

func (p *Provider) ask(ctx context.Context, path string, f Fields) (*Answer, error) {
	return p.do(ctx, request{method: "POST", target: "/api/provider/" + path, fields: f})
}

func (p *Provider) gateways(ctx context.Context, kind string) (*Answer, error) {
	return p.do(ctx, request{method: "GET", target: "/api/provider/third-party/" + kind + "/gateways"})
}

// Welcome is E1.
func (p *Provider) Welcome(ctx context.Context) (*Answer, error) { return p.ask(ctx, "welcome", nil) }

// Sites is E2.
func (p *Provider) Sites(ctx context.Context) (*Answer, error) {
	return p.do(ctx, request{method: "POST", target: "/api/provider/sites", header: "X-Key", key: p.verificationKey()})
}

// StartManualDeposit is E3.
func (p *Provider) StartManualDeposit(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "start-manual-deposit", f, idempotencyKey)
}

// StartManualWithdraw is E4.
func (p *Provider) StartManualWithdraw(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "start-manual-withdraw", f, idempotencyKey)
}

// StartEibanDeposit is E5.
func (p *Provider) StartEibanDeposit(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "start-eiban-deposit", f, idempotencyKey)
}

// StartEibanWithdraw is E6.
func (p *Provider) StartEibanWithdraw(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "start-eiban-withdraw", f, idempotencyKey)
}

// CreditCardPayment is E7. It adds the credential key, which is in the body here.
func (p *Provider) CreditCardPayment(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	body := Fields{"credential_key": p.credentialKey()}
	for name, value := range f {
		body[name] = value
	}
	return p.do(ctx, request{
		method: "POST", target: "/api/provider/credit-card/payment", fields: body, creates: true, idempotencyKey: idempotencyKey,
	})
}

// CreditCardStatus is E8.
func (p *Provider) CreditCardStatus(ctx context.Context, f Fields) (*Answer, error) {
	return p.ask(ctx, "credit-card/status", f)
}

// BankStartDeposit is E9.
func (p *Provider) BankStartDeposit(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "third-party/bank/start-deposit", f, idempotencyKey)
}

// BankGateways is E10.
func (p *Provider) BankGateways(ctx context.Context) (*Answer, error) { return p.gateways(ctx, "bank") }

// BankStartWithdrawal is E11.
func (p *Provider) BankStartWithdrawal(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "third-party/bank/start-withdrawal", f, idempotencyKey)
}

// CryptoStartDeposit is E12.
func (p *Provider) CryptoStartDeposit(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "third-party/crypto/start-deposit", f, idempotencyKey)
}

// CryptoGateways is E13.
func (p *Provider) CryptoGateways(ctx context.Context) (*Answer, error) {
	return p.gateways(ctx, "crypto")
}

// CryptoStartWithdrawal is E14.
func (p *Provider) CryptoStartWithdrawal(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "third-party/crypto/start-withdrawal", f, idempotencyKey)
}

// WalletStartDeposit is E15.
func (p *Provider) WalletStartDeposit(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "third-party/wallet/start-deposit", f, idempotencyKey)
}

// WalletGateways is E16.
func (p *Provider) WalletGateways(ctx context.Context) (*Answer, error) {
	return p.gateways(ctx, "wallet")
}

// WalletStartWithdrawal is E17.
func (p *Provider) WalletStartWithdrawal(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return p.create(ctx, "third-party/wallet/start-withdrawal", f, idempotencyKey)
}

// TransactionStatus is V1. Fields have a tracking_code or a reference.
func (p *Provider) TransactionStatus(ctx context.Context, f Fields) (*Answer, error) {
	return p.ask(ctx, "transaction-status", f)
}

// TestClock moves the clock of a payment that was created with the field test; test installations alone have the call (V3). Fields have a
// tracking_code or a reference, and seconds.
func (p *Provider) TestClock(ctx context.Context, f Fields) (*Answer, error) {
	return p.ask(ctx, "test-clock", f)
}

// Dealer is the dealer's API, or that of one of the dealer's websites.
type Dealer struct{ client }

// DealerKeys are a dealer's keys. With a SiteToken in place of the APIKey they are those of one of the dealer's websites.
type DealerKeys struct{ APIKey, SiteToken, SecretKey string }

// NewDealer returns the API of a dealer.
func NewDealer(baseURL string, k DealerKeys, o Options) *Dealer {
	if k.APIKey == "" {
		return &Dealer{newClient(baseURL, k.SecretKey, o, "X-Site-Token", k.SiteToken)}
	}
	return &Dealer{newClient(baseURL, k.SecretKey, o, "X-Api-Key", k.APIKey)}
}

func (d *Dealer) create(ctx context.Context, path string, f Fields, key []string) (*Answer, error) {
	return d.do(ctx, request{method: "POST", target: "/api/dealer/" + path, fields: f, creates: true, idempotencyKey: key})
}

func (d *Dealer) get(ctx context.Context, path string, f Fields) (*Answer, error) {
	if len(f) > 0 {
		query := url.Values{}
		for name := range f {
			query.Set(name, f.Text(name))
		}
		path += "?" + query.Encode()
	}
	return d.do(ctx, request{method: "GET", target: "/api/dealer/" + path})
}

// Settings is D1.
func (d *Dealer) Settings(ctx context.Context) (*Answer, error) { return d.get(ctx, "settings", nil) }

// ManualIbanDeposit is D2.
func (d *Dealer) ManualIbanDeposit(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return d.create(ctx, "manual-iban/deposit", f, idempotencyKey)
}

// ManualIbanWithdraw is D3.
func (d *Dealer) ManualIbanWithdraw(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return d.create(ctx, "manual-iban/withdraw", f, idempotencyKey)
}

// Eibans is D4.
func (d *Dealer) Eibans(ctx context.Context) (*Answer, error) { return d.get(ctx, "eibans", nil) }

// Transactions is D5. Fields are text: wallet_id, start_date, end_date, and page where it is not the first.
func (d *Dealer) Transactions(ctx context.Context, f Fields) (*Answer, error) {
	return d.get(ctx, "transactions", f)
}

// SendMoney is D6.
func (d *Dealer) SendMoney(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return d.create(ctx, "send-money", f, idempotencyKey)
}

// TransferStatus is D7. Fields have a transfer_id.
func (d *Dealer) TransferStatus(ctx context.Context, f Fields) (*Answer, error) {
	return d.get(ctx, "transfer-status", f)
}

// CreditCardPayment is D8.
func (d *Dealer) CreditCardPayment(ctx context.Context, f Fields, idempotencyKey ...string) (*Answer, error) {
	return d.create(ctx, "credit-card/payment", f, idempotencyKey)
}

// TransactionStatus is V2. Fields have a tracking_code or a reference.
func (d *Dealer) TransactionStatus(ctx context.Context, f Fields) (*Answer, error) {
	return d.get(ctx, "transaction-status", f)
}

// TestClock moves the clock of a payment that was created with the field test; test installations alone have the call (V4). Fields have a
// tracking_code or a reference, and seconds.
func (d *Dealer) TestClock(ctx context.Context, f Fields) (*Answer, error) {
	return d.do(ctx, request{method: "POST", target: "/api/dealer/test-clock", fields: f})
}
