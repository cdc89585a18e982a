package iyzico_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
	"github.com/vezne/vezne/plugins/plugkit"
)

// documented is the error table of the documentation, written anew: class and effect on a call that starts a form, and
// the reason that a refused card has.
var documented = map[string]plugkit.Failure{
	"1":     {Class: gateway.Retryable, Effect: gateway.EffectUnknown},
	"3":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"5":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"8":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"11":    {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"23":    {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"25":    {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"1000":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"1001":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"5005":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"5008":  {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"5087":  {Class: gateway.NotFound, Effect: gateway.EffectNone},
	"8514":  {Class: gateway.Conflicting, Effect: gateway.EffectUnknown},
	"10000": {Class: gateway.Retryable, Effect: gateway.EffectUnknown},
	"5062":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"10005": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"10012": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.Declined},
	"10034": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.FraudSuspected},
	"10041": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.LostOrStolen},
	"10043": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.LostOrStolen},
	"10051": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.InsufficientFunds},
	"10054": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.ExpiredCard},
	"10057": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.NotPermitted},
	"10058": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.NotPermitted},
	"10084": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.WrongCVC},
	"10093": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.NotPermitted},
	"10209": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.NotPermitted},
	"10214": {Class: gateway.Retryable, Effect: gateway.EffectUnknown},
	"10215": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.InvalidCard},
	"10219": {Class: gateway.Retryable, Effect: gateway.EffectUnknown},
	"10225": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.NotPermitted},
	"50000": {Class: gateway.RateLimited, Effect: gateway.EffectNone},
}

func TestEveryErrorCode(t *testing.T) {
	t.Parallel()
	if len(documented) != len(iyzico.Failures) {
		t.Errorf("the plugin has %d codes, and %d are documented", len(iyzico.Failures), len(documented))
	}
	for code, want := range documented {
		s := newShop(t)
		s.Answer("POST", pathStart, 200, `{"status":"failure","errorCode":"`+code+`","errorMessage":"because"}`)
		_, err := s.StartDeposit(t.Context(), order("CC1", "22"))
		e := gateway.ErrorOf(err)
		if e.Class != want.Class || e.Effect != want.Effect || e.RawCode != code || e.RawText != "because" {
			t.Errorf("%s: %v", code, err)
		}
		if (e.Reason != nil) != (want.Reason != "") || e.Reason != nil && (e.Reason.Code != want.Reason || e.Reason.Soft != want.Soft) {
			t.Errorf("%s: the reason is %+v, want %s", code, e.Reason, want.Reason)
		}
		if _, isError := err.(*gateway.Error); !isError { //nolint:errorlint // the port promises this very type
			t.Errorf("%s: the error is a %T", code, err)
		}
	}
}

// TestACardThatIsRefusedOnTheForm: what is an error of a call elsewhere is the card's on the form, if iyzico calls it
// one.
func TestACardThatIsRefusedOnTheForm(t *testing.T) {
	t.Parallel()
	for code, f := range documented {
		for _, isCalledSo := range []bool{true, false} {
			s := newShop(t)
			k := s.started("CC1", "22")
			body := `{"status":"failure","errorCode":` + code + `,"errorMessage":"because"`
			if isCalledSo {
				body += `,"paymentStatus":"FAILURE"`
			}
			s.Answer("POST", pathForm, 200, body+`}`)
			o, err := s.ReadDeposit(t.Context(), k)
			if isCalledSo || f.Class == gateway.Refused {
				if err != nil || o.State != gateway.Failed || !o.CanStillPay || o.Reason.RawCode != code {
					t.Errorf("%s, called a failure %v: %s, %v", code, isCalledSo, o.State, err)
				}
				continue
			}
			isUntried := f.Class == gateway.Invalid || f.Class == gateway.NotFound
			if isUntried && (err != nil || o.State != gateway.Waiting) || !isUntried && !gateway.IsClass(err, f.Class) {
				t.Errorf("%s: %s, %v, want %s", code, o.State, err, f.Class)
			}
		}
	}
}

func TestTooManyRequestsWaitAMinute(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Answer("POST", pathStart, 200, `{"status":"failure","errorCode":"50000","errorMessage":"Request Limit Exceeded"}`)
	_, err := s.StartDeposit(t.Context(), order("CC1", "22"))
	if !conformance.IsFailure(err, gateway.RateLimited, gateway.EffectNone) || gateway.ErrorOf(err).RetryAfter != time.Minute {
		t.Errorf("%v, retry after %s", err, gateway.ErrorOf(err).RetryAfter)
	}
}

// TestAStartThatFailsMadeNoForm: iyzico lists what it finds wrong with a start in part only.
func TestAStartThatFailsMadeNoForm(t *testing.T) {
	t.Parallel()
	for _, code := range []string{`"4711"`, `4711`, `null`, `{}`} {
		s := newShop(t)
		s.Answer("POST", pathStart, 200, `{"status":"FAILURE","errorCode":`+code+`,"errorMessage":"new"}`)
		if _, err := s.StartDeposit(t.Context(), order("CC1", "22")); !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestTheGroupOfAnErrorCounts: iyzico asks to go by it, and one code has several. Without it a code of 10000 and more is
// a bank's refusal.
func TestTheGroupOfAnErrorCounts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code, group string
		class       gateway.Class
		reason      gateway.ReasonCode
	}{
		{"10041", "PICKUP_CARD", gateway.Refused, gateway.LostOrStolen}, {"10220", "DECLINED", gateway.Refused, gateway.Declined},
		{"10221", "NOT_PERMITTED_TO_FOREIGN_CARD", gateway.Refused, gateway.NotPermitted},
		{"10224", "EXCEEDS_WITHDRAWAL_AMOUNT_LIMIT", gateway.Refused, gateway.LimitExceeded},
		{"10299", "NOT_SUFFICIENT_FUNDS", gateway.Refused, gateway.InsufficientFunds},
		{"10236", "", gateway.Refused, gateway.Declined}, {"10204", "UNKNOWN", gateway.Refused, gateway.Declined},
		{"10228", "ISSUER_OR_SWITCH_INOPERATIVE", gateway.Retryable, ""}, {"10213", "COMMUNICATION_OR_SYSTEM_ERROR", gateway.Retryable, ""},
	} {
		s := newShop(t)
		k := s.started("CC1", "22")
		s.Answer("POST", pathForm, 200, `{"status":"failure","errorCode":"`+tt.code+`","errorGroup":"`+tt.group+`"}`)
		o, err := s.ReadDeposit(t.Context(), k)
		isDecline := err == nil && o.State == gateway.Failed && o.Reason != nil && o.Reason.Code == tt.reason && o.CanStillPay
		if isDecline != (tt.class == gateway.Refused) || err != nil && !gateway.IsClass(err, tt.class) {
			t.Errorf("%s %s: %s, %+v, %v", tt.code, tt.group, o.State, o.Reason, err)
		}
	}
}

// TestAFailureIsReadWhateverItsHTTPStatus: the documentation shows 400, and the API often answers 200.
func TestAFailureIsReadWhateverItsHTTPStatus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status int
		code   string
		class  gateway.Class
		effect gateway.Effect
	}{
		{400, "10051", gateway.Refused, gateway.EffectNone}, {400, "1", gateway.Retryable, gateway.EffectUnknown},
		{500, "50000", gateway.RateLimited, gateway.EffectNone}, {400, "4711", gateway.Invalid, gateway.EffectNone},
		{401, "4711", gateway.Misconfigured, gateway.EffectNone}, {503, "4711", gateway.Retryable, gateway.EffectUnknown},
	} {
		s := newShop(t)
		s.Answer("POST", pathStart, tt.status, `{"status":"failure","errorCode":"`+tt.code+`"}`)
		_, err := s.StartDeposit(t.Context(), order("CC1", "22"))
		if !conformance.IsFailure(err, tt.class, tt.effect) || gateway.ErrorOf(err).RawCode != tt.code {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}
