package bunstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vezne/vezne/core/fault"
)

// serverError is what PostgreSQL says of an error: pgdriver.Error, or the answer to a pipeline.
type serverError interface {
	error
	Field(letter byte) string
}

// fail wraps a database's error with its fault; an error that is a fault already keeps its code.
func fail(op string, err error) error {
	var known *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return fault.E(op, "", err)
	default:
		return fault.E(op, codeOfError(err), err)
	}
}

// codeOfError is the one place where drivers' errors get their meaning.
func codeOfError(err error) fault.Code {
	var (
		fromPostgres serverError
		fromSQLite   *sqlite.Error
		fromNet      net.Error
	)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fault.NotFound
	case errors.As(err, &fromPostgres):
		return codeOfState(fromPostgres.Field('C'), fromPostgres.Field('n'))
	case errors.As(err, &fromSQLite):
		return codeOfSQLite(fromSQLite.Code(), fromSQLite.Error())
	case errors.As(err, &fromNet), isConnectionLost(err):
		return fault.Unavailable
	default:
		return fault.Internal
	}
}

func isConnectionLost(err error) bool {
	for _, lost := range []error{
		context.Canceled, context.DeadlineExceeded, driver.ErrBadConn, sql.ErrConnDone, sql.ErrTxDone, io.EOF,
		io.ErrUnexpectedEOF, net.ErrClosed,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// The SQLSTATEs with which PostgreSQL undoes a transaction so that another one can go on. Nobody's version was lost by it.
const (
	stateSerialization = "40001"
	stateDeadlock      = "40P01"
)

// errUndone is a commit that the database has undone whole, and that may be tried again.
var errUndone = errors.New("undone for another transaction's sake")

// undone marks the error of such a commit.
func undone(err error) error {
	var fromPostgres serverError
	if errors.As(err, &fromPostgres) {
		if state := fromPostgres.Field('C'); state == stateSerialization || state == stateDeadlock {
			return errors.Join(errUndone, err)
		}
	}
	return err
}

// stateLocked is what PostgreSQL says when lock_timeout is over.
const stateLocked = "55P03"

// isLockedOut reports whether a transaction was given up for a lock that another one has: it may be tried again.
func isLockedOut(err error) bool {
	var fromPostgres serverError
	return errors.As(err, &fromPostgres) && (fromPostgres.Field('C') == stateLocked || fromPostgres.Field('C') == stateDeadlock)
}

// codesOfStates are the SQLSTATEs that vezne_expect raises, and the lost races that PostgreSQL itself finds.
var codesOfStates = map[string]fault.Code{
	stateOf(fault.Conflict):         fault.Conflict,
	stateOf(fault.Duplicate):        fault.Duplicate,
	stateOf(fault.Blocked):          fault.Blocked,
	stateOf(fault.TooManyOpen):      fault.TooManyOpen,
	"VZ005":                         fault.Uncredited, // a trigger of credits or payments
	"23505":                         fault.Conflict,   // unique violation
	stateSerialization:              fault.Conflict,   // a commit is tried again: see errUndone
	stateDeadlock:                   fault.Conflict,
	"25006":                         fault.Unavailable, // read-only: a standby, or a failover under way
	stateLocked:                     fault.Unavailable, // a lock was not to be had in time
	stateOf(fault.BankAccountTaken): fault.BankAccountTaken,
}

// unavailableClasses are the SQLSTATE classes of a server that can't serve now: connection, resources, operator
// intervention (shutdown, timeouts), system errors.
var unavailableClasses = []string{"08", "53", "57", "58"}

// ledgerChecks begins the names of the checks that hold a wallet's balance to what it may be.
const ledgerChecks = "ledger_"

// takenRow begins what the triggers of tables that only grow say of a row that is there already.
const takenRow = "taken: "

func codeOfState(state, constraint string) fault.Code {
	if state == "23514" && strings.HasPrefix(constraint, ledgerChecks) {
		return fault.Insufficient
	}
	if state == "23514" && strings.HasPrefix(constraint, fourEyesChecks) {
		return fault.OwnRequest
	}
	if state == "23514" && strings.HasPrefix(constraint, creditChecks) {
		return fault.Uncredited
	}
	if code, ok := codesOfStates[state]; ok {
		return code
	}
	for _, class := range unavailableClasses {
		if strings.HasPrefix(state, class) {
			return fault.Unavailable
		}
	}
	return fault.Internal
}

// codeOfSQLite has nothing but the message to tell one check from another.
func codeOfSQLite(code int, message string) fault.Code {
	switch code {
	case sqlite3.SQLITE_CONSTRAINT_CHECK:
		if strings.Contains(message, "CHECK constraint failed: "+ledgerChecks) {
			return fault.Insufficient
		}
		if strings.Contains(message, "CHECK constraint failed: "+fourEyesChecks) {
			return fault.OwnRequest
		}
		if strings.Contains(message, "CHECK constraint failed: "+creditChecks) {
			return fault.Uncredited
		}
	case sqlite3.SQLITE_CONSTRAINT_TRIGGER:
		if strings.Contains(message, uncredited) {
			return fault.Uncredited
		}
		if strings.Contains(message, takenRow) {
			return fault.Conflict
		}
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return fault.Conflict
	}
	switch code & 0xff { // the extended codes' first byte is the primary one
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOMEM,
		sqlite3.SQLITE_PROTOCOL:
		return fault.Unavailable
	default:
		return fault.Internal
	}
}
