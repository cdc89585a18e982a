package wallet

import (
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Reconciliation is one day of one wallet: our ledger against the bank's statement and balance.
type Reconciliation struct {
	WalletID     int64
	Day          core.Day
	Version      int
	DealerID     int64 // of the wallet, for whose staff see it
	ReconciledAt time.Time

	MatchedCount  int          // lines that the ledger accounts for
	LedgerIn      money.Amount // what the ledger took in for the day's lines
	LedgerOut     money.Amount
	Adjusted      money.Amount // what adjustments have added since, to settle the day; negative: taken off
	LedgerClosing money.Amount // the opening balance and everything until the day's end
	BankIn        money.Amount
	BankOut       money.Amount
	BankClosing   money.Amount // what the bank says that the account held
	HasBank       bool         // it does say so; otherwise there is no BankClosing
	Differences   []Difference
	IsCut         bool // there were more differences than are kept
}

// Identity implements Row.
func (r Reconciliation) Identity() core.Identity {
	return core.Identity{Table: "reconciliations", Key: strconv.FormatInt(r.WalletID, 10) + "/" + string(r.Day), Version: r.Version}
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

// DifferenceKinds returns all kinds.
func DifferenceKinds() []DifferenceKind {
	return []DifferenceKind{MissingHere, MissingThere, AmountDiffers, BalanceDiffers}
}

// Difference is one thing of a day on which ledger and bank disagree. Reason, when set, is somebody's explanation.
type Difference struct {
	Kind        DifferenceKind
	LineID      string       // of the bank; empty: it has none
	EntryID     core.ID      // of the ledger; empty: it has none
	PaymentID   core.ID      // the transfer or deposit; empty: none
	Ours        money.Amount // positive: in; zero: nothing
	Theirs      money.Amount
	Reason      string
	ExplainedBy core.Actor
	ExplainedAt time.Time // of the explanation
}

// differenceKey distinguishes the differences of a day.
type differenceKey struct {
	kind  DifferenceKind
	line  string
	entry core.ID
}

func (d Difference) key() differenceKey { return differenceKey{d.Kind, d.LineID, d.EntryID} }

// OpenCount counts the differences that nobody has explained. What is not kept of them nobody can have: a day that is cut is
// never without.
func (r Reconciliation) OpenCount() int {
	n := 0
	if r.IsCut {
		n = 1
	}
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
	Wallet      Wallet
	Day         core.Day
	Opening     money.Amount   // of the ledger: the closing of the day before, or the wallet's opening balance
	Statement   []BankLine     // as the bank lists the day now, in its order
	Lines       []BankLine     // ours: booked on the day, or matched with a transfer that was posted on it
	Entries     []ledger.Entry // made on the day, about its lines, or posted for the transfers of its lines
	Adjustments []ledger.Entry // that settle the day, whenever they were made
	IsOfDay     func(time.Time) bool
	Closing     money.Amount // what the bank says that the account held at the day's end
	HasBank     bool
}

// ReconciliationQuery asks for reconciled days, newest first. Zero fields do not narrow.
type ReconciliationQuery struct {
	core.Scope
	WalletID int64
	IsOpen   *bool // whether it has differences that nobody has explained; nil: either
	core.Paging[DayCursor]
}

// DayCursor is a place in the list of reconciled days, of which those of one day are in the order of their wallets, too.
type DayCursor struct {
	Day      core.Day
	WalletID int64
}

// Cursor is the day's place in the list.
func (r Reconciliation) Cursor() DayCursor { return DayCursor{r.Day, r.WalletID} }

// comparison is the work on a day. A line, ours or the bank's, counts on the day on which it was booked; a transfer on the
// day of its line, whenever it was confirmed, and on the day of its post as long as there is none.
type comparison struct {
	DayBook
	r        Reconciliation
	listed   map[string]BankLine // the day's lines as the bank lists them
	ours     map[string]BankLine // and as we have them
	byLine   map[string]ledger.Entry
	posts    map[core.ID]ledger.Entry // by transfer
	outgoing map[core.ID]bool         // transfers with an outgoing line, of whatever day
}

// DecideReconciliation compares a day. Known is the same day's earlier comparison: what was explained then stays so, unless
// its figures are others now.
func DecideReconciliation(b DayBook, known *Reconciliation, at time.Time) core.Changeset {
	c := comparison{
		DayBook: b, listed: map[string]BankLine{}, ours: map[string]BankLine{}, byLine: map[string]ledger.Entry{},
		posts: map[core.ID]ledger.Entry{}, outgoing: map[core.ID]bool{},
		r: Reconciliation{
			WalletID: b.Wallet.ID, DealerID: b.Wallet.DealerID, Day: b.Day, Version: 1, ReconciledAt: at, HasBank: b.HasBank,
			LedgerIn: money.Kurus(0), LedgerOut: money.Kurus(0), Adjusted: money.Kurus(0), BankIn: money.Kurus(0), BankOut: money.Kurus(0),
		},
	}
	c.index()
	c.compareLines()
	c.comparePosts()
	c.compareBalance()
	if known != nil {
		c.r.Version = known.Version + 1
		c.r.explainAs(*known)
	}
	return core.Changeset{c.r}
}

func (c *comparison) index() {
	c.Lines = slices.DeleteFunc(slices.Clone(c.Lines), c.showsAdjustment)
	for _, l := range c.Lines {
		if l.Direction == gateway.Outgoing && l.PaymentID != "" {
			c.outgoing[l.PaymentID] = true
		}
		if c.IsOfDay(l.BookedAt) {
			c.ours[l.LineID] = l
		}
	}
	for _, l := range c.Statement {
		if c.IsOfDay(l.BookedAt) {
			c.listed[l.LineID] = l // also where the bank lists it twice
		}
	}
	for _, e := range c.Entries {
		c.byLine[e.LineID] = e
		if e.Kind == ledger.EntryPost {
			c.posts[e.PaymentID] = e
		}
	}
}

// showsAdjustment reports whether a line of ours is none of the bank's: it shows the dealer an adjustment (D5), which counts on
// the day that it settles.
func (c *comparison) showsAdjustment(l BankLine) bool {
	return slices.ContainsFunc(c.Entries, func(e ledger.Entry) bool { return e.Kind == ledger.EntryAdjustment && e.LineID == l.LineID })
}

// compareLines takes every line of the day, the bank's and ours, once.
func (c *comparison) compareLines() {
	isSeen := map[string]bool{}
	for _, l := range slices.Concat(c.Statement, c.Lines) {
		if !isSeen[l.LineID] {
			isSeen[l.LineID] = true
			c.compareLine(l.LineID)
		}
	}
}

func (c *comparison) compareLine(id string) {
	theirs, isListed := c.listed[id]
	entry, isBooked := c.bookingOf(id)
	d := Difference{LineID: id, PaymentID: c.ours[id].PaymentID, Ours: money.Kurus(0), Theirs: money.Kurus(0)}
	if isListed {
		d.Theirs = theirs.change()
		count(&c.r.BankIn, &c.r.BankOut, d.Theirs)
	}
	if isBooked {
		d.EntryID, d.Ours = entry.ID, entry.Change()
		count(&c.r.LedgerIn, &c.r.LedgerOut, d.Ours)
	}
	switch {
	case isListed && !isBooked:
		d.Kind = MissingHere
	case isBooked && !isListed:
		d.Kind = MissingThere
	case !d.Ours.Equal(d.Theirs):
		d.Kind = AmountDiffers
	default:
		if isListed {
			c.r.MatchedCount++
		}
		return
	}
	c.r.Differences = append(c.r.Differences, d)
}

// bookingOf finds what the ledger has of a line of ours: its own entry, or the post of its transfer.
func (c *comparison) bookingOf(id string) (ledger.Entry, bool) {
	ours, isOurs := c.ours[id]
	entry, isBooked := c.byLine[id]
	if !isBooked && ours.Direction == gateway.Outgoing {
		entry, isBooked = c.posts[ours.PaymentID]
	}
	return entry, isOurs && isBooked
}

// comparePosts takes the transfers that were confirmed on the day, and of which the bank has no line.
func (c *comparison) comparePosts() {
	for _, e := range c.Entries {
		if e.Kind == ledger.EntryPost && c.IsOfDay(e.At) && !c.outgoing[e.PaymentID] {
			count(&c.r.LedgerIn, &c.r.LedgerOut, e.Change())
			c.r.Differences = append(c.r.Differences, Difference{
				Kind: MissingThere, EntryID: e.ID, PaymentID: e.PaymentID, Ours: e.Change(), Theirs: money.Kurus(0),
			})
		}
	}
}

// compareBalance closes the day.
func (c *comparison) compareBalance() {
	r := &c.r
	for _, e := range c.Adjustments {
		r.Adjusted = money.Kurus(r.Adjusted.Minor() + e.Change().Minor())
	}
	r.LedgerClosing = money.Kurus(c.Opening.Minor() + r.LedgerIn.Minor() - r.LedgerOut.Minor() + r.Adjusted.Minor())
	if c.HasBank {
		r.BankClosing = c.Closing
	}
	r.weighBalance()
}

// weighBalance adds the difference of the balances, where they differ. It comes first: it is never among what is cut.
func (r *Reconciliation) weighBalance() {
	if !r.BalanceAgrees() && r.HasBank {
		d := Difference{Kind: BalanceDiffers, Ours: r.LedgerClosing, Theirs: r.BankClosing}
		r.Differences = slices.Insert(r.Differences, 0, d)
	}
	if len(r.Differences) > maxDifferences {
		r.IsCut, r.Differences = true, slices.Clip(r.Differences[:maxDifferences])
	}
}

// BalanceAgrees reports whether the bank says that the account held what the ledger does.
func (r Reconciliation) BalanceAgrees() bool {
	return r.HasBank && r.BankClosing.Equal(r.LedgerClosing)
}

// change is what a line changes the account by.
func (l BankLine) change() money.Amount {
	if l.Direction == gateway.Outgoing {
		return money.Kurus(-l.Amount.Minor())
	}
	return l.Amount
}

// count adds a change to what came in or to what went out.
func count(in, out *money.Amount, change money.Amount) {
	if change.Minor() >= 0 {
		*in = money.Kurus(in.Minor() + change.Minor())
	} else {
		*out = money.Kurus(out.Minor() - change.Minor())
	}
}

// explainAs takes over the explanations of an earlier comparison of differences that are still as they were.
func (r *Reconciliation) explainAs(known Reconciliation) {
	explained := map[differenceKey]Difference{}
	for _, d := range known.Differences {
		if d.Reason != "" {
			explained[d.key()] = d
		}
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		if old, ok := explained[d.key()]; ok && old.Ours.Equal(d.Ours) && old.Theirs.Equal(d.Theirs) {
			d.Reason, d.ExplainedBy, d.ExplainedAt = old.Reason, old.ExplainedBy, old.ExplainedAt
		}
	}
}

// DecideExplain keeps somebody's explanation of a day's difference, named by what it is about. Fault: NotFound.
func DecideExplain(r Reconciliation, line string, entry core.ID, kind DifferenceKind, d payment.Decision) (core.Changeset, error) {
	wanted := Difference{Kind: kind, LineID: line, EntryID: entry}.key()
	list := slices.Clone(r.Differences)
	for i := range list {
		if list[i].key() == wanted {
			list[i].Reason, list[i].ExplainedBy, list[i].ExplainedAt = d.Reason, d.By, d.At
			r.Version++
			r.Differences = list
			return core.Changeset{r}, nil
		}
	}
	return core.Changeset{}, fault.New("core.DecideExplain", fault.NotFound)
}
