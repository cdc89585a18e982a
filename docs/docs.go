// Package docs has the documentation's files, of which the guide at /docs is made.
package docs

import "embed"

// Files are the pages for integrators, by their paths in this folder.
//
//go:embed guide dealers.md contract.md tr
var Files embed.FS
