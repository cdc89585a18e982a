// Package demofile is the file that a demo keeps its keys in.
package demofile

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/vezne/vezne/core/owner"
)

// Name is what the file is called, in the demo's data directory.
const Name = "demo.json"

// File is demo.json: everything that somebody who tries Vezne needs to know.
type File struct {
	BaseURL          string        `json:"base_url"`
	CallbackURL      string        `json:"callback_url"` // to which the callbacks of provider and dealer are sent
	Provider         Provider      `json:"provider"`
	Sites            []Site        `json:"sites"`
	OtherProvider    SitedProvider `json:"other_provider"`
	InactiveProvider SitedProvider `json:"inactive_provider"`
	Dealer           Dealer        `json:"dealer"`
	SiteToken        SiteToken     `json:"site_token"`
	Staff            []Staff       `json:"staff"`
	Sandbox          Sandbox       `json:"sandbox"`
	Wallets          []Wallet      `json:"wallets"`
}

// Provider is a provider with its keys.
type Provider struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	APIKey          string `json:"api_key"`
	SecretKey       string `json:"secret_key"`
	VerificationKey string `json:"verification_key"`
	WebhookSecret   string `json:"webhook_secret"`
}

// SitedProvider is a provider with its own sites beside it.
type SitedProvider struct {
	Provider
	Sites []Site `json:"sites"`
}

// Site is a site with its key.
type Site struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	CredentialKey string `json:"credential_key"`
}

// Dealer is a dealer with its keys.
type Dealer struct {
	ID        int64  `json:"id"`
	APIKey    string `json:"api_key"`
	SecretKey string `json:"secret_key"`
}

// SiteToken is a site token with its secret.
type SiteToken struct {
	Token     string `json:"token"`
	SecretKey string `json:"secret_key"`
}

// Wallet is an E-IBAN wallet of a dealer, at the sandbox.
type Wallet struct {
	DealerID int64  `json:"dealer_id"`
	WalletID string `json:"wallet_id"`
	IBAN     string `json:"iban"`
}

// Staff is a member of staff with their password.
type Staff struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Role     string `json:"role"`
}

// Sandbox is the simulated gateway of the demo: its keys, and the account through which Vezne reaches it.
type Sandbox struct {
	GatewayID    int64  `json:"gateway_id"`
	URL          string `json:"url"`
	AdminKey     string `json:"admin_key"`
	APIKey       string `json:"api_key"`
	APISecret    string `json:"api_secret"`
	NotifySecret string `json:"notify_secret"`
	WalletSecret string `json:"wallet_secret"`
	Branch       string `json:"branch,omitempty"` // what its account numbers begin with
}

// ProviderOf is a provider as the file has it.
func ProviderOf(p owner.Provider) Provider {
	return Provider{
		ID: p.ID, Name: p.Name, APIKey: p.APIKey, SecretKey: p.SecretKey.Reveal(),
		VerificationKey: p.VerificationKey.Reveal(), WebhookSecret: p.WebhookSecret.Reveal(),
	}
}

// Read reads the file in a demo's directory.
func Read(dir string) (d File, err error) {
	data, err := os.ReadFile(filepath.Join(dir, Name))
	if err != nil {
		return File{}, err
	}
	return d, json.Unmarshal(data, &d)
}

// Write puts the file in place whole: readers see the old one or the new one.
func (d File) Write(dir string) error { return WriteJSON(dir, Name, d) }

// unfinished is there while a demo's data is being made.
const unfinished = "demo.unfinished"

// Begin notes that a demo's data is being made, from nothing.
func Begin(dir string) error { return os.WriteFile(filepath.Join(dir, unfinished), nil, 0o600) }

// End notes that it is whole, if it is being made.
func End(dir string) error {
	err := os.Remove(filepath.Join(dir, unfinished))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// IsUnfinished reports whether making a demo's data was broken off, after it began from nothing.
func IsUnfinished(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, unfinished))
	return err == nil
}

// WriteJSON puts a file of JSON in place whole: readers see the old one or the new one.
func WriteJSON(dir, name string, content any) error {
	data, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, name+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.Write(append(data, '\n'))
	if err == nil {
		err = tmp.Sync()
	}
	if err = cmp.Or(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(dir, name))
}
