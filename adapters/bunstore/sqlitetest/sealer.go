package sqlitetest

import (
	"errors"
	"strings"

	"github.com/vezne/vezne/ports"
)

var _ ports.Sealer = Sealer{}

// Sealer marks what is sealed, and for what. It hides nothing.
type Sealer struct{}

// Seal implements ports.Sealer.
func (Sealer) Seal(plain, context string) (string, error) {
	return "sealed for " + context + ": " + plain, nil
}

// Open implements ports.Sealer.
func (Sealer) Open(sealed, context string) (string, error) {
	plain, ok := strings.CutPrefix(sealed, "sealed for "+context+": ")
	if !ok {
		return "", errors.New("sealed for something else")
	}
	return plain, nil
}
