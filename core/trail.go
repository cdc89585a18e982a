package core

import (
	"encoding/json"
	"github.com/vezne/vezne/core/gateway"
)

// shown is money as audit rows have it: of the contract's currency the amount alone.
func AuditMoney(m gateway.Money) string {
	switch {
	case m.IsSameAsset(gateway.Money{Asset: gateway.TRY}):
		return m.Amount.Fixed(2)
	case m.Amount.Sign() == 0:
		return ""
	default:
		return m.String()
	}
}

func AuditJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: a struct of texts
	}
	return string(text)
}
