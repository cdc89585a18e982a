package operation_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	directory "github.com/vezne/vezne/app/owner"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

const tronAddress = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"

// needing has the gateways ask for fields of their own for payouts.
func (w *world) needing(needs ...gateway.FieldSpec) {
	for _, g := range []*apptest.PaymentGateway{w.Sandbox, w.OtherSandbox} {
		g.Describes = func(d *gateway.Descriptor) { d.Payout.Needs = needs }
	}
}

// asked is a good request for a payout; values replace or add to what is sent.
func (w *world) asked(m payment.Method, amount money.Amount, values map[string]string) operation.PayoutRequest {
	all := map[string]string{
		"iban": "TR330006100519786457841326", "crypto_type": "usdt (trc20)", "wallet_address": tronAddress, "wallet_number": "1234567890",
	}
	maps.Copy(all, values)
	return operation.PayoutRequest{
		GatewayID: w.Gateway.ID, Values: all,
		Creation: app.Creation{Request: w.Fill(payment.Request{Method: m, Amount: amount}), Render: func(p payment.Payment) (app.Answer, error) {
			return app.Answer{Status: 200, Body: []byte(p.TrackingCode)}, nil
		}},
	}
}

func (w *world) created(r operation.PayoutRequest) (payment.Payment, coreoperation.Operation) {
	w.t.Helper()
	answer, err := w.Operations.StartPayout(w.t.Context(), r)
	w.no(err)
	p, err := w.Store.PaymentByTrackingCode(w.t.Context(), string(answer.Body))
	w.no(err)
	return p, w.operations(p)[0]
}

// said are the sentences of a validation fault.
func said(err error) []string {
	var all []string
	for _, f := range fault.FieldsOf(err) {
		all = append(all, lang.Say(lang.EN, f.Key, f.Args...))
	}
	return all
}

func TestListedGatewaysSayWhatAPayoutNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	low, high := lira(100), lira(20_000)
	w.set(w.OtherGateway, owner.GatewayPatch{Min: &low, Max: &high})
	for kind, want := range map[gateway.Kind]string{
		gateway.Bank: "iban", gateway.Crypto: "crypto_type wallet_address", gateway.Wallet: "wallet_number",
	} {
		list, err := w.Operations.List(t.Context(), kind)
		w.no(err)
		if len(list) != 2 || list[0].Account.ID != w.Gateway.ID || strings.Join(list[0].Required, " ") != want {
			t.Errorf("%s: %+v", kind, list)
		}
		if list[0].Min != lira(10) || list[0].Max != lira(50_000) || list[1].Min != low || list[1].Max != high {
			t.Errorf("%s: bounds %s to %s and %s to %s", kind, list[0].Min, list[0].Max, list[1].Min, list[1].Max)
		}
		if *list[0].Deposit != (operation.Limits{Min: lira(1), Max: lira(100_000)}) || *list[1].Deposit != (operation.Limits{Min: low, Max: high}) {
			t.Errorf("%s: bounds of deposits %+v and %+v", kind, list[0].Deposit, list[1].Deposit)
		}
		if coins := list[0].CryptoTypes; kind == gateway.Crypto && !slices.Equal(coins, []string{"USDT (TRC20)"}) || kind != gateway.Crypto && coins != nil {
			t.Errorf("%s: coins %q", kind, coins)
		}
	}
}

// TestLimitsOfDepositsAreThoseOfEveryGatewayTogether: what is within them some gateway takes, and what is not is refused.
func TestLimitsOfDepositsAreThoseOfEveryGatewayTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	limits := func() *operation.Limits {
		t.Helper()
		l, err := w.Operations.DepositLimits(t.Context(), payment.BankDeposit)
		w.no(err)
		return l
	}
	ten, twenty, hundred, off := lira(10), lira(20), lira(100), false
	w.set(w.Gateway, owner.GatewayPatch{Min: &ten, Max: &twenty})
	w.set(w.OtherGateway, owner.GatewayPatch{Min: &twenty, Max: &hundred})
	if got := limits(); got == nil || *got != (operation.Limits{Min: ten, Max: hundred}) {
		t.Errorf("both together: %+v", got)
	}
	for amount, want := range map[money.Amount]bool{lira(9): false, ten: true, hundred: true, lira(101): false} {
		asked := w.asked(payment.BankDeposit, amount, nil).Creation
		if _, err := w.Operations.InBounds(t.Context(), asked, w.Deposits.Start); (err == nil) != want {
			t.Errorf("a deposit of %s: %v", amount, err)
		}
	}
	w.set(w.Gateway, owner.GatewayPatch{IsEnabled: &off})
	if got := limits(); got == nil || *got != (operation.Limits{Min: twenty, Max: hundred}) {
		t.Errorf("one is switched off: %+v", got)
	}
	w.OtherSandbox.Describes = func(d *gateway.Descriptor) { d.Deposit = nil }
	if got := limits(); got != nil {
		t.Errorf("nobody takes any: %+v", got)
	}
	list, err := w.Operations.List(t.Context(), gateway.Bank)
	if w.no(err); len(list) != 1 || list[0].Deposit != nil {
		t.Errorf("one that takes none: %+v", list)
	}
	if got, err := w.Operations.DepositLimits(t.Context(), payment.ManualDeposit); err != nil || got != nil {
		t.Errorf("a method without gateways: %+v, %v", got, err)
	}
}

// TestWhatTheContractAsksForIsAlwaysNeeded: a plugin need not repeat the fields of E11, E14 and E17.
func TestWhatTheContractAsksForIsAlwaysNeeded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.needing(gateway.FieldSpec{Name: "account_holder", Check: gateway.CheckName}, gateway.FieldSpec{Name: "memo", Check: gateway.CheckText, IsOptional: true})
	for kind, want := range map[gateway.Kind]string{
		gateway.Bank: "iban account_holder", gateway.Crypto: "crypto_type wallet_address account_holder", gateway.Wallet: "wallet_number account_holder",
	} {
		list, err := w.Operations.List(t.Context(), kind)
		w.no(err)
		if got := strings.Join(list[0].Required, " "); got != want {
			t.Errorf("%s needs %s, want %s", kind, got, want)
		}
	}
	p, o := w.created(w.asked(payment.CryptoWithdrawal, lira(250), map[string]string{"national_id": "nobody asked"}))
	if p.Payee.CryptoType != "USDT (TRC20)" || p.Payee.WalletAddress != tronAddress || o.Asset != apptest.USDT {
		t.Errorf("%+v, %s", p.Payee, o.Asset)
	}
	want := map[string]string{"crypto_type": "USDT (TRC20)", "wallet_address": tronAddress, "account_holder": p.Customer.Fullname}
	if !maps.Equal(o.Fields, want) {
		t.Errorf("the gateway is given %v", o.Fields)
	}
	_, o = w.created(w.asked(payment.BankWithdrawal, lira(250), map[string]string{"account_holder": " Fatma Kaya ", "memo": "42"}))
	if o.Fields["account_holder"] != "Fatma Kaya" || o.Fields["memo"] != "42" {
		t.Errorf("the gateway is given %v", o.Fields)
	}
}

func TestDisabledAndTroubledGatewaysPayNothingOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	off := false
	w.set(w.OtherGateway, owner.GatewayPatch{IsEnabled: &off})
	troubled := w.Gateway
	troubled.Version, troubled.Trouble = troubled.Version+1, "its keys are refused"
	w.no(w.Store.Commit(t.Context(), core.Changeset{troubled}))
	list, err := w.Operations.List(t.Context(), gateway.Bank)
	if err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, id := range []int64{w.Gateway.ID, w.OtherGateway.ID, 0, 77, -1} {
		r := w.asked(payment.BankWithdrawal, lira(250), nil)
		r.GatewayID = id
		_, err := w.Operations.StartPayout(t.Context(), r)
		if got := said(err); !slices.Equal(got, []string{"The gateway_id field must be the id of a gateway in this method's list."}) {
			t.Errorf("gateway %d: %q, %v", id, got, err)
		}
	}
}

func (w *world) set(a owner.GatewayAccount, patch owner.GatewayPatch) {
	w.t.Helper()
	_, err := w.GatewayAdmin.Update(w.t.Context(), app.Request{Staff: w.Admin}, directory.GatewayUpdate{ID: a.ID, GatewayPatch: patch})
	w.no(err)
}

func TestEveryFieldThatFailsIsToldOnce(t *testing.T) {
	t.Parallel()
	const (
		low     = "The amount field must be at least 10.00."
		high    = "The amount field may be at most 50000.00."
		coin    = "The crypto_type field must be one of the gateway's supported_crypto_types."
		address = "The wallet_address field must be a valid address for USDT (TRC20)."
		number  = "The wallet_number field must be a wallet number of 5 to 20 digits."
	)
	earlier := []fault.Field{{Name: "amount", Key: "field.required", Args: []any{"amount"}}, {Name: "wallet_number", Key: "field.type", Args: []any{"wallet_number"}}}
	for _, tt := range []struct {
		method payment.Method
		amount money.Amount
		values map[string]string
		failed []fault.Field
		want   []string
	}{
		{method: payment.BankWithdrawal, amount: lira(10)},
		{method: payment.BankWithdrawal, amount: lira(50_000)},
		{method: payment.BankWithdrawal, amount: money.New(999, money.TRY), want: []string{low}},
		{method: payment.BankWithdrawal, amount: money.New(5_000_001, money.TRY), want: []string{high}},
		{method: payment.BankWithdrawal, amount: lira(250), values: map[string]string{"iban": "TR330006100519786457841327"}}, // flagged only
		{method: payment.BankWithdrawal, amount: lira(250), values: map[string]string{"iban": ""}, want: []string{"The iban field is required."}},
		{method: payment.CryptoWithdrawal, amount: lira(1), values: map[string]string{"wallet_address": "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD"}, want: []string{low, address}},
		{method: payment.CryptoWithdrawal, amount: lira(250), values: map[string]string{"crypto_type": "USDT (ERC20)"}, want: []string{coin}},
		{method: payment.CryptoWithdrawal, amount: lira(250), values: map[string]string{"crypto_type": "TRY"}, want: []string{coin}},
		{method: payment.CryptoWithdrawal, amount: lira(250), values: map[string]string{"crypto_type": "USDT", "wallet_address": "x"}, want: []string{coin}},
		{method: payment.CryptoWithdrawal, amount: lira(250), values: map[string]string{"crypto_type": ""}, want: []string{"The crypto_type field is required."}},
		{method: payment.WalletWithdrawal, amount: lira(250), values: map[string]string{"wallet_number": "12-34"}, want: []string{number}},
		{
			method: payment.WalletWithdrawal, values: map[string]string{"wallet_number": ""}, failed: earlier,
			want: []string{"The amount field is required.", "The wallet_number field must be a string."},
		},
	} {
		w := newWorld(t)
		r := w.asked(tt.method, tt.amount, tt.values)
		r.Failed = tt.failed
		_, err := w.Operations.StartPayout(t.Context(), r)
		if got := said(err); !slices.Equal(got, tt.want) || (err == nil) != (tt.want == nil) {
			t.Errorf("%s %s %v: %q (%v), want %q", tt.method, tt.amount, tt.values, got, err, tt.want)
		}
	}
}

// TestAccountHolderIsTheCustomerWhoseNameIsNotToldTwice: account_holder fails with fullname, and only that is said.
func TestAccountHolderIsTheCustomerWhoseNameIsNotToldTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.needing(gateway.FieldSpec{Name: "account_holder", Check: gateway.CheckName}, gateway.FieldSpec{Name: "national_id", Check: gateway.CheckTCKN})
	r := w.asked(payment.BankWithdrawal, lira(250), nil)
	r.Customer.Fullname = ""
	r.Failed = []fault.Field{{Name: "fullname", Key: "field.required", Args: []any{"fullname"}}}
	_, err := w.Operations.StartPayout(t.Context(), r)
	if got, want := said(err), []string{"The fullname field is required.", "The national_id field is required."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPayoutAskedForAgainIsNotCalledRefused: the gateway is gone when the provider, who never saw the first answer, asks
// again; a refusal would have the customer's money given back beside the payout.
func TestPayoutAskedForAgainIsNotCalledRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.asked(payment.BankWithdrawal, lira(250), nil)
	r.Once = &app.Once{Key: payment.IdempotencyKey{Caller: "provider/1", Endpoint: "E11", Key: "k"}, RequestHash: "body"}
	first, err := w.Operations.StartPayout(t.Context(), r)
	w.no(err)
	off := false
	w.set(w.Gateway, owner.GatewayPatch{IsEnabled: &off})
	again, err := w.Operations.StartPayout(t.Context(), r)
	if err != nil || !again.Replayed || !bytes.Equal(again.Body, first.Body) || again.Status != first.Status {
		t.Errorf("again: %+v, %v", again, err)
	}
	other := r
	other.Once = &app.Once{Key: r.Once.Key, RequestHash: "another body"}
	_, err = w.Operations.StartPayout(t.Context(), other)
	w.fails(err, fault.Invalid)
	fresh := r
	fresh.Once = &app.Once{Key: payment.IdempotencyKey{Caller: "provider/1", Endpoint: "E11", Key: "l"}, RequestHash: "body"}
	_, err = w.Operations.StartPayout(t.Context(), fresh)
	w.fails(err, fault.Invalid)
	w.Clock.Advance(payment.IdempotencyWindow + time.Microsecond)
	_, err = w.Operations.StartPayout(t.Context(), r)
	w.fails(err, fault.Invalid)
}
