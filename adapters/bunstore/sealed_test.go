package bunstore_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/storetest"
)

var _ ports.Keyring = ring{}

// ring is a Keyring of keys that only this test knows. It writes what the real one does.
type ring []key

type key struct {
	id   string
	aead cipher.AEAD
}

func newKey(t testing.TB) key {
	t.Helper()
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	block, err := aes.NewCipher(raw)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	return key{hex.EncodeToString(raw[:4]), aead}
}

func (r ring) Seal(plain, context string) (string, error) {
	sealed := r[0].aead.Seal(nil, nil, []byte(plain), []byte(context))
	return "v1." + r[0].id + "." + base64.RawURLEncoding.EncodeToString(sealed), nil
}

func (r ring) Open(sealed, context string) (string, error) {
	for _, k := range r {
		if text, ok := strings.CutPrefix(sealed, "v1."+k.id+"."); ok {
			raw, err := base64.RawURLEncoding.DecodeString(text)
			if err != nil {
				return "", err
			}
			plain, err := k.aead.Open(nil, nil, raw, []byte(context))
			return string(plain), err
		}
	}
	return "", errors.New("no key opens it")
}

func (r ring) KeyIDs() []string {
	ids := make([]string, len(r))
	for i, k := range r {
		ids[i] = k.id
	}
	return ids
}

func (r ring) KeyIDOf(sealed string) string {
	parts := strings.Split(sealed, ".")
	if len(parts) != 3 || parts[0] != "v1" {
		return ""
	}
	return parts[1]
}

// column is a column of a test's database that may hold text.
type column struct{ table, name string }

// columnsOf lists the columns of all tables that may hold text, in whatever form.
func columnsOf(t *testing.T, db *sql.DB, cfg bunstore.Config) []column {
	t.Helper()
	query := `SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
		WHERE m.type = 'table' AND p.type IN ('TEXT', 'BLOB', 'ANY') ORDER BY 1, 2`
	if cfg.DatabaseURL != "" {
		query = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()
			AND data_type NOT IN ('bigint', 'integer', 'smallint', 'boolean', 'timestamp with time zone') ORDER BY 1, 2`
	}
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []column
	for rows.Next() {
		var c column
		if err := rows.Scan(&c.table, &c.name); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if err := rows.Err(); err != nil || len(list) < 100 {
		t.Fatalf("%d columns, %v", len(list), err)
	}
	return list
}

// valuesOf returns what a column holds.
func valuesOf(t *testing.T, db *sql.DB, c column) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), fmt.Sprintf("SELECT %s FROM %s", c.name, c.table))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var value sql.NullString
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		if value.String != "" {
			list = append(list, value.String)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// misplaced describes the columns in which sealed text stands that are not registered, and the registered ones in which there is
// none, or anything else.
func misplaced(t *testing.T, db *sql.DB, cfg bunstore.Config, r ring) (found []string) {
	t.Helper()
	mark := "v1." + r[0].id + "."
	registered := bunstore.SealedColumns()
	for _, c := range columnsOf(t, db, cfg) {
		isRegistered := slices.Contains(registered, bunstore.SealedColumn{Table: c.table, Column: c.name})
		values := valuesOf(t, db, c)
		if isRegistered && len(values) == 0 {
			found = append(found, c.table+"."+c.name+" holds nothing")
		}
		for _, value := range values {
			if isRegistered && !strings.HasPrefix(value, mark) || !isRegistered && strings.Contains(value, mark) {
				found = append(found, c.table+"."+c.name)
				break
			}
		}
	}
	return found
}

// TestSealedTextStandsInRegisteredColumnsOnly looks through every column of a database that has a row of every kind.
func TestSealedTextStandsInRegisteredColumnsOnly(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		r := ring{newKey(t)}
		cfg.Sealer = r
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		storetest.Fill(t, storetest.Of(s))
		if found := misplaced(t, db, cfg, r); len(found) > 0 {
			t.Errorf("sealed text stands where it is not registered, or does not where it is: %v", found)
		}
		execute(t, db, "UPDATE staff SET email = password_hash")
		execute(t, db, "UPDATE staff_factors SET totp = 'JBSWY3DPEHPK3PXP', pending_totp = ''")
		want := []string{"staff.email", "staff_factors.pending_totp holds nothing", "staff_factors.totp"}
		if found := misplaced(t, db, cfg, r); !slices.Equal(found, want) {
			t.Errorf("this test finds %v, want %v", found, want)
		}
	})
}

// TestAMissingKeyIsNoticedAtStart whichever column alone has something of it.
func TestAMissingKeyIsNoticedAtStart(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		r := ring{newKey(t)}
		cfg.Sealer = r
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		storetest.Fill(t, storetest.Of(s))
		if _, err := s.CheckSecrets(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, c := range bunstore.SealedColumns() {
			execute(t, db, fmt.Sprintf("UPDATE %[1]s SET %[2]s = replace(%[2]s, '%[3]s', '0badc0de')", c.Table, c.Column, r[0].id))
			_, err := s.CheckSecrets(t.Context())
			if !fault.Is(err, fault.Internal) {
				t.Errorf("%v was sealed by a key that is not there: %v", c, err)
			}
			execute(t, db, fmt.Sprintf("UPDATE %[1]s SET %[2]s = replace(%[2]s, '0badc0de', '%[3]s')", c.Table, c.Column, r[0].id))
		}
		if _, err := s.CheckSecrets(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}
