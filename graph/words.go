package graph

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/graph/generated"
)

// The words of enums that use cases take as they come: a variable may hold any text.

func discrepancyKinds() []core.DiscrepancyKind {
	return []core.DiscrepancyKind{
		core.LateMoney, core.SurplusMoney, core.ShortMoney, core.OverMoney, core.OtherMoney, core.UnderReview,
		core.ReversedMoney, core.RefundElsewhere, core.Dispute, core.ReturnedPayout, core.LatePayout, core.MissingPayout,
		core.UnknownOutcome, core.CodeWanted, core.CreditDiffers, core.StuckOperation, core.UnconfirmedNews,
	}
}

func discrepancyStates() []core.DiscrepancyState {
	return []core.DiscrepancyState{
		core.DiscrepancyOpen, core.DiscrepancyAccepted, core.DiscrepancyRefunding, core.DiscrepancyRefunded,
		core.DiscrepancyWrittenOff, core.DiscrepancySettled,
	}
}

func notificationStates() []core.NotificationState {
	return []core.NotificationState{
		core.NotificationWaiting, core.NotificationDone, core.NotificationUnknown, core.NotificationForged,
	}
}

func differenceKinds() []core.DifferenceKind {
	return []core.DifferenceKind{core.MissingHere, core.MissingThere, core.AmountDiffers, core.BalanceDiffers}
}

func resolutions() []core.Resolution { return []core.Resolution{core.AcceptMoney, core.WriteOff} }

// checkWords fails a field that asks for what does not exist; more than exists is asked for by nobody in good faith.
func checkWords[T comparable](form *core.Form, name string, asked, all []T) {
	isStrange := func(v T) bool { return !slices.Contains(all, v) }
	if len(asked) > len(all) || slices.ContainsFunc(asked, isStrange) {
		form.Fail(name, "field.choice", fmt.Sprint(all))
	}
}

// textsByName makes a map of named texts, each of which may be given once. Fault: Invalid.
func textsByName(field string, list []generated.NamedTextInput) (map[string]string, error) {
	texts := make(map[string]string, len(list))
	for _, text := range list {
		texts[text.Name] = text.Value
	}
	var form core.Form
	if len(texts) < len(list) {
		form.Fail(field, "field.pattern")
	}
	return texts, form.Err("graph.textsByName")
}

// assetNames are assets as the contract writes them.
func assetNames(assets []gateway.Asset) []string {
	names := make([]string, len(assets))
	for i, a := range assets {
		names[i] = a.String()
	}
	return names
}
