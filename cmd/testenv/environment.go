package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The variables that tests read.
const (
	varDatabaseURL = "VEZNE_TEST_DATABASE_URL"
	varPgBin       = "VEZNE_TEST_PG_BIN"
	varPgData      = "VEZNE_TEST_PG_DATA"
	varRedisURL    = "VEZNE_TEST_REDIS_URL"
	varRedisServer = "VEZNE_TEST_REDIS_SERVER"
	varChromium    = "VEZNE_TEST_CHROMIUM"
	varDir         = "VEZNE_TEST_DIR"
)

// environment is the command's environment as it is being put together.
type environment struct {
	vars      map[string]string
	isDurable bool     // PostgreSQL waits for the disk
	started   []string // one phrase for each thing provided, for the summary line
}

// newEnvironment begins with the caller's own variables.
func newEnvironment(environ []string) *environment {
	env := &environment{vars: make(map[string]string, len(environ))}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env.vars[name] = value
		}
	}
	return env
}

// missing returns the needs that the caller has not met already.
func (e *environment) missing(needs []need) []need {
	var rest []need
	for _, n := range needs {
		if e.vars[n.given] != "" {
			e.started = append(e.started, fmt.Sprintf("%s as given in %s", n.name, n.given))
			continue
		}
		rest = append(rest, n)
	}
	return rest
}

// provide starts what a need's program is for, and exports its variables.
func (e *environment) provide(ctx context.Context, n need, keeper *janitor) error {
	path, ok := n.find()
	if !ok {
		return fmt.Errorf("%s is still missing after the installation", n.name)
	}
	if err := n.start(e, ctx, path, keeper); err != nil {
		return fmt.Errorf("start %s: %w", n.name, err)
	}
	return nil
}

func (e *environment) startPostgres(ctx context.Context, bin string, keeper *janitor) error {
	server, err := startPostgres(ctx, bin, e.isDurable, keeper)
	if err != nil {
		return err
	}
	dir, err := serverDir("run", nil, keeper)
	if err != nil {
		return err
	}
	e.vars[varDir] = dir
	e.vars[varDatabaseURL] = server.url()
	e.vars[varPgBin] = bin
	e.vars[varPgData] = server.data()
	e.started = append(e.started, fmt.Sprintf("PostgreSQL %s on 127.0.0.1:%d", server.version, server.port))
	return nil
}

func (e *environment) startRedis(ctx context.Context, binary string, keeper *janitor) error {
	port, err := startRedis(ctx, binary, keeper)
	if err != nil {
		return err
	}
	e.vars[varRedisURL] = fmt.Sprintf("redis://127.0.0.1:%d/0", port)
	e.vars[varRedisServer] = binary
	e.started = append(e.started, fmt.Sprintf("Redis on 127.0.0.1:%d", port))
	return nil
}

func (e *environment) takeChromium(_ context.Context, path string, _ *janitor) error {
	e.vars[varChromium] = path
	e.started = append(e.started, "Chromium at "+path)
	return nil
}

// takeTool has nothing to do: being installed is all.
func (*environment) takeTool(context.Context, string, *janitor) error { return nil }

// takeNode has nothing to do either: npm brings Node.js.
func (e *environment) takeNode(_ context.Context, path string, _ *janitor) error {
	e.started = append(e.started, "npm at "+path)
	return nil
}

// takeLanguage has nothing to do: being installed is all.
func (e *environment) takeLanguage(_ context.Context, path string, _ *janitor) error {
	e.started = append(e.started, path)
	return nil
}

// summary says in one line what the command gets.
func (e *environment) summary() string { return strings.Join(e.started, ", ") }

// list is the environment in the form that a process takes.
func (e *environment) list() []string {
	pairs := make([]string, 0, len(e.vars))
	for _, name := range slices.Sorted(maps.Keys(e.vars)) {
		pairs = append(pairs, name+"="+e.vars[name])
	}
	return pairs
}
