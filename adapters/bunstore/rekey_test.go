package bunstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/ports/storetest"
)

// rekey seals everything anew and fails the test unless it succeeds.
func rekey(t *testing.T, s *bunstore.Store) bunstore.Rekeyed {
	t.Helper()
	result, err := s.Rekey(t.Context(), bunstore.RekeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// withKeys opens the same database with other keys.
func withKeys(t *testing.T, cfg bunstore.Config, keys ...key) *bunstore.Store {
	t.Helper()
	cfg.Sealer = ring(keys)
	return openStore(t, cfg)
}

func TestAfterRekeyTheFirstKeyAloneOpensEverything(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		before, after := newKey(t), newKey(t)
		isThere := storetest.Fill(t, storetest.Of(withKeys(t, cfg, before)))
		both := withKeys(t, cfg, after, before)
		counts, isWhole, err := both.SampleSealed(t.Context())
		if err != nil || !isWhole || len(counts.Under(before.id)) != len(bunstore.SealedColumns()) {
			t.Fatalf("before: %v, %v, %v", counts, isWhole, err)
		}
		result := rekey(t, both)
		if keys := result.Counts.Keys(); !slices.Equal(keys, []string{after.id}) || len(result.Damaged) > 0 || result.Sealed == 0 {
			t.Errorf("after it: %+v", result)
		}
		if counts, err := both.CountSealed(t.Context()); err != nil || fmt.Sprint(counts) != fmt.Sprint(result.Counts) {
			t.Errorf("counted %v (%v), said %v", counts, err, result.Counts)
		}
		alone := withKeys(t, cfg, after)
		isThere(t, storetest.Of(alone))
		if _, err := alone.CheckSecrets(t.Context()); err != nil {
			t.Error(err)
		}
		if again := rekey(t, alone); again.Sealed != 0 {
			t.Errorf("again: %+v", again)
		}
	})
}

// meddler is a ring that has something happen when something is about to be sealed.
type meddler struct {
	ring
	meddle func(context string)
}

func (m meddler) Seal(plain, context string) (string, error) {
	m.meddle(context)
	return m.ring.Seal(plain, context)
}

// TestRekeyLetsAConcurrentChangeWin: a row that is saved, and one that is deleted, between its reading and its writing.
func TestRekeyLetsAConcurrentChangeWin(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		before, after := newKey(t), newKey(t)
		old := withKeys(t, cfg, before)
		at := time.Unix(1_800_000_000, 0).UTC()
		p := owner.Provider{ID: 7, Version: 1, SecretKey: secret("first"), CreatedAt: at, UpdatedAt: at}
		if err := old.Commit(t.Context(), core.Changeset{p}); err != nil {
			t.Fatal(err)
		}
		var meddled atomic.Int32
		cfg.Sealer = meddler{ring{after, before}, func(context string) {
			if strings.HasPrefix(context, "providers.secret_key/") && meddled.Add(1) == 1 {
				p.Version, p.SecretKey = 2, secret("second")
				if err := old.Commit(t.Context(), core.Changeset{p}); err != nil {
					t.Error(err)
				}
			}
		}}
		result := rekey(t, openStore(t, cfg))
		if keys := result.Counts.Keys(); !slices.Equal(keys, []string{after.id}) || meddled.Load() != 2 {
			t.Errorf("after %d tries: %+v", meddled.Load(), result)
		}
		now, err := withKeys(t, cfg, after).Provider(t.Context(), 7)
		if err != nil || now.Version != 2 || now.SecretKey.Reveal() != secret("second").Reveal() {
			t.Errorf("the provider is %+v (%v)", now, err)
		}
	})
}

// TestRekeyBesideCommits saves rows again and again while they are sealed anew: no commit is refused, and none is lost.
func TestRekeyBesideCommits(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		const rows, saves = 30, 20
		before, after := newKey(t), newKey(t)
		at := time.Unix(1_800_000_000, 0).UTC()
		operationOf := func(i, version int) operation.Operation {
			return operation.Operation{
				ID: core.ID(fmt.Sprintf("O%02d", i)), Version: version, Phase: operation.Open, CreatedAt: at,
				Fields: map[string]string{"version": fmt.Sprint(version)},
			}
		}
		old := withKeys(t, cfg, before)
		for i := range rows {
			if err := old.Commit(t.Context(), core.Changeset{operationOf(i, 1)}); err != nil {
				t.Fatal(err)
			}
		}
		service := withKeys(t, cfg, after, before)
		var all sync.WaitGroup
		for i := range rows {
			all.Go(func() {
				for version := 2; version <= saves; version++ {
					if err := service.Commit(t.Context(), core.Changeset{operationOf(i, version)}); err != nil {
						t.Errorf("operation %d: %v", i, err)
						return
					}
				}
			})
		}
		for range 3 {
			if _, err := withKeys(t, cfg, after, before).Rekey(t.Context(), bunstore.RekeyOptions{}); err != nil {
				t.Error(err)
			}
		}
		all.Wait()
		rekey(t, service)
		alone := withKeys(t, cfg, after)
		for i := range rows {
			o, err := alone.OperationBy(t.Context(), operation.Key{ID: operationOf(i, 1).ID})
			if err != nil || o.Version != saves || o.Fields["version"] != fmt.Sprint(saves) {
				t.Errorf("operation %d is at version %d, %v (%v)", i, o.Version, o.Fields, err)
			}
		}
	})
}

// TestRekeyLeavesWhatCannotBeDecrypted, says so, and goes on with the rest.
func TestRekeyLeavesWhatCannotBeDecrypted(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		before, after := newKey(t), newKey(t)
		if err := withKeys(t, cfg, before).Commit(t.Context(), secretive()); err != nil {
			t.Fatal(err)
		}
		db := rawDatabase(t, cfg)
		execute(t, db, "UPDATE providers SET secret_key = webhook_secret WHERE id = 7")
		execute(t, db, "UPDATE staff SET password_hash = replace(password_hash, '"+before.id+"', '0badc0de')")
		execute(t, db, "UPDATE staff_factors SET totp = 'in plain'")
		both := withKeys(t, cfg, after, before)
		result := rekey(t, both)
		providers := bunstore.SealedColumn{Table: "providers", Column: "secret_key"}
		staff := bunstore.SealedColumn{Table: "staff", Column: "password_hash"}
		factors := bunstore.SealedColumn{Table: "staff_factors", Column: "totp"}
		for id, want := range map[string]bunstore.SealedColumn{before.id: providers, "0badc0de": staff, "": factors} {
			if left := result.Counts.Under(id); !slices.Equal(left, []bunstore.SealedColumn{want}) {
				t.Errorf("under key %q is %v, want %v", id, left, want)
			}
		}
		if len(result.Damaged) != 2 {
			t.Errorf("damaged: %v", result.Damaged)
		}
		if p, err := withKeys(t, cfg, after).Provider(t.Context(), 8); err != nil || p.SecretKey.IsZero() {
			t.Errorf("the provider beside it: %v", err)
		}
	})
}

// TestRekeyGoesOnWhereItWasInterrupted, and until then what it has left is found at once.
func TestRekeyGoesOnWhereItWasInterrupted(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		before, after := newKey(t), newKey(t)
		old := withKeys(t, cfg, before)
		const rows = 2500
		var change core.Changeset
		for i := range rows {
			change = append(change, operation.Operation{
				ID: core.ID(fmt.Sprintf("O%05d", i)), Version: 1, Phase: operation.Closed, CreatedAt: time.Unix(1, 0),
			})
		}
		if err := old.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		both := withKeys(t, cfg, after, before)
		ctx, stop := context.WithCancel(t.Context())
		_, err := both.Rekey(ctx, bunstore.RekeyOptions{Progress: func(p bunstore.RekeyProgress) {
			if p.Sealed > 0 {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted: %v", err)
		}
		counts, err := both.CountSealed(t.Context())
		left := counts[bunstore.SealedColumn{Table: "operations", Column: "body"}][before.id]
		if err != nil || left == 0 || left == rows {
			t.Fatalf("%d of %d are left (%v)", left, rows, err)
		}
		if sample, isWhole, err := both.SampleSealed(t.Context()); err != nil || isWhole || len(sample.Under(before.id)) != 1 {
			t.Errorf("what is left is not found at the ends: %v, %v, %v", sample, isWhole, err)
		}
		if _, err := withKeys(t, cfg, after).CheckSecrets(t.Context()); err == nil {
			t.Error("a start without the old key is not refused")
		}
		if result := rekey(t, both); result.Sealed != left || len(result.Counts.Under(before.id)) != 0 {
			t.Errorf("%d were left; again: %+v", left, result)
		}
		if _, err := withKeys(t, cfg, after).CheckSecrets(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
