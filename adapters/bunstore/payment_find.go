package bunstore

import (
	"context"
	"database/sql"
	"reflect"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// finders find payments by what names one each. Those that are asked for while others are being read are read together: under load
// most of what a read costs both sides is its message.
type finders struct{ byID, byToken, byTrackingCode *finder }

func (s *Store) newFinders() finders {
	return finders{
		byID:           s.newFinder("id", func(r paymentRow) string { return string(r.ID) }),
		byToken:        s.newFinder("token_fingerprint", func(r paymentRow) string { return r.Fingerprint }),
		byTrackingCode: s.newFinder("tracking_code", func(r paymentRow) string { return r.TrackingCode }),
	}
}

// finder finds payments by a column.
type finder struct {
	group[*wanted]

	column string
	key    func(paymentRow) string
	many   func(ctx context.Context, condition string, keys []string) ([]paymentRow, error)
}

// wanted is the payment that one caller looks for.
type wanted struct {
	key string
	row paymentRow // once it is found
}

func (s *Store) newFinder(column string, key func(paymentRow) string) *finder {
	l := &finder{column: column, key: key, many: s.paymentRows}
	l.atOnce, l.carry = s.findersAtOnce, l.read
	return l
}

func (s *Store) paymentRows(ctx context.Context, condition string, keys []string) (rows []paymentRow, err error) {
	read := keyedRead{row: reflect.TypeFor[paymentRow](), condition: condition}
	return rows, s.readKeyed(ctx, read, &rows, []any{pgdialect.Array(keys)})
}

// paymentBy finds the payment of a key; NotFound when there is none.
func (s *Store) paymentBy(ctx context.Context, op string, l *finder, key string) (payment.Payment, error) {
	if s.findersAtOnce == 0 {
		return onePersonal(ctx, s, op, paymentRow.payment, l.column+" = ? AND "+l.column+" <> ''", key)
	}
	row, err := l.one(ctx, key)
	if err != nil {
		return payment.Payment{}, fail(op, err)
	}
	list, err := openAll(ctx, s, op, paymentRow.payment, []paymentRow{row})
	if err != nil {
		return payment.Payment{}, err
	}
	return list[0], nil
}

// one waits for the row of a key for as long as its caller's context lasts.
func (l *finder) one(ctx context.Context, key string) (paymentRow, error) {
	want := &wanted{key: key}
	m, err := l.join(ctx, want)
	if err != nil {
		return paymentRow{}, fault.E("", fault.Unavailable, err)
	}
	select {
	case err := <-m.done:
		return want.row, err
	case <-ctx.Done():
		l.withdraw(m)
		return paymentRow{}, ctx.Err()
	}
}

// read reads what the members of a batch look for.
func (l *finder) read(batch []*member[*wanted]) {
	ctx, cancel := context.WithTimeout(context.Background(), postgresReadTimeout)
	defer cancel()
	keys := make([]string, len(batch))
	for i, m := range batch {
		keys[i] = m.of.key
	}
	rows, err := l.many(ctx, l.column+" = ANY(?) AND "+l.column+" <> ''", keys)
	found := make(map[string]paymentRow, len(rows))
	for _, r := range rows {
		found[l.key(r)] = r
	}
	for _, m := range batch {
		row, isThere := found[m.of.key]
		switch m.of.row = row; {
		case err != nil:
			m.done <- err
		case !isThere:
			m.done <- sql.ErrNoRows
		default:
			m.done <- nil
		}
	}
}
