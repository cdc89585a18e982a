package bunstore

import (
	"bufio"
	"context"
	"database/sql"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// The bounds of group commit, for its tests.
const (
	MaxBatch      = maxBatch
	MaxBatchBytes = maxBatchBytes
	MaxQueue      = maxQueue
	Patience      = patience
)

// CreditStep is how many payments a statement of the check of credits adds up.
const CreditStep = creditStep

// PaymentBreaches is how many statements look for breaches of the payments of a step.
var PaymentBreaches = len(paymentBreaches)

// ErrUndone is a commit that the database has undone for another one's sake.
var ErrUndone = errUndone

// Committer is the group commit without a database.
type Committer = committer

// Change stands for a changeset: which rows it changes and how many bytes it takes.
type Change = encoded

// NewChange changes the payments of these numbers.
func NewChange(size int, payments ...int) *Change {
	c := &encoded{size: size}
	for _, n := range payments {
		c.keys = append(c.keys, rowKey{"payments", strconv.Itoa(n)})
	}
	return c
}

// NewCommitter commits by calling a function; short finds who asks for more than there is.
func NewCommitter(
	workers int, commit func(context.Context, []*Change) error, short func(context.Context, []*Change) []bool,
) *Committer {
	return newCommitter(workers, commit, short)
}

// Lanes are group commits beside each other without a database.
type Lanes = lanes

// NewLanes opens lanes by calling a function.
func NewLanes(byOwner bool, open func() *Committer) *Lanes { return newLanes(byOwner, open) }

// Finder finds payments by their IDs without a database.
type Finder struct{ of *finder }

// NewFinder reads by calling a function, which returns those of the IDs that there are.
func NewFinder(read func(ids []string) (there []string, err error)) Finder {
	s := &Store{pools: pools{findersAtOnce: 2}}
	f := s.newFinder("id", func(r paymentRow) string { return string(r.ID) })
	f.many = func(_ context.Context, _ string, ids []string) (rows []paymentRow, err error) {
		there, err := read(ids)
		for _, id := range there {
			rows = append(rows, paymentRow{savedPaymentRow: savedPaymentRow{ID: core.ID(id)}})
		}
		return rows, err
	}
	return Finder{f}
}

// Find returns the ID of the row that is found.
func (f Finder) Find(ctx context.Context, id string) (string, error) {
	row, err := f.of.one(ctx, id)
	return string(row.ID), fail("find", err)
}

// WithHook is the same store with a hook that sees every query but those of commits.
func (s *Store) WithHook(hook bun.QueryHook) *Store {
	hooked := *s
	hooked.reads, hooked.writes, hooked.background = s.reads.WithQueryHook(hook), s.writes.WithQueryHook(hook), s.background.WithQueryHook(hook)
	hooked.prepared, hooked.findersAtOnce = nil, 0
	return &hooked
}

// Spied is the same store with a hook that sees what is not prepared.
func (s *Store) Spied(hook bun.QueryHook) *Store {
	spied := *s
	spied.reads, spied.writes, spied.background = s.reads.WithQueryHook(hook), s.writes.WithQueryHook(hook), s.background.WithQueryHook(hook)
	return &spied
}

// Prepared are the statements that the store has prepared: those of commits, and what is read by a key.
func (s *Store) Prepared() []string {
	s.prepared.mu.RLock()
	defer s.prepared.mu.RUnlock()
	return slices.Clone(s.prepared.texts)
}

// Kinds are the kinds of rows that there are tables for.
func Kinds() (kinds []reflect.Type) {
	for _, t := range tables() {
		kinds = append(kinds, t.rows...)
	}
	return kinds
}

// OneConnectionEach has the store commit, and read by keys, on one connection each, and returns their pools.
func (s *Store) OneConnectionEach() (commits, keyed *sql.DB) {
	for _, pool := range []*bun.DB{s.commits, s.keyed} {
		pool.SetMaxOpenConns(1)
	}
	return s.commits.DB, s.keyed.DB
}

// Literals reads the values of an EXECUTE for SQLite.
var Literals = literals

// Executables are the statements that a connection to SQLite has prepared.
func Executables(conn any) (texts []string) {
	c := conn.(*executingConn)
	for n := range c.known {
		text, _ := c.prepared.text(n)
		texts = append(texts, text)
	}
	return texts
}

// WithSteps has a configuration's migrations be others than the schema's.
func WithSteps(cfg Config, steps fs.FS) Config {
	cfg.steps = steps
	return cfg
}

// CommitStatements are all statements of commits that have rows of their own, each with so many rows of nothing.
func (s *Store) CommitStatements(rows int) []string {
	var texts []string
	for i := range s.plan.templates {
		t := &s.plan.templates[i]
		if len(t.fields) == 0 {
			continue
		}
		for _, t := range []*template{t, t.plain} {
			if t == nil {
				continue
			}
			var some tuples
			for range rows {
				some.add(len(t.fields), func(sql []byte, _ int) []byte { return append(sql, "NULL"...) })
			}
			var text strings.Builder
			statement{template: t, tuples: []tuples{some}, rows: rows}.write(&text)
			texts = append(texts, text.String())
		}
	}
	return texts
}

// Encode does what a commit does before it joins others, and what it does first with them.
func (s *Store) Encode(ctx context.Context, c core.Changeset) error {
	keys, err := s.keyCache.keysFor(ctx, s.reads.NewSelect, s.writes, c)
	if err != nil {
		return err
	}
	e, err := s.encode(c, keys)
	s.statementsOf([]*encoded{e})
	return err
}

// ReadAnswers reads what PostgreSQL answers to a pipeline of so many statements, and returns the state of its error.
func ReadAnswers(from io.Reader, statements int) (state string, err error) {
	said, err := readAnswers(bufio.NewReader(from), statements)
	return said.Field('C'), err
}
