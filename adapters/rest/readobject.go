package rest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// maxDepth bounds how deep the members that nobody wants may nest; the wanted ones do not nest at all.
const maxDepth = 64

var (
	errNotAnObject = errors.New("not an object")
	errTooDeep     = errors.New("nested too deep")
	errTrailing    = errors.New("data after the object")
)

var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// ReadObject reads a text that is one JSON object and gives its members of the wanted names, in the order of these; one
// that is not there is Missing. A number keeps its literal, so that its size costs nothing. Fault InvalidJSON: anything
// but one object in UTF-8, a name twice in any object, nesting deeper than 64.
func ReadObject(text []byte, names []string) ([]core.Input, error) {
	inputs, _, err := readObject(text, names)
	return inputs, err
}

// readObject is ReadObject that also returns the members of other names, in the order in which they were sent.
func readObject(text []byte, names []string) (inputs []core.Input, others []member, err error) {
	const op = "rest.ReadObject"
	d, _ := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(text))
	inputs, others, err = readMembers(d, text, names)
	if err == nil {
		err = readEnd(d)
	}
	if err != nil {
		return nil, nil, whyNotJSON(text, d.InputOffset(), fault.E(op, fault.InvalidJSON, err))
	}
	return inputs, others, nil
}

func readMembers(d *jsontext.Decoder, text []byte, names []string) (inputs []core.Input, others []member, err error) {
	if begin, err := d.ReadToken(); err != nil {
		return nil, nil, err
	} else if begin.Kind() != '{' {
		return nil, nil, errNotAnObject
	}
	inputs = make([]core.Input, len(names))
	for d.PeekKind() != '}' {
		quoted, err := d.ReadValue()
		if err != nil {
			return nil, nil, err
		}
		i, other := find(names, quoted)
		before := d.InputOffset()
		value, err := readInput(d)
		if err != nil {
			return nil, nil, err
		}
		if i < 0 {
			others = append(others, member{other, value})
			continue
		}
		if value.Kind == core.ObjectInput {
			_, object, _ := bytes.Cut(text[before:d.InputOffset()], []byte(":"))
			value.Text = string(bytes.TrimSpace(object))
		}
		inputs[i] = value
	}
	_, err = d.ReadToken()
	return inputs, others, err
}

// find finds a quoted name among the wanted ones; of another it returns the name.
func find(names []string, quoted jsontext.Value) (i int, other string) {
	plain := []byte(quoted[1 : len(quoted)-1])
	if bytes.IndexByte(quoted, '\\') >= 0 {
		plain, _ = jsontext.AppendUnquote(nil, quoted) // the decoder has checked it
	}
	if i = slices.IndexFunc(names, func(name string) bool { return name == string(plain) }); i < 0 {
		other = string(plain)
	}
	return i, other
}

func readInput(d *jsontext.Decoder) (core.Input, error) {
	kind := d.PeekKind()
	switch kind {
	case '{':
		return core.Input{Kind: core.ObjectInput}, skipNested(d)
	case '[':
		return core.Input{Kind: core.OtherInput}, skipNested(d)
	}
	value, err := d.ReadValue()
	if err != nil {
		return core.Input{}, err
	}
	switch kind {
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		return core.Input{Kind: core.TextInput, Text: string(text)}, err
	case '0':
		return core.Input{Kind: core.NumberInput, Text: string(value)}, nil
	case 'n':
		return core.Input{}, nil
	default:
		return core.Input{Kind: core.OtherInput}, nil
	}
}

// skipNested reads past an object or an array by its tokens, so that depth costs no recursion.
func skipNested(d *jsontext.Decoder) error {
	for outer := d.StackDepth(); ; {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		switch depth := d.StackDepth(); {
		case depth == outer:
			return nil
		case depth > maxDepth:
			return errTooDeep
		}
	}
}

func readEnd(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	if err == nil {
		return errTrailing
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
