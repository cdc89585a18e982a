package rest

import (
	"slices"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
)

// Warning says what is odd about a field of a call that was carried out all the same.
type Warning struct {
	Field, Code string
	Key         string // of the sentence
	Args        []any  // of the sentence
}

// IBANWarning is of an IBAN whose check digits are wrong, which a strict site would refuse (decisions: IBAN on E4, E6, E11).
func IBANWarning() Warning { return Warning{Field: "iban", Code: "iban", Key: "warning.iban"} }

// Warnings adds the member of this name, where there are any.
func (o *Object) Warnings(language lang.Tag, list []Warning) *Object {
	if len(list) == 0 {
		return o
	}
	return o.Objects("warnings", len(list), func(o *Object, i int) {
		w := list[i]
		o.Text("field", w.Field).Text("code", w.Code).Text("message", lang.Say(language, w.Key, w.Args...))
	})
}

// Bounds of what is said of fields that a call does not have: whoever sends more, or longer ones, has not mistaken one for another.
const (
	maxIgnored     = 10
	maxIgnoredName = 64 // bytes
)

// member is one of a JSON object.
type member struct {
	name  string
	value core.Input
}

// warnOf returns what to say of the fields that a call does not have and ignores (decisions: 400). What is neither a text nor a number is
// left alone: no field but test takes it, so that it is a caller's own.
func warnOf(ignored []member, fields []string, inputs []core.Input) (list []Warning) {
	for _, m := range ignored {
		isValue := m.value.Kind == core.TextInput || m.value.Kind == core.NumberInput
		if !isValue || len(m.name) > maxIgnoredName || !lang.IsClean(m.name) || strings.TrimSpace(m.name) == "" {
			continue
		}
		if len(list) == maxIgnored {
			break
		}
		if w, isOdd := warnOfOne(m, fields, inputs); isOdd {
			list = append(list, w)
		}
	}
	return list
}

func warnOfOne(m member, fields []string, inputs []core.Input) (w Warning, isOdd bool) {
	w = Warning{Field: m.name, Code: "ignored", Key: "warning.ignored", Args: []any{m.name}}
	name := squashed(m.name)
	switch {
	case slices.Contains(currencyNames, name):
		w.Code, w.Key = "currency", "warning.currency"
		return w, !slices.Contains(lira, strings.ToUpper(strings.TrimSpace(m.value.Text)))
	case slices.Contains(callbackNames, name):
		w.Key = "warning.callback"
	case name == squashed(IdempotencyHeader):
		w.Key, w.Args = "warning.header", append(w.Args, IdempotencyHeader)
	default:
		for i, field := range fields {
			if isMeant := squashed(field) == name || slices.Contains(otherNames[field], name); isMeant && inputs[i].Kind == core.Missing {
				w.Key, w.Args = "warning.instead", append(w.Args, field)
				break
			}
		}
	}
	return w, true
}

// squashed is a name without what spellings differ in: returnUrl and return-url are return_url.
func squashed(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

var (
	// currencyNames may contradict the amount, which is Turkish lira whatever they say; lira does not.
	currencyNames = []string{"currency", "currencycode", "amountcurrency"}
	lira          = []string{"TRY", "TL", "949"} // the last is its number in ISO 4217
	// callbackNames are what other services call the addresses that are settings here.
	callbackNames = []string{
		"callbackurl", "depositcallbackurl", "withdrawalcallbackurl", "creditcardcallbackurl", "notifyurl", "notificationurl", "webhookurl", "ipnurl",
	}
	// otherNames are what other services call fields that may be missing.
	otherNames = map[string][]string{
		"reference":  {"orderid", "ordernumber", "externalid", "merchantreference", "merchantorderid", "clientreference", "transactionid"},
		"return_url": {"redirecturl", "successurl", "failurl", "cancelurl", "backurl"},
		"language":   {"lang", "locale"},
	}
)
