package core

import (
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Reconciliation is one day of one wallet: our ledger against the bank's statement and balance.
type Reconciliation struct {
	WalletID int64
	Day      Day
	Version  int
	DealerID int64 // of the wallet, for whose staff see it
	At       time.Time

	Matched       int          // lines that the ledger accounts for
	LedgerIn      money.Amount // what the ledger took in for the day's lines
	LedgerOut     money.Amount
	LedgerClosing money.Amount // the opening balance and everything until the day's end
	BankIn        money.Amount
	BankOut       money.Amount
	BankClosing   money.Amount // what the bank says that the account held
	HasBank       bool         // it does say so; otherwise there is no BankClosing
	Differences   []Difference
	IsCut         bool // there were more differences than are kept
}

// DifferenceKind says what does not agree.
type DifferenceKind string

// Kinds of differences.
const (
	MissingHere    DifferenceKind = "missing_here"  // the bank has it, the ledger does not
	MissingThere   DifferenceKind = "missing_there" // the ledger has it, the bank does not
	AmountDiffers  DifferenceKind = "amount_differs"
	BalanceDiffers DifferenceKind = "balance_differs" // of the day's end
)

// Difference is one thing of a day on which ledger and bank disagree. Reason, when set, is somebody's explanation.
type Difference struct {
	Kind      DifferenceKind
	LineID    string       // of the bank; empty: it has none
	EntryID   ID           // of the ledger; empty: it has none
	PaymentID ID           // the transfer or deposit; empty: none
	Ours      money.Amount // positive: in; zero: nothing
	Theirs    money.Amount
	Reason    string
	By        Actor
	At        time.Time // of the explanation
}

// key tells differences of a day apart.
func (d Difference) key() string { return string(d.Kind) + " " + d.LineID + " " + string(d.EntryID) }

// Open counts the differences that nobody has explained.
func (r Reconciliation) Open() int {
	n := 0
	for _, d := range r.Differences {
		if d.Reason == "" {
			n++
		}
	}
	return n
}

// maxDifferences bounds what is kept of a day.
const maxDifferences = 500

// DayBook is everything that a day's reconciliation looks at.
type DayBook struct {
	Wallet    Wallet
	Day       Day
	Opening   money.Amount  // of the ledger: the closing of the day before, or the wallet's opening balance
	Statement []BankLine    // as the bank lists the day now, in its order
	Lines     []BankLine    // ours: booked on the day, or matched with a transfer that was posted on it
	Entries   []LedgerEntry // made on the day, about its lines, or posted for the transfers of its lines
	IsOfDay   func(time.Time) bool
	Closing   money.Amount // what the bank says that the account held at the day's end
	HasBank   bool
}

// ReconciliationQuery asks for reconciled days, newest first. Zero fields do not narrow.
type ReconciliationQuery struct {
	Scope
	WalletID int64
	OnlyOpen bool
	Before   Day // keyset cursor within a wallet: only earlier ones
	Limit    int
}

// signed is an amount as it changes the account.
func signed(direction gateway.Direction, amount money.Amount) money.Amount {
	if direction == gateway.Outgoing {
		return money.New(-amount.Minor(), amount.Currency())
	}
	return amount
}

// books is the work on a day.
type books struct {
	DayBook
	r        Reconciliation
	listed   map[string]BankLine // by line, as the bank lists it
	ours     map[string]BankLine
	byLine   map[string]LedgerEntry
	posts    map[ID]LedgerEntry // by transfer
	outgoing map[ID]bool        // transfers with an outgoing line
}

// DecideReconciliation compares a day. Known is the same day's earlier comparison: what was explained then stays so.
func DecideReconciliation(b DayBook, known *Reconciliation, at time.Time) Changeset {
	zero := money.New(0, money.TRY)
	w := books{
		DayBook: b, listed: map[string]BankLine{}, ours: map[string]BankLine{}, byLine: map[string]LedgerEntry{},
		posts: map[ID]LedgerEntry{}, outgoing: map[ID]bool{},
		r: Reconciliation{
			WalletID: b.Wallet.ID, DealerID: b.Wallet.DealerID, Day: b.Day, Version: 1, At: at, LedgerIn: zero, LedgerOut: zero,
			BankIn: zero, BankOut: zero, BankClosing: b.Closing, HasBank: b.HasBank,
		},
	}
	w.index()
	w.compareLines()
	w.comparePosts()
	w.r.LedgerClosing = money.New(b.Opening.Minor()+w.r.LedgerIn.Minor()-w.r.LedgerOut.Minor(), money.TRY)
	if b.HasBank && !b.Closing.Equal(w.r.LedgerClosing) {
		w.add(Difference{Kind: BalanceDiffers, Ours: w.r.LedgerClosing, Theirs: b.Closing})
	}
	if known != nil {
		w.r.Version = known.Version + 1
		w.r.explainAs(*known)
	}
	return Changeset{Reconciliations: []Reconciliation{w.r}}
}

func (w *books) index() {
	for _, l := range w.Lines {
		w.ours[l.LineID] = l
		if l.Direction == gateway.Outgoing && l.PaymentID != "" {
			w.outgoing[l.PaymentID] = true
		}
	}
	for _, l := range w.Statement {
		if _, twice := w.listed[l.LineID]; !twice {
			w.listed[l.LineID] = l
			w.count(&w.r.BankIn, &w.r.BankOut, signed(l.Direction, l.Amount))
		}
	}
	for _, e := range w.Entries {
		if e.LineID != "" {
			w.byLine[e.LineID] = e
		}
		if e.Kind == EntryPost {
			w.posts[e.PaymentID] = e
		}
	}
}

func (w *books) count(in, out *money.Amount, change money.Amount) {
	if change.Minor() >= 0 {
		*in = money.New(in.Minor()+change.Minor(), money.TRY)
	} else {
		*out = money.New(out.Minor()-change.Minor(), money.TRY)
	}
}

func (w *books) add(d Difference) {
	if len(w.r.Differences) == maxDifferences {
		w.r.IsCut = true
		return
	}
	w.r.Differences = append(w.r.Differences, d)
}

// change is what an entry changes the wallet by.
func change(e LedgerEntry) money.Amount { return money.New(-e.Outside.Minor(), money.TRY) }

// compareLines takes every line of the day, the bank's and ours, once.
func (w *books) compareLines() {
	seen := map[string]bool{}
	for _, l := range append(append([]BankLine{}, w.Statement...), w.Lines...) {
		if seen[l.LineID] || !w.IsOfDay(l.BookedAt) {
			continue
		}
		seen[l.LineID] = true
		w.compareLine(l)
	}
}

func (w *books) compareLine(l BankLine) {
	zero := money.New(0, money.TRY)
	theirs, isListed := w.listed[l.LineID]
	ours, isOurs := w.ours[l.LineID]
	entry, isBooked := w.byLine[l.LineID]
	if !isBooked && isOurs && ours.State == LineMatched && ours.Direction == gateway.Outgoing {
		entry, isBooked = w.posts[ours.PaymentID]
	}
	d := Difference{LineID: l.LineID, PaymentID: ours.PaymentID, Ours: zero, Theirs: zero}
	if isListed {
		d.Theirs = signed(theirs.Direction, theirs.Amount)
	}
	if isBooked {
		d.EntryID, d.Ours = entry.ID, change(entry)
		w.count(&w.r.LedgerIn, &w.r.LedgerOut, d.Ours)
	}
	switch {
	case isListed && !isBooked:
		d.Kind = MissingHere
	case !isListed && isBooked:
		d.Kind = MissingThere
	case !isListed:
		return // neither has it
	case !d.Ours.Equal(d.Theirs):
		d.Kind = AmountDiffers
	default:
		w.r.Matched++
		return
	}
	w.add(d)
}

// comparePosts takes what the ledger has of the day and no line of the bank tells of: transfers that were confirmed.
func (w *books) comparePosts() {
	for _, e := range w.Entries {
		if e.Kind != EntryPost || !w.IsOfDay(e.At) || w.outgoing[e.PaymentID] {
			continue
		}
		w.count(&w.r.LedgerIn, &w.r.LedgerOut, change(e))
		w.add(Difference{
			Kind: MissingThere, EntryID: e.ID, PaymentID: e.PaymentID, Ours: change(e), Theirs: money.New(0, money.TRY),
		})
	}
}

// explainAs takes over the explanations of an earlier comparison of differences that are still as they were.
func (r *Reconciliation) explainAs(known Reconciliation) {
	explained := map[string]Difference{}
	for _, d := range known.Differences {
		if d.Reason != "" {
			explained[d.key()] = d
		}
	}
	for i, d := range r.Differences {
		if old, ok := explained[d.key()]; ok && old.Ours.Equal(d.Ours) && old.Theirs.Equal(d.Theirs) {
			r.Differences[i] = old
		}
	}
}

// DecideExplain keeps somebody's explanation of a day's difference, named by what it is about. Fault: NotFound.
func DecideExplain(r Reconciliation, line string, entry ID, kind DifferenceKind, d Decision) (Changeset, error) {
	wanted := Difference{Kind: kind, LineID: line, EntryID: entry}.key()
	list := append([]Difference{}, r.Differences...)
	for i := range list {
		if list[i].key() == wanted {
			list[i].Reason, list[i].By, list[i].At = d.Reason, d.By, d.At
			r.Version++
			r.Differences = list
			return Changeset{Reconciliations: []Reconciliation{r}}, nil
		}
	}
	return Changeset{}, fault.New("core.DecideExplain", fault.NotFound)
}
