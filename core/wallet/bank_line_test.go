package wallet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func TestOnlyALineOfTheWalletIsImported(t *testing.T) {
	t.Parallel()
	good := gateway.StatementLine{
		ID: "bank-1", EndToEnd: "ref", Direction: gateway.Incoming, Amount: money.MustDecimal("250.00"), Asset: gateway.TRY,
		BookedAt: coretest.Evening.In(coretest.Istanbul), Text: "text", Party: gateway.Party{Name: "AYŞE", IBAN: "TR33"}, Reverses: "bank-0",
	}
	got, err := wallet.NewBankLine(aWallet(), good, coretest.Evening.Add(time.Hour), "01LINE")
	want := wallet.BankLine{
		WalletID: 3, LineID: "bank-1", ID: "01LINE", Version: 1, Direction: gateway.Incoming, Amount: coretest.Lira(25000), BookedAt: coretest.Evening,
		Text: "text", Party: gateway.Party{Name: "AYŞE", IBAN: "TR33"}, EndToEndID: "ref", ReversesLineID: "bank-0",
		ImportedAt: coretest.Evening.Add(time.Hour), Status: wallet.LineUnmatched,
	}
	if err != nil || got != want {
		t.Fatalf("%+v, %v, want %+v", got, err, want)
	}
	for name, spoil := range map[string]func(*gateway.StatementLine){
		"no id":              func(l *gateway.StatementLine) { l.ID = "" },
		"no direction":       func(l *gateway.StatementLine) { l.Direction = "" },
		"another direction":  func(l *gateway.StatementLine) { l.Direction = "sideways" },
		"no amount":          func(l *gateway.StatementLine) { l.Amount = money.Decimal{} },
		"zero":               func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("0") },
		"less than nothing":  func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("-1") },
		"parts of a kuruş":   func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("1.001") },
		"more than there is": func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("1" + strings.Repeat("0", 30)) },
		"another currency":   func(l *gateway.StatementLine) { l.Asset = coretest.USDT },
		"no time":            func(l *gateway.StatementLine) { l.BookedAt = time.Time{} },
	} {
		l := good
		spoil(&l)
		if got, err := wallet.NewBankLine(aWallet(), l, coretest.Evening, "01LINE"); !fault.Is(err, fault.Invalid) || got != (wallet.BankLine{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestHowALineIsBooked: what becomes of a line by the transfer that it names, and by the lines of it that are matched.
func TestHowALineIsBooked(t *testing.T) {
	t.Parallel()
	const in, out = gateway.Incoming, gateway.Outgoing
	for name, c := range map[string]struct {
		direction gateway.Direction
		amount    int64
		transfer  payment.Status // of 250.00; empty: none is named
		matched   []gateway.Direction
		state     wallet.LineStatus
		entry     ledger.EntryKind
	}{
		"money that comes":              {in, 25000, "", nil, wallet.LineUnmatched, ledger.EntryIncoming},
		"money that goes":               {out, 25000, "", nil, wallet.LineUnmatched, ledger.EntryOutgoing},
		"a completed transfer":          {out, 25000, payment.Completed, nil, wallet.LineMatched, ""},
		"its return":                    {in, 25000, payment.Completed, []gateway.Direction{out}, wallet.LineMatched, ledger.EntryReturn},
		"its return, listed before it":  {in, 25000, payment.Completed, nil, wallet.LineMatched, ledger.EntryReturn},
		"itself, listed behind that":    {out, 25000, payment.Completed, []gateway.Direction{in}, wallet.LineMatched, ""},
		"a second line of it":           {out, 25000, payment.Completed, []gateway.Direction{out}, wallet.LineUnmatched, ledger.EntryOutgoing},
		"a second return of it":         {in, 25000, payment.Completed, []gateway.Direction{out, in}, wallet.LineUnmatched, ledger.EntryIncoming},
		"a fee of it":                   {out, 500, payment.Completed, []gateway.Direction{out}, wallet.LineUnmatched, ledger.EntryOutgoing},
		"it comes back less a fee":      {in, 24500, payment.Completed, []gateway.Direction{out}, wallet.LineUnmatched, ledger.EntryIncoming},
		"a pending transfer":            {out, 25000, payment.Pending, nil, wallet.LineUnbooked, ""},
		"a pending transfer comes back": {in, 25000, payment.Pending, nil, wallet.LineUnbooked, ""},
		"a fee of a pending transfer":   {out, 500, payment.Pending, nil, wallet.LineUnmatched, ledger.EntryOutgoing},
		"a failed one leaves":           {out, 25000, payment.Failed, nil, wallet.LineMatched, ledger.EntryOutgoing},
		"a failed one comes back":       {in, 25000, payment.Failed, []gateway.Direction{out}, wallet.LineMatched, ledger.EntryIncoming},
		"a failed one leaves twice":     {out, 25000, payment.Failed, []gateway.Direction{out}, wallet.LineUnmatched, ledger.EntryOutgoing},
		"a cancelled one leaves":        {out, 25000, payment.Cancelled, nil, wallet.LineMatched, ledger.EntryOutgoing},
	} {
		transfer := payment.Payment{ID: "01TRANSFER", TrackingCode: "TRF-1", Status: c.transfer, Amount: coretest.Lira(25000)}
		var ref *wallet.Reference
		if c.transfer != "" {
			ref = &wallet.Reference{Transfer: transfer}
			for _, d := range c.matched {
				ref.Lines = append(ref.Lines, wallet.BankLine{
					LineID: "of-" + string(d), Direction: d, Status: wallet.LineMatched, PaymentID: transfer.ID,
				})
			}
		}
		l := bankLine(bringing(c.amount))
		l.Direction, l.Status, l.Version, l.Note = c.direction, wallet.LineUnbooked, 7, "as before"
		change := wallet.DecideBooking(l, ref, coretest.Evening, coretest.NewIDs(t, coretest.Evening))
		if len(core.RowsOf[wallet.BankLine](change)) != 1 || core.RowsOf[wallet.BankLine](change)[0].Status != c.state || core.RowsOf[wallet.BankLine](change)[0].Version != 7 {
			t.Fatalf("%s: %+v", name, core.RowsOf[wallet.BankLine](change))
		}
		after := core.RowsOf[wallet.BankLine](change)[0]
		if (after.PaymentID == transfer.ID) != (c.state == wallet.LineMatched) || after.Note == "as before" {
			t.Errorf("%s: %+v", name, after)
		}
		if got := kindsOf(change); got != string(c.entry) {
			t.Errorf("%s: booked as %q, want %q", name, got, c.entry)
		}
		for _, e := range core.RowsOf[ledger.Entry](change) {
			isReturn := e.Kind == ledger.EntryReturn
			if e.LineID != "bank-1" || e.WalletID != 3 || (e.PaymentID == transfer.ID) != isReturn || abs(e.Outside) != c.amount {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}

func abs(a money.Amount) int64 { return max(a.Minor(), -a.Minor()) }

// TestALineIsNotASecondOneOfItself: a line that is decided anew may be among those of its transfer.
func TestALineIsNotASecondOneOfItself(t *testing.T) {
	t.Parallel()
	l := bankLine(func(l *wallet.BankLine) { l.Direction, l.Status = gateway.Outgoing, wallet.LineMatched })
	transfer := payment.Payment{ID: "01TRANSFER", Status: payment.Completed, Amount: l.Amount}
	ref := &wallet.Reference{Transfer: transfer, Lines: []wallet.BankLine{l}}
	if change := wallet.DecideBooking(l, ref, coretest.Evening, coretest.NewIDs(t, coretest.Evening)); core.RowsOf[wallet.BankLine](change)[0].Status != wallet.LineMatched {
		t.Errorf("%+v", core.RowsOf[wallet.BankLine](change)[0])
	}
}

// TestSettingALineAside: staff say what a waiting line is, and may take that back; nothing else changes by it.
func TestSettingALineAside(t *testing.T) {
	t.Parallel()
	for _, s := range wallet.LineStatuses() {
		for name, c := range map[string]struct {
			decide func(wallet.BankLine, payment.Decision) (core.Changeset, error)
			isFit  bool
			want   wallet.LineStatus
		}{
			"set aside":    {wallet.DecideSetAside, s == wallet.LineUnmatched || s == wallet.LineDoubtful, wallet.LineSetAside},
			"brought back": {wallet.DecideBringBack, s == wallet.LineSetAside, wallet.LineUnmatched},
		} {
			l := bankLine(func(l *wallet.BankLine) { l.Status = s })
			change, err := c.decide(l, coretest.Decision(t))
			if !c.isFit {
				if !fault.Is(err, fault.NotAllowed) || len(core.RowsOf[wallet.BankLine](change)) != 0 {
					t.Errorf("%s %s: %v, %+v", s, name, err, change)
				}
				continue
			}
			l.Version, l.Status, l.Note = 2, c.want, "why"
			if want := (core.Changeset{l}); err != nil || !cmp.Equal(change, want, coretest.Exactly) {
				t.Errorf("%s %s: %v, %+v", s, name, err, change)
			}
		}
	}
}
