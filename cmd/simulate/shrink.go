package main

import (
	"context"
	"slices"
)

// shrink leaves out steps for as long as the same invariant still breaks without them: half of them at first, at last each
// by itself. What is left is the least that tells what is wrong.
func (p player) shrink(ctx context.Context, failed Result) (Result, error) {
	p.watched = func(name string) bool { return name == failed.Breach.Name }
	failed.Story.Steps = failed.Story.Steps[:min(len(failed.Outcomes), len(failed.Story.Steps))]
	for size := max(len(failed.Story.Steps)/2, 1); ; {
		isLess := false
		for at := 0; at < len(failed.Story.Steps); {
			less := failed.Story
			less.Steps = slices.Delete(slices.Clone(less.Steps), at, min(at+size, len(less.Steps)))
			r, err := p.play(ctx, less)
			if err != nil {
				return failed, err
			}
			if r.Breach.Name != failed.Breach.Name {
				at += size
				continue
			}
			r.Story.Steps = r.Story.Steps[:min(len(r.Outcomes), len(r.Story.Steps))]
			failed, isLess = r, true
		}
		switch {
		case size > 1:
			size = (size + 1) / 2
		case !isLess:
			return failed, nil
		}
	}
}
