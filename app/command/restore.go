package command

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/restore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/staff"
)

// AcknowledgeRemainsInput says that somebody has looked at some of what remains of a restore.
type AcknowledgeRemainsInput struct {
	IDs []core.ID
	Said
}

// ThawInput lets money move again after a restore.
type ThawInput struct{ Said }

type restoreCommands struct {
	AcknowledgeRemains Command[AcknowledgeRemainsInput, []epoch.Remain]
	Thaw               Command[ThawInput, restore.Status]
}

func newRestore(s Services) restoreCommands {
	return restoreCommands{
		AcknowledgeRemains: plain("acknowledgeRemains", staff.AdjustWallets,
			func(ctx context.Context, by app.Request, in AcknowledgeRemainsInput) ([]epoch.Remain, error) {
				return s.Restore.Acknowledge(ctx, by, in.IDs)
			}),
		Thaw: plain("thaw", staff.AdjustWallets,
			func(ctx context.Context, by app.Request, _ ThawInput) (restore.Status, error) {
				return s.Restore.Thaw(ctx, by)
			}),
	}
}
