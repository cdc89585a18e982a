// Package fault is Vezne's one error type. A layer wraps what it got with fault.E and sets the code once,
// where it is known; the driving adapters turn codes into HTTP statuses and GraphQL extensions.
package fault

import (
	"slices"
	"strings"
)

// Field is one failed field of a request: its name in the contract, the key of the sentence in core/lang,
// and that sentence's arguments.
type Field struct {
	Name string
	Key  string
	Args []any
}

// Hint is a further sentence for whoever gets an error: what of their request to change. It says nothing that they did not send,
// or that is not documented.
type Hint struct {
	Key  string
	Args []any
}

// Error carries an operation trail, a code, the failed fields of a validation, and a cause that is logged but
// never shown to a caller.
type Error struct {
	Op     string
	Code   Code
	Args   []any // arguments of the code's sentence in core/lang
	Fields []Field
	Hint   Hint // beside the code's sentence; blank: none
	Err    error
}

// E wraps err with the operation that failed. With an empty code the code of err is kept; without
// a code and an error there is no fault.
func E(op string, code Code, err error) error {
	if code == "" && err == nil {
		return nil
	}
	return &Error{Op: op, Code: code, Err: err}
}

// New is a fault without a cause.
func New(op string, code Code, args ...any) error {
	return &Error{Op: op, Code: code, Args: args}
}

// Fields is a validation fault; it is nil when no field failed.
func Fields(op string, fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	return &Error{Op: op, Code: Invalid, Fields: fields}
}

// Hinted returns an error with a further sentence. It keeps the error's code.
func Hinted(err error, key string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{Op: key, Hint: Hint{key, args}, Err: err}
}

// Error is for logs: the operation trail, the code, and the cause.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Code != "" {
		b.WriteString(": " + string(e.Code))
	}
	for _, f := range e.Fields {
		b.WriteString(" " + f.Name + "(" + f.Key + ")")
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf finds the outermost code of err; an error without one is Internal, and nil has none.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e := find(err, hasCode); e != nil {
		return e.Code
	}
	return Internal
}

// Is reports whether err carries code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }

// FieldsOf returns the failed fields of a validation fault.
func FieldsOf(err error) []Field {
	if e := find(err, func(e *Error) bool { return len(e.Fields) > 0 }); e != nil {
		return e.Fields
	}
	return nil
}

// ArgsOf returns the arguments for the sentence of err's code.
func ArgsOf(err error) []any {
	if e := find(err, hasCode); e != nil {
		return e.Args
	}
	return nil
}

// HintsOf returns the further sentences of an error, in the order in which they were given.
func HintsOf(err error) (hints []Hint) {
	for {
		e := find(err, func(e *Error) bool { return e.Hint.Key != "" })
		if e == nil {
			slices.Reverse(hints)
			return hints
		}
		hints, err = append(hints, e.Hint), e.Err
	}
}

func hasCode(e *Error) bool { return e.Code != "" }

// find walks err's tree as errors.As does, but past every Error that has not what is asked for.
func find(err error, has func(*Error) bool) *Error {
	switch e := err.(type) { //nolint:errorlint // it unwraps by itself
	case *Error:
		if has(e) {
			return e
		}
		return find(e.Err, has)
	case interface{ Unwrap() error }:
		return find(e.Unwrap(), has)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			if found := find(inner, has); found != nil {
				return found
			}
		}
	}
	return nil
}

// IsRetryable reports whether deciding again from fresh data may succeed: only a lost race is.
func IsRetryable(err error) bool { return Is(err, Conflict) }
