package wallet_test

import (
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// wallet is the one whose account the deposits of these tests were shown.
func aWallet() wallet.Wallet { return wallet.Wallet{ID: 3, DealerID: 5, AccountID: 1} }

// deposit is Ayşe Yılmaz's E-IBAN deposit of 250.00: it was asked for in the evening, lives half an hour, and is shown.
func deposit(t coretest.T, edits ...func(*payment.Payment)) payment.Payment {
	t.Helper()
	p := coretest.Started(t, payment.EIBANDeposit)
	p.Account = owner.OfferedAccount{AccountID: 1, Day: coretest.Account(1).Day, Held: p.Amount}
	for _, edit := range edits {
		edit(&p)
	}
	return p
}

// anothers is somebody else's deposit beside the first.
func anothers(name string) func(*payment.Payment) {
	return func(p *payment.Payment) {
		p.ID += "-2"
		p.TrackingCode = otherCode
		p.Customer = owner.Customer{UserID: "u-2", Fullname: name}
	}
}

// second is the same customer's.
func second(p *payment.Payment) {
	anothers(p.Customer.Fullname)(p)
	p.Customer.UserID = "u-1"
}

func ofCustomer(name string) func(*payment.Payment) {
	return func(p *payment.Payment) { p.Customer.Fullname = name }
}

func inStatus(s payment.Status) func(*payment.Payment) {
	return func(p *payment.Payment) { p.Status = s }
}

func asking(minor int64) func(*payment.Payment) {
	return func(p *payment.Payment) { p.Amount = coretest.Lira(minor) }
}

// askedIn moves a deposit to another time.
func askedIn(d time.Duration) func(*payment.Payment) {
	return func(p *payment.Payment) { p.CreatedAt, p.ExpiresAt = p.CreatedAt.Add(d), p.ExpiresAt.Add(d) }
}

// bankLine is 250.00 from Ayşe Yılmaz, five minutes after her deposit was asked for.
func bankLine(edits ...func(*wallet.BankLine)) wallet.BankLine {
	l := wallet.BankLine{
		WalletID: 3, LineID: "bank-1", ID: "01LINE", Version: 1, Direction: gateway.Incoming, Amount: coretest.Lira(25000),
		BookedAt: coretest.Evening.Add(5 * time.Minute), ImportedAt: coretest.Evening.Add(6 * time.Minute), Status: wallet.LineUnmatched,
		Party: gateway.Party{Name: "AYŞE YILMAZ", IBAN: "TR330006100519786457841326"}, Text: "GELEN EFT",
	}
	for _, edit := range edits {
		edit(&l)
	}
	return l
}

// alone is the line where no deposit is known that it may belong to.
func alone(l wallet.BankLine) wallet.RankedLine { return wallet.RankedLine{Line: l} }

func sentBy(name string) func(*wallet.BankLine) {
	return func(l *wallet.BankLine) { l.Party.Name = name }
}

func saying(text string) func(*wallet.BankLine) { return func(l *wallet.BankLine) { l.Text = text } }

func bringing(minor int64) func(*wallet.BankLine) {
	return func(l *wallet.BankLine) { l.Amount = coretest.Lira(minor) }
}

func bookedIn(d time.Duration) func(*wallet.BankLine) {
	return func(l *wallet.BankLine) { l.BookedAt = coretest.Evening.Add(d) }
}

// The codes of the first deposit and of the one beside it.
const (
	ownCode   = "EIBAN-0123456789ABCDEF"
	otherCode = "EIBAN-ZZZZZZZZZZZZZZZZ"
)

// The customers of both.
var ayse, mehmet = owner.CustomerKey{ProviderID: 7, UserID: "u-1"}, owner.CustomerKey{ProviderID: 7, UserID: "u-2"}

// machine decides without a person.
func machine(t coretest.T) payment.Decision {
	t.Helper()
	d := coretest.Decision(t)
	d.By, d.Reason = core.Actor{Kind: core.ByGateway, ID: "9"}, ""
	return d
}

// twins are two deposits of one customer that nothing tells apart.
func twins(t coretest.T) (first, twin payment.Payment) { return deposit(t), deposit(t, second) }

// word credits a deposit by hand, as an exception.
func word(t coretest.T, p payment.Payment) wallet.Awaited {
	change, err := payment.DecideHandCredit(p, coretest.ByHand(p, coretest.Lira(0)), coretest.Decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return wallet.Awaited{Payment: core.RowsOf[payment.Payment](change)[0], Credit: core.RowsOf[payment.Credit](change)[0]}
}

// opening is what the wallet holds first, in kuruş, in the ledger and at the bank alike.
const opening = 100_000

func deposits(all ...payment.Payment) []payment.Payment { return all }

func by(all ...owner.CustomerKey) []owner.CustomerKey { return all }

// transferBooks has a transfer of 250.00 that is due, and what began it.
func transferBooks(t coretest.T) (*coretest.Store, core.ID, core.Changeset) {
	t.Helper()
	b := &coretest.Store{Now: coretest.Evening.Add(time.Minute), IDs: coretest.NewIDs(t, coretest.Evening)}
	change := wallet.DecideTransfer(
		payment.Request{
			Method: payment.EIBANTransfer, Dealer: owner.Dealer{ID: 5}, Customer: owner.Customer{UserID: "W-1", Fullname: "Ayşe Yılmaz"},
			Amount: coretest.Lira(25000), IBAN: "TR330006100519786457841326",
		},
		wallet.TransferPlan{
			Wallet: wallet.Wallet{ID: 3, BankAccountID: "acc-1"}, Gateway: owner.GatewayAccount{ID: 9}, Recipient: "Ayşe Yılmaz",
			Description: "rent",
		},
		payment.CreateParams{At: coretest.Evening, TrackingCode: "TRF-0123456789ABCDEF", IDs: b.IDs},
	)
	b.Payment, b.Operations = core.RowsOf[payment.Payment](change)[0], core.RowsOf[operation.Operation](change)
	return b, b.Operations[0].ID, change
}

func sentTransfer(t coretest.T) (*coretest.Store, core.ID) {
	t.Helper()
	b, id, _ := transferBooks(t)
	if !b.Send(t, id) {
		t.Fatalf("not sent: %+v", b.Operations[0])
	}
	return b, id
}

// kindsOf lists the kinds of a changeset's entries.
func kindsOf(c core.Changeset) string {
	var kinds []string
	for _, e := range core.RowsOf[ledger.Entry](c) {
		kinds = append(kinds, string(e.Kind))
	}
	return strings.Join(kinds, " ")
}

// balances are a wallet's, with the entries that they add up.
type balances struct {
	available, reserved, outside int64
	entries                      []ledger.Entry
}

// book takes entries as a store does: all of them, or none where one does not sum to zero or something would be negative.
func (b *balances) book(entries []ledger.Entry) bool {
	after := *b
	for _, e := range entries {
		if e.Available.Minor()+e.Reserved.Minor()+e.Outside.Minor() != 0 {
			return false
		}
		after.available, after.reserved = after.available+e.Available.Minor(), after.reserved+e.Reserved.Minor()
		after.outside += e.Outside.Minor()
	}
	if after.available < 0 || after.reserved < 0 {
		return false
	}
	after.entries = append(after.entries, entries...)
	*b = after
	return true
}
