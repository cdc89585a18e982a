package rest

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vezne/vezne/core/fault"
)

// formData is how a body of the form "name=value&…" begins.
var formData = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.%\[\]-]*=`)

// whyNotJSON has the fault of a body that is not one JSON object say what is wrong with it. Read is how far the reader came. What is
// said of the body is a place in it, never its content.
func whyNotJSON(body []byte, read int64, err error) error {
	text := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(text) == 0:
		return fault.Hinted(err, "hint.json.empty")
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return fault.Hinted(err, "hint.json.bom")
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return fault.Hinted(err, "hint.json.gzip")
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")), bytes.IndexByte(text[:min(len(text), 4)], 0) >= 0:
		return fault.Hinted(err, "hint.json.utf16")
	case !utf8.Valid(body):
		return fault.Hinted(err, "hint.json.utf8", notUTF8(body))
	case formData.Match(text):
		return fault.Hinted(err, "hint.json.form")
	case errors.Is(err, errNotAnObject):
		return fault.Hinted(err, "hint.json.object")
	case errors.Is(err, errTrailing):
		return fault.Hinted(err, "hint.json.trailing", read)
	case errors.Is(err, errTooDeep):
		return fault.Hinted(err, "hint.json.deep")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Hinted(err, "hint.json.cut", len(body))
	}
	at := read
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		at = syntax.ByteOffset
	}
	there := bytes.TrimLeft(body[min(max(at, 0), int64(len(body))):], "-")
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fault.Hinted(err, "hint.json.name", at)
	case bytes.HasPrefix(there, []byte("N")), bytes.HasPrefix(there, []byte("I")):
		return fault.Hinted(err, "hint.json.number", at)
	case bytes.HasPrefix(there, []byte("'")):
		return fault.Hinted(err, "hint.json.quote", at)
	default:
		return fault.Hinted(err, "hint.json.byte", at)
	}
}

// notUTF8 is the place of the first byte that is not UTF-8.
func notUTF8(body []byte) int {
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(body)
}
