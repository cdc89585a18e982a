package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// ExportFormat is the format of an export's file.
type ExportFormat string

// Formats.
const (
	CSV  ExportFormat = "csv"  // RFC 4180, UTF-8
	XLSX ExportFormat = "xlsx" // Office Open XML
)

// ExportFormats lists all formats.
func ExportFormats() []ExportFormat { return []ExportFormat{CSV, XLSX} }

// MaxRows is how many rows a file of the format may have: a worksheet ends at 1,048,576.
func (f ExportFormat) MaxRows() int {
	if f == XLSX {
		return 1_000_000
	}
	return 10_000_000
}

// ExportColumn is a column of an export.
type ExportColumn string

// Columns.
const (
	ColTrackingCode ExportColumn = "tracking_code"
	ColMethod       ExportColumn = "method"
	ColStatus       ExportColumn = "status"
	ColProviderID   ExportColumn = "provider_id"
	ColProvider     ExportColumn = "provider"
	ColSiteID       ExportColumn = "site_id"
	ColSiteName     ExportColumn = "site_name"
	ColDealerID     ExportColumn = "dealer_id"
	ColDealer       ExportColumn = "dealer"
	ColUserID       ExportColumn = "user_id"
	ColUsername     ExportColumn = "username"
	ColFullname     ExportColumn = "fullname"
	ColRequested    ExportColumn = "requested_amount"
	ColAmount       ExportColumn = "amount"
	ColRefunded     ExportColumn = "refunded_amount"
	ColCorrected    ExportColumn = "corrected_amount"
	ColCurrency     ExportColumn = "currency"
	ColIBAN         ExportColumn = "iban"
	ColAccountIBAN  ExportColumn = "account_iban"
	ColAccountBank  ExportColumn = "account_bank"
	ColGatewayID    ExportColumn = "gateway_id"
	ColGateway      ExportColumn = "gateway"
	ColOrderID      ExportColumn = "order_id"
	ColRecipient    ExportColumn = "recipient"
	ColReason       ExportColumn = "reason"
	ColCreatedAt    ExportColumn = "created_at"
	ColUpdatedAt    ExportColumn = "updated_at"
	ColFinishedAt   ExportColumn = "finished_at"
)

// ExportColumns lists all columns, in the order of a file that names none.
func ExportColumns() []ExportColumn {
	return []ExportColumn{
		ColTrackingCode, ColMethod, ColStatus, ColProviderID, ColProvider, ColSiteID, ColSiteName, ColDealerID, ColDealer, ColUserID, ColUsername,
		ColFullname, ColRequested, ColAmount, ColRefunded, ColCorrected, ColCurrency, ColIBAN, ColAccountIBAN, ColAccountBank, ColGatewayID,
		ColGateway, ColOrderID, ColRecipient, ColReason, ColCreatedAt, ColUpdatedAt, ColFinishedAt,
	}
}

// CellKind is what sort of value a cell holds.
type CellKind int

// Kinds of cells.
const (
	TextCell   CellKind = iota
	NumberCell          // Text is a plain decimal number
	AmountCell          // Text is a decimal number with the currency's decimals
	TimeCell            // Time, shown in the file's zone; zero: empty
)

// Cell is one value of a row.
type Cell struct {
	Kind CellKind
	Text string
	Enum string // Text is a value of this enum, in capitals: its label is what is written
	Time time.Time
}

// Names are what people call those whose ids rows have.
type Names struct {
	Providers map[int64]string
	Sites     map[int64]string
	Dealers   map[int64]string
	Gateways  map[int64]string
}

// Text, Number, Money and Moment make cells.
func textCell(text string) Cell { return Cell{Text: text} }

// enumCell has what people call a value.
func enumCell[T ~string](enum string, value T) Cell {
	if value == "" {
		return Cell{}
	}
	return Cell{Text: strings.ToUpper(string(value)), Enum: enum}
}

func numberCell(n int64) Cell { return Cell{Kind: NumberCell, Text: strconv.FormatInt(n, 10)} }

func amountCell(amount money.Amount) Cell { return Cell{Kind: AmountCell, Text: amount.String()} }

func momentCell(at time.Time) Cell { return Cell{Kind: TimeCell, Time: at} }

// orNone is the number of what exists; 0 is none.
func orNone(id int64) Cell {
	if id == 0 {
		return Cell{}
	}
	return numberCell(id)
}

// ExportRow is a payment in an export's columns.
func ExportRow(p payment.Payment, columns []ExportColumn, names Names) []Cell {
	cells := make([]Cell, len(columns))
	for i, column := range columns {
		switch column {
		case ColProvider:
			cells[i] = textCell(names.Providers[p.ProviderID])
		case ColDealer:
			cells[i] = textCell(names.Dealers[p.DealerID])
		case ColGateway:
			cells[i] = textCell(names.Gateways[p.Gateway.GatewayID])
		}
		if cellOf := cellsOf[column]; cellOf != nil {
			cells[i] = cellOf(&p)
		}
	}
	return cells
}

// cellsOf are the cells of a payment.
var cellsOf = map[ExportColumn]func(p *payment.Payment) Cell{
	ColTrackingCode: func(p *payment.Payment) Cell { return textCell(p.TrackingCode) },
	ColMethod:       func(p *payment.Payment) Cell { return enumCell("TransactionMethod", p.Method) },
	ColStatus:       func(p *payment.Payment) Cell { return enumCell("TransactionStatus", p.Status.Common()) },
	ColProviderID:   func(p *payment.Payment) Cell { return orNone(p.ProviderID) },
	ColSiteID:       func(p *payment.Payment) Cell { return orNone(p.SiteID) },
	ColSiteName:     func(p *payment.Payment) Cell { return textCell(p.SiteName) },
	ColDealerID:     func(p *payment.Payment) Cell { return orNone(p.DealerID) },
	ColUserID:       func(p *payment.Payment) Cell { return textCell(p.Customer.UserID) },
	ColUsername:     func(p *payment.Payment) Cell { return textCell(p.Customer.Username) },
	ColFullname:     func(p *payment.Payment) Cell { return textCell(p.Customer.Fullname) },
	ColRequested:    func(p *payment.Payment) Cell { return amountCell(p.RequestedAmount) },
	ColAmount:       func(p *payment.Payment) Cell { return amountCell(p.Amount) },
	ColRefunded: func(p *payment.Payment) Cell {
		return amountCell(money.New(p.Gateway.Refunded.Minor(), p.Amount.Currency()))
	},
	ColCorrected: func(p *payment.Payment) Cell {
		return amountCell(money.New(p.CorrectedAmount.Minor(), p.Amount.Currency()))
	},
	ColCurrency:    func(p *payment.Payment) Cell { return textCell(p.Amount.Currency().Code) },
	ColIBAN:        func(p *payment.Payment) Cell { return textCell(p.IBAN) },
	ColAccountIBAN: func(p *payment.Payment) Cell { return textCell(p.Account.IBAN) },
	ColAccountBank: func(p *payment.Payment) Cell { return textCell(p.Account.BankName) },
	ColGatewayID:   func(p *payment.Payment) Cell { return orNone(p.Gateway.GatewayID) },
	ColOrderID:     func(p *payment.Payment) Cell { return textCell(p.Payer.OrderID) },
	ColRecipient:   func(p *payment.Payment) Cell { return textCell(p.Payee.Recipient) },
	ColReason:      func(p *payment.Payment) Cell { return textCell(p.Reason) },
	ColCreatedAt:   func(p *payment.Payment) Cell { return momentCell(p.CreatedAt) },
	ColUpdatedAt:   func(p *payment.Payment) Cell { return momentCell(p.UpdatedAt) },
	ColFinishedAt:  func(p *payment.Payment) Cell { return momentCell(p.FinishedAt) },
}

// ExportTotal adds up the rows of a method and a status, or of a kind.
type ExportTotal struct {
	Method          payment.Method
	Status          payment.Status
	Kind            string // of ListExports: a value of an enum, such as LedgerEntryKind.INCOMING; empty: of all kinds
	Count           int
	RequestedAmount money.Amount // what was asked for
	Amount          money.Amount // the final amounts
}

// AddUp adds payments to totals, which are in order of method, status and currency. The totals given stay as they are.
func AddUp(totals []ExportTotal, payments []payment.Payment) []ExportTotal {
	sums := slices.Clone(totals)
	for i := range payments {
		p := &payments[i]
		sums = added(sums, ExportTotal{Method: p.Method, Status: p.Status, Count: 1, RequestedAmount: p.RequestedAmount, Amount: p.Amount})
	}
	return sums
}

// added adds one to sums.
func added(sums []ExportTotal, one ExportTotal) []ExportTotal {
	at, ok := slices.BinarySearchFunc(sums, one, compareTotals)
	if !ok {
		return slices.Insert(sums, at, one)
	}
	sums[at].Count += one.Count
	sums[at].RequestedAmount = plus(sums[at].RequestedAmount, one.RequestedAmount)
	sums[at].Amount = plus(sums[at].Amount, one.Amount)
	return sums
}

func compareTotals(a, b ExportTotal) int {
	return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Amount.Currency().Code, b.Amount.Currency().Code))
}

// Overall adds up totals by currency; the sums have no method and no status.
func Overall(totals []ExportTotal) []ExportTotal {
	var sums []ExportTotal
	for _, t := range totals {
		t.Method, t.Status, t.Kind = "", "", ""
		sums = added(sums, t)
	}
	return sums
}

func plus(a, b money.Amount) money.Amount { return money.New(a.Minor()+b.Minor(), a.Currency()) }

// TotalColumns are the columns of what adds up a file of a kind.
func TotalColumns(k JobKind) []string {
	if k == ExportJob {
		return []string{"method", "status", "count", "requested_amount", "amount", "currency"}
	}
	return []string{"kind", "count", "amount", "currency"}
}

// Cells are the total as the cells of a row, in the TotalColumns.
func (t ExportTotal) Cells(k JobKind) []Cell {
	count, amount, currency := numberCell(int64(t.Count)), amountCell(t.Amount), textCell(t.Amount.Currency().Code)
	if k == ExportJob {
		return []Cell{
			enumCell("TransactionMethod", t.Method), enumCell("TransactionStatus", t.Status.Common()), count, amountCell(t.RequestedAmount), amount, currency,
		}
	}
	enum, value, _ := strings.Cut(t.Kind, ".")
	return []Cell{enumCell(enum, value), count, amount, currency}
}

// FileState is how far a file is written: all that its writer has to know to go on, in whatever process.
type FileState struct {
	Bytes   int64       `json:"bytes"`             // of the whole file so far
	Rows    int         `json:"rows"`              // of the table so far, with its header
	Entries []FileEntry `json:"entries,omitempty"` // XLSX: of the archive, in order; the last one may not be complete
}

// FileEntry is a file within an archive.
type FileEntry struct {
	Name   string `json:"name"`
	Offset int64  `json:"offset"`
	CRC    uint32 `json:"crc"`
	Packed int64  `json:"packed"` // bytes, compressed
	Size   int64  `json:"size"`   // bytes
}

// FilePart is what is written next.
type FilePart struct {
	State     FileState
	Header    []string // of the table: it begins the first part
	SheetName string   // XLSX: of the table
	Rows      [][]Cell
	HasBOM    bool           // CSV
	Zone      *time.Location // of times
	Style     FileStyle

	IsLast       bool
	TotalsName   string   // of what adds up the table
	TotalsHeader []string // as many as each of Totals has cells
	Totals       [][]Cell // they end the last part
}

// FileStyle is how numbers and moments are written. Excel reads CSV as the settings of its computer say: in Turkey with semicolons
// between cells, and a comma before decimals.
type FileStyle struct {
	IsTurkish bool
}
