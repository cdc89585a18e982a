package bunstore

import (
	"fmt"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// openBoundRow is a row of the statements that hold customers and sites to their limits.
type openBoundRow struct {
	bun.BaseModel `bun:"table:open_bounds"`

	ProviderID  int64  `bun:"provider_id"`
	DealerID    int64  `bun:"dealer_id"`
	SiteID      int64  `bun:"site_id"`
	UserID      string `bun:"user_id"`
	PerCustomer int    `bun:"per_customer"`
	PerSite     int    `bun:"per_site"`
}

func openBoundRowOf(b payment.OpenBound) openBoundRow {
	return openBoundRow{
		ProviderID: b.ProviderID, DealerID: b.DealerID, SiteID: b.SiteID, UserID: b.UserID, PerCustomer: b.PerCustomer, PerSite: b.PerSite,
	}
}

// isOpenDeposit is what the index payments_open is about.
const isOpenDeposit = `p.status IN ('showing', 'processing') AND p.method IN
	('manual_deposit', 'eiban_deposit', 'third_party_bank_deposit', 'third_party_crypto_deposit', 'third_party_wallet_deposit')`

// siteSlack is how near a site has to be to its limit for commits to wait for each other about it: more than commits under way
// create in some processes.
const siteSlack = 1000

// openLocks holds up commits of other processes about the same customers, and about sites that are near their limit, until this
// one is over: what openCounts counts is then all there is. SQLite has one writer, who waits for nobody.
func openLocks() table {
	t := inserted(openBoundRowOf, "")
	t.templates = func(w templateWriter) []template {
		return []template{w.data(w.table(rowType[openBoundRow]()).Fields, w.dialect.lockOpen())}
	}
	return t
}

func (postgres) lockOpen() string {
	return fmt.Sprintf(`SELECT pg_advisory_xact_lock(k) FROM (
	SELECT hashtextextended(concat_ws('/', 'vezne open of', provider_id, dealer_id, user_id), 0) AS k FROM d WHERE per_customer > 0
	UNION SELECT hashtextextended('vezne open at ' || s.site_id, 0) FROM (SELECT DISTINCT site_id, per_site FROM d WHERE per_site > 0) AS s
	WHERE EXISTS (SELECT 1 FROM payments AS p WHERE p.site_id = s.site_id AND %s OFFSET greatest(s.per_site - %d, 0))
		OR s.per_site <= %d
	ORDER BY k OFFSET 0) AS locks`, isOpenDeposit, siteSlack, siteSlack)
}

func (sqliteFile) lockOpen() string { return "SELECT 1 FROM d WHERE 0" }

// openCounts is written behind payments, so that it counts those of the batch too.
func openCounts() table {
	return table{
		templates: func(w templateWriter) []template { return []template{w.openCounts()} },
		all: func(e *encoder, at int, c core.Changeset) {
			for _, b := range core.RowsOf[payment.OpenBound](c) {
				put(e, at, openBoundRowOf(b), nil)
			}
		},
	}
}

func (w templateWriter) openCounts() template {
	return w.data(w.table(rowType[openBoundRow]()).Fields,
		fmt.Sprintf(`SELECT 1 FROM d WHERE per_customer > 0 AND per_customer < (SELECT count(*) FROM payments AS p
	WHERE p.provider_id = d.provider_id AND p.user_id = d.user_id AND (d.provider_id <> 0 OR p.dealer_id = d.dealer_id) AND %[1]s)
	UNION ALL SELECT 1 FROM (SELECT DISTINCT site_id, per_site FROM d WHERE per_site > 0) AS s
	WHERE s.per_site < (SELECT count(*) FROM payments AS p WHERE p.site_id = s.site_id AND %[1]s)`, isOpenDeposit)).none(fault.TooManyOpen)
}
