package harness

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/aesgcm"
	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/owner"
)

// AddSites returns the demo's provider sites that have callback URLs of their own, and so are receivers of their own. No
// command of the binary does that yet: it is done by the use case, on the database, before a process is started.
func (in *Installation) AddSites(urls []string) []SiteKeys {
	in.T.Helper()
	store := in.OpenStore()
	defer func() { _ = store.Close() }()
	clock := wallClock{}
	owners := &directory.Directory{
		UnitOfWork: &app.UnitOfWork{Commits: store, Clock: clock, Random: rand.Reader, Directory: store}, Sequences: store,
	}
	var made []SiteKeys
	for _, url := range urls {
		site, key, err := owners.CreateSite(context.Background(), app.BySystem, owner.Site{
			ProviderID: in.Keys.Provider.ID, DealerID: 1, Name: "e2e.example", URLs: owner.CallbackURLs{Deposit: url},
		})
		if err != nil {
			in.T.Fatal(err)
		}
		KeepSecret("a site's credential key", key)
		made = append(made, SiteKeys{ID: site.ID, Name: site.Name, CredentialKey: key})
	}
	return made
}

// OpenStore opens the installation's store.
func (in *Installation) OpenStore() *bunstore.Store { in.T.Helper(); return in.openStore(false) }

// OpenPrimary opens the installation's store as a serving process does: nothing but the primary that was looked at will do.
func (in *Installation) OpenPrimary() *bunstore.Store { in.T.Helper(); return in.openStore(true) }

func (in *Installation) openStore(isPrimary bool) *bunstore.Store {
	in.T.Helper()
	key, err := os.ReadFile(filepath.Join(in.Dir, "master.key"))
	if err != nil {
		in.T.Fatal(err)
	}
	sealer, err := aesgcm.ParseKeys(strings.TrimSpace(string(key)))
	if err != nil {
		in.T.Fatal(err)
	}
	config := bunstore.Config{Sealer: sealer, DatabaseURL: in.Setting("DATABASE_URL"), IsPrimary: isPrimary}
	if config.DatabaseURL == "" {
		config.Path = filepath.Join(in.Dir, "vezne.db")
	}
	store, err := bunstore.Open(context.Background(), config)
	if err != nil {
		in.T.Fatal(err)
	}
	return store
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
