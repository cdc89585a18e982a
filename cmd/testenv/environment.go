package main

import (
	"context"
	"errors"
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
	met := map[need]string{needPostgres: varDatabaseURL, needRedis: varRedisURL, needChromium: varChromium}
	var rest []need
	for _, n := range needs {
		if e.vars[met[n]] != "" {
			e.started = append(e.started, fmt.Sprintf("%s as given in %s", n, met[n]))
			continue
		}
		rest = append(rest, n)
	}
	return rest
}

// start provides one need and exports its variables.
func (e *environment) start(ctx context.Context, n need, keeper *janitor) error {
	switch n {
	case needPostgres:
		return e.startPostgres(ctx, keeper)
	case needRedis:
		return e.startRedis(ctx, keeper)
	case needChromium:
		return e.findChromium()
	case needCurl:
		return nil // being installed is all
	default:
		return fmt.Errorf("unknown need %q", n)
	}
}

func (e *environment) startPostgres(ctx context.Context, keeper *janitor) error {
	bin, ok := findPostgres()
	if !ok {
		return errors.New("PostgreSQL is still missing after the installation")
	}
	server, err := startPostgres(ctx, bin, e.isDurable, keeper)
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
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

func (e *environment) startRedis(ctx context.Context, keeper *janitor) error {
	binary, ok := findRedis()
	if !ok {
		return errors.New("redis-server is still missing after the installation")
	}
	port, err := startRedis(ctx, binary, keeper)
	if err != nil {
		return fmt.Errorf("start Redis: %w", err)
	}
	e.vars[varRedisURL] = fmt.Sprintf("redis://127.0.0.1:%d/0", port)
	e.vars[varRedisServer] = binary
	e.started = append(e.started, fmt.Sprintf("Redis on 127.0.0.1:%d", port))
	return nil
}

func (e *environment) findChromium() error {
	path, ok := findChromium()
	if !ok {
		return errors.New("chromium is still missing after the installation")
	}
	e.vars[varChromium] = path
	e.started = append(e.started, "Chromium at "+path)
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
