package harness

import (
	"strings"
	"testing"
)

// ExpectFailure runs a command that has to end with exit code 1 and to say why, without a stack or a usage page.
func (l Launch) ExpectFailure(t *testing.T, wanted ...string) {
	t.Helper()
	o := l.Execute(t)
	if o.Code != 1 {
		t.Errorf("vezne %v ends with %d, want 1:\n%s", l.Args, o.Code, o.Stderr)
	}
	for _, text := range append(wanted, "vezne: ") {
		if !strings.Contains(o.Stderr, text) {
			t.Errorf("vezne %v does not say %q:\n%s", l.Args, text, o.Stderr)
		}
	}
	if strings.Contains(o.Stderr, "goroutine ") {
		t.Errorf("vezne %v panics:\n%s", l.Args, o.Stderr)
	}
}

// Succeed runs a command that has to end well.
func (in *Installation) Succeed(args ...string) string {
	in.T.Helper()
	return in.SucceedWith("", args...)
}

// SucceedWith is Succeed with something on standard input.
func (in *Installation) SucceedWith(stdin string, args ...string) string {
	in.T.Helper()
	o := Launch{Args: args, Env: in.Env, stdin: stdin, binary: in.Binary}.Execute(in.T)
	if o.Code != 0 {
		in.T.Fatalf("vezne %v ends with %d:\n%s%s", args, o.Code, o.Stdout, o.Stderr)
	}
	return o.Stdout
}
