package harness

import (
	"sync"
)

// StartLoad does something over and over, several at once, until it says to stop; wait for its end.
func StartLoad(atOnce int, do func() (goOn bool)) *sync.WaitGroup {
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for do() {
			}
		})
	}
	return &all
}
