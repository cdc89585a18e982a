package dealer

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// eibans is D4: the dealer's wallets that are active.
func (a *api) eibans(c call) error {
	wallets, err := a.Wallets.List(c.r.Context(), c.Dealer)
	if err != nil {
		return err
	}
	rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
		Bool("success", true).
		Text("dealer_name", c.Dealer.Name).
		Int("total_eibans", int64(len(wallets))).
		Objects("eibans", len(wallets), func(o *rest.Object, i int) {
			w := wallets[i]
			o.Int("id", w.ID).Text("iban_no", w.IBAN).Text("bank_name", w.BankName).Text("account_name", w.Holder)
			o.Text("wallet_id", w.WalletID)
			o.Text("balance", w.Balance().String()).Text("available_balance", w.AvailableBalance.String())
		}).
		End())
	return nil
}

// transactions is D5: a page of a wallet's statement.
func (a *api) transactions(c call) error {
	var form core.Form
	inputs := readQuery(c.r, "wallet_id", "start_date", "end_date", "page")
	walletID := form.Name("wallet_id", inputs[0])
	from := readDate(&form, "start_date", inputs[1], a.Zone)
	to := readDate(&form, "end_date", inputs[2], a.Zone)
	number := readPage(&form, "page", inputs[3])
	if err := form.Err("dealer.D5"); err != nil {
		return err
	}
	page, err := a.Wallets.Statement(c.r.Context(), c.Dealer, walletID, from, to, number)
	if err != nil {
		return err
	}
	rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
		Bool("success", true).
		Text("dealer_name", c.Dealer.Name).
		Text("wallet_id", page.Wallet.WalletID).
		Object("date_range", func(o *rest.Object) {
			o.Text("start_date", from.Format(time.DateOnly)).Text("end_date", to.Format(time.DateOnly))
		}).
		Object("pagination", func(o *rest.Object) {
			o.Int("current_page", int64(page.Page)).Int("per_page", wallets.PageSize)
			o.Int("total_records", int64(page.TotalCount)).Int("total_pages", int64(page.PageCount()))
			o.Bool("has_more", page.Page < page.PageCount())
		}).
		Objects("transactions", len(page.Lines), func(o *rest.Object, i int) { a.transaction(o, page, page.Lines[i]) }).
		End())
	return nil
}

// transaction adds a record of D5. The sender of what left the wallet is the wallet itself; to whom it went, and by which transfer of the
// dealer's, is Vezne's own.
func (a *api) transaction(o *rest.Object, page wallets.Page, l wallet.BankLine) {
	name, iban := l.Party.Name, l.Party.IBAN
	isOutgoing := l.Direction == gateway.Outgoing
	if isOutgoing {
		name, iban = page.Wallet.Holder, page.Wallet.IBAN
	}
	o.Text("transactionId", l.LineID).Text("amount", l.Amount.String()).Text("type", string(l.Direction))
	o.Text("description", l.Text).Text("senderName", name).Text("senderIban", iban).DealerTime("date", l.BookedAt, a.Zone)
	if isOutgoing {
		transfer := page.Transfers[l.PaymentID]
		o.Text("recipient_name", cmp.Or(l.Party.Name, transfer.Customer.Fullname)).Text("recipient_iban", cmp.Or(l.Party.IBAN, transfer.IBAN))
		o.Text("transfer_id", transfer.TrackingCode)
	}
}

// sendFields are D6's, in the documented order.
var sendFields = []string{"wallet_id", "recipient_iban", "recipient_name", "amount", "description", "test", "reference"}

// sendMoney is D6.
func (a *api) sendMoney(c call) error {
	return rest.Create(c.w, c.r, sendFields, func(sent rest.Sent) (rest.Start, error) {
		var form core.Form
		request := readSending(c, sent.Inputs, &form)
		request.Render = func(p payment.Payment) (app.Answer, error) {
			return app.Answer{Status: http.StatusOK, Body: a.renderSent(c.language, p, sent.Warnings)}, nil
		}
		request.Once = rest.Once(c.r, c.Name(), "D6", &form, sent.Body)
		return func(ctx context.Context) (app.Answer, error) { return a.Wallets.Send(ctx, request) }, form.Err("dealer.D6")
	})
}

// readSending checks the fields of D6. Whether the IBAN is one and whether the amount is enough have error codes of
// their own, which the use case gives.
func readSending(c call, inputs []core.Input, form *core.Form) wallets.Sending {
	r := wallets.Sending{Creation: app.Creation{Request: payment.Request{Dealer: c.Dealer, Language: c.language}}}
	for i, name := range sendFields {
		switch name {
		case "wallet_id":
			r.WalletID = form.Name(name, inputs[i])
		case "recipient_iban":
			r.IBAN = readText(form, name, inputs[i])
		case "recipient_name":
			r.Recipient = form.Name(name, inputs[i])
		case "amount":
			r.Amount = form.Amount(name, inputs[i], money.New(-money.MaxMinor, money.TRY))
		case "description":
			r.Description = rest.Description(form, name, inputs[i])
		case "test":
			rest.RefuseTest(form, inputs[i])
		case "reference":
			r.Reference = form.Reference(name, inputs[i])
		}
	}
	return r
}

func (a *api) renderSent(language lang.Tag, p payment.Payment, warnings []rest.Warning) []byte {
	return rest.NewObject().
		Bool("success", true).
		Text("message", lang.Say(language, "transfer.started")).
		Object("transfer", func(o *rest.Object) {
			transferred(o, p)
			o.DealerTime("created_at", p.CreatedAt, a.Zone)
		}).
		Warnings(language, warnings).
		End()
}

// transferred adds what D6 and D7 say of a transfer.
func transferred(o *rest.Object, p payment.Payment) {
	o.Text("transfer_id", p.TrackingCode).Text("status", string(p.Status)).Text("amount", p.Amount.String())
	o.Text("recipient_iban", p.IBAN).Text("recipient_name", p.Payee.Recipient)
}

// transferStatus is D7. completed_at is a text as documented, and empty while the transfer has not been completed.
func (a *api) transferStatus(c call) error {
	var form core.Form
	id := form.Name("transfer_id", readQuery(c.r, "transfer_id")[0])
	if err := form.Err("dealer.D7"); err != nil {
		return err
	}
	p, err := a.Wallets.Transfer(c.r.Context(), c.Dealer, id)
	if err != nil {
		return err
	}
	var completedAt time.Time
	if p.Status == payment.Completed {
		completedAt = p.FinishedAt
	}
	rest.WriteJSON(c.w, http.StatusOK, rest.NewObject().
		Bool("success", true).
		Text("dealer_name", c.Dealer.Name).
		Object("transfer", func(o *rest.Object) {
			transferred(o, p)
			o.Text("description", p.Payee.Description)
			o.DealerTime("created_at", p.CreatedAt, a.Zone).DealerTime("completed_at", completedAt, a.Zone)
		}).
		End())
	return nil
}
