package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// wallet is the one whose account the deposits of these tests were shown.
func aWallet() wallet.Wallet { return wallet.Wallet{ID: 3, DealerID: 5, AccountID: 1} }

// deposit is Ayşe Yılmaz's E-IBAN deposit of 250.00: it was asked for in the evening, lives half an hour, and is shown.
func deposit(t testingT, edits ...func(*payment.Payment)) payment.Payment {
	t.Helper()
	p := started(t, payment.EIBANDeposit)
	p.Account = owner.OfferedAccount{AccountID: 1, Day: account(1).Day, Held: p.Amount}
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
	return func(p *payment.Payment) { p.Amount = lira(minor) }
}

// askedIn moves a deposit to another time.
func askedIn(d time.Duration) func(*payment.Payment) {
	return func(p *payment.Payment) { p.CreatedAt, p.ExpiresAt = p.CreatedAt.Add(d), p.ExpiresAt.Add(d) }
}

// bankLine is 250.00 from Ayşe Yılmaz, five minutes after her deposit was asked for.
func bankLine(edits ...func(*wallet.BankLine)) wallet.BankLine {
	l := wallet.BankLine{
		WalletID: 3, LineID: "bank-1", ID: "01LINE", Version: 1, Direction: gateway.Incoming, Amount: lira(25000),
		BookedAt: evening.Add(5 * time.Minute), ImportedAt: evening.Add(6 * time.Minute), State: wallet.LineUnmatched,
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
	return func(l *wallet.BankLine) { l.Amount = lira(minor) }
}
func bookedIn(d time.Duration) func(*wallet.BankLine) {
	return func(l *wallet.BankLine) { l.BookedAt = evening.Add(d) }
}

// The codes of the first deposit and of the one beside it.
const (
	ownCode   = "EIBAN-0123456789ABCDEF"
	otherCode = "EIBAN-ZZZZZZZZZZZZZZZZ"
)

// The customers of both.
var ayse, mehmet = owner.CustomerKey{ProviderID: 7, UserID: "u-1"}, owner.CustomerKey{ProviderID: 7, UserID: "u-2"}

// machine decides without a person.
func machine(t testingT) payment.Decision {
	t.Helper()
	d := decision(t)
	d.By, d.Reason = core.Actor{Kind: core.ByGateway, ID: "9"}, ""
	return d
}

func TestOnlyALineOfTheWalletIsImported(t *testing.T) {
	t.Parallel()
	good := gateway.StatementLine{
		ID: "bank-1", EndToEnd: "ref", Direction: gateway.Incoming, Amount: money.MustDecimal("250.00"), Asset: gateway.TRY,
		BookedAt: evening.In(istanbul), Text: "text", Party: gateway.Party{Name: "AYŞE", IBAN: "TR33"}, Reverses: "bank-0",
	}
	got, err := wallet.NewBankLine(aWallet(), good, evening.Add(time.Hour), "01LINE")
	want := wallet.BankLine{
		WalletID: 3, LineID: "bank-1", ID: "01LINE", Version: 1, Direction: gateway.Incoming, Amount: lira(25000), BookedAt: evening,
		Text: "text", Party: gateway.Party{Name: "AYŞE", IBAN: "TR33"}, EndToEnd: "ref", Reverses: "bank-0",
		ImportedAt: evening.Add(time.Hour), State: wallet.LineUnmatched,
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
		"another currency":   func(l *gateway.StatementLine) { l.Asset = usdt },
		"no time":            func(l *gateway.StatementLine) { l.BookedAt = time.Time{} },
	} {
		l := good
		spoil(&l)
		if got, err := wallet.NewBankLine(aWallet(), l, evening, "01LINE"); !fault.Is(err, fault.Invalid) || got != (wallet.BankLine{}) {
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
		state     wallet.LineState
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
		transfer := payment.Payment{ID: "01TRANSFER", TrackingCode: "TRF-1", Status: c.transfer, Amount: lira(25000)}
		var ref *wallet.Reference
		if c.transfer != "" {
			ref = &wallet.Reference{Transfer: transfer}
			for _, d := range c.matched {
				ref.Lines = append(ref.Lines, wallet.BankLine{
					LineID: "of-" + string(d), Direction: d, State: wallet.LineMatched, PaymentID: transfer.ID,
				})
			}
		}
		l := bankLine(bringing(c.amount))
		l.Direction, l.State, l.Version, l.Note = c.direction, wallet.LineUnbooked, 7, "as before"
		change := wallet.DecideBooking(l, ref, evening, newIDs(t, evening))
		if len(core.RowsOf[wallet.BankLine](change)) != 1 || core.RowsOf[wallet.BankLine](change)[0].State != c.state || core.RowsOf[wallet.BankLine](change)[0].Version != 7 {
			t.Fatalf("%s: %+v", name, core.RowsOf[wallet.BankLine](change))
		}
		after := core.RowsOf[wallet.BankLine](change)[0]
		if (after.PaymentID == transfer.ID) != (c.state == wallet.LineMatched) || after.Note == "as before" {
			t.Errorf("%s: %+v", name, after)
		}
		if got := kindsOf(change); got != string(c.entry) {
			t.Errorf("%s: booked as %q, want %q", name, got, c.entry)
		}
		for _, e := range core.RowsOf[ledger.LedgerEntry](change) {
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
	l := bankLine(func(l *wallet.BankLine) { l.Direction, l.State = gateway.Outgoing, wallet.LineMatched })
	transfer := payment.Payment{ID: "01TRANSFER", Status: payment.Completed, Amount: l.Amount}
	ref := &wallet.Reference{Transfer: transfer, Lines: []wallet.BankLine{l}}
	if change := wallet.DecideBooking(l, ref, evening, newIDs(t, evening)); core.RowsOf[wallet.BankLine](change)[0].State != wallet.LineMatched {
		t.Errorf("%+v", core.RowsOf[wallet.BankLine](change)[0])
	}
}

// TestCreditIsADecisionOfItsOwn: a line completes a deposit with its own amount as staff, or the gateway, would, and belongs
// to it from then on.
func TestCreditIsADecisionOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  payment.Status
		by      core.ActorKind
		command payment.Command // empty: refused
		code    fault.Code
		use     int64 // of the account's day
	}{
		"staff, shown":             {payment.Showing, core.ByStaff, payment.Approve, "", 5000},
		"staff, said paid":         {payment.Processing, core.ByStaff, payment.Approve, "", 5000},
		"staff, expired":           {payment.Expired, core.ByStaff, payment.Accept, "", 30000},
		"staff, called off":        {payment.Canceled, core.ByStaff, payment.Accept, "", 30000},
		"staff, completed":         {payment.Completed, core.ByStaff, "", fault.AlreadyFinal, 0},
		"the gateway, shown":       {payment.Showing, core.ByGateway, payment.Succeed, "", 5000},
		"the gateway, said paid":   {payment.Processing, core.ByGateway, payment.Succeed, "", 5000},
		"the system, said paid":    {payment.Processing, core.BySystem, payment.Succeed, "", 5000},
		"the gateway, expired":     {payment.Expired, core.ByGateway, "", fault.AlreadyFinal, 0},
		"the gateway, called off":  {payment.Canceled, core.ByGateway, "", fault.AlreadyFinal, 0},
		"the system, expired":      {payment.Expired, core.BySystem, "", fault.AlreadyFinal, 0},
		"the customer, called off": {payment.Canceled, core.ByCustomer, "", fault.AlreadyFinal, 0},
		"the gateway, completed":   {payment.Completed, core.ByGateway, "", fault.AlreadyFinal, 0},
	} {
		p := deposit(t, inStatus(c.status))
		if c.status.IsFinal() {
			p.Account.Held = lira(0) // given back at its end
		}
		d := decision(t)
		d.By.Kind = c.by
		change, err := wallet.DecideCredit(aWallet(), alone(bankLine(bringing(30000))), p, nil, d)
		if c.command == "" {
			if !fault.Is(err, c.code) || !cmp.Equal(change, core.Changeset{}, exactly) {
				t.Errorf("%s: %v, %+v", name, err, change)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if l := core.RowsOf[wallet.BankLine](change)[0]; l.Version != 2 || l.State != wallet.LineMatched || l.PaymentID != p.ID || l.Note != "why" {
			t.Errorf("%s: %+v", name, l)
		}
		after := core.RowsOf[payment.Payment](change)[0]
		isPaid := after.Status == payment.Completed && after.Amount.Equal(lira(30000)) && after.Account.Held.Equal(lira(30000))
		if !isPaid || after.Version != p.Version+1 {
			t.Errorf("%s: %+v", name, after)
		}
		m := core.RowsOf[payment.Move](change)[len(core.RowsOf[payment.Move](change))-1]
		if m.Command != c.command || m.To != payment.Completed || m.By != d.By || !m.Amount.Equal(lira(30000)) {
			t.Errorf("%s: %+v", name, m)
		}
		if len(core.RowsOf[payment.Callback](change)) != 1 {
			t.Fatalf("%s: %+v", name, core.RowsOf[payment.Callback](change))
		}
		if told := core.RowsOf[payment.Callback](change)[0].Payload; told.Status != payment.Completed || !told.Amount.Equal(lira(30000)) {
			t.Errorf("%s: %+v", name, told)
		}
		if len(core.RowsOf[owner.AccountUse](change)) != 1 || core.RowsOf[owner.AccountUse](change)[0].AccountID != 1 || !core.RowsOf[owner.AccountUse](change)[0].Amount.Equal(lira(c.use)) {
			t.Errorf("%s: %+v", name, core.RowsOf[owner.AccountUse](change))
		}
		if len(core.RowsOf[ledger.LedgerEntry](change)) != 0 {
			t.Errorf("%s: booked again: %+v", name, core.RowsOf[ledger.LedgerEntry](change))
		}
	}
}

// TestALineCreditsOnce: only a line that waits, once, an E-IBAN deposit of the wallet's own dealer.
func TestALineCreditsOnce(t *testing.T) {
	t.Parallel()
	for _, s := range wallet.LineStates() {
		for _, direction := range []gateway.Direction{gateway.Incoming, gateway.Outgoing} {
			l := bankLine(func(l *wallet.BankLine) { l.State, l.Direction = s, direction })
			change, err := wallet.DecideCredit(aWallet(), alone(l), deposit(t), nil, decision(t))
			mayCredit := direction == gateway.Incoming && (s == wallet.LineUnmatched || s == wallet.LineDoubtful)
			if mayCredit != (err == nil) || l.MayCredit() != mayCredit || err != nil && !fault.Is(err, fault.NotAllowed) {
				t.Errorf("%s %s: %v", direction, s, err)
			}
			if err != nil {
				continue
			}
			_, err = wallet.DecideCredit(aWallet(), alone(core.RowsOf[wallet.BankLine](change)[0]), deposit(t, second), nil, decision(t))
			if !fault.Is(err, fault.NotAllowed) {
				t.Errorf("%s %s credits twice: %v", direction, s, err)
			}
		}
	}
	for _, m := range payment.Methods() {
		_, err := wallet.DecideCredit(aWallet(), alone(bankLine()), deposit(t, func(p *payment.Payment) { p.Method = m }), nil, decision(t))
		if isRefused := fault.Is(err, fault.WrongMethod); isRefused == (m == payment.EIBANDeposit) {
			t.Errorf("%s: %v", m, err)
		}
	}
	others := deposit(t, func(p *payment.Payment) { p.DealerID = 6 })
	if _, err := wallet.DecideCredit(aWallet(), alone(bankLine()), others, nil, decision(t)); !fault.Is(err, fault.WrongMethod) {
		t.Errorf("another dealer's: %v", err)
	}
}

// TestSettingALineAside: staff say what a waiting line is, and may take that back; nothing else changes by it.
func TestSettingALineAside(t *testing.T) {
	t.Parallel()
	for _, s := range wallet.LineStates() {
		for name, c := range map[string]struct {
			decide func(wallet.BankLine, payment.Decision) (core.Changeset, error)
			isFit  bool
			want   wallet.LineState
		}{
			"set aside":    {wallet.DecideSetAside, s == wallet.LineUnmatched || s == wallet.LineDoubtful, wallet.LineSetAside},
			"brought back": {wallet.DecideBringBack, s == wallet.LineSetAside, wallet.LineUnmatched},
		} {
			l := bankLine(func(l *wallet.BankLine) { l.State = s })
			change, err := c.decide(l, decision(t))
			if !c.isFit {
				if !fault.Is(err, fault.NotAllowed) || len(core.RowsOf[wallet.BankLine](change)) != 0 {
					t.Errorf("%s %s: %v, %+v", s, name, err, change)
				}
				continue
			}
			l.Version, l.State, l.Note = 2, c.want, "why"
			if want := (core.Changeset{l}); err != nil || !cmp.Equal(change, want, exactly) {
				t.Errorf("%s %s: %v, %+v", s, name, err, change)
			}
		}
	}
}

func TestOnlyALineThatWaitsForADepositIsMatched(t *testing.T) {
	t.Parallel()
	for _, s := range wallet.LineStates() {
		for _, direction := range []gateway.Direction{gateway.Incoming, gateway.Outgoing} {
			l := bankLine()
			l.State, l.Direction = s, direction
			isWaiting := (s == wallet.LineUnmatched || s == wallet.LineDoubtful) && direction == gateway.Incoming
			change, err := wallet.DecideMatch(aWallet(), alone(l), wallet.CertainScore, machine(t))
			if isWaiting && err != nil || !isWaiting && (!fault.Is(err, fault.NotAllowed) || len(core.RowsOf[wallet.BankLine](change)) != 0) {
				t.Errorf("%s %s: %+v, %v", direction, s, change, err)
			}
		}
	}
}
