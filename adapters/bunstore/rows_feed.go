package bunstore

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
)

type feedRow struct {
	bun.BaseModel `bun:"table:feeds"`

	WalletID       int64    `bun:"wallet_id,pk"`
	Version        int      `bun:"version"`
	GatewayID      int64    `bun:"gateway_id"`
	OpenedAt       stamp    `bun:"opened_at,type:timestamptz"`
	ReadUntil      stamp    `bun:"read_until,type:timestamptz"`
	SweptAt        stamp    `bun:"swept_at,type:timestamptz"`
	NextAt         stamp    `bun:"next_at,type:timestamptz"`
	LeaseUntil     stamp    `bun:"lease_until,type:timestamptz"`
	Failures       int      `bun:"failures"`
	Trouble        string   `bun:"trouble"`
	BankTotalMinor *int64   `bun:"bank_total_minor"`
	BankTotalAt    stamp    `bun:"bank_total_at,type:timestamptz"`
	CheckedAt      stamp    `bun:"checked_at,type:timestamptz"`
	IsLedgerOff    bool     `bun:"is_ledger_off"`
	ReconciledTo   core.Day `bun:"reconciled_to"`
}

func feedRowOf(f wallet.Feed) (feedRow, error) {
	return feedRow{
		WalletID: f.WalletID, Version: f.Version, GatewayID: f.GatewayID, OpenedAt: stamp(f.OpenedAt),
		ReadUntil: stamp(f.ReadUntil), SweptAt: stamp(f.SweptAt), NextAt: stamp(f.NextAt), LeaseUntil: stamp(f.LeaseUntil),
		Failures: f.Failures, Trouble: f.Trouble, BankTotalMinor: minorOf(f.BankTotal), BankTotalAt: stamp(f.BankTotalAt),
		CheckedAt: stamp(f.CheckedAt), IsLedgerOff: f.IsLedgerOff, ReconciledTo: f.ReconciledTo,
	}, areLira(f.BankTotal)
}

func (r feedRow) feed() (wallet.Feed, error) {
	return wallet.Feed{
		WalletID: r.WalletID, Version: r.Version, GatewayID: r.GatewayID, OpenedAt: time.Time(r.OpenedAt),
		ReadUntil: time.Time(r.ReadUntil), SweptAt: time.Time(r.SweptAt), NextAt: time.Time(r.NextAt),
		LeaseUntil: time.Time(r.LeaseUntil), Failures: r.Failures, Trouble: r.Trouble, BankTotal: kurusOf(r.BankTotalMinor),
		BankTotalAt: time.Time(r.BankTotalAt), CheckedAt: time.Time(r.CheckedAt), IsLedgerOff: r.IsLedgerOff,
		ReconciledTo: r.ReconciledTo,
	}, nil
}

// kurusOf is an amount that may be none.
func kurusOf(minor *int64) money.Amount {
	if minor == nil {
		return money.Amount{}
	}
	return kurus(*minor)
}

type reconciliationRow struct {
	bun.BaseModel `bun:"table:reconciliations"`

	WalletID           int64    `bun:"wallet_id,pk"`
	Day                core.Day `bun:"day,pk"`
	Version            int      `bun:"version"`
	DealerID           int64    `bun:"dealer_id"`
	At                 stamp    `bun:"at,type:timestamptz"`
	Matched            int      `bun:"matched"`
	LedgerInMinor      *int64   `bun:"ledger_in_minor"`
	LedgerOutMinor     *int64   `bun:"ledger_out_minor"`
	AdjustedMinor      *int64   `bun:"adjusted_minor"`
	LedgerClosingMinor *int64   `bun:"ledger_closing_minor"`
	BankInMinor        *int64   `bun:"bank_in_minor"`
	BankOutMinor       *int64   `bun:"bank_out_minor"`
	BankClosingMinor   *int64   `bun:"bank_closing_minor"`
	HasBank            bool     `bun:"has_bank"`
	IsCut              bool     `bun:"is_cut"`
	OpenCount          int      `bun:"open_count"`
	Body               string   `bun:"body"`
}

// differenceJSON is one of those that the body holds. Amounts are in kuruş, null where there is none.
type differenceJSON struct {
	Kind      wallet.DifferenceKind `json:"kind"`
	LineID    string                `json:"line_id,omitempty"`
	EntryID   core.ID               `json:"entry_id,omitempty"`
	PaymentID core.ID               `json:"payment_id,omitempty"`
	Ours      *int64                `json:"ours"`
	Theirs    *int64                `json:"theirs"`
	Reason    string                `json:"reason,omitempty"`
	By        actorJSON             `json:"by,omitzero"`
	At        time.Time             `json:"at,omitzero"`
}

func reconciliationRowOf(r wallet.Reconciliation) (reconciliationRow, error) {
	amounts := []money.Amount{r.LedgerIn, r.LedgerOut, r.Adjusted, r.LedgerClosing, r.BankIn, r.BankOut, r.BankClosing}
	list := make([]differenceJSON, len(r.Differences))
	for i, d := range r.Differences {
		amounts = append(amounts, d.Ours, d.Theirs)
		list[i] = differenceJSON{
			Kind: d.Kind, LineID: d.LineID, EntryID: d.EntryID, PaymentID: d.PaymentID, Ours: minorOf(d.Ours),
			Theirs: minorOf(d.Theirs), Reason: d.Reason, By: actorJSON(d.By), At: d.At,
		}
	}
	if err := areLira(amounts...); err != nil {
		return reconciliationRow{}, err
	}
	body, err := bodyText(list)
	return reconciliationRow{
		WalletID: r.WalletID, Day: r.Day, Version: r.Version, DealerID: r.DealerID, At: stamp(r.At), Matched: r.Matched,
		LedgerInMinor: minorOf(r.LedgerIn), LedgerOutMinor: minorOf(r.LedgerOut),
		AdjustedMinor:      minorOf(r.Adjusted),
		LedgerClosingMinor: minorOf(r.LedgerClosing), BankInMinor: minorOf(r.BankIn), BankOutMinor: minorOf(r.BankOut),
		BankClosingMinor: minorOf(r.BankClosing), HasBank: r.HasBank, IsCut: r.IsCut, OpenCount: r.Open(), Body: body,
	}, err
}

func (r reconciliationRow) reconciliation() (wallet.Reconciliation, error) {
	list, err := bodyOf[[]differenceJSON](r.Body)
	var differences []wallet.Difference
	for _, d := range list {
		differences = append(differences, wallet.Difference{
			Kind: d.Kind, LineID: d.LineID, EntryID: d.EntryID, PaymentID: d.PaymentID, Ours: kurusOf(d.Ours),
			Theirs: kurusOf(d.Theirs), Reason: d.Reason, By: core.Actor(d.By), At: d.At.UTC(),
		})
	}
	return wallet.Reconciliation{
		WalletID: r.WalletID, Day: r.Day, Version: r.Version, DealerID: r.DealerID, At: time.Time(r.At), Matched: r.Matched,
		LedgerIn: kurusOf(r.LedgerInMinor), LedgerOut: kurusOf(r.LedgerOutMinor),
		Adjusted:      kurusOf(r.AdjustedMinor),
		LedgerClosing: kurusOf(r.LedgerClosingMinor), BankIn: kurusOf(r.BankInMinor), BankOut: kurusOf(r.BankOutMinor),
		BankClosing: kurusOf(r.BankClosingMinor), HasBank: r.HasBank, IsCut: r.IsCut, Differences: differences,
	}, err
}
