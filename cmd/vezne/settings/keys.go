package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/vezne/vezne/adapters/aesgcm"
	"github.com/vezne/vezne/adapters/auditheads"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// demoKey is the master key of demos on a PostgreSQL that several data directories may share. It is public: demo data
// is nobody's secret.
const demoKey = "dmV6bmUtZGVtby1rZXktbm90LWZvci1yZWFsLWRhdGE="

// demoAuditKey is the audit key of demos on a PostgreSQL that several data directories may share. It is public, as demoKey.
const demoAuditKey = "dmV6bmUtZGVtby1hdWRpdC1rZXktbm90LWZvci11c2U="

// AuditKeys reads the configured audit keys, or those kept in the data directory. Embedded, and for the demo, they are made
// there; whoever runs on servers is asked for them. They are no part of the master key: who rotates that one, and forgets the
// old one, must still be able to verify the log, and who verifies it opens no secret.
func (s Settings) AuditKeys() (audit.Keys, error) {
	text := s.AuditKey
	if text == "" {
		_, err := os.Stat(s.AuditKeyFile)
		isMissing := errors.Is(err, fs.ErrNotExist)
		if isMissing && !s.IsEmbedded() && !s.IsDemo {
			return nil, errors.New("VEZNE_AUDIT_KEY is missing: the audit log is chained under it; `openssl rand -base64 32` makes one")
		}
		if text, err = s.keptAuditKey(isMissing); err != nil {
			return nil, err
		}
	}
	keys, err := audit.ParseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("VEZNE_AUDIT_KEY: %w", err)
	}
	for part := range strings.SplitSeq(text, ",") {
		if s.MasterKey != "" && strings.Contains(s.MasterKey, strings.TrimSpace(part)) {
			return nil, errors.New("VEZNE_AUDIT_KEY has a key of VEZNE_MASTER_KEY: each needs keys of its own")
		}
	}
	return keys, nil
}

func (s Settings) keptAuditKey(isMissing bool) (string, error) {
	if isMissing && !s.IsEmbedded() && s.IsDemo {
		if err := s.keepDemoKey(s.AuditKeyFile, demoAuditKey); err != nil {
			return "", err
		}
	}
	text, err := aesgcm.LoadOrCreateText(s.AuditKeyFile)
	if err != nil {
		return "", fmt.Errorf("the audit key: %w", fault.Cause(err))
	}
	return text, nil
}

// HasAuditKey reports whether there is an audit key, or the file of one, without making one.
func (s Settings) HasAuditKey() bool {
	_, err := os.Stat(s.AuditKeyFile)
	return s.AuditKey != "" || err == nil
}

// AuditPlaces are where heads of the audit log are written to, and what can be read of them.
func (s Settings) AuditPlaces(version Version) (places []ports.AuditPlace, kept ports.AuditHeads) {
	if s.headsFile != "" {
		places, kept = append(places, auditheads.File{Path: s.headsFile}), auditheads.Files{s.headsFile}
	}
	if s.AuditHeadsURL != "" {
		places = append(places, auditheads.NewURL(s.AuditHeadsURL, string(version)))
	}
	return places, kept
}

// Sealer opens the configured master keys, or those kept in the data directory. Embedded, and for the demo, they are
// made there; whoever runs on servers is asked for them.
func (s Settings) Sealer() (ports.Sealer, error) {
	if s.MasterKey != "" {
		sealer, err := aesgcm.ParseKeys(s.MasterKey)
		if err != nil {
			return nil, fmt.Errorf("VEZNE_MASTER_KEY: %w", fault.Cause(err))
		}
		return sealer, nil
	}
	_, err := os.Stat(s.KeyFile)
	if isMissing := errors.Is(err, os.ErrNotExist); isMissing && !s.IsEmbedded() {
		if !s.IsDemo {
			return nil, errors.New("VEZNE_MASTER_KEY is missing: secrets in PostgreSQL are encrypted with it; `openssl rand -base64 32` makes one")
		}
		if err := s.keepDemoKey(s.KeyFile, demoKey); err != nil {
			return nil, err
		}
	}
	sealer, err := aesgcm.LoadOrCreate(s.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("the master key in the data directory (VEZNE_DATA_DIR): %w", fault.Cause(err))
	}
	return sealer, nil
}

// keepDemoKey keeps a key of demos, which is public, in a file of the data directory.
func (s Settings) keepDemoKey(file, key string) error {
	if err := s.MakeDirectory(); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		return fmt.Errorf("keeping the demo's key: %w", err)
	}
	return nil
}
