package bunstore

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// rowSealer seals and opens the secrets of one row. The first failure stays in err.
type rowSealer struct {
	sealer ports.Sealer
	table  string
	id     string
	err    error
}

func newRowSealer(sealer ports.Sealer, table, id string) *rowSealer {
	return &rowSealer{sealer: sealer, table: table, id: id}
}

// context is "providers.secret_key/7": a secret sealed for one column and row opens nowhere else.
func (v *rowSealer) context(column string) string { return v.table + "." + column + "/" + v.id }

// seal returns the column's text; no secret stays no text.
func (v *rowSealer) seal(s core.Secret, column string) string {
	if s.IsZero() {
		return ""
	}
	return v.sealText(s.Reveal(), column)
}

func (v *rowSealer) sealText(plain, column string) string {
	if v.err != nil {
		return ""
	}
	sealed, err := v.sealer.Seal(plain, v.context(column))
	v.err = errors.Join(v.err, err)
	return sealed
}

func (v *rowSealer) open(sealed, column string) core.Secret {
	if sealed == "" {
		return core.Secret{}
	}
	return core.NewSecret(v.openText(sealed, column))
}

func (v *rowSealer) openText(sealed, column string) string {
	if v.err != nil {
		return ""
	}
	plain, err := v.sealer.Open(sealed, v.context(column))
	v.err = errors.Join(v.err, err)
	return plain
}

// sealBody returns the text of a column that holds all the rest of a row.
func sealBody[B any](v *rowSealer, body B) string {
	text, err := bodyText(body)
	v.err = errors.Join(v.err, err)
	return v.sealText(text, "body")
}

func openBody[B any](v *rowSealer, sealed string) (body B) {
	text := v.openText(sealed, "body")
	if v.err == nil {
		body, v.err = bodyOf[B](text)
	}
	return body
}

// bodyText is a body as JSON. What could not be read again is refused now: a row that can't be read would stop every
// worker that claims it.
func bodyText[B any](body B) (string, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	if _, err := bodyOf[B](string(text)); err != nil {
		return "", fmt.Errorf("a body that could not be read again: %w", err)
	}
	return string(text), nil
}

func bodyOf[B any](text string) (body B, err error) {
	err = json.Unmarshal([]byte(text), &body)
	return body, err
}
