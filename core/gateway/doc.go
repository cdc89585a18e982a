// Package gateway is the vocabulary between Vezne and third-party gateways: what a plugin says of itself, what it is
// asked, and what it reports. All of it is plain data. The interfaces that a plugin implements are in package ports.
//
// A plugin translates and nothing else. States, keys, locks, de-duplication, comparing amounts, expiry, polling, retry
// and callbacks are the core's.
package gateway
