package bunstore

import (
	"errors"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// vault seals and opens the secrets of one row. The first failure stays in err.
type vault struct {
	sealer ports.Sealer
	row    string // "providers.%s/7": a secret sealed for one column and row opens nowhere else
	err    error
}

func vaultOf(sealer ports.Sealer, table string, id int64) *vault {
	return &vault{sealer: sealer, row: fmt.Sprintf("%s.%%s/%d", table, id)}
}

// seal gives the column's text; no secret stays no text.
func (v *vault) seal(s core.Secret, column string) string {
	if s.IsZero() || v.err != nil {
		return ""
	}
	sealed, err := v.sealer.Seal(s.Reveal(), fmt.Sprintf(v.row, column))
	v.err = errors.Join(v.err, err)
	return sealed
}

func (v *vault) open(sealed, column string) core.Secret {
	if sealed == "" || v.err != nil {
		return core.Secret{}
	}
	plain, err := v.sealer.Open(sealed, fmt.Sprintf(v.row, column))
	v.err = errors.Join(v.err, err)
	return core.NewSecret(plain)
}
