package owner_test

import (
	"testing"

	"github.com/vezne/vezne/core/owner"
)

func TestWhatAcknowledges(t *testing.T) {
	t.Parallel()
	for status, takes := range map[int]map[owner.Acknowledgement]bool{
		200: {owner.Status200: true, owner.Any2xx: true},
		201: {owner.Any2xx: true}, 202: {owner.Any2xx: true}, 204: {owner.Any2xx: true}, 299: {owner.Any2xx: true},
		0: {}, 100: {}, 199: {}, 300: {}, 301: {}, 401: {}, 404: {}, 500: {}, 2000: {}, -200: {},
	} {
		for _, a := range []owner.Acknowledgement{owner.Status200, owner.Any2xx} {
			if a.Takes(status) != takes[a] {
				t.Errorf("%d by %s: %t", status, a, a.Takes(status))
			}
		}
	}
}
