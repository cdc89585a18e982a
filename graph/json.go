package graph

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Bounds of a request's JSON, which are looked at before it is decoded.
const (
	maxJSONDepth = 24
	maxJSONItems = 4_000 // of lists and objects, in all
)

// errJSONBounds refuses JSON that is nested too deeply or has too many values.
var errJSONBounds = errors.New("graph: the JSON is nested too deeply, or has too many values")

// decodeParams decodes an operation and its variables. Numbers stay as they are written: none becomes a float.
func decodeParams(body []byte, params *graphql.RawParams) error {
	if !isBoundedJSON(body) {
		return errJSONBounds
	}
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if err := decoder.Decode(params); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("graph: something follows the operation")
	}
	return nil
}

// isBoundedJSON reports whether JSON is within its bounds; of what is no JSON it says nothing certain.
func isBoundedJSON(body []byte) bool {
	depth, items, isText, isEscaped := 0, 0, false, false
	for _, c := range body {
		switch {
		case isEscaped:
			isEscaped = false
		case isText:
			isText, isEscaped = c != '"', c == '\\'
		case c == '"':
			isText = true
		case c == '[', c == '{':
			depth++
			items++
		case c == ']', c == '}':
			depth--
		case c == ',':
			items++
		}
		if depth > maxJSONDepth || items > maxJSONItems {
			return false
		}
	}
	return true
}
