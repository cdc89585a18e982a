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

// How many passwords are hashed at once: each takes argonMemoryKi of memory. Those of strangers wait apart, so that however many
// guess from wherever, nobody who is known waits behind them, and no more than one processor is theirs.
const (
	maxHashing   = 2
	maxStrangers = 1
)

// decoy is hashed against when an email is unknown, so that the answer takes as long: no password matches it.
var decoy = argonHead() + "AAAAAAAAAAAAAAAAAAAAAA$"

// passwords hashes a few passwords at a time.
type passwords struct {
	random    io.Reader
	known     slots // of who is signed in or invited, or signs in from where they did before
	strangers slots // of everybody else
}

func newPasswords(random io.Reader) passwords {
	return passwords{random: random, known: make(slots, maxHashing), strangers: make(slots, maxStrangers)}
}

// slots are how many of some passwords are hashed at once.
type slots chan struct{}

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
	key, err := p.known.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	enc := base64.RawStdEncoding
	return argonHead() + enc.EncodeToString(salt) + "$" + enc.EncodeToString(key), nil
}

// match checks a password against a hash made by hash; other costs than today's do not match.
func (s slots) match(ctx context.Context, password, encoded string) (bool, error) {
	rest, ok := strings.CutPrefix(encoded, argonHead())
	saltText, keyText, ok2 := strings.Cut(rest, "$")
	if !ok || !ok2 {
		return false, nil
	}
	salt, err := base64.RawStdEncoding.DecodeString(saltText)
	if err != nil {
		return false, nil //nolint:nilerr // a damaged hash matches nothing
	}
	key, err := s.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return sign.Equal(base64.RawStdEncoding.EncodeToString(key), keyText), nil
}

func (s slots) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case s <- struct{}{}:
		defer func() { <-s }()
		return argon2.IDKey([]byte(password), salt, argonPasses, argonMemoryKi, argonLanes, argonKeyBytes), nil
	case <-ctx.Done():
		return nil, fault.E("access.derive", fault.Unavailable, ctx.Err())
	}
}
