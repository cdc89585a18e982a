package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		stop()
		os.Exit(1) //nolint:gocritic // nothing is left to be done
	}
}

// gcPercent spends memory, of which a world needs little, to save time.
const gcPercent = 400

// errBroken: an invariant does not hold.
var errBroken = errors.New("an invariant does not hold")

// options are what the command line says.
type options struct {
	seeds, from uint64
	seed        uint64
	parallel    int
	story       string
	mutant      string
	only, not   string
	isLogged    bool
	allMutants  bool
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("simulate", flag.ContinueOnError)
	f.Uint64Var(&o.seeds, "seeds", 1000, "how many worlds")
	f.Uint64Var(&o.from, "from", 1, "the first seed")
	f.Uint64Var(&o.seed, "seed", 0, "only the world of this seed, told whole")
	f.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "how many worlds at once")
	f.StringVar(&o.story, "story", "", "a file with a story that is told again")
	f.StringVar(&o.mutant, "mutant", "", "a defect that is put back: "+strings.Join(mutantNames(), ", "))
	f.BoolVar(&o.allMutants, "mutants", false, "put each of the defects back, one after another, and find it")
	f.StringVar(&o.only, "only", "", "look at these invariants only, separated by commas: "+strings.Join(invariants(), ", "))
	f.StringVar(&o.not, "not", "", "do not look at these invariants")
	f.BoolVar(&o.isLogged, "log", false, "print what the process logs, with -seed or -story")
	return o, f.Parse(args)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	debug.SetGCPercent(gcPercent)
	o, err := parse(args)
	if err != nil {
		return err
	}
	p, err := o.player()
	if err != nil {
		return err
	}
	if p.template, err = newTemplate(ctx); err != nil {
		return err
	}
	defer p.template.close()
	switch {
	case o.story != "":
		text, err := os.ReadFile(o.story)
		if err != nil {
			return err
		}
		s, err := readStory(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return tell(ctx, p, s, o, out)
	case o.allMutants:
		return findAll(ctx, p, o, out)
	case o.seed != 0:
		return tell(ctx, p, storyOf(o.seed), o, out)
	default:
		return search(ctx, p, o, out)
	}
}

func (o options) player() (player, error) {
	p := player{}
	if o.mutant != "" {
		m, ok := mutantNamed(o.mutant)
		if !ok {
			return p, fmt.Errorf("no mutant %q: there are %s", o.mutant, strings.Join(mutantNames(), ", "))
		}
		p = p.of(m)
	}
	listed := func(list, name string) bool { return slices.Contains(strings.Split(list, ","), name) }
	if o.only != "" {
		p.watched = func(name string) bool { return listed(o.only, name) }
	}
	if o.not != "" {
		p.watched = func(name string) bool { return !listed(o.not, name) }
	}
	return p, nil
}

// tell tells one story, whole.
func tell(ctx context.Context, p player, s Story, o options, out io.Writer) error {
	if o.isLogged {
		p.log = out
	}
	r, err := p.play(ctx, s)
	if err != nil {
		return err
	}
	return r.report(out)
}

// report prints a story with what came of it.
func (r Result) report(out io.Writer) error {
	fmt.Fprintf(out, "seed %d\n", r.Story.Seed)
	if err := r.Story.write(out, r.Outcomes); err != nil {
		return err
	}
	for _, line := range r.End {
		fmt.Fprintln(out, "end:", line)
	}
	if r.Breach.Name == "" {
		fmt.Fprintln(out, "all invariants hold; what is stored:", r.Digest)
		return nil
	}
	fmt.Fprintf(out, "BROKEN %s: %s\n", r.Breach.Name, r.Breach.Why)
	return errBroken
}

// search tells the stories of many seeds until one breaks an invariant, which is then shrunken and printed.
func search(ctx context.Context, p player, o options, out io.Writer) error {
	begin := time.Now()
	failed, count, err := p.search(ctx, o.from, o.seeds, o.parallel)
	took := time.Since(begin)
	fmt.Fprintf(out, "%d seeds in %s: %.1f a second\n", count, took.Round(time.Millisecond), float64(count)/took.Seconds())
	if err != nil || failed == nil {
		return err
	}
	fmt.Fprintf(out, "seed %d breaks %s: %s\n", failed.Story.Seed, failed.Breach.Name, failed.Breach.Why)
	shrunken, err := p.shrink(ctx, *failed)
	if err != nil {
		return err
	}
	return shrunken.report(out)
}

// findAll puts each defect back and searches for it.
func findAll(ctx context.Context, p player, o options, out io.Writer) error {
	var missed []string
	for _, m := range mutants() {
		failed, count, err := p.of(m).search(ctx, o.from, o.seeds, o.parallel)
		if err != nil {
			return err
		}
		if failed == nil {
			missed = append(missed, m.name)
			fmt.Fprintf(out, "%-24s NOT FOUND in %d seeds: %s\n", m.name, count, m.what)
			continue
		}
		fmt.Fprintf(out, "%-24s found in %4d seeds: %s: %s\n", m.name, failed.Story.Seed-o.from+1, failed.Breach.Name, failed.Breach.Why)
	}
	if len(missed) > 0 {
		return fmt.Errorf("not found: %s", strings.Join(missed, ", "))
	}
	return nil
}

// of is a player in whose worlds a defect is back.
func (p player) of(m mutant) player {
	p.mutant = m
	p.watched = func(name string) bool { return slices.Contains(m.finds, name) }
	return p
}

// search returns the result of the least seed that breaks an invariant, nil where none does, and how many were told.
func (p player) search(ctx context.Context, from, seeds uint64, parallel int) (*Result, uint64, error) {
	var (
		next    atomic.Uint64
		count   atomic.Uint64
		mu      sync.Mutex
		failed  *Result
		trouble error
		all     sync.WaitGroup
	)
	next.Store(from)
	isOver := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return failed != nil || trouble != nil || ctx.Err() != nil
	}
	for range parallel {
		all.Go(func() {
			for !isOver() {
				seed := next.Add(1) - 1
				if seed >= from+seeds {
					return
				}
				r, err := p.play(ctx, storyOf(seed))
				count.Add(1)
				mu.Lock()
				trouble = errors.Join(trouble, err)
				if err == nil && r.Breach.Name != "" && (failed == nil || seed < failed.Story.Seed) {
					failed = &r
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return failed, count.Load(), errors.Join(trouble, ctx.Err())
}
