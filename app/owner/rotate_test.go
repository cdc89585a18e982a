package owner_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func admin(w *apptest.World) app.Request { return app.Request{Staff: w.Admin, Addr: "192.0.2.7"} }

func hours(n int) *int { return &n }

func TestRotationsMadeAtOnceAreOne(t *testing.T) {
	t.Parallel()
	for name, endsGrace := range map[string]bool{"as usual": false, "ending graces": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.New(t)
			old := w.Provider.SecretKey
			const staff = 8
			var all sync.WaitGroup
			var mu sync.Mutex
			var won []core.Secret
			first := make(chan struct{})
			// Each has read before anybody commits.
			w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: waitFor(staff, first)}
			for range staff {
				all.Go(func() {
					_, issued, err := w.Directory.RotateProviderKey(t.Context(), admin(w), directory.KeyRotation{
						ID: w.Provider.ID, Credential: owner.SecretKeyKind, EndsGrace: endsGrace,
					})
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil:
						won = append(won, issued.Key)
					case !fault.Is(err, fault.Conflict):
						t.Errorf("the loser is told %v", err)
					}
				})
			}
			all.Wait()
			kept, err := w.Store.Provider(t.Context(), w.Provider.ID)
			if err != nil || len(won) != 1 || kept.SecretKey != won[0] || kept.PreviousSecret.Key != old || kept.Version != 2 {
				t.Errorf("%d rotations; %+v %v", len(won), kept, err)
			}
		})
	}
}

// waitFor holds commits back until so many wait.
func waitFor(n int, open chan struct{}) func(core.Changeset) error {
	var mu sync.Mutex
	return func(core.Changeset) error {
		mu.Lock()
		if n--; n == 0 {
			close(open)
		}
		mu.Unlock()
		<-open
		return nil
	}
}

// TestARotationSurvivesAnEditMadeAtOnce: what else changes of the owner is no reason to refuse it.
func TestARotationSurvivesAnEditMadeAtOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	name, isOvertaken := "Yeni Ad", false
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		if !isOvertaken {
			isOvertaken = true
			_, err := w.Directory.UpdateProvider(t.Context(), admin(w), directory.ProviderUpdate{
				ID: w.Provider.ID, ProviderPatch: owner.ProviderPatch{Name: &name},
			})
			return err
		}
		return nil
	}}
	p, issued, err := w.Directory.RotateProviderKey(t.Context(), admin(w), directory.KeyRotation{ID: w.Provider.ID, Credential: owner.APIKeyKind})
	if err != nil || p.Name != name || p.APIKey != issued.Key.Reveal() || p.PreviousAPIKey.Key.Reveal() != w.Provider.APIKey {
		t.Errorf("%+v %v", p, err)
	}
}

func TestRotationsAreAuditedWithoutKeys(t *testing.T) {
	t.Parallel()
	w, audit := audited(t)
	token, err := w.Directory.CreateSiteToken(t.Context(), app.BySystem, owner.SiteToken{DealerID: w.Dealer.ID, Name: "T"})
	if err != nil {
		t.Fatal(err)
	}
	audit()
	var issued []string
	rotate := func(k directory.IssuedKey, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		issued = append(issued, k.Key.Reveal())
	}
	by := admin(w)
	for _, kind := range []owner.KeyKind{owner.APIKeyKind, owner.SecretKeyKind, owner.VerificationKind, owner.WebhookKind} {
		_, k, err := w.Directory.RotateProviderKey(t.Context(), by, directory.KeyRotation{ID: w.Provider.ID, Credential: kind})
		rotate(k, err)
	}
	for _, kind := range []owner.KeyKind{owner.APIKeyKind, owner.SecretKeyKind} {
		_, k, err := w.Directory.RotateDealerKey(t.Context(), by, directory.KeyRotation{ID: w.Dealer.ID, Credential: kind})
		rotate(k, err)
	}
	for _, kind := range []owner.KeyKind{owner.TokenKind, owner.SecretKeyKind} {
		_, k, err := w.Directory.RotateSiteTokenKey(t.Context(), by, directory.KeyRotation{ID: token.ID, Credential: kind})
		rotate(k, err)
	}
	_, k, err := w.Directory.RotateSiteKey(t.Context(), by, directory.KeyRotation{ID: w.Site.ID, Credential: owner.CredentialKind, GraceHours: hours(0)})
	rotate(k, err)
	rows := audit()
	if len(rows) != len(issued) {
		t.Fatalf("%d audit rows of %d rotations", len(rows), len(issued))
	}
	wantTargets := []string{"provider/1", "provider/1", "provider/1", "provider/1", "dealer/1", "dealer/1", "site_token/1", "site_token/1", "site/1"}
	for i, row := range rows {
		text := row.Action + row.Target + row.Before + row.After + row.Reason
		for _, key := range append(issued, w.Provider.SecretKey.Reveal(), w.Provider.APIKey) {
			if strings.Contains(text, key) {
				t.Errorf("%s names a key", text)
			}
		}
		if row.Actor != by.Actor() || row.Target != wantTargets[i] || !strings.Contains(row.After, `"key":`) ||
			!strings.HasPrefix(row.Action, "rotate") {
			t.Errorf("audit %+v", row)
		}
	}
	site, err := w.Store.Site(t.Context(), w.Site.ID)
	if err != nil || !site.PreviousCredential.Key.IsZero() {
		t.Errorf("without grace the old key is kept: %+v %v", site, err)
	}
}

func TestOnlyWhoMayRotateDoes(t *testing.T) {
	t.Parallel()
	w, audit := audited(t)
	for _, staff := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff, {}} {
		by := app.Request{Staff: staff}
		_, _, err := w.Directory.RotateProviderKey(t.Context(), by, directory.KeyRotation{ID: 1, Credential: owner.APIKeyKind})
		wantCode(t, err, fault.Forbidden)
		_, _, err = w.Directory.RotateSiteKey(t.Context(), by, directory.KeyRotation{ID: 1, Credential: owner.CredentialKind})
		wantCode(t, err, fault.Forbidden)
		_, _, err = w.Directory.RotateDealerKey(t.Context(), by, directory.KeyRotation{ID: 1, Credential: owner.APIKeyKind})
		wantCode(t, err, fault.Forbidden)
		_, _, err = w.Directory.RotateSiteTokenKey(t.Context(), by, directory.KeyRotation{ID: 1, Credential: owner.TokenKind})
		wantCode(t, err, fault.Forbidden)
	}
	if rows := audit(); len(rows) != 0 {
		t.Errorf("a refusal is audited: %+v", rows)
	}
}

// TestFirstUseOfAnOldKeyIsKept: once, and not of one whose grace is over.
func TestFirstUseOfAnOldKeyIsKept(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	if _, _, err := w.Directory.RotateProviderKey(t.Context(), admin(w), directory.KeyRotation{
		ID: w.Provider.ID, Credential: owner.SecretKeyKind, GraceHours: hours(1),
	}); err != nil {
		t.Fatal(err)
	}
	use := owner.OldKeyUse{ProviderID: w.Provider.ID, Kind: owner.SecretKeyKind}
	var at []time.Time
	for range 3 {
		w.Clock.Advance(time.Minute)
		if err := w.Directory.NoteOldKey(t.Context(), use); err != nil {
			t.Fatal(err)
		}
		p, err := w.Store.Provider(t.Context(), w.Provider.ID)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, p.PreviousSecret.UsedAt)
	}
	if at[0] != apptest.Start.Add(time.Minute) || at[1] != at[0] || at[2] != at[0] {
		t.Errorf("noted at %v", at)
	}
	for _, other := range []owner.OldKeyUse{
		{ProviderID: w.Provider.ID, Kind: owner.APIKeyKind}, {SiteID: w.Site.ID, Kind: owner.CredentialKind},
		{DealerID: w.Dealer.ID, Kind: owner.SecretKeyKind},
	} {
		if err := w.Directory.NoteOldKey(t.Context(), other); err != nil {
			t.Errorf("%+v: %v", other, err)
		}
	}
	wantCode(t, w.Directory.NoteOldKey(t.Context(), owner.OldKeyUse{SiteTokenID: 99, Kind: owner.TokenKind}), fault.NotFound)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error { return fault.New("", fault.Conflict) }}
	if _, _, err := w.Directory.RotateProviderKey(t.Context(), admin(w), directory.KeyRotation{ID: 99, Credential: owner.APIKeyKind}); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown provider: %v", err)
	}
}
