package report

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// promptly is within how long after a payment's end a callback is delivered promptly: before the second attempt of the default schedule.
const promptly = 30 * time.Second

// Month is what is reported of a month: of the payments that were created in it, and of discrepancies.
type Month struct {
	From         time.Time `json:"from"`          // the month's beginning in the service's time zone
	Until        time.Time `json:"until"`         // its end, which is not in it
	CountedUntil time.Time `json:"counted_until"` // everything that was committed before is in

	Payments      []MonthPayments    `json:"payments"`
	Gateways      []MonthGateway     `json:"gateways"`
	Callbacks     MonthCallbacks     `json:"callbacks"`
	Discrepancies MonthDiscrepancies `json:"discrepancies"`
	QuietDays     []string           `json:"quiet_days"` // on which no payment was created, such as 2026-10-03
}

// MonthPayments are those of one method, outcome and currency. Amounts are texts with the currency's decimals, such as "250.00".
type MonthPayments struct {
	Method    payment.Method `json:"method"`
	Status    payment.Status `json:"status"`
	Currency  string         `json:"currency"`
	Count     int64          `json:"count"`
	Requested string         `json:"requested"`
	Final     string         `json:"final"`     // of those that were approved
	Corrected string         `json:"corrected"` // what corrections have added to it, or taken
}

// MonthGateway is of the payments that went through one gateway account.
type MonthGateway struct {
	GatewayID int64 `json:"gateway_id"`
	Count     int64 `json:"count"`
	Ended     int64 `json:"ended"`
	Approved  int64 `json:"approved"`
}

// MonthCallbacks are those of the month's payments that have ended, without those that were superseded.
type MonthCallbacks struct {
	Prompt int64 `json:"prompt"` // delivered within about 30 seconds
	Late   int64 `json:"late"`   // delivered after that
	Failed int64 `json:"failed"` // given up

	Median time.Duration `json:"-"` // of those that were delivered
	Last5  time.Duration `json:"-"` // which all but five in a hundred are within
}

// MonthDiscrepancies are those that were found or closed in the month. Counting stops at a bound.
type MonthDiscrepancies struct {
	Opened    int  `json:"opened"`
	Closed    int  `json:"closed"`
	OpenAtEnd int  `json:"open_at_end"`
	IsCut     bool `json:"is_cut"` // there are more than were looked at, which are older
}

// Take puts tallies into the report. They are told apart by method and status, by gateway, and by day.
func (m *Month) Take(payments, gateways, days []StatisticsRow, zone *time.Location) {
	var delays LatencyHistogram
	for _, r := range payments {
		currency, ok := money.CurrencyOf(r.Key.Currency)
		if !ok {
			currency = money.Currency{Code: r.Key.Currency} // minor units, of what is not known
		}
		text := func(minor int64) string { return money.New(minor, currency).String() }
		m.Payments = append(m.Payments, MonthPayments{
			Method: r.Key.Method, Status: r.Key.Status, Currency: r.Key.Currency, Count: r.Count, Requested: text(r.Requested),
			Final: text(r.Final), Corrected: text(r.Corrected),
		})
		delays.Merge(r.Delays, 1)
		m.Callbacks.Failed += r.Failed
	}
	m.Callbacks.Prompt = delays.Within(promptly)
	m.Callbacks.Late = delays.Count() - m.Callbacks.Prompt
	m.Callbacks.Median, _ = delays.Percentile(50)
	m.Callbacks.Last5, _ = delays.Percentile(95)
	byID := map[int64]*MonthGateway{}
	for _, r := range gateways {
		if id := r.Key.GatewayID; id != 0 {
			if byID[id] == nil {
				byID[id] = &MonthGateway{GatewayID: id}
			}
			g := byID[id]
			g.Count, g.Ended, g.Approved = g.Count+r.Count, g.Ended+r.Ended, g.Approved+r.Approved
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		m.Gateways = append(m.Gateways, *byID[id])
	}
	m.quiet(days, zone)
}

// quiet finds the days without payments, of those that are over.
func (m *Month) quiet(days []StatisticsRow, zone *time.Location) {
	busy := map[string]bool{}
	for _, r := range days {
		busy[r.At.In(zone).Format(time.DateOnly)] = r.Count > 0
	}
	for day := m.From; ; {
		next := Daily.After(day, zone)
		if next.After(m.Until) || next.After(m.CountedUntil) {
			return
		}
		if text := day.In(zone).Format(time.DateOnly); !busy[text] {
			m.QuietDays = append(m.QuietDays, text)
		}
		day = next
	}
}

// Find counts a discrepancy. One that is closed counts as closed when it changed last.
func (m *Month) Find(d discrepancy.Discrepancy) {
	isIn := func(at time.Time) bool { return !at.Before(m.From) && at.Before(m.Until) }
	if isIn(d.CreatedAt) {
		m.Discrepancies.Opened++
	}
	if !d.IsOpen() && isIn(d.UpdatedAt) {
		m.Discrepancies.Closed++
	}
	if d.CreatedAt.Before(m.Until) && (d.IsOpen() || !d.UpdatedAt.Before(m.Until)) {
		m.Discrepancies.OpenAtEnd++
	}
}

// Within is how many take no longer than a duration, to a tenth of it.
func (d LatencyHistogram) Within(most time.Duration) int64 {
	step, _ := slices.BinarySearch(delaySteps[:], most.Milliseconds()+1)
	at, _ := slices.BinarySearchFunc(d, step+1, func(c LatencyCount, step int) int { return cmp.Compare(c.Step, step) })
	return d[:at].Count()
}
