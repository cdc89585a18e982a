package plugkit

import (
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

// Refuse is the failure of what a plugin does not send, or does not take: the gateway did nothing.
func Refuse(class gateway.Class, text string) *gateway.Error {
	return &gateway.Error{Class: class, Effect: gateway.EffectNone, RawText: text}
}

// Distrust is the failure of an answer that is not to be believed, or that lacks what it must have: what the gateway did is not known.
func Distrust(class gateway.Class, text string) *gateway.Error {
	return &gateway.Error{Class: class, Effect: gateway.EffectUnknown, RawText: text}
}

// CheckLira refuses what is no amount of lira that can be ordered: another currency, nothing, less, or parts of a kuruş.
func CheckLira(m gateway.Money) error {
	switch {
	case !m.IsSameAsset(gateway.Money{Asset: gateway.TRY}):
		return Refuse(gateway.Unsupported, "orders are in TRY, not in "+m.Asset.String())
	case m.Amount.Sign() <= 0 || m.Amount.Places() > gateway.TRY.Decimals:
		return Refuse(gateway.Invalid, m.Amount.String()+" is no amount of TRY")
	default:
		return nil
	}
}

// Language is "en" for customers who read English, and "tr" for all others.
func Language(locale string) string {
	if locale == "en" {
		return "en"
	}
	return "tr"
}

// ProbeCheck reports one thing that a Probe tried: detail says what is fine, an error what is not.
func ProbeCheck(name, detail string, err error) gateway.ProbeCheck {
	if err == nil {
		return gateway.ProbeCheck{Name: name, IsOK: true, Detail: detail}
	}
	e := gateway.ErrorOf(err)
	said := strings.TrimSpace(e.RawCode + " " + e.RawText)
	if said == "" {
		said = "the call failed: " + string(e.Class)
	}
	return gateway.ProbeCheck{Name: name, Failure: e.Class, Detail: Excerpt([]byte(said))}
}
