package sandbox

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// pingJSON has a signed notification as a sample, so that a wrong notification secret shows before the first payment.
type pingJSON struct {
	Sample struct {
		Body      string `json:"body"`
		Signature string `json:"signature"`
	} `json:"sample"`
}

// Probe implements ports.Gateway.
func (g *Gateway) Probe(ctx context.Context) gateway.ProbeReport {
	var ping pingJSON
	credentials := plugkit.ProbeCheck("credentials", "", g.get(ctx, "/v1/ping", &ping))
	if !credentials.IsOK {
		return gateway.ProbeReport{Checks: []gateway.ProbeCheck{credentials}}
	}
	err := g.checkSignature(ping.Sample.Signature, []byte(ping.Sample.Body))
	return gateway.ProbeReport{Checks: []gateway.ProbeCheck{credentials, plugkit.ProbeCheck("notification secret", "", err)}}
}
