// Package plugins is what a gateway author sees first: how a gateway is registered, and how its configuration is
// checked. The gateways are in the folders beside this file, the list of them in plugins/all, helpers to write one in
// plugins/plugkit, and the tests that each passes in plugins/conformance.
package plugins

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// Registration is one plugin: its descriptor, and how a gateway is opened.
type Registration struct {
	descriptor gateway.Descriptor
	open       func(ports.GatewayEnv) (ports.Gateway, error)
	blank      ports.Gateway // a value of the gateway's type, for its methods
}

var _ ports.Plugin = Registration{}

// Register makes a registration. G is the type of the opened gateway: what it can do is seen from its methods.
func Register[G ports.Gateway](d gateway.Descriptor, open func(ports.GatewayEnv) (G, error)) Registration {
	var blank G
	return Registration{descriptor: d, blank: blank, open: func(env ports.GatewayEnv) (ports.Gateway, error) {
		return open(env)
	}}
}

// Describe implements ports.Plugin.
func (r Registration) Describe() gateway.Descriptor { return r.descriptor }

// Has implements ports.Plugin.
func (r Registration) Has(c gateway.Capability) bool { return ports.CapabilityOf(r.blank, c) }

// Open implements ports.Plugin.
func (r Registration) Open(env ports.GatewayEnv) (ports.Gateway, error) { return r.open(env) }

// Registry holds the plugins that this program was built with.
type Registry struct{ byCode map[string]ports.Plugin }

var _ ports.Plugins = (*Registry)(nil)

// NewRegistry takes the list of plugins and checks each: descriptor and methods must agree. Every problem is named.
func NewRegistry(list ...Registration) (*Registry, error) {
	r := &Registry{byCode: map[string]ports.Plugin{}}
	var problems []error
	for _, plugin := range list {
		code := plugin.descriptor.Code
		if _, isTaken := r.byCode[code]; isTaken {
			problems = append(problems, fmt.Errorf("two plugins are called %q", code))
		}
		for _, problem := range Check(plugin) {
			problems = append(problems, fmt.Errorf("plugin %q: %s", code, problem))
		}
		r.byCode[code] = plugin
	}
	return r, errors.Join(problems...)
}

// Plugin implements ports.Plugins.
func (r *Registry) Plugin(code string) (ports.Plugin, bool) {
	p, ok := r.byCode[code]
	return p, ok
}

// Plugins implements ports.Plugins.
func (r *Registry) Plugins() []ports.Plugin {
	var list []ports.Plugin
	for _, p := range r.byCode {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b ports.Plugin) int { return cmp.Compare(a.Describe().Code, b.Describe().Code) })
	return list
}
