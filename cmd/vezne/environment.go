package main

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/vezne/vezne/cmd/vezne/cautions"
	"github.com/vezne/vezne/cmd/vezne/variables"
	"github.com/vezne/vezne/core/staff"
)

// staffPassword is the one variable that is no flag: arguments are visible to other users.
const staffPassword = "VEZNE_STAFF_PASSWORD"

// knownVariables are all that some command reads.
var knownVariables = sync.OnceValues(func() ([]string, error) {
	parser, err := kong.New(&commands{}, kong.Name("vezne"))
	if err != nil {
		return nil, err
	}
	names := []string{staffPassword}
	for nodes := []*kong.Node{parser.Model.Node}; len(nodes) > 0; nodes = nodes[1:] {
		nodes = append(nodes, nodes[0].Children...)
		for _, flag := range nodes[0].Flags {
			names = append(names, flag.Envs...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
})

// unknownVariables says which variables look like settings and are none: one that is misspelt would leave its setting at the
// default, such as an empty embedded database.
func unknownVariables() error {
	known, err := knownVariables()
	if err != nil {
		return err
	}
	var problems []error
	for _, v := range variables.Find(os.Environ(), known) {
		text := fmt.Sprintf("%.100s is not a setting", v.Name)
		if v.Nearest != "" {
			text += fmt.Sprintf(" (did you mean %s?)", v.Nearest)
		} else {
			text += " (`vezne serve --help` lists them)"
		}
		problems = append(problems, errors.New(text))
	}
	return errors.Join(problems...)
}

// checkServing also checks what only a server needs.
func (c Config) checkServing(role string) (settings, error) {
	set, err := c.check("data")
	return set, errors.Join(err, set.missing(role))
}

// missing says what a server of a role lacks: what is right for one process on one machine is wrong as soon as there may be
// others.
func (s settings) missing(role string) error {
	var problems []error
	why := ""
	switch {
	case !s.isEmbedded():
		why = "several processes may share the PostgreSQL database"
	case s.RedisURL != "":
		why = "several processes may share the Redis"
	case role != roleAll:
		why = "a process of the role " + role + " has others beside it"
	case cautions.ReachesOthers(s.Listen):
		why = "others reach the address " + s.Listen
	}
	if s.BaseURL == "" && why != "" {
		problems = append(problems, fmt.Errorf("VEZNE_BASE_URL is missing: %s, and links to payment pages, gateways' notifications "+
			"and invitations would name whatever one process listens on; set it to what customers open, such as "+
			"https://pay.example.com", why))
	}
	if !s.isEmbedded() && s.RedisURL == "" && role != roleAll {
		problems = append(problems, fmt.Errorf("VEZNE_REDIS_URL is missing: processes of the role %s wake others, count limits with "+
			"them and tell them what changes over Redis; without one, run a single process of the role all", role))
	}
	return errors.Join(problems...)
}

// cautions are what is likely to be wrong in the settings.
func (s settings) cautions(role, baseURL string) []cautions.Caution {
	var unproven []string
	for _, role := range staff.Roles() {
		if role.MovesMoney() && !slices.Contains(s.requiredFactor, role) {
			unproven = append(unproven, string(role))
		}
	}
	return cautions.Of(cautions.Facts{
		Listen: s.Listen, BaseURL: baseURL, Role: role, IsEmbedded: s.isEmbedded(), HasRedis: s.RedisURL != "",
		HasTrustedProxies: len(s.trustedProxies) > 0, PasswordMovesMoney: unproven,
		TrustsEverybody: slices.ContainsFunc(s.trustedProxies, func(p netip.Prefix) bool { return p.Bits() == 0 }),
	})
}

// sslModes are those that the database's driver knows.
var sslModes = []string{"", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"}

// hasSSLMode reports whether a database's URL asks for a kind of TLS that there is.
func hasSSLMode(databaseURL string) bool {
	u, err := url.Parse(databaseURL)
	return err != nil || slices.Contains(sslModes, u.Query().Get("sslmode"))
}
