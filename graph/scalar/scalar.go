// Package scalar writes and reads the schema's scalars.
package scalar

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// MarshalDecimal writes an amount as a string with its currency's decimals.
func MarshalDecimal(a money.Amount) graphql.ContextMarshaler { return quoted(a.String()) }

// UnmarshalDecimal reads a decimal string, or a number whose digits are still known: never one that went through a
// binary fraction. Null, where the schema lets it be, is nothing.
func UnmarshalDecimal(ctx context.Context, v any) (money.Amount, error) {
	if v == nil {
		return money.Amount{}, nil
	}
	in := core.Input{Kind: core.TextInput}
	switch v := v.(type) {
	case string:
		in.Text = v
	case json.Number:
		in = core.Input{Kind: core.NumberInput, Text: v.String()}
	case int64:
		in.Text = strconv.FormatInt(v, 10)
	default:
		in.Kind = core.OtherInput
	}
	var form core.Form
	amount := form.Amount(inputName(ctx), in, money.New(0, money.TRY))
	return amount, form.Err("scalar.UnmarshalDecimal")
}

// MarshalExact writes an amount of any currency or coin with the decimals that it has, at least two.
func MarshalExact(d money.Decimal) graphql.ContextMarshaler { return quoted(d.Fixed(2)) }

// UnmarshalExact reads a decimal string. Null, where the schema lets it be, is zero.
func UnmarshalExact(ctx context.Context, v any) (money.Decimal, error) {
	if v == nil {
		return money.Decimal{}, nil
	}
	text, _ := v.(string)
	d, err := money.ParseDecimal(text)
	if err != nil {
		return d, invalid(ctx, "field.number")
	}
	return d, nil
}

// MarshalDateTime writes a moment in UTC, with as many decimals of a second as it has.
func MarshalDateTime(t time.Time) graphql.ContextMarshaler {
	return quoted(t.UTC().Format(time.RFC3339Nano))
}

// UnmarshalDateTime reads a moment with any offset. Null, where the schema lets it be, is none.
func UnmarshalDateTime(ctx context.Context, v any) (time.Time, error) {
	if v == nil {
		return time.Time{}, nil
	}
	text, _ := v.(string)
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, invalid(ctx, "field.datetime")
	}
	return t.UTC(), nil
}

// Bounds of the days that are taken: beyond them databases differ.
const (
	firstDay core.Day = "2000-01-01"
	lastDay  core.Day = "2999-12-31"
)

// MarshalDate writes a calendar day.
func MarshalDate(d core.Day) graphql.ContextMarshaler { return quoted(string(d)) }

// UnmarshalDate reads a calendar day.
func UnmarshalDate(ctx context.Context, v any) (core.Day, error) {
	text, _ := v.(string)
	d := core.Day(text)
	if !d.IsDay() || d < firstDay || d > lastDay {
		return "", invalid(ctx, "field.date")
	}
	return d, nil
}

// MarshalRowID writes the id of a provider, a site, a dealer or a staff member: a string, as all of type ID are.
func MarshalRowID(id int64) graphql.ContextMarshaler {
	return quoted(strconv.FormatInt(id, 10))
}

// MarshalTextID writes an id that is a text.
func MarshalTextID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// UnmarshalTextID reads an id that is a text; null, where that is allowed, is none.
func UnmarshalTextID(v any) (string, error) { return graphql.UnmarshalString(v) }

// UnmarshalRowID reads an id that was sent as a string or as a number; null, where that is allowed, is 0.
func UnmarshalRowID(ctx context.Context, v any) (int64, error) {
	if v == nil {
		return 0, nil
	}
	text, err := graphql.UnmarshalString(v)
	if err != nil {
		return 0, invalid(ctx, "field.id")
	}
	return ReadRowID(inputName(ctx), core.ID(text))
}

// ReadRowID reads an argument: there an id is a text, whatever it names.
func ReadRowID(name string, id core.ID) (int64, error) {
	row, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil || row < 1 {
		var form core.Form
		form.Fail(name, "field.id")
		return 0, form.Err("scalar.ReadRowID")
	}
	return row, nil
}

func quoted(text string) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, strconv.Quote(text))
		return err
	})
}

func invalid(ctx context.Context, key string) error {
	var form core.Form
	form.Fail(inputName(ctx), key)
	return form.Err("scalar.invalid")
}

// inputName is the name of the argument or input field that is being read; elements of a list have their list's.
func inputName(ctx context.Context) string {
	for p := graphql.GetPathContext(ctx); p != nil; p = p.Parent {
		if p.Field != nil {
			return *p.Field
		}
	}
	return "value"
}
