package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/vezne/vezne/core/owner"
)

// demoFile holds the demo's keys, in the demo's data directory.
const demoFile = "demo.json"

// demoData is demo.json: everything that somebody who tries Vezne needs to know.
type demoData struct {
	BaseURL          string        `json:"base_url"`
	Provider         demoProvider  `json:"provider"`
	Sites            []demoSite    `json:"sites"`
	OtherProvider    sitedProvider `json:"other_provider"`
	InactiveProvider sitedProvider `json:"inactive_provider"`
	Dealer           demoDealer    `json:"dealer"`
	SiteToken        demoSiteToken `json:"site_token"`
	Staff            []demoStaff   `json:"staff"`
	Sandbox          demoSandbox   `json:"sandbox"`
	Wallets          []demoWallet  `json:"wallets"`
}

type demoProvider struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	APIKey          string `json:"api_key"`
	SecretKey       string `json:"secret_key"`
	VerificationKey string `json:"verification_key"`
	WebhookSecret   string `json:"webhook_secret"`
}

// sitedProvider is a provider with its own sites beside it.
type sitedProvider struct {
	demoProvider
	Sites []demoSite `json:"sites"`
}

type demoSite struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	CredentialKey string `json:"credential_key"`
}

type demoDealer struct {
	ID        int64  `json:"id"`
	APIKey    string `json:"api_key"`
	SecretKey string `json:"secret_key"`
}

type demoSiteToken struct {
	Token     string `json:"token"`
	SecretKey string `json:"secret_key"`
}

// demoWallet is an E-IBAN wallet of a dealer, at the sandbox.
type demoWallet struct {
	DealerID int64  `json:"dealer_id"`
	WalletID string `json:"wallet_id"`
	IBAN     string `json:"iban"`
}

type demoStaff struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Role     string `json:"role"`
}

func demoProviderOf(p owner.Provider) demoProvider {
	return demoProvider{
		ID: p.ID, Name: p.Name, APIKey: p.APIKey, SecretKey: p.SecretKey.Reveal(),
		VerificationKey: p.VerificationKey.Reveal(), WebhookSecret: p.WebhookSecret.Reveal(),
	}
}

// readDemo reads an earlier run's demo.json; ok is false when there is none.
func readDemo(dir string) (d demoData, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, demoFile))
	if err != nil || json.Unmarshal(data, &d) != nil {
		return demoData{}, false
	}
	return d, true
}

// write puts demo.json in place whole: readers see the old one or the new one.
func (d demoData) write(dir string) error { return writeFile(dir, demoFile, d) }
