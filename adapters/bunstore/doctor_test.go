package bunstore_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
)

// TestSettingsThatLoseCommits: what a session is given counts, whoever has set it.
func TestSettingsThatLoseCommits(t *testing.T) {
	t.Parallel()
	for value, isOff := range map[string]bool{"off": true, "local": false, "on": false} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			cfg := ownPostgresConfig(t)
			u, err := url.Parse(cfg.DatabaseURL)
			if err != nil {
				t.Fatal(err)
			}
			query := u.Query()
			query.Set("synchronous_commit", value)
			u.RawQuery = query.Encode()
			cfg.DatabaseURL = u.String()
			s := openStore(t, cfg)
			commits, _ := s.OneConnectionEach()
			var fsync string
			if err := commits.QueryRowContext(t.Context(), "SHOW fsync").Scan(&fsync); err != nil {
				t.Fatal(err)
			}
			is, err := s.Server(t.Context())
			if err != nil || strings.Contains(is.Off, "synchronous_commit") != isOff || strings.Contains(is.Off, "fsync") != (fsync == "off") {
				t.Errorf("with synchronous_commit = %s and fsync = %s: %+v (%v)", value, fsync, is, err)
			}
			if is.BufferBytes < 1<<20 || is.DatabaseBytes < 1<<20 || is.Connections < 10 {
				t.Errorf("%+v", is)
			}
		})
	}
}

// TestAFileHasNoServer: the service sets itself what SQLite keeps.
func TestAFileHasNoServer(t *testing.T) {
	t.Parallel()
	if is, err := openStore(t, sqliteConfig(t)).Server(t.Context()); err != nil || is != (bunstore.Server{}) {
		t.Errorf("%+v (%v)", is, err)
	}
}
