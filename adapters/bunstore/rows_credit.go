package bunstore

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// creditChecks begins the names of the checks that hold a credit to the money behind it.
const creditChecks = "credit_"

// uncredited begins what the triggers of credits and payments say.
const uncredited = "uncredited: "

type creditRow struct {
	bun.BaseModel `bun:"table:credits"`

	PaymentID    core.ID              `bun:"payment_id,pk"`
	Number       int                  `bun:"number,pk"`
	ID           core.ID              `bun:"id"`
	Version      int                  `bun:"version"`
	TrackingCode string               `bun:"tracking_code"`
	DealerID     int64                `bun:"dealer_id"`
	ProviderID   int64                `bun:"provider_id"`
	Currency     string               `bun:"currency"`
	AmountMinor  *int64               `bun:"amount_minor"`
	Source       payment.CreditSource `bun:"source"`
	WalletID     int64                `bun:"wallet_id"`
	LineID       string               `bun:"line_id"`
	OperationID  core.ID              `bun:"operation_id"`
	BroughtMinor *int64               `bun:"brought_minor"`
	actorRow
	Reason      string `bun:"reason"`
	At          stamp  `bun:"at,type:timestamptz"`
	AwaitsMoney bool   `bun:"awaits_money"`
}

func creditRowOf(k payment.Credit) (creditRow, error) {
	code, err := codeOf(k.Amount, k.Brought)
	return creditRow{
		PaymentID: k.PaymentID, Number: k.Number, ID: k.ID, Version: k.Version, TrackingCode: k.TrackingCode,
		DealerID: k.DealerID, ProviderID: k.ProviderID, Currency: code, AmountMinor: minorOf(k.Amount), Source: k.Source,
		WalletID: k.WalletID, LineID: k.LineID, OperationID: k.OperationID, BroughtMinor: minorOf(k.Brought),
		actorRow: actorRowOf(k.By), Reason: k.Reason, At: stamp(k.At), AwaitsMoney: k.AwaitsMoney,
	}, err
}

func (r creditRow) credit() (payment.Credit, error) {
	amount := amountsIn(r.Currency)
	return payment.Credit{
		PaymentID: r.PaymentID, Number: r.Number, ID: r.ID, Version: r.Version, TrackingCode: r.TrackingCode,
		DealerID: r.DealerID, ProviderID: r.ProviderID, Amount: amount.of(r.AmountMinor), Source: r.Source,
		WalletID: r.WalletID, LineID: r.LineID, OperationID: r.OperationID, Brought: amount.of(r.BroughtMinor),
		By: r.actor(), Reason: r.Reason, At: time.Time(r.At), AwaitsMoney: r.AwaitsMoney,
	}, amount.err
}
