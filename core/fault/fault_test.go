package fault_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strconv"
	"testing"

	"github.com/vezne/vezne/core/fault"
)

// join is errors.Join, wrapped once more with no code of its own.
func join(errs ...error) error { return fault.E("outer", "", errors.Join(errs...)) }

func TestCodeOf(t *testing.T) {
	t.Parallel()
	conflict := fault.New("store.Commit", fault.Conflict)
	bare := fault.E("step", "", io.EOF)
	tests := []struct {
		name string
		err  error
		want fault.Code
	}{
		{"nil", nil, ""},
		{"somebody else's", io.EOF, fault.Internal},
		{"fault", conflict, fault.Conflict},
		{"kept by a wrap without a code", fault.E("use", "", conflict), fault.Conflict},
		{"kept by two", fault.E("a", "", fault.E("b", "", conflict)), fault.Conflict},
		{"the outermost wins", fault.E("use", fault.NotFound, conflict), fault.NotFound},
		{"through fmt", fmt.Errorf("x: %w", conflict), fault.Conflict},
		{"through fmt with several", fmt.Errorf("%w and %w", io.EOF, conflict), fault.Conflict},
		{"through fmt and back", fault.E("a", "", fmt.Errorf("x: %w", fault.E("b", "", conflict))), fault.Conflict},
		{"no code anywhere", bare, fault.Internal},
		{"joined", errors.Join(io.EOF, conflict), fault.Conflict},
		{"joined, the first code wins", errors.Join(fault.New("a", fault.Blocked), conflict), fault.Blocked},
		{"joined behind one without a code", errors.Join(bare, conflict), fault.Conflict},
		{"joined, wrapped, joined", join(io.EOF, join(bare, conflict)), fault.Conflict},
		{"joined without any code", join(bare, io.EOF), fault.Internal},
	}
	for _, tt := range tests {
		if got := fault.CodeOf(tt.err); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if tt.err != nil && !fault.Is(tt.err, tt.want) || fault.Is(tt.err, "OTHER") || tt.err == nil && fault.Is(tt.err, "") {
			t.Errorf("%s: Is disagrees", tt.name)
		}
		if got := fault.IsRetryable(tt.err); got != (tt.want == fault.Conflict) {
			t.Errorf("%s: IsRetryable = %v", tt.name, got)
		}
	}
}

func TestFieldsOf(t *testing.T) {
	t.Parallel()
	fields := []fault.Field{{Name: "amount", Key: "field.min", Args: []any{"amount", "1.00"}}, {Name: "iban", Key: "field.required"}}
	invalid := fault.Fields("form", fields)
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"nil", nil, 0},
		{"somebody else's", io.EOF, 0},
		{"a fault without fields", fault.New("a", fault.NotFound), 0},
		{"validation", invalid, 2},
		{"wrapped", fault.E("a", "", fmt.Errorf("x: %w", fault.E("b", "", invalid))), 2},
		{"wrapped under another code", fault.E("a", fault.Forbidden, invalid), 2},
		{"joined", errors.Join(io.EOF, invalid), 2},
		{"joined behind a fault without fields", join(fault.New("a", fault.NotFound), invalid), 2},
	}
	for _, tt := range tests {
		got := fault.FieldsOf(tt.err)
		if len(got) != tt.want || tt.want == 2 && (got[0].Name != "amount" || got[1].Key != "field.required") {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	if err := fault.Fields("form", nil); err != nil {
		t.Errorf("no failed field is the fault %v", err)
	}
	if !fault.Is(invalid, fault.Invalid) {
		t.Errorf("failed fields have the code %s", fault.CodeOf(invalid))
	}
}

// TestArgsOf: the arguments belong to the code that CodeOf gives, never to another.
func TestArgsOf(t *testing.T) {
	t.Parallel()
	final := fault.New("decide", fault.AlreadyFinal, "completed")
	tests := []struct {
		name string
		err  error
		want []any
	}{
		{"nil", nil, nil},
		{"somebody else's", io.EOF, nil},
		{"own", final, []any{"completed"}},
		{"wrapped without a code", fault.E("use", "", final), []any{"completed"}},
		{"wrapped under another code", fault.E("use", fault.NotFound, final), nil},
		{"joined behind one without a code", join(fault.E("step", "", io.EOF), final), []any{"completed"}},
	}
	for _, tt := range tests {
		if got := fault.ArgsOf(tt.err); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestErrorText: the trail of operations is in the log's text, and the values of failed fields are not.
func TestErrorText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  error
		want string
	}{
		{fault.New("decide", fault.AlreadyFinal, "completed"), "decide: ALREADY_FINAL"},
		{fault.E("deposit.Reject", "", fault.E("store.Commit", fault.Conflict, io.EOF)), "deposit.Reject: store.Commit: CONFLICT: EOF"},
		{fault.Fields("form", []fault.Field{{Name: "iban", Key: "field.iban", Args: []any{"TR33"}}}), "form: INVALID iban(field.iban)"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if err := fault.E("a", fault.Internal, io.EOF); !errors.Is(err, io.EOF) {
		t.Error("the cause is lost")
	}
}

// TestCodesAreListed: Codes has every constant of code.go, once.
func TestCodesAreListed(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var declared []fault.Code
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for _, v := range spec.Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Errorf("%v", err)
				}
				declared = append(declared, fault.Code(text))
			}
		}
		return true
	})
	listed := fault.Codes()
	slices.Sort(declared)
	slices.Sort(listed)
	if !slices.Equal(declared, listed) || len(slices.Compact(declared)) != len(listed) || len(listed) < 30 {
		t.Errorf("declared %v, listed %v", declared, listed)
	}
}

// TestNothingIsNoFault: a step that did not fail may be passed on as one that did.
func TestNothingIsNoFault(t *testing.T) {
	t.Parallel()
	if err := fault.E("step", "", nil); err != nil {
		t.Errorf("without a code and a cause: %v", err)
	}
	if err := fault.E("step", fault.Unavailable, nil); !fault.Is(err, fault.Unavailable) {
		t.Errorf("with a code and no cause: %v", err)
	}
}

// TestHints: they are told in the order in which they were given, and change no code.
func TestHints(t *testing.T) {
	t.Parallel()
	err := fault.Hinted(fault.E("step", "", fault.Hinted(fault.New("check", fault.InvalidHash), "hint.formula", "a + b")), "hint.credential")
	hints := fault.HintsOf(err)
	if len(hints) != 2 || hints[0].Key != "hint.formula" || hints[0].Args[0] != "a + b" || hints[1].Key != "hint.credential" {
		t.Errorf("hints %+v", hints)
	}
	if !fault.Is(err, fault.InvalidHash) || fault.Hinted(nil, "hint.credential") != nil || len(fault.HintsOf(io.EOF)) != 0 {
		t.Errorf("the fault is %v", err)
	}
}
