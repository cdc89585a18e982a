// Command vezne is the whole service in one binary: server, worker, demo, migrations and the tools around them.
package main

import "github.com/vezne/vezne/cmd/vezne/program"

func main() { program.Main() }
