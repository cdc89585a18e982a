package apptest

import "github.com/vezne/vezne/adapters/gatewayhttp"

// Hosts are the only ones that gateways of a World reach.
type Hosts = gatewayhttp.Handlers
