package staff

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
)

// Cost of a password hash: OWASP's argon2id recommendation (19 MiB, 2 passes, 1 lane).
const (
	argonPasses   = 2
	argonMemoryKi = 19 * 1024
	argonLanes    = 1
	argonKeyBytes = 32
	saltBytes     = 16
)

// maxHashing bounds how many passwords are hashed at once: each takes argonMemoryKi of memory.
const maxHashing = 2

// decoy is hashed against when an email is unknown, so that the answer takes as long: no password matches it.
var decoy = argonHead() + "AAAAAAAAAAAAAAAAAAAAAA$"

// passwords hashes a few passwords at a time.
type passwords struct {
	random io.Reader
	slots  chan struct{}
}

// argonHead is how the PHC form of every hash begins.
func argonHead() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, argonMemoryKi, argonPasses, argonLanes)
}

// hash is the password's argon2id in PHC form.
func (p passwords) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(p.random, salt); err != nil {
		return "", err
	}
	key, err := p.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	enc := base64.RawStdEncoding
	return argonHead() + enc.EncodeToString(salt) + "$" + enc.EncodeToString(key), nil
}

// match checks a password against a hash made by hash; other costs than today's do not match.
func (p passwords) match(ctx context.Context, password, encoded string) (bool, error) {
	rest, ok := strings.CutPrefix(encoded, argonHead())
	saltText, keyText, ok2 := strings.Cut(rest, "$")
	if !ok || !ok2 {
		return false, nil
	}
	salt, err := base64.RawStdEncoding.DecodeString(saltText)
	if err != nil {
		return false, nil //nolint:nilerr // a damaged hash matches nothing
	}
	key, err := p.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return sign.Equal(base64.RawStdEncoding.EncodeToString(key), keyText), nil
}

func (p passwords) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
		return argon2.IDKey([]byte(password), salt, argonPasses, argonMemoryKi, argonLanes, argonKeyBytes), nil
	case <-ctx.Done():
		return nil, fault.E("access.derive", fault.Unavailable, ctx.Err())
	}
}
