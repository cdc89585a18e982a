package conformance_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
	"github.com/vezne/vezne/ports"
)

var usdt = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

// staleAfter is how old a notification of the sample may be.
const staleAfter = 5 * time.Minute

func descriptor() gateway.Descriptor {
	keys := gateway.KeyTraits{Mode: gateway.HeaderKey, Find: true}
	return gateway.Descriptor{
		Code: "sample", Title: "Sample", Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Experimental,
		Kinds: []gateway.Kind{gateway.Card, gateway.Bank, gateway.Crypto, gateway.Account},
		Config: []gateway.ConfigField{
			{Name: "account", Label: "Account", Type: gateway.TextField, Required: true, Pattern: "[a-z0-9-]+"},
			{Name: "api_key", Label: "API key", Type: gateway.SecretField, Required: true},
			{Name: "hook_secret", Label: "Notification secret", Type: gateway.SecretField, Rotates: true},
			{Name: "retries", Label: "Retries", Type: gateway.IntField, Default: "3"},
			{Name: "language", Label: "Language", Type: gateway.ChoiceField, Choices: []string{"tr", "en"}, Default: "tr"},
		},
		Environments: []gateway.Environment{{Name: gateway.Production, Hosts: []string{"api.sample.example"}}},
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY, usdt}, Steps: []gateway.StepKind{gateway.StepRedirect}, Keys: keys,
			Expiry: gateway.ExpiryTraits{Settable: true, Min: time.Minute, Max: time.Hour},
			Refund: gateway.RefundTraits{Partial: true},
		},
		Payout: &gateway.PayoutTraits{
			Assets: []gateway.Asset{gateway.TRY}, Keys: keys, Approval: gateway.CodeApproval, Min: money.MustDecimal("10"),
			Needs: []gateway.FieldSpec{
				{Name: "iban", Check: gateway.CheckIBAN}, {Name: "account_holder", Check: gateway.CheckName},
			},
		},
		Account: &gateway.AccountTraits{StatementSpan: 72 * time.Hour, TransferMin: money.MustDecimal("10"), Keys: keys},
		Notify:  &gateway.NotifyTraits{Trust: gateway.Signed, PerPayment: true},
	}
}

// sample is a small gateway that can do everything, and does it right.
type sample struct {
	api    *plugkit.Client
	config *gateway.Config
	clock  ports.Clock
}

func openSample(env ports.GatewayEnv) (*sample, error) {
	if strings.HasPrefix(env.Config.Text("account"), "test-") {
		return nil, &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone,
			RawText: "a test account in production"}
	}
	key := env.Config.Text("api_key")
	return &sample{config: &env.Config, clock: env.Clock, api: &plugkit.Client{
		HTTP: env.HTTP, BaseURL: "https://api.sample.example",
		Sign: func(r *gateway.Request) error {
			r.Header = append(r.Header, gateway.Field{Name: "Authorization", Value: "Bearer " + key})
			return nil
		},
		Explain: func(r gateway.Response) error {
			if r.Status != 422 {
				return nil
			}
			var refusal struct{ Error, Message string }
			if err := plugkit.Decode(r.Body, &refusal); err != nil {
				return err
			}
			return refusals().Error(refusal.Error, refusal.Message, true)
		},
	}}, nil
}

func refusals() plugkit.Failures {
	none := gateway.EffectNone
	return plugkit.Failures{
		"too_late": {Class: gateway.Invalid, Effect: none}, "too_much": {Class: gateway.Invalid, Effect: none},
		"not_paid": {Class: gateway.Invalid, Effect: none}, "bad_code": {Class: gateway.Invalid, Effect: none},
		"window": {Class: gateway.Invalid, Effect: none}, "bad_request": {Class: gateway.Invalid, Effect: none},
		"no_funds":   {Class: gateway.OutOfFunds, Effect: none, Reason: gateway.NoFunds},
		"wrong_name": {Class: gateway.Refused, Effect: none, Reason: gateway.NameMismatch},
	}
}

func states() plugkit.States {
	return plugkit.States{
		"waiting": gateway.Waiting, "authorized": gateway.Authorized, "paid": gateway.Paid, "review": gateway.Review,
		"failed": gateway.Failed, "canceled": gateway.Canceled, "expired": gateway.Expired, "refunded": gateway.Refunded,
		"marked": gateway.Review,
	}
}

// Probe implements ports.Gateway.
func (g *sample) Probe(ctx context.Context) gateway.ProbeReport {
	check := gateway.ProbeCheck{Name: "credentials", OK: true}
	if err := g.api.Call(ctx, "GET", "/me", nil, new(any)); err != nil {
		check.OK, check.Class, check.Detail = false, gateway.ErrorOf(err).Class, err.Error()
	}
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{check}}
}

// Close implements ports.Gateway.
func (g *sample) Close() error { return nil }

// order is what the sample's API calls an order of any kind.
type order struct {
	Kind      string    `json:"kind,omitempty"`
	ID        string    `json:"id,omitempty"`
	Ref       string    `json:"ref,omitempty"`
	Status    string    `json:"status,omitempty"`
	Amount    string    `json:"amount,omitempty"`
	Currency  string    `json:"currency,omitempty"`
	Paid      string    `json:"paid,omitempty"`
	PaidIn    string    `json:"paid_in,omitempty"`
	Page      string    `json:"page,omitempty"`
	Token     string    `json:"token,omitempty"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	Account   string    `json:"account,omitempty"`
	IBAN      string    `json:"iban,omitempty"`
	Name      string    `json:"name,omitempty"`
	Reason    string    `json:"reason,omitempty"`
}

func (g *sample) post(ctx context.Context, path string, key gateway.Key, in order, out any) error {
	body := plugkit.Client{HTTP: g.api.HTTP, BaseURL: g.api.BaseURL, Explain: g.api.Explain,
		Sign: func(r *gateway.Request) error {
			r.Header = append(r.Header, gateway.Field{Name: "Idempotency-Key", Value: string(key)})
			return g.api.Sign(r)
		}}
	return body.Call(ctx, "POST", path, in, out)
}

// StartDeposit implements ports.DepositStarter.
func (g *sample) StartDeposit(ctx context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	asked, started := o.Amount, gateway.DepositStarted{}
	if o.Quote != nil {
		asked = o.Quote.To
		started.Due = &asked
	}
	in := order{
		Ref: string(o.Ref), Amount: asked.Amount.String(), Currency: asked.Asset.Code, ExpiresAt: o.ExpiresAt,
		Name: o.Customer.FullName,
	}
	var out order
	if err := g.post(ctx, "/deposits", o.Key, in, &out); err != nil {
		return gateway.DepositStarted{}, err
	}
	started.External = gateway.ExternalRef{ID: out.ID, Alt: map[string]string{"token": out.Token}}
	started.Next = gateway.NextStep{Redirect: &gateway.Redirect{URL: out.Page}}
	started.ExpiresAt = out.ExpiresAt
	return started, nil
}

// ReadDeposit implements ports.DepositReader.
func (g *sample) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	var out order
	if err := g.api.Call(ctx, "GET", plugkit.Path("deposits", string(k.Ref)), nil, &out); err != nil {
		return gateway.Observation{}, err
	}
	return out.observed(gateway.Answered)
}

// observed makes a report of a deposit. The amount decides between paid, less and more.
func (o order) observed(trust gateway.Trust) (gateway.Observation, error) {
	seen := gateway.Observation{
		Ref: gateway.Ref(o.Ref), External: gateway.ExternalRef{ID: o.ID}, State: states().Of(o.Status), Trust: trust,
		Raw: o.Status,
	}
	if o.Paid == "" {
		if seen.State == gateway.Paid {
			seen.State = gateway.Unknown // nobody says what came
		}
		return seen, nil
	}
	paid, err := amountOf(o.Paid, o.PaidIn)
	if err != nil {
		return gateway.Observation{}, err
	}
	due, err := amountOf(o.Amount, o.Currency)
	if err != nil {
		return gateway.Observation{}, err
	}
	seen.Paid = &paid
	switch {
	case seen.State != gateway.Paid:
	case !paid.IsSameAsset(due):
		seen.State = gateway.Review
	case paid.Amount.Cmp(due.Amount) < 0:
		seen.State = gateway.PartPaid
	case paid.Amount.Cmp(due.Amount) > 0:
		seen.State = gateway.OverPaid
	}
	return seen, nil
}

func amountOf(text, currency string) (gateway.Money, error) {
	amount, err := money.ParseDecimal(text)
	if err != nil {
		return gateway.Money{}, &gateway.Error{Class: gateway.Retryable, Err: err}
	}
	asset := gateway.Asset{Code: currency, Decimals: 2}
	if currency == usdt.Code {
		asset = usdt
	}
	return gateway.Money{Amount: amount, Asset: asset}, nil
}

// FinishReturn implements ports.ReturnFinisher.
func (g *sample) FinishReturn(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	brought, err := url.ParseQuery(v.Request.Query)
	if token := brought.Get("token"); err != nil || token == "" || token != v.External.Alt["token"] {
		return gateway.Observation{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, RawText: "foreign token"}
	}
	seen, err := g.ReadDeposit(ctx, v.DepositKey)
	if err != nil || seen.State != gateway.Authorized {
		return seen, err
	}
	return g.finish(ctx, v)
}

func (g *sample) finish(ctx context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	var out order
	if err := g.post(ctx, plugkit.Path("deposits", string(v.Ref), "finish"), "", order{}, &out); err != nil {
		return gateway.Observation{}, err
	}
	return out.observed(gateway.Answered)
}

// ListDeposits implements ports.DepositLister.
func (g *sample) ListDeposits(ctx context.Context, w gateway.Window, c gateway.Cursor) (gateway.ObservationPage, error) {
	var out struct {
		Items []order
		Next  string
	}
	if err := g.api.Call(ctx, "GET", "/deposits?"+query(w, c, 3), nil, &out); err != nil {
		return gateway.ObservationPage{}, err
	}
	page := gateway.ObservationPage{Next: gateway.Cursor(out.Next)}
	for _, o := range out.Items {
		seen, err := o.observed(gateway.Answered)
		if err != nil {
			return gateway.ObservationPage{}, err
		}
		page.Items = append(page.Items, seen)
	}
	return page, nil
}

func query(w gateway.Window, c gateway.Cursor, limit int) string {
	return url.Values{
		"from": {w.From.Format(time.RFC3339)}, "to": {w.To.Format(time.RFC3339)}, "after": {string(c)},
		"limit": {strconv.Itoa(limit)},
	}.Encode()
}

// CancelDeposit implements ports.DepositCanceler.
func (g *sample) CancelDeposit(ctx context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	var out order
	err := g.post(ctx, plugkit.Path("deposits", string(o.Ref), "cancel"), o.Key, order{}, &out)
	if gateway.IsClass(err, gateway.Conflicting) {
		return g.ReadDeposit(ctx, o.DepositKey)
	}
	if err != nil {
		return gateway.Observation{}, err
	}
	return out.observed(gateway.Answered)
}

// Refund implements ports.Refunder.
func (g *sample) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	in := order{Ref: string(o.RefundRef), Amount: o.Amount.Amount.String(), Currency: o.Amount.Asset.Code}
	var out order
	if err := g.post(ctx, plugkit.Path("deposits", string(o.Ref), "refunds"), o.Key, in, &out); err != nil {
		return gateway.RefundReport{}, err
	}
	return out.refunded(gateway.Answered)
}

// ReadRefund implements ports.Refunder.
func (g *sample) ReadRefund(ctx context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	var out order
	if err := g.api.Call(ctx, "GET", plugkit.Path("refunds", string(k.RefundRef)), nil, &out); err != nil {
		return gateway.RefundReport{}, err
	}
	return out.refunded(gateway.Answered)
}

func (o order) refunded(trust gateway.Trust) (gateway.RefundReport, error) {
	amount, err := amountOf(o.Amount, o.Currency)
	state, ok := map[string]gateway.RefundState{
		"pending": gateway.RefundPending, "done": gateway.RefundDone, "failed": gateway.RefundFailed,
	}[o.Status]
	if !ok {
		state = gateway.RefundUnknown
	}
	return gateway.RefundReport{
		RefundRef: gateway.Ref(o.Ref), External: gateway.ExternalRef{ID: o.ID}, State: state, Trust: trust, Amount: &amount,
		Raw: o.Status,
	}, err
}

// Quote implements ports.Quoter.
func (g *sample) Quote(ctx context.Context, q gateway.QuoteRequest) (gateway.Quote, error) {
	var out struct{ Rate money.Decimal }
	if err := g.api.Call(ctx, "GET", plugkit.Path("rates", q.To.Code), nil, &out); err != nil {
		return gateway.Quote{}, err
	}
	to := gateway.Money{Amount: q.From.Amount.QuoUp(out.Rate, q.To.Decimals), Asset: q.To}
	return gateway.Quote{From: q.From, To: to, Rate: out.Rate, At: g.clock.Now(), Until: g.clock.Now().Add(time.Hour)}, nil
}

// ListOptions implements ports.OptionLister.
func (g *sample) ListOptions(ctx context.Context) ([]gateway.Option, error) {
	var out []string
	if err := g.api.Call(ctx, "GET", "/options", nil, &out); err != nil {
		return nil, err
	}
	var list []gateway.Option
	for _, name := range out {
		if asset, ok := gateway.AssetNamed(descriptor().Deposit.Assets, name); ok {
			list = append(list, gateway.Option{ID: name, Title: name, Asset: asset})
		}
	}
	return list, nil
}
