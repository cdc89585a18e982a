package core

// Trace names the span of a trace that a row comes from, in the form of the header traceparent of W3C Trace Context: 55 bytes, such as
// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01". Empty: it was traced nowhere.
type Trace string

// Traced is a row that keeps the span of the commit which writes it, for the work that it asks for.
type Traced interface {
	Row
	// TracedBy returns the row as it is kept.
	TracedBy(span Trace) Row
}

// Cause is what work on a row comes from, for its span.
type Cause struct {
	Trace    Trace
	IsRepeat bool // it was tried before: its span is of a trace of its own, linked to Trace
}
