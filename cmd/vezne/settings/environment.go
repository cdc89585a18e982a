package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/vezne/vezne/cmd/vezne/cautions"
	"github.com/vezne/vezne/cmd/vezne/variables"
	"github.com/vezne/vezne/core/staff"
)

// StaffPassword is the one variable that is no flag: arguments are visible to other users.
const StaffPassword = "VEZNE_STAFF_PASSWORD"

// StaffPasswordFile names a file that has it.
const StaffPasswordFile = "VEZNE_STAFF_PASSWORD_FILE"

// Version is that of the binary, which its requests name.
type Version string

// Roles of a process.
const (
	RoleAll    = "all"
	RoleAPI    = "api"
	RoleWorker = "worker"
)

// AdminOff is the setting of VEZNE_ADMIN_LISTEN with which nothing is served.
const AdminOff = "off"

// AfterApply notes which variables look like settings and are none: one that is misspelt would leave its setting at the
// default, such as an empty embedded database. The command line calls it.
func (c *Config) AfterApply(cli *kong.Kong) error {
	var problems []error
	for _, v := range variables.Find(os.Environ(), known(cli)) {
		text := fmt.Sprintf("%.100s is not a setting", v.Name)
		if v.Nearest != "" {
			text += fmt.Sprintf(" (did you mean %s?)", v.Nearest)
		} else {
			text += " (`vezne serve --help` lists them)"
		}
		problems = append(problems, errors.New(text))
	}
	c.unknown = errors.Join(problems...)
	return nil
}

// known returns the variables that some command reads.
func known(cli *kong.Kong) []string {
	names := []string{StaffPassword, StaffPasswordFile}
	for nodes := []*kong.Node{cli.Model.Node}; len(nodes) > 0; nodes = nodes[1:] {
		nodes = append(nodes, nodes[0].Children...)
		for _, flag := range nodes[0].Flags {
			names = append(names, flag.Envs...)
			if file := flag.Tag.Get("file"); file != "" {
				names = append(names, file)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// CheckServing also checks what only a server needs.
func (c Config) CheckServing(role string) (Settings, error) {
	set, err := c.Check("data")
	return set, errors.Join(err, set.Missing(role))
}

// Missing says what a server of a role lacks: what is right for one process on one machine is wrong as soon as there may be
// others.
func (s Settings) Missing(role string) error {
	var problems []error
	why := ""
	switch {
	case !s.IsEmbedded():
		why = "several processes may share the PostgreSQL database"
	case s.RedisURL != "":
		why = "several processes may share the Redis"
	case role != RoleAll:
		why = "a process of the role " + role + " has others beside it"
	case cautions.ReachesOthers(s.Listen):
		why = "others reach the address " + s.Listen
	}
	if s.BaseURL == "" && why != "" {
		problems = append(problems, fmt.Errorf("VEZNE_BASE_URL is missing: %s, and links to payment pages, gateways' notifications "+
			"and invitations would name whatever one process listens on; set it to what customers open, such as "+
			"https://pay.example.com", why))
	}
	if !s.IsEmbedded() && s.RedisURL == "" && role != RoleAll {
		problems = append(problems, fmt.Errorf("VEZNE_REDIS_URL is missing: processes of the role %s wake others, count limits with "+
			"them and tell them what changes over Redis; without one, run a single process of the role all", role))
	}
	return errors.Join(problems...)
}

// Cautions are what is likely to be wrong in the settings.
func (s Settings) Cautions(role, baseURL string) []cautions.Caution {
	var unproven []string
	for _, role := range staff.Roles() {
		if role.MovesMoney() && !slices.Contains(s.SecondFactorRoles, role) {
			unproven = append(unproven, string(role))
		}
	}
	return cautions.Of(cautions.Facts{
		Listen: s.Listen, BaseURL: baseURL, Role: role, IsEmbedded: s.IsEmbedded(), HasRedis: s.RedisURL != "",
		HasTrustedProxies: len(s.Proxies) > 0, PasswordMovesMoney: unproven,
		TakesTests:      s.TakesTests() && !s.IsDemo,
		TrustsEverybody: slices.ContainsFunc(s.Proxies, func(p netip.Prefix) bool { return p.Bits() == 0 }),
	})
}

// sslModes are those that the database's driver knows.
var sslModes = []string{"", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"}

// hasSSLMode reports whether a database's URL asks for a kind of TLS that there is.
func hasSSLMode(databaseURL string) bool {
	u, err := url.Parse(databaseURL)
	return err != nil || slices.Contains(sslModes, u.Query().Get("sslmode"))
}
