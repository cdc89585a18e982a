// Package owner has the use cases of whose money moves: the directory of providers, dealers, sites and keys, and gateway
// accounts with the rules that route to them.
package owner
