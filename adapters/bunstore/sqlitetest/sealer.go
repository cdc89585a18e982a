package sqlitetest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/vezne/vezne/ports"
)

var _ ports.Sealer = Sealer{}

// Sealer marks what is sealed, and for what. It hides nothing.
type Sealer struct{}

// Seal implements ports.Sealer.
func (Sealer) Seal(plain, context string) (string, error) {
	return mark(context) + base64.StdEncoding.EncodeToString([]byte(plain)), nil
}

// Open implements ports.Sealer.
func (Sealer) Open(sealed, context string) (string, error) {
	text, ok := strings.CutPrefix(sealed, mark(context))
	if !ok {
		return "", errors.New("sealed for something else")
	}
	plain, err := base64.StdEncoding.DecodeString(text)
	return string(plain), err
}

func mark(context string) string { return fmt.Sprintf("sealed for %q: ", context) }
