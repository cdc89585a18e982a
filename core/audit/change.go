package audit

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ChangeKind is what sort of value a change is of.
type ChangeKind string

// Kinds of changes.
const (
	TextChange     ChangeKind = "text"
	MoneyChange    ChangeKind = "money" // with a currency where it is not the contract's
	NumberChange   ChangeKind = "number"
	YesNoChange    ChangeKind = "yes_no"   // true or false
	TimeChange     ChangeKind = "time"     // RFC 3339
	EnumChange     ChangeKind = "enum"     // a value of Enum
	DealerChange   ChangeKind = "dealer"   // its number, as the two below
	ProviderChange ChangeKind = "provider" //
	GatewayChange  ChangeKind = "gateway"
)

// Change is one field that differs, or is told, before and after something that was done or asked for. Before and After are empty
// where there is nothing.
type Change struct {
	Field         string // where it is in the state, such as urls.deposit
	Kind          ChangeKind
	Enum          string // as the staff's API calls it; of an EnumChange
	Before, After string
}

// IsDifferent reports whether the field changes.
func (c Change) IsDifferent() bool { return c.Before != c.After }

// Key is the name of the field alone, by which it is labeled.
func (c Change) Key() string {
	parts := strings.Split(c.Field, ".")
	return parts[len(parts)-1]
}

// Changes are the fields of the states before and after, as audit rows have them. Those that differ come first, and all of them in
// the order of their names. What is no JSON has none.
func Changes(target, before, after string) []Change {
	was, is := leavesOf(before), leavesOf(after)
	fields := slices.Sorted(maps.Keys(is))
	for field := range was {
		if _, isThere := is[field]; !isThere {
			fields = append(fields, field)
		}
	}
	slices.Sort(fields)
	list := []Change{}
	for _, field := range fields {
		c := Change{Field: field, Before: was[field], After: is[field]}
		c.Kind, c.Enum = kindOfChange(target, field, c.Before+c.After)
		if c.Kind == EnumChange {
			c.Before, c.After = strings.ToUpper(c.Before), strings.ToUpper(c.After)
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		switch {
		case a.IsDifferent() == b.IsDifferent():
			return 0
		case a.IsDifferent():
			return -1
		default:
			return 1
		}
	})
	return list
}

// leavesOf are the values of a state by where they are. A list of plain values is one of them.
func leavesOf(state string) map[string]string {
	leaves := map[string]string{}
	decoder := json.NewDecoder(strings.NewReader(state))
	decoder.UseNumber()
	var root map[string]any
	if decoder.Decode(&root) != nil {
		return leaves
	}
	walkLeaves("", root, leaves)
	return leaves
}

func walkLeaves(at string, v any, leaves map[string]string) {
	under := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			walkLeaves(under(name), value, leaves)
		}
	case []any:
		var plain []string
		for i, value := range v {
			if object, isObject := value.(map[string]any); isObject {
				name, _ := object["id"].(string)
				if name == "" {
					name = strconv.Itoa(i)
				}
				walkLeaves(under(name), object, leaves)
				continue
			}
			plain = append(plain, plainLeaf(value))
		}
		if len(plain) > 0 {
			leaves[at] = strings.Join(plain, ", ")
		}
	default:
		leaves[at] = plainLeaf(v)
	}
}

func plainLeaf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	default:
		return ""
	}
}

var changeKinds = map[string]ChangeKind{
	"amount": MoneyChange, "lineAmount": MoneyChange, "clearedAmount": MoneyChange, "refunded": MoneyChange, "refund": MoneyChange,
	"payout": MoneyChange, "seen": MoneyChange, "min": MoneyChange, "max": MoneyChange, "dailyLimit": MoneyChange,
	"handCreditMax": MoneyChange, "above": MoneyChange, "perDay": MoneyChange, "differsBy": MoneyChange, "approval_from": MoneyChange,
	"ledgerClosing": MoneyChange, "bankClosing": MoneyChange, "adjusted": MoneyChange,
	"dealer": DealerChange, "dealerId": DealerChange, "provider": ProviderChange, "providerId": ProviderChange, "gateway": GatewayChange,
	"createdAt": TimeChange, "previousUntil": TimeChange,
	"dailyCount": NumberChange, "priority": NumberChange, "weight": NumberChange, "version": NumberChange, "openDifferences": NumberChange,
	"done": NumberChange, "skipped": NumberChange, "failed": NumberChange,
}

// enumsOfTargets are the enums of the fields whose name says too little, by what the state is of.
var enumsOfTargets = map[string]string{
	"bankLine.state": "BankLineStatus", "approval.state": "ApprovalStatus", "job.state": "JobStatus", "account.kind": "IbanAccountKind",
	"callback.state": "CallbackStatus",
}

func kindOfChange(target, field, values string) (kind ChangeKind, enum string) {
	key := Change{Field: field}.Key()
	of, _, _ := strings.Cut(target, "/")
	switch isOfDiscrepancy := strings.HasPrefix(field, "discrepancies."); {
	case isOfDiscrepancy && key == "state":
		return EnumChange, "DiscrepancyStatus"
	case isOfDiscrepancy && key == "kind":
		return EnumChange, "DiscrepancyKind"
	case key == "status":
		return EnumChange, "TransactionStatus"
	case key == "role":
		return EnumChange, "Role"
	case key == "callbackAcknowledgement":
		return EnumChange, "CallbackAcknowledgement"
	case key == "signatureMode":
		return EnumChange, "SignatureMode"
	case enumsOfTargets[of+"."+key] != "":
		return EnumChange, enumsOfTargets[of+"."+key]
	case strings.ReplaceAll(strings.ReplaceAll(values, "true", ""), "false", "") == "" && values != "":
		return YesNoChange, ""
	}
	if kind = changeKinds[key]; kind == "" {
		kind = TextChange
	}
	return kind, ""
}
