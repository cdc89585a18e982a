package graph

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

// Installation is what there is to know of an installation besides what its services know.
type Installation struct {
	Version     string
	IsDemo      bool
	StepUpAbove money.Amount
}

func (q queryResolver) Installation(context.Context) (*generated.Installation, error) {
	i := &generated.Installation{
		Version: q.Config.Installation.Version, IsDemo: q.Config.Installation.IsDemo, IsFrozen: q.isFrozen(), TimeZone: q.Config.Statistics.Zone.String(),
		Currencies: []string{money.TRY.Code}, Methods: payment.Methods(), SecondFactorRequiredOf: slices.Clone(q.Config.Staff.Required),
		StepUpAbove: q.Config.Installation.StepUpAbove,
		Limits: &generated.InstallationLimits{
			PageRows: page.Default, MaxPageRows: core.MaxPage, RequestBytes: maxBodyBytes, OperationCost: maxCost,
			ReasonChars: app.MaxReasonChars, SavedViews: staff.MaxViews, SavedViewNameChars: staff.MaxViewName,
			SavedViewFilterBytes: staff.MaxViewFilter, SessionIdleMinutes: int(staff.SessionIdle.Minutes()),
			SessionMinutes: int(staff.SessionLife.Minutes()), StepUpMinutes: int(staff.StepUpLife.Minutes()),
			ClaimMinutes: int(q.Withdrawals.ClaimFor.Minutes()),
		},
	}
	if at := q.Withdrawals.UnitOfWork.FrozenAt(); !at.IsZero() {
		i.FrozenAt = &at
	}
	if u, err := url.Parse(q.Config.Staff.BaseURL); err == nil {
		i.Name = u.Host
	}
	for _, tag := range lang.Tags() {
		i.Languages = append(i.Languages, string(tag))
	}
	return i, nil
}

// maxLabelEnums bounds the names of enums that are asked for at once.
const maxLabelEnums = 100

func (q queryResolver) Labels(_ context.Context, language string, enums []string) ([]generated.ValueLabels, error) {
	var form core.Form
	tag, ok := lang.Parse(language)
	if !ok {
		form.Fail("language", "field.choice", "tr, en")
	}
	if len(enums) > maxLabelEnums {
		form.Fail("enums", "field.items", maxLabelEnums)
	}
	if err := form.Err("graph.Labels"); err != nil {
		return nil, err
	}
	list := []generated.ValueLabels{}
	for _, name := range labeled() {
		if len(enums) > 0 && !slices.Contains(enums, name) {
			continue
		}
		labels := generated.ValueLabels{Name: name}
		for _, v := range contract.Types[name].EnumValues {
			label, _ := lang.Label(tag, name, v.Name)
			labels.Values = append(labels.Values, generated.ValueLabel{Value: v.Name, Label: label})
		}
		list = append(list, labels)
	}
	return list, nil
}

// contract is the schema that clients see.
var contract = generated.NewExecutableSchema(generated.Config{}).Schema()

// labeled are the enums whose values people are shown, by name. An error's code comes with its own sentence.
func labeled() []string {
	var names []string
	for name, d := range contract.Types {
		if d.Kind == ast.Enum && !strings.HasPrefix(name, "__") && name != "ErrorCode" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
