package apptest

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/ports"
)

// InSandbox is a directory whose gateway accounts are all of a sandbox, so that no money moves. Those of a World are of production.
type InSandbox struct{ ports.Directory }

// GatewayAccounts implements ports.Directory.
func (d InSandbox) GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error) {
	list, err := d.Directory.GatewayAccounts(ctx)
	for i := range list {
		list[i].Environment = gateway.Sandbox
	}
	return list, err
}
