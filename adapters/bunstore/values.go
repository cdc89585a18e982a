package bunstore

import (
	"encoding/json"
	"fmt"
	"net/netip"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// minorOf is an amount's column: null for the zero Amount, which has no currency.
func minorOf(a money.Amount) *int64 {
	if a.Currency().Code == "" && a.IsZero() {
		return nil
	}
	minor := a.Minor()
	return &minor
}

// codeOf is the currency column that the amounts of one row share.
func codeOf(amounts ...money.Amount) (string, error) {
	code := ""
	for _, a := range amounts {
		switch c := a.Currency().Code; {
		case c == "" && a.IsZero(), c == code:
		case code == "":
			code = c
		default:
			return "", fmt.Errorf("a row with amounts in %q and %q", code, c)
		}
	}
	return code, nil
}

// amounts turns the columns of one row back. The first failure stays in err.
type amounts struct {
	currency money.Currency
	err      error
}

func amountsIn(code string) amounts {
	currency, ok := money.CurrencyOf(code)
	if !ok && code != "" {
		return amounts{err: fmt.Errorf("a stored amount in %q", code)}
	}
	return amounts{currency: currency}
}

func (a amounts) of(minor *int64) money.Amount {
	if minor == nil {
		return money.Amount{}
	}
	return money.New(*minor, a.currency)
}

// actorRow is the columns of who did something.
type actorRow struct {
	ByKind core.ActorKind `bun:"by_kind"`
	ByID   string         `bun:"by_id"`
	ByName string         `bun:"by_name"`
	ByAddr string         `bun:"by_addr"`
}

func actorRowOf(a core.Actor) actorRow {
	return actorRow{ByKind: a.Kind, ByID: a.ID, ByName: a.Name, ByAddr: a.Addr}
}

func (r actorRow) actor() core.Actor {
	return core.Actor{Kind: r.ByKind, ID: r.ByID, Name: r.ByName, Addr: r.ByAddr}
}

// whitelistText is the column of a list of address prefixes.
func whitelistText(list []netip.Prefix) (string, error) {
	text, err := json.Marshal(list)
	return string(text), err
}

func whitelistOf(text string) ([]netip.Prefix, error) {
	var list []netip.Prefix
	err := json.Unmarshal([]byte(text), &list)
	return list, err
}
