package main_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/aesgcm"
	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/app/directory"
)

// addSites gives the demo's provider sites that have callback URLs of their own, and so are receivers of their own. No
// command of the binary does that yet: it is done by the use case, on the database, before a process is started.
func (in *installation) addSites(urls []string) []siteKeys {
	in.t.Helper()
	store := in.openStore()
	defer func() { _ = store.Close() }()
	clock := wallClock{}
	owners := &directory.Service{
		Desk: &app.Desk{Commits: store, Clock: clock, Random: rand.Reader}, Directory: store, Sequences: store,
	}
	var made []siteKeys
	for _, url := range urls {
		site, key, err := owners.CreateSite(context.Background(), core.System, core.Site{
			ProviderID: in.keys.Provider.ID, DealerID: 1, Name: "e2e.example", URLs: core.CallbackURLs{Deposit: url},
		})
		if err != nil {
			in.t.Fatal(err)
		}
		shared.keepSecret("a site's credential key", key)
		made = append(made, siteKeys{ID: site.ID, Name: site.Name, CredentialKey: key})
	}
	return made
}

func (in *installation) openStore() *bunstore.Store {
	in.t.Helper()
	key, err := os.ReadFile(filepath.Join(in.dir, "master.key"))
	if err != nil {
		in.t.Fatal(err)
	}
	sealer, err := aesgcm.ParseKeys(strings.TrimSpace(string(key)))
	if err != nil {
		in.t.Fatal(err)
	}
	config := bunstore.Config{Sealer: sealer, DatabaseURL: in.setting("DATABASE_URL")}
	if config.DatabaseURL == "" {
		config.Path = filepath.Join(in.dir, "vezne.db")
	}
	store, err := bunstore.Open(context.Background(), config)
	if err != nil {
		in.t.Fatal(err)
	}
	return store
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
