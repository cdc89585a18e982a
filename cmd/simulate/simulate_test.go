package main

import (
	"bytes"
	"fmt"
	"testing"
)

// someSeeds is how many worlds a run of the tests sees. `make simulate` sees ten thousand.
const someSeeds = 60

func players(t *testing.T) player {
	t.Helper()
	made, err := newTemplate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.close)
	return player{template: made}
}

func TestInvariantsHoldInManyWorlds(t *testing.T) {
	t.Parallel()
	p := players(t)
	failed, _, err := p.search(t.Context(), 1, someSeeds, 2)
	if err != nil {
		t.Fatal(err)
	}
	if failed == nil {
		return
	}
	shrunken, err := p.shrink(t.Context(), *failed)
	if err != nil {
		t.Fatal(err)
	}
	var story bytes.Buffer
	t.Errorf("%v\n%s", shrunken.report(&story), story.String())
}

func TestOneSeedIsOneStory(t *testing.T) {
	t.Parallel()
	p := players(t)
	p.watched, p.isEarly = func(string) bool { return false }, true
	for half := range uint64(2) {
		t.Run(fmt.Sprint("half ", half), func(t *testing.T) {
			t.Parallel()
			for seed := half; seed < 60; seed += 2 {
				if one, two := told(t, p, storyOf(seed)), told(t, p, storyOf(seed)); one != two {
					t.Errorf("seed %d tells two stories:\n%s\nand\n%s", seed, one, two)
				}
			}
		})
	}
}

// told is a whole story as it is printed.
func told(t *testing.T, p player, s Story) string {
	t.Helper()
	r, err := p.play(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.report(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestAShrunkenStoryIsToldAgain(t *testing.T) {
	t.Parallel()
	m, ok := mutantNamed("unbounded-word")
	if !ok {
		t.Fatal("there is no such mutant")
	}
	p := players(t).of(m)
	failed, _, err := p.search(t.Context(), 1, 200, 2)
	if err != nil || failed == nil {
		t.Fatalf("the mutant is not found: %v", err)
	}
	shrunken, err := p.shrink(t.Context(), *failed)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(shrunken.Story.Steps); n > 4 {
		t.Errorf("%d steps tell of an approval", n)
	}
	var text bytes.Buffer
	_ = shrunken.report(&text)
	read, err := readStory(&text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.play(t.Context(), read)
	if err != nil || again.Breach != shrunken.Breach {
		t.Errorf("read again it breaks %v (%v), and broke %v", again.Breach, err, shrunken.Breach)
	}
}

func TestStepsAreAllThatStoriesHave(t *testing.T) {
	t.Parallel()
	known := func(kind string) bool {
		_, isStaff := staffActions()[kind]
		return isStaff || actions[kind] != nil
	}
	seen := map[string]bool{}
	for seed := range uint64(2000) {
		ids := map[int]bool{}
		for _, s := range storyOf(seed).Steps {
			if !known(s.Kind) || ids[s.ID] {
				t.Fatalf("seed %d has the step %+v", seed, s)
			}
			ids[s.ID], seen[s.Kind] = true, true
		}
	}
	for kind := range actions {
		if !seen[kind] {
			t.Errorf("no story has a step %q", kind)
		}
	}
	for kind := range staffActions() {
		if !seen[kind] {
			t.Errorf("no story has a step %q", kind)
		}
	}
}

func BenchmarkStory(b *testing.B) {
	made, err := newTemplate(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer made.close()
	p := player{template: made}
	seed := uint64(0)
	for b.Loop() {
		seed++
		if _, err := p.play(b.Context(), storyOf(seed)); err != nil {
			b.Fatal(err)
		}
	}
}
