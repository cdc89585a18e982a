package rest

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vezne/vezne/core/money"
)

// objectBytes is room for any of the contract's answers but a list.
const objectBytes = 800

// Object writes a JSON object member by member, in the order of the calls: the contract lists an answer's fields, and
// they are sent in that order. Behind them comes what Vezne adds to the contract's times, which have no offset: the same moments as
// ISO 8601 with one, under their names and "_iso".
type Object struct {
	b     []byte
	times [3]localTime // written of the present object without an offset
	count int          // of times
}

// localTime is a time that was written without an offset; a zero one was written as an empty text.
type localTime struct {
	name string
	at   time.Time
	zone *time.Location
}

// NewObject begins an object.
func NewObject() *Object { return &Object{b: append(make([]byte, 0, objectBytes), '{')} }

// End closes the object and gives its text.
func (o *Object) End() []byte {
	o.end()
	return o.b
}

// end adds the times with their offsets and closes the present object.
func (o *Object) end() {
	for _, t := range o.times[:o.count] {
		if t.at.IsZero() {
			o.Text(t.name+isoSuffix, "")
		} else {
			o.ISOTime(t.name+isoSuffix, t.at, t.zone)
		}
	}
	o.b, o.count = append(o.b, '}'), 0
}

// isoSuffix ends the name of a time with an offset beside one without.
const isoSuffix = "_iso"

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

// Time adds "YYYY-MM-DD HH:MM:SS" in a time zone (decisions: Times), and its twin with an offset at the object's end.
func (o *Object) Time(name string, value time.Time, zone *time.Location) *Object {
	return o.local(name, time.DateTime, value, zone)
}

// DealerTime adds "YYYY-MM-DDTHH:MM:SS" in a time zone, as the dealer documents write a moment, and its twin at the object's end. Both are
// empty for the zero time.
func (o *Object) DealerTime(name string, value time.Time, zone *time.Location) *Object {
	return o.local(name, "2006-01-02T15:04:05", value, zone)
}

// local adds a time without an offset; an object has three at most.
func (o *Object) local(name, format string, value time.Time, zone *time.Location) *Object {
	o.name(name)
	o.b = append(o.b, '"')
	if !value.IsZero() {
		o.b = value.In(zone).AppendFormat(o.b, format)
	}
	o.b = append(o.b, '"')
	o.times[o.count] = localTime{name, value, zone}
	o.count++
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
	times, count := o.times, o.count // of the object around it
	o.count = 0
	o.b = append(o.b, '{')
	fill(o)
	o.end()
	o.times, o.count = times, count
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
