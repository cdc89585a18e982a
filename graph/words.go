package graph

import (
	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

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
