package bunstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// sealedText is a column's text that a Sealer has sealed; no text is no secret. A column that holds any has this type in its
// table's row: what is sealed comes as nothing else, so that no column is missing where all of them are looked through.
type sealedText string

// rowSealer seals and opens the secrets of one row. The first failure stays in err.
type rowSealer struct {
	sealer ports.Sealer
	table  string
	id     string
	err    error
}

// newRowSealer is of the row with a primary key. A key is taken as the database has it: without NULs, and as UTF-8.
func newRowSealer(sealer ports.Sealer, table string, key ...string) *rowSealer {
	parts := make([]string, len(key))
	for i, part := range key {
		if parts[i] = part; !utf8.ValidString(part) || strings.Contains(part, "\x00") {
			parts[i] = string([]rune(strings.ReplaceAll(part, "\x00", "\uFFFD")))
		}
	}
	return &rowSealer{sealer: sealer, table: table, id: strings.Join(parts, "\x00")}
}

// context is "providers.secret_key/7": a secret sealed for one column and row opens nowhere else.
func (v *rowSealer) context(column string) string { return v.table + "." + column + "/" + v.id }

// seal returns the column's text; no secret stays no text.
func (v *rowSealer) seal(s core.Secret, column string) sealedText {
	return v.sealText(s.Reveal(), column)
}

func (v *rowSealer) sealText(plain, column string) sealedText {
	if v.err != nil || plain == "" {
		return ""
	}
	sealed, err := v.sealer.Seal(plain, v.context(column))
	v.err = errors.Join(v.err, err)
	return sealedText(sealed)
}

func (v *rowSealer) open(sealed sealedText, column string) core.Secret {
	if sealed == "" {
		return core.Secret{}
	}
	return core.NewSecret(v.openText(sealed, column))
}

func (v *rowSealer) openText(sealed sealedText, column string) string {
	if v.err != nil || sealed == "" {
		return ""
	}
	plain, err := v.sealer.Open(string(sealed), v.context(column))
	v.err = errors.Join(v.err, err)
	return plain
}

// sealBody returns the text of a column that holds all the rest of a row.
func sealBody[B any](v *rowSealer, body B) sealedText {
	text, err := bodyText(body)
	v.err = errors.Join(v.err, err)
	return v.sealText(text, "body")
}

func openBody[B any](v *rowSealer, sealed sealedText) (body B) {
	text := v.openText(sealed, "body")
	if v.err == nil {
		body, v.err = bodyOf[B](text)
	}
	return body
}

// fingerprintOf is what a token is found by; of no token there is none.
func fingerprintOf(token string) string {
	if token == "" {
		return ""
	}
	return core.PageTokenFingerprint(token)
}

// bodyText is a body as JSON. What could not be read again is refused now: a row that can't be read would stop every
// worker that claims it.
func bodyText[B any](body B) (string, error) {
	text, err := bodyBytes(body)
	return string(text), err
}

func bodyBytes[B any](body B) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var again B
	if err := json.Unmarshal(text, &again); err != nil {
		return nil, fmt.Errorf("a body that could not be read again: %w", err)
	}
	return text, nil
}

func bodyOf[B any](text string) (body B, err error) {
	err = json.Unmarshal([]byte(text), &body)
	return body, err
}
