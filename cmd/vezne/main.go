// Command vezne is the whole service in one binary: server, worker, demo, migrations and the tools around them.
package main

import "github.com/vezne/vezne/cmd/vezne/program"

// version is set by the build.
var version = "dev"

func main() { program.Main(version) }
