package main

import (
	"os"
	"runtime/pprof"
	"testing"
)

func TestZZ(t *testing.T) {
	tm, err := newTemplate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tm.close()
	f, _ := os.Create("/tmp/simx/cpu.prof")
	pprof.StartCPUProfile(f)
	for s := uint64(1); s <= 10; s++ {
		p := player{template: tm, watched: func(string) bool { return false }}
		if _, err := p.play(t.Context(), storyOf(s)); err != nil {
			t.Fatal(err)
		}
	}
	pprof.StopCPUProfile()
	f.Close()
}
