package dealer

import (
	"context"
	"net/http"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// creation is what differs between the endpoints that create a payment.
type creation struct {
	name    string // in the contract: "D2"
	path    string
	method  payment.Method
	fields  []string // of the body, in the documented order, which is also that of the messages
	low     money.Amount
	message string // key of the answer's sentence
	data    func(o *rest.Object, p payment.Payment)
	start   func(ctx context.Context, c app.Creation, by core.Actor) (app.Answer, error)
}

// byKey is a use case to which it is all the same who of the dealer calls.
func byKey(start func(context.Context, app.Creation) (app.Answer, error)) func(context.Context, app.Creation, core.Actor) (app.Answer, error) {
	return func(ctx context.Context, c app.Creation, _ core.Actor) (app.Answer, error) { return start(ctx, c) }
}

// creations lists D2, D3 and D8.
func creations(a *api) []creation {
	list := documented(a)
	for i := range list {
		list[i].fields = rest.OwnFields(list[i].fields, list[i].method == payment.CreditCard)
	}
	return list
}

func documented(a *api) []creation {
	least, leastByCard := core.MinAmount(money.TRY), money.New(200_00, money.TRY)
	return []creation{
		{
			name: "D2", path: "/manual-iban/deposit", method: payment.ManualDeposit, start: a.Dealers.Offer, low: least,
			fields: []string{"username", "userid", "fullname", "amount"}, message: "deposit.started",
			data: func(o *rest.Object, p payment.Payment) {
				o.Text("tracking_code", p.TrackingCode).Text("bank_name", p.Account.BankName)
				o.Text("account_name", p.Account.Holder).Text("iban_no", p.Account.IBAN).Amount("amount", p.Amount)
				o.Text("formatted_iban", iban.Grouped(p.Account.IBAN))
			},
		},
		{
			name: "D3", path: "/manual-iban/withdraw", method: payment.ManualWithdrawal, start: byKey(a.Dealers.Withdraw), low: least,
			fields: []string{"username", "userid", "amount", "recipient_name", "recipient_iban"}, message: "withdrawal.started",
			data: func(o *rest.Object, p payment.Payment) {
				o.Text("tracking_code", p.TrackingCode).Text("status", string(p.Status)).Amount("amount", p.Amount)
				o.Text("recipient_name", p.Customer.Fullname).Text("recipient_iban", p.IBAN)
			},
		},
		{
			start: byKey(func(ctx context.Context, c app.Creation) (app.Answer, error) {
				return a.Operations.InBounds(ctx, c, a.Dealers.StartCard)
			}),
			name: "D8", path: "/credit-card/payment", method: payment.CreditCard, low: leastByCard,
			fields:  []string{"username", "firstname", "lastname", "email", "phone", "amount", "description"},
			message: "card.started",
			data: func(o *rest.Object, p payment.Payment) {
				o.Text("tracking_code", p.TrackingCode).Text("payment_url", a.BaseURL+"/pay/"+p.Token)
				o.Text("order_id", p.Payer.OrderID).Amount("amount", p.Amount).Text("currency", p.Amount.Currency().Code)
			},
		},
	}
}

// create serves an endpoint that creates a payment.
func (a *api) create(e creation) func(call) error {
	return func(c call) error {
		return rest.Create(c.w, c.r, e.fields, func(sent rest.Sent) (rest.Start, error) {
			var form core.Form
			request, err := rest.WithTest(c.r.Context(), app.Creation{
				Request: e.read(c, sent.Inputs, &form),
				Render: func(p payment.Payment) (app.Answer, error) {
					return app.Answer{Status: http.StatusOK, Body: render(e, c.language, p, sent.Warnings)}, nil
				},
			}, a.Tests, &form, e.fields, sent.Inputs)
			if err != nil {
				return nil, err
			}
			request.Once = rest.Once(c.r, c.Name(), e.name, &form, sent.Body)
			return func(ctx context.Context) (app.Answer, error) {
				return e.start(ctx, request, c.Actor(rest.Of(c.r).Addr.String()))
			}, form.Err("dealer." + e.name)
		})
	}
}

// read checks all fields of the body.
func (e creation) read(c call, inputs []core.Input, form *core.Form) payment.Request {
	s := payment.Request{Method: e.method, Dealer: c.Dealer, Language: c.language}
	for i, name := range e.fields {
		switch name {
		case "recipient_iban":
			s.IBAN = form.IBAN(name, inputs[i], true) // decisions: IBAN on D3 and D6
		case "amount":
			s.Amount = form.Amount(name, inputs[i], e.low)
		default:
			rest.ReadOwn(&s, form, name, inputs[i], c.Dealer.Returns)
		}
	}
	if e.method == payment.CreditCard {
		s.Customer.Fullname = s.Payer.FirstName + " " + s.Payer.LastName
		s.Customer.UserID = s.Customer.Username // D8 names the customer by username alone
	}
	return s
}

func render(e creation, language lang.Tag, p payment.Payment, warnings []rest.Warning) []byte {
	return rest.NewObject().
		Bool("success", true).
		Text("message", lang.Say(language, e.message)).
		Object("data", func(o *rest.Object) { e.data(o, p) }).
		Warnings(language, warnings).
		End()
}

func (a *api) transactionStatus(c call) error {
	whose := payment.ReferenceOwner{DealerID: c.Dealer.ID}
	return rest.AnswerStatus(c.w, c.r, a.Dealers.UnitOfWork, whose, readQuery(c.r, rest.StatusFields...), a.Zone)
}

// callbacks is what `vezne listen` asks.
func (a *api) callbacks(c call) error {
	whose := payment.ReferenceOwner{DealerID: c.Dealer.ID}
	return rest.AnswerCallbacks(c.w, c.r, a.Dealers.UnitOfWork, payment.SignerOfDealer(c.Dealer), whose, a.Zone)
}

// testClock moves the clock of a test payment.
func (a *api) testClock(c call) error {
	return rest.AnswerClock(c.w, c.r, a.Tests, payment.ReferenceOwner{DealerID: c.Dealer.ID}, a.Zone)
}
