package report

import (
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// ListFilter is what an export that is none of transactions is narrowed to, as it is stored. Its scope is the job's.
type ListFilter struct {
	WalletID string    `json:"walletId,omitempty"` // its public id
	Wallet   int64     `json:"wallet,omitempty"`
	From     time.Time `json:"from,omitzero"`
	Until    time.Time `json:"until,omitzero"`

	Lines      LineFilter       `json:"lines,omitzero"`
	Audit      AuditFilter      `json:"audit,omitzero"`
	Statistics StatisticsFilter `json:"statistics,omitzero"`
}

// LineFilter is a wallet.LineQuery as it is stored.
type LineFilter struct {
	Statuses  []wallet.LineStatus `json:"statuses,omitempty"`
	Direction gateway.Direction   `json:"direction,omitempty"`
	Text      string              `json:"text,omitempty"`
	Amount    int64               `json:"amountMinor,omitempty"`
	MinAmount int64               `json:"minAmountMinor,omitempty"`
	MaxAmount int64               `json:"maxAmountMinor,omitempty"`
}

// AuditFilter is a core.AuditQuery as it is stored.
type AuditFilter struct {
	ActorKind core.ActorKind `json:"actorKind,omitempty"`
	ActorID   string         `json:"actorId,omitempty"`
	Action    string         `json:"action,omitempty"`
	Target    string         `json:"target,omitempty"`
}

// StatisticsFilter is a StatisticsQuery as it is stored.
type StatisticsFilter struct {
	Methods   []payment.Method `json:"methods,omitempty"`
	Providers []int64          `json:"providers,omitempty"`
	SiteID    int64            `json:"siteId,omitempty"`
	DealerID  int64            `json:"dealerId,omitempty"`
	GatewayID int64            `json:"gatewayId,omitempty"`
	Currency  string           `json:"currency,omitempty"`
	GroupBy   []Dimension      `json:"by,omitempty"`
	Interval  Interval         `json:"per,omitempty"`
}

// UTC is the filter with its moments in UTC, as all others are.
func (f ListFilter) UTC() ListFilter {
	f.From, f.Until = f.From.UTC(), f.Until.UTC()
	return f
}

// FilterOfLines is what a query of lines is stored as.
func FilterOfLines(q wallet.LineQuery) ListFilter {
	return ListFilter{Wallet: q.WalletID, From: q.BookedFrom, Until: q.BookedUntil, Lines: LineFilter{
		Statuses: q.Statuses, Direction: q.Direction, Text: q.Text,
		Amount: q.Amount.Minor(), MinAmount: q.MinAmount.Minor(), MaxAmount: q.MaxAmount.Minor(),
	}}
}

// LineQuery is the query of lines of a scope.
func (f ListFilter) LineQuery(scope core.Scope) wallet.LineQuery {
	lira := func(minor int64) money.Amount {
		if minor == 0 {
			return money.Amount{}
		}
		return money.New(minor, money.TRY)
	}
	l := f.Lines
	return wallet.LineQuery{
		Scope: scope.OfDealers(), WalletID: f.Wallet, Statuses: l.Statuses, Direction: l.Direction, Text: l.Text,
		Amount: lira(l.Amount), MinAmount: lira(l.MinAmount), MaxAmount: lira(l.MaxAmount), BookedFrom: f.From, BookedUntil: f.Until,
	}
}

// FilterOfAudit is what a query of the audit log is stored as.
func FilterOfAudit(q core.AuditQuery) ListFilter {
	return ListFilter{From: q.From, Until: q.Until, Audit: AuditFilter{
		ActorKind: q.ActorKind, ActorID: q.ActorID, Action: q.Action, Target: q.Target,
	}}
}

// AuditQuery is the query of the audit log.
func (f ListFilter) AuditQuery() core.AuditQuery {
	a := f.Audit
	return core.AuditQuery{ActorKind: a.ActorKind, ActorID: a.ActorID, Action: a.Action, Target: a.Target, From: f.From, Until: f.Until}
}

// FilterOfStatistics is what a query of statistics is stored as.
func FilterOfStatistics(q StatisticsQuery) ListFilter {
	return ListFilter{From: q.From, Until: q.Until, Statistics: StatisticsFilter{
		Methods: q.Methods, Providers: q.Providers, SiteID: q.SiteID, DealerID: q.DealerID, GatewayID: q.GatewayID, Currency: q.Currency,
		GroupBy: q.GroupBy, Interval: q.Interval,
	}}
}

// StatisticsQuery is the query of statistics.
func (f ListFilter) StatisticsQuery() StatisticsQuery {
	s := f.Statistics
	return StatisticsQuery{
		From: f.From, Until: f.Until, Methods: s.Methods, Providers: s.Providers, SiteID: s.SiteID, DealerID: s.DealerID,
		GatewayID: s.GatewayID, Currency: s.Currency, GroupBy: s.GroupBy, Interval: s.Interval,
	}
}

// ListColumns are the columns of a file of a kind.
func ListColumns(k JobKind) []string {
	switch k {
	case StatementExport, BankLinesExport:
		return []string{
			"wallet", "line_id", "booked_at", "direction", "amount", "currency", "status", "counterparty", "counterparty_iban", "text",
			"end_to_end_id", "tracking_code", "note", "imported_at",
		}
	case LedgerExport:
		return []string{
			"wallet", "entry_id", "at", "kind", "available", "reserved", "outside", "currency", "tracking_code", "line_id", "note", "day", "booked_by",
		}
	case StatisticsExport:
		return []string{
			"from", "until", "method", "status", "provider_id", "provider", "site_id", "site_name", "dealer_id", "dealer", "gateway_id", "gateway", "currency", "count", "ended",
			"approved", "approval_percent", "requested_amount", "approved_amount", "corrected_amount", "median_decision", "p90_decision",
			"delivered_callbacks", "failed_callbacks", "median_callback",
		}
	default:
		return []string{"at", "actor_kind", "actor", "address", "action", "target", "reason", "before", "after", "chain_number"}
	}
}

// LineRow is a bank line in the columns of its files.
func LineRow(l wallet.BankLine, walletName, trackingCode string) []Cell {
	amount := l.Amount
	if l.Direction == gateway.Outgoing {
		amount = money.New(-amount.Minor(), amount.Currency())
	}
	return []Cell{
		textCell(walletName), textCell(l.LineID), momentCell(l.BookedAt), enumCell("BankLineDirection", l.Direction), amountCell(amount),
		textCell(amount.Currency().Code), enumCell("BankLineStatus", l.Status), textCell(l.Party.Name), textCell(l.Party.IBAN), textCell(l.Text),
		textCell(l.EndToEndID), textCell(trackingCode), textCell(l.Note), momentCell(l.ImportedAt),
	}
}

// LineTotals adds lines to totals by direction. What went out is negative.
func LineTotals(totals []ExportTotal, lines []wallet.BankLine) []ExportTotal {
	for _, l := range lines {
		amount := l.Amount
		if l.Direction == gateway.Outgoing {
			amount = money.New(-amount.Minor(), amount.Currency())
		}
		totals = addedKind(totals, "BankLineDirection", string(l.Direction), amount)
	}
	return totals
}

// EntryRow is a booking in the columns of its files.
func EntryRow(e ledger.Entry, walletName, trackingCode string) []Cell {
	return []Cell{
		textCell(walletName), textCell(string(e.ID)), momentCell(e.At), enumCell("LedgerEntryKind", e.Kind), amountCell(e.Available),
		amountCell(e.Reserved), amountCell(e.Outside), textCell(e.Available.Currency().Code), textCell(trackingCode), textCell(e.LineID), textCell(e.Note),
		textCell(string(e.Day)), textCell(e.BookedBy.Name),
	}
}

// EntryTotals adds bookings to totals by kind: what each kind did to what may be sent.
func EntryTotals(totals []ExportTotal, entries []ledger.Entry) []ExportTotal {
	for _, e := range entries {
		totals = addedKind(totals, "LedgerEntryKind", string(e.Kind), e.Available)
	}
	return totals
}

func addedKind(totals []ExportTotal, enum, value string, amount money.Amount) []ExportTotal {
	kind := enumCell(enum, value)
	return added(totals, ExportTotal{Kind: kind.Enum + "." + kind.Text, Count: 1, RequestedAmount: money.New(0, amount.Currency()), Amount: amount})
}

// AuditRow is an entry of the audit log in the columns of its files.
func AuditRow(r core.AuditRecord) []Cell {
	return []Cell{
		momentCell(r.At), enumCell("ActorKind", r.Actor.Kind), textCell(r.Actor.Name), textCell(r.Actor.Addr), textCell(r.Action), textCell(r.Target),
		textCell(r.Reason), textCell(r.Before), textCell(r.After), orNone(r.ChainNumber),
	}
}

// StatisticsCells is a row of statistics, of an interval that ends at a moment, in the columns of its files. Durations are in seconds.
func StatisticsCells(r StatisticsRow, until time.Time, names Names) []Cell {
	currency, _ := money.CurrencyOf(r.Key.Currency)
	amount := func(minor int64) Cell { return amountCell(money.New(minor, currency)) }
	took := func(d LatencyHistogram, percent int64) Cell {
		at, ok := d.Percentile(percent)
		if !ok {
			return Cell{}
		}
		return Cell{Kind: NumberCell, Text: strconv.FormatInt(at.Milliseconds()/1000, 10)} //nolint:mnd // seconds
	}
	share := Cell{}
	if r.Ended > 0 {
		share = numberCell((r.Approved*200 + r.Ended) / (2 * r.Ended)) //nolint:mnd // percent, rounded
	}
	return []Cell{
		momentCell(r.At), momentCell(until), enumCell("TransactionMethod", r.Key.Method), enumCell("TransactionStatus", r.Key.Status.Common()),
		orNone(r.Key.ProviderID), textCell(names.Providers[r.Key.ProviderID]), orNone(r.Key.SiteID),
		textCell(names.Sites[r.Key.SiteID]), orNone(r.Key.DealerID), textCell(names.Dealers[r.Key.DealerID]),
		orNone(r.Key.GatewayID), textCell(names.Gateways[r.Key.GatewayID]), textCell(r.Key.Currency), numberCell(r.Count), numberCell(r.Ended),
		numberCell(r.Approved), share, amount(r.Requested), amount(r.Final), amount(r.Corrected), took(r.Decisions, half), took(r.Decisions, most),
		numberCell(r.Delivered), numberCell(r.Failed), took(r.Delays, half),
	}
}

// Percentiles of what statistics tell.
const (
	half = 50
	most = 90
)

// StatisticsTotals adds rows of statistics up by method.
func StatisticsTotals(totals []ExportTotal, rows []StatisticsRow) []ExportTotal {
	for _, r := range rows {
		currency, _ := money.CurrencyOf(r.Key.Currency)
		kind := ""
		if r.Key.Method != "" {
			kind = "TransactionMethod." + enumCell("", r.Key.Method).Text
		}
		totals = added(totals, ExportTotal{
			Kind: kind, Count: int(r.Count), RequestedAmount: money.New(r.Requested, currency), Amount: money.New(r.Final, currency),
		})
	}
	return totals
}
