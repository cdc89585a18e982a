package provider

import (
	"net/http"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// thirdParties lists E9, E11, E12, E14, E15 and E17.
func (a *api) thirdParties() []creation {
	customer := []string{"user_id", "username", "fullname", "amount"}
	return []creation{
		{
			name: "E9", path: "/third-party/bank/start-deposit", method: payment.BankDeposit, start: a.throughGateway(a.Deposits.Start),
			fields: customer, message: "deposit.started", isTimed: true,
			data: func(o *rest.Object, p payment.Payment) {
				a.thirdParty(o, p)
				owners(o, p)
				o.Amount("amount", p.Amount).Text("status", string(p.Status)).Time("expires_at", p.ExpiresAt, a.Zone)
				o.Time("created_at", p.CreatedAt, a.Zone)
			},
		},
		{
			name: "E11", path: "/third-party/bank/start-withdrawal", method: payment.BankWithdrawal, start: a.Operations.StartPayout,
			fields: append(customer[:4:4], "gateway_id", "iban"), message: "withdrawal.started", isTimed: true,
			data: func(o *rest.Object, p payment.Payment) {
				a.thirdParty(o, p)
				owners(o, p)
				o.Amount("amount", p.Amount).Text("status", string(p.Status)).Time("expires_at", p.ExpiresAt, a.Zone)
				o.Time("created_at", p.CreatedAt, a.Zone)
			},
		},
		{
			name: "E12", path: "/third-party/crypto/start-deposit", method: payment.CryptoDeposit, start: a.throughGateway(a.Deposits.Start),
			fields: customer, message: "deposit.started",
			data: func(o *rest.Object, p payment.Payment) {
				a.thirdParty(o, p)
				o.Amount("amount", p.Amount).Text("status", string(p.Status)).Time("expires_at", p.ExpiresAt, a.Zone)
			},
		},
		{
			name: "E14", path: "/third-party/crypto/start-withdrawal", method: payment.CryptoWithdrawal, start: a.Operations.StartPayout,
			fields: append(customer[:4:4], "gateway_id", "crypto_type", "wallet_address"), message: "withdrawal.started", data: a.short,
		},
		{
			name: "E15", path: "/third-party/wallet/start-deposit", method: payment.WalletDeposit, start: a.throughGateway(a.Deposits.Start),
			fields: customer, message: "deposit.started", data: a.short,
		},
		{
			name: "E17", path: "/third-party/wallet/start-withdrawal", method: payment.WalletWithdrawal, start: a.Operations.StartPayout,
			fields: append(customer[:4:4], "gateway_id", "wallet_number"), message: "withdrawal.started", data: a.short,
		},
	}
}

// thirdParty begins the data of every third-party answer.
func (a *api) thirdParty(o *rest.Object, p payment.Payment) {
	o.Text("tracking_code", p.TrackingCode)
	if p.Token != "" {
		o.Text("payment_url", a.BaseURL+"/pay/"+p.Token)
	}
	o.Text("type", string(p.Method)).Text("payment_method", string(p.Method.Gateway()))
}

// short is the data of E14, E15 and E17.
func (a *api) short(o *rest.Object, p payment.Payment) {
	a.thirdParty(o, p)
	o.Amount("amount", p.Amount).Text("status", string(p.Status))
}

// gateways is E10, E13 and E16: the gateways that withdrawals of a kind can go through. What deposits may be, through each of them and
// by the method at all, is Vezne's own.
func (a *api) gateways(kind gateway.Kind, deposit payment.Method) func(call) error {
	return func(c call) error {
		list, err := a.Operations.List(c.r.Context(), kind)
		if err != nil {
			return err
		}
		ofDeposits, err := a.Operations.DepositLimits(c.r.Context(), deposit)
		if err != nil {
			return err
		}
		rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
			Bool("success", true).
			Text("message", lang.Say(c.language, "gateways.listed")).
			Object("data", func(o *rest.Object) {
				o.Objects("gateways", len(list), func(o *rest.Object, i int) {
					g := list[i]
					o.Int("id", g.Account.ID).Text("name", g.Account.Name).Text("code", g.Account.Code)
					limits(o, g.Limits)
					o.Texts("required_fields", g.Required).Text("description", g.Account.Description)
					if kind == gateway.Crypto {
						o.Texts("supported_crypto_types", g.CryptoTypes)
					}
					limitsByMethod(o, &g.Limits, g.Deposit)
				})
				o.Int("count", int64(len(list)))
				limitsByMethod(o, nil, ofDeposits)
			}).
			Time("timestamp", a.Now(), a.Zone).
			End())
		return nil
	}
}

// limits adds the least and the greatest amount.
func limits(o *rest.Object, l operation.Limits) {
	if l.Max.IsZero() {
		l.Max = money.New(money.MaxMinor, money.TRY) // no bound of its own: that of every amount
	}
	o.Amount("min_amount", l.Min).Amount("max_amount", l.Max)
}

// limitsByMethod adds those of withdrawals and of deposits; one that is nil is left out.
func limitsByMethod(o *rest.Object, withdrawal, deposit *operation.Limits) {
	o.Object("limits", func(o *rest.Object) {
		for _, of := range []struct {
			name   string
			limits *operation.Limits
		}{{"withdrawal", withdrawal}, {"deposit", deposit}} {
			if of.limits != nil {
				o.Object(of.name, func(o *rest.Object) { limits(o, *of.limits) })
			}
		}
	})
}
