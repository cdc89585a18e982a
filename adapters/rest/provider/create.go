package provider

import (
	"context"
	"net/http"
	"slices"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// creation is what differs between the endpoints that create a payment.
type creation struct {
	name    string // in the contract: "E3"
	path    string
	method  payment.Method
	fields  []string // of the body, in the documented order, which is also that of the messages
	message string   // key of the answer's sentence
	data    func(o *rest.Object, p payment.Payment)
	isTimed bool // the answer ends with a timestamp
	start   func(context.Context, operation.PayoutRequest) (app.Answer, error)
}

// payeeFields may be in required_fields of a gateway beside those that the contract lists for a withdrawal. They are
// fields of the body then; otherwise they are not looked at.
var payeeFields = []string{"account_holder", "bank_code", "national_id", "phone", "email", "memo"}

// plain is a use case that needs no gateway.
func plain(start func(context.Context, app.Creation) (app.Answer, error)) func(context.Context, operation.PayoutRequest) (app.Answer, error) {
	return func(ctx context.Context, r operation.PayoutRequest) (app.Answer, error) {
		if err := fault.Fields("provider.plain", r.Failed); err != nil {
			return app.Answer{}, err
		}
		return start(ctx, r.Creation)
	}
}

// throughGateway is a use case of a deposit that gateways take.
func (a *api) throughGateway(start func(context.Context, app.Creation) (app.Answer, error)) func(context.Context, operation.PayoutRequest) (app.Answer, error) {
	return plain(func(ctx context.Context, c app.Creation) (app.Answer, error) {
		return a.Operations.InBounds(ctx, c, start)
	})
}

// creations lists E3 to E6, and those of third parties.
func creations(a *api) []creation {
	list := documented(a)
	for i := range list {
		list[i].fields = rest.OwnFields(list[i].fields, list[i].method.HasPage())
	}
	return list
}

func documented(a *api) []creation {
	return append(a.thirdParties(), []creation{
		{
			name: "E3", path: "/start-manual-deposit", method: payment.ManualDeposit, start: plain(a.Deposits.Start),
			fields: []string{"fullname", "username", "user_id", "amount"}, message: "deposit.started", isTimed: true,
			data: func(o *rest.Object, p payment.Payment) {
				a.deposited(o, p)
				o.Time("created_at", p.CreatedAt, a.Zone)
			},
		},
		{
			name: "E4", path: "/start-manual-withdraw", method: payment.ManualWithdrawal, start: plain(a.Withdrawals.Start),
			fields: []string{"fullname", "username", "user_id", "iban", "amount"}, message: "withdrawal.started", isTimed: true,
			data: func(o *rest.Object, p payment.Payment) {
				withdrawn(o, p)
				o.Time("created_at", p.CreatedAt, a.Zone)
			},
		},
		{
			name: "E5", path: "/start-eiban-deposit", method: payment.EIBANDeposit, start: plain(a.Deposits.Start),
			fields: []string{"user_id", "username", "fullname", "amount"}, message: "deposit.started", data: a.deposited,
		},
		{
			name: "E6", path: "/start-eiban-withdraw", method: payment.EIBANWithdrawal, start: plain(a.Withdrawals.Start),
			fields: []string{"user_id", "username", "fullname", "iban", "amount"}, message: "withdrawal.started", data: withdrawn,
		},
	}...)
}

// create serves an endpoint that creates a payment.
func (a *api) create(e creation) func(call) error {
	return func(c call) error {
		return e.inOrder(rest.Create(c.w, c.r, e.names(), func(sent rest.Sent) (rest.Start, error) {
			var form core.Form
			request := e.read(c, sent.Inputs, &form)
			creation, err := rest.WithTest(c.r.Context(), app.Creation{
				Request: request.Request, Once: c.once(e.name, sent.Body, &form),
				Render: func(p payment.Payment) (app.Answer, error) {
					return app.Answer{Status: http.StatusOK, Body: a.render(e, c.language, p, sent.Warnings)}, nil
				},
			}, a.Tests, &form, e.fields, sent.Inputs)
			if err != nil {
				return nil, err
			}
			request.Creation = creation
			request.Failed = fault.FieldsOf(form.Err("provider." + e.name))
			return func(ctx context.Context) (app.Answer, error) { return e.start(ctx, request) }, nil
		}))
	}
}

// names are the fields of the body that may matter.
func (e creation) names() []string {
	if e.method.Kind() != payment.Payout || e.method.Gateway() == "" {
		return e.fields
	}
	return append(slices.Clip(e.fields), payeeFields...)
}

// inOrder has a validation fault tell of its fields in the documented order, whoever has checked them.
func (e creation) inOrder(err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	names, fields := e.names(), slices.Clone(fault.FieldsOf(err))
	place := func(f fault.Field) int {
		if i := slices.Index(names, f.Name); i >= 0 {
			return i
		}
		return len(names) // a header
	}
	slices.SortStableFunc(fields, func(a, b fault.Field) int { return place(a) - place(b) })
	return fault.Fields("provider."+e.name, fields)
}

// read checks all fields of the body. What the gateway of a payout wants is checked with the gateway.
func (e creation) read(c call, inputs []core.Input, form *core.Form) operation.PayoutRequest {
	r := operation.PayoutRequest{Values: map[string]string{}}
	for i, name := range payeeFields {
		if at := len(e.fields) + i; at < len(inputs) && inputs[at].Text != "" {
			r.Values[name] = inputs[at].Text
		}
	}
	s := &r.Request
	*s = payment.Request{Method: e.method, Provider: c.Provider, Site: c.Site, Language: c.language}
	for i, name := range e.fields {
		switch name {
		case "iban":
			s.IBAN = form.IBAN(name, inputs[i], c.Site.IsIBANStrict)
			r.Values[name] = s.IBAN
		case "amount":
			s.Amount = form.Amount(name, inputs[i], core.MinAmount(money.TRY))
		case "gateway_id":
			r.GatewayID = form.Number(name, inputs[i])
		case "crypto_type", "wallet_address", "wallet_number":
			r.Values[name] = form.Name(name, inputs[i])
		default:
			rest.ReadOwn(s, form, name, inputs[i], c.Site.Returns)
		}
	}
	return r
}

// once reads the Idempotency-Key header. What a key stands for is the body and the site that it was sent for, whichever of
// that site's credential keys it was sent with.
func (c call) once(endpoint string, body []byte, form *core.Form) *app.Once {
	return rest.Once(c.r, c.Name(), endpoint, form, []byte(c.Site.Ref()), body)
}

func (a *api) render(e creation, language lang.Tag, p payment.Payment, warnings []rest.Warning) []byte {
	o := rest.NewObject().
		Bool("success", true).
		Text("message", lang.Say(language, e.message)).
		Object("data", func(o *rest.Object) { e.data(o, p) })
	if e.isTimed {
		o.Time("timestamp", p.CreatedAt, a.Zone)
	}
	if p.IsIBANSuspect {
		warnings = append([]rest.Warning{rest.IBANWarning()}, warnings...)
	}
	return o.Warnings(language, warnings).End()
}

// deposited adds what the answers to E3 and E5 share.
func (a *api) deposited(o *rest.Object, p payment.Payment) {
	o.Text("tracking_code", p.TrackingCode).Text("payment_url", a.BaseURL+"/pay/"+p.Token)
	owners(o, p)
	o.Amount("amount", p.Amount).Text("status", string(p.Status)).Time("expires_at", p.ExpiresAt, a.Zone)
}

// withdrawn adds what the answers to E4 and E6 share.
func withdrawn(o *rest.Object, p payment.Payment) {
	o.Text("tracking_code", p.TrackingCode)
	owners(o, p)
	o.Text("iban", p.IBAN).Amount("amount", p.Amount).Text("status", string(p.Status))
}

func owners(o *rest.Object, p payment.Payment) {
	o.Object("site", func(o *rest.Object) { o.Int("id", p.SiteID).Text("name", p.SiteName) })
	o.Object("customer", func(o *rest.Object) {
		o.Text("fullname", p.Customer.Fullname).Text("username", p.Customer.Username).Text("user_id", p.Customer.UserID)
	})
}
