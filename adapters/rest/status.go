package rest

import (
	"net/http"
	"time"

	"github.com/vezne/vezne/app"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// AnswerStatus answers transaction-status: it tells of any payment of an owner's, by tracking code or reference. It is Vezne's own. The
// inputs are those of StatusFields.
func AnswerStatus(
	w http.ResponseWriter, r *http.Request, unit *app.UnitOfWork, whose payment.ReferenceOwner, inputs []core.Input, zone *time.Location,
) error {
	var form core.Form
	code, reference := readStatus(&form, inputs)
	if err := form.Err("rest.AnswerStatus"); err != nil {
		return err
	}
	p, err := payments.StatusOf(r.Context(), unit, whose, code, reference)
	if err != nil {
		return err
	}
	answerStatus(w, p, zone)
	return nil
}

func answerStatus(w http.ResponseWriter, p payment.Payment, zone *time.Location) {
	WriteJSON(w, http.StatusOK, NewObject().
		Bool("success", true).
		Object("data", func(o *Object) { writeStatus(o, p, zone) }).
		End())
}

// StatusFields are those of transaction-status, of which exactly one is given.
var StatusFields = []string{"tracking_code", "reference"}

// readStatus reads which payment is asked about.
func readStatus(form *core.Form, inputs []core.Input) (trackingCode, reference string) {
	isGiven := func(in core.Input) bool {
		return in.Kind != core.Missing && (in.Kind != core.TextInput || in.Text != "")
	}
	if isGiven(inputs[0]) == isGiven(inputs[1]) {
		form.Fail("tracking_code", "field.which")
		return "", ""
	}
	if isGiven(inputs[0]) {
		return form.Name("tracking_code", inputs[0]), ""
	}
	return "", form.Reference("reference", inputs[1])
}

// writeStatus adds what transaction-status says of a payment, to a provider or to a dealer. All times are ISO 8601 with the zone's offset, and
// the amounts are decimal text.
func writeStatus(o *Object, p payment.Payment, zone *time.Location) {
	o.Text("tracking_code", p.TrackingCode).Text("reference", p.Reference).Text("type", string(p.Method)).Text("status", string(p.Status))
	o.Bool("is_final", p.Status.IsFinal())
	o.Text("amount", p.Amount.String()).Text("requested_amount", p.RequestedAmount.String()).Text("currency", p.Amount.Currency().Code)
	o.Text("username", p.Customer.Username).Text("user_id", p.Customer.UserID)
	if p.SiteID != 0 {
		o.Int("site_id", p.SiteID)
	}
	if p.Payer.OrderID != "" {
		o.Text("order_id", p.Payer.OrderID)
	}
	o.Text("reason", string(p.EndedBy)).Text("paid_by", string(p.PaidBy))
	if p.Failure.Code != "" {
		o.Text("error_code", p.Failure.Code).Text("error_message", p.Failure.Message)
	}
	o.ISOTime("created_at", p.CreatedAt, zone).ISOTime("updated_at", p.UpdatedAt, zone)
	if !p.ExpiresAt.IsZero() {
		o.ISOTime("expires_at", p.ExpiresAt, zone)
	}
	if !p.FinishedAt.IsZero() {
		o.ISOTime("finished_at", p.FinishedAt, zone)
	}
}
