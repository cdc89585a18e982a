package rest

import (
	"context"
	"net/http"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// Start creates a payment.
type Start func(context.Context) (app.Answer, error)

// Sent is the body of a call that creates a payment.
type Sent struct {
	Inputs   []core.Input // of the call's fields, in their order
	Body     []byte       // as it was sent
	Warnings []Warning    // about fields that the call does not have
}

// Create serves a call that creates a payment. From what was sent, read makes what starts the payment.
func Create(w http.ResponseWriter, r *http.Request, fields []string, read func(Sent) (Start, error)) error {
	body, err := ReadBody(r)
	if err != nil {
		return err
	}
	inputs, others, err := readObject(body, fields)
	if err != nil {
		return err
	}
	start, err := read(Sent{Inputs: inputs, Body: body, Warnings: warnOf(others, fields, inputs)})
	if err != nil {
		return err
	}
	a, err := start(r.Context())
	if err != nil {
		return err
	}
	if a.Replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	WriteJSON(w, a.Status, a.Body)
	return nil
}

// maxDescriptionChars bounds a description (decisions: Strings).
const maxDescriptionChars = 500

// readPerson reads a field that says who pays or is paid, as any endpoint calls it; other fields are left alone.
func readPerson(s *payment.Request, form *core.Form, name string, in core.Input) {
	switch name {
	case "fullname", "recipient_name":
		s.Customer.Fullname = form.Name(name, in)
	case "username":
		if s.Customer.Username = form.Exact(name, in); owner.IsForgotten(s.Customer.Username) {
			form.Fail(name, "field.reserved") // D8 takes it as the user id
		}
	case "user_id", "userid":
		if s.Customer.UserID = form.UserID(name, in); owner.IsForgotten(s.Customer.UserID) {
			form.Fail(name, "field.reserved") // it is what Vezne calls somebody whom it has forgotten
		}
	case "firstname":
		s.Payer.FirstName = form.Name(name, in)
	case "lastname":
		s.Payer.LastName = form.Name(name, in)
	case "email":
		s.Payer.Email = form.Email(name, in)
	case "phone":
		s.Payer.Phone = form.Phone(name, in)
	case "description":
		s.Payer.Description = Description(form, name, in)
	}
}

// OwnFields appends what a call that creates a payment takes beyond the contract; what opens a page for the customer has all of them.
func OwnFields(fields []string, hasPage bool) []string {
	own := []string{testField, "reference", "language", "return_url"}
	if !hasPage {
		own = own[:2]
	}
	return append(slices.Clip(fields), own...)
}

// ReadOwn reads one of OwnFields, and what a person is known by in any other; customers may be led back to what returns has.
func ReadOwn(s *payment.Request, form *core.Form, name string, in core.Input, returns owner.Returns) {
	switch name {
	case "reference":
		s.Reference = form.Reference(name, in)
	case "language":
		s.Language = pageLanguage(form, name, in, s.Language)
	case "return_url":
		s.ReturnURL = returnURL(form, name, in, returns)
	case testField: // WithTest reads it
	default:
		readPerson(s, form, name, in)
	}
}

// returnURL reads where the customer is led back to. Fault field.return_url: it has not been allowed.
func returnURL(form *core.Form, name string, in core.Input, returns owner.Returns) string {
	if in.Kind == core.Missing || in.Kind == core.TextInput && in.Text == "" {
		return ""
	}
	if in.Kind != core.TextInput || !returns.AllowsReturn(in.Text) {
		form.Fail(name, "field.return_url")
		return ""
	}
	return in.Text
}

// pageLanguage reads the language of the customer's page; otherwise where there is none.
func pageLanguage(form *core.Form, name string, in core.Input, otherwise lang.Tag) lang.Tag {
	if in.Kind == core.Missing || in.Kind == core.TextInput && in.Text == "" {
		return otherwise
	}
	tag, ok := lang.Parse(in.Text)
	if !ok || in.Kind != core.TextInput {
		form.Fail(name, "field.language")
		return otherwise
	}
	return tag
}

// Description reads a description.
func Description(form *core.Form, name string, in core.Input) string {
	return form.Text(name, in, maxDescriptionChars)
}
