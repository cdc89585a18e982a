// Package wallet has the use cases of E-IBAN wallets: what dealers ask for, and what their banks' statements say.
package wallet
