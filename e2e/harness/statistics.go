package harness

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Counted is what statistics say of a status.
type Counted struct {
	Count     int
	Approved  int64 // minor units
	Corrected int64 // minor units
}

// Statistics asks for everything of the last year, by status.
func (s Staff) Statistics(dealerID string) (byStatus map[string]Counted, countedUntil string, err error) {
	filter := map[string]any{}
	if dealerID != "" {
		filter["dealerId"] = dealerID
	}
	var data struct {
		Statistics struct {
			CountedUntil string
			TimeZone     string
			Rows         []struct {
				Status          string
				Currency        string
				Count           int
				ApprovedAmount  string
				CorrectedAmount string
			}
		}
	}
	now := time.Now().UTC()
	err = s.Ask(`query($filter: StatisticsFilter, $from: DateTime!, $until: DateTime!) {
		statistics(filter: $filter, by: [STATUS], from: $from, until: $until) {
			countedUntil timeZone rows { status currency count approvedAmount correctedAmount } } }`,
		map[string]any{"filter": filter, "from": now.AddDate(-1, 0, 0), "until": now.Add(time.Hour)}, &data)
	byStatus = map[string]Counted{}
	for _, r := range data.Statistics.Rows {
		byStatus[r.Status] = Counted{r.Count, MinorOf(r.ApprovedAmount), MinorOf(r.CorrectedAmount)}
	}
	if err == nil && data.Statistics.TimeZone != shared.zone.String() {
		err = fmt.Errorf("the time zone is %q", data.Statistics.TimeZone)
	}
	return byStatus, data.Statistics.CountedUntil, err
}

// MinorOf is an amount in minor units.
func MinorOf(amount string) int64 {
	minor, err := strconv.ParseInt(strings.ReplaceAll(amount, ".", ""), 10, 64)
	if err != nil {
		panic(err) // an amount has two decimals
	}
	return minor
}
