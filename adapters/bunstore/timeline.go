package bunstore

import (
	"context"
	"database/sql/driver"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/vezne/vezne/core/fault"
)

// timeline is the one of PostgreSQL on which a store works. Each standby that becomes a primary begins another (PostgreSQL 25.3.6,
// Timelines), and nobody comes to it but over a new connection. So it is asked about where that begins, and no commit pays for it.
type timeline struct {
	seen     string       // where a mark was read last; empty: nobody can tell
	followed atomic.Value // string: the one to which connections are made; empty: any
}

// findTimeline is the query for the timeline of a server that takes writes: it begins the name of the file into which it writes. A
// standby has none that is its own.
const findTimeline = "SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END"

var isTimeline = regexp.MustCompile("^[0-9A-F]{8}$").MatchString

// see reads where the database is. A server that does not let this role ask, or has no such thing, says nothing.
func (l *timeline) see(ctx context.Context, p pools) error {
	l.seen = ""
	err := p.proofs.NewRaw(findTimeline).Scan(ctx, &l.seen)
	if err != nil && fault.CodeOf(fail("", err)) == fault.Unavailable {
		return err
	}
	if !isTimeline(l.seen) {
		l.seen = ""
	}
	return nil
}

// Follow has connections be made from now on to the primary alone that answered the last Mark, of which one at a time is asked. To a server
// that becomes one after that nobody connects but for Mark and Grow, until the next Follow: it may lack what was committed (fault
// Unavailable).
func (s *Store) Follow() {
	if s.timeline != nil && s.timeline.seen != "" {
		s.timeline.followed.Store(s.timeline.seen)
	}
}

// refusal is a statement that fails at a hot standby, and at a server that has become the primary since the last Follow.
func (l *timeline) refusal() string {
	followed := ""
	if l != nil {
		followed, _ = l.followed.Load().(string)
	}
	return strings.ReplaceAll(refuseStandby, "FOLLOWED", "'"+followed+"'") // eight digits, or none
}

// primaryConnector refuses a hot standby, whose answers may be old, and a server that has become the primary since the last Follow,
// which may lack what was committed. A server becomes a standby only by being started anew, which ends its connections, and a standby
// that becomes a primary had none of ours: it is enough to ask when one begins.
type primaryConnector struct {
	driver.Connector
	timeline *timeline // nil: whatever the server is on
}

// refuseStandby fails on a hot standby, with the fault of what would be written there, and so on a timeline that is not the followed one.
const refuseStandby = `DO $$BEGIN IF pg_is_in_recovery() THEN
	RAISE read_only_sql_transaction USING MESSAGE = 'the server is a standby, which is behind its primary and takes no writes';
END IF;
IF FOLLOWED <> '' THEN IF left(pg_walfile_name(pg_current_wal_lsn()), 8) <> FOLLOWED THEN
	RAISE read_only_sql_transaction USING MESSAGE = 'the server has become the primary, and it is not known yet whether it has all that was committed';
END IF; END IF; END$$`

// Connect implements driver.Connector.
func (c primaryConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, c.timeline.refusal(), nil); err != nil {
		_ = conn.Close() // nothing was begun
		return nil, err
	}
	return conn, nil
}
