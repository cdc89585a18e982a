// Package monthly is `vezne report`, which prints what there is to say of a month.
package monthly

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core/fault"
	corereport "github.com/vezne/vezne/core/report"
)

// Command is `vezne report`.
type Command struct {
	settings.Config
	Month string `required:"" placeholder:"2026-10" help:"The month, which begins and ends in VEZNE_TIME_ZONE."`
	JSON  bool   `name:"json" help:"Print one JSON object."`
}

// Run prints what there is to say of a month. It only reads, also beside a server, and needs no key.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	at, err := time.ParseInLocation("2006-01", c.Month, set.Zone)
	if err != nil || at.Year() < 2000 {
		return fmt.Errorf("--month is %.20q: it must be a month such as 2026-10", c.Month)
	}
	if _, err := os.Stat(set.SQLiteFile); set.IsEmbedded() && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s: --data-dir or VEZNE_DATA_DIR says where it is", set.SQLiteFile)
	}
	config, err := set.StoreConfig(settings.NoSealer{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	store, err := set.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // only read from
	month, err := report.Months{Reports: store, Operations: store, Zone: set.Zone}.Of(ctx, at)
	if err != nil {
		return fault.Cause(err)
	}
	if c.JSON {
		text, err := json.MarshalIndent(month, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	}
	return printMonth(out, month, set.Zone)
}

func printMonth(out io.Writer, m corereport.Month, zone *time.Location) error {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // a Builder takes everything
	line("Payments created in %s (%s), as of %s", m.From.In(zone).Format("January 2006"), zone, m.CountedUntil.In(zone).Format("2006-01-02 15:04"))
	line("\nmethod\tstatus\tcount\trequested\tfinal\tcorrected\tcurrency\t")
	for _, p := range m.Payments {
		line("%s\t%s\t%d\t%s\t%s\t%s\t%s\t", p.Method, p.Status, p.Count, p.Requested, p.Final, p.Corrected, p.Currency)
	}
	line("\ngateway\tpayments\tended\tapproved\tof those that ended\t")
	for _, g := range m.Gateways {
		line("%d\t%d\t%d\t%d\t%s\t", g.GatewayID, g.Count, g.Ended, g.Approved, share(g.Approved, g.Ended))
	}
	all := m.Callbacks.Prompt + m.Callbacks.Late + m.Callbacks.Failed
	line("\ncallbacks\tcount\tshare\t")
	line("within 30 seconds\t%d\t%s\t", m.Callbacks.Prompt, share(m.Callbacks.Prompt, all))
	line("later\t%d\t%s\t", m.Callbacks.Late, share(m.Callbacks.Late, all))
	line("given up\t%d\t%s\t", m.Callbacks.Failed, share(m.Callbacks.Failed, all))
	line("\ndiscrepancies\tcount\t")
	line("found\t%d\t", m.Discrepancies.Opened)
	line("closed\t%d\t", m.Discrepancies.Closed)
	line("open at the end\t%d\t", m.Discrepancies.OpenAtEnd)
	if err := w.Flush(); err != nil {
		return err
	}
	if m.Discrepancies.IsCut {
		text.WriteString("There are more discrepancies than a report looks at: older ones are not counted.\n")
	}
	if m.Callbacks.Prompt+m.Callbacks.Late > 0 {
		fmt.Fprintf(&text, "\nHalf of the callbacks were delivered within %s, 95 of 100 within %s.\n", rounded(m.Callbacks.Median), rounded(m.Callbacks.Last5))
	}
	if m.CountedUntil.Before(m.Until) {
		text.WriteString("The month is not over, or statistics are behind: the figures will change.\n")
	}
	if len(m.QuietDays) > 0 {
		fmt.Fprintf(&text, "No payment was created on %s.\n", strings.Join(m.QuietDays, ", "))
	}
	_, err := fmt.Fprint(out, text.String())
	return err
}

// share is a part in per cent with one decimal, cut off; of nothing it is empty.
func share(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	tenths := part * 1000 / whole
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// rounded is a duration to the tenth that statistics know.
func rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}
