package sandbox

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// accountJSON is an account.
type accountJSON struct {
	ID     string `json:"id"`
	IBAN   string `json:"iban"`
	Bank   string `json:"bank"`
	Holder string `json:"holder"`
	Open   bool   `json:"open"`
}

// ListAccounts implements ports.AccountReader.
func (g *Gateway) ListAccounts(ctx context.Context) ([]gateway.BankAccount, error) {
	var list listJSON[accountJSON]
	if err := g.get(ctx, "/v1/accounts", &list); err != nil {
		return nil, err
	}
	var accounts []gateway.BankAccount
	for _, a := range list.Items {
		accounts = append(accounts, gateway.BankAccount{
			ID: a.ID, IBAN: a.IBAN, BankName: a.Bank, Holder: a.Holder, Asset: gateway.TRY, IsOpen: a.Open,
		})
	}
	return accounts, nil
}

// balanceJSON is an account's balance.
type balanceJSON struct {
	Total     amountJSON `json:"total"`
	Available amountJSON `json:"available"`
	At        time.Time  `json:"at"`
}

// Lacks implements plugkit.Checker.
func (b *balanceJSON) Lacks() string {
	if b.Total.Currency == "" || b.At.IsZero() {
		return "total"
	}
	return ""
}

// ReadBalance implements ports.AccountReader. The sandbox's balance is half a minute old, and says so.
func (g *Gateway) ReadBalance(ctx context.Context, accountID string) (gateway.Balance, error) {
	var b balanceJSON
	if err := g.get(ctx, "/v1"+plugkit.Path("accounts", accountID, "balance"), &b); err != nil {
		return gateway.Balance{}, err
	}
	return gateway.Balance{Total: b.Total.Value, Available: b.Available.Value, Asset: b.Total.money().Asset, At: b.At}, nil
}

// lineJSON is a booking.
type lineJSON struct {
	ID           string      `json:"id"`
	Direction    string      `json:"direction"` // "in", "out"
	Amount       amountJSON  `json:"amount"`
	BookedAt     time.Time   `json:"booked_at"`
	Text         string      `json:"text"`
	Reference    string      `json:"reference"`
	Party        partyJSON   `json:"party"`
	BalanceAfter *amountJSON `json:"balance_after"`
	Reverses     string      `json:"reverses"`
}

func (l lineJSON) line() gateway.StatementLine {
	line := gateway.StatementLine{
		ID: l.ID, EndToEnd: l.Reference, Direction: gateway.Incoming, Amount: l.Amount.Value, Asset: l.Amount.money().Asset,
		BookedAt: l.BookedAt, Text: l.Text, Party: l.Party.party(), Reverses: l.Reverses,
	}
	if l.Direction == "out" {
		line.Direction = gateway.Outgoing
	}
	if l.BalanceAfter != nil {
		line.BalanceAfter = &l.BalanceAfter.Value
	}
	return line
}

// ReadStatement implements ports.StatementReader.
func (g *Gateway) ReadStatement(ctx context.Context, q gateway.StatementQuery) (gateway.StatementPage, error) {
	var list listJSON[lineJSON]
	path := "/v1" + plugkit.Path("accounts", q.AccountID, "statement") + pageQuery(q.Window, q.Cursor, q.Limit)
	if err := g.get(ctx, path, &list); err != nil {
		return gateway.StatementPage{}, err
	}
	page := gateway.StatementPage{Next: gateway.Cursor(list.Next)}
	for _, l := range list.Items {
		page.Lines = append(page.Lines, l.line())
	}
	return page, nil
}
