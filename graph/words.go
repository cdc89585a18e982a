package graph

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// The words of enums that use cases take as they come: a variable may hold any text.

// checkWords fails a field that asks for what does not exist; more than exists is asked for by nobody in good faith.
func checkWords[T comparable](form *core.Form, name string, asked, all []T) {
	isStrange := func(v T) bool { return !slices.Contains(all, v) }
	if len(asked) > len(all) || slices.ContainsFunc(asked, isStrange) {
		form.Fail(name, "field.choice", fmt.Sprint(all))
	}
}

// textsByName makes a map of named texts, each of which may be given once. Fault: Invalid.
func textsByName(field string, list []command.NamedTextInput) (map[string]string, error) {
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
