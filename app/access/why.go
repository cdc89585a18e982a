package access

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// What an integrator is told beside the contract's text: which header, which formula, how far off. Nothing of it depends on a secret.

// hashOr is what signs a request: the hash, or the request signature.
func hashOr(hash string, s *Signature) string {
	if s != nil {
		return s.Value
	}
	return hash
}

// missing names the headers without a value; sent are pairs of a name and a value.
func missing(err error, sent ...string) error {
	var names []string
	for i := 0; i+1 < len(sent); i += 2 {
		if sent[i+1] == "" {
			names = append(names, sent[i])
		}
	}
	return fault.Hinted(err, "hint.missing", strings.Join(names, ", "))
}

// unknownKey refuses a key that nobody has, and says how one of its kind begins where it begins otherwise: another key may stand in its
// place, or it is in quotes.
func unknownKey(op, sent string, prefix core.KeyPrefix) error {
	err := fault.New(op, fault.InvalidAPIKey)
	if !strings.HasPrefix(sent, string(prefix)) {
		err = fault.Hinted(err, "hint.prefix", prefix)
	}
	return err
}

// millisecondDigits are as many as a Unix time in milliseconds has.
const millisecondDigits = 13

// whyNotFresh says how far a timestamp is from the server's clock, or what else it is.
func whyNotFresh(err error, timestamp string, now time.Time) error {
	seconds, notANumber := strconv.ParseUint(timestamp, 10, 63)
	switch {
	case notANumber != nil:
		return fault.Hinted(err, "hint.digits", now.Unix())
	case len(timestamp) == millisecondDigits:
		return fault.Hinted(err, "hint.milliseconds", now.Unix())
	case int64(seconds) < now.Unix():
		return fault.Hinted(err, "hint.behind", now.Unix(), now.Unix()-int64(seconds))
	default:
		return fault.Hinted(err, "hint.ahead", now.Unix(), int64(seconds)-now.Unix())
	}
}

// formulas are the hash inputs of the schemes, as the contract has them.
var formulas = map[Scheme]string{
	Plain:    "<API_KEY> + <SECRET_KEY> + X-Timestamp",
	Verified: "<API_KEY> + <SECRET_KEY> + X-Key + X-Timestamp",
	Site:     "<API_KEY> + <SECRET_KEY> + X-Credential-Key + X-Timestamp",
	Tracked:  "<API_KEY> + <SECRET_KEY> + X-Timestamp",
}

// Formulas of a dealer's calls.
const (
	dealerFormula    = "<API_KEY> + <SECRET_KEY> + X-Timestamp"
	siteTokenFormula = "<SITE_TOKEN> + <SITE_SECRET_KEY> + X-Timestamp"
)

// hashChars are as many as a SHA-256 in hex has.
const hashChars = 64

// whyNotSigned says what the hash is over, and which part of that was not sent.
func (c Call) whyNotSigned(err error) error {
	err = fault.Hinted(err, "hint.formula", formulas[c.Scheme])
	if c.Scheme == Site && c.Key == "" {
		err = fault.Hinted(err, "hint.credential")
	}
	return whyNoHash(err, c.Hash)
}

func whyNoHash(err error, hash string) error {
	if len(hash) != hashChars {
		return fault.Hinted(err, "hint.hash_form", len(hash))
	}
	return err
}

// whyNotSigned says what of the request the server has signed: a proxy or a framework may have changed it on the way.
func (s *Signature) whyNotSigned(err error) error {
	body, unread := s.Body()
	if unread != nil {
		return err
	}
	sum := sha256.Sum256(body)
	return fault.Hinted(err, "hint.signed", s.Over.Method, s.Over.Target, len(body), hex.EncodeToString(sum[:]))
}
