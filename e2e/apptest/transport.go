package apptest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Fault is what goes wrong with one call.
type Fault int

// Faults.
const (
	NoFault    Fault = iota
	NotSent          // the gateway never heard of it
	Lost             // the gateway acted and the answer was lost
	Broken           // the gateway did not act, and nobody can tell
	Refusing         // the gateway refuses: nothing happened
	Misset           // the gateway does not accept the keys
	OutOfFunds       // the gateway has too little to send: nothing happened
)

// Questions about what was sent. No capability is named after them: CanPayOut and CanTransfer are the sending.
const (
	ReadingPayout   gateway.Capability = "read_payout"
	ReadingTransfer gateway.Capability = "read_transfer"
	probing         gateway.Capability = "probe"
)

// transport brings the plugin's calls to the bank, as far as the faults let it.
type transport struct{ *SimulatedGateway }

var _ ports.Doer = transport{}

// Do implements ports.Doer.
func (g transport) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	call, ref := callOf(r)
	fails := NoFault
	if g.Fault != nil {
		fails = g.Fault(call, ref)
	}
	switch fails {
	case NotSent:
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: errors.New("not sent")}
	case Broken:
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Err: errors.New("broken")}
	case Refusing:
		return refusal(http.StatusUnprocessableEntity, "insufficient_funds"), nil
	case OutOfFunds:
		return refusal(http.StatusUnprocessableEntity, "no_funds"), nil
	case Misset:
		return refusal(http.StatusUnauthorized, "bad_key"), nil
	case NoFault, Lost:
	}
	if g.AtOnce && call == gateway.CanTransfer {
		if err := g.SetOutcome(string(ref), "00"); err != nil {
			return gateway.Response{}, err
		}
	}
	answer, err := Hosts{g.code + ".test": g.Bank}.Do(ctx, r)
	if err == nil && r.Method == http.MethodPost && answer.Status == http.StatusOK && isOrder(call) {
		g.mu.Lock()
		g.orders[ref] = append(g.orders[ref], r)
		g.mu.Unlock()
	}
	if fails == Lost {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Err: errors.New("lost")}
	}
	return answer, err
}

func isOrder(call gateway.Capability) bool {
	return call == gateway.CanStartDeposit || call == gateway.CanRefund || call == gateway.CanPayOut || call == gateway.CanTransfer
}

func refusal(status int, code string) gateway.Response {
	return gateway.Response{Status: status, Body: []byte(`{"error":{"code":"` + code + `","declined":true}}`)}
}

// callOf returns which call a request is, and the reference that it is about.
func callOf(r gateway.Request) (gateway.Capability, gateway.Ref) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return "", ""
	}
	var order struct {
		Reference gateway.Ref `json:"reference"`
	}
	_ = json.Unmarshal(r.Body, &order) // a question has no body
	parts := strings.Split(strings.TrimPrefix(u.Path, "/v1/"), "/")
	what := r.Method + " " + parts[0]
	if len(parts) > 1 && order.Reference == "" {
		order.Reference = gateway.Ref(parts[1])
	}
	if len(parts) > 2 {
		what += " " + parts[2]
	}
	return map[string]gateway.Capability{
		"GET ping": probing, "GET quote": gateway.CanQuote, "GET options": gateway.CanListOptions,
		"POST deposits": gateway.CanStartDeposit, "GET deposits": gateway.CanReadDeposit,
		"POST deposits cancel": gateway.CanCancelDeposit, "POST deposits review": gateway.CanReviewDeposit,
		"POST deposits refunds": gateway.CanRefund, "GET refunds": gateway.CanRefund,
		"POST payouts": gateway.CanPayOut, "GET payouts": ReadingPayout, "POST payouts approve": gateway.CanApprovePayout,
		"POST transfers": gateway.CanTransfer, "GET transfers": ReadingTransfer, "GET accounts": gateway.CanReadAccounts,
		"GET disputes": gateway.CanReadDispute, "POST disputes accept": gateway.CanAcceptDispute, "POST disputes evidence": gateway.CanAnswerDispute,
		"POST disputes files": gateway.CanAnswerDispute, "GET accounts balance": gateway.CanReadAccounts, "GET accounts statement": gateway.CanReadStatement,
	}[what], order.Reference
}
