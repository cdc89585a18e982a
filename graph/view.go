package graph

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) SavedViews(
	ctx context.Context, filter *appstaff.ViewFilter, first *int, after *string, last *int, before *string,
) (*page.SavedViewConnection, error) {
	query := valueOf(filter)
	place := func(v staff.SavedView) core.ID { return v.ID }
	return page.Read(page.Of(first, after, last, before), page.ByID, place, func(p core.Paging[core.ID]) ([]staff.SavedView, error) {
		query.Paging = p
		return q.Config.Staff.Views(ctx, acting(ctx), query)
	})
}

func (m mutationResolver) CreateSavedView(ctx context.Context, input generated.CreateSavedViewInput) (*generated.SavedViewPayload, error) {
	if err := checkFilter(input.List, input.Filter); err != nil {
		return nil, err
	}
	made, err := m.Staff.CreateView(ctx, acting(ctx), input.List, appstaff.ViewPatch{
		Name: &input.Name, Filter: &input.Filter, Sharing: &input.Sharing,
	})
	return &generated.SavedViewPayload{SavedView: &made}, err
}

func (m mutationResolver) UpdateSavedView(ctx context.Context, input generated.UpdateSavedViewInput) (*generated.SavedViewPayload, error) {
	found, err := m.viewOf(ctx, input.ID)
	if err == nil && input.Filter != nil {
		err = checkFilter(found.List, *input.Filter)
	}
	if err != nil {
		return nil, err
	}
	changed, err := m.Staff.UpdateView(ctx, acting(ctx), input.ID, appstaff.ViewPatch{
		Name: input.Name, Filter: input.Filter, Sharing: input.Sharing,
	})
	return &generated.SavedViewPayload{SavedView: &changed}, err
}

func (m mutationResolver) RemoveSavedView(ctx context.Context, input generated.RemoveSavedViewInput) (*generated.SavedViewPayload, error) {
	if err := core.CheckID(input.ID); err != nil {
		return nil, err
	}
	removed, err := m.Staff.RemoveView(ctx, acting(ctx), input.ID)
	return &generated.SavedViewPayload{SavedView: &removed}, err
}

func (m mutationResolver) viewOf(ctx context.Context, id core.ID) (staff.SavedView, error) {
	if err := core.CheckID(id); err != nil {
		return staff.SavedView{}, err
	}
	return m.Staff.View(ctx, acting(ctx), id)
}

// checkFilter refuses a filter that the list does not take, so that nothing is handed to colleagues but what filters it. Fault:
// Invalid.
func checkFilter(list staff.ViewList, filter string) error {
	var form core.Form
	plain, ok := staff.PlainFilter(filter)
	if !ok || !isTaken(list, plain) {
		form.Fail("filter", "field.pattern")
	}
	return form.Err("graph.checkFilter")
}

// isTaken reports whether a list's filter has the fields of a JSON object, and values of their types.
func isTaken(list staff.ViewList, filter string) bool {
	field := contract.Query.Fields.ForName(queryOf(list))
	if field == nil || !isBoundedJSON([]byte(filter)) {
		return false
	}
	decoder := json.NewDecoder(strings.NewReader(filter))
	decoder.UseNumber()
	var value map[string]any
	if decoder.Decode(&value) != nil || !isFlat(value) {
		return false
	}
	const name = "filter"
	of := &ast.VariableDefinition{Variable: name, Type: field.Arguments.ForName(name).Type}
	of.Definition = contract.Types[of.Type.Name()]
	asked := &ast.OperationDefinition{Operation: ast.Query, VariableDefinitions: ast.VariableDefinitionList{of}}
	_, err := validator.VariableValues(contract, asked, map[string]any{name: value})
	return err == nil
}

// isFlat reports whether a filter has values and lists of values alone, as all filters of lists do. GraphQL lets pass whatever stands
// where a scalar of ours is expected, and in a field __typename.
func isFlat(filter map[string]any) bool {
	for name, value := range filter {
		items, isList := value.([]any)
		if !isList {
			items = []any{value}
		}
		if strings.HasPrefix(name, "__") || slices.ContainsFunc(items, isNested) {
			return false
		}
	}
	return true
}

func isNested(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// queryOf is the query that gives a list: desk_withdrawals is deskWithdrawals.
func queryOf(list staff.ViewList) string {
	parts := strings.Split(string(list), "_")
	for i := range parts[1:] {
		parts[i+1] = strings.ToUpper(parts[i+1][:1]) + parts[i+1][1:]
	}
	return strings.Join(parts, "")
}

func (savedViewResolver) Filter(_ context.Context, v *staff.SavedView) (string, error) {
	return v.Filter.Reveal(), nil
}

func (savedViewResolver) IsOwn(ctx context.Context, v *staff.SavedView) (bool, error) {
	return v.StaffID == staffOf(ctx).ID, nil
}

func (savedViewResolver) IsEditable(ctx context.Context, v *staff.SavedView) (bool, error) {
	return v.MayBeChangedBy(staffOf(ctx)), nil
}
