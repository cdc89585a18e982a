package bunstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
)

func TestSQLitePathsAreTakenLiterally(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with space", "what?mode=memory", "100%25", "#fragment", "ğ:x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := emptySQLiteConfig(t)
			cfg.Path = filepath.Join(filepath.Dir(cfg.Path), name)
			if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			s := openStore(t, cfg)
			if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(cfg.Path)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(info.Mode()); got != "-rw-------" {
				t.Errorf("the file is %s", got)
			}
		})
	}
}
