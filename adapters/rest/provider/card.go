package provider

import (
	"context"
	"net/http"
	"strings"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/access"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// cardFields are E7's, in the documented order.
var cardFields = []string{
	"credential_key", "username", "user_id", "firstname", "lastname", "email", "phone", "amount", "description",
	"test", "reference", "language", "return_url", // Vezne's own
}

// cardErrors are the errors of E7 that have a shape and a text of their own (Errors: E7).
var cardErrors = map[fault.Code]struct {
	status int
	text   string
}{
	fault.InvalidCredential: {http.StatusUnauthorized, "Invalid credential key"},
	fault.CardsDisabled:     {http.StatusForbidden, "Credit card payment is not enabled for this dealer"},
	fault.Blocked:           {http.StatusForbidden, "This customer is blocked. Payment not allowed."},
}

// startCard is E7.
func (a *api) startCard(c call) error {
	err := a.createCard(c)
	if own, ok := cardErrors[fault.CodeOf(err)]; ok && err != nil {
		rest.Note(c.r, err)
		rest.WriteJSON(c.w, own.status, rest.NewObject().Bool("success", false).Text("message", own.text).End())
		return nil
	}
	return err
}

func (a *api) createCard(c call) error {
	return rest.Create(c.w, c.r, cardFields, func(sent rest.Sent) (rest.Start, error) {
		if err := a.findSite(&c, sent.Inputs[0]); err != nil {
			return nil, err
		}
		var form core.Form
		request, err := rest.WithTest(c.r.Context(), app.Creation{
			Request: readCard(c, sent.Inputs, &form), Once: c.once("E7", sent.Body, &form),
			Render: func(p payment.Payment) (app.Answer, error) {
				return app.Answer{Status: http.StatusOK, Body: a.renderCard(c.language, p, sent.Warnings)}, nil
			},
		}, a.Tests, &form, cardFields, sent.Inputs)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (app.Answer, error) {
			return a.Operations.InBounds(ctx, request, a.Cards.Start)
		}, form.Err("provider.E7")
	})
}

// findSite is the last check of authentication, for which the body had to be read. A key that is missing is as good as
// a wrong one.
func (a *api) findSite(c *call, sent core.Input) error {
	credential := ""
	if sent.Kind == core.TextInput {
		credential = strings.TrimSpace(sent.Text)
	}
	site, allowance, err := a.Gate.SiteOf(c.r.Context(), c.Provider, credential, rest.Of(c.r).Addr)
	rest.SetRateLimit(c.w.Header(), allowance)
	c.Site = site
	return err
}

func readCard(c call, inputs []core.Input, form *core.Form) payment.Request {
	s := payment.Request{Method: payment.CreditCard, Provider: c.Provider, Site: c.Site, Language: c.language}
	for i, name := range cardFields {
		switch name {
		case "amount":
			s.Amount = form.Amount(name, inputs[i], core.MinAmount(money.TRY))
		default:
			rest.ReadOwn(&s, form, name, inputs[i], c.Site.Returns)
		}
	}
	s.Customer.Fullname = s.Payer.FirstName + " " + s.Payer.LastName
	return s
}

func (a *api) renderCard(language lang.Tag, p payment.Payment, warnings []rest.Warning) []byte {
	return rest.NewObject().
		Bool("success", true).
		Text("message", lang.Say(language, "card.started")).
		Object("data", func(o *rest.Object) {
			o.Text("tracking_code", p.TrackingCode).Text("payment_url", a.BaseURL+"/pay/"+p.Token)
			o.Text("order_id", p.Payer.OrderID).Amount("amount", p.Amount).Text("currency", p.Amount.Currency().Code)
		}).
		Warnings(language, warnings).
		End()
}

// cardStatus is E8. Its hash may hold the tracking code (decisions: E8), so that the body is read before anybody is
// known; what is wrong with it is said afterwards.
func (a *api) cardStatus(w http.ResponseWriter, r *http.Request) {
	sent, bodyErr := trackingCode(r)
	a.authenticated(w, r, access.Call{Scheme: access.Tracked, Key: sent.Text}, func(c call) error {
		if bodyErr != nil {
			return bodyErr
		}
		var form core.Form
		code := form.Name("tracking_code", sent)
		if err := form.Err("provider.E8"); err != nil {
			return err
		}
		p, err := a.Cards.Status(c.r.Context(), c.Provider, code)
		if err != nil {
			return err
		}
		rest.WriteJSON(c.w, http.StatusOK, a.renderStatus(p))
		return nil
	})
}

// trackingCode reads the body of E8.
func trackingCode(r *http.Request) (core.Input, error) {
	body, err := rest.ReadBody(r)
	if err != nil {
		return core.Input{}, err
	}
	inputs, err := rest.ReadObject(body, []string{"tracking_code"})
	if err != nil {
		return core.Input{}, err
	}
	return inputs[0], nil
}

func (a *api) renderStatus(p payment.Payment) []byte {
	return rest.NewObject().
		Bool("success", true).
		Object("data", func(o *rest.Object) {
			o.Text("tracking_code", p.TrackingCode).Text("order_id", p.Payer.OrderID).Text("status", string(p.Status))
			o.Amount("amount", p.Amount).Text("currency", p.Amount.Currency().Code)
			o.Text("username", p.Customer.Username).Text("user_id", p.Customer.UserID)
			o.ISOTime("created_at", p.CreatedAt, a.Zone).ISOTime("updated_at", p.UpdatedAt, a.Zone)
		}).
		End()
}

func (a *api) transactionStatus(c call) error {
	body, err := rest.ReadBody(c.r)
	if err != nil {
		return err
	}
	inputs, err := rest.ReadObject(body, rest.StatusFields)
	if err != nil {
		return err
	}
	return rest.AnswerStatus(c.w, c.r, a.Cards.UnitOfWork, payment.ReferenceOwner{ProviderID: c.Provider.ID}, inputs, a.Zone)
}

// callbacks is what `vezne listen` asks.
func (a *api) callbacks(c call) error {
	whose := payment.ReferenceOwner{ProviderID: c.Provider.ID}
	return rest.AnswerCallbacks(c.w, c.r, a.Directory.UnitOfWork, payment.SignerOf(c.Provider), whose, a.Zone)
}

// testClock moves the clock of a test payment.
func (a *api) testClock(c call) error {
	return rest.AnswerClock(c.w, c.r, a.Tests, payment.ReferenceOwner{ProviderID: c.Provider.ID}, a.Zone)
}
