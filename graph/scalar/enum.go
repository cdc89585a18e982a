//nolint:revive // gqlgen asks for two functions of each enum, whose names say all
package scalar

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/decision"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// The schema's enums are core's words in capitals. gqlgen asks for two functions of each.

// word writes a word of core as a value of its enum.
func word[T ~string](v T) graphql.ContextMarshaler { return quoted(strings.ToUpper(string(v))) }

// readWord reads a value of an enum. The schema has refused what is none of its values; but it takes variables in small letters
// for those in capitals. Null, where the schema lets it be, is none. Fault: Invalid.
func readWord[T ~string](ctx context.Context, v any) (T, error) {
	if v == nil {
		return "", nil
	}
	text, ok := v.(string)
	if !ok || text != strings.ToUpper(text) {
		return "", invalid(ctx, "field.pattern")
	}
	return T(strings.ToLower(text)), nil
}

// A permission is a subject and a verb: deposits:decide is DEPOSITS_DECIDE.

func MarshalPermission(v staff.Permission) graphql.ContextMarshaler {
	return word(strings.Replace(string(v), ":", "_", 1))
}

func UnmarshalPermission(ctx context.Context, v any) (staff.Permission, error) {
	text, err := readWord[string](ctx, v)
	return staff.Permission(strings.Replace(text, "_", ":", 1)), err
}

// A status has one spelling for all methods.

func MarshalTransactionStatus(v payment.Status) graphql.ContextMarshaler { return word(v.Common()) }

func UnmarshalTransactionStatus(ctx context.Context, v any) (payment.Status, error) {
	return readWord[payment.Status](ctx, v)
}

func MarshalGuardedAction(v core.GuardedAction) graphql.ContextMarshaler { return word(v) }
func UnmarshalGuardedAction(ctx context.Context, v any) (core.GuardedAction, error) {
	return readWord[core.GuardedAction](ctx, v)
}

func MarshalApprovalStatus(v approval.Status) graphql.ContextMarshaler { return word(v) }
func UnmarshalApprovalStatus(ctx context.Context, v any) (approval.Status, error) {
	return readWord[approval.Status](ctx, v)
}

func MarshalChangeKind(v audit.ChangeKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalChangeKind(ctx context.Context, v any) (audit.ChangeKind, error) {
	return readWord[audit.ChangeKind](ctx, v)
}

func MarshalBankLineDirection(v gateway.Direction) graphql.ContextMarshaler { return word(v) }
func UnmarshalBankLineDirection(ctx context.Context, v any) (gateway.Direction, error) {
	return readWord[gateway.Direction](ctx, v)
}

func MarshalBankLineStatus(v wallet.LineStatus) graphql.ContextMarshaler { return word(v) }
func UnmarshalBankLineStatus(ctx context.Context, v any) (wallet.LineStatus, error) {
	return readWord[wallet.LineStatus](ctx, v)
}

func MarshalMatchEvidence(v wallet.Evidence) graphql.ContextMarshaler { return word(v) }
func UnmarshalMatchEvidence(ctx context.Context, v any) (wallet.Evidence, error) {
	return readWord[wallet.Evidence](ctx, v)
}

func MarshalIbanAccountKind(v owner.AccountKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalIbanAccountKind(ctx context.Context, v any) (owner.AccountKind, error) {
	return readWord[owner.AccountKind](ctx, v)
}

func MarshalDiscrepancyKind(v discrepancy.Kind) graphql.ContextMarshaler { return word(v) }
func UnmarshalDiscrepancyKind(ctx context.Context, v any) (discrepancy.Kind, error) {
	return readWord[discrepancy.Kind](ctx, v)
}

func MarshalDiscrepancyStatus(v discrepancy.Status) graphql.ContextMarshaler { return word(v) }
func UnmarshalDiscrepancyStatus(ctx context.Context, v any) (discrepancy.Status, error) {
	return readWord[discrepancy.Status](ctx, v)
}

func MarshalDisputeState(v gateway.DisputeState) graphql.ContextMarshaler { return word(v) }
func UnmarshalDisputeState(ctx context.Context, v any) (gateway.DisputeState, error) {
	return readWord[gateway.DisputeState](ctx, v)
}

func MarshalDisputeReason(v gateway.DisputeReason) graphql.ContextMarshaler { return word(v) }
func UnmarshalDisputeReason(ctx context.Context, v any) (gateway.DisputeReason, error) {
	return readWord[gateway.DisputeReason](ctx, v)
}

func MarshalDisputeSort(v dispute.Sort) graphql.ContextMarshaler { return word(v) }
func UnmarshalDisputeSort(ctx context.Context, v any) (dispute.Sort, error) {
	return readWord[dispute.Sort](ctx, v)
}

func MarshalEvidenceKind(v gateway.EvidenceKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalEvidenceKind(ctx context.Context, v any) (gateway.EvidenceKind, error) {
	return readWord[gateway.EvidenceKind](ctx, v)
}

func MarshalEvidenceOutcome(v dispute.SubmissionOutcome) graphql.ContextMarshaler { return word(v) }
func UnmarshalEvidenceOutcome(ctx context.Context, v any) (dispute.SubmissionOutcome, error) {
	return readWord[dispute.SubmissionOutcome](ctx, v)
}

func MarshalResolution(v operation.Resolution) graphql.ContextMarshaler { return word(v) }
func UnmarshalResolution(ctx context.Context, v any) (operation.Resolution, error) {
	return readWord[operation.Resolution](ctx, v)
}

func MarshalGatewayMaturity(v gateway.Maturity) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayMaturity(ctx context.Context, v any) (gateway.Maturity, error) {
	return readWord[gateway.Maturity](ctx, v)
}

func MarshalGatewayKind(v gateway.Kind) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayKind(ctx context.Context, v any) (gateway.Kind, error) {
	return readWord[gateway.Kind](ctx, v)
}

func MarshalGatewayEnvironment(v string) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayEnvironment(ctx context.Context, v any) (string, error) {
	return readWord[string](ctx, v)
}

func MarshalGatewayConfigType(v gateway.FieldType) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayConfigType(ctx context.Context, v any) (gateway.FieldType, error) {
	return readWord[gateway.FieldType](ctx, v)
}

func MarshalGatewayCapability(v gateway.Capability) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayCapability(ctx context.Context, v any) (gateway.Capability, error) {
	return readWord[gateway.Capability](ctx, v)
}

func MarshalGatewayStep(v gateway.StepKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayStep(ctx context.Context, v any) (gateway.StepKind, error) {
	return readWord[gateway.StepKind](ctx, v)
}

func MarshalGatewayApproval(v gateway.ApprovalMode) graphql.ContextMarshaler { return word(v) }
func UnmarshalGatewayApproval(ctx context.Context, v any) (gateway.ApprovalMode, error) {
	return readWord[gateway.ApprovalMode](ctx, v)
}

func MarshalGatewayNotificationStatus(v notification.Status) graphql.ContextMarshaler {
	return word(v)
}
func UnmarshalGatewayNotificationStatus(ctx context.Context, v any) (notification.Status, error) {
	return readWord[notification.Status](ctx, v)
}

func MarshalFactorKind(v staff.FactorKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalFactorKind(ctx context.Context, v any) (staff.FactorKind, error) {
	return readWord[staff.FactorKind](ctx, v)
}

func MarshalJobKind(v report.JobKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalJobKind(ctx context.Context, v any) (report.JobKind, error) {
	return readWord[report.JobKind](ctx, v)
}

func MarshalJobStatus(v report.JobStatus) graphql.ContextMarshaler { return word(v) }
func UnmarshalJobStatus(ctx context.Context, v any) (report.JobStatus, error) {
	return readWord[report.JobStatus](ctx, v)
}

func MarshalSkipReason(v report.SkipReason) graphql.ContextMarshaler { return word(v) }
func UnmarshalSkipReason(ctx context.Context, v any) (report.SkipReason, error) {
	return readWord[report.SkipReason](ctx, v)
}

func MarshalExportFormat(v report.ExportFormat) graphql.ContextMarshaler { return word(v) }
func UnmarshalExportFormat(ctx context.Context, v any) (report.ExportFormat, error) {
	return readWord[report.ExportFormat](ctx, v)
}

func MarshalExportColumn(v report.ExportColumn) graphql.ContextMarshaler { return word(v) }
func UnmarshalExportColumn(ctx context.Context, v any) (report.ExportColumn, error) {
	return readWord[report.ExportColumn](ctx, v)
}

func MarshalOperationKind(v operation.Kind) graphql.ContextMarshaler { return word(v) }
func UnmarshalOperationKind(ctx context.Context, v any) (operation.Kind, error) {
	return readWord[operation.Kind](ctx, v)
}

func MarshalOperationPhase(v operation.Phase) graphql.ContextMarshaler { return word(v) }
func UnmarshalOperationPhase(ctx context.Context, v any) (operation.Phase, error) {
	return readWord[operation.Phase](ctx, v)
}

func MarshalCredentialKind(v owner.KeyKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalCredentialKind(ctx context.Context, v any) (owner.KeyKind, error) {
	return readWord[owner.KeyKind](ctx, v)
}

func MarshalSignatureMode(v owner.SignatureMode) graphql.ContextMarshaler { return word(v.String()) }
func UnmarshalSignatureMode(ctx context.Context, v any) (owner.SignatureMode, error) {
	text, err := readWord[string](ctx, v)
	return owner.SignatureMode(text == owner.SignatureRequired.String()), err
}

func MarshalCallbackAcknowledgement(v owner.Acknowledgement) graphql.ContextMarshaler {
	return word(v.String())
}
func UnmarshalCallbackAcknowledgement(ctx context.Context, v any) (owner.Acknowledgement, error) {
	text, err := readWord[string](ctx, v)
	return owner.Acknowledgement(text == owner.Any2xx.String()), err
}

func MarshalTestCallbackWarning(v payment.TestWarning) graphql.ContextMarshaler { return word(v) }
func UnmarshalTestCallbackWarning(ctx context.Context, v any) (payment.TestWarning, error) {
	return readWord[payment.TestWarning](ctx, v)
}

func MarshalAuditProblemKind(v audit.Break) graphql.ContextMarshaler { return word(v) }
func UnmarshalAuditProblemKind(ctx context.Context, v any) (audit.Break, error) {
	return readWord[audit.Break](ctx, v)
}

func MarshalOpenWorkKind(v report.OpenWorkKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalOpenWorkKind(ctx context.Context, v any) (report.OpenWorkKind, error) {
	return readWord[report.OpenWorkKind](ctx, v)
}

func MarshalWorkKind(v report.WorkKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalWorkKind(ctx context.Context, v any) (report.WorkKind, error) {
	return readWord[report.WorkKind](ctx, v)
}

func MarshalDifferenceKind(v wallet.DifferenceKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalDifferenceKind(ctx context.Context, v any) (wallet.DifferenceKind, error) {
	return readWord[wallet.DifferenceKind](ctx, v)
}

func MarshalRole(v staff.Role) graphql.ContextMarshaler { return word(v) }
func UnmarshalRole(ctx context.Context, v any) (staff.Role, error) {
	return readWord[staff.Role](ctx, v)
}

func MarshalTheme(v staff.Theme) graphql.ContextMarshaler { return word(v) }
func UnmarshalTheme(ctx context.Context, v any) (staff.Theme, error) {
	return readWord[staff.Theme](ctx, v)
}

func MarshalSavedViewList(v staff.ViewList) graphql.ContextMarshaler { return word(v) }
func UnmarshalSavedViewList(ctx context.Context, v any) (staff.ViewList, error) {
	return readWord[staff.ViewList](ctx, v)
}

func MarshalSavedViewSharing(v staff.ViewSharing) graphql.ContextMarshaler { return word(v) }
func UnmarshalSavedViewSharing(ctx context.Context, v any) (staff.ViewSharing, error) {
	return readWord[staff.ViewSharing](ctx, v)
}

func MarshalStatisticsDimension(v report.Dimension) graphql.ContextMarshaler { return word(v) }
func UnmarshalStatisticsDimension(ctx context.Context, v any) (report.Dimension, error) {
	return readWord[report.Dimension](ctx, v)
}

func MarshalStatisticsInterval(v report.Interval) graphql.ContextMarshaler { return word(v) }
func UnmarshalStatisticsInterval(ctx context.Context, v any) (report.Interval, error) {
	return readWord[report.Interval](ctx, v)
}

func MarshalTransactionSort(v report.PaymentSort) graphql.ContextMarshaler { return word(v) }
func UnmarshalTransactionSort(ctx context.Context, v any) (report.PaymentSort, error) {
	return readWord[report.PaymentSort](ctx, v)
}

func MarshalTransactionMethod(v payment.Method) graphql.ContextMarshaler { return word(v) }
func UnmarshalTransactionMethod(ctx context.Context, v any) (payment.Method, error) {
	return readWord[payment.Method](ctx, v)
}

func MarshalTransactionKind(v payment.Kind) graphql.ContextMarshaler { return word(v) }
func UnmarshalTransactionKind(ctx context.Context, v any) (payment.Kind, error) {
	return readWord[payment.Kind](ctx, v)
}

func MarshalCreditSource(v payment.CreditSource) graphql.ContextMarshaler { return word(v) }
func UnmarshalCreditSource(ctx context.Context, v any) (payment.CreditSource, error) {
	return readWord[payment.CreditSource](ctx, v)
}

func MarshalTransactionCommand(v payment.Command) graphql.ContextMarshaler { return word(v) }
func UnmarshalTransactionCommand(ctx context.Context, v any) (payment.Command, error) {
	return readWord[payment.Command](ctx, v)
}

func MarshalActorKind(v core.ActorKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalActorKind(ctx context.Context, v any) (core.ActorKind, error) {
	return readWord[core.ActorKind](ctx, v)
}

func MarshalCallbackKind(v payment.CallbackKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalCallbackKind(ctx context.Context, v any) (payment.CallbackKind, error) {
	return readWord[payment.CallbackKind](ctx, v)
}

func MarshalCallbackAnswer(v report.CallbackAnswer) graphql.ContextMarshaler { return word(v) }
func UnmarshalCallbackAnswer(ctx context.Context, v any) (report.CallbackAnswer, error) {
	return readWord[report.CallbackAnswer](ctx, v)
}

func MarshalCallbackStatus(v payment.CallbackStatus) graphql.ContextMarshaler { return word(v) }
func UnmarshalCallbackStatus(ctx context.Context, v any) (payment.CallbackStatus, error) {
	return readWord[payment.CallbackStatus](ctx, v)
}

func MarshalLedgerEntryKind(v ledger.EntryKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalLedgerEntryKind(ctx context.Context, v any) (ledger.EntryKind, error) {
	return readWord[ledger.EntryKind](ctx, v)
}

func MarshalDecisionName(v decision.Name) graphql.ContextMarshaler { return word(v) }
func UnmarshalDecisionName(ctx context.Context, v any) (decision.Name, error) {
	return readWord[decision.Name](ctx, v)
}

func MarshalDecisionWarning(v decision.Warning) graphql.ContextMarshaler { return word(v) }
func UnmarshalDecisionWarning(ctx context.Context, v any) (decision.Warning, error) {
	return readWord[decision.Warning](ctx, v)
}

func MarshalNoteAudience(v note.Audience) graphql.ContextMarshaler { return word(v) }
func UnmarshalNoteAudience(ctx context.Context, v any) (note.Audience, error) {
	return readWord[note.Audience](ctx, v)
}

func MarshalNoteKind(v note.Kind) graphql.ContextMarshaler { return word(v) }
func UnmarshalNoteKind(ctx context.Context, v any) (note.Kind, error) {
	return readWord[note.Kind](ctx, v)
}

// MarshalRouteObstacle writes a RouteObstacle.
func MarshalRouteObstacle(v routing.Obstacle) graphql.ContextMarshaler { return word(v) }

// UnmarshalRouteObstacle reads a RouteObstacle.
func UnmarshalRouteObstacle(ctx context.Context, v any) (routing.Obstacle, error) {
	return readWord[routing.Obstacle](ctx, v)
}

func MarshalEpochState(v epoch.State) graphql.ContextMarshaler { return word(v) }
func UnmarshalEpochState(ctx context.Context, v any) (epoch.State, error) {
	return readWord[epoch.State](ctx, v)
}

func MarshalFreezeCause(v epoch.Cause) graphql.ContextMarshaler { return word(v) }
func UnmarshalFreezeCause(ctx context.Context, v any) (epoch.Cause, error) {
	return readWord[epoch.Cause](ctx, v)
}

func MarshalRemainKind(v epoch.RemainKind) graphql.ContextMarshaler { return word(v) }
func UnmarshalRemainKind(ctx context.Context, v any) (epoch.RemainKind, error) {
	return readWord[epoch.RemainKind](ctx, v)
}

func MarshalRemainMissing(v epoch.Unlisted) graphql.ContextMarshaler { return word(v) }
func UnmarshalRemainMissing(ctx context.Context, v any) (epoch.Unlisted, error) {
	return readWord[epoch.Unlisted](ctx, v)
}

func MarshalRemainGap(v epoch.Gap) graphql.ContextMarshaler { return word(v) }
func UnmarshalRemainGap(ctx context.Context, v any) (epoch.Gap, error) {
	return readWord[epoch.Gap](ctx, v)
}

// A deposit's state at its gateway has hyphens: part-paid is PART_PAID.

func MarshalGatewayDepositState(v gateway.State) graphql.ContextMarshaler {
	return word(strings.ReplaceAll(string(v), "-", "_"))
}

func UnmarshalGatewayDepositState(ctx context.Context, v any) (gateway.State, error) {
	text, err := readWord[gateway.State](ctx, v)
	return gateway.State(strings.ReplaceAll(string(text), "_", "-")), err
}
