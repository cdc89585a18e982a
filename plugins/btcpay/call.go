package btcpay

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// explain reads the server's own words for a failure: an object {code, message}, or a list of {path, message}. It looks
// at 4xx alone: with 5xx, and with the page of a proxy, nobody knows what was done.
func explain(r gateway.Response) error {
	if r.Status < 400 || r.Status >= 500 || r.Status == 408 || r.Status == 429 {
		return nil
	}
	code, text := problemIn(r.Body)
	if _, isListed := failures[code]; isListed {
		return failures.Error(code, text, true)
	}
	e := gateway.ErrorOf(plugkit.Classify(r))
	if e.Class == gateway.NotFound {
		e.Class = gateway.Misconfigured // nothing of the API's own is missing: this is not its address
	}
	if code != "" {
		e.RawCode, e.RawText = code, plugkit.Excerpt([]byte(text))
	}
	return e
}

// problemIn finds code and message in the body of a failure; empty: there are none.
func problemIn(body []byte) (code, text string) {
	var one struct{ Code, Message string }
	if json.Unmarshal(body, &one) == nil {
		return one.Code, one.Message
	}
	var list []struct{ Path, Message string }
	if json.Unmarshal(body, &list) != nil {
		return "", ""
	}
	var all []string
	for _, each := range list {
		all = append(all, each.Path+": "+each.Message)
	}
	return validation, strings.Join(all, "; ")
}

// unsent marks the failure of a question that was asked before anything was ordered.
func unsent(err error) error {
	e := *gateway.ErrorOf(err)
	e.Effect = gateway.EffectNone
	return &e
}

// afterwards marks the failure of a question that was asked after something was done: that stays done.
func afterwards(err error) error {
	e := *gateway.ErrorOf(err)
	e.Effect = gateway.EffectUnknown
	return &e
}

// number is a decimal in JSON: the server writes texts, and older versions some as numbers. Null is 0.
type number struct{ money.Decimal }

// UnmarshalJSON implements json.Unmarshaler.
func (n *number) UnmarshalJSON(raw []byte) (err error) {
	text := strings.Trim(string(raw), `"`)
	if text == "null" || text == "" {
		*n = number{}
		return nil
	}
	n.Decimal, err = money.ParseDecimal(text)
	return err
}

// stamp is a Unix time in seconds. What is none is no time.
type stamp struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (s *stamp) UnmarshalJSON(raw []byte) error {
	*s = stamp{}
	if seconds, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64); err == nil && seconds > 0 && seconds < 1<<40 {
		s.Time = time.Unix(seconds, 0).UTC()
	}
	return nil
}

// metadata is what we leave with an invoice or payout. Others may have written anything else there.
type metadata struct{ OrderID, Ref any }

// maxRefChars is the length of gateway.Ref: a longer order id is of somebody else's.
const maxRefChars = 40

// refIn finds a reference of ours in metadata.
func refIn(raw json.RawMessage, pick func(metadata) any) gateway.Ref {
	var m metadata
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	text, _ := pick(m).(string)
	if len(text) > maxRefChars {
		return ""
	}
	return gateway.Ref(text)
}

func orderIDOf(m metadata) any { return m.OrderID }

func payoutRefOf(m metadata) any { return m.Ref }
