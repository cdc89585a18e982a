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
	"github.com/vezne/vezne/graph/scalar"
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
	if err := checkFilter(ctx, input.List, input.Filter); err != nil {
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
		err = checkFilter(ctx, found.List, *input.Filter)
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
func checkFilter(ctx context.Context, list staff.ViewList, filter string) error {
	var form core.Form
	plain, ok := staff.PlainFilter(filter)
	if !ok {
		form.Fail("filter", "field.pattern")
	} else if wrong := wrongIn(ctx, list, plain); wrong != "" {
		form.Fail(wrong, "field.pattern")
	}
	return form.Err("graph.checkFilter")
}

// wrongIn returns what of a JSON object a list's filter does not take: it has other fields, or a value is none of its field's type.
// Empty: nothing.
func wrongIn(ctx context.Context, list staff.ViewList, filter string) string {
	const name = "filter"
	field := contract.Query.Fields.ForName(queryOf(list))
	if field == nil || !isBoundedJSON([]byte(filter)) {
		return name
	}
	decoder := json.NewDecoder(strings.NewReader(filter))
	decoder.UseNumber()
	var value map[string]any
	if decoder.Decode(&value) != nil || !isFlat(value) {
		return name
	}
	of := &ast.VariableDefinition{Variable: name, Type: field.Arguments.ForName(name).Type}
	of.Definition = contract.Types[of.Type.Name()]
	asked := &ast.OperationDefinition{Operation: ast.Query, VariableDefinitions: ast.VariableDefinitionList{of}}
	if _, err := validator.VariableValues(contract, asked, map[string]any{name: value}); err != nil {
		return name
	}
	for _, field := range of.Definition.Fields {
		reads, isOurs := scalars[field.Type.Name()]
		given, isGiven := value[field.Name]
		if !isOurs || !isGiven {
			continue
		}
		items := []any{given}
		if list, ok := given.([]any); ok && field.Type.Elem != nil { // of a list one value stands for itself
			items = list
		}
		for _, item := range items {
			if !reads(ctx, item) {
				return name + "." + field.Name
			}
		}
	}
	return ""
}

// scalars say what values of our scalars are: GraphQL itself takes anything for one. An id is a row's number or a text.
var scalars = map[string]func(context.Context, any) bool{
	"Decimal":  taken(scalar.UnmarshalDecimal),
	"DateTime": taken(scalar.UnmarshalDateTime),
	"Date":     taken(scalar.UnmarshalDate),
	"ID": func(ctx context.Context, v any) bool {
		text, _ := v.(string)
		return core.IsID(text) || taken(scalar.UnmarshalRowID)(ctx, v)
	},
}

func taken[T any](read func(context.Context, any) (T, error)) func(context.Context, any) bool {
	return func(ctx context.Context, v any) bool {
		_, err := read(ctx, v)
		return err == nil
	}
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

// queryOf is the query that returns a list: desk_withdrawals is deskWithdrawals.
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
