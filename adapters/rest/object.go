package rest

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vezne/vezne/core/money"
)

// objectBytes is room for any of the contract's answers but a list.
const objectBytes = 640

// Object writes a JSON object member by member, in the order of the calls: the contract lists an answer's fields, and
// they are sent in that order.
type Object struct{ b []byte }

// NewObject begins an object.
func NewObject() *Object { return &Object{b: append(make([]byte, 0, objectBytes), '{')} }

// End closes the object and gives its text.
func (o *Object) End() []byte { return append(o.b, '}') }

// Text adds a string.
func (o *Object) Text(name, value string) *Object {
	o.name(name)
	o.quote(value)
	return o
}

// Texts adds an array of strings.
func (o *Object) Texts(name string, values []string) *Object {
	o.name(name)
	o.b = append(o.b, '[')
	for i, v := range values {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.quote(v)
	}
	o.b = append(o.b, ']')
	return o
}

// Bool adds a boolean.
func (o *Object) Bool(name string, value bool) *Object {
	o.name(name)
	o.b = strconv.AppendBool(o.b, value)
	return o
}

// Int adds an integer.
func (o *Object) Int(name string, value int64) *Object {
	o.name(name)
	o.b = strconv.AppendInt(o.b, value, 10)
	return o
}

// Amount adds a number with the currency's decimals (decisions: Amounts out).
func (o *Object) Amount(name string, value money.Amount) *Object {
	o.name(name)
	o.b = append(o.b, value.String()...)
	return o
}

// Time adds "YYYY-MM-DD HH:MM:SS" in a time zone (decisions: Times).
func (o *Object) Time(name string, value time.Time, zone *time.Location) *Object {
	o.name(name)
	o.b = append(o.b, '"')
	o.b = value.In(zone).AppendFormat(o.b, time.DateTime)
	o.b = append(o.b, '"')
	return o
}

// ISOTime adds a moment as ISO 8601 with the zone's offset: 2026-03-02T12:00:00+03:00 (E8).
func (o *Object) ISOTime(name string, value time.Time, zone *time.Location) *Object {
	o.name(name)
	o.b = append(o.b, '"')
	o.b = value.In(zone).AppendFormat(o.b, "2006-01-02T15:04:05-07:00") // not Z in UTC: an offset always
	o.b = append(o.b, '"')
	return o
}

// Object adds an object with the members that fill adds.
func (o *Object) Object(name string, fill func(*Object)) *Object {
	o.name(name)
	o.nested(fill)
	return o
}

// Objects adds an array of n objects; fill adds the members of each.
func (o *Object) Objects(name string, n int, fill func(o *Object, i int)) *Object {
	o.name(name)
	o.b = append(o.b, '[')
	for i := range n {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.nested(func(o *Object) { fill(o, i) })
	}
	o.b = append(o.b, ']')
	return o
}

func (o *Object) nested(fill func(*Object)) {
	o.b = append(o.b, '{')
	fill(o)
	o.b = append(o.b, '}')
}

func (o *Object) name(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...) // the contract's names need no escaping
	o.b = append(o.b, '"', ':')
}

func (o *Object) quote(value string) {
	o.b, _ = jsontext.AppendQuote(o.b, value) // invalid UTF-8, which no checked input has, becomes U+FFFD
}
