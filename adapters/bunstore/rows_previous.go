package bunstore

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
)

// previousRow is the columns of a key from before a rotation. One by which rows are found is not sealed.
type previousRow struct {
	Key    string `bun:"key"`
	Until  stamp  `bun:"until,type:timestamptz"`
	UsedAt stamp  `bun:"used_at,type:timestamptz"`
}

func plainPrevious(k owner.PreviousKey) previousRow {
	return previousRow{Key: k.Key.Reveal(), Until: stamp(k.Until), UsedAt: stamp(k.UsedAt)}
}

func (r previousRow) plain() owner.PreviousKey {
	return owner.PreviousKey{Key: core.NewSecret(r.Key), Until: time.Time(r.Until), UsedAt: time.Time(r.UsedAt)}
}

func (v *vault) sealPrevious(k owner.PreviousKey, column string) previousRow {
	return previousRow{Key: v.seal(k.Key, column), Until: stamp(k.Until), UsedAt: stamp(k.UsedAt)}
}

func (v *vault) openPrevious(r previousRow, column string) owner.PreviousKey {
	return owner.PreviousKey{Key: v.open(r.Key, column), Until: time.Time(r.Until), UsedAt: time.Time(r.UsedAt)}
}
