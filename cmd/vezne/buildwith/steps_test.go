package buildwith

import (
	"fmt"
	"testing"
)

// TestWhatIsOnTheNetworkIsRequiredAndWhatIsHereIsUsed: a folder needs no version, and nothing is asked of the network without need.
func TestWhatIsOnTheNetworkIsRequiredAndWhatIsHereIsUsed(t *testing.T) {
	t.Parallel()
	own := source{Path: module, Version: "v1.0.0"}
	acme, pay := source{Path: "example.com/acme", Version: "v1.2.0"}, source{Path: "example.com/pay", Dir: "/src/pay"}
	const begin, end = "[[mod init vezne.build/with] ", " [build -buildvcs=false -trimpath -ldflags -s -w -X github.com/vezne/vezne/cmd/vezne/program.version=v1.0.0 -o /bin/vezne .]]"
	for want, sources := range map[string][]source{
		begin + "[get github.com/vezne/vezne@v1.0.0 example.com/acme@v1.2.0] [work init .]" + end: {own, acme},
		begin + "[get github.com/vezne/vezne@v1.0.0] [work init . /src/pay]" + end:                {own, pay},
		begin + "[work init . /src/vezne /src/pay]" + end:                                         {{Path: module, Dir: "/src/vezne"}, pay},
	} {
		if got := fmt.Sprint(steps(sources, "v1.0.0", "/bin/vezne")); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
