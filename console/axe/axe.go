// Package axe has axe-core for tests in a browser: it finds what people with a disability could not use.
package axe

import _ "embed" // the script is a file

// Script is axe-core as it was published; run it in a page, then Violations.
//
//go:embed axe.min.js
var Script string

// Violations is an expression: a promise of what axe-core finds wrong with the page as it is, a line for each.
const Violations = `axe.run(document).then((r) => r.violations.map(
	(v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html + " " + n.failureSummary).join("; ")))`
