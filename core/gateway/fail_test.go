package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

func TestWhatNobodyClassifiedIsRetryableWithUnknownEffect(t *testing.T) {
	t.Parallel()
	for _, err := range []error{errors.New("plain"), context.Canceled, fmt.Errorf("deep: %w", context.DeadlineExceeded)} {
		got := gateway.ErrorOf(err)
		if got.Class != gateway.Retryable || got.Effect != gateway.EffectUnknown || !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
		if gateway.HasNoEffect(err) || !gateway.IsClass(err, gateway.Retryable) || gateway.IsClass(err, gateway.NotFound) {
			t.Errorf("%v is taken for something else", err)
		}
	}
}

func TestAClassifiedErrorIsFoundWithinOthers(t *testing.T) {
	t.Parallel()
	inner := &gateway.Error{Class: gateway.NotFound, Effect: gateway.EffectNone, Err: errors.New("gone")}
	for _, err := range []error{inner, fmt.Errorf("reading: %w", inner), errors.Join(errors.New("first"), inner)} {
		if gateway.ErrorOf(err) != inner || !gateway.HasNoEffect(err) || !gateway.IsClass(err, gateway.NotFound) {
			t.Errorf("%v is not found", err)
		}
	}
	if !errors.Is(inner, inner.Err) {
		t.Error("the cause is lost")
	}
}

func TestNoErrorIsOfNoClass(t *testing.T) {
	t.Parallel()
	if gateway.HasNoEffect(nil) || gateway.IsClass(nil, gateway.Retryable) {
		t.Error("no error counts as one")
	}
}

func TestTheZeroEffectIsTheCarefulOne(t *testing.T) {
	t.Parallel()
	if gateway.HasNoEffect(&gateway.Error{Class: gateway.Retryable}) {
		t.Error("an error that says nothing of its effect counts as harmless")
	}
	if gateway.EffectNone.String() != "none" || gateway.EffectUnknown.String() != "unknown" {
		t.Error("an effect is called wrongly")
	}
}

func TestAnErrorTellsWhatItKnows(t *testing.T) {
	t.Parallel()
	const none = gateway.EffectNone
	for want, e := range map[string]gateway.Error{
		"gateway: retryable (effect unknown)":          {Class: gateway.Retryable},
		"gateway: declined (effect none) 51: no money": {Class: gateway.Refused, Effect: none, RawCode: "51", RawText: "no money"},
		"gateway: rate-limited (effect none) 429":      {Class: gateway.RateLimited, Effect: none, RawCode: "429", RetryAfter: 9},
		"gateway: misconfigured (effect unknown): text: because": {
			Class: gateway.Misconfigured, RawText: "text", Err: errors.New("because"),
		},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
