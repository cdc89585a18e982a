package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/app"
	plans "github.com/vezne/vezne/app/testplan"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/testplan"
)

// testField is what a call that creates a payment may have in a sandbox: what is to happen to it. testFields are its members.
const testField = "test"

var testFields = []string{"outcome", "amount", "error_code", "after", "callbacks", "callback_delay"}

// WithTest returns a creation with what its test field asks for; without one it is the creation itself. The inputs are those of the
// fields. What is wrong fails the form, and so does the field itself where tests is nil or money moves: nobody is to believe that they
// test.
func WithTest(
	ctx context.Context, c app.Creation, tests *plans.Service, form *core.Form, fields []string, inputs []core.Input,
) (app.Creation, error) {
	i := slices.Index(fields, testField)
	if i < 0 || inputs[i].Kind == core.Missing {
		return c, nil
	}
	if tests == nil {
		form.Fail(testField, "field.test_refused")
		return c, nil
	}
	if err := tests.Check(ctx); fault.Is(err, fault.Invalid) {
		form.Fail(testField, "field.test_refused")
		return c, nil
	} else if err != nil {
		return c, err
	}
	plan, after := readPlan(form, c.Request, inputs[i])
	return plans.With(c, plan, after), nil
}

// RefuseTest fails the form of a call that takes no test field where there is one.
func RefuseTest(form *core.Form, in core.Input) {
	if in.Kind != core.Missing {
		form.Fail(testField, "field.test_refused")
	}
}

// readPlan reads the members of a test field for a payment.
func readPlan(form *core.Form, r payment.Request, in core.Input) (plan testplan.Plan, after time.Duration) {
	var members map[string]json.RawMessage
	inputs, err := ReadObject([]byte(in.Text), testFields)
	if in.Kind != core.ObjectInput || err != nil || json.Unmarshal([]byte(in.Text), &members) != nil {
		form.Fail(testField, "field.members", strings.Join(testFields, ", "))
		return plan, 0
	}
	for name := range members {
		if !slices.Contains(testFields, name) {
			form.Fail(testField, "field.members", strings.Join(testFields, ", "))
			return plan, 0
		}
	}
	for i, in := range inputs {
		if in.Kind == core.Missing {
			continue
		}
		switch name := testField + "." + testFields[i]; testFields[i] {
		case "outcome":
			plan.Outcome = choice(form, name, in, testplan.OutcomesOf(r.Method))
		case "amount":
			plan.Amount = form.Amount(name, in, core.MinAmount(r.Amount.Currency()))
		case "error_code":
			plan.ErrorCode = choice(form, name, in, testplan.ErrorCodes())
		case "after":
			after = inSeconds(form, name, in, testplan.MaxAfter)
		case "callbacks":
			plan.Delivery = choice(form, name, in, testplan.Deliveries())
		case "callback_delay":
			plan.Delay = inSeconds(form, name, in, testplan.MaxDelay)
		}
	}
	for _, need := range []struct {
		name             string
		isGiven, belongs bool
	}{
		{"amount", !plan.Amount.IsZero(), r.Method.Kind() == payment.Deposit && plan.Credits()},
		{"error_code", plan.ErrorCode != "", r.Method.Kind() == payment.Card && plan.Outcome == testplan.Failed},
		{"after", after != 0, plan.Outcome != ""},
		{"callback_delay", plan.Delay != 0, plan.Outcome != ""},
	} {
		if need.isGiven && !need.belongs {
			form.Fail(testField+"."+need.name, "field.test_outcome")
		}
	}
	return plan, after
}

// choice reads one of a few words.
func choice[T ~string](form *core.Form, name string, in core.Input, list []T) T {
	if i := slices.Index(list, T(in.Text)); i >= 0 && in.Kind == core.TextInput {
		return list[i]
	}
	form.Fail(name, "field.choice", strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]"))
	return ""
}

// inSeconds reads a duration in whole seconds.
func inSeconds(form *core.Form, name string, in core.Input, most time.Duration) time.Duration {
	n, err := strconv.ParseUint(in.Text, 10, 32)
	if err != nil || in.Kind != core.NumberInput || time.Duration(n)*time.Second > most {
		form.Fail(name, "field.between", 0, int(most/time.Second))
		return 0
	}
	return time.Duration(n) * time.Second
}

// clockFields are those of test-clock: which payment, as transaction-status takes it, and by how many seconds its clock moves.
var clockFields = append(slices.Clip(StatusFields), "seconds")

// AnswerClock answers test-clock, which sandboxes alone have: it moves the clock of an owner's test payment and tells of the payment as
// transaction-status does.
func AnswerClock(w http.ResponseWriter, r *http.Request, tests *plans.Service, whose payment.ReferenceOwner, zone *time.Location) error {
	body, err := ReadBody(r)
	if err != nil {
		return err
	}
	inputs, err := ReadObject(body, clockFields)
	if err != nil {
		return err
	}
	var form core.Form
	code, reference := readStatus(&form, inputs)
	by := inSeconds(&form, clockFields[2], inputs[2], testplan.MaxAdvance)
	if err := form.Err("rest.AnswerClock"); err != nil {
		return err
	}
	p, err := tests.Advance(r.Context(), whose, code, reference, by)
	if err != nil {
		return err
	}
	answerStatus(w, p, zone)
	return nil
}
