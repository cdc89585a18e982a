package bunstore_test

import (
	"net/url"
	"slices"
	"testing"
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
			off, err := s.Undurable(t.Context())
			if err != nil || slices.Contains(off, "synchronous_commit") != isOff || slices.Contains(off, "fsync") != (fsync == "off") {
				t.Errorf("with synchronous_commit = %s and fsync = %s: %v (%v)", value, fsync, off, err)
			}
		})
	}
}

// TestAFileLosesNothing: the service sets itself what SQLite keeps.
func TestAFileLosesNothing(t *testing.T) {
	t.Parallel()
	if off, err := openStore(t, sqliteConfig(t)).Undurable(t.Context()); err != nil || len(off) > 0 {
		t.Errorf("%v (%v)", off, err)
	}
}
