package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/vezne/vezne/adapters/aesgcm"
	"github.com/vezne/vezne/adapters/auditheads"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

// demoAuditKey is the audit key of demos on a PostgreSQL that several data directories may share. It is public, as demoKey.
const demoAuditKey = "dmV6bmUtZGVtby1hdWRpdC1rZXktbm90LWZvci11c2U="

// auditKeys reads the configured audit keys, or those kept in the data directory. Embedded, and for the demo, they are made
// there; whoever runs on servers is asked for them. They are no part of the master key: who rotates that one, and forgets the
// old one, must still be able to verify the log, and who verifies it opens no secret.
func (s settings) auditKeys(o serveOptions) (audit.Keys, error) {
	text := s.AuditKey
	if text == "" {
		_, err := os.Stat(s.auditKeyFile)
		isMissing := errors.Is(err, fs.ErrNotExist)
		if isMissing && !s.isEmbedded() && !o.isDemo {
			return nil, errors.New("VEZNE_AUDIT_KEY is missing: the audit log is chained under it; `openssl rand -base64 32` makes one")
		}
		if text, err = s.keptAuditKey(isMissing, o); err != nil {
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

func (s settings) keptAuditKey(isMissing bool, o serveOptions) (string, error) {
	if isMissing && !s.isEmbedded() && o.isDemo {
		if err := s.keepDemoKey(s.auditKeyFile, demoAuditKey); err != nil {
			return "", err
		}
	}
	text, err := aesgcm.LoadOrCreateText(s.auditKeyFile)
	if err != nil {
		return "", fmt.Errorf("the audit key: %w", cause(err))
	}
	return text, nil
}

// hasAuditKey reports whether there is an audit key, or the file of one, without making one.
func (s settings) hasAuditKey() bool {
	_, err := os.Stat(s.auditKeyFile)
	return s.AuditKey != "" || err == nil
}

// auditPlaces are where heads of the audit log are written to, and what can be read of them.
func (s settings) auditPlaces() (places []ports.AuditPlace, kept ports.AuditHeads) {
	if s.headsFile != "" {
		places, kept = append(places, auditheads.File{Path: s.headsFile}), auditheads.Files{s.headsFile}
	}
	if s.AuditHeadsURL != "" {
		places = append(places, auditheads.NewURL(s.AuditHeadsURL, version))
	}
	return places, kept
}
