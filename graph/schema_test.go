package graph_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

func schema() *ast.Schema { return generated.NewExecutableSchema(generated.Config{}).Schema() }

// ownTypes are the schema's types without GraphQL's own.
func ownTypes() []*ast.Definition {
	var own []*ast.Definition
	for name, d := range schema().Types {
		if !d.BuiltIn && !strings.HasPrefix(name, "__") {
			own = append(own, d)
		}
	}
	return own
}

// rootFields are the operations: "mutation login" and so on.
func rootFields() map[string]*ast.FieldDefinition {
	fields := map[string]*ast.FieldDefinition{}
	for _, root := range []*ast.Definition{schema().Query, schema().Mutation} {
		for _, f := range root.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				fields[strings.ToLower(root.Name)+" "+f.Name] = f
			}
		}
	}
	return fields
}

// publicOperations are the steps of signing in.
var publicOperations = []string{
	"mutation login", "mutation loginWithCode", "mutation beginPasskeyLogin", "mutation loginWithPasskey",
	"mutation acceptInvitation",
}

// unsaid are the fields at the roots of a schema that do not say, or say twice, who may ask for them. What they give is for
// the same people.
func unsaid(roots ...*ast.Definition) []string {
	var list []string
	for _, root := range roots {
		if root == nil {
			continue
		}
		for _, f := range root.Fields {
			said := 0
			for _, d := range []string{"can", "signedIn", "public"} {
				if f.Directives.ForName(d) != nil {
					said++
				}
			}
			if said != 1 && !strings.HasPrefix(f.Name, "__") {
				list = append(list, root.Name+"."+f.Name)
			}
		}
	}
	return list
}

func TestEveryOperationSaysWhoMay(t *testing.T) {
	t.Parallel()
	for _, field := range unsaid(schema().Query, schema().Mutation, schema().Subscription) {
		t.Errorf("%s must have one of @can, @signedIn and @public", field)
	}
	bare := &ast.Definition{Name: "Mutation", Fields: ast.FieldList{
		{Name: "bare"}, {Name: "said", Directives: ast.DirectiveList{{Name: "can"}}},
		{Name: "twice", Directives: ast.DirectiveList{{Name: "can"}, {Name: "public"}}}, {Name: "other", Directives: ast.DirectiveList{{Name: "stepUp"}}},
	}}
	if got := unsaid(bare, nil); !slices.Equal(got, []string{"Mutation.bare", "Mutation.twice", "Mutation.other"}) {
		t.Errorf("of fields without a permission only %v are found", got)
	}
	for name, f := range rootFields() {
		if isPublic := f.Directives.ForName("public") != nil; isPublic != (slices.Contains(publicOperations, name)) {
			t.Errorf("%s: public is %t", name, isPublic)
		}
		if f.Type.NonNull {
			t.Errorf("%s is not nullable: its error would hide the results beside it", name)
		}
	}
}

// TestEveryObjectIsBehindAnOperation: an object inherits who may see it from the field that gives it, so it must be given by
// one; and only fields of objects may narrow that, with @can.
func TestEveryObjectIsBehindAnOperation(t *testing.T) {
	t.Parallel()
	given := map[string]bool{}
	var visit func(d *ast.Definition)
	visit = func(d *ast.Definition) {
		if d == nil || given[d.Name] {
			return
		}
		given[d.Name] = true
		for _, f := range d.Fields {
			visit(schema().Types[f.Type.Name()])
		}
	}
	roots := []*ast.Definition{schema().Query, schema().Mutation, schema().Subscription}
	for _, root := range roots {
		visit(root)
	}
	for _, d := range ownTypes() {
		if d.Kind == ast.Object && !given[d.Name] {
			t.Errorf("nothing gives a %s: who may see it is not said", d.Name)
		}
		for _, f := range d.Fields {
			isPublic := f.Directives.ForName("public") != nil || f.Directives.ForName("signedIn") != nil
			if isPublic && !slices.Contains(roots, d) {
				t.Errorf("%s.%s cannot be for more people than what gives its object", d.Name, f.Name)
			}
		}
	}
}

func TestEverythingIsDescribed(t *testing.T) {
	t.Parallel()
	for _, d := range ownTypes() {
		described(t, d.Name, d.Description)
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			described(t, d.Name+"."+f.Name, f.Description)
			for _, argument := range f.Arguments {
				if d.Name == "Mutation" { // its one argument has a type of its own
					continue
				}
				described(t, d.Name+"."+f.Name+"."+argument.Name, argument.Description)
			}
		}
		for _, v := range d.EnumValues {
			described(t, d.Name+"."+v.Name, v.Description)
		}
	}
}

// TestEveryMutationAnswersAPayload: an object of its own can grow a field without breaking anybody, and one that is
// nullable leaves the answers of the mutations beside it.
func TestEveryMutationAnswersAPayload(t *testing.T) {
	t.Parallel()
	given := map[string]bool{}
	for _, f := range schema().Mutation.Fields {
		given[f.Type.Name()] = true
		if why := noPayload(schema(), f); why != "" {
			t.Errorf("%s answers %s, %s", f.Name, f.Type, why)
		}
	}
	for _, d := range ownTypes() {
		if strings.HasSuffix(d.Name, "Payload") && !given[d.Name] {
			t.Errorf("no mutation answers %s", d.Name)
		}
	}
	for _, bad := range []*ast.Type{
		ast.NamedType("Transaction", nil), ast.NamedType("Boolean", nil), ast.NonNullNamedType("LoginPayload", nil),
		ast.ListType(ast.NonNullNamedType("LoginPayload", nil), nil), ast.NamedType("GonePayload", nil),
	} {
		if noPayload(schema(), &ast.FieldDefinition{Type: bad}) == "" {
			t.Errorf("%s is taken for a payload", bad)
		}
	}
}

// noPayload says why what a mutation answers is no payload; empty: it is one.
func noPayload(s *ast.Schema, f *ast.FieldDefinition) string {
	d := s.Types[f.Type.NamedType]
	switch {
	case f.Type.NonNull:
		return "which is not nullable"
	case d == nil || d.Kind != ast.Object:
		return "which is no object"
	case !strings.HasSuffix(d.Name, "Payload"):
		return "which is not named …Payload"
	}
	return ""
}

func described(t *testing.T, what, description string) {
	t.Helper()
	if description == "" {
		t.Errorf("%s has no description", what)
	}
}

func TestNoFieldIsNamedLikeASecret(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`(?i)secret|key|password|token|hash|fingerprint`)
	siteToken := regexp.MustCompile(`(?i)site_?tokens?`) // a thing with a name and a switch
	for _, d := range ownTypes() {
		if d.Kind == ast.InputObject {
			continue // what somebody sends
		}
		for _, f := range d.Fields {
			name := d.Name + "." + f.Name
			bare := strings.ReplaceAll(strings.ReplaceAll(siteToken.ReplaceAllString(name, ""), "Passkey", ""), "passkey", "")
			if secret.MatchString(bare) && name != "LoginPayload.token" && name != "Mutation.changePassword" &&
				d.Name != "AuditHead" { // whose digests say nothing of what was hashed
				t.Errorf("the schema has the field %s", name)
			}
		}
	}
}

// commonStatuses are the statuses that all methods share.
func commonStatuses() []payment.Status {
	return slices.DeleteFunc(payment.Statuses(), func(s payment.Status) bool { return s != s.Common() })
}

// TestEnumsAreCoreWords: in capitals.
func TestEnumsAreCoreWords(t *testing.T) {
	t.Parallel()
	kinds := []payment.Kind{payment.Deposit, payment.Withdrawal, payment.Card, payment.Payout, payment.Transfer}
	commands := []payment.Command{payment.Create}
	for _, k := range kinds {
		for _, c := range k.Commands() {
			if !slices.Contains(commands, c) {
				commands = append(commands, c)
			}
		}
	}
	commands = append(commands, payment.Notes()...)
	for enum, want := range map[string][]string{
		"TransactionStatus":  words(commonStatuses()),
		"TransactionMethod":  words(payment.Methods()),
		"TransactionKind":    words(kinds),
		"TransactionCommand": words(commands),
		"Role":               words(staff.Roles()),
		"FactorKind":         words(staff.FactorKinds()),
		"ActorKind":          words([]core.ActorKind{core.ByProvider, core.ByDealer, core.ByCustomer, core.ByStaff, core.ByGateway, core.BySystem}),
		"CallbackKind": words([]payment.CallbackKind{
			payment.DepositCallback, payment.EIBANDepositCallback, payment.WithdrawalCallback, payment.CreditCardCallback,
			payment.DealerCardCallback, payment.DealerDepositCallback, payment.DealerWithdrawalCallback, payment.DealerTransferCallback,
		}),
		"CallbackStatus": words(payment.CallbackStatuses()),
		"Permission": {
			"accounts_edit", "approvals_configure", "approvals_decide", "approvals_read", "audit_read", "brands_edit", "callbacks_edit", "callbacks_resend", "callbacks_test", "customers_block", "customers_read", "dealers_edit", "dealers_read",
			"deposits_decide", "discrepancies_resolve", "gateways_edit", "gateways_read", "keys_rotate", "notes_write", "payments_refund",
			"providers_edit", "providers_read", "queues_read", "staff_edit", "staff_read", "statistics_read", "transactions_read", "wallets_adjust", "wallets_edit", "wallets_read", "withdrawals_decide",
		},
		"OperationKind":  words([]operation.Kind{operation.DepositOperation, operation.PayoutOperation, operation.RefundOperation}),
		"OperationPhase": words([]operation.Phase{operation.Planned, operation.Calling, operation.Open, operation.Late, operation.Closed}),
		"DiscrepancyKind": words([]discrepancy.Kind{
			discrepancy.LateMoney, discrepancy.SurplusMoney, discrepancy.ShortMoney, discrepancy.OverMoney, discrepancy.OtherMoney, discrepancy.UnderReview,
			discrepancy.ReversedMoney, discrepancy.RefundElsewhere, discrepancy.Dispute, discrepancy.ReturnedPayout, discrepancy.LatePayout, discrepancy.MissingPayout,
			discrepancy.UnknownOutcome, discrepancy.CodeWanted, discrepancy.CreditDiffers, discrepancy.StuckOperation, discrepancy.UnconfirmedNews,
		}),
		"DisputeState":  words(gateway.DisputeStates()),
		"DisputeReason": words(gateway.DisputeReasons()),
		"DisputeSort":   words(dispute.Sorts()), "EvidenceKind": words(gateway.EvidenceKinds()), "EvidenceOutcome": words(dispute.SubmissionOutcomes()),
		"DiscrepancyStatus": words([]discrepancy.Status{
			discrepancy.Open, discrepancy.Accepted, discrepancy.Refunding, discrepancy.Refunded,
			discrepancy.WrittenOff, discrepancy.Settled,
		}),
		"JobKind":            words(report.JobKinds()),
		"JobStatus":          words(report.JobStatuses()),
		"SkipReason":         words(report.SkipReasons()),
		"ExportFormat":       words(report.ExportFormats()),
		"ExportColumn":       words(report.ExportColumns()),
		"Resolution":         words([]operation.Resolution{operation.AcceptMoney, operation.WriteOff}),
		"GatewayKind":        words(gateway.Kinds()),
		"GatewayMaturity":    words([]gateway.Maturity{gateway.Draft, gateway.Experimental, gateway.Beta, gateway.Stable}),
		"GatewayEnvironment": {gateway.Production, gateway.Sandbox},
		"GatewayConfigType": words([]gateway.FieldType{
			gateway.TextField, gateway.SecretField, gateway.URLField, gateway.IntField, gateway.BoolField, gateway.ChoiceField,
			gateway.ListField, gateway.DecimalField,
		}),
		"GatewayCapability": words(gateway.Capabilities()),
		"GatewayStep": words([]gateway.StepKind{
			gateway.StepRedirect, gateway.StepForm, gateway.StepHTML, gateway.StepPay, gateway.StepWait, gateway.StepDone,
		}),
		"GatewayApproval": words([]gateway.ApprovalMode{gateway.NoApproval, gateway.CodeApproval, gateway.ManualApproval}),
		"GatewayNotificationStatus": words([]notification.Status{
			notification.Waiting, notification.Done, notification.Unknown, notification.Forged,
		}),
		"LedgerEntryKind": words([]ledger.EntryKind{
			ledger.EntryIncoming, ledger.EntryReserve, ledger.EntryPost, ledger.EntryRelease, ledger.EntryReturn, ledger.EntryOutgoing,
			ledger.EntryOpening, ledger.EntryAdjustment,
		}),
		"BankLineDirection": words([]gateway.Direction{gateway.Incoming, gateway.Outgoing}),
		"BankLineStatus":    words(wallet.LineStatuses()),

		"StatisticsDimension": words(report.Dimensions()),
		"StatisticsInterval":  words(report.Intervals()),
		"MatchEvidence": words([]wallet.Evidence{
			wallet.CodeInText, wallet.SameAmount, wallet.SameName, wallet.LikeName, wallet.KnownSender, wallet.InTime, wallet.SaidPaid,
		}),
		"WorkKind":         words(report.WorkKinds()),
		"Theme":            words(staff.Themes()),
		"SavedViewList":    words(staff.ViewLists()),
		"SavedViewSharing": words(staff.ViewSharings()),
		"DifferenceKind": words([]wallet.DifferenceKind{
			wallet.MissingHere, wallet.MissingThere, wallet.AmountDiffers, wallet.BalanceDiffers,
		}),
		"CredentialKind":  words(append(owner.KeyKinds(), owner.InvitationLink)),
		"IbanAccountKind": words([]owner.AccountKind{owner.ManualAccount, owner.EIBANAccount}),
	} {
		var got []string
		for _, v := range schema().Types[enum].EnumValues {
			got = append(got, v.Name)
		}
		slices.Sort(got)
		for i := range want {
			want[i] = strings.ToUpper(want[i])
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, core has %v", enum, got, want)
		}
	}
}

// TestSchemaIsKnown shows every change of the contract, in a line for each field, argument and value.
func TestSchemaIsKnown(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, d := range ownTypes() {
		kind := strings.ToLower(string(d.Kind))
		lines = append(lines, kind+" "+d.Name)
		for _, v := range d.EnumValues {
			lines = append(lines, d.Name+"."+v.Name)
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			line := d.Name + "." + f.Name + ": " + f.Type.String()
			for _, directive := range f.Directives {
				line += " @" + directive.Name
				for _, argument := range directive.Arguments {
					line += "(" + argument.Value.String() + ")"
				}
			}
			lines = append(lines, line)
			for _, argument := range f.Arguments {
				lines = append(lines, d.Name+"."+f.Name+"."+argument.Name+": "+argument.Type.String())
			}
		}
	}
	slices.Sort(lines)
	compareGolden(t, "schema.golden.txt", strings.Join(lines, "\n")+"\n")
}

func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = string(v)
	}
	slices.Sort(texts)
	return texts
}

// TestSchemaFollowsTheRules: names and descriptions are as graphql-eslint's recommended rules for schemas have them, but for
// what graph/README.md says.
func TestSchemaFollowsTheRules(t *testing.T) {
	t.Parallel()
	pascal, camel := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`), regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
	upper := regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
	kindWords := regexp.MustCompile(`^(Enum|Interface|Union|Type)[A-Z]|(Enum|Interface|Union|Type|Query|Mutation|Subscription)$`)
	for name, d := range schema().Types {
		if d.BuiltIn || strings.HasPrefix(name, "__") {
			continue
		}
		if isRoot := name == "Query" || name == "Mutation" || name == "Subscription"; !pascal.MatchString(name) || !isRoot && kindWords.MatchString(name) && d.Kind != ast.InputObject && name != "GatewayConfigType" {
			t.Errorf("a type is called %s", name)
		}
		for _, v := range d.EnumValues {
			if !upper.MatchString(v.Name) {
				t.Errorf("%s has the value %s", name, v.Name)
			}
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			if !camel.MatchString(f.Name) || strings.HasPrefix(strings.ToLower(f.Name), strings.ToLower(name)) && d.Kind == ast.Object {
				t.Errorf("%s has the field %s", name, f.Name)
			}
			if name == "Query" && strings.HasPrefix(f.Name, "get") {
				t.Errorf("Query has the field %s", f.Name)
			}
			for _, a := range f.Arguments {
				if !camel.MatchString(a.Name) {
					t.Errorf("%s.%s has the argument %s", name, f.Name, a.Name)
				}
			}
		}
	}
	files, err := filepath.Glob("schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no files: %v", err)
	}
	inline := regexp.MustCompile(`(?m)^\s*"[^"]`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || inline.Match(text) {
			t.Errorf("%s has a description in single quotes (%v)", file, err)
		}
	}
}

// TestCommandsNeedWhatTheSchemaSays: an approval asks for the permission of the command, and the API for that of the schema.
func TestCommandsNeedWhatTheSchemaSays(t *testing.T) {
	t.Parallel()
	commands, found := reflect.ValueOf(*newAPI(t).Commands()), 0
	for i := range commands.NumField() {
		subject := commands.Field(i)
		if subject.Kind() != reflect.Struct || !commands.Type().Field(i).Anonymous {
			continue
		}
		for k := range subject.NumField() {
			c := subject.Field(k)
			if c.Kind() != reflect.Struct || !c.FieldByName("Permission").IsValid() {
				continue
			}
			found++
			f := schema().Mutation.Fields.ForName(c.FieldByName("Name").String())
			if f == nil {
				t.Errorf("there is no mutation %s", c.FieldByName("Name"))
				continue
			}
			if can := f.Directives.ForName("can"); can == nil || string(permissionOf(can)) != c.FieldByName("Permission").String() {
				t.Errorf("%s needs %s, and the schema says %v", f.Name, c.FieldByName("Permission"), can)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d commands were found", found)
	}
}
